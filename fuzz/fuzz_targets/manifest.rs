//! Reads any bytes as a manifest; one that passes holds what its checks promise.
#![no_main]

use almanac::index::{Index, SectionKind};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(index) = Index::open(data) else { return };
    let manifest = index.manifest();
    assert!(manifest.documents > 0 && manifest.passages >= manifest.documents);
    for (kind, total) in [
        (SectionKind::Offsets, manifest.documents),
        (SectionKind::Documents, manifest.documents),
        (SectionKind::Vectors, manifest.passages),
    ] {
        let covered: u64 = manifest.files_of(kind).map(|f| u64::from(f.count)).sum();
        assert_eq!(covered, u64::from(total));
    }
    for document in [0, manifest.documents / 2, manifest.documents - 1] {
        assert!(index.document_file(document).is_ok());
    }
    assert!(index.document_file(manifest.documents).is_err());
    assert!(!index.is_ready());
});
