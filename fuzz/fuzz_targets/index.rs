//! Mutates a whole golden index, signs it and ranks queries over it.
//!
//! An input is a row of records: a byte for the kind (its high bit says that the section's three
//! header fields follow as two bytes each), two bytes for the length, the payload once decompressed.
#![no_main]

use almanac::index::SectionKind;
use almanac_fuzz::{Signed, byte, number, packed_section, plain_section, search};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let mut signed = Signed::golden().clone();
    while !data.is_empty() {
        let head = byte(&mut data);
        let kind = SectionKind::WRITTEN[usize::from(head & 0x7f) % SectionKind::WRITTEN.len()];
        let (documents, passages) = (signed.manifest.documents, signed.manifest.passages);
        let before = signed.manifest.files_of(kind).next();
        let (first, mut count) = match (kind, before) {
            // Their files are joined to one.
            (SectionKind::Vectors, _) | (_, None) => (0, passages),
            (_, Some(file)) => (file.first, file.count),
        };
        let mut fields = match kind {
            SectionKind::Vectors => [signed.manifest.model.dimensions, count, first],
            SectionKind::Offsets => [documents, 0, 0],
            SectionKind::Facets => [1, documents, 0],
            SectionKind::Lexicon => [passages, 1, 61],
            SectionKind::Signs => [signed.manifest.model.dimensions, passages, 0],
            SectionKind::Clusters => [signed.manifest.model.dimensions, 2, passages],
            SectionKind::Sort => [2, documents, 0],
            SectionKind::Translations => [count, 3, 0],
            _ => [count, first, 0],
        };
        if head > 0x7f {
            fields = [number(&mut data), number(&mut data), number(&mut data)];
            let second = matches!(kind, SectionKind::Vectors | SectionKind::Signs | SectionKind::Sort);
            count = fields[usize::from(second)].max(1);
            if kind == SectionKind::Clusters {
                count = fields[2].max(1);
            }
        }
        let length = (number(&mut data) as usize).min(data.len());
        let (payload, rest) = data.split_at(length);
        data = rest;
        let section = match kind {
            SectionKind::Vectors
            | SectionKind::Offsets
            | SectionKind::Signs
            | SectionKind::Clusters => {
                let [a, b, c] = fields;
                plain_section(kind, [a, b, c, 0], payload)
            }
            _ => packed_section(kind, fields, payload),
        };
        signed.put(kind, first, count, section);
    }
    if let Ok(index) = signed.open() {
        search(&index, "farmer");
        signed.documents(&index);
    }
});
