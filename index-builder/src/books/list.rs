//! The list of books: which file is which, and in what form.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use serde::Deserialize;

use super::section::Section;
use super::{kanripo, plain};

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Kanripo's markup.
    Kanripo,
    /// Punctuated paragraphs, one a line.
    Paragraphs,
    /// A table of sentences with the columns book, chapter and classical.
    Table,
}

/// One book of a list.
///
/// ```toml
/// [[book]]
/// id = "qmys"
/// title = "齊民要術"
/// author = "賈思勰"
/// date = "533–544"
/// earliest = "533"
/// latest = "544"
/// file = "KR3d0001.txt.gz"
/// form = "kanripo"
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Book {
    /// Short name, the beginning of its passages' identifiers.
    pub id: String,
    /// Title, as shown.
    pub title: String,
    /// Author.
    #[serde(default)]
    pub author: String,
    /// Date, as shown.
    #[serde(default)]
    pub date: String,
    /// First year.
    #[serde(default)]
    pub earliest: String,
    /// Last year.
    #[serde(default)]
    pub latest: String,
    /// File, from the folder of the list.
    pub file: PathBuf,
    /// How the file is written.
    pub form: Form,
    /// What the book is called in a table, where not by its title.
    #[serde(default)]
    pub name: Option<String>,
    /// Whether the file is in simplified characters.
    #[serde(default)]
    pub simplified: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    book: Vec<Book>,
}

impl Book {
    /// Reads a list.
    ///
    /// # Errors
    /// If it cannot be read or is not such a list.
    pub fn list(path: &Path) -> Result<Vec<Self>> {
        let place = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| place.clone())?;
        let list: List = toml::from_str(&text).with_context(|| place)?;
        Ok(list.book)
    }

    /// Reads the book's sections.
    ///
    /// # Errors
    /// If the file cannot be read or is not in its form.
    pub(super) fn sections(&self, folder: &Path) -> Result<Vec<Section>> {
        let path = folder.join(&self.file);
        let text = read(&path).with_context(|| path.display().to_string())?;
        let sections = match self.form {
            Form::Kanripo => kanripo::read(&text),
            Form::Paragraphs => plain::paragraphs(&text),
            Form::Table => plain::table(&text, self.name.as_deref().unwrap_or(&self.title)),
        };
        sections.with_context(|| path.display().to_string())
    }
}

fn read(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path)?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1F, 0x8B]) {
        MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    } else {
        bytes.as_slice().read_to_string(&mut text)?;
    }
    Ok(text)
}
