//! The lanes as WASM vectors.

use core::arch::wasm32::{
    f32x4_abs, f32x4_add, f32x4_convert_i32x4, f32x4_div, f32x4_extract_lane, f32x4_mul,
    f32x4_nearest, f32x4_pmax, f32x4_splat, f32x4_sub, i16x8_load_extend_i8x8, i16x8_narrow_i32x4,
    i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_max, i32x4_shl, i32x4_splat,
    i32x4_trunc_sat_f32x4, v128, v128_load, v128_load32_splat, v128_store, v128_store64_lane,
};
use std::ops::{Add, Div, Mul, Sub};

use super::LANES;

/// Four float32 numbers.
#[derive(Clone, Copy)]
pub(in super::super) struct Floats(v128);

/// Four 32-bit integers.
#[derive(Clone, Copy)]
pub(in super::super) struct Ints(v128);

/// Eight 16-bit integers.
#[derive(Clone, Copy)]
pub(in super::super) struct Shorts(v128);

impl Floats {
    #[inline(always)]
    pub(in super::super) fn splat(value: f32) -> Self {
        Self(f32x4_splat(value))
    }

    #[inline(always)]
    pub(in super::super) fn load(from: &[f32; LANES]) -> Self {
        // SAFETY: `from` is 16 readable bytes; the load needs no alignment.
        Self(unsafe { v128_load(from.as_ptr().cast()) })
    }

    #[inline(always)]
    pub(in super::super) fn store(self, into: &mut [f32; LANES]) {
        // SAFETY: `into` is 16 writable bytes; the store needs no alignment.
        unsafe { v128_store(into.as_mut_ptr().cast(), self.0) }
    }

    /// `(a + b) + (c + d)`.
    #[inline(always)]
    pub(in super::super) fn sum(self) -> f32 {
        (f32x4_extract_lane::<0>(self.0) + f32x4_extract_lane::<1>(self.0))
            + (f32x4_extract_lane::<2>(self.0) + f32x4_extract_lane::<3>(self.0))
    }

    /// The larger by `<`; a NaN in `self` stays.
    #[inline(always)]
    pub(in super::super) fn larger(self, other: Self) -> Self {
        Self(f32x4_pmax(self.0, other.0))
    }

    #[inline(always)]
    pub(in super::super) fn abs(self) -> Self {
        Self(f32x4_abs(self.0))
    }

    /// The nearest integers, even ones where two are as near; NaN is 0, others saturate.
    #[inline(always)]
    pub(in super::super) fn nearest(self) -> Ints {
        Ints(i32x4_trunc_sat_f32x4(f32x4_nearest(self.0)))
    }

    #[inline(always)]
    pub(in super::super) fn bits(self) -> Ints {
        Ints(self.0)
    }
}

impl Add for Floats {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }
}

impl Sub for Floats {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(f32x4_sub(self.0, other.0))
    }
}

impl Mul for Floats {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
    }
}

impl Div for Floats {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(f32x4_div(self.0, other.0))
    }
}

impl Ints {
    #[inline(always)]
    pub(in super::super) fn splat(value: i32) -> Self {
        Self(i32x4_splat(value))
    }

    #[inline(always)]
    pub(in super::super) fn max(self, other: Self) -> Self {
        Self(i32x4_max(self.0, other.0))
    }

    #[inline(always)]
    pub(in super::super) fn largest(self) -> i32 {
        let ab = i32x4_extract_lane::<0>(self.0).max(i32x4_extract_lane::<1>(self.0));
        ab.max(i32x4_extract_lane::<2>(self.0).max(i32x4_extract_lane::<3>(self.0)))
    }

    /// The floats nearest to the integers.
    #[inline(always)]
    pub(in super::super) fn floats(self) -> Floats {
        Floats(f32x4_convert_i32x4(self.0))
    }

    /// Two to the power of each, for −126 to 127.
    #[inline(always)]
    pub(in super::super) fn power_of_two(self) -> Floats {
        Floats(i32x4_shl(i32x4_add(self.0, i32x4_splat(127)), 23))
    }

    /// The numbers in 16 bits, saturated.
    #[inline(always)]
    pub(in super::super) fn shorts(self) -> [i16; LANES] {
        let mut shorts = [0; LANES];
        let narrow = i16x8_narrow_i32x4(self.0, self.0);
        // SAFETY: `shorts` is 8 writable bytes; the store needs no alignment.
        unsafe { v128_store64_lane::<0>(narrow, shorts.as_mut_ptr().cast()) };
        shorts
    }
}

impl Add for Ints {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(i32x4_add(self.0, other.0))
    }
}

impl Shorts {
    #[inline(always)]
    pub(in super::super) fn widen(from: &[i8; 2 * LANES]) -> Self {
        // SAFETY: `from` is 8 readable bytes; the load needs no alignment.
        Self(unsafe { i16x8_load_extend_i8x8(from.as_ptr()) })
    }

    /// One pair, four times.
    #[inline(always)]
    pub(in super::super) fn splat_pair(pair: &[i16; 2]) -> Self {
        // SAFETY: `pair` is 4 readable bytes; the load needs no alignment.
        Self(unsafe { v128_load32_splat(pair.as_ptr().cast()) })
    }

    /// The sums of the products of pairs.
    #[inline(always)]
    pub(in super::super) fn dot(self, other: Self) -> Ints {
        Ints(i32x4_dot_i16x8(self.0, other.0))
    }
}
