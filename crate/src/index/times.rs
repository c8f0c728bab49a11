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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassageDates {
    /// What ranking compares.
    pub datings: Vec<Dating>,
    /// A note for each.
    pub notes: Vec<DateNote>,
}

/// Dates of a passage that take part in a ranking; those beyond are passed over, so that a passage
/// made of dates takes no more than 1 MiB.
pub(crate) const MAX_DATES: usize = 1_024;
/// Readings of all dates of a passage that take part.
const MAX_READINGS: usize = 4_096;
/// Passages from one mark to the next.
const MARK_PASSAGES: usize = 16;

/// The dates of a run of passages as they are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TimesBuilder {
    plain: Vec<u8>,
    passages: u32,
    dates: u32,
}

impl TimesBuilder {
    /// Adds the dates of the next passage.
    pub(crate) fn push(&mut self, dates: &[PassageDate]) {
        let dates = &dates[..dates.len().min(MAX_DATES)];
        put_number(&mut self.plain, dates.len() as u64);
        for date in dates {
            put_date(&mut self.plain, date);
        }
        self.dates += dates.len() as u32;
        self.passages += 1;
    }

    pub(crate) fn passages(&self) -> u32 {
        self.passages
    }

    /// Lays the run out as a `times` file.
    pub(crate) fn to_bytes(&self, first: u32) -> Result<Vec<u8>> {
        close_packed(MAGIC, [self.passages, first, self.dates], &self.plain)
    }
}

/// The dates of a run of passages, as a file holds them once decompressed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Times {
    plain: Vec<u8>,
    first: u32,
    passages: u32,
    /// Where in the payload the dates of each [`MARK_PASSAGES`]th passage begin.
    marks: Vec<u32>,
}

impl Times {
    /// Gives the passages of the run.
    pub(crate) fn passages(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.passages
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
        if total as usize > plain.len() / 2 {
            return Err(Error::corrupt(format!(
                "claims {total} dates in {} bytes",
                plain.len()
            )));
        }
        let mut cursor = Cursor::new(&plain);
        let mut marks = Vec::with_capacity((passages as usize).div_ceil(MARK_PASSAGES));
        let mut found = 0;
        for passage in 0..passages as usize {
            if passage % MARK_PASSAGES == 0 {
                marks.push((plain.len() - cursor.left()) as u32);
            }
            let dates = cursor.count(2)?;
            if dates > total as usize - found {
                return Err(Error::corrupt(format!("holds more than {total} dates")));
            }
            found += dates;
            for _ in 0..dates {
                read_date(&mut cursor, None)?;
            }
        }
        cursor.finish()?;
        if found != total as usize {
            return Err(Error::corrupt(format!(
                "holds {found} dates, expected {total}"
            )));
        }
        Ok(Self {
            plain,
            first,
            passages,
            marks,
        })
    }
}

/// Reads the dates of passages one after the other; going on to the next passage costs least.
#[derive(Debug)]
pub(crate) struct DateScan<'a> {
    runs: &'a [Times],
    /// The run in hand, the passage that comes next in it, and where that begins.
    run: Option<&'a Times>,
    next: u32,
    cursor: Cursor<'a>,
    dates: PassageDates,
}

impl<'a> DateScan<'a> {
    /// Starts over runs in order.
    pub(crate) fn new(runs: &'a [Times]) -> Self {
        Self {
            runs,
            run: None,
            next: 0,
            cursor: Cursor::new(&[]),
            dates: PassageDates::default(),
        }
    }

    /// Gives the dates of a passage; none where there is no such passage.
    pub(crate) fn of(&mut self, passage: u32) -> &PassageDates {
        if self.read(passage).is_err() {
            // All was read when the file was opened, so this is a passage that is not there.
            self.run = None;
            self.dates.datings.clear();
            self.dates.notes.clear();
        }
        &self.dates
    }

    fn read(&mut self, passage: u32) -> Result<()> {
        let none = || Error::invalid(format!("there is no passage {passage}"));
        let in_run = |run: &Times| run.passages().contains(&passage);
        let run = match self.run.filter(|run| in_run(run)) {
            Some(run) => run,
            None => {
                let number = self.runs.partition_point(|run| run.first <= passage);
                let run = number.checked_sub(1).and_then(|n| self.runs.get(n));
                let run = run.filter(|run| in_run(run)).ok_or_else(none)?;
                self.run = Some(run);
                self.next = u32::MAX;
                run
            }
        };
        let step = (passage - run.first) / MARK_PASSAGES as u32;
        let marked = run.first + step * MARK_PASSAGES as u32;
        if self.next > passage || self.next < marked {
            let mark = run.marks.get(step as usize).ok_or_else(none)?;
            let rest = run.plain.get(*mark as usize..).ok_or_else(none)?;
            self.cursor = Cursor::new(rest);
            self.next = marked;
        }
        while self.next < passage {
            for _ in 0..self.cursor.number()? {
                read_date(&mut self.cursor, None)?;
            }
            self.next += 1;
        }
        self.next += 1;
        read_dates(&mut self.cursor, &mut self.dates)
    }
}

