//! The temporal branch: data, training and measuring of the small module that reads time from an
//! encoder's token states.
//!
//! Stretches of days are drawn ([`target`]), said in English or Chinese ([`voice`]) inside
//! sentences, or read by rules in sentences that people wrote ([`corpus`]), put beside others with the
//! labels of the closed form ([`tuple`]) and written to files ([`shards`]). With the feature `train`, `train` learns from sentences drawn anew for each step; the
//! arithmetic of its loss stands in plain numbers in [`loss`]. [`measure`] and [`mod@compare`] say what a
//! branch is worth on sentences of held-out templates.
//!
//! Source: TEMPS (Hassani, Romero, Bouzeghoub and Jacquelinet), section 5 and appendices A and B.

mod chinese;
pub mod compare;
pub mod corpus;
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
use corpus::Corpus;
use tuple::Group;
use voice::Split;

/// Draws groups of templates of a split; each seed has its own.
#[must_use]
pub fn groups(split: Split, count: usize, seed: u64) -> Vec<Group> {
    let mut chance = Chance::new(seed ^ part(split));
    (0..count)
        .map(|_| Group::draw(split, &mut chance))
        .collect()
}

/// Draws groups that ask with real sentences of a split, beside templates of a split; fewer where a
/// drawn sentence cannot be said otherwise.
#[must_use]
pub fn real_groups(
    corpus: &Corpus,
    sentences: Split,
    templates: Split,
    count: usize,
    seed: u64,
) -> Vec<Group> {
    let mut chance = Chance::new(seed ^ part(sentences));
    (0..count)
        .filter_map(|_| Group::real(corpus, sentences, templates, &mut chance))
        .collect()
}

fn part(split: Split) -> u64 {
    match split {
        Split::Train => 0,
        Split::HeldOut => 1 << 63,
    }
}
