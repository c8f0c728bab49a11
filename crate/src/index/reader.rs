//! An index in memory: verified files, ready to be searched.

use super::documents::{Document, read_chunk};
use super::manifest::{IndexFile, Manifest, SectionKind};
use super::offsets::Offsets;
use super::vectors::VectorShard;
use crate::search::{self, Query};
use crate::{Error, ErrorKind, Result};

/// One result: a document by its best passage.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    shards: Vec<Option<VectorShard>>,
    offsets: Option<Offsets>,
}

impl Index {
    /// Opens an index from the bytes of its `manifest.json`.
    ///
    /// # Errors
    /// As [`Manifest::from_bytes`].
    pub fn open(manifest: &[u8]) -> Result<Self> {
        let manifest = Manifest::from_bytes(manifest)?;
        let shards = manifest
            .files_of(SectionKind::Vectors)
            .map(|_| None)
            .collect();
        Ok(Self {
            manifest,
            shards,
            offsets: None,
        })
    }

    /// Opens an index folder and reads all that a search needs.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if a file cannot be read.
    /// - Those of [`Index::open`] and [`Index::add_file`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn open_folder(folder: &std::path::Path) -> Result<Self> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|e| {
                Error::io(&path, &e).with_remedy("give a folder made by `almanac-index build`")
            })
        };
        let here = |e: Error| e.in_place(folder.display().to_string());
        let mut index = Self::open(&read(super::MANIFEST_NAME)?).map_err(here)?;
        let names: Vec<String> = index.required().map(|f| f.file.file.clone()).collect();
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

    /// Gives the files that must be added before a search.
    pub fn required(&self) -> impl Iterator<Item = &IndexFile> {
        self.manifest
            .files
            .iter()
            .filter(|f| matches!(f.kind, SectionKind::Vectors | SectionKind::Offsets))
    }

    /// Verifies and takes in one required file.
    ///
    /// # Errors
    /// - [`ErrorKind::InvalidInput`] if the manifest names no such required file.
    /// - [`ErrorKind::Corrupt`] if the bytes are not that file.
    pub fn add_file(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut vectors_before = 0;
        let mut found = None;
        for file in &self.manifest.files {
            if file.file.file == name {
                found = Some(file);
                break;
            }
            if file.kind == SectionKind::Vectors {
                vectors_before += 1;
            }
        }
        let file = found.ok_or_else(|| {
            Error::invalid("is not a file of this index").in_place(name.to_owned())
        })?;
        file.file.verify(bytes)?;
        let here = |e: Error| e.in_place(name.to_owned());
        match file.kind {
            SectionKind::Vectors => {
                let shard = VectorShard::from_bytes(bytes).map_err(here)?;
                let expected = (
                    file.first,
                    file.count as usize,
                    self.manifest.model.dimensions as usize,
                );
                let got = (shard.first(), shard.len(), shard.dimensions());
                if got != expected {
                    return Err(here(Error::corrupt(format!(
                        "first, count and dimensions are {got:?}, expected {expected:?}"
                    ))));
                }
                self.shards[vectors_before] = Some(shard);
            }
            SectionKind::Offsets => {
                let (documents, passages) = (self.manifest.documents, self.manifest.passages);
                self.offsets = Some(Offsets::from_bytes(bytes, documents, passages).map_err(here)?);
            }
            SectionKind::Documents | SectionKind::Unknown => {
                return Err(here(Error::invalid("is not needed for a search")));
            }
        }
        Ok(())
    }

    /// Says whether every required file is in.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.offsets.is_some() && self.shards.iter().all(Option::is_some)
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

    /// Gives the `k` best documents by exact scan, best first; equal scores in document order.
    ///
    /// # Errors
    /// - [`ErrorKind::InvalidInput`] if files are missing, or the query has other dimensions or
    ///   numbers that are not finite.
    pub fn search(&self, query: &[f32], k: usize) -> Result<Vec<Hit>> {
        let missing = || Error::invalid("the index is not loaded yet");
        let offsets = self.offsets.as_ref().ok_or_else(missing)?;
        let shards: Option<Vec<&VectorShard>> = self.shards.iter().map(Option::as_ref).collect();
        let shards = shards.ok_or_else(missing)?;
        let query = Query::new(query, self.manifest.model.dimensions as usize)?;
        Ok(search::scan(&shards, offsets.starts(), &query, k))
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
        let offsets = self
            .offsets
            .as_ref()
            .ok_or_else(|| Error::invalid("the index is not loaded yet"))?;
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
