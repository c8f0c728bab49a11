//! Keeping the best `k` of a stream without sorting it all.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A document by its best passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scored {
    pub(super) score: f64,
    pub(super) document: u32,
    pub(super) passage: u32,
}

/// A bounded heap whose root is the worst hit kept.
pub(super) struct Top {
    heap: BinaryHeap<Worst>,
    k: usize,
}

/// Orders hits so that the greatest is the worst: lowest score, then latest document.
struct Worst(Scored);

impl Ord for Worst {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .0
            .score
            .total_cmp(&self.0.score)
            .then(self.0.document.cmp(&other.0.document))
    }
}

impl PartialOrd for Worst {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Worst {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Worst {}

impl Top {
    pub(super) fn new(k: usize) -> Self {
        Self {
            heap: BinaryHeap::new(),
            k,
        }
    }

    /// Takes a hit in if it belongs to the best `k` so far.
    pub(super) fn offer(&mut self, hit: Option<Scored>) {
        let Some(hit) = hit.map(Worst) else { return };
        if self.heap.len() < self.k {
            self.heap.push(hit);
        } else if self.heap.peek().is_some_and(|worst| hit < *worst) {
            self.heap.pop();
            self.heap.push(hit);
        }
    }

    /// Gives what was kept, best first.
    pub(super) fn into_sorted(self) -> Vec<Scored> {
        self.heap
            .into_sorted_vec()
            .into_iter()
            .map(|worst| worst.0)
            .collect()
    }
}
