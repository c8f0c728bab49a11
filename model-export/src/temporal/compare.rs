//! The branch beside rules on sentences of held-out templates: the order of similarities, and whether
//! one time holds another or comes before it.
//!
//! The questions are those of TimeX-NLI and like tests, on pairs of our own: half of the right
//! answers are yes.

use almanac::Result;
use almanac::encoder::Model;
use almanac::encoder::temporal::TemporalBranch;
use almanac::search::time::Gaussian;
use almanac::time::{DayNumber, Lang, Settings, find};

use super::Chance;
use super::groups;
use super::measure::{Figures, measure_with};
use super::target::{Target, UNDATED_YEARS, years};
use super::tuple::{Anchored, say};
use super::voice::Split;

/// A question about two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Does the second time hold the first?
    Containment,
    /// Does the first time end before the second begins?
    Precedence,
}

/// Two texts with the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// What is asked.
    pub question: Question,
    /// The first text.
    pub first: Anchored,
    /// The second text.
    pub second: Anchored,
    /// The right answer, from the days that are meant.
    pub answer: bool,
}

/// Who reads the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// `almanac::time`.
    Rules,
    /// The branch.
    Branch,
    /// Rules, and the branch where they read nothing.
    Both,
}

impl Reader {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rules, Self::Branch, Self::Both];

    /// Gives the name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Branch => "branch",
            Self::Both => "rules, else branch",
        }
    }

    /// Reads a text; a time of 20,000 years stands for none.
    ///
    /// # Errors
    /// Those of the branch.
    pub fn read(self, branch: &TemporalBranch, model: &Model, text: &Anchored) -> Result<Gaussian> {
        let rules = || by_rules(text);
        let learned = || {
            let day = DayNumber(text.anchor);
            branch.gaussian(model.network(), model.tokenizer(), &text.text, day)
        };
        match self {
            Self::Rules => rules().map_or_else(|| Ok(nothing()), Ok),
            Self::Branch => learned(),
            Self::Both => rules().map_or_else(learned, Ok),
        }
    }
}

/// One reader's results.
#[derive(Clone, Debug)]
pub struct Row {
    /// Who read.
    pub reader: Reader,
    /// Rank correlations of similarities.
    pub figures: Figures,
    /// Share of right answers about containment, 0 to 1.
    pub containment: f64,
    /// Share of right answers about precedence, 0 to 1.
    pub precedence: f64,
}

/// Measures all readers on `count` queries and as many pairs of each question.
///
/// # Errors
/// Those of the branch.
pub fn compare(
    branch: &TemporalBranch,
    model: &Model,
    count: usize,
    seed: u64,
) -> Result<Vec<Row>> {
    let held = groups(Split::HeldOut, count, seed);
    let pairs = |question| pairs(question, count, seed);
    let asked = [pairs(Question::Containment), pairs(Question::Precedence)];
    Reader::ALL
        .iter()
        .map(|&reader| {
            let read = |text: &Anchored| reader.read(branch, model, text);
            let mut right = [0.0; 2];
            for (share, pairs) in right.iter_mut().zip(&asked) {
                for pair in pairs {
                    let said = answer(pair.question, read(&pair.first)?, read(&pair.second)?);
                    *share += f64::from(u8::from(said == pair.answer));
                }
                *share /= pairs.len().max(1) as f64;
            }
            Ok(Row {
                reader,
                figures: measure_with(&held, &read)?,
                containment: right[0],
                precedence: right[1],
            })
        })
        .collect()
}

/// A text that was read.
#[derive(Clone, Debug)]
pub struct Example {
    /// The text.
    pub text: Anchored,
    /// What was read.
    pub read: Gaussian,
    /// KL(meant ‖ read), in nats.
    pub divergence: f64,
}

