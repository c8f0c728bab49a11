//! How many signs of two vectors differ: the inner loop of the choice of candidates.

use crate::index::signs;

/// The signs of a vector's numbers, by which candidates are chosen.
///
/// ```
/// use almanac::search::Signs;
/// let (one, other) = (Signs::of_vector(&[0.5, -0.1, 0.0]), Signs::of_codes(&[9, 3, -1]));
/// assert_eq!(one.distance(&other), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signs(Vec<u8>);

impl Signs {
    /// Takes the signs of a query.
    #[must_use]
    pub fn of_vector(vector: &[f32]) -> Self {
        Self(signs(vector.iter().map(|x| *x > 0.0)))
    }

    /// Takes the signs of a passage's codes.
    #[must_use]
    pub fn of_codes(codes: &[i8]) -> Self {
        Self(signs(codes.iter().map(|code| *code > 0)))
    }

    /// Gives how many differ.
    #[must_use]
    pub fn distance(&self, other: &Self) -> u32 {
        hamming(&self.0, &other.0)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Gives the number of bits that differ, over the shorter length.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn hamming(a: &[u8], b: &[u8]) -> u32 {
    let (a_words, a_rest) = a.as_chunks::<8>();
    let (b_words, b_rest) = b.as_chunks::<8>();
    let words = a_words.iter().zip(b_words);
    let whole: u32 = words
        .map(|(a, b)| (u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b)).count_ones())
        .sum();
    whole + reference(a_rest, b_rest)
}

/// Gives the number of bits that differ, over the shorter length.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) fn hamming(a: &[u8], b: &[u8]) -> u32 {
    use core::arch::wasm32::{
        i8x16_add, i8x16_popcnt, i16x8_extadd_pairwise_u8x16, i32x4_add,
        i32x4_extadd_pairwise_u16x8, i32x4_extract_lane, i32x4_splat, u8x16_splat, v128, v128_load,
        v128_xor,
    };
    let (a_blocks, a_rest) = a.as_chunks::<16>();
    let (b_blocks, b_rest) = b.as_chunks::<16>();
    let mut sum = i32x4_splat(0);
    // A lane of eight bits counts up to 8 a block, so 31 blocks fit it.
    for (a, b) in a_blocks.chunks(31).zip(b_blocks.chunks(31)) {
        let mut counts = u8x16_splat(0);
        for (a, b) in a.iter().zip(b) {
            // SAFETY: both are 16 bytes long; v128 loads need no alignment.
            let differ = unsafe {
                let load = |bytes: &[u8; 16]| v128_load(bytes.as_ptr().cast::<v128>());
                v128_xor(load(a), load(b))
            };
            counts = i8x16_add(counts, i8x16_popcnt(differ));
        }
        let pairs = i16x8_extadd_pairwise_u8x16(counts);
        sum = i32x4_add(sum, i32x4_extadd_pairwise_u16x8(pairs));
    }
    let blocks = i32x4_extract_lane::<0>(sum)
        + i32x4_extract_lane::<1>(sum)
        + i32x4_extract_lane::<2>(sum)
        + i32x4_extract_lane::<3>(sum);
    blocks.cast_unsigned() + reference(a_rest, b_rest)
}

fn reference(a: &[u8], b: &[u8]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_fast_count_is_the_slow_one(rows in proptest::collection::vec(any::<(u8, u8)>(), 0..1100)) {
            let (a, b): (Vec<u8>, Vec<u8>) = rows.into_iter().unzip();
            prop_assert_eq!(hamming(&a, &b), reference(&a, &b));
        }
    }
}
