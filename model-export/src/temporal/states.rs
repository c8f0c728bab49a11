//! Token states of texts in half precision, kept in a file between runs.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use almanac::encoder::{Model, TextKind};
use almanac::{Error, ErrorKind, Result};
use half::f16;
use half::slice::HalfFloatSliceExt;
use indicatif::ProgressBar;

/// Tokens of a text that are used; special tokens count.
pub const MOST_TOKENS: usize = 64;

/// Texts of one batch, and batches between two writes.
const BATCH: usize = 32;
const BATCHES: usize = 16;

/// Token states by text.
pub struct TokenCache {
    hidden: usize,
    places: HashMap<String, (usize, usize)>,
    values: Vec<f16>,
}

impl TokenCache {
    /// Loads the states a file holds for a model and encodes the texts that it lacks, which are
    /// appended as they come, so that an interrupted run goes on.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if the file cannot be read or written.
    /// - Those of the encoder.
    pub fn fill(path: &Path, model: &Model, texts: &[&str]) -> Result<Self> {
        let mut cache = Self {
            hidden: model.dimensions(),
            places: HashMap::new(),
            values: Vec::new(),
        };
        let io = |e: std::io::Error| Error::io(path, &e);
        let header = format!("{}\n", model.card().id);
        let whole = match fs::read(path) {
            Ok(bytes) if bytes.starts_with(header.as_bytes()) => {
                header.len() + cache.read(&bytes[header.len()..])
            }
            Ok(_) => 0,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => 0,
            Err(e) => return Err(io(e)),
        };
        let mut missing: Vec<(Vec<u32>, &str)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for text in texts {
            if !cache.places.contains_key(*text) && seen.insert(*text) {
                let mut ids = model.ids(text, TextKind::Passage)?;
                ids.truncate(MOST_TOKENS);
                missing.push((ids, text));
            }
        }
        if missing.is_empty() {
            return Ok(cache);
        }
        let mut file = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(io)?;
        // An unfinished record at the end is written over.
        file.set_len(whole as u64).map_err(io)?;
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).map_err(io)?;
        if whole == 0 {
            file.write_all(header.as_bytes()).map_err(io)?;
        }
        missing.sort_by_key(|(ids, _)| ids.len());
        // The bar hides itself where stderr is not a terminal.
        let bar = ProgressBar::new(missing.len() as u64);
        let batches: Vec<&[(Vec<u32>, &str)]> = missing
            .chunk_by(|a, b| a.0.len() == b.0.len())
            .flat_map(|same| same.chunks(BATCH))
            .collect();
        for some in batches.chunks(BATCHES) {
            let workers = some.len().div_ceil(2).max(1);
            let done: Vec<Result<Vec<u8>>> = std::thread::scope(|scope| {
                let threads: Vec<_> = some
                    .chunks(workers)
                    .map(|part| {
                        let model = model.clone();
                        scope.spawn(move || records(&model, part))
                    })
                    .collect();
                threads
                    .into_iter()
                    .map(|t| {
                        t.join().unwrap_or_else(|_| {
                            Err(Error::new(ErrorKind::Internal, "an encoding thread failed"))
                        })
                    })
                    .collect()
            });
            for bytes in done {
                let bytes = bytes?;
                file.write_all(&bytes).map_err(io)?;
                cache.read(&bytes);
            }
            bar.inc(some.iter().map(|b| b.len() as u64).sum());
        }
        bar.finish_and_clear();
        Ok(cache)
    }

    /// Gives the states of a text, token after token, and how many tokens; `None` for a text that
    /// was not encoded.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<(&[f16], usize)> {
        let (start, tokens) = *self.places.get(text)?;
        let values = self.values.get(start..start + tokens * self.hidden)?;
        Some((values, tokens))
    }

    /// Gives the numbers of a token's state.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Takes in whole records and gives the bytes they take; what is cut off at the end stays out.
    fn read(&mut self, bytes: &[u8]) -> usize {
        let number = |at: usize| {
            let four = bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize)
        };
        let mut at = 0;
        loop {
            let record = || {
                let (length, tokens) = (number(at)?, number(at + 4)?);
                let text = bytes.get(at + 8..at + 8 + length)?;
                let start = at + 8 + length;
                let states = bytes.get(start..start + tokens * self.hidden * 2)?;
                Some((std::str::from_utf8(text).ok()?, tokens, states))
            };
            let Some((text, tokens, states)) = record() else {
                return at;
            };
            let start = self.values.len();
            self.values.extend(
                states
                    .chunks_exact(2)
                    .map(|b| f16::from_le_bytes([b[0], b[1]])),
            );
            self.places.insert(text.to_owned(), (start, tokens));
            at += 8 + text.len() + states.len();
        }
    }
}

/// Encodes batches of texts of one length and writes each as a record.
fn records(model: &Model, batches: &[&[(Vec<u32>, &str)]]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for batch in batches {
        let ids: Vec<Vec<u32>> = batch.iter().map(|(ids, _)| ids.clone()).collect();
        let states = model.token_states(&ids)?.states;
        let values: Vec<f32> = states
            .into_data()
            .try_to_vec()
            .map_err(|e| Error::new(ErrorKind::Internal, format!("{e:?}")))?;
        let each = values.len() / batch.len().max(1);
        for ((ids, text), values) in batch.iter().zip(values.chunks_exact(each.max(1))) {
            let mut halves = vec![f16::ZERO; values.len()];
            halves.convert_from_f32_slice(values);
            out.extend((text.len() as u32).to_le_bytes());
            out.extend((ids.len() as u32).to_le_bytes());
            out.extend(text.as_bytes());
            out.extend(halves.iter().flat_map(|h| h.to_le_bytes()));
        }
    }
    Ok(out)
}
