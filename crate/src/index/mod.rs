//! The index: one definition of its files for the builder that writes and the page that reads.
//!
//! `docs/format.md` specifies the bytes. An index is a folder with a small `manifest.json` and
//! content-hashed files; [`Index`] holds the verified ones in memory, [`IndexWriter`] makes them.

mod bytes;
mod documents;
mod file_ref;
mod manifest;
mod offsets;
mod reader;
mod vectors;
mod writer;

pub use documents::{Document, MAX_CHUNK_BYTES};
pub use file_ref::{FileRef, MAX_FILE_BYTES, sha256_hex};
pub use manifest::{
    FORMAT_MAJOR, FORMAT_MINOR, IndexFile, MANIFEST_FORMAT, MANIFEST_NAME, Manifest, ModelBinding,
    SectionKind,
};
pub use reader::{Hit, Index};
pub use vectors::{Int8Vector, VectorShard};
pub use writer::{IndexSummary, IndexWriter};
