//! JSON, one object a line, flattened to dotted columns.

use std::collections::{HashMap, HashSet};

use anyhow::{Result, bail};
use serde_json::Value;

use super::Table;
use super::table::{MAX_COLUMNS, Row, check_columns, check_value};

/// What stands between the values of an array.
const SEPARATOR: &str = "; ";

/// Parses one object a line; `{"a": {"b": 1}}` has the column `a.b`, an array joins its values.
///
/// # Errors
/// If a line is not a JSON object or a value is refused; the message names the line.
pub fn parse(text: &str) -> Result<Table> {
    if text.trim_start().starts_with('[') {
        bail!("line 1: a JSON array, expected one object a line; convert it with `jq -c '.[]'`");
    }
    let mut columns = Columns::default();
    let mut table = Table::default();
    for (number, line) in text.lines().enumerate() {
        let number = number as u64 + 1;
        if line.trim().is_empty() {
            continue;
        }
        let object = match serde_json::from_str(line) {
            Ok(Value::Object(object)) => Value::Object(object),
            Ok(other) => bail!(
                "line {number}: {}, expected an object in braces",
                kind(&other)
            ),
            Err(e) => bail!(
                "line {number}, column {}: {}; correct the JSON of this line",
                e.column(),
                plain_message(&e)
            ),
        };
        let mut cells = Cells::default();
        flatten(&object, &mut String::new(), &mut columns, &mut cells);
        check_columns(columns.names.len(), number)?;
        let values: Vec<String> = cells.values.into_iter().map(join).collect();
        for (value, column) in values.iter().zip(&columns.names) {
            check_value(value, number, column)?;
        }
        table.push(Row {
            line: number,
            values,
        })?;
    }
    table.columns = columns.names;
    Ok(table)
}

#[derive(Default)]
struct Columns {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Columns {
    fn place(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.names.len();
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }
}

/// The values of one row, each once a column.
#[derive(Default)]
struct Cells {
    values: Vec<Vec<String>>,
    seen: HashSet<(usize, String)>,
}

fn flatten(value: &Value, path: &mut String, columns: &mut Columns, out: &mut Cells) {
    // The row is refused by its columns; what follows would only take memory.
    if columns.names.len() > MAX_COLUMNS {
        return;
    }
    let text = match value {
        Value::Null => String::new(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => {
            for item in items {
                flatten(item, path, columns, out);
            }
            return;
        }
        Value::Object(members) => {
            for (name, member) in members {
                let length = path.len();
                if length > 0 {
                    path.push('.');
                }
                path.push_str(name);
                flatten(member, path, columns, out);
                path.truncate(length);
            }
            return;
        }
    };
    let place = columns.place(path);
    if out.values.len() <= place {
        out.values.resize(place + 1, Vec::new());
    }
    // Two makers of one nationality are one nationality to a reader.
    if !text.is_empty() && out.seen.insert((place, text.clone())) {
        out.values[place].push(text);
    }
}

fn join(values: Vec<String>) -> String {
    values.join(SEPARATOR)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Drops serde_json's own " at line 1 column n": its line is always 1 here.
fn plain_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.find(" at line ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn values_used_as_names_are_refused_before_they_fill_the_memory() {
        let line = |n: usize| format!("{{\"a{n}\":1,\"b{n}\":2}}\n");
        let error = parse(&(0..3_000).map(line).collect::<String>()).unwrap_err();
        let says = error.to_string();
        assert!(
            says.starts_with("line 2049: 4098 columns, at most 4096")
                || says.starts_with("line 2049: 4097"),
            "{says}"
        );
    }

    #[test]
    fn a_list_of_very_many_values_is_refused_by_its_length() {
        let list: Vec<String> = (0..300_000).map(|n| n.to_string()).collect();
        let error = parse(&format!("{{\"a\":[{}]}}", list.join(","))).unwrap_err();
        assert!(error.to_string().starts_with("line 1, field a:"), "{error}");
    }

    #[test]
    fn nested_fields_become_dotted_columns_and_arrays_join() {
        let table = parse(concat!(
            r#"{"id":1,"creator":[{"name":"A","from":"US"},{"name":"B","from":"US"}],"x":null}"#,
            "\n\n",
            r#"{"id":2,"tags":["oak","iron"],"dc.title":"Plough","deep":{"a":[[1],[2]]}}"#,
            "\n"
        ))
        .unwrap();
        let value = |row: usize, name: &str| {
            let column = table.column(name).unwrap();
            table.rows[row].value(column).to_owned()
        };
        assert_eq!(value(0, "creator.name"), "A; B");
        assert_eq!(value(0, "creator.from"), "US");
        assert_eq!(value(0, "tags"), "");
        assert_eq!(value(1, "tags"), "oak; iron");
        assert_eq!(value(1, "dc.title"), "Plough");
        assert_eq!(value(1, "deep.a"), "1; 2");
        assert_eq!(table.rows[1].line, 3);
    }

    #[test]
    fn a_malformed_line_is_named_with_its_column() {
        let error = parse("{\"id\":1}\n{\"id\":}\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2, column 7: expected value; correct the JSON of this line"
        );
    }

    #[test]
    fn a_line_that_is_no_object_is_refused() {
        let error = parse("{\"id\":1}\n7\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: a number, expected an object in braces"
        );
        let error = parse("[{\"id\":1}]").unwrap_err();
        assert!(error.to_string().contains("jq -c"), "{error}");
    }
}
