//! What the words of a query may be in the language of the passages: a table learned from a text and
//! its translation, for collections whose readers write otherwise than their books.
//!
//! A lift says how many times more often a term stands in the translation of a passage that holds a
//! source than in any translation. It is all that ranking needs of the table.

use std::collections::BTreeMap;

use super::bytes::{Cursor, close_packed, open_packed, put_number, put_text};
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"ALMTRA01";

/// Steps of a lift's code in a doubling: neighbors differ by 4.4 %.
const STEPS: f64 = 16.0;

/// The least lift that is kept, below which a source says nothing for a term.
pub const LEAST_LIFT: f64 = 1.0;

/// Which sources each term of a query may stand for.
///
/// ```
/// use almanac::index::Translations;
/// use std::collections::BTreeMap;
///
/// let lifts = BTreeMap::from([("看".to_owned(), vec![("視".to_owned(), 40.0), ("觀".to_owned(), 9.0)])]);
/// let table = Translations::from_bytes(&Translations::write(&lifts)?)?;
/// let sources: Vec<&str> = table.sources("看").map(|(source, _)| source).collect();
/// assert_eq!(sources, ["視", "觀"]);
/// assert_eq!(table.sources("聽").count(), 0);
/// # Ok::<(), almanac::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translations {
    plain: Vec<u8>,
    /// Where each source begins in the payload, in order.
    sources: Vec<u32>,
    /// Where each term begins in the payload, in the order of the terms.
    terms: Vec<u32>,
}

impl Translations {
    /// Lays a table out: for each term, its sources with their lifts, at least [`LEAST_LIFT`].
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidInput`] if there is no term, a term or source is empty, a term has
    /// no source or one twice, or a lift is less than 1 or not finite.
    pub fn write(lifts: &BTreeMap<String, Vec<(String, f64)>>) -> Result<Vec<u8>> {
        let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
        for (term, sources) in lifts {
            let sound = |(source, lift): &(String, f64)| {
                !source.is_empty() && lift.is_finite() && *lift >= LEAST_LIFT
            };
            if term.is_empty() || sources.is_empty() || !sources.iter().all(sound) {
                return Err(Error::invalid(format!(
                    "translations of {term:?}: expected sources with lifts of at least {LEAST_LIFT}"
                )));
            }
            numbers.extend(sources.iter().map(|(source, _)| (source.as_str(), 0)));
        }
        if lifts.is_empty() {
            return Err(Error::invalid("a table of translations needs a term"));
        }
        let mut plain = Vec::new();
        for (number, (source, place)) in (0..).zip(&mut numbers) {
            *place = number;
            put_text(&mut plain, source);
        }
        for (term, sources) in lifts {
            put_text(&mut plain, term);
            let mut codes: Vec<(u64, u8)> = sources
                .iter()
                .map(|(source, lift)| (numbers[source.as_str()], code_of(*lift)))
                .collect();
            codes.sort_unstable();
            if codes.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                return Err(Error::invalid(format!(
                    "translations of {term:?} name a source twice"
                )));
            }
            put_number(&mut plain, codes.len() as u64);
            let mut next = 0;
            for (number, code) in codes {
                put_number(&mut plain, number - next);
                plain.push(code);
                next = number + 1;
            }
        }
        let fields = [lifts.len() as u32, numbers.len() as u32, 0];
        close_packed(MAGIC, fields, &plain)
    }

    /// Reads a verified `translations` file.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Corrupt`] if the bytes are not such a table.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let ([terms, sources, _], plain) = open_packed(bytes, MAGIC)?;
        let mut cursor = Cursor::new(&plain);
        let place = |cursor: &Cursor<'_>| (plain.len() - cursor.left()) as u32;
        // A source takes at least two bytes, a term five.
        let (least_source, least_term) = (2, 5);
        let least = sources as usize * least_source + terms as usize * least_term;
        if terms == 0 || least > plain.len() {
            return Err(Error::corrupt(format!(
                "claims {terms} terms of {sources} sources in {} bytes",
                plain.len()
            )));
        }
        let mut source_places = Vec::with_capacity(sources as usize);
        let mut before = "";
        for _ in 0..sources {
            source_places.push(place(&cursor));
            before = after(before, cursor.text()?)?;
        }
        let mut term_places = Vec::with_capacity(terms as usize);
        before = "";
        for _ in 0..terms {
            term_places.push(place(&cursor));
            before = after(before, cursor.text()?)?;
            let count = cursor.count(2)?;
            if count == 0 {
                return Err(Error::corrupt(format!("term {before:?} has no source")));
            }
            let mut next = 0u64;
            for _ in 0..count {
                let number = next.saturating_add(cursor.number()?);
                if number >= u64::from(sources) {
                    return Err(Error::corrupt(format!(
                        "term {before:?} names source {number} of {sources}"
                    )));
                }
                cursor.byte()?;
                next = number + 1;
            }
        }
        cursor.finish()?;
        Ok(Self {
            plain,
            sources: source_places,
            terms: term_places,
        })
    }

    /// Gives the number of terms that have translations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Says whether no term has a translation; a file that was read has one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Gives the sources that a term may stand for, each with its lift; none for a term that is not
    /// in the table. Terms are as [`crate::text::terms`] gives them.
    pub fn sources(&self, term: &str) -> impl Iterator<Item = (&str, f64)> {
        let found = self
            .terms
            .binary_search_by(|place| self.text(*place).cmp(term))
            .ok();
        let mut cursor = Cursor::new(&[]);
        let mut left = 0;
        if let Some(number) = found {
            cursor = self.cursor(self.terms[number]);
            // All was checked when it was read.
            let _ = cursor.text();
            left = cursor.number().unwrap_or(0);
        }
        let mut next = 0u64;
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let number = next.saturating_add(cursor.number().ok()?);
            next = number + 1;
            let lift = lift_of(cursor.byte().ok()?);
            let place = self.sources.get(usize::try_from(number).ok()?)?;
            Some((self.text(*place), lift))
        })
    }

    fn cursor(&self, place: u32) -> Cursor<'_> {
        Cursor::new(self.plain.get(place as usize..).unwrap_or_default())
    }

    fn text(&self, place: u32) -> &str {
        self.cursor(place).text().unwrap_or_default()
    }
}

