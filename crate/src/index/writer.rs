//! Writing an index folder so that a reader always finds one whole release.

use std::path::{Path, PathBuf};

use super::documents::{Document, write_chunk};
use super::file_ref::{FileRef, MAX_FILE_BYTES, sha256_hex};
use super::manifest::{
    FORMAT_MAJOR, FORMAT_MINOR, IndexFile, MANIFEST_FORMAT, MANIFEST_NAME, Manifest, ModelBinding,
    SectionKind,
};
use super::offsets::Offsets;
use super::vectors::{Int8Vector, VectorShard};
use crate::{Error, Result};

/// Documents a chunk: large enough to compress, small enough that ten results cost little.
const DOCUMENTS_A_CHUNK: usize = 128;
/// Bytes of vectors a shard stays below, 16 MiB, under the limit of a file with room to spare.
const VECTOR_SHARD_BYTES: usize = 16 * 1024 * 1024;

/// What a finished index is, for a report.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexSummary {
    /// The manifest that was published.
    pub manifest: Manifest,
    /// Bytes of all its files, the manifest included.
    pub bytes: u64,
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
    chunk: Vec<Document>,
    counts: Vec<u32>,
    passages: u32,
    files: Vec<IndexFile>,
    bytes: u64,
}

impl IndexWriter {
    /// Starts an index in `folder`, which is made if it is missing.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Io`] if the folder cannot be made.
    pub fn create(folder: &Path, dimensions: usize) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e))?;
        Ok(Self {
            folder: folder.to_owned(),
            dimensions,
            shard: VectorShard::new(0, dimensions),
            chunk: Vec::new(),
            counts: Vec::new(),
            passages: 0,
            files: Vec::new(),
            bytes: 0,
        })
    }

    /// Adds the next document with one vector for each of its passages.
    ///
    /// # Errors
    /// - [`crate::ErrorKind::InvalidInput`] if passages and vectors differ in number, there are
    ///   none, or their dimensions are wrong.
    /// - [`crate::ErrorKind::Io`] if a full shard or chunk cannot be written.
    pub fn add(&mut self, document: Document, vectors: &[Int8Vector]) -> Result<()> {
        if vectors.is_empty() || vectors.len() != document.passages.len() {
            return Err(Error::invalid(format!(
                "document {:?} has {} passages and {} vectors",
                document.id,
                document.passages.len(),
                vectors.len()
            )));
        }
        for vector in vectors {
            self.shard.push(vector)?;
            self.passages += 1;
            if self.shard.len() * (self.dimensions + 4) >= VECTOR_SHARD_BYTES {
                self.flush_vectors()?;
            }
        }
        self.counts.push(vectors.len() as u32);
        self.chunk.push(document);
        if self.chunk.len() >= DOCUMENTS_A_CHUNK {
            self.flush_documents()?;
        }
        Ok(())
    }

    /// Writes what is left and puts the manifest in place.
    ///
    /// # Errors
    /// - [`crate::ErrorKind::InvalidInput`] if no document was added.
    /// - [`crate::ErrorKind::Io`] if a file cannot be written.
    pub fn publish(
        mut self,
        title: &str,
        model: ModelBinding,
        no_match_below: f32,
        recall_at_10: f32,
    ) -> Result<IndexSummary> {
        if self.counts.is_empty() {
            return Err(Error::invalid("an index needs at least one document"));
        }
        self.flush_vectors()?;
        self.flush_documents()?;
        let offsets = Offsets::from_counts(self.counts.iter().copied()).to_bytes();
        let documents = self.counts.len() as u32;
        self.write(SectionKind::Offsets, "offsets", 0, documents, &offsets)?;
        self.files.sort_by_key(|f| (f.kind as u8, f.first));
        let mut manifest = Manifest {
            format: MANIFEST_FORMAT.to_owned(),
            version: [FORMAT_MAJOR, FORMAT_MINOR],
            release: String::new(),
            title: title.to_owned(),
            documents,
            passages: self.passages,
            model,
            no_match_below,
            recall_at_10,
            files: self.files.clone(),
        };
        manifest.release = sha256_hex(&to_json(&manifest)?)[..16].to_owned();
        let json = to_json(&manifest)?;
        let path = self.folder.join(MANIFEST_NAME);
        write_atomically(&path, &json)?;
        Ok(IndexSummary {
            manifest,
            bytes: self.bytes + json.len() as u64,
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
            "vectors",
            shard.first(),
            shard.len() as u32,
            &bytes,
        )
    }

    fn flush_documents(&mut self) -> Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        let chunk = std::mem::take(&mut self.chunk);
        let first = (self.counts.len() - chunk.len()) as u32;
        let bytes = write_chunk(first, &chunk)?;
        self.write(
            SectionKind::Documents,
            "documents",
            first,
            chunk.len() as u32,
            &bytes,
        )
    }

    fn write(
        &mut self,
        kind: SectionKind,
        stem: &str,
        first: u32,
        count: u32,
        bytes: &[u8],
    ) -> Result<()> {
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