/// Gives texts of held-out templates that the branch reads worst, the worst first.
///
/// # Errors
/// Those of the branch.
pub fn worst(
    branch: &TemporalBranch,
    model: &Model,
    count: usize,
    seed: u64,
    most: usize,
) -> Result<Vec<Example>> {
    let mut out = Vec::new();
    for group in groups(Split::HeldOut, count, seed) {
        for text in std::iter::once(group.query).chain(group.others.into_iter().map(|o| o.text)) {
            let read = Reader::Branch.read(branch, model, &text)?;
            if let Some(meant) = text.gaussian() {
                let divergence = meant.divergence(read);
                out.push(Example {
                    text,
                    read,
                    divergence,
                });
            }
        }
    }
    out.sort_by(|a, b| b.divergence.total_cmp(&a.divergence));
    out.truncate(most);
    Ok(out)
}

/// Draws pairs of held-out templates, half with each answer.
#[must_use]
pub fn pairs(question: Question, count: usize, seed: u64) -> Vec<Pair> {
    let mut chance = Chance::new(seed ^ (7 << 40));
    let mut out: Vec<Pair> = Vec::with_capacity(count);
    while out.len() < count {
        let wanted = out.len().is_multiple_of(2);
        let target = Target::draw(&mut chance);
        let other = match chance.below(3) {
            0 => target.near_miss(&mut chance),
            1 => target.other_grain(&mut chance),
            _ => Target::draw(&mut chance),
        };
        let (first, second) = if chance.below(2) == 0 {
            (target, other)
        } else {
            (other, target)
        };
        let answer = match question {
            Question::Containment => first.first >= second.first && first.last <= second.last,
            Question::Precedence => first.last < second.first,
        };
        if answer != wanted {
            continue;
        }
        let mut text = |target| say(target, Split::HeldOut, &mut chance);
        if let (Some(first), Some(second)) = (text(&first), text(&second)) {
            out.push(Pair {
                question,
                first,
                second,
                answer,
            });
        }
    }
    out
}

/// Answers from what was read: a time holds another when nine tenths of it lie inside, and comes
/// before it when less than a tenth of the shorter one is shared and its middle is earlier.
#[must_use]
pub fn answer(question: Question, first: Gaussian, second: Gaussian) -> bool {
    let ends = |g: Gaussian| (g.mean() - g.length() / 2.0, g.mean() + g.length() / 2.0);
    let ((a, b), (c, d)) = (ends(first), ends(second));
    let shared = (b.min(d) - a.max(c)).max(0.0);
    match question {
        Question::Containment => shared >= 0.9 * first.length(),
        Question::Precedence => {
            first.mean() < second.mean() && shared < 0.1 * first.length().min(second.length())
        }
    }
}

/// What rules read: the moments of all closed intervals together.
fn by_rules(text: &Anchored) -> Option<Gaussian> {
    let day = Some(DayNumber(text.anchor));
    let found = find(&text.text, &Settings::default(), Lang::Auto, day);
    let read: Vec<Gaussian> = found
        .iter()
        .filter_map(|e| Gaussian::of_interval(e.candidates.first()?.interval))
        .collect();
    let count = read.len() as f64;
    let mean = read.iter().map(|g| g.mean()).sum::<f64>() / count;
    let spread = |g: &Gaussian| g.length() * g.length() + 12.0 * (g.mean() - mean).powi(2);
    let length = (read.iter().map(spread).sum::<f64>() / count).sqrt();
    Gaussian::of_moments(mean, length)
}

fn nothing() -> Gaussian {
    let (first, last) = years(UNDATED_YEARS.0, UNDATED_YEARS.1);
    #[expect(clippy::expect_used, reason = "the years are in order")]
    Gaussian::of_days(first, last).expect("years in order")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn answers_follow_from_the_days_that_are_meant() {
        for question in [Question::Containment, Question::Precedence] {
            let pairs = pairs(question, 400, 5);
            assert_eq!(pairs.iter().filter(|p| p.answer).count(), 200);
            for pair in pairs {
                let (p, q) = (
                    pair.first.gaussian().unwrap(),
                    pair.second.gaussian().unwrap(),
                );
                if pair.answer {
                    assert!(answer(question, p, q), "{pair:?}");
                }
            }
        }
    }

    #[test]
    fn rules_read_nothing_as_a_very_long_time() {
        assert!(nothing().length() > 7_000_000.0);
    }
}
