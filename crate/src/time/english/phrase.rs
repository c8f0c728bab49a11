//! Reads whole phrases: ranges, alternatives, open ends and parts of the year.

use super::super::calendar::DayNumber;
use super::super::edtf::{circa_width, season_months};
use super::super::expression::{Candidate, Expression, Kind, Precision};
use super::super::interval::{Interval, YearArc};
use super::atom::{Atom, Core};
use super::lexer::{Tok, W};
use super::parse::Reader;

/// A phrase that was read, and the tokens it covers.
#[derive(Clone, Debug)]
pub(crate) struct Phrase {
    pub candidates: Vec<Candidate>,
    pub kind: Kind,
    pub arc: Option<YearArc>,
    pub first_token: usize,
    pub end_token: usize,
}

/// A range of one or two atoms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    first: Atom,
    last: Option<Atom>,
    /// Whether the dash of the range stands between spaces.
    loose: bool,
}

impl Span {
    pub(super) fn one(first: Atom) -> Self {
        Self {
            first,
            last: None,
            loose: false,
        }
    }

    fn two(first: Atom, last: Atom) -> Self {
        Self {
            first,
            last: Some(last),
            loose: false,
        }
    }
}

impl Reader<'_> {
    /// Reads the phrase that begins at a token, if one does.
    pub(crate) fn phrase(&self, i: usize) -> Option<Phrase> {
        self.counted_from(i)
            .or_else(|| self.calendar_talk(i))
            .or_else(|| self.open_phrase(i))
            .or_else(|| self.deictic(i))
            .or_else(|| self.dated_holiday(i))
            .or_else(|| self.listed(i))
    }

    /// "before 1928", "no earlier than 1906", "between … and …", "from … to …", "since 1850".
    fn open_phrase(&self, i: usize) -> Option<Phrase> {
        #[derive(Clone, Copy)]
        enum Side {
            Before,
            UpTo,
            After,
            From,
        }
        let article = |j: usize| j + usize::from(self.is(j, W::The));
        let (side, j) = match self.tok(i) {
            Tok::Word(W::Before) => {
                let mut j = i + 1;
                if self.is(j, W::To) || self.tok(j) == Tok::Hyphen {
                    j += 1;
                }
                (Side::Before, j)
            }
            Tok::Word(W::Earlier) if self.is(i + 1, W::Than) => (Side::Before, i + 2),
            Tok::Word(W::After) => (
                Side::After,
                i + 1 + usize::from(self.tok(i + 1) == Tok::Hyphen),
            ),
            Tok::Word(W::Later) if self.is(i + 1, W::Than) => (Side::After, i + 2),
            Tok::Word(W::By | W::Until) => (Side::UpTo, i + 1),
            Tok::Word(W::Since) => (Side::From, i + 1),
            Tok::Word(W::No | W::Not) => match (self.tok(i + 1), self.is(i + 2, W::Than)) {
                (Tok::Word(W::Later), true) => (Side::UpTo, i + 3),
                (Tok::Word(W::Earlier), true) => (Side::From, i + 3),
                (Tok::Word(W::Before), _) => (Side::From, i + 2),
                (Tok::Word(W::After), _) => (Side::UpTo, i + 2),
                _ => return None,
            },
            Tok::Word(W::Between) => return self.between(i),
            Tok::Word(W::From) => {
                return self.started(i).or_else(|| {
                    let (span, j) = self.span(article(i + 1))?;
                    let then = matches!(self.tok(j), Tok::Word(W::Later))
                        || self.is(j, W::On)
                        || self.field;
                    if !then || span.last.is_some() {
                        return None;
                    }
                    let (candidate, _) = self.candidate(&span)?;
                    let first = candidate.core.first.day()?;
                    let end = j + usize::from(matches!(self.tok(j), Tok::Word(W::Later | W::On)));
                    Some(self.opened(&candidate, Interval::since(first), i, end))
                });
            }
            _ => {
                // "up to 1850"
                if self.str(i).eq_ignore_ascii_case("up")
                    && matches!(self.tok(i + 1), Tok::Word(W::To | W::Until))
                {
                    (Side::UpTo, i + 2)
                } else {
                    return None;
                }
            }
        };
        let (span, end) = self.span(article(j)).or_else(|| {
            // "since last month" and the like.
            let (interval, precision, end) = self.deictic_interval(article(j))?;
            Some((Span::one(Atom::new(Core::Fixed(interval, precision))), end))
        })?;
        let (candidate, _) = self.candidate(&span)?;
        let interval = candidate.core;
        let opened = match side {
            Side::Before => Interval::until(DayNumber(interval.first.day()?.0 - 1)),
            Side::UpTo => Interval::until(interval.last.day()?),
            Side::After => Interval::since(DayNumber(interval.last.day()?.0 + 1)),
            Side::From => Interval::since(interval.first.day()?),
        };
        if self.field && self.settings.close_open_fields {
            let mut closed = candidate;
            closed.uncertain = true;
            return Some(Phrase {
                candidates: vec![closed],
                kind: Kind::Interval,
                arc: None,
                first_token: i,
                end_token: end,
            });
        }
        // "after 1945, before 1957", "after 1945 and before 1957"
        let comma = end + usize::from(self.tok(end) == Tok::Comma);
        let joint = self.is(comma, W::And) || self.str(comma).eq_ignore_ascii_case("but");
        let next = comma + usize::from(joint);
        if matches!(side, Side::After | Side::From)
            && matches!(self.tok(next), Tok::Word(W::Before | W::Until | W::By))
            && let Some(limit) = self.open_phrase(next)
            && let Some(other) = limit.candidates.first()
            && let Some(core) = opened.intersect(other.core)
            && !core.is_open()
        {
            let precision = candidate.precision.max(other.precision);
            let mut joined = Candidate::exact(core, precision);
            let (before, after) = circa_width(core, precision, self.settings);
            joined.interval = core.widened(
                if candidate.approximate { before } else { 0 },
                if other.approximate { after } else { 0 },
            );
            joined.approximate = candidate.approximate || other.approximate;
            joined.uncertain = candidate.uncertain || other.uncertain;
            return Some(Phrase {
                candidates: vec![joined],
                kind: Kind::Interval,
                arc: None,
                first_token: i,
                end_token: limit.end_token,
            });
        }
        Some(self.opened(&candidate, opened, i, end))
    }

    fn opened(&self, from: &Candidate, interval: Interval, i: usize, end: usize) -> Phrase {
        let mut candidate = Candidate::exact(interval, from.precision);
        candidate.approximate = from.approximate;
        candidate.uncertain = from.uncertain;
        if from.approximate {
            // An approximate bound moves outward, as the ends of a range do.
            let (before, after) = circa_width(interval, from.precision, self.settings);
            candidate.interval = interval.widened(before, after);
        }
        Phrase {
            candidates: vec![candidate],
            kind: Kind::Open,
            arc: None,
            first_token: i,
            end_token: end,
        }
    }

    fn between(&self, i: usize) -> Option<Phrase> {
        let article = |j: usize| j + usize::from(self.is(j, W::The));
        if let Some((first, last, end)) = self.days_of_month(i + 1) {
            return self.range_phrase(first, last, i, end);
        }
        let (first, j) = self.atom_or_deictic(article(i + 1))?;
        if !matches!(
            self.tok(j),
            Tok::Word(W::And | W::To) | Tok::Hyphen | Tok::Dash | Tok::Tilde
        ) {
            return None;
        }
        let (last, end) = self.second_atom(&first, article(j + 1))?;
        self.range_phrase(first, last, i, end)
    }

    fn started(&self, i: usize) -> Option<Phrase> {
        let article = |j: usize| j + usize::from(self.is(j, W::The));
        if let Some((first, last, end)) = self.days_of_month(i + 1) {
            return self.range_phrase(first, last, i, end);
        }
        let (first, j) = self.atom_or_deictic(article(i + 1))?;
        if !matches!(
            self.tok(j),
            Tok::Word(W::To | W::Until) | Tok::Hyphen | Tok::Dash | Tok::Tilde
        ) {
            return None;
        }
        if self.is(j + 1, W::Present)
            || self.is(j + 1, W::Now)
            || self.is(article(j + 1), W::Present)
        {
            let (candidate, _) = self.candidate(&Span::one(first))?;
            let start = candidate.core.first.day()?;
            return Some(self.opened(&candidate, Interval::since(start), i, article(j + 1) + 1));
        }
        let (last, end) = self.second_atom(&first, article(j + 1))?;
        self.range_phrase(first, last, i, end)
    }

    fn range_phrase(&self, first: Atom, last: Atom, i: usize, end: usize) -> Option<Phrase> {
        let mut span = Span::two(first, last);
        span.first.complete_from(&last);
        let Some((candidate, _)) = self.candidate(&span) else {
            // "between August and October"
            return self.seasonal(&span, i, end);
        };
        Some(Phrase {
            candidates: vec![candidate],
            kind: Kind::Interval,
            arc: None,
            first_token: i,
            end_token: end,
        })
    }

    fn atom_or_deictic(&self, i: usize) -> Option<(Atom, usize)> {
        self.atom(i)
            .filter(|(_, j)| *j > i)
            .or_else(|| self.deictic_atom(i))
    }

    fn deictic_atom(&self, i: usize) -> Option<(Atom, usize)> {
        let (interval, precision, j) = self.deictic_interval(i)?;
        Some((Atom::new(Core::Fixed(interval, precision)), j))
    }

    /// The second atom of a range or list, completed from the first.
    fn second_atom(&self, first: &Atom, i: usize) -> Option<(Atom, usize)> {
        let short = matches!(
            first.core,
            Core::Year { .. } | Core::Date { d: Some(_), .. }
        );
        let circa = usize::from(matches!(self.tok(i), Tok::Word(W::Circa)));
        let dot = usize::from(circa == 1 && self.tok(i + 1) == Tok::Dot);
        let at = i + circa + dot;
        // "1843–4" and "June 10–12": a number alone, not "10 July", "12 March 1954" or "19th".
        let glued = !self.spaced(at + 1);
        let suffixed = glued
            && (self.is(at + 1, W::Suffix)
                || self.is(at + 1, W::S)
                || (self.tok(at + 1) == Tok::Apostrophe && self.is(at + 2, W::S)));
        let followed = matches!(
            self.tok(at + 1),
            Tok::Word(W::Month(_) | W::Bce | W::Ce | W::Of | W::Century)
        );
        // "1860–61 CE" is of the years 1860 and 1861.
        let of_the_first = matches!(
            (first.core, self.tok(at)),
            (Core::Year { n, digits: 3.. }, Tok::Num(last, _)) if u64::try_from(n).is_ok_and(|n| n > last)
        );
        let common = self.is(at + 1, W::Ce) && of_the_first;
        let bare_number =
            matches!(self.tok(at), Tok::Num(_, 1..=2)) && !suffixed && (!followed || common);
        if short && bare_number {
            let Tok::Num(n, digits) = self.tok(at) else {
                return None;
            };
            let mut atom = Atom::new(Core::Year {
                n: i64::try_from(n).ok()?,
                digits,
            });
            atom.circa = circa == 1;
            let mut j = at + 1;
            match first.core {
                Core::Date { y, m, d: Some(_) } => {
                    if !(1..=31).contains(&n) {
                        return None;
                    }
                    // "June 10–12, 1954"
                    let (year, k) = if matches!(self.tok(j), Tok::Comma)
                        && matches!(self.tok(j + 1), Tok::Num(_, 4))
                    {
                        match self.tok(j + 1) {
                            Tok::Num(year, _) => (i64::try_from(year).ok(), j + 2),
                            _ => (y, j),
                        }
                    } else if let (Tok::Num(year, 4), None) = (self.tok(j), y) {
                        (i64::try_from(year).ok(), j + 1)
                    } else {
                        (y, j)
                    };
                    j = k;
                    atom.core = Core::Date {
                        y: year,
                        m,
                        d: Some(n as u8),
                    };
                    atom.julian = first.julian;
                }
                _ => {
                    if self.spaced(at) && self.counts_things(j) {
                        return None;
                    }
                    atom.complete_after(first);
                    if matches!(atom.core, Core::Year { digits: ..=2, .. }) && atom.era.is_none() {
                        return None;
                    }
                    j += usize::from(common);
                    if self.tok(j) == Tok::Question && (self.field || !self.spaced(j)) {
                        atom.maybe = true;
                        j += 1;
                    }
                }
            }
            return Some((atom, j));
        }
        let (mut atom, j) = self.atom_or_deictic(i)?;
        atom.complete_after(first);
        Some((atom, j))
    }

    /// One atom, or two with a range sign between them.
    fn span(&self, i: usize) -> Option<(Span, usize)> {
        if let Some(found) = self.marked_days(i) {
            return Some(found);
        }
        let (mut first, j) = self.atom(i)?;
        // "10–12 June 1954"
        if let (Core::Nothing, None) | (Core::Ordinal { .. }, None) = (first.core, first.part) {
            // Such an atom is nothing by itself; a range or list completes it.
        }
        let period_years = self.period_years(&mut first, j);
        let j = period_years.unwrap_or(j);
        if let Some((last, end)) = self.range_end(&first, j) {
            let mut span = Span::two(first, last);
            span.first.complete_from(&last);
            span.loose = self.spaced(j) && matches!(self.tok(j), Tok::Hyphen | Tok::Dash);
            if self.ordered(&span) {
                // "1794–c.1830–5", "c.1928–31–1947": the last of three dates ends the range.
                if let Some((further, after)) = self.range_end(&last, end) {
                    let longer = Span {
                        last: Some(further),
                        ..span
                    };
                    if last.is_span_of_years() && self.ordered(&longer) {
                        return Some((longer, after));
                    }
                }
                return Some((span, end));
            }
        }
        Some((Span::one(first), j))
    }

    /// The years written after a period's name, which count instead of the table's: "Edo period
    /// (1603–1867)", "Tang Dynasty, 618–907".
    fn period_years(&self, atom: &mut Atom, j: usize) -> Option<usize> {
        let Core::Period { .. } = atom.core else {
            return None;
        };
        let (open, k) = match self.tok(j) {
            Tok::Open => (true, j + 1),
            Tok::Comma => (false, j + 1),
            _ => return None,
        };
        let (span, mut end) = self.plain_span(k)?;
        if open {
            if self.tok(end) != Tok::Close {
                return None;
            }
            end += 1;
        } else {
            span.last?;
        }
        let (candidate, _) = self.candidate(&span)?;
        let (first, last) = (
            candidate.interval.first.day()?,
            candidate.interval.last.day()?,
        );
        // Only years near the period's own are its years; any other date stands by itself.
        let Core::Period { first: a, last: b } = atom.core else {
            return None;
        };
        let (y1, y2) = (first.year().0, last.year().0);
        if y2 < a || y1 > b || (!open && (y2 - y1) * 2 < (b - a)) {
            return None;
        }
        atom.core = Core::Period {
            first: y1,
            last: y2,
        };
        Some(end)
    }

    fn plain_span(&self, i: usize) -> Option<(Span, usize)> {
        let (first, j) = self.atom(i)?;
        if matches!(first.core, Core::Period { .. }) {
            return None;
        }
        if let Some((last, end)) = self.range_end(&first, j) {
            let mut span = Span::two(first, last);
            span.first.complete_from(&last);
            if self.ordered(&span) {
                return Some((span, end));
            }
        }
        Some((Span::one(first), j))
    }

    /// "5–10 May 1943", "c. 5–10 May 1943", "[5–10 May 1943]".
    fn marked_days(&self, i: usize) -> Option<(Span, usize)> {
        let (mut k, mut circa, mut maybe, mut bracket) = (i, false, false, false);
        for _ in 0..4 {
            match self.tok(k) {
                Tok::Word(W::Circa | W::Approximately) | Tok::Tilde => circa = true,
                Tok::Word(W::Maybe) => maybe = true,
                Tok::BracketOpen => bracket = true,
                _ => break,
            }
            let word = matches!(self.tok(k), Tok::Word(_));
            k += 1 + usize::from(word && self.tok(k + 1) == Tok::Dot);
        }
        let (mut first, mut last, end) = self.days_of_month(k)?;
        for atom in [&mut first, &mut last] {
            atom.circa |= circa;
            atom.maybe |= maybe;
        }
        let closed = bracket && self.tok(end) == Tok::BracketClose;
        Some((Span::two(first, last), end + usize::from(closed)))
    }

    /// "5–10 May 1943", "5th to 10th May 1943": two days of one month, with its year; not after a
    /// word that makes the first number a label, as in "Room 5 - 10 May 1943".
    pub(super) fn days_of_month(&self, i: usize) -> Option<(Atom, Atom, usize)> {
        if self.follows_range_sign(i) && !self.is(i.checked_sub(1)?, W::And) || self.labelled(i) {
            return None;
        }
        let (day, j) = self.numeral_day(i)?;
        let between = i > 0 && self.is(i - 1, W::Between);
        let joined = match self.tok(j) {
            Tok::Hyphen | Tok::Dash | Tok::Word(W::To | W::Until) => true,
            Tok::Word(W::And) => between,
            _ => false,
        };
        if !joined {
            return None;
        }
        let (second, _) = self.numeral_day(j + 1)?;
        let (last, end) = self.atom(j + 1)?;
        let Core::Date {
            y: Some(y),
            m,
            d: Some(d),
        } = last.core
        else {
            return None;
        };
        let first = Atom {
            core: Core::Date {
                y: Some(y),
                m,
                d: Some(day),
            },
            julian: last.julian || (y, m, day) < (1582, 10, 15),
            ..last
        };
        (day < d && d == second).then_some((first, last, end))
    }

    /// Whether what stands before a number makes it a label: "No. 5", "Room 5", "#5", "Letter 5".
    fn labelled(&self, i: usize) -> bool {
        const PARTS: &[&str] = &[
            "letter", "part", "folder", "notebook", "chapter", "chap", "act", "scene", "war",
        ];
        let Some(mut k) = i.checked_sub(1) else {
            return false;
        };
        if self.tok(k) == Tok::Dot && k > 0 {
            k -= 1;
        }
        let word = self.str(k).to_ascii_lowercase();
        matches!(self.tok(k), Tok::Hash | Tok::Word(W::No))
            || self.tok(k) == Tok::Colon && !self.spaced(i)
            || labels_number(&word)
            || PARTS.contains(&word.as_str())
    }

    /// A day of the month in figures, 5 or 5th.
    pub(super) fn numeral_day(&self, i: usize) -> Option<(u8, usize)> {
        let Tok::Num(n @ 1..=31, 1..=2) = self.tok(i) else {
            return None;
        };
        let suffix = self.is(i + 1, W::Suffix) && !self.spaced(i + 1);
        Some((u8::try_from(n).ok()?, i + 1 + usize::from(suffix)))
    }

    /// The second end of a range after its sign.
    fn range_end(&self, first: &Atom, j: usize) -> Option<(Atom, usize)> {
        let k = match self.tok(j) {
            Tok::Hyphen | Tok::Dash => j + 1,
            Tok::Word(W::To | W::Until) => j + 1 + usize::from(self.tok(j + 1) == Tok::Hyphen),
            Tok::Tilde if !self.spaced(j) && !self.spaced(j + 1) && first.is_span_of_years() => {
                j + 1
            }
            Tok::Slash
                if first.is_span_of_years()
                    || matches!(first.core, Core::Nothing | Core::Ordinal { .. }) =>
            {
                j + 1
            }
            _ => return None,
        };
        let article = usize::from(self.is(k, W::The));
        let (last, end) = self.second_atom(first, k + article)?;
        // "1850/51" and "2003/2007" are ranges; "1850/3" is a month and was read as one.
        if self.tok(j) == Tok::Slash
            && !self.field
            && !(last.is_span_of_years()
                && (first.is_span_of_years() || matches!(first.core, Core::Ordinal { .. })))
        {
            return None;
        }
        Some((last, end))
    }

    fn ordered(&self, span: &Span) -> bool {
        let Some(last) = span.last else {
            return true;
        };
        let seasonal = span.first.ground(self.settings).is_none()
            && last.ground(self.settings).is_none()
            && arc_of(&span.first, self).is_some()
            && arc_of(&last, self).is_some();
        seasonal || self.candidate(span).is_some()
    }

    /// Grounds a span, with the widths of its approximations.
    pub(super) fn candidate(&self, span: &Span) -> Option<(Candidate, bool)> {
        let single = |atom: &Atom| -> Option<Candidate> {
            let (core, precision) = atom.ground(self.settings)?;
            let mut one = Candidate::exact(core, precision);
            one.approximate = atom.circa;
            one.uncertain = atom.maybe;
            Some(one)
        };
        let first = single(&span.first)?;
        let (core, precision, circa_last) = match &span.last {
            None => (first.core, first.precision, span.first.circa),
            Some(last) => {
                let last_one = single(last)?;
                let core = Interval::new(first.core.first.day()?, last_one.core.last.day()?)?;
                (
                    core,
                    first.precision.max(last_one.precision),
                    last.circa || span.first.circa,
                )
            }
        };
        let mut out = Candidate::exact(core, precision);
        out.approximate = circa_last;
        out.uncertain = span.first.maybe || span.last.is_some_and(|a| a.maybe);
        if out.approximate {
            let (before, after) = circa_width(core, precision, self.settings);
            let before = if span.first.circa { before } else { 0 };
            let one_end = self.settings.circa_by_writing
                && span.last.is_some_and(|last| !last.circa)
                && (span.first.circa_tight || span.loose);
            let after = if one_end { 0 } else { after };
            out.interval = core.widened(before, after);
        } else if out.uncertain && span.last.is_none() && precision <= Precision::Year {
            out.interval = core.widened(self.settings.uncertain, self.settings.uncertain);
        }
        Some((out, span.last.is_some()))
    }

    /// Ranges joined by "or", "and" or, in a field, commas.
    fn listed(&self, i: usize) -> Option<Phrase> {
        let (mut span, mut j) = self.span(i)?;
        if let Some((meant, k)) = self.corrected(&span, j) {
            (span, j) = (meant, k);
        }
        let mut spans: Vec<Span> = Vec::new();
        let mut kind = Kind::Interval;
        // "1916 or later", "1596 or after", "1850 onwards", "1989–present".
        if let Some(open) = self.open_after(&span, i, j) {
            return Some(open);
        }
        for _ in 0..12 {
            let (joint, k) = match self.tok(j) {
                Tok::Word(W::Or) => (Kind::OneOf, j + 1),
                Tok::Word(W::And) if self.joins(&span) => (Kind::AllOf, j + 1),
                Tok::Open if self.is(j + 1, W::Or) => (Kind::OneOf, j + 2),
                _ => break,
            };
            if kind != Kind::Interval && joint != kind {
                break;
            }
            let article = usize::from(self.is(k, W::The));
            let base = span.last.unwrap_or(span.first);
            let Some((mut next, mut end)) = self.second_span(&base, k + article) else {
                break;
            };
            if matches!(self.tok(j), Tok::Open) && self.tok(end) == Tok::Close {
                end += 1;
            }
            span.first.complete_from(&next.first);
            if let Some(last) = &mut span.last {
                last.complete_from(&next.first);
            }
            let comparable = self.same_kind(&span, &next);
            if !comparable || self.candidate(&next).is_none() || self.candidate(&span).is_none() {
                break;
            }
            kind = joint;
            spans.push(span);
            std::mem::swap(&mut span, &mut next);
            j = end;
        }
        let alone = spans.is_empty();
        spans.push(span);
        if alone {
            return self.alone(spans.first()?, i, j);
        }
        let candidates: Vec<Candidate> = spans
            .iter()
            .filter_map(|s| self.candidate(s).map(|(c, _)| c))
            .collect();
        Some(Phrase {
            candidates,
            kind,
            arc: None,
            first_token: i,
            end_token: j,
        })
    }

    /// "1697 [i.e. 1967]": the date in brackets is the one that is meant.
    fn corrected(&self, written: &Span, j: usize) -> Option<(Span, usize)> {
        let close = match self.tok(j) {
            Tok::BracketOpen => Tok::BracketClose,
            Tok::Open => Tok::Close,
            _ => return None,
        };
        let letter = |i: usize, letter: &str| {
            let same = self.str(i).eq_ignore_ascii_case(letter);
            same.then(|| i + 1 + usize::from(self.tok(i + 1) == Tok::Dot))
        };
        let k = letter(j + 1, "i").and_then(|k| letter(k, "e"))?;
        let k = k + usize::from(self.tok(k) == Tok::Comma);
        let (meant, end) = self.span(k)?;
        let years = written.first.is_span_of_years() && meant.first.is_span_of_years();
        (years && self.tok(end) == close).then_some((meant, end + 1))
    }

    fn second_span(&self, base: &Atom, i: usize) -> Option<(Span, usize)> {
        let (first, j) = self.second_atom(base, i)?;
        if let Some((last, end)) = self.range_end(&first, j) {
            let mut span = Span::two(first, last);
            span.first.complete_from(&last);
            if self.ordered(&span) {
                return Some((span, end));
            }
        }
        Some((Span::one(first), j))
    }

    /// Whether "and" after a span joins it to another: always in a field, for years in prose.
    fn joins(&self, span: &Span) -> bool {
        self.field
            || matches!(
                span.first.core,
                Core::Ordinal { .. } | Core::Year { digits: 3.., .. } | Core::Century { .. }
            ) && span.last.is_none()
    }

    fn same_kind(&self, a: &Span, b: &Span) -> bool {
        a.first.is_span_of_years() == b.first.is_span_of_years() || self.field
    }

    fn open_after(&self, span: &Span, i: usize, j: usize) -> Option<Phrase> {
        let (later, end) = match self.tok(j) {
            Tok::Word(W::Or | W::And) => match self.tok(j + 1) {
                Tok::Word(W::Later | W::After) if !self.starts_date(j + 2) => (true, j + 2),
                Tok::Word(W::Earlier | W::Before) if !self.starts_date(j + 2) => (false, j + 2),
                _ => return None,
            },
            Tok::Comma if self.field && self.is(j + 1, W::Or) => match self.tok(j + 2) {
                Tok::Word(W::Later | W::After) => (true, j + 3),
                Tok::Word(W::Earlier | W::Before) => (false, j + 3),
                _ => return None,
            },
            Tok::Word(W::Later) => (true, j + 1),
            // "1850+", the whole field.
            Tok::Other if self.field && self.str(j) == "+" && j + 1 >= self.tokens.len() => {
                (true, j + 1)
            }
            Tok::Hyphen | Tok::Dash | Tok::Word(W::To | W::Until) => {
                let article = usize::from(self.is(j + 1, W::The));
                if matches!(
                    self.tok(j + 1 + article),
                    Tok::Word(W::Present | W::Now | W::Today)
                ) {
                    (true, j + 2 + article)
                } else if self.field
                    && matches!(self.tok(j), Tok::Hyphen | Tok::Dash)
                    && j + 1 >= self.tokens.len()
                {
                    (true, j + 1)
                } else {
                    return None;
                }
            }
            _ => return None,
        };
        // "10 years later" is no open date.
        if self.counts_things(i + 1) {
            return None;
        }
        let (candidate, _) = self.candidate(span)?;
        if self.field && self.settings.close_open_fields {
            let mut closed = candidate;
            closed.uncertain = true;
            return Some(Phrase {
                candidates: vec![closed],
                kind: Kind::Interval,
                arc: None,
                first_token: i,
                end_token: end,
            });
        }
        let interval = if later {
            Interval::since(candidate.core.first.day()?)
        } else {
            Interval::until(candidate.core.last.day()?)
        };
        Some(self.opened(&candidate, interval, i, end))
    }

    fn starts_date(&self, i: usize) -> bool {
        self.atom(i).is_some()
    }

    /// A span by itself: grounded, or a part of the year.
    fn alone(&self, span: &Span, i: usize, j: usize) -> Option<Phrase> {
        if let Some((candidate, _)) = self.candidate(span) {
            if !self.believable(span, i, j) {
                return None;
            }
            let mut end = j;
            let mut candidate = candidate;
            // "Edo period (1603–1867), 19th century": both hold, so their common part does.
            if let Some((narrow, k)) = self.narrowed(&candidate, j, 3) {
                candidate = narrow;
                end = k;
            }
            return Some(Phrase {
                kind: Expression::kind_of(std::slice::from_ref(&candidate)),
                candidates: vec![candidate],
                arc: None,
                first_token: i,
                end_token: end,
            });
        }
        self.seasonal(span, i, j)
    }

    /// A closer date after a period, cut to the period.
    fn narrowed(&self, period: &Candidate, j: usize, depth: u8) -> Option<(Candidate, usize)> {
        if depth == 0 || period.precision != Precision::Period {
            return None;
        }
        let k = match self.tok(j) {
            Tok::Comma | Tok::Semicolon => j + 1,
            Tok::Open if !matches!(self.tok(j + 1), Tok::Word(W::Style | W::Mark)) => j + 1,
            _ => return None,
        };
        let (span, mut end) = self.span(k)?;
        let (inner, _) = self.candidate(&span)?;
        let both = inner.interval.intersect(period.interval)?;
        if self.tok(j) == Tok::Open {
            if self.tok(end) != Tok::Close {
                return None;
            }
            end += 1;
        }
        let mut out = inner;
        out.interval = both;
        out.core = out.core.intersect(period.core).unwrap_or(both);
        // Where the period cuts off all that circa added, nothing approximate is left.
        out.approximate &= out.core != out.interval;
        if !out.approximate {
            out.core = out.interval;
        }
        if let Some((narrower, k)) = self.narrowed(&out, end, depth - 1) {
            return Some((narrower, k));
        }
        Some((out, end))
    }

    /// Whether a bare number in running text may be a year.
    fn believable(&self, span: &Span, i: usize, j: usize) -> bool {
        let Core::Year { n, digits } = span.first.core else {
            return true;
        };
        if span.first.era.is_some() || self.field {
            return self.field && (digits >= 3 || span.first.era.is_some() || span.last.is_some())
                || span.first.era.is_some();
        }
        if digits < 4 {
            // A three-digit range of years is told from other numbers only by its era.
            return span.last.is_some_and(|last| last.era.is_some());
        }
        let number = self.first_number(i);
        if !(1000..=2199).contains(&n) || self.glued_before(number) && !self.glued_to_word(number) {
            return false;
        }
        if self.counts_things(j) && span.last.is_none() {
            return false;
        }
        // Written against a letter, or part of a longer number.
        if !self.spaced(j)
            && matches!(
                self.tok(j),
                Tok::Word(_) | Tok::Num(..) | Tok::Percent | Tok::Currency
            )
        {
            return false;
        }
        if !self.spaced(j)
            && matches!(
                self.tok(j),
                Tok::Dot | Tok::Comma | Tok::Hyphen | Tok::Colon | Tok::Slash
            )
            && !self.spaced(j + 1)
            && matches!(self.tok(j + 1), Tok::Num(..))
        {
            return false;
        }
        match i.checked_sub(1).map(|k| self.tok(k)) {
            Some(Tok::Currency | Tok::Hash | Tok::Tilde) => false,
            Some(Tok::Word(W::No)) => false,
            Some(Tok::Hyphen | Tok::Slash | Tok::Dot | Tok::Comma | Tok::Colon)
                if !self.spaced(i) =>
            {
                false
            }
            Some(Tok::Dot) if i >= 2 && self.is(i - 2, W::No) => false,
            Some(Tok::Word(W::Other)) => !labels_number(self.str(i - 1)),
            Some(Tok::Dot) if i >= 2 => !labels_number(self.str(i - 2)),
            _ => true,
        }
    }

    fn first_number(&self, i: usize) -> usize {
        (i..i + 6)
            .find(|k| matches!(self.tok(*k), Tok::Num(..)))
            .unwrap_or(i)
    }

    /// A month, season or day without a year.
    fn seasonal(&self, span: &Span, i: usize, j: usize) -> Option<Phrase> {
        let arc = match &span.last {
            None => arc_of(&span.first, self)?,
            Some(last) => {
                let (a, _) = day_of_year(&span.first, self)?;
                let (_, b) = day_of_year(last, self)?;
                YearArc::between(a, b)
            }
        };
        // "Jun-ichirō" and "Jan-Olof" are names.
        let tied = |k: usize| {
            let word = matches!(self.tok(k + 1), Tok::Word(W::Other)) && !self.spaced(k + 1);
            self.tok(k) == Tok::Hyphen && !self.spaced(k) && word
        };
        if matches!(span.first.core, Core::Date { d: None, .. }) && span.last.is_none() && tied(j) {
            return None;
        }
        // "may", "march", "fall" and "second" are mostly other words.
        if let Core::Date {
            d: None, m: 3 | 5, ..
        } = span.first.core
            && span.last.is_none()
            && !self.introduces_month(i)
        {
            return None;
        }
        Some(Phrase {
            candidates: self.occurrences(span),
            kind: Kind::Seasonal,
            arc: Some(arc),
            first_token: i,
            end_token: j,
        })
    }

    fn introduces_month(&self, i: usize) -> bool {
        let before = |k: usize| i.checked_sub(k).map_or(Tok::Break, |k| self.tok(k));
        matches!(
            before(1),
            Tok::Word(
                W::In
                    | W::Of
                    | W::Since
                    | W::By
                    | W::Until
                    | W::Every
                    | W::This
                    | W::Last
                    | W::Next
                    | W::Early
                    | W::Mid
                    | W::Late
                    | W::During
                    | W::From
                    | W::To
                    | W::Between
                    | W::And
                    | W::Or
                    | W::For
                    | W::Before
                    | W::After
            )
        ) || self.tokens.len() == 1
    }

    /// The occurrences of a yearless date last before and next after the anchor.
    fn occurrences(&self, span: &Span) -> Vec<Candidate> {
        let Some(anchor) = self.anchor else {
            return Vec::new();
        };
        let at = |year: i64| -> Option<Candidate> {
            let mut dated = *span;
            let fill = |core: Core, year: i64| match core {
                Core::Date { y: None, m, d } => Core::Date {
                    y: Some(year),
                    m,
                    d,
                },
                Core::Season { y: None, s } => Core::Season { y: Some(year), s },
                Core::YearPart { y: None, index, of } => Core::YearPart {
                    y: Some(year),
                    index,
                    of,
                },
                other => other,
            };
            dated.first.core = fill(dated.first.core, year);
            if let Some(last) = &mut dated.last {
                let wraps = match (dated.first.core, last.core) {
                    (Core::Date { m, .. }, Core::Date { m: m2, .. }) => m2 < m,
                    _ => false,
                };
                last.core = fill(last.core, year + i64::from(wraps));
            }
            self.candidate(&dated).map(|(c, _)| c)
        };
        let year = anchor.year().0;
        let mut all: Vec<Candidate> = (year - 5..=year + 5).filter_map(at).collect();
        let started = |c: &Candidate| c.interval.first.day().is_some_and(|d| d <= anchor);
        let past = all.iter().rposition(started);
        let next = all.iter().position(|c| !started(c));
        let keep: Vec<Candidate> = [next, past]
            .into_iter()
            .flatten()
            .filter_map(|k| all.get(k).cloned())
            .collect();
        all.clear();
        keep
    }
}

