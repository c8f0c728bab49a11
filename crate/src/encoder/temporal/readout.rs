//! From what the network says of each token and of the text to a Gaussian in days.
//!
//! The network chooses what every number counts: years, tens of years, days, weeks, a month, or
//! nothing; forward or back. It chooses for two ends whether they count from a fixed year, the
//! anchor day, or the beginning of the anchor's month, year, decade or century or of the year beside
//! it, how long each is and by how many of its lengths it lies off. The sums are exact, so that a number that was never seen
//! is read like the others.

use crate::search::time::Gaussian;
use crate::time::{DayNumber, Year};

use super::reading::Token;

/// Mean length of a year, in days.
pub const YEAR: f64 = 365.2425;
/// Mean length of a month, in days.
pub const MONTH: f64 = YEAR / 12.0;

/// What a number can count, by place: years first, then the month, then days.
pub const ROLES: usize = 18;
/// The role of a year that is completed from the number before it.
pub const COMPLETED_ROLE: usize = 9;
/// The role of a year before the common era.
pub const BEFORE_ROLE: usize = 10;
/// The first role that is no number of years: the days before a month.
pub const MONTH_ROLE: usize = 11;
/// The first role in days.
pub const DAY_ROLE: usize = 12;
/// What each role is worth: years for a role below [`MONTH_ROLE`], else days.
///
/// The first counts nothing. [`COMPLETED_ROLE`] takes the number completed from the one before it, and
/// [`BEFORE_ROLE`] one less than the number: the year n before the common era is 1 − n.
pub const UNITS: [f64; ROLES] = [
    0.0, 1.0, -1.0, 10.0, -10.0, 100.0, -100.0, 1_000.0, -1_000.0, 1.0, -1.0, 1.0, 1.0, -1.0, 7.0,
    -7.0, MONTH, -MONTH,
];

/// Which ends a number belongs to: the first, the second, or both.
pub const MEMBERS: usize = 3;

/// Days from which an end can count.
pub const BASES: usize = 8;

/// Lengths an end can have, in days; what lies between is a mixture of their logarithms.
///
/// Source: a choice; the last stands for "no date is given".
pub const LENGTHS: [f64; 20] = [
    1.0,
    7.0,
    MONTH,
    YEAR / 4.0,
    YEAR,
    2.0 * YEAR,
    3.0 * YEAR,
    4.0 * YEAR,
    5.0 * YEAR,
    10.0 * YEAR,
    11.0 * YEAR,
    21.0 * YEAR,
    25.0 * YEAR,
    33.4 * YEAR,
    50.0 * YEAR,
    100.0 * YEAR,
    333.4 * YEAR,
    500.0 * YEAR,
    1_000.0 * YEAR,
    20_000.0 * YEAR,
];

/// How sharply choices are made: what the network says is multiplied by this.
pub const SHARPNESS: f64 = 4.0;

/// Gives what a token's number is worth in each role before its unit.
#[must_use]
pub fn worth(token: &Token) -> [f32; ROLES] {
    let mut out = [token.number; ROLES];
    out[0] = 0.0;
    out[COMPLETED_ROLE] = token.completed;
    out[BEFORE_ROLE] = (token.number - 1.0).max(0.0);
    out[MONTH_ROLE] = token.before_month;
    out
}

/// Gives the days that an end can count from: the beginning of the year 0, the anchor, the first day
/// of its month, and the beginnings of its year, decade and century, of the year before and the year
/// after. Years begin where mean years put them, [`calendar_offset`] from the day itself.
#[must_use]
pub fn bases(anchor: DayNumber) -> [f64; BASES] {
    let (year, month, _) = anchor.to_gregorian();
    let of_month = DayNumber::from_gregorian(year, month, 1).unwrap_or(anchor);
    let mut out = [0.0; BASES];
    for (base, year) in out.iter_mut().zip(base_years(anchor)) {
        *base = Year(0).first_day().0 as f64 + year.unwrap_or(0.0) * YEAR;
    }
    out[1] = anchor.0 as f64;
    out[2] = of_month.0 as f64;
    out
}

/// Gives the year of each of the [`bases`] that begins one.
#[must_use]
pub fn base_years(anchor: DayNumber) -> [Option<f64>; BASES] {
    let year = anchor.year().0;
    [
        Some(0),
        None,
        None,
        Some(year),
        Some(year.div_euclid(10) * 10),
        Some(year.div_euclid(100) * 100),
        Some(year - 1),
        Some(year + 1),
    ]
    .map(|year: Option<i64>| year.map(|y| y as f64))
}

