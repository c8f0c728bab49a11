//! Seeded chance: the split of the queries and the bootstrap.

/// A small generator with a stated seed, so that every run draws alike.
///
/// Source: SplitMix64, G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number
/// Generators" (2014).
pub struct Chance(u64);

impl Chance {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Draws a number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        ((u128::from(z) * limit as u128) >> 64) as usize
    }
}

/// Splits `0..count` into a fifth for choosing and the rest for measuring, each in order.
pub fn split(count: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..count).collect();
    let mut chance = Chance::new(seed);
    for at in (1..count).rev() {
        order.swap(at, chance.below(at + 1));
    }
    let mut test = order.split_off((count / 5).max(1).min(count.saturating_sub(1)));
    order.sort_unstable();
    test.sort_unstable();
    (order, test)
}

/// Gives the 95 % interval of the mean of paired differences, by resampling them.
pub fn interval(differences: &[f64], seed: u64) -> (f64, f64) {
    const SAMPLES: usize = 2_000;
    if differences.is_empty() {
        return (0.0, 0.0);
    }
    let mut chance = Chance::new(seed);
    let count = differences.len();
    let mut means: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            (0..count)
                .map(|_| differences[chance.below(count)])
                .sum::<f64>()
                / count as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    (means[SAMPLES / 40], means[SAMPLES - 1 - SAMPLES / 40])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_is_a_fifth_and_repeats() {
        let (dev, test) = split(887, 42);
        assert_eq!((dev.len(), test.len()), (177, 710));
        assert_eq!(split(887, 42), (dev.clone(), test.clone()));
        let mut all = [dev, test].concat();
        all.sort_unstable();
        assert_eq!(all, (0..887).collect::<Vec<_>>());
    }

    #[test]
    fn interval_holds_the_mean_and_narrows() {
        let few: Vec<f64> = (0..20).map(|n| f64::from(n % 2)).collect();
        let many: Vec<f64> = (0..2_000).map(|n| f64::from(n % 2)).collect();
        let (a, b) = (interval(&few, 1), interval(&many, 1));
        assert!(a.0 < 0.5 && 0.5 < a.1 && b.0 < 0.5 && 0.5 < b.1);
        assert!(b.1 - b.0 < (a.1 - a.0) / 4.0);
    }
}