/// The first and last month and day of an atom without a year.
fn day_of_year(atom: &Atom, reader: &Reader<'_>) -> Option<((u8, u8), (u8, u8))> {
    match atom.core {
        Core::Date {
            y: None,
            m,
            d: Some(d),
        } => {
            DayNumber::from_gregorian(super::super::calendar::Year(2000), m, d)?;
            let d = if (m, d) == (2, 29) { 28 } else { d };
            Some(((m, d), (m, d)))
        }
        Core::Date {
            y: None,
            m,
            d: None,
        } => {
            let mut dated = *atom;
            dated.core = Core::Date {
                y: Some(2001),
                m,
                d: None,
            };
            let (interval, _) = dated.ground(reader.settings)?;
            let (_, m1, d1) = interval.first.day()?.to_gregorian();
            let (_, m2, d2) = interval.last.day()?.to_gregorian();
            Some(((m1, d1), (m2, d2)))
        }
        Core::Season { y: None, s } => {
            let (a, b, _) = season_months(s, reader.settings.hemisphere);
            Some(((a, 1), (b, super::super::calendar::month_length(2001, b))))
        }
        Core::YearPart { y: None, index, of } if of > 0 => {
            let months = 12 / of;
            let b = index * months;
            Some((
                (b - months + 1, 1),
                (b, super::super::calendar::month_length(2001, b)),
            ))
        }
        _ => None,
    }
}