/// Reads the dates of a passage in place of those before, whose memory is used again.
fn read_dates(cursor: &mut Cursor<'_>, dates: &mut PassageDates) -> Result<()> {
    let mut room = MAX_READINGS;
    let count = cursor.number()? as usize;
    for at in 0..count {
        if at >= MAX_DATES {
            read_date(cursor, None)?;
            continue;
        }
        if at == dates.datings.len() {
            dates.datings.push(Dating {
                readings: Vec::new(),
                arc: None,
                role: Role::Mentioned,
            });
            dates.notes.push(DateNote {
                catalogue: false,
                cue: None,
            });
        }
        let slot = Slot {
            dating: &mut dates.datings[at],
            note: &mut dates.notes[at],
            room: &mut room,
        };
        read_date(cursor, Some(slot))?;
    }
    dates.datings.truncate(count);
    dates.notes.truncate(count);
    Ok(())
}

/// Where a date is read to, and how many readings there is room for.
struct Slot<'a> {
    dating: &'a mut Dating,
    note: &'a mut DateNote,
    room: &'a mut usize,
}

fn put_date(out: &mut Vec<u8>, date: &PassageDate) {
    let PassageDate {
        dating,
        catalogue,
        cue,
    } = date;
    let role = ROLES
        .iter()
        .position(|role| *role == dating.role)
        .unwrap_or_default() as u8;
    let flag = |on: bool, bit: u8| if on { bit } else { 0 };
    out.push(
        role | flag(*catalogue, CATALOGUE)
            | flag(dating.arc.is_some(), HAS_ARC)
            | flag(cue.is_some(), HAS_CUE),
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
    if let Some(cue) = cue {
        put_number(out, cue.entries().len() as u64);
        for (word, weight) in cue.entries() {
            out.extend_from_slice(&word.to_le_bytes());
            out.push(*weight);
        }
    }
}

/// Reads a date, and keeps it where a slot is given.
fn read_date(cursor: &mut Cursor<'_>, mut slot: Option<Slot<'_>>) -> Result<()> {
    let head = cursor.byte()?;
    if let Some(Slot { dating, note, .. }) = &mut slot {
        let role = ROLES.get(usize::from(head & ROLE_BITS)).copied();
        // A role of a newer minor version is a date all the same.
        dating.role = role.unwrap_or(Role::Mentioned);
        dating.readings.clear();
        dating.arc = None;
        note.catalogue = head & CATALOGUE != 0;
        note.cue = None;
    }
    for _ in 0..cursor.count(1)? {
        let reading = read_interval(cursor)?;
        if let Some(Slot { dating, room, .. }) = &mut slot
            && **room > 0
        {
            **room -= 1;
            dating.readings.push(reading);
        }
    }
    if head & HAS_ARC != 0 {
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
        if let Some(Slot { dating, .. }) = &mut slot {
            dating.arc = Some(arc);
        }
    }
    if head & HAS_CUE != 0 {
        let count = cursor.count(5)?;
        let mut before = None;
        let mut entries = slot.as_ref().map(|_| Vec::with_capacity(count));
        for _ in 0..count {
            let (word, weight) = (cursor.u32()?, cursor.byte()?);
            if before.is_some_and(|before| before >= word) {
                return Err(Error::corrupt("the words near a date are out of order"));
            }
            before = Some(word);
            if let Some(entries) = &mut entries {
                entries.push((word, weight));
            }
        }
        if let Some(Slot { note, .. }) = &mut slot {
            note.cue = entries.map(Cue::from_entries);
        }
    }
    Ok(())
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

    fn times() -> TimesBuilder {
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
        let mut times = TimesBuilder::default();
        times.push(&[
            date(vec![decade], Role::Created),
            PassageDate {
                cue: Cue::near("born 1831", std::slice::from_ref(&(5..9))).pop(),
                ..date(
                    vec![Interval::until(DayNumber(-40_000_000))],
                    Role::Lifespan,
                )
            },
        ]);
        times.push(&[]);
        let mut spring = date(Vec::new(), Role::Mentioned);
        spring.dating.arc = Some(YearArc {
            center: 100.25,
            length: 92.0,
        });
        let unknown = Interval {
            first: Bound::Unknown,
            last: Bound::Day(DayNumber(3)),
        };
        times.push(&[
            spring,
            date(
                vec![unknown, Interval::since(DayNumber(9))],
                Role::Mentioned,
            ),
        ]);
        times
    }

    fn of(run: &Times, passage: u32) -> PassageDates {
        DateScan::new(std::slice::from_ref(run)).of(passage).clone()
    }

    #[test]
    fn dates_read_back_as_written() {
        let bytes = times().to_bytes(7).unwrap();
        let run = Times::from_bytes(&bytes, 7, 3).unwrap();
        assert_eq!(run.passages(), 7..10);
        let first = of(&run, 7);
        assert_eq!(
            (first.datings[0].role, first.notes[0].catalogue),
            (Role::Created, true)
        );
        assert_eq!(
            first.datings[1].readings,
            [Interval::until(DayNumber(-40_000_000))]
        );
        assert!(first.notes[0].cue.is_none() && first.notes[1].cue.is_some());
        assert_eq!(of(&run, 8), PassageDates::default());
        assert_eq!(of(&run, 9).datings[0].arc.unwrap().center, 100.25);
        assert_eq!(of(&run, 9).datings[1].readings.len(), 2);
        assert_eq!((of(&run, 6), of(&run, 10)), Default::default());
        assert!(Times::from_bytes(&bytes, 0, 3).unwrap_err().is_corrupt());
        assert!(Times::from_bytes(&bytes, 7, 2).unwrap_err().is_corrupt());
    }

    #[test]
    fn passages_are_found_in_any_order_and_over_several_runs() {
        let date = |day: i64| PassageDate {
            dating: Dating {
                readings: vec![Interval::since(DayNumber(day))],
                arc: None,
                role: Role::Created,
            },
            catalogue: false,
            cue: None,
        };
        // Passage n has n % 3 dates, of the days n, n + 1 ….
        let mut runs = Vec::new();
        for (first, count) in [(0, 40), (40, 17), (57, 3)] {
            let mut builder = TimesBuilder::default();
            for passage in first..first + count {
                let dates: Vec<PassageDate> = (0..passage % 3)
                    .map(|n| date(i64::from(passage + n)))
                    .collect();
                builder.push(&dates);
            }
            let bytes = builder.to_bytes(first).unwrap();
            runs.push(Times::from_bytes(&bytes, first, count).unwrap());
        }
        let mut scan = DateScan::new(&runs);
        let order = (0..60)
            .chain((0..60).rev())
            .chain((0..500).map(|n| n * 37 % 61));
        for passage in order {
            let dates = scan.of(passage);
            let expected = if passage < 60 { passage % 3 } else { 0 };
            assert_eq!(dates.datings.len(), expected as usize, "{passage}");
            assert_eq!(dates.notes.len(), expected as usize);
            for (n, dating) in (0..).zip(&dates.datings) {
                assert_eq!(
                    dating.readings,
                    [Interval::since(DayNumber(i64::from(passage) + n))]
                );
            }
        }
    }

    #[test]
    fn dates_beyond_the_most_take_no_part() {
        let none = PassageDate {
            dating: Dating {
                readings: vec![Interval::since(DayNumber(1)); 5],
                arc: None,
                role: Role::Created,
            },
            catalogue: false,
            cue: None,
        };
        let mut builder = TimesBuilder::default();
        builder.push(&vec![none; 2 * MAX_DATES]);
        builder.push(&[]);
        let run = Times::from_bytes(&builder.to_bytes(0).unwrap(), 0, 2).unwrap();
        let dates = of(&run, 0);
        assert_eq!(dates.datings.len(), MAX_DATES);
        let readings: usize = dates.datings.iter().map(|d| d.readings.len()).sum();
        assert_eq!(readings, MAX_READINGS);
        let plain = [b"\x80\x10".as_slice(), &b"\x00\x00".repeat(2_048), b"\x00"].concat();
        let bytes = close_packed(MAGIC, [2, 0, 2_048], &plain).unwrap();
        let run = Times::from_bytes(&bytes, 0, 2).unwrap();
        assert_eq!(of(&run, 0).datings.len(), MAX_DATES);
        assert_eq!(of(&run, 1), PassageDates::default());
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
        let dates = of(&times, 0);
        let year = Interval::years(Year(1853), Year(1853)).unwrap();
        assert_eq!(dates.datings[0].readings, [year]);
        assert_eq!(dates.datings[0].role, Role::Created);
        assert!(dates.notes[0].catalogue);
    }

    #[test]
    fn every_role_has_a_code_of_its_own() {
        for role in ROLES {
            let mut one = TimesBuilder::default();
            let dating = Dating {
                readings: Vec::new(),
                arc: None,
                role,
            };
            one.push(&[PassageDate {
                dating,
                catalogue: false,
                cue: None,
            }]);
            let bytes = one.to_bytes(0).unwrap();
            let run = Times::from_bytes(&bytes, 0, 1).unwrap();
            assert_eq!(of(&run, 0).datings[0].role, role);
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
