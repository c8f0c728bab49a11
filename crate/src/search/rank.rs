//! One ranking of a shipped index by meaning, words and time.

use serde::{Deserialize, Serialize};

use super::filter::{ArcsSeen, DaysSeen, Filter};
use super::fusion::{Normalization, Parts, Shares, Weights, fuse};
use super::lexical::{QueryWords, WordScores};
use super::meaning::Meaning;
use super::query::Query;
use super::question::{Question, QuestionOptions};
use super::sort::Sort;
use super::time::{Relation, TimeMatch, TimeScore, passage_score, role_weight};
use super::top::{Scored, Top};
use crate::index::{DateNote, Hit, Index, IndexFile, Lexicon, PassageDates, SectionKind};
use crate::text::{Cue, is_unspaced};
use crate::time::{Dating, DayNumber, Interval, YearArc};
use crate::{Error, Result};

/// What a date that a text mentions counts beside one that the catalogue gives for the object.
///
/// Source: a choice; a gift of 1965 is not an object of 1965, yet better than one of 1964.
const MENTIONED_BESIDE_CATALOGUE: f64 = 0.8;

/// Most documents that are sorted by something else than relevance, where something is asked: the
/// most relevant of those that answer.
///
/// Source: a choice, more than anyone pages through and few enough to leave out what barely fits.
const MOST_SORTED: usize = 1_000;

/// How much is wanted, and of what.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankingRequest {
    /// Most documents to give.
    pub k: usize,
    /// Which documents may be given.
    pub filter: Filter,
    /// Another order than relevance: of all documents where nothing is asked, else of the 1,000 most
    /// relevant of those that answer, by a word, a close meaning and a date that may be the asked
    /// one.
    pub sort: Option<Sort>,
    /// Whether every vector is scored exactly even where signs could choose.
    pub exact: bool,
    /// How dates are compared; `None` for the index's own way.
    pub time_score: Option<TimeScore>,
}

/// How a document's time answers the query's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundTime {
    /// Whether it lies within, may, or does not.
    pub relation: Relation,
    /// The date that was compared, such as "1853"; `None` when unknown.
    pub date: Option<String>,
}

/// One document found, with what speaks for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Number of the document.
    pub document: u32,
    /// Number of its best passage, counted over the whole index.
    pub passage: u32,
    /// The shares' sum, and 1 more for each accession number or quoted phrase of the query.
    pub score: f64,
    /// What meaning, words and time add.
    pub shares: Shares,
    /// Cosine of query and passage; `None` when meaning took no part.
    pub cosine: Option<f32>,
    /// The query's terms that stand in the passage.
    pub words: Vec<String>,
    /// Whether the passage holds an accession number or a quoted phrase of the query.
    pub exact: bool,
    /// How its time answers; `None` when the query names none.
    pub time: Option<FoundTime>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// The best documents, best first; equal scores in document order.
    pub hits: Vec<Found>,
    /// Whether the best is a close match.
    pub close: bool,
    /// How many documents pass the filter.
    pub matching: u32,
    /// Which parts took part.
    pub by: TookPart,
}

/// Which parts took part in a ranking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TookPart {
    /// Meaning, by the encoder's vectors.
    pub meaning: bool,
    /// Words.
    pub words: bool,
    /// Time.
    pub time: bool,
}

impl Index {
    /// Reads a query by the conventions of this collection.
    ///
    /// `anchor` is the day that relative dates count from, usually today; with `dates_are_words`
    /// no date is grounded.
    #[must_use]
    pub fn question(
        &self,
        text: &str,
        anchor: Option<DayNumber>,
        dates_are_words: bool,
    ) -> Question {
        let options = QuestionOptions {
            dates: self.date_settings().clone(),
            anchor,
            stemming: self.lexicon().map(Lexicon::stemming).unwrap_or_default(),
            dates_are_words,
        };
        let mut question = Question::read(text, &options);
        if let Some(table) = self.translations() {
            question.translate(table);
        }
        question
    }

