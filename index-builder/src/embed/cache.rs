//! Vectors already computed, kept beside an index so that a killed build goes on where it was.
//!
//! `OUT/.almanac-cache/vectors.bin`: 8 bytes magic, then records of length (u32), CRC-32 of what
//! follows (u32), batch key (32 bytes), texts (u32), dimensions (u32), flag (u32), `texts` scales
//! (f32), codes (i8), and where the flag is 1 the vectors in float32. All little-endian, written
//! at the end only; a record torn by a kill is dropped, with all after it.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use almanac::index::Int8Vector;
use anyhow::{Context, Result, bail};

use super::{Encoded, Key};

const MAGIC: &[u8; 8] = b"ALMCAC01";
const HEADER: usize = 32 + 12;
/// The largest record believed before it is allocated, 64 MiB.
const MAX_RECORD: usize = 64 * 1024 * 1024;

/// The cache of one index folder, held by one build at a time.
pub struct Cache {
    file: File,
    path: PathBuf,
    held: HashMap<Key, Encoded>,
    /// Bytes of records that this build does not want.
    stale_bytes: u64,
    wanted_bytes: u64,
}

impl Cache {
    /// Opens the cache in `folder`, made if missing, and reads what is `wanted` out of it.
    ///
    /// # Errors
    /// If folder or file cannot be made or read, or another build holds it.
    pub fn open(folder: &Path, wanted: &HashSet<Key>) -> Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let path = folder.join("vectors.bin");
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .with_context(|| path.display().to_string())?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "{}: another build is writing this index; wait for it to end",
                path.display()
            ),
            // A file system without locks: two builds at once are then the user's to avoid.
            Err(TryLockError::Error(_)) => {}
        }
        let mut cache = Self {
            file,
            path,
            held: HashMap::new(),
            stale_bytes: 0,
            wanted_bytes: 0,
        };
        cache
            .load(wanted)
            .with_context(|| cache.path.display().to_string())?;
        Ok(cache)
    }

    /// Takes the vectors of a batch out, if they are there, `exact` ones where asked for.
    pub fn take(&mut self, key: &Key, texts: usize, exact: bool) -> Option<Encoded> {
        let found = self.held.get(key)?;
        if found.vectors.len() != texts || (exact && found.exact.is_none()) {
            return None;
        }
        self.held.remove(key)
    }

    /// Appends the vectors of a batch.
    ///
    /// # Errors
    /// If the file cannot be written, such as on a full disk.
    pub fn append(&mut self, key: &Key, encoded: &Encoded) -> Result<()> {
        let record = to_record(key, encoded);
        self.wanted_bytes += record.len() as u64;
        self.file
            .write_all(&record)
            .with_context(|| self.path.display().to_string())
    }

    /// Drops the records of earlier versions of the collection once they outweigh the others.
    ///
    /// # Errors
    /// If the file cannot be rewritten.
    pub fn compact(mut self, wanted: &HashSet<Key>) -> Result<()> {
        if self.stale_bytes <= self.wanted_bytes {
            return Ok(());
        }
        let place = self.path.display().to_string();
        let beside = self.path.with_extension("part");
        let rewrite = |from: &mut File| -> std::io::Result<()> {
            let mut out = std::io::BufWriter::new(File::create(&beside)?);
            out.write_all(MAGIC)?;
            from.seek(SeekFrom::Start(MAGIC.len() as u64))?;
            let mut reader = BufReader::new(from);
            while let Some(record) = read_record(&mut reader)? {
                if wanted.contains(&key_of(&record)) {
                    out.write_all(&framed(&record))?;
                }
            }
            out.into_inner()?.sync_all()?;
            std::fs::rename(&beside, &self.path)
        };
        rewrite(&mut self.file).with_context(|| place)
    }

    fn load(&mut self, wanted: &HashSet<Key>) -> std::io::Result<()> {
        let mut magic = [0u8; 8];
        let mut reader = BufReader::new(&mut self.file);
        let known = reader.read_exact(&mut magic).is_ok() && &magic == MAGIC;
        let mut end = MAGIC.len() as u64;
        let (mut wanted_bytes, mut stale_bytes) = (0, 0);
        if known {
            while let Some(record) = read_record(&mut reader)? {
                let bytes = record.len() as u64 + 8;
                end += bytes;
                let key = key_of(&record);
                match wanted
                    .contains(&key)
                    .then(|| from_record(&record))
                    .flatten()
                {
                    // A later record of the same batch is the fuller one.
                    Some(encoded) => {
                        wanted_bytes += bytes;
                        self.held.insert(key, encoded);
                    }
                    None => stale_bytes += bytes,
                }
            }
        }
        drop(reader);
        if !known {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(MAGIC)?;
        }
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::Start(end))?;
        self.wanted_bytes = wanted_bytes;
        self.stale_bytes = stale_bytes;
        Ok(())
    }
}

/// Reads the next whole record without its frame, or none where the file ends or is torn.
fn read_record(reader: &mut impl Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut frame = [0u8; 8];
    if !read_whole(reader, &mut frame)? {
        return Ok(None);
    }
    let length = u32_at(&frame, 0) as usize;
    if !(HEADER..=MAX_RECORD).contains(&length) {
        return Ok(None);
    }
    let mut record = vec![0u8; length];
    let whole = read_whole(reader, &mut record)?;
    Ok((whole && crc32fast::hash(&record) == u32_at(&frame, 4)).then_some(record))
}

fn read_whole(reader: &mut impl Read, into: &mut [u8]) -> std::io::Result<bool> {
    match reader.read_exact(into) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
        Err(e) => Err(e),
    }
}

fn key_of(record: &[u8]) -> Key {
    let mut key = [0u8; 32];
    key.copy_from_slice(&record[..32]);
    key
}

