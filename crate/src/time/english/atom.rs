//! The parts a date phrase is put together from, and their grounding to days.

use super::super::calendar::{DayNumber, Year, month_length};
use super::super::edtf::season_months;
use super::super::expression::Precision;
use super::super::interval::Interval;
use super::super::settings::{Parts, Settings};

/// Before or of the common era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    Bce,
    Ce,
}

/// A part of a longer time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Early,
    Mid,
    Late,
    /// The first tenth or so.
    Beginning,
    /// The last tenth or so.
    End,
    /// Ten years on both sides of the start.
    Turn,
    /// One of a number of equal parts, counted from 1.
    Fraction(u8, u8),
}

/// The time an atom names, before what it lacks is filled in from its neighbor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Core {
    /// Only a part, such as the "mid-" of "mid- to late-19th century".
    Nothing,
    Year {
        n: i64,
        digits: u8,
    },
    Decade {
        n: i64,
        digits: u8,
    },
    Century {
        n: i64,
    },
    Millennium {
        n: i64,
    },
    /// An ordinal whose unit is still to come, such as the 17th of "17th–18th century".
    Ordinal {
        n: i64,
    },
    Date {
        y: Option<i64>,
        m: u8,
        d: Option<u8>,
    },
    Season {
        y: Option<i64>,
        s: u8,
    },
    /// One of a number of equal parts of a year.
    YearPart {
        y: Option<i64>,
        index: u8,
        of: u8,
    },
    /// A time already grounded.
    Fixed(Interval, Precision),
    /// A named period of whole years.
    Period {
        first: i64,
        last: i64,
    },
}

/// One point or period of a phrase.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atom {
    pub core: Core,
    pub part: Option<Part>,
    pub era: Option<Era>,
    pub circa: bool,
    /// Whether circa is written against the date, as in "c.1850".
    pub circa_tight: bool,
    pub maybe: bool,
    /// Whether the day is given in the Julian calendar.
    pub julian: bool,
}

impl Atom {
    pub(crate) fn new(core: Core) -> Self {
        Self {
            core,
            part: None,
            era: None,
            circa: false,
            circa_tight: false,
            maybe: false,
            julian: false,
        }
    }

    /// Whether the atom names a year, decade, century or period, and no day, month or season.
    pub(crate) fn is_span_of_years(&self) -> bool {
        matches!(
            self.core,
            Core::Year { .. }
                | Core::Decade { .. }
                | Core::Century { .. }
                | Core::Millennium { .. }
        )
    }

    /// Takes over from the second of two atoms what the first leaves out.
    pub(crate) fn complete_from(&mut self, next: &Atom) {
        let counted = |atom: &Atom| match atom.core {
            Core::Year { n, .. }
            | Core::Decade { n, .. }
            | Core::Century { n }
            | Core::Millennium { n } => Some(n),
            _ => None,
        };
        match (self.core, next.core) {
            (Core::Ordinal { n } | Core::Year { n, digits: ..=2 }, Core::Century { .. })
                if self.era.is_none() =>
            {
                self.core = Core::Century { n };
            }
            (Core::Ordinal { n } | Core::Year { n, digits: ..=2 }, Core::Millennium { .. })
                if self.era.is_none() =>
            {
                self.core = Core::Millennium { n };
            }
            (Core::Nothing, core) => self.core = core,
            (
                Core::Date { y: None, m, d },
                Core::Date {
                    y: Some(y),
                    m: m2,
                    d: d2,
                },
            ) => {
                let before = (m, d.unwrap_or(1)) <= (m2, d2.unwrap_or(31));
                self.core = Core::Date {
                    y: Some(if before { y } else { y - 1 }),
                    m,
                    d,
                };
            }
            (Core::Season { y: None, s }, Core::Season { y: Some(y), s: s2 }) => {
                self.core = Core::Season {
                    y: Some(if s <= s2 { y } else { y - 1 }),
                    s,
                };
            }
            (Core::YearPart { y: None, index, of }, Core::YearPart { y: Some(y), .. }) => {
                self.core = Core::YearPart {
                    y: Some(y),
                    index,
                    of,
                };
            }
            _ => {}
        }
        if self.era.is_none()
            && let Some(era) = next.era
            && let (Some(a), Some(b)) = (counted(self), counted(next))
        {
            match era {
                Era::Bce if a >= b => self.era = Some(Era::Bce),
                Era::Ce => self.era = Some(Era::Ce),
                Era::Bce => {}
            }
        }
    }

