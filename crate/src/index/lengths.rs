//! How many terms each passage has, in two bytes a passage.

/// The lengths of passages in terms.
///
/// ```
/// use almanac::index::Lengths;
/// let lengths: Lengths = [7, 70_000].into_iter().collect();
/// assert_eq!((lengths.len(), lengths.of(1), lengths.total()), (2, 70_000, 70_007));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// Each length, or [`LONG`] for one in `long`.
    short: Vec<u16>,
    /// The lengths that two bytes do not hold, in order.
    long: Vec<u32>,
    /// How many of them lie before each block of passages.
    before: Vec<u32>,
}

const LONG: u16 = u16::MAX;
/// Passages of a block.
const BLOCK: usize = 256;

impl Lengths {
    /// Makes room for so many passages.
    pub(super) fn with_capacity(passages: usize) -> Self {
        Self {
            short: Vec::with_capacity(passages),
            long: Vec::new(),
            before: Vec::with_capacity(passages.div_ceil(BLOCK)),
        }
    }

    /// Appends the length of the next passage.
    pub(super) fn push(&mut self, length: u32) {
        if self.short.len().is_multiple_of(BLOCK) {
            self.before.push(self.long.len() as u32);
        }
        match u16::try_from(length) {
            Ok(short) if short < LONG => self.short.push(short),
            _ => {
                self.short.push(LONG);
                if self.long.len() == self.long.capacity() {
                    // By a quarter and not by half, since these are few or made to hurt.
                    self.long.reserve_exact(self.long.len() / 4 + 16);
                }
                self.long.push(length);
            }
        }
    }

    /// Gives the number of passages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.short.len()
    }

    /// Says whether there is no passage.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.short.is_empty()
    }

    /// Gives the length of a passage; 0 for one that does not exist.
    #[must_use]
    pub fn of(&self, passage: u32) -> u32 {
        let place = passage as usize;
        match self.short.get(place) {
            Some(&LONG) => {
                let block = place / BLOCK;
                let earlier = self.short[block * BLOCK..place].iter();
                let earlier = earlier.filter(|length| **length == LONG).count();
                let first = self.before.get(block).map_or(0, |before| *before as usize);
                self.long.get(first + earlier).copied().unwrap_or(0)
            }
            Some(short) => u32::from(*short),
            None => 0,
        }
    }

    /// Gives each length in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let mut long = self.long.iter();
        self.short.iter().map(move |short| match *short {
            LONG => long.next().copied().unwrap_or(0),
            short => u32::from(short),
        })
    }

    /// Gives the sum of all lengths.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.iter().map(u64::from).sum()
    }
}

impl FromIterator<u32> for Lengths {
    fn from_iter<I: IntoIterator<Item = u32>>(lengths: I) -> Self {
        let mut out = Self::default();
        lengths.into_iter().for_each(|length| out.push(length));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lengths_read_back_as_they_were(
            lengths in proptest::collection::vec(
                prop_oneof![0u32..300, 65_530u32..65_540, Just(u32::MAX)], 0..900,
            ),
        ) {
            let kept: Lengths = lengths.iter().copied().collect();
            prop_assert_eq!(kept.iter().collect::<Vec<_>>(), lengths.clone());
            prop_assert_eq!(kept.total(), lengths.iter().map(|l| u64::from(*l)).sum::<u64>());
            for (passage, length) in (0..).zip(&lengths) {
                prop_assert_eq!(kept.of(passage), *length);
            }
            prop_assert_eq!(kept.of(lengths.len() as u32), 0);
        }
    }
}
