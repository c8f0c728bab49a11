//! The values by which visitors narrow a collection down.

use std::collections::HashMap;

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

/// Documents from one mark to the next: to find the values of a document, those of at most so many
/// before it are passed over.
const MARK_DOCUMENTS: usize = 16;

/// All facets, and the values each document has, as a file holds them once decompressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    plain: Vec<u8>,
    documents: u32,
    columns: Vec<Column>,
    /// Documents of each value, facet by facet.
    counts: Vec<u32>,
    /// Where in the payload the values of each [`MARK_DOCUMENTS`]th document begin, facet by facet.
    marks: Vec<u32>,
}

/// Where a facet stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    /// Where in the payload its label and values begin.
    head: u32,
    /// The place of its first value in [`Facets::counts`], and after its last.
    values: (u32, u32),
}

/// Collects the values of documents one by one.
#[derive(Clone, Debug)]
pub(super) struct FacetsBuilder {
    labels: Vec<String>,
    facets: Vec<Collected>,
    documents: u32,
}

/// One facet as it is collected.
#[derive(Clone, Debug, Default)]
struct Collected {
    /// The values in the order in which they came.
    numbers: HashMap<String, u32>,
    counts: Vec<u32>,
    /// For each document a number of values and their numbers in that order.
    held: Vec<u8>,
}

impl FacetsBuilder {
    pub(super) fn new(labels: Vec<String>) -> Self {
        Self {
            facets: vec![Collected::default(); labels.len()],
            labels,
            documents: 0,
        }
    }

    /// How many facets there are.
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Adds the next document: its values of each facet.
    pub(super) fn push<S: AsRef<str>>(&mut self, values: &[Vec<S>]) {
        self.documents += 1;
        let none = Vec::new();
        for (at, facet) in self.facets.iter_mut().enumerate() {
            let mut own: Vec<&str> = values
                .get(at)
                .unwrap_or(&none)
                .iter()
                .map(|value| value.as_ref().trim())
                .filter(|value| !value.is_empty())
                .collect();
            own.sort_unstable();
            own.dedup();
            put_number(&mut facet.held, own.len() as u64);
            for value in own {
                let number = match facet.numbers.get(value) {
                    Some(number) => *number,
                    None => {
                        let number = facet.counts.len() as u32;
                        facet.numbers.insert(value.to_owned(), number);
                        facet.counts.push(0);
                        number
                    }
                };
                facet.counts[number as usize] += 1;
                put_number(&mut facet.held, u64::from(number));
            }
        }
    }

    /// Lays the facets out as a payload: values by their number of documents, then by their text.
    fn plain(&self) -> Result<Vec<u8>> {
        let mut plain = Vec::new();
        let mut places: Vec<Vec<u32>> = Vec::with_capacity(self.facets.len());
        for (label, facet) in self.labels.iter().zip(&self.facets) {
            let mut values: Vec<(&str, u32)> = facet
                .numbers
                .iter()
                .map(|(value, number)| (value.as_str(), *number))
                .collect();
            let count = |number: u32| facet.counts[number as usize];
            values.sort_unstable_by(|a, b| count(b.1).cmp(&count(a.1)).then(a.0.cmp(b.0)));
            put_text(&mut plain, label);
            put_number(&mut plain, values.len() as u64);
            let mut place = vec![0; values.len()];
            for (at, (value, number)) in (0..).zip(values) {
                put_text(&mut plain, value);
                place[number as usize] = at;
            }
            places.push(place);
        }
        for (facet, place) in self.facets.iter().zip(&places) {
            let mut held = Cursor::new(&facet.held);
            for _ in 0..self.documents {
                let mut own = Vec::new();
                for _ in 0..held.number()? {
                    own.push(place[held.number()? as usize]);
                }
                own.sort_unstable();
                put_number(&mut plain, own.len() as u64);
                for value in own {
                    put_number(&mut plain, u64::from(value));
                }
            }
        }
        Ok(plain)
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        if self.labels.len() > MAX_FACETS {
            return Err(Error::invalid(format!(
                "{} facets, at most {MAX_FACETS} are taken",
                self.labels.len()
            )));
        }
        let fields = [self.labels.len() as u32, self.documents, 0];
        close_packed(MAGIC, fields, &self.plain()?)
    }
}

