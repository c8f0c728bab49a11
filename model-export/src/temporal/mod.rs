//! The temporal branch: data, training and measuring of the small module that reads time from an
//! encoder's token states.
//!
//! Stretches of days are drawn ([`target`]), said in English or Chinese ([`voice`]) inside
//! sentences, put beside others with the labels of the closed form ([`tuple`]) and written to files
//! ([`shards`]). With the feature `train`, `train` learns from sentences drawn anew for each step; the
//! arithmetic of its loss stands in plain numbers in [`loss`]. [`measure`] and [`mod@compare`] say what a
//! branch is worth on sentences of held-out templates.
//!
//! Source: TEMPS (Hassani, Romero, Bouzeghoub and Jacquelinet), section 5 and appendices A and B.

mod chinese;
pub mod compare;
mod english;
pub mod loss;
pub mod measure;
pub mod plot;
mod sentence;
pub mod shards;
pub mod target;
#[cfg(feature = "train")]
pub mod train;
pub mod tuple;
pub mod voice;

use crate::evaluate::Chance;
use tuple::Group;
use voice::Split;

/// Draws groups of a split; each seed has its own.
#[must_use]
pub fn groups(split: Split, count: usize, seed: u64) -> Vec<Group> {
    let part = match split {
        Split::Train => 0,
        Split::HeldOut => 1 << 63,
    };
    let mut chance = Chance::new(seed ^ part);
    (0..count)
        .map(|_| Group::draw(split, &mut chance))
        .collect()
}