/// Gives by how many days the calendar differs from mean years, for a number of years and of days
/// before a month, in the Gregorian calendar and in the one in use: the Julian before 15 October
/// 1582.
#[must_use]
pub fn calendar_offset(years: f64, before_month: f64) -> (f64, f64) {
    // Beyond what the calendar is asked for, mean years are near enough.
    if !years.is_finite() || years.abs() > 20_000.0 {
        return (0.0, 0.0);
    }
    let year = Year(years.round() as i64);
    let even = Year(0).first_day().0 as f64 + year.0 as f64 * YEAR;
    let after_february = before_month >= 58.5;
    let of = |first: DayNumber, leap: bool| {
        first.0 as f64 + f64::from(u8::from(leap && after_february)) - even
    };
    let gregorian = of(year.first_day(), year.is_leap());
    let julian = DayNumber::from_julian(year, 1, 1)
        .map_or(gregorian, |first| of(first, year.0.rem_euclid(4) == 0));
    // The tenth month of 1582 was cut; days are told apart by the year alone.
    let in_use = if year.0 <= 1_582 { julian } else { gregorian };
    (gregorian, in_use)
}

/// What the network says of one end, before any choice is made.
#[derive(Clone, Debug)]
pub struct End<'a> {
    /// For each base, how much speaks for it.
    pub bases: &'a [f32],
    /// For each of [`LENGTHS`], how much speaks for it.
    pub lengths: &'a [f32],
    /// By how many of its lengths the middle lies off.
    pub shift: f32,
    /// Above 0 where dates are in the calendar in use.
    pub calendar: f32,
}

/// Gives the middle and the length of an end, in days.
///
/// `roles` and `members` say for each token how much speaks for each choice; `number` is the place of
/// the end, 0 or 1.
#[must_use]
pub fn end(
    number: usize,
    said: &End<'_>,
    tokens: &[Token],
    roles: &[f32],
    members: &[f32],
    anchor: DayNumber,
) -> (f64, f64) {
    let (mut years, mut before_month, mut days) = (0.0, 0.0, 0.0);
    let rows = roles.chunks_exact(ROLES).zip(members.chunks_exact(MEMBERS));
    for (token, (roles, members)) in tokens.iter().zip(rows) {
        let member = highest(members);
        if !token.counts() || member == 1 - number {
            continue;
        }
        let role = highest(roles);
        let worth = f64::from(worth(token)[role]) * UNITS[role];
        match role {
            ..MONTH_ROLE => years += worth,
            MONTH_ROLE => before_month += worth,
            _ => days += worth,
        }
    }
    let base = highest(said.bases).min(BASES - 1);
    let mut middle = bases(anchor)[base] + years * YEAR + before_month + days;
    if let Some(year) = base_years(anchor)[base] {
        let (gregorian, in_use) = calendar_offset(years + year, before_month);
        middle += if said.calendar > 0.0 {
            in_use
        } else {
            gregorian
        };
    }
    let length = length(said.lengths);
    (middle + f64::from(said.shift) * length, length)
}

/// Gives the Gaussian of two ends: with `apart` near 1 two times of their own, else all that lies
/// from one to the other.
#[must_use]
pub fn join(ends: [(f64, f64); 2], apart: f64) -> Option<Gaussian> {
    let [(a, p), (b, q)] = ends;
    let distance = (a - b).abs();
    let between = (p + q) / 2.0 + distance;
    let two = ((p * p + q * q) / 2.0 + 3.0 * distance * distance).sqrt();
    Gaussian::of_moments((a + b) / 2.0, (1.0 - apart) * between + apart * two)
}

/// The length that the logarithms of [`LENGTHS`] have on average.
fn length(said: &[f32]) -> f64 {
    let most = said.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let (mut sum, mut all) = (0.0, 0.0);
    for (said, length) in said.iter().zip(LENGTHS) {
        let share = (SHARPNESS * f64::from(said - most)).exp();
        sum += share * length.ln();
        all += share;
    }
    (sum / all).exp()
}

