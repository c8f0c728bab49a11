//! Stretches of days drawn at random: what the sentences of the training data mean.

use almanac::search::time::Gaussian;
use almanac::time::{DayNumber, Year};

use super::Chance;

/// The first and last astronomical year that is drawn.
pub const YEARS: (i64, i64) = (-2_999, 2_100);

/// The stretch that stands for "no date is given", in astronomical years, 20,000 of them around the
/// middle of [`YEARS`].
///
/// Source: a choice. It is so wide that every date lies inside it and none fits it well.
pub const UNDATED_YEARS: (i64, i64) = (-10_449, 9_550);

/// The first day of the Gregorian calendar, 15 October 1582; days before it are written in the
/// Julian one.
pub const GREGORIAN: DayNumber = DayNumber(577_736);

/// The third of a decade or century.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Third {
    /// The first.
    Early,
    /// The second.
    Mid,
    /// The third.
    Late,
}

/// The grain of a stretch of days, which decides how it is put into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// One day.
    Day,
    /// A calendar month.
    Month,
    /// Three months, 0 = spring to 3 = winter, which ends in the next year.
    Season(u8),
    /// A calendar year.
    Year,
    /// Several whole years.
    Years,
    /// Any two days and what lies between them.
    Days,
    /// Five years on each side of a year.
    Circa,
    /// Ten years.
    Decade,
    /// A third of ten years.
    DecadePart(Third),
    /// A hundred years, those of the first century but 99.
    Century,
    /// A third of a hundred years.
    CenturyPart(Third),
    /// A half of a hundred years, 0 or 1.
    CenturyHalf(u8),
    /// A quarter of a hundred years, 0 to 3.
    CenturyQuarter(u8),
    /// A thousand years.
    Millennium,
    /// A year of a Chinese era: its place in the list of eras and the year's number.
    EraYear(usize, i64),
    /// A lunar month of a year of a Chinese era.
    EraMonth(usize, i64, u8),
}

/// A stretch of days with its grain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// How it can be named.
    pub grain: Grain,
    /// The first day.
    pub first: DayNumber,
    /// The last day, not before the first.
    pub last: DayNumber,
}

impl Target {
    /// Gives the astronomical year of the middle day.
    pub fn year(&self) -> i64 {
        DayNumber((self.first.0 + self.last.0) / 2).year().0
    }

    /// Gives the length, in days.
    pub fn days(&self) -> i64 {
        self.last.0 - self.first.0 + 1
    }

    /// Gives the Gaussian of the closed form; `None` only for days in the wrong order.
    pub fn gaussian(&self) -> Option<Gaussian> {
        Gaussian::of_days(self.first, self.last)
    }

    /// Gives the stretch from one day to another, in the grain that names it best; `None` if the
    /// last is before the first.
    pub fn of_days(first: DayNumber, last: DayNumber) -> Option<Self> {
        if last < first {
            return None;
        }
        let (year, month, _) = first.to_gregorian();
        let from_to = |from: i64, to: i64| years(from, to) == (first, last);
        let from = year.0;
        let grain = if first == last {
            Grain::Day
        } else if months(from, month, 1) == (first, last) {
            Grain::Month
        } else if from_to(from, from) {
            Grain::Year
        } else if decade(from, (0, 9)) == (first, last) {
            Grain::Decade
        } else if century(from, (0, 99)) == (first, last) {
            Grain::Century
        } else if from_to(from, last.year().0) {
            Grain::Years
        } else {
            Grain::Days
        };
        Some(Self { grain, first, last })
    }

    /// Gives mean and length, in days, of the two ends that words for it name.
    pub fn ends(&self) -> [(f64, f64); 2] {
        let of = |first: DayNumber, last: DayNumber| {
            let days = (last.0 - first.0 + 1) as f64;
            (first.0 as f64 + days / 2.0, days)
        };
        match self.grain {
            Grain::Days => [of(self.first, self.first), of(self.last, self.last)],
            Grain::Years => [self.first.year(), self.last.year()]
                .map(|year| of(year.first_day(), year.last_day())),
            _ => [of(self.first, self.last); 2],
        }
    }

