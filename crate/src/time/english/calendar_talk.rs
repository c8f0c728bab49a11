//! Dates as people speak of them in letters and queries, against the anchor date: "the 27th",
//! "second Monday of next month", "week 31", "two weeks after Christmas".

use super::super::calendar::{DayNumber, Year, month_length};
use super::super::expression::{Candidate, Kind, Precision};
use super::super::interval::{Bound, Interval};
use super::atom::Core;
use super::deictic::{Unit, grain, moved};
use super::lexer::{Tok, W};
use super::parse::Reader;
use super::phrase::Phrase;

/// The readings of a spoken date, most likely first, and the token after it.
type Spoken = Option<(Vec<Interval>, Precision, usize)>;

fn day(n: DayNumber) -> Interval {
    Interval::day(n)
}

fn month_of(year: i64, month: u8) -> Option<Interval> {
    Interval::new(
        DayNumber::from_gregorian(Year(year), month, 1)?,
        DayNumber::from_gregorian(Year(year), month, month_length(year, month))?,
    )
}

/// The Monday of the week that holds a day.
fn monday(n: DayNumber) -> DayNumber {
    DayNumber(n.0 - i64::from(n.weekday()))
}

fn week(first: DayNumber) -> Interval {
    Interval {
        first: Bound::Day(first),
        last: Bound::Day(DayNumber(first.0 + 6)),
    }
}

/// The Monday of the first ISO week of a year, the one that holds 4 January.
fn first_week(year: i64) -> DayNumber {
    monday(DayNumber::civil(year, 1, 4))
}

/// Easter Sunday of a Gregorian year.
///
/// Source: the ecclesiastical computus with golden number, century corrections and epact (own
/// arrangement of the arithmetic of the reform of 1582).
fn easter(year: i64) -> DayNumber {
    let golden = year.rem_euclid(19);
    let century = year.div_euclid(100);
    let solar =
        (century - century.div_euclid(4) - (8 * century + 13).div_euclid(25) + 19 * golden + 15)
            .rem_euclid(30);
    let moon = if solar == 29 || (solar == 28 && golden > 10) {
        solar - 1
    } else {
        solar
    };
    // The paschal full moon is 21 March and as many days; Easter is the Sunday after it.
    let full = DayNumber(DayNumber::civil(year, 3, 21).0 + moon);
    DayNumber(full.0 + 7 - (i64::from(full.weekday()) + 1).rem_euclid(7))
}

/// The nth weekday of a month, counted from its end when `n` is 0.
fn nth_weekday(year: i64, month: u8, weekday: i64, n: i64) -> Option<DayNumber> {
    let first = DayNumber::from_gregorian(Year(year), month, 1)?;
    if n == 0 {
        let last = DayNumber(first.0 + i64::from(month_length(year, month)) - 1);
        return Some(DayNumber(
            last.0 - (i64::from(last.weekday()) - weekday).rem_euclid(7),
        ));
    }
    let day = first.0 + (weekday - i64::from(first.weekday())).rem_euclid(7) + 7 * (n - 1);
    Some(DayNumber(day))
}

