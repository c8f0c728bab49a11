//! `manifest.json`: the one file of an index that may change under its name.

use serde::{Deserialize, Serialize};

use super::file_ref::FileRef;
use crate::search::fusion::Weights;
use crate::search::time::TimeScore;
use crate::time::Settings;
use crate::{Error, ErrorKind, Result};

/// The value of [`Manifest::format`].
pub const MANIFEST_FORMAT: &str = "almanac-index";
/// The name of the manifest in an index folder.
pub const MANIFEST_NAME: &str = "manifest.json";
/// The major version written, and the newest one read.
pub const FORMAT_MAJOR: u32 = 1;
/// The minor version written; newer minors are read.
pub const FORMAT_MINOR: u32 = 3;

/// Most documents or passages of an index: ids are 32 bits and one value is kept free.
const MAX_COUNT: u64 = u32::MAX as u64 - 1;

/// What a file of an index holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SectionKind {
    /// Int8 passage vectors, a run of passages a file.
    Vectors,
    /// The first passage of every document.
    Offsets,
    /// Stored fields and passages, a run of documents a file; fetched on demand.
    Documents,
    /// Dates of every passage, a run of passages a file.
    Times,
    /// The values by which documents are narrowed down.
    Facets,
    /// The directory of the words and the length of every passage.
    Lexicon,
    /// Where terms stand, a run of terms a file; fetched when a query holds one of them.
    Postings,
    /// The signs of the vectors' numbers, a run of passages a file.
    Signs,
    /// The clusters in which passages lie, each with its center.
    Clusters,
    /// The order of documents by title or another field.
    Sort,
    /// What the words of a query may be in the language of the passages.
    Translations,
    /// A section of a newer minor version, skipped.
    #[serde(other)]
    Unknown,
}

impl SectionKind {
    /// The kinds this version writes, in the order of the manifest.
    pub const WRITTEN: [Self; 11] = [
        Self::Vectors,
        Self::Offsets,
        Self::Documents,
        Self::Times,
        Self::Facets,
        Self::Lexicon,
        Self::Postings,
        Self::Signs,
        Self::Clusters,
        Self::Sort,
        Self::Translations,
    ];

    /// Gives the name with which its files begin and which the manifest uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Vectors => "vectors",
            Self::Offsets => "offsets",
            Self::Documents => "documents",
            Self::Times => "times",
            Self::Facets => "facets",
            Self::Lexicon => "lexicon",
            Self::Postings => "postings",
            Self::Signs => "signs",
            Self::Clusters => "clusters",
            Self::Sort => "sort",
            Self::Translations => "translations",
            Self::Unknown => "unknown",
        }
    }
}

/// A file of an index and the run of passages or documents it covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexFile {
    /// What it holds.
    pub kind: SectionKind,
    /// Number of its first passage (vectors, times, lexicon, signs, clusters), document (offsets,
    /// documents, facets, sort) or term (postings, translations).
    pub first: u32,
    /// How many passages, documents or terms it covers.
    pub count: u32,
    /// Name, size and hash.
    #[serde(flatten)]
    pub file: FileRef,
}

/// The encoder an index was built with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelBinding {
    /// The id on the model's card.
    pub id: String,
    /// Dimensions of every vector.
    pub dimensions: u32,
    /// SHA-256 of the tokenizer file.
    pub tokenizer_sha256: String,
}

/// How much each part counts in this collection's ranking.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankingWeights {
    /// The share of time, 0 to 1, for queries that name one.
    pub time: f64,
    /// The share of words in what is not time, 0 to 1.
    pub words: f64,
    /// How the dates of a text are compared with those asked for; a museum's way where none is named.
    #[serde(default, skip_serializing_if = "is_museum")]
    pub time_score: TimeScore,
    /// On how many judged queries they were chosen; 0 for the general weights.
    pub chosen_on: u32,
}

fn is_museum(score: &TimeScore) -> bool {
    *score == TimeScore::Museum
}

impl Default for RankingWeights {
    fn default() -> Self {
        let Weights { time, words } = Weights::default();
        Self {
            time,
            words,
            time_score: TimeScore::default(),
            chosen_on: 0,
        }
    }
}

impl RankingWeights {
    /// Gives the weights as ranking takes them.
    #[must_use]
    pub fn weights(self) -> Weights {
        Weights {
            time: self.time,
            words: self.words,
        }
    }
}

