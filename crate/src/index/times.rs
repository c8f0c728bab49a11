//! The dates of every passage, from the catalogue and from the text itself.

use super::bytes::{Cursor, close_packed, open_packed, put_number, put_signed};
use crate::text::Cue;
use crate::time::{Bound, Dating, DayNumber, Interval, Role, YearArc};
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"ALMTIM01";

/// The roles in the order of their codes; new ones go to the end.
const ROLES: [Role; 18] = [
    Role::Mentioned,
    Role::Created,
    Role::Designed,
    Role::Manufactured,
    Role::Printed,
    Role::Reprinted,
    Role::Cast,
    Role::Published,
    Role::Exhibited,
    Role::Engraved,
    Role::Reworked,
    Role::Reconstructed,
    Role::Restored,
    Role::Version,
    Role::Replica,
    Role::Project,
    Role::Patented,
    Role::Lifespan,
];

const ROLE_BITS: u8 = 0b0001_1111;
const CATALOGUE: u8 = 0b0010_0000;
const HAS_ARC: u8 = 0b0100_0000;
const HAS_CUE: u8 = 0b1000_0000;

/// A date of a passage as an index keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct PassageDate {
    /// What ranking compares.
    pub dating: Dating,
    /// Whether the catalogue's date field says it, and not the passage's text.
    pub catalogue: bool,
    /// The words near it, kept where a text has several dates to choose from.
    pub cue: Option<Cue>,
}

/// What is known of a date besides the date.
#[derive(Clone, Debug, PartialEq)]
pub struct DateNote {
    /// As [`PassageDate::catalogue`].
    pub catalogue: bool,
    /// As [`PassageDate::cue`].
    pub cue: Option<Cue>,
}

/// The dates of one passage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PassageDates<'a> {
    /// What ranking compares.
    pub datings: &'a [Dating],
    /// A note for each.
    pub notes: &'a [DateNote],
}

/// The dates of a run of passages.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Times {
    /// Place of the first date of each passage, and of the end.
    starts: Vec<u32>,
    datings: Vec<Dating>,
    notes: Vec<DateNote>,
}

impl Times {
    pub(crate) fn new() -> Self {
        Self {
            starts: vec![0],
            ..Self::default()
        }
    }

    pub(crate) fn push(&mut self, dates: Vec<PassageDate>) {
        for date in dates {
            self.push_date(date);
        }
        self.starts.push(self.datings.len() as u32);
    }

    fn push_date(&mut self, date: PassageDate) {
        self.datings.push(date.dating);
        self.notes.push(DateNote {
            catalogue: date.catalogue,
            cue: date.cue,
        });
    }

    /// Appends the passages of the next file.
    pub(crate) fn extend(&mut self, next: Self) {
        let offset = self.datings.len() as u32;
        self.starts
            .extend(next.starts.iter().skip(1).map(|start| start + offset));
        self.datings.extend(next.datings);
        self.notes.extend(next.notes);
    }

    pub(crate) fn passages(&self) -> u32 {
        (self.starts.len() - 1) as u32
    }

    /// Gives the dates of a passage.
    pub(crate) fn of(&self, passage: u32) -> PassageDates<'_> {
        let at = passage as usize;
        let range = self.starts[at] as usize..self.starts[at + 1] as usize;
        PassageDates {
            datings: &self.datings[range.clone()],
            notes: &self.notes[range],
        }
    }

    /// Gives all dates in order.
    pub(crate) fn all(&self) -> PassageDates<'_> {
        PassageDates {
            datings: &self.datings,
            notes: &self.notes,
        }
    }

    /// Lays the run out as a `times` file.
    pub(crate) fn to_bytes(&self, first: u32) -> Result<Vec<u8>> {
        let mut plain = Vec::new();
        for passage in 0..self.passages() {
            let dates = self.of(passage);
            put_number(&mut plain, dates.datings.len() as u64);
            for (dating, note) in dates.datings.iter().zip(dates.notes) {
                put_date(&mut plain, dating, note);
            }
        }
        close_packed(
            MAGIC,
            [self.passages(), first, self.datings.len() as u32],
            &plain,
        )
    }

    /// Reads a verified `times` file that should hold `count` passages from `first`.
    pub(crate) fn from_bytes(bytes: &[u8], first: u32, count: u32) -> Result<Self> {
        let ([passages, found_first, total], plain) = open_packed(bytes, MAGIC)?;
        if passages != count || found_first != first || passages as usize > plain.len() {
            return Err(Error::corrupt(format!(
                "holds {passages} passages from {found_first}, expected {count} from {first}"
            )));
        }
        // A date has two bytes at least.
        let expected = total as usize;
        if expected > plain.len() / 2 {
            return Err(Error::corrupt(format!(
                "claims {total} dates in {} bytes",
                plain.len()
            )));
        }
        let mut cursor = Cursor::new(&plain);
        let mut times = Self::new();
        times.starts.reserve_exact(passages as usize);
        times.datings.reserve_exact(expected);
        times.notes.reserve_exact(expected);
        for _ in 0..passages {
            let dates = cursor.count(2)?;
            if dates > expected - times.datings.len() {
                return Err(Error::corrupt(format!("holds more than {total} dates")));
            }
            for _ in 0..dates {
                times.push_date(read_date(&mut cursor)?);
            }
            times.starts.push(times.datings.len() as u32);
        }
        cursor.finish()?;
        if times.datings.len() != total as usize {
            return Err(Error::corrupt(format!(
                "holds {} dates, expected {total}",
                times.datings.len()
            )));
        }
        Ok(times)
    }
}

