//! Times told from the anchor date: "yesterday", "last century", "three weeks ago".

use super::super::calendar::{DayNumber, Year, month_length};
use super::super::edtf::season_months;
use super::super::expression::{Candidate, Kind, Precision};
use super::super::interval::Interval;
use super::atom::{Atom, Core, Part};
use super::lexer::{Tok, W};
use super::parse::Reader;
use super::phrase::Phrase;

/// The units that deictic phrases count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Day,
    Week,
    Fortnight,
    Weekend,
    Month,
    Quarter,
    Season(u8),
    Year,
    Decade,
    Century,
    Millennium,
    MonthOf(u8),
    Weekday(u8),
    /// Monday to Friday.
    BusinessDay,
}

impl Reader<'_> {
    pub(crate) fn deictic(&self, i: usize) -> Option<Phrase> {
        if let Some(phrase) = self.weekday_alone(i) {
            return Some(phrase);
        }
        let (interval, precision, end) = self.deictic_interval(i)?;
        // "from last month to today" is read by the range; here one deictic may end in another.
        let mut interval = interval;
        let mut end = end;
        if matches!(self.tok(end), Tok::Word(W::To | W::Until))
            && let Some((last, _, k)) = self.deictic_interval(end + 1)
            && let (Some(a), Some(b)) = (interval.first.day(), last.last.day())
            && let Some(joined) = Interval::new(a, b)
        {
            interval = joined;
            end = k;
        }
        Some(Phrase {
            candidates: vec![Candidate::exact(interval, precision)],
            kind: Kind::Interval,
            arc: None,
            first_token: i,
            end_token: end,
        })
    }

    /// A weekday by itself: the next one, or else the last.
    fn weekday_alone(&self, i: usize) -> Option<Phrase> {
        let anchor = self.anchor?;
        let Tok::Word(W::Weekday(w)) = self.tok(i) else {
            return None;
        };
        let abbreviated = self.str(i).len() <= 4;
        if abbreviated && !self.is(i.wrapping_sub(1), W::On) && self.tokens.len() > 1 {
            return None;
        }
        let mut j = i + 1;
        // "Monday next week", "Friday of last week", "Wednesday the thirty-first" is left to days.
        if self.is(j, W::Of) {
            j += 1;
        }
        if let Some((week, Precision::Week, end)) = self.deictic_interval(j)
            && let Some(first) = week.first.day()
            && week.days() == Some(7)
        {
            let day = Interval::day(DayNumber(first.0 + i64::from(w)));
            return Some(Phrase {
                candidates: vec![Candidate::exact(day, Precision::Day)],
                kind: Kind::Interval,
                arc: None,
                first_token: i,
                end_token: end,
            });
        }
        // A full date after the weekday tells the day.
        let after = i + 1 + usize::from(matches!(self.tok(i + 1), Tok::Comma));
        if self.atom(after).is_some_and(|(atom, _)| {
            matches!(atom.core, Core::Date { d: Some(_), .. } | Core::Fixed(..))
        }) {
            return None;
        }
        let ahead = (i64::from(w) - i64::from(anchor.weekday())).rem_euclid(7);
        let next = DayNumber(anchor.0 + if ahead == 0 { 7 } else { ahead });
        let past = DayNumber(next.0 - if ahead == 0 { 14 } else { 7 });
        Some(Phrase {
            candidates: vec![
                Candidate::exact(Interval::day(next), Precision::Day),
                Candidate::exact(Interval::day(past), Precision::Day),
            ],
            kind: Kind::OneOf,
            arc: None,
            first_token: i,
            end_token: i + 1,
        })
    }

    /// Reads a deictic time that is one stretch of days.
    pub(crate) fn deictic_interval(&self, i: usize) -> Option<(Interval, Precision, usize)> {
        let anchor = self.anchor?;
        let day = |n: i64| Interval::day(DayNumber(anchor.0 + n));
        let mut j = i;
        let the = self.is(j, W::The);
        if the {
            j += 1;
        }
        if self.is(j, W::DayUnit) {
            let found = match (self.tok(j + 1), self.tok(j + 2)) {
                (Tok::Word(W::Before), Tok::Word(W::Yesterday)) => Some(-2),
                (Tok::Word(W::After), Tok::Word(W::Tomorrow)) => Some(2),
                _ => None,
            };
            if let Some(n) = found {
                return Some((day(n), Precision::Day, j + 3));
            }
        }
        if !the {
            let simple = match self.tok(j) {
                Tok::Word(W::Today) => Some(0),
                Tok::Word(W::Yesterday) => Some(-1),
                Tok::Word(W::Tomorrow) => Some(1),
                _ => None,
            };
            if let Some(n) = simple {
                return Some((day(n), Precision::Day, j + 1));
            }
        }
        if let Some(found) = self.part_of_deictic(j) {
            return Some(found);
        }
        if let Some(found) = self.counted(j) {
            return Some(found);
        }
        if self.is(j, W::Rest) && self.is(j + 1, W::Of) {
            let k = j + 2 + usize::from(self.is(j + 2, W::The));
            let k = k + usize::from(self.is(k, W::This));
            let (unit, end) = self.unit(k)?;
            let (current, precision) = shifted(anchor, unit, 0, self)?;
            return Some((Interval::new(anchor, current.last.day()?)?, precision, end));
        }
        self.relative(j)
    }

    /// "the end of the month", "early next year", "beginning of this century".
    fn part_of_deictic(&self, i: usize) -> Option<(Interval, Precision, usize)> {
        let part = match self.tok(i) {
            // "the last decade of the last century", "first half of next year"
            Tok::Word(W::Ordinal(_) | W::Last) | Tok::Num(..)
                if self.ordinal_like(i).is_some_and(|(_, j)| {
                    matches!(self.tok(j), Tok::Word(W::Half | W::Quarter | W::Decade))
                        && self.is(j + 1, W::Of)
                        && self.is(j + 2, W::The)
                        && matches!(
                            self.tok(j + 3),
                            Tok::Word(W::Last | W::Previous | W::Next | W::This)
                        )
                }) =>
            {
                let (index, j) = self.ordinal_like(i)?;
                let of = match self.tok(j) {
                    Tok::Word(W::Half) => 2u8,
                    Tok::Word(W::Quarter) => 4,
                    _ => 10,
                };
                let index = if index == 99 {
                    of
                } else {
                    u8::try_from(index).ok()?
                };
                let (interval, precision, end) = self.relative(j + 2)?;
                let mut atom = Atom::new(Core::Fixed(interval, precision));
                atom.part = Some(Part::Fraction(index, of));
                let first = interval.first.day()?.year().0;
                if precision == Precision::Century {
                    atom.core = Core::Century { n: first / 100 + 1 };
                }
                let (interval, precision) = atom.ground(self.settings)?;
                return Some((interval, precision, end));
            }
            Tok::Word(W::Early) => Part::Early,
            Tok::Word(W::Late) => Part::Late,
            Tok::Word(W::Mid | W::Middle) => Part::Mid,
            Tok::Word(W::Beginning) if self.is(i + 1, W::Of) => Part::Early,
            Tok::Word(W::End) if self.is(i + 1, W::Of) => Part::Late,
            Tok::Word(W::Earlier) => {
                let (interval, precision, end) = self.relative(i + 1)?;
                let first = interval.first.day()?;
                if interval.last.day()? < self.anchor? {
                    return Some((half(interval, precision, Part::Early)?, precision, end));
                }
                let last = DayNumber(self.anchor?.0 - 1).max(first);
                return Some((Interval::new(first, last)?, precision, end));
            }
            Tok::Word(W::Later) => {
                let (interval, precision, end) = self.relative(i + 1)?;
                let last = interval.last.day()?;
                let first = DayNumber(self.anchor?.0 + 1).min(last);
                return Some((Interval::new(first, last)?, precision, end));
            }
            _ => return None,
        };
        let mut j = i + 1;
        if self.is(j, W::Of) || self.tok(j) == Tok::Hyphen || self.is(j, W::In) {
            j += 1;
        }
        let (interval, precision, end) = self.relative(j).or_else(|| {
            let told = self.is(j, W::The) || (self.is(i, W::End) && self.is(i + 1, W::Of));
            if !told {
                return None;
            }
            let (unit, end) = self.unit(j + usize::from(self.is(j, W::The)))?;
            let (interval, precision) = shifted(self.anchor?, unit, 0, self)?;
            Some((interval, precision, end))
        })?;
        let mut atom = Atom::new(Core::Fixed(interval, precision));
        atom.part = Some(part);
        // Of the year, month or week that one stands in, early and late are the halves.
        if let Some(halves) = half(interval, precision, part) {
            return Some((halves, precision, end));
        }
        // A part of a decade or century follows the collection's parts.
        let (a, b) = (
            interval.first.day()?.year().0,
            interval.last.day()?.year().0,
        );
        match (precision, b - a) {
            (Precision::Century, 99) => atom.core = Core::Century { n: a / 100 + 1 },
            (Precision::Decade, 9) => atom.core = Core::Decade { n: a, digits: 4 },
            (Precision::Year, 0) => atom.core = Core::Year { n: a, digits: 4 },
            _ => {}
        }
        let (interval, precision) = atom.ground(self.settings)?;
        Some((interval, precision, end))
    }

    /// "last year", "this spring", "next March", "the previous decade".
    pub(crate) fn relative(&self, i: usize) -> Option<(Interval, Precision, usize)> {
        let anchor = self.anchor?;
        let mut j = i + usize::from(self.is(i, W::The));
        // "the century before last", "the year after next" is read with the spoken dates
        if let Some((unit, end)) = self.unit(j)
            && self.is(end, W::Before)
            && self.is(end + 1, W::Last)
        {
            let (interval, precision) = shifted(anchor, unit, -2, self)?;
            return Some((interval, precision, end + 2));
        }
        let step = match self.tok(j) {
            Tok::Word(W::Last | W::Past | W::Previous) => -1,
            Tok::Word(W::This) => 0,
            Tok::Word(W::Next | W::Coming | W::Following) => 1,
            _ => return None,
        };
        j += 1;
        // "this past spring", "this coming Friday"
        let step = match (step, self.tok(j)) {
            (0, Tok::Word(W::Past | W::Last)) => {
                j += 1;
                if let Tok::Word(W::Weekday(w)) = self.tok(j) {
                    let back = (i64::from(anchor.weekday()) - i64::from(w) + 6).rem_euclid(7) + 1;
                    let day = Interval::day(DayNumber(anchor.0 - back));
                    return Some((day, Precision::Day, j + 1));
                }
                -1
            }
            (0, Tok::Word(W::Coming | W::Next)) => {
                j += 1;
                1
            }
            _ => step,
        };
        // "last 3 months", "the next two weeks", "past few years"
        if let Some((n, k)) = self.quantity(j)
            && let Some((unit, end)) = self.unit(k)
        {
            return match step {
                -1 => Some((self.stretch(unit, n, false)?, grain(unit), end)),
                1 => Some((self.stretch(unit, n, true)?, grain(unit), end)),
                _ => None,
            };
        }
        let (unit, end) = self.unit(j)?;
        let (interval, precision) = shifted(anchor, unit, step, self)?;
        Some((interval, precision, end))
    }

    /// The last or next n units: days to years counted from the anchor, longer ones as a whole.
    pub(crate) fn stretch(&self, unit: Unit, n: i64, forward: bool) -> Option<Interval> {
        let anchor = self.anchor?;
        if !(1..=10_000).contains(&n) {
            return None;
        }
        if matches!(unit, Unit::Decade | Unit::Century | Unit::Quarter) {
            let step = |k: i64| shifted(anchor, unit, k, self);
            let (near, far) = if forward { (1, n) } else { (-1, -n) };
            let (a, _) = step(near.min(far))?;
            let (b, _) = step(near.max(far))?;
            return Some(a.hull(b));
        }
        if forward {
            let last = moved(anchor, unit, n)?;
            return Interval::new(DayNumber(anchor.0 + 1).min(last), last);
        }
        let first = moved(anchor, unit, -n)?;
        Interval::new(first, DayNumber(anchor.0 - 1).max(first))
    }

    /// "three weeks ago", "in two years", "10 days from now", "a month later".
    fn counted(&self, i: usize) -> Option<(Interval, Precision, usize)> {
        let anchor = self.anchor?;
        let (ahead, start) = match self.tok(i) {
            Tok::Word(W::In | W::Within) => (true, i + 1),
            _ => (false, i),
        };
        let (n, j) = self.quantity(start)?;
        let (unit, mut j) = self.unit(j)?;
        if matches!(unit, Unit::MonthOf(_) | Unit::Weekday(_) | Unit::Season(_)) {
            return None;
        }
        let mut day = moved(anchor, unit, if ahead { n } else { -n })?;
        let mut unit = unit;
        let mut forward_day = moved(anchor, unit, n)?;
        // "2 weeks and 2 days ago"
        if self.is(j, W::And)
            && let Some((n2, k)) = self.quantity(j + 1)
            && let Some((unit2, k)) = self.unit(k)
            && (self.is(k, W::Ago) || ahead)
        {
            day = moved(day, unit2, if ahead { n2 } else { -n2 })?;
            forward_day = moved(forward_day, unit2, n2)?;
            unit = unit2;
            j = k;
        }
        let (day, end) = if self.is(j, W::Ago) {
            (day, j + 1)
        } else if self.is(j, W::Before) && self.is(j + 1, W::Now) {
            (day, j + 2)
        } else if self.is(j, W::From) && matches!(self.tok(j + 1), Tok::Word(W::Now | W::Today)) {
            (forward_day, j + 2)
        } else if self.is(j, W::Before) && self.is(j + 1, W::Yesterday) {
            (DayNumber(day.0 - 1), j + 2)
        } else if self.is(j, W::Ahead) {
            (forward_day, j + 1)
        } else if ahead && !self.is(j, W::Of) && matches!(self.tok(i), Tok::Word(W::In)) {
            (day, j)
        } else if ahead && matches!(self.tok(i), Tok::Word(W::Within)) {
            return Some((
                Interval::new(DayNumber(anchor.0 + 1).min(day), day)?,
                grain(unit),
                j,
            ));
        } else {
            return None;
        };
        Some((around(day, unit, n)?, grain(unit), end))
    }

    /// A count of units: "three", "3", "a", "a couple of", "few", "half a".
    pub(crate) fn quantity(&self, i: usize) -> Option<(i64, usize)> {
        match self.tok(i) {
            Tok::Num(n, 1..=4) => Some((i64::try_from(n).ok()?, i + 1)),
            Tok::Word(W::Cardinal(tens @ (20..=90))) => {
                let k = i + 1 + usize::from(self.tok(i + 1) == Tok::Hyphen);
                match self.tok(k) {
                    Tok::Word(W::Cardinal(unit @ 1..=9)) => Some((i64::from(tens + unit), k + 1)),
                    _ => Some((i64::from(tens), i + 1)),
                }
            }
            Tok::Word(W::Cardinal(n)) if n < 1000 => match self.tok(i + 1) {
                Tok::Word(W::Hundred) => Some((i64::from(n) * 100, i + 2)),
                Tok::Word(W::Thousand) => Some((i64::from(n) * 1000, i + 2)),
                _ => Some((i64::from(n), i + 1)),
            },
            Tok::Word(W::A) if self.is(i + 1, W::Couple) => {
                Some((2, i + 2 + usize::from(self.is(i + 2, W::Of))))
            }
            Tok::Word(W::Couple) => Some((2, i + 1 + usize::from(self.is(i + 1, W::Of)))),
            Tok::Word(W::A) if self.is(i + 1, W::Few) => Some((3, i + 2)),
            Tok::Word(W::Few) => Some((3, i + 1)),
            Tok::Word(W::A | W::An) => match self.tok(i + 1) {
                Tok::Word(W::Hundred) => Some((100, i + 2)),
                Tok::Word(W::Thousand) => Some((1_000, i + 2)),
                _ => Some((1, i + 1)),
            },
            _ => None,
        }
    }

    pub(crate) fn unit(&self, i: usize) -> Option<(Unit, usize)> {
        let business = self.str(i).eq_ignore_ascii_case("business");
        if business && self.is(i + 1, W::DayUnit) {
            return Some((Unit::BusinessDay, i + 2));
        }
        let unit = match self.tok(i) {
            Tok::Word(W::DayUnit) => Unit::Day,
            Tok::Word(W::WeekUnit) => Unit::Week,
            Tok::Word(W::Weekend) => Unit::Weekend,
            Tok::Word(W::Fortnight) => Unit::Fortnight,
            Tok::Word(W::MonthUnit) => Unit::Month,
            Tok::Word(W::Quarter) => Unit::Quarter,
            Tok::Word(W::Year) => Unit::Year,
            Tok::Word(W::Decade) => Unit::Decade,
            Tok::Word(W::Century) => Unit::Century,
            Tok::Word(W::Millennium) => Unit::Millennium,
            Tok::Word(W::Season(s)) => Unit::Season(s),
            Tok::Word(W::Month(m)) => {
                // "last May 5" is a day.
                if matches!(self.tok(i + 1), Tok::Num(..)) {
                    return None;
                }
                Unit::MonthOf(m)
            }
            Tok::Word(W::Weekday(d)) => Unit::Weekday(d),
            _ => return None,
        };
        Some((unit, i + 1))
    }
}

