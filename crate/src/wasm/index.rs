//! The index behind the door.

use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::{to_js, value};
use crate::index::{Document, Facet, Facets, Index, IndexFile, SectionKind};
use crate::search::fusion::Weights;
use crate::search::time::TimeScore;
use crate::search::{Filter, Question, RankingRequest};
use crate::time::{Expression, Refusal, Role, parse_iso_day};
use crate::{Error, ErrorKind, Result};

#[derive(Serialize)]
struct FileInfo<'a> {
    name: &'a str,
    bytes: u64,
    sha256: &'a str,
    kind: SectionKind,
}

impl<'a> From<&'a IndexFile> for FileInfo<'a> {
    fn from(file: &'a IndexFile) -> Self {
        Self {
            name: &file.file.file,
            bytes: file.file.bytes,
            sha256: &file.file.sha256,
            kind: file.kind,
        }
    }
}

#[derive(Serialize)]
struct Info<'a> {
    title: &'a str,
    documents: u32,
    passages: u32,
    dims: u32,
    model_id: &'a str,
    release: &'a str,
    /// Bytes of the files a full search needs.
    search_bytes: u64,
    /// Of these, what a search by words and time needs.
    words_bytes: u64,
    /// Bytes of all files.
    index_bytes: u64,
    /// Documents with a date.
    dated: u32,
    /// First and last day of nearly all dates.
    days: Option<(i64, i64)>,
    facets: Vec<FacetInfo<'a>>,
    /// Names of what documents can be sorted by besides relevance.
    sorts: Vec<&'a str>,
    /// Clusters that a search by meaning fetches; `None` where it needs all vectors.
    probes: Option<u32>,
    /// Documents that say something of the time of year.
    seasonal: u32,
    /// How much each part counts in a ranking.
    weights: Weights,
    /// How dates are compared.
    time_score: TimeScore,
    /// The cosine below which a passage is not close in meaning.
    no_match_below: f32,
    /// Searches that a page may offer at first.
    examples: &'a [String],
}

#[derive(Serialize)]
struct FacetInfo<'a> {
    label: &'a str,
    values: Vec<ValueInfo<'a>>,
}

#[derive(Serialize)]
struct ValueInfo<'a> {
    value: &'a str,
    count: u32,
}

impl<'a> From<&'a Facet> for FacetInfo<'a> {
    fn from(facet: &'a Facet) -> Self {
        let value = |(value, count): &'a (String, u32)| ValueInfo {
            value,
            count: *count,
        };
        Self {
            label: &facet.label,
            values: facet.values.iter().map(value).collect(),
        }
    }
}

/// A question as the page writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    query: String,
    anchor: Option<String>,
    time: Option<bool>,
    k: usize,
    filter: Option<Filter>,
    sort: Option<AskedSort>,
    weights: Option<Weights>,
}

/// Another order than relevance, by one of the names that [`Info`] lists.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedSort {
    by: String,
    #[serde(default)]
    descending: bool,
}

/// What a question was understood as.
#[derive(Serialize)]
struct Understood<'a> {
    meaning_text: &'a str,
    dates: Vec<UnderstoodDate<'a>>,
    refusals: Vec<RefusedDate<'a>>,
    phrases: Vec<String>,
}

#[derive(Serialize)]
struct UnderstoodDate<'a> {
    r#match: &'a str,
    start: usize,
    end: usize,
    reading: String,
    first: Option<i64>,
    last: Option<i64>,
    seasonal: bool,
    role: Role,
}

impl<'a> UnderstoodDate<'a> {
    fn new(date: &'a Expression, text: &'a str) -> Self {
        let hull = date.hull();
        Self {
            r#match: text.get(date.range.clone()).unwrap_or_default(),
            start: date.utf16.start,
            end: date.utf16.end,
            reading: date.reading(text),
            first: hull.and_then(|hull| hull.first.day()).map(|day| day.0),
            last: hull.and_then(|hull| hull.last.day()).map(|day| day.0),
            seasonal: date.arc.is_some(),
            role: date.role,
        }
    }
}

#[derive(Serialize)]
struct RefusedDate<'a> {
    r#match: &'a str,
    start: usize,
    end: usize,
    reason: &'a str,
}

impl<'a> RefusedDate<'a> {
    fn new(refusal: &'a Refusal, text: &'a str) -> Self {
        Self {
            r#match: text.get(refusal.range.clone()).unwrap_or_default(),
            start: refusal.utf16.start,
            end: refusal.utf16.end,
            reason: &refusal.reason,
        }
    }
}

#[derive(Serialize)]
struct DocumentInfo {
    #[serde(flatten)]
    document: Document,
    first_passage: u32,
}

/// A collection's index, filled file by file.
#[wasm_bindgen(js_name = Index)]
pub struct JsIndex {
    index: Index,
}

#[wasm_bindgen(js_class = Index)]
impl JsIndex {
    /// Opens an index from the bytes of `manifest.json`.
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "corrupt" or "unsupported".
    pub fn open(manifest: &[u8]) -> Result<JsIndex, JsValue> {
        Index::open(manifest)
            .map(|index| Self { index })
            .map_err(to_js)
    }

