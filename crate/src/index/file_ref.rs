//! A file as a manifest or card names it, and the check its bytes must pass before use.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Error, Result};

/// The largest file of an index, 20 MiB: the most that every common static host takes.
pub const MAX_FILE_BYTES: u64 = 20 * 1024 * 1024;

/// Names a file with its size and SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRef {
    /// Plain file name beside the manifest or card, without folders.
    pub file: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

impl FileRef {
    /// Names bytes as `{stem}-{first 16 of the hash}.{extension}`, so that a name never changes
    /// its content.
    ///
    /// ```
    /// use almanac::index::FileRef;
    ///
    /// let file = FileRef::of_bytes("vectors", "bin", b"abc");
    /// assert_eq!(file.file, "vectors-ba7816bf8f01cfea.bin");
    /// file.verify(b"abc")?;
    /// assert!(file.verify(b"abd").is_err());
    /// # Ok::<(), almanac::Error>(())
    /// ```
    #[must_use]
    pub fn of_bytes(stem: &str, extension: &str, bytes: &[u8]) -> Self {
        let sha256 = sha256_hex(bytes);
        Self {
            file: format!("{stem}-{}.{extension}", &sha256[..16]),
            bytes: bytes.len() as u64,
            sha256,
        }
    }

    /// Checks what the reference itself says, before any file is fetched.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Corrupt`] if the name could leave its folder, the size is above
    /// [`MAX_FILE_BYTES`], or the hash is not 64 hexadecimal digits.
    pub fn check(&self) -> Result<()> {
        let plain = !self.file.is_empty()
            && self.file.len() <= 200
            && !self.file.starts_with('.')
            && self
                .file
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        if !plain {
            return Err(Error::corrupt(format!(
                "file name {:?} is not a plain name",
                self.file
            )));
        }
        if self.bytes > MAX_FILE_BYTES {
            return Err(Error::corrupt(format!(
                "{} bytes, expected at most {MAX_FILE_BYTES}",
                self.bytes
            ))
            .in_place(self.file.clone()));
        }
        let hexadecimal = self.sha256.len() == 64
            && self
                .sha256
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if !hexadecimal {
            return Err(
                Error::corrupt("sha256 is not 64 hexadecimal digits").in_place(self.file.clone())
            );
        }
        Ok(())
    }

    /// Checks bytes against size and hash.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Corrupt`] if either differs.
    pub fn verify(&self, bytes: &[u8]) -> Result<()> {
        if bytes.len() as u64 != self.bytes {
            return Err(Error::corrupt(format!(
                "{} bytes, expected {}{}",
                bytes.len(),
                self.bytes,
                looks_like_html(bytes)
            ))
            .in_place(self.file.clone())
            .with_remedy("load it again or publish the folder again"));
        }
        let found = sha256_hex(bytes);
        if found != self.sha256 {
            return Err(Error::corrupt(format!(
                "sha256 {}…, expected {}…{}",
                &found[..12],
                self.sha256.get(..12).unwrap_or(&self.sha256),
                looks_like_html(bytes)
            ))
            .in_place(self.file.clone())
            .with_remedy("load it again or publish the folder again"));
        }
        Ok(())
    }
}

/// Static hosts like to answer a missing file with a page and status 200.
fn looks_like_html(bytes: &[u8]) -> &'static str {
    let start = bytes.get(..64).unwrap_or(bytes).trim_ascii_start();
    if start.starts_with(b"<!") || start.starts_with(b"<html") {
        " (the server sent a web page)"
    } else {
        ""
    }
}

/// Gives the SHA-256 of bytes in lower-case hexadecimal.
///
/// Source: FIPS 180-4.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::with_capacity(64), |mut out, b| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{b:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leaves_its_folder_is_refused() {
        for name in ["../x", "a/b", "", ".hidden", "a\\b", "a b", "\u{202e}x"] {
            let file = FileRef {
                file: name.to_owned(),
                bytes: 1,
                sha256: "0".repeat(64),
            };
            assert!(file.check().is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_web_page_in_place_of_a_file_is_called_one() {
        let file = FileRef::of_bytes("vectors", "bin", &[7; 100]);
        let error = file.verify(b"<!doctype html><p>not found").err();
        let text = error.map(|e| e.to_string()).unwrap_or_default();
        assert!(text.contains("web page"), "{text}");
        assert!(text.starts_with(&file.file), "{text}");
    }
}
