//! Intervals as Gaussians and the divergence between them, in closed form.

use crate::time::{DayNumber, Interval};

/// An inclusive interval of days as the Gaussian with the same mean and variance.
///
/// Days are those of [`DayNumber`]; day `n` is the stretch from `n` to `n + 1`, so the interval of
/// days `a` to `b` has the mean (a + b + 1) / 2 and the variance (b − a + 1)² / 12, in days².
///
/// ```
/// use almanac::search::time::Gaussian;
/// use almanac::time::{Interval, Year};
///
/// let year = Gaussian::of_interval(Interval::years(Year(1990), Year(1990)).unwrap()).unwrap();
/// let next = Gaussian::of_interval(Interval::years(Year(1991), Year(1991)).unwrap()).unwrap();
/// assert_eq!(year.divergence(next), 6.0);
/// ```
///
/// Source: TEMPS (Hassani, Romero, Bouzeghoub and Jacquelinet), appendix A.1.1: moment matching of
/// the uniform distribution over an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaussian {
    mean: f64,
    length: f64,
}

impl Gaussian {
    /// Gives the Gaussian of the days `first` to `last`; `None` when they are in the wrong order.
    #[must_use]
    pub fn of_days(first: DayNumber, last: DayNumber) -> Option<Self> {
        (first <= last).then(|| Self {
            mean: (first.0 as f64 + last.0 as f64 + 1.0) / 2.0,
            length: (last.0 - first.0 + 1) as f64,
        })
    }

    /// Gives the Gaussian of an interval; `None` when an end is open or unknown.
    #[must_use]
    pub fn of_interval(interval: Interval) -> Option<Self> {
        Self::of_days(interval.first.day()?, interval.last.day()?)
    }

    /// Gives the Gaussian with a mean, in days, and the variance of an interval of `length` days;
    /// `None` unless both are finite and the length is above 0.
    #[must_use]
    pub fn of_moments(mean: f64, length: f64) -> Option<Self> {
        (mean.is_finite() && length.is_finite() && length > 0.0).then_some(Self { mean, length })
    }

    pub(super) fn of_span(start: f64, end: f64) -> Self {
        Self {
            mean: (start + end) / 2.0,
            length: end - start,
        }
    }

    /// Gives the mean, in days.
    #[must_use]
    pub fn mean(self) -> f64 {
        self.mean
    }

    /// Gives the length of the interval with this variance, in days.
    #[must_use]
    pub fn length(self) -> f64 {
        self.length
    }

    /// Gives the variance, in days².
    #[must_use]
    pub fn variance(self) -> f64 {
        self.length * self.length / 12.0
    }

    /// Gives the Kullback–Leibler divergence KL(self ‖ other), in nats.
    ///
    /// It is 0 for equal intervals and positive otherwise, and depends only on the ratio of the
    /// lengths and on the distance of the means in lengths of `other`.
    ///
    /// Source: the divergence of two normal distributions with σ² = L² / 12, simplified.
    #[must_use]
    pub fn divergence(self, other: Self) -> f64 {
        let ratio = self.length / other.length;
        let distance = (self.mean - other.mean) / other.length;
        // Rounding can put the first term a hair below zero for nearly equal lengths.
        let lengths = (0.5 * (ratio * ratio - 1.0 - 2.0 * ratio.ln())).max(0.0);
        lengths + 6.0 * distance * distance
    }
}

/// Gives the temporal similarity function of TEMPS for a query and a document: the divergence
/// KL(query ‖ document), in nats, 0 for the best match.
///
/// Source: TEMPS, appendix A.1.1.
#[must_use]
pub fn tsf(query: Gaussian, document: Gaussian) -> f64 {
    query.divergence(document)
}

/// Turns a divergence in nats into a similarity in (0, 1], 1 for no divergence.
///
/// Source: TEMPS, section 5: 1 / (1 + KL).
#[must_use]
pub fn bounded(divergence: f64) -> f64 {
    1.0 / (1.0 + divergence)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::{Year, parse_iso_day};
    use proptest::prelude::*;

    fn days(first: i64, last: i64) -> Gaussian {
        Gaussian::of_days(DayNumber(first), DayNumber(last)).unwrap()
    }

    fn years(first: i64, last: i64) -> Gaussian {
        Gaussian::of_interval(Interval::years(Year(first), Year(last)).unwrap()).unwrap()
    }

    fn day(text: &str) -> Gaussian {
        let day = parse_iso_day(text).unwrap();
        days(day.0, day.0)
    }

    #[test]
    fn moments_are_those_of_the_uniform_distribution() {
        let week = days(10, 16);
        assert_eq!(week.mean(), 13.5);
        assert_eq!(week.variance(), 49.0 / 12.0);
    }

    #[test]
    fn published_values_are_reproduced() {
        let decade = years(1980, 1989);
        let printed = [
            (tsf(day("1990-06-15"), years(1990, 1990)), 3, "5.413"),
            (tsf(years(1990, 1990), day("1990-06-15")), 0, "68340"),
            (tsf(days(0, 9), days(9, 18)), 2, "4.86"),
            (tsf(days(0, 9), days(10, 19)), 2, "6.00"),
            (tsf(years(1985, 1985), decade), 2, "1.82"),
            (tsf(decade, years(1985, 1985)), 2, "48.79"),
            (tsf(day("1990-12-31"), years(1990, 1990)), 2, "6.89"),
            (tsf(years(1990, 1990), day("1990-12-31")), 0, "265350"),
            (tsf(years(1990, 1990), years(1991, 1991)), 2, "6.00"),
            (tsf(years(1990, 1990), years(2500, 2500)) / 1e6, 2, "1.56"),
        ];
        for (value, digits, text) in printed {
            assert_eq!(format!("{value:.digits$}"), text);
        }
    }

    #[test]
    fn similarity_above_nine_tenths_is_a_divergence_below_a_ninth() {
        assert!((bounded(1.0 / 9.0) - 0.9).abs() < 1e-12);
        assert_eq!(bounded(0.0), 1.0);
    }

    proptest! {
        #[test]
        fn divergence_is_zero_only_for_equal_intervals(
            a in -3_000_000i64..3_000_000, la in 1i64..400_000,
            b in -3_000_000i64..3_000_000, lb in 1i64..400_000,
        ) {
            let (p, q) = (days(a, a + la - 1), days(b, b + lb - 1));
            prop_assert_eq!(p.divergence(p), 0.0);
            prop_assert!(p.divergence(q) >= 0.0);
            prop_assert!(p.mean() == q.mean() || p.divergence(q) > 0.0);
        }

        #[test]
        fn divergence_of_equal_lengths_is_symmetric(
            a in -3_000_000i64..3_000_000, b in -3_000_000i64..3_000_000, length in 1i64..400_000,
        ) {
            let (p, q) = (days(a, a + length - 1), days(b, b + length - 1));
            prop_assert_eq!(p.divergence(q), q.divergence(p));
        }
    }
}
