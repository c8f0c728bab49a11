//! The forms in which one text is met: simplified or traditional characters, those of another
//! tradition of print, with and without punctuation.
//!
//! A tokenizer made with `cut --fold` reads all of them alike; other encoders learn them by being
//! shown them.

use almanac::{Error, ErrorKind, Result};
use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;

use super::pair::is_han;

/// Writes a simplified text in its other forms.
pub struct Forms {
    traditional: OpenCC,
    variant: OpenCC,
}

impl Forms {
    /// Prepares the tables.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the built-in tables are damaged.
    pub fn new() -> Result<Self> {
        let open = |config| {
            OpenCC::from_config(config).map_err(|e| Error::new(ErrorKind::Internal, e.to_string()))
        };
        Ok(Self {
            traditional: open(BuiltinConfig::S2t)?,
            variant: open(BuiltinConfig::S2hk)?,
        })
    }

    /// Gives the text in traditional characters.
    #[must_use]
    pub fn traditional(&self, text: &str) -> String {
        self.traditional.convert(text)
    }

    /// Gives the text as it is and in five other forms: traditional, traditional with the characters
    /// that Hong Kong prints, and the three without punctuation.
    ///
    /// ```
    /// use almanac_model::classical::forms::Forms;
    /// # fn main() -> almanac::Result<()> {
    /// let all = Forms::new()?.all("种谷，宜早。");
    /// assert_eq!(all[4], "種穀宜早");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn all(&self, text: &str) -> [String; 6] {
        let written = [
            text.to_owned(),
            self.traditional.convert(text),
            self.variant.convert(text),
        ];
        let bare = written.clone().map(|t| unpunctuated(&t));
        let [a, b, c] = written;
        let [d, e, f] = bare;
        [a, b, c, d, e, f]
    }
}

/// Gives a text without its marks; letters and digits stay.
#[must_use]
pub fn unpunctuated(text: &str) -> String {
    text.chars()
        .filter(|c| is_han(*c) || c.is_alphanumeric())
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::pair::bare;
    use super::*;

    #[test]
    fn all_forms_are_one_text_when_folded() {
        let text = "凡耕之本，在于趣时和土，务粪泽：早锄早获！";
        let all = Forms::new().unwrap().all(text);
        assert_eq!(all[0], text);
        assert_ne!(all[1], text);
        for form in &all {
            assert_eq!(bare(form), bare(text), "{form}");
        }
        assert!(!all[3].contains('，') && all[3] == unpunctuated(&all[3]));
    }
}
