//! Reads a payload of columns to sort by: how many there are and the documents, then the columns.
#![no_main]

use almanac::index::SectionKind;
use almanac_fuzz::{Signed, byte, packed_section, search};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (columns, documents) = (byte(&mut data), u32::from(byte(&mut data)).max(1));
    let mut signed = Signed::new(documents, documents);
    let fields = [u32::from(columns), documents, 0];
    let section = packed_section(SectionKind::Sort, fields, data);
    signed.put(SectionKind::Sort, 0, documents, section);
    if let Ok(index) = signed.open() {
        search(&index, "");
    }
});
