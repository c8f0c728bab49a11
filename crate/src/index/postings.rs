//! Where a term stands: passages, how often, and at which places.

use super::bytes::{Cursor, put_number};
use crate::{Error, Result};

/// The passages in which a term stands, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostingList {
    passages: Vec<u32>,
    counts: Vec<u32>,
    /// Places in the passage's sequence of words or characters, `counts` of them each; empty when
    /// the term keeps no places.
    positions: Vec<u32>,
    /// Whether the term keeps places, as words and characters do for the sake of phrases.
    positional: bool,
}

impl PostingList {
    /// Starts an empty list.
    #[must_use]
    pub fn new(positional: bool) -> Self {
        Self {
            positional,
            ..Self::default()
        }
    }

    /// Adds one occurrence; passages and, within one, places come in rising order.
    pub fn push(&mut self, passage: u32, position: u32) {
        match (self.passages.last(), self.counts.last_mut()) {
            (Some(last), Some(count)) if *last == passage => *count += 1,
            _ => {
                self.passages.push(passage);
                self.counts.push(1);
            }
        }
        if self.positional {
            self.positions.push(position);
        }
    }

    /// Gives the number of passages that hold the term.
    #[must_use]
    pub fn len(&self) -> usize {
        self.passages.len()
    }

    /// Says whether no passage holds the term.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// Gives each passage with how often the term stands in it.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.passages
            .iter()
            .copied()
            .zip(self.counts.iter().copied())
    }

    /// Gives each passage with the places of the term in it; nothing for a term without places.
    pub fn places(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let mut from = 0;
        let counts: &[u32] = if self.positional { &self.counts } else { &[] };
        self.passages
            .iter()
            .zip(counts)
            .map(move |(passage, count)| {
                let to = from + *count as usize;
                let places = &self.positions[from..to];
                from = to;
                (*passage, places)
            })
    }

    /// Says whether the term stands in a passage.
    #[must_use]
    pub fn holds(&self, passage: u32) -> bool {
        self.passages.binary_search(&passage).is_ok()
    }

    /// Appends a list of later passages.
    pub(super) fn append(&mut self, later: &Self) {
        self.passages.extend_from_slice(&later.passages);
        self.counts.extend_from_slice(&later.counts);
        self.positions.extend_from_slice(&later.positions);
    }

    pub(super) fn positional(&self) -> bool {
        self.positional
    }

    /// Appends the list: for each passage the distance from the one before, the count, and the
    /// distances between places.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let mut before = 0;
        let mut positions = self.positions.iter();
        for (passage, count) in self.iter() {
            put_number(out, u64::from(passage - before));
            put_number(out, u64::from(count));
            before = passage;
            let mut last = 0;
            for position in
                positions
                    .by_ref()
                    .take(if self.positional { count as usize } else { 0 })
            {
                put_number(out, u64::from(position - last));
                last = *position;
            }
        }
    }

    /// Reads a list of `length` passages, all below `passages`.
    pub(super) fn read(bytes: &[u8], length: u32, positional: bool, passages: u32) -> Result<Self> {
        if length as usize > bytes.len() / 2 {
            return Err(Error::corrupt(format!(
                "claims {length} postings in {} bytes",
                bytes.len()
            )));
        }
        let mut cursor = Cursor::new(bytes);
        let mut list = Self::new(positional);
        // A posting has two bytes at least and a place one, so four bytes of memory for each byte of
        // the list hold all.
        list.passages.reserve_exact(length as usize);
        list.counts.reserve_exact(length as usize);
        if positional {
            list.positions
                .reserve_exact(bytes.len() - 2 * length as usize);
        }
        let mut before: Option<u32> = None;
        for _ in 0..length {
            let step = cursor.number_u32()?;
            let passage = match before {
                None => Some(step),
                Some(before) if step > 0 => before.checked_add(step),
                Some(_) => None,
            };
            let passage = passage
                .filter(|passage| *passage < passages)
                .ok_or_else(|| Error::corrupt("postings do not rise within the passages"))?;
            before = Some(passage);
            let count = cursor.number_u32()?;
            if count == 0 {
                return Err(Error::corrupt("a posting that counts nothing"));
            }
            list.passages.push(passage);
            list.counts.push(count);
            let mut last = 0u32;
            for _ in 0..if positional { count } else { 0 } {
                last = last
                    .checked_add(cursor.number_u32()?)
                    .ok_or_else(|| Error::corrupt("a place out of range"))?;
                list.positions.push(last);
            }
        }
        cursor.finish()?;
        Ok(list)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_list_reads_back_as_written(
            entries in proptest::collection::btree_map(0u32..5_000, proptest::collection::btree_set(0u32..300, 1..6), 0..40),
            positional: bool,
        ) {
            let mut list = PostingList::new(positional);
            for (passage, places) in &entries {
                for place in places {
                    list.push(*passage, *place);
                }
            }
            let mut bytes = Vec::new();
            list.put(&mut bytes);
            let back = PostingList::read(&bytes, entries.len() as u32, positional, 5_000).unwrap();
            prop_assert_eq!(&back, &list);
            let places: Vec<(u32, Vec<u32>)> = back.places().map(|(p, at)| (p, at.to_vec())).collect();
            let expected: Vec<(u32, Vec<u32>)> = entries
                .iter()
                .filter(|_| positional)
                .map(|(p, at)| (*p, at.iter().copied().collect()))
                .collect();
            prop_assert_eq!(places, expected);
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60), length in 0u32..40, positional: bool) {
            let _ = PostingList::read(&bytes, length, positional, 100);
        }
    }

    #[test]
    fn passages_beyond_the_index_or_out_of_order_are_corrupt() {
        assert!(PostingList::read(&[9, 1], 1, false, 9).is_err());
        assert!(PostingList::read(&[1, 1, 0, 1], 2, false, 9).is_err());
        assert!(PostingList::read(&[1, 0], 1, false, 9).is_err());
        assert!(PostingList::read(&[1, 1], u32::MAX, false, 9).is_err());
    }
}
