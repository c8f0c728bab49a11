//! The markup of Kanripo texts (mandoku).
//!
//! `#+PROPERTY: JUAN` begins a scroll, `<pb:…>` a page, `¶` ends a printed line, `(a/b)` is a note in
//! two small columns, `&KR….;` a character without a code, and ideographic spaces at the start of a
//! line set it in.
//!
//! Source: the Kanripo text repositories, krp.github.io, and the mandoku format they are written in.

use anyhow::{Result, bail};

use super::numeral::chinese;
use super::section::{GETA, Section};

/// Scrolls that hold no text of the book: abstract, table of contents.
const APPARATUS: [&str; 2] = ["提要", "目録"];

/// Most characters of a heading.
const HEADING: usize = 12;

/// Fewest ideographic spaces before a heading without a number.
const INDENT: usize = 2;

/// Words in lines that are set in and are no heading: title pages, authors, prefaces' dates.
const FORMAL: [&str; 8] = ["欽定", "四庫", "卷", "撰", "恭校", "纂官", "校官", "目録"];

/// Reads a text.
///
/// # Errors
/// If it has no line of the markup, or a note is not closed within [`LONGEST_NOTE`] lines.
pub fn read(text: &str) -> Result<Vec<Section>> {
    if !text.contains('¶') {
        bail!("no line ends with ¶; this is no text in Kanripo's markup");
    }
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        reader.line(line, number + 1)?;
    }
    if let Some(opened) = reader.opened {
        bail!("line {opened}: a note that is never closed");
    }
    reader.end_section();
    Ok(reader.sections)
}

/// A note reaches over a page at most.
const LONGEST_NOTE: usize = 40;

#[derive(Default)]
struct Reader {
    sections: Vec<Section>,
    section: Section,
    juan: String,
    page: String,
    /// Whether the scroll is not part of the text.
    apparatus: bool,
    /// Whether the column of a note that is read first stands last.
    reversed: bool,
    /// The line on which an open note began, and what it says so far.
    opened: Option<usize>,
    note: String,
}

/// Editions whose notes are written with the right column last.
const REVERSED: &str = "SBCK";

impl Reader {
    fn line(&mut self, line: &str, number: usize) -> Result<()> {
        if let Some(property) = line.strip_prefix("#+") {
            if let Some(juan) = property.strip_prefix("PROPERTY: JUAN") {
                self.scroll(juan.trim());
            }
            if let Some(edition) = property.strip_prefix("PROPERTY: BASEEDITION") {
                self.reversed = edition.trim() == REVERSED;
            }
            return Ok(());
        }
        if line.starts_with('#') {
            return Ok(());
        }
        if let Some(page) = line.strip_prefix("<pb:").and_then(|l| l.split_once('>')) {
            // KR3d0001_SBCK_003-4a: book, edition, place.
            self.page = page.0.rsplit('_').next().unwrap_or(page.0).to_owned();
            return Ok(());
        }
        if self.apparatus {
            return Ok(());
        }
        if self
            .opened
            .is_some_and(|opened| number - opened > LONGEST_NOTE)
        {
            bail!(
                "line {}: a note that is never closed",
                number - LONGEST_NOTE - 1
            );
        }
        let line = line.trim_end_matches(['¶', ' ', '　']);
        let bare = line.trim_start_matches('　');
        let indent = line.chars().count() - bare.chars().count();
        if self.opened.is_none() && (is_formal(bare) && indent > 0 || bare.starts_with("欽定")) {
            return Ok(());
        }
        if self.opened.is_none() && is_heading(bare, indent) {
            self.heading(bare);
            return Ok(());
        }
        if indent > 0 && !self.section.text.is_empty() {
            self.gap();
        }
        self.running(bare, number)
    }

    fn scroll(&mut self, juan: &str) {
        self.end_section();
        self.apparatus = APPARATUS.contains(&juan);
        self.juan = match juan.parse::<usize>() {
            Ok(0) => "卷首".to_owned(),
            Ok(number) => chinese(number).map_or(juan.to_owned(), |n| format!("卷{n}")),
            Err(_) => juan.to_owned(),
        };
        self.section.juan.clone_from(&self.juan);
    }

    fn heading(&mut self, bare: &str) {
        self.end_section();
        self.section.heading = bare
            .chars()
            .filter(|c| !matches!(c, '(' | ')' | '/' | '　'))
            .collect();
    }

    fn end_section(&mut self) {
        let next = Section {
            juan: self.juan.clone(),
            ..Section::default()
        };
        let done = std::mem::replace(&mut self.section, next);
        if !done.is_empty() {
            self.sections.push(done);
        }
    }

    fn gap(&mut self) {
        if !self.section.text.ends_with('\n') {
            self.section.text.push('\n');
        }
    }

