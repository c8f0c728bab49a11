//! The words of a collection: a small directory that is always loaded and shards of postings that
//! are fetched when a query holds one of their terms.

use std::collections::{BTreeMap, HashMap};

use super::bytes::{Cursor, close_packed, open_packed, put_number, put_text};
use super::lengths::Lengths;
use super::postings::PostingList;
use crate::text::{Stemming, TermKind, terms};
use crate::{Error, Result};

const LEXICON_MAGIC: &[u8; 8] = b"ALMLEX01";
const POSTINGS_MAGIC: &[u8; 8] = b"ALMPST01";

/// Bytes a shard has before compression: about what a page fetches for one word. A single term may
/// take more.
const SHARD_BYTES: usize = 96 * 1024;

/// A shard of postings: its number of terms and its file's bytes.
type ShardFile = (u32, Vec<u8>);

/// All terms of a collection's passages, in memory.
#[derive(Clone, Debug)]
pub struct LexiconBuilder {
    stemming: Stemming,
    lists: HashMap<String, PostingList>,
    lengths: Lengths,
    /// About how many bytes the lists take.
    list_bytes: usize,
}

/// What a term takes beside its postings, in bytes, and each occurrence of it; lists grow by
/// doubling, so up to half of them is room.
const TERM_BYTES: usize = 200;
const OCCURRENCE_BYTES: usize = 20;

impl LexiconBuilder {
    /// Starts without any passage.
    #[must_use]
    pub fn new(stemming: Stemming) -> Self {
        Self {
            stemming,
            lists: HashMap::new(),
            lengths: Lengths::default(),
            list_bytes: 0,
        }
    }

    /// Gives about how many bytes of memory the lists take.
    pub(super) fn list_bytes(&self) -> usize {
        self.list_bytes
    }

    /// Takes the lists out in the order of their terms; passages are numbered on.
    pub(super) fn take_lists(&mut self) -> Vec<(String, PostingList)> {
        self.list_bytes = 0;
        let mut sorted: Vec<_> = std::mem::take(&mut self.lists).into_iter().collect();
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        sorted
    }

    /// Reads the next passage: its text and what else is found with it, between which no phrase
    /// reaches.
    pub fn add<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) {
        let passage = self.lengths.len() as u32;
        let (mut position, mut length) = (0, 0);
        for text in texts {
            for term in terms(text, self.stemming) {
                let positional = matches!(term.kind, TermKind::Word | TermKind::Character);
                let list_bytes = &mut self.list_bytes;
                *list_bytes += OCCURRENCE_BYTES;
                self.lists
                    .entry(term.text)
                    .or_insert_with(|| {
                        *list_bytes += TERM_BYTES;
                        PostingList::new(positional)
                    })
                    .push(passage, position);
                position += u32::from(positional);
                length += u32::from(!matches!(term.kind, TermKind::Exact | TermKind::Code));
            }
            position += 1;
        }
        self.lengths.push(length);
    }

    /// Gives where a term stands.
    #[must_use]
    pub fn list(&self, term: &str) -> Option<&PostingList> {
        self.lists.get(term)
    }

    /// Gives the number of terms of each passage.
    #[must_use]
    pub fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    /// Lays out the directory of shards that are written.
    fn directory(&self, heads: &[(String, u32)]) -> Result<Vec<u8>> {
        let mut plain = vec![stemming_code(self.stemming)];
        let mut all = 0;
        for (term, terms) in heads {
            put_text(&mut plain, term);
            put_number(&mut plain, u64::from(*terms));
            all += terms;
        }
        for length in self.lengths.iter() {
            put_number(&mut plain, u64::from(length));
        }
        let fields = [self.lengths.len() as u32, heads.len() as u32, all];
        close_packed(LEXICON_MAGIC, fields, &plain)
    }
}

/// Lays shards out as terms come in their order, and hands each on when it is full.
pub(super) struct ShardsWriter<F> {
    shard: ShardWriter,
    heads: Vec<(String, u32)>,
    /// The number of the first term of the shard in hand.
    first: u32,
    hand_on: F,
}

impl<F: FnMut(u32, ShardFile) -> Result<()>> ShardsWriter<F> {
    /// Starts; `hand_on` takes the number of a shard's first term and the shard.
    pub(super) fn new(hand_on: F) -> Self {
        Self {
            shard: ShardWriter::default(),
            heads: Vec::new(),
            first: 0,
            hand_on,
        }
    }

