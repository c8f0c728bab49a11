//! Traditional and simplified characters for reading.

use anyhow::{Context, Result};
use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;

/// Converts between the two scripts by OpenCC's words and characters.
pub struct Scripts {
    to_simplified: OpenCC,
    to_traditional: OpenCC,
}

impl Scripts {
    /// Prepares both directions.
    ///
    /// # Errors
    /// If the built-in tables are damaged.
    pub fn new() -> Result<Self> {
        let open = |config| OpenCC::from_config(config).context("tables of OpenCC");
        Ok(Self {
            to_simplified: open(BuiltinConfig::T2s)?,
            to_traditional: open(BuiltinConfig::S2t)?,
        })
    }

    /// Gives a text in simplified characters.
    pub fn simplified(&self, text: &str) -> String {
        self.to_simplified.convert(text)
    }

    /// Gives a text in traditional characters.
    pub fn traditional(&self, text: &str) -> String {
        self.to_traditional.convert(text)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_are_there() {
        let scripts = Scripts::new().unwrap();
        assert_eq!(scripts.simplified("齊民要術"), "齐民要术");
        assert_eq!(scripts.traditional("农桑辑要"), "農桑輯要");
    }
}
