//! Day numbers and the calendars that map to them.

use serde::{Deserialize, Serialize};

/// A whole day, counted from 1 = 1 January of year 1 in the proleptic Gregorian calendar.
///
/// Days before that are zero or negative; every year within [`Year::LIMIT`] fits.
///
/// ```
/// use almanac::time::{DayNumber, Year};
/// let day = DayNumber::from_gregorian(Year(1664), 5, 25).unwrap();
/// assert_eq!(day.to_string(), "1664-05-25");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DayNumber(pub i64);

/// An astronomical year: 1 is AD 1, 0 is 1 BC and -1 is 2 BC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Year(pub i64);

/// The Julian Day Number of the day before [`DayNumber`] 1.
///
/// Source: JDN 1721426 is 1 January 1 in the proleptic Gregorian calendar (Explanatory Supplement
/// to the Astronomical Almanac, chapter 15).
const JULIAN_DAY_OFFSET: i64 = 1_721_425;

impl Year {
    /// The largest distance from year 0 that is accepted, in years.
    pub const LIMIT: i64 = 100_000_000_000;

    /// The year named by a positive count before the common era, so 1 BC is year 0.
    ///
    /// ```
    /// assert_eq!(almanac::time::Year::bce(64).0, -63);
    /// ```
    pub fn bce(count: i64) -> Self {
        Self(1 - count)
    }

    /// Whether the Gregorian calendar gives this year 366 days.
    pub fn is_leap(self) -> bool {
        self.0.rem_euclid(4) == 0 && (self.0.rem_euclid(100) != 0 || self.0.rem_euclid(400) == 0)
    }

    /// The first day of the year.
    pub fn first_day(self) -> DayNumber {
        DayNumber::civil(self.0, 1, 1)
    }

    /// The last day of the year.
    pub fn last_day(self) -> DayNumber {
        DayNumber::civil(self.0, 12, 31)
    }

    /// The year as a reader writes it, never as year 0 or a negative number.
    ///
    /// ```
    /// use almanac::time::Year;
    /// assert_eq!(Year(0).display(), "1 BCE");
    /// assert_eq!(Year(1850).display(), "1850");
    /// ```
    pub fn display(self) -> String {
        if self.0 <= 0 {
            format!("{} BCE", 1 - self.0)
        } else if self.0 < 100 {
            format!("{} CE", self.0)
        } else {
            self.0.to_string()
        }
    }
}

/// The number of days of a Gregorian month, 28 to 31; 0 for a month that does not exist.
pub(crate) fn month_length(year: i64, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if Year(year).is_leap() => 29,
        2 => 28,
        _ => 0,
    }
}

impl DayNumber {
    /// The day of a proleptic Gregorian date; `None` when the month or day does not exist or the
    /// year is beyond [`Year::LIMIT`].
    pub fn from_gregorian(year: Year, month: u8, day: u8) -> Option<Self> {
        if year.0.abs() > Year::LIMIT || day == 0 || day > month_length(year.0, month) {
            return None;
        }
        Some(Self::civil(year.0, month, day))
    }

