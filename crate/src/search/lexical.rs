//! Ranking by words: BM25 over passages, with accession numbers and quoted phrases first.

use std::collections::HashMap;
use std::ops::Range;

use crate::text::{Stemming, Term, TermKind, terms};

/// How fast repetitions of a term stop counting, and how much the length of a passage counts.
///
/// Source: the customary values, S. Robertson and H. Zaragoza, "The Probabilistic Relevance
/// Framework: BM25 and Beyond" (2009), section 3.
const SATURATION: f64 = 1.2;
const LENGTH_WEIGHT: f64 = 0.75;

/// The weight of an exact form beside its folded form, which has weight 1.
///
/// Source: a choice, small enough that folding still decides what is found.
const EXACT_WEIGHT: f64 = 0.25;

/// The terms and quoted phrases of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct LexicalQuery {
    terms: Vec<(String, TermKind)>,
    phrases: Vec<Vec<String>>,
}

impl LexicalQuery {
    /// Reads a query. What stands in quotation marks is a phrase.
    ///
    /// `dates` are the byte ranges of temporal expressions: a date is never taken for an accession
    /// number.
    #[must_use]
    pub fn new(text: &str, stemming: Stemming, dates: &[Range<usize>]) -> Self {
        let is_date = |range: &Range<usize>| {
            dates
                .iter()
                .any(|d| d.start < range.end && range.start < d.end)
        };
        let mut found: Vec<(String, TermKind)> = Vec::new();
        for term in terms(text, stemming) {
            let known = found.iter().any(|(known, _)| *known == term.text);
            let dated = term.kind == TermKind::Code && is_date(&term.range);
            if !known && !dated {
                found.push((term.text, term.kind));
            }
        }
        let phrases = quoted(text)
            .map(|phrase| sequence(terms(phrase, stemming)).collect::<Vec<_>>())
            .filter(|phrase| phrase.len() > 1)
            .collect();
        Self {
            terms: found,
            phrases,
        }
    }
}

/// What stands between quotation marks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    const PAIRS: [(char, char); 5] = [
        ('"', '"'),
        ('“', '”'),
        ('«', '»'),
        ('「', '」'),
        ('『', '』'),
    ];
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (at, open) = rest
                .char_indices()
                .find(|(_, c)| PAIRS.iter().any(|p| p.0 == *c))?;
            let (_, close) = PAIRS.iter().find(|p| p.0 == open)?;
            rest = &rest[at + open.len_utf8()..];
            if let Some(end) = rest.find(*close) {
                let phrase = &rest[..end];
                rest = &rest[end + close.len_utf8()..];
                return Some(phrase);
            }
        }
    })
}

/// The terms that follow each other in a text, as phrases are compared.
fn sequence(terms: Vec<Term>) -> impl Iterator<Item = String> {
    let running = |t: &Term| matches!(t.kind, TermKind::Word | TermKind::Character);
    terms.into_iter().filter(running).map(|t| t.text)
}

/// The terms of all passages, in memory.
///
/// ```
/// use almanac::search::lexical::{LexicalIndex, LexicalQuery};
/// use almanac::text::Stemming;
///
/// let index = LexicalIndex::new(["a blue bowl", "a red bowl, PA.21-3"], Stemming::None);
/// let best = |query: &str| {
///     let scores = index.scores(&LexicalQuery::new(query, Stemming::None, &[]));
///     usize::from(scores[1] > scores[0])
/// };
/// assert_eq!(best("blue"), 0);
/// assert_eq!(best("blue bowl PA.21-3"), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct LexicalIndex {
    vocabulary: HashMap<String, u32>,
    /// For each term, its passages in order with how often it stands in each.
    postings: Vec<Vec<(u32, u32)>>,
    /// For each passage, its words or characters in order.
    sequences: Vec<Vec<u32>>,
    /// For each passage, its number of terms.
    lengths: Vec<u32>,
    mean_length: f64,
}

