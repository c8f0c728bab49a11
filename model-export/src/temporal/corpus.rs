//! Sentences that people wrote, with the times that rules read in them.
//!
//! Templates say what they mean and know few words; real sentences know all of them, and mean what
//! [`almanac::time`] reads: a weak label, as in TEMPS, which tags Wikipedia.

use std::path::{Path, PathBuf};

use almanac::Result;
use almanac::time::{DayNumber, Expression, Kind, Lang, Precision, Settings, find, scan};
use indicatif::ProgressBar;
use serde_json::Value;

use super::Chance;
use super::target::{GREGORIAN, Target, YEARS, years};
use super::tuple::{Anchored, Meant, any_day, mixed, undated_time};
use super::voice::Split;
use crate::fault;

/// Characters of a sentence, at least and at most.
const CHARACTERS: (usize, usize) = (6, 300);
/// One sentence of so many is held out, with all that say the same.
const HELD_OUT: usize = 20;
/// Texts of a file that are used at most, spread over all of it.
const MOST_TEXTS: usize = 200_000;
/// Of how many sentences one is Chinese, and of how many one undated, where there are such.
const CHINESE: usize = 4;
const UNDATED: usize = 6;

/// Sentences of a split.
#[derive(Clone, Debug, Default)]
struct Part {
    /// Dated ones, first those in other scripts, then those in Chinese.
    dated: [Vec<String>; 2],
    /// Undated ones, in the same way.
    undated: [Vec<String>; 2],
}

/// Sentences to train on and others to measure on.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    train: Part,
    held_out: Part,
    settings: Settings,
}

impl Corpus {
    /// Reads files of texts: lines of plain text, or of JSON (`.jsonl`), of which every string is
    /// taken; either may be compressed (`.gz`).
    ///
    /// Texts are cut into sentences. One is dated if rules read one or two stretches of days in it
    /// and no other time, undated if they read and refuse nothing and it has no digits and no
    /// Chinese character for a stretch of time; all others are left out.
    ///
    /// # Errors
    /// - [`almanac::ErrorKind::Io`] if a file cannot be read or is not UTF-8.
    /// - [`almanac::ErrorKind::Corrupt`], naming the line, if a line of a `.jsonl` file is not JSON.
    /// - [`almanac::ErrorKind::InvalidInput`] if no file holds a dated sentence to train on and one to
    ///   measure on.
    pub fn read(paths: &[PathBuf]) -> Result<Self> {
        let mut texts = Vec::new();
        for path in paths {
            let all = strings(path)?;
            let step = all.len().div_ceil(MOST_TEXTS).max(1);
            texts.extend(all.into_iter().step_by(step));
        }
        Self::of_texts(&texts).ok_or_else(|| {
            let names: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
            fault::invalid("too few sentences with a date, to train and to measure on")
                .in_place(names.join(", "))
                .with_remedy("give texts with dates, some hundred sentences at least")
        })
    }

    /// Reads files as [`Corpus::read`] does; `None` without files.
    ///
    /// # Errors
    /// Those of [`Corpus::read`].
    pub fn read_any(paths: &[PathBuf]) -> Result<Option<Self>> {
        (!paths.is_empty()).then(|| Self::read(paths)).transpose()
    }

    /// Sorts the sentences of texts; `None` if none is dated in one of the splits.
    fn of_texts(texts: &[String]) -> Option<Self> {
        let settings = Settings::default();
        // The bar hides itself where stderr is not a terminal.
        let bar = ProgressBar::new(texts.len() as u64);
        let mut sorted: Vec<(&str, bool)> = bar
            .wrap_iter(texts.iter())
            .flat_map(|text| sentences(text))
            .filter_map(|sentence| Some((sentence, sort(sentence, &settings)?)))
            .collect();
        bar.finish_and_clear();
        sorted.sort_unstable();
        sorted.dedup();
        let mut out = Self::default();
        for (text, dated) in sorted {
            let part = match held_out(text) {
                true => &mut out.held_out,
                false => &mut out.train,
            };
            let lists = match dated {
                true => &mut part.dated,
                false => &mut part.undated,
            };
            lists[usize::from(is_chinese(text))].push(text.to_owned());
        }
        let some = |part: &Part| part.dated.iter().any(|list| !list.is_empty());
        (some(&out.train) && some(&out.held_out)).then_some(out)
    }

