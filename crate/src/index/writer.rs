//! Writing an index folder so that a reader always finds one whole release.

use std::path::{Path, PathBuf};

use super::clusters::Clusters;
use super::documents::{Document, write_chunk};
use super::facets::FacetsBuilder;
use super::file_ref::{FileRef, MAX_FILE_BYTES, sha256_hex};
use super::lexicon::{LexiconBuilder, ShardsWriter};
use super::manifest::{
    Clustering, DateReading, FORMAT_MAJOR, FORMAT_MINOR, IndexFile, MANIFEST_FORMAT, MANIFEST_NAME,
    Manifest, ModelBinding, Prefilter, RankingWeights, SectionKind,
};
use super::offsets::Offsets;
use super::signs::SignShard;
use super::sort::SortBuilder;
use super::spill::Spill;
use super::times::{PassageDate, TimesBuilder};
use super::translations::Translations;
use super::vectors::{Int8Vector, VectorShard};
use crate::text::Stemming;
use crate::{Error, Result};

/// Documents a chunk: large enough to compress, small enough that ten results cost little.
const DOCUMENTS_A_CHUNK: usize = 128;
/// Bytes of vectors a shard stays below, 16 MiB, under the limit of a file with room to spare.
const VECTOR_SHARD_BYTES: usize = 16 * 1024 * 1024;
/// Passages of a `times` file: a few MiB even where every passage has several dates.
const PASSAGES_A_TIMES_FILE: u32 = 131_072;

/// Bytes of postings kept in memory before they are put aside in a file, unless said otherwise.
const POSTINGS_MEMORY: usize = 128 * 1024 * 1024;

/// What a finished index is, for a report.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexSummary {
    /// The manifest that was published.
    pub manifest: Manifest,
    /// Bytes of all its files, the manifest included.
    pub bytes: u64,
}

/// What was measured or chosen for a whole index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calibration {
    /// As [`Manifest::no_match_below`].
    pub no_match_below: f32,
    /// As [`Manifest::recall_at_10`].
    pub recall_at_10: f32,
    /// As [`Manifest::prefilter`]; given with [`IndexWriter::with_signs`] alone.
    pub prefilter: Option<Prefilter>,
    /// As [`Manifest::clusters`]; given with [`IndexWriter::end_cluster`] alone.
    pub clusters: Option<Clustering>,
    /// As [`Manifest::ranking`].
    pub ranking: RankingWeights,
    /// As [`Manifest::dates`].
    pub dates: DateReading,
    /// As [`Manifest::examples`].
    pub examples: Vec<String>,
}

/// What a column to sort by is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortSource {
    /// [`Document::title`]; the column is called "Title".
    Title,
    /// The stored field of this label; the column is called as it is.
    Field(String),
}

impl SortSource {
    fn label(&self) -> String {
        match self {
            Self::Title => "Title".to_owned(),
            Self::Field(label) => label.clone(),
        }
    }

    fn value(&self, document: &Document) -> String {
        match self {
            Self::Title => document.title.clone(),
            Self::Field(label) => document
                .fields
                .iter()
                .find(|(known, _)| known == label)
                .map_or_else(String::new, |(_, value)| value.clone()),
        }
    }
}

/// A document with all that is indexed of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IndexEntry {
    /// What is stored and shown.
    pub document: Document,
    /// One vector for each passage.
    pub vectors: Vec<Int8Vector>,
    /// The dates of each passage.
    pub dates: Vec<Vec<PassageDate>>,
    /// Texts found by their words alone, such as accession numbers.
    pub words: Vec<String>,
    /// The values of each facet of the index.
    pub facets: Vec<Vec<String>>,
}

/// Takes documents with their vectors in order and publishes an index folder.
///
/// Files are written beside each other under content-hashed names; the manifest is renamed into
/// place last. Until [`Self::publish`] returns, an earlier index in the folder stays as it was.
#[derive(Debug)]
pub struct IndexWriter {
    folder: PathBuf,
    dimensions: usize,
    shard: VectorShard,
    signs: Option<SignShard>,
    clusters: Clusters,
    sources: Vec<SortSource>,
    sort: SortBuilder,
    chunk: Vec<Document>,
    counts: Vec<u32>,
    passages: u32,
    times: TimesBuilder,
    /// Passages whose dates are in a file already.
    timed: u32,
    words: LexiconBuilder,
    spill: Spill,
    /// Bytes of postings that are kept in memory.
    memory: usize,
    facets: FacetsBuilder,
    /// A `translations` file and its number of terms.
    translations: Option<(Vec<u8>, u32)>,
    files: Vec<IndexFile>,
    bytes: u64,
}

