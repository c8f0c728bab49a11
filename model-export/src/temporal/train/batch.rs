//! Batches: texts in tensors, groups of like length together, and the pairs that are compared.

use almanac::encoder::Model;
use almanac::encoder::temporal::reading::{self, FEATURES, Token};
use almanac::encoder::temporal::readout::{ROLES, worth};
use almanac::search::time::bounded;
use almanac::time::DayNumber;
use almanac::{Error, ErrorKind, Result};
use burn::tensor::{Device, Int, Tensor, TensorData};

use super::super::Chance;
use super::super::corpus::Corpus;
use super::super::tuple::{Anchored, Group, Meant};
use super::super::voice::Split;
use super::network::Input;
use super::readout::ORIGIN;
use super::roles::{Lesson, lesson};

/// Tokens of a training text that are used.
const MOST_TOKENS: usize = 64;
/// Texts that are computed at once.
const TEXTS: usize = 48;
/// Pairs within a group that do not begin with its query, and pairs across groups, per group.
const WITHIN: usize = 6;
const ACROSS: usize = 10;

/// Which texts of a batch are compared, and their labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pairs {
    pub(super) queries: Vec<usize>,
    pub(super) documents: Vec<usize>,
    /// The closed form's similarity.
    pub(super) labels: Vec<f64>,
}

/// Texts of like length as tensors.
pub(super) struct Part {
    pub(super) input: Input,
    pub(super) worth: Tensor<3>,
    /// The day that each text counts from.
    pub(super) anchors: Vec<DayNumber>,
    pub(super) lessons: Vec<Lesson>,
}

/// One batch on a device.
pub(super) struct Batch {
    pub(super) parts: Vec<Part>,
    /// For each text, its place among all parts.
    pub(super) places: Vec<usize>,
    pub(super) pairs: Pairs,
    /// What each text means: days from [`ORIGIN`], and length in days.
    pub(super) truth: Vec<(f32, f32)>,
}

/// What batches are drawn from.
pub(super) struct Source<'a> {
    /// Queries of a batch.
    pub(super) queries: usize,
    pub(super) seed: u64,
    /// Share of the words that are left out.
    pub(super) drop: f64,
    /// Sentences that a query in four is, where there are any.
    pub(super) corpus: Option<&'a Corpus>,
    pub(super) encoder: &'a Model,
}

/// Draws the batch of a step, from the seed and the step's number alone.
pub(super) fn draw(source: &Source, step: usize, device: &Device) -> Result<Batch> {
    let seed = source.seed;
    let mut chance =
        Chance::new(seed.wrapping_add((step as u64).wrapping_mul(0xD1B5_4A32_D192_ED03)));
    let groups: Vec<Group> = (0..source.queries)
        .map(|_| Group::draw_with(Split::Train, source.corpus, &mut chance))
        .collect();
    let (mut texts, mut starts) = (Vec::new(), Vec::new());
    let mut pairs = Pairs::default();
    for group in &groups {
        let start = texts.len();
        starts.push(start);
        texts.push(&group.query);
        for other in &group.others {
            pairs.queries.push(start);
            pairs.documents.push(texts.len());
            pairs.labels.push(other.label);
            texts.push(&other.text);
        }
    }
    let mut more = |a: usize, b: usize| {
        if a != b
            && let (Some(p), Some(q)) = (texts[a].gaussian(), texts[b].gaussian())
        {
            pairs.queries.push(a);
            pairs.documents.push(b);
            pairs.labels.push(bounded(p.divergence(q)));
        }
    };
    for (place, start) in starts.iter().enumerate() {
        let end = starts.get(place + 1).copied().unwrap_or(texts.len());
        for _ in 0..WITHIN {
            more(
                start + chance.below(end - start),
                start + chance.below(end - start),
            );
        }
        for _ in 0..ACROSS {
            more(start + chance.below(end - start), chance.below(texts.len()));
        }
    }
    let (parts, places) = parts(&texts, source.drop, &mut chance, source.encoder, device)?;
    let truth = texts
        .iter()
        .map(|t| ((t.mean - ORIGIN) as f32, t.length as f32))
        .collect();
    Ok(Batch {
        parts,
        places,
        pairs,
        truth,
    })
}

