//! From an object's fields to the passages that are embedded.

use almanac::encoder::{Model, TextKind};
use anyhow::{Result, anyhow, bail};
use text_splitter::{ChunkCapacity, ChunkConfig, TextSplitter, TryChunkSizer};

use crate::collection::Object;

/// Most tokens of a passage unless the collection says otherwise: a paragraph, which a small
/// encoder still tells apart from its neighbors.
pub const DEFAULT_PASSAGE_TOKENS: usize = 128;
/// Fewest tokens a passage may be limited to.
pub const LEAST_PASSAGE_TOKENS: usize = 16;

/// The part of a passage, one in so many tokens, that a repeated title may fill at most.
const LONGEST_TITLE: usize = 4;

/// A text to embed and its token ids, special tokens included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The text, as it is stored and shown.
    pub text: String,
    /// What the encoder reads, with the title in front, until a plan takes it over.
    pub ids: Vec<u32>,
}

/// Cuts objects into passages for one model.
pub struct Chunker<'a> {
    model: &'a Model,
    /// Most token ids of a passage, prefix and special tokens included.
    most: usize,
    /// Of these, the ids every passage has: prefix and special tokens.
    fixed: usize,
}

impl<'a> Chunker<'a> {
    /// Prepares to cut at `tokens` tokens, or at what the model takes where that is less.
    ///
    /// # Errors
    /// If `tokens` is below [`LEAST_PASSAGE_TOKENS`] or the model leaves no room for text.
    pub fn new(model: &'a Model, tokens: usize) -> Result<Self> {
        if tokens < LEAST_PASSAGE_TOKENS {
            bail!("passages of {tokens} tokens; give at least {LEAST_PASSAGE_TOKENS}");
        }
        let most = tokens.min(model.card().max_tokens);
        let fixed = model.ids("", TextKind::Passage)?.len();
        if fixed >= most {
            bail!(
                "the model takes {most} tokens and its prefix fills {fixed} of them; use another \
                 model"
            );
        }
        Ok(Self { model, most, fixed })
    }

    /// Cuts one object; nothing of its text is lost, and only blanks are changed. The first passage
    /// begins with the title; the encoder reads it before the others too, since a part of a text
    /// seldom says what it is about.
    ///
    /// # Errors
    /// If the tokenizer fails, or a piece cannot be made short enough.
    pub fn passages(&self, object: &Object) -> Result<Vec<Passage>> {
        let text = reading_text(object);
        let tokens = self.model.tokenizer().count(&text)?;
        let room = self.most - self.fixed;
        if tokens <= room {
            return Ok(vec![self.passage(&text, "")?]);
        }
        let title = match &object.title {
            Some(title) if ends_sentence(title) => format!("{title} "),
            Some(title) => format!("{title}. "),
            None => String::new(),
        };
        let (title, room) = match self.model.tokenizer().count(&title)? {
            long if long == 0 || long > room / LONGEST_TITLE => (String::new(), room),
            // One to spare, should the tokens at the seam come out otherwise.
            short => (title, room - short - 1),
        };
        // Even pieces: a text just over the limit becomes two halves, not a passage and a scrap.
        let pieces = tokens.div_ceil(room);
        let desired = tokens.div_ceil(pieces).min(room);
        let capacity = ChunkCapacity::new(desired).with_max(room)?;
        let sizer = TokenSizer(self.model.tokenizer());
        let splitter = TextSplitter::new(ChunkConfig::new(capacity).with_sizer(sizer));
        splitter
            .try_chunks(&text)
            .enumerate()
            .map(|(at, chunk)| self.passage(chunk?, if at == 0 { "" } else { &title }))
            .collect()
    }

    fn passage(&self, text: &str, title: &str) -> Result<Passage> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let read = format!("{title}{text}");
        let ids = self.model.ids(&read, TextKind::Passage)?;
        // `ids` cuts at the model's limit, so a full house is counted again without cutting.
        let full = ids.len() >= self.model.card().max_tokens;
        if full && self.model.tokenizer().count(&read)? + self.fixed > ids.len() {
            let start: String = text.chars().take(40).collect();
            return Err(anyhow!(
                "the text {start:?}… cannot be cut to {} tokens; shorten it",
                self.most
            ));
        }
        Ok(Passage { text, ids })
    }
}

struct TokenSizer<'a>(&'a almanac::text::Tokenizer);

impl TryChunkSizer for TokenSizer<'_> {
    type Error = almanac::Error;

    fn try_size(&self, chunk: &str) -> Result<usize, Self::Error> {
        self.0.count(chunk)
    }
}

/// Joins title, date and texts as one would say them: "Old Trees, 1883. charcoal; drawings".
fn reading_text(object: &Object) -> String {
    let mut text = String::new();
    if let Some(title) = &object.title {
        text.push_str(title);
        if let Some(date) = &object.date {
            text.push_str(", ");
            text.push_str(date);
        }
    }
    let mut separator = ". ";
    for part in &object.text {
        if !text.is_empty() {
            text.push_str(if ends_sentence(&text) { " " } else { separator });
            separator = "; ";
        }
        text.push_str(part);
    }
    text
}

fn ends_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '?', '…', '。', '！', '？', '；', '：', ':', ';'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(title: Option<&str>, date: Option<&str>, text: &[&str]) -> Object {
        Object {
            id: "1".into(),
            title: title.map(str::to_owned),
            date: date.map(str::to_owned),
            text: text.iter().map(|&t| t.to_owned()).collect(),
            ..Object::default()
        }
    }

    #[test]
    fn title_and_date_lead_and_fields_follow_as_one_would_say_them() {
        let all = object(
            Some("Old Trees"),
            Some("1883"),
            &["charcoal", "A drawing.", "US"],
        );
        assert_eq!(
            reading_text(&all),
            "Old Trees, 1883. charcoal; A drawing. US"
        );
        let no_date = object(Some("What?"), None, &["oak"]);
        assert_eq!(reading_text(&no_date), "What? oak");
        let no_title = object(None, Some("1883"), &["oak", "iron"]);
        assert_eq!(reading_text(&no_title), "oak. iron");
    }
}