    /// The day of a date known to exist.
    ///
    /// The year is counted from March, so the leap day ends it, and whole 400-year cycles have
    /// 146,097 days.
    /// Source: Explanatory Supplement to the Astronomical Almanac, chapter 15 (own derivation).
    pub(crate) fn civil(year: i64, month: u8, day: u8) -> Self {
        let (m, y) = if month > 2 {
            (i64::from(month) - 3, year)
        } else {
            (i64::from(month) + 9, year - 1)
        };
        let days_before_month = (153 * m + 2) / 5;
        let days_before_year = 365 * y + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400);
        Self(days_before_year + days_before_month + i64::from(day) - 306)
    }

    /// The proleptic Gregorian year, month and day.
    ///
    /// ```
    /// use almanac::time::{DayNumber, Year};
    /// assert_eq!(DayNumber(1).to_gregorian(), (Year(1), 1, 1));
    /// assert_eq!(DayNumber(0).to_gregorian(), (Year(0), 12, 31));
    /// ```
    pub fn to_gregorian(self) -> (Year, u8, u8) {
        let days = self.0 + 305;
        let cycle = days.div_euclid(146_097);
        let in_cycle = days.rem_euclid(146_097);
        let year_in_cycle =
            (in_cycle - in_cycle / 1_460 + in_cycle / 36_524 - in_cycle / 146_096) / 365;
        let in_year = in_cycle - (365 * year_in_cycle + year_in_cycle / 4 - year_in_cycle / 100);
        let m = (5 * in_year + 2) / 153;
        let day = in_year - (153 * m + 2) / 5 + 1;
        let (month, carry) = if m < 10 { (m + 3, 0) } else { (m - 9, 1) };
        let year = cycle * 400 + year_in_cycle + carry;
        // Month and day are in 1..=12 and 1..=31 by the construction above.
        (Year(year), month as u8, day as u8)
    }

    /// The astronomical Gregorian year the day lies in.
    pub fn year(self) -> Year {
        self.to_gregorian().0
    }

    /// The day of a Julian calendar date; `None` when the month or day does not exist.
    ///
    /// ```
    /// use almanac::time::{DayNumber, Year};
    /// let day = DayNumber::from_julian(Year(1582), 10, 4).unwrap();
    /// assert_eq!(day.to_string(), "1582-10-14");
    /// ```
    pub fn from_julian(year: Year, month: u8, day: u8) -> Option<Self> {
        let length = match month {
            2 if year.0.rem_euclid(4) == 0 => 29,
            2 => 28,
            _ => month_length(1, month),
        };
        if year.0.abs() > Year::LIMIT || day == 0 || day > length {
            return None;
        }
        let (m, y) = if month > 2 {
            (i64::from(month) - 3, year.0)
        } else {
            (i64::from(month) + 9, year.0 - 1)
        };
        // 1 March of year 0 in the Julian calendar is 28 February of year 0 in the Gregorian one.
        Some(Self(
            365 * y + y.div_euclid(4) + (153 * m + 2) / 5 + i64::from(day) - 308,
        ))
    }

    /// The Julian calendar year, month and day.
    pub fn to_julian(self) -> (Year, u8, u8) {
        let days = self.0 + 307;
        let cycle = days.div_euclid(1_461);
        let in_cycle = days.rem_euclid(1_461);
        let year_in_cycle = (in_cycle - in_cycle / 1_460) / 365;
        let in_year = in_cycle - 365 * year_in_cycle;
        let m = (5 * in_year + 2) / 153;
        let day = in_year - (153 * m + 2) / 5 + 1;
        let (month, carry) = if m < 10 { (m + 3, 0) } else { (m - 9, 1) };
        (
            Year(cycle * 4 + year_in_cycle + carry),
            month as u8,
            day as u8,
        )
    }

    /// The day of a Julian Day Number (the count that starts at noon of 1 January 4713 BC).
    pub fn from_julian_day(jdn: i64) -> Self {
        Self(jdn - JULIAN_DAY_OFFSET)
    }

    /// The Julian Day Number.
    pub fn to_julian_day(self) -> i64 {
        self.0 + JULIAN_DAY_OFFSET
    }

    /// The day of a French Republican date of years I to XIV; months are 1 to 12, and month 13
    /// holds the complementary days.
    ///
    /// Source: the decrees in force from 22 September 1792 to 31 December 1805; years III, VII and
    /// XI had a sixth complementary day.
    ///
    /// ```
    /// use almanac::time::DayNumber;
    /// let day = DayNumber::from_french_republican(2, 10, 12).unwrap();
    /// assert_eq!(day.to_string(), "1794-06-30");
    /// ```
    pub fn from_french_republican(year: u8, month: u8, day: u8) -> Option<Self> {
        /// The September day on which each of the years I to XIV began.
        const FIRST_DAY: [u8; 14] = [22, 22, 22, 23, 22, 22, 22, 23, 23, 23, 23, 24, 23, 23];
        let index = usize::from(year).checked_sub(1)?;
        let september = *FIRST_DAY.get(index)?;
        let length = match month {
            1..=12 => 30,
            13 if matches!(year, 3 | 7 | 11) => 6,
            13 => 5,
            _ => return None,
        };
        if day == 0 || day > length {
            return None;
        }
        let start = Self::civil(1791 + i64::from(year), 9, september);
        Some(Self(
            start.0 + 30 * (i64::from(month) - 1) + i64::from(day) - 1,
        ))
    }

    /// The weekday, 0 = Monday to 6 = Sunday.
    pub fn weekday(self) -> u8 {
        (self.0 - 1).rem_euclid(7) as u8
    }

    /// The position in the sexagenary cycle of days, 0 = 甲子 to 59 = 癸亥.
    ///
    /// Source: 1 October 1949 (JDN 2433191) was a 甲子 day.
    pub fn sexagenary(self) -> u8 {
        (self.to_julian_day() - 11).rem_euclid(60) as u8
    }

    /// The same day of the month some months later (or earlier), cut to the month's length.
    pub(crate) fn plus_months(self, months: i64) -> Self {
        let (year, month, day) = self.to_gregorian();
        let index = year.0 * 12 + i64::from(month) - 1 + months;
        let (y, m) = (index.div_euclid(12), index.rem_euclid(12) as u8 + 1);
        Self::civil(y, m, day.min(month_length(y, m)))
    }

    /// The day as a reader writes it, such as "25 May 1664" or "16 January 206 BCE".
    pub fn display(self) -> String {
        let (year, month, day) = self.to_gregorian();
        format!("{day} {} {}", month_name(month), year.display())
    }
}