fn from_record(record: &[u8]) -> Option<Encoded> {
    let texts = u32_at(record, 32) as usize;
    let dimensions = u32_at(record, 36) as usize;
    let exact = u32_at(record, 40) == 1;
    let numbers = texts.checked_mul(dimensions)?;
    let scales = texts.checked_mul(4)?;
    let floats = if exact { numbers.checked_mul(4)? } else { 0 };
    let expected = numbers.checked_add(scales)?.checked_add(floats)?;
    let body = &record[HEADER..];
    if dimensions == 0 || body.len() != expected {
        return None;
    }
    let (scales, rest) = body.split_at(scales);
    let (codes, floats) = rest.split_at(numbers);
    let vectors = scales
        .chunks_exact(4)
        .zip(codes.chunks_exact(dimensions))
        .map(|(scale, codes)| Int8Vector {
            scale: f32::from_bits(u32_at(scale, 0)),
            codes: codes.iter().map(|c| c.cast_signed()).collect(),
        })
        .collect();
    let exact = exact.then(|| {
        floats
            .chunks_exact(dimensions * 4)
            .map(|row| {
                row.chunks_exact(4)
                    .map(|x| f32::from_bits(u32_at(x, 0)))
                    .collect()
            })
            .collect()
    });
    Some(Encoded { vectors, exact })
}

fn to_record(key: &Key, encoded: &Encoded) -> Vec<u8> {
    let texts = encoded.vectors.len() as u32;
    let dimensions = encoded.vectors.first().map_or(0, |v| v.codes.len()) as u32;
    let mut record = key.to_vec();
    for field in [texts, dimensions, u32::from(encoded.exact.is_some())] {
        record.extend(field.to_le_bytes());
    }
    for vector in &encoded.vectors {
        record.extend(vector.scale.to_le_bytes());
    }
    for vector in &encoded.vectors {
        record.extend(vector.codes.iter().map(|c| c.cast_unsigned()));
    }
    for value in encoded.exact.iter().flatten().flatten() {
        record.extend(value.to_le_bytes());
    }
    framed(&record)
}

fn framed(record: &[u8]) -> Vec<u8> {
    let mut bytes = (record.len() as u32).to_le_bytes().to_vec();
    bytes.extend(crc32fast::hash(record).to_le_bytes());
    bytes.extend(record);
    bytes
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn encoded(seed: f32, exact: bool) -> Encoded {
        let rows = vec![vec![seed, -1.0, 0.25], vec![0.5, seed, 1.0]];
        Encoded {
            vectors: rows.iter().map(|row| Int8Vector::quantize(row)).collect(),
            exact: exact.then_some(rows),
        }
    }

    fn keys(count: u8) -> HashSet<Key> {
        (0..count).map(|n| [n; 32]).collect()
    }

    fn filled(folder: &Path) -> PathBuf {
        let mut cache = Cache::open(folder, &keys(0)).unwrap();
        for n in 0..3u8 {
            let batch = encoded(f32::from(n), n == 1);
            cache.append(&[n; 32], &batch).unwrap();
        }
        folder.join("vectors.bin")
    }

    #[test]
    fn what_was_appended_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let mut cache = Cache::open(folder.path(), &keys(3)).unwrap();
        assert_eq!(cache.take(&[1; 32], 2, true), Some(encoded(1.0, true)));
        assert_eq!(cache.take(&[0; 32], 2, true), None);
        assert_eq!(cache.take(&[0; 32], 3, false), None);
        assert_eq!(cache.take(&[0; 32], 2, false), Some(encoded(0.0, false)));
        assert_eq!(cache.take(&[7; 32], 2, false), None);
    }

    #[test]
    fn a_torn_tail_at_any_byte_loses_the_last_record_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = filled(folder.path());
        let whole = std::fs::read(&path).unwrap();
        let last = to_record(&[2; 32], &encoded(2.0, false)).len();
        for length in whole.len() - last..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut cache = Cache::open(folder.path(), &keys(3)).unwrap();
            assert!(cache.take(&[1; 32], 2, true).is_some(), "{length}");
            assert!(cache.take(&[2; 32], 2, false).is_none(), "{length}");
            cache.append(&[2; 32], &encoded(2.0, false)).unwrap();
            drop(cache);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{length}");
        }
    }

    #[test]
    fn a_damaged_record_and_a_foreign_file_are_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let path = filled(folder.path());
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let mut cache = Cache::open(folder.path(), &keys(3)).unwrap();
        assert!(cache.take(&[0; 32], 2, false).is_some());
        assert!(cache.take(&[1; 32], 2, false).is_none());
        drop(cache);
        std::fs::write(&path, b"something else entirely").unwrap();
        assert!(
            Cache::open(folder.path(), &keys(3))
                .unwrap()
                .held
                .is_empty()
        );
    }

    #[test]
    fn two_builds_do_not_share_a_cache() {
        let folder = tempfile::tempdir().unwrap();
        let _first = Cache::open(folder.path(), &keys(0)).unwrap();
        let error = Cache::open(folder.path(), &keys(0)).err().unwrap();
        assert!(error.to_string().contains("another build"), "{error}");
    }

    #[test]
    fn compacting_keeps_what_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = filled(folder.path());
        let before = std::fs::metadata(&path).unwrap().len();
        let wanted = keys(1);
        let cache = Cache::open(folder.path(), &wanted).unwrap();
        cache.compact(&wanted).unwrap();
        assert!(std::fs::metadata(&path).unwrap().len() < before / 2);
        let mut cache = Cache::open(folder.path(), &wanted).unwrap();
        assert!(cache.take(&[0; 32], 2, false).is_some());
    }
}
