//! Training tuples: a query with a positive, random negatives and hard negatives, each with the
//! label of the closed form.

use almanac::search::time::{Gaussian, bounded};
use almanac::time::{DayNumber, Year};
use serde::{Deserialize, Serialize};

use super::Chance;
use super::corpus::Corpus;
use super::target::{Target, UNDATED_YEARS, years};
use super::voice::{Language, Phrase, Split};
use super::{chinese, english, sentence};
use crate::classical::forms::Forms;

/// A text with the day it counts from and the Gaussian that it means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchored {
    /// The words.
    pub text: String,
    /// The day that relative dates count from, as a day number.
    pub anchor: i64,
    /// The mean of what is meant, in days.
    pub mean: f64,
    /// The length of the interval with its variance, in days.
    pub length: f64,
    /// The form of its expression, such as `year` or `day-relative`.
    pub form: String,
    /// Its expressions, one after the other; none where it is undated.
    pub meant: Vec<Meant>,
}

/// An expression of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meant {
    /// The bytes of the text in which it stands.
    pub from: usize,
    /// The byte after its last.
    pub to: usize,
    /// Its form.
    pub form: String,
    /// Mean and length, in days, of its two ends: the first and last year of several, the first and
    /// last of any days, else both the whole.
    pub ends: [(f64, f64); 2],
}

impl Meant {
    /// Gives the stretch from its first to its last end.
    pub(super) fn target(&self) -> Option<Target> {
        let [(first, a), (last, b)] = self.ends;
        let (first, last) = ((first - a / 2.0).round(), (last + b / 2.0).round() - 1.0);
        Target::of_days(DayNumber(first as i64), DayNumber(last as i64))
    }
}

impl Anchored {
    /// Gives the Gaussian; `None` for a length that is not above 0.
    pub fn gaussian(&self) -> Option<Gaussian> {
        Gaussian::of_moments(self.mean, self.length)
    }
}

/// How a text was chosen for a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The same days or days a little off, in other words.
    Positive,
    /// Any other time.
    Random,
    /// A stretch of the same grain a few lengths away.
    NearMiss,
    /// The year's digits in another order or era.
    SameDigits,
    /// A stretch that holds the query's or lies in it.
    OtherGrain,
    /// The query's own words, counted from another day.
    OtherAnchor,
    /// Two dates, one of them the query's.
    Several,
    /// No date.
    Undated,
    /// A sentence that somebody wrote, with what rules read in it.
    Real,
}

/// A text beside a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Other {
    /// How it was chosen.
    pub relation: Relation,
    /// The similarity of the closed form, 1 / (1 + KL(query ‖ text)), above 0 and at most 1.
    pub label: f64,
    /// The text.
    #[serde(flatten)]
    pub text: Anchored,
}

/// A query and its tuples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The text that asks.
    pub query: Anchored,
    /// The texts it is compared with.
    pub others: Vec<Other>,
}

/// Random negatives of a query.
///
/// Source: TEMPS, appendix A.1.3.
const RANDOM: usize = 4;
/// Of how many groups one asks with a real sentence.
const REAL: usize = 4;

impl Group {
    /// Draws a query of a split and the texts beside it, all of templates.
    pub fn draw(split: Split, chance: &mut Chance) -> Self {
        Self::draw_with(split, None, chance)
    }

    /// Draws a query and the texts beside it; with a corpus, a query in four is a real sentence.
    pub fn draw_with(split: Split, corpus: Option<&Corpus>, chance: &mut Chance) -> Self {
        loop {
            // Not every stretch can be said in every split and language.
            let drawn = match corpus {
                Some(corpus) if chance.below(REAL) == 0 => Self::real(corpus, split, split, chance),
                _ => Self::attempt(split, chance),
            };
            if let Some(group) = drawn {
                return group;
            }
        }
    }

