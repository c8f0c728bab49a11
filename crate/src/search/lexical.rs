//! Ranking by words: BM25 over passages, with accession numbers and quoted phrases first.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::translated::Translated;
use crate::Result;
use crate::index::{Lengths, Lexicon, LexiconBuilder, PostingList, Translations};
use crate::text::{FUNCTION_WORDS, Stemming, Term, TermKind, terms};

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
    translated: Option<Translated>,
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
            translated: None,
        }
    }

    /// Looks besides for what the terms may be in the language of the passages.
    pub fn translate(&mut self, table: &Translations) {
        let terms = self.terms.iter();
        let terms = terms.map(|(term, kind)| (term.as_str(), *kind));
        self.translated = Some(Translated::of(terms, table));
    }

    /// Looks for a code besides, such as a date with points that may be an accession number.
    pub(crate) fn add_code(&mut self, code: &str) {
        for term in terms(code, Stemming::None) {
            let known = self.terms.iter().any(|(known, _)| *known == term.text);
            if term.kind == TermKind::Code && !known {
                self.terms.push((term.text, term.kind));
            }
        }
    }

    /// Says whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Gives the quoted phrases, each as its words.
    #[must_use]
    pub fn phrases(&self) -> &[Vec<String>] {
        &self.phrases
    }

    /// Gives the number of words and characters to look for.
    #[must_use]
    pub fn words(&self) -> usize {
        let word = |kind: &TermKind| matches!(kind, TermKind::Word | TermKind::Character);
        self.telling().filter(|(_, kind)| word(kind)).count()
    }

    /// The terms worth naming: no exact forms, which stand for others, and no function words, unless
    /// there is nothing else.
    fn telling(&self) -> impl Iterator<Item = &(String, TermKind)> {
        let function = |term: &str| FUNCTION_WORDS.binary_search(&term).is_ok();
        let all = self.terms.iter().all(|(term, _)| function(term));
        self.terms
            .iter()
            .filter(move |(term, kind)| *kind != TermKind::Exact && (all || !function(term)))
    }

    /// Gives where the words of the query stand in a text, in bytes, in order and without overlap.
    ///
    /// ```
    /// use almanac::search::lexical::LexicalQuery;
    /// use almanac::text::Stemming;
    ///
    /// let query = LexicalQuery::new("the Röntgen ray", Stemming::None, &[]);
    /// assert_eq!(query.marks("the rontgen tube", Stemming::None), [4..11]);
    /// ```
    #[must_use]
    pub fn marks(&self, text: &str, stemming: Stemming) -> Vec<Range<usize>> {
        let mut telling: HashSet<&str> = self.telling().map(|(term, _)| term.as_str()).collect();
        telling.extend(self.translated.iter().flat_map(Translated::telling));
        let mut marks: Vec<Range<usize>> = terms(text, stemming)
            .into_iter()
            .filter(|term| telling.contains(term.text.as_str()))
            .map(|term| term.range)
            .collect();
        marks.sort_by_key(|range| (range.start, range.end));
        let mut joined: Vec<Range<usize>> = Vec::new();
        for mark in marks {
            match joined.last_mut() {
                // Neighboring characters of a script without spaces read as one mark.
                Some(last) if mark.start <= last.end => last.end = last.end.max(mark.end),
                _ => joined.push(mark),
            }
        }
        joined
    }

    /// The terms whose lists a search reads.
    pub(crate) fn needed(&self) -> impl Iterator<Item = &str> {
        self.terms
            .iter()
            .map(|(term, _)| term)
            .chain(self.phrases.iter().flatten())
            .map(String::as_str)
            .chain(self.translated.iter().flat_map(Translated::needed))
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

/// Where the terms of one query stand.
struct Lists<'a> {
    lists: HashMap<&'a str, Cow<'a, PostingList>>,
    lengths: &'a Lengths,
    mean_length: f64,
}

/// The scores of one query's words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordScores {
    /// The score of every passage: BM25, 0 where no term of the query stands, and what its
    /// translations add.
    pub values: Vec<f64>,
    /// Whether a passage holds a term of the query itself, where some passages have a score by
    /// translation alone; empty where none does.
    held: Vec<bool>,
    /// How many codes and quoted phrases of the query a passage holds; passages without are absent.
    pub exact: HashMap<u32, u32>,
    /// More than any passage can score.
    bound: f64,
}

