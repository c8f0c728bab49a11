//! The tokenizer of an encoder, the same code natively and in the browser.

use crate::{Error, ErrorKind, Result};

/// Turns text into the token ids of one encoder.
///
/// Padding and truncation that a `tokenizer.json` asks for are ignored: length is governed by the
/// model card alone, so that passages are never cut silently by a file's leftover setting.
#[derive(Clone)]
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    max_tokens: usize,
}

impl Tokenizer {
    /// Reads a Hugging Face `tokenizer.json`; `max_tokens` counts the special tokens too.
    ///
    /// # Errors
    /// - [`ErrorKind::Corrupt`] if the bytes are not a tokenizer description.
    /// - [`ErrorKind::InvalidInput`] if `max_tokens` is below 3, which leaves no room for text.
    pub fn from_bytes(bytes: &[u8], max_tokens: usize) -> Result<Self> {
        if max_tokens < 3 {
            return Err(Error::invalid(format!(
                "max_tokens is {max_tokens}, expected at least 3"
            )));
        }
        let mut inner = tokenizers::Tokenizer::from_bytes(bytes)
            .map_err(|e| Error::corrupt(e.to_string()).in_place("tokenizer"))?;
        inner.with_padding(None);
        inner
            .with_truncation(None)
            .map_err(|e| Error::corrupt(e.to_string()).in_place("tokenizer"))?;
        Ok(Self { inner, max_tokens })
    }

    /// Gives the most tokens a text may have, special tokens included.
    #[must_use]
    pub fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    /// Gives the size of the vocabulary, added tokens included.
    #[must_use]
    pub fn vocabulary_size(&self) -> usize {
        self.inner.get_vocab_size(true)
    }

    /// Gives the ids of a text between its special tokens, cut at [`Self::max_tokens`].
    ///
    /// A text that is too long keeps its beginning and the closing special token.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the tokenizer's own rules fail on the text.
    pub fn ids(&self, text: &str) -> Result<Vec<u32>> {
        let mut ids = self.encode(text, true)?;
        if ids.len() > self.max_tokens {
            let closing = ids.last().copied();
            ids.truncate(self.max_tokens - 1);
            ids.extend(closing);
        }
        Ok(ids)
    }

    /// Gives the tokens of a text as the vocabulary writes them, in the order of [`Self::ids`].
    ///
    /// # Errors
    /// As [`Self::ids`].
    pub fn pieces(&self, text: &str) -> Result<Vec<String>> {
        let piece = |id| self.inner.id_to_token(id).unwrap_or_default();
        Ok(self.ids(text)?.into_iter().map(piece).collect())
    }

    /// Counts the tokens of a text without special tokens and without cutting it.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the tokenizer's own rules fail on the text.
    pub fn count(&self, text: &str) -> Result<usize> {
        Ok(self.encode(text, false)?.len())
    }

    /// Gives the byte range in `text` of every token, special tokens left out.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the tokenizer's own rules fail on the text.
    pub fn offsets(&self, text: &str) -> Result<Vec<(usize, usize)>> {
        Ok(self
            .spans(text)?
            .into_iter()
            .map(|(_, span)| span)
            .collect())
    }

    /// Gives the id and the byte range in `text` of every token, special tokens left out.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if the tokenizer's own rules fail on the text.
    pub fn spans(&self, text: &str) -> Result<Vec<(u32, (usize, usize))>> {
        let encoding = self
            .inner
            .encode(text, false)
            .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()).in_place("tokenizer"))?;
        let ids = encoding.get_ids().iter().copied();
        Ok(ids.zip(encoding.get_offsets().iter().copied()).collect())
    }

    fn encode(&self, text: &str, special: bool) -> Result<Vec<u32>> {
        self.inner
            .encode_fast(text, special)
            .map(|encoding| encoding.get_ids().to_vec())
            .map_err(|e| Error::new(ErrorKind::Internal, e.to_string()).in_place("tokenizer"))
    }
}

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokenizer")
            .field("max_tokens", &self.max_tokens)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TINY: &str = r###"{"version":"1.0","truncation":{"direction":"Right","max_length":4,"strategy":"LongestFirst","stride":0},
        "padding":{"strategy":{"Fixed":16},"direction":"Right","pad_to_multiple_of":null,"pad_id":0,"pad_type_id":0,"pad_token":"[PAD]"},
        "added_tokens":[],"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
        "pre_tokenizer":{"type":"BertPreTokenizer"},
        "post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}],"pair":[],
          "special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},"[SEP]":{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]}}},
        "decoder":null,
        "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
          "vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"a":4,"plough":5,"##s":6,"犁":7}}}"###;

    #[test]
    fn pieces_are_the_ids_as_the_vocabulary_writes_them() {
        let tokenizer = Tokenizer::from_bytes(TINY.as_bytes(), 64).unwrap();
        assert_eq!(
            tokenizer.pieces("ploughs 犁").unwrap(),
            ["[CLS]", "plough", "##s", "犁", "[SEP]"]
        );
    }

    #[test]
    fn padding_and_truncation_of_the_file_are_ignored() {
        let tokenizer = Tokenizer::from_bytes(TINY.as_bytes(), 64).unwrap();
        assert_eq!(
            tokenizer.ids("A plough a ploughs 犁").unwrap(),
            [2, 4, 5, 4, 5, 6, 7, 3]
        );
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_the_closing_token() {
        let tokenizer = Tokenizer::from_bytes(TINY.as_bytes(), 4).unwrap();
        assert_eq!(tokenizer.ids("a plough a a").unwrap(), [2, 4, 5, 3]);
        assert_eq!(tokenizer.count("a plough a a").unwrap(), 4);
    }

    #[test]
    fn bytes_that_are_no_tokenizer_are_corrupt() {
        let error = Tokenizer::from_bytes(b"{}", 64).unwrap_err();
        assert!(error.is_corrupt(), "{error}");
    }

    #[test]
    fn offsets_are_byte_ranges_of_the_text() {
        let tokenizer = Tokenizer::from_bytes(TINY.as_bytes(), 64).unwrap();
        assert_eq!(tokenizer.offsets("犁 a").unwrap(), [(0, 3), (4, 5)]);
    }
}
