//! Punctuated texts: one paragraph a line, or a table of sentences by chapter.

use anyhow::{Result, bail};

use super::section::Section;

/// Reads paragraphs; a line such as `一、 耕田`, short and without a full stop, is a heading.
///
/// # Errors
/// If there is no text.
pub fn paragraphs(text: &str) -> Result<Vec<Section>> {
    let mut sections = vec![Section::default()];
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if let Some(heading) = heading(line) {
            sections.push(Section {
                heading: heading.to_owned(),
                ..Section::default()
            });
        } else if let Some(section) = sections.last_mut() {
            append(section, line);
        }
    }
    sections.retain(|s| !s.is_empty());
    if sections.is_empty() {
        bail!("no text");
    }
    Ok(sections)
}

/// Reads a table with the columns book, chapter (`part/section`) and classical, separated by tabs,
/// and takes the rows of one book.
///
/// # Errors
/// If a column is missing or no row is of the book.
pub fn table(text: &str, book: &str) -> Result<Vec<Section>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| match names.iter().position(|n| *n == name) {
        Some(place) => Ok(place),
        None => bail!("line 1: no column {name}"),
    };
    let (of_book, of_chapter, of_text) =
        (column("book")?, column("chapter")?, column("classical")?);
    let mut sections: Vec<Section> = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |place: usize| fields.get(place).copied().unwrap_or_default().trim();
        if field(of_book) != book {
            continue;
        }
        let (juan, heading) = match field(of_chapter).split_once('/') {
            Some((juan, heading)) => (juan, heading),
            None => ("", field(of_chapter)),
        };
        let same = |s: &Section| s.juan == juan && s.heading == heading;
        if !sections.last().is_some_and(same) {
            sections.push(Section {
                juan: juan.to_owned(),
                heading: heading.to_owned(),
                ..Section::default()
            });
        }
        let sentence: String = field(of_text).chars().filter(|c| *c != ' ').collect();
        if let Some(section) = sections.last_mut() {
            // The mark of a subject that begins here.
            if let Some(subject) = sentence.strip_prefix('○') {
                append(section, &format!("{subject}。"));
            } else {
                section.text.push_str(&sentence);
            }
        }
    }
    if sections.is_empty() {
        bail!("no row of the book {book}");
    }
    Ok(sections)
}

fn append(section: &mut Section, line: &str) {
    if !section.text.is_empty() {
        section.text.push('\n');
    }
    section.text.push_str(line);
}

fn heading(line: &str) -> Option<&str> {
    let short = line.chars().count() <= 12 && !line.contains(['。', '；', '，']);
    let (number, title) = line.split_once('、')?;
    let counted = number.chars().all(|c| "一二三四五六七八九十".contains(c));
    (short && counted).then_some(title.trim())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_stand_under_their_headings() {
        let sections =
            paragraphs("一、 耕田\n凡耕之本，在于趣时。\n春冻解。\n二、收种\n牵马。").unwrap();
        assert_eq!(sections.len(), 2);
        assert_eq!(sections[0].heading, "耕田");
        assert_eq!(sections[0].text, "凡耕之本，在于趣时。\n春冻解。");
        assert_eq!(sections[1].heading, "收种");
    }

    #[test]
    fn sentences_of_a_chapter_run_on() {
        let rows = "book\tchapter\tclassical\tmodern\n\
            天工开物\t中篇/燔石\t凡石灰，经火焚炼为用。\t石灰都是烧成的。\n\
            天工开物\t中篇/燔石\t○煤炭\t煤炭\n\
            天工开物\t中篇/燔石\t凡煤炭，普天皆生。\t煤炭到处都有。\n\
            农桑辑要\t典训/先贤务农\t《史记》： 管仲相齐。\t管仲为相。\n";
        let sections = table(rows, "天工开物").unwrap();
        assert_eq!(sections.len(), 1);
        assert_eq!(
            (sections[0].juan.as_str(), sections[0].heading.as_str()),
            ("中篇", "燔石")
        );
        assert_eq!(
            sections[0].text,
            "凡石灰，经火焚炼为用。\n煤炭。凡煤炭，普天皆生。"
        );
        assert_eq!(
            table(rows, "农桑辑要").unwrap()[0].text,
            "《史记》：管仲相齐。"
        );
        assert!(table(rows, "齐民要术").is_err());
    }
}
