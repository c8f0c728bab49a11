//! Reads the decompressed payload of a times section: passages, dates in all, then the dates.
#![no_main]

use almanac::index::SectionKind;
use almanac_fuzz::{Signed, byte, number, packed_section, search};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (passages, dates) = (u32::from(byte(&mut data)).max(1), number(&mut data));
    let mut signed = Signed::new(1, passages);
    let section = packed_section(SectionKind::Times, [passages, 0, dates], data);
    signed.put(SectionKind::Times, 0, passages, section);
    if let Ok(index) = signed.open() {
        search(&index, "1850");
    }
});
