//! Reads the decompressed payload of a shard of postings: terms, passages, then the dictionary and
//! the lists; the directory is made to name its first term.
#![no_main]

use almanac::index::SectionKind;
use almanac_fuzz::{Signed, byte, packed_section, search};
use libfuzzer_sys::fuzz_target;

/// The first term as far as it can be read: after the size and the shared bytes, of one byte each
/// here, its length and text.
fn first_term(payload: &[u8]) -> &[u8] {
    let skip = |mut at: usize| {
        while payload.get(at).is_some_and(|b| *b > 0x7f) {
            at += 1;
        }
        at + 1
    };
    let at = skip(skip(0));
    let length = payload.get(at).copied().unwrap_or(0) & 0x7f;
    payload
        .get(at + 1..at + 1 + usize::from(length))
        .unwrap_or_default()
}

fuzz_target!(|data: &[u8]| {
    let mut data = data;
    let (terms, passages) = (
        u32::from(byte(&mut data)),
        u32::from(byte(&mut data)).max(1),
    );
    let first = first_term(data);
    let mut lexicon = vec![0, first.len() as u8];
    lexicon.extend_from_slice(first);
    lexicon.extend_from_slice(&[terms as u8 & 0x7f]);
    let terms = terms & 0x7f;
    lexicon.resize(lexicon.len() + passages as usize, 7);
    let mut signed = Signed::new(1, passages);
    let section = packed_section(SectionKind::Lexicon, [passages, 1, terms], &lexicon);
    signed.put(SectionKind::Lexicon, 0, passages, section);
    let section = packed_section(SectionKind::Postings, [terms, 0, 0], data);
    signed.put(SectionKind::Postings, 0, terms, section);
    if let Ok(index) = signed.open() {
        search(&index, &String::from_utf8_lossy(data));
    }
});