    /// Gives the `postings` files that a question needs and that are not in yet.
    #[must_use]
    pub fn missing_postings(&self, question: &Question) -> Vec<&IndexFile> {
        let Some(lexicon) = self.lexicon() else {
            return Vec::new();
        };
        let mut places: Vec<usize> = question
            .words()
            .needed()
            .filter_map(|term| lexicon.shard_of(term))
            .filter(|(_, loaded)| !loaded)
            .map(|(place, _)| place)
            .collect();
        places.sort_unstable();
        places.dedup();
        let files: Vec<&IndexFile> = self.manifest().files_of(SectionKind::Postings).collect();
        places
            .into_iter()
            .filter_map(|place| files.get(place).copied())
            .collect()
    }

    /// Gives the `k` best documents by meaning alone, by exact scan, best first; equal scores in
    /// document order.
    ///
    /// # Errors
    /// - [`ErrorKind::InvalidInput`] if files are missing, or the query has other dimensions or
    ///   numbers that are not finite.
    pub fn search(&self, query: &[f32], k: usize) -> Result<Vec<Hit>> {
        let (starts, shards) = (self.starts()?, self.shards()?);
        let query = Query::new(query, self.manifest().model.dimensions as usize)?;
        Ok(super::scan(&shards, starts, &query, k))
    }

    /// Ranks documents for a question by the weights of the index.
    ///
    /// `vector` is the encoded [`Question::meaning_text`]; without it meaning takes no part. By words
    /// alone, documents without any of them are left out; an empty question gives the documents in
    /// their order, to browse. Every
    /// part is made comparable over the whole collection before the filter, so that a filter leaves
    /// documents out and never changes the order of the others.
    ///
    /// # Errors
    /// - [`crate::ErrorKind::InvalidInput`] if needed files are missing, or the vector has other
    ///   dimensions or numbers that are not finite.
    /// - [`crate::ErrorKind::Corrupt`] if postings contradict the index.
    pub fn rank(
        &self,
        question: &Question,
        vector: Option<&[f32]>,
        request: &RankingRequest,
    ) -> Result<Ranking> {
        let weights = self.manifest().ranking.weights();
        self.rank_with(question, vector, request, weights)
    }

