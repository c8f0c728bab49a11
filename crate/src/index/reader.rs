//! An index in memory: verified files, ready to be searched.

use serde::{Deserialize, Serialize};

use super::clusters::Clusters;
use super::documents::{Document, read_chunk};
use super::facets::Facets;
use super::lexicon::Lexicon;
use super::manifest::{IndexFile, Manifest, SectionKind};
use super::offsets::Offsets;
use super::signs::SignShard;
use super::sort::SortColumns;
use super::times::{DateScan, PassageDates, Times};
use super::translations::Translations;
use super::vectors::VectorShard;
use crate::time::{DayNumber, Interval, Settings};
use crate::{Error, ErrorKind, Result};

/// One result: a document by its best passage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// Number of the document.
    pub document: u32,
    /// Number of its best passage, counted over the whole index.
    pub passage: u32,
    /// Cosine of query and passage, −1 to 1.
    pub score: f32,
}

/// A collection's index, filled file by file as they arrive.
///
/// Every file is checked against the manifest's SHA-256 and its own structure before it counts.
#[derive(Debug)]
pub struct Index {
    manifest: Manifest,
    date_settings: Settings,
    shards: Vec<Option<VectorShard>>,
    offsets: Option<Offsets>,
    /// One for each `times` file.
    time_runs: Vec<Option<Times>>,
    /// All of them in order, once they are in.
    times: Option<Vec<Times>>,
    facets: Option<Facets>,
    lexicon: Option<Lexicon>,
    signs: Vec<Option<SignShard>>,
    clusters: Option<Clusters>,
    sort: Option<SortColumns>,
    translations: Option<Translations>,
}

impl Index {
    /// Opens an index from the bytes of its `manifest.json`.
    ///
    /// # Errors
    /// As [`Manifest::from_bytes`].
    pub fn open(manifest: &[u8]) -> Result<Self> {
        let manifest = Manifest::from_bytes(manifest)?;
        let slots = |kind| manifest.files_of(kind).count();
        let shards = vec![None; slots(SectionKind::Vectors)];
        let time_runs = vec![None; slots(SectionKind::Times)];
        let signs = vec![None; slots(SectionKind::Signs)];
        Ok(Self {
            date_settings: manifest.dates.settings()?,
            manifest,
            shards,
            offsets: None,
            time_runs,
            times: None,
            facets: None,
            lexicon: None,
            signs,
            clusters: None,
            sort: None,
            translations: None,
        })
    }

