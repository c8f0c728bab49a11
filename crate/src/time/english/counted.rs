//! Times counted from a written date: "7 years and 11 months before Sep, 1104", "ten years before
//! the 1850s", "the two years before 1914".

use super::super::calendar::{DayNumber, Year, month_length};
use super::super::edtf::circa_width;
use super::super::expression::{Candidate, Expression, Precision};
use super::super::interval::{Bound, Interval};
use super::atom::{Atom, Core};
use super::deictic::{Unit, moved};
use super::lexer::{Tok, W};
use super::parse::Reader;
use super::phrase::{Phrase, Span};

/// A length of time, with the days and months it is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Length {
    months: i64,
    days: i64,
    business_days: i64,
}

impl Length {
    fn add(&mut self, n: i64, unit: Unit) -> Option<()> {
        if !(0..=100_000).contains(&n) {
            return None;
        }
        let (months, days, business_days) = match unit {
            Unit::Day => (0, 1, 0),
            Unit::BusinessDay => (0, 0, 1),
            Unit::Week => (0, 7, 0),
            Unit::Fortnight => (0, 14, 0),
            Unit::Month => (1, 0, 0),
            Unit::Quarter => (3, 0, 0),
            Unit::Year => (12, 0, 0),
            Unit::Decade => (120, 0, 0),
            Unit::Century => (1_200, 0, 0),
            Unit::Millennium => (12_000, 0, 0),
            Unit::Weekend | Unit::Season(_) | Unit::MonthOf(_) | Unit::Weekday(_) => return None,
        };
        self.months += n * months;
        self.days += n * days;
        self.business_days += n * business_days;
        Some(())
    }

    /// A day this length after (`sign` 1) or before (-1) another; a day that the month does not
    /// have is its last.
    fn from(self, day: DayNumber, julian: bool, sign: i64) -> Option<DayNumber> {
        let months = sign * self.months;
        let there = if julian && months != 0 {
            let (year, month, date) = day.to_julian();
            let index = year.0 * 12 + i64::from(month) - 1 + months;
            let (y, m) = (index.div_euclid(12), index.rem_euclid(12) as u8 + 1);
            // A Julian February has 29 days in every fourth year.
            let length = if m == 2 && y.rem_euclid(4) == 0 {
                29
            } else {
                month_length(2001, m)
            };
            DayNumber::from_julian(Year(y), m, date.min(length))?
        } else {
            day.plus_months(months)
        };
        let there = DayNumber(there.0 + sign * self.days);
        moved(there, Unit::BusinessDay, sign * self.business_days)
    }
}

/// How the distance is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// "ten years before 1850"
    Exactly,
    /// "about ten years before 1850"
    About,
    /// "the ten years before 1850", "for ten years after 1850"
    Throughout,
    /// "more than ten years before 1850"
    More,
    /// "less than ten years before 1850", "within ten years after 1850"
    Less,
}