impl Facets {
    /// Collects the values of all documents: for each document and facet in the order of `labels`,
    /// its values.
    ///
    /// ```
    /// use almanac::index::Facets;
    /// let rows = [vec![vec!["oak", "iron"]], vec![vec!["oak"]], vec![vec![]]];
    /// let facets = Facets::collect(&["Medium"], &rows)?;
    /// assert_eq!(facets.facets()[0].values[0], ("oak".to_owned(), 2));
    /// assert!(facets.has(0, 0, 1) && !facets.has(2, 0, 0));
    /// # Ok::<(), almanac::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidInput`] if they are more than a file of an index can hold.
    pub fn collect<S: AsRef<str>>(labels: &[S], documents: &[Vec<Vec<S>>]) -> Result<Self> {
        let labels = labels.iter().map(|label| label.as_ref().to_owned());
        let mut builder = FacetsBuilder::new(labels.collect());
        for values in documents {
            builder.push(values);
        }
        let too_many = |e: Error| Error::invalid(e.to_string());
        let plain = builder.plain()?;
        Self::read(plain, builder.len() as u32, builder.documents).map_err(too_many)
    }

    /// Gives the facets with their values, read anew.
    #[must_use]
    pub fn facets(&self) -> Vec<Facet> {
        let facet = |column: &Column| {
            let mut cursor = Cursor::new(&self.plain[column.head as usize..]);
            // All of it was read when the file was opened.
            let label = cursor.text().unwrap_or_default().to_owned();
            let _ = cursor.number();
            let counts = &self.counts[column.values.0 as usize..column.values.1 as usize];
            let value = |count: &u32| (cursor.text().unwrap_or_default().to_owned(), *count);
            Facet {
                label,
                values: counts.iter().map(value).collect(),
            }
        };
        self.columns.iter().map(facet).collect()
    }

    /// Says whether a document has a value of a facet; never for numbers that do not exist.
    #[must_use]
    pub fn has(&self, document: u32, facet: usize, value: u32) -> bool {
        self.find(document, facet, value).unwrap_or(false)
    }

    fn find(&self, document: u32, facet: usize, wanted: u32) -> Option<bool> {
        if facet >= self.columns.len() || document >= self.documents {
            return None;
        }
        let documents = self.documents as usize;
        let (step, passed) = (
            document as usize / MARK_DOCUMENTS,
            document as usize % MARK_DOCUMENTS,
        );
        let mark = self
            .marks
            .get(facet * documents.div_ceil(MARK_DOCUMENTS) + step)?;
        let mut cursor = Cursor::new(self.plain.get(*mark as usize..)?);
        for _ in 0..passed {
            for _ in 0..cursor.number().ok()? {
                cursor.number().ok()?;
            }
        }
        for _ in 0..cursor.number().ok()? {
            let value = cursor.number().ok()?;
            if value >= u64::from(wanted) {
                return Some(value == u64::from(wanted));
            }
        }
        Some(false)
    }

    pub(super) fn from_bytes(bytes: &[u8], documents: u32) -> Result<Self> {
        let ([count, found, _], plain) = open_packed(bytes, MAGIC)?;
        if found != documents {
            return Err(Error::corrupt(format!(
                "{count} facets of {found} documents, expected {documents} documents"
            )));
        }
        Self::read(plain, count, documents)
    }

