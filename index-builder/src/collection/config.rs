//! `collection.toml`: which fields of a collection mean what.

use std::path::Path;

use almanac::index::RankingWeights;
use almanac::search::time::TimeScore;
use anyhow::{Context, Result, bail};
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
///
/// [ranking]
/// words = 0.5
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
    /// A table of `almanac-model data translations`, beside this file, for a collection whose readers
    /// write otherwise than its texts.
    pub translations: Option<String>,
    /// Which field plays which part.
    #[serde(default)]
    pub fields: FieldNames,
    /// Fields to show with a result: label = field, in this order.
    #[serde(default)]
    pub show: toml::Table,
    /// How dates are read.
    #[serde(default)]
    pub dates: Dates,
    /// How much the parts of the ranking count, where no judged queries say so.
    #[serde(default)]
    pub ranking: Ranking,
}

/// The `[ranking]` of a [`Config`]: shares from 0 to 1, the general ones where none is given.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// The share of time, for queries that name one.
    pub time: Option<f64>,
    /// The share of words in what is not time.
    pub words: Option<f64>,
    /// How dates are compared: "museum", or "prose" for texts that tell what lasted.
    pub time_score: Option<String>,
}

impl Ranking {
    /// Gives the weights as an index keeps them.
    ///
    /// # Errors
    /// If a share is not from 0 to 1, or the way to compare dates is neither "museum" nor "prose".
    pub fn weights(&self) -> Result<RankingWeights> {
        for (name, share) in [("time", self.time), ("words", self.words)] {
            if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share)) {
                bail!("ranking.{name} is {share}; give a share from 0 to 1");
            }
        }
        let general = RankingWeights::default();
        let time_score = match self.time_score.as_deref() {
            None => general.time_score,
            Some("museum") => TimeScore::Museum,
            Some("prose") => TimeScore::Prose,
            Some(other) => bail!("ranking.time_score is {other:?}; give \"museum\" or \"prose\""),
        };
        Ok(RankingWeights {
            time: self.time.unwrap_or(general.time),
            words: self.words.unwrap_or(general.words),
            time_score,
            chosen_on: 0,
        })
    }
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
            bail!("show.{label}: expected the name of a field in quotes");
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
    fn shares_of_the_ranking_are_taken_and_those_out_of_range_refused() {
        let ranking = |text: &str| Config::parse(text.as_bytes()).unwrap().ranking.weights();
        let given = ranking("[ranking]\nwords = 0.6\n").unwrap();
        assert_eq!(given.words, 0.6);
        assert_eq!(given.time, RankingWeights::default().time);
        let error = ranking("[ranking]\ntime = 1.5\n").unwrap_err().to_string();
        assert_eq!(error, "ranking.time is 1.5; give a share from 0 to 1");
        let given = ranking("[ranking]\ntime_score = \"prose\"\n").unwrap();
        assert_eq!(given.time_score, TimeScore::Prose);
        let error = ranking("[ranking]\ntime_score = \"temps\"\n").unwrap_err();
        let message = "ranking.time_score is \"temps\"; give \"museum\" or \"prose\"";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn broken_toml_is_named_with_its_line() {
        let error = Config::parse(b"title = \"T\"\n[fields\n").unwrap_err();
        assert!(error.to_string().starts_with("line 2: "), "{error}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}