    /// Opens an index folder and reads all that any search needs, postings included.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if a file cannot be read.
    /// - Those of [`Index::open`] and [`Index::add_file`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open_folder(folder: &std::path::Path) -> Result<Self> {
        Self::open_files(folder, |_| true)
    }

    /// Opens an index folder as [`Self::open_folder`] does, without the vectors, to add those of the
    /// clusters near to a query.
    ///
    /// # Errors
    /// As [`Self::open_folder`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open_folder_without_vectors(folder: &std::path::Path) -> Result<Self> {
        Self::open_files(folder, |kind| kind != SectionKind::Vectors)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn open_files(folder: &std::path::Path, wanted: impl Fn(SectionKind) -> bool) -> Result<Self> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|e| {
                Error::io(&path, &e).with_remedy("give a folder made by `almanac-index build`")
            })
        };
        let here = |e: Error| e.in_place(folder.display().to_string());
        let mut index = Self::open(&read(super::MANIFEST_NAME)?).map_err(here)?;
        let required = index.required();
        let postings = index.manifest.files_of(SectionKind::Postings);
        let names: Vec<String> = required
            .into_iter()
            .chain(postings)
            .filter(|file| wanted(file.kind))
            .map(|f| f.file.file.clone())
            .collect();
        for name in names {
            index.add_file(&name, &read(&name)?).map_err(here)?;
        }
        Ok(index)
    }

    /// Gives the manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Gives the files that must be added before a full search, the small ones first.
    #[must_use]
    pub fn required(&self) -> Vec<&IndexFile> {
        [
            SectionKind::Offsets,
            SectionKind::Times,
            SectionKind::Facets,
            SectionKind::Lexicon,
            SectionKind::Translations,
            SectionKind::Sort,
            SectionKind::Clusters,
            SectionKind::Signs,
            SectionKind::Vectors,
        ]
        .into_iter()
        .flat_map(|kind| self.manifest.files_of(kind))
        .collect()
    }

    /// Verifies and takes in one file: a required one, or postings once the lexicon is in.
    ///
    /// # Errors
    /// - [`ErrorKind::InvalidInput`] if the manifest names no such file, or it cannot be added.
    /// - [`ErrorKind::Corrupt`] if the bytes are not that file.
    pub fn add_file(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let of_kind = |kind| self.manifest.files_of(kind);
        let (file, place) = self
            .manifest
            .files
            .iter()
            .find(|file| file.file.file == name)
            .and_then(|file| {
                let place = of_kind(file.kind).position(|other| std::ptr::eq(other, file))?;
                Some((file.clone(), place))
            })
            .ok_or_else(|| Error::invalid("is not a file of this index").in_place(name))?;
        file.file.verify(bytes)?;
        self.take_in(&file, place, bytes)
            .map_err(|e| e.in_place(name))
    }

    /// Takes in the `place`th file of its kind.
    fn take_in(&mut self, file: &IndexFile, place: usize, bytes: &[u8]) -> Result<()> {
        let (documents, passages) = (self.manifest.documents, self.manifest.passages);
        match file.kind {
            SectionKind::Vectors => {
                let shard = VectorShard::from_bytes(bytes)?;
                let expected = (
                    file.first,
                    file.count as usize,
                    self.manifest.model.dimensions as usize,
                );
                let got = (shard.first(), shard.len(), shard.dimensions());
                if got != expected {
                    return Err(Error::corrupt(format!(
                        "first, count and dimensions are {got:?}, expected {expected:?}"
                    )));
                }
                self.shards[place] = Some(shard);
            }
            SectionKind::Offsets => {
                self.offsets = Some(Offsets::from_bytes(bytes, documents, passages)?);
            }
            SectionKind::Times => {
                let run = Times::from_bytes(bytes, file.first, file.count)?;
                self.time_runs[place] = Some(run);
                self.join_times();
            }
            SectionKind::Facets => self.facets = Some(Facets::from_bytes(bytes, documents)?),
            SectionKind::Lexicon => {
                let lexicon = Lexicon::from_bytes(bytes, passages)?;
                let files = self.manifest.files_of(SectionKind::Postings);
                let named = files.map(|file| (u64::from(file.first), file.count));
                if !lexicon.runs().eq(named) {
                    return Err(Error::corrupt(
                        "names other shards of postings than the manifest",
                    ));
                }
                self.lexicon = Some(lexicon);
            }
            SectionKind::Postings => self
                .lexicon
                .as_mut()
                .ok_or_else(|| Error::invalid("can only be added after the lexicon"))?
                .add_shard(place, bytes)?,
            SectionKind::Signs => {
                let dimensions = self.manifest.model.dimensions;
                let shard = SignShard::from_bytes(bytes, dimensions, file.first, file.count)?;
                self.signs[place] = Some(shard);
            }
            SectionKind::Clusters => {
                let dimensions = self.manifest.model.dimensions;
                self.clusters = Some(Clusters::from_bytes(bytes, dimensions, passages)?);
            }
            SectionKind::Sort => self.sort = Some(SortColumns::from_bytes(bytes, documents)?),
            SectionKind::Translations => {
                let table = Translations::from_bytes(bytes)?;
                if table.len() != file.count as usize {
                    return Err(Error::corrupt(format!(
                        "{} terms, expected {}",
                        table.len(),
                        file.count
                    )));
                }
                self.translations = Some(table);
            }
            SectionKind::Documents | SectionKind::Unknown => {
                return Err(Error::invalid("is not needed for a search"));
            }
        }
        Ok(())
    }

    fn join_times(&mut self) {
        if self.time_runs.iter().all(Option::is_some) {
            self.times = Some(self.time_runs.iter_mut().filter_map(Option::take).collect());
        }
    }

    /// Says whether every file that a full search needs is in; signs and the order of documents are
    /// of use without being needed.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.is_ready_for_words() && self.shards.iter().all(Option::is_some)
    }

    /// Says whether what words and time need to answer is in.
    #[must_use]
    pub fn is_ready_for_words(&self) -> bool {
        let lacks = |kind| self.manifest.files_of(kind).next().is_none();
        self.offsets.is_some()
            && (self.times.is_some() || lacks(SectionKind::Times))
            && (self.facets.is_some() || lacks(SectionKind::Facets))
            && (self.lexicon.is_some() || lacks(SectionKind::Lexicon))
            && (self.translations.is_some() || lacks(SectionKind::Translations))
    }

    /// Gives the facets, when the collection has any.
    #[must_use]
    pub fn facets(&self) -> Option<&Facets> {
        self.facets.as_ref()
    }

    /// Gives the dates of a passage; none for a passage that does not exist.
    #[must_use]
    pub fn dates_of(&self, passage: u32) -> PassageDates {
        self.date_scan().of(passage).clone()
    }

    /// Reads the dates of passages one after the other.
    pub(crate) fn date_scan(&self) -> DateScan<'_> {
        DateScan::new(self.times.as_deref().unwrap_or_default())
    }

    /// Gives the likeliest interval of each date of a document: those of the catalogue, else those of
    /// its texts.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidInput`] if there is no such document or the index is not loaded.
    pub fn intervals(&self, document: u32) -> Result<Vec<Interval>> {
        let mut scan = self.date_scan();
        let mut dates: Vec<(Interval, bool)> = Vec::new();
        for passage in self.passages(document)? {
            let PassageDates { datings, notes } = scan.of(passage);
            let told = datings.iter().zip(notes);
            dates.extend(
                told.filter_map(|(dating, note)| Some((*dating.readings.first()?, note.catalogue))),
            );
        }
        let catalogue = dates.iter().any(|(_, catalogue)| *catalogue);
        let mut intervals: Vec<Interval> = Vec::new();
        for (interval, of_catalogue) in dates {
            if of_catalogue == catalogue && !intervals.contains(&interval) {
                intervals.push(interval);
            }
        }
        Ok(intervals)
    }

    pub(crate) fn date_settings(&self) -> &Settings {
        &self.date_settings
    }

    pub(crate) fn has_times(&self) -> bool {
        self.times.is_some()
    }

    pub(crate) fn lexicon(&self) -> Option<&Lexicon> {
        self.lexicon.as_ref()
    }

    /// The first passage of each document, and the number of passages.
    pub(crate) fn starts(&self) -> Result<&[u32]> {
        match &self.offsets {
            Some(offsets) => Ok(offsets.starts()),
            None => Err(not_loaded()),
        }
    }

    pub(crate) fn sort_columns(&self) -> Option<&SortColumns> {
        self.sort.as_ref()
    }

    pub(crate) fn translations(&self) -> Option<&Translations> {
        self.translations.as_ref()
    }

    pub(crate) fn clusters(&self) -> Option<&Clusters> {
        self.clusters.as_ref()
    }

    /// The signs of all vectors, once they are in and where the index has any.
    pub(crate) fn signs(&self) -> Option<Vec<&SignShard>> {
        let signs: Option<Vec<&SignShard>> = self.signs.iter().map(Option::as_ref).collect();
        signs.filter(|signs| !signs.is_empty())
    }

    /// The `vectors` files, each with its contents if they are in.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (&IndexFile, Option<&VectorShard>)> {
        let files = self.manifest.files_of(SectionKind::Vectors);
        files.zip(self.shards.iter().map(Option::as_ref))
    }

    pub(crate) fn shards(&self) -> Result<Vec<&VectorShard>> {
        let shards: Option<Vec<&VectorShard>> = self.shards.iter().map(Option::as_ref).collect();
        shards.ok_or_else(not_loaded)
    }

    /// Gives how many documents have a date, and the first and last day between which all but the
    /// outermost hundredth of the dates on either side lie.
    #[must_use]
    pub fn dated(&self) -> (u32, Option<(DayNumber, DayNumber)>) {
        let Some(offsets) = &self.offsets else {
            return (0, None);
        };
        let mut scan = self.date_scan();
        let mut documents = 0;
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for pair in offsets.starts().windows(2) {
            let mut dated = false;
            for passage in pair[0]..pair[1] {
                let datings = &scan.of(passage).datings;
                dated |= !datings.is_empty();
                for reading in datings.iter().filter_map(|dating| dating.readings.first()) {
                    first.extend(reading.first.day());
                    last.extend(reading.last.day());
                }
            }
            documents += u32::from(dated);
        }
        let at = |days: &mut Vec<DayNumber>, share: f64| -> Option<DayNumber> {
            days.sort_unstable();
            let place = share * days.len().saturating_sub(1) as f64;
            days.get(place.round() as usize).copied()
        };
        let span = at(&mut first, 0.01).zip(at(&mut last, 0.99));
        (documents, span.filter(|(first, last)| first <= last))
    }

    /// Checks that queries of a model can be scored against this index.
    ///
    /// # Errors
    /// [`ErrorKind::Incompatible`] if the index was built with another model.
    pub fn check_model(&self, id: &str) -> Result<()> {
        if self.manifest.model.id == id {
            Ok(())
        } else {
            Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "the index was built with model {}, this is {id}",
                    self.manifest.model.id
                ),
            )
            .with_remedy("use that model or rebuild the index with this one"))
        }
    }

    /// Gives the passages of a document, counted over the whole index.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidInput`] if there is no such document or the index is not loaded.
    pub fn passages(&self, document: u32) -> Result<std::ops::Range<u32>> {
        if document >= self.manifest.documents {
            return Err(Error::invalid(format!(
                "document {document}, the index has {}",
                self.manifest.documents
            )));
        }
        let offsets = self.offsets.as_ref().ok_or_else(not_loaded)?;
        Ok(offsets.passages(document))
    }

    /// Gives the file that stores a document.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidInput`] if there is no such document.
    pub fn document_file(&self, document: u32) -> Result<&IndexFile> {
        self.manifest
            .files_of(SectionKind::Documents)
            .find(|f| document >= f.first && document - f.first < f.count)
            .ok_or_else(|| {
                Error::invalid(format!(
                    "document {document}, the index has {}",
                    self.manifest.documents
                ))
            })
    }

    /// Reads all documents of a `documents` file after verifying it.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`] if the bytes are not that file.
    pub fn read_documents(&self, file: &IndexFile, bytes: &[u8]) -> Result<Vec<Document>> {
        file.file.verify(bytes)?;
        let here = |e: Error| e.in_place(file.file.file.clone());
        let documents = read_chunk(bytes, file.first, file.count).map_err(here)?;
        if let Some(offsets) = &self.offsets {
            for (number, document) in (file.first..).zip(&documents) {
                let expected = offsets.passages(number).len();
                if document.passages.len() != expected {
                    return Err(here(Error::corrupt(format!(
                        "document {number} has {} passages, expected {expected}",
                        document.passages.len()
                    ))));
                }
            }
        }
        Ok(documents)
    }

    /// Reads one document from the bytes of its file.
    ///
    /// # Errors
    /// - [`ErrorKind::InvalidInput`] if there is no such document.
    /// - [`ErrorKind::Corrupt`] if the bytes are not its file.
    pub fn document(&self, document: u32, bytes: &[u8]) -> Result<Document> {
        let file = self.document_file(document)?.clone();
        let documents = self.read_documents(&file, bytes)?;
        documents
            .into_iter()
            .nth((document - file.first) as usize)
            .ok_or_else(|| Error::new(ErrorKind::Internal, "document outside its file"))
    }
}

#[cold]
fn not_loaded() -> Error {
    Error::invalid("the index is not loaded yet")
}