impl WordScores {
    /// Gives one score for each passage, in which every code and phrase outweighs all words.
    #[must_use]
    pub fn ranking(mut self) -> Vec<f64> {
        for (passage, times) in self.exact {
            self.values[passage as usize] += self.bound * f64::from(times);
        }
        self.values
    }

    /// Says whether a passage holds a term of the query itself.
    #[must_use]
    pub fn holds(&self, passage: u32) -> bool {
        let place = passage as usize;
        match self.held.get(place) {
            Some(held) => *held,
            None => self.values.get(place).is_some_and(|value| *value > 0.0),
        }
    }
}

impl Lists<'_> {
    /// Source: BM25, S. Robertson and H. Zaragoza (2009), equation 3.15, with ln(1 + (N − n + ½) /
    /// (n + ½)) as the weight of a term that stands in n of N passages, which is never negative.
    fn scores(&self, query: &LexicalQuery) -> WordScores {
        let mut scores = WordScores {
            values: vec![0.0; self.lengths.len()],
            held: Vec::new(),
            exact: HashMap::new(),
            bound: 1.0,
        };
        for (term, kind) in &query.terms {
            let Some(list) = self.lists.get(term.as_str()) else {
                continue;
            };
            let weight = self.term_weight(list)
                * if *kind == TermKind::Exact {
                    EXACT_WEIGHT
                } else {
                    1.0
                };
            scores.bound += weight * (SATURATION + 1.0);
            for (passage, count) in list.iter() {
                let count = f64::from(count);
                let length = f64::from(self.lengths.of(passage)) / self.mean_length.max(1.0);
                let norm = SATURATION * (1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * length);
                scores.values[passage as usize] +=
                    weight * count * (SATURATION + 1.0) / (count + norm);
            }
            if *kind == TermKind::Code {
                for (passage, _) in list.iter() {
                    *scores.exact.entry(passage).or_default() += 1;
                }
            }
        }
        for phrase in &query.phrases {
            for passage in self.holders(phrase) {
                *scores.exact.entry(passage).or_default() += 1;
            }
        }
        if let Some(translated) = &query.translated {
            scores.held = scores.values.iter().map(|value| *value > 0.0).collect();
            let list = |term: &str| self.lists.get(term).map(Cow::as_ref);
            let (lengths, mean) = (self.lengths, self.mean_length);
            scores.bound += translated.add(&mut scores.values, lengths, mean, list);
        }
        scores
    }

    fn matched(&self, query: &LexicalQuery, passage: u32) -> Vec<String> {
        let terms = query.telling();
        terms
            .filter(|(term, _)| {
                self.lists
                    .get(term.as_str())
                    .is_some_and(|list| list.holds(passage))
            })
            .map(|(term, _)| term.clone())
            .collect()
    }

    fn term_weight(&self, list: &PostingList) -> f64 {
        let (all, holding) = (self.lengths.len() as f64, list.len() as f64);
        ((all - holding + 0.5) / (holding + 0.5)).ln_1p()
    }

    /// The passages in which the words of a phrase follow each other.
    fn holders(&self, phrase: &[String]) -> Vec<u32> {
        // For each passage, the places where the phrase read so far ends.
        let mut found: Option<Vec<(u32, Vec<u32>)>> = None;
        for term in phrase {
            let Some(list) = self.lists.get(term.as_str()) else {
                return Vec::new();
            };
            found = Some(match found {
                None => list.places().map(|(p, at)| (p, at.to_vec())).collect(),
                Some(before) => follow(&before, list),
            });
        }
        let found = found.unwrap_or_default();
        found.into_iter().map(|(passage, _)| passage).collect()
    }
}

/// The places of `list` right after those of `before`.
fn follow(before: &[(u32, Vec<u32>)], list: &PostingList) -> Vec<(u32, Vec<u32>)> {
    let mut rest = before;
    let mut out = Vec::new();
    for (passage, places) in list.places() {
        rest = &rest[rest.partition_point(|(p, _)| *p < passage)..];
        let Some((p, ends)) = rest.first() else { break };
        if *p == passage {
            let next: Vec<u32> = places
                .iter()
                .copied()
                .filter(|at| *at > 0 && ends.binary_search(&(at - 1)).is_ok())
                .collect();
            if !next.is_empty() {
                out.push((passage, next));
            }
        }
    }
    out
}