pub(crate) fn grain(unit: Unit) -> Precision {
    match unit {
        Unit::Day | Unit::Weekday(_) | Unit::BusinessDay => Precision::Day,
        Unit::Week | Unit::Fortnight | Unit::Weekend => Precision::Week,
        Unit::Month | Unit::MonthOf(_) => Precision::Month,
        Unit::Quarter | Unit::Season(_) => Precision::Season,
        Unit::Year => Precision::Year,
        Unit::Decade => Precision::Decade,
        Unit::Century => Precision::Century,
        Unit::Millennium => Precision::Millennium,
    }
}

/// The half of a year, month or week; a week's second half begins on Thursday.
pub(crate) fn half(interval: Interval, precision: Precision, part: Part) -> Option<Interval> {
    let (first, last) = (interval.first.day()?, interval.last.day()?);
    let middle = match precision {
        Precision::Year => first.plus_months(6),
        Precision::Month => DayNumber(first.0 + 15),
        Precision::Week if interval.days() == Some(7) => {
            if part == Part::Mid {
                return Interval::new(DayNumber(first.0 + 1), DayNumber(first.0 + 4));
            }
            DayNumber(first.0 + 3)
        }
        _ => return None,
    };
    match part {
        Part::Early => Interval::new(first, DayNumber(middle.0 - 1)),
        Part::Late => Interval::new(middle, last),
        _ => None,
    }
}

