//! Short ways to make the library's error for the faults an import meets.

use std::io::Read;
use std::path::Path;

use almanac::{Error, ErrorKind, Result};
use flate2::read::GzDecoder;

/// Bytes or settings that contradict themselves or their format.
#[cold]
pub(crate) fn corrupt(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Corrupt, message)
}

/// A model or setting that is valid but that the encoder cannot compute.
#[cold]
pub(crate) fn unsupported(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unsupported, message)
}

/// An argument that cannot be used as it is.
#[cold]
pub(crate) fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidInput, message)
}

/// Reads a file that has to be there.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|e| Error::io(path, &e))
}

/// Reads a text file that has to be there, compressed where its name ends in `.gz`.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let bytes = read(path)?;
    let mut text = String::new();
    let read = if path.extension().is_some_and(|e| e == "gz") {
        GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)
    } else {
        bytes.as_slice().read_to_string(&mut text)
    };
    read.map_err(|e| Error::io(path, &e))?;
    Ok(text)
}

/// Reads a file that may be absent.
pub(crate) fn read_if_present(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::io(path, &e)),
    }
}
