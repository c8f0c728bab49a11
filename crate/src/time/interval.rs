//! Inclusive intervals of days and arcs of the year.

use super::calendar::{DayNumber, Year};
use serde::{Deserialize, Serialize};

/// The mean length of the Gregorian year, in days.
pub const YEAR_LENGTH_DAYS: f64 = 365.2425;

/// One end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Bound {
    /// The end is this day, which belongs to the interval.
    Day(DayNumber),
    /// There is no end: the interval goes on.
    Open,
    /// There is an end, and nobody knows it.
    Unknown,
}

impl Bound {
    /// The day, when there is one.
    pub fn day(self) -> Option<DayNumber> {
        match self {
            Bound::Day(day) => Some(day),
            Bound::Open | Bound::Unknown => None,
        }
    }
}

/// A stretch of days from `first` to `last`, both of which belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Interval {
    /// Where the interval begins.
    pub first: Bound,
    /// Where the interval ends; never before `first`.
    pub last: Bound,
}

impl Interval {
    /// The interval of two days; `None` when they are in the wrong order.
    pub fn new(first: DayNumber, last: DayNumber) -> Option<Self> {
        (first <= last).then_some(Self {
            first: Bound::Day(first),
            last: Bound::Day(last),
        })
    }

    /// The interval of one day.
    pub fn day(day: DayNumber) -> Self {
        Self {
            first: Bound::Day(day),
            last: Bound::Day(day),
        }
    }

    /// The whole years `first` to `last`; `None` when they are in the wrong order.
    ///
    /// ```
    /// use almanac::time::{Interval, Year};
    /// let decade = Interval::years(Year(1850), Year(1859)).unwrap();
    /// assert_eq!(decade.days(), Some(3652));
    /// ```
    pub fn years(first: Year, last: Year) -> Option<Self> {
        Self::new(first.first_day(), last.last_day())
    }

    /// The interval from a day on, without an end.
    pub fn since(first: DayNumber) -> Self {
        Self {
            first: Bound::Day(first),
            last: Bound::Open,
        }
    }

    /// The interval up to a day, without a beginning.
    pub fn until(last: DayNumber) -> Self {
        Self {
            first: Bound::Open,
            last: Bound::Day(last),
        }
    }

    /// The number of days, at least 1; `None` when an end is open or unknown.
    pub fn days(self) -> Option<i64> {
        Some(self.last.day()?.0 - self.first.day()?.0 + 1)
    }

    /// Whether an end is open or unknown.
    pub fn is_open(self) -> bool {
        self.days().is_none()
    }

    /// Whether every day of `other` is in this interval.
    pub fn contains(self, other: Self) -> bool {
        let starts = match (self.first.day(), other.first.day()) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a <= b,
        };
        let ends = match (self.last.day(), other.last.day()) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a >= b,
        };
        starts && ends
    }

    /// The days in both intervals; `None` when there are none.
    pub fn intersect(self, other: Self) -> Option<Self> {
        let first = match (self.first, other.first) {
            (Bound::Day(a), Bound::Day(b)) => Bound::Day(a.max(b)),
            (Bound::Day(a), _) | (_, Bound::Day(a)) => Bound::Day(a),
            (a, _) => a,
        };
        let last = match (self.last, other.last) {
            (Bound::Day(a), Bound::Day(b)) => Bound::Day(a.min(b)),
            (Bound::Day(a), _) | (_, Bound::Day(a)) => Bound::Day(a),
            (a, _) => a,
        };
        if let (Bound::Day(a), Bound::Day(b)) = (first, last)
            && a > b
        {
            return None;
        }
        Some(Self { first, last })
    }

    /// The smallest interval that holds both.
    pub fn hull(self, other: Self) -> Self {
        let first = match (self.first, other.first) {
            (Bound::Day(a), Bound::Day(b)) => Bound::Day(a.min(b)),
            (Bound::Day(_), b) => b,
            (a, _) => a,
        };
        let last = match (self.last, other.last) {
            (Bound::Day(a), Bound::Day(b)) => Bound::Day(a.max(b)),
            (Bound::Day(_), b) => b,
            (a, _) => a,
        };
        Self { first, last }
    }

    /// The interval moved outward by whole years at its closed ends.
    pub(crate) fn widened(self, years_before: i64, years_after: i64) -> Self {
        let shift = |bound: Bound, years: i64| match bound {
            Bound::Day(day) => Bound::Day(day.plus_months(12 * years)),
            other => other,
        };
        Self {
            first: shift(self.first, -years_before),
            last: match self.last {
                // The day after the last moves, so a year's end stays a year's end.
                Bound::Day(day) => Bound::Day(DayNumber(
                    DayNumber(day.0 + 1).plus_months(12 * years_after).0 - 1,
                )),
                other => other,
            },
        }
    }

    /// The interval as a reader writes it, such as "25 May 1664 to 23 June 1664" or "1850s".
    pub fn display(self) -> String {
        match (self.first, self.last) {
            (Bound::Day(a), Bound::Day(b)) => display_days(a, b),
            (Bound::Day(a), Bound::Open) => format!("{} or later", display_start(a)),
            (Bound::Day(a), Bound::Unknown) => format!("from {}", display_start(a)),
            (Bound::Open, Bound::Day(b)) => format!("{} or earlier", display_end(b)),
            (Bound::Unknown, Bound::Day(b)) => format!("up to {}", display_end(b)),
            _ => String::from("at any time"),
        }
    }
}

