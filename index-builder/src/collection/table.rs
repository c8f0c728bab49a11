//! Rows and columns, whatever file they came from.

use anyhow::{Result, bail};

/// The longest value of a field, 1 MiB: more is a broken quote or a file in the wrong place.
pub const MAX_FIELD_BYTES: usize = 1024 * 1024;

/// The most columns of a table: more is a table on its side, or a record used as a name.
pub const MAX_COLUMNS: usize = 4096;

/// The most rows of a table, four million: more than an index of one site can hold.
pub const MAX_ROWS: usize = 4_000_000;

/// One row: where it stands in the file and its values in column order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Line of the file where the row starts, from 1.
    pub line: u64,
    /// Values; a row of JSON may end before the last column.
    pub values: Vec<String>,
}

/// All rows of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Column names: CSV headers, or dotted paths of JSON.
    pub columns: Vec<String>,
    /// Rows in file order.
    pub rows: Vec<Row>,
}

impl Table {
    /// Appends a row.
    ///
    /// # Errors
    /// If there are [`MAX_ROWS`] already.
    pub fn push(&mut self, row: Row) -> Result<()> {
        if self.rows.len() == MAX_ROWS {
            bail!(
                "line {}: more than {MAX_ROWS} rows; split the collection",
                row.line
            );
        }
        self.rows.push(row);
        Ok(())
    }

    /// Gives the place of a column by its exact name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

impl Row {
    /// Gives a value without the blanks around it, empty where the row has none.
    pub fn value(&self, column: usize) -> &str {
        self.values.get(column).map_or("", |value| value.trim())
    }
}

/// Refuses a table of more columns than any catalogue has.
pub fn check_columns(count: usize, line: u64) -> Result<()> {
    if count > MAX_COLUMNS {
        bail!(
            "line {line}: {count} columns, at most {MAX_COLUMNS} are taken; give one object a row, \
             and values that vary as values and not as names"
        );
    }
    Ok(())
}

/// Refuses a value that no catalogue means.
pub fn check_value(value: &str, line: u64, column: &str) -> Result<()> {
    if value.len() > MAX_FIELD_BYTES {
        bail!(
            "line {line}, field {column}: {} bytes, at most {MAX_FIELD_BYTES} are taken; \
             shorten it, or look for a quote that is never closed",
            value.len()
        );
    }
    if value.contains('\0') {
        bail!(
            "line {line}, field {column}: holds a NUL character; remove it, or save the file as \
             UTF-8 if it is in another encoding"
        );
    }
    Ok(())
}
