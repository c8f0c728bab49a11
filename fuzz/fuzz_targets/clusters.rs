//! Reads a payload of clusters: how many there are and the passages, then counts, scales and codes.
#![no_main]

use almanac::index::{Clustering, SectionKind};
use almanac_fuzz::{Signed, byte, plain_section, search};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (clusters, passages) = (byte(&mut data), u32::from(byte(&mut data)).max(1));
    let mut signed = Signed::new(1, passages);
    let fields = [2, u32::from(clusters), passages, 0];
    let section = plain_section(SectionKind::Clusters, fields, data);
    signed.put(SectionKind::Clusters, 0, passages, section);
    signed.manifest.clusters = Some(Clustering {
        probes: 1,
        curve: Vec::new(),
    });
    if let Ok(index) = signed.open() {
        search(&index, "");
    }
});
