//! JSON, one object a line, flattened to dotted columns.

use std::collections::HashMap;

use anyhow::{Result, bail};
use serde_json::Value;

use super::Table;
use super::table::{Row, check_value};

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
    let mut rows = Vec::new();
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
        let mut values: Vec<Vec<String>> = Vec::new();
        flatten(&object, &mut String::new(), &mut columns, &mut values);
        let values: Vec<String> = values.into_iter().map(join).collect();
        for (value, column) in values.iter().zip(&columns.names) {
            check_value(value, number, column)?;
        }
        rows.push(Row {
            line: number,
            values,
        });
    }
    Ok(Table {
        columns: columns.names,
        rows,
    })
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

fn flatten(value: &Value, path: &mut String, columns: &mut Columns, out: &mut Vec<Vec<String>>) {
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
    if out.len() <= place {
        out.resize(place + 1, Vec::new());
    }
    // Two makers of one nationality are one nationality to a reader.
    if !text.is_empty() && !out[place].contains(&text) {
        out[place].push(text);
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