/// Texts rise, so that none is there twice and a search finds them.
fn after<'a>(before: &str, text: &'a str) -> Result<&'a str> {
    if text <= before {
        return Err(Error::corrupt(format!(
            "{text:?} does not come after {before:?}"
        )));
    }
    Ok(text)
}

fn code_of(lift: f64) -> u8 {
    (lift.log2() * STEPS).round().clamp(0.0, 255.0) as u8
}

fn lift_of(code: u8) -> f64 {
    (f64::from(code) / STEPS).exp2()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::index::damage;
    use proptest::prelude::*;

    fn table() -> BTreeMap<String, Vec<(String, f64)>> {
        let sources =
            |list: &[(&str, f64)]| list.iter().map(|(s, l)| (s.to_string(), *l)).collect();
        BTreeMap::from([
            ("看".to_owned(), sources(&[("視", 40.0), ("觀", 9.0)])),
            (
                "粮食".to_owned(),
                sources(&[("穀", 200.0), ("粟", 90.0), ("視", 1.0)]),
            ),
        ])
    }

    #[test]
    fn every_truncation_and_every_flipped_bit_is_corrupt() {
        let bytes = Translations::write(&table()).unwrap();
        damage::is_always_refused(&bytes, Translations::from_bytes);
    }

    #[test]
    fn contents_that_lie_are_corrupt_even_with_a_right_checksum() {
        let read = |fields, plain: &[u8]| {
            Translations::from_bytes(&close_packed(MAGIC, fields, plain).unwrap())
        };
        assert!(read([1, 2, 0], b"\x01a\x01b\x01t\x02\x00\x10\x00\x20").is_ok());
        for (fields, plain) in [
            // No term, too many terms or sources.
            ([0, 2, 0], b"\x01a\x01b".as_slice()),
            ([u32::MAX, 2, 0], b"\x01a\x01b\x01t\x02\x00\x10\x00\x20"),
            ([1, u32::MAX, 0], b"\x01a\x01b\x01t\x02\x00\x10\x00\x20"),
            ([2, 2, 0], b"\x01a\x01b\x01t\x02\x00\x10\x00\x20"),
            // Sources or terms that do not rise, or are empty.
            ([1, 2, 0], b"\x01b\x01a\x01t\x02\x00\x10\x00\x20"),
            ([1, 2, 0], b"\x01a\x01a\x01t\x02\x00\x10\x00\x20"),
            ([1, 2, 0], b"\x00\x01a\x01t\x02\x00\x10\x00\x20"),
            ([2, 1, 0], b"\x01a\x01t\x01\x00\x10\x01t\x01\x00\x10"),
            // A source that does not exist, no source, a huge count, bytes left over.
            ([1, 2, 0], b"\x01a\x01b\x01t\x02\x00\x10\x01\x20"),
            ([1, 2, 0], b"\x01a\x01b\x01tt\x00\x00"),
            ([1, 2, 0], b"\x01a\x01b\x01t\x7f\x00\x10\x00\x20"),
            ([1, 2, 0], b"\x01a\x01b\x01t\x02\x00\x10\x00\x20\x00"),
            (
                [1, 2, 0],
                b"\x01a\x01b\x01t\x02\x00\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x20",
            ),
        ] {
            assert!(read(fields, plain).unwrap_err().is_corrupt(), "{plain:?}");
        }
    }

    #[test]
    fn a_table_that_says_nothing_or_something_twice_is_not_written() {
        let write = |term: &str, sources: &[(&str, f64)]| {
            let sources = sources.iter().map(|(s, l)| (s.to_string(), *l)).collect();
            Translations::write(&BTreeMap::from([(term.to_owned(), sources)]))
        };
        assert!(write("看", &[("視", 2.0)]).is_ok());
        for (term, sources) in [
            ("", [("視", 2.0)].as_slice()),
            ("看", &[]),
            ("看", &[("", 2.0)]),
            ("看", &[("視", 0.5)]),
            ("看", &[("視", f64::NAN)]),
            ("看", &[("視", 2.0), ("視", 3.0)]),
        ] {
            assert!(
                write(term, sources).unwrap_err().kind() == ErrorKind::InvalidInput,
                "{term:?} {sources:?}"
            );
        }
        assert!(
            Translations::write(&BTreeMap::new()).unwrap_err().kind() == ErrorKind::InvalidInput
        );
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_back_within_a_step(
            lifts in proptest::collection::btree_map(
                "[一-十a-c]{1,2}",
                proptest::collection::btree_map("[甲-申]{1,2}", 1f64..60_000.0, 1..6),
                1..20,
            ),
        ) {
            let lifts: BTreeMap<String, Vec<(String, f64)>> = lifts
                .into_iter()
                .map(|(term, sources)| (term, sources.into_iter().collect()))
                .collect();
            let table = Translations::from_bytes(&Translations::write(&lifts).unwrap()).unwrap();
            prop_assert_eq!(table.len(), lifts.len());
            for (term, sources) in &lifts {
                let read: Vec<(&str, f64)> = table.sources(term).collect();
                prop_assert_eq!(read.len(), sources.len());
                for ((source, lift), (expected, exact)) in read.iter().zip(sources) {
                    prop_assert_eq!(source, expected);
                    prop_assert!((lift / exact).log2().abs() <= 0.5 / STEPS + 1e-9);
                }
            }
        }
    }
}