/// How the collection's dates were read, and how those of queries are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DateReading {
    /// One of [`Settings::PRESETS`].
    pub preset: String,
}

impl Default for DateReading {
    fn default() -> Self {
        Self {
            preset: "almanac".to_owned(),
        }
    }
}

impl DateReading {
    /// Gives the conventions.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if this release does not know the preset.
    pub fn settings(&self) -> Result<Settings> {
        Settings::preset(&self.preset).ok_or_else(|| {
            Error::new(
                ErrorKind::Unsupported,
                format!(
                    "dates were read by the preset {:?}, this release knows {}",
                    self.preset,
                    Settings::PRESETS.join(", ")
                ),
            )
            .with_remedy("update the site or rebuild the index")
        })
    }
}

/// How passages are chosen by the signs of their vectors before they are scored exactly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prefilter {
    /// Passages that are scored exactly, at least 1.
    pub candidates: u32,
    /// Share of the ten best by the exact scan that are among them, on sampled queries.
    pub recall_at_10: f32,
}

/// What fetching a part of the vectors finds, by the clusters nearest to the query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clustering {
    /// Clusters that a search fetches unless it asks otherwise, at least 1.
    pub probes: u32,
    /// What was measured on sampled queries, by rising probes.
    pub curve: Vec<ProbeRecall>,
}

/// One point of the curve of a [`Clustering`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeRecall {
    /// Clusters fetched.
    pub probes: u32,
    /// The mean share of the bytes of all vectors that they have.
    pub bytes: f32,
    /// Share of the ten best by the exact scan that lie in them.
    pub recall_at_10: f32,
}

/// Describes an index: counts, model, calibration and files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Always [`MANIFEST_FORMAT`].
    pub format: String,
    /// Major and minor version of the format.
    pub version: [u32; 2],
    /// Names this build: equal inputs give an equal release.
    pub release: String,
    /// The collection's title, for people.
    pub title: String,
    /// Documents (rows of the collection).
    pub documents: u32,
    /// Passages, at least one a document.
    pub passages: u32,
    /// The encoder that queries must use.
    pub model: ModelBinding,
    /// Best scores below this are "no close match" (a cosine, from queries of random words).
    pub no_match_below: f32,
    /// Share of the ten best by float32 that the quantized scan finds too, on sampled passages.
    pub recall_at_10: f32,
    /// How signs choose candidates; only with files of that kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefilter: Option<Prefilter>,
    /// What the nearest clusters hold; only with a file of that kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clusters: Option<Clustering>,
    /// How much each part counts.
    #[serde(default)]
    pub ranking: RankingWeights,
    /// How dates are read.
    #[serde(default)]
    pub dates: DateReading,
    /// Searches that a page may offer at first, in the words of those who know the collection.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
    /// All files, in order of kind and `first`.
    pub files: Vec<IndexFile>,
}

