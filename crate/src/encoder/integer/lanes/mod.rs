//! Four numbers at a time: SIMD128 in WASM, arrays elsewhere, with equal results bit by bit.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) use portable::{Floats, Ints, Shorts};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use simd::{Floats, Ints, Shorts};

/// Numbers in one [`Floats`] or [`Ints`].
pub(super) const LANES: usize = 4;