    /// Takes over from the first of two atoms what the second leaves out: the leading digits of
    /// "1843–4" and the month or year of "June 10–12, 1954".
    pub(crate) fn complete_after(&mut self, first: &Atom) {
        match (self.core, first.core) {
            (
                Core::Year { n, digits },
                Core::Year {
                    n: start,
                    digits: long,
                },
            ) if digits < long && digits <= 2 && long >= 3 && self.era.is_none() => {
                let scale = 10i64.pow(u32::from(digits));
                self.core = Core::Year {
                    n: start - start.rem_euclid(scale) + n,
                    digits: long,
                };
            }
            (
                Core::Decade { n, digits: 2 },
                Core::Decade {
                    n: start,
                    digits: 4,
                },
            ) => {
                self.core = Core::Decade {
                    n: start - start.rem_euclid(100) + n,
                    digits: 4,
                };
            }
            (Core::Year { n, digits: 1..=2 }, Core::Date { y, m, d: Some(_) })
                if (1..=31).contains(&n) =>
            {
                self.core = Core::Date {
                    y,
                    m,
                    d: Some(n as u8),
                };
            }
            (
                Core::Date { y: None, m, d },
                Core::Date {
                    y: Some(y), m: m1, ..
                },
            ) => {
                self.core = Core::Date {
                    y: Some(if m >= m1 { y } else { y + 1 }),
                    m,
                    d,
                };
            }
            // "AD 60–80": no digits are left out, the era counts for both.
            (Core::Year { n, digits: ..=2 }, Core::Year { n: start, digits })
                if digits <= 2 && n > start && first.era == Some(Era::Ce) =>
            {
                self.era = Some(Era::Ce);
            }
            _ => {}
        }
    }

    /// The days of the atom; `None` when it names none, or a day that does not exist.
    pub(crate) fn ground(&self, settings: &Settings) -> Option<(Interval, Precision)> {
        let bce = self.era == Some(Era::Bce);
        let year = |n: i64| if bce { 1 - n } else { n };
        let (first, last, precision, parts) = match self.core {
            Core::Nothing | Core::Ordinal { .. } => return None,
            Core::Year { n, .. } => {
                let y = year(n);
                return self.part_of_year(y, settings);
            }
            Core::Decade { n, .. } => {
                let (a, b) = if bce {
                    (1 - (n + 9), 1 - n)
                } else {
                    (n, n + 9)
                };
                (a, b, Precision::Decade, Some(settings.decade_parts))
            }
            Core::Century { n } => {
                if n < 1 {
                    return None;
                }
                let (a, b) = if bce {
                    (1 - 100 * n, 100 - 100 * n)
                } else {
                    (100 * (n - 1), 100 * n - 1)
                };
                (a, b, Precision::Century, Some(settings.century_parts))
            }
            Core::Millennium { n } => {
                if n < 1 {
                    return None;
                }
                let (a, b) = if bce {
                    (1 - 1000 * n, 1000 - 1000 * n)
                } else {
                    (1000 * (n - 1), 1000 * n - 1)
                };
                (a, b, Precision::Millennium, None)
            }
            Core::Period { first, last } => (first, last, Precision::Period, None),
            Core::Date { y, m, d } => {
                let y = year(y?);
                let interval = match d {
                    Some(d) if self.julian => Interval::day(DayNumber::from_julian(Year(y), m, d)?),
                    Some(d) => Interval::day(DayNumber::from_gregorian(Year(y), m, d)?),
                    None => {
                        let first = DayNumber::from_gregorian(Year(y), m, 1)?;
                        return self.part_of_month(first, y, m);
                    }
                };
                return Some((interval, Precision::Day));
            }
            Core::Season { y, s } => {
                let y = year(y?);
                let (m1, m2, wraps) = season_months(s, settings.hemisphere);
                let end = if wraps { y + 1 } else { y };
                let interval = Interval::new(
                    DayNumber::civil(y, m1, 1),
                    DayNumber::civil(end, m2, month_length(end, m2)),
                )?;
                return Some((interval, Precision::Season));
            }
            Core::YearPart { y, index, of } => {
                return year_fraction(year(y?), index, of);
            }
            Core::Fixed(interval, precision) => return self.part_of_fixed(interval, precision),
        };
        let (a, b) = match self.part {
            None => (first, last),
            Some(part) => part_of_years(first, last, part, parts)?,
        };
        // The first century has no year 0, which is 1 BC.
        let a = if !bce
            && first == 0
            && matches!(precision, Precision::Century | Precision::Millennium)
        {
            a.max(1)
        } else {
            a
        };
        Some((Interval::years(Year(a), Year(b))?, precision))
    }

