//! Which of a passage's dates a query is about, by the words that stand near both.
//!
//! "Born in the 1830s" asks for the date beside "born", not for the one beside "died". Nothing here
//! knows such words: a date of the passage counts more the more of the query's words near the
//! asked date stand near it too.

use std::ops::Range;

use super::{Stemming, TermKind, terms};

/// The least weight of a date that shares no word with the query where another date does.
///
/// Source: a choice; a date inside the asked time so keeps at least the score of one that overlaps.
const FLOOR: f64 = 0.5;

/// How much a word counts after the date in comparison with before it: dates mostly follow what
/// they date.
const AFTER: f64 = 0.5;

/// What is left of a word's weight after each content word between it and the date, and after each
/// comma or coordination.
const DECAY: f64 = 0.5;

/// What is left across the end of a sentence or line.
const SENTENCE: f64 = 0.25;

/// Weights below this are dropped.
const LEAST: f64 = 0.01;

/// Weights are kept in this many steps, so that an index stores them in a byte.
const STEPS: f64 = 255.0;

/// Words that say nothing about what happened at a date.
pub(crate) const FUNCTION_WORDS: [&str; 52] = [
    "a", "about", "an", "are", "as", "at", "be", "been", "between", "by", "did", "do", "does",
    "during", "for", "from", "had", "has", "have", "he", "her", "his", "how", "in", "into", "is",
    "it", "its", "of", "on", "she", "since", "that", "the", "their", "there", "these", "they",
    "this", "those", "to", "until", "was", "were", "what", "when", "where", "which", "who", "whom",
    "whose", "with",
];

/// The words near a date, each by its hash with a weight that falls with the distance, in 255ths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cue(Vec<(u32, u8)>);

impl Cue {
    /// Reads the words near each of the dates at the byte ranges `dates` of a text.
    ///
    /// ```
    /// use almanac::text::Cue;
    /// let cues = Cue::near("engraved 1842, printed 1867", &[9..13, 23..27]);
    /// assert!(cues[0].agreement(&cues[0]) > cues[0].agreement(&cues[1]));
    /// ```
    #[must_use]
    pub fn near(text: &str, dates: &[Range<usize>]) -> Vec<Self> {
        let words: Vec<_> = terms(text, Stemming::Plural)
            .into_iter()
            .filter(|t| matches!(t.kind, TermKind::Word | TermKind::Character))
            .filter(|t| {
                !dates
                    .iter()
                    .any(|d| d.start < t.range.end && t.range.start < d.end)
            })
            .map(|t| (t.range, t.text))
            .collect();
        let near = |date: &Range<usize>| {
            let split = words.partition_point(|(range, _)| range.start < date.start);
            let mut cue = Vec::new();
            let mut walk = |words: &mut dyn Iterator<Item = &(Range<usize>, String)>, side: f64| {
                let mut weight = side;
                let mut edge = if side < 1.0 { date.end } else { date.start };
                for (range, word) in words {
                    let gap = if range.start >= edge {
                        edge..range.start
                    } else {
                        range.end..edge
                    };
                    weight *= text.get(gap).map_or(1.0, crossing);
                    edge = if side < 1.0 { range.end } else { range.start };
                    if weight < LEAST {
                        break;
                    }
                    match word.as_str() {
                        "and" | "or" | "but" => weight *= DECAY,
                        word if FUNCTION_WORDS.binary_search(&word).is_ok() => {}
                        word => {
                            cue.push((hash(word), (weight * STEPS).round() as u8));
                            weight *= DECAY;
                        }
                    }
                }
            };
            walk(&mut words[..split].iter().rev(), 1.0);
            walk(&mut words[split..].iter(), AFTER);
            cue.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
            cue.dedup_by_key(|(word, _)| *word);
            Self(cue)
        };
        dates.iter().map(near).collect()
    }

    /// Takes over what an index stores: hashes in rising order, each with its weight.
    pub(crate) fn from_entries(entries: Vec<(u32, u8)>) -> Self {
        Self(entries)
    }

    /// Gives hashes in rising order, each with its weight.
    pub(crate) fn entries(&self) -> &[(u32, u8)] {
        &self.0
    }