/// A day some units before or after another.
pub(crate) fn moved(day: DayNumber, unit: Unit, n: i64) -> Option<DayNumber> {
    if n.abs() > 100_000 {
        return None;
    }
    Some(match unit {
        Unit::BusinessDay => {
            let mut left = n.abs().min(10_000);
            let mut at = day;
            while left > 0 {
                at = DayNumber(at.0 + n.signum());
                if at.weekday() < 5 {
                    left -= 1;
                }
            }
            at
        }
        Unit::Day => DayNumber(day.0 + n),
        Unit::Week | Unit::Weekend => DayNumber(day.0 + 7 * n),
        Unit::Fortnight => DayNumber(day.0 + 14 * n),
        Unit::Month => day.plus_months(n),
        Unit::Quarter => day.plus_months(3 * n),
        Unit::Year | Unit::Season(_) | Unit::MonthOf(_) => day.plus_months(12 * n),
        Unit::Decade => day.plus_months(120 * n),
        Unit::Century => day.plus_months(1_200 * n),
        Unit::Millennium => day.plus_months(12_000 * n),
        Unit::Weekday(_) => DayNumber(day.0 + 7 * n),
    })
}

/// What "n units ago" covers: the day for days, weeks and months; the year for years; longer units
/// whole.
fn around(day: DayNumber, unit: Unit, n: i64) -> Option<Interval> {
    let year = day.year();
    match unit {
        Unit::Year if n >= 10 => Interval::years(year, year),
        Unit::Decade => {
            let first = year.0 - year.0.rem_euclid(10);
            Interval::years(Year(first), Year(first + 9))
        }
        Unit::Century => {
            let first = year.0 - year.0.rem_euclid(100);
            Interval::years(Year(first), Year(first + 99))
        }
        Unit::Millennium => {
            let first = year.0 - year.0.rem_euclid(1000);
            Interval::years(Year(first), Year(first + 999))
        }
        _ => Some(Interval::day(day)),
    }
}