    fn part_of_year(&self, y: i64, settings: &Settings) -> Option<(Interval, Precision)> {
        let _ = settings;
        if y.abs() > Year::LIMIT {
            return None;
        }
        let months = |a: u8, b: u8| {
            Interval::new(
                DayNumber::civil(y, a, 1),
                DayNumber::civil(y, b, month_length(y, b)),
            )
        };
        Some(match self.part {
            None => (Interval::years(Year(y), Year(y))?, Precision::Year),
            Some(Part::Early) => (months(1, 4)?, Precision::Season),
            Some(Part::Mid) => (months(5, 8)?, Precision::Season),
            Some(Part::Late) => (months(9, 12)?, Precision::Season),
            Some(Part::Beginning) => (months(1, 4)?, Precision::Season),
            Some(Part::End) => (months(9, 12)?, Precision::Season),
            Some(Part::Turn) => (
                Interval::years(Year(y - 10), Year(y + 9))?,
                Precision::Decade,
            ),
            Some(Part::Fraction(index, of)) => return year_fraction(y, index, of),
        })
    }

    fn part_of_month(&self, first: DayNumber, y: i64, m: u8) -> Option<(Interval, Precision)> {
        let length = i64::from(month_length(y, m));
        let days =
            |a: i64, b: i64| Interval::new(DayNumber(first.0 + a - 1), DayNumber(first.0 + b - 1));
        Some(match self.part {
            None => (days(1, length)?, Precision::Month),
            Some(Part::Early | Part::Beginning) => (days(1, 15)?, Precision::Week),
            Some(Part::Mid) => (days(10, 20)?, Precision::Week),
            Some(Part::Late | Part::End) => (days(16, length)?, Precision::Week),
            Some(Part::Fraction(1, 2)) => (days(1, 15)?, Precision::Week),
            Some(Part::Fraction(2, 2)) => (days(16, length)?, Precision::Week),
            Some(_) => return None,
        })
    }

    fn part_of_fixed(
        &self,
        interval: Interval,
        precision: Precision,
    ) -> Option<(Interval, Precision)> {
        let Some(part) = self.part else {
            return Some((interval, precision));
        };
        let (a, b) = (interval.first.day()?.0, interval.last.day()?.0);
        let length = b - a + 1;
        let third = length / 3;
        let (x, y) = match part {
            Part::Early | Part::Beginning => (a, a + third - 1),
            Part::Mid => (a + third, b - third),
            Part::Late | Part::End => (b - third + 1, b),
            Part::Fraction(index, of) if of > 0 && (1..=of).contains(&index) => (
                a + length * (i64::from(index) - 1) / i64::from(of),
                a + length * i64::from(index) / i64::from(of) - 1,
            ),
            _ => return None,
        };
        Some((Interval::new(DayNumber(x), DayNumber(y.max(x)))?, precision))
    }
}

fn year_fraction(y: i64, index: u8, of: u8) -> Option<(Interval, Precision)> {
    if !(2..=4).contains(&of) || index == 0 || index > of {
        return None;
    }
    let months = 12 / of;
    let (a, b) = ((index - 1) * months + 1, index * months);
    Some((
        Interval::new(
            DayNumber::civil(y, a, 1),
            DayNumber::civil(y, b, month_length(y, b)),
        )?,
        Precision::Season,
    ))
}

/// The years of a part of a stretch of years.
///
/// `parts` gives the collection's offsets for a stretch of ten or a hundred years; any other is
/// cut into thirds.
fn part_of_years(first: i64, last: i64, part: Part, parts: Option<Parts>) -> Option<(i64, i64)> {
    let length = last - first + 1;
    let third = length / 3;
    let offsets = |(a, b): (i64, i64)| (first + a, first + b);
    Some(match (part, parts) {
        (Part::Early, Some(parts)) => offsets(parts.early),
        (Part::Mid, Some(parts)) => offsets(parts.mid),
        (Part::Late, Some(parts)) => offsets(parts.late),
        (Part::Early, None) => (first, first + third.max(1) - 1),
        (Part::Mid, None) => (first + third, last - third),
        (Part::Late, None) => (last - third.max(1) + 1, last),
        (Part::Beginning, _) => (first, first + (length / 10).max(1) - 1),
        (Part::End, _) => (last - (length / 10).max(1) + 1, last),
        (Part::Turn, _) => (first - 10, first + 9),
        (Part::Fraction(index, of), _) => {
            if of == 0 || index == 0 || index > of {
                return None;
            }
            (
                first + length * (i64::from(index) - 1) / i64::from(of),
                first + length * i64::from(index) / i64::from(of) - 1,
            )
        }
    })
}
