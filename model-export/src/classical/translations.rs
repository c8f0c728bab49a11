//! A table of what modern words may be in classical Chinese, learned from passages and their
//! translations by expectation and maximization.
//!
//! Source: model 1 of P. Brown, S. Della Pietra, V. Della Pietra and R. Mercer, "The Mathematics of
//! Statistical Machine Translation" (1993), from characters of the passage to characters and pairs of
//! characters of the translation, with an empty source.

use std::collections::{BTreeMap, HashMap};

use almanac::Result;
use almanac::index::Translations;
use almanac::text::{Stemming, TermKind, terms};
use indicatif::ProgressBar;

use super::pair::Pair;
use crate::fault;

/// How to learn a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Pairs to learn from, spread evenly over all; 0 for all.
    pub pairs: usize,
    /// Rounds of expectation and maximization.
    pub rounds: usize,
    /// Characters that are learned, the most frequent ones of either side.
    pub characters: usize,
    /// Pairs of characters of the translations that are learned, the most frequent ones.
    pub pairs_of_characters: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            pairs: 0,
            rounds: 4,
            characters: 6_000,
            pairs_of_characters: 12_000,
        }
    }
}

/// The least probability of a term, given its source, that is kept.
///
/// Source: a choice; below, a term is chance beside the others.
const LEAST_PROBABILITY: f64 = 0.004;
/// The least lift that is kept.
///
/// Source: a choice; function words translate everything a little.
const LEAST_LIFT: f64 = 3.0;
/// Sources of a term that are kept, the likeliest ones.
const MOST_SOURCES: usize = 24;

/// Learns which classical characters each modern term may stand for; gives the lifts that
/// [`Translations::write`] takes.
///
/// # Errors
/// [`almanac::ErrorKind::InvalidInput`] if there is nothing to learn from.
pub fn learn(pairs: &[Pair], options: &Options) -> Result<BTreeMap<String, Vec<(String, f64)>>> {
    let step = match options.pairs {
        0 => 1,
        wanted => (pairs.len() / wanted).max(1),
    };
    let chosen: Vec<&Pair> = pairs.iter().step_by(step).collect();
    let texts = Texts::read(&chosen, options);
    if texts.lines.is_empty() || texts.terms.is_empty() {
        return Err(fault::invalid("no pairs to learn translations from")
            .with_remedy("give the folder that `data classical --others` wrote"));
    }
    let table = Table::learn(&texts, options.rounds);
    Ok(table.lifts(&texts))
}

/// Learns a table and lays it out as a file of an index.
///
/// # Errors
/// Those of [`learn`] and [`Translations::write`].
pub fn file(pairs: &[Pair], options: &Options) -> Result<Vec<u8>> {
    Translations::write(&learn(pairs, options)?)
}

/// Passages and translations as numbers.
struct Texts {
    /// The classical characters, by number.
    sources: Vec<String>,
    /// The modern characters, then the pairs, by number.
    terms: Vec<String>,
    /// How many of the terms are characters.
    characters: usize,
    /// Sources and terms of each pair.
    lines: Vec<(Vec<u32>, Vec<u32>)>,
}

impl Texts {
    fn read(pairs: &[&Pair], options: &Options) -> Self {
        let cut = |text: &str, kind: TermKind| -> Vec<String> {
            let all = terms(text, Stemming::None).into_iter();
            all.filter(|term| term.kind == kind)
                .map(|t| t.text)
                .collect()
        };
        let mut of_sources: HashMap<String, u32> = HashMap::new();
        let mut of_characters: HashMap<String, u32> = HashMap::new();
        let mut of_pairs: HashMap<String, u32> = HashMap::new();
        // The bar hides itself where stderr is not a terminal.
        let bar = ProgressBar::new(2 * pairs.len() as u64).with_message("reading");
        for pair in pairs {
            for (text, kind, counts) in [
                (&pair.classical, TermKind::Character, &mut of_sources),
                (&pair.modern, TermKind::Character, &mut of_characters),
                (&pair.modern, TermKind::Pair, &mut of_pairs),
            ] {
                for term in cut(text, kind) {
                    *counts.entry(term).or_default() += 1;
                }
            }
            bar.inc(1);
        }
        let sources = frequent(of_sources, options.characters);
        let mut all = frequent(of_characters, options.characters);
        let characters = all.len();
        all.extend(frequent(of_pairs, options.pairs_of_characters));
        let number =
            |list: &[String]| -> HashMap<String, u32> { list.iter().cloned().zip(0..).collect() };
        let (source_numbers, term_numbers) = (number(&sources), number(&all));
        let known = |terms: Vec<String>, numbers: &HashMap<String, u32>| -> Vec<u32> {
            let found = terms.iter().filter_map(|term| numbers.get(term).copied());
            found.collect()
        };
        let lines = pairs
            .iter()
            .map(|pair| {
                bar.inc(1);
                let from = known(cut(&pair.classical, TermKind::Character), &source_numbers);
                let mut to = known(cut(&pair.modern, TermKind::Character), &term_numbers);
                to.extend(known(cut(&pair.modern, TermKind::Pair), &term_numbers));
                (from, to)
            })
            .filter(|(from, to)| !from.is_empty() && !to.is_empty())
            .collect();
        bar.finish_and_clear();
        Self {
            sources,
            terms: all,
            characters,
            lines,
        }
    }