/// Writes a first day as its year when it begins one.
fn display_start(day: DayNumber) -> String {
    let (year, month, date) = day.to_gregorian();
    if (month, date) == (1, 1) {
        year.display()
    } else {
        day.display()
    }
}

/// Writes a last day as its year when it ends one.
fn display_end(day: DayNumber) -> String {
    let (year, month, date) = day.to_gregorian();
    if (month, date) == (12, 31) {
        year.display()
    } else {
        day.display()
    }
}

/// Writes two days without repeating what they share.
fn display_days(first: DayNumber, last: DayNumber) -> String {
    use super::calendar::{month_length, month_name};
    let (y1, m1, d1) = first.to_gregorian();
    let (y2, m2, d2) = last.to_gregorian();
    if first == last {
        return first.display();
    }
    if (m1, d1) == (1, 1) && (m2, d2) == (12, 31) {
        return if y1 == y2 {
            y1.display()
        } else if y1.0 <= 0 && y2.0 <= 0 {
            format!("{} to {}", 1 - y1.0, y2.display())
        } else {
            format!("{} to {}", y1.display(), y2.display())
        };
    }
    if d1 == 1 && d2 == month_length(y2.0, m2) {
        return if (y1, m1) == (y2, m2) {
            format!("{} {}", month_name(m1), y1.display())
        } else if y1 == y2 {
            format!("{} to {} {}", month_name(m1), month_name(m2), y1.display())
        } else {
            format!(
                "{} {} to {} {}",
                month_name(m1),
                y1.display(),
                month_name(m2),
                y2.display()
            )
        };
    }
    if (y1, m1) == (y2, m2) {
        format!("{d1} to {d2} {} {}", month_name(m1), y1.display())
    } else if y1 == y2 {
        format!("{d1} {} to {}", month_name(m1), last.display())
    } else {
        format!("{} to {}", first.display(), last.display())
    }
}

/// A stretch of the year that comes round every year.
///
/// Positions are days after the start of 1 January in a mean year of [`YEAR_LENGTH_DAYS`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct YearArc {
    /// The middle, in days from the start of the year, 0 ≤ center < 365.2425.
    pub center: f64,
    /// The length in days, more than 0 and at most a year; a whole year says nothing.
    pub length: f64,
}

impl YearArc {
    /// The arc of civil days from one day of the year to another, both inclusive; it may pass the
    /// new year.
    pub(crate) fn between(first: (u8, u8), last: (u8, u8)) -> Self {
        let position = |(month, day): (u8, u8)| {
            (DayNumber::civil(2001, month, day).0 - Year(2001).first_day().0) as f64
        };
        let start = position(first);
        let mut length = position(last) + 1.0 - start;
        if length <= 0.0 {
            length += YEAR_LENGTH_DAYS;
        }
        Self {
            center: (start + length / 2.0).rem_euclid(YEAR_LENGTH_DAYS),
            length: length.min(YEAR_LENGTH_DAYS),
        }
    }

    /// The arc that lunar month 1 to 12 covers in a typical year.
    ///
    /// Source: least-squares fit of month centers over the years 1650 to 2049; a given year lies up
    /// to 15 days from it.
    pub(crate) fn lunar_month(month: u8) -> Self {
        Self {
            center: (30.44 * f64::from(month) + 19.6).rem_euclid(YEAR_LENGTH_DAYS),
            length: 29.5,
        }
    }

    /// The shortest way round the year between two centers, in days.
    ///
    /// ```
    /// use almanac::time::YearArc;
    /// let december = YearArc { center: 350.0, length: 31.0 };
    /// let january = YearArc { center: 15.0, length: 31.0 };
    /// assert!(december.distance(january) < 31.0);
    /// ```
    pub fn distance(self, other: Self) -> f64 {
        let delta = (self.center - other.center).abs();
        delta.min(YEAR_LENGTH_DAYS - delta)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn display_never_says_year_zero() {
        let bc = Interval::years(Year(0), Year(0)).unwrap();
        assert_eq!(bc.display(), "1 BCE");
        let both = Interval::years(Year(-99), Year(100)).unwrap();
        assert_eq!(both.display(), "100 BCE to 100");
        let deep = Interval::years(Year(-99_999), Year(-99_999)).unwrap();
        assert_eq!(deep.display(), "100000 BCE");
    }

    #[test]
    fn widened_years_stay_whole_years() {
        let year = Interval::years(Year(1852), Year(1852)).unwrap();
        assert_eq!(
            year.widened(5, 5),
            Interval::years(Year(1847), Year(1857)).unwrap()
        );
    }

    #[test]
    fn arc_passes_the_new_year() {
        let winter = YearArc::between((12, 1), (2, 28));
        assert!((winter.length - 90.0).abs() < 0.5);
        assert!((winter.center - 14.0).abs() < 1.0);
    }
}