    fn read(plain: Vec<u8>, count: u32, documents: u32) -> Result<Self> {
        let least = u64::from(count) * (u64::from(documents) + 2);
        if count as usize > MAX_FACETS {
            return Err(Error::corrupt(format!(
                "{count} facets, expected at most {MAX_FACETS}"
            )));
        }
        if least > plain.len() as u64 {
            return Err(Error::corrupt(format!(
                "{count} facets of {documents} documents in {} bytes",
                plain.len()
            )));
        }
        // A first pass counts, so that what is kept is allocated once.
        let mut heads = Cursor::new(&plain);
        let mut columns = Vec::with_capacity(count as usize);
        let mut values = 0u32;
        for _ in 0..count {
            let head = (plain.len() - heads.left()) as u32;
            heads.text()?;
            // A value has two bytes at least, and a document that has it a third.
            let held = heads.count(3)? as u32;
            for _ in 0..held {
                if heads.text()?.is_empty() {
                    return Err(Error::corrupt("an empty value"));
                }
            }
            columns.push(Column {
                head,
                values: (values, values + held),
            });
            values += held;
        }
        let mut cursor = heads;
        let steps = (documents as usize).div_ceil(MARK_DOCUMENTS);
        let mut marks = Vec::with_capacity(steps * count as usize);
        let mut counts = vec![0u32; values as usize];
        for column in &columns {
            let own = &mut counts[column.values.0 as usize..column.values.1 as usize];
            for document in 0..documents as usize {
                if document % MARK_DOCUMENTS == 0 {
                    marks.push((plain.len() - cursor.left()) as u32);
                }
                let mut before = None;
                for _ in 0..cursor.count(1)? {
                    let value = cursor.number_u32()?;
                    let held = own
                        .get_mut(value as usize)
                        .filter(|_| before.is_none_or(|before| before < value))
                        .ok_or_else(|| {
                            Error::corrupt(format!("value {value} out of order or range"))
                        })?;
                    *held += 1;
                    before = Some(value);
                }
            }
            if let Some(nobody) = own.iter().position(|held| *held == 0) {
                return Err(Error::corrupt(format!("value {nobody} of no document")));
            }
        }
        cursor.finish()?;
        Ok(Self {
            plain,
            documents,
            columns,
            counts,
            marks,
        })
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
        .unwrap()
    }

    fn file() -> Vec<u8> {
        let facets = facets();
        close_packed(MAGIC, [2, 3, 0], &facets.plain).unwrap()
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
    fn values_are_found_wherever_their_document_lies() {
        let rows: Vec<Vec<Vec<String>>> = (0..100u32)
            .map(|n| {
                let values = (0..n % 5).map(|v| (v * n % 7).to_string()).collect();
                vec![vec![(n % 3).to_string()], values]
            })
            .collect();
        let labels = ["A".to_owned(), "B".to_owned()];
        let facets = Facets::collect(&labels, &rows).unwrap();
        for (document, row) in (0..).zip(&rows) {
            for (facet, known) in facets.facets().iter().enumerate() {
                for (value, (text, _)) in (0..).zip(&known.values) {
                    let held = row[facet].contains(text);
                    assert_eq!(facets.has(document, facet, value), held);
                }
            }
        }
    }

    #[test]
    fn facets_read_back_as_written() {
        let bytes = file();
        assert_eq!(Facets::from_bytes(&bytes, 3).unwrap(), facets());
        assert!(Facets::from_bytes(&bytes, 2).unwrap_err().is_corrupt());
        let mut none = FacetsBuilder::new(Vec::new());
        (0..3).for_each(|_| none.push::<&str>(&[]));
        let none = none.to_bytes().unwrap();
        assert!(Facets::from_bytes(&none, 3).unwrap().facets().is_empty());
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_corrupt() {
        let bytes = file();
        for place in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[place] ^= 0x10;
            assert!(Facets::from_bytes(&flipped, 3).is_err(), "{place}");
            assert!(Facets::from_bytes(&bytes[..place], 3).is_err(), "{place}");
        }
    }
}
