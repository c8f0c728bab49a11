//! Indexes in memory with right checksums around any payload, so that only its structure can be
//! wrong.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "each test and fuzz target uses a part"
)]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

use almanac::Result;
use almanac::index::{
    DateReading, FileRef, Index, IndexFile, Manifest, ModelBinding, RankingWeights, SectionKind,
};

/// The magic of a kind's files.
pub fn magic(kind: SectionKind) -> &'static [u8; 8] {
    match kind {
        SectionKind::Vectors => b"ALMVEC01",
        SectionKind::Offsets => b"ALMOFF01",
        SectionKind::Documents => b"ALMDOC01",
        SectionKind::Times => b"ALMTIM01",
        SectionKind::Facets => b"ALMFAC01",
        SectionKind::Lexicon => b"ALMLEX01",
        SectionKind::Postings => b"ALMPST01",
        SectionKind::Signs => b"ALMSGN01",
        SectionKind::Clusters => b"ALMCLU01",
        SectionKind::Sort => b"ALMSRT01",
        _ => b"ALM\0\0\0\0\0",
    }
}

/// A section with right checksums around a payload.
pub fn plain_section(kind: SectionKind, fields: [u32; 4], payload: &[u8]) -> Vec<u8> {
    let mut bytes = magic(kind).to_vec();
    for field in fields {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    bytes.extend_from_slice(payload);
    let crc = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&crc.to_le_bytes());
    bytes
}

/// A compressed section around what it is to decompress to.
pub fn packed_section(kind: SectionKind, fields: [u32; 3], plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(plain);
    let compressed = encoder.finish().unwrap_or_default();
    let [a, b, c] = fields;
    plain_section(kind, [plain.len() as u32, a, b, c], &compressed)
}

/// An index in memory whose manifest agrees with its files.
#[derive(Clone)]
pub struct Signed {
    pub manifest: Manifest,
    files: BTreeMap<String, Vec<u8>>,
}

impl Signed {
    /// An index of so many documents and passages, all vectors zero, with nothing optional.
    pub fn new(documents: u32, passages: u32) -> Self {
        let mut signed = Self {
            manifest: Manifest {
                format: almanac::index::MANIFEST_FORMAT.to_owned(),
                version: [1, 2],
                release: String::new(),
                title: String::new(),
                documents,
                passages,
                model: ModelBinding {
                    id: String::new(),
                    dimensions: 2,
                    tokenizer_sha256: String::new(),
                },
                no_match_below: 0.5,
                recall_at_10: 1.0,
                prefilter: None,
                clusters: None,
                ranking: RankingWeights::default(),
                dates: DateReading::default(),
                examples: Vec::new(),
                files: Vec::new(),
            },
            files: BTreeMap::new(),
        };
        let starts: Vec<u8> = (0..documents)
            .chain([passages])
            .flat_map(u32::to_le_bytes)
            .collect();
        let offsets = plain_section(SectionKind::Offsets, [documents, 0, 0, 0], &starts);
        let zeros = vec![0; passages as usize * 6];
        let vectors = plain_section(SectionKind::Vectors, [2, passages, 0, 0], &zeros);
        signed.put(SectionKind::Offsets, 0, documents, offsets);
        signed.put(SectionKind::Vectors, 0, passages, vectors);
        signed.put(SectionKind::Documents, 0, documents, Vec::new());
        signed
    }

    /// The golden index of the present version.
    pub fn golden() -> &'static Self {
        static GOLDEN: OnceLock<Signed> = OnceLock::new();
        GOLDEN.get_or_init(|| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/index-1.3");
            let read = |name: &str| std::fs::read(folder.join(name)).expect("a golden file");
            let manifest = Manifest::from_bytes(&read("manifest.json")).expect("a manifest");
            let files = manifest
                .files
                .iter()
                .map(|file| (file.file.file.clone(), read(&file.file.file)))
                .collect();
            Self { manifest, files }
        })
    }

    /// Puts the only file of a kind in place of what is there of it.
    pub fn put(&mut self, kind: SectionKind, first: u32, count: u32, bytes: Vec<u8>) {
        self.manifest.files.retain(|file| file.kind != kind);
        let file = FileRef::of_bytes(kind.name(), "bin", &bytes);
        self.files.insert(file.file.clone(), bytes);
        self.manifest.files.push(IndexFile {
            kind,
            first,
            count,
            file,
        });
    }

    /// Reads the index as a page does: the manifest, then each file.
    pub fn open(&self) -> Result<Index> {
        let mut index = Index::open(&self.json())?;
        let required = index.required();
        let postings = index.manifest().files_of(SectionKind::Postings);
        let names: Vec<String> = required
            .into_iter()
            .chain(postings)
            .map(|file| file.file.file.clone())
            .collect();
        for name in names {
            index.add_file(&name, &self.files[&name])?;
        }
        Ok(index)
    }

    /// Gives the bytes of the manifest.
    pub fn json(&self) -> Vec<u8> {
        serde_json::to_vec(&self.manifest).expect("a manifest is plain data")
    }

    /// Gives the bytes of all files.
    pub fn size(&self) -> usize {
        self.files.values().map(Vec::len).sum()
    }

    /// Gives an index without vectors that lacks the file of a kind, with its name and bytes.
    pub fn before(&self, kind: SectionKind) -> (Index, String, &[u8]) {
        let mut index = Index::open(&self.json()).expect("a right manifest");
        let of = |kind| self.manifest.files_of(kind).next();
        for before in [SectionKind::Offsets, SectionKind::Lexicon] {
            if let Some(file) = of(before).filter(|_| before != kind) {
                let name = &file.file.file;
                index
                    .add_file(name, &self.files[name])
                    .expect("a right file");
            }
        }
        let name = of(kind).expect("it was put there").file.file.clone();
        let bytes = &self.files[&name];
        (index, name, bytes)
    }

    /// Reads the stored documents.
    pub fn documents(&self, index: &Index) {
        for document in 0..index.manifest().documents {
            if let Ok(file) = index.document_file(document) {
                let _ = index.document(document, &self.files[&file.file.file]);
            }
        }
    }
}