    /// Gives how many dated and undated sentences a split has.
    #[must_use]
    pub fn counts(&self, split: Split) -> (usize, usize) {
        let part = self.part(split);
        let count = |lists: &[Vec<String>; 2]| lists.iter().map(Vec::len).sum();
        (count(&part.dated), count(&part.undated))
    }

    fn part(&self, split: Split) -> &Part {
        match split {
            Split::Train => &self.train,
            Split::HeldOut => &self.held_out,
        }
    }

    /// Draws a sentence with an anchor and what rules read in it from there.
    pub(super) fn draw(&self, split: Split, chance: &mut Chance) -> Option<Anchored> {
        let part = self.part(split);
        let (chinese, undated) = (chance.below(CHINESE) == 0, chance.below(UNDATED) == 0);
        let undated = Self::list(&part.undated, chinese).filter(|_| undated);
        let from = undated.or_else(|| Self::list(&part.dated, chinese))?;
        let text = &from[chance.below(from.len())];
        let anchor = any_day(chance);
        match undated {
            Some(_) => Some(undated_time(text.clone(), anchor)),
            None => label(text, anchor, &self.settings),
        }
    }

    /// The sentences of a script, or of the other where it has none.
    fn list(lists: &[Vec<String>; 2], chinese: bool) -> Option<&Vec<String>> {
        let [first, second] = [usize::from(chinese), usize::from(!chinese)];
        [&lists[first], &lists[second]]
            .into_iter()
            .find(|list| !list.is_empty())
    }
}

/// Says what rules read in a sentence; `None` unless it is one or two stretches of days.
fn label(text: &str, anchor: DayNumber, settings: &Settings) -> Option<Anchored> {
    let plain = find(text, settings, Lang::Auto, None);
    let meant: Vec<Meant> = find(text, settings, Lang::Auto, Some(anchor))
        .iter()
        .map(|expression| {
            let same = |p: &Expression| p.range == expression.range && p.kind == expression.kind;
            meant(text, expression, !plain.iter().any(same), anchor)
        })
        .collect::<Option<_>>()?;
    let times: Vec<(f64, f64)> = meant
        .iter()
        .map(|one| one.target()?.gaussian().map(|g| (g.mean(), g.length())))
        .collect::<Option<_>>()?;
    let (mean, length) = match times.as_slice() {
        [one] => *one,
        [a, b] => mixed(*a, *b),
        _ => return None,
    };
    let form = match meant.as_slice() {
        [one] => one.form.clone(),
        _ => "several".to_owned(),
    };
    Some(Anchored {
        text: text.to_owned(),
        anchor: anchor.0,
        mean,
        length,
        form,
        meant,
    })
}

/// Gives the one stretch that an expression means, with its form.
fn meant(text: &str, expression: &Expression, relative: bool, anchor: DayNumber) -> Option<Meant> {
    if expression.kind != Kind::Interval {
        return None;
    }
    let candidate = expression.candidates.first()?;
    let interval = candidate.interval;
    let (first, last) = (interval.first.day()?, interval.last.day()?);
    let (least, most) = (years(YEARS.0, YEARS.0).0, years(YEARS.1, YEARS.1).1);
    if first < least || last > most {
        return None;
    }
    let days = last.0 - first.0 + 1;
    let text = &text[expression.range.clone()];
    if relative && is_chinese(text) && candidate.precision < Precision::Year {
        // Lunar days and months of no given year are read in the anchor's, where none is meant.
        return None;
    }
    let form = match (candidate.precision, relative) {
        (Precision::Day, true) if days == 1 && (first.0 - anchor.0).abs() <= 60 => "day-relative",
        (Precision::Day, true) if days == 1 => "date-relative",
        (Precision::Month, true) if days <= 31 => "month-relative",
        (Precision::Year, true) if days <= 366 => "year-relative",
        (Precision::Decade, true) => "decade-relative",
        (Precision::Century, true) => "century-relative",
        (_, true) => "span-relative",
        (Precision::Year, false) if candidate.approximate => "circa",
        (_, false) if candidate.label.is_some() => "era",
        (Precision::Day, false) if days == 1 => "day",
        (Precision::Month, false) if days <= 31 => "month",
        (Precision::Season, false) if days <= 184 => "season",
        (Precision::Year, false) if days <= 366 => "year",
        (Precision::Year, false) => "years",
        (Precision::Decade, false) if days < 3_650 => "decade-part",
        (Precision::Decade, false) if days <= 3_653 => "decade",
        (Precision::Century, false) if days < 36_000 => "century-part",
        (Precision::Century, false) if days <= 36_525 => "century",
        (Precision::Millennium, false) => "millennium",
        (Precision::Period, false) => "period",
        _ => "days",
    };
    let ends = match form {
        "years" | "days" => Target::of_days(first, last)?.ends(),
        _ => [(first.0 as f64 + days as f64 / 2.0, days as f64); 2],
    };
    Some(Meant {
        from: expression.range.start,
        to: expression.range.end,
        form: form.to_owned(),
        ends,
    })
}

