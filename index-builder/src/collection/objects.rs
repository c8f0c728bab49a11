//! From rows to objects: the values each part of an object takes.

use std::collections::HashMap;

use anyhow::{Result, bail};

use super::link::safe_address;
use super::mapping::{Mapping, label_of};
use super::table::Row;
use super::{Table, config::TextField};

/// Warnings of one kind shown before the rest are counted.
const WARNINGS_SHOWN: usize = 3;

/// Bytes of the longest identifier that is found by its words; a code of the lexicon is no longer.
const MOST_TYPED: usize = 40;

/// One object of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// Identifier, unique in the collection.
    pub id: String,
    /// Title, if the catalogue gives one.
    pub title: Option<String>,
    /// Date as the catalogue gives it.
    pub date: Option<String>,
    /// First day or year by the catalogue's own column.
    pub earliest: Option<String>,
    /// Last day or year by the catalogue's own column.
    pub latest: Option<String>,
    /// Address of its page.
    pub url: Option<String>,
    /// Address of a picture.
    pub image: Option<String>,
    /// Texts to search, in reading order, without those that are empty.
    pub text: Vec<String>,
    /// What is found by its words alone; the identifier first.
    pub words: Vec<String>,
    /// Label and value of what is shown.
    pub shown: Vec<(String, String)>,
    /// The values of each facet of the mapping.
    pub facets: Vec<Vec<String>>,
    /// Line of the row.
    pub line: u64,
}

/// Turns every row into an object; `warn` hears of values that were left out. A row's values are freed
/// once its object is there, so that a large collection is in memory once.
///
/// # Errors
/// If a row has no identifier or no text, or two rows share an identifier; the message names the
/// lines.
pub fn read_objects(
    table: Table,
    mapping: &Mapping,
    skip_empty: bool,
    warn: &mut dyn FnMut(String),
) -> Result<Vec<Object>> {
    let columns = Columns::of(&table, mapping);
    let mut objects = Vec::with_capacity(table.rows.len());
    let mut lines: HashMap<String, u64> = HashMap::with_capacity(table.rows.len());
    let mut dropped: Vec<String> = Vec::new();
    let mut skipped = 0usize;
    for (number, row) in table.rows.into_iter().enumerate() {
        let object = columns.object(&row, number, &mut dropped)?;
        if object.title.is_none() && object.text.is_empty() {
            if skip_empty {
                skipped += 1;
                continue;
            }
            bail!(
                "line {}: object {:?} has no text in {}; fill one in, or leave such rows out with \
                 --skip-empty",
                row.line,
                object.id,
                columns.text_names(mapping)
            );
        }
        if let Some(earlier) = lines.insert(object.id.clone(), row.line) {
            bail!(
                "lines {earlier} and {}: both have the identifier {:?}; give each row its own, or \
                 name another field with --id",
                row.line,
                object.id
            );
        }
        objects.push(object);
    }
    for warning in dropped.iter().take(WARNINGS_SHOWN) {
        warn(warning.clone());
    }
    if dropped.len() > WARNINGS_SHOWN {
        warn(format!(
            "{} more addresses left out like these",
            dropped.len() - WARNINGS_SHOWN
        ));
    }
    if skipped > 0 {
        warn(format!("{skipped} rows without text left out"));
    }
    if objects.is_empty() {
        bail!("no row has any text; name other fields with --field-title and --text");
    }
    Ok(objects)
}

/// Where in a row each part stands.
struct Columns {
    id: Option<usize>,
    title: Option<usize>,
    date: Option<usize>,
    url: Option<usize>,
    image: Option<usize>,
    text: Vec<(String, usize)>,
    shown: Vec<(String, usize)>,
    earliest: Option<usize>,
    latest: Option<usize>,
    facets: Vec<usize>,
    words: Vec<usize>,
}

impl Columns {
    fn of(table: &Table, mapping: &Mapping) -> Self {
        let place = |field: &Option<String>| field.as_deref().and_then(|f| table.column(f));
        let facets = mapping
            .facets
            .iter()
            .filter(|facet| !mapping.show.iter().any(|(_, field)| field == *facet))
            .map(|facet| (label_of(facet), facet.clone()));
        Self {
            id: place(&mapping.id),
            title: place(&mapping.title),
            date: place(&mapping.date),
            url: place(&mapping.url),
            image: place(&mapping.image),
            text: mapping
                .text
                .iter()
                .filter_map(|field| Some((field.prefix().to_owned(), table.column(field.name())?)))
                .collect(),
            shown: mapping
                .show
                .iter()
                .cloned()
                .chain(facets)
                .filter_map(|(label, field)| Some((label, table.column(&field)?)))
                .collect(),
            earliest: place(&mapping.earliest),
            latest: place(&mapping.latest),
            words: mapping
                .words
                .iter()
                .filter(|field| mapping.id.as_ref() != Some(field))
                .filter_map(|field| table.column(field))
                .collect(),
            facets: mapping
                .facets
                .iter()
                .filter_map(|field| table.column(field))
                .collect(),
        }
    }

