//! Pairs of intervals closed for comparison.

use crate::time::Interval;

/// How far beyond every known end an open end is taken to reach, in days.
///
/// Source: a choice, one century; it decides only how strongly an open date counts, never on which
/// side it lies.
const HORIZON: f64 = 36_525.0;

/// The stretch of time from `start` to `end`, in days; `start` < `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) start: f64,
    pub(super) end: f64,
}

impl Span {
    pub(super) fn length(self) -> f64 {
        self.end - self.start
    }

    /// The empty stretch between both, in days; 0 when they meet or touch.
    pub(super) fn gap(self, other: Self) -> f64 {
        (self.start.max(other.start) - self.end.min(other.end)).max(0.0)
    }

    /// The length both share, in days; 0 when they do not meet.
    pub(super) fn common(self, other: Self) -> f64 {
        (self.end.min(other.end) - self.start.max(other.start)).max(0.0)
    }
}

/// Closes the open and unknown ends of two intervals at common far ends, so that of two intervals
/// open to the same side neither outlasts the other; `None` when an interval has no end at all.
pub(super) fn close(a: Interval, b: Interval) -> Option<(Span, Span)> {
    let ends = |i: Interval| {
        (
            i.first.day().map(|d| d.0 as f64),
            i.last.day().map(|d| d.0 as f64 + 1.0),
        )
    };
    let (a, b) = (ends(a), ends(b));
    if matches!(a, (None, None)) || matches!(b, (None, None)) {
        return None;
    }
    let known = [a.0, a.1, b.0, b.1];
    let first = known
        .iter()
        .flatten()
        .copied()
        .fold(f64::INFINITY, f64::min)
        - HORIZON;
    let last = known
        .iter()
        .flatten()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max)
        + HORIZON;
    let span = |(start, end): (Option<f64>, Option<f64>)| Span {
        start: start.unwrap_or(first),
        end: end.unwrap_or(last),
    };
    Some((span(a), span(b)))
}
