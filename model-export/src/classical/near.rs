//! Passages that quote one another, by the runs of characters they share.

use std::collections::{HashMap, HashSet};

use super::pair::bare;

/// Characters of a run.
const RUN: usize = 4;
/// The share of the shorter text's runs that makes a quotation.
const SHARE: f64 = 0.5;
/// Texts with fewer runs are quotations only where they are equal.
const LEAST_RUNS: usize = 3;

/// Texts that others are compared with.
#[derive(Default)]
pub struct Quotations {
    whole: HashMap<String, u32>,
    runs: HashMap<u64, Vec<u32>>,
    counts: Vec<usize>,
}

impl Quotations {
    /// Takes in a text.
    pub fn add(&mut self, text: &str) {
        let text = bare(text);
        let runs = runs(&text);
        let number = self.counts.len() as u32;
        self.counts.push(runs.len());
        for run in runs {
            self.runs.entry(run).or_default().push(number);
        }
        self.whole.entry(text).or_insert(number);
    }

    /// Gives the first text, by its place, that equals the given one, holds at least half of it or is
    /// held by at least half in it.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<usize> {
        let text = bare(text);
        if let Some(number) = self.whole.get(&text) {
            return Some(*number as usize);
        }
        let runs = runs(&text);
        let mut shared: HashMap<u32, usize> = HashMap::new();
        for run in &runs {
            for number in self.runs.get(run).into_iter().flatten() {
                *shared.entry(*number).or_default() += 1;
            }
        }
        let quoted = |(number, shared): (u32, usize)| {
            let least = self.counts[number as usize].min(runs.len());
            (least >= LEAST_RUNS && shared as f64 >= SHARE * least as f64)
                .then_some(number as usize)
        };
        shared.into_iter().filter_map(quoted).min()
    }
}

/// Says whether two texts are the same or quote one another.
#[must_use]
pub fn alike(a: &str, b: &str) -> bool {
    let mut quotations = Quotations::default();
    quotations.add(a);
    quotations.find(b).is_some()
}

fn runs(text: &str) -> HashSet<u64> {
    let characters: Vec<char> = text.chars().collect();
    let number = |run: &[char]| {
        // FNV-1a: the same on every platform; equal runs of other characters are rare enough.
        run.iter().fold(0xCBF2_9CE4_8422_2325, |hash: u64, c| {
            (hash ^ u64::from(u32::from(*c))).wrapping_mul(0x0000_0100_0000_01B3)
        })
    };
    characters.windows(RUN).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "春冻解，地气始通，土一和解。夏至，天气始暑，阴气始盛，土复解。";

    #[test]
    fn quotation_is_found_across_script_and_punctuation() {
        let mut texts = Quotations::default();
        texts.add("凡耕之本，在于趣时和土");
        texts.add(LONG);
        assert_eq!(texts.find("春凍解地氣始通土一和解"), Some(1));
        assert_eq!(texts.find(&format!("《氾胜之书》曰：{LONG}")), Some(1));
        assert_eq!(
            texts.find("种禾无期，因地为时。三月榆荚时雨，高地强土可种禾。"),
            None
        );
    }

    #[test]
    fn short_text_must_be_equal() {
        assert!(alike("薄田不能糞", "薄田不能粪。"));
        assert!(!alike(
            "薄田不能粪",
            "薄田不能粪者，以原蚕矢杂禾种种之，则禾不虫"
        ));
    }

    #[test]
    fn a_common_phrase_is_no_quotation() {
        assert!(!alike(
            "冬雨雪止，以物辄蔺麦上，掩其雪，勿令从风飞去",
            "种麦得时无不善，冬雨雪止，早种则虫而有节"
        ));
    }
}
