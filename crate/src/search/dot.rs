//! The inner loop: a sum of products of 8-bit codes with a 16-bit query.

/// Gives Σ `a·b` over the shorter length, exactly; callers bound `b` so that it fits.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn dot(a: &[i8], b: &[i16]) -> i32 {
    reference(a, b)
}

/// Gives Σ `a·b` over the shorter length, exactly; callers bound `b` so that it fits.
///
/// Sixteen codes a step: widened to 16 bits, multiplied and added in pairs to 32 bits.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) fn dot(a: &[i8], b: &[i16]) -> i32 {
    use core::arch::wasm32::{
        i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8,
        i32x4_extract_lane, i32x4_splat, v128, v128_load,
    };
    let (a_blocks, a_rest) = a.as_chunks::<16>();
    let (b_blocks, b_rest) = b.as_chunks::<16>();
    let mut low = i32x4_splat(0);
    let mut high = i32x4_splat(0);
    for (codes, query) in a_blocks.iter().zip(b_blocks) {
        // SAFETY: `codes` is 16 bytes and `query` 32 bytes long; v128 loads need no alignment.
        let (codes, first, second) = unsafe {
            let query: *const v128 = query.as_ptr().cast();
            (
                v128_load(codes.as_ptr().cast()),
                v128_load(query),
                v128_load(query.add(1)),
            )
        };
        low = i32x4_add(low, i32x4_dot_i16x8(i16x8_extend_low_i8x16(codes), first));
        high = i32x4_add(
            high,
            i32x4_dot_i16x8(i16x8_extend_high_i8x16(codes), second),
        );
    }
    let sum = i32x4_add(low, high);
    let blocks = i32x4_extract_lane::<0>(sum)
        + i32x4_extract_lane::<1>(sum)
        + i32x4_extract_lane::<2>(sum)
        + i32x4_extract_lane::<3>(sum);
    blocks + reference(a_rest, b_rest)
}

fn reference(a: &[i8], b: &[i16]) -> i32 {
    a.iter()
        .zip(b)
        .map(|(&x, &y)| i32::from(x) * i32::from(y))
        .sum()
}
