//! Ranking by what the words of a query may be in the language of the passages.
//!
//! With the lifts of [`Translations`], the likelihood of a query as the translation of a passage
//! becomes a sum over the query's terms, and that of the passage as the translation of the query a
//! sum over its own; both need the posting lists of the sources alone.

use std::collections::BTreeMap;

use crate::index::{Lengths, PostingList, Translations};
use crate::text::TermKind;

/// λ / (1 − λ): how much more a term is expected from the passage than from the language at large,
/// λ = 0.7.
///
/// Source: A. Berger and J. Lafferty, "Information Retrieval as Statistical Translation" (1999), with
/// linear interpolation; λ chosen on training pairs, see `docs/classical.md`.
const ODDS: f64 = 7.0 / 3.0;

/// What a pair of characters counts beside its characters.
///
/// Source: chosen on training pairs, see `docs/classical.md`.
const PAIR_WEIGHT: f64 = 0.4;

/// What the passage as the translation of the query counts beside the reverse.
///
/// Source: chosen on training pairs, see `docs/classical.md`.
const REVERSE_WEIGHT: f64 = 0.3;

/// How much the length of a passage counts in the reverse, 0 to 1.
///
/// Source: chosen on training pairs, see `docs/classical.md`.
const LENGTH_EXPONENT: f64 = 0.75;

/// What translation counts beside BM25.
///
/// Source: chosen on training pairs, see `docs/classical.md`.
const BESIDE_BM25: f64 = 2.0;

/// The lift from which a source that stands in a passage is shown as what the query means.
const TELLING_LIFT: f64 = 20.0;

/// The terms of a query with what they may stand for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Translated {
    terms: Vec<Term>,
    /// Characters of the query that have translations.
    characters: usize,
    /// Each source with the sum of its lifts over the query's characters.
    sources: BTreeMap<String, f64>,
}

#[derive(Clone, Debug, PartialEq)]
struct Term {
    weight: f64,
    sources: Vec<(String, f64)>,
}

impl Translated {
    /// Looks the terms of a query up.
    pub(crate) fn of<'a>(
        terms: impl Iterator<Item = (&'a str, TermKind)>,
        table: &Translations,
    ) -> Self {
        let mut translated = Self::default();
        for (term, kind) in terms {
            let weight = match kind {
                TermKind::Pair => PAIR_WEIGHT,
                TermKind::Character | TermKind::Word => 1.0,
                TermKind::Code | TermKind::Exact => continue,
            };
            let sources: Vec<(String, f64)> = table
                .sources(term)
                .map(|(source, lift)| (source.to_owned(), lift))
                .collect();
            if sources.is_empty() {
                continue;
            }
            if kind != TermKind::Pair {
                translated.characters += 1;
            }
            for (source, lift) in &sources {
                let sum = translated.sources.entry(source.clone()).or_default();
                if kind != TermKind::Pair {
                    *sum += lift;
                }
            }
            translated.terms.push(Term { weight, sources });
        }
        translated
    }

    /// The terms whose lists are read.
    pub(crate) fn needed(&self) -> impl Iterator<Item = &str> {
        self.sources.keys().map(String::as_str)
    }

    /// The sources that are worth showing where they stand in a passage.
    pub(crate) fn telling(&self) -> impl Iterator<Item = &str> {
        let all = self.terms.iter().flat_map(|term| &term.sources);
        all.filter(|(_, lift)| *lift >= TELLING_LIFT)
            .map(|(source, _)| source.as_str())
    }

