//! Civil dates in Chinese: 公元前221年, 十九世紀中葉, 二〇〇八年五月十二日, 民國三十八年.

use super::super::calendar::{DayNumber, Year, month_length};
use super::super::english::atom::{Core, Part};
use super::super::expression::Precision;
use super::super::interval::{Interval, YearArc};
use super::numbers::{Style, number};
use super::scanner::{Context, Hit, Scanner};

/// A civil month and day after a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CivilRest {
    pub month: u8,
    pub day: Option<u8>,
    /// 上旬, 中旬, 下旬 as 0, 1, 2.
    pub third: Option<u8>,
}

impl Scanner<'_> {
    /// Reads a civil date, century or decade.
    pub(crate) fn civil_date(&self, p: usize) -> Option<Hit> {
        if let Some(hit) = self.iso(p) {
            return Some(hit);
        }
        const ERAS: [&str; 6] = ["公元", "西元", "公历", "西历", "西历纪元", "公元纪年"];
        if let Some((_, mut q)) = self.one_of(p, &ERAS) {
            let mut bce = false;
            if self.c(q) == '前' {
                bce = true;
                q += 1;
            } else if self.c(q) == '后' {
                q += 1;
            }
            return self.counted(p, q, bce, true);
        }
        if self.at(p, "纪元前") {
            return self.counted(p, p + 3, true, true);
        }
        if self.c(p) == '前'
            && let Some((_, end, _)) = number(self.chars, p + 1)
            && (self.at(end, "世纪") || (self.c(end) == '年' && self.free_before(p)))
        {
            return self.counted(p, p + 1, true, true);
        }
        if let Some((_, q)) = self.one_of(p, &["中华民国", "民国"]) {
            return self.republic(p, q);
        }
        self.counted(p, p, false, false)
    }

    /// 2010-01-29, 2010/1/29 within Chinese text.
    fn iso(&self, p: usize) -> Option<Hit> {
        let (y, i, Style::Arabic(4)) = number(self.chars, p)? else {
            return None;
        };
        let sign = self.c(i);
        if !matches!(sign, '-' | '/') {
            return None;
        }
        let (m, j, Style::Arabic(1..=2)) = number(self.chars, i + 1)? else {
            return None;
        };
        if self.c(j) != sign {
            return None;
        }
        let (d, k, Style::Arabic(1..=2)) = number(self.chars, j + 1)? else {
            return None;
        };
        let day = DayNumber::from_gregorian(Year(y), u8::try_from(m).ok()?, u8::try_from(d).ok()?)?;
        Some(Hit::one(p, k, Interval::day(day), Precision::Day))
    }

    /// A counted year, decade or century at `q`; `sure` when an era word stands before it.
    fn counted(&self, p: usize, q: usize, bce: bool, sure: bool) -> Option<Hit> {
        let (n, end, style) = number(self.chars, q)?;
        if self.at(end, "世纪") {
            return self.century(p, end + 2, n, bce);
        }
        if self.at(end, "千纪") || self.at(end, "千年纪") {
            let after = end + if self.at(end, "千纪") { 2 } else { 3 };
            let (interval, precision) = self.civil(Core::Millennium { n }, None, bce)?;
            return Some(Hit::one(p, after, interval, precision));
        }
        if self.at(end, "年代") {
            return self.decade(p, end + 2, n, style, bce);
        }
        let four = matches!(style, Style::Arabic(4) | Style::Digits(4))
            || (style == Style::Counting && n >= 1000 && n % 100 != 0);
        let short = matches!(style, Style::Arabic(2) | Style::Digits(2));
        if self.c(end) == '年' {
            if self.c(end + 1) == '级' {
                return None;
            }
            // 98年8月, 08年: the century is left out.
            let zero = matches!(self.c(q), '0' | '〇');
            let n = if short && !sure {
                if self.civil_rest(end + 1).is_none() && !zero {
                    return None;
                }
                super::super::english::two_digit_year(n)
            } else {
                n
            };
            let three = matches!(style, Style::Arabic(3) | Style::Digits(3))
                && !matches!(
                    self.c(end + 1),
                    '前' | '后' | '间' | '之' | '以' | '来' | '多' | '余'
                )
                && !matches!(
                    self.c(q.wrapping_sub(1)),
                    '第' | '约' | '近' | '过' | '共' | '有'
                );
            if !(sure || short || three || (four && (1000..=2200).contains(&n))) || n == 0 {
                return None;
            }
            // 2000多年, 1000年来 are lengths.
            if !sure && matches!(self.c(end + 1), '来' | '多' | '余') {
                return None;
            }
            let year = if bce { 1 - n } else { n };
            if let Some(lunar) = self.lunar_after(p, end + 1, year) {
                return Some(lunar);
            }
            return self.year_and_rest(p, end + 1, year);
        }
        // 2016-2018年: the year sign stands after the range.
        if four
            && !bce
            && (1000..=2200).contains(&n)
            && (matches!(self.c(end), '-' | '至' | '到'))
            && let Some((_, next_end, Style::Arabic(4) | Style::Digits(4))) =
                number(self.chars, end + 1)
            && self.c(next_end) == '年'
        {
            let mut hit = Hit::one(p, end, Interval::years(Year(n), Year(n))?, Precision::Year);
            hit.context.civil_year = Some(n);
            return Some(hit);
        }
        if sure && n > 0 && (four || bce) && !matches!(self.c(end), '人' | '个' | '次') {
            let year = if bce { 1 - n } else { n };
            return Some(Hit::one(
                p,
                end,
                Interval::years(Year(year), Year(year))?,
                Precision::Year,
            ));
        }
        None
    }

    /// The rest of a date after its civil year.
    pub(crate) fn year_and_rest(&self, p: usize, at: usize, year: i64) -> Option<Hit> {
        if year.abs() > Year::LIMIT {
            return None;
        }
        let context = Context {
            civil_year: Some(year),
            ..Context::default()
        };
        if let Some((rest, end)) = self.civil_rest(at) {
            let (interval, precision) = ground_rest(year, rest)?;
            let mut hit = Hit::one(p, end, interval, precision);
            hit.context = Context {
                civil_month: Some(rest.month),
                ..context
            };
            return Some(hit);
        }
        let season = [("春", 0u8), ("夏", 1), ("秋", 2), ("冬", 3)]
            .iter()
            .find(|(word, _)| self.at(at, word))
            .map(|(_, s)| *s);
        if let Some(s) = season {
            let mut end = at + 1;
            if matches!(self.c(end), '天' | '季' | '日') {
                end += 1;
            }
            let (interval, precision) =
                self.civil(Core::Season { y: Some(year), s }, None, false)?;
            return Some(Hit::one(p, end, interval, precision));
        }
        // 2021年的第一周, 第三个月
        let nth = at + usize::from(self.c(at) == '的');
        if self.c(nth) == '第'
            && let Some((n, k, _)) = number(self.chars, nth + 1)
        {
            let k = k + usize::from(self.c(k) == '个');
            if let Some((_, end)) = self.one_of(k, &["周", "星期", "礼拜"])
                && (1..=53).contains(&n)
            {
                let fourth = DayNumber::civil(year, 1, 4);
                let first = fourth.0 - i64::from(fourth.weekday()) + 7 * (n - 1);
                let interval = Interval::new(DayNumber(first), DayNumber(first + 6))?;
                return Some(Hit::one(p, end, interval, Precision::Week));
            }
            if self.c(k) == '月' && (1..=12).contains(&n) {
                let rest = CivilRest {
                    month: n as u8,
                    day: None,
                    third: None,
                };
                let (interval, precision) = ground_rest(year, rest)?;
                return Some(Hit::one(p, k + 1, interval, precision));
            }
        }
        if let Some((index, of, end)) = self.part_of_year(at) {
            let core = Core::YearPart {
                y: Some(year),
                index,
                of,
            };
            let (interval, precision) = self.civil(core, None, false)?;
            return Some(Hit::one(p, end, interval, precision));
        }
        let part = [
            ("年初", Part::Beginning),
            ("年底", Part::End),
            ("年末", Part::End),
            ("年中", Part::Mid),
        ]
        .iter()
        .find(|(word, _)| self.at(at.wrapping_sub(1), word))
        .map(|(_, part)| *part)
        .or_else(|| {
            [
                ("初", Part::Beginning),
                ("底", Part::End),
                ("末", Part::End),
            ]
            .iter()
            .find(|(word, _)| self.at(at, word))
            .map(|(_, part)| *part)
        });
        if let Some(part) = part
            && !matches!(
                self.c(at + 1),
                '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十'
            )
        {
            let core = Core::Year { n: year, digits: 4 };
            let (interval, precision) = self.civil(core, Some(part), false)?;
            return Some(Hit::one(p, at + 1, interval, precision));
        }
        let mut hit = Hit::one(
            p,
            at,
            Interval::years(Year(year), Year(year))?,
            Precision::Year,
        );
        hit.context = context;
        Some(hit)
    }

    /// 第三季度, 上半年.
    pub(crate) fn part_of_year(&self, at: usize) -> Option<(u8, u8, usize)> {
        let i = at + usize::from(matches!(self.c(at), '的' | '第'));
        let i = i + usize::from(self.c(i) == '第');
        if let Some((k, end)) = self.one_of(i, &["上半年", "下半年", "前半年", "后半年"])
        {
            return Some((if k % 2 == 0 { 1 } else { 2 }, 2, end));
        }
        let (n, end, _) = number(self.chars, i)?;
        if !(1..=4).contains(&n) {
            return None;
        }
        let end = end + usize::from(self.c(end) == '个');
        let end = self
            .at(end, "季度")
            .then_some(end + 2)
            .or_else(|| (self.c(end) == '季').then_some(end + 1))?;
        Some((n as u8, 4, end))
    }

    /// Reads 五月十二日, 5月12号, 五月上旬 or 五月.
    pub(crate) fn civil_rest(&self, at: usize) -> Option<(CivilRest, usize)> {
        let at = at + usize::from(self.c(at) == '的');
        let (m, end, style) = number(self.chars, at)
            .or_else(|| self.at(at, "元月").then_some((1, at + 1, Style::Counting)))?;
        if !(1..=12).contains(&m) || self.c(end) != '月' || matches!(style, Style::Digits(3..)) {
            return None;
        }
        let month = m as u8;
        let mut i = end + 1;
        if self.at(i, "份") {
            i += 1;
        }
        let whole = CivilRest {
            month,
            day: None,
            third: None,
        };
        if let Some((k, end)) = self.one_of(i, &["上旬", "中旬", "下旬"]) {
            let third = Some(k as u8);
            return Some((CivilRest { third, ..whole }, end));
        }
        let j = i + usize::from(self.c(i) == '初');
        if let Some((d, end, style)) = number(self.chars, j)
            && (1..=31).contains(&d)
            && !matches!(style, Style::Digits(3..))
        {
            let day = Some(d as u8);
            if matches!(self.c(end), '日' | '号') {
                return Some((CivilRest { day, ..whole }, end + 1));
            }
            if end - j >= 2 && self.free_after(end) || j > i {
                return Some((CivilRest { day, ..whole }, end));
            }
        }
        Some((whole, i))
    }

    fn century(&self, p: usize, at: usize, n: i64, bce: bool) -> Option<Hit> {
        if !(1..=999).contains(&n) {
            return None;
        }
        // 二十世紀九十年代
        if let Some((d, end, style)) = number(self.chars, at)
            && self.at(end, "年代")
            && !matches!(style, Style::Arabic(3..))
            && d % 10 == 0
            && d < 100
            && !bce
        {
            let start = (n - 1) * 100 + d;
            return self.decade_from(p, end + 2, start);
        }
        if let Some((_, end)) = self.one_of(at, &["之交"]) {
            let (interval, precision) =
                self.civil(Core::Century { n: n + 1 }, Some(Part::Turn), bce)?;
            return Some(Hit::one(p, end, interval, precision));
        }
        let skip = at + usize::from(matches!(self.c(at), '的' | '之'));
        let (part, end) = match self.part(at).or_else(|| self.part(skip)) {
            Some((part, end)) => (Some(part), end),
            None => (None, at),
        };
        let part = match part {
            Some(Part::Fraction(1, 2)) if self.at(end - 2, "前期") => Some(Part::Fraction(1, 2)),
            other => other,
        };
        let (interval, precision) = self.civil(Core::Century { n }, part, bce)?;
        Some(Hit::one(p, end, interval, precision))
    }

    fn decade(&self, p: usize, at: usize, n: i64, style: Style, bce: bool) -> Option<Hit> {
        if n % 10 != 0 {
            return None;
        }
        let start = match style {
            Style::Arabic(4) | Style::Digits(4) => n,
            // 九十年代 of an unsaid century is that of the twentieth, 10年代 of the present one.
            _ if (20..100).contains(&n) && !bce => 1900 + n,
            _ if n == 10 && !bce => 2000 + n,
            _ if bce => n,
            _ => return None,
        };
        if bce {
            let (interval, precision) = self.civil(
                Core::Decade {
                    n: start,
                    digits: 4,
                },
                None,
                true,
            )?;
            return Some(Hit::one(p, at, interval, precision));
        }
        self.decade_from(p, at, start)
    }

    fn decade_from(&self, p: usize, at: usize, start: i64) -> Option<Hit> {
        let (part, end) = match self.part(at) {
            Some((part, end)) => (Some(part), end),
            None => (None, at),
        };
        let core = Core::Decade {
            n: start,
            digits: 4,
        };
        let (interval, precision) = self.civil(core, part, false)?;
        Some(Hit::one(p, end, interval, precision))
    }

    /// 民國三十八年, 民國前一年, 民國初年.
    fn republic(&self, p: usize, q: usize) -> Option<Hit> {
        let (before, i) = if self.c(q) == '前' {
            (true, q + 1)
        } else {
            (false, q)
        };
        let (n, end) = if self.at(i, "元年") {
            (1, i + 1)
        } else {
            let (n, end, _) = number(self.chars, i)?;
            (n, end)
        };
        if self.at(end, "年代") && !before && n % 10 == 0 {
            let first = 1911 + n;
            return Some(Hit::one(
                p,
                end + 2,
                Interval::years(Year(first), Year(first + 9))?,
                Precision::Decade,
            ));
        }
        if self.c(end) != '年' || n == 0 || n > 300 {
            return None;
        }
        let year = if before { 1912 - n } else { 1911 + n };
        self.year_and_rest(p, end + 1, year)
    }

    /// 二〇〇八年农历五月初五, 1900年正月: a lunar month after a civil year.
    fn lunar_after(&self, p: usize, at: usize, year: i64) -> Option<Hit> {
        let (marked, i) = match self.one_of(at, &["农历", "阴历", "旧历", "夏历"]) {
            Some((_, end)) => (true, end),
            None => (false, at),
        };
        let lunar_word = self.at(i, "正月") || self.at(i, "腊月") || self.c(i) == '闰';
        if !marked && !lunar_word {
            return None;
        }
        let (rest, end) = self.lunar_rest(i);
        rest.month?;
        let candidate = self.in_lunar_year(year, rest)?;
        Some(Hit::dated(p, end, vec![candidate]))
    }

    /// A month or day that goes on from a civil date before: 2008年5月至8月, 5月1日至3日.
    pub(crate) fn civil_continued(&self, i: usize, context: Context) -> Option<Hit> {
        let year = context.civil_year?;
        if let Some((rest, end)) = self.civil_rest(i) {
            let later = context.civil_month.is_none_or(|m| rest.month >= m);
            let (interval, precision) = ground_rest(if later { year } else { year + 1 }, rest)?;
            return Some(Hit::one(i, end, interval, precision));
        }
        let (d, end, _) = number(self.chars, i)?;
        if matches!(self.c(end), '日' | '号') {
            let rest = CivilRest {
                month: context.civil_month?,
                day: Some(u8::try_from(d).ok()?),
                third: None,
            };
            let (interval, precision) = ground_rest(year, rest)?;
            return Some(Hit::one(i, end + 1, interval, precision));
        }
        None
    }

    /// The arc of a civil month or day.
    pub(crate) fn civil_arc(rest: CivilRest) -> Option<YearArc> {
        let last = month_length(2001, rest.month);
        let (a, b) = match (rest.day, rest.third) {
            (Some(d), _) if d <= month_length(2000, rest.month) => (d.min(last), d.min(last)),
            (Some(_), _) => return None,
            (None, Some(0)) => (1, 10),
            (None, Some(1)) => (11, 20),
            (None, Some(_)) => (21, last),
            (None, None) => (1, last),
        };
        Some(YearArc::between((rest.month, a), (rest.month, b)))
    }
}

/// Grounds a civil month and day in a year.
pub(crate) fn ground_rest(year: i64, rest: CivilRest) -> Option<(Interval, Precision)> {
    let last = month_length(year, rest.month);
    let (a, b, precision) = match (rest.day, rest.third) {
        (Some(d), _) => (d, d, Precision::Day),
        (None, Some(0)) => (1, 10, Precision::Week),
        (None, Some(1)) => (11, 20, Precision::Week),
        (None, Some(_)) => (21, last, Precision::Week),
        (None, None) => (1, last, Precision::Month),
    };
    Some((
        Interval::new(
            DayNumber::from_gregorian(Year(year), rest.month, a)?,
            DayNumber::from_gregorian(Year(year), rest.month, b)?,
        )?,
        precision,
    ))
}
