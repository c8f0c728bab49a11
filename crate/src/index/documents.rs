//! Stored fields and passages of documents, in compressed chunks fetched on demand.
//!
//! The structured payload is bincode 2 (standard configuration), read under a byte limit and only
//! after the chunk's checksums have matched; see decision D3 in `docs/decisions.md`.

use std::marker::PhantomData;

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::bytes::{MAX_PLAIN_BYTES, close_packed, open_packed};
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"ALMDOC01";

/// What a collection says of one object, as the result list shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The collection's own identifier, unique in the index.
    pub id: String,
    /// Title, never empty (the identifier stands in for a missing one).
    pub title: String,
    /// The date as the catalogue gives it, unparsed.
    pub date: Option<String>,
    /// Address of the object's page.
    pub url: Option<String>,
    /// Address of a picture.
    pub image: Option<String>,
    /// Further fields to show, as label and value.
    pub fields: Vec<(String, String)>,
    /// The texts that were embedded, in order; at least one.
    pub passages: Vec<String>,
}

fn config() -> bincode::config::Configuration<
    bincode::config::LittleEndian,
    bincode::config::Varint,
    bincode::config::Limit<MAX_PLAIN_BYTES>,
> {
    bincode::config::standard().with_limit::<MAX_PLAIN_BYTES>()
}

/// Lays documents out as a `documents` file.
pub(crate) fn write_chunk(first: u32, documents: &[Document]) -> Result<Vec<u8>> {
    let plain = bincode::serde::encode_to_vec(documents, config()).map_err(|e| {
        Error::invalid(format!(
            "documents {first} to {} are too large to store together ({e})",
            u64::from(first) + documents.len() as u64 - 1
        ))
        .with_remedy("shorten their stored fields")
    })?;
    check_weight(&plain)
        .map_err(|e| Error::invalid(e.to_string()).with_remedy("show fewer fields"))?;
    close_packed(MAGIC, [documents.len() as u32, first, 0], &plain)
}

/// What may be taken beyond three times the payload, 1 MiB.
const WEIGHT_SLACK: usize = 1024 * 1024;

/// Refuses records that take far more memory than bytes, as thousands of empty fields do, before
/// they take it.
fn check_weight(plain: &[u8]) -> Result<()> {
    let (weighed, _): (Weighed<Sketch<'_>>, usize) =
        bincode::serde::borrow_decode_from_slice(plain, config())
            .map_err(|e| Error::corrupt(e.to_string()))?;
    let most = 3 * plain.len() + WEIGHT_SLACK;
    if weighed.bytes > most {
        return Err(Error::corrupt(format!(
            "documents of {} bytes in memory, expected at most {most}",
            weighed.bytes
        )));
    }
    Ok(())
}

/// A [`Document`] whose texts stay where they are.
#[derive(Deserialize)]
struct Sketch<'a> {
    id: &'a str,
    title: &'a str,
    date: Option<&'a str>,
    url: Option<&'a str>,
    image: Option<&'a str>,
    #[serde(borrow)]
    fields: Weighed<(&'a str, &'a str)>,
    #[serde(borrow)]
    passages: Weighed<&'a str>,
}

/// What an element takes in memory once it is read for good.
trait Weigh {
    /// In the vector itself.
    const INLINE: usize;

    /// Beyond it.
    fn heap(&self) -> usize;
}

impl Weigh for &str {
    const INLINE: usize = size_of::<String>();

    fn heap(&self) -> usize {
        self.len()
    }
}

impl Weigh for (&str, &str) {
    const INLINE: usize = size_of::<(String, String)>();

    fn heap(&self) -> usize {
        self.0.len() + self.1.len()
    }
}

impl Weigh for Sketch<'_> {
    const INLINE: usize = size_of::<Document>();

    fn heap(&self) -> usize {
        let given = [self.date, self.url, self.image];
        let texts = [self.id, self.title].into_iter();
        let texts: usize = texts.chain(given.into_iter().flatten()).map(str::len).sum();
        texts + self.fields.bytes + self.passages.bytes
    }
}

/// A sequence of which only the memory it would take is kept.
struct Weighed<T> {
    bytes: usize,
    of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de> + Weigh> Deserialize<'de> for Weighed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_seq(Weighing(PhantomData))
    }
}

struct Weighing<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Weigh> Visitor<'de> for Weighing<T> {
    type Value = Weighed<T>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(
        self,
        mut sequence: A,
    ) -> std::result::Result<Self::Value, A::Error> {
        let (mut inline, mut heap) = (0usize, 0usize);
        while let Some(element) = sequence.next_element::<T>()? {
            inline += T::INLINE;
            heap += element.heap();
        }
        // Longer vectors grow by doubling: at most twice their size, beside the half before.
        if inline > WEIGHT_SLACK {
            inline *= 3;
        }
        Ok(Weighed {
            bytes: inline + heap,
            of: PhantomData,
        })
    }
}

/// Reads a verified `documents` file that should hold `count` documents from `first`.
pub(crate) fn read_chunk(bytes: &[u8], first: u32, count: u32) -> Result<Vec<Document>> {
    let ([found, found_first, _], plain) = open_packed(bytes, MAGIC)?;
    if found != count || found_first != first {
        return Err(Error::corrupt(format!(
            "holds {found} documents from {found_first}, expected {count} from {first}"
        )));
    }
    check_weight(&plain)?;
    let (documents, used): (Vec<Document>, usize) =
        bincode::serde::decode_from_slice(&plain, config())
            .map_err(|e| Error::corrupt(e.to_string()))?;
    if used != plain.len() || documents.len() != count as usize {
        return Err(Error::corrupt(format!(
            "{} documents in {used} of {} bytes, expected {count} in all",
            documents.len(),
            plain.len()
        )));
    }
    Ok(documents)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn documents() -> Vec<Document> {
        vec![
            Document {
                id: "a".into(),
                title: "Plough".into(),
                date: Some("c. 1850".into()),
                fields: vec![("Medium".into(), "oak, iron".into())],
                passages: vec!["An iron-shod plough".into()],
                ..Document::default()
            },
            Document {
                id: "b".into(),
                title: "農書".into(),
                passages: vec!["一".into(), "二".into()],
                ..Document::default()
            },
        ]
    }

    #[test]
    fn a_chunk_reads_back_as_written() {
        let bytes = write_chunk(3, &documents()).unwrap();
        assert_eq!(read_chunk(&bytes, 3, 2).unwrap(), documents());
        assert!(read_chunk(&bytes, 2, 2).unwrap_err().is_corrupt());
        assert!(read_chunk(&bytes, 3, 3).unwrap_err().is_corrupt());
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_corrupt() {
        let bytes = write_chunk(0, &documents()).unwrap();
        for length in 0..bytes.len() {
            assert!(read_chunk(&bytes[..length], 0, 2).is_err(), "{length}");
        }
        for place in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[place] ^= 0x10;
            assert!(read_chunk(&flipped, 0, 2).is_err(), "{place}");
        }
    }

    #[test]
    fn equal_documents_give_equal_bytes() {
        assert_eq!(
            write_chunk(0, &documents()).unwrap(),
            write_chunk(0, &documents()).unwrap()
        );
    }
}