/// Whether a sentence is dated; `None` if it is neither that nor surely undated.
fn sort(text: &str, settings: &Settings) -> Option<bool> {
    // Any day after the Gregorian reform serves to find relative expressions.
    let anchor = DayNumber(GREGORIAN.0 + 100_000);
    if label(text, anchor, settings).is_some() {
        return Some(true);
    }
    let found = scan(text, settings, Lang::Auto, Some(anchor));
    let counts = |c: char| c.is_numeric() || "年月日世紀纪代朝季歲岁".contains(c);
    let silent = found.expressions.is_empty() && found.refusals.is_empty();
    (silent && !text.contains(counts)).then_some(false)
}

/// Whether a text is an address or a key.
fn is_identifier(text: &str) -> bool {
    text.contains("://") || (text.is_ascii() && text.len() > 12 && !text.contains(' '))
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(crate::classical::pair::is_han)
}

/// Cuts a text into sentences of a useful length, without addresses and keys.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    crate::evaluate::sentences(text)
        .into_iter()
        .filter(|sentence| {
            let count = sentence.chars().count();
            (CHARACTERS.0..=CHARACTERS.1).contains(&count) && !is_identifier(sentence)
        })
}

/// All texts of a file.
fn strings(path: &Path) -> Result<Vec<String>> {
    let text = fault::read_text(path)?;
    let name = path.file_name().map_or("", |n| n.to_str().unwrap_or(""));
    if !name.trim_end_matches(".gz").ends_with(".jsonl") {
        return Ok(text.lines().map(str::to_owned).collect());
    }
    let mut out = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let value: Value = serde_json::from_str(line).map_err(|e| {
            fault::corrupt(e.to_string()).in_place(format!("{} line {}", path.display(), at + 1))
        })?;
        collect(value, &mut out);
    }
    Ok(out)
}

fn collect(value: Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(values) => values.into_iter().for_each(|v| collect(v, out)),
        Value::Object(fields) => fields.into_iter().for_each(|(_, v)| collect(v, out)),
        _ => {}
    }
}