impl LexicalIndex {
    /// Reads all passages; the place in the order is a passage's number.
    pub fn new<'a>(passages: impl IntoIterator<Item = &'a str>, stemming: Stemming) -> Self {
        let mut index = Self::default();
        for (passage, text) in passages.into_iter().enumerate() {
            index.add(passage as u32, terms(text, stemming));
        }
        let total: f64 = index.lengths.iter().map(|l| f64::from(*l)).sum();
        index.mean_length = total / index.lengths.len().max(1) as f64;
        index
    }

    fn add(&mut self, passage: u32, terms: Vec<Term>) {
        let mut sequence = Vec::new();
        let mut length = 0;
        for term in terms {
            let next = self.postings.len() as u32;
            let id = *self.vocabulary.entry(term.text).or_insert(next);
            if id == next {
                self.postings.push(Vec::new());
            }
            if let Some(list) = self.postings.get_mut(id as usize) {
                match list.last_mut() {
                    Some((last, count)) if *last == passage => *count += 1,
                    _ => list.push((passage, 1)),
                }
            }
            if matches!(term.kind, TermKind::Word | TermKind::Character) {
                sequence.push(id);
            }
            length += u32::from(!matches!(term.kind, TermKind::Exact | TermKind::Code));
        }
        self.sequences.push(sequence);
        self.lengths.push(length);
    }

    /// Gives the number of passages.
    #[must_use]
    pub fn passages(&self) -> usize {
        self.lengths.len()
    }

    /// Gives the score of every passage, 0 where no term of the query stands.
    ///
    /// A passage that holds a quoted phrase or a code of the query scores above every passage that
    /// holds fewer of them.
    ///
    /// Source: BM25, S. Robertson and H. Zaragoza (2009), equation 3.15, with ln(1 + (N − n + ½) /
    /// (n + ½)) as the weight of a term that stands in n of N passages, which is never negative.
    #[must_use]
    pub fn scores(&self, query: &LexicalQuery) -> Vec<f64> {
        let mut scores = vec![0.0; self.passages()];
        let mut bound = 1.0;
        let mut first = Vec::new();
        for (term, kind) in &query.terms {
            let Some(list) = self.postings_of(term) else {
                continue;
            };
            let weight = self.term_weight(list)
                * if *kind == TermKind::Exact {
                    EXACT_WEIGHT
                } else {
                    1.0
                };
            bound += weight * (SATURATION + 1.0);
            for &(passage, count) in list {
                let count = f64::from(count);
                let length = f64::from(self.lengths[passage as usize]) / self.mean_length.max(1.0);
                let norm = SATURATION * (1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * length);
                scores[passage as usize] += weight * count * (SATURATION + 1.0) / (count + norm);
            }
            if *kind == TermKind::Code {
                first.extend(list.iter().map(|(passage, _)| *passage));
            }
        }
        for phrase in &query.phrases {
            first.extend(self.holders(phrase));
        }
        for passage in first {
            scores[passage as usize] += bound;
        }
        scores
    }

    /// Gives the terms of a query that stand in a passage, in the order of the query.
    #[must_use]
    pub fn matched(&self, query: &LexicalQuery, passage: u32) -> Vec<String> {
        let holds = |term: &str| {
            let list = self.postings_of(term)?;
            list.binary_search_by_key(&passage, |(p, _)| *p).ok()
        };
        let terms = query
            .terms
            .iter()
            .filter(|(_, kind)| *kind != TermKind::Exact);
        terms
            .filter(|(term, _)| holds(term).is_some())
            .map(|(term, _)| term.clone())
            .collect()
    }

    fn postings_of(&self, term: &str) -> Option<&[(u32, u32)]> {
        let id = *self.vocabulary.get(term)?;
        self.postings.get(id as usize).map(Vec::as_slice)
    }

    fn term_weight(&self, list: &[(u32, u32)]) -> f64 {
        let (all, holding) = (self.passages() as f64, list.len() as f64);
        ((all - holding + 0.5) / (holding + 0.5)).ln_1p()
    }

    /// The passages in which the words of a phrase follow each other.
    fn holders(&self, phrase: &[String]) -> Vec<u32> {
        let ids: Option<Vec<u32>> = phrase
            .iter()
            .map(|t| self.vocabulary.get(t).copied())
            .collect();
        let Some(ids) = ids else {
            return Vec::new();
        };
        let rarest = ids
            .iter()
            .filter_map(|id| self.postings.get(*id as usize))
            .min_by_key(|l| l.len());
        let candidates = rarest.into_iter().flatten().map(|(passage, _)| *passage);
        candidates
            .filter(|p| {
                self.sequences[*p as usize]
                    .windows(ids.len())
                    .any(|w| w == ids)
            })
            .collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn ranking(passages: &[&str], query: &str) -> Vec<usize> {
        let index = LexicalIndex::new(passages.iter().copied(), Stemming::None);
        let scores = index.scores(&LexicalQuery::new(query, Stemming::None, &[]));
        let mut order: Vec<usize> = (0..passages.len()).filter(|p| scores[*p] > 0.0).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        order
    }

    #[test]
    fn one_term_scores_by_the_formula() {
        let index = LexicalIndex::new(["vase vase bowl", "bowl", "plate cup"], Stemming::None);
        let scores = index.scores(&LexicalQuery::new("vase", Stemming::None, &[]));
        let weight = (1.0f64 + (3.0 - 1.0 + 0.5) / 1.5).ln();
        let expected = weight * 2.0 * 2.2 / (2.0 + 1.2 * (0.25 + 0.75 * 3.0 / 2.0));
        assert!((scores[0] - expected).abs() < 1e-12);
        assert_eq!(scores[1..], [0.0, 0.0]);
    }

    #[test]
    fn accession_number_comes_first() {
        let passages = [
            "blue bowl, blue glaze, blue rim",
            "plate 1921.14-2",
            "plate 1921.14-3",
        ];
        assert_eq!(ranking(&passages, "blue bowl 1921.14-2")[0], 1);
    }

    #[test]
    fn date_range_is_not_an_accession_number() {
        let query = LexicalQuery::new(
            "bowls 1850-1860",
            Stemming::None,
            std::slice::from_ref(&(6..15)),
        );
        assert!(query.terms.iter().all(|(_, kind)| *kind != TermKind::Code));
    }

    #[test]
    fn quoted_phrase_comes_first() {
        let passages = [
            "wave great great wave hollow",
            "the great wave",
            "wave the great",
        ];
        assert_eq!(ranking(&passages, "\"the great wave\" hollow")[0], 1);
        assert_eq!(
            ranking(&["齊民要術", "要術齊民要民", "民要"], "「民要術」齊")[0],
            0
        );
    }

    #[test]
    fn written_form_ranks_above_other_forms_of_the_word() {
        assert_eq!(ranking(&["谷雨", "穀雨"], "穀雨"), [1, 0]);
        assert_eq!(ranking(&["rontgen", "röntgen"], "Röntgen"), [1, 0]);
        assert_eq!(ranking(&["röntgen", "ray"], "rontgen"), [0]);
    }

    #[test]
    fn simplified_query_finds_traditional_and_variant_text() {
        assert_eq!(ranking(&["萬厯三年刻", "乾隆"], "万历"), [0]);
    }

    #[test]
    fn empty_index_and_query_give_nothing() {
        let empty = LexicalIndex::new([], Stemming::None);
        assert!(
            empty
                .scores(&LexicalQuery::new("a", Stemming::None, &[]))
                .is_empty()
        );
        assert!(ranking(&["bowl"], "").is_empty());
    }

    #[test]
    fn matched_terms_are_named() {
        let index = LexicalIndex::new(["a blue bowl", "red"], Stemming::None);
        let query = LexicalQuery::new("blue red bowl", Stemming::None, &[]);
        assert_eq!(index.matched(&query, 0), ["blue", "bowl"]);
    }
}