fn arc_of(atom: &Atom, reader: &Reader<'_>) -> Option<YearArc> {
    let (a, b) = day_of_year(atom, reader)?;
    Some(YearArc::between(a, b))
}

/// Whether a word before a number makes it a label: "page 1850", "Lot 1999", "inv. 1924".
fn labels_number(word: &str) -> bool {
    const LABELS: &[&str] = &[
        "page",
        "pages",
        "p",
        "pp",
        "lot",
        "inv",
        "inventory",
        "number",
        "numbers",
        "nos",
        "nr",
        "room",
        "box",
        "fig",
        "figure",
        "plate",
        "pl",
        "cat",
        "ms",
        "mss",
        "section",
        "art",
        "article",
        "model",
        "type",
        "acc",
        "accession",
        "item",
        "isbn",
        "tel",
        "phone",
        "zip",
        "opus",
        "op",
        "vol",
        "volume",
        "line",
        "route",
        "highway",
        "version",
        "channel",
        "total",
        "patent",
        "code",
        "id",
        "folio",
        "fol",
        "ref",
        "windows",
    ];
    LABELS.iter().any(|label| word.eq_ignore_ascii_case(label))
}

impl Reader<'_> {
    /// A full date whose day does not exist, and the token after it.
    pub(crate) fn impossible_day(&self, i: usize) -> Option<(String, usize)> {
        let (atom, end) = self.atom(i)?;
        let Core::Date {
            y: Some(y),
            m,
            d: Some(d),
        } = atom.core
        else {
            return None;
        };
        if atom.ground(self.settings).is_some() {
            return None;
        }
        let month = super::super::calendar::month_name(m);
        let days = super::super::calendar::month_length(y, m);
        Some((format!("{month} {y} has {days} days, not {d}"), end))
    }
}

impl Phrase {
    /// The phrase as an expression over bytes of the text; the caller fills in UTF-16 and role.
    pub(crate) fn into_expression(
        self,
        reader: &Reader<'_>,
        role: super::super::expression::Role,
    ) -> Option<Expression> {
        let start = reader.tokens.get(self.first_token)?.start;
        let end = reader.tokens.get(self.end_token.checked_sub(1)?)?.end;
        Some(Expression {
            range: start..end,
            utf16: start..end,
            candidates: self.candidates,
            kind: self.kind,
            role,
            arc: self.arc,
        })
    }
}