    /// Ranks as [`Self::rank`] does, by weights of one's own.
    ///
    /// # Errors
    /// As [`Self::rank`].
    pub fn rank_with(
        &self,
        question: &Question,
        vector: Option<&[f32]>,
        request: &RankingRequest,
        weights: Weights,
    ) -> Result<Ranking> {
        let starts = self.starts()?;
        if !self.is_ready_for_words() {
            return Err(Error::invalid("the index is not loaded yet"));
        }
        let meaning = vector.map(|vector| self.meaning(vector, request.exact));
        let mut meaning = meaning.transpose()?;
        let query_words = match self.lexicon() {
            Some(lexicon) if !question.words().is_empty() => {
                Some(QueryWords::read(lexicon, question.words())?)
            }
            _ => None,
        };
        let words: Option<WordScores> = query_words.as_ref().map(QueryWords::scores);
        let time = self
            .has_times()
            .then(|| self.times(question, request.time_score))
            .transpose()?
            .flatten();
        let by = TookPart {
            meaning: meaning.is_some(),
            words: words.is_some(),
            time: time.is_some(),
        };
        let fused = |meaning: Option<&Meaning>| {
            let cosines = meaning.map(Meaning::values);
            let parts = Parts {
                meaning: cosines.as_deref(),
                words: words.as_ref().map(|words| words.values.as_slice()),
                time: time.as_deref(),
            };
            fuse(parts, weights, Normalization::MinMax, Normalization::AsIs)
        };
        let browsing = !(by.meaning || by.words || by.time);
        let wanted = match request.sort {
            None => request.k,
            Some(_) if browsing => usize::MAX,
            Some(_) => request.k.max(MOST_SORTED),
        };

        let mut passing = Vec::new();
        let days = request.filter.days();
        let mut scan = self.date_scan();
        for (document, pair) in (0..).zip(starts.windows(2)) {
            let in_time = days.is_none_or(|days| {
                let mut seen = DaysSeen::default();
                (pair[0]..pair[1]).for_each(|passage| seen.add(days, scan.of(passage)));
                request.filter.passes_days(seen)
            });
            let in_season = request.filter.season.is_none() || {
                let mut seen = ArcsSeen::default();
                (pair[0]..pair[1]).for_each(|passage| seen.add(scan.of(passage)));
                request.filter.passes_season(&seen)
            };
            if in_time && in_season && request.filter.passes_facets(self.facets(), document) {
                passing.push(document);
            }
        }
        let matching = passing.len() as u32;
        let run = |document: u32| starts[document as usize]..starts[document as usize + 1];
        let mut shares = fused(meaning.as_ref());
        let exact = |passage: u32| {
            words
                .as_ref()
                .and_then(|words| words.exact.get(&passage))
                .copied()
                .unwrap_or(0)
        };
        let holds = |passage: u32| words.as_ref().is_some_and(|words| words.holds(passage));
        if let Some((chosen, candidates)) = meaning
            .as_mut()
            .and_then(|meaning| Some(meaning.candidates()?).map(|count| (meaning, count)))
        {
            let score = |passage| score_of(&shares, exact(passage), passage);
            let mut top = Top::new(candidates.max(wanted));
            for document in passing {
                top.offer(best_passage(document, run(document), score));
            }
            passing = top.into_sorted().iter().map(|s| s.document).collect();
            passing.sort_unstable();
            chosen.settle(self, passing.iter().flat_map(|document| run(*document)))?;
            shares = fused(Some(chosen));
        }

        let mut top = Top::new(wanted);
        let mut nearest = f64::NEG_INFINITY;
        let cosine = |passage: u32| meaning.as_ref().and_then(|meaning| meaning.exact(passage));
        for document in passing {
            let near = run(document)
                .filter_map(cosine)
                .fold(f64::NEG_INFINITY, f64::max);
            nearest = nearest.max(near);
            // By words alone, what holds none of them is no answer; nor is what is only estimated.
            let told = by.time || run(document).any(|passage| holds(passage) || exact(passage) > 0);
            let measured = by.meaning && near > f64::NEG_INFINITY;
            if browsing || told || measured {
                let score = |passage| score_of(&shares, exact(passage), passage);
                top.offer(best_passage(document, run(document), score));
            }
        }
        let mut best = top.into_sorted();
        if let Some(sort) = request.sort {
            let close = f64::from(self.manifest().no_match_below);
            let answers = |scored: &Scored| {
                let mut passages = run(scored.document);
                let told = !(by.meaning || by.words)
                    || passages.clone().any(|passage| {
                        let near = cosine(passage).is_some_and(|cosine| cosine >= close);
                        near || holds(passage) || exact(passage) > 0
                    });
                told && (!by.time || passages.any(|p| may_be(&self.found_time(question, p))))
            };
            best.retain(|scored| browsing || answers(scored));
            best = self.sort_found(sort, best, |scored| scored.document)?;
            best.truncate(request.k);
        }
        let found = |scored: Scored| Found {
            document: scored.document,
            passage: scored.passage,
            score: scored.score,
            shares: shares
                .get(scored.passage as usize)
                .copied()
                .unwrap_or_default(),
            cosine: cosine(scored.passage).map(|cosine| cosine as f32),
            words: query_words
                .as_ref()
                .map(|words| words.matched(scored.passage))
                .unwrap_or_default(),
            exact: exact(scored.passage) > 0,
            time: by.time.then(|| self.found_time(question, scored.passage)),
        };
        let hits: Vec<Found> = best.into_iter().map(found).collect();
        let close = self.is_close(question, &hits, by, nearest);
        Ok(Ranking {
            hits,
            close,
            matching,
            by,
        })
    }