    /// Takes the next term.
    pub(super) fn push(&mut self, term: &str, list: &PostingList) -> Result<()> {
        if self.shard.terms > 0
            && self.shard.blocks.len() + self.shard.dictionary.len() >= SHARD_BYTES
        {
            self.close()?;
        }
        self.shard.push(term, list);
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        let full = std::mem::take(&mut self.shard);
        let terms = full.terms;
        self.heads.push((full.first.clone(), terms));
        (self.hand_on)(self.first, (terms, full.close(self.first)?))?;
        self.first += terms;
        Ok(())
    }

    /// Closes the last shard and gives the directory of all.
    pub(super) fn finish(mut self, words: &LexiconBuilder) -> Result<Vec<u8>> {
        if self.shard.terms > 0 {
            self.close()?;
        }
        words.directory(&self.heads)
    }
}

/// Shards are laid out as a dictionary with front coding, then the lists in its order.
#[derive(Default)]
struct ShardWriter {
    first: String,
    previous: String,
    terms: u32,
    dictionary: Vec<u8>,
    blocks: Vec<u8>,
}

impl ShardWriter {
    fn push(&mut self, term: &str, list: &PostingList) {
        if self.terms == 0 {
            term.clone_into(&mut self.first);
        }
        let shared = self
            .previous
            .char_indices()
            .zip(term.chars())
            .find(|((_, a), b)| a != b)
            .map_or(self.previous.len().min(term.len()), |((at, _), _)| at);
        let before = self.blocks.len();
        list.put(&mut self.blocks);
        put_number(&mut self.dictionary, shared as u64);
        put_text(&mut self.dictionary, &term[shared..]);
        put_number(
            &mut self.dictionary,
            (list.len() as u64) << 1 | u64::from(list.positional()),
        );
        put_number(&mut self.dictionary, (self.blocks.len() - before) as u64);
        term.clone_into(&mut self.previous);
        self.terms += 1;
    }

    fn close(mut self, first: u32) -> Result<Vec<u8>> {
        let mut plain = Vec::with_capacity(self.dictionary.len() + self.blocks.len() + 4);
        put_number(&mut plain, self.dictionary.len() as u64);
        plain.append(&mut self.dictionary);
        plain.append(&mut self.blocks);
        close_packed(POSTINGS_MAGIC, [self.terms, first, 0], &plain)
    }
}

/// The directory of a collection's words, with the shards fetched so far.
#[derive(Clone, Debug)]
pub struct Lexicon {
    stemming: Stemming,
    lengths: Lengths,
    mean_length: f64,
    shards: Vec<Shard>,
    /// The first terms of the shards, one after the other.
    first_terms: String,
    /// By the number of the shard.
    loaded: BTreeMap<usize, Loaded>,
}

#[derive(Clone, Copy, Debug)]
struct Shard {
    /// Where its first term ends in [`Lexicon::first_terms`].
    term_end: u32,
    terms: u32,
}

/// A shard as it was decompressed. Terms stay front-coded, since each spelled out could take more
/// than the whole shard.
#[derive(Clone, Debug)]
struct Loaded {
    plain: Vec<u8>,
    /// Where the dictionary begins and ends, and the lists begin.
    dictionary: std::ops::Range<usize>,
    marks: Vec<Mark>,
    /// The terms of the marks, one after the other.
    mark_terms: String,
}

/// A term that is spelled out, from which a search goes on.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Where its entry and its list begin in the payload.
    entry: u32,
    block: u32,
    /// Where it ends in [`Loaded::mark_terms`].
    term_end: u32,
}

/// Bytes of dictionary from one mark to the next, and at least as many as the marked term has, so
/// that all marks together take less than the dictionary.
const MARK_BYTES: usize = 256;

struct Entry<'a> {
    shared: usize,
    suffix: &'a str,
    passages: u32,
    positional: bool,
    list_bytes: usize,
}

impl<'a> Entry<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let shared = usize::try_from(cursor.number()?)
            .map_err(|_| Error::corrupt("a term that shares too much"))?;
        let suffix = cursor.text()?;
        let head = cursor.number()?;
        Ok(Self {
            shared,
            suffix,
            passages: u32::try_from(head >> 1).map_err(|_| Error::corrupt("too many postings"))?,
            positional: head & 1 == 1,
            list_bytes: usize::try_from(cursor.number()?)
                .map_err(|_| Error::corrupt("a list of too many bytes"))?,
        })
    }
}

