//! Compiles the Chinese era and lunar month tables that the library ships.
//!
//! Usage: `time_tables CHINESE-ERAS-FOLDER OUTPUT`. The folder holds the DILA tables as
//! `dila-eras_chinese.tsv` and `dila-lunar-months-chinese.sql.gz`; the months after the empire
//! come from `data/lunar-months-1912-2100.txt` beside this package.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};

type Failure = Box<dyn std::error::Error>;

/// One month of one era.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Month {
    /// The era's own year for an era, the astronomical year for the main calendar.
    year: i64,
    /// 1 to 12; 13 and 14 are the 一月 and 臘月 of 武周, 15 a month with another name.
    label: u8,
    leap: bool,
    /// Julian Day Numbers of the first and last day that belong to the era.
    first: i64,
    last: i64,
    /// The ordinal of the first day in its month, from 1.
    start_from: i64,
    /// The position of the year in the sexagenary cycle.
    cycle: i64,
}

struct Era {
    id: u16,
    dynasty: String,
    emperor: String,
    names: String,
    first: i64,
    last: i64,
}

/// The dynasties whose months make the main calendar, best first.
const MAIN: [&str; 24] = [
    "秦",
    "西漢",
    "新",
    "東漢",
    "曹魏",
    "西晉",
    "東晉",
    "劉宋",
    "南齊",
    "南梁",
    "陳",
    "隋",
    "唐",
    "武周",
    "後梁",
    "後唐",
    "後晉",
    "後漢",
    "後周",
    "北宋",
    "南宋",
    "元/大元",
    "明/大明",
    "清/大清",
];

/// Rows of the source that cannot be: era, Julian Day Number given for the first day, then the
/// first and last day that hold.
///
/// The new moon of January 1662 fell on JDN 2328113 at noon in Beijing, so the twelfth month of
/// 順治十八年 began that day, as other tables have it, and not the day before.
const CORRECTIONS: [(u16, i64, i64, i64); 2] = [
    (1203, 2_328_083, 2_328_083, 2_328_112),
    (1203, 2_328_112, 2_328_113, 2_328_141),
];

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let folder = args
        .next()
        .ok_or("first argument: the folder of the DILA tables")?;
    let output = args.next().ok_or("second argument: the file to write")?;
    let eras = read_eras(&std::fs::read_to_string(format!(
        "{folder}/dila-eras_chinese.tsv"
    ))?)?;
    let mut sql = String::new();
    let file = std::fs::File::open(format!("{folder}/dila-lunar-months-chinese.sql.gz"))?;
    flate2::read::GzDecoder::new(file).read_to_string(&mut sql)?;
    let months = read_months(&sql, "S")?;
    let continued = read_months(&sql, "P")?;
    let modern = read_modern(&std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/data/lunar-months-1912-2100.txt"
    ))?)?;

    let mut out = Vec::new();
    varint(&mut out, eras.len() as u64);
    for era in &eras {
        let list = months
            .get(&era.id)
            .ok_or(format!("era {}: no months", era.id))?;
        varint(&mut out, u64::from(era.id));
        string(&mut out, &era.dynasty);
        string(&mut out, &era.emperor);
        string(&mut out, &era.names);
        varint(&mut out, era.first as u64);
        varint(&mut out, (era.last - era.first) as u64);
        write_months(&mut out, list);
    }
    let mut main = main_calendar(&eras, &months, &continued)?;
    main.extend(modern);
    write_months(&mut out, &main);

    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&out)?;
    let packed = encoder.finish()?;
    std::fs::write(&output, &packed)?;
    println!(
        "{} eras, {} months of eras, {} months of the main calendar: {} bytes, {} unpacked",
        eras.len(),
        months.values().map(Vec::len).sum::<usize>(),
        main.len(),
        packed.len(),
        out.len()
    );
    Ok(())
}