fn parts(
    texts: &[&Anchored],
    drop: f64,
    chance: &mut Chance,
    model: &Model,
    device: &Device,
) -> Result<(Vec<Part>, Vec<usize>)> {
    let mut read = Vec::with_capacity(texts.len());
    let mut lessons = Vec::with_capacity(texts.len());
    for text in texts {
        let mut tokens = reading::read(model.tokenizer(), &text.text)?;
        tokens.truncate(MOST_TOKENS);
        disturb(
            &mut tokens,
            text,
            model.tokenizer().vocabulary_size(),
            chance,
        );
        lessons.push(lesson(text, &tokens));
        for token in &mut tokens {
            // A word in ten goes unseen, so that none is relied on.
            if token.number == 0.0 && (chance.below(1_000) as f64) < 1_000.0 * drop {
                token.id = None;
                token.han = None;
            }
        }
        read.push(tokens);
    }
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|at| read[*at].len());
    let mut places = vec![0; texts.len()];
    for (place, at) in order.iter().enumerate() {
        places[*at] = place;
    }
    let parts = order
        .chunks(TEXTS)
        .map(|some| {
            let tokens: Vec<&[Token]> = some.iter().map(|at| read[*at].as_slice()).collect();
            let anchors: Vec<DayNumber> =
                some.iter().map(|at| DayNumber(texts[*at].anchor)).collect();
            let lessons = some.iter().map(|at| lessons[*at].clone()).collect();
            part(&tokens, &anchors, lessons, model, device)
        })
        .collect::<Result<_>>()?;
    Ok((parts, places))
}

/// Ids of whole words in the vocabulary of BERT, from the first to after the last.
const WORDS: (usize, usize) = (2_000, 29_000);

/// Puts other words and numbers around the expressions of a text, few or many, so that a date is read
/// alike in any sentence and numbers elsewhere are left alone.
fn disturb(tokens: &mut [Token], text: &Anchored, vocabulary: usize, chance: &mut Chance) {
    let share = [0, 10, 40][chance.below(3)];
    for token in tokens {
        let inside = |m: &Meant| (m.from..m.to).contains(&token.start);
        if text.meant.iter().any(inside) || chance.below(100) >= share {
            continue;
        }
        match chance.below(10) {
            0 => token.id = None,
            1 => {
                let most = [31, 100, 1_000, 2_100][chance.below(4)];
                *token = Token::of_digits(1 + chance.below(most) as u32, token.start);
            }
            _ if !token.counts() => {
                let last = WORDS.1.min(vocabulary);
                let first = WORDS.0.min(last - 1);
                token.id = Some((first + chance.below(last - first)) as u32);
            }
            _ => {}
        }
    }
}

/// Puts texts side by side, padded to the longest.
pub(super) fn part(
    texts: &[&[Token]],
    anchors: &[DayNumber],
    lessons: Vec<Lesson>,
    model: &Model,
    device: &Device,
) -> Result<Part> {
    let tokens = texts.iter().map(|t| t.len()).max().unwrap_or(1).max(1);
    let (count, hidden) = (texts.len(), model.dimensions());
    let all = count * tokens;
    let mut rows = vec![0f32; all * hidden];
    let mut features = vec![0f32; all * FEATURES];
    let (mut han, mut is_han) = (vec![0i64; all], vec![0f32; all]);
    let mut mask = vec![0f32; all];
    let mut worths = vec![0f32; all * ROLES];
    for (text, own) in texts.iter().enumerate() {
        let ids: Vec<u32> = own.iter().filter_map(|t| t.id).collect();
        let table = model.network().rows(&ids)?;
        let mut table = table.chunks_exact(hidden);
        for (at, token) in own.iter().enumerate() {
            let place = text * tokens + at;
            if token.id.is_some() {
                let row = table.next().ok_or_else(|| {
                    Error::new(ErrorKind::Internal, "the word table gave too few rows")
                })?;
                rows[place * hidden..(place + 1) * hidden].copy_from_slice(row);
            }
            features[place * FEATURES..(place + 1) * FEATURES].copy_from_slice(&token.features);
            worths[place * ROLES..(place + 1) * ROLES].copy_from_slice(&worth(token));
            if let Some(row) = token.han {
                han[place] = row as i64;
                is_han[place] = 1.0;
            }
            mask[place] = 1.0;
        }
    }
    let three = |values: Vec<f32>, last: usize| {
        Tensor::<3>::from_data(TensorData::new(values, [count, tokens, last]), device)
    };
    let two =
        |values: Vec<f32>| Tensor::<2>::from_data(TensorData::new(values, [count, tokens]), device);
    Ok(Part {
        input: Input {
            rows: three(rows, hidden),
            features: three(features, FEATURES),
            han: Tensor::<2, Int>::from_data(TensorData::new(han, [count, tokens]), device),
            is_han: two(is_han),
            mask: two(mask),
        },
        worth: three(worths, ROLES),
        anchors: anchors.to_vec(),
        lessons,
    })
}
