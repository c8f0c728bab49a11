//! The compiled tables of eras and lunar months.
//!
//! Source: DILA Authority Database, Time (Dharma Drum Institute of Liberal Arts, CC BY-SA 3.0),
//! and computed months from 1912 on; `data/LICENSE-time-tables.md` has the terms.

use super::fold::fold;
use std::collections::HashMap;
use std::io::Read;
use std::sync::OnceLock;

/// The deflated tables, which `examples/time_tables.rs` writes.
static PACKED: &[u8] = include_bytes!("../../../data/time-tables.bin");

/// A month of a lunar calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Month {
    /// The era's year, or the astronomical year in the main calendar.
    pub year: i64,
    /// 1 to 12; 13 and 14 are the 一月 and 臘月 of 武周, 15 a month with another name.
    pub label: u8,
    pub leap: bool,
    /// The Julian Day Number of the month's first day, whether or not the era had begun.
    pub nominal: i64,
    /// The first and last Julian Day Number within the era.
    pub first: i64,
    pub last: i64,
}

/// An era under one ruler.
#[derive(Clone, Debug)]
pub(crate) struct Era {
    /// The dynasty as DILA writes it, such as "明/大明".
    pub dynasty: String,
    pub emperor: String,
    /// The era's names, folded.
    pub names: Vec<String>,
    /// The era's first name as DILA writes it.
    pub title: String,
    pub first: i64,
    pub last: i64,
    pub months: Vec<Month>,
    /// The sexagenary position of the era's first listed year.
    pub cycle: i64,
}

/// An era that rulers of one dynasty kept without a break.
#[derive(Clone, Debug)]
pub(crate) struct Reign {
    /// Indices into [`Tables::eras`], in order of time.
    pub eras: Vec<usize>,
    pub first: i64,
    pub last: i64,
    /// The first and last year that the era counted.
    pub years: (i64, i64),
    /// The sexagenary position of the era's year 0.
    pub cycle_zero: i64,
    /// Lower is better known: the place of the dynasty in the main line, then the length.
    pub rank: usize,
}

/// All eras and the main calendar.
pub(crate) struct Tables {
    pub eras: Vec<Era>,
    pub reigns: Vec<Reign>,
    /// Reigns by folded era name.
    pub by_name: HashMap<String, Vec<usize>>,
    /// The folded era names that begin with a character, longest first.
    pub names: HashMap<char, Vec<Vec<char>>>,
    /// The folded names of rulers that begin with a character, longest first.
    pub rulers: HashMap<char, Vec<Vec<char>>>,
    /// The months of the main calendar, from 221 BC to 2101.
    pub main: Vec<Month>,
}

/// The dynasties of the main line, in order.
const MAIN_LINE: [&str; 26] = [
    "明/大明",
    "清/大清",
    "民國",
    "唐",
    "北宋",
    "南宋",
    "元/大元",
    "西漢",
    "東漢",
    "隋",
    "西晉",
    "東晉",
    "新",
    "武周",
    "曹魏",
    "蜀漢",
    "孫吳",
    "北魏",
    "劉宋",
    "南齊",
    "南梁",
    "陳",
    "遼/契丹",
    "金/大金",
    "南明",
    "蒙古",
];

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn varint(&mut self) -> Option<i64> {
        let mut value = 0u64;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return i64::try_from(value).ok();
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) ^ -(value & 1))
    }

    fn string(&mut self) -> Option<String> {
        let length = usize::try_from(self.varint()?).ok()?;
        let text = self.bytes.get(self.at..self.at + length)?;
        self.at += length;
        String::from_utf8(text.to_vec()).ok()
    }

    /// The months of a list and the sexagenary position of its first year.
    fn months(&mut self) -> Option<(Vec<Month>, i64)> {
        let count = usize::try_from(self.varint()?).ok()?;
        let mut months = Vec::with_capacity(count);
        if count == 0 {
            return Some((months, 0));
        }
        let mut year = self.zigzag()?;
        let mut next = self.varint()?;
        let cycle = self.varint()?;
        for _ in 0..count {
            let code = self.byte()?;
            let (mut length, mut start) = (29 + i64::from(code >> 5 & 1), 1);
            if code & 128 == 0 {
                year += i64::from(code >> 6 & 1);
            } else {
                year += self.zigzag()?;
                next += self.zigzag()?;
                start = self.varint()?;
                length = self.varint()?;
            }
            months.push(Month {
                year,
                label: code & 15,
                leap: code & 16 != 0,
                nominal: next - (start - 1),
                first: next,
                last: next + length - 1,
            });
            next += length;
        }
        Some((months, cycle))
    }
}

/// The names that years were counted by; （後元） and （中元） are such names, （無年號） is not.
fn named(titles: &str) -> impl Iterator<Item = &str> {
    titles
        .split('/')
        .map(|name| name.trim_matches(['（', '）']))
        .filter(|name| !name.is_empty() && !name.ends_with("年號"))
}