/// The words of a shipped collection as one query sees them: only the lists of its terms are read.
pub(crate) struct QueryWords<'a> {
    query: &'a LexicalQuery,
    lists: Lists<'a>,
}

impl<'a> QueryWords<'a> {
    /// Reads the lists of a query's terms.
    pub(crate) fn read(lexicon: &'a Lexicon, query: &'a LexicalQuery) -> Result<Self> {
        let mut lists = HashMap::new();
        for term in query.needed() {
            // A term is often a source of itself and of others, and a list is decoded once.
            if lists.contains_key(term) {
                continue;
            }
            if let Some(list) = lexicon.list(term)? {
                lists.insert(term, Cow::Owned(list));
            }
        }
        Ok(Self {
            query,
            lists: Lists {
                lists,
                lengths: lexicon.lengths(),
                mean_length: lexicon.mean_length(),
            },
        })
    }

    pub(crate) fn scores(&self) -> WordScores {
        self.lists.scores(self.query)
    }

    /// Gives the terms of the query that stand in a passage, in the order of the query.
    pub(crate) fn matched(&self, passage: u32) -> Vec<String> {
        self.lists.matched(self.query, passage)
    }
}

/// The terms of all passages, in memory.
///
/// ```
/// use almanac::search::lexical::{LexicalIndex, LexicalQuery};
/// use almanac::text::Stemming;
///
/// let index = LexicalIndex::new(["a blue bowl", "a red bowl, PA.21-3"], Stemming::None);
/// let best = |query: &str| {
///     let scores = index.scores(&LexicalQuery::new(query, Stemming::None, &[])).ranking();
///     usize::from(scores[1] > scores[0])
/// };
/// assert_eq!(best("blue"), 0);
/// assert_eq!(best("blue bowl PA.21-3"), 1);
/// ```
#[derive(Clone, Debug)]
pub struct LexicalIndex {
    terms: LexiconBuilder,
    mean_length: f64,
}

impl LexicalIndex {
    /// Reads all passages; the place in the order is a passage's number.
    pub fn new<'a>(passages: impl IntoIterator<Item = &'a str>, stemming: Stemming) -> Self {
        let mut terms = LexiconBuilder::new(stemming);
        for text in passages {
            terms.add([text]);
        }
        Self {
            mean_length: terms.lengths().total() as f64 / terms.lengths().len().max(1) as f64,
            terms,
        }
    }

    /// Gives the number of passages.
    #[must_use]
    pub fn passages(&self) -> usize {
        self.terms.lengths().len()
    }

    /// Gives the score of every passage.
    #[must_use]
    pub fn scores(&self, query: &LexicalQuery) -> WordScores {
        self.lists(query).scores(query)
    }

    /// Gives the terms of a query that stand in a passage, in the order of the query.
    #[must_use]
    pub fn matched(&self, query: &LexicalQuery, passage: u32) -> Vec<String> {
        self.lists(query).matched(query, passage)
    }

    fn lists<'a>(&'a self, query: &'a LexicalQuery) -> Lists<'a> {
        let lists = query
            .needed()
            .filter_map(|term| Some((term, Cow::Borrowed(self.terms.list(term)?))))
            .collect();
        Lists {
            lists,
            lengths: self.terms.lengths(),
            mean_length: self.mean_length,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn ranking(passages: &[&str], query: &str) -> Vec<usize> {
        let index = LexicalIndex::new(passages.iter().copied(), Stemming::None);
        let scores = index
            .scores(&LexicalQuery::new(query, Stemming::None, &[]))
            .ranking();
        let mut order: Vec<usize> = (0..passages.len()).filter(|p| scores[*p] > 0.0).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        order
    }

    #[test]
    fn one_term_scores_by_the_formula() {
        let index = LexicalIndex::new(["vase vase bowl", "bowl", "plate cup"], Stemming::None);
        let scores = index
            .scores(&LexicalQuery::new("vase", Stemming::None, &[]))
            .ranking();
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
                .ranking()
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
