//! How well one interval answers another.

use super::gaussian::{Gaussian, bounded};
use super::span::{Span, close};
use crate::time::{Interval, YEAR_LENGTH_DAYS, YearArc};
use serde::{Deserialize, Serialize};

/// The score below which two intervals have no day in common and above which they do.
///
/// Source: a choice; half of the scale for what may be true, half for what cannot.
pub const OVERLAP_FLOOR: f64 = 0.5;

/// The score of a passage without a date: below every date that may agree and those near what was
/// asked, about that of a date eight times the asked length away, above those farther off.
///
/// Source: chosen on development queries of four test sets, see `docs/ranking.md`.
pub const NEUTRAL: f64 = 0.3 * OVERLAP_FLOOR;

/// The least stretch of time that misses are counted in, in days.
///
/// Source: a choice, a year, the grain in which most catalogues and most prose give dates.
const LEAST_GRAIN: f64 = YEAR_LENGTH_DAYS;

/// The ways to compare the interval of a query with that of a document; all give 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeScore {
    /// 1 / (1 + KL(query ‖ document)), as in TEMPS: it punishes a document that is more precise
    /// than the query.
    Temps,
    /// 1 / (1 + KL(document ‖ query)): it punishes a document that is less precise.
    Reverse,
    /// Half [`TimeScore::Reverse`], half the share of the document's days that the query asks for.
    Mix,
    /// Almanac's own: 1 inside the query, more than [`OVERLAP_FLOOR`] by the share of the document
    /// inside it, less by the distance.
    #[default]
    Museum,
    /// Almanac's own for texts that tell what lasted, such as lives and chronicles: they name the day
    /// or year in which a state began, and whoever asks about a time asks about the state. Two
    /// fifths of [`TimeScore::Museum`], the rest by how near the beginnings of document and query
    /// lie. A query without a beginning is scored as by [`TimeScore::Museum`].
    Prose,
}

/// The share of the beginning in [`TimeScore::Prose`].
///
/// Source: chosen on the training questions of TimeQA, see `docs/ranking.md`.
const BEGINNING: f64 = 0.6;

impl TimeScore {
    /// Scores a document's interval against a query's; `None` when one of them says nothing.
    ///
    /// An open end is taken to reach a century beyond every known end of the two.
    ///
    /// ```
    /// use almanac::search::time::TimeScore;
    /// use almanac::time::{Interval, Year};
    ///
    /// let years = |a, b| Interval::years(Year(a), Year(b)).unwrap();
    /// let score = |d| TimeScore::Museum.interval(years(1850, 1859), d).unwrap();
    /// assert_eq!(score(years(1853, 1853)), 1.0);
    /// assert!(score(years(1801, 1900)) > score(years(1870, 1879)));
    /// ```
    #[must_use]
    pub fn interval(self, query: Interval, document: Interval) -> Option<f64> {
        // What was always so began on no day.
        let way = self.for_query(query.first.day().is_some());
        let (query, document) = close(query, document)?;
        let gaussian = |s: Span| Gaussian::of_span(s.start, s.end);
        let (q, d) = (gaussian(query), gaussian(document));
        let common = query.common(document);
        let fits = || {
            let gap = query.gap(document) / query.length().max(LEAST_GRAIN);
            museum(common, document.length(), gap)
        };
        Some(match way {
            Self::Temps => bounded(q.divergence(d)),
            Self::Reverse => bounded(d.divergence(q)),
            Self::Mix => 0.5 * common / document.length() + 0.5 * bounded(d.divergence(q)),
            Self::Museum => fits(),
            Self::Prose => (1.0 - BEGINNING) * fits() + BEGINNING * beginning(query, document),
        })
    }

