//! What every training run needs: a schedule, checkpoints, and a picture of its course.

pub(crate) mod checkpoint;
pub(crate) mod curve;
mod device;

pub use device::Accelerator;

/// Gives the learning rate of a step: it rises in a line during the warm-up, a share of all steps,
/// then falls as a cosine to a hundredth.
pub(crate) fn learning_rate(highest: f64, warm_up: f64, steps: usize, step: usize) -> f64 {
    let warm = (warm_up * steps as f64).max(1.0);
    let at = step as f64 + 1.0;
    if at <= warm {
        return highest * at / warm;
    }
    let share = (at - warm) / (steps as f64 - warm).max(1.0);
    let cosine = 0.5 * (1.0 + (std::f64::consts::PI * share.min(1.0)).cos());
    highest * (0.01 + 0.99 * cosine)
}

#[cfg(test)]
mod tests {
    use super::learning_rate;

    #[test]
    fn learning_rate_rises_then_falls() {
        let rates: Vec<f64> = (0..40).map(|s| learning_rate(1e-3, 0.1, 40, s)).collect();
        let top = rates.iter().copied().fold(0.0, f64::max);
        assert!(rates[0] < top && rates[39] < 0.05 * top);
        assert!((top - 1e-3).abs() < 1e-12);
    }
}
