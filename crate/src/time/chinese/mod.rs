//! Dates in Chinese, classical and modern, in both scripts.

mod ages;
mod civil;
mod counted;
mod deictic;
mod doubt;
mod dynasties;
mod eras;
pub(super) mod fold;
pub(super) mod numbers;
mod scanner;
mod seasons;
pub(super) mod stream;
pub(super) mod tables;

use super::calendar::DayNumber;
use super::expression::{Expression, Kind, Refusal, Role};
use super::interval::Interval;
use super::settings::Settings;
use super::{Candidate, Findings};
use scanner::{Hit, Scanner};

/// Finds the Chinese expressions of a text, in order and without overlap.
///
/// UTF-16 ranges are left equal to byte ranges for the caller to fill in.
pub(crate) fn find(
    text: &str,
    settings: &Settings,
    anchor: Option<DayNumber>,
    field: bool,
) -> Findings {
    let chars = stream::read(text);
    let scanner = Scanner::new(&chars, settings, anchor, field);
    let mut findings = Findings::default();
    let mut p = 0;
    while p < chars.len() {
        if scanner.c(p) == stream::BREAK {
            p += 1;
            continue;
        }
        let Some(hit) = scanner.expression(p) else {
            p += scanner.number_length(p).max(1);
            continue;
        };
        let end = hit.end.max(p + 1);
        if let (Some(first), Some(last)) = (chars.get(hit.start), chars.get(end - 1)) {
            let range = first.start..last.end;
            match hit.refusal {
                Some(reason) => findings.refusals.push(Refusal {
                    utf16: range.clone(),
                    range,
                    reason,
                }),
                None => findings.expressions.push(Expression {
                    utf16: range.clone(),
                    range,
                    candidates: hit.candidates,
                    kind: hit.kind,
                    role: hit.role.unwrap_or(if field {
                        Role::Created
                    } else {
                        Role::Mentioned
                    }),
                    arc: hit.arc,
                }),
            }
        }
        p = end;
    }
    findings
}

