//! Which texts are encoded together.
//!
//! A vector depends, in its last bits, on how many texts share its batch. So that an index is the
//! same bytes after any interruption and on any number of threads, batches are made from the set
//! of texts alone: texts of equal length lie in the order of their hashes, and a batch ends where
//! a hash says so. A changed text then changes its own batch and leaves the others as they were,
//! with their places in the cache.

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::passages::Passage;

/// Most texts of a batch: enough to keep one core's matrix products busy.
const MOST: usize = 32;
/// A batch ends after a hash whose first byte is a multiple of this: one in sixteen.
const CUT: u8 = 16;

/// Names a batch: the hash of its model and texts.
pub type Key = [u8; 32];

/// Texts, each once, and their batches.
pub struct Plan {
    /// Token ids of each text.
    pub ids: Vec<Vec<u32>>,
    /// Batches of equal token length, the longest first.
    pub batches: Vec<Batch>,
}

/// Texts of equal token length, encoded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Its name in the cache.
    pub key: Key,
    /// Its texts, as places in [`Plan::ids`].
    pub members: Vec<usize>,
}

impl Plan {
    /// Plans the encoding of `passages` and gives, for each, its place in [`Plan::ids`]. Their token
    /// ids move into the plan.
    ///
    /// `space` tells apart models and kinds of text: what differs in it shares no batch.
    pub fn new<'a>(
        space: &str,
        passages: impl Iterator<Item = &'a mut Passage>,
    ) -> (Self, Vec<usize>) {
        let mut places: HashMap<Key, usize> = HashMap::new();
        let mut ids: Vec<Vec<u32>> = Vec::new();
        let of_passage = passages
            .map(|passage| {
                let mut own = std::mem::take(&mut passage.ids);
                *places.entry(hash(space, &own)).or_insert_with(|| {
                    own.shrink_to_fit();
                    ids.push(own);
                    ids.len() - 1
                })
            })
            .collect();
        let batches = batches(places, &ids);
        (Self { ids, batches }, of_passage)
    }

    /// Gives the keys of as many batches as hold at least `texts` texts, or of all.
    ///
    /// They are those of the smallest keys, so a text more or less changes the choice little.
    pub fn sample(&self, texts: usize) -> HashSet<Key> {
        let mut by_key: Vec<&Batch> = self.batches.iter().collect();
        by_key.sort_by_key(|batch| batch.key);
        let mut held = 0;
        by_key
            .into_iter()
            .take_while(|batch| {
                let wanted = held < texts;
                held += batch.members.len();
                wanted
            })
            .map(|batch| batch.key)
            .collect()
    }
}

/// Token ids stand for the text: texts of equal ids have equal vectors.
fn hash(space: &str, ids: &[u32]) -> Key {
    let mut hasher = Sha256::new();
    hasher.update((space.len() as u64).to_le_bytes());
    hasher.update(space.as_bytes());
    for id in ids {
        hasher.update(id.to_le_bytes());
    }
    hasher.finalize().into()
}

fn batches(places: HashMap<Key, usize>, ids: &[Vec<u32>]) -> Vec<Batch> {
    let mut order: Vec<(usize, Key, usize)> = places
        .into_iter()
        .map(|(hash, place)| (ids[place].len(), hash, place))
        .collect();
    order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut batches = Vec::new();
    let mut members = Vec::new();
    let mut hasher = Sha256::new();
    for (n, (length, hash, place)) in order.iter().enumerate() {
        members.push(*place);
        hasher.update(hash);
        let last_of_length = order.get(n + 1).is_none_or(|next| next.0 != *length);
        // The second byte: texts are sorted by the first, which would cut in one place only.
        if last_of_length || members.len() == MOST || hash[1].is_multiple_of(CUT) {
            batches.push(Batch {
                key: hasher.finalize_reset().into(),
                members: std::mem::take(&mut members),
            });
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn passages(ids: &[Vec<u32>]) -> Vec<Passage> {
        ids.iter()
            .map(|ids| Passage {
                text: String::new(),
                ids: ids.clone(),
            })
            .collect()
    }

    fn keys(ids: &[Vec<u32>]) -> HashSet<Key> {
        let mut passages = passages(ids);
        let (plan, _) = Plan::new("m", passages.iter_mut());
        plan.batches.iter().map(|batch| batch.key).collect()
    }

    proptest! {
        #[test]
        fn every_text_is_in_one_batch_of_its_length(
            ids in proptest::collection::vec(proptest::collection::vec(0u32..50, 1..4), 1..400),
        ) {
            let mut passages = passages(&ids);
            let (plan, places) = Plan::new("m", passages.iter_mut());
            for (ids, place) in ids.iter().zip(&places) {
                prop_assert_eq!(&plan.ids[*place], ids);
            }
            let mut seen: Vec<usize> = Vec::new();
            for batch in &plan.batches {
                prop_assert!(batch.members.len() <= MOST);
                let length = plan.ids[batch.members[0]].len();
                prop_assert!(batch.members.iter().all(|&m| plan.ids[m].len() == length));
                seen.extend(&batch.members);
            }
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..plan.ids.len()).collect::<Vec<_>>());
        }

        #[test]
        fn batches_do_not_depend_on_the_order_of_rows(
            ids in proptest::collection::vec(proptest::collection::vec(0u32..50, 1..4), 1..200),
        ) {
            let mut other = ids.clone();
            other.reverse();
            prop_assert_eq!(keys(&ids), keys(&other));
        }
    }

    #[test]
    fn a_new_text_leaves_nearly_all_batches_as_they_were() {
        let mut ids: Vec<Vec<u32>> = (0..5_000).map(|n| vec![n, 1, 2]).collect();
        let before = keys(&ids);
        ids.push(vec![99_999, 1, 2]);
        let after = keys(&ids);
        let new = after.difference(&before).count();
        assert!(new <= 4, "{new} of {} batches changed", after.len());
    }

    #[test]
    fn another_model_has_other_keys() {
        let plan = |space| Plan::new(space, passages(&[vec![1, 2]]).iter_mut()).0;
        let (one, other) = (plan("a"), plan("b"));
        assert_ne!(one.batches[0].key, other.batches[0].key);
    }
}
