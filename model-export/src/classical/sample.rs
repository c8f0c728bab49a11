//! Which pairs are learned from.

use std::collections::BTreeMap;

use almanac::Result;

use super::pair::{Pair, Part, bare};
use crate::evaluate::Chance;
use crate::fault;

/// Which farming pairs are learned from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Farming {
    /// None: all farming books are unseen.
    None,
    /// The training part of the split by seed.
    Train,
    /// The training part without one book, which is unseen then.
    Without(String),
}

impl Farming {
    /// Reads `none`, `train` or `without:BOOK`.
    ///
    /// # Errors
    /// [`almanac::ErrorKind::InvalidInput`] for anything else.
    pub fn parse(name: &str) -> Result<Self> {
        match (name, name.strip_prefix("without:")) {
            ("none", _) => Ok(Self::None),
            ("train", _) => Ok(Self::Train),
            (_, Some(book)) => Ok(Self::Without(book.to_owned())),
            _ => Err(fault::invalid(format!(
                "farming pairs {name:?}: expected none, train or without:BOOK"
            ))),
        }
    }

    /// Says whether a farming pair is learned from.
    #[must_use]
    pub fn holds(&self, pair: &Pair) -> bool {
        match self {
            Self::None => false,
            Self::Train => pair.part == Part::Train,
            Self::Without(book) => pair.part == Part::Train && pair.book != *book,
        }
    }
}

/// Han characters of a passage and of its translation.
const PASSAGE: std::ops::RangeInclusive<usize> = 7..=60;
const TRANSLATION: std::ops::RangeInclusive<usize> = 7..=100;

/// How much less a pair is drawn whose translation repeats all characters of its passage.
const REPETITION: f64 = 0.85;

/// Draws pairs of other books, seeded: every book in proportion to the root of its size, so that
/// dynastic histories do not fill the sample, and pairs that share few characters more often than
/// those that share many, since sharing characters needs no learning. The order is that of the books.
#[must_use]
pub fn others(pairs: &[Pair], count: usize, seed: u64) -> Vec<&Pair> {
    let mut books: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
    for pair in pairs {
        let long = |text: &str| bare(text).chars().count();
        if PASSAGE.contains(&long(&pair.classical)) && TRANSLATION.contains(&long(&pair.modern)) {
            books.entry(&pair.book).or_default().push(pair);
        }
    }
    let mut chance = Chance::new(seed);
    let mut queues: Vec<Vec<(usize, &Pair)>> = Vec::new();
    for pairs in books.values() {
        let mut queue: Vec<(usize, &Pair)> = pairs.iter().copied().enumerate().collect();
        for at in (1..queue.len()).rev() {
            queue.swap(at, chance.below(at + 1));
        }
        queue.retain(|(_, pair)| {
            chance.below(1 << 20) as f64 / f64::from(1 << 20) >= REPETITION * pair.overlap()
        });
        queues.push(queue);
    }
    let roots: f64 = queues.iter().map(|q| (q.len() as f64).sqrt()).sum();
    let mut share = count as f64 / roots.max(1.0);
    // Small books are used up; what they lack is taken from the others.
    for _ in 0..20 {
        let taken: usize = queues.iter().map(|q| quota(q.len(), share)).sum();
        if taken >= count || taken == queues.iter().map(Vec::len).sum::<usize>() {
            break;
        }
        share *= (count as f64 / taken.max(1) as f64).max(1.01);
    }
    let mut out = Vec::new();
    for mut queue in queues {
        queue.truncate(quota(queue.len(), share));
        queue.sort_by_key(|(place, _)| *place);
        out.extend(queue.into_iter().map(|(_, pair)| pair));
    }
    // Rounding takes a few too many; they go evenly, or the last book would pay.
    while out.len() > count {
        out.remove(chance.below(out.len()));
    }
    out
}

fn quota(size: usize, share: f64) -> usize {
    (((size as f64).sqrt() * share).ceil() as usize).min(size)
}

/// Puts pairs, given in the order of their books, into the order in which they are learned: runs of
/// neighbors are shuffled, so that a batch holds several passages of each of a few chapters, which are
/// harder to tell apart than any others.
#[must_use]
pub fn order(count: usize, run: usize, seed: u64) -> Vec<usize> {
    let all: Vec<usize> = (0..count).collect();
    let mut runs: Vec<&[usize]> = all.chunks(run.max(1)).collect();
    let mut chance = Chance::new(seed);
    for at in (1..runs.len()).rev() {
        runs.swap(at, chance.below(at + 1));
    }
    runs.concat()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::pair::tests::pair;
    use super::*;

    fn book(name: &str, count: usize) -> Vec<Pair> {
        let text = |n: usize, from: u32| -> String {
            (0..9)
                .filter_map(|at| char::from_u32(from + (n * 13 + at) as u32))
                .collect()
        };
        (0..count)
            .map(|n| {
                let mut pair = pair(&text(n, 0x4E00), &text(n, 0x7000));
                pair.book = name.to_owned();
                pair
            })
            .collect()
    }

    #[test]
    fn small_books_are_drawn_from_more_than_their_share() {
        let pairs = [book("大", 600), book("小", 60)].concat();
        let drawn = others(&pairs, 120, 1);
        let small = drawn.iter().filter(|p| p.book == "小").count();
        assert_eq!(drawn.len(), 120);
        assert!(small > 20 && small < 40, "{small}");
        assert!(others(&pairs, 120, 1) == drawn && others(&pairs, 120, 2) != drawn);
        assert!(others(&pairs, 10_000, 1).len() > 600);
    }

    #[test]
    fn order_keeps_runs_together_and_loses_nothing() {
        let order = order(103, 8, 5);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..103).collect::<Vec<_>>());
        let together = order.windows(2).filter(|two| two[1] == two[0] + 1).count();
        assert!((103 - 13 - 1..102).contains(&together), "{together}");
    }
}