fn highest(said: &[f32]) -> usize {
    let mut best = 0;
    for (place, value) in said.iter().enumerate() {
        if *value > said[best] {
            best = place;
        }
    }
    best
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::encoder::temporal::reading::FEATURES;

    fn token(number: f32, before_month: f32) -> Token {
        let mut features = [0.0; FEATURES];
        features[5] = f32::from(number == 0.0);
        Token {
            id: None,
            han: None,
            features,
            number,
            completed: 0.0,
            before_month,
            start: 0,
        }
    }

    fn chosen(count: usize, choice: usize) -> Vec<f32> {
        (0..count)
            .map(|c| f32::from(u8::from(c == choice)) * 9.0)
            .collect()
    }

    /// One end that all numbers belong to: roles, base, length and calendar are given.
    fn read(
        tokens: &[Token],
        roles: &[usize],
        (base, length, shift): (usize, usize, f32),
        in_use: bool,
        anchor: DayNumber,
    ) -> (f64, f64) {
        let roles: Vec<f32> = roles.iter().flat_map(|r| chosen(ROLES, *r)).collect();
        let members: Vec<f32> = tokens.iter().flat_map(|_| chosen(MEMBERS, 2)).collect();
        let said = End {
            bases: &chosen(BASES, base),
            lengths: &chosen(LENGTHS.len(), length),
            shift,
            calendar: if in_use { 1.0 } else { -1.0 },
        };
        end(0, &said, tokens, &roles, &members, anchor)
    }

    #[test]
    fn a_date_is_its_day_in_the_calendar_that_was_in_use() {
        let anchor = DayNumber(700_000);
        let date = |year: f32, in_use| {
            let tokens = [token(4.0, 90.0), token(0.0, 59.0), token(year, 0.0)];
            let (middle, _) = read(
                &tokens,
                &[DAY_ROLE, MONTH_ROLE, 1],
                (0, 0, -0.5),
                in_use,
                anchor,
            );
            DayNumber(middle.floor() as i64)
        };
        for year in [1600, 1853, 1900, 2000, 2024] {
            assert_eq!(
                Some(date(year as f32, true)),
                DayNumber::from_gregorian(Year(year), 3, 4)
            );
        }
        for year in [1000, 1204, 1500] {
            assert_eq!(
                Some(date(year as f32, true)),
                DayNumber::from_julian(Year(year), 3, 4)
            );
            assert_eq!(
                Some(date(year as f32, false)),
                DayNumber::from_gregorian(Year(year), 3, 4)
            );
        }
    }

    #[test]
    fn a_relative_time_moves_with_its_anchor() {
        let ago = |anchor| read(&[token(20.0, 0.0)], &[2], (3, 4, 0.5), false, anchor).0;
        let (a, b) = (
            DayNumber::from_gregorian(Year(1850), 5, 6).unwrap(),
            DayNumber::from_gregorian(Year(2000), 7, 8).unwrap(),
        );
        assert_eq!(DayNumber(ago(a) as i64).year(), Year(1830));
        assert_eq!(DayNumber(ago(b) as i64).year(), Year(1980));
    }

    #[test]
    fn a_day_of_the_year_before_or_after_is_itself_in_leap_years_too() {
        let tokens = [token(6.0, 151.0), token(0.0, 304.0)];
        for (anchor, base, year) in [(2001, 6, 2000), (2001, 3, 2001), (1903, 7, 1904)] {
            let anchor = DayNumber::from_gregorian(Year(anchor), 5, 6).unwrap();
            let roles = [DAY_ROLE, MONTH_ROLE];
            let (middle, _) = read(&tokens, &roles, (base, 0, -0.5), false, anchor);
            let day = DayNumber(middle.floor() as i64);
            assert_eq!(Some(day), DayNumber::from_gregorian(Year(year), 11, 6));
        }
    }

    #[test]
    fn a_number_of_the_other_end_does_not_count() {
        let tokens = [token(1_850.0, 0.0), token(1_860.0, 0.0)];
        let roles: Vec<f32> = [1, 1].iter().flat_map(|r| chosen(ROLES, *r)).collect();
        let members = [chosen(MEMBERS, 0), chosen(MEMBERS, 1)].concat();
        let said = End {
            bases: &chosen(BASES, 0),
            lengths: &chosen(LENGTHS.len(), 4),
            shift: 0.5,
            calendar: -1.0,
        };
        let ends = [0, 1].map(|n| end(n, &said, &tokens, &roles, &members, DayNumber(1)));
        let years = ends.map(|(middle, _)| DayNumber(middle as i64).year().0);
        assert_eq!(years, [1850, 1860]);
        let whole = join(ends, 0.0).unwrap();
        assert!((whole.length() / YEAR - 11.0).abs() < 0.01, "{whole:?}");
    }

    #[test]
    fn two_times_have_the_moments_of_their_mixture() {
        let (a, b) = ((0.0, 12.0), (100.0, 6.0));
        let both = join([a, b], 1.0).unwrap();
        let variance = (144.0 + 36.0) / 24.0 + 2_500.0;
        assert_eq!(both.mean(), 50.0);
        assert!((both.variance() - variance).abs() < 1e-9);
    }
}
