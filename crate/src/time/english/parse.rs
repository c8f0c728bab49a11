//! Reads single points and periods of time from tokens.

use super::super::calendar::{DayNumber, Year};
use super::super::expression::Precision;
use super::super::interval::Interval;
use super::super::settings::{DayMonthOrder, Settings};
use super::atom::{Atom, Core, Era, Part};
use super::lexer::{Tok, Token, W};
use super::periods;
use super::words::roman;

/// The tokens of a text and the conventions to read them by.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    pub settings: &'a Settings,
    pub anchor: Option<DayNumber>,
    /// Whether the text is a catalogue field, where short numbers are years as well.
    pub field: bool,
}

/// An atom and the token after it.
pub(crate) type Parsed = Option<(Atom, usize)>;

impl<'a> Reader<'a> {
    pub(crate) fn tok(&self, i: usize) -> Tok {
        self.tokens.get(i).map_or(Tok::Break, |t| t.tok)
    }

    pub(crate) fn is(&self, i: usize, word: W) -> bool {
        self.tok(i) == Tok::Word(word)
    }

    pub(crate) fn spaced(&self, i: usize) -> bool {
        self.tokens.get(i).is_none_or(|t| t.spaced)
    }

    pub(crate) fn str(&self, i: usize) -> &'a str {
        self.tokens
            .get(i)
            .and_then(|t| self.text.get(t.start..t.end))
            .unwrap_or("")
    }

    fn num(&self, i: usize, digits: std::ops::RangeInclusive<u8>) -> Option<i64> {
        match self.tok(i) {
            Tok::Num(n, d) if digits.contains(&d) => i64::try_from(n).ok(),
            _ => None,
        }
    }

    /// Whether a token is written directly against a letter, digit or sign before it.
    pub(crate) fn glued_before(&self, i: usize) -> bool {
        if self.spaced(i) || i == 0 {
            return false;
        }
        matches!(
            self.tok(i - 1),
            Tok::Word(_) | Tok::Num(..) | Tok::Grouped(_) | Tok::Currency | Tok::Hash | Tok::Dot
        )
    }

    /// Reads one point or period, with its marks of approximation and its part.
    pub(crate) fn atom(&self, start: usize) -> Parsed {
        let mut i = start;
        let mut circa = false;
        let mut maybe = false;
        let mut bracket = false;
        for _ in 0..6 {
            match self.tok(i) {
                Tok::Word(W::Circa) => {
                    // A single letter c or C must be followed by a date at once.
                    i += 1;
                    if self.tok(i) == Tok::Dot || (self.field && self.tok(i) == Tok::Comma) {
                        i += 1;
                    }
                    circa = true;
                }
                Tok::Word(W::Approximately)
                    if self.str(i.wrapping_sub(1)).eq_ignore_ascii_case("how") =>
                {
                    return None;
                }
                Tok::Word(W::Approximately) => {
                    i += 1;
                    if self.tok(i) == Tok::Dot {
                        i += 1;
                    }
                    circa = true;
                }
                Tok::Tilde => {
                    i += 1;
                    circa = true;
                }
                Tok::Question => {
                    i += 1;
                    maybe = true;
                }
                Tok::Word(W::Maybe) => {
                    i += 1;
                    if self.tok(i) == Tok::Dot {
                        i += 1;
                    }
                    maybe = true;
                }
                Tok::BracketOpen => {
                    i += 1;
                    bracket = true;
                }
                Tok::Word(W::The) if circa || maybe => i += 1,
                _ => break,
            }
        }
        let (mut atom, mut j) = self.with_part(i)?;
        atom.circa |= circa;
        atom.circa_tight = circa && i > start && !self.spaced(i);
        atom.maybe |= maybe;
        // Marks after the date: "1840?", "1850 (?)", "[1850]".
        for _ in 0..3 {
            match self.tok(j) {
                Tok::Question if !self.spaced(j) => {
                    // A question mark that ends a sentence is no doubt about the date.
                    let ends = !self.field && !self.doubt_mark(j);
                    if ends {
                        break;
                    }
                    atom.maybe = true;
                    j += 1;
                }
                Tok::Open if self.tok(j + 1) == Tok::Question && self.tok(j + 2) == Tok::Close => {
                    atom.maybe = true;
                    j += 3;
                }
                Tok::BracketClose if bracket => {
                    bracket = false;
                    j += 1;
                }
                Tok::Word(W::Approximately) if self.field => {
                    atom.circa = true;
                    j += 1;
                }
                _ => break,
            }
        }
        Some((atom, j))
    }

    fn doubt_mark(&self, i: usize) -> bool {
        matches!(
            self.tok(i + 1),
            Tok::Comma | Tok::Semicolon | Tok::Close | Tok::BracketClose | Tok::Hyphen | Tok::Dash
        ) || matches!(self.tok(i + 1), Tok::Word(w) if w != W::Other)
            || i + 1 >= self.tokens.len() && i <= 2
    }

    /// Reads "early", "second half of the" and the like, then the time they are a part of.
    fn with_part(&self, i: usize) -> Parsed {
        let skip_of_the = |mut j: usize| {
            if self.is(j, W::Of) || self.field && self.tok(j) == Tok::Comma {
                j += 1;
            }
            if self.is(j, W::The) {
                j += 1;
            }
            j
        };
        let simple = match self.tok(i) {
            Tok::Word(W::Early) => Some(Part::Early),
            Tok::Word(W::Mid | W::Middle) => Some(Part::Mid),
            Tok::Word(W::Late) => Some(Part::Late),
            Tok::Word(W::Beginning) if self.is(i + 1, W::Of) => Some(Part::Beginning),
            Tok::Word(W::End) if self.is(i + 1, W::Of) => Some(Part::End),
            Tok::Word(W::Turn) if self.is(i + 1, W::Of) => Some(Part::Turn),
            _ => None,
        };
        if let Some(part) = simple {
            let mut j = i + 1;
            if self.tok(j) == Tok::Dot {
                j += 1;
            }
            // "Mid 19th", "mid-19th", "mid- to late-19th", "early in the", "the middle of the".
            if matches!(self.tok(j), Tok::Hyphen | Tok::Dash) {
                j += 1;
            }
            if self.is(j, W::In) && part == Part::Early {
                j += 1;
            }
            // "mid to late", "mid- to late-", "mid-to-late"
            let hyphen = usize::from(self.tok(j + 1) == Tok::Hyphen);
            if (self.is(j, W::To) || matches!(self.tok(j), Tok::Slash))
                && let Tok::Word(W::Early | W::Mid | W::Late | W::Middle) = self.tok(j + 1 + hyphen)
            {
                let mut atom = Atom::new(Core::Nothing);
                atom.part = Some(part);
                return Some((atom, j));
            }
            // "early-mid 18th century".
            if matches!(self.tok(i + 1), Tok::Hyphen | Tok::Dash)
                && let Tok::Word(W::Mid | W::Late) = self.tok(j)
                && part != Part::Late
            {
                let mut atom = Atom::new(Core::Nothing);
                atom.part = Some(part);
                return Some((atom, i + 1));
            }
            j = skip_of_the(j);
            let (mut atom, j) = self.bare(j)?;
            if atom.part.is_some() {
                return None;
            }
            atom.part = Some(part);
            return Some((atom, j));
        }
        if let Some((index, mut j)) = self.ordinal_like(i) {
            let of = match self.tok(j) {
                Tok::Word(W::Half) => Some(2u8),
                Tok::Word(W::Quarter) => Some(4),
                Tok::Word(W::Ordinal(3)) => Some(3),
                Tok::Word(W::Decade) => Some(10),
                _ => None,
            };
            if let Some(of) = of {
                let index = if index == 99 {
                    of
                } else {
                    u8::try_from(index).ok()?
                };
                j = skip_of_the(j + 1);
                let (mut atom, j) = self.bare(j)?;
                if atom.part.is_some() || index == 0 || index > of {
                    return None;
                }
                atom.part = Some(Part::Fraction(index, of));
                return Some((atom, j));
            }
        }
        self.bare(i)
    }

    /// An ordinal such as "second", "2nd", "last" (99) or "latter" before "half" or "quarter".
    pub(super) fn ordinal_like(&self, i: usize) -> Option<(u32, usize)> {
        match self.tok(i) {
            Tok::Word(W::Ordinal(n)) => Some((n, i + 1)),
            Tok::Word(W::Last) => Some((99, i + 1)),
            Tok::Word(W::Later) => Some((99, i + 1)),
            Tok::Num(n, 1..=2) if self.is(i + 1, W::Suffix) && !self.spaced(i + 1) => {
                Some((u32::try_from(n).ok()?, i + 2))
            }
            _ => None,
        }
    }

    /// Reads a time without marks or parts.
    fn bare(&self, i: usize) -> Parsed {
        let (atom, j) = match self.tok(i) {
            Tok::Num(..) | Tok::Grouped(_) => self.number_led(i)?,
            Tok::Word(word) => self.word_led(i, word)?,
            Tok::Apostrophe => self.short_decade(i)?,
            _ => return None,
        };
        Some(self.with_era(atom, j))
    }

    /// Reads the era after a time, and Old Style.
    fn with_era(&self, mut atom: Atom, mut j: usize) -> (Atom, usize) {
        let counted = matches!(
            atom.core,
            Core::Year { .. }
                | Core::Decade { .. }
                | Core::Century { .. }
                | Core::Millennium { .. }
                | Core::Date { y: Some(_), .. }
                | Core::Season { y: Some(_), .. }
        );
        if counted && atom.era.is_none() {
            match self.tok(j) {
                Tok::Word(W::Bce) => {
                    atom.era = Some(Era::Bce);
                    j += 1;
                }
                Tok::Word(W::Ce) => {
                    atom.era = Some(Era::Ce);
                    j += 1;
                }
                _ => {}
            }
        }
        if let Core::Date {
            y: Some(_),
            d: Some(_),
            ..
        } = atom.core
        {
            let (open, k) = match self.tok(j) {
                Tok::Open | Tok::BracketOpen => (true, j + 1),
                _ => (false, j),
            };
            if let Tok::Word(style @ (W::OldStyle | W::NewStyle)) = self.tok(k) {
                atom.julian = style == W::OldStyle;
                j = k + 1;
                if open && matches!(self.tok(j), Tok::Close | Tok::BracketClose) {
                    j += 1;
                }
            } else if self.str(k).eq_ignore_ascii_case("old") && self.is(k + 1, W::Style) {
                atom.julian = true;
                j = k + 2;
                if open && matches!(self.tok(j), Tok::Close | Tok::BracketClose) {
                    j += 1;
                }
            }
        }
        if let Core::Date {
            y: Some(y),
            m,
            d: Some(d),
        } = atom.core
            && (atom.era == Some(Era::Bce) || (y, m, d) < (1582, 10, 15))
        {
            // Days before the reform are days of the Julian calendar, as the sources wrote them.
            atom.julian = true;
        }
        (atom, j)
    }

    /// Whether a number is a year of the Islamic calendar: "A.H. 907", "1277 AH", "907–8 AH".
    fn of_another_era(&self, i: usize) -> bool {
        let era = |k: usize| {
            self.is(k, W::Hijri) && self.str(k).starts_with("A") && {
                let second = self.str(k).chars().nth(1);
                second.is_some_and(|c| c == '.' || c == 'H')
            }
        };
        let dash = |k: usize| matches!(self.tok(k), Tok::Hyphen | Tok::Dash);
        let number = |k: usize| matches!(self.tok(k), Tok::Num(..));
        era(i.wrapping_sub(1))
            || era(i + 1)
            || dash(i + 1) && number(i + 2) && era(i + 3)
            || i > 2 && dash(i - 1) && number(i - 2) && era(i - 3)
    }

    fn number_led(&self, i: usize) -> Parsed {
        if self.of_another_era(i) {
            return None;
        }
        if let Some(found) = self.counted_past(i) {
            return Some(found);
        }
        if let Some(found) = self.iso(i) {
            return Some(found);
        }
        if let Some(found) = self.numeric(i) {
            return Some(found);
        }
        let Tok::Num(n, digits) = self.tok(i) else {
            // 10,000 BCE
            if let Tok::Grouped(n) = self.tok(i)
                && self.is(i + 1, W::Bce)
            {
                let n = i64::try_from(n).ok()?;
                return Some((Atom::new(Core::Year { n, digits: 5 }), i + 1));
            }
            return None;
        };
        let n = i64::try_from(n).ok()?;
        if digits <= 2
            && let Some(found) = self.day_first(i, n)
        {
            return Some(found);
        }
        if self.is(i + 1, W::Suffix) && !self.spaced(i + 1) && digits <= 2 {
            return self.after_ordinal(n, i + 2);
        }
        // 18 c., where the suffix is left out, is read from the next atom; 1840s, 30s.
        let apostrophe = self.tok(i + 1) == Tok::Apostrophe && !self.spaced(i + 1);
        let s = if apostrophe { i + 2 } else { i + 1 };
        if self.is(s, W::S) && !self.spaced(s) && n % 10 == 0 {
            return self.decade(i, n, digits, s + 1);
        }
        if let Some(found) = self
            .dashed(i, n, digits)
            .or_else(|| self.queried(i, n, digits))
        {
            return Some(found);
        }
        if digits >= 3 || (digits >= 1 && (self.field || self.era_follows(i + 1))) {
            if n == 0 || (digits > 4 && !matches!(self.tok(i + 1), Tok::Word(W::Bce | W::Ce))) {
                return None;
            }
            if let Some(found) = self.year_then_month(i, n, digits) {
                return Some(found);
            }
            // 1648/9, the year of two reckonings.
            if digits == 4
                && self.tok(i + 1) == Tok::Slash
                && !self.spaced(i + 1)
                && let Tok::Num(next, short @ 1..=2) = self.tok(i + 2)
                && !self.spaced(i + 2)
                && (n + 1) % 10i64.pow(u32::from(short)) == i64::try_from(next).ok()?
                && !matches!(self.tok(i + 3), Tok::Slash | Tok::Num(..))
                && self.is_dual_year(n, next, short)
            {
                let interval = Interval::years(Year(n), Year(n + 1))?;
                return Some((Atom::new(Core::Fixed(interval, Precision::Year)), i + 3));
            }
            return Some((Atom::new(Core::Year { n, digits }), i + 1));
        }
        None
    }

    /// "[18--]" and "[185-?]", the century and decade of library catalogues; as a whole field "18--"
    /// and "185-?" too.
    fn dashed(&self, i: usize, n: i64, digits: u8) -> Parsed {
        let before = self.tok(i.wrapping_sub(1));
        let bracketed = matches!(before, Tok::BracketOpen | Tok::Word(W::Circa) | Tok::Dot);
        let dash = matches!(self.tok(i + 1), Tok::Hyphen | Tok::Dash) && !self.spaced(i + 1);
        let close = i + 2 + usize::from(self.tok(i + 2) == Tok::Question);
        let told = bracketed && self.tok(close) == Tok::BracketClose;
        // "185-" alone may be the year 185 and later.
        let whole = self.field
            && close >= self.tokens.len()
            && (close == i + 3 || self.str(i + 1).len() >= 2);
        if !dash || !(told || whole) {
            return None;
        }
        let core = match (digits, self.str(i + 1).len()) {
            (3, 1) if n >= 100 => Core::Decade {
                n: n * 10,
                digits: 4,
            },
            (2, 2..) if n >= 10 => Core::Century { n: n + 1 },
            _ => return None,
        };
        Some((Atom::new(core), i + 2))
    }

    /// "18??", the century of a year whose last digits nobody knows; the whole field.
    fn queried(&self, i: usize, n: i64, digits: u8) -> Parsed {
        let query = |k: usize| self.tok(k) == Tok::Question && !self.spaced(k);
        let close = i + 3;
        let ends = close >= self.tokens.len()
            || self.tok(close) == Tok::BracketClose && close + 1 >= self.tokens.len();
        (self.field && digits == 2 && n >= 10 && query(i + 1) && query(i + 2) && ends)
            .then(|| (Atom::new(Core::Century { n: n + 1 }), close))
    }

    /// "1858/2" is a month, "1648/9" and "1998/99" two years.
    fn is_dual_year(&self, n: i64, next: u64, short: u8) -> bool {
        short == 2 || n < 1753 || next > 12
    }

    fn era_follows(&self, i: usize) -> bool {
        matches!(self.tok(i), Tok::Word(W::Bce | W::Ce))
            || (matches!(
                self.tok(i),
                Tok::Hyphen | Tok::Dash | Tok::Word(W::To | W::Or)
            ) && matches!(self.tok(i + 1), Tok::Num(..))
                && matches!(self.tok(i + 2), Tok::Word(W::Bce | W::Ce)))
    }

    /// Whether the ordinal that ends before a token follows "early", "mid" or "late".
    fn part_before(&self, end: usize) -> bool {
        let part = |k: usize| {
            let word = end.checked_sub(k).map(|at| self.tok(at));
            matches!(word, Some(Tok::Word(W::Early | W::Mid | W::Late)))
        };
        // A number and its suffix, and a hyphen or a dot where one is written.
        part(3) || part(4)
    }

    /// What an ordinal counts: "19th century", "3rd millennium", or still to be said.
    fn after_ordinal(&self, n: i64, mut j: usize) -> Parsed {
        if self.tok(j) == Tok::Hyphen && self.is(j + 1, W::Century) {
            j += 1;
        }
        match self.tok(j) {
            Tok::Word(W::Century) => {
                let mut j = j + 1;
                if self.tok(j) == Tok::Dot && self.str(j - 1) == "cent" {
                    j += 1;
                }
                // The century of a part is never more than a hundred and something.
                (1..=999)
                    .contains(&n)
                    .then(|| (Atom::new(Core::Century { n }), j))
            }
            Tok::Word(W::Millennium) => Some((Atom::new(Core::Millennium { n }), j + 1)),
            // 18th C, 19th c.
            Tok::Word(W::Circa)
                if self.str(j).len() == 1 && !matches!(self.tok(j + 1), Tok::Num(..)) =>
            {
                let dot = self.tok(j + 1) == Tok::Dot;
                if dot && matches!(self.tok(j + 2), Tok::Num(_, 3..)) {
                    return None;
                }
                Some((Atom::new(Core::Century { n }), j + 1 + usize::from(dot)))
            }
            // "mid 19th", the whole field, where the century is left out.
            _ if self.field
                && j >= self.tokens.len()
                && self.part_before(j)
                && (5..=21).contains(&n) =>
            {
                Some((Atom::new(Core::Century { n }), j))
            }
            _ => Some((Atom::new(Core::Ordinal { n }), j)),
        }
    }

    fn decade(&self, i: usize, n: i64, digits: u8, j: usize) -> Parsed {
        let core = match digits {
            4 if n % 100 == 0 && n < 2000 => {
                // "the 1800s" is the century; with "early" the first decade and century agree.
                Core::Century { n: n / 100 + 1 }
            }
            4 => Core::Decade { n, digits },
            2 if matches!(self.tok(j), Tok::Word(W::Bce | W::Ce)) => Core::Decade { n, digits },
            // "the 70s" of an unsaid century are those of the twentieth.
            2 if n >= 20 && self.tells_decade(i) => Core::Decade {
                n: 1900 + n,
                digits: 4,
            },
            2 if n > 0 && self.follows_range_sign(i) => Core::Decade { n, digits },
            3 if n % 100 == 0 => Core::Century { n: n / 100 + 1 },
            3 => Core::Decade { n, digits: 4 },
            _ => return None,
        };
        Some((Atom::new(core), j))
    }

    fn tells_decade(&self, i: usize) -> bool {
        i.checked_sub(1).is_some_and(|k| {
            matches!(
                self.tok(k),
                Tok::Word(W::The | W::In | W::Early | W::Mid | W::Late) | Tok::Apostrophe
            ) || (self.tok(k) == Tok::Hyphen
                && k > 0
                && matches!(self.tok(k - 1), Tok::Word(W::Mid)))
        })
    }

    pub(super) fn follows_range_sign(&self, i: usize) -> bool {
        i.checked_sub(1).is_some_and(|k| {
            matches!(
                self.tok(k),
                Tok::Hyphen | Tok::Dash | Tok::Slash | Tok::Word(W::To | W::And | W::Or)
            )
        })
    }

    /// '60s, ’90s.
    fn short_decade(&self, i: usize) -> Parsed {
        let n = self.num(i + 1, 2..=2)?;
        if self.spaced(i + 1) || !self.is(i + 2, W::S) || n % 10 != 0 {
            return None;
        }
        let start = 1900 + n;
        Some((
            Atom::new(Core::Decade {
                n: start,
                digits: 4,
            }),
            i + 3,
        ))
    }

    /// Years counted back from now: "3500 BP", "12,000 years ago", "2.5 million years ago", "40 ka".
    fn counted_past(&self, i: usize) -> Parsed {
        let (n, digits) = self.plain_number(i)?;
        let (scale, epoch, j) = self.epoch_after(i + 1, n, digits).or_else(|| {
            // "500,000–300,000 BP": the second number tells what the first counts from.
            let sign = matches!(self.tok(i + 1), Tok::Hyphen | Tok::Dash | Tok::Word(W::To));
            let (last, digits) = self
                .plain_number(i + 2)
                .filter(|(last, _)| sign && n > *last)?;
            let (scale, epoch, _) = self.epoch_after(i + 3, last, digits)?;
            Some((scale, epoch, i + 1))
        })?;
        let back = n.checked_mul(scale)?;
        let year = epoch - back;
        if year.abs() > Year::LIMIT {
            return None;
        }
        let interval = Interval::years(Year(year), Year(year))?;
        let mut atom = Atom::new(Core::Fixed(interval, Precision::Year));
        // Years ago are round numbers.
        atom.circa = epoch != 1950;
        Some((atom, j))
    }

    fn plain_number(&self, i: usize) -> Option<(i64, u8)> {
        match self.tok(i) {
            Tok::Num(n, d) => Some((i64::try_from(n).ok()?, d)),
            Tok::Grouped(n) => Some((i64::try_from(n).ok()?, 5)),
            _ => None,
        }
    }

    /// What a number counts back from: its scale, the year, and the token after the words.
    fn epoch_after(&self, i: usize, n: i64, digits: u8) -> Option<(i64, i64, usize)> {
        let mut j = i;
        let mut scale = 1i64;
        match self.tok(j) {
            Tok::Word(W::Thousand) => {
                scale = 1_000;
                j += 1;
            }
            Tok::Word(W::Million) => {
                scale = 1_000_000;
                j += 1;
            }
            Tok::Word(W::Billion) => {
                scale = 1_000_000_000;
                j += 1;
            }
            _ => {}
        }
        Some(match self.tok(j) {
            Tok::Word(W::Bp) if digits >= 2 || scale > 1 => (scale, 1950, j + 1),
            Tok::Word(W::Ya) if digits >= 2 || scale > 1 => (scale, self.this_year(), j + 1),
            Tok::Word(W::Ka) if scale == 1 => (1_000, self.this_year(), j + 1),
            Tok::Word(W::Ma) if scale == 1 => (1_000_000, self.this_year(), j + 1),
            Tok::Word(W::Year) if self.is(j + 1, W::Before) && self.is(j + 2, W::Present) => {
                (scale, 1950, j + 3)
            }
            Tok::Word(W::Year) if self.is(j + 1, W::Ago) && n.saturating_mul(scale) >= 1_000 => {
                (scale, self.this_year(), j + 2)
            }
            _ => return None,
        })
    }

    /// The year that "ago" counts from when the text has no anchor date.
    fn this_year(&self) -> i64 {
        self.anchor.map_or(2000, |day| day.year().0)
    }

    /// 2010-01-29, 2010/1/29, 2010.01.29, -0044-03-15.
    fn iso(&self, i: usize) -> Parsed {
        let y = self.num(i, 4..=4)?;
        let separator = self.tok(i + 1);
        if !matches!(separator, Tok::Hyphen | Tok::Slash | Tok::Dot) || self.spaced(i + 1) {
            return None;
        }
        let m = self.num(i + 2, 1..=2)?;
        if self.tok(i + 3) != separator || self.spaced(i + 2) || self.spaced(i + 3) {
            return None;
        }
        let d = self.num(i + 4, 1..=2)?;
        if self.spaced(i + 4) || !(1..=12).contains(&m) || !(1..=31).contains(&d) {
            return None;
        }
        // The ISO form is Gregorian at every date.
        let day = DayNumber::from_gregorian(Year(y), m as u8, d as u8)?;
        Some((
            Atom::new(Core::Fixed(Interval::day(day), Precision::Day)),
            i + 5,
        ))
    }

    /// All-numeric days and months: 2/11/1917, 29.01.2010, 12/XI/1861, 3/1959.
    fn numeric(&self, i: usize) -> Parsed {
        let a = self.num(i, 1..=4)?;
        let separator = self.tok(i + 1);
        if !matches!(separator, Tok::Hyphen | Tok::Slash | Tok::Dot) || self.spaced(i + 1) {
            return None;
        }
        if self.glued_before(i) || self.spaced(i + 2) {
            return None;
        }
        if let Tok::Word(W::Month(m)) = self.tok(i + 2)
            && self.tok(i + 3) == separator
            && !self.spaced(i + 3)
        {
            // 23/Sep/2020, 2019-sep-1
            let b = self.num(i + 4, 1..=4)?;
            let (y, d) = match (self.tok(i), self.tok(i + 4)) {
                (Tok::Num(_, 4), Tok::Num(_, 1..=2)) => (a, b),
                (Tok::Num(_, 1..=2), Tok::Num(_, 4)) => (b, a),
                _ => return None,
            };
            return self.date(y, i64::from(m), d, i + 5);
        }
        let second = match self.tok(i + 2) {
            Tok::Num(n, 1..=4) => i64::try_from(n).ok()?,
            Tok::Word(_) => {
                let month = i64::from(roman(self.str(i + 2)).filter(|m| *m <= 12)?);
                // A roman month stands second: day or year first.
                if self.tok(i + 3) == separator && !self.spaced(i + 3) {
                    let y = self.year_in_date(i + 4)?;
                    return self.date(y, month, a, i + 5);
                }
                let y = self.num(i, 4..=4)?;
                return Some((
                    Atom::new(Core::Date {
                        y: Some(y),
                        m: month as u8,
                        d: None,
                    }),
                    i + 3,
                ));
            }
            _ => return None,
        };
        if self.tok(i + 3) == separator
            && !self.spaced(i + 3)
            && !self.spaced(i + 4)
            && matches!(self.tok(i + 4), Tok::Num(..))
        {
            let digits = matches!(self.tok(i), Tok::Num(_, 1..=2))
                && matches!(self.tok(i + 2), Tok::Num(_, 1..=2));
            if !digits || self.tok(i + 5) == separator && !self.spaced(i + 5) {
                return None;
            }
            let y = self.year_in_date(i + 4)?;
            let (d, m) = self.order(a, second)?;
            return self.date(y, m, d, i + 5);
        }
        if self.tok(i + 3) != separator
            && separator == Tok::Hyphen
            && self.anchor.is_some()
            && matches!(self.tok(i), Tok::Num(1..=12, 1..=2))
            && let Some(y) = self.num(i + 2, 4..=4)
            && self.plausible(y)
        {
            // 11-2016
            return Some((
                Atom::new(Core::Date {
                    y: Some(y),
                    m: a as u8,
                    d: None,
                }),
                i + 3,
            ));
        }
        // 2015-3 and 2016-11 are months where they cannot be ranges of years.
        if separator != Tok::Slash {
            let y = self.num(i, 4..=4)?;
            let short = matches!(self.tok(i + 2), Tok::Num(_, 1..=2));
            let range = second > y % 10i64.pow(if second > 9 { 2 } else { 1 });
            let free = self.tok(i + 3) != separator || self.spaced(i + 3);
            return (short
                && !range
                && free
                && (1..=12).contains(&second)
                && self.plausible(y)
                && !self.field)
                .then(|| {
                    (
                        Atom::new(Core::Date {
                            y: Some(y),
                            m: second as u8,
                            d: None,
                        }),
                        i + 3,
                    )
                });
        }
        if matches!(self.tok(i), Tok::Num(_, 1..=2))
            && let Some(y) = self.num(i + 2, 4..=4)
            && (1..=12).contains(&a)
            && self.plausible(y)
        {
            return Some((
                Atom::new(Core::Date {
                    y: Some(y),
                    m: a as u8,
                    d: None,
                }),
                i + 3,
            ));
        }
        if let Some(y) = self.num(i, 4..=4)
            && matches!(self.tok(i + 2), Tok::Num(_, 1..=2))
            && (1..=12).contains(&second)
            && self.plausible(y)
            && !(y < 1753 && (y + 1) % 10 == second && second < 10)
        {
            return Some((
                Atom::new(Core::Date {
                    y: Some(y),
                    m: second as u8,
                    d: None,
                }),
                i + 3,
            ));
        }
        None
    }

    pub(crate) fn order(&self, a: i64, b: i64) -> Option<(i64, i64)> {
        let fits = |d: i64, m: i64| (1..=31).contains(&d) && (1..=12).contains(&m);
        let pairs = match self.settings.day_month {
            DayMonthOrder::DayFirst => [(a, b), (b, a)],
            DayMonthOrder::MonthFirst => [(b, a), (a, b)],
        };
        pairs.into_iter().find(|(d, m)| fits(*d, *m))
    }

    fn year_in_date(&self, i: usize) -> Option<i64> {
        match self.tok(i) {
            Tok::Num(n, 4) => i64::try_from(n).ok(),
            Tok::Num(n, 2) => Some(two_digit_year(i64::try_from(n).ok()?)),
            _ => None,
        }
    }

    fn date(&self, y: i64, m: i64, d: i64, j: usize) -> Parsed {
        let (m, d) = (u8::try_from(m).ok()?, u8::try_from(d).ok()?);
        DayNumber::from_julian(Year(y), m, d)?;
        Some((
            Atom::new(Core::Date {
                y: Some(y),
                m,
                d: Some(d),
            }),
            j,
        ))
    }

    fn plausible(&self, y: i64) -> bool {
        (100..=2200).contains(&y)
    }

    /// "22nd August 1881", "5 November 1605", "the 12th of May", "12 Messidor an II".
    fn day_first(&self, i: usize, n: i64) -> Parsed {
        let mut j = i + 1;
        if self.is(j, W::Suffix) && !self.spaced(j) {
            j += 1;
        }
        if self.is(j, W::DayUnit) && self.is(j + 1, W::Of) {
            j += 1;
        }
        if self.is(j, W::Of) {
            j += 1;
            if self.is(j, W::The) {
                j += 1;
            }
        }
        if matches!(self.tok(j), Tok::Hyphen | Tok::Comma | Tok::Dot) {
            j += 1;
        }
        match self.tok(j) {
            Tok::Word(W::Month(m)) if (1..=31).contains(&n) => {
                let after = self.month_end(j);
                if self.reads_as_word(j, m) && !matches!(self.tok(after), Tok::Num(..)) {
                    return None;
                }
                let (y, k) = self.year_after(after);
                Some((
                    Atom::new(Core::Date {
                        y,
                        m,
                        d: Some(n as u8),
                    }),
                    k,
                ))
                .map(|(atom, k)| self.dual_year(atom, k))
            }
            Tok::Word(W::Republican(m)) if (1..=30).contains(&n) => {
                self.republican(m, u8::try_from(n).ok()?, j + 1)
            }
            _ => None,
        }
    }

    /// The token after a month's name and its abbreviation point.
    fn month_end(&self, i: usize) -> usize {
        let name = self.str(i);
        let whole = ["may", "june", "july"]
            .iter()
            .any(|m| name.eq_ignore_ascii_case(m));
        let abbreviated = name.len() <= 4 && !whole && self.tok(i + 1) == Tok::Dot;
        i + 1 + usize::from(abbreviated && !self.spaced(i + 1))
    }

    /// The year after a month or day, after "of", a comma or nothing.
    fn year_after(&self, i: usize) -> (Option<i64>, usize) {
        let mut j = i;
        let of = self.is(j, W::Of);
        if matches!(
            self.tok(j),
            Tok::Comma | Tok::Slash | Tok::Hyphen | Tok::Dot
        ) && matches!(self.tok(j + 1), Tok::Num(_, 4))
            || self.tok(j) == Tok::Comma
                && (self.is(j + 1, W::Ce) || self.spoken_year(j + 1).is_some())
        {
            j += 1;
        } else if matches!(self.tok(j), Tok::Word(W::Of | W::In)) {
            j += 1;
            if self.is(j, W::The) && self.is(j + 1, W::Year) {
                j += 2;
            }
        }
        if self.is(j, W::Ce) {
            j += 1;
        }
        match self.tok(j) {
            Tok::Num(n, 3..=4) if n > 31 && !self.counts_things(j + 1) => {
                (i64::try_from(n).ok(), j + 1)
            }
            Tok::Num(n, 1..=4)
                if matches!(self.tok(j + 1), Tok::Word(W::Bce | W::Ce))
                    || self.is(j - 1, W::Ce) =>
            {
                (i64::try_from(n).ok(), j + 1)
            }
            Tok::Num(n @ 32..=99, 2) if of && !self.counts_things(j + 1) => {
                (i64::try_from(n).ok().map(two_digit_year), j + 1)
            }
            Tok::Apostrophe => match self.tok(j + 1) {
                Tok::Num(n, 2) if !self.spaced(j + 1) => {
                    (i64::try_from(n).ok().map(two_digit_year), j + 2)
                }
                _ => (None, i),
            },
            Tok::Word(W::Cardinal(_)) => match self.spoken_year(j) {
                Some((y, k)) => (Some(y), k),
                None => (None, i),
            },
            _ => (None, i),
        }
    }

    /// "30 January 1648/9": the second year is the one of the modern reckoning.
    fn dual_year(&self, atom: Atom, j: usize) -> (Atom, usize) {
        if let Core::Date { y: Some(y), m, d } = atom.core
            && m <= 3
            && matches!(self.tok(j), Tok::Slash | Tok::Hyphen)
            && !self.spaced(j)
            && let Tok::Num(next, short @ (1 | 2 | 4)) = self.tok(j + 1)
            && !self.spaced(j + 1)
            && (y + 1) % 10i64.pow(u32::from(short)) == i64::try_from(next).unwrap_or(-1)
        {
            let mut dual = Atom::new(Core::Date {
                y: Some(y + 1),
                m,
                d,
            });
            dual.julian = d.is_some();
            return (dual, j + 2);
        }
        (atom, j)
    }

    fn republican(&self, m: u8, d: u8, i: usize) -> Parsed {
        let mut j = i;
        if self.tok(j) == Tok::Comma {
            j += 1;
        }
        if matches!(self.tok(j), Tok::Word(W::An | W::Year))
            || self.str(j).eq_ignore_ascii_case("l")
        {
            j += 1;
        }
        let y = match self.tok(j) {
            Tok::Num(n, 1..=2) => u8::try_from(n).ok()?,
            Tok::Word(_) => u8::try_from(roman(self.str(j))?).ok()?,
            _ => return None,
        };
        let day = DayNumber::from_french_republican(y, m, d)?;
        Some((
            Atom::new(Core::Fixed(Interval::day(day), Precision::Day)),
            j + 1,
        ))
    }

    /// "1932, December", "1995 (February)", "1916 autumn", in catalogue fields.
    fn year_then_month(&self, i: usize, n: i64, digits: u8) -> Parsed {
        if digits != 4 {
            return None;
        }
        let (open, j) = match self.tok(i + 1) {
            Tok::Open if self.field => (true, i + 2),
            Tok::Comma if self.field => (false, i + 2),
            Tok::Word(_) => (false, i + 1),
            _ => return None,
        };
        let core = match self.tok(j) {
            Tok::Word(W::Month(m)) => {
                let after = self.month_end(j);
                if let Some(d) = self.num(after, 1..=2)
                    && (1..=31).contains(&d)
                    && !matches!(self.tok(after + 1), Tok::Comma)
                {
                    return Some((
                        Atom::new(Core::Date {
                            y: Some(n),
                            m,
                            d: Some(d as u8),
                        }),
                        after + 1 + usize::from(open && self.tok(after + 1) == Tok::Close),
                    ));
                }
                if matches!(self.tok(after), Tok::Num(..) | Tok::Comma)
                    || self.reads_as_word(j, m) && self.anchor.is_none() && !self.field
                {
                    return None;
                }
                Core::Date {
                    y: Some(n),
                    m,
                    d: None,
                }
            }
            Tok::Word(W::Season(s)) if self.field && !matches!(self.tok(j + 1), Tok::Num(..)) => {
                Core::Season { y: Some(n), s }
            }
            _ => return None,
        };
        let mut k = self.month_end(j);
        if open {
            if self.tok(k) != Tok::Close {
                return None;
            }
            k += 1;
        }
        Some((Atom::new(core), k))
    }

    fn word_led(&self, i: usize, word: W) -> Parsed {
        match word {
            W::Month(m) => self.month(i, m),
            W::Season(s) => self.season(i, s),
            W::Ce => {
                // AD 265
                let Tok::Num(n, digits) = self.tok(i + 1) else {
                    return None;
                };
                let mut atom = Atom::new(Core::Year {
                    n: i64::try_from(n).ok().filter(|n| *n > 0)?,
                    digits,
                });
                atom.era = Some(Era::Ce);
                // "AD 30s", and "ad3d" in a key, are no years.
                let next = self.str(i + 2);
                if next.starts_with(|c: char| c.is_ascii_alphabetic()) && !self.spaced(i + 2) {
                    return None;
                }
                Some((atom, i + 2))
            }
            W::Ordinal(n) => {
                let n = i64::from(n);
                // "First World War", "Third Intermediate Period".
                if let Some(found) = self.period(i) {
                    return Some(found);
                }
                if let Some(found) = self.spoken_day(i, n) {
                    return Some(found);
                }
                let j = i + 1 + usize::from(self.tok(i + 1) == Tok::Hyphen);
                if matches!(self.tok(j), Tok::Word(W::Century | W::Millennium)) {
                    return self.after_ordinal(n, j);
                }
                matches!(
                    self.tok(i + 1),
                    Tok::Hyphen | Tok::Dash | Tok::Word(W::To | W::And | W::Or)
                )
                .then(|| (Atom::new(Core::Ordinal { n }), i + 1))
            }
            W::Cardinal(tens @ (20 | 30)) => {
                // "twenty-first century", "twenty first of May"
                let j = i + 1 + usize::from(self.tok(i + 1) == Tok::Hyphen);
                if let Tok::Word(W::Ordinal(unit @ 1..=9)) = self.tok(j) {
                    let n = i64::from(tens + unit);
                    if let Some(found) = self.spoken_day(j, n) {
                        return Some(found);
                    }
                    let k = j + 1 + usize::from(self.tok(j + 1) == Tok::Hyphen);
                    if matches!(self.tok(k), Tok::Word(W::Century | W::Millennium)) {
                        return self.after_ordinal(n, k);
                    }
                }
                // "twenty five January"
                if let Tok::Word(W::Cardinal(unit @ 1..=9)) = self.tok(j)
                    && matches!(self.tok(j + 1), Tok::Word(W::Month(_)))
                    && let Some(found) = self.spoken_day(j, i64::from(tens + unit))
                {
                    return Some(found);
                }
                self.spoken(i)
            }
            W::Year => {
                // "the year 2019", "year 247"; "the year 549 BC" is read from its number.
                if matches!(self.tok(i + 2), Tok::Word(W::Bce | W::Ce)) {
                    return None;
                }
                let Tok::Num(n, 3..=4) = self.tok(i + 1) else {
                    let (n, j) = self.spoken_year(i + 1)?;
                    return Some((Atom::new(Core::Year { n, digits: 4 }), j));
                };
                if self
                    .tokens
                    .get(i)
                    .is_none_or(|_| self.str(i).ends_with(['s', 'S']))
                {
                    return None;
                }
                let n = i64::try_from(n).ok()?;
                Some((
                    Atom::new(Core::Fixed(
                        Interval::years(Year(n), Year(n))?,
                        Precision::Year,
                    )),
                    i + 2,
                ))
            }
            W::Cardinal(n) if n >= 1000 => {
                // "the twenties" of an unsaid century are those of the twentieth.
                // The noughties are those of the present century.
                let decade = i64::from(n) - 1000;
                self.is(i.wrapping_sub(1), W::The).then(|| {
                    (
                        Atom::new(Core::Decade {
                            n: 1900 + decade,
                            digits: 4,
                        }),
                        i + 1,
                    )
                })
            }
            W::Cardinal(_) => self.spoken(i),
            W::Q | W::H => self.lettered_part(i),
            W::An if self.field => {
                // "an II", a whole year of the French Republic
                let y = u8::try_from(roman(self.str(i + 1))?).ok()?;
                let first = DayNumber::from_french_republican(y, 1, 1)?;
                let last = match DayNumber::from_french_republican(y + 1, 1, 1) {
                    Some(next) => DayNumber(next.0 - 1),
                    // The calendar ended with the year 1805.
                    None => Year(1805).last_day(),
                };
                let year = Interval::new(first, last)?;
                Some((Atom::new(Core::Fixed(year, Precision::Year)), i + 2))
            }
            W::Republican(m) => {
                // "Messidor an II" is the month.
                let (atom, j) = self.republican(m, 1, i + 1)?;
                let Core::Fixed(interval, _) = atom.core else {
                    return None;
                };
                let first = interval.first.day()?;
                let month = Interval::new(first, DayNumber(first.0 + 29))?;
                Some((Atom::new(Core::Fixed(month, Precision::Month)), j))
            }
            _ => {
                if let Some(found) = self.roman_century(i) {
                    return Some(found);
                }
                self.period(i)
            }
        }
    }

    /// "first of May 1840", "May" after a spoken day.
    fn spoken_day(&self, i: usize, n: i64) -> Parsed {
        let mut j = i + 1;
        if self.is(j, W::DayUnit) {
            j += 1;
        }
        if self.is(j, W::Of) {
            j += 1;
        }
        match self.tok(j) {
            Tok::Word(W::Month(m)) if (1..=31).contains(&n) => {
                if self.reads_as_word(j, m) && j == i + 1 {
                    return None;
                }
                let (y, k) = self.year_after(self.month_end(j));
                Some((
                    Atom::new(Core::Date {
                        y,
                        m,
                        d: Some(n as u8),
                    }),
                    k,
                ))
            }
            _ => None,
        }
    }

    /// Whether "may" or "march" (or "sun") may be a plain word here: it is not capitalized.
    pub(crate) fn reads_as_word(&self, i: usize, month: u8) -> bool {
        let word = self.str(i);
        let lower = word.starts_with(|c: char| c.is_ascii_lowercase());
        lower && (month == 5 || month == 3 || matches!(word, "dec" | "mar" | "jan" | "jun" | "sep"))
    }

    fn month(&self, i: usize, m: u8) -> Parsed {
        let mut j = self.month_end(i);
        let lower_verb = self.reads_as_word(i, m);
        // "June 10, 1954", "June 10th", "June the tenth".
        if self.is(j, W::The) {
            j += 1;
        }
        if matches!(self.tok(j), Tok::Hyphen)
            && matches!(self.tok(j + 1), Tok::Num(_, 1..=2))
            && !self.spaced(j)
        {
            j += 1;
        }
        let day = match self.tok(j) {
            Tok::Num(n, 1..=2) if (1..=31).contains(&n) && !self.counts_things(j + 1) => {
                let mut k = j + 1;
                if self.is(k, W::Suffix) && !self.spaced(k) {
                    k += 1;
                }
                // "May 68 CE" and "May 12 BC" are years.
                let clock = self.tok(k) == Tok::Colon && !self.spaced(k);
                let counted = matches!(self.tok(k), Tok::Word(W::Bce | W::Ce));
                (!counted && !clock).then_some((n as u8, k))
            }
            Tok::Word(W::Ordinal(n @ 1..=31)) => Some((n as u8, j + 1)),
            Tok::Word(W::Cardinal(tens @ (20 | 30))) => {
                let k = j + 1 + usize::from(self.tok(j + 1) == Tok::Hyphen);
                match self.tok(k) {
                    Tok::Word(W::Ordinal(unit @ 1..=9)) if tens + unit <= 31 => {
                        Some(((tens + unit) as u8, k + 1))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        // "May twenty one"
        let day = day.or_else(|| match self.tok(j) {
            Tok::Word(W::Cardinal(tens @ (20 | 30))) if self.spoken_year(j).is_none() => {
                let k = j + 1 + usize::from(self.tok(j + 1) == Tok::Hyphen);
                match self.tok(k) {
                    Tok::Word(W::Cardinal(unit @ 1..=9)) if tens + unit <= 31 => {
                        Some(((tens + unit) as u8, k + 1))
                    }
                    _ => Some((tens as u8, j + 1)),
                }
            }
            Tok::Slash => match self.tok(j + 1) {
                Tok::Num(n @ 1..=31, 1..=2) if !self.spaced(j + 1) => Some((n as u8, j + 2)),
                _ => None,
            },
            _ => None,
        });
        if let Some((d, k)) = day {
            let (y, k2) = self.year_after(k);
            let atom = Atom::new(Core::Date { y, m, d: Some(d) });
            return Some(self.dual_year(atom, k2));
        }
        let (y, k) = self.year_after(self.month_end(i));
        if y.is_none() && lower_verb {
            return None;
        }
        let atom = Atom::new(Core::Date { y, m, d: None });
        Some(self.dual_year(atom, k))
    }

    fn season(&self, i: usize, s: u8) -> Parsed {
        let mut j = i + 1;
        if self.str(j).eq_ignore_ascii_case("season") {
            j += 1;
        }
        let (y, k) = self.year_after(j);
        // "Fall" and "spring" are words of their own unless a year or a capital tells otherwise.
        if y.is_none()
            && self.str(i).eq_ignore_ascii_case("fall")
            && !matches!(
                self.tok(i.wrapping_sub(1)),
                Tok::Word(W::In | W::Last | W::Next | W::This | W::Every | W::During)
            )
        {
            return None;
        }
        // "Winter 1916–17", "winter of 1916/7" is one winter.
        if let Some(year) = y
            && s == 3
            && matches!(self.tok(k), Tok::Hyphen | Tok::Dash | Tok::Slash)
            && let Tok::Num(next, short @ (1 | 2 | 4)) = self.tok(k + 1)
            && (year + 1) % 10i64.pow(u32::from(short)) == i64::try_from(next).ok()?
        {
            return Some((Atom::new(Core::Season { y, s }), k + 2));
        }
        Some((Atom::new(Core::Season { y, s }), k))
    }

    /// "Q3 1990", "H2 2019", "1990 Q3" is read from the year.
    fn lettered_part(&self, i: usize) -> Parsed {
        let index = self.num(i + 1, 1..=1)?;
        if self.spaced(i + 1) || self.str(i).starts_with(['q', 'h']) && self.anchor.is_none() {
            return None;
        }
        let of: u8 = if self.is(i, W::Q) { 4 } else { 2 };
        if index < 1 || index > i64::from(of) {
            return None;
        }
        let mut j = i + 2;
        if self.tok(j) == Tok::Hyphen || self.tok(j) == Tok::Slash {
            j += 1;
        }
        let (y, k) = self.year_after(j);
        let k = if y.is_none() { i + 2 } else { k };
        if y.is_none() && self.anchor.is_none() {
            return None;
        }
        Some((
            Atom::new(Core::YearPart {
                y,
                index: index as u8,
                of,
            }),
            k,
        ))
    }

    /// "XIX century", "MDCCLXIV".
    fn roman_century(&self, i: usize) -> Parsed {
        let word = self.str(i);
        if !word.starts_with(['I', 'V', 'X', 'M', 'L', 'C', 'D']) {
            return None;
        }
        // "XVIIIth"
        let numeral = ["th", "st", "nd", "rd"]
            .iter()
            .find_map(|suffix| word.strip_suffix(suffix))
            .unwrap_or(word);
        let n = i64::from(roman(numeral)?);
        let mut j = i + 1;
        if self.is(j, W::Suffix) && !self.spaced(j) {
            j += 1;
        }
        let hyphen = usize::from(self.tok(j) == Tok::Hyphen);
        if self.is(j + hyphen, W::Century) && n <= 30 {
            return Some((Atom::new(Core::Century { n }), j + hyphen + 1));
        }
        if matches!(self.tok(j), Tok::Hyphen | Tok::Dash)
            && n <= 30
            && roman(self.str(j + 1)).is_some()
            && self.is(j + 2, W::Century)
        {
            return Some((Atom::new(Core::Ordinal { n }), j));
        }
        (word.len() >= 4 && word == numeral && (1000..=2100).contains(&n))
            .then(|| (Atom::new(Core::Year { n, digits: 4 }), i + 1))
    }

    /// Years and decades in words: "nineteen ninety-nine", "eighteen sixties".
    fn spoken(&self, i: usize) -> Parsed {
        let Tok::Word(W::Cardinal(head)) = self.tok(i) else {
            return None;
        };
        if (10..=21).contains(&head)
            && let Tok::Word(W::Cardinal(decade @ 1020..=1090)) = self.tok(i + 1)
        {
            let n = i64::from(head) * 100 + i64::from(decade) - 1000;
            return Some((Atom::new(Core::Decade { n, digits: 4 }), i + 2));
        }
        let (y, j) = self.spoken_year(i)?;
        Some((Atom::new(Core::Year { n: y, digits: 4 }), j))
    }

    pub(crate) fn spoken_year(&self, i: usize) -> Option<(i64, usize)> {
        let Tok::Word(W::Cardinal(head)) = self.tok(i) else {
            return None;
        };
        // A number below a hundred: "ninety-nine", "twelve", "oh four" is left out.
        let below_hundred = |j: usize| -> Option<(i64, usize)> {
            match self.tok(j) {
                Tok::Word(W::Cardinal(tens @ 20..=90)) => {
                    let k = j + 1 + usize::from(self.tok(j + 1) == Tok::Hyphen);
                    match self.tok(k) {
                        Tok::Word(W::Cardinal(unit @ 1..=9)) => {
                            Some((i64::from(tens + unit), k + 1))
                        }
                        _ => Some((i64::from(tens), j + 1)),
                    }
                }
                Tok::Word(W::Cardinal(n @ 1..=19)) => Some((i64::from(n), j + 1)),
                _ => None,
            }
        };
        if (1..=2).contains(&head) && self.is(i + 1, W::Thousand) {
            let base = i64::from(head) * 1000;
            let mut j = i + 2;
            if self.is(j, W::And) {
                j += 1;
            }
            return match below_hundred(j) {
                Some((n, k)) => Some((base + n, k)),
                None => (head == 2 && !self.counts_things(i + 2)).then_some((base, i + 2)),
            };
        }
        // "two hundred and sixty seven" after "year"
        if head < 10 && self.is(i + 1, W::Hundred) && self.is(i.wrapping_sub(1), W::Year) {
            let mut j = i + 2;
            if self.is(j, W::And) {
                j += 1;
            }
            let base = i64::from(head) * 100;
            return Some(below_hundred(j).map_or((base, i + 2), |(n, k)| (base + n, k)));
        }
        if !(10..=20).contains(&head) {
            return None;
        }
        let base = i64::from(head) * 100;
        if self.is(i + 1, W::Hundred) {
            let mut j = i + 2;
            if self.is(j, W::And) {
                j += 1;
            }
            return Some(below_hundred(j).map_or((base, i + 2), |(n, k)| (base + n, k)));
        }
        let (n, k) = below_hundred(i + 1)?;
        (n >= 10).then_some((base + n, k))
    }

    /// A dynasty, reign or period by name.
    fn period(&self, i: usize) -> Parsed {
        let word = self.str(i);
        if !word.starts_with(|c: char| c.is_ascii_uppercase()) || word.len() > 16 {
            return None;
        }
        let lower = word.to_ascii_lowercase();
        for period in periods::starting_with(&lower) {
            let mut j = i;
            let matches = period.name.split(' ').all(|part| {
                let same = self.str(j).eq_ignore_ascii_case(part);
                j += 1;
                same
            });
            if !matches {
                continue;
            }
            if self.names_no_time(i, j) {
                return None;
            }
            let mut named = period.alone;
            if matches!(self.tok(j), Tok::Word(W::Dynasty | W::Period))
                || self.str(j).eq_ignore_ascii_case("emperor")
            {
                named = true;
                j += 1;
            }
            let introduced = matches!(
                self.tok(i.wrapping_sub(1)),
                Tok::Word(W::Early | W::Mid | W::Late)
            ) || matches!(self.tok(j), Tok::Open)
                && matches!(self.tok(j + 1), Tok::Num(..) | Tok::Word(W::Circa))
                || self.field;
            if !named && !introduced {
                return None;
            }
            return Some((
                Atom::new(Core::Period {
                    first: period.first,
                    last: period.last,
                }),
                j,
            ));
        }
        None
    }

    /// Whether the name of a period stands for a style, a mark or a copy and not for its time.
    pub(crate) fn names_no_time(&self, i: usize, j: usize) -> bool {
        let after = if matches!(self.tok(j), Tok::Hyphen) {
            j + 1
        } else {
            j
        };
        if matches!(
            self.tok(after),
            Tok::Word(W::Style | W::Mark | W::Manner | W::Copy)
        ) {
            return true;
        }
        let before = |k: usize| i.checked_sub(k).map_or(Tok::Break, |k| self.tok(k));
        let of_style = |k: usize| {
            matches!(before(k), Tok::Word(W::Of))
                && matches!(
                    before(k + 1),
                    Tok::Word(W::Style | W::Mark | W::Manner | W::Copy)
                )
        };
        of_style(1)
            || (matches!(before(1), Tok::Word(W::The | W::A)) && of_style(2))
            || matches!(before(1), Tok::Word(W::Manner))
    }

    /// Whether the words after a number show that it counts things and is no date.
    pub(crate) fn counts_things(&self, i: usize) -> bool {
        match self.tok(i) {
            Tok::Percent | Tok::Currency => true,
            Tok::Word(W::Other) => is_unit(self.str(i)),
            Tok::Word(
                W::Year
                | W::MonthUnit
                | W::WeekUnit
                | W::DayUnit
                | W::Hundred
                | W::Thousand
                | W::Million
                | W::Billion
                | W::Decade
                | W::Century
                | W::Copy
                | W::Weekend,
            ) => true,
            _ => false,
        }
    }
}

/// The year that two digits stand for: 00 to 29 in the 2000s, 30 to 99 in the 1900s.
pub(crate) fn two_digit_year(n: i64) -> i64 {
    if n < 30 { 2000 + n } else { 1900 + n }
}

/// Whether a word is a measure or a thing that numbers count.
fn is_unit(word: &str) -> bool {
    const UNITS: &[&str] = &[
        "m",
        "cm",
        "mm",
        "km",
        "ft",
        "feet",
        "foot",
        "inches",
        "inch",
        "in",
        "lb",
        "lbs",
        "kg",
        "g",
        "mi",
        "miles",
        "mile",
        "yards",
        "meters",
        "metres",
        "tons",
        "tonnes",
        "acres",
        "hectares",
        "people",
        "men",
        "women",
        "children",
        "soldiers",
        "troops",
        "workers",
        "students",
        "members",
        "houses",
        "inhabitants",
        "residents",
        "dollars",
        "pounds",
        "francs",
        "euros",
        "yen",
        "marks",
        "florins",
        "ducats",
        "livres",
        "items",
        "objects",
        "works",
        "pieces",
        "books",
        "volumes",
        "pages",
        "copies",
        "words",
        "lines",
        "times",
        "hours",
        "minutes",
        "seconds",
        "hour",
        "minute",
        "points",
        "votes",
        "seats",
        "units",
        "species",
        "horses",
        "sheep",
        "ships",
        "vessels",
        "guns",
        "cases",
        "examples",
        "drawings",
        "paintings",
        "prints",
        "photographs",
        "stamps",
        "coins",
        "degrees",
        "percent",
        "pm",
        "am",
        "hp",
        "kw",
        "mhz",
        "cc",
        "rpm",
        "calories",
        "bytes",
        "mb",
        "kb",
        "square",
        "cubic",
        "villages",
        "families",
        "households",
        "individuals",
        "persons",
        "killed",
        "wounded",
        "nights",
        "cents",
        "pp",
        "p",
    ];
    word.len() <= 12 && UNITS.iter().any(|unit| word.eq_ignore_ascii_case(unit))
}
