//! The one error of the library: what went wrong, where, and the way out.

use std::fmt;

/// What kind of fault an [`Error`] reports; it decides what a caller can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Bytes that do not say what their format requires, or do not match their checksum.
    Corrupt,
    /// Two valid parts that do not belong together, such as an index and another model.
    Incompatible,
    /// Valid input that this version cannot handle.
    Unsupported,
    /// Input from the caller that cannot be used as it is.
    InvalidInput,
    /// An allocation that the platform refused.
    OutOfMemory,
    /// A GPU that is missing, was lost, or gave wrong results.
    Gpu,
    /// A file that could not be read or written.
    Io,
    /// A fault of the library itself.
    Internal,
}

impl ErrorKind {
    /// Gives the stable code by which scripts and the page tell errors apart.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Corrupt => "corrupt",
            Self::Incompatible => "incompatible",
            Self::Unsupported => "unsupported",
            Self::InvalidInput => "invalid_input",
            Self::OutOfMemory => "out_of_memory",
            Self::Gpu => "gpu",
            Self::Io => "io",
            Self::Internal => "internal",
        }
    }
}

/// A fault in reading, encoding or searching, with where it lies and what to do.
///
/// The message is one line: places first (outermost to innermost), then the fault, then the
/// remedy where one is known.
///
/// ```
/// use almanac::{Error, ErrorKind};
///
/// let error = Error::new(ErrorKind::Corrupt, "checksum differs").in_place("vectors-0.bin");
/// assert!(error.is_corrupt());
/// assert_eq!(error.to_string(), "vectors-0.bin: checksum differs");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    places: Vec<String>,
    message: String,
    remedy: Option<String>,
}

impl Error {
    /// Makes an error from its kind and a lower-case sentence without a full stop.
    #[cold]
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            places: Vec::new(),
            message: message.into(),
            remedy: None,
        }))
    }

    /// Names the place of the fault: a file, a field, a tensor; the outermost is added last.
    #[must_use]
    pub fn in_place(mut self, place: impl Into<String>) -> Self {
        self.0.places.insert(0, place.into());
        self
    }

    /// Says what the reader can do about it.
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl Into<String>) -> Self {
        self.0.remedy = Some(remedy.into());
        self
    }

    /// Gives the kind of fault.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Says whether bytes were damaged or are not of the expected format.
    #[must_use]
    pub fn is_corrupt(&self) -> bool {
        self.0.kind == ErrorKind::Corrupt
    }

    /// Says whether two valid parts do not belong together.
    #[must_use]
    pub fn is_incompatible(&self) -> bool {
        self.0.kind == ErrorKind::Incompatible
    }

    /// Says whether the input is valid but beyond this version.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        self.0.kind == ErrorKind::Unsupported
    }

    #[cold]
    pub(crate) fn corrupt(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Corrupt, message)
    }

    #[cold]
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidInput, message)
    }

    /// Wraps an input/output failure with the path it happened at.
    #[cold]
    #[must_use]
    pub fn io(path: &std::path::Path, source: &std::io::Error) -> Self {
        Self::new(ErrorKind::Io, source.to_string()).in_place(path.display().to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in &self.0.places {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.0.message)?;
        if let Some(remedy) = &self.0.remedy {
            write!(f, "; {remedy}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.0.kind)
    }
}

impl std::error::Error for Error {}

/// The result of a fallible call of this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_reads_from_the_outermost_place_to_the_remedy() {
        let error = Error::corrupt("byte 7 is 3, expected 1")
            .in_place("header")
            .in_place("vectors.bin")
            .with_remedy("rebuild the index");
        assert_eq!(
            error.to_string(),
            "vectors.bin: header: byte 7 is 3, expected 1; rebuild the index"
        );
    }

    #[test]
    fn kind_is_kept_through_context() {
        let error = Error::new(ErrorKind::Gpu, "device lost").in_place("encode");
        assert_eq!(error.kind().code(), "gpu");
        assert!(!error.is_corrupt());
    }
}
