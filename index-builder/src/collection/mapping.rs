//! Which field plays which part, from flags, a configuration, or the columns' names.

use almanac::index::SortSource;
use anyhow::{Result, bail};
use clap::Args;

use super::config::{Config, PrefixedField, TextField};
use super::{Table, detect};

/// Field names given on the command line; each overrides the configuration.
#[derive(Args, Clone, Debug, Default)]
pub struct MappingFlags {
    /// Field with the identifier, unique in the collection
    #[arg(long, value_name = "FIELD")]
    pub id: Option<String>,
    /// Field with the title of an object
    #[arg(long, value_name = "FIELD")]
    pub field_title: Option<String>,
    /// Fields whose text is searched, in reading order
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub text: Vec<String>,
    /// Fields found by their words alone, such as accession numbers
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub words: Vec<String>,
    /// Field with the date as the catalogue gives it
    #[arg(long, value_name = "FIELD")]
    pub date: Option<String>,
    /// Field with the first day or year of the date
    #[arg(long, value_name = "FIELD")]
    pub earliest: Option<String>,
    /// Field with the last day or year of the date
    #[arg(long, value_name = "FIELD")]
    pub latest: Option<String>,
    /// Field with the address of an object's page
    #[arg(long, value_name = "FIELD")]
    pub url: Option<String>,
    /// Field with the address of a picture
    #[arg(long, value_name = "FIELD")]
    pub image: Option<String>,
    /// Fields to show with a result
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub show: Vec<String>,
    /// Fields by which results are narrowed down, several values in a cell parted by ; or |
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub facets: Vec<String>,
    /// Fields that results can be sorted by: the title or others that are shown; dates always can
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    pub sort: Vec<String>,
}

/// The part each field plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    /// Identifier; rows are numbered where there is none.
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
    /// Fields whose text is searched, in reading order.
    pub text: Vec<TextField>,
    /// Fields found by their words alone.
    pub words: Vec<String>,
    /// Label and field of what is shown.
    pub show: Vec<(String, String)>,
    /// Fields by which results are narrowed down.
    pub facets: Vec<String>,
    /// Fields by which results can be sorted.
    pub sort: Vec<String>,
}

impl Mapping {
    /// Settles the mapping of a table: flags first, then the configuration; without a
    /// configuration the rest is guessed from the columns' names.
    ///
    /// # Errors
    /// If a named field is not there, or neither title nor text is known; the message lists the
    /// fields there are.
    pub fn resolve(table: &Table, config: Option<&Config>, flags: &MappingFlags) -> Result<Self> {
        let base = match config {
            Some(config) => Self::of_config(config),
            None => detect::detect(table),
        };
        let shown = |fields: &[String]| {
            fields
                .iter()
                .map(|field| (label_of(field), field.clone()))
                .collect::<Vec<_>>()
        };
        let plain = |fields: &[String]| fields.iter().cloned().map(TextField::Plain).collect();
        let mapping = Self {
            id: flags.id.clone().or(base.id),
            title: flags.field_title.clone().or(base.title),
            date: flags.date.clone().or(base.date),
            earliest: flags.earliest.clone().or(base.earliest),
            latest: flags.latest.clone().or(base.latest),
            url: flags.url.clone().or(base.url),
            image: flags.image.clone().or(base.image),
            text: non_empty(plain(&flags.text), base.text),
            words: non_empty(flags.words.clone(), base.words),
            show: non_empty(shown(&flags.show), base.show),
            facets: non_empty(flags.facets.clone(), base.facets),
            sort: non_empty(flags.sort.clone(), base.sort),
        };
        mapping.check(table)?;
        Ok(mapping)
    }

    fn of_config(config: &Config) -> Self {
        let fields = config.fields.clone();
        Self {
            id: fields.id,
            title: fields.title,
            date: fields.date,
            earliest: fields.earliest,
            latest: fields.latest,
            url: fields.url,
            image: fields.image,
            text: fields.text.unwrap_or_default(),
            words: fields.words.unwrap_or_default(),
            show: config.shown(),
            facets: fields.facets.unwrap_or_default(),
            sort: fields.sort.unwrap_or_default(),
        }
    }

    fn check(&self, table: &Table) -> Result<()> {
        if self.title.is_none() && self.text.is_empty() {
            bail!(
                "no field looks like a title or a text; name them with --field-title and --text \
                 out of: {}",
                list(table, None)
            );
        }
        for field in self.all() {
            column_of(table, field)?;
        }
        self.sort_sources()?;
        Ok(())
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        let single = [
            &self.id,
            &self.title,
            &self.date,
            &self.earliest,
            &self.latest,
            &self.url,
            &self.image,
        ];
        single
            .into_iter()
            .flatten()
            .map(String::as_str)
            .chain(self.text.iter().map(TextField::name))
            .chain(self.words.iter().map(String::as_str))
            .chain(self.show.iter().map(|(_, field)| field.as_str()))
            .chain(self.facets.iter().map(String::as_str))
            .chain(self.sort.iter().map(String::as_str))
    }

