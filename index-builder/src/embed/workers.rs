//! Encoding batches on all cores.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use almanac::encoder::Model;
use almanac::index::Int8Vector;
use anyhow::{Context, Result};

use super::plan::{Batch, Plan};
use super::{Cache, Encoded, Key};
use crate::progress::Progress;

/// What encoding a plan gave.
pub struct Embedded {
    /// One vector for each text of the plan.
    pub vectors: Vec<Int8Vector>,
    /// Texts whose float32 vectors were asked for, in order, with them.
    pub exact: Vec<(usize, Vec<f32>)>,
    /// Texts that had to be computed; the others came from the cache.
    pub computed: usize,
}

/// Gives the vectors of a plan, from the cache where it has them; each batch is cached when done.
///
/// Batches are handed out longest first, and what a batch gives does not depend on the thread
/// that computes it, so any number of `threads` gives the same vectors.
///
/// # Errors
/// If the encoder fails or the cache cannot be written.
pub fn embed(
    model: &Model,
    plan: &Plan,
    exact: &HashSet<Key>,
    cache: &mut Cache,
    threads: usize,
    progress: &mut Progress,
) -> Result<Embedded> {
    let mut done: Vec<Option<Encoded>> = plan
        .batches
        .iter()
        .map(|batch| cache.take(&batch.key, batch.members.len(), exact.contains(&batch.key)))
        .collect();
    let open: Vec<usize> = (0..done.len()).filter(|&n| done[n].is_none()).collect();
    let texts =
        |places: &[usize]| -> usize { places.iter().map(|&n| plan.batches[n].members.len()).sum() };
    let computed = texts(&open);
    progress.start(computed);
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| -> Result<()> {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads.clamp(1, open.len().max(1)) {
            let (sender, model) = (sender.clone(), model.clone());
            let (open, next, stop) = (&open, &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Some(&number) = open.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    let batch = &plan.batches[number];
                    let encoded = encode(&model, plan, batch, exact.contains(&batch.key));
                    if sender.send((number, encoded)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (number, encoded) in receiver {
            let batch = &plan.batches[number];
            let stored = encoded.and_then(|encoded| {
                cache.append(&batch.key, &encoded)?;
                Ok(encoded)
            });
            // Workers end after the batch in hand; without this an error would wait for all.
            let encoded = stored.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            done[number] = Some(encoded);
            progress.advance(batch.members.len());
        }
        Ok(())
    })?;
    progress.finish();
    collect(plan, done, computed)
}

fn encode(model: &Model, plan: &Plan, batch: &Batch, exact: bool) -> Result<Encoded> {
    let ids: Vec<Vec<u32>> = batch.members.iter().map(|&m| plan.ids[m].clone()).collect();
    let rows = pollster::block_on(model.encode_ids(&ids))?;
    Ok(Encoded {
        vectors: rows.iter().map(|row| Int8Vector::quantize(row)).collect(),
        exact: exact.then_some(rows),
    })
}

fn collect(plan: &Plan, done: Vec<Option<Encoded>>, computed: usize) -> Result<Embedded> {
    let mut vectors: Vec<Option<Int8Vector>> = vec![None; plan.ids.len()];
    let mut exact = Vec::new();
    for (batch, encoded) in plan.batches.iter().zip(done) {
        let encoded = encoded.context("a batch was not encoded")?;
        for (&member, vector) in batch.members.iter().zip(encoded.vectors) {
            vectors[member] = Some(vector);
        }
        let rows = encoded.exact.into_iter().flatten();
        exact.extend(batch.members.iter().copied().zip(rows));
    }
    exact.sort_by_key(|(member, _)| *member);
    Ok(Embedded {
        vectors: vectors
            .into_iter()
            .collect::<Option<_>>()
            .context("a text was not encoded")?,
        exact,
        computed,
    })
}
