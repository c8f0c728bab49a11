//! The order of documents by a title or another field, as ranks: a page sorts without fetching what
//! it sorts by.

use super::bytes::{Cursor, close_packed, open_packed, put_text};
use crate::text::fold;
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"ALMSRT01";

/// The most columns of an index.
const MAX_COLUMNS: usize = 64;

/// What documents are sorted by, besides relevance and date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SortColumns {
    plain: Vec<u8>,
    documents: u32,
    columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    label: String,
    /// Bytes of a rank, 1 to 4.
    width: usize,
    /// Where in the payload the ranks begin.
    start: usize,
}

/// The values of one column while an index is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SortBuilder {
    labels: Vec<String>,
    /// For each column, the key of each document; empty for those without a value.
    keys: Vec<Vec<String>>,
}

impl SortBuilder {
    pub(crate) fn new(labels: Vec<String>) -> Self {
        let keys = vec![Vec::new(); labels.len()];
        Self { labels, keys }
    }

    pub(crate) fn columns(&self) -> usize {
        self.labels.len()
    }

    /// Adds the values of the next document, one for each column.
    pub(crate) fn push(&mut self, values: &[String]) {
        for (keys, value) in self.keys.iter_mut().zip(values) {
            keys.push(sort_key(value));
        }
    }

    /// Lays the ranks out as a `sort` file.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>> {
        if self.labels.len() > MAX_COLUMNS {
            return Err(Error::invalid(format!(
                "{} columns to sort by, at most {MAX_COLUMNS} are taken",
                self.labels.len()
            )));
        }
        let documents = self.keys.first().map_or(0, Vec::len);
        let mut plain = Vec::new();
        for (label, keys) in self.labels.iter().zip(&self.keys) {
            let mut distinct: Vec<&str> = keys
                .iter()
                .map(String::as_str)
                .filter(|key| !key.is_empty())
                .collect();
            distinct.sort_unstable();
            distinct.dedup();
            let width = match distinct.len() {
                0..0x100 => 1,
                0x100..0x1_0000 => 2,
                0x1_0000..0x100_0000 => 3,
                _ => 4,
            };
            put_text(&mut plain, label);
            plain.push(width as u8);
            for key in keys {
                // The empty key is in no list, and its rank is 0.
                let rank = distinct
                    .binary_search(&key.as_str())
                    .map_or(0, |place| place as u32 + 1);
                plain.extend_from_slice(&rank.to_le_bytes()[..width]);
            }
        }
        let fields = [self.labels.len() as u32, documents as u32, 0];
        close_packed(MAGIC, fields, &plain)
    }
}

/// Gives what texts are compared by: without case and accents, figures by their number, leading
/// punctuation left out; empty where nothing is left.
fn sort_key(value: &str) -> String {
    let folded = fold(value);
    let mut key = String::with_capacity(folded.len());
    let mut rest = folded
        .trim_start_matches(|c: char| !c.is_alphanumeric())
        .trim_end();
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let figures = rest[..end].trim_start_matches('0');
            // Longer numbers are greater: their length, in as many characters as keep that order,
            // comes first.
            key.push('0');
            key.extend(char::from_u32(0x100 + figures.len().min(0x1000) as u32));
            key.push_str(figures);
            rest = &rest[end..];
        } else {
            key.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    key
}

impl SortColumns {
    /// Reads a verified `sort` file of so many documents.
    pub(crate) fn from_bytes(bytes: &[u8], documents: u32) -> Result<Self> {
        let ([count, found, _], plain) = open_packed(bytes, MAGIC)?;
        if found != documents || count as usize > MAX_COLUMNS || count == 0 {
            return Err(Error::corrupt(format!(
                "{count} columns of {found} documents, expected 1 to {MAX_COLUMNS} of {documents}"
            )));
        }
        let mut cursor = Cursor::new(&plain);
        let mut columns = Vec::with_capacity(count as usize);
        for number in 0..count {
            let label = cursor.text()?.to_owned();
            let width = usize::from(cursor.byte()?);
            if label.is_empty() || !(1..=4).contains(&width) {
                return Err(Error::corrupt(format!(
                    "column {number}, {label:?}, has ranks of {width} bytes, expected 1 to 4"
                )));
            }
            let start = plain.len() - cursor.left();
            let length = width.saturating_mul(documents as usize);
            let ranks = cursor.bytes(length)?;
            check_ranks(ranks, width, documents)
                .map_err(|e| Error::corrupt(format!("column {label:?}: {e}")))?;
            columns.push(Column {
                label,
                width,
                start,
            });
        }
        cursor.finish()?;
        Ok(Self {
            plain,
            documents,
            columns,
        })
    }

    /// Gives the names of the columns.
    pub(crate) fn labels(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.label.as_str())
    }

    /// Gives the rank of a document in a column, from 1; `None` where it has no value, or there is
    /// no such column or document.
    pub(crate) fn rank(&self, column: usize, document: u32) -> Option<u32> {
        let Column { width, start, .. } = *self.columns.get(column)?;
        if document >= self.documents {
            return None;
        }
        let at = start + width * document as usize;
        let rank = rank_at(self.plain.get(at..at + width)?);
        (rank > 0).then_some(rank)
    }
}

