//! Reads the decompressed payload of a chunk of documents: documents, then the records.
#![no_main]

use almanac::index::SectionKind;
use almanac_fuzz::{Signed, byte, packed_section};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let documents = u32::from(byte(&mut data)).max(1);
    let mut signed = Signed::new(documents, documents);
    let section = packed_section(SectionKind::Documents, [documents, 0, 0], data);
    signed.put(SectionKind::Documents, 0, documents, section);
    let index = signed.open().expect("no stored document is read to open");
    signed.documents(&index);
});