    /// Draws a real sentence with two more and random ones of templates beside it; where it means one
    /// stretch of days, with a positive and a near miss of templates too.
    pub(super) fn real(
        corpus: &Corpus,
        sentences: Split,
        split: Split,
        chance: &mut Chance,
    ) -> Option<Self> {
        let query = corpus.draw(sentences, chance)?;
        let mut others = Vec::with_capacity(10);
        if let [one] = query.meant.as_slice() {
            let target = one.target()?;
            others.push((Relation::Positive, say(&target, split, chance)?));
            if let Some(text) = say(&target.near_miss(chance), split, chance) {
                others.push((Relation::NearMiss, text));
            }
        }
        for _ in 0..RANDOM {
            others.push((Relation::Random, say(&Target::draw(chance), split, chance)?));
        }
        for _ in 0..2 {
            let other = corpus.draw(sentences, chance);
            others.extend(other.map(|text| (Relation::Real, text)));
        }
        Self::labelled(query, others)
    }

    fn attempt(split: Split, chance: &mut Chance) -> Option<Self> {
        if chance.below(30) == 0 {
            let query = undated(split, chance);
            let mut others = vec![(Relation::Positive, undated(split, chance))];
            for _ in 0..3 {
                others.push((Relation::Random, say(&Target::draw(chance), split, chance)?));
            }
            return Self::labelled(query, others);
        }
        let target = if chance.below(25) == 0 {
            chinese::draw_era(chance)?
        } else {
            Target::draw(chance)
        };
        let query = say(&target, split, chance)?;
        let mut others = Vec::with_capacity(10);
        let near = if chance.below(2) == 0 {
            target
        } else {
            target.perturbed(chance)
        };
        let same = say(&near, split, chance).or_else(|| say(&target, split, chance))?;
        others.push((Relation::Positive, same));
        for _ in 0..RANDOM {
            others.push((Relation::Random, say(&Target::draw(chance), split, chance)?));
        }
        let hard = [
            (Relation::NearMiss, target.near_miss(chance)),
            (Relation::SameDigits, target.same_digits(chance)),
            (Relation::OtherGrain, target.other_grain(chance)),
        ];
        for (relation, target) in hard {
            if let Some(text) = say(&target, split, chance) {
                others.push((relation, text));
            }
        }
        if let Some(other) = other_anchor(&query, &target, chance) {
            others.push((Relation::OtherAnchor, other));
        }
        match chance.below(6) {
            0 => others.push((Relation::Undated, undated(split, chance))),
            1 | 2 => {
                let (a, b) = (
                    say(&target, split, chance)?,
                    say(&Target::draw(chance), split, chance)?,
                );
                if let Some(both) = several(a, b, chance) {
                    others.push((Relation::Several, both));
                }
            }
            _ => {}
        }
        Self::labelled(query, others)
    }

    fn labelled(query: Anchored, others: Vec<(Relation, Anchored)>) -> Option<Self> {
        let own = query.gaussian()?;
        let others = others
            .into_iter()
            .map(|(relation, text)| {
                let label = bounded(own.divergence(text.gaussian()?));
                Some(Other {
                    relation,
                    label,
                    text,
                })
            })
            .collect::<Option<_>>()?;
        Some(Self { query, others })
    }
}

/// Says a stretch in a sentence; `None` where the split has no template for it.
pub(crate) fn say(target: &Target, split: Split, chance: &mut Chance) -> Option<Anchored> {
    let language = if chance.below(7) == 0 {
        Language::Chinese
    } else {
        Language::English
    };
    let relative = chance.below(5) == 0;
    let found = phrase(target, language, relative, split, chance)
        .or_else(|| phrase(target, language, false, split, chance))
        .map(|phrase| (language, phrase))
        .or_else(|| {
            // An era has Chinese words only, other stretches English ones only.
            let other = match language {
                Language::English => Language::Chinese,
                Language::Chinese => Language::English,
            };
            Some((other, phrase(target, other, false, split, chance)?))
        });
    let (language, phrase) = found?;
    let gaussian = target.gaussian()?;
    let anchor = phrase.anchor.unwrap_or_else(|| any_day(chance));
    let mut text = sentence::around(&phrase, language, split, chance);
    let mut words = phrase.text.clone();
    if language == Language::Chinese && chance.below(3) == 0 {
        text = traditional(&text);
        words = traditional(&words);
    }
    let place = sentence::place_of(&words, &text);
    Some(Anchored {
        text,
        anchor: anchor.0,
        mean: gaussian.mean(),
        length: gaussian.length(),
        form: phrase.form.to_owned(),
        meant: vec![Meant {
            from: place.start,
            to: place.end,
            form: phrase.form.to_owned(),
            ends: target.ends(),
        }],
    })
}

