//! From sections to passages.

use anyhow::Result;
use serde::Serialize;

use super::list::Book;
use super::section::Section;
use crate::script::Scripts;

/// Characters of a passage at most, and those it shares with the next where nothing says where to
/// cut.
///
/// Source: a choice; unpunctuated farming books take about 60 characters for one instruction.
const LONGEST: usize = 80;
const OVERLAP: usize = 20;

/// Marks at which a passage may end.
const ENDS: [char; 5] = ['。', '！', '？', '；', '\n'];

/// A passage as a row of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Book, section and passage, counted from 1.
    pub id: String,
    /// Book, scroll and heading in one line.
    pub title: String,
    /// The book.
    pub book: String,
    /// Who wrote it.
    pub author: String,
    /// When, as a reader sees it.
    pub date: String,
    /// First year.
    pub earliest: String,
    /// Last year.
    pub latest: String,
    /// The scroll.
    pub juan: String,
    /// The heading.
    pub section: String,
    /// The page of the edition.
    pub page: String,
    /// The text in traditional characters.
    pub text: String,
    /// The text in simplified characters.
    pub simplified: String,
    /// Notes that stand inside the text.
    pub notes: String,
    /// Names of characters that stand as 〓.
    pub rare: String,
}

/// Cuts a book into rows.
///
/// # Errors
/// If a file cannot be read or is not in the form that the list says.
pub fn rows(book: &Book, folder: &std::path::Path, scripts: &Scripts) -> Result<Vec<Row>> {
    let mut out = Vec::new();
    for (number, section) in book.sections(folder)?.iter().enumerate() {
        for (at, piece) in pieces(section).into_iter().enumerate() {
            let title = [book.title.as_str(), &section.juan, &section.heading]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ");
            let traditional = match book.simplified {
                true => scripts.traditional(&piece.text),
                false => piece.text.clone(),
            };
            out.push(Row {
                id: format!("{}-{}-{}", book.id, number + 1, at + 1),
                title,
                book: book.title.clone(),
                author: book.author.clone(),
                date: book.date.clone(),
                earliest: book.earliest.clone(),
                latest: book.latest.clone(),
                juan: section.juan.clone(),
                section: section.heading.clone(),
                page: section.page.clone(),
                simplified: scripts.simplified(&piece.text),
                text: traditional,
                notes: piece.notes,
                rare: if piece.text.contains(super::section::GETA) {
                    section.rare.join(" ")
                } else {
                    String::new()
                },
            });
        }
    }
    Ok(out)
}

/// A stretch of a section.
struct Piece {
    text: String,
    notes: String,
}

fn pieces(section: &Section) -> Vec<Piece> {
    let characters: Vec<char> = section.text.chars().collect();
    let mut out = Vec::new();
    let mut start = 0;
    while start < characters.len() {
        let end = end_of(&characters, start);
        let text: String = characters[start..end]
            .iter()
            .map(|c| if *c == '\n' { ' ' } else { *c })
            .collect();
        let last = end == characters.len();
        let inside = section
            .notes
            .iter()
            .filter(|n| n.at > start && (n.at <= end || last) || (start == 0 && n.at == 0));
        let notes = inside.map(|n| n.text.as_str()).collect::<Vec<_>>();
        if text.chars().any(|c| !c.is_whitespace()) {
            out.push(Piece {
                text: text.trim().to_owned(),
                notes: notes.join(" "),
            });
        }
        if last {
            break;
        }
        // A cut at a mark loses nothing; one in the middle of a sentence is made up for.
        let marked = characters.get(end - 1).is_some_and(|c| ENDS.contains(c));
        start = if marked {
            end
        } else {
            end - OVERLAP.min(end - start - 1)
        };
    }
    out
}

/// Gives where the passage that starts at `start` ends: after the last mark within reach, if it is
/// not so near that a scrap would be left, else where it is full.
fn end_of(characters: &[char], start: usize) -> usize {
    let most = (start + LONGEST).min(characters.len());
    if most == characters.len() {
        return most;
    }
    let least = start + LONGEST / 3;
    let mark = (least..most)
        .rev()
        .find(|at| ENDS.contains(&characters[*at]));
    mark.map_or(most, |at| at + 1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::books::section::Note;
    use proptest::prelude::*;

    fn section(text: &str) -> Section {
        Section {
            text: text.to_owned(),
            ..Section::default()
        }
    }

    fn texts(text: &str) -> Vec<String> {
        pieces(&section(text)).into_iter().map(|p| p.text).collect()
    }

    #[test]
    fn punctuated_text_is_cut_after_a_full_stop() {
        let sentence = format!("{}。", "耕".repeat(49));
        let cut = texts(&sentence.repeat(3));
        assert_eq!(cut, vec![sentence; 3]);
    }

    #[test]
    fn unpunctuated_text_is_cut_by_length_with_an_overlap() {
        let text: String = (0..200)
            .filter_map(|n| char::from_u32(0x4E00 + n))
            .collect();
        let cut = texts(&text);
        assert!(cut.iter().all(|piece| piece.chars().count() <= LONGEST));
        let ends: String = cut[0].chars().skip(LONGEST - OVERLAP).collect();
        assert!(cut[1].starts_with(&ends));
        assert!(text.ends_with(cut.last().unwrap()));
    }

    #[test]
    fn notes_go_with_the_passage_they_stand_in() {
        let mut section = section(&format!("{}。{}。", "甲".repeat(59), "乙".repeat(59)));
        let note = |at, text: &str| Note {
            at,
            text: text.to_owned(),
        };
        section.notes = vec![note(0, "首"), note(59, "中"), note(120, "尾")];
        let notes: Vec<String> = pieces(&section).into_iter().map(|p| p.notes).collect();
        assert_eq!(notes, ["首 中", "尾"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(marks in proptest::collection::vec(proptest::bool::weighted(0.05), 0..400)) {
            // No character twice but the mark, so that each is found where it stands.
            let mut text = String::new();
            for (at, mark) in marks.iter().enumerate() {
                text.extend(char::from_u32(0x4E00 + at as u32));
                text.push_str(if *mark { "。" } else { "" });
            }
            let cut = texts(&text);
            for piece in &cut {
                prop_assert!(text.contains(piece.as_str()));
                prop_assert!(piece.chars().count() <= LONGEST);
            }
            let mut all: Vec<char> = cut.concat().chars().filter(|c| *c != '。').collect();
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(all.len(), marks.len());
        }
    }
}