/// Whether a sentence is held out, which depends on its characters alone.
fn held_out(text: &str) -> bool {
    let mut chance = Chance::new(text.chars().fold(0, |sum: u64, c| {
        sum.wrapping_mul(31).wrapping_add(u64::from(u32::from(c)))
    }));
    chance.below(HELD_OUT) == 0
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::tuple::{Group, Relation};
    use super::*;
    use almanac::search::time::bounded;

    fn texts() -> Vec<String> {
        let mut out: Vec<String> = (0..200)
            .flat_map(|at| {
                let year = 1500 + at;
                [
                    format!("The mill of farm {at} was sold in {year}."),
                    format!("The mill of farm {} lost its wheel.", "a".repeat(1 + at)),
                    format!("Bought in {year}, and sold again in {}.", year + 9),
                ]
            })
            .collect();
        out.push("In 1850 or 1851, and before 1900, and in spring.".to_owned());
        out.push("光绪二十六年，河水泛滥。".to_owned());
        out
    }

    #[test]
    fn real_sentences_mean_what_rules_read() {
        let settings = Settings::default();
        let anchor = DayNumber(700_000);
        let one = label("The mill was sold in March 1850.", anchor, &settings).unwrap();
        assert_eq!((one.form.as_str(), one.length), ("month", 31.0));
        assert_eq!(&one.text[one.meant[0].from..one.meant[0].to], "March 1850");
        let range = label("Built 1850–1860 for a miller.", anchor, &settings).unwrap();
        assert_eq!(range.form, "years");
        assert!((range.meant[0].ends[0].1, range.meant[0].ends[1].1) == (365.0, 366.0));
        let two = label("Built in 1850, burnt in 1870.", anchor, &settings).unwrap();
        assert_eq!((two.form.as_str(), two.meant.len()), ("several", 2));
        let relative = label("It was sold last year.", anchor, &settings).unwrap();
        assert_eq!(relative.form, "year-relative");
        assert!(relative.mean < 700_000.0 && relative.mean > 700_000.0 - 731.0);
        assert_eq!(label("It was sold.", anchor, &settings), None);
        let three = "Built in 1850, sold in 1860, burnt in 1870.";
        assert_eq!(label(three, anchor, &settings), None);
    }

    #[test]
    fn sentences_are_dated_undated_or_left_out() {
        let settings = Settings::default();
        assert_eq!(sort("The mill was sold in 1850.", &settings), Some(true));
        assert_eq!(
            sort("The mill was sold to a miller.", &settings),
            Some(false)
        );
        assert_eq!(sort("The mill had 4 wheels.", &settings), None);
        assert_eq!(sort("三年，河水泛滥。", &settings), None);
    }

    #[test]
    fn held_out_sentences_are_never_trained_on() {
        let corpus = Corpus::of_texts(&texts()).unwrap();
        let (train, held) = (corpus.counts(Split::Train), corpus.counts(Split::HeldOut));
        assert!(held.0 > 10 && train.0 > 10 * held.0, "{train:?} {held:?}");
        assert!(train.1 > 0 && held.1 > 0);
        let both = |part: &Part| [part.dated.concat(), part.undated.concat()].concat();
        let held: std::collections::HashSet<String> = both(&corpus.held_out).into_iter().collect();
        assert!(both(&corpus.train).iter().all(|t| !held.contains(t)));
    }

    #[test]
    fn groups_of_real_sentences_have_labels_of_the_closed_form() {
        let corpus = Corpus::of_texts(&texts()).unwrap();
        let mut chance = Chance::new(3);
        let mut real = 0;
        for _ in 0..300 {
            let Some(group) = Group::real(&corpus, Split::Train, Split::Train, &mut chance) else {
                continue;
            };
            for other in &group.others {
                let (p, q) = (group.query.gaussian(), other.text.gaussian());
                let label = bounded(p.unwrap().divergence(q.unwrap()));
                assert!((label - other.label).abs() < 1e-12);
                if other.relation == Relation::Positive {
                    assert!(other.label > 0.999, "{group:?}");
                }
                real += usize::from(other.relation == Relation::Real);
            }
        }
        assert!(real > 200, "{real}");
    }

    #[test]
    fn every_string_of_a_json_line_is_a_text() {
        let folder = std::env::temp_dir().join(format!("almanac-corpus-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.jsonl");
        std::fs::write(
            &path,
            "{\"a\":\"one\",\"b\":[\"two\",3,{\"c\":\"three\"}]}\n",
        )
        .unwrap();
        assert_eq!(strings(&path).unwrap(), ["one", "two", "three"]);
        std::fs::write(&path, "{}\nnot json\n").unwrap();
        let error = strings(&path).unwrap_err().to_string();
        assert!(error.contains("a.jsonl line 2"), "{error}");
        let error = Corpus::read(&[folder.join("absent.txt")]).unwrap_err();
        assert!(error.to_string().contains("absent.txt"), "{error}");
        std::fs::write(&path, "{}\n").unwrap();
        let error = Corpus::read(&[path]).unwrap_err().to_string();
        assert!(error.contains("too few sentences"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