fn read_eras(text: &str) -> Result<Vec<Era>, Failure> {
    let mut eras = Vec::new();
    for (index, line) in text.lines().enumerate().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, dynasty, emperor, names, first, last, ..] = cells[..] else {
            return Err(format!("eras, line {}: expected nine cells", index + 1).into());
        };
        // Names in Korean script are of no use to a reader of Chinese.
        let names: Vec<&str> = names
            .split('/')
            .filter(|name| !name.chars().any(|c| ('\u{AC00}'..='\u{D7A3}').contains(&c)))
            .collect();
        eras.push(Era {
            id: id.parse()?,
            dynasty: String::from(dynasty),
            emperor: String::from(emperor),
            names: names.join("/"),
            first: first.parse()?,
            last: last.parse()?,
        });
    }
    eras.sort_by_key(|era| (era.first, era.id));
    Ok(eras)
}

/// The months of one status of each era (S = standard, P = continued elsewhere), in order and without repetition.
fn read_months(sql: &str, wanted: &str) -> Result<HashMap<u16, Vec<Month>>, Failure> {
    let mut months: HashMap<u16, BTreeMap<i64, Month>> = HashMap::new();
    for line in sql
        .lines()
        .filter(|l| l.starts_with("INSERT INTO `t_month`"))
    {
        let values = line
            .split_once("VALUES (")
            .ok_or("a month insert without values")?
            .1;
        for row in values.trim_end_matches(");").split("),(") {
            let cells: Vec<&str> = row.split(',').map(|c| c.trim_matches('\'')).collect();
            let [
                _,
                year,
                _,
                name,
                leap,
                era,
                first,
                last,
                cycle,
                start,
                status,
                _,
            ] = cells[..]
            else {
                return Err(format!("month row {row}: expected twelve cells").into());
            };
            if status != wanted {
                continue;
            }
            let bare = name.trim_start_matches(['閏', '後']);
            let label = match bare {
                "正" => 1,
                "二" => 2,
                "三" => 3,
                "四" => 4,
                "五" => 5,
                "六" => 6,
                "七" => 7,
                "八" => 8,
                "九" => 9,
                "十" => 10,
                "十一" => 11,
                "十二" => 12,
                "一" => 13,
                "臘" => 14,
                _ => 15,
            };
            let era: u16 = era.parse()?;
            let (mut first, mut last): (i64, i64) = (first.parse()?, last.parse()?);
            if let Some(fixed) = CORRECTIONS.iter().find(|c| c.0 == era && c.1 == first) {
                (first, last) = (fixed.2, fixed.3);
            }
            let month = Month {
                year: year.parse()?,
                label,
                leap: leap != "0",
                first,
                last,
                start_from: start.parse()?,
                cycle: cycle_index(cycle)?,
            };
            months
                .entry(era)
                .or_default()
                .entry(month.first)
                .or_insert(month);
        }
    }
    Ok(months
        .into_iter()
        .map(|(era, list)| (era, list.into_values().collect()))
        .collect())
}

fn cycle_index(name: &str) -> Result<i64, Failure> {
    let stems = "甲乙丙丁戊己庚辛壬癸";
    let branches = "子丑寅卯辰巳午未申酉戌亥";
    let mut letters = name.chars();
    let stem = letters
        .next()
        .and_then(|c| stems.chars().position(|s| s == c));
    let branch = letters
        .next()
        .and_then(|c| branches.chars().position(|b| b == c));
    let (Some(stem), Some(branch)) = (stem, branch) else {
        return Err(format!("sexagenary year {name}").into());
    };
    (0..60)
        .find(|n| n % 10 == stem as i64 && n % 12 == branch as i64)
        .ok_or_else(|| format!("sexagenary year {name}: no such pair").into())
}

/// The astronomical year nearest to a day that has a place in the sexagenary cycle.
fn astronomical(day: i64, cycle: i64) -> i64 {
    let near = (day - 1_721_060) * 400 / 146_097;
    (near - 30..=near + 30)
        .filter(|year| (year - 4).rem_euclid(60) == cycle)
        .min_by_key(|year| (year - near).abs())
        .unwrap_or(near)
}