    /// Draws a stretch; `eras` grounds a year or month of an era.
    pub fn draw(chance: &mut Chance) -> Self {
        let year = draw_year(chance);
        let third = [Third::Early, Third::Mid, Third::Late][chance.below(3)];
        let grain = match chance.below(100) {
            0..18 => Grain::Day,
            18..30 => Grain::Month,
            30..35 => Grain::Season(chance.below(4) as u8),
            35..53 => Grain::Year,
            53..62 => Grain::Years,
            62..66 => Grain::Days,
            66..73 => Grain::Circa,
            73..79 => Grain::Decade,
            79..83 => Grain::DecadePart(third),
            83..90 => Grain::Century,
            90..94 => Grain::CenturyPart(third),
            94..96 => Grain::CenturyHalf(chance.below(2) as u8),
            96..98 => Grain::CenturyQuarter(chance.below(4) as u8),
            _ => Grain::Millennium,
        };
        Self::of_year(grain, year, chance)
    }

    /// Gives the stretch of a grain that holds some day of an astronomical year; what the year
    /// leaves open is drawn.
    pub fn of_year(grain: Grain, year: i64, chance: &mut Chance) -> Self {
        let month = chance.below(12) as u8 + 1;
        let day = || Year(year).first_day().0;
        let (first, last) = match grain {
            Grain::Day => {
                let day = day() + chance.below(365) as i64;
                (DayNumber(day), DayNumber(day))
            }
            Grain::Month => months(year, month, 1),
            Grain::Season(season) => months(year, [3, 6, 9, 12][usize::from(season % 4)], 3),
            Grain::Year | Grain::EraYear(..) | Grain::EraMonth(..) => years(year, year),
            Grain::Years => years(year, year + 1 + draw_span(chance, 60)),
            Grain::Days => {
                let first = day() + chance.below(365) as i64;
                let length = 2 + draw_span(chance, 3_000);
                (DayNumber(first), DayNumber(first + length))
            }
            Grain::Circa => years(year - 5, year + 5),
            Grain::Decade => decade(year, (0, 9)),
            Grain::DecadePart(third) => decade(
                year,
                match third {
                    Third::Early => (0, 2),
                    Third::Mid => (3, 6),
                    Third::Late => (7, 9),
                },
            ),
            Grain::Century => century(year, (0, 99)),
            Grain::CenturyPart(third) => century(
                year,
                match third {
                    Third::Early => (0, 32),
                    Third::Mid => (33, 66),
                    Third::Late => (67, 99),
                },
            ),
            Grain::CenturyHalf(half) => century(year, if half == 0 { (0, 49) } else { (50, 99) }),
            Grain::CenturyQuarter(quarter) => {
                let from = 25 * i64::from(quarter % 4);
                century(year, (from, from + 24))
            }
            Grain::Millennium => {
                // 1000 to 1 BC are the first millennium before the common era.
                if year > 0 {
                    let first = year / 1_000 * 1_000;
                    years(first.max(1), first + 999)
                } else {
                    let first = (year - 1).div_euclid(1_000) * 1_000;
                    years(first + 1, first + 1_000)
                }
            }
        };
        Self { grain, first, last }
    }

    /// Gives a stretch with a bounded similarity above 0.9 as two days, by moving both ends a
    /// little; the same days where they are few.
    pub fn perturbed(&self, chance: &mut Chance) -> Self {
        let most = self.days() / 16;
        let moved = |chance: &mut Chance| chance.below(2 * most as usize + 1) as i64 - most;
        let (a, b) = (moved(chance), moved(chance));
        if most == 0 {
            return *self;
        }
        Self {
            grain: Grain::Days,
            first: DayNumber(self.first.0 + a),
            last: DayNumber(self.last.0 + b),
        }
    }