impl Reader<'_> {
    /// Reads a spoken date; only with an anchor.
    pub(crate) fn calendar_talk(&self, i: usize) -> Option<Phrase> {
        self.anchor?;
        let (intervals, precision, end) = self
            .talk_open(i)
            .or_else(|| self.talk_range(i))
            .or_else(|| self.talk_point(i))?;
        let candidates: Vec<Candidate> = intervals
            .into_iter()
            .map(|interval| Candidate::exact(interval, precision))
            .collect();
        let kind = match candidates.as_slice() {
            [] => return None,
            [one] if one.interval.is_open() => Kind::Open,
            [_] => Kind::Interval,
            _ => Kind::OneOf,
        };
        Some(Phrase {
            candidates,
            kind,
            arc: None,
            first_token: i,
            end_token: end,
        })
    }

    fn talk_point(&self, i: usize) -> Spoken {
        self.compared(i)
            .or_else(|| self.weekdays_on(i))
            .or_else(|| self.framed_day(i))
            .or_else(|| self.shifted_day(i))
            .or_else(|| self.weekday_of_week(i))
            .or_else(|| self.counted_part(i))
            .or_else(|| self.numbered_week(i))
            .or_else(|| self.after_next(i))
            .or_else(|| self.day_range(i))
            .or_else(|| self.yearless_numeric(i))
            .or_else(|| self.day_of_month(i))
            .or_else(|| self.holiday(i))
            .or_else(|| self.quarter_of_year(i))
            .or_else(|| self.present_unit(i))
    }

    fn words(&self, i: usize, words: &[&str]) -> Option<usize> {
        words
            .iter()
            .enumerate()
            .all(|(k, w)| self.str(i + k).eq_ignore_ascii_case(w))
            .then_some(i + words.len())
    }

    fn skip(&self, i: usize, word: W) -> usize {
        i + usize::from(self.is(i, word))
    }

    /// "more than 2 weeks after today", "less than 3 days after tomorrow".
    fn compared(&self, i: usize) -> Spoken {
        let more = self.str(i).eq_ignore_ascii_case("more");
        let less = self.str(i).eq_ignore_ascii_case("less");
        if !(more || less) || !self.is(i + 1, W::Than) {
            return None;
        }
        let (list, j) = self.durations(i + 2)?;
        let sign = match self.tok(j) {
            Tok::Word(W::From | W::After) => 1,
            Tok::Word(W::Before) => -1,
            _ => return None,
        };
        let (days, end) = self.days_named(self.skip(j + 1, W::The))?;
        let found: Vec<Interval> = days
            .iter()
            .filter_map(|from| {
                let to = self.moved_by(*from, &list, sign)?;
                match (more, sign) {
                    (true, 1) => Some(Interval::since(to)),
                    (true, _) => Some(Interval::until(to)),
                    (false, _) => Interval::new((*from).min(to), (*from).max(to)),
                }
            })
            .collect();
        (!found.is_empty()).then_some((found, Precision::Day, end))
    }

    /// A day of the month: 27, 27th, the twenty second, and whether it is an ordinal.
    fn day_number(&self, i: usize) -> Option<(u8, usize, bool)> {
        match self.tok(i) {
            Tok::Num(..) => self.numeral_day(i).map(|(n, j)| (n, j, j > i + 1)),
            Tok::Word(W::Ordinal(n @ 1..=31)) => Some((n as u8, i + 1, true)),
            Tok::Word(W::Cardinal(tens @ (20 | 30))) => {
                let k = i + 1 + usize::from(self.tok(i + 1) == Tok::Hyphen);
                match self.tok(k) {
                    Tok::Word(W::Ordinal(unit @ 1..=9)) if tens + unit <= 31 => {
                        Some(((tens + unit) as u8, k + 1, true))
                    }
                    Tok::Word(W::Cardinal(unit @ 1..=9)) if tens + unit <= 31 => {
                        Some(((tens + unit) as u8, k + 1, false))
                    }
                    _ => Some((tens as u8, i + 1, false)),
                }
            }
            Tok::Word(W::Cardinal(n @ 1..=19)) => Some((n as u8, i + 1, false)),
            _ => None,
        }
    }

    /// A span of months or a year that a phrase names: its first month as year·12 + month − 1, its
    /// count of months, and the token after it.
    fn months_named(&self, i: usize) -> Option<(Vec<i64>, i64, usize)> {
        let anchor = self.anchor?;
        let (year, month, _) = anchor.to_gregorian();
        let now = year.0 * 12 + i64::from(month) - 1;
        let i = self.skip(i, W::The);
        if let Tok::Num(n, 4) = self.tok(i)
            && (1000..=2999).contains(&n)
        {
            return Some((vec![i64::try_from(n).ok()? * 12], 12, i + 1));
        }
        if let Tok::Word(W::Month(_)) = self.tok(i)
            && let Some((atom, end)) = self.atom(i)
            && let Core::Date { y, m, d: None } = atom.core
        {
            let m = i64::from(m) - 1;
            return Some(match y {
                Some(y) => (vec![y * 12 + m], 1, end),
                None => {
                    let this = year.0 * 12 + m;
                    let other = if this > now { this - 12 } else { this + 12 };
                    (vec![this, other], 1, end)
                }
            });
        }
        let (step, j) = match self.tok(i) {
            Tok::Word(W::Next | W::Following | W::Coming) => (1, i + 1),
            Tok::Word(W::Last | W::Previous | W::Past) => (-1, i + 1),
            Tok::Word(W::This) => (0, i + 1),
            _ => (0, i),
        };
        match self.tok(j) {
            Tok::Word(W::Year) => Some((vec![(year.0 + step) * 12], 12, j + 1)),
            Tok::Word(W::MonthUnit) => Some((vec![now + step], 1, j + 1)),
            Tok::Word(W::Cardinal(_)) => {
                let (y, end) = self.spoken_year(j)?;
                Some((vec![y * 12], 12, end))
            }
            _ => None,
        }
    }

    /// "third week of 2027", "second Monday of next month", "last four months of 2021", "9th month
    /// of next year", "first Sunday".
    fn counted_part(&self, i: usize) -> Spoken {
        let start = self.skip(i, W::The);
        let (n, mut j, last) = if self.is(start, W::Last) {
            (1, start + 1, true)
        } else {
            let (n, j, ordinal) = self.day_number(start)?;
            if !ordinal {
                return None;
            }
            (i64::from(n), j, false)
        };
        let (count, k) = match self.quantity(j) {
            Some((count, k)) if !matches!(self.tok(j), Tok::Word(W::A | W::An)) => (count, k),
            _ => (1, j),
        };
        let (unit, end) = self.unit(k)?;
        j = end;
        j = self.skip(j, W::Of);
        j = self.skip(j, W::In);
        let frame = self.months_named(j);
        let relative_end = |list: &Option<(Vec<i64>, i64, usize)>| list.as_ref().map(|f| f.2);
        if let Unit::Weekday(w) = unit {
            let (starts, months, end) = match frame {
                Some(frame) => frame,
                None if !last && j == end => {
                    let (year, month, _) = self.anchor?.to_gregorian();
                    (vec![year.0 * 12 + i64::from(month) - 1], 1, end)
                }
                None => return None,
            };
            if months != 1 {
                return None;
            }
            let days = starts
                .iter()
                .filter_map(|m| {
                    let (y, month) = (m.div_euclid(12), m.rem_euclid(12) as u8 + 1);
                    nth_weekday(y, month, i64::from(w), if last { 0 } else { n })
                })
                .map(day)
                .collect();
            return Some((days, Precision::Day, end));
        }
        let end = relative_end(&frame)?;
        let (starts, months, _) = frame?;
        if last && matches!(self.tok(j), Tok::Word(W::Next | W::Last | W::This)) && months == 1 {
            return None;
        }
        let bounds = |m: i64| -> Option<(DayNumber, DayNumber)> {
            let first = month_of(m.div_euclid(12), m.rem_euclid(12) as u8 + 1)?;
            let e = m + months - 1;
            let final_month = month_of(e.div_euclid(12), e.rem_euclid(12) as u8 + 1)?;
            Some((first.first.day()?, final_month.last.day()?))
        };
        let one = |m: i64| -> Option<Interval> {
            let (a, b) = bounds(m)?;
            match unit {
                Unit::Day if last => Interval::new(DayNumber(b.0 - count + 1), b),
                Unit::Day if count > 1 => Interval::new(a, DayNumber(a.0 + count - 1)),
                Unit::Day => Some(day(DayNumber(a.0 + n - 1))),
                Unit::Week => {
                    // ISO weeks of a year, or the weeks with their Thursday in a month.
                    let first = if months == 12 {
                        first_week(m.div_euclid(12))
                    } else {
                        monday(DayNumber(a.0 + 3))
                    };
                    let final_week = if months == 12 {
                        DayNumber(first_week(m.div_euclid(12) + 1).0 - 7)
                    } else {
                        monday(DayNumber(b.0 - 3))
                    };
                    if last {
                        let start = DayNumber(final_week.0 - 7 * (count - 1));
                        return Interval::new(start, DayNumber(final_week.0 + 6));
                    }
                    let start = DayNumber(first.0 + 7 * (n - 1));
                    Interval::new(start, DayNumber(start.0 + 7 * count - 1))
                }
                Unit::Month if months == 12 => {
                    let from = if last { m + 12 - count } else { m + n - 1 };
                    let to = from + count - 1;
                    let a = month_of(from.div_euclid(12), from.rem_euclid(12) as u8 + 1)?;
                    let b = month_of(to.div_euclid(12), to.rem_euclid(12) as u8 + 1)?;
                    Interval::new(a.first.day()?, b.last.day()?)
                }
                Unit::Quarter if months == 12 => {
                    let from = if last { m + 9 } else { m + 3 * (n - 1) };
                    let a = month_of(from.div_euclid(12), from.rem_euclid(12) as u8 + 1)?;
                    let to = from + 2;
                    let b = month_of(to.div_euclid(12), to.rem_euclid(12) as u8 + 1)?;
                    Interval::new(a.first.day()?, b.last.day()?)
                }
                _ => None,
            }
        };
        let found: Vec<Interval> = starts.iter().filter_map(|m| one(*m)).collect();
        if found.is_empty() {
            return None;
        }
        // "1st week of Oct. on Friday"
        let mut end = end;
        if unit == Unit::Week {
            let after = end + usize::from(self.tok(end) == Tok::Dot);
            if self.is(after, W::On)
                && let Tok::Word(W::Weekday(w)) = self.tok(after + 1)
            {
                end = after + 2;
                let days = found
                    .iter()
                    .filter_map(|f| f.first.day())
                    .map(|d| day(DayNumber(d.0 + i64::from(w))))
                    .collect();
                return Some((days, Precision::Day, end));
            }
        }
        Some((found, grain(unit), end))
    }

    /// "week 31", "week 3 of 2027", "week of April 10", "week commencing February 4".
    fn numbered_week(&self, i: usize) -> Spoken {
        let anchor = self.anchor?;
        let start = self.skip(i, W::The);
        if let Some(j) = self.words(start, &["w", "/", "c"]) {
            return self.week_holding(j);
        }
        if !self.is(start, W::WeekUnit) {
            return None;
        }
        if let Tok::Num(n, 1..=2) = self.tok(start + 1)
            && (1..=53).contains(&n)
        {
            let n = i64::try_from(n).ok()?;
            let mut end = start + 2;
            let mut year = anchor.year().0;
            let j = self.skip(end, W::Of);
            if j > end || matches!(self.tok(end), Tok::Num(_, 4)) {
                let (starts, months, after) = self.months_named(j)?;
                if months != 12 {
                    return None;
                }
                year = starts.first()?.div_euclid(12);
                end = after;
            }
            let first = DayNumber(first_week(year).0 + 7 * (n - 1));
            return Some((vec![week(first)], Precision::Week, end));
        }
        let j = match self.str(start + 1).to_ascii_lowercase().as_str() {
            "of" => start + 2,
            "commencing" | "starting" | "beginning" => start + 2,
            _ => return None,
        };
        self.week_holding(self.skip(j, W::On))
    }

    fn week_holding(&self, i: usize) -> Spoken {
        let (days, end) = self
            .days_named(i)
            .or_else(|| self.days_named(self.skip(i, W::The)))?;
        let weeks = days.into_iter().map(|d| week(monday(d))).collect();
        Some((weeks, Precision::Week, end))
    }

    /// "next week on Friday", "Sunday of next week", "previous week – Monday", "next week between
    /// Wednesday and Friday".
    fn weekday_of_week(&self, i: usize) -> Spoken {
        let (interval, precision, end) = self.relative(i)?;
        if precision != Precision::Week || interval.days() != Some(7) {
            return None;
        }
        let first = interval.first.day()?;
        let mut j = end;
        if self.is(j, W::Between)
            && let (Tok::Word(W::Weekday(a)), Tok::Word(W::Weekday(b))) =
                (self.tok(j + 1), self.tok(j + 3))
        {
            let range = Interval::new(
                DayNumber(first.0 + i64::from(a)),
                DayNumber(first.0 + i64::from(b)),
            )?;
            return Some((vec![range], Precision::Day, j + 4));
        }
        if matches!(
            self.tok(j),
            Tok::Word(W::On) | Tok::Hyphen | Tok::Dash | Tok::Comma
        ) {
            j += 1;
        }
        let Tok::Word(W::Weekday(w)) = self.tok(j) else {
            return None;
        };
        Some((
            vec![day(DayNumber(first.0 + i64::from(w)))],
            Precision::Day,
            j + 1,
        ))
    }

    /// "the month after next", "the week after the next".
    fn after_next(&self, i: usize) -> Spoken {
        let start = self.skip(i, W::The);
        let (unit, j) = self.unit(start)?;
        if !self.is(j, W::After) {
            return None;
        }
        let k = self.skip(j + 1, W::The);
        if !self.is(k, W::Next) || self.unit(k + 1).is_some() {
            return None;
        }
        let (interval, precision) = super::deictic::shifted(self.anchor?, unit, 2, self)?;
        Some((vec![interval], precision, k + 1))
    }

    /// Durations one after another: "2 years 1 month and 21 days".
    fn durations(&self, i: usize) -> Option<(Vec<(i64, Unit)>, usize)> {
        let mut list = Vec::new();
        let mut j = i;
        while list.len() < 4 {
            let k = self.skip(j, W::And);
            let Some((n, after)) = self.quantity(k) else {
                break;
            };
            // "2 upcoming months", "four business days"
            let mut u = after;
            let business = self.str(u).eq_ignore_ascii_case("business")
                || self.str(u).eq_ignore_ascii_case("working");
            if business {
                u += 1;
            }
            let Some((unit, end)) = self.unit(u) else {
                break;
            };
            if matches!(unit, Unit::MonthOf(_) | Unit::Season(_)) {
                break;
            }
            let unit = if business && unit == Unit::Day {
                Unit::BusinessDay
            } else {
                unit
            };
            list.push((n, unit));
            j = end;
        }
        (!list.is_empty()).then_some((list, j))
    }

    /// "two Sundays from now": the second Sunday after the anchor.
    fn weekdays_on(&self, i: usize) -> Spoken {
        let (n, k) = self.quantity(i)?;
        let Tok::Word(W::Weekday(w)) = self.tok(k) else {
            return None;
        };
        let end = if self.is(k + 1, W::From) && self.is(k + 2, W::Now) {
            k + 3
        } else if self.is(k + 1, W::Later) {
            k + 2
        } else {
            return None;
        };
        let anchor = self.anchor?;
        let ahead = (i64::from(w) - i64::from(anchor.weekday()) - 1).rem_euclid(7) + 1;
        if !(1..=500).contains(&n) {
            return None;
        }
        let found = day(DayNumber(anchor.0 + ahead + 7 * (n - 1)));
        Some((vec![found], Precision::Day, end))
    }

    /// "Monday two weeks from now", "the weekend of Halloween", "rest of my week".
    fn framed_day(&self, i: usize) -> Spoken {
        let anchor = self.anchor?;
        if let Tok::Word(W::Weekday(w)) = self.tok(i) {
            let (list, _, end) = self.shifted_day(i + 1)?;
            let days = list
                .iter()
                .filter_map(|x| x.first.day())
                .map(|d| day(DayNumber(monday(d).0 + i64::from(w))))
                .collect();
            return Some((days, Precision::Day, end));
        }
        if self.is(i, W::Rest) && self.is(i + 1, W::Of) {
            let mine = self.str(i + 2).eq_ignore_ascii_case("my");
            let (unit, end) = self.unit(i + 2 + usize::from(mine)).filter(|_| mine)?;
            let (current, precision) = super::deictic::shifted(anchor, unit, 0, self)?;
            return Some((
                vec![Interval::new(anchor, current.last.day()?)?],
                precision,
                end,
            ));
        }
        let start = self.skip(i, W::The);
        if self.is(start, W::Weekend) && self.is(start + 1, W::Of) {
            let (list, _, end) = self.holiday(start + 2)?;
            let weekends = list
                .iter()
                .filter_map(|x| x.first.day())
                .filter_map(|d| {
                    // The Saturday and Sunday next to the day.
                    let w = i64::from(d.weekday());
                    let saturday = if w < 3 { d.0 - w - 2 } else { d.0 - w + 5 };
                    let first = saturday.min(if w == 3 { d.0 } else { saturday });
                    Interval::new(DayNumber(first), DayNumber(saturday + 1))
                })
                .collect();
            return Some((weekends, Precision::Week, end));
        }
        None
    }

    fn moved_by(&self, from: DayNumber, list: &[(i64, Unit)], sign: i64) -> Option<DayNumber> {
        list.iter()
            .try_fold(from, |day, (n, unit)| moved(day, *unit, sign * n))
    }

    /// "two weeks from January 15", "3 days after tomorrow", "2 weeks before Christmas", "1 month
    /// 21 days ago", "3 days starting from next Monday", "5 past years".
    fn shifted_day(&self, i: usize) -> Spoken {
        let anchor = self.anchor?;
        let within = self.is(i, W::Within);
        let inside = self.is(i, W::In);
        let start = i + usize::from(within || inside);
        if within {
            // "within the next 3 years"
            let k = self.skip(start, W::The);
            let k = k + usize::from(matches!(self.tok(k), Tok::Word(W::Next | W::Coming)));
            let (list, end) = self.durations(k)?;
            let last = self.moved_by(anchor, &list, 1)?;
            return Some((vec![Interval::new(anchor, last)?], Precision::Day, end));
        }
        // "2 next days", "5 past years"
        if let Some((n, k)) = self.quantity(start)
            && let Tok::Word(step @ (W::Next | W::Coming | W::Past | W::Last | W::Previous)) =
                self.tok(k)
            && let Some((unit, end)) = self.unit(k + 1)
        {
            let forward = matches!(step, W::Next | W::Coming);
            return Some((vec![self.stretch(unit, n, forward)?], grain(unit), end));
        }
        let (list, j) = self.durations(start)?;
        let one = |d: DayNumber| (vec![day(d)], Precision::Day);
        let done = |(a, b): (Vec<Interval>, Precision), end: usize| Some((a, b, end));
        if self.is(j, W::Ago) {
            return (list.len() > 1)
                .then(|| self.moved_by(anchor, &list, -1))
                .flatten()
                .and_then(|d| done(one(d), j + 1));
        }
        if self.is(j, W::Later) {
            return done(one(self.moved_by(anchor, &list, 1)?), j + 1);
        }
        if let Some(end) = self.words(j, &["in", "the", "future"]) {
            let last = self.moved_by(anchor, &list, 1)?;
            return Some((
                vec![Interval::new(DayNumber(anchor.0 + 1), last)?],
                grain(list.first()?.1),
                end,
            ));
        }
        let starting = matches!(
            self.str(j).to_ascii_lowercase().as_str(),
            "starting" | "beginning" | "commencing"
        );
        if starting {
            let mut k = j + 1;
            if matches!(self.tok(k), Tok::Word(W::From | W::On)) {
                k += 1;
            }
            let (days, end) = self.days_named(self.skip(k, W::The))?;
            let found = days
                .iter()
                .filter_map(|d| {
                    let last = DayNumber(self.moved_by(*d, &list, 1)?.0 - 1);
                    Interval::new(*d, last)
                })
                .collect();
            return Some((found, Precision::Day, end));
        }
        let sign = match self.tok(j) {
            Tok::Word(W::From | W::After) => 1,
            Tok::Word(W::Before) => -1,
            _ => {
                return (inside && (list.len() > 1 || list.first()?.1 == Unit::BusinessDay))
                    .then(|| self.moved_by(anchor, &list, 1))
                    .flatten()
                    .and_then(|d| done(one(d), j));
            }
        };
        let (days, mut end) = self.days_named(self.skip(j + 1, W::The))?;
        // "two months from today on Tuesday": the Tuesday that follows.
        let weekday = match self.tok(end + 1) {
            Tok::Word(W::Weekday(w)) if self.is(end, W::On) => Some(i64::from(w)),
            _ => None,
        };
        if weekday.is_some() {
            end += 2;
        }
        let onward = |d: DayNumber| match weekday {
            Some(w) => DayNumber(d.0 + (w - i64::from(d.weekday())).rem_euclid(7)),
            None => d,
        };
        let found: Vec<Interval> = days
            .iter()
            .filter_map(|d| self.moved_by(*d, &list, sign))
            .map(onward)
            .map(day)
            .collect();
        (!found.is_empty()).then_some((found, Precision::Day, end))
    }

    /// The days that a spoken date may be, the likeliest first.
    fn days_named(&self, i: usize) -> Option<(Vec<DayNumber>, usize)> {
        let anchor = self.anchor?;
        let single = |interval: Interval| -> Option<DayNumber> {
            (interval.days() == Some(1))
                .then(|| interval.first.day())
                .flatten()
        };
        if self.is(i, W::Now) || self.is(i, W::Today) {
            return Some((vec![anchor], i + 1));
        }
        if let Some(end) = self
            .words(i, &["current", "date"])
            .or_else(|| self.words(i, &["date"]))
        {
            return Some((vec![anchor], end));
        }
        if let Some((interval, Precision::Day, end)) = self.deictic_interval(i)
            && let Some(d) = single(interval)
        {
            return Some((vec![d], end));
        }
        if let Some((atom, end)) = self.atom(i) {
            if let Some((interval, Precision::Day)) = atom.ground(self.settings) {
                return Some((vec![single(interval)?], end));
            }
            if let Core::Date {
                y: None,
                m,
                d: Some(d),
            } = atom.core
            {
                return Some((self.yearless(m, d)?, end));
            }
        }
        let from = |spoken: Spoken| {
            let (intervals, precision, end) = spoken?;
            if precision != Precision::Day {
                return None;
            }
            let days: Vec<DayNumber> = intervals.into_iter().filter_map(single).collect();
            (!days.is_empty()).then_some((days, end))
        };
        from(self.weekday_of_week(i))
            .or_else(|| from(self.holiday(i)))
            .or_else(|| from(self.yearless_numeric(i)))
            .or_else(|| from(self.day_of_month(i)))
            .or_else(|| {
                let Tok::Word(W::Weekday(w)) = self.tok(i) else {
                    return None;
                };
                let ahead = (i64::from(w) - i64::from(anchor.weekday())).rem_euclid(7);
                let next = anchor.0 + if ahead == 0 { 7 } else { ahead };
                Some((vec![DayNumber(next), DayNumber(next - 7)], i + 1))
            })
    }

    /// The next and the last occurrence of a month and day.
    fn yearless(&self, m: u8, d: u8) -> Option<Vec<DayNumber>> {
        let anchor = self.anchor?;
        let year = anchor.year().0;
        let all: Vec<DayNumber> = (year - 8..=year + 8)
            .filter_map(|y| DayNumber::from_gregorian(Year(y), m, d))
            .collect();
        let next = all.iter().copied().find(|x| *x > anchor);
        let past = all.iter().copied().rev().find(|x| *x <= anchor);
        let found: Vec<DayNumber> = [next, past].into_iter().flatten().collect();
        (!found.is_empty()).then_some(found)
    }

    /// 4/22, 22/04, 4-22: a month and day without a year, after a word that says it is one.
    fn yearless_numeric(&self, i: usize) -> Spoken {
        let (Tok::Num(a, 1..=2), Tok::Num(b, 1..=2)) = (self.tok(i), self.tok(i + 2)) else {
            return None;
        };
        let separator = self.tok(i + 1);
        if self.spaced(i + 1) || self.spaced(i + 2) || self.glued_before(i) {
            return None;
        }
        let told = i.checked_sub(1).is_some_and(|k| {
            matches!(
                self.tok(k),
                Tok::Word(
                    W::On | W::This | W::Next | W::Last | W::Weekday(_) | W::By | W::From | W::To
                )
            )
        });
        let fits = match separator {
            Tok::Slash => true,
            Tok::Hyphen | Tok::Dot => told,
            _ => false,
        };
        if !fits
            || matches!(self.tok(i + 3), Tok::Slash | Tok::Percent) && !self.spaced(i + 3)
            || matches!(self.tok(i + 3), Tok::Hyphen | Tok::Dot)
                && !self.spaced(i + 3)
                && matches!(self.tok(i + 4), Tok::Num(..))
                && !self.spaced(i + 4)
                && separator != Tok::Slash
            || i > 0
                && matches!(
                    self.tok(i - 1),
                    Tok::Num(..) | Tok::Grouped(_) | Tok::Currency
                )
            || self.counts_things(i + 3)
        {
            return None;
        }
        let (d, m) = self.order(i64::try_from(a).ok()?, i64::try_from(b).ok()?)?;
        let days = self.yearless(u8::try_from(m).ok()?, u8::try_from(d).ok()?)?;
        Some((days.into_iter().map(day).collect(), Precision::Day, i + 3))
    }

    /// "the 27th", "on 15", "Friday the 11th", "Tue 13th", "20th of next month", "15th day of June".
    fn day_of_month(&self, i: usize) -> Spoken {
        let anchor = self.anchor?;
        let (weekday, mut j) = match self.tok(i) {
            Tok::Word(W::Weekday(w)) => {
                let comma = usize::from(self.tok(i + 1) == Tok::Comma);
                (Some(w), i + 1 + comma)
            }
            _ => (None, i),
        };
        let the = self.is(j, W::The);
        j = self.skip(j, W::The);
        if weekday.is_some()
            && let Some(found) = self.yearless_numeric(j)
        {
            return Some(found);
        }
        let (d, mut k, ordinal) = self.day_number(j)?;
        let day_word = self.is(k, W::DayUnit);
        if day_word {
            k += 1;
        }
        // "20th of next month", "4 to 23 of this month"
        let of = self.is(k, W::Of);
        let frame_at = k + usize::from(of);
        if (of || ordinal)
            && let Some((starts, 1, end)) = self.months_named(frame_at)
            && (of || !matches!(self.tok(frame_at), Tok::Word(W::Month(_))))
        {
            let days: Vec<Interval> = starts
                .iter()
                .filter_map(|m| {
                    DayNumber::from_gregorian(Year(m.div_euclid(12)), m.rem_euclid(12) as u8 + 1, d)
                })
                .map(day)
                .collect();
            return (!days.is_empty()).then_some((days, Precision::Day, end));
        }
        let before = i.checked_sub(1).map(|b| self.tok(b));
        let told = weekday.is_some()
            || (the && (ordinal || matches!(before, Some(Tok::Word(W::On | W::For | W::By)))))
            || (matches!(before, Some(Tok::Word(W::On))) && matches!(self.tok(j), Tok::Num(..)));
        let number_goes_on = !self.spaced(k)
            && matches!(self.tok(k), Tok::Dot | Tok::Hyphen | Tok::Comma)
            && !self.spaced(k + 1)
            && matches!(self.tok(k + 1), Tok::Num(..) | Tok::Word(_));
        let ends = !number_goes_on
            && matches!(
                self.tok(k),
                Tok::Break
                    | Tok::Dot
                    | Tok::Comma
                    | Tok::Other
                    | Tok::Question
                    | Tok::Semicolon
                    | Tok::Hyphen
            )
            || matches!(
                self.tok(k),
                Tok::Word(
                    W::And | W::Or | W::To | W::Until | W::For | W::At | W::With | W::From | W::In
                )
            );
        if !told
            || day_word
            || !ends
            || (weekday.is_some() && !the && !ordinal && self.tok(j) == Tok::Break)
        {
            return None;
        }
        let (year, month, _) = anchor.to_gregorian();
        let now = year.0 * 12 + i64::from(month) - 1;
        let at = |m: i64| {
            DayNumber::from_gregorian(Year(m.div_euclid(12)), m.rem_euclid(12) as u8 + 1, d)
                .filter(|x| weekday.is_none_or(|w| x.weekday() == w))
        };
        let next = (now..now + 60)
            .filter_map(at)
            .find(|x| *x > anchor || (*x == anchor && weekday.is_some()));
        let past = (now - 60..=now).rev().filter_map(at).find(|x| *x <= anchor);
        let found: Vec<Interval> = [next, past].into_iter().flatten().map(day).collect();
        (!found.is_empty()).then_some((found, Precision::Day, k))
    }

    /// "4 to 22 January, 1995", "between 4 and 22 this month", "the ninth and the seventeenth of
    /// April", "April the ninth till the seventeenth".
    fn day_range(&self, i: usize) -> Spoken {
        let lead = matches!(self.tok(i), Tok::Word(W::From | W::Between));
        let start = self.skip(i + usize::from(lead), W::The);
        if self.days_of_month(start).is_some() {
            // With its year it is read as in any text, in the calendar of its time.
            return None;
        }
        // The month may stand first: "November between 19 and 20".
        let (frame, start, framed) = match self.tok(start) {
            Tok::Word(W::Month(_)) => {
                let (frame, months, end) = self.months_named(start).or_else(|| {
                    let (atom, _) = self.atom(start)?;
                    let Core::Date { y: None, m, .. } = atom.core else {
                        return None;
                    };
                    let year = self.anchor?.year().0;
                    let this = year * 12 + i64::from(m) - 1;
                    Some((vec![this, this + 12, this - 12], 1, start + 1))
                })?;
                if months != 1 {
                    return None;
                }
                let k = end + usize::from(self.is(end, W::Between));
                (Some(frame), self.skip(k, W::The), true)
            }
            _ => (None, start, false),
        };
        let (a, j, o1) = self.day_number(start)?;
        if !matches!(
            self.tok(j),
            Tok::Word(W::To | W::Until | W::And) | Tok::Hyphen | Tok::Dash
        ) || (self.is(j, W::And) && !(lead || framed))
        {
            return None;
        }
        let k = self.skip(j + 1, W::The);
        if let (Tok::Word(W::Month(_)), None) = (self.tok(k), &frame) {
            // "from 4 to January 22, 1995"
            if !lead {
                return None;
            }
            let (atom, end) = self.atom(k)?;
            let Core::Date { y, m, d: Some(b) } = atom.core else {
                return None;
            };
            let years = match y {
                Some(y) => vec![y],
                None => {
                    let days = self.yearless(m, b)?;
                    days.iter().map(|d| d.year().0).collect()
                }
            };
            let found: Vec<Interval> = years
                .iter()
                .filter_map(|y| {
                    Interval::new(
                        DayNumber::from_gregorian(Year(*y), m, a)?,
                        DayNumber::from_gregorian(Year(*y), m, b)?,
                    )
                })
                .collect();
            return (!found.is_empty()).then_some((found, Precision::Day, end));
        }
        let (b, k, o2) = self.day_number(k)?;
        let (starts, end) = match frame {
            Some(frame) => (frame, k),
            None => {
                let f = self.skip(k, W::Of);
                match self.months_named(f) {
                    Some((starts, 1, end)) => (starts, end),
                    Some(_) => return None,
                    None if lead && o1 && o2 && f == k => {
                        let (year, month, _) = self.anchor?.to_gregorian();
                        let now = year.0 * 12 + i64::from(month) - 1;
                        (vec![now, now + 1, now - 1], k)
                    }
                    None => return None,
                }
            }
        };
        let found: Vec<Interval> = starts
            .iter()
            .filter_map(|m| {
                let (y, month) = (Year(m.div_euclid(12)), m.rem_euclid(12) as u8 + 1);
                Interval::new(
                    DayNumber::from_gregorian(y, month, a)?,
                    DayNumber::from_gregorian(y, month, b)?,
                )
            })
            .collect();
        (!found.is_empty()).then_some((found, Precision::Day, end))
    }

    /// "2017 q1", "2017-q1", "2016 the third quarter", "third quarter this year".
    fn quarter_of_year(&self, i: usize) -> Spoken {
        let Tok::Num(y, 4) = self.tok(i) else {
            return None;
        };
        let year = i64::try_from(y).ok()?;
        let j = i + 1 + usize::from(self.tok(i + 1) == Tok::Hyphen);
        let quarter = |q: i64| -> Option<Interval> {
            let m = u8::try_from(3 * (q - 1) + 1).ok()?;
            Interval::new(
                DayNumber::from_gregorian(Year(year), m, 1)?,
                month_of(year, m + 2)?.last.day()?,
            )
        };
        if self.is(j, W::Q)
            && let Tok::Num(q @ 1..=4, 1) = self.tok(j + 1)
            && !self.spaced(j + 1)
        {
            return Some((
                vec![quarter(i64::try_from(q).ok()?)?],
                Precision::Season,
                j + 2,
            ));
        }
        if self.is(j, W::H)
            && let Tok::Num(h @ 1..=2, 1) = self.tok(j + 1)
            && !self.spaced(j + 1)
        {
            let first = quarter(2 * i64::try_from(h).ok()? - 1)?;
            let last = quarter(2 * i64::try_from(h).ok()?)?;
            return Some((vec![first.hull(last)], Precision::Season, j + 2));
        }
        let k = self.skip(j, W::The);
        let (q, after, _) = self.day_number(k)?;
        if self.is(after, W::Quarter) && q <= 4 {
            return Some((vec![quarter(i64::from(q))?], Precision::Season, after + 1));
        }
        None
    }

    /// "the weekend", "my week", "this calendar year", "the year".
    fn present_unit(&self, i: usize) -> Spoken {
        let anchor = self.anchor?;
        if self.is(i, W::Weekend) && self.is(i.wrapping_sub(1), W::On) {
            let (interval, precision) = super::deictic::shifted(anchor, Unit::Weekend, 0, self)?;
            return Some((vec![interval], precision, i + 1));
        }
        if self.str(i).eq_ignore_ascii_case("eoy") || self.str(i).eq_ignore_ascii_case("eom") {
            let unit = if self.str(i).ends_with(['y', 'Y']) {
                Unit::Year
            } else {
                Unit::Month
            };
            let (interval, precision) = super::deictic::shifted(anchor, unit, 0, self)?;
            let half = super::deictic::half(interval, precision, super::atom::Part::Late)?;
            return Some((vec![half], precision, i + 1));
        }
        let lead = matches!(self.tok(i), Tok::Word(W::The | W::This))
            || self.str(i).eq_ignore_ascii_case("my")
            || self.str(i).eq_ignore_ascii_case("same");
        if !lead {
            return None;
        }
        let mut j = i + 1;
        if matches!(
            self.str(j).to_ascii_lowercase().as_str(),
            "calendar" | "working" | "business" | "same"
        ) {
            j += 1;
        }
        let (unit, end) = self.unit(j)?;
        if matches!(
            self.str(i + 1).to_ascii_lowercase().as_str(),
            "working" | "business"
        ) && unit == Unit::Week
        {
            let first = monday(anchor);
            return Some((
                vec![Interval::new(first, DayNumber(first.0 + 4))?],
                Precision::Week,
                end,
            ));
        }
        if !matches!(
            unit,
            Unit::Year | Unit::Month | Unit::Week | Unit::Weekend | Unit::Day | Unit::Fortnight
        ) || matches!(
            self.tok(end),
            Tok::Word(W::Of | W::Before | W::After) | Tok::Num(..)
        ) {
            return None;
        }
        // The plural is a span of time and not this one.
        if self.str(j).ends_with(['s', 'S']) {
            return None;
        }
        let (interval, precision) = super::deictic::shifted(anchor, unit, 0, self)?;
        if self.words(end, &["to", "date"]).is_some() {
            return Some((
                vec![Interval::new(interval.first.day()?, anchor)?],
                precision,
                end + 2,
            ));
        }
        Some((vec![interval], precision, end))
    }

    /// "between now and November 15th", "from next Monday to Friday", "10/1 to 11/7".
    fn talk_range(&self, i: usize) -> Spoken {
        let lead = matches!(self.tok(i), Tok::Word(W::From | W::Between));
        let start = i + usize::from(lead);
        if let Some((first, _, j)) = self.numbered_week(start)
            && matches!(
                self.tok(j),
                Tok::Word(W::To | W::Until | W::And) | Tok::Hyphen | Tok::Dash
            )
            && let Some((second, _, end)) = self.numbered_week(j + 1)
            && let (Some(a), Some(b)) = (
                first.first().and_then(|x| x.first.day()),
                second.first().and_then(|x| x.last.day()),
            )
        {
            return Some((vec![Interval::new(a, b)?], Precision::Week, end));
        }
        let (first, j) = self.days_named(self.skip(start, W::The)).or_else(|| {
            if !lead {
                return None;
            }
            let (atom, end) = self.atom(start)?;
            let (interval, _) = atom.ground(self.settings)?;
            Some((vec![interval.first.day()?], end))
        })?;
        if !(matches!(self.tok(j), Tok::Word(W::To | W::Until))
            || matches!(self.tok(j), Tok::Hyphen | Tok::Dash)
            || (lead && self.is(j, W::And)))
        {
            return None;
        }
        let (second, end) = self.days_named(self.skip(j + 1, W::The))?;
        let mut found: Vec<Interval> = Vec::new();
        // A bare weekday at the end is the first one after the beginning.
        if let Tok::Word(W::Weekday(w)) = self.tok(j + 1)
            && end == j + 2
            && let Some(a) = first.first()
        {
            let ahead = (i64::from(w) - i64::from(a.weekday())).rem_euclid(7);
            let range = Interval::new(*a, DayNumber(a.0 + ahead))?;
            return Some((vec![range], Precision::Day, end));
        }
        for a in &first {
            let nearest = second.iter().filter(|b| *b >= a).min();
            if let Some(b) = nearest
                && let Some(range) = Interval::new(*a, *b)
            {
                found.push(range);
            }
        }
        (!found.is_empty()).then_some((found, Precision::Day, end))
    }

    /// "since August", "after the 15th day of June", "starting January 7th", "until now".
    fn talk_open(&self, i: usize) -> Spoken {
        let lower = self.str(i).to_ascii_lowercase();
        let (since, strict, j) = match lower.as_str() {
            "since" => (true, false, i + 1),
            "after" => (true, true, i + 1),
            "starting" | "beginning" => {
                let k = i + 1 + usize::from(matches!(self.tok(i + 1), Tok::Word(W::From | W::On)));
                (true, false, k)
            }
            "before" => (false, true, i + 1),
            "until" | "till" | "by" => (false, false, i + 1),
            "ending" => (false, false, i + 1 + usize::from(self.is(i + 1, W::With))),
            _ => return None,
        };
        let j = self.skip(j, W::The);
        // "before or on", "after or equal to"
        let (strict, j) = if self.is(j, W::Or) {
            let k = j + 2 + usize::from(self.is(j + 2, W::To));
            (false, k)
        } else {
            (strict, j)
        };
        // "before the end of December" reaches to that end.
        let (j, to_end) = if self.is(j, W::End) && self.is(j + 1, W::Of) && !since {
            (self.skip(j + 2, W::The), true)
        } else {
            (j, false)
        };
        let (intervals, end): (Vec<Interval>, usize) = if let Some((days, end)) = self.days_named(j)
        {
            (days.into_iter().map(day).collect(), end)
        } else if let Some((list, _, end)) =
            self.calendar_parts(j).filter(|(list, ..)| !list.is_empty())
        {
            (list, end)
        } else {
            return None;
        };
        let open = |x: &Interval| -> Option<Interval> {
            Some(match (since, strict) {
                (true, false) => Interval::since(x.first.day()?),
                (true, true) => Interval::since(DayNumber(x.last.day()?.0 + 1)),
                (false, true) if !to_end => Interval::until(DayNumber(x.first.day()?.0 - 1)),
                _ => Interval::until(x.last.day()?),
            })
        };
        let found: Vec<Interval> = intervals.iter().filter_map(open).collect();
        (!found.is_empty()).then_some((found, Precision::Day, end))
    }

    /// A month, part of a month or relative time as intervals.
    fn calendar_parts(&self, i: usize) -> Spoken {
        if let Some((interval, precision, end)) = self.deictic_interval(i) {
            return Some((vec![interval], precision, end));
        }
        let (atom, end) = self.atom(i)?;
        match atom.core {
            Core::Date {
                y: None,
                m,
                d: None,
            } => {
                let year = self.anchor?.year().0;
                let at = |y: i64| {
                    let mut dated = atom;
                    dated.core = Core::Date {
                        y: Some(y),
                        m,
                        d: None,
                    };
                    dated.ground(self.settings).map(|(x, _)| x)
                };
                let list = [year, year - 1, year + 1]
                    .into_iter()
                    .filter_map(at)
                    .collect();
                Some((list, Precision::Month, end))
            }
            _ => {
                let (interval, precision) = atom.ground(self.settings)?;
                let told = matches!(
                    self.str(i.wrapping_sub(1)).to_ascii_lowercase().as_str(),
                    "starting" | "beginning" | "on" | "from" | "ending"
                );
                told.then(|| (vec![interval], precision, end))
            }
        }
    }

    /// A holiday with its year in a text without an anchor: "Easter 1916".
    pub(crate) fn dated_holiday(&self, i: usize) -> Option<Phrase> {
        let named = self.str(i).starts_with(|c: char| c.is_ascii_uppercase());
        let year_is_near = named && (i + 1..=i + 6).any(|k| matches!(self.tok(k), Tok::Num(_, 4)));
        if self.anchor.is_some() || !year_is_near {
            return None;
        }
        let (intervals, precision, end) = self.holiday(i)?;
        Some(Phrase {
            candidates: vec![Candidate::exact(*intervals.first()?, precision)],
            kind: Kind::Interval,
            arc: None,
            first_token: i,
            end_token: end,
        })
    }

    /// Holidays, with a year, "of next year", or against the anchor.
    fn holiday(&self, i: usize) -> Spoken {
        let start = i + usize::from(matches!(
            self.tok(i),
            Tok::Word(W::Next | W::Last | W::Previous | W::The | W::This)
        ));
        let step = match self.tok(i) {
            Tok::Word(W::Next) => 1,
            Tok::Word(W::Last | W::Previous) => -1,
            _ => 0,
        };
        let mut words: Vec<String> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        let mut j = start;
        while words.len() < 4 {
            match self.tok(j) {
                Tok::Word(_) => {
                    let word = self.str(j).to_ascii_lowercase();
                    // "St. Patrick", "new year's", "fathers' day"
                    if word == "s" && self.tok(j - 1) == Tok::Apostrophe {
                    } else {
                        words.push(word);
                        ends.push(j + 1);
                    }
                    j += 1;
                }
                Tok::Apostrophe | Tok::Dot if !words.is_empty() => {
                    j += 1;
                }
                _ => break,
            }
        }
        let (rule, count) = (1..=words.len())
            .rev()
            .find_map(|n| Some((holiday_rule(words.get(..n)?)?, n)))?;
        let mut end = *ends.get(count - 1)?;
        // "new year's", "christmas's"
        if self.tok(end) == Tok::Apostrophe {
            end += 1 + usize::from(self.is(end + 1, W::S));
        }
        let k = end
            + usize::from(matches!(
                self.tok(end),
                Tok::Word(W::Of | W::In) | Tok::Comma
            ));
        let written = match self.tok(k) {
            Tok::Num(n @ 1583..=2999, 4) => i64::try_from(n).ok().map(|year| (year, k + 1)),
            _ => None,
        };
        let stated = written.or_else(|| {
            self.months_named(k)
                .filter(|(_, months, _)| *months == 12)
                .and_then(|(starts, _, after)| Some((starts.first()?.div_euclid(12), after)))
        });
        if let Some((year, after)) = stated {
            return Some((vec![day(rule(year)?)], Precision::Day, after));
        }
        let anchor = self.anchor?;
        let year = anchor.year().0;
        let all: Vec<DayNumber> = (year - 2..=year + 2).filter_map(&rule).collect();
        let next = all.iter().copied().find(|d| *d > anchor);
        let past = all.iter().copied().rev().find(|d| *d <= anchor);
        let order = match step {
            1 => vec![next],
            -1 => vec![past],
            _ => vec![next, past],
        };
        let mut found: Vec<Interval> = order.into_iter().flatten().map(day).collect();
        // The one of the current year, past or to come, is meant as often.
        if step == 0
            && let Some(this) = rule(year)
            && !found.contains(&day(this))
        {
            found.push(day(this));
        }
        if self.is(end, W::Weekend) {
            let weekends = found
                .iter()
                .filter_map(|x| x.first.day())
                .filter_map(|d| {
                    let w = i64::from(d.weekday());
                    if w == 0 {
                        Interval::new(DayNumber(d.0 - 2), d)
                    } else {
                        let saturday = DayNumber(d.0 - w + 5);
                        Interval::new(saturday, DayNumber(saturday.0 + 1))
                    }
                })
                .collect();
            return Some((weekends, Precision::Week, end + 1));
        }
        Some((found, Precision::Day, end))
    }
}