/// A simplified text in traditional characters; as it is where the tables cannot be read.
fn traditional(text: &str) -> String {
    static FORMS: std::sync::OnceLock<Option<Forms>> = std::sync::OnceLock::new();
    match FORMS.get_or_init(|| Forms::new().ok()) {
        Some(forms) => forms.traditional(text),
        None => text.to_owned(),
    }
}

fn phrase(
    target: &Target,
    language: Language,
    relative: bool,
    split: Split,
    chance: &mut Chance,
) -> Option<Phrase> {
    let mut phrases = match (language, relative) {
        (Language::English, false) => english::absolute(target, chance),
        (Language::English, true) => english::deictic(target, chance),
        (Language::Chinese, false) => chinese::absolute(target, chance),
        (Language::Chinese, true) => chinese::deictic(target, chance),
    };
    phrases.retain(|p| p.split == split);
    if phrases.is_empty() {
        return None;
    }
    let place = chance.below(phrases.len());
    Some(phrases.swap_remove(place))
}

/// The query's words from another day, where another stretch of its grain is said so too.
fn other_anchor(query: &Anchored, target: &Target, chance: &mut Chance) -> Option<Anchored> {
    if !query.form.ends_with("-relative") {
        return None;
    }
    // The anchor and what is meant move together by whole Gregorian cycles, so that months,
    // decades and centuries stay what they are.
    let cycles = (1 + chance.below(4) as i64) * if chance.below(2) == 0 { 1 } else { -1 };
    let days = cycles * 146_097;
    let moved = Anchored {
        anchor: query.anchor + days,
        mean: query.mean + days as f64,
        meant: query
            .meant
            .iter()
            .map(|meant| Meant {
                ends: meant
                    .ends
                    .map(|(mean, length)| (mean + days as f64, length)),
                ..meant.clone()
            })
            .collect(),
        ..query.clone()
    };
    let year = target.year() + cycles * 400;
    (200..=super::target::YEARS.1)
        .contains(&year)
        .then_some(moved)
}

fn undated(split: Split, chance: &mut Chance) -> Anchored {
    let language = if chance.below(7) == 0 {
        Language::Chinese
    } else {
        Language::English
    };
    let mut text = sentence::undated(language, split, chance);
    if chance.below(2) == 0 {
        text = format!("{text} {}", sentence::undated(language, split, chance));
    }
    undated_time(text, any_day(chance))
}

/// A text without a date.
pub(super) fn undated_time(text: String, anchor: DayNumber) -> Anchored {
    let (first, last) = years(UNDATED_YEARS.0, UNDATED_YEARS.1);
    Anchored {
        text,
        anchor: anchor.0,
        mean: (first.0 + last.0 + 1) as f64 / 2.0,
        length: (last.0 - first.0 + 1) as f64,
        form: "undated".to_owned(),
        meant: Vec::new(),
    }
}

/// A passage with two absolute dates, as the Gaussian with the moments of their even mixture.
fn several(a: Anchored, b: Anchored, chance: &mut Chance) -> Option<Anchored> {
    if a.form.ends_with("-relative") || b.form.ends_with("-relative") {
        return None;
    }
    let (mean, length) = mixed((a.mean, a.length), (b.mean, b.length));
    let (a, b) = if chance.below(2) == 0 { (a, b) } else { (b, a) };
    let joint = if a.text.ends_with(['.', '?', '。', '？']) {
        " "
    } else {
        ". "
    };
    let from = a.text.len() + joint.len();
    let later = b.meant.iter().map(|meant| Meant {
        from: from + meant.from,
        to: from + meant.to,
        ..meant.clone()
    });
    Some(Anchored {
        meant: a.meant.iter().cloned().chain(later).collect(),
        text: format!("{}{joint}{}", a.text, b.text),
        anchor: a.anchor,
        mean,
        length,
        form: "several".to_owned(),
    })
}

