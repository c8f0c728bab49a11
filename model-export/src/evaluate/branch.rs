//! What the temporal branch reads from the texts of a test set.

use std::path::Path;

use almanac::encoder::Model;
use almanac::encoder::temporal::BranchCard;
use almanac::search::time::{Gaussian, bounded};
use almanac::time::DayNumber;
use almanac::{Error, ErrorKind, Result};
use indicatif::ProgressBar;

use super::set::{TestSet, Text};

/// From this length on, a time says nothing: 2,500 years.
const UNDATED_DAYS: f64 = 2_500.0 * 365.2425;

/// How a system uses the branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchPart {
    /// Whether a passage is read sentence by sentence, the best of which counts, and not as one
    /// Gaussian.
    pub sentences: bool,
    /// Whether the divergence runs from document to query.
    pub reverse: bool,
}

/// The times of all texts.
pub(super) struct Times {
    queries: Vec<Gaussian>,
    passages: Vec<Gaussian>,
    sentences: Vec<Vec<Gaussian>>,
}

impl Times {
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
        let one = |text: &str, day: DayNumber| {
            branch.gaussian(model.network(), model.tokenizer(), text, day)
        };
        // The bar hides itself where stderr is not a terminal.
        let bar = ProgressBar::new((set.queries.len() + set.passages.len()) as u64);
        let whole = |texts: &[Text]| -> Result<Vec<Gaussian>> {
            texts
                .iter()
                .map(|t| {
                    bar.inc(1);
                    one(&t.text, t.anchor.unwrap_or(anchor))
                })
                .collect()
        };
        let queries = whole(&set.queries)?;
        let passages = whole(&set.passages)?;
        let mut split = Vec::new();
        if sentences {
            for passage in &set.passages {
                let day = passage.anchor.unwrap_or(anchor);
                let read = self::sentences(&passage.text)
                    .into_iter()
                    .map(|s| one(s, day));
                split.push(read.collect::<Result<_>>()?);
            }
        }
        bar.finish_and_clear();
        Ok(Self {
            queries,
            passages,
            sentences: split,
        })
    }

    /// Whether the branch reads a time in a query.
    pub(super) fn dated(&self, query: usize) -> bool {
        self.queries[query].length() < UNDATED_DAYS
    }

    /// Scores a passage for a query, 0 to 1.
    pub(super) fn score(&self, part: BranchPart, query: usize, passage: usize) -> f64 {
        let asked = self.queries[query];
        let one = |held: &Gaussian| match part.reverse {
            false => bounded(asked.divergence(*held)),
            true => bounded(held.divergence(asked)),
        };
        if part.sentences {
            self.sentences[passage].iter().map(one).fold(0.0, f64::max)
        } else {
            one(&self.passages[passage])
        }
    }
}

/// Cuts a text at line breaks and after full stops that end a sentence.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_into_sentences_and_lines() {
        assert_eq!(
            sentences("Born c. 1850 in Vienna. He died in 1901.\nPrize share: 1/1\n\n"),
            [
                "Born c. 1850 in Vienna.",
                "He died in 1901.",
                "Prize share: 1/1"
            ]
        );
        assert_eq!(
            sentences("生于1850年。卒于1901年"),
            ["生于1850年。", "卒于1901年"]
        );
        assert_eq!(sentences(""), Vec::<&str>::new());
    }
}