    /// Gives the documents nearest in meaning to a document, which is not among them, by its first
    /// passage.
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidInput`] if there is no such document or files are missing.
    pub fn similar(&self, document: u32, request: &RankingRequest) -> Result<Ranking> {
        let passage = self.passages(document)?.start;
        let vector = self.vector(passage)?;
        let request = RankingRequest {
            k: request.k.saturating_add(1),
            ..request.clone()
        };
        let question = Question::read("", &QuestionOptions::default());
        let mut ranking = self.rank(&question, Some(&vector), &request)?;
        ranking.hits.retain(|hit| hit.document != document);
        ranking.hits.truncate(request.k - 1);
        Ok(ranking)
    }

    /// Gives the parts of the year that a document's dates name or lie in: those of the catalogue
    /// where it gives any, else those of its texts.
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidInput`] if there is no such document or files are missing.
    pub fn seasons(&self, document: u32) -> Result<Vec<YearArc>> {
        let mut seen = ArcsSeen::default();
        let mut scan = self.date_scan();
        self.passages(document)?
            .for_each(|passage| seen.add(scan.of(passage)));
        Ok(seen.arcs().to_vec())
    }

    /// Counts the documents that say something of the time of year.
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidInput`] if files are missing.
    pub fn seasonal_documents(&self) -> Result<u32> {
        let mut scan = self.date_scan();
        let runs = self.starts()?.windows(2);
        let says = |pair: &&[u32]| {
            let mut seen = ArcsSeen::default();
            (pair[0]..pair[1]).for_each(|passage| seen.add(scan.of(passage)));
            !seen.arcs().is_empty()
        };
        Ok(runs.filter(says).count() as u32)
    }

    /// Gives the vector of a passage as the index holds it, of length 1 within its rounding.
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidInput`] if there is no such passage or its vector is not loaded.
    pub fn vector(&self, passage: u32) -> Result<Vec<f32>> {
        let held = self.slots().find_map(|(file, shard)| {
            let row = passage.checked_sub(file.first)?;
            (row < file.count).then(|| Some((shard?, row)))
        });
        match held {
            Some(Some((shard, row))) => shard
                .row(row as usize)
                .map(|(scale, codes)| codes.iter().map(|code| f32::from(*code) * scale).collect())
                .ok_or_else(|| Error::invalid(format!("there is no passage {passage}"))),
            Some(None) => Err(Error::invalid(format!(
                "the vector of passage {passage} is not loaded yet"
            ))),
            None => Err(Error::invalid(format!("there is no passage {passage}"))),
        }
    }

    /// Temporal scores of all passages; `None` when the question names no time.
    fn times(&self, question: &Question, score: Option<TimeScore>) -> Result<Option<Vec<f64>>> {
        if question.datings().is_empty() {
            return Ok(None);
        }
        let passages = 0..self.manifest().passages;
        let mut scan = self.date_scan();
        let way = score.unwrap_or(self.manifest().ranking.time_score);
        let score = |passage| {
            passage_time(way, question.datings(), question.cues(), scan.of(passage)).score
        };
        Ok(Some(passages.map(score).collect()))
    }

    fn found_time(&self, question: &Question, passage: u32) -> FoundTime {
        let dates = self.dates_of(passage);
        let asked = question.datings();
        // However dates are scored, one inside the asked time answers rather than one beside it.
        let answer = passage_time(TimeScore::Museum, asked, question.cues(), &dates);
        let dating = answer.date.and_then(|at| dates.datings.get(at));
        FoundTime {
            relation: answer.relation,
            date: dating.and_then(|dating| shown(dating, asked)),
        }
    }

    /// Gives where the words of a question stand in a text of this collection, in UTF-16 units.
    #[must_use]
    pub fn marks(&self, question: &Question, text: &str) -> Vec<(usize, usize)> {
        let stemming = self.lexicon().map(Lexicon::stemming).unwrap_or_default();
        let units = |bytes: usize| text.get(..bytes).map_or(0, |t| t.encode_utf16().count());
        let marks = question.words().marks(text, stemming);
        marks
            .into_iter()
            .map(|mark| (units(mark.start), units(mark.end)))
            .collect()
    }

    /// A best cosine above what random words reach, every word of the query in one passage, an
    /// exact match, or a date that may be the asked one where nothing else is asked. Where texts are in
    /// another language than queries, a pair of characters that both share is enough.
    fn is_close(&self, question: &Question, hits: &[Found], by: TookPart, nearest: f64) -> bool {
        let asked = question.words().words();
        let by_words = |hit: &Found| {
            let found = hit.words.iter().filter(|word| is_word(word)).count();
            hit.exact || (asked > 0 && found >= asked) || (!by.meaning && !hit.words.is_empty())
        };
        let by_pair = |hit: &Found| {
            self.translations().is_some() && hit.words.iter().any(|word| is_pair(word))
        };
        let by_time = |hit: &Found| hit.time.as_ref().is_some_and(may_be);
        let only_time = question.meaning_text().is_empty() && by.time;
        let browsing = question.text().trim().is_empty();
        (by.meaning && nearest >= f64::from(self.manifest().no_match_below))
            || hits.iter().any(by_words)
            || hits.iter().any(by_pair)
            || (browsing && !hits.is_empty())
            || (only_time && hits.iter().any(by_time))
    }
}

