//! `collection.toml`: which fields of a collection mean what.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// What a `collection.toml` may say.
///
/// ```toml
/// title = "Museum of Ploughs"
/// examples = ["a plough pulled by oxen", "tools of the 1820s"]
///
/// [fields]
/// id = "accession_number"
/// title = "title"
/// date = "made"
/// earliest = "made_from"
/// latest = "made_to"
/// url = "web_url"
/// text = ["description", { field = "maker.name", prefix = "by " }]
///
/// [show]
/// Medium = "medium"
///
/// [dates]
/// preset = "tate"
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The collection's title.
    pub title: Option<String>,
    /// Searches that the page offers at first; the first stands in the empty box.
    #[serde(default)]
    pub examples: Vec<String>,
    /// Most tokens of a passage, special tokens included.
    pub passage_tokens: Option<usize>,
    /// Which field plays which part.
    #[serde(default)]
    pub fields: FieldNames,
    /// Fields to show with a result: label = field, in this order.
    #[serde(default)]
    pub show: toml::Table,
    /// How dates are read.
    #[serde(default)]
    pub dates: Dates,
}

/// The `[dates]` of a [`Config`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dates {
    /// The conventions, by the name of a preset.
    pub preset: Option<String>,
}

/// The `[fields]` of a [`Config`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldNames {
    /// Identifier, unique in the collection.
    pub id: Option<String>,
    /// Title of an object.
    pub title: Option<String>,
    /// Date as the catalogue gives it.
    pub date: Option<String>,
    /// First day or year of the date.
    pub earliest: Option<String>,
    /// Last day or year of the date.
    pub latest: Option<String>,
    /// Address of an object's page.
    pub url: Option<String>,
    /// Address of a picture.
    pub image: Option<String>,
    /// Fields whose text is searched, in reading order after title and date.
    pub text: Option<Vec<TextField>>,
    /// Fields found by their words alone, such as accession numbers; the identifier always is.
    pub words: Option<Vec<String>>,
    /// Fields by which results are narrowed down; shown like the others.
    pub facets: Option<Vec<String>>,
    /// As `--sort`.
    pub sort: Option<Vec<String>>,
}

/// A field whose text is searched.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a field name or { field = \"…\", prefix = \"…\" }"
)]
pub enum TextField {
    /// Its values as they are.
    Plain(String),
    /// Its values after words that make them read well, such as `by `.
    Prefixed(PrefixedField),
}

/// A field with words before its value.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrefixedField {
    /// Name of the field.
    pub field: String,
    /// Words put before a value that is not empty.
    pub prefix: String,
}

/// Characters of the longest example: more than that is no example of how people search.
const LONGEST_EXAMPLE: usize = 120;

fn shows(example: &str) -> bool {
    !example.trim().is_empty() && example.chars().count() <= LONGEST_EXAMPLE
}

impl Config {
    /// Reads a configuration; its bytes are returned too, for the record of what was built.
    ///
    /// # Errors
    /// If it cannot be read, is not TOML, or has a key that means nothing; the message names the
    /// line.
    pub fn read(path: &Path) -> Result<(Self, Vec<u8>)> {
        let place = path.display().to_string();
        let bytes = std::fs::read(path).with_context(|| place.clone())?;
        let config = Self::parse(&bytes).with_context(|| place)?;
        Ok((config, bytes))
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let text = std::str::from_utf8(bytes).context("not UTF-8; save the file as UTF-8")?;
        let config: Self = toml::from_str(text).map_err(|e| {
            let line = e.span().map_or(1, |span| {
                let before = text.get(..span.start).unwrap_or_default();
                before.matches('\n').count() + 1
            });
            let message = e.message().replace('\n', ", ");
            anyhow::anyhow!("line {line}: {message}")
        })?;
        if let Some(example) = config.examples.iter().find(|text| !shows(text)) {
            anyhow::bail!(
                "examples: {example:?} is no search of 1 to {LONGEST_EXAMPLE} characters"
            );
        }
        if let Some((label, _)) = config.show.iter().find(|(_, v)| !v.is_str()) {
            anyhow::bail!("show.{label}: expected the name of a field in quotes");
        }
        Ok(config)
    }

    /// Gives label and field of what is shown, in order.
    pub fn shown(&self) -> Vec<(String, String)> {
        self.show
            .iter()
            .filter_map(|(label, field)| Some((label.clone(), field.as_str()?.to_owned())))
            .collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_order_and_text_fields_their_prefix() {
        let config = Config::parse(
            br#"
            title = "T"
            [fields]
            text = ["a", { field = "b", prefix = "by " }]
            [show]
            Zinc = "z"
            Acid = "a"
            "#,
        )
        .unwrap();
        let labels: Vec<String> = config.shown().into_iter().map(|(label, _)| label).collect();
        assert_eq!(labels, ["Zinc", "Acid"]);
        let prefixed = TextField::Prefixed(PrefixedField {
            field: "b".into(),
            prefix: "by ".into(),
        });
        assert_eq!(
            config.fields.text.unwrap(),
            [TextField::Plain("a".into()), prefixed]
        );
    }

    #[test]
    fn a_key_that_means_nothing_is_named_with_its_line() {
        let error = Config::parse(b"title = \"T\"\n[fields]\ntitel = \"x\"\n").unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with("line 3: unknown field `titel`"),
            "{error}"
        );
        let error = Config::parse(b"[show]\nA = 1\n").unwrap_err();
        assert!(error.to_string().starts_with("show.A"), "{error}");
    }

    #[test]
    fn broken_toml_is_named_with_its_line() {
        let error = Config::parse(b"title = \"T\"\n[fields\n").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}
