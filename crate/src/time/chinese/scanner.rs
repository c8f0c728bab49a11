//! The state and small readers of the Chinese grammar.

use super::super::calendar::{DayNumber, Year};
use super::super::english::atom::{Atom, Core, Era, Part};
use super::super::expression::{Candidate, Expression, Kind, Precision, Role};
use super::super::interval::{Interval, YearArc};
use super::super::settings::Settings;
use super::stream::{BREAK, Ch};
use super::tables::{Tables, tables};

/// What a reading leaves for the next one in a range to take over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    pub reign: Option<usize>,
    pub era_year: Option<i64>,
    pub civil_year: Option<i64>,
    pub civil_month: Option<u8>,
}

/// What was read between two positions.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub start: usize,
    pub end: usize,
    pub candidates: Vec<Candidate>,
    pub kind: Kind,
    pub arc: Option<YearArc>,
    pub role: Option<Role>,
    pub refusal: Option<String>,
    pub context: Context,
}

impl Hit {
    pub(crate) fn dated(start: usize, end: usize, candidates: Vec<Candidate>) -> Self {
        Self {
            start,
            end,
            kind: Expression::kind_of(&candidates),
            candidates,
            arc: None,
            role: None,
            refusal: None,
            context: Context::default(),
        }
    }

    pub(crate) fn one(start: usize, end: usize, interval: Interval, precision: Precision) -> Self {
        Self::dated(start, end, vec![Candidate::exact(interval, precision)])
    }

    pub(crate) fn refused(start: usize, end: usize, reason: String) -> Self {
        let mut hit = Self::dated(start, end, Vec::new());
        hit.refusal = Some(reason);
        hit
    }

    pub(crate) fn yearly(start: usize, end: usize, arc: YearArc) -> Self {
        let mut hit = Self::dated(start, end, Vec::new());
        hit.kind = Kind::Seasonal;
        hit.arc = Some(arc);
        hit
    }
}

/// The characters of a text and the conventions to read them by.
pub(crate) struct Scanner<'a> {
    pub chars: &'a [Ch],
    pub settings: &'a Settings,
    pub anchor: Option<DayNumber>,
    pub field: bool,
    pub tables: &'static Tables,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(
        chars: &'a [Ch],
        settings: &'a Settings,
        anchor: Option<DayNumber>,
        field: bool,
    ) -> Self {
        Self {
            chars,
            settings,
            anchor,
            field,
            tables: tables(),
        }
    }

    pub(crate) fn c(&self, i: usize) -> char {
        self.chars.get(i).map_or(BREAK, |ch| ch.c)
    }

    /// Whether the (folded) words stand at a position.
    pub(crate) fn at(&self, i: usize, words: &str) -> bool {
        let mut j = i;
        words.chars().all(|c| {
            let same = self.c(j) == c;
            j += 1;
            same
        })
    }

    /// The position after the first of the words that stands at a position, and its index.
    pub(crate) fn one_of(&self, i: usize, words: &[&str]) -> Option<(usize, usize)> {
        words
            .iter()
            .position(|w| self.at(i, w))
            .and_then(|k| words.get(k).map(|w| (k, i + w.chars().count())))
    }

    /// Whether nothing Chinese is written directly before a position.
    pub(crate) fn free_before(&self, i: usize) -> bool {
        let Some(before) = i.checked_sub(1) else {
            return true;
        };
        let apart = match (self.chars.get(before), self.chars.get(i)) {
            (Some(a), Some(b)) => a.end != b.start,
            _ => true,
        };
        apart || !super::super::english::lexer::is_han(self.c(before))
    }

    /// Whether nothing Chinese is written directly at a position.
    pub(crate) fn free_after(&self, i: usize) -> bool {
        let Some(before) = i.checked_sub(1) else {
            return true;
        };
        let apart = match (self.chars.get(before), self.chars.get(i)) {
            (Some(a), Some(b)) => a.end != b.start,
            _ => true,
        };
        apart || !super::super::english::lexer::is_han(self.c(i))
    }

    /// Reads a part of a century, decade or reign, such as 初期, 中葉 or 上半葉.
    pub(crate) fn part(&self, i: usize) -> Option<(Part, usize)> {
        const WORDS: [(&str, Part); 27] = [
            ("前半叶", Part::Fraction(1, 2)),
            ("上半叶", Part::Fraction(1, 2)),
            ("前半期", Part::Fraction(1, 2)),
            ("后半叶", Part::Fraction(2, 2)),
            ("下半叶", Part::Fraction(2, 2)),
            ("后半期", Part::Fraction(2, 2)),
            ("前半", Part::Fraction(1, 2)),
            ("后半", Part::Fraction(2, 2)),
            ("初期", Part::Early),
            ("初年", Part::Early),
            ("初叶", Part::Early),
            ("早期", Part::Early),
            ("前期", Part::Fraction(1, 2)),
            ("中期", Part::Mid),
            ("中叶", Part::Mid),
            ("末期", Part::Late),
            ("末年", Part::Late),
            ("末叶", Part::Late),
            ("晚期", Part::Late),
            ("后期", Part::Fraction(2, 2)),
            ("之初", Part::Early),
            ("之末", Part::Late),
            ("晚年", Part::Late),
            ("初", Part::Early),
            ("中", Part::Mid),
            ("末", Part::Late),
            ("季", Part::Late),
        ];
        WORDS
            .iter()
            .find(|(word, _)| self.at(i, word))
            .map(|(word, part)| (*part, i + word.chars().count()))
    }

    /// Grounds a civil time by the collection's settings.
    pub(crate) fn civil(
        &self,
        core: Core,
        part: Option<Part>,
        bce: bool,
    ) -> Option<(Interval, Precision)> {
        let mut atom = Atom::new(core);
        atom.part = part;
        atom.era = bce.then_some(Era::Bce);
        atom.ground(self.settings)
    }

    /// A part of whole years for dynasties: 初 and 末 are quarters, 早期 and the like thirds.
    pub(crate) fn part_of_dynasty(
        &self,
        first: i64,
        last: i64,
        part: Option<Part>,
        word: char,
    ) -> Option<Interval> {
        let length = last - first + 1;
        let (quarter, third) = ((length / 4).max(1), (length / 3).max(1));
        let (a, b) = match part {
            None => (first, last),
            Some(Part::Early) if word == '初' => (first, first + quarter - 1),
            Some(Part::Late) if word == '末' || word == '季' => (last - quarter + 1, last),
            Some(Part::Early) => (first, first + third - 1),
            Some(Part::Late) => (last - third + 1, last),
            Some(Part::Mid) => (first + third, last - third),
            Some(Part::Fraction(1, 2)) => (first, first + length / 2 - 1),
            Some(Part::Fraction(2, 2)) => (first + length / 2, last),
            Some(_) => return None,
        };
        Interval::years(Year(a), Year(b))
    }
}