impl Reader<'_> {
    /// Reads a time at a distance from a date that is written with its year.
    pub(crate) fn counted_from(&self, i: usize) -> Option<Phrase> {
        // Most words begin no length, and are told by a look at two tokens.
        let counts = |k: usize| {
            matches!(
                self.tok(k),
                Tok::Num(..)
                    | Tok::Word(
                        W::Cardinal(_) | W::A | W::An | W::Couple | W::Few | W::Half | W::Than
                    )
            )
        };
        let leads = matches!(
            self.tok(i),
            Tok::Word(W::The | W::Within | W::Approximately | W::Circa | W::Other)
        );
        if !(counts(i) || leads && counts(i + 1)) {
            return None;
        }
        let (told, start) = self.told(i);
        let (length, j) = self.length(start)?;
        let than = self.is(j + 1, W::Than);
        let (sign, mut k) = match self.tok(j) {
            Tok::Word(W::Before) => (-1, j + 1),
            Tok::Word(W::After) => (1, j + 1),
            Tok::Word(W::Earlier) if than => (-1, j + 2),
            Tok::Word(W::Later) if than => (1, j + 2),
            Tok::Word(W::Of) if told == Told::Less => (0, j + 1),
            _ => return None,
        };
        for filler in [W::To, W::The] {
            k += usize::from(self.is(k, filler));
        }
        let (atom, end) = self.atom(k)?;
        if !tells_its_year(&atom) || self.counts_things(end) {
            return None;
        }
        let (anchor, _) = self.candidate(&Span::one(atom))?;
        let (first, last) = (anchor.core.first.day()?, anchor.core.last.day()?);
        // The day after the last one moves with the first, so that whole months stay whole.
        let at = |day: DayNumber| length.from(day, atom.julian, sign);
        let around = |day: DayNumber, sign: i64| length.from(day, atom.julian, sign);
        let (a, b) = if first == last {
            let day = at(first)?;
            (day, day)
        } else {
            (at(first)?, DayNumber(at(DayNumber(last.0 + 1))?.0 - 1))
        };
        let core = match (told, sign) {
            (Told::Exactly | Told::About, _) => Interval::new(a, b)?,
            (Told::Less, 0) => {
                let end = around(DayNumber(last.0 + 1), 1)?;
                Interval::new(around(first, -1)?, DayNumber(end.0 - 1))?
            }
            (Told::Throughout | Told::Less, 1) => Interval::new(DayNumber(last.0 + 1), b)?,
            (Told::Throughout | Told::Less, _) => Interval::new(a, DayNumber(first.0 - 1))?,
            (Told::More, 1) => Interval::since(DayNumber(b.0 + 1)),
            (Told::More, _) => Interval::until(DayNumber(a.0 - 1)),
        };
        let limit = |bound: Bound| bound.day().is_none_or(|d| d.year().0.abs() <= Year::LIMIT);
        if !limit(core.first) || !limit(core.last) {
            return None;
        }
        let mut candidate = Candidate::exact(core, anchor.precision);
        candidate.approximate = anchor.approximate || told == Told::About;
        candidate.uncertain = anchor.uncertain;
        if candidate.approximate {
            let (before, after) = circa_width(core, anchor.precision, self.settings);
            candidate.interval = core.widened(before, after);
        }
        Some(Phrase {
            kind: Expression::kind_of(std::slice::from_ref(&candidate)),
            candidates: vec![candidate],
            arc: None,
            first_token: i,
            end_token: end,
        })
    }

    /// How the distance is told, from the words at a token and before it.
    fn told(&self, i: usize) -> (Told, usize) {
        let than = self.is(i + 1, W::Than);
        let word = self.str(i);
        let is = |w: &str| word.eq_ignore_ascii_case(w);
        match self.tok(i) {
            Tok::Word(W::Approximately | W::Circa) => (Told::About, i + 1),
            Tok::Word(W::The) => (Told::Throughout, i + 1),
            Tok::Word(W::Within) => (Told::Less, i + 1),
            _ if is("some") || is("nearly") || is("almost") => (Told::About, i + 1),
            _ if is("more") && than => (Told::More, i + 2),
            _ if (is("less") || is("fewer")) && than => (Told::Less, i + 2),
            _ if self.is(i.wrapping_sub(1), W::For) || self.is(i.wrapping_sub(1), W::During) => {
                (Told::Throughout, i)
            }
            _ => (Told::Exactly, i),
        }
    }

    /// A length of time: "7 year and 11 month", "two and a half years", "half a century".
    fn length(&self, i: usize) -> Option<(Length, usize)> {
        let mut length = Length::default();
        let mut j = i;
        for parts in 0..4 {
            let k = match self.tok(j) {
                Tok::Word(W::And) if parts > 0 => j + 1,
                Tok::Comma if parts > 0 => j + 1 + usize::from(self.is(j + 1, W::And)),
                _ => j,
            };
            let Some((months, end)) = self.half_of_unit(k) else {
                let Some((n, halves, unit, end)) = self.units(k) else {
                    break;
                };
                length.add(n, unit)?;
                if halves {
                    length.months += half(unit)?;
                }
                j = end;
                continue;
            };
            length.months += months;
            j = end;
        }
        (j > i).then_some((length, j))
    }

    /// "half a century", "a half century" in months.
    fn half_of_unit(&self, i: usize) -> Option<(i64, usize)> {
        let article = |j: usize| matches!(self.tok(j), Tok::Word(W::A | W::An));
        let (half_at, rest) = match (article(i), self.is(i, W::Half)) {
            (true, _) if self.is(i + 1, W::Half) => (i + 1, i + 2),
            (_, true) => (i, i + 1),
            _ => return None,
        };
        let k = rest + usize::from(half_at == i && article(rest));
        let hyphen = usize::from(self.tok(k) == Tok::Hyphen);
        let (unit, end) = self.unit(k + hyphen)?;
        Some((half(unit)?, end))
    }

    /// A count and its unit; whether a half is added, as in "two and a half years".
    fn units(&self, i: usize) -> Option<(i64, bool, Unit, usize)> {
        let (mut n, mut j) = self.quantity(i)?;
        if n >= 100 && n % 100 == 0 && self.is(j, W::And) {
            // "one hundred and fifty years"
            if let Some((rest, k)) = self.quantity(j + 1).filter(|(rest, _)| *rest < 100)
                && !matches!(self.tok(j + 1), Tok::Word(W::A | W::An))
                && self.unit(k).is_some()
            {
                n += rest;
                j = k;
            }
        }
        let halves = self.is(j, W::And)
            && matches!(self.tok(j + 1), Tok::Word(W::A))
            && self.is(j + 2, W::Half);
        if halves {
            j += 3;
        }
        let full = usize::from(self.str(j).eq_ignore_ascii_case("full"));
        let (unit, end) = self.unit(j + full)?;
        // "a year and a half"
        let after = self.is(end, W::And)
            && matches!(self.tok(end + 1), Tok::Word(W::A))
            && self.is(end + 2, W::Half)
            && matches!(
                self.tok(end + 3),
                Tok::Word(W::Before | W::After | W::Earlier | W::Later)
            );
        Some((n, halves || after, unit, if after { end + 3 } else { end }))
    }
}