    /// Gives how much two dates share of what stands near them, 0 for nothing.
    #[must_use]
    pub fn agreement(&self, other: &Self) -> f64 {
        let (mut sum, mut rest) = (0.0, other.0.as_slice());
        for (word, weight) in &self.0 {
            let at = rest.partition_point(|(w, _)| w < word);
            rest = &rest[at..];
            match rest.first() {
                Some((w, found)) if w == word => {
                    sum += f64::from(*weight) * f64::from(*found) / (STEPS * STEPS);
                }
                Some(_) => {}
                None => break,
            }
        }
        sum
    }

    /// Gives the weight of each date of a passage for this date of a query, from a half to 1.
    ///
    /// The date that shares most has weight 1; where none shares anything all have.
    ///
    /// ```
    /// use almanac::text::Cue;
    /// let asked = Cue::near("Who was born in the 1830s?", &[20..25]);
    /// let held = Cue::near("Born 1831, died 1902", &[5..9, 16..20]);
    /// let weights = asked[0].weights(&held);
    /// assert_eq!(weights[0], 1.0);
    /// assert!(weights[1] < 0.7);
    /// ```
    #[must_use]
    pub fn weights(&self, passage: &[Self]) -> Vec<f64> {
        let shared: Vec<f64> = passage.iter().map(|date| self.agreement(date)).collect();
        let most = shared.iter().copied().fold(0.0, f64::max);
        // Little agreement is little evidence.
        let strength = most.min(1.0);
        let weight = |shared: f64| {
            if most > 0.0 {
                1.0 - (1.0 - FLOOR) * strength * (1.0 - shared / most)
            } else {
                1.0
            }
        };
        shared.into_iter().map(weight).collect()
    }
}

/// What is left of a word's weight across the text between it and its neighbor.
fn crossing(gap: &str) -> f64 {
    if gap.contains(['\n', '.', '!', '?', ';', '。', '！', '？', '；']) {
        SENTENCE
    } else if gap.contains([',', '、', '，']) {
        DECAY
    } else {
        1.0
    }
}

/// The same for every platform and release, since it is stored.
fn hash(word: &str) -> u32 {
    crc32fast::hash(word.as_bytes())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::{Lang, Settings, find};

    fn cues(text: &str) -> Vec<Cue> {
        let found = find(text, &Settings::default(), Lang::Auto, None);
        let ranges: Vec<_> = found.into_iter().map(|e| e.range).collect();
        Cue::near(text, &ranges)
    }

    fn chosen(query: &str, passage: &str) -> usize {
        let weights = cues(query)[0].weights(&cues(passage));
        let best = weights.iter().copied().fold(0.0, f64::max);
        assert_eq!(
            weights.iter().filter(|w| **w == best).count(),
            1,
            "{weights:?}"
        );
        weights.iter().position(|w| *w == best).unwrap()
    }

    #[test]
    fn function_words_are_sorted() {
        assert!(FUNCTION_WORDS.is_sorted());
    }

    #[test]
    fn date_beside_the_words_of_the_query_is_chosen() {
        let plate = "Plate engraved 1842, printed 1867; acquired by the museum in 1903.";
        assert_eq!(chosen("engraved in the 1840s", plate), 0);
        assert_eq!(chosen("works printed before 1900", plate), 1);
        assert_eq!(
            chosen("what did the museum acquire in 1903, acquired 1903", plate),
            2
        );
        assert_eq!(chosen("乾隆年間刻 1750", "生於1730。刻於1751。"), 1);
    }

    #[test]
    fn word_next_to_the_asked_date_outweighs_words_of_the_next_clause() {
        let painter = "Exhibited at the Salon 1880. Painted 1875.";
        assert_eq!(
            chosen("painted in the 1870s and exhibited at the Salon", painter),
            1
        );
    }

    #[test]
    fn without_a_shared_word_all_dates_count_alike() {
        let weights = cues("porcelain of the 1850s")[0].weights(&cues("Made 1853, shown 1930"));
        assert_eq!(weights, [1.0, 1.0]);
    }
}
