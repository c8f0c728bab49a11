//! Pairs of a classical passage and its modern translation, and what is wrong with some of them.

use std::path::Path;

use almanac::Result;
use almanac::text::fold_han;
use serde::{Deserialize, Serialize};

use crate::fault;

/// Which use a pair is kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// To learn from.
    Train,
    /// To choose settings by.
    Dev,
    /// To report.
    Test,
}

/// A passage of a book with its translation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The book's title.
    pub book: String,
    /// The chapter, its parts separated by `/`.
    pub chapter: String,
    /// The passage.
    pub classical: String,
    /// Its translation, the query.
    pub modern: String,
    /// Its use in the split by seed.
    pub part: Part,
}

/// Why a pair is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// Fewer than [`LEAST`] Han characters on a side, as headings have.
    Short,
    /// Both sides are the same text.
    Same,
    /// One side is so much longer than the other that they cannot be of one passage.
    Ratio,
    /// The same passage came before.
    Repeated,
    /// It quotes, or is quoted by, a passage that is kept for measuring.
    Quoted,
}

/// Han characters that either side must have.
pub const LEAST: usize = 4;

/// Characters of the translation for one of the passage.
///
/// Source: the 0.5 % and 99.5 % quantiles of the farming pairs are 0.5 and 3.5.
const RATIO: std::ops::RangeInclusive<f64> = 0.4..=5.0;

/// Words that stand before the text in some translations.
const LABELS: [&str; 4] = ["原文", "译文", "【译文】", "【原文】"];

/// Gives the Han characters of a text in the form they are searched by; two texts that differ in
/// script, variants or punctuation only have the same.
#[must_use]
pub fn bare(text: &str) -> String {
    text.chars().map(fold_han).filter(|c| is_han(*c)).collect()
}

pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{20000}'..='\u{323AF}' | '〇')
}

/// Reads a table of pairs, compressed or not: book (where `book` does not give it), chapter,
/// classical and modern, separated by tabs; a first line that names these columns is skipped.
///
/// # Errors
/// - [`almanac::ErrorKind::Io`] if the file cannot be read.
/// - [`almanac::ErrorKind::Corrupt`], naming the line, if a line has other than the columns.
pub fn read(path: &Path, book: Option<&str>) -> Result<Vec<Pair>> {
    let text = fault::read_text(path)?;
    let mut out = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        let (book, chapter, classical, modern) = match (book, fields.as_slice()) {
            (None, &[book, chapter, classical, modern]) => (book, chapter, classical, modern),
            (Some(book), &[chapter, classical, modern]) => (book, chapter, classical, modern),
            _ => {
                return Err(fault::corrupt(format!(
                    "{} fields, expected {}",
                    fields.len(),
                    if book.is_some() { 3 } else { 4 }
                ))
                .in_place(format!("{}: line {}", path.display(), number + 1)));
            }
        };
        if number == 0 && (classical, modern) == ("classical", "modern") {
            continue;
        }
        out.push(Pair {
            book: book.to_owned(),
            chapter: chapter.to_owned(),
            classical: classical.to_owned(),
            modern: modern.to_owned(),
            part: Part::Train,
        });
    }
    Ok(out)
}

impl Pair {
    /// Takes out what scanning put in: spaces between characters, marks and titles before the text.
    pub fn clean(&mut self) {
        let title = self.chapter.rsplit('/').next().unwrap_or("").to_owned();
        for text in [&mut self.classical, &mut self.modern] {
            *text = cleaned(text, &title);
        }
    }

    /// Says what is wrong with the pair itself.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        let (classical, modern) = (bare(&self.classical), bare(&self.modern));
        let count = |text: &str| text.chars().count();
        if count(&classical) < LEAST || count(&modern) < LEAST {
            return Some(Fault::Short);
        }
        if classical == modern {
            return Some(Fault::Same);
        }
        let ratio = count(&modern) as f64 / count(&classical) as f64;
        (!RATIO.contains(&ratio)).then_some(Fault::Ratio)
    }

    /// Gives the share of the passage's different characters that its translation has too, 0 to 1.
    #[must_use]
    pub fn overlap(&self) -> f64 {
        let set = |text: &str| {
            bare(text)
                .chars()
                .collect::<std::collections::BTreeSet<_>>()
        };
        let (passage, query) = (set(&self.classical), set(&self.modern));
        let shared = passage.intersection(&query).count();
        shared as f64 / passage.len().max(1) as f64
    }
}

fn cleaned(text: &str, title: &str) -> String {
    let mut rest = text.trim().trim_start_matches(['○', '●', '◎', '□']);
    for label in LABELS {
        rest = rest.strip_prefix(label).unwrap_or(rest).trim_start();
    }
    // A title that was glued to the first sentence stands before a space.
    if title.chars().count() > 1
        && let Some(after) = rest.strip_prefix(title)
        && after.starts_with(char::is_whitespace)
    {
        rest = after.trim_start();
    }
    let mut out = String::with_capacity(rest.len());
    let mut characters = rest.chars().peekable();
    while let Some(c) = characters.next() {
        if c.is_whitespace() {
            let ascii = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            if ascii(out.chars().next_back()) && ascii(characters.peek().copied()) {
                out.push(' ');
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn pair(classical: &str, modern: &str) -> Pair {
        Pair {
            book: "书".to_owned(),
            chapter: "一".to_owned(),
            classical: classical.to_owned(),
            modern: modern.to_owned(),
            part: Part::Train,
        }
    }

    #[test]
    fn spaces_labels_and_glued_titles_go() {
        let mut one = pair(
            "种谷 凡谷成熟有早晚。",
            "译文 种谷 谷子的 成熟有早有晚 A 1。",
        );
        one.chapter = "卷一/种谷".to_owned();
        one.clean();
        assert_eq!(one.classical, "凡谷成熟有早晚。");
        assert_eq!(one.modern, "谷子的成熟有早有晚A 1。");
    }

    #[test]
    fn title_that_belongs_to_the_sentence_stays() {
        let mut one = pair("种竹，去梢叶。", "种竹应剪去竹梢。");
        one.chapter = "竹木/种竹".to_owned();
        one.clean();
        assert_eq!(one.classical, "种竹，去梢叶。");
    }

    #[test]
    fn faults_are_named() {
        let fault = |classical, modern| pair(classical, modern).fault();
        assert_eq!(fault("○凿", "凿"), Some(Fault::Short));
        assert_eq!(fault("穀雨種穀。", "谷雨种谷"), Some(Fault::Same));
        let long = "很".repeat(40);
        assert_eq!(fault("凡耕高下田", &long), Some(Fault::Ratio));
        assert_eq!(
            fault("凡耕高下田，不问春秋", "凡是耕高田低田，不论春季秋季"),
            None
        );
    }

    #[test]
    fn overlap_is_the_share_of_the_passages_characters() {
        assert_eq!(pair("穀雨種穀", "谷雨时播").overlap(), 2.0 / 3.0);
        assert_eq!(pair("甲乙丙丁", "一二三四").overlap(), 0.0);
    }

    #[test]
    fn line_with_a_missing_field_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tsv");
        std::fs::write(&path, "一\t甲\t乙\n二\t甲\n").unwrap();
        let error = read(&path, Some("书")).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        std::fs::write(&path, "book\tchapter\tclassical\tmodern\n书\t一\t甲\t乙\n").unwrap();
        assert_eq!(read(&path, None).unwrap().len(), 1);
    }
}