    /// Adds to the score of each passage; gives more than any passage can gain.
    ///
    /// The sum is over terms t of ln(1 + odds · Σ lift(t, s) · tf(s) / length), and over sources s of
    /// tf(s) · ln(1 + odds · mean lift of s) / length^0.75.
    pub(crate) fn add<'a>(
        &self,
        scores: &mut [f64],
        lengths: &Lengths,
        mean_length: f64,
        list: impl Fn(&str) -> Option<&'a PostingList>,
    ) -> f64 {
        let characters = |passage: u32| f64::from(lengths.of(passage) + 1) / 2.0;
        let mut bound = 0.0;
        let mut expected: Vec<f64> = vec![0.0; scores.len()];
        for term in &self.terms {
            let mut touched = Vec::new();
            let mut most = 0.0f64;
            for (source, lift) in &term.sources {
                let Some(list) = list(source) else { continue };
                most = most.max(*lift);
                for (passage, count) in list.iter() {
                    let sum = &mut expected[passage as usize];
                    if *sum == 0.0 {
                        touched.push(passage);
                    }
                    *sum += lift * f64::from(count) / characters(passage);
                }
            }
            bound += BESIDE_BM25 * term.weight * (ODDS * most).ln_1p();
            for passage in touched {
                let sum = std::mem::take(&mut expected[passage as usize]);
                scores[passage as usize] += BESIDE_BM25 * term.weight * (ODDS * sum).ln_1p();
            }
        }
        let scale = BESIDE_BM25 * REVERSE_WEIGHT * self.characters as f64
            / ((mean_length + 1.0) / 2.0)
                .max(1.0)
                .powf(1.0 - LENGTH_EXPONENT);
        for (source, lifts) in &self.sources {
            let Some(list) = list(source).filter(|_| *lifts > 0.0) else {
                continue;
            };
            let weight = scale * (ODDS * lifts / self.characters as f64).ln_1p();
            let mut most = 0.0f64;
            for (passage, count) in list.iter() {
                let gain = weight * f64::from(count) / characters(passage).powf(LENGTH_EXPONENT);
                most = most.max(gain);
                scores[passage as usize] += gain;
            }
            bound += most;
        }
        bound
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::search::lexical::{LexicalIndex, LexicalQuery};
    use crate::text::Stemming;

    fn table(lifts: &[(&str, &[(&str, f64)])]) -> Translations {
        let owned = lifts
            .iter()
            .map(|(term, sources)| {
                let sources = sources.iter().map(|(s, l)| ((*s).to_owned(), *l));
                ((*term).to_owned(), sources.collect())
            })
            .collect();
        Translations::from_bytes(&Translations::write(&owned).unwrap()).unwrap()
    }

    fn scores(passages: &[&str], query: &str, table: &Translations) -> Vec<f64> {
        let index = LexicalIndex::new(passages.iter().copied(), Stemming::None);
        let mut query = LexicalQuery::new(query, Stemming::None, &[]);
        query.translate(table);
        index.scores(&query).ranking()
    }

    #[test]
    fn a_passage_is_found_by_what_the_query_means_in_its_language() {
        let table = table(&[("看", &[("视", 32.0), ("观", 8.0)])]);
        let found = scores(&["視之", "觀之", "聽之"], "看", &table);
        assert!(found[0] > found[1] && found[1] > 0.0, "{found:?}");
        assert_eq!(found[2], 0.0);
    }

    #[test]
    fn one_term_scores_by_the_formula() {
        let table = table(&[("看", &[("视", 32.0)])]);
        let found = scores(&["視之也", "聽之也"], "看", &table);
        // Three characters; 視 once; one character asked.
        let forward = (ODDS * 32.0 / 3.0).ln_1p();
        let reverse = (ODDS * 32.0f64).ln_1p() / 3f64.powf(0.75) / 3f64.powf(0.25);
        let expected = BESIDE_BM25 * (forward + REVERSE_WEIGHT * reverse);
        assert!((found[0] - expected).abs() < 1e-9, "{found:?} {expected}");
    }

    #[test]
    fn without_a_translation_words_rank_as_before() {
        let table = table(&[("看", &[("视", 32.0)])]);
        let passages = ["blue bowl", "red bowl", "視之"];
        let index = LexicalIndex::new(passages, Stemming::None);
        let plain = index
            .scores(&LexicalQuery::new("blue bowl", Stemming::None, &[]))
            .ranking();
        assert_eq!(scores(&passages, "blue bowl", &table), plain);
    }

    #[test]
    fn an_accession_number_outweighs_all_translations() {
        let table = table(&[("看", &[("视", 60_000.0)]), ("见", &[("视", 60_000.0)])]);
        let found = scores(&["視視視視", "no. 46.7-2"], "看见 46.7-2", &table);
        assert!(found[1] > found[0], "{found:?}");
    }
}
