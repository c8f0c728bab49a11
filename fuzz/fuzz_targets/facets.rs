//! Reads the decompressed payload of a facets section: documents, facets, then the values.
#![no_main]

use almanac::index::SectionKind;
use almanac_fuzz::{Signed, byte, packed_section, search};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let documents = u32::from(byte(&mut data)).max(1);
    let facets = u32::from(byte(&mut data));
    let mut signed = Signed::new(documents, documents);
    let section = packed_section(SectionKind::Facets, [facets, documents, 0], data);
    signed.put(SectionKind::Facets, 0, documents, section);
    let Ok(index) = signed.open() else { return };
    for facet in index.facets().expect("they were added").facets() {
        assert!(facet.values.iter().all(|(_, held)| *held <= documents));
    }
    search(&index, "");
});
