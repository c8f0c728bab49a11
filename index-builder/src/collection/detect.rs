//! Guessing which column is what from the names that catalogues use.

use super::Table;
use super::config::TextField;
use super::mapping::{Mapping, label_of};

/// Names of identifiers, best first.
const ID: &[&str] = &[
    "objectid",
    "id",
    "identifier",
    "objectnumber",
    "accessionnumber",
    "recordid",
    "uuid",
    "number",
];
const TITLE: &[&str] = &[
    "title",
    "objecttitle",
    "name",
    "objectname",
    "label",
    "heading",
];
const DATE: &[&str] = &[
    "date",
    "datetext",
    "displaydate",
    "creationdate",
    "datecreated",
    "objectdate",
    "dates",
    "created",
    "dated",
    "year",
    "period",
];
const EARLIEST: &[&str] = &[
    "creationdateearliest",
    "earliest",
    "earliestdate",
    "dateearliest",
    "datestart",
    "startdate",
    "datebegin",
    "objectbegindate",
    "begindate",
    "datefrom",
    "startyear",
    "yearfrom",
];
const LATEST: &[&str] = &[
    "creationdatelatest",
    "latest",
    "latestdate",
    "datelatest",
    "dateend",
    "enddate",
    "objectenddate",
    "dateto",
    "endyear",
    "yearto",
];
const URL: &[&str] = &[
    "url",
    "weburl",
    "objecturl",
    "permalink",
    "link",
    "referenceurl",
    "homepage",
    "uri",
];
const IMAGE: &[&str] = &[
    "imagethumb",
    "thumbnail",
    "thumbnailurl",
    "imagesmall",
    "primaryimagesmall",
    "imageurl",
    "image",
    "primaryimage",
];
/// Names of numbers and codes by which people ask for one thing.
const WORDS: &[&str] = &[
    "accessionnumber",
    "objectnumber",
    "inventorynumber",
    "callnumber",
    "shelfmark",
    "identifier",
    "isbn",
    "doi",
];
/// Names of fields worth searching, in reading order.
const TEXT: &[&str] = &[
    "creator",
    "creators",
    "artist",
    "artists",
    "allartists",
    "artistdisplayname",
    "author",
    "authors",
    "maker",
    "medium",
    "materials",
    "classification",
    "objecttype",
    "culture",
    "description",
    "abstract",
    "summary",
    "subject",
    "subjects",
    "keywords",
    "tags",
    "location",
    "place",
    "imagealttext",
    "notes",
    "transcript",
    "objecttranscript",
    "transcription",
    "fulltext",
    "text",
    "body",
    "content",
];
/// Names of fields a reader wants to see, in order.
const SHOW: &[&str] = &[
    "creator",
    "creators",
    "artist",
    "artists",
    "allartists",
    "artistdisplayname",
    "author",
    "maker",
    "medium",
    "materials",
    "location",
    "place",
    "culture",
    "classification",
    "type",
    "department",
    "source",
    "creditline",
    "rights",
];

/// Guesses a mapping; what is not recognised stays empty.
pub fn detect(table: &Table) -> Mapping {
    let names: Vec<String> = table.columns.iter().map(|name| plain(name)).collect();
    let used = |place: usize| table.rows.iter().any(|row| !row.value(place).is_empty());
    let full = |place: usize| table.rows.iter().all(|row| !row.value(place).is_empty());
    let first = |candidates: &[&str], accept: &dyn Fn(usize) -> bool| {
        candidates
            .iter()
            .filter_map(|candidate| names.iter().position(|name| name == candidate))
            .find(|&place| accept(place))
            .map(|place| table.columns[place].clone())
    };
    let all = |candidates: &[&str]| -> Vec<String> {
        candidates
            .iter()
            .filter_map(|candidate| names.iter().position(|name| name == candidate))
            .filter(|&place| used(place))
            .map(|place| table.columns[place].clone())
            .collect()
    };
    Mapping {
        id: first(ID, &full),
        title: first(TITLE, &used),
        date: first(DATE, &used),
        earliest: first(EARLIEST, &used),
        latest: first(LATEST, &used),
        url: first(URL, &used),
        image: first(IMAGE, &used),
        text: all(TEXT).into_iter().map(TextField::Plain).collect(),
        words: all(WORDS),
        show: all(SHOW)
            .into_iter()
            .map(|field| (label_of(&field), field))
            .collect(),
        ..Mapping::default()
    }
}

/// Strips case, punctuation and a Dublin Core prefix: `dcterms:Date_Created` is `datecreated`.
fn plain(name: &str) -> String {
    let lower = name.to_lowercase();
    let bare = ["dcterms", "dc"]
        .iter()
        .find_map(|prefix| {
            lower
                .strip_prefix(prefix)
                .and_then(|rest| rest.strip_prefix([':', '.', '_']))
        })
        .unwrap_or(&lower);
    bare.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::table::Row;

    fn table(columns: &[&str], rows: &[&[&str]]) -> Table {
        Table {
            columns: columns.iter().map(|&c| c.to_owned()).collect(),
            rows: rows
                .iter()
                .map(|values| Row {
                    line: 2,
                    values: values.iter().map(|&v| v.to_owned()).collect(),
                })
                .collect(),
        }
    }

    #[test]
    fn names_are_known_in_any_case_and_with_dublin_core_prefixes() {
        assert_eq!(plain("dcterms:Date_Created"), "datecreated");
        assert_eq!(plain("dc.title"), "title");
        assert_eq!(plain("Object ID"), "objectid");
        assert_eq!(plain("dcount"), "dcount");
    }

    #[test]
    fn an_identifier_with_holes_and_an_empty_column_are_passed_over() {
        let mapping = detect(&table(
            &["identifier", "id", "Title", "creator", "description"],
            &[&["", "1", "Plough", "", "oak"], &["x", "2", "Pot", "", ""]],
        ));
        assert_eq!(mapping.id.as_deref(), Some("id"));
        assert_eq!(mapping.title.as_deref(), Some("Title"));
        assert_eq!(mapping.text, [TextField::Plain("description".into())]);
        assert!(mapping.show.is_empty());
    }
}
