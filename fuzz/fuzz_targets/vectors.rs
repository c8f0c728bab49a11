//! Reads a payload of vectors: dimensions, count, then scales and codes.
#![no_main]

use almanac::index::SectionKind;
use almanac_fuzz::{Signed, byte, number, plain_section, search};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (dimensions, count) = (number(&mut data), u32::from(byte(&mut data)).max(1));
    let mut signed = Signed::new(1, count);
    signed.manifest.model.dimensions = dimensions;
    let section = plain_section(SectionKind::Vectors, [dimensions, count, 0, 0], data);
    signed.put(SectionKind::Vectors, 0, count, section);
    if let Ok(index) = signed.open() {
        search(&index, "");
    }
});