impl Manifest {
    /// Reads and checks a manifest.
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`] if the bytes are not a manifest or its numbers contradict each other.
    /// - [`ErrorKind::Unsupported`] if the major version is newer than [`FORMAT_MAJOR`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::parse(bytes).map_err(|e| e.in_place(MANIFEST_NAME))
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: [u32; 2],
        }
        let head: Head = serde_json::from_slice(bytes)
            .map_err(|e| Error::corrupt(format!("not a manifest: {e}")))?;
        if head.format != MANIFEST_FORMAT {
            return Err(Error::corrupt(format!(
                "format is {:?}, expected {MANIFEST_FORMAT:?}",
                head.format
            )));
        }
        let [major, minor] = head.version;
        if major == 0 || major > FORMAT_MAJOR {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("format version {major}.{minor}, this release reads {FORMAT_MAJOR}.x"),
            )
            .with_remedy("update the site or rebuild the index"));
        }
        let manifest: Self =
            serde_json::from_slice(bytes).map_err(|e| Error::corrupt(e.to_string()))?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Gives the files of one kind, in order.
    pub fn files_of(&self, kind: SectionKind) -> impl Iterator<Item = &IndexFile> {
        self.files.iter().filter(move |f| f.kind == kind)
    }

    fn check(&self) -> Result<()> {
        let (documents, passages) = (u64::from(self.documents), u64::from(self.passages));
        if documents == 0 || passages < documents || passages > MAX_COUNT {
            return Err(Error::corrupt(format!(
                "{documents} documents with {passages} passages"
            )));
        }
        if !(1..=8_192).contains(&self.model.dimensions) {
            return Err(Error::corrupt(format!(
                "{} dimensions, expected 1 to 8192",
                self.model.dimensions
            )));
        }
        if !(-1.0..=1.0).contains(&self.no_match_below) {
            return Err(Error::corrupt(format!(
                "no_match_below is {}, expected -1 to 1",
                self.no_match_below
            )));
        }
        for weight in [self.ranking.time, self.ranking.words] {
            if !(0.0..=1.0).contains(&weight) {
                return Err(Error::corrupt(format!(
                    "a ranking weight is {weight}, expected 0 to 1"
                )));
            }
        }
        if self.ranking.time_score.is_divergence() {
            return Err(Error::corrupt(format!(
                "time_score is {:?}, expected museum or prose",
                self.ranking.time_score
            )));
        }
        self.dates.settings()?;
        self.check_shortcuts()?;
        let mut names = std::collections::HashSet::new();
        for file in &self.files {
            file.file.check()?;
            // A file says which run it holds, so none can be two.
            if file.kind != SectionKind::Unknown && !names.insert(file.file.file.as_str()) {
                return Err(Error::corrupt("is named twice").in_place(file.file.file.clone()));
            }
        }
        for (kind, total) in [
            (SectionKind::Vectors, passages),
            (SectionKind::Offsets, documents),
            (SectionKind::Documents, documents),
        ] {
            self.check_runs(kind, Some(total))?;
        }
        // Sections that an index may lack.
        for (kind, total) in [
            (SectionKind::Times, Some(passages)),
            (SectionKind::Lexicon, Some(passages)),
            (SectionKind::Facets, Some(documents)),
            (SectionKind::Postings, None),
            (SectionKind::Signs, Some(passages)),
            (SectionKind::Clusters, Some(passages)),
            (SectionKind::Sort, Some(documents)),
            (SectionKind::Translations, None),
        ] {
            if self.files_of(kind).next().is_some() {
                self.check_runs(kind, total)?;
            }
        }
        for kind in [
            SectionKind::Offsets,
            SectionKind::Lexicon,
            SectionKind::Facets,
            SectionKind::Clusters,
            SectionKind::Sort,
            SectionKind::Translations,
        ] {
            let count = self.files_of(kind).count();
            if count > 1 {
                return Err(Error::corrupt(format!(
                    "{count} {kind:?} files, expected one"
                )));
            }
        }
        Ok(())
    }

    /// What says how signs and clusters are used stands there with their files, and only then.
    fn check_shortcuts(&self) -> Result<()> {
        for (kind, said) in [
            (SectionKind::Signs, self.prefilter.is_some()),
            (SectionKind::Clusters, self.clusters.is_some()),
        ] {
            if self.files_of(kind).next().is_some() != said {
                return Err(Error::corrupt(format!(
                    "{} files and what is said of their use do not go together",
                    kind.name()
                )));
            }
        }
        let prefilter = self.prefilter.iter();
        let curve = self.clusters.iter().flat_map(|clusters| &clusters.curve);
        let shares = prefilter
            .clone()
            .map(|prefilter| prefilter.recall_at_10)
            .chain(curve.flat_map(|point| [point.bytes, point.recall_at_10]));
        let counts = prefilter
            .map(|prefilter| prefilter.candidates)
            .chain(self.clusters.iter().map(|clusters| clusters.probes));
        for share in shares {
            if !(0.0..=1.0).contains(&share) {
                return Err(Error::corrupt(format!(
                    "a share or recall is {share}, expected 0 to 1"
                )));
            }
        }
        if counts.into_iter().any(|count| count == 0) {
            return Err(Error::corrupt(
                "0 candidates or probes, expected at least 1",
            ));
        }
        Ok(())
    }

    /// Files of a kind must cover `0..total` in order without hole or overlap; without a total the
    /// run may end anywhere.
    fn check_runs(&self, kind: SectionKind, total: Option<u64>) -> Result<()> {
        let mut next = 0u64;
        for file in self.files_of(kind) {
            if u64::from(file.first) != next || file.count == 0 {
                return Err(Error::corrupt(format!(
                    "covers {} from {}, expected from {next}",
                    file.count, file.first
                ))
                .in_place(file.file.file.clone()));
            }
            next += u64::from(file.count);
        }
        match total {
            Some(total) if next != total => Err(Error::corrupt(format!(
                "{kind:?} files cover {next}, expected {total}"
            ))),
            _ => Ok(()),
        }
    }
}
