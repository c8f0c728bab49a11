//! The lanes as arrays.

use std::array::from_fn;
use std::ops::{Add, Div, Mul, Sub};

use super::LANES;

/// Four float32 numbers.
#[derive(Clone, Copy)]
pub(in super::super) struct Floats([f32; LANES]);

/// Four 32-bit integers.
#[derive(Clone, Copy)]
pub(in super::super) struct Ints([i32; LANES]);

/// Eight 16-bit integers.
#[derive(Clone, Copy)]
pub(in super::super) struct Shorts([i16; 2 * LANES]);

impl Floats {
    #[inline(always)]
    pub(in super::super) fn splat(value: f32) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub(in super::super) fn load(from: &[f32; LANES]) -> Self {
        Self(*from)
    }

    #[inline(always)]
    pub(in super::super) fn store(self, into: &mut [f32; LANES]) {
        *into = self.0;
    }

    /// `(a + b) + (c + d)`.
    #[inline(always)]
    pub(in super::super) fn sum(self) -> f32 {
        let [a, b, c, d] = self.0;
        (a + b) + (c + d)
    }

    /// The larger by `<`; a NaN in `self` stays.
    #[inline(always)]
    pub(in super::super) fn larger(self, other: Self) -> Self {
        let larger = |a: f32, b: f32| if a < b { b } else { a };
        Self(from_fn(|at| larger(self.0[at], other.0[at])))
    }

    #[inline(always)]
    pub(in super::super) fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    /// The nearest integers, even ones where two are as near; NaN is 0, others saturate.
    #[inline(always)]
    pub(in super::super) fn nearest(self) -> Ints {
        Ints(self.0.map(|x| x.round_ties_even() as i32))
    }

    #[inline(always)]
    pub(in super::super) fn bits(self) -> Ints {
        Ints(self.0.map(|x| x.to_bits().cast_signed()))
    }
}

impl Add for Floats {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(from_fn(|at| self.0[at] + other.0[at]))
    }
}

impl Sub for Floats {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(from_fn(|at| self.0[at] - other.0[at]))
    }
}

impl Mul for Floats {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(from_fn(|at| self.0[at] * other.0[at]))
    }
}

impl Div for Floats {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(from_fn(|at| self.0[at] / other.0[at]))
    }
}

impl Ints {
    #[inline(always)]
    pub(in super::super) fn splat(value: i32) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub(in super::super) fn max(self, other: Self) -> Self {
        Self(from_fn(|at| self.0[at].max(other.0[at])))
    }

    #[inline(always)]
    pub(in super::super) fn largest(self) -> i32 {
        let [a, b, c, d] = self.0;
        a.max(b).max(c.max(d))
    }

    /// The floats nearest to the integers.
    #[inline(always)]
    pub(in super::super) fn floats(self) -> Floats {
        Floats(self.0.map(|n| n as f32))
    }

    /// Two to the power of each, for −126 to 127.
    #[inline(always)]
    pub(in super::super) fn power_of_two(self) -> Floats {
        Floats(
            self.0
                .map(|n| f32::from_bits((n.wrapping_add(127) << 23).cast_unsigned())),
        )
    }

    /// The numbers in 16 bits, saturated.
    #[inline(always)]
    pub(in super::super) fn shorts(self) -> [i16; LANES] {
        self.0
            .map(|n| n.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16)
    }
}

impl Add for Ints {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(from_fn(|at| self.0[at].wrapping_add(other.0[at])))
    }
}

impl Shorts {
    #[inline(always)]
    pub(in super::super) fn widen(from: &[i8; 2 * LANES]) -> Self {
        Self(from.map(i16::from))
    }

    /// One pair, four times.
    #[inline(always)]
    pub(in super::super) fn splat_pair(pair: &[i16; 2]) -> Self {
        Self(from_fn(|at| pair[at % 2]))
    }

    /// The sums of the products of pairs.
    #[inline(always)]
    pub(in super::super) fn dot(self, other: Self) -> Ints {
        let product = |at: usize| i32::from(self.0[at]) * i32::from(other.0[at]);
        Ints(from_fn(|at| {
            product(2 * at).wrapping_add(product(2 * at + 1))
        }))
    }
}