    fn object(&self, row: &Row, number: usize, dropped: &mut Vec<String>) -> Result<Object> {
        let value = |column: Option<usize>| {
            column
                .map(|column| row.value(column))
                .filter(|value| !value.is_empty())
                .map(str::to_owned)
        };
        let id = match (self.id, value(self.id)) {
            (None, _) => (number + 1).to_string(),
            (Some(_), Some(id)) => id,
            (Some(_), None) => bail!(
                "line {}: the identifier is empty; fill it in, or name another field with --id",
                row.line
            ),
        };
        let mut address = |part: &str, column: Option<usize>| {
            let given = value(column)?;
            match safe_address(&given) {
                Ok(kept) => Some(kept.to_owned()),
                Err(why) => {
                    dropped.push(format!(
                        "line {}: {part} {given:?} left out: it {why}",
                        row.line
                    ));
                    None
                }
            }
        };
        let url = address("url", self.url);
        let image = address("image", self.image);
        let text = self
            .text
            .iter()
            .filter_map(|(prefix, column)| {
                value(Some(*column)).map(|text| format!("{prefix}{text}"))
            })
            .collect();
        let shown = self
            .shown
            .iter()
            .filter_map(|(label, column)| Some((label.clone(), value(Some(*column))?)))
            .collect();
        let facets = self
            .facets
            .iter()
            .map(|column| parts(row.value(*column)))
            .collect();
        // Longer ones are made by machines for machines, and nobody types them.
        let typed = self
            .id
            .map(|_| id.clone())
            .filter(|id| id.len() <= MOST_TYPED);
        let words = typed.into_iter();
        let words = words
            .chain(self.words.iter().filter_map(|column| value(Some(*column))))
            .collect();
        Ok(Object {
            id,
            title: value(self.title),
            date: value(self.date),
            earliest: value(self.earliest),
            latest: value(self.latest),
            url,
            image,
            text,
            words,
            shown,
            facets,
            line: row.line,
        })
    }

    fn text_names(&self, mapping: &Mapping) -> String {
        let names: Vec<&str> = mapping
            .title
            .iter()
            .map(String::as_str)
            .chain(mapping.text.iter().map(TextField::name))
            .collect();
        names.join(", ")
    }
}

/// The values of a cell that holds several, parted by `;` or `|` as catalogues do.
fn parts(cell: &str) -> Vec<String> {
    cell.split([';', '|'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::collection::mapping::MappingFlags;

    fn objects(csv: &str, skip_empty: bool) -> Result<(Vec<Object>, Vec<String>)> {
        let table = crate::collection::csv::parse(csv, b',')?;
        let mapping = Mapping::resolve(&table, None, &MappingFlags::default())?;
        let mut warnings = Vec::new();
        let objects = read_objects(table, &mapping, skip_empty, &mut |w| warnings.push(w))?;
        Ok((objects, warnings))
    }

    #[test]
    fn an_address_that_could_run_is_left_out_with_its_line() {
        let (objects, warnings) = objects(
            "id,title,url\n1,Plough,javascript:alert(1)\n2,Pot,https://example.org\n",
            false,
        )
        .unwrap();
        assert_eq!(objects[0].url, None);
        assert_eq!(objects[1].url.as_deref(), Some("https://example.org"));
        assert_eq!(warnings.len(), 1);
        assert!(
            warnings[0].starts_with("line 2: url \"javascript:"),
            "{}",
            warnings[0]
        );
    }

    #[test]
    fn two_rows_with_one_identifier_are_refused_with_both_lines() {
        let error = objects("id,title\n7,a\n8,b\n7,c\n", false).unwrap_err();
        assert!(error.to_string().starts_with("lines 2 and 4: "), "{error}");
    }

    #[test]
    fn a_row_without_text_is_refused_or_left_out_on_request() {
        let csv = "id,title,description\n1,a,b\n2,,\n";
        let error = objects(csv, false).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 3: object \"2\" has no text in title, description; fill one in, or leave such \
             rows out with --skip-empty"
        );
        let (objects, warnings) = objects(csv, true).unwrap();
        assert_eq!(objects.len(), 1);
        assert_eq!(warnings, ["1 rows without text left out"]);
    }

    #[test]
    fn rows_are_numbered_where_no_field_is_an_identifier() {
        let (objects, _) = objects("title\na\nb\n", false).unwrap();
        let ids: Vec<&str> = objects.iter().map(|o| o.id.as_str()).collect();
        assert_eq!(ids, ["1", "2"]);
    }
}