impl Scanner<'_> {
    /// The length of a run of plain digits at a position, which no date begins inside of.
    fn number_length(&self, p: usize) -> usize {
        let mut end = p;
        while self.c(end).is_ascii_digit() {
            end += 1;
        }
        end - p
    }

    /// Reads an expression with its range, alternative, open end and doubt.
    fn expression(&self, p: usize) -> Option<Hit> {
        const ABOUT: [&str; 6] = ["大约", "大概", "约莫", "约于", "约在", "约"];
        let (circa, q) = match self.one_of(p, &ABOUT) {
            Some((_, end)) => (true, end),
            None => (false, p),
        };
        // 截止到2018年, 自从2018年
        if let Some((k, end)) = self.one_of(q, &["截止到", "截至", "截止", "自从"])
            && let Some(hit) = self.point(end)
            && let Some(first) = hit.candidates.first()
            && self.range(&hit).is_none()
        {
            let interval = if k == 3 {
                Interval::since(first.interval.first.day()?)
            } else {
                Interval::until(first.interval.last.day()?)
            };
            let candidate = Candidate::exact(interval, first.precision);
            return Some(Hit::dated(q, hit.end, vec![candidate]));
        }
        let lead = self
            .one_of(q, &["从", "自"])
            .map(|(_, end)| end)
            .filter(|end| self.point(*end).is_some());
        let mut hit = self.point(lead.unwrap_or(q))?;
        if hit.refusal.is_some() {
            return Some(hit);
        }
        hit.start = if circa { p } else { hit.start };
        if let Some(joined) = self.range(&hit) {
            hit = joined;
            hit.start = if circa { p } else { hit.start };
        } else if let Some(both) = self.meeting(&hit) {
            hit = both;
        } else if let Some(either) = self.alternative(&hit) {
            hit = either;
        }
        if let Some(mut counted) = self.counted_from(&hit) {
            if circa {
                counted.start = p;
            }
            hit = counted;
        }
        if let Some(open) = self.opened(&hit) {
            if lead.is_some() {
                let mut open = open;
                open.start = q;
                return Some(open);
            }
            return Some(open);
        }
        let about = self.one_of(hit.end, &["左右", "前后", "上下"]);
        if let Some((_, end)) = about {
            hit.end = end;
        }
        if circa || about.is_some() {
            for candidate in &mut hit.candidates {
                candidate.approximate = true;
                let (before, after) =
                    super::edtf::circa_width(candidate.core, candidate.precision, self.settings);
                candidate.interval = candidate.core.widened(before, after);
            }
        }
        Some(hit)
    }

    /// Reads one point or period.
    fn point(&self, p: usize) -> Option<Hit> {
        self.deictic(p)
            .or_else(|| self.civil_date(p))
            .or_else(|| self.era(p))
            .or_else(|| self.dynasty(p))
            .or_else(|| self.sexagenary_year(p))
            .or_else(|| self.yearly(p))
    }

    /// 至, 到, — and a second point.
    fn range(&self, first: &Hit) -> Option<Hit> {
        let between = self
            .one_of(first.end, &["和", "与", "跟"])
            .map(|(_, end)| end);
        let joined = self
            .one_of(first.end, &["至", "到", "迄", "-"])
            .map(|(_, end)| end)
            .or(between)?;
        let mut at = joined;
        while self.c(at) == '-' {
            at += 1;
        }
        let second = self
            .continued(at, first.context)
            .or_else(|| self.civil_continued(at, first.context))
            .or_else(|| self.yearless_continued(at, first))
            .or_else(|| {
                self.point(at)
                    .filter(|hit| hit.kind != Kind::Seasonal || first.kind == Kind::Seasonal)
            })
            .or_else(|| {
                let reign = first.context.reign.is_some() && first.context.era_year.is_none();
                reign.then(|| self.bare_era(at)).flatten()
            })?;
        let mut second = second;
        if second.refusal.is_some() {
            return None;
        }
        if between.is_some() {
            // 2015年和2018年之間
            second.end = self
                .one_of(second.end, &["之间", "间"])
                .map(|(_, end)| end)?;
        }
        if first.kind == Kind::Seasonal && second.kind == Kind::Seasonal {
            let (a, b) = (first.arc?, second.arc?);
            let start = a.center - a.length / 2.0;
            let mut length = b.center + b.length / 2.0 - start;
            while length <= 0.0 {
                length += super::interval::YEAR_LENGTH_DAYS;
            }
            let length = length.min(super::interval::YEAR_LENGTH_DAYS);
            let arc = super::interval::YearArc {
                center: (start + length / 2.0).rem_euclid(super::interval::YEAR_LENGTH_DAYS),
                length,
            };
            let mut hit = Hit::yearly(first.start, second.end, arc);
            hit.candidates = first
                .candidates
                .iter()
                .filter_map(|a| {
                    let from = a.interval.first.day()?;
                    let to = second
                        .candidates
                        .iter()
                        .filter_map(|b| b.interval.last.day())
                        .filter(|day| *day >= from)
                        .min()?;
                    Some(Candidate::exact(Interval::new(from, to)?, a.precision))
                })
                .collect();
            return Some(hit);
        }
        let from = first.candidates.first()?;
        let start = from.interval.first.day()?;
        let to = second
            .candidates
            .iter()
            .find(|c| c.interval.last.day().is_some_and(|day| day >= start))?;
        let interval = Interval::new(start, to.interval.last.day()?)?;
        let mut candidate = Candidate::exact(interval, from.precision.max(to.precision));
        candidate.label.clone_from(&from.label);
        let mut hit = Hit::dated(first.start, second.end, vec![candidate]);
        hit.context = second.context;
        Some(hit)
    }

    /// 一月十日到十二日: the day alone after a day without a year.
    fn yearless_continued(&self, at: usize, first: &Hit) -> Option<Hit> {
        let month = first.context.civil_month?;
        if first.kind != Kind::Seasonal {
            return None;
        }
        let (d, end, _) = numbers::number(self.chars, at)?;
        if !matches!(self.c(end), '日' | '号') {
            return None;
        }
        let rest = civil::CivilRest {
            month,
            day: Some(u8::try_from(d).ok()?),
            third: None,
        };
        let mut hit = Hit::yearly(at, end + 1, Self::civil_arc(rest)?);
        hit.candidates = first
            .candidates
            .iter()
            .filter_map(|c| {
                let year = c.interval.first.day()?.year().0;
                let (interval, precision) = civil::ground_rest(year, rest)?;
                Some(Candidate::exact(interval, precision))
            })
            .collect();
        Some(hit)
    }

    /// 明末清初: the end of one age and the start of the next.
    fn meeting(&self, first: &Hit) -> Option<Hit> {
        let from = first.candidates.first()?;
        if from.precision != super::Precision::Period || first.candidates.len() != 1 {
            return None;
        }
        // 清末民初
        let republic = self.at(first.end, "民初").then(|| {
            Interval::years(super::Year(1912), super::Year(1920))
                .map(|early| Hit::one(first.end, first.end + 2, early, super::Precision::Period))
        });
        let second = match republic {
            Some(hit) => hit?,
            None => self.dynasty(first.end)?,
        };
        let to = second.candidates.first()?;
        let (a, b) = (from.interval.first.day()?, to.interval.last.day()?);
        let near = to.interval.first.day()?.0 - from.interval.last.day()?.0;
        if !(-40_000..=40_000).contains(&near) || to.interval.first.day()? <= a {
            return None;
        }
        Some(Hit::one(
            first.start,
            second.end,
            Interval::new(a, b)?,
            super::Precision::Period,
        ))
    }

    /// A或B.
    fn alternative(&self, first: &Hit) -> Option<Hit> {
        let at = self
            .one_of(first.end, &["或者", "或"])
            .map(|(_, end)| end)?;
        let second = self
            .continued(at, first.context)
            .or_else(|| self.civil_continued(at, first.context))
            .or_else(|| self.point(at))?;
        if second.refusal.is_some()
            || second.kind == Kind::Seasonal
            || first.kind == Kind::Seasonal
            || self.opened(&second).is_some()
        {
            return None;
        }
        let mut candidates = first.candidates.clone();
        candidates.extend(second.candidates);
        let mut hit = Hit::dated(first.start, second.end, candidates);
        hit.kind = Kind::OneOf;
        Some(hit)
    }

    /// 以前, 之後, 以來, 起, 開始.
    fn opened(&self, hit: &Hit) -> Option<Hit> {
        if hit.kind == Kind::Seasonal && hit.candidates.is_empty() {
            return None;
        }
        const BEFORE: [&str; 4] = ["或之前", "或以前", "及之前", "及以前"];
        const UNTIL: [&str; 4] = ["为止", "止", "截止", "底前"];
        const STRICT: [&str; 3] = ["以前", "之前", "前"];
        const SINCE: [&str; 11] = [
            "及之后",
            "及以后",
            "或之后",
            "或以后",
            "以来",
            "之后",
            "以后",
            "开始",
            "起",
            "以降",
            "已来",
        ];
        let first = hit.candidates.first()?;
        let interval = first.interval;
        let (bound, end) = if let Some((_, end)) = self.one_of(hit.end, &BEFORE) {
            (Interval::until(interval.last.day()?), end)
        } else if let Some((_, end)) = self.one_of(hit.end, &UNTIL) {
            (Interval::until(interval.last.day()?), end)
        } else if let Some((k, end)) = self.one_of(hit.end, &STRICT) {
            if k == 2
                && (matches!(
                    self.c(end),
                    '期' | '半' | '后' | '往' | '夕' | '朝' | '代' | '线' | '面' | '言'
                ) || first.precision == super::Precision::Period)
            {
                return None;
            }
            (Interval::until(DayNumber(interval.first.day()?.0 - 1)), end)
        } else if let Some((k, end)) = self.one_of(hit.end, &SINCE) {
            let strict = k == 5 || k == 6;
            if k == 8 && matches!(self.c(end), '义' | '兵' | '居' | '飞' | '草') {
                return None;
            }
            let start = if strict {
                DayNumber(interval.last.day()?.0 + 1)
            } else {
                interval.first.day()?
            };
            (Interval::since(start), end)
        } else if self.c(hit.end) == '后'
            && first.precision != super::Precision::Period
            && !matches!(
                self.c(hit.end + 1),
                '期' | '半' | '人' | '来' | '世' | '代' | '宫' | '者' | '汉' | '周'
            )
        {
            (
                Interval::since(DayNumber(interval.last.day()?.0 + 1)),
                hit.end + 1,
            )
        } else {
            return None;
        };
        let mut candidate = Candidate::exact(bound, first.precision);
        candidate.label.clone_from(&first.label);
        Some(Hit::dated(hit.start, end, vec![candidate]))
    }
}