    /// Scores two parts of the year on the circle of the year; `None` when one is a whole year.
    #[must_use]
    pub fn season(self, query: YearArc, document: YearArc) -> Option<f64> {
        let (lq, ld) = (query.length, document.length);
        if lq.max(ld) >= YEAR_LENGTH_DAYS {
            return None;
        }
        let distance = query.distance(document);
        let centered = |center: f64, length: f64| Span {
            start: center - length / 2.0,
            end: center + length / 2.0,
        };
        let asked = centered(0.0, lq);
        // Two long arcs can meet on both sides of the year.
        let common = [distance, distance - YEAR_LENGTH_DAYS]
            .into_iter()
            .map(|center| asked.common(centered(center, ld)))
            .sum::<f64>()
            .min(ld);
        let toward = |p: f64, q: f64| {
            Gaussian::of_span(-p / 2.0, p / 2.0)
                .divergence(Gaussian::of_span(distance - q / 2.0, distance + q / 2.0))
        };
        Some(match self {
            Self::Temps => bounded(toward(lq, ld)),
            Self::Reverse => bounded(toward(ld, lq)),
            Self::Mix => 0.5 * common / ld + 0.5 * bounded(toward(ld, lq)),
            Self::Museum | Self::Prose => {
                museum(common, ld, (distance - (lq + ld) / 2.0).max(0.0) / lq)
            }
        })
    }

    /// Gives the score of a passage about whose time nothing is known.
    ///
    /// [`TimeScore::Museum`] gives the neutral [`NEUTRAL`], [`TimeScore::Prose`] its part of it; the
    /// others the worst, as a fusion of divergences does.
    #[must_use]
    pub fn unknown(self) -> f64 {
        match self {
            Self::Museum => NEUTRAL,
            Self::Prose => (1.0 - BEGINNING) * NEUTRAL,
            _ => 0.0,
        }
    }

    /// Gives the way in which the dates of one query are compared: prose only where a query has a
    /// beginning.
    pub(crate) fn for_query(self, begins: bool) -> Self {
        match self {
            Self::Prose if !begins => Self::Museum,
            other => other,
        }
    }

    /// Whether the score is a divergence brought to 0 to 1, which has no scale of its own.
    #[must_use]
    pub fn is_divergence(self) -> bool {
        matches!(self, Self::Temps | Self::Reverse | Self::Mix)
    }
}

/// How near the beginnings of a query and a document lie, 0 to 1; 0 where the document begins when
/// what was asked for is over.
fn beginning(query: Span, document: Span) -> f64 {
    if document.start >= query.end {
        return 0.0;
    }
    let away = (document.start - query.start).abs() / LEAST_GRAIN;
    1.0 / (1.0 + away.ln_1p())
}