/// Whether a term is two characters of a script without spaces.
fn is_pair(term: &str) -> bool {
    term.chars().count() == 2 && term.chars().all(is_unspaced)
}

/// Whether a document's time may be the one asked for.
fn may_be(time: &FoundTime) -> bool {
    matches!(time.relation, Relation::Inside | Relation::Overlaps)
}

/// The score of a passage: its shares, and 1 more for each exact match.
fn score_of(shares: &[Shares], exact: u32, passage: u32) -> f64 {
    let share = shares.get(passage as usize).copied().unwrap_or_default();
    share.score() + f64::from(exact)
}

/// A document by the best of its passages; of equals the first.
fn best_passage(
    document: u32,
    passages: std::ops::Range<u32>,
    score: impl Fn(u32) -> f64,
) -> Option<Scored> {
    let mut best: Option<Scored> = None;
    for passage in passages {
        let score = score(passage);
        if best.is_none_or(|best| score > best.score) {
            best = Some(Scored {
                score,
                document,
                passage,
            });
        }
    }
    best
}

/// Whether a matched term is a word or character and not a pair or code, which count beside them.
fn is_word(term: &str) -> bool {
    let mut characters = term.chars();
    let first = characters.next().unwrap_or('#');
    first != '#' && first != '=' && (!is_unspaced(first) || characters.next().is_none())
}

/// The reading of a date for people: one that meets what is asked, else the likeliest.
fn shown(dating: &Dating, asked: &[Dating]) -> Option<String> {
    let meets = |reading: &&Interval| {
        let mut readings = asked.iter().flat_map(|asked| &asked.readings);
        readings.any(|q| q.intersect(**reading).is_some())
    };
    let reading = dating.readings.iter().find(meets);
    reading
        .or(dating.readings.first())
        .map(|reading| reading.display())
}

/// Scores the dates of a passage for those of a question, weighing each by its role, by whether the
/// catalogue gives it, and by the words near it where a text has several.
///
/// `cues` holds the words near each date asked for, or nothing to leave them out.
#[must_use]
pub fn passage_time(
    score: TimeScore,
    asked: &[Dating],
    cues: &[Cue],
    dates: &PassageDates,
) -> TimeMatch {
    let catalogue = dates.notes.iter().any(|note| note.catalogue);
    let several = dates.notes.iter().any(|note| note.cue.is_some());
    let near: Vec<Vec<f64>> = cues
        .iter()
        .filter(|_| several)
        .map(|cue| by_cue(cue, &dates.notes))
        .collect();
    let weight = |asked_at: usize, held: usize| {
        let beside = if catalogue && !dates.notes[held].catalogue {
            MENTIONED_BESIDE_CATALOGUE
        } else {
            1.0
        };
        let cue = near
            .get(asked_at)
            .and_then(|weights| weights.get(held))
            .copied()
            .unwrap_or(1.0);
        beside * cue * role_weight(asked[asked_at].role, dates.datings[held].role)
    };
    passage_score(score, asked, &dates.datings, weight)
}

/// The weight of each date by the words near it; 1 for those without.
fn by_cue(cue: &Cue, notes: &[DateNote]) -> Vec<f64> {
    let (places, held): (Vec<usize>, Vec<Cue>) = notes
        .iter()
        .enumerate()
        .filter_map(|(at, note)| Some((at, note.cue.clone()?)))
        .unzip();
    let mut weights = vec![1.0; notes.len()];
    for (at, weight) in places.into_iter().zip(cue.weights(&held)) {
        weights[at] = weight;
    }
    weights
}