    /// Gives a stretch of the same grain a few lengths away.
    pub fn near_miss(&self, chance: &mut Chance) -> Self {
        let steps = (1 + chance.below(3) as i64) * if chance.below(2) == 0 { 1 } else { -1 };
        match self.grain {
            Grain::Day | Grain::Days => self.moved(self.days() * steps),
            Grain::Month => {
                let (year, month, _) = self.first.to_gregorian();
                let at = year.0 * 12 + i64::from(month) - 1 + steps;
                let (first, last) = months(at.div_euclid(12), at.rem_euclid(12) as u8 + 1, 1);
                Self {
                    grain: Grain::Month,
                    first,
                    last,
                }
            }
            grain => {
                // A winter's middle lies in the year after the one that names it.
                let own = match grain {
                    Grain::Season(_) => self.first.year().0,
                    _ => self.year(),
                };
                let year = own + steps * self.cycle_years();
                Self::of_year(grain.plain(), year, chance)
            }
        }
    }

    /// Gives a stretch whose year has the same digits in another place or era.
    pub fn same_digits(&self, chance: &mut Chance) -> Self {
        let year = self.year();
        let mut digits = if year > 0 { year } else { 1 - year }
            .to_string()
            .into_bytes();
        let other = match chance.below(3) {
            // The other side of the common era.
            0 => 1 - year,
            1 if digits.len() > 3 => {
                digits.remove(0);
                number(&digits)
            }
            _ => {
                let (a, b) = (chance.below(digits.len()), chance.below(digits.len()));
                digits.swap(a, b);
                let swapped = number(&digits);
                if year > 0 { swapped } else { 1 - swapped }
            }
        };
        Self::of_year(self.grain.plain(), other.clamp(YEARS.0, YEARS.1), chance)
    }

    /// Gives a stretch that holds this one or lies within it.
    pub fn other_grain(&self, chance: &mut Chance) -> Self {
        let ladder = [
            Grain::Day,
            Grain::Month,
            Grain::Year,
            Grain::Decade,
            Grain::Century,
            Grain::Millennium,
        ];
        let own = self.days();
        let grain = loop {
            let grain = ladder[chance.below(ladder.len())];
            let days = [1, 30, 365, 3_652, 36_524, 365_242]
                [ladder.iter().position(|g| *g == grain).unwrap_or(0)];
            if days > 2 * own || 2 * days < own {
                break grain;
            }
        };
        let mut drawn = Self::of_year(grain, self.year(), chance);
        if grain == Grain::Day && own > 1 {
            let day = DayNumber(self.first.0 + chance.below(own as usize) as i64);
            drawn = Self {
                grain,
                first: day,
                last: day,
            };
        }
        drawn
    }

    /// Gives the years from a stretch to the next of its kind, which is longer than the stretch
    /// where it is a part of something.
    fn cycle_years(&self) -> i64 {
        match self.grain {
            Grain::Decade | Grain::DecadePart(_) => 10,
            Grain::Century
            | Grain::CenturyPart(_)
            | Grain::CenturyHalf(_)
            | Grain::CenturyQuarter(_) => 100,
            Grain::Millennium => 1_000,
            _ => ((self.days() as f64 / 365.2425).round() as i64).max(1),
        }
    }

    fn moved(&self, days: i64) -> Self {
        Self {
            grain: self.grain,
            first: DayNumber(self.first.0 + days),
            last: DayNumber(self.last.0 + days),
        }
    }
}

impl Grain {
    /// An era's date has no neighbors by arithmetic; a plain year or month stands in.
    fn plain(self) -> Self {
        match self {
            Self::EraYear(..) => Self::Year,
            Self::EraMonth(..) => Self::Month,
            other => other,
        }
    }
}

fn draw_year(chance: &mut Chance) -> i64 {
    match chance.below(100) {
        0..65 => 1_000 + chance.below(1_031) as i64,
        65..97 => YEARS.0 + chance.below((1_000 - YEARS.0) as usize) as i64,
        _ => 2_031 + chance.below((YEARS.1 - 2_030) as usize) as i64,
    }
}

/// Draws a length below `most` with short ones more often: the logarithm is uniform.
fn draw_span(chance: &mut Chance, most: usize) -> i64 {
    let share = chance.below(1 << 20) as f64 / f64::from(1 << 20);
    ((most as f64).powf(share) - 1.0) as i64
}

fn number(digits: &[u8]) -> i64 {
    digits
        .iter()
        .fold(0, |n, d| n * 10 + i64::from(d - b'0'))
        .max(1)
}

