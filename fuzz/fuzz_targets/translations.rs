//! Reads a payload of translations: how many terms and sources, then the table; and asks for what its
//! golden neighbor is asked.
#![no_main]

use almanac::index::{SectionKind, Translations};
use almanac_fuzz::{Signed, number, packed_section, search};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (terms, sources) = (number(&mut data), number(&mut data));
    let section = packed_section(SectionKind::Translations, [terms, sources, 0], data);
    let Ok(table) = Translations::from_bytes(&section) else {
        return;
    };
    assert_eq!(table.len(), terms as usize);
    for term in ["a", "plough", "干旱"] {
        for (source, lift) in table.sources(term) {
            assert!(!source.is_empty() && lift.is_finite() && lift >= 1.0);
        }
    }
    let mut signed = Signed::golden().clone();
    signed.put(SectionKind::Translations, 0, terms, section);
    if let Ok(index) = signed.open() {
        search(&index, "避开干旱");
    }
});
