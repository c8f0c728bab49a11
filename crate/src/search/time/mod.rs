//! Ranking by time: how well the dates of a passage answer those of a query.
//!
//! A passage keeps all its dates, each with a role, and counts by the best of them. The closed form
//! of TEMPS ([`Gaussian`], [`tsf`]) is one [`TimeScore`] among others; the default,
//! [`TimeScore::Museum`], ranks everything inside the asked time at or above everything outside it.

mod gaussian;
mod score;
mod span;

pub use gaussian::{Gaussian, bounded, tsf};
pub use score::{NEUTRAL, OVERLAP_FLOOR, TimeScore};

use crate::time::{Dating, Interval, Role};
use serde::{Deserialize, Serialize};

/// How the best date of a passage lies to the time that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// All of it lies within.
    Inside,
    /// It may lie within.
    Overlaps,
    /// It lies elsewhere.
    Outside,
    /// The passage says nothing about time; its score is neutral, not the worst.
    Unknown,
}

/// The temporal score of a passage, with its reason.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeMatch {
    /// The score, 0 to 1.
    pub score: f64,
    /// How the date lies to the time asked for; of several times asked for, the worst answered.
    pub relation: Relation,
    /// Which of the passage's dates it is; `None` when unknown.
    pub date: Option<usize>,
}

/// Gives the weight of a date of role `held` for a query about dates of role `asked`, in (0, 1].
///
/// A date of the same role counts fully. To a query that only names a time, an object's own dates
/// count more than those of its later life, and these more than the years of a person's life.
///
/// Source: a choice, by what a catalogue's dates say about the object itself; not fitted to data.
#[must_use]
pub fn role_weight(asked: Role, held: Role) -> f64 {
    if asked == held {
        return 1.0;
    }
    match (asked, held) {
        (Role::Mentioned, Role::Lifespan) => 0.7,
        (Role::Mentioned, Role::Restored | Role::Exhibited | Role::Reprinted) => 0.8,
        (Role::Mentioned, _) => 1.0,
        (_, Role::Mentioned) => 0.9,
        _ => 0.6,
    }
}

/// Scores the dates of a passage against those of a query, which must not be empty.
///
/// Each date of the query takes the passage's best, each drawn toward the score of no date by
/// `weight(asked, held)` in (0, 1], see [`role_weight`]; the mean over the query's dates is the score, so that a
/// season and a year asked for together both count. A date of the query that nothing in the passage
/// can be compared with counts as unknown.
#[must_use]
pub fn passage_score(
    score: TimeScore,
    query: &[Dating],
    passage: &[Dating],
    weight: impl Fn(usize, usize) -> f64,
) -> TimeMatch {
    let mut total = 0.0;
    let mut worst: Option<TimeMatch> = None;
    for (asked_at, asked) in query.iter().enumerate() {
        let begins = |reading: &Interval| reading.first.day().is_some();
        let score = score.for_query(asked.readings.iter().any(begins));
        let answer = best(score, asked, passage, |held| weight(asked_at, held));
        total += answer.score;
        if worst.is_none_or(|w| answer.score < w.score) {
            worst = Some(answer);
        }
    }
    let worst = worst.unwrap_or(TimeMatch {
        score: score.unknown(),
        relation: Relation::Unknown,
        date: None,
    });
    TimeMatch {
        score: if query.is_empty() {
            worst.score
        } else {
            total / query.len() as f64
        },
        ..worst
    }
}

/// The best answer of a passage to one date.
fn best(
    score: TimeScore,
    asked: &Dating,
    passage: &[Dating],
    weight: impl Fn(usize) -> f64,
) -> TimeMatch {
    let mut top = TimeMatch {
        score: score.unknown(),
        relation: Relation::Unknown,
        date: None,
    };
    for (at, held) in passage.iter().enumerate() {
        if let Some((value, relation)) = pair(score, asked, held) {
            let value = weighed(value, score.unknown(), weight(at));
            if top.date.is_none() || value > top.score {
                top = TimeMatch {
                    score: value,
                    relation,
                    date: Some(at),
                };
            }
        }
    }
    top
}

/// Draws the score of a date that may be beside the point toward that of no date, by its weight.
///
/// Below the neutral score it stays: a date that says little is no reason to raise a passage.
fn weighed(value: f64, unknown: f64, weight: f64) -> f64 {
    if value > unknown {
        unknown + (value - unknown) * weight
    } else {
        value
    }
}

