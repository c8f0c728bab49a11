//! The index behind the door.

use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::error::{to_js, value};
use crate::index::{Document, Index, IndexFile};

#[derive(Serialize)]
struct FileInfo<'a> {
    name: &'a str,
    bytes: u64,
    sha256: &'a str,
    kind: crate::index::SectionKind,
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
    no_match_below: f32,
    /// Bytes a first search loads: vectors and offsets.
    search_bytes: u64,
    /// Bytes of all files.
    index_bytes: u64,
}

#[derive(Serialize)]
struct HitInfo {
    document: u32,
    passage: u32,
    score: f32,
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

    /// Gives the files a search needs, as `{name, bytes, sha256, kind}`.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "internal" only.
    pub fn required_files(&self) -> Result<JsValue, JsValue> {
        value(
            &self
                .index
                .required()
                .map(FileInfo::from)
                .collect::<Vec<_>>(),
        )
    }

    /// Verifies and takes in one required file.
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
        value(&Info {
            title: &manifest.title,
            documents: manifest.documents,
            passages: manifest.passages,
            dims: manifest.model.dimensions,
            model_id: &manifest.model.id,
            release: &manifest.release,
            no_match_below: manifest.no_match_below,
            search_bytes: self.index.required().map(|f| f.file.bytes).sum(),
            index_bytes: manifest.files.iter().map(|f| f.file.bytes).sum(),
        })
    }

    /// Gives the `k` best documents as `{document, passage, score}`, best first.
    ///
    /// # Errors
    /// Throws an `AlmanacError` of code "invalid_input" if the index is not loaded or the query
    /// does not fit it.
    pub fn search(&self, query: &[f32], k: usize) -> Result<JsValue, JsValue> {
        let hits = self.index.search(query, k).map_err(to_js)?;
        let hits: Vec<HitInfo> = hits
            .iter()
            .map(|hit| HitInfo {
                document: hit.document,
                passage: hit.passage,
                score: hit.score,
            })
            .collect();
        value(&hits)
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