pub(super) fn years(first: i64, last: i64) -> (DayNumber, DayNumber) {
    (Year(first).first_day(), Year(last).last_day())
}

/// The first and last day of `count` months from a month of a year.
pub(super) fn months(year: i64, month: u8, count: i64) -> (DayNumber, DayNumber) {
    let start = |at: i64| {
        let year = Year(at.div_euclid(12));
        let month = at.rem_euclid(12) as u8 + 1;
        DayNumber::from_gregorian(year, month, 1).unwrap_or_else(|| year.first_day())
    };
    let at = year * 12 + i64::from(month) - 1;
    (start(at), DayNumber(start(at + count).0 - 1))
}

/// Years of the decade that holds a year, counted from its first; before the common era from its
/// earliest, so that the 440s BC are 449 to 440 BC.
fn decade(year: i64, (from, to): (i64, i64)) -> (DayNumber, DayNumber) {
    let first = if year > 0 {
        year / 10 * 10
    } else {
        1 - ((1 - year) / 10 * 10 + 9)
    };
    years(first + from, first + to)
}

/// Years of the century that holds a year; the first century has no year 0.
fn century(year: i64, (from, to): (i64, i64)) -> (DayNumber, DayNumber) {
    if year > 0 {
        let first = year / 100 * 100;
        years((first + from).max(1), first + to)
    } else {
        let first = 1 - (-year / 100 * 100 + 100);
        years(first + from, first + to)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use almanac::search::time::bounded;
    use almanac::time::Interval;

    #[test]
    fn the_gregorian_calendar_begins_where_it_did() {
        assert_eq!(
            DayNumber::from_gregorian(Year(1582), 10, 15),
            Some(GREGORIAN)
        );
    }

    #[test]
    fn named_stretches_are_those_of_the_time_module() {
        let mut chance = Chance::new(1);
        for (grain, year, first, last) in [
            (Grain::Century, 1853, 1800, 1899),
            (Grain::Century, -499, -499, -400),
            (Grain::Century, -400, -499, -400),
            (Grain::Century, 0, -99, 0),
            (Grain::Century, 50, 1, 99),
            (Grain::Decade, 1853, 1850, 1859),
            (Grain::Millennium, -1_500, -1_999, -1_000),
            (Grain::Millennium, 1853, 1000, 1999),
            (Grain::CenturyPart(Third::Late), 850, 867, 899),
        ] {
            let target = Target::of_year(grain, year, &mut chance);
            let years = Interval::years(Year(first), Year(last)).unwrap();
            assert_eq!(
                Interval::new(target.first, target.last),
                Some(years),
                "{grain:?} {year}"
            );
        }
    }

    #[test]
    fn positives_keep_a_similarity_above_nine_tenths() {
        let mut chance = Chance::new(2);
        for _ in 0..20_000 {
            let target = Target::draw(&mut chance);
            let moved = target.perturbed(&mut chance);
            let (p, q) = (target.gaussian().unwrap(), moved.gaussian().unwrap());
            assert!(bounded(p.divergence(q)) > 0.9, "{target:?} {moved:?}");
        }
    }

    #[test]
    fn hard_negatives_are_no_equals() {
        let mut chance = Chance::new(3);
        for _ in 0..20_000 {
            let target = Target::draw(&mut chance);
            let own = target.gaussian().unwrap();
            let near = target.near_miss(&mut chance).gaussian().unwrap();
            let other = target.other_grain(&mut chance).gaussian().unwrap();
            assert!(own.divergence(near) > 0.1, "{target:?}");
            assert!(own.divergence(other) > 0.1, "{target:?}");
        }
    }

    #[test]
    fn drawn_years_cover_five_millennia() {
        let mut chance = Chance::new(4);
        let years: Vec<i64> = (0..20_000)
            .map(|_| Target::draw(&mut chance).year())
            .collect();
        assert!(years.iter().min().unwrap() < &-2_950);
        assert!(years.iter().max().unwrap() > &2_095);
        let modern = years
            .iter()
            .filter(|y| (1_000..=2_030).contains(*y))
            .count();
        assert!((12_000..14_000).contains(&modern), "{modern}");
    }
}