    /// Gives the terms' shares of all terms of their kind.
    fn shares(&self) -> Vec<f64> {
        let mut counts = vec![0.0f64; self.terms.len()];
        for (_, to) in &self.lines {
            for term in to {
                counts[*term as usize] += 1.0;
            }
        }
        let (characters, pairs) = counts.split_at_mut(self.characters);
        for kind in [characters, pairs] {
            let sum: f64 = kind.iter().sum();
            kind.iter_mut().for_each(|count| *count /= sum.max(1.0));
        }
        counts
    }
}

/// The most frequent terms; equally frequent ones in their order.
fn frequent(counts: HashMap<String, u32>, most: usize) -> Vec<String> {
    let mut list: Vec<(String, u32)> = counts.into_iter().collect();
    list.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    list.truncate(most);
    list.into_iter().map(|(term, _)| term).collect()
}

/// The probability of each term, given each source: a row a term, a column a source, the last for
/// the empty one.
struct Table {
    values: Vec<f32>,
    columns: usize,
}

impl Table {
    fn learn(texts: &Texts, rounds: usize) -> Self {
        let columns = texts.sources.len() + 1;
        let mut table = Self {
            values: vec![1.0; texts.terms.len() * columns],
            columns,
        };
        let bar = ProgressBar::new((rounds * texts.lines.len()) as u64).with_message("learning");
        for _ in 0..rounds {
            let mut expected = vec![0f32; table.values.len()];
            for (from, to) in &texts.lines {
                for term in to {
                    let start = *term as usize * columns;
                    let row = &table.values[start..start + columns];
                    let empty = row[columns - 1];
                    let sum: f32 = empty + from.iter().map(|s| row[*s as usize]).sum::<f32>();
                    if sum > 0.0 {
                        let counts = &mut expected[start..start + columns];
                        counts[columns - 1] += empty / sum;
                        for source in from {
                            counts[*source as usize] += row[*source as usize] / sum;
                        }
                    }
                }
                bar.inc(1);
            }
            // Characters and pairs are two translations of the same passage, each with its own sum.
            let (characters, pairs) = expected.split_at_mut(texts.characters * columns);
            for part in [characters, pairs] {
                divide_by_columns(part, columns);
            }
            table.values = expected;
        }
        bar.finish_and_clear();
        table
    }

    fn lifts(&self, texts: &Texts) -> BTreeMap<String, Vec<(String, f64)>> {
        let shares = texts.shares();
        let mut lifts = BTreeMap::new();
        let rows = self.values.chunks_exact(self.columns);
        for ((row, term), share) in rows.zip(&texts.terms).zip(shares) {
            let sources = row.iter().zip(&texts.sources);
            let mut kept: Vec<(f64, &String)> = sources
                .map(|(value, source)| (f64::from(*value), source))
                .filter(|(value, _)| *value >= LEAST_PROBABILITY && *value >= LEAST_LIFT * share)
                .collect();
            kept.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
            kept.truncate(MOST_SOURCES);
            if !kept.is_empty() && share > 0.0 {
                let kept = kept
                    .into_iter()
                    .map(|(value, s)| (s.clone(), value / share));
                lifts.insert(term.clone(), kept.collect());
            }
        }
        lifts
    }
}

fn divide_by_columns(values: &mut [f32], columns: usize) {
    let mut sums = vec![0f64; columns];
    for row in values.chunks_exact(columns) {
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += f64::from(*value);
        }
    }
    for row in values.chunks_exact_mut(columns) {
        for (value, sum) in row.iter_mut().zip(&sums) {
            *value = if *sum > 0.0 {
                (f64::from(*value) / sum) as f32
            } else {
                0.0
            };
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::pair::Part;
    use super::*;
    use almanac::ErrorKind;

    const FIVE: [(&str, &str); 5] = [
        ("民食穀", "百姓吃粮食"),
        ("民視之", "百姓看它"),
        ("君視民", "君主看百姓"),
        ("君食之", "君主吃它"),
        ("穀之", "粮食它"),
    ];

    fn pairs(texts: &[(&str, &str)]) -> Vec<Pair> {
        texts
            .iter()
            .map(|(classical, modern)| Pair {
                book: String::new(),
                chapter: String::new(),
                classical: (*classical).to_owned(),
                modern: (*modern).to_owned(),
                part: Part::Train,
            })
            .collect()
    }

    #[test]
    fn what_stands_together_throughout_is_taken_for_a_translation() {
        let pairs = pairs(&FIVE);
        let lifts = learn(&pairs, &Options::default()).unwrap();
        let best = |term: &str| {
            let sources = lifts.get(term).unwrap().iter();
            sources
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .map(|(source, _)| source.as_str())
        };
        assert_eq!(best("看"), Some("视"));
        assert_eq!(best("吃"), Some("食"));
        assert_eq!(best("粮食"), Some("谷"));
        assert_eq!(best("百姓"), Some("民"));
    }

    #[test]
    fn the_same_pairs_give_the_same_file() {
        let pairs = pairs(&FIVE);
        let options = Options {
            rounds: 2,
            ..Options::default()
        };
        assert_eq!(
            file(&pairs, &options).unwrap(),
            file(&pairs, &options).unwrap()
        );
        assert!(file(&[], &options).unwrap_err().kind() == ErrorKind::InvalidInput);
    }
}