impl IndexWriter {
    /// Starts an index in `folder`, which is made if it is missing; `facets` are the labels of its
    /// facets.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Io`] if the folder cannot be made.
    pub fn create(
        folder: &Path,
        dimensions: usize,
        stemming: Stemming,
        facets: Vec<String>,
    ) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e))?;
        Ok(Self {
            folder: folder.to_owned(),
            dimensions,
            shard: VectorShard::new(0, dimensions),
            signs: None,
            clusters: Clusters::new(dimensions),
            sources: Vec::new(),
            sort: SortBuilder::new(Vec::new()),
            chunk: Vec::new(),
            counts: Vec::new(),
            passages: 0,
            times: TimesBuilder::default(),
            timed: 0,
            words: LexiconBuilder::new(stemming),
            spill: Spill::new(folder),
            memory: POSTINGS_MEMORY,
            facets: FacetsBuilder::new(facets),
            translations: None,
            files: Vec::new(),
            bytes: 0,
        })
    }

    /// Keeps the signs of all vectors too, by which a scan of a large collection chooses what it
    /// scores exactly.
    #[must_use]
    pub fn with_signs(mut self) -> Self {
        self.signs = Some(SignShard::new(0, self.dimensions));
        self
    }

    /// Puts postings aside in files of the folder whenever they take about so many bytes of memory;
    /// the index is the same bytes with any number.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Keeps the order of documents by these, to sort by them.
    #[must_use]
    pub fn with_sort(mut self, sources: Vec<SortSource>) -> Self {
        self.sort = SortBuilder::new(sources.iter().map(SortSource::label).collect());
        self.sources = sources;
        self
    }

    /// Keeps a table, as [`Translations::write`] gives it, of what the words of queries may be in the
    /// language of the passages.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Corrupt`] if the bytes are not such a table.
    pub fn with_translations(mut self, table: Vec<u8>) -> Result<Self> {
        let terms = Translations::from_bytes(&table)?.len() as u32;
        self.translations = Some((table, terms));
        Ok(self)
    }

    /// Ends a cluster after the documents added so far; `mean` is the mean of the vectors of those
    /// since the last. Their vectors get files of their own, so that they can be fetched alone.
    ///
    /// # Errors
    /// - [`crate::ErrorKind::InvalidInput`] if no document was added since the last, or the mean has
    ///   other dimensions.
    /// - [`crate::ErrorKind::Io`] if the vectors cannot be written.
    pub fn end_cluster(&mut self, mean: &Int8Vector) -> Result<()> {
        if self.clusters.end() == self.passages || mean.codes.len() != self.dimensions {
            return Err(Error::invalid(format!(
                "a cluster of {} passages with a center of {} dimensions, expected passages and {}",
                self.passages - self.clusters.end(),
                mean.codes.len(),
                self.dimensions
            )));
        }
        self.clusters.push(self.passages, mean);
        self.flush_vectors()
    }

    /// Adds the next document.
    ///
    /// # Errors
    /// - [`crate::ErrorKind::InvalidInput`] if passages, vectors and dates differ in number, there
    ///   are none, the dimensions are wrong, or there are not as many facets as the index has.
    /// - [`crate::ErrorKind::Io`] if a full shard or chunk cannot be written.
    pub fn add(&mut self, entry: IndexEntry) -> Result<()> {
        let passages = entry.document.passages.len();
        if passages == 0 || entry.vectors.len() != passages || entry.dates.len() != passages {
            return Err(Error::invalid(format!(
                "document {:?} has {passages} passages, {} vectors and dates for {}",
                entry.document.id,
                entry.vectors.len(),
                entry.dates.len()
            )));
        }
        if entry.facets.len() != self.facets.len() {
            return Err(Error::invalid(format!(
                "document {:?} has values for {} facets, expected {}",
                entry.document.id,
                entry.facets.len(),
                self.facets.len()
            )));
        }
        for vector in &entry.vectors {
            self.shard.push(vector)?;
            self.passages += 1;
            if let Some(signs) = &mut self.signs {
                signs.push(vector);
                if signs.len() as usize * signs.width() >= VECTOR_SHARD_BYTES {
                    self.flush_signs()?;
                }
            }
            if self.shard.len() * (self.dimensions + 4) >= VECTOR_SHARD_BYTES {
                self.flush_vectors()?;
            }
        }
        let mut apart = entry.words;
        for (text, dates) in entry.document.passages.iter().zip(entry.dates) {
            // They stand with the first passage, which begins with the title.
            let apart = std::mem::take(&mut apart);
            let texts = std::iter::once(text).chain(&apart);
            self.words.add(texts.map(String::as_str));
            self.times.push(&dates);
            if self.words.list_bytes() >= self.memory {
                let lists = self.words.take_lists();
                self.spill.write(lists)?;
            }
            if self.times.passages() >= PASSAGES_A_TIMES_FILE {
                self.flush_times()?;
            }
        }
        let values = self.sources.iter();
        let values: Vec<String> = values.map(|by| by.value(&entry.document)).collect();
        self.sort.push(&values);
        self.facets.push(&entry.facets);
        self.counts.push(passages as u32);
        self.chunk.push(entry.document);
        if self.chunk.len() >= DOCUMENTS_A_CHUNK {
            self.flush_documents()?;
        }
        Ok(())
    }

    /// Writes what is left and puts the manifest in place.
    ///
    /// # Errors
    /// - [`crate::ErrorKind::InvalidInput`] if no document was added, documents were added after the
    ///   last cluster, or the calibration has no word of the signs or clusters there are.
    /// - [`crate::ErrorKind::Io`] if a file cannot be written.
    pub fn publish(
        mut self,
        title: &str,
        model: ModelBinding,
        calibration: Calibration,
    ) -> Result<IndexSummary> {
        if self.counts.is_empty() {
            return Err(Error::invalid("an index needs at least one document"));
        }
        self.check_shortcuts(&calibration)?;
        self.flush_vectors()?;
        self.flush_signs()?;
        self.flush_documents()?;
        self.flush_times()?;
        self.write_words()?;
        self.write_facets()?;
        self.write_order()?;
        let offsets = Offsets::from_counts(self.counts.iter().copied()).to_bytes();
        let documents = self.counts.len() as u32;
        self.write(SectionKind::Offsets, 0, documents, &offsets)?;
        self.files.sort_by_key(|f| (f.kind as u8, f.first));
        let mut manifest = Manifest {
            format: MANIFEST_FORMAT.to_owned(),
            version: [FORMAT_MAJOR, FORMAT_MINOR],
            release: String::new(),
            title: title.to_owned(),
            documents,
            passages: self.passages,
            model,
            no_match_below: calibration.no_match_below,
            recall_at_10: calibration.recall_at_10,
            prefilter: calibration.prefilter,
            clusters: calibration.clusters,
            ranking: calibration.ranking,
            dates: calibration.dates,
            examples: calibration.examples,
            files: self.files.clone(),
        };
        manifest.name_release()?;
        let bytes = manifest.write_into(&self.folder)?;
        Ok(IndexSummary {
            manifest,
            bytes: self.bytes + bytes,
        })
    }

    fn flush_vectors(&mut self) -> Result<()> {
        if self.shard.is_empty() {
            return Ok(());
        }
        let shard = std::mem::replace(
            &mut self.shard,
            VectorShard::new(self.passages, self.dimensions),
        );
        let bytes = shard.to_bytes();
        self.write(
            SectionKind::Vectors,
            shard.first(),
            shard.len() as u32,
            &bytes,
        )
    }

    /// Signs and clusters are nothing without what says how they are used, nor that without them.
    fn check_shortcuts(&self, calibration: &Calibration) -> Result<()> {
        let clustered = self.clusters.len() > 0;
        if self.signs.is_some() != calibration.prefilter.is_some()
            || clustered != calibration.clusters.is_some()
        {
            return Err(Error::invalid(
                "signs or clusters without their calibration, or the reverse",
            ));
        }
        if clustered && self.clusters.end() != self.passages {
            return Err(Error::invalid(format!(
                "clusters of {} passages, expected {}",
                self.clusters.end(),
                self.passages
            )));
        }
        Ok(())
    }

    fn flush_signs(&mut self) -> Result<()> {
        let next = SignShard::new(self.passages, self.dimensions);
        let Some(shard) = self.signs.as_mut().filter(|shard| shard.len() > 0) else {
            return Ok(());
        };
        let shard = std::mem::replace(shard, next);
        self.write(
            SectionKind::Signs,
            shard.first(),
            shard.len(),
            &shard.to_bytes(),
        )
    }

    fn flush_documents(&mut self) -> Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let chunk = std::mem::take(&mut self.chunk);
        let first = (self.counts.len() - chunk.len()) as u32;
        let bytes = write_chunk(first, &chunk)?;
        self.write(SectionKind::Documents, first, chunk.len() as u32, &bytes)
    }

    fn flush_times(&mut self) -> Result<()> {
        let run = std::mem::take(&mut self.times);
        let count = run.passages();
        if count == 0 {
            return Ok(());
        }
        let first = self.timed;
        self.timed += count;
        let bytes = run.to_bytes(first)?;
        self.write(SectionKind::Times, first, count, &bytes)
    }

    fn write_words(&mut self) -> Result<()> {
        let spill = std::mem::replace(&mut self.spill, Spill::new(&self.folder));
        let mut words = std::mem::replace(&mut self.words, LexiconBuilder::new(Stemming::None));
        let last = words.take_lists();
        let mut shards = ShardsWriter::new(|first, (terms, bytes): (u32, Vec<u8>)| {
            self.write(SectionKind::Postings, first, terms, &bytes)
        });
        spill.merge(last, words.lengths().len() as u32, |term, list| {
            shards.push(term, list)
        })?;
        let lexicon = shards.finish(&words)?;
        self.write(SectionKind::Lexicon, 0, self.passages, &lexicon)
    }

    fn write_facets(&mut self) -> Result<()> {
        if self.facets.len() == 0 {
            return Ok(());
        }
        let documents = self.counts.len() as u32;
        let bytes = self.facets.to_bytes()?;
        self.write(SectionKind::Facets, 0, documents, &bytes)
    }

    /// Writes where clusters end, how documents are sorted and what words may be in their language.
    fn write_order(&mut self) -> Result<()> {
        if self.clusters.len() > 0 {
            let bytes = self.clusters.to_bytes();
            self.write(SectionKind::Clusters, 0, self.passages, &bytes)?;
        }
        if self.sort.columns() > 0 {
            let bytes = self.sort.to_bytes()?;
            self.write(SectionKind::Sort, 0, self.counts.len() as u32, &bytes)?;
        }
        if let Some((bytes, terms)) = self.translations.take() {
            self.write(SectionKind::Translations, 0, terms, &bytes)?;
        }
        Ok(())
    }

    fn write(&mut self, kind: SectionKind, first: u32, count: u32, bytes: &[u8]) -> Result<()> {
        let stem = kind.name();
        let file = FileRef::of_bytes(stem, "bin", bytes);
        if file.bytes > MAX_FILE_BYTES {
            return Err(Error::invalid(format!(
                "{stem} from {first} take {} bytes, more than the {MAX_FILE_BYTES} of a file",
                file.bytes
            ))
            .with_remedy("shorten the stored fields of these documents"));
        }
        write_atomically(&self.folder.join(&file.file), bytes)?;
        self.bytes += file.bytes;
        self.files.push(IndexFile {
            kind,
            first,
            count,
            file,
        });
        Ok(())
    }
}