fn put_date(out: &mut Vec<u8>, dating: &Dating, note: &DateNote) {
    let role = ROLES
        .iter()
        .position(|role| *role == dating.role)
        .unwrap_or_default() as u8;
    let flag = |on: bool, bit: u8| if on { bit } else { 0 };
    out.push(
        role | flag(note.catalogue, CATALOGUE)
            | flag(dating.arc.is_some(), HAS_ARC)
            | flag(note.cue.is_some(), HAS_CUE),
    );
    put_number(out, dating.readings.len() as u64);
    for reading in &dating.readings {
        out.push(end_code(reading.first) | end_code(reading.last) << 2);
        let first = reading.first.day().map(|day| day.0);
        if let Some(first) = first {
            put_signed(out, first);
        }
        if let Some(last) = reading.last.day() {
            put_signed(out, last.0 - first.unwrap_or(0));
        }
    }
    if let Some(arc) = dating.arc {
        out.extend_from_slice(&arc.center.to_le_bytes());
        out.extend_from_slice(&arc.length.to_le_bytes());
    }
    if let Some(cue) = &note.cue {
        put_number(out, cue.entries().len() as u64);
        for (word, weight) in cue.entries() {
            out.extend_from_slice(&word.to_le_bytes());
            out.push(*weight);
        }
    }
}

fn read_date(cursor: &mut Cursor<'_>) -> Result<PassageDate> {
    let head = cursor.byte()?;
    let role = ROLES
        .get(usize::from(head & ROLE_BITS))
        .copied()
        // A role of a newer minor version is a date all the same.
        .unwrap_or(Role::Mentioned);
    let count = cursor.count(1)?;
    let mut readings = Vec::with_capacity(count);
    for _ in 0..count {
        readings.push(read_interval(cursor)?);
    }
    let arc = if head & HAS_ARC == 0 {
        None
    } else {
        let mut number = || -> Result<f64> {
            let mut eight = [0; 8];
            eight.copy_from_slice(cursor.bytes(8)?);
            Ok(f64::from_le_bytes(eight))
        };
        let arc = YearArc {
            center: number()?,
            length: number()?,
        };
        // NaN passes neither comparison.
        if !((0.0..366.0).contains(&arc.center) && arc.length > 0.0 && arc.length <= 366.0) {
            return Err(Error::corrupt(format!(
                "an arc of {} days about day {}",
                arc.length, arc.center
            )));
        }
        Some(arc)
    };
    let cue = if head & HAS_CUE == 0 {
        None
    } else {
        let count = cursor.count(5)?;
        let mut entries: Vec<(u32, u8)> = Vec::with_capacity(count);
        for _ in 0..count {
            let (word, weight) = (cursor.u32()?, cursor.byte()?);
            if entries.last().is_some_and(|(before, _)| *before >= word) {
                return Err(Error::corrupt("the words near a date are out of order"));
            }
            entries.push((word, weight));
        }
        Some(Cue::from_entries(entries))
    };
    Ok(PassageDate {
        dating: Dating {
            readings,
            arc,
            role,
        },
        catalogue: head & CATALOGUE != 0,
        cue,
    })
}

fn end_code(bound: Bound) -> u8 {
    match bound {
        Bound::Day(_) => 0,
        Bound::Open => 1,
        Bound::Unknown => 2,
    }
}

