//! A section of a book: running text with notes at their places.

/// A note that is printed in small characters inside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Characters of the text before it.
    pub at: usize,
    /// What it says.
    pub text: String,
}

/// Running text under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The scroll (juan) or part of the book.
    pub juan: String,
    /// The heading; empty where there is none.
    pub heading: String,
    /// The page on which it begins, as the edition counts; empty where unknown.
    pub page: String,
    /// The text without notes; a line break where the edition leaves a gap.
    pub text: String,
    /// The notes, in order.
    pub notes: Vec<Note>,
    /// Names of characters that no encoding had when the text was typed; each stands as 〓 in it.
    pub rare: Vec<String>,
}

/// Stands for a character that cannot be written.
pub const GETA: char = '〓';

impl Section {
    /// Appends a note at the end of the text, or to the note that stands there already.
    pub fn note(&mut self, text: &str) {
        let at = self.text.chars().count();
        match self.notes.last_mut() {
            Some(last) if last.at == at => last.text.push_str(text),
            _ => self.notes.push(Note {
                at,
                text: text.to_owned(),
            }),
        }
    }

    /// Says whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.notes.is_empty()
    }
}