impl Manifest {
    /// Gives the manifest with other weights, which makes it another release.
    #[must_use]
    pub fn with_ranking(mut self, ranking: RankingWeights) -> Self {
        self.ranking = ranking;
        self
    }

    /// Names the release anew and puts the manifest in the place of the one in an index folder.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Io`] if it cannot be written.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn replace_in(mut self, folder: &Path) -> Result<Self> {
        self.name_release()?;
        self.write_into(folder)?;
        Ok(self)
    }

    fn name_release(&mut self) -> Result<()> {
        self.release.clear();
        self.release = sha256_hex(&to_json(self)?)[..16].to_owned();
        Ok(())
    }

    /// Writes the manifest into a folder and gives its size in bytes.
    fn write_into(&self, folder: &Path) -> Result<u64> {
        let json = to_json(self)?;
        write_atomically(&folder.join(MANIFEST_NAME), &json)?;
        Ok(json.len() as u64)
    }
}

fn to_json(manifest: &Manifest) -> Result<Vec<u8>> {
    let mut json = serde_json::to_vec_pretty(manifest)
        .map_err(|e| Error::new(crate::ErrorKind::Internal, e.to_string()))?;
    json.push(b'\n');
    Ok(json)
}

/// Writes beside the destination and renames, so that no reader meets half a file.
fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    std::fs::write(&beside, bytes)
        .and_then(|()| std::fs::rename(&beside, path))
        .map_err(|e| {
            // The error that matters is the first one; a leftover is overwritten next time.
            let _ = std::fs::remove_file(&beside);
            Error::io(path, &e)
        })
}