fn rank_at(bytes: &[u8]) -> u32 {
    let mut four = [0; 4];
    four[..bytes.len()].copy_from_slice(bytes);
    u32::from_le_bytes(four)
}

/// No rank is beyond the number of documents.
fn check_ranks(ranks: &[u8], width: usize, documents: u32) -> Result<()> {
    let most = ranks.chunks_exact(width).map(rank_at).max().unwrap_or(0);
    if most > documents {
        return Err(Error::corrupt(format!(
            "a rank of {most} among {documents} documents"
        )));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(values: &[&[&str]]) -> Vec<u8> {
        let labels = (0..values[0].len())
            .map(|n| format!("Column {n}"))
            .collect();
        let mut builder = SortBuilder::new(labels);
        for row in values {
            let row: Vec<String> = row.iter().map(|&value| value.to_owned()).collect();
            builder.push(&row);
        }
        builder.to_bytes().unwrap()
    }

    fn small() -> Vec<u8> {
        file(&[&["b", "9"], &["", "10"], &["A", "9"]])
    }

    #[test]
    fn ranks_follow_case_accents_and_figures_as_people_do() {
        let columns = SortColumns::from_bytes(&small(), 3).unwrap();
        let ranks = |column| (0..3).map(|d| columns.rank(column, d)).collect::<Vec<_>>();
        assert_eq!(
            columns.labels().collect::<Vec<_>>(),
            ["Column 0", "Column 1"]
        );
        assert_eq!(ranks(0), [Some(2), None, Some(1)]);
        assert_eq!(ranks(1), [Some(1), Some(2), Some(1)]);
        assert_eq!((columns.rank(2, 0), columns.rank(0, 3)), (None, None));
        let ordered = [
            "…",
            "Äpfel",
            "\"Apple\"",
            "no. 2",
            "No. 10",
            "no. 010a",
            "Zebra",
        ];
        let keys: Vec<String> = ordered.iter().map(|text| sort_key(text)).collect();
        assert!(keys.is_sorted(), "{keys:?}");
        assert!(keys[0].is_empty());
    }

    #[test]
    fn wide_ranks_are_kept_whole() {
        let values: Vec<String> = (0..70_000).map(|n| n.to_string()).collect();
        let mut builder = SortBuilder::new(vec!["N".into()]);
        for value in &values {
            builder.push(std::slice::from_ref(value));
        }
        let columns = SortColumns::from_bytes(&builder.to_bytes().unwrap(), 70_000).unwrap();
        assert!((0..70_000).all(|n| columns.rank(0, n) == Some(n + 1)));
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_corrupt() {
        let bytes = small();
        for length in 0..bytes.len() {
            assert!(SortColumns::from_bytes(&bytes[..length], 3).is_err());
        }
        for place in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[place] ^= 0x10;
            assert!(SortColumns::from_bytes(&flipped, 3).is_err(), "{place}");
        }
    }

    #[test]
    fn contents_that_lie_are_corrupt_even_with_a_right_checksum() {
        let read = |fields, plain: &[u8]| {
            SortColumns::from_bytes(&close_packed(MAGIC, fields, plain).unwrap(), 3)
        };
        assert!(read([1, 3, 0], b"\x01a\x01\x00\x01\x03").is_ok());
        for (fields, plain) in [
            ([1, 2, 0], b"\x01a\x01\x00\x01".as_slice()),
            ([0, 3, 0], b""),
            ([65, 3, 0], b"\x01a\x01\x00\x01\x03"),
            ([u32::MAX, 3, 0], b"\x01a\x01\x00\x01\x03"),
            ([1, 3, 0], b"\x00\x01\x00\x01\x03"),
            ([1, 3, 0], b"\x01a\x00\x00\x01\x03"),
            ([1, 3, 0], b"\x01a\x05\x00\x01\x03"),
            ([1, 3, 0], b"\x01a\x01\x00\x01\x04"),
            ([1, 3, 0], b"\x01a\x01\x00\x01"),
            ([1, 3, 0], b"\x01a\x01\x00\x01\x03\x00"),
        ] {
            assert!(read(fields, plain).unwrap_err().is_corrupt(), "{plain:?}");
        }
    }

    proptest! {
        #[test]
        fn ranks_order_as_keys_do(values in proptest::collection::vec("[a-cÀé 0-9.]{0,5}", 1..30)) {
            let mut builder = SortBuilder::new(vec!["x".into()]);
            for value in &values {
                builder.push(std::slice::from_ref(value));
            }
            let columns = SortColumns::from_bytes(&builder.to_bytes().unwrap(), values.len() as u32).unwrap();
            for (a, first) in values.iter().enumerate() {
                prop_assert_eq!(columns.rank(0, a as u32).is_none(), sort_key(first).is_empty());
                for (b, second) in values.iter().enumerate() {
                    if let (Some(one), Some(two)) = (columns.rank(0, a as u32), columns.rank(0, b as u32)) {
                        prop_assert_eq!(one.cmp(&two), sort_key(first).cmp(&sort_key(second)));
                    }
                }
            }
        }
    }
}