/// Mean and length, in days, of the even mixture of two times given so.
pub(super) fn mixed(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let within = (a.1 * a.1 + b.1 * b.1) / 24.0;
    let between = (a.0 - b.0) * (a.0 - b.0) / 4.0;
    ((a.0 + b.0) / 2.0, (12.0 * (within + between)).sqrt())
}

pub(super) fn any_day(chance: &mut Chance) -> DayNumber {
    let year = Target::draw(chance).year();
    DayNumber(Year(year).first_day().0 + chance.below(365) as i64)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn groups(split: Split, seed: u64, count: usize) -> Vec<Group> {
        let mut chance = Chance::new(seed);
        (0..count)
            .map(|_| Group::draw(split, &mut chance))
            .collect()
    }

    #[test]
    fn labels_are_those_of_the_closed_form_and_positives_above_nine_tenths() {
        for group in groups(Split::Train, 5, 4_000) {
            let (p, l) = (group.query.mean, group.query.length);
            for other in &group.others {
                let (q, m) = (other.text.mean, other.text.length);
                let kl = 0.5 * ((l / m).powi(2) - 1.0 - 2.0 * (l / m).ln())
                    + 6.0 * (p - q).powi(2) / (m * m);
                assert!((other.label - 1.0 / (1.0 + kl)).abs() < 1e-9, "{other:?}");
                assert!(other.label > 0.0 && other.label <= 1.0);
                if other.relation == Relation::Positive {
                    assert!(other.label > 0.9, "{group:?}");
                }
                if other.relation == Relation::NearMiss || other.relation == Relation::OtherGrain {
                    assert!(other.label < 0.91, "{:?} {other:?}", group.query);
                }
            }
        }
    }

    #[test]
    fn every_dated_query_has_a_positive_and_four_random_negatives() {
        for group in groups(Split::Train, 6, 1_000) {
            if group.query.form == "undated" {
                continue;
            }
            let count = |r| group.others.iter().filter(|o| o.relation == r).count();
            assert_eq!(
                (count(Relation::Positive), count(Relation::Random)),
                (1, RANDOM)
            );
        }
    }

    #[test]
    fn relative_words_from_another_day_mean_another_time() {
        let traps: Vec<Group> = groups(Split::Train, 7, 4_000)
            .into_iter()
            .filter(|g| g.others.iter().any(|o| o.relation == Relation::OtherAnchor))
            .collect();
        assert!(traps.len() > 100, "{}", traps.len());
        for group in traps {
            for other in group
                .others
                .iter()
                .filter(|o| o.relation == Relation::OtherAnchor)
            {
                assert_eq!(other.text.text, group.query.text);
                assert!(other.label < 0.1);
            }
        }
    }

    #[test]
    fn held_out_sentences_are_not_in_the_training_data() {
        let texts = |split| -> HashSet<String> {
            groups(split, 8, 4_000)
                .into_iter()
                .flat_map(|g| g.others.into_iter().map(|o| o.text).chain([g.query]))
                .filter(|t| t.form != "undated")
                .map(|t| t.text)
                .collect()
        };
        let (train, held) = (texts(Split::Train), texts(Split::HeldOut));
        assert_eq!(
            train.intersection(&held).collect::<Vec<_>>(),
            Vec::<&String>::new()
        );
    }

    #[test]
    fn undated_text_holds_every_date_and_fits_none() {
        let mut chance = Chance::new(9);
        let nothing = undated(Split::Train, &mut chance).gaussian().unwrap();
        for _ in 0..2_000 {
            let date = Target::draw(&mut chance).gaussian().unwrap();
            assert!(bounded(date.divergence(nothing)) < 0.4);
            assert!(bounded(nothing.divergence(date)) < 0.05);
        }
    }

    #[test]
    fn a_seed_repeats_its_groups() {
        assert_eq!(groups(Split::Train, 10, 50), groups(Split::Train, 10, 50));
        assert_ne!(groups(Split::Train, 10, 50), groups(Split::Train, 11, 50));
    }
}