fn read() -> Option<Tables> {
    let mut bytes = Vec::new();
    flate2::read::DeflateDecoder::new(PACKED)
        .read_to_end(&mut bytes)
        .ok()?;
    let mut cursor = Cursor {
        bytes: &bytes,
        at: 0,
    };
    let count = usize::try_from(cursor.varint()?).ok()?;
    let mut eras = Vec::with_capacity(count);
    for _ in 0..count {
        // The number of the era in the source is for people who check the table.
        cursor.varint()?;
        let dynasty = cursor.string()?;
        let emperor = cursor.string()?;
        let titles = cursor.string()?;
        let first = cursor.varint()?;
        let last = first + cursor.varint()?;
        let (months, cycle) = cursor.months()?;
        eras.push(Era {
            dynasty,
            emperor,
            names: named(&titles).map(|name| fold().text(name)).collect(),
            title: named(&titles).next().unwrap_or("").to_string(),
            first,
            last,
            months,
            cycle,
        });
    }
    let (main, _) = cursor.months()?;
    Some(assemble(eras, main))
}

/// Joins eras to reigns and builds the name indices.
fn assemble(eras: Vec<Era>, main: Vec<Month>) -> Tables {
    let house = |dynasty: &str| {
        // The Mongol court became the Yuan in the middle of 至元.
        let name = if dynasty == "蒙古" {
            "元/大元"
        } else {
            dynasty
        };
        String::from(name)
    };
    let mut reigns: Vec<Reign> = Vec::new();
    let mut open: HashMap<(String, String), usize> = HashMap::new();
    for (index, era) in eras.iter().enumerate() {
        // Years without an era name are not found by one.
        let Some(name) = era.names.first() else {
            continue;
        };
        let years = (
            era.months.iter().map(|m| m.year).min().unwrap_or(1),
            era.months.iter().map(|m| m.year).max().unwrap_or(1),
        );
        let first_year = era.months.first().map_or(1, |m| m.year);
        let key = (house(&era.dynasty), name.clone());
        if let Some(at) = open.get(&key)
            && let Some(reign) = reigns.get_mut(*at)
            && era.first - reign.last <= 31
            && years.0 >= reign.years.1
        {
            reign.eras.push(index);
            reign.last = reign.last.max(era.last);
            reign.years.1 = reign.years.1.max(years.1);
            continue;
        }
        open.insert(key, reigns.len());
        let rank = MAIN_LINE
            .iter()
            .position(|name| *name == era.dynasty)
            .unwrap_or(MAIN_LINE.len());
        reigns.push(Reign {
            eras: vec![index],
            first: era.first,
            last: era.last,
            years,
            cycle_zero: (era.cycle - first_year).rem_euclid(60),
            rank,
        });
    }
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, reign) in reigns.iter().enumerate() {
        for era in reign.eras.iter().filter_map(|i| eras.get(*i)) {
            for name in &era.names {
                // Converters to simplified characters write 乾 as 干.
                for name in [name.clone(), name.replace('乾', "干")] {
                    let list = by_name.entry(name).or_default();
                    if !list.contains(&at) {
                        list.push(at);
                    }
                }
            }
        }
    }
    for list in by_name.values_mut() {
        list.sort_by_key(|at| {
            reigns.get(*at).map_or((usize::MAX, 0, 0), |reign| {
                (reign.rank, reign.first - reign.last, reign.first)
            })
        });
    }
    let names = first_letters(by_name.keys().map(String::as_str));
    let rulers = first_letters(
        eras.iter()
            .flat_map(|era| era.emperor.split(['（', '）']))
            .filter(|name| name.chars().count() >= 2)
            .map(|name| fold().text(name))
            .collect::<std::collections::BTreeSet<String>>()
            .iter()
            .map(String::as_str),
    );
    Tables {
        eras,
        reigns,
        by_name,
        names,
        rulers,
        main,
    }
}

fn first_letters<'a>(words: impl Iterator<Item = &'a str>) -> HashMap<char, Vec<Vec<char>>> {
    let mut map: HashMap<char, Vec<Vec<char>>> = HashMap::new();
    for word in words {
        let letters: Vec<char> = word.chars().collect();
        if let Some(first) = letters.first() {
            map.entry(*first).or_default().push(letters);
        }
    }
    for list in map.values_mut() {
        list.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        list.dedup();
    }
    map
}

impl Tables {
    /// The months of a lunar year of the main calendar.
    pub(crate) fn main_year(&self, year: i64) -> &[Month] {
        let start = self.main.partition_point(|m| m.year < year);
        let end = self.main.partition_point(|m| m.year <= year);
        self.main.get(start..end).unwrap_or(&[])
    }

    /// The month of the main calendar that holds a day.
    pub(crate) fn main_month_at(&self, julian_day: i64) -> Option<&Month> {
        let after = self.main.partition_point(|m| m.first <= julian_day);
        self.main
            .get(after.checked_sub(1)?)
            .filter(|m| julian_day <= m.last)
    }
}

/// The tables, unpacked once.
pub(crate) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    // The packed bytes are part of the program and a test reads them, so they can be read.
    TABLES.get_or_init(|| read().unwrap_or_else(|| assemble(Vec::new(), Vec::new())))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn tables_hold_every_era_and_month() {
        let tables = read().unwrap();
        assert_eq!(tables.eras.len(), 925);
        assert!(tables.main.len() > 28_000);
    }

    #[test]
    fn packed_tables_stay_small() {
        assert!(PACKED.len() < 150_000, "{} bytes", PACKED.len());
    }

    #[test]
    fn months_of_the_main_calendar_tile_time() {
        let gaps: Vec<i64> = tables()
            .main
            .windows(2)
            .filter(|w| w[1].first != w[0].last + 1)
            .map(|w| w[1].first - w[0].last)
            .collect();
        assert!(gaps.len() <= 6, "{gaps:?}");
    }
}