impl std::fmt::Display for DayNumber {
    /// Writes the ISO 8601 date with an astronomical year of at least four digits.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (year, month, day) = self.to_gregorian();
        let sign = if year.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{:04}-{month:02}-{day:02}", year.0.abs())
    }
}

/// The English name of a month 1 to 12, empty for another number.
pub(crate) fn month_name(month: u8) -> &'static str {
    const NAMES: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    usize::from(month)
        .checked_sub(1)
        .and_then(|index| NAMES.get(index))
        .copied()
        .unwrap_or("")
}

/// Reads an ISO 8601 calendar date such as "2024-03-15" or "-0220-01-01".
///
/// ```
/// assert!(almanac::time::parse_iso_day("2024-02-30").is_none());
/// ```
pub fn parse_iso_day(text: &str) -> Option<DayNumber> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut parts = rest.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some()
        || year.len() < 4
        || month.len() != 2
        || day.len() != 2
        || !rest.bytes().all(|b| b.is_ascii_digit() || b == b'-')
    {
        return None;
    }
    let year: i64 = year.parse().ok()?;
    let year = if negative { -year } else { year };
    DayNumber::from_gregorian(Year(year), month.parse().ok()?, day.parse().ok()?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_days_have_their_julian_day_numbers() {
        let day = DayNumber::from_gregorian(Year(1949), 10, 1).unwrap();
        assert_eq!(day.to_julian_day(), 2_433_191);
        assert_eq!(day.sexagenary(), 0);
        assert_eq!(day.weekday(), 5);
        let reform = DayNumber::from_gregorian(Year(1582), 10, 15).unwrap();
        assert_eq!(reform.to_julian_day(), 2_299_161);
        assert_eq!(DayNumber::from_julian(Year(1582), 10, 5), Some(reform));
    }

    #[test]
    fn dates_that_do_not_exist_are_refused() {
        assert!(DayNumber::from_gregorian(Year(1900), 2, 29).is_none());
        assert!(DayNumber::from_julian(Year(1900), 2, 29).is_some());
        assert!(DayNumber::from_french_republican(15, 1, 1).is_none());
        assert!(DayNumber::from_french_republican(2, 13, 6).is_none());
        assert!(DayNumber::from_gregorian(Year(Year::LIMIT + 1), 1, 1).is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn calendars_invert(n in -40_000_000_000_000i64..40_000_000_000_000) {
            let day = DayNumber(n);
            let (y, m, d) = day.to_gregorian();
            prop_assert_eq!(DayNumber::civil(y.0, m, d), day);
            let (y, m, d) = day.to_julian();
            if y.0.abs() <= Year::LIMIT {
                prop_assert_eq!(DayNumber::from_julian(y, m, d), Some(day));
            }
        }

        #[test]
        fn months_tile_the_year(y in -100_000i64..100_000) {
            let mut next = Year(y).first_day();
            for m in 1..=12 {
                prop_assert_eq!(DayNumber::civil(y, m, 1), next);
                next = DayNumber(next.0 + i64::from(month_length(y, m)));
            }
            prop_assert_eq!(next, Year(y + 1).first_day());
        }

        #[test]
        fn printed_days_are_read_back(n in -40_000_000i64..40_000_000) {
            let day = DayNumber(n);
            prop_assert_eq!(parse_iso_day(&day.to_string()), Some(day));
        }
    }
}