    fn running(&mut self, line: &str, number: usize) -> Result<()> {
        if self.section.page.is_empty() {
            self.section.page.clone_from(&self.page);
        }
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if let Some((name, after)) = entity(rest) {
                self.section.rare.push(name.to_owned());
                self.push(GETA);
                rest = after;
                continue;
            }
            rest = &rest[c.len_utf8()..];
            match c {
                '(' if self.opened.is_none() => self.opened = Some(number),
                '(' => bail!("line {number}: a note inside a note"),
                ')' => {
                    if self.opened.take().is_none() {
                        bail!("line {number}: ) without (");
                    }
                    let note = std::mem::take(&mut self.note);
                    self.section.note(&columns(&note, self.reversed));
                }
                '　' | ' ' => {
                    if self.opened.is_none() && !self.section.text.is_empty() {
                        self.gap();
                    }
                }
                '¶' => {}
                c => self.push(c),
            }
        }
        Ok(())
    }

    fn push(&mut self, c: char) {
        if self.opened.is_some() {
            self.note.push(c);
        } else {
            self.section.text.push(c);
        }
    }
}

/// Joins the columns of a note, which `/` separates.
fn columns(note: &str, reversed: bool) -> String {
    match note.rsplit_once('/') {
        Some((before, last)) if reversed => format!("{last}{}", before.replace('/', "")),
        _ => note.replace('/', ""),
    }
}

/// Reads `&KR1234;` at the start of a text.
fn entity(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.strip_prefix('&')?.split_once(';')?;
    let plain = name.len() <= 12 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    plain.then_some((name, after))
}

/// Whether a line is a heading: short and set in, or numbered at its end (種薑第二十七).
fn is_heading(bare: &str, indent: usize) -> bool {
    let count = bare
        .chars()
        .filter(|c| !matches!(c, '(' | ')' | '/' | '　'))
        .count();
    if !(1..=HEADING).contains(&count) || bare.contains('　') {
        return false;
    }
    let numbered = bare.rsplit_once('第').is_some_and(|(title, number)| {
        !title.is_empty()
            && !number.is_empty()
            && number.chars().all(|c| "一二三四五六七八九十百".contains(c))
    });
    numbered || indent >= INDENT
}

fn is_formal(bare: &str) -> bool {
    let bare: String = bare.chars().filter(|c| *c != '　').collect();
    bare.chars().count() <= 2 * HEADING && FORMAL.iter().any(|word| bare.contains(word))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TEXT: &str = concat!(
        "# -*- mode: mandoku-view; -*-\n",
        "#+TITLE: 農桑輯要\n",
        "#+PROPERTY: JUAN 提要\n",
        "<pb:KR3d0003_WYG_000-1a>¶\n",
        "欽定四庫全書　　　　子部四¶\n",
        "#+PROPERTY: JUAN 1\n",
        "<pb:KR3d0003_WYG_001-1a>¶\n",
        "　農桑輯要卷一¶\n",
        "　　　種薑第二十七¶\n",
        "薑宜白沙地少與糞和熟耕如麻地不厭熟縱¶\n",
        "横七遍尤善(此是一/注文)　三月種之(先重/耬耩)¶\n",
        "(尋壟下/薑)一尺一科令上土厚三寸&KR0042;數鋤之¶\n",
        "<pb:KR3d0003_WYG_001-1b>¶\n",
        "　　雜說¶\n",
        "六月作葦屋覆之¶\n",
    );

    #[test]
    fn markup_goes_and_notes_stay_at_their_places() {
        let sections = read(TEXT).unwrap();
        assert_eq!(sections.len(), 2);
        let ginger = &sections[0];
        assert_eq!(
            (
                ginger.juan.as_str(),
                ginger.heading.as_str(),
                ginger.page.as_str()
            ),
            ("卷一", "種薑第二十七", "001-1a")
        );
        assert_eq!(
            ginger.text,
            "薑宜白沙地少與糞和熟耕如麻地不厭熟縱横七遍尤善\n三月種之一尺一科令上土厚三寸〓數鋤之"
        );
        assert_eq!(ginger.rare, ["KR0042"]);
        let notes: Vec<_> = ginger
            .notes
            .iter()
            .map(|n| (n.at, n.text.as_str()))
            .collect();
        assert_eq!(notes, [(23, "此是一注文"), (28, "先重耬耩尋壟下薑")]);
        assert_eq!(sections[1].heading, "雜說");
        assert_eq!(sections[1].page, "001-1b");
    }

    #[test]
    fn columns_are_joined_in_the_order_they_are_read() {
        let text = "#+PROPERTY: BASEEDITION SBCK    \n葉落盡則刈之(治而易濕也/葉未盡者難)¶\n";
        let note = |text: &str| read(text).unwrap()[0].notes[0].text.clone();
        assert_eq!(note(text), "葉未盡者難治而易濕也");
        let other = text.replace("SBCK", "WYG");
        assert_eq!(note(&other), "治而易濕也葉未盡者難");
    }

    #[test]
    fn broken_notes_are_named_by_their_line() {
        for (broken, expected) in [
            ("甲(乙/丙¶\n", "line 1: a note that is never closed"),
            ("甲¶\n乙)丙¶\n", "line 2: ) without ("),
            ("甲(乙(丙))¶\n", "line 1: a note inside a note"),
            ("甲乙丙\n", "no line ends with ¶"),
        ] {
            let error = read(broken).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn ampersand_that_begins_no_entity_stays() {
        assert_eq!(read("甲&乙¶\n").unwrap()[0].text, "甲&乙");
    }
}