/// Half of a unit in months.
fn half(unit: Unit) -> Option<i64> {
    Some(match unit {
        Unit::Year => 6,
        Unit::Decade => 60,
        Unit::Century => 600,
        Unit::Millennium => 6_000,
        _ => return None,
    })
}

/// Whether an atom is a date by itself, with its year: not "May 5", "312" or a dynasty.
fn tells_its_year(atom: &Atom) -> bool {
    match atom.core {
        Core::Year { n, digits } => {
            atom.era.is_some() || digits == 4 && (1_000..=2_199).contains(&n)
        }
        Core::Decade { digits, .. } => digits >= 3 || atom.era.is_some(),
        Core::Century { .. } | Core::Millennium { .. } => true,
        Core::Date { y, .. } | Core::Season { y, .. } | Core::YearPart { y, .. } => y.is_some(),
        Core::Fixed(_, precision) => precision <= Precision::Year,
        Core::Nothing | Core::Ordinal { .. } | Core::Period { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::super::super::{Lang, Settings, find, parse_iso_day};

    #[test]
    fn distances_from_a_date_are_counted_in_months_and_keep_its_grain() {
        for (text, edtf) in [
            ("7 years and 11 months before Sep, 1104", "1096-10"),
            ("7 year and 11 month before Sep, 1104", "1096-10"),
            ("2 month after Mar 1604", "1604-05"),
            ("11 year and 1 month before Jun, 1870", "1859-05"),
            ("three weeks after 5 May 1850", "1850-05-26"),
            ("ten years before the 1850s", "184X"),
            ("five years before the 1850s", "1845/1854"),
            ("two centuries before 1850", "1650"),
            ("a hundred years before the 19th century", "17XX"),
            ("half a century after 1850", "1900"),
            ("a century and a half before 1900", "1750"),
            ("two and a half years before June 1850", "1847-12"),
            ("one hundred and fifty years before 1776", "1626"),
            ("20 years after 100 BC", "-0079"),
            ("a month after 31 January 1900", "1900-02-28"),
            ("thirty years after spring 1850", "1880-21"),
            ("ten years earlier than c. 1850", "1840~"),
            ("about ten years before 1850", "1840~"),
            ("the ten years before 1914", "1904/1913"),
            ("within five years of 1850", "1845/1855"),
            ("within five years after 1850", "1851/1855"),
            ("more than ten years before 1850", "../1839"),
        ] {
            for anchor in [None, parse_iso_day("2024-03-15")] {
                let found = find(text, &Settings::default(), Lang::Auto, anchor);
                assert_eq!(found.len(), 1, "{text} {found:?}");
                assert_eq!(found[0].edtf().as_deref(), Some(edtf), "{text}");
                assert_eq!(&text[found[0].range.clone()], text);
            }
        }
    }

    #[test]
    fn julian_days_move_in_their_own_calendar() {
        let day = |text: &str| find(text, &Settings::default(), Lang::Auto, None)[0].hull();
        assert_eq!(
            day("three months after 30 November 1066"),
            day("28 February 1067")
        );
        assert_eq!(
            day("a year before 29 February 1500"),
            day("28 February 1499")
        );
    }

    #[test]
    fn numbers_of_things_are_no_anchor() {
        let text = "5 years after 1,500 men";
        assert!(find(text, &Settings::default(), Lang::Auto, None).is_empty());
    }
}
