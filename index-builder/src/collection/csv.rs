//! Comma, semicolon and tab separated values (RFC 4180 quoting).

use std::collections::HashSet;

use anyhow::{Context, Result, bail};

use super::Table;
use super::table::{Row, check_columns, check_value};

/// Gives the delimiter of a CSV file by its header: semicolons where they outnumber commas.
pub fn delimiter_of(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or_default();
    let count = |delimiter: char| header.chars().filter(|&c| c == delimiter).count();
    if count(';') > count(',') { b';' } else { b',' }
}

/// Parses a file whose first line names the columns.
///
/// # Errors
/// If a column is named twice, a row has more or fewer values than the header, or a value is
/// refused; the message names the line.
pub fn parse(text: &str, delimiter: u8) -> Result<Table> {
    let mut reader = ::csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(text.as_bytes());
    let header = reader
        .headers()
        .context("line 1: the header cannot be read")?;
    check_columns(header.len(), 1)?;
    let mut columns: Vec<String> = Vec::with_capacity(header.len());
    let mut names = HashSet::new();
    for (place, name) in header.iter().map(str::trim).enumerate() {
        check_value(name, 1, &format!("{} of the header", place + 1))?;
        if !name.is_empty() && !names.insert(name) {
            bail!("line 1: the column {name} is there twice; rename one");
        }
        columns.push(name.to_owned());
    }
    let mut table = Table {
        columns,
        rows: Vec::new(),
    };
    let mut record = ::csv::StringRecord::new();
    let mut lines = Lines::new(text);
    while reader.read_record(&mut record)? {
        let start = record.position().map_or(0, ::csv::Position::byte);
        let line = lines.line_of(start as usize);
        if record.len() != table.columns.len() {
            bail!(
                "line {line}: {} values, the header has {} columns; put values that contain the \
                 delimiter in double quotes and leave missing ones empty",
                record.len(),
                table.columns.len()
            );
        }
        for (value, column) in record.iter().zip(&table.columns) {
            check_value(value, line, column)?;
        }
        table.push(Row {
            line,
            values: record.iter().map(str::to_owned).collect(),
        })?;
    }
    Ok(table)
}

/// Counts lines as the reader moves on; its own count is one short where lines end in CR LF.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            line: 1,
        }
    }

    /// Gives the line of the first row at or after byte `start`; starts must rise.
    fn line_of(&mut self, start: usize) -> u64 {
        while let Some(byte) = self.bytes.get(self.at) {
            if self.at >= start && !matches!(byte, b'\r' | b'\n') {
                break;
            }
            self.line += u64::from(*byte == b'\n');
            self.at += 1;
        }
        self.line
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_header_of_too_many_columns_or_too_long_a_name_is_refused() {
        let wide = (0..5_000)
            .map(|n| format!("c{n}"))
            .collect::<Vec<_>>()
            .join(",");
        let error = parse(&wide, b',').unwrap_err().to_string();
        assert!(
            error.starts_with("line 1: 5000 columns, at most 4096"),
            "{error}"
        );
        let error = parse(&"a".repeat(2_000_000), b',').unwrap_err().to_string();
        assert!(
            error.starts_with("line 1, field 1 of the header: 2000000 bytes"),
            "{error}"
        );
    }

    #[test]
    fn lines_are_those_of_the_file_where_a_row_starts() {
        let table = parse("id,title\r\n1,\"two\nlines\"\r\n2,x\r\n", b',').unwrap();
        let lines: Vec<u64> = table.rows.iter().map(|row| row.line).collect();
        assert_eq!(lines, [2, 4]);
        assert_eq!(table.rows[0].value(1), "two\nlines");
        let table = parse("id,title\n\n1,x\n\n\n2,y\n", b',').unwrap();
        let lines: Vec<u64> = table.rows.iter().map(|row| row.line).collect();
        assert_eq!(lines, [3, 6]);
    }

    #[test]
    fn a_row_with_too_many_or_too_few_values_is_refused_with_its_line() {
        for (text, found) in [("a,b\n1,2\n1,2,3\n", 3), ("a,b\n1,2\n1\n", 1)] {
            let error = parse(text, b',').unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("line 3: {found} values, the header has 2")),
                "{error}"
            );
        }
    }

    #[test]
    fn a_column_named_twice_is_refused() {
        let error = parse("id,title,id\n1,2,3\n", b',').unwrap_err();
        assert!(error.to_string().contains("id is there twice"), "{error}");
    }

    #[test]
    fn semicolons_are_seen_in_the_header() {
        assert_eq!(delimiter_of("id;title;date\n1;a, b;c\n"), b';');
        assert_eq!(delimiter_of("id,title\n"), b',');
    }
}