type Rule = fn(i64) -> Option<DayNumber>;

/// The day of a holiday in a year, by its words.
fn holiday_rule(words: &[String]) -> Option<Rule> {
    let name = words.join(" ");
    let rule: Rule = match name.as_str() {
        "christmas" | "christmas day" | "xmas" | "xmas day" => |y| fixed(y, 12, 25),
        "christmas eve" | "xmas eve" => |y| fixed(y, 12, 24),
        "boxing day" => |y| fixed(y, 12, 26),
        "new year" | "new year day" | "new years day" | "new years" | "yuandan" => {
            |y| fixed(y, 1, 1)
        }
        "new year eve" | "new years eve" => |y| fixed(y, 12, 31),
        "valentine day" | "valentines day" | "valentine" => |y| fixed(y, 2, 14),
        "saint patrick" | "saint patrick day" | "st patrick day" | "st patricks day" => {
            |y| fixed(y, 3, 17)
        }
        "april fools" | "april fool day" | "april fools day" => |y| fixed(y, 4, 1),
        "earth day" => |y| fixed(y, 4, 22),
        "may day" | "international workers day" | "workers day" => |y| fixed(y, 5, 1),
        "independence day" => |y| fixed(y, 7, 4),
        "halloween" | "halloween day" => |y| fixed(y, 10, 31),
        "veterans day" | "veteran day" => |y| fixed(y, 11, 11),
        "groundhog day" => |y| fixed(y, 2, 2),
        "juneteenth" => |y| fixed(y, 6, 19),
        "martin luther king day" | "mlk day" => |y| nth_weekday(y, 1, 0, 3),
        "president day" | "presidents day" | "washington birthday" => |y| nth_weekday(y, 2, 0, 3),
        "mother day" | "mothers day" => |y| nth_weekday(y, 5, 6, 2),
        "memorial day" => |y| nth_weekday(y, 5, 0, 0),
        "father day" | "fathers day" => |y| nth_weekday(y, 6, 6, 3),
        "labor day" | "labour day" => |y| nth_weekday(y, 9, 0, 1),
        "columbus day" => |y| nth_weekday(y, 10, 0, 2),
        "thanksgiving" | "thanksgiving day" | "thanks giving day" | "thanks giving" => {
            |y| nth_weekday(y, 11, 3, 4)
        }
        "black friday" => |y| Some(DayNumber(nth_weekday(y, 11, 3, 4)?.0 + 1)),
        "cyber monday" => |y| Some(DayNumber(nth_weekday(y, 11, 3, 4)?.0 + 4)),
        "easter" | "easter sunday" | "easter day" => |y| Some(easter(y)),
        "easter monday" => |y| Some(DayNumber(easter(y).0 + 1)),
        "good friday" => |y| Some(DayNumber(easter(y).0 - 2)),
        "ash wednesday" => |y| Some(DayNumber(easter(y).0 - 46)),
        "palm sunday" => |y| Some(DayNumber(easter(y).0 - 7)),
        "pentecost" | "whit sunday" => |y| Some(DayNumber(easter(y).0 + 49)),
        "michaelmas" => |y| fixed(y, 9, 29),
        _ => return None,
    };
    Some(rule)
}

fn fixed(year: i64, month: u8, day: u8) -> Option<DayNumber> {
    DayNumber::from_gregorian(Year(year), month, day)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn easter_falls_on_known_sundays() {
        for (year, month, day) in [
            (1818, 3, 22),
            (1943, 4, 25),
            (2018, 4, 1),
            (2019, 4, 21),
            (2024, 3, 31),
        ] {
            assert_eq!(easter(year), DayNumber::civil(year, month, day), "{year}");
            assert_eq!(easter(year).weekday(), 6);
        }
    }
}
