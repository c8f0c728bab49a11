//! Reads a payload of offsets: documents, passages, then the starts.
#![no_main]

use almanac::index::SectionKind;
use almanac_fuzz::{Signed, byte, number, plain_section, search};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let documents = u32::from(byte(&mut data)).max(1);
    let passages = number(&mut data).clamp(documents, 1_000.max(documents));
    let mut signed = Signed::new(documents, passages);
    let section = plain_section(SectionKind::Offsets, [documents, 0, 0, 0], data);
    signed.put(SectionKind::Offsets, 0, documents, section);
    if let Ok(index) = signed.open() {
        search(&index, "");
    }
});