    /// Gives what documents can be sorted by.
    ///
    /// # Errors
    /// If a field is neither the title nor shown, since an index keeps no other values.
    pub fn sort_sources(&self) -> Result<Vec<SortSource>> {
        let source = |field: &String| {
            if self.title.as_ref() == Some(field) {
                return Ok(SortSource::Title);
            }
            let shown = self.show.iter().find(|(_, shown)| shown == field);
            match shown {
                Some((label, _)) => Ok(SortSource::Field(label.clone())),
                None if self.facets.contains(field) => Ok(SortSource::Field(label_of(field))),
                None => bail!("--sort {field}: show the field too, with --show or under [show]"),
            }
        };
        self.sort.iter().map(source).collect()
    }

    /// Gives the label of each facet: as it is shown, else from the field's name.
    pub fn facet_labels(&self) -> Vec<String> {
        let label = |field: &String| {
            let shown = self.show.iter().find(|(_, shown)| shown == field);
            shown.map_or_else(|| label_of(field), |(label, _)| label.clone())
        };
        self.facets.iter().map(label).collect()
    }

    /// Says in one line what was chosen.
    pub fn describe(&self) -> String {
        let one = |field: &Option<String>| field.clone().unwrap_or_else(|| "none".to_owned());
        let text: Vec<&str> = self.text.iter().map(TextField::name).collect();
        let show: Vec<&str> = self.show.iter().map(|(_, field)| field.as_str()).collect();
        let several = |names: &[&str]| match names {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        format!(
            "id = {}; title = {}; date = {}; earliest = {}; latest = {}; url = {}; image = {}; \
             text = {}; words = {}; show = {}; facets = {}; sort = {}",
            self.id.as_deref().unwrap_or("row number"),
            one(&self.title),
            one(&self.date),
            one(&self.earliest),
            one(&self.latest),
            one(&self.url),
            one(&self.image),
            several(&text),
            several(&self.words.iter().map(String::as_str).collect::<Vec<_>>()),
            several(&show),
            several(&self.facets.iter().map(String::as_str).collect::<Vec<_>>()),
            several(&self.sort.iter().map(String::as_str).collect::<Vec<_>>()),
        )
    }
}

impl TextField {
    /// Gives the field's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Plain(field) | Self::Prefixed(PrefixedField { field, .. }) => field,
        }
    }

    /// Gives the words before its value.
    pub fn prefix(&self) -> &str {
        match self {
            Self::Plain(_) => "",
            Self::Prefixed(PrefixedField { prefix, .. }) => prefix,
        }
    }
}

/// Gives the place of a field.
///
/// # Errors
/// If the table has no such field; the message lists those it has.
pub fn column_of(table: &Table, field: &str) -> Result<usize> {
    match table.column(field) {
        Some(place) => Ok(place),
        None => bail!(
            "there is no field {field:?}; the fields are: {}",
            list(table, Some(field))
        ),
    }
}

/// Makes a label of a field's name: `credit_line` reads "Credit line".
pub fn label_of(field: &str) -> String {
    let words = field.replace(['_', '.', '-', ':'], " ");
    let mut letters = words.trim().chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn non_empty<T>(given: Vec<T>, otherwise: Vec<T>) -> Vec<T> {
    if given.is_empty() { otherwise } else { given }
}

/// Lists the fields of a table, those inside a wanted group first.
fn list(table: &Table, wanted: Option<&str>) -> String {
    const MOST: usize = 40;
    let mut names: Vec<&str> = table.columns.iter().map(String::as_str).collect();
    if let Some(wanted) = wanted {
        let group = format!("{wanted}.");
        names.sort_by_key(|name| !name.starts_with(&group));
    }
    let more = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    let listed = names.join(", ");
    if more > 0 {
        format!("{listed} and {more} more")
    } else {
        listed
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::collection::table::Row;

    fn table() -> Table {
        Table {
            columns: ["id", "title", "date", "creator.name", "note"]
                .map(str::to_owned)
                .to_vec(),
            rows: vec![Row {
                line: 2,
                values: ["1", "Plough", "1850", "A", "x"]
                    .map(str::to_owned)
                    .to_vec(),
            }],
        }
    }

    #[test]
    fn flags_override_what_is_guessed() {
        let flags = MappingFlags {
            id: Some("note".into()),
            text: vec!["creator.name".into()],
            ..MappingFlags::default()
        };
        let mapping = Mapping::resolve(&table(), None, &flags).unwrap();
        assert_eq!(mapping.id.as_deref(), Some("note"));
        assert_eq!(mapping.title.as_deref(), Some("title"));
        assert_eq!(mapping.text, [TextField::Plain("creator.name".into())]);
    }

    #[test]
    fn with_a_configuration_nothing_is_guessed() {
        let mut config = Config::default();
        config.fields.title = Some("title".into());
        let flags = MappingFlags::default();
        let mapping = Mapping::resolve(&table(), Some(&config), &flags).unwrap();
        assert_eq!(mapping.id, None);
        assert_eq!(mapping.date, None);
    }

    #[test]
    fn a_field_that_is_not_there_is_answered_with_those_that_are() {
        let flags = MappingFlags {
            date: Some("creator".into()),
            ..MappingFlags::default()
        };
        let error = Mapping::resolve(&table(), None, &flags).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no field \"creator\"; the fields are: creator.name, id, title, date, note"
        );
    }

    #[test]
    fn labels_read_as_words() {
        assert_eq!(label_of("credit_line"), "Credit line");
        assert_eq!(label_of("creator.full_name"), "Creator full name");
    }
}