/// The best score of two dates over their readings and, where both have one, their parts of the
/// year; `None` when no axis has both.
fn pair(score: TimeScore, asked: &Dating, held: &Dating) -> Option<(f64, Relation)> {
    let absolute = asked.readings.iter().flat_map(|q| {
        held.readings.iter().filter_map(|d| {
            let relation = if q.contains(*d) {
                Relation::Inside
            } else if q.intersect(*d).is_some() {
                Relation::Overlaps
            } else {
                Relation::Outside
            };
            Some((score.interval(*q, *d)?, relation))
        })
    });
    // The circle of the year answers only for those who ask about it.
    let seasonal = asked.arc.into_iter().flat_map(|q| {
        held.arcs().filter_map(move |d| {
            let value = score.season(q, d)?;
            let inside = q.distance(d) + d.length / 2.0 <= q.length / 2.0;
            let meets = q.distance(d) < (q.length + d.length) / 2.0;
            let relation = match (inside, meets) {
                (true, _) => Relation::Inside,
                (_, true) => Relation::Overlaps,
                _ => Relation::Outside,
            };
            Some((value, relation))
        })
    });
    absolute.chain(seasonal).max_by(|a, b| a.0.total_cmp(&b.0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::{DayNumber, Interval, Lang, Settings, YearArc, find};
    use proptest::prelude::*;

    const ROLES: [Role; 7] = [
        Role::Mentioned,
        Role::Created,
        Role::Printed,
        Role::Restored,
        Role::Exhibited,
        Role::Reprinted,
        Role::Lifespan,
    ];

    fn role() -> impl Strategy<Value = Role> {
        proptest::sample::select(ROLES.to_vec())
    }

    /// Dates within some centuries of each other, of all grains, some with several readings.
    fn dating() -> impl Strategy<Value = Dating> {
        let length = prop_oneof![Just(1i64), Just(30), Just(365), Just(3_652), Just(36_525)];
        let reading = (600_000i64..700_000, length)
            .prop_filter_map("in order", |(first, length)| {
                Interval::new(DayNumber(first), DayNumber(first + length - 1))
            });
        (proptest::collection::vec(reading, 1..3), role()).prop_map(|(readings, role)| Dating {
            readings,
            arc: None,
            role,
        })
    }

    fn season(center: f64) -> Dating {
        let length = 92.0;
        Dating {
            readings: Vec::new(),
            arc: Some(YearArc { center, length }),
            role: Role::Mentioned,
        }
    }

    fn by_role(query: &[Dating], passage: &[Dating]) -> TimeMatch {
        passage_score(TimeScore::Museum, query, passage, |a, h| {
            role_weight(query[a].role, passage[h].role)
        })
    }

    proptest! {
        #[test]
        fn passage_counts_by_the_best_of_its_weighted_dates(
            asked in dating(),
            held in proptest::collection::vec((dating(), 0.01f64..=1.0), 1..6),
        ) {
            let (dates, weights): (Vec<Dating>, Vec<f64>) = held.into_iter().unzip();
            let query = std::slice::from_ref(&asked);
            let whole = passage_score(TimeScore::Museum, query, &dates, |_, h| weights[h]);
            let alone = |at: usize| {
                passage_score(TimeScore::Museum, query, &dates[at..=at], |_, _| weights[at]).score
            };
            let best = (0..dates.len()).map(alone).fold(0.0, f64::max);
            prop_assert_eq!(whole.score, best);
            prop_assert_eq!(alone(whole.date.unwrap()), best);
        }

        #[test]
        fn another_date_or_reading_never_lowers_a_dated_passage(
            asked in dating(), held in dating(), more in dating(),
        ) {
            let one = by_role(std::slice::from_ref(&asked), std::slice::from_ref(&held));
            let two = by_role(std::slice::from_ref(&asked), &[held.clone(), more.clone()]);
            prop_assert!(two.score >= one.score);
            let mut wider = held;
            wider.readings.extend(more.readings);
            prop_assert!(by_role(std::slice::from_ref(&asked), &[wider]).score >= one.score);
        }

        #[test]
        fn lower_weight_never_raises_a_score(
            query in proptest::collection::vec(dating(), 1..4),
            held in proptest::collection::vec((dating(), 0.01f64..=1.0, 0.01f64..=1.0), 1..6),
        ) {
            let dates: Vec<Dating> = held.iter().map(|h| h.0.clone()).collect();
            let with = |weight: &dyn Fn(usize) -> f64| {
                passage_score(TimeScore::Museum, &query, &dates, |_, h| weight(h)).score
            };
            let high = with(&|h| held[h].1);
            let low = with(&|h| held[h].1 * held[h].2);
            prop_assert!(low <= high + 1e-12);
        }

        #[test]
        fn role_weights_are_shares_and_the_same_role_counts_fully(a in role(), h in role()) {
            let weight = role_weight(a, h);
            prop_assert!(weight > 0.0 && weight <= 1.0);
            prop_assert!(a != h || weight == 1.0);
        }

        #[test]
        fn unknown_is_neutral_and_never_beats_an_overlap(
            query in proptest::collection::vec(dating(), 1..4),
            held in dating(), weight in 0.01f64..=1.0,
        ) {
            let undated = by_role(&query, &[]);
            prop_assert_eq!((undated.score, undated.relation), (NEUTRAL, Relation::Unknown));
            // A date on the other axis tells no more than none.
            prop_assert_eq!(by_role(&query, &[season(10.0)]).score, NEUTRAL);
            let one = std::slice::from_ref(&query[0]);
            let dated = passage_score(
                TimeScore::Museum, one, std::slice::from_ref(&held), |_, _| weight,
            );
            match dated.relation {
                Relation::Inside | Relation::Overlaps => prop_assert!(dated.score > NEUTRAL),
                Relation::Outside => prop_assert!(dated.score < OVERLAP_FLOOR),
                Relation::Unknown => prop_assert!(false, "two dates can be compared"),
            }
        }

        #[test]
        fn order_of_dates_never_matters(
            mut query in proptest::collection::vec(dating(), 1..4),
            mut held in proptest::collection::vec(dating(), 0..5),
        ) {
            let first = by_role(&query, &held).score;
            query.reverse();
            held.reverse();
            prop_assert!((by_role(&query, &held).score - first).abs() < 1e-12);
        }
    }

    fn dates(text: &str) -> Vec<Dating> {
        let found = find(text, &Settings::default(), Lang::Auto, None);
        found.iter().map(Dating::of_expression).collect()
    }

    fn score(query: &str, passage: &str) -> TimeMatch {
        let (q, p) = (dates(query), dates(passage));
        assert!(!q.is_empty(), "{query}");
        passage_score(TimeScore::Museum, &q, &p, |a, h| {
            role_weight(q[a].role, p[h].role)
        })
    }

    #[test]
    fn several_dates_count_by_the_best_and_its_role() {
        let both = score("1850s", "Made in 1853, shown in 1930.");
        assert_eq!(
            (both.score, both.relation, both.date),
            (1.0, Relation::Inside, Some(0))
        );
        let life = score("1850s", "By Anna Hall (born 1853).");
        assert_eq!(life.relation, Relation::Inside);
        assert!(life.score < both.score);
        assert!(life.score > score("1850s", "Made in 1870.").score);
    }

    #[test]
    fn undated_is_neutral_and_says_so() {
        let unknown = score("1850s", "A bowl with flowers.");
        assert_eq!(unknown.relation, Relation::Unknown);
        assert_eq!(unknown.date, None);
        assert_eq!(unknown.score, NEUTRAL);
        assert!(score("1850s", "A bowl of 1850.").score > unknown.score);
        assert!(score("1850s", "A bowl of 1950.").score < unknown.score);
    }

    #[test]
    fn season_and_year_asked_together_both_count() {
        let query = "1850s, in spring";
        let both = score(query, "14 May 1853");
        assert_eq!(both.score, 1.0);
        let year_only = score(query, "14 October 1853");
        let season_only = score(query, "14 May 1953");
        let neither = score(query, "14 October 1953");
        assert!(both.score > year_only.score && year_only.score > neither.score);
        assert!(both.score > season_only.score && season_only.score > neither.score);
    }

    #[test]
    fn year_without_season_is_unknown_to_a_season() {
        assert_eq!(score("in spring", "1853").relation, Relation::Unknown);
        assert_eq!(score("in spring", "May 1853").relation, Relation::Inside);
    }

    #[test]
    fn seasonal_date_is_unknown_to_a_year() {
        assert_eq!(
            score("1853", "painted in spring").relation,
            Relation::Unknown
        );
    }

    #[test]
    fn open_query_holds_what_lies_beyond() {
        assert_eq!(score("before 1850", "1820").score, 1.0);
        assert_eq!(score("before 1850", "1870").relation, Relation::Outside);
        assert_eq!(score("after 1900", "c. 1898").relation, Relation::Overlaps);
    }
}
