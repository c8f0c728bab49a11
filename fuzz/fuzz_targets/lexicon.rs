//! Reads the decompressed payload of a lexicon: passages, shards, terms in all, then the directory.
#![no_main]

use almanac::index::SectionKind;
use almanac_fuzz::{Signed, byte, number, packed_section, search};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let passages = u32::from(byte(&mut data)).max(1);
    let (shards, terms) = (u32::from(byte(&mut data)), number(&mut data));
    let mut signed = Signed::new(1, passages);
    let section = packed_section(SectionKind::Lexicon, [passages, shards, terms], data);
    signed.put(SectionKind::Lexicon, 0, passages, section);
    if terms > 0 {
        signed.put(SectionKind::Postings, 0, terms, Vec::new());
    }
    // The shard itself is no section, so what is asked is the directory alone.
    let error = signed.open().err();
    if error.is_none() {
        search(&signed.open().expect("as before"), "b");
    }
});
