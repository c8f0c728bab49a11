//! What the temporal branch reads from the texts of a test set.

use std::path::Path;

use almanac::encoder::{BranchCard, Latent, LatentScore, Model, TemporalBranch, TextKind};
use almanac::time::DayNumber;
use almanac::{Error, ErrorKind, Result};
use indicatif::ProgressBar;

use super::set::{TestSet, Text};

/// Texts of one batch.
const BATCH: usize = 16;

/// How a system uses the branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchPart {
    /// Whether a passage is read sentence by sentence, the best of which counts, and not as one
    /// Gaussian.
    pub sentences: bool,
    /// Whether the divergence runs from document to query.
    pub reverse: bool,
}

/// The latent Gaussians of all texts.
pub(super) struct Latents {
    score: LatentScore,
    queries: Vec<Latent>,
    passages: Vec<Latent>,
    sentences: Vec<Vec<Latent>>,
}

impl Latents {
    /// Reads all texts; sentences only where they are wanted.
    pub(super) fn read(
        folder: &Path,
        model: &Model,
        set: &TestSet,
        anchor: DayNumber,
        sentences: bool,
    ) -> Result<Self> {
        let (card, branch) = BranchCard::open(folder)?;
        if card.encoder != model.card().name || card.shape.hidden != model.dimensions() {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "the branch reads {}, the model is {}",
                    card.encoder,
                    model.card().name
                ),
            )
            .in_place(folder.display().to_string())
            .with_remedy("give the model that the branch was trained with"));
        }
        let whole = |texts: &[Text], kind| {
            let texts: Vec<(&str, DayNumber)> = texts
                .iter()
                .map(|t| (t.text.as_str(), t.anchor.unwrap_or(anchor)))
                .collect();
            latents(model, &branch, &texts, kind)
        };
        let queries = whole(&set.queries, TextKind::Query)?;
        let passages = whole(&set.passages, TextKind::Passage)?;
        let mut split = Vec::new();
        if sentences {
            let (mut flat, mut counts) = (Vec::new(), Vec::new());
            for passage in &set.passages {
                let day = passage.anchor.unwrap_or(anchor);
                let before = flat.len();
                flat.extend(cut(&passage.text).into_iter().map(|s| (s, day)));
                counts.push(flat.len() - before);
            }
            let mut all = latents(model, &branch, &flat, TextKind::Passage)?.into_iter();
            for count in counts {
                split.push(all.by_ref().take(count).collect());
            }
        }
        Ok(Self {
            score: card.score,
            queries,
            passages,
            sentences: split,
        })
    }

    /// Scores a passage for a query, 0 to 1.
    pub(super) fn score(&self, part: BranchPart, query: usize, passage: usize) -> f64 {
        let asked = &self.queries[query];
        let one = |held: &Latent| match part.reverse {
            false => self.score.similarity(asked, held),
            true => self.score.similarity(held, asked),
        };
        if part.sentences {
            self.sentences[passage].iter().map(one).fold(0.0, f64::max)
        } else {
            one(&self.passages[passage])
        }
    }
}

/// Cuts a text at line breaks and after full stops that end a sentence.
fn cut(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for line in text.lines() {
        let mut from = 0;
        for (at, stop) in line.match_indices(['.', '。', ';']) {
            let end = at + stop.len();
            let (before, after) = (&line[from..at], &line[end..]);
            // "c. 1850" and "J. Smith" go on after their stop.
            let word = before.rsplit(' ').next().unwrap_or("");
            let ends = stop == "。" || (after.starts_with(' ') && word.chars().count() > 3);
            if ends {
                out.push(line[from..end].trim());
                from = end;
            }
        }
        out.push(line[from..].trim());
    }
    out.retain(|s| !s.is_empty());
    out
}

fn latents(
    model: &Model,
    branch: &TemporalBranch,
    texts: &[(&str, DayNumber)],
    kind: TextKind,
) -> Result<Vec<Latent>> {
    let ids: Vec<Vec<u32>> = texts
        .iter()
        .map(|(t, _)| model.ids(t, kind))
        .collect::<Result<_>>()?;
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|at| ids[*at].len());
    let mut out = vec![None; texts.len()];
    // The bar hides itself where stderr is not a terminal.
    let bar = ProgressBar::new(texts.len() as u64);
    for same in order.chunk_by(|a, b| ids[*a].len() == ids[*b].len()) {
        for places in same.chunks(BATCH) {
            let batch: Vec<Vec<u32>> = places.iter().map(|at| ids[*at].clone()).collect();
            let anchors: Vec<DayNumber> = places.iter().map(|at| texts[*at].1).collect();
            let states = model.token_states(&batch)?;
            let read = pollster::block_on(model.latents(branch, &states, &anchors))?;
            for (at, latent) in places.iter().zip(read) {
                out[*at] = Some(latent);
            }
            bar.inc(places.len() as u64);
        }
    }
    bar.finish_and_clear();
    out.into_iter()
        .map(|l| l.ok_or_else(|| Error::new(ErrorKind::Internal, "a text was not read")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_into_sentences_and_lines() {
        assert_eq!(
            cut("Born c. 1850 in Vienna. He died in 1901.\nPrize share: 1/1\n\n"),
            [
                "Born c. 1850 in Vienna.",
                "He died in 1901.",
                "Prize share: 1/1"
            ]
        );
        assert_eq!(
            cut("生于1850年。卒于1901年"),
            ["生于1850年。", "卒于1901年"]
        );
        assert_eq!(cut(""), Vec::<&str>::new());
    }
}
