//! The exponential and the exact GELU in four lanes.

use super::lanes::Floats;

/// The lowest argument of [`exponential`]; below it the result no longer falls.
///
/// Its exponential, 1.6e-38, is among the smallest normal float32 numbers.
pub(super) const LOWEST_EXPONENT: f32 = -87.0;

/// The logarithm of 2 in two parts, the first with so few bits that small multiples are exact.
const LN_2_HIGH: f32 = 355.0 / 512.0;
const LN_2_LOW: f32 = (std::f64::consts::LN_2 - 355.0 / 512.0) as f32;

/// Gives `exp(x)` for `x` of at most 88, within 3e-7 of its value; NaN stays NaN.
///
/// Writes `x = n ln 2 + r` with `|r| ≤ ln 2 / 2`, takes six terms of the series of `exp(r)` after
/// the first, which leave out 1.2e-7 at most, and multiplies with `2^n`.
#[inline(always)]
pub(super) fn exponential(x: Floats) -> Floats {
    let x = x.larger(Floats::splat(LOWEST_EXPONENT));
    let n = (x * Floats::splat(std::f32::consts::LOG2_E)).nearest();
    let whole = n.floats();
    let r = x - whole * Floats::splat(LN_2_HIGH) - whole * Floats::splat(LN_2_LOW);
    let mut sum = Floats::splat(1.0 / 720.0);
    for term in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * r + Floats::splat(term);
    }
    sum * n.power_of_two()
}

/// Gives the GELU `x Φ(x)`, within 3e-7 `|x|` of its value; NaN stays NaN.
///
/// With `z = |x| / √2`, `x Φ(x)` is `max(x, 0) − |x| erfc(z) / 2`.
///
/// Source: erfc by Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26, whose error
/// is at most 1.5e-7; GELU, arXiv 1606.08415.
#[inline(always)]
pub(super) fn gelu(x: Floats) -> Floats {
    let size = x.abs();
    let z = size * Floats::splat(std::f32::consts::FRAC_1_SQRT_2);
    let one = Floats::splat(1.0);
    let t = one / (one + Floats::splat(0.327_591_1) * z);
    let mut sum = Floats::splat(1.061_405_4);
    for factor in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
        sum = sum * t + Floats::splat(factor);
    }
    let erfc = sum * t * exponential(Floats::splat(0.0) - z * z);
    x.larger(Floats::splat(0.0)) - size * Floats::splat(0.5) * erfc
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::integer::lanes::LANES;

    fn each(f: impl Fn(Floats) -> Floats, x: f32) -> f32 {
        let mut out = [0.0; LANES];
        f(Floats::splat(x)).store(&mut out);
        assert!(out.iter().all(|y| y.to_bits() == out[0].to_bits()));
        out[0]
    }

    /// The complementary error function in float64, by its continued fraction (lower tail: series).
    fn erfc(z: f64) -> f64 {
        if z < 2.0 {
            let mut term = z;
            let mut sum = z;
            for n in 1..200 {
                term *= -z * z / f64::from(n);
                sum += term / f64::from(2 * n + 1);
            }
            return 1.0 - sum * 2.0 / std::f64::consts::PI.sqrt();
        }
        let mut fraction = 0.0;
        for n in (1..200).rev() {
            fraction = f64::from(n) / 2.0 / (z + fraction);
        }
        (-z * z).exp() / std::f64::consts::PI.sqrt() / (z + fraction)
    }

    #[test]
    fn exponential_is_within_3e_7_of_its_value() {
        let mut worst = 0f64;
        for step in 0..=870_000 {
            let x = -step as f32 * 1e-4;
            let expected = f64::from(x).exp();
            let error = (f64::from(each(exponential, x)) - expected).abs() / expected;
            worst = worst.max(error);
        }
        for step in 0..=8_800 {
            let x = step as f32 * 1e-2;
            let expected = f64::from(x).exp();
            let error = (f64::from(each(exponential, x)) - expected).abs() / expected;
            worst = worst.max(error);
        }
        assert!(worst <= 3e-7, "{worst:e}");
        assert!(worst > 1e-8, "the comparison sees nothing: {worst:e}");
    }

    #[test]
    fn exponential_of_what_is_far_below_is_next_to_nothing() {
        for x in [-88.0, -1e9, f32::NEG_INFINITY] {
            assert!(each(exponential, x) < 2e-38);
        }
        assert!(each(exponential, f32::NAN).is_nan());
        assert_eq!(each(exponential, 0.0), 1.0);
    }

    #[test]
    fn gelu_is_within_3e_7_of_its_value_for_each_unit_of_its_argument() {
        let mut worst = 0f64;
        for step in -200_000..=200_000 {
            let x = step as f32 * 1e-4;
            let z = f64::from(x.abs()) / std::f64::consts::SQRT_2;
            let tail = erfc(z) / 2.0;
            let phi = if x < 0.0 { tail } else { 1.0 - tail };
            let error = (f64::from(each(gelu, x)) - f64::from(x) * phi).abs();
            worst = worst.max(error / f64::from(x.abs()).max(1.0));
        }
        assert!(worst <= 3e-7, "{worst:e}");
        assert!(worst > 1e-9, "the comparison sees nothing: {worst:e}");
    }

    #[test]
    fn gelu_keeps_what_is_not_finite() {
        assert!(each(gelu, f32::NAN).is_nan());
        assert_eq!(each(gelu, 0.0), 0.0);
        assert_eq!(each(gelu, 1e9), 1e9);
        assert!(each(gelu, -1e4).abs() < 1e-30);
    }
}