/// The museum score from the common length and the document's, in days, and from the empty stretch
/// between both, in the grain of the query.
///
/// What may be true is ranked by the share of the document inside the query, what cannot be by the
/// stretch between. Both count by their logarithm, which keeps vague from very vague and near from
/// far apart at every scale.
fn museum(common: f64, document: f64, gap: f64) -> f64 {
    if common > 0.0 {
        let share = 1.0 / (1.0 + (document / common).max(1.0).ln());
        OVERLAP_FLOOR + (1.0 - OVERLAP_FLOOR) * share
    } else {
        OVERLAP_FLOOR / (1.0 + (2.0 + gap).ln())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::{DayNumber, Year};
    use proptest::prelude::*;

    fn days(first: i64, length: i64) -> Interval {
        Interval::new(DayNumber(first), DayNumber(first + length - 1)).unwrap()
    }

    fn score(query: Interval, document: Interval) -> f64 {
        TimeScore::Museum.interval(query, document).unwrap()
    }

    /// Lengths of a day, a week, a month, a year, a decade, a century and a millennium, and others.
    fn length() -> impl Strategy<Value = i64> {
        prop_oneof![
            Just(1i64),
            Just(7),
            Just(30),
            Just(365),
            Just(3_652),
            Just(36_525),
            Just(365_250),
            1i64..500_000,
        ]
    }

    const KINDS: [TimeScore; 5] = [
        TimeScore::Temps,
        TimeScore::Reverse,
        TimeScore::Mix,
        TimeScore::Museum,
        TimeScore::Prose,
    ];

    /// A part of the year from a day to most of it.
    fn arc() -> impl Strategy<Value = YearArc> {
        let length = prop_oneof![Just(1f64), Just(30.0), Just(92.0), 1f64..364.0];
        (0f64..YEAR_LENGTH_DAYS, length).prop_map(|(center, length)| YearArc { center, length })
    }

    fn turned(arc: YearArc, by: f64) -> YearArc {
        let center = (arc.center + by).rem_euclid(YEAR_LENGTH_DAYS);
        YearArc { center, ..arc }
    }

    /// Whether no rounding decides if two arcs meet, on either side of the year.
    fn apart(a: YearArc, b: YearArc) -> bool {
        let (distance, reach) = (a.distance(b), (a.length + b.length) / 2.0);
        (distance - reach).abs() > 1e-6 && (YEAR_LENGTH_DAYS - distance - reach).abs() > 1e-6
    }

    fn start() -> impl Strategy<Value = i64> {
        prop_oneof![-1_500_000i64..800_000, 600_000i64..640_000]
    }

    #[test]
    fn published_table_of_directions_is_reproduced() {
        let years = |a, b| Interval::years(Year(a), Year(b)).unwrap();
        let query = years(1850, 1859);
        let table = [
            (years(1840, 1860), "0.613", "0.315", "0.395"),
            (years(1870, 1879), "0.040", "0.040", "0.020"),
            (years(1853, 1853), "0.016", "0.340", "0.670"),
            (years(1953, 1953), "0.000", "0.002", "0.001"),
        ];
        for (document, temps, reverse, mix) in table {
            let text =
                |score: TimeScore| format!("{:.3}", score.interval(query, document).unwrap());
            assert_eq!(text(TimeScore::Temps), temps, "{}", document.display());
            assert_eq!(text(TimeScore::Reverse), reverse, "{}", document.display());
            assert_eq!(text(TimeScore::Mix), mix, "{}", document.display());
        }
    }

    #[test]
    fn prose_puts_the_beginning_of_a_state_first_and_what_may_last_above_what_came_later() {
        let years = |a, b| Interval::years(Year(a), Year(b)).unwrap();
        let query = years(1850, 1859);
        let score = |document| TimeScore::Prose.interval(query, document).unwrap();
        let ranked = [
            years(1850, 1859),
            years(1850, 1850),
            years(1853, 1853),
            years(1849, 1849),
            years(1820, 1820),
            years(1860, 1860),
            years(1900, 1900),
        ];
        assert_eq!(score(ranked[0]), 1.0);
        let order = ranked.map(score);
        assert!(order.is_sorted_by(|a, b| a >= b), "{order:?}");
        let until = Interval::until(DayNumber(700_000));
        assert_eq!(
            TimeScore::Prose.interval(until, query),
            TimeScore::Museum.interval(until, query)
        );
    }

    #[test]
    fn an_interval_without_ends_says_nothing() {
        let nothing = Interval {
            first: crate::time::Bound::Open,
            last: crate::time::Bound::Unknown,
        };
        assert_eq!(TimeScore::Museum.interval(nothing, days(0, 10)), None);
        assert_eq!(TimeScore::Museum.interval(days(0, 10), nothing), None);
    }

    #[test]
    fn winter_answers_january_across_the_new_year() {
        let january = YearArc {
            center: 15.5,
            length: 31.0,
        };
        let december = YearArc {
            center: 349.5,
            length: 31.0,
        };
        let winter = YearArc {
            center: 14.0,
            length: 90.0,
        };
        let july = YearArc {
            center: 197.0,
            length: 31.0,
        };
        let score = |document| TimeScore::Museum.season(winter, document).unwrap();
        assert_eq!(score(january), 1.0);
        assert!(score(december) > OVERLAP_FLOOR);
        assert!(score(july) < OVERLAP_FLOOR);
        let year = YearArc {
            center: 0.0,
            length: YEAR_LENGTH_DAYS,
        };
        assert_eq!(TimeScore::Museum.season(winter, year), None);
    }

    proptest! {
        #[test]
        fn in_prose_a_date_before_ranks_at_or_above_one_as_far_after(
            q in start(), lq in length(), l in length(), gap in 0i64..900_000,
        ) {
            let query = days(q, lq);
            let score = |document| TimeScore::Prose.interval(query, document).unwrap();
            prop_assert!(score(days(q - gap - l, l)) >= score(days(q + lq + gap, l)));
        }

        #[test]
        fn in_prose_a_state_that_lasts_longer_before_or_into_the_query_is_never_worse(
            q in start(), lq in length(), before in 1i64..200_000, l in 1i64..100_000, more in 0i64..100_000,
        ) {
            let score = |length| TimeScore::Prose.interval(days(q, lq), days(q - before, length)).unwrap();
            let longer = (l + more).min(before + lq);
            prop_assert!(score(longer) >= score(l.min(longer)) - 1e-12);
        }

        #[test]
        fn in_prose_a_later_beginning_inside_the_query_is_never_better(
            q in start(), lq in length(), a in 0f64..1.0, b in 0f64..1.0,
        ) {
            let day = |part: f64| days(q + ((lq - 1) as f64 * part) as i64, 1);
            let score = |document| TimeScore::Prose.interval(days(q, lq), document).unwrap();
            prop_assert!(score(day(a.min(b))) >= score(day(a.max(b))));
        }

        #[test]
        fn inside_ranks_at_or_above_disjoint_at_every_grain(
            q in start(), lq in length(), at in 0f64..1.0, part in 0f64..1.0,
            gap in prop_oneof![0i64..40, 0i64..900_000], other in length(), before in any::<bool>(),
        ) {
            let inner = ((lq as f64 * part) as i64).clamp(1, lq);
            let inside = days(q + ((lq - inner) as f64 * at) as i64, inner);
            let disjoint = if before { days(q - gap - other, other) } else { days(q + lq + gap, other) };
            let query = days(q, lq);
            prop_assert!(query.contains(inside));
            prop_assert!(score(query, inside) >= score(query, disjoint));
            prop_assert!(score(query, disjoint) < OVERLAP_FLOOR);
        }

        #[test]
        fn farther_is_never_better_for_equal_lengths(
            q in start(), lq in length(), l in length(),
            near in 0i64..1_000_000, further in 0i64..1_000_000, before in any::<bool>(),
        ) {
            // Distances are between centers; doubling keeps half days whole.
            let query = days(2 * q, 2 * lq);
            let place = |distance: i64| {
                let sign = if before { -1 } else { 1 };
                days(2 * q + lq - l + sign * distance, 2 * l)
            };
            let (near, far) = (place(near), place(near + further));
            prop_assert!(score(query, near) >= score(query, far));
        }

        #[test]
        fn equal_lengths_are_symmetric(a in start(), b in start(), l in length()) {
            let (a, b) = (days(a, l), days(b, l));
            prop_assert_eq!(score(a, b), score(b, a));
        }

        #[test]
        fn sharp_beats_vague_when_both_contain_the_query(
            q in start(), lq in length(),
            sharp in (0i64..50_000, 0i64..50_000), vague in (0i64..50_000, 0i64..50_000),
        ) {
            let around = |(before, after): (i64, i64)| days(q - before, before + lq + after);
            let (a, b) = (around(sharp), around(vague));
            prop_assume!(a.days() < b.days());
            prop_assert!(score(days(q, lq), a) > score(days(q, lq), b));
        }

        #[test]
        fn overlap_is_never_no_match(
            q in start(), lq in length(), l in length(), share in 0f64..1.0,
        ) {
            let offset = ((lq + l - 2) as f64 * share) as i64;
            let document = days(q - l + 1 + offset, l);
            prop_assert!(days(q, lq).intersect(document).is_some());
            prop_assert!(score(days(q, lq), document) > OVERLAP_FLOOR);
            prop_assert!(score(days(q, lq), document) > NEUTRAL);
        }

        #[test]
        fn open_ends_hold_all_that_lies_beyond(
            edge in start(), after in 0i64..1_000_000, l in length(), lq in length(),
        ) {
            let since = Interval::since(DayNumber(edge));
            let until = Interval::until(DayNumber(edge));
            let later = days(edge + after, l);
            let earlier = days(edge - after - l + 1, l);
            prop_assert_eq!(score(since, later), 1.0);
            prop_assert_eq!(score(until, earlier), 1.0);
            // A document with an open end may be what a closed query asks for, on that side only.
            prop_assert!(score(days(edge + after, lq), since) > OVERLAP_FLOOR);
            prop_assert!(score(days(edge - after - lq, lq), since) < OVERLAP_FLOOR);
            prop_assert_eq!(score(since, Interval::since(DayNumber(edge + after))), 1.0);
        }

        #[test]
        fn closed_dates_inside_an_open_query_all_count_alike(
            edge in start(), near in 0i64..1_000_000, far in 0i64..1_000_000,
            l in length(), beyond in 1i64..100_000,
        ) {
            let before = Interval::until(DayNumber(edge));
            let place = |gap: i64| days(edge - gap - l + 1, l);
            prop_assert_eq!(score(before, place(near)), score(before, place(far)));
            // Across the edge it may still be; all beyond the edge it cannot.
            prop_assert!(score(before, days(edge, l + beyond)) > OVERLAP_FLOOR);
            prop_assert!(score(before, days(edge + 1, l)) < OVERLAP_FLOOR);
        }

        #[test]
        fn rotation_of_the_year_changes_nothing(
            q in arc(), d in arc(), turn in 0f64..YEAR_LENGTH_DAYS,
        ) {
            prop_assume!(apart(q, d));
            for kind in KINDS {
                let (a, b) = (kind.season(q, d).unwrap(), kind.season(turned(q, turn), turned(d, turn)).unwrap());
                prop_assert!((a - b).abs() < 1e-6, "{:?} {} {}", kind, a, b);
            }
        }

        #[test]
        fn seasons_of_equal_length_are_symmetric(q in arc(), center in 0f64..YEAR_LENGTH_DAYS) {
            let d = YearArc { center, ..q };
            for kind in KINDS {
                let (a, b) = (kind.season(q, d).unwrap(), kind.season(d, q).unwrap());
                prop_assert!((a - b).abs() < 1e-9, "{:?} {} {}", kind, a, b);
            }
        }

        #[test]
        fn season_inside_ranks_at_or_above_season_outside(
            q in arc(), other in arc(), part in 0.01f64..1.0, at in -1f64..1.0,
        ) {
            let inner = q.length * part;
            let shift = at * (q.length - inner) / 2.0 * 0.999;
            let inside = turned(YearArc { center: q.center, length: inner }, shift);
            let score = |d| TimeScore::Museum.season(q, d).unwrap();
            prop_assert!((score(inside) - 1.0).abs() < 1e-6);
            prop_assert!(score(inside) >= score(other) - 1e-6);
            if q.distance(other) >= (q.length + other.length) / 2.0 {
                prop_assert!(score(other) < OVERLAP_FLOOR);
            } else {
                prop_assert!(score(other) > OVERLAP_FLOOR);
            }
        }

        #[test]
        fn farther_season_is_never_better_for_equal_lengths(
            q in arc(), length in 1f64..180.0, a in 0f64..182.6, b in 0f64..182.6,
        ) {
            // Arcs that together fill the year meet on both sides.
            prop_assume!(q.length + length <= YEAR_LENGTH_DAYS);
            let place = |by: f64| turned(YearArc { center: q.center, length }, by);
            let (near, far) = (place(a.min(b)), place(a.max(b)));
            let score = |d| TimeScore::Museum.season(q, d).unwrap();
            prop_assume!(apart(q, near) && apart(q, far));
            prop_assert!(score(near) >= score(far) - 1e-9);
        }

        #[test]
        fn every_score_lies_between_nothing_and_one(
            q in start(), lq in length(), d in start(), l in length(), open in 0u8..4,
        ) {
            let document = match open {
                0 => Interval::since(DayNumber(d)),
                1 => Interval::until(DayNumber(d)),
                _ => days(d, l),
            };
            for kind in KINDS {
                let score = kind.interval(days(q, lq), document).unwrap();
                prop_assert!((0.0..=1.0).contains(&score), "{:?} {}", kind, score);
            }
        }
    }
}