    /// Gives the files a full search needs, the small ones first, as `{name, bytes, sha256, kind}`.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "internal" only.
    pub fn required_files(&self) -> Result<JsValue, JsValue> {
        value(
            &self
                .index
                .required()
                .into_iter()
                .map(FileInfo::from)
                .collect::<Vec<_>>(),
        )
    }

    /// Verifies and takes in one required file, or postings once the lexicon is in.
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "corrupt" if the bytes are not that file.
    pub fn add_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), JsValue> {
        self.index.add_file(name, bytes).map_err(to_js)
    }

    /// Says whether every required file is in.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.index.is_ready()
    }

    /// Says whether words and time can answer already.
    #[must_use]
    pub fn ready_for_words(&self) -> bool {
        self.index.is_ready_for_words()
    }

    /// Checks that queries of a model can be scored here.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "incompatible" if the index has another model.
    pub fn check_model(&self, id: &str) -> Result<(), JsValue> {
        self.index.check_model(id).map_err(to_js)
    }

    /// Describes the index for the page.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "internal" only.
    pub fn info(&self) -> Result<JsValue, JsValue> {
        let manifest = self.index.manifest();
        let required = self.index.required();
        let bytes = |vectors: bool| {
            let counts = |file: &&&IndexFile| {
                let of_meaning = [
                    SectionKind::Vectors,
                    SectionKind::Signs,
                    SectionKind::Clusters,
                ];
                vectors || !of_meaning.contains(&file.kind)
            };
            required.iter().filter(counts).map(|f| f.file.bytes).sum()
        };
        let (dated, days) = self.index.dated();
        let facets = self.index.facets().map(Facets::facets).unwrap_or_default();
        value(&Info {
            title: &manifest.title,
            documents: manifest.documents,
            passages: manifest.passages,
            dims: manifest.model.dimensions,
            model_id: &manifest.model.id,
            release: &manifest.release,
            search_bytes: bytes(true),
            words_bytes: bytes(false),
            index_bytes: manifest.files.iter().map(|f| f.file.bytes).sum(),
            dated,
            days: days.map(|(first, last)| (first.0, last.0)),
            facets: facets.iter().map(FacetInfo::from).collect(),
            sorts: self.index.sort_names(),
            probes: manifest.clusters.as_ref().map(|clusters| clusters.probes),
            // None are known before the dates are in.
            seasonal: self.index.seasonal_documents().unwrap_or_default(),
            weights: manifest.ranking.weights(),
            time_score: manifest.ranking.time_score,
            no_match_below: manifest.no_match_below,
            examples: &manifest.examples,
        })
    }

    /// Says what a question means, as JSON; `question` is JSON with `query` and `k`, and may hold
    /// `anchor`, `time`, `filter`, `sort` and `weights`.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if the question is no such JSON.
    pub fn understand(&self, question: &str) -> Result<String, JsValue> {
        let (question, ..) = self.read(question).map_err(to_js)?;
        let text = question.text();
        let dates = question.dates().iter();
        let refusals = question.refusals().iter();
        json(&Understood {
            meaning_text: question.meaning_text(),
            dates: dates.map(|date| UnderstoodDate::new(date, text)).collect(),
            refusals: refusals.map(|r| RefusedDate::new(r, text)).collect(),
            phrases: question
                .words()
                .phrases()
                .iter()
                .map(|phrase| phrase.join(" "))
                .collect(),
        })
        .map_err(to_js)
    }

    /// Gives the postings files a question needs and that are not in yet.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if the question is not as
    /// [`Self::understand`] takes it.
    pub fn word_files(&self, question: &str) -> Result<JsValue, JsValue> {
        let (question, ..) = self.read(question).map_err(to_js)?;
        let missing = self.index.missing_postings(&question);
        value(&missing.into_iter().map(FileInfo::from).collect::<Vec<_>>())
    }

    /// Gives the vectors files that are not in yet: those that a search by so many nearest clusters
    /// needs, or all where there is no vector or the index has no clusters.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if the vector does not fit the index.
    pub fn vector_files(
        &self,
        vector: Option<Vec<f32>>,
        probes: Option<usize>,
    ) -> Result<JsValue, JsValue> {
        let missing = match vector {
            Some(vector) => self
                .index
                .vector_files(&vector, probes.unwrap_or(usize::MAX))
                .map_err(to_js)?,
            None => self.index.missing_vectors(),
        };
        value(&missing.into_iter().map(FileInfo::from).collect::<Vec<_>>())
    }

    /// Ranks documents, as JSON; `vector` is the encoded `meaning_text`, or nothing to rank by
    /// words and time alone.
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "invalid_input" if the question is not as
    /// [`Self::understand`] takes it, files are missing or the vector does not fit the index.
    pub fn rank(&self, question: &str, vector: Option<Vec<f32>>) -> Result<String, JsValue> {
        self.ranked(question, vector.as_deref()).map_err(to_js)
    }

    /// Gives the documents nearest in meaning to a document, as JSON like that of [`Self::rank`]; of
    /// the question, as [`Self::understand`] takes it, `k` and `filter` count.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if there is no such document, the question
    /// is no such JSON or files are missing.
    pub fn similar(&self, document: u32, question: &str) -> Result<String, JsValue> {
        let ranking = self
            .read(question)
            .and_then(|(_, request, _)| self.index.similar(document, &request));
        ranking.and_then(|ranking| json(&ranking)).map_err(to_js)
    }

    /// Gives the parts of the year of a document: center and length in days from the start of the
    /// year by turns; empty for a document that says nothing of the time of year.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if there is no such document.
    pub fn seasons(&self, document: u32) -> Result<Vec<f64>, JsValue> {
        let arcs = self.index.seasons(document).map_err(to_js)?;
        Ok(arcs
            .into_iter()
            .flat_map(|arc| [arc.center, arc.length])
            .collect())
    }

    /// Gives the vector of a passage as the index holds it.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if there is no such passage or files are
    /// missing.
    pub fn vector(&self, passage: u32) -> Result<Vec<f32>, JsValue> {
        self.index.vector(passage).map_err(to_js)
    }

    /// Gives where the words of a question stand in a text, as start and end in UTF-16 units by turns.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if the question is not as
    /// [`Self::understand`] takes it.
    pub fn marks(&self, question: &str, text: &str) -> Result<Vec<u32>, JsValue> {
        let (question, ..) = self.read(question).map_err(to_js)?;
        let marks = self.index.marks(&question, text);
        Ok(marks
            .into_iter()
            .flat_map(|(start, end)| [start as u32, end as u32])
            .collect())
    }

    /// Gives the dates of a document for a timeline: first and last day by turns, infinite where an
    /// end is open or unknown; empty for an undated document.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if there is no such document.
    pub fn days(&self, document: u32) -> Result<Vec<f64>, JsValue> {
        let intervals = self.index.intervals(document).map_err(to_js)?;
        let ends = |interval: crate::time::Interval| {
            let day = |bound: crate::time::Bound, otherwise: f64| {
                bound.day().map_or(otherwise, |day| day.0 as f64)
            };
            [
                day(interval.first, f64::NEG_INFINITY),
                day(interval.last, f64::INFINITY),
            ]
        };
        Ok(intervals.into_iter().flat_map(ends).collect())
    }

    fn ranked(&self, question: &str, vector: Option<&[f32]>) -> Result<String> {
        let (question, request, weights) = self.read(question)?;
        let weights = weights.unwrap_or_else(|| self.index.manifest().ranking.weights());
        json(&self.index.rank_with(&question, vector, &request, weights)?)
    }

    fn read(&self, question: &str) -> Result<(Question, RankingRequest, Option<Weights>)> {
        let asked: Asked = serde_json::from_str(question)
            .map_err(|e| Error::invalid(e.to_string()).in_place("question"))?;
        let anchor = match &asked.anchor {
            None => None,
            Some(day) => Some(parse_iso_day(day).ok_or_else(|| {
                Error::invalid(format!("anchor {day:?}: expected a day such as 2024-03-15"))
            })?),
        };
        let dates_are_words = asked.time == Some(false);
        let question = self.index.question(&asked.query, anchor, dates_are_words);
        let by = asked.sort.filter(|sort| sort.by != "relevance");
        let sort = by.map(|sort| self.index.sort(&sort.by, sort.descending));
        let request = RankingRequest {
            k: asked.k,
            filter: asked.filter.unwrap_or_default(),
            sort: sort.transpose()?,
            ..RankingRequest::default()
        };
        if let Some(Weights { time, words }) = asked.weights
            && !(within_one(time) && within_one(words))
        {
            return Err(Error::invalid(format!(
                "weights are {time} and {words}, expected 0 to 1"
            )));
        }
        Ok((question, request, asked.weights))
    }

    /// Gives the `k` best documents by meaning alone as `{document, passage, score}`, best first.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if the index is not loaded or the query
    /// does not fit it.
    pub fn nearest(&self, query: &[f32], k: usize) -> Result<JsValue, JsValue> {
        value(&self.index.search(query, k).map_err(to_js)?)
    }

    /// Names the file that stores a document.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if there is no such document.
    pub fn document_file(&self, document: u32) -> Result<JsValue, JsValue> {
        value(&FileInfo::from(
            self.index.document_file(document).map_err(to_js)?,
        ))
    }

    /// Reads a document from the bytes of its file.
    ///
    /// # Errors
    /// Throws an `AlmanacError`; `code` is "corrupt" if the bytes are not its file.
    pub fn document(&self, document: u32, bytes: &[u8]) -> Result<JsValue, JsValue> {
        let first_passage = self.index.passages(document).map_err(to_js)?.start;
        let document = self.index.document(document, bytes).map_err(to_js)?;
        value(&DocumentInfo {
            document,
            first_passage,
        })
    }
}

fn within_one(share: f64) -> bool {
    (0.0..=1.0).contains(&share)
}

fn json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))
}
