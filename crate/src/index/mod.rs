//! The index: one definition of its files for the builder that writes and the page that reads.
//!
//! `docs/format.md` specifies the bytes. An index is a folder with a small `manifest.json` and
//! content-hashed files; [`Index`] holds the verified ones in memory, [`IndexWriter`] makes them.

mod bytes;
mod clusters;
#[cfg(test)]
mod damage;
mod documents;
mod facets;
mod file_ref;
mod lengths;
mod lexicon;
mod manifest;
mod offsets;
mod postings;
mod reader;
mod signs;
mod sort;
mod spill;
mod times;
mod translations;
mod vectors;
mod writer;

pub use bytes::MAX_PLAIN_BYTES;
pub use documents::Document;
pub use facets::{Facet, Facets};
pub use file_ref::{FileRef, MAX_FILE_BYTES, sha256_hex};
pub use lengths::Lengths;
pub use lexicon::{Lexicon, LexiconBuilder};
pub use manifest::{
    Clustering, DateReading, FORMAT_MAJOR, FORMAT_MINOR, IndexFile, MANIFEST_FORMAT, MANIFEST_NAME,
    Manifest, ModelBinding, Prefilter, ProbeRecall, RankingWeights, SectionKind,
};
pub use postings::PostingList;
pub use reader::{Hit, Index};
pub(crate) use signs::{SignShard, signs};
pub(crate) use sort::SortColumns;
pub use times::{DateNote, PassageDate, PassageDates};
pub use translations::{LEAST_LIFT, Translations};
#[cfg(feature = "record")]
pub(crate) use vectors::int8_code;
pub use vectors::{Int8Vector, VectorShard};
pub use writer::{Calibration, IndexEntry, IndexSummary, IndexWriter, SortSource};
