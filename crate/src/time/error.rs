//! The error of the time module.

/// Why a date, a setting or an imported row could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    message: String,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

/// The result of an operation of the time module.
pub type Result<T> = std::result::Result<T, Error>;