impl Lexicon {
    /// Reads a verified `lexicon` file of a collection of `passages` passages.
    pub(super) fn from_bytes(bytes: &[u8], passages: u32) -> Result<Self> {
        let ([found, shards, terms], plain) = open_packed(bytes, LEXICON_MAGIC)?;
        if found != passages || shards as usize > plain.len() || passages as usize > plain.len() {
            return Err(Error::corrupt(format!(
                "holds {found} passages and {shards} shards, expected {passages} passages"
            )));
        }
        let mut cursor = Cursor::new(&plain);
        let stemming = match cursor.byte()? {
            0 => Stemming::None,
            1 => Stemming::Plural,
            code => return Err(Error::corrupt(format!("stemming of kind {code}"))),
        };
        let mut list: Vec<Shard> = Vec::new();
        let mut first_terms = String::new();
        let mut before: Option<&str> = None;
        for _ in 0..shards {
            let first_term = cursor.text()?;
            if before.is_some_and(|before| before >= first_term) {
                return Err(Error::corrupt("shards out of order"));
            }
            before = Some(first_term);
            first_terms.push_str(first_term);
            list.push(Shard {
                // It is a part of the payload, which is below 2³² bytes.
                term_end: first_terms.len() as u32,
                terms: cursor.number_u32()?,
            });
        }
        let held: u64 = list.iter().map(|shard| u64::from(shard.terms)).sum();
        if held != u64::from(terms) {
            return Err(Error::corrupt(format!(
                "shards of {held} terms, expected {terms}"
            )));
        }
        let mut lengths = Lengths::with_capacity(passages as usize);
        for _ in 0..passages {
            lengths.push(cursor.number_u32()?);
        }
        cursor.finish()?;
        Ok(Self {
            stemming,
            mean_length: lengths.total() as f64 / lengths.len().max(1) as f64,
            lengths,
            shards: list,
            first_terms,
            loaded: BTreeMap::new(),
        })
    }

    /// Gives the number of the first term and of the terms of each shard, in order.
    pub(super) fn runs(&self) -> impl Iterator<Item = (u64, u32)> {
        self.shards.iter().scan(0, |next, shard| {
            let first = *next;
            *next += u64::from(shard.terms);
            Some((first, shard.terms))
        })
    }

    /// Takes in the `number`th shard from a verified `postings` file.
    pub(super) fn add_shard(&mut self, number: usize, bytes: &[u8]) -> Result<()> {
        let (before, expected) = self
            .runs()
            .nth(number)
            .ok_or_else(|| Error::corrupt("the lexicon names no such shard"))?;
        let ([terms, first, _], plain) = open_packed(bytes, POSTINGS_MAGIC)?;
        if terms != expected || u64::from(first) != before {
            return Err(Error::corrupt(format!(
                "holds {terms} terms from {first}, expected {expected} from {before}"
            )));
        }
        let loaded = Loaded::read(plain, terms, self.first_term(number))?;
        self.loaded.insert(number, loaded);
        Ok(())
    }

    fn first_term(&self, number: usize) -> &str {
        let end = |number: usize| self.shards[number].term_end as usize;
        let start = number.checked_sub(1).map_or(0, end);
        &self.first_terms[start..end(number)]
    }

    /// Gives how words are cut down.
    #[must_use]
    pub fn stemming(&self) -> Stemming {
        self.stemming
    }

    /// Gives the number of terms of each passage.
    #[must_use]
    pub fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    /// Gives the mean number of terms of a passage.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        self.mean_length
    }

    /// Gives the number of the shard that holds a term if any does, and whether it is loaded;
    /// `None` when the collection cannot have the term.
    pub(crate) fn shard_of(&self, term: &str) -> Option<(usize, bool)> {
        let number = last_at_or_before(self.shards.len(), |n| self.first_term(n), term)?;
        Some((number, self.loaded.contains_key(&number)))
    }

    /// Gives where a term stands; `None` where no passage holds it.
    ///
    /// # Errors
    /// - [`crate::ErrorKind::InvalidInput`] if the term's shard has not been added.
    /// - [`crate::ErrorKind::Corrupt`] if its postings contradict the index.
    pub fn list(&self, term: &str) -> Result<Option<PostingList>> {
        let Some((number, _)) = self.shard_of(term) else {
            return Ok(None);
        };
        let loaded = self.loaded.get(&number).ok_or_else(|| {
            Error::invalid(format!("the postings of {term:?} are not loaded yet"))
        })?;
        let passages = self.lengths.len() as u32;
        match loaded.find(term)? {
            None => Ok(None),
            Some((entry, list)) => {
                PostingList::read(list, entry.passages, entry.positional, passages).map(Some)
            }
        }
    }
}