/// One whole month after another through the dynasties of [`MAIN`].
fn main_calendar(
    eras: &[Era],
    months: &HashMap<u16, Vec<Month>>,
    continued: &HashMap<u16, Vec<Month>>,
) -> Result<Vec<Month>, Failure> {
    let mut choices: BTreeMap<i64, (usize, Month)> = BTreeMap::new();
    // A month in which a ruler or era changed is in two rows, which together are the month.
    let mut ends: HashMap<(i64, u8, bool, &str), i64> = HashMap::new();
    let ranked = |era: &Era| {
        MAIN.iter()
            .position(|name| *name == era.dynasty)
            .unwrap_or(MAIN.len())
    };
    for pass in 0..2 {
        for era in eras {
            let standard = months.get(&era.id).into_iter().flatten();
            let elsewhere = continued.get(&era.id).into_iter().flatten();
            let rows = standard
                .map(|month| (ranked(era), month))
                .chain(elsewhere.map(|month| (MAIN.len() + 1, month)));
            for (rank, month) in rows {
                let mut month = *month;
                month.first -= month.start_from - 1;
                month.start_from = 1;
                // Rivals of the main line kept calendars of their own.
                let line = if rank < MAIN.len() { "" } else { &era.dynasty };
                let end = ends
                    .entry((month.first, month.label, month.leap, line))
                    .or_insert(month.last);
                if pass == 0 {
                    *end = (*end).max(month.last).min(month.first + 29);
                    continue;
                }
                month.last = *end;
                if !(29..=30).contains(&(month.last - month.first + 1)) {
                    continue;
                }
                month.year = astronomical(month.first, month.cycle);
                let better = choices.get(&month.first).is_none_or(|(old, _)| rank < *old);
                if better {
                    choices.insert(month.first, (rank, month));
                }
            }
        }
    }
    let mut out: Vec<Month> = Vec::new();
    let mut next = choices.keys().next().copied().ok_or("no months at all")?;
    while let Some((_, month)) = choices.get(&next) {
        out.push(*month);
        next = month.last + 1;
        if !choices.contains_key(&next)
            && let Some((first, _)) = choices.range(next..).next()
        {
            eprintln!("main calendar: no month begins at {next}, the next at {first}");
            next = *first;
        }
    }
    Ok(out)
}

fn read_modern(text: &str) -> Result<Vec<Month>, Failure> {
    let mut out = Vec::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let cells: Vec<&str> = line.split(' ').collect();
        let [year, first, leap, lengths] = cells[..] else {
            return Err(format!("modern months: {line}").into());
        };
        let (year, leap): (i64, u8) = (year.parse()?, leap.parse()?);
        let mut day = almanac::time::parse_iso_day(first)
            .ok_or("modern months: first day")?
            .to_julian_day();
        let mut label = 0u8;
        let mut was_leap = false;
        for letter in lengths.chars() {
            let is_leap = leap != 0 && label == leap && !was_leap;
            if !is_leap {
                label += 1;
            }
            was_leap = is_leap || was_leap;
            let length = if letter == 'L' { 30 } else { 29 };
            out.push(Month {
                year,
                label,
                leap: is_leap,
                first: day,
                last: day + length - 1,
                start_from: 1,
                cycle: (year - 4).rem_euclid(60),
            });
            day += length;
        }
    }
    Ok(out)
}

/// Writes months as one byte each: label, leap (16), 30 days (32), next year (64). A byte with
/// 128 set is followed by the year step, the gap before the month, the ordinal of its first day
/// and its length.
fn write_months(out: &mut Vec<u8>, months: &[Month]) {
    varint(out, months.len() as u64);
    let Some(first) = months.first() else {
        return;
    };
    zigzag(out, first.year);
    varint(out, first.first as u64);
    varint(out, first.cycle as u64);
    let (mut year, mut next) = (first.year, first.first);
    for month in months {
        let length = month.last - month.first + 1;
        let step = month.year - year;
        let plain = month.first == next
            && month.start_from == 1
            && (29..=30).contains(&length)
            && (0..=1).contains(&step);
        let mut code = month.label | u8::from(month.leap) << 4;
        if plain {
            code |= u8::from(length == 30) << 5 | u8::from(step == 1) << 6;
            out.push(code);
        } else {
            out.push(code | 128);
            zigzag(out, step);
            zigzag(out, month.first - next);
            varint(out, month.start_from as u64);
            varint(out, length as u64);
        }
        year = month.year;
        next = month.last + 1;
    }
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 128 {
        out.push((value & 127) as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

fn zigzag(out: &mut Vec<u8>, value: i64) {
    varint(out, ((value << 1) ^ (value >> 63)) as u64);
}

fn string(out: &mut Vec<u8>, text: &str) {
    varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}
