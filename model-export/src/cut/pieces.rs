//! A Unigram tokenizer with fewer pieces that reads the texts it was cut for as before.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use almanac::Result;
use almanac::text::{Tokenizer, fold_han};
use serde_json::{Value, json};

use super::charsmap::{self, Rules};
use crate::classical::pair::is_han;
use crate::fault;

/// Marks that go, so that texts with and without modern punctuation are read alike.
const PUNCTUATION: &str = "[、-〃〈-】〔-〟·‘-‟…—―－～！（），．：；？［］｛｝｟-､「」『』]+";

/// Where a row of the new word table comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// A row of the old table.
    Kept(usize),
    /// The mean of these rows of the old table, whose pieces hold the new character.
    Mean(Vec<usize>),
}

/// A `tokenizer.json` being cut.
pub(super) struct Pieces {
    json: Value,
    pieces: Vec<(String, f64)>,
    rules: Rules,
}

impl Pieces {
    /// Reads the `tokenizer.json` of a Unigram model with a compiled normalizer.
    ///
    /// # Errors
    /// - [`almanac::ErrorKind::Corrupt`] if the bytes are not JSON or the map is damaged.
    /// - [`almanac::ErrorKind::Unsupported`] if the tokenizer is of another kind.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let mut json: Value =
            serde_json::from_slice(bytes).map_err(|e| fault::corrupt(e.to_string()))?;
        let kind = &json["model"]["type"];
        if kind != "Unigram" {
            return Err(fault::unsupported(format!(
                "the tokenizer's model is {kind}, expected \"Unigram\""
            )));
        }
        let pieces = serde_json::from_value(json["model"]["vocab"].take())
            .map_err(|e| fault::corrupt(e.to_string()))?;
        let rules = match compiled(&mut json["normalizer"]) {
            Some(Value::String(map)) => charsmap::read(map)?,
            _ => {
                return Err(fault::unsupported(
                    "the tokenizer's normalizer has no compiled map",
                ));
            }
        };
        Ok(Self {
            json,
            pieces,
            rules,
        })
    }

    /// Gives the number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Makes the normalizer write Han characters in the form they are searched by and leave modern
    /// punctuation out.
    pub(super) fn fold(&mut self) {
        let folded = |text: &str| text.chars().map(fold_han).collect::<String>();
        for to in self.rules.values_mut() {
            *to = folded(to);
        }
        for c in ('\u{3400}'..='\u{9FFF}').chain('\u{20000}'..='\u{323AF}') {
            if fold_han(c) != c {
                let to = fold_han(c).to_string();
                self.rules.entry(c.to_string()).or_insert(to);
            }
        }
        let without = json!({"type": "Replace", "pattern": {"Regex": PUNCTUATION}, "content": ""});
        let before = self.json["normalizer"].take();
        self.json["normalizer"] = json!({"type": "Sequence", "normalizers": [without, before]});
    }

    /// Adds the characters that stand at least `least` times in the texts and have no piece of
    /// their own.
    pub(super) fn add_characters(&mut self, texts: &[String], least: usize) {
        let known: BTreeSet<char> = self.pieces.iter().filter_map(|(p, _)| single(p)).collect();
        let mut counts: BTreeMap<char, usize> = BTreeMap::new();
        for c in texts.iter().flat_map(|t| t.chars()) {
            let rule = self.rules.get(c.encode_utf8(&mut [0; 4]) as &str);
            let c = match rule {
                None => c,
                Some(to) => match single(to) {
                    Some(to) => to,
                    None => continue,
                },
            };
            if is_han(c) && !known.contains(&c) {
                *counts.entry(c).or_default() += 1;
            }
        }
        let rarest = self.pieces.iter().map(|(_, s)| *s).fold(0.0, f64::min);
        let added = counts.into_iter().filter(|(_, count)| *count >= least);
        self.pieces
            .extend(added.map(|(c, _)| (c.to_string(), rarest)));
    }

    /// Keeps the special pieces, basic Latin, and what the texts are read as at least `least` times
    /// (single Han characters: once), and gives the tokenizer with the rows of its word table.
    ///
    /// `old` is the number of rows of the old table; pieces beyond were added.
    ///
    /// # Errors
    /// [`almanac::ErrorKind::Corrupt`] if the tokenizer cannot read a text.
    pub(super) fn cut(
        &mut self,
        texts: &[String],
        least: usize,
        old: usize,
    ) -> Result<(Vec<u8>, Vec<Row>)> {
        let special = self.special()?;
        let tokenizer = Tokenizer::from_bytes(&self.bytes(&self.rules)?, usize::MAX)?;
        let mut counts: HashMap<u32, usize> = HashMap::new();
        let bar = indicatif::ProgressBar::new(texts.len() as u64);
        for text in texts {
            for id in tokenizer.ids(text)? {
                *counts.entry(id).or_default() += 1;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let kept: Vec<usize> = (0..self.pieces.len())
            .filter(|id| {
                let piece = &self.pieces[*id].0;
                let count = counts.get(&(*id as u32)).copied().unwrap_or(0);
                let least = match single(piece) {
                    Some(c) if is_han(c) => 1,
                    Some(' '..='~' | '▁') => 0,
                    _ => least,
                };
                special.contains(piece) || count >= least
            })
            .collect();
        let rows = self.rows(&kept, old);
        let places: HashMap<&str, usize> = kept
            .iter()
            .enumerate()
            .map(|(new, id)| (self.pieces[*id].0.as_str(), new))
            .collect();
        if let Value::Array(added) = &mut self.json["added_tokens"] {
            added.retain(|t| {
                t["content"]
                    .as_str()
                    .is_some_and(|c| places.contains_key(c))
            });
            for token in added {
                let place = token["content"].as_str().and_then(|c| places.get(c));
                token["id"] = json!(place);
            }
        }
        for (name, token) in self.json["post_processor"]["special_tokens"]
            .as_object_mut()
            .into_iter()
            .flatten()
        {
            token["ids"] = json!([places.get(name.as_str())]);
        }
        let unknown = self.json["model"]["unk_id"].as_u64().unwrap_or(0) as usize;
        let unknown = kept.iter().position(|id| *id == unknown);
        self.json["model"]["unk_id"] = json!(unknown);
        let characters: BTreeSet<char> = places.keys().flat_map(|p| p.chars()).collect();
        self.pieces = kept.iter().map(|id| self.pieces[*id].clone()).collect();
        // A rule whose outcome has no piece makes an unknown token as its absence does.
        let rules = self
            .rules
            .clone()
            .into_iter()
            .filter(|(_, to)| to.chars().all(|c| c == ' ' || characters.contains(&c)));
        let bytes = self.bytes(&rules.collect())?;
        Ok((bytes, rows))
    }

    /// The pieces that stand for themselves, without `<mask>`, which no text holds.
    fn special(&self) -> Result<BTreeSet<String>> {
        let tokens = self.json["added_tokens"].as_array();
        let names: BTreeSet<String> = tokens
            .into_iter()
            .flatten()
            .filter_map(|t| t["content"].as_str())
            .filter(|t| *t != "<mask>")
            .map(str::to_owned)
            .collect();
        match names.is_empty() {
            true => Err(fault::corrupt("the tokenizer has no special tokens")),
            false => Ok(names),
        }
    }

    fn rows(&self, kept: &[usize], old: usize) -> Vec<Row> {
        let mut holders: HashMap<char, Vec<usize>> = HashMap::new();
        let added: BTreeSet<char> = kept
            .iter()
            .filter(|id| **id >= old)
            .filter_map(|id| single(&self.pieces[*id].0))
            .collect();
        for (id, (piece, _)) in self.pieces.iter().take(old).enumerate() {
            for c in piece.chars().map(fold_han).filter(|c| added.contains(c)) {
                holders.entry(c).or_default().push(id);
            }
        }
        let unknown = self.json["model"]["unk_id"].as_u64().unwrap_or(0) as usize;
        let row = |id: usize| {
            if id < old {
                return Row::Kept(id);
            }
            let held = single(&self.pieces[id].0).and_then(|c| holders.get(&c));
            Row::Mean(held.cloned().unwrap_or_else(|| vec![unknown]))
        };
        kept.iter().map(|id| row(*id)).collect()
    }

    fn bytes(&self, rules: &Rules) -> Result<Vec<u8>> {
        let mut json = self.json.clone();
        json["model"]["vocab"] = json!(self.pieces);
        json["truncation"] = Value::Null;
        json["padding"] = Value::Null;
        if let Some(map) = compiled(&mut json["normalizer"]) {
            *map = json!(charsmap::write(rules)?);
        }
        serde_json::to_vec(&json)
            .map_err(|e| almanac::Error::new(almanac::ErrorKind::Internal, e.to_string()))
    }
}

/// Finds the compiled map in a normalizer or one of its parts.
fn compiled(normalizer: &mut Value) -> Option<&mut Value> {
    if normalizer["type"] == "Precompiled" {
        return normalizer.get_mut("precompiled_charsmap");
    }
    let parts = normalizer.get_mut("normalizers")?.as_array_mut()?;
    parts.iter_mut().find_map(compiled)
}

fn single(piece: &str) -> Option<char> {
    let mut characters = piece.chars();
    characters.next().filter(|_| characters.next().is_none())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn tokenizer() -> Vec<u8> {
        let map = charsmap::write(&Rules::from([
            ("，".to_owned(), ",".to_owned()),
            ("Ａ".to_owned(), "A".to_owned()),
        ]))
        .unwrap();
        let pieces = [
            "<s>", "<pad>", "</s>", "<unk>", ",", "▁", "a", "A", "谷", "雨", "谷雨", "翻译", "ß",
            "<mask>",
        ];
        let vocabulary: Vec<_> = pieces
            .iter()
            .enumerate()
            .map(|(n, p)| (p, -(n as f64)))
            .collect();
        let special = |id: usize| {
            json!({"id": id, "content": pieces[id], "single_word": false,
            "lstrip": false, "rstrip": false, "normalized": false, "special": true})
        };
        let json = json!({"version": "1.0", "truncation": null, "padding": null,
            "added_tokens": [special(0), special(1), special(2), special(3), special(13)],
            "normalizer": {"type": "Sequence", "normalizers":
                [{"type": "Precompiled", "precompiled_charsmap": map}]},
            "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true},
            "post_processor": {"type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                    {"Sequence": {"id": "A", "type_id": 0}},
                    {"SpecialToken": {"id": "</s>", "type_id": 0}}],
                "pair": [],
                "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
                    "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}},
            "decoder": null,
            "model": {"type": "Unigram", "unk_id": 3, "vocab": vocabulary, "byte_fallback": false}});
        serde_json::to_vec(&json).unwrap()
    }

    fn texts() -> Vec<String> {
        ["谷雨", "谷雨，翻", "翻", "雨谷"]
            .map(str::to_owned)
            .to_vec()
    }

    #[test]
    fn kept_pieces_read_the_texts_as_before() {
        let mut pieces = Pieces::read(&tokenizer()).unwrap();
        let before = Tokenizer::from_bytes(&tokenizer(), 64).unwrap();
        let (bytes, rows) = pieces.cut(&texts(), 1, 14).unwrap();
        let after = Tokenizer::from_bytes(&bytes, 64).unwrap();
        assert!(rows.len() < 14 && rows.len() == after.vocabulary_size());
        assert!(!rows.contains(&Row::Kept(12)), "ß is not needed");
        for text in texts() {
            let old: Vec<_> = before.ids(&text).unwrap();
            let new: Vec<_> = after.ids(&text).unwrap();
            assert_eq!(old.len(), new.len());
            for (old, new) in old.iter().zip(&new) {
                assert_eq!(rows[*new as usize], Row::Kept(*old as usize), "{text}");
            }
        }
    }

    #[test]
    fn folded_tokenizer_reads_all_forms_of_a_text_alike() {
        let mut pieces = Pieces::read(&tokenizer()).unwrap();
        pieces.fold();
        let (bytes, _) = pieces.cut(&texts(), 1, 14).unwrap();
        let tokenizer = Tokenizer::from_bytes(&bytes, 64).unwrap();
        let ids = |text| tokenizer.ids(text).unwrap();
        assert_eq!(ids("穀雨，雨。"), ids("谷雨雨"));
        assert_eq!(ids("「穀雨」"), ids("谷雨"));
        assert_eq!(ids("Ａ"), ids("A"));
    }

    #[test]
    fn added_character_begins_as_the_mean_of_the_pieces_that_hold_it() {
        let mut pieces = Pieces::read(&tokenizer()).unwrap();
        pieces.fold();
        pieces.add_characters(&texts(), 2);
        let (bytes, rows) = pieces.cut(&texts(), 1, 14).unwrap();
        let tokenizer = Tokenizer::from_bytes(&bytes, 64).unwrap();
        let id = *tokenizer.ids("翻").unwrap().iter().rev().nth(1).unwrap();
        assert_eq!(rows[id as usize], Row::Mean(vec![11]));
    }

    #[test]
    fn another_kind_of_tokenizer_is_refused() {
        let error = Pieces::read(br#"{"model":{"type":"WordPiece","vocab":{}}}"#)
            .err()
            .unwrap();
        assert!(error.to_string().contains("Unigram"), "{error}");
    }
}
