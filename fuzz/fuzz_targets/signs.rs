//! Reads a payload of signs: dimensions, count, then the rows.
#![no_main]

use almanac::index::{Prefilter, SectionKind};
use almanac_fuzz::{Signed, byte, number, plain_section, search};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (dimensions, count) = (number(&mut data), u32::from(byte(&mut data)).max(1));
    let mut signed = Signed::new(1, count);
    signed.manifest.model.dimensions = dimensions;
    let zeros = vec![0; count as usize * (dimensions as usize + 4)];
    let vectors = plain_section(SectionKind::Vectors, [dimensions, count, 0, 0], &zeros);
    signed.put(SectionKind::Vectors, 0, count, vectors);
    let section = plain_section(SectionKind::Signs, [dimensions, count, 0, 0], data);
    signed.put(SectionKind::Signs, 0, count, section);
    signed.manifest.prefilter = Some(Prefilter {
        candidates: 3,
        recall_at_10: 1.0,
    });
    if let Ok(index) = signed.open() {
        search(&index, "");
    }
});