impl Loaded {
    /// Checks the dictionary of a shard and marks places in it.
    fn read(plain: Vec<u8>, terms: u32, first_term: &str) -> Result<Self> {
        let mut cursor = Cursor::new(&plain);
        let length = cursor.count(1)?;
        let start = plain.len() - cursor.left();
        let mut entries = Cursor::new(cursor.bytes(length)?);
        let mut marks: Vec<Mark> = Vec::new();
        let mut mark_terms = String::new();
        let mut term = String::new();
        for number in 0..terms {
            let at = start + length - entries.left();
            let block = plain.len() - cursor.left();
            let entry = Entry::read(&mut entries)?;
            if !term.is_char_boundary(entry.shared) {
                return Err(Error::corrupt("a term that shares too much"));
            }
            // What is shared is equal, so only the rest needs to be compared.
            let rises = if number == 0 {
                entry.suffix == first_term
            } else {
                term[entry.shared..] < *entry.suffix
            };
            if !rises {
                return Err(Error::corrupt(format!("term {number} is out of order")));
            }
            term.truncate(entry.shared);
            term.push_str(entry.suffix);
            let since = marks
                .last()
                .map_or(usize::MAX, |mark| at - mark.entry as usize);
            if since >= MARK_BYTES.max(term.len()) {
                mark_terms.push_str(&term);
                marks.push(Mark {
                    entry: at as u32,
                    block: block as u32,
                    term_end: mark_terms.len() as u32,
                });
            }
            cursor.bytes(entry.list_bytes)?;
        }
        entries.finish()?;
        cursor.finish()?;
        Ok(Self {
            dictionary: start..start + length,
            plain,
            marks,
            mark_terms,
        })
    }

    fn mark_term(&self, number: usize) -> &str {
        let end = |number: usize| self.marks[number].term_end as usize;
        let start = number.checked_sub(1).map_or(0, end);
        &self.mark_terms[start..end(number)]
    }

    /// Finds a term's entry and the bytes of its list.
    fn find(&self, term: &str) -> Result<Option<(Entry<'_>, &[u8])>> {
        let marks = self.marks.len();
        let Some(number) = last_at_or_before(marks, |n| self.mark_term(n), term) else {
            return Ok(None);
        };
        let mark = self.marks[number];
        let mut entries = Cursor::new(&self.plain[mark.entry as usize..self.dictionary.end]);
        let mut lists = Cursor::new(&self.plain[mark.block as usize..]);
        // How much of the term looked for the present one shares.
        let mut same = 0;
        let mut marked = Some(self.mark_term(number));
        while !entries.is_empty() {
            let entry = Entry::read(&mut entries)?;
            let list = lists.bytes(entry.list_bytes)?;
            let (shared, suffix) = match marked.take() {
                Some(spelled) => (0, spelled),
                None => (entry.shared, entry.suffix),
            };
            if shared > same {
                continue;
            }
            let wanted = &term.as_bytes()[shared..];
            let common = wanted
                .iter()
                .zip(suffix.as_bytes())
                .take_while(|(a, b)| a == b)
                .count();
            same = shared + common;
            match (wanted.get(common), suffix.as_bytes().get(common)) {
                (None, None) => return Ok(Some((entry, list))),
                // The present term is greater, and all that follow are.
                (None, Some(_)) => return Ok(None),
                (Some(wanted), Some(found)) if found > wanted => return Ok(None),
                _ => {}
            }
        }
        Ok(None)
    }
}

/// Gives the last of `count` rising terms that is not above the one looked for.
fn last_at_or_before<'a>(count: usize, at: impl Fn(usize) -> &'a str, term: &str) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if at(middle) <= term {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low.checked_sub(1)
}