/// The unit that holds the anchor, or the one before (-1) or after (1) it.
pub(crate) fn shifted(
    anchor: DayNumber,
    unit: Unit,
    step: i64,
    reader: &Reader<'_>,
) -> Option<(Interval, Precision)> {
    let (year, month, _) = anchor.to_gregorian();
    let monday = anchor.0 - i64::from(anchor.weekday());
    let blocks = |size: i64| {
        let first = year.0 - year.0.rem_euclid(size) + step * size;
        Interval::years(Year(first), Year(first + size - 1))
    };
    let months = |index: i64, count: i64| {
        let (y, m) = (index.div_euclid(12), index.rem_euclid(12) as u8 + 1);
        let end = index + count - 1;
        let (y2, m2) = (end.div_euclid(12), end.rem_euclid(12) as u8 + 1);
        Interval::new(
            DayNumber::civil(y, m, 1),
            DayNumber::civil(y2, m2, month_length(y2, m2)),
        )
    };
    let index = year.0 * 12 + i64::from(month) - 1;
    let interval = match unit {
        Unit::Day | Unit::BusinessDay => Interval::day(DayNumber(anchor.0 + step)),
        Unit::Week => {
            let first = monday + 7 * step;
            Interval::new(DayNumber(first), DayNumber(first + 6))?
        }
        Unit::Fortnight => {
            let first = monday + 14 * step;
            Interval::new(DayNumber(first), DayNumber(first + 13))?
        }
        Unit::Weekend => {
            let first = monday + 7 * step + 5;
            Interval::new(DayNumber(first), DayNumber(first + 1))?
        }
        Unit::Month => months(index + step, 1)?,
        Unit::Quarter => months(index - index.rem_euclid(3) + 3 * step, 3)?,
        Unit::Year => Interval::years(Year(year.0 + step), Year(year.0 + step))?,
        Unit::Decade => blocks(10)?,
        Unit::Century => blocks(100)?,
        Unit::Millennium => blocks(1000)?,
        Unit::Weekday(w) => {
            let day = DayNumber(monday + i64::from(w) + 7 * step);
            Interval::day(day)
        }
        Unit::MonthOf(m) => {
            // "last March" is the last one that is over; "next March" the next to begin.
            let this = year.0 * 12 + i64::from(m) - 1;
            let target = match step {
                -1 if this < index => this,
                -1 => this - 12,
                1 if this > index => this,
                1 => this + 12,
                _ => this,
            };
            months(target, 1)?
        }
        Unit::Season(s) => {
            let (m1, _, _) = season_months(s, reader.settings.hemisphere);
            let at = |y: i64| months(y * 12 + i64::from(m1) - 1, 3);
            match step {
                0 => at(year.0)?,
                -1 => (0..=2)
                    .filter_map(|back| at(year.0 - back))
                    .find(|season| season.last.day().is_some_and(|d| d < anchor))?,
                _ => (0..=2)
                    .filter_map(|on| at(year.0 + on))
                    .find(|season| season.first.day().is_some_and(|d| d > anchor))?,
            }
        }
    };
    Some((interval, grain(unit)))
}
