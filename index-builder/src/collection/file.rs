//! Reading a collection's file: format, compression and encoding.

use std::io::Read;
use std::path::{Path, PathBuf};

use almanac::index::sha256_hex;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use flate2::read::MultiGzDecoder;

use super::{Table, csv, json_lines};

/// How rows are written in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputFormat {
    /// Values between commas or semicolons, the first line names the columns.
    Csv,
    /// Values between tabs, the first line names the columns.
    Tsv,
    /// One JSON object a line.
    Jsonl,
}

/// The most bytes that compressed data may unpack to, for each of its own. Catalogues reach 20;
/// gzip can reach 1032.
const UNPACKED_RATIO: u64 = 100;
/// What it may unpack to in any case, 16 MiB.
const UNPACKED_LEAST: u64 = 16 * 1024 * 1024;

/// A collection's file as it lies on disk.
pub struct SourceFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl SourceFile {
    /// Reads a file into memory.
    ///
    /// # Errors
    /// If it cannot be read or is empty.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        if bytes.is_empty() {
            bail!("{}: the file is empty; give one with rows", path.display());
        }
        Ok(Self {
            path: path.to_owned(),
            bytes,
        })
    }

    /// Gives the SHA-256 of the file's bytes.
    pub fn sha256(&self) -> String {
        sha256_hex(&self.bytes)
    }

    /// Gives the file's name without folders and extensions.
    pub fn stem(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        name.split('.').next().unwrap_or(&name).to_owned()
    }

    /// Parses the rows, gunzipping first where the file is compressed.
    ///
    /// # Errors
    /// If the file is not UTF-8, not of its format, or has no row; the message names the line.
    pub fn into_table(self, format: Option<InputFormat>) -> Result<Table> {
        let place = self.path.display().to_string();
        self.parse(format).with_context(|| place)
    }

    fn parse(self, format: Option<InputFormat>) -> Result<Table> {
        let format = match format {
            Some(format) => format,
            None => format_of_name(&self.path)?,
        };
        let bytes = gunzip(self.bytes)?;
        let text = utf8(&bytes)?;
        if text.trim().is_empty() {
            bail!("the file is empty; give one with rows");
        }
        let table = match format {
            InputFormat::Csv => csv::parse(text, csv::delimiter_of(text))?,
            InputFormat::Tsv => csv::parse(text, b'\t')?,
            InputFormat::Jsonl => json_lines::parse(text)?,
        };
        if table.rows.is_empty() {
            bail!("there are no rows after the header; give at least one");
        }
        Ok(table)
    }
}

fn format_of_name(path: &Path) -> Result<InputFormat> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("csv") => Ok(InputFormat::Csv),
        Some("tsv" | "tab") => Ok(InputFormat::Tsv),
        Some("jsonl" | "ndjson" | "json") => Ok(InputFormat::Jsonl),
        _ => bail!("the name does not say the format; add --format csv, tsv or jsonl"),
    }
}

fn gunzip(bytes: Vec<u8>) -> Result<Vec<u8>> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let most = UNPACKED_LEAST.max(bytes.len() as u64 * UNPACKED_RATIO);
    let mut plain = Vec::new();
    MultiGzDecoder::new(bytes.as_slice())
        .take(most + 1)
        .read_to_end(&mut plain)
        .context("the gzip data is damaged or cut short; fetch or compress the file again")?;
    if plain.len() as u64 > most {
        bail!(
            "the gzip data of {} bytes unpacks to more than {most}, which no catalogue does; unpack \
             it yourself if it is meant",
            bytes.len()
        );
    }
    Ok(plain)
}

fn utf8(bytes: &[u8]) -> Result<&str> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        bail!("line 1: the text is UTF-16; save the file as UTF-8");
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|e| {
        let (before, after) = bytes.split_at(e.valid_up_to());
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        anyhow::anyhow!(
            "line {line}, byte {}: 0x{:02x} is not UTF-8; save the file as UTF-8",
            before.len() - start + 1,
            after.first().copied().unwrap_or_default()
        )
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn table(name: &str, bytes: &[u8]) -> Result<Table> {
        let source = SourceFile {
            path: name.into(),
            bytes: bytes.to_vec(),
        };
        source.into_table(None)
    }

    #[test]
    fn the_first_byte_that_is_not_utf8_is_named_by_line() {
        let error = table("a.csv", b"id,title\n1,caf\xe9\n").unwrap_err();
        assert_eq!(
            format!("{error:#}"),
            "a.csv: line 2, byte 6: 0xe9 is not UTF-8; save the file as UTF-8"
        );
    }

    #[test]
    fn gzip_and_byte_order_mark_are_seen_through() {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder
            .write_all(b"\xef\xbb\xbfid,title\n1,Plough\n")
            .unwrap();
        let gzip = encoder.finish().unwrap();
        let rows = table("a.csv.gz", &gzip).unwrap();
        assert_eq!(rows.columns, ["id", "title"]);
        let error = table("a.csv.gz", &gzip[..gzip.len() - 9]).unwrap_err();
        assert!(format!("{error:#}").contains("gzip"), "{error:#}");
    }

    #[test]
    fn gzip_that_unpacks_a_hundredfold_is_refused() {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        for _ in 0..64 {
            encoder.write_all(&[b' '; 1024 * 1024]).unwrap();
        }
        let error = table("a.csv.gz", &encoder.finish().unwrap()).unwrap_err();
        assert!(
            format!("{error:#}").contains("unpacks to more than"),
            "{error:#}"
        );
    }

    #[test]
    fn a_name_without_a_known_extension_asks_for_the_format() {
        let error = table("a.xlsx", b"id\n1\n").unwrap_err();
        assert!(format!("{error:#}").contains("--format"), "{error:#}");
    }
}