fn stemming_code(stemming: Stemming) -> u8 {
    match stemming {
        Stemming::None => 0,
        Stemming::Plural => 1,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn to_files(builder: &LexiconBuilder) -> (Vec<u8>, Vec<ShardFile>) {
        let mut shards = Vec::new();
        let mut writer = ShardsWriter::new(|_, shard| {
            shards.push(shard);
            Ok(())
        });
        for (term, list) in builder.clone().take_lists() {
            writer.push(&term, &list).unwrap();
        }
        let directory = writer.finish(builder).unwrap();
        (directory, shards)
    }

    fn builder(texts: &[&str]) -> LexiconBuilder {
        let mut builder = LexiconBuilder::new(Stemming::None);
        for text in texts {
            builder.add([*text]);
        }
        builder
    }

    fn read(builder: &LexiconBuilder) -> Lexicon {
        let (directory, shards) = to_files(builder);
        let mut lexicon = Lexicon::from_bytes(&directory, builder.lengths.len() as u32).unwrap();
        for (number, (_, bytes)) in shards.iter().enumerate() {
            lexicon.add_shard(number, bytes).unwrap();
        }
        lexicon
    }

    proptest! {
        #[test]
        fn every_term_reads_back_as_written(texts in proptest::collection::vec("[a-e é農书 ]{0,12}", 1..12)) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let builder = builder(&texts);
            let lexicon = read(&builder);
            prop_assert_eq!(lexicon.lengths(), builder.lengths());
            for (term, list) in &builder.lists {
                let found = lexicon.list(term).unwrap();
                prop_assert_eq!(found.as_ref(), Some(list));
            }
            prop_assert_eq!(lexicon.list("zzz").unwrap(), None);
            prop_assert_eq!(lexicon.list("").unwrap(), None);
        }
    }

    #[test]
    fn many_terms_are_spread_over_shards_that_cover_them() {
        let texts: Vec<String> = (0..60_000).map(|n| format!("word{n} common")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let builder = builder(&texts);
        let lexicon = read(&builder);
        assert!(lexicon.shards.len() > 5, "{}", lexicon.shards.len());
        for n in (0..60_000).step_by(977) {
            let list = lexicon.list(&format!("word{n}")).unwrap().unwrap();
            assert_eq!(list.iter().collect::<Vec<_>>(), [(n, 1)]);
        }
        assert_eq!(lexicon.list("common").unwrap().unwrap().len(), 60_000);
    }

    #[test]
    fn a_shard_that_is_not_there_is_an_error_and_not_an_empty_answer() {
        let (directory, shards) = to_files(&builder(&["blue bowl"]));
        let mut lexicon = Lexicon::from_bytes(&directory, 1).unwrap();
        let error = lexicon.list("bowl").unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::InvalidInput);
        assert!(lexicon.add_shard(1, &shards[0].1).unwrap_err().is_corrupt());
        let other = to_files(&builder(&["red jar"])).1;
        assert!(lexicon.add_shard(0, &other[0].1).unwrap_err().is_corrupt());
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_corrupt() {
        let (directory, shards) = to_files(&builder(&["blue bowl", "農書"]));
        let lexicon = Lexicon::from_bytes(&directory, 2).unwrap();
        for length in 0..directory.len() {
            assert!(Lexicon::from_bytes(&directory[..length], 2).is_err());
        }
        for place in 0..directory.len() {
            let mut flipped = directory.clone();
            flipped[place] ^= 0x10;
            assert!(Lexicon::from_bytes(&flipped, 2).is_err(), "{place}");
        }
        let shard = &shards[0].1;
        for place in 0..shard.len() {
            let mut flipped = shard.clone();
            flipped[place] ^= 0x10;
            assert!(lexicon.clone().add_shard(0, &flipped).is_err(), "{place}");
            assert!(lexicon.clone().add_shard(0, &shard[..place]).is_err());
        }
    }

    #[test]
    fn wrong_contents_under_a_right_checksum_never_panic() {
        let (directory, shards) = to_files(&builder(&["blue bowl bowl", "農書農"]));
        let lexicon = Lexicon::from_bytes(&directory, 2).unwrap();
        let (fields, plain) = open_packed(&shards[0].1, POSTINGS_MAGIC).unwrap();
        for place in 0..plain.len() {
            for value in [0, 1, 2, 0x7f, 0x80, 0xff] {
                let mut changed = plain.clone();
                changed[place] = value;
                let bytes = close_packed(POSTINGS_MAGIC, fields, &changed).unwrap();
                let mut lexicon = lexicon.clone();
                if lexicon.add_shard(0, &bytes).is_ok() {
                    for term in ["blue", "bowl", "農", "書", "農書"] {
                        let _ = lexicon.list(term);
                    }
                }
            }
        }
    }
}
