//! The rewriting rules of a SentencePiece normalizer, as a table and in the file's compiled form.
//!
//! A compiled map is the length of a double array in bytes, the double array (little-endian words)
//! from keys to places, and the replacements, each ended by a zero byte.
//!
//! Source: SentencePiece, `src/normalizer.h` and the Darts-clone double array it stores.

use std::collections::BTreeMap;

use almanac::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use yada::builder::DoubleArrayBuilder;

use crate::fault;

/// What each sequence of characters is rewritten to.
pub(super) type Rules = BTreeMap<String, String>;

/// Reads a compiled map, in base64.
///
/// # Errors
/// [`almanac::ErrorKind::Corrupt`] if it is not one.
pub(super) fn read(base64: &str) -> Result<Rules> {
    let broken = || fault::corrupt("the normalizer's compiled map is damaged");
    let bytes = STANDARD.decode(base64).map_err(|_| broken())?;
    let (size, rest) = bytes.split_first_chunk::<4>().ok_or_else(broken)?;
    let (trie, replacements) = rest
        .split_at_checked(u32::from_le_bytes(*size) as usize)
        .ok_or_else(broken)?;
    let units: Vec<u32> = trie
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    let mut rules = Rules::new();
    let mut open = vec![(0usize, Vec::new())];
    while let Some((place, key)) = open.pop() {
        let unit = *units.get(place).ok_or_else(broken)?;
        let base = place ^ offset(unit);
        if unit >> 8 & 1 == 1 {
            let at = (units.get(base).ok_or_else(broken)? & 0x7FFF_FFFF) as usize;
            let text = replacements.get(at..).ok_or_else(broken)?;
            let end = text.iter().position(|b| *b == 0).unwrap_or(text.len());
            let utf8 = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| broken());
            rules.insert(utf8(&key)?, utf8(&text[..end])?);
        }
        // A key in UTF-8 is a few bytes; a longer one means a circle.
        if key.len() > 64 {
            return Err(broken());
        }
        for label in 1..=255u8 {
            let next = base ^ usize::from(label);
            if units
                .get(next)
                .is_some_and(|u| u & 0x8000_00FF == u32::from(label))
            {
                let mut longer = key.clone();
                longer.push(label);
                open.push((next, longer));
            }
        }
    }
    Ok(rules)
}

/// Compiles rules, to base64.
///
/// # Errors
/// [`almanac::ErrorKind::Corrupt`] if there are none or one has an empty key.
pub(super) fn write(rules: &Rules) -> Result<String> {
    let mut replacements = Vec::new();
    let mut places = BTreeMap::new();
    let mut keys = Vec::with_capacity(rules.len());
    for (from, to) in rules {
        let place = *places.entry(to.as_str()).or_insert_with(|| {
            let place = replacements.len() as u32;
            replacements.extend(to.as_bytes());
            replacements.push(0);
            place
        });
        keys.push((from.as_bytes(), place));
    }
    let trie = DoubleArrayBuilder::build(&keys)
        .map_err(|e| fault::corrupt(format!("the normalizer's rules: {e}")))?;
    let mut bytes = (trie.len() as u32).to_le_bytes().to_vec();
    bytes.extend(trie);
    bytes.extend(replacements);
    Ok(STANDARD.encode(bytes))
}

fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & (1 << 9)) >> 6)) as usize
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn compiled_rules_read_back_as_they_were(
            rules in proptest::collection::btree_map("[一-龥a-z]{1,3}", "[a-z谷雨]{0,2}", 1..200)
        ) {
            prop_assert_eq!(read(&write(&rules).unwrap()).unwrap(), rules);
        }
    }

    #[test]
    fn damaged_map_is_an_error() {
        let rules = Rules::from([("穀".to_owned(), "谷".to_owned())]);
        let whole = STANDARD.decode(write(&rules).unwrap()).unwrap();
        for length in 0..8 {
            assert!(
                read(&STANDARD.encode(&whole[..length])).is_err(),
                "{length}"
            );
        }
        assert!(read("%").is_err());
    }
}