fn read_interval(cursor: &mut Cursor<'_>) -> Result<Interval> {
    let ends = cursor.byte()?;
    let mut start = None;
    let mut end = |code: u8, cursor: &mut Cursor<'_>| -> Result<Bound> {
        match code {
            0 => {
                let day = cursor
                    .signed()?
                    .checked_add(start.unwrap_or(0))
                    .filter(|day| day.unsigned_abs() < 1 << 53)
                    .ok_or_else(|| Error::corrupt("a day out of range"))?;
                start = Some(day);
                Ok(Bound::Day(DayNumber(day)))
            }
            1 => Ok(Bound::Open),
            2 => Ok(Bound::Unknown),
            code => Err(Error::corrupt(format!("an end of kind {code}"))),
        }
    };
    let first = end(ends & 3, cursor)?;
    let last = end(ends >> 2, cursor)?;
    if let (Bound::Day(first), Bound::Day(last)) = (first, last)
        && first > last
    {
        return Err(Error::corrupt("an interval that ends before it begins"));
    }
    Ok(Interval { first, last })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::Year;

    fn times() -> Times {
        let decade = Interval::years(Year(1850), Year(1859)).unwrap();
        let date = |readings: Vec<Interval>, role| PassageDate {
            dating: Dating {
                readings,
                arc: None,
                role,
            },
            catalogue: role == Role::Created,
            cue: None,
        };
        let mut times = Times::new();
        times.push(vec![
            date(vec![decade], Role::Created),
            PassageDate {
                cue: Cue::near("born 1831", &[5..9]).pop(),
                ..date(
                    vec![Interval::until(DayNumber(-40_000_000))],
                    Role::Lifespan,
                )
            },
        ]);
        times.push(Vec::new());
        let mut spring = date(Vec::new(), Role::Mentioned);
        spring.dating.arc = Some(YearArc {
            center: 100.25,
            length: 92.0,
        });
        let unknown = Interval {
            first: Bound::Unknown,
            last: Bound::Day(DayNumber(3)),
        };
        times.push(vec![
            spring,
            date(
                vec![unknown, Interval::since(DayNumber(9))],
                Role::Mentioned,
            ),
        ]);
        times
    }

    #[test]
    fn dates_read_back_as_written() {
        let bytes = times().to_bytes(7).unwrap();
        assert_eq!(Times::from_bytes(&bytes, 7, 3).unwrap(), times());
        assert!(Times::from_bytes(&bytes, 0, 3).unwrap_err().is_corrupt());
        assert!(Times::from_bytes(&bytes, 7, 2).unwrap_err().is_corrupt());
        let mut twice = times();
        twice.extend(times());
        assert_eq!(twice.passages(), 6);
        assert_eq!(twice.of(5), times().of(2));
    }

    #[test]
    fn the_example_of_the_format_reads_as_it_says() {
        let page = include_str!("../../../docs/format.md");
        let at = page.find("41 4c 4d 54").unwrap();
        let example = page[at..].split("\n\n").next().unwrap();
        let mut bytes = Vec::new();
        for line in example.lines() {
            let codes = line.get(..34).unwrap_or(line).split_whitespace();
            bytes.extend(codes.map(|code| u8::from_str_radix(code, 16).unwrap()));
        }
        let times = Times::from_bytes(&bytes, 0, 1).unwrap();
        let dates = times.of(0);
        let year = Interval::years(Year(1853), Year(1853)).unwrap();
        assert_eq!(dates.datings[0].readings, [year]);
        assert_eq!(dates.datings[0].role, Role::Created);
        assert!(dates.notes[0].catalogue);
    }

    #[test]
    fn every_role_has_a_code_of_its_own() {
        for role in ROLES {
            let mut one = Times::new();
            let dating = Dating {
                readings: Vec::new(),
                arc: None,
                role,
            };
            one.push(vec![PassageDate {
                dating,
                catalogue: false,
                cue: None,
            }]);
            let bytes = one.to_bytes(0).unwrap();
            assert_eq!(Times::from_bytes(&bytes, 0, 1).unwrap(), one);
        }
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_corrupt() {
        let bytes = times().to_bytes(0).unwrap();
        for length in 0..bytes.len() {
            assert!(
                Times::from_bytes(&bytes[..length], 0, 3).is_err(),
                "{length}"
            );
        }
        for place in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[place] ^= 0x10;
            assert!(Times::from_bytes(&flipped, 0, 3).is_err(), "{place}");
        }
    }

    #[test]
    fn wrong_contents_under_a_right_checksum_are_corrupt_and_never_panic() {
        let bytes = times().to_bytes(0).unwrap();
        let (fields, plain) = open_packed(&bytes, MAGIC).unwrap();
        for place in 0..plain.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = plain.clone();
                changed[place] = value;
                let bytes = close_packed(MAGIC, fields, &changed).unwrap();
                // A changed date can still be a date; what counts is that nothing panics.
                let _ = Times::from_bytes(&bytes, 0, 3);
            }
            let bytes = close_packed(MAGIC, fields, &plain[..place]).unwrap();
            assert!(Times::from_bytes(&bytes, 0, 3).is_err(), "{place}");
        }
    }
}
