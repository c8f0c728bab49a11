//! The values by which visitors narrow a collection down.

use super::bytes::{Cursor, close_packed, open_packed, put_number, put_text};
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"ALMFAC01";

/// The most facets of an index: visitors can use a few, and each costs memory even without values.
const MAX_FACETS: usize = 1024;

/// One way to narrow a collection down, such as its departments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facet {
    /// What it is called.
    pub label: String,
    /// Its values, the most frequent first, each with its number of documents.
    pub values: Vec<(String, u32)>,
}

/// All facets, and the values each document has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    facets: Vec<Facet>,
    /// For each facet, the place in `values` of each document's first value, and of the end.
    starts: Vec<Vec<u32>>,
    values: Vec<Vec<u32>>,
}

impl Facets {
    /// Collects the values of all documents: for each document and facet in the order of `labels`,
    /// its values.
    ///
    /// ```
    /// use almanac::index::Facets;
    /// let rows = [vec![vec!["oak", "iron"]], vec![vec!["oak"]], vec![vec![]]];
    /// let facets = Facets::collect(&["Medium"], &rows);
    /// assert_eq!(facets.facets()[0].values[0], ("oak".to_owned(), 2));
    /// assert!(facets.has(0, 0, 1) && !facets.has(2, 0, 0));
    /// ```
    #[must_use]
    pub fn collect<S: AsRef<str>>(labels: &[S], documents: &[Vec<Vec<S>>]) -> Self {
        let mut out = Self::default();
        for (at, label) in labels.iter().enumerate() {
            let of = |document: &'_ Vec<Vec<S>>| -> Vec<String> {
                let mut values: Vec<String> = document
                    .get(at)
                    .into_iter()
                    .flatten()
                    .map(|value| value.as_ref().trim().to_owned())
                    .filter(|value| !value.is_empty())
                    .collect();
                values.sort_unstable();
                values.dedup();
                values
            };
            let mut counts = std::collections::HashMap::<String, u32>::new();
            for document in documents {
                for value in of(document) {
                    *counts.entry(value).or_default() += 1;
                }
            }
            let mut values: Vec<(String, u32)> = counts.into_iter().collect();
            values.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            let numbers: std::collections::HashMap<&str, u32> = (0..)
                .zip(&values)
                .map(|(n, (v, _))| (v.as_str(), n))
                .collect();
            let mut starts = vec![0];
            let mut held = Vec::new();
            for document in documents {
                let mut these: Vec<u32> = of(document)
                    .iter()
                    .filter_map(|value| numbers.get(value.as_str()).copied())
                    .collect();
                these.sort_unstable();
                held.extend(these);
                starts.push(held.len() as u32);
            }
            out.facets.push(Facet {
                label: label.as_ref().to_owned(),
                values,
            });
            out.starts.push(starts);
            out.values.push(held);
        }
        out
    }

    /// Gives the facets.
    #[must_use]
    pub fn facets(&self) -> &[Facet] {
        &self.facets
    }

    /// Says whether a document has a value of a facet; never for numbers that do not exist.
    #[must_use]
    pub fn has(&self, document: u32, facet: usize, value: u32) -> bool {
        self.of(document, facet).binary_search(&value).is_ok()
    }

    fn of(&self, document: u32, facet: usize) -> &[u32] {
        let at = document as usize;
        let range = self
            .starts
            .get(facet)
            .and_then(|starts| Some(*starts.get(at)? as usize..*starts.get(at + 1)? as usize));
        range
            .and_then(|range| self.values.get(facet)?.get(range))
            .unwrap_or_default()
    }

    pub(super) fn to_bytes(&self, documents: u32) -> Result<Vec<u8>> {
        if self.facets.len() > MAX_FACETS {
            return Err(Error::invalid(format!(
                "{} facets, at most {MAX_FACETS} are taken",
                self.facets.len()
            )));
        }
        let mut plain = Vec::new();
        for facet in &self.facets {
            put_text(&mut plain, &facet.label);
            put_number(&mut plain, facet.values.len() as u64);
            for (value, _) in &facet.values {
                put_text(&mut plain, value);
            }
        }
        for facet in 0..self.facets.len() {
            for document in 0..documents {
                let values = self.of(document, facet);
                put_number(&mut plain, values.len() as u64);
                for value in values {
                    put_number(&mut plain, u64::from(*value));
                }
            }
        }
        close_packed(MAGIC, [self.facets.len() as u32, documents, 0], &plain)
    }

    pub(super) fn from_bytes(bytes: &[u8], documents: u32) -> Result<Self> {
        let ([count, found, _], plain) = open_packed(bytes, MAGIC)?;
        let least = u64::from(count) * (u64::from(documents) + 2);
        if count as usize > MAX_FACETS {
            return Err(Error::corrupt(format!(
                "{count} facets, expected at most {MAX_FACETS}"
            )));
        }
        if found != documents || least > plain.len() as u64 {
            return Err(Error::corrupt(format!(
                "{count} facets of {found} documents in {} bytes, expected {documents} documents",
                plain.len()
            )));
        }
        let mut cursor = Cursor::new(&plain);
        let mut out = Self::default();
        for _ in 0..count {
            let label = cursor.text()?.to_owned();
            // A value has two bytes at least, and a document that has it a third.
            let held = cursor.count(3)?;
            let mut values = Vec::with_capacity(held);
            for _ in 0..held {
                let value = cursor.text()?;
                if value.is_empty() {
                    return Err(Error::corrupt("an empty value"));
                }
                values.push((value.to_owned(), 0));
            }
            out.facets.push(Facet { label, values });
        }
        for facet in &mut out.facets {
            let mut starts = Vec::with_capacity(documents as usize + 1);
            starts.push(0);
            let mut values = Vec::new();
            for _ in 0..documents {
                let mut before = None;
                for _ in 0..cursor.count(1)? {
                    let value = cursor.number_u32()?;
                    let held = facet
                        .values
                        .get_mut(value as usize)
                        .filter(|_| before.is_none_or(|before| before < value))
                        .ok_or_else(|| {
                            Error::corrupt(format!("value {value} out of order or range"))
                        })?;
                    held.1 += 1;
                    before = Some(value);
                    values.push(value);
                }
                starts.push(values.len() as u32);
            }
            if let Some(nobody) = facet.values.iter().find(|(_, held)| *held == 0) {
                return Err(Error::corrupt(format!(
                    "value {:?} of no document",
                    nobody.0
                )));
            }
            out.starts.push(starts);
            values.shrink_to_fit();
            out.values.push(values);
        }
        cursor.finish()?;
        Ok(out)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn facets() -> Facets {
        Facets::collect(
            &["Department", "Medium"],
            &[
                vec![vec!["Fine Arts"], vec!["oil", "canvas", "oil"]],
                vec![vec!["Fine Arts", " "], vec![]],
                vec![vec!["Décor"], vec!["canvas"]],
            ],
        )
    }

    #[test]
    fn values_are_counted_once_a_document_and_ordered_by_count() {
        let facets = facets();
        assert_eq!(
            facets.facets()[0].values,
            [("Fine Arts".to_owned(), 2), ("Décor".to_owned(), 1)]
        );
        assert_eq!(
            facets.facets()[1].values,
            [("canvas".to_owned(), 2), ("oil".to_owned(), 1)]
        );
        assert!(facets.has(0, 1, 1) && facets.has(2, 1, 0) && !facets.has(1, 1, 0));
        assert!(!facets.has(0, 2, 0) && !facets.has(9, 0, 0) && !facets.has(0, 0, 99));
    }

    #[test]
    fn facets_read_back_as_written() {
        let bytes = facets().to_bytes(3).unwrap();
        assert_eq!(Facets::from_bytes(&bytes, 3).unwrap(), facets());
        assert!(Facets::from_bytes(&bytes, 2).unwrap_err().is_corrupt());
        let none = Facets::default().to_bytes(3).unwrap();
        assert!(Facets::from_bytes(&none, 3).unwrap().facets().is_empty());
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_corrupt() {
        let bytes = facets().to_bytes(3).unwrap();
        for place in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[place] ^= 0x10;
            assert!(Facets::from_bytes(&flipped, 3).is_err(), "{place}");
            assert!(Facets::from_bytes(&bytes[..place], 3).is_err(), "{place}");
        }
    }
}
