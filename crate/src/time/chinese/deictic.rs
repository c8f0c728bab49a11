//! Times told from the anchor date in Chinese: 去年, 本月, 三天前, 上周五.

use super::super::calendar::{DayNumber, Year, month_length};
use super::super::english::atom::{Core, Part};
use super::super::expression::Precision;
use super::super::interval::Interval;
use super::civil::ground_rest;
use super::numbers::number;
use super::scanner::{Hit, Scanner};

impl Scanner<'_> {
    pub(crate) fn deictic(&self, p: usize) -> Option<Hit> {
        self.anchor?;
        self.day_word(p)
            .or_else(|| self.year_word(p))
            .or_else(|| self.month_word(p))
            .or_else(|| self.week_word(p))
            .or_else(|| self.long_word(p))
            .or_else(|| self.stretch(p))
            .or_else(|| self.ago(p))
            .or_else(|| self.day_number(p))
            .or_else(|| self.present_half(p))
    }

    /// 29日, 12号 by themselves: the next and the last such day.
    fn day_number(&self, p: usize) -> Option<Hit> {
        let (d, end, _) = number(self.chars, p)?;
        let before = p.checked_sub(1).map_or('\0', |i| self.c(i));
        if !(1..=31).contains(&d)
            || !matches!(self.c(end), '日' | '号')
            || matches!(before, '月' | '第' | '共')
            || matches!(
                self.c(end + 1),
                '子' | '本' | '内' | '间' | '线' | '楼' | '院' | '之'
            )
        {
            return None;
        }
        let anchor = self.anchor?;
        let (year, month, _) = anchor.to_gregorian();
        let now = year.0 * 12 + i64::from(month) - 1;
        let at = |m: i64| {
            DayNumber::from_gregorian(Year(m.div_euclid(12)), m.rem_euclid(12) as u8 + 1, d as u8)
        };
        let next = (now..now + 4).filter_map(at).find(|x| *x > anchor);
        let past = (now - 4..=now).rev().filter_map(at).find(|x| *x <= anchor);
        let candidates = [next, past]
            .into_iter()
            .flatten()
            .map(|day| {
                super::super::expression::Candidate::exact(Interval::day(day), Precision::Day)
            })
            .collect();
        Some(Hit::dated(p, end + 1, candidates))
    }

    /// 上半年, 下半年 of the anchor's year.
    fn present_half(&self, p: usize) -> Option<Hit> {
        let (k, end) = self.one_of(p, &["上半年", "下半年"])?;
        let core = Core::YearPart {
            y: Some(self.anchor?.year().0),
            index: k as u8 + 1,
            of: 2,
        };
        let (interval, precision) = self.civil(core, None, false)?;
        Some(Hit::one(p, end, interval, precision))
    }

    fn day_word(&self, p: usize) -> Option<Hit> {
        const DAYS: [(&str, i64); 18] = [
            ("大前天", -3),
            ("大后天", 3),
            ("前天", -2),
            ("前日", -2),
            ("昨天", -1),
            ("昨日", -1),
            ("昨晚", -1),
            ("今天", 0),
            ("今日", 0),
            ("今早", 0),
            ("今晚", 0),
            ("当天", 0),
            ("明天", 1),
            ("明日", 1),
            ("明晚", 1),
            ("后天", 2),
            ("后日", 2),
            ("次日", 1),
        ];
        let (word, offset) = DAYS.iter().find(|(word, _)| self.at(p, word))?;
        let anchor = self.anchor?;
        let day = Interval::day(DayNumber(anchor.0 + offset));
        Some(Hit::one(p, p + word.chars().count(), day, Precision::Day))
    }

    fn year_word(&self, p: usize) -> Option<Hit> {
        const YEARS: [(&str, i64); 11] = [
            ("大前年", -3),
            ("大后年", 3),
            ("前年", -2),
            ("去年", -1),
            ("上年", -1),
            ("今年", 0),
            ("本年", 0),
            ("当年", 0),
            ("这一年", 0),
            ("明年", 1),
            ("后年", 2),
        ];
        let (word, offset) = YEARS.iter().find(|(word, _)| self.at(p, word))?;
        // 二年前年 does not occur; 三年前 must not be read as 前年.
        let anchor = self.anchor?;
        let year = anchor.year().0 + offset;
        let mut end = p + word.chars().count();
        if self.at(end, "度") {
            end += 1;
        }
        // 去年本月十日, 今年的这个月
        let skip = end + usize::from(self.c(end) == '的');
        if let Some((_, after)) = self.one_of(skip, &["本月", "这个月", "当月"]) {
            let (_, month, _) = anchor.to_gregorian();
            if let Some((d, k, _)) = number(self.chars, after)
                && (1..=31).contains(&d)
                && matches!(self.c(k), '日' | '号')
            {
                let day = DayNumber::from_gregorian(Year(year), month, d as u8)?;
                return Some(Hit::one(p, k + 1, Interval::day(day), Precision::Day));
            }
            let interval = month_of(year, month)?;
            return Some(Hit::one(p, after, interval, Precision::Month));
        }
        self.year_and_rest(p, end, year)
            .or_else(|| self.year_and_rest(p, skip, year))
    }

    fn month_word(&self, p: usize) -> Option<Hit> {
        const MONTHS: [(&str, i64); 13] = [
            ("上上个月", -2),
            ("下下个月", 2),
            ("上个月", -1),
            ("上一个月", -1),
            ("上月", -1),
            ("本月", 0),
            ("这个月", 0),
            ("这月", 0),
            ("当月", 0),
            ("下一个月", 1),
            ("下个月", 1),
            ("下月", 1),
            ("这一个月", 0),
        ];
        let (word, offset) = MONTHS.iter().find(|(word, _)| self.at(p, word))?;
        let (year, month, _) = self.anchor?.to_gregorian();
        let index = year.0 * 12 + i64::from(month) - 1 + offset;
        let (y, m) = (index.div_euclid(12), index.rem_euclid(12) as u8 + 1);
        let mut end = p + word.chars().count();
        if let Some((k, after)) = self.one_of(end, &["上旬", "中旬", "下旬"]) {
            let rest = super::civil::CivilRest {
                month: m,
                day: None,
                third: Some(k as u8),
            };
            let (interval, precision) = ground_rest(y, rest)?;
            return Some(Hit::one(p, after, interval, precision));
        }
        let parts = [("初", Part::Early), ("末", Part::Late), ("底", Part::Late)];
        if let Some((_, part)) = parts.iter().find(|(w, _)| self.at(end, w)) {
            let core = Core::Date {
                y: Some(y),
                m,
                d: None,
            };
            let (interval, precision) = self.civil(core, Some(*part), false)?;
            return Some(Hit::one(p, end + 1, interval, precision));
        }
        end += usize::from(self.c(end) == '的');
        if let Some((d, k, _)) = number(self.chars, end)
            && (1..=31).contains(&d)
            && (matches!(self.c(k), '日' | '号') || self.free_after(k))
        {
            let after = k + usize::from(matches!(self.c(k), '日' | '号'));
            let day = DayNumber::from_gregorian(Year(y), m, d as u8)?;
            let mut hit = Hit::one(p, after, Interval::day(day), Precision::Day);
            hit.context.civil_year = Some(y);
            hit.context.civil_month = Some(m);
            return Some(hit);
        }
        let end = end - usize::from(self.c(end - 1) == '的');
        Some(Hit::one(p, end, month_of(y, m)?, Precision::Month))
    }

    fn week_word(&self, p: usize) -> Option<Hit> {
        let anchor = self.anchor?;
        const STEPS: [(&str, i64); 12] = [
            ("上上", -2),
            ("下下", 2),
            ("上一", -1),
            ("下一", 1),
            ("上个", -1),
            ("下个", 1),
            ("这个", 0),
            ("这一", 0),
            ("上", -1),
            ("下", 1),
            ("本", 0),
            ("这", 0),
        ];
        const WEEKS: [&str; 3] = ["星期", "礼拜", "周"];
        let found = STEPS
            .iter()
            .filter(|(word, _)| self.at(p, word))
            .find_map(|(word, step)| {
                let mut q = p + word.chars().count();
                q += usize::from(self.c(q) == '个');
                self.one_of(q, &WEEKS).map(|(_, end)| (Some(*step), end))
            })
            .or_else(|| self.one_of(p, &WEEKS).map(|(_, end)| (None, end)))?;
        let (step, q) = found;
        let monday = anchor.0 - i64::from(anchor.weekday());
        let weekday = match self.c(q) {
            '一' => Some(0),
            '二' => Some(1),
            '三' => Some(2),
            '四' => Some(3),
            '五' => Some(4),
            '六' => Some(5),
            '日' | '天' => Some(6),
            _ => None,
        };
        // 周末, 周日: 周 alone is a surname and a dynasty too.
        let week = step.unwrap_or(0);
        if self.c(q) == '末' {
            let first = monday + 7 * week + 5;
            let interval = Interval::new(DayNumber(first), DayNumber(first + 1))?;
            return Some(Hit::one(p, q + 1, interval, Precision::Week));
        }
        match (weekday, step) {
            (Some(w), Some(step)) => {
                let day = Interval::day(DayNumber(monday + 7 * step + w));
                Some(Hit::one(p, q + 1, day, Precision::Day))
            }
            (Some(w), None) => {
                let ahead = (w - i64::from(anchor.weekday())).rem_euclid(7);
                let next = anchor.0 + if ahead == 0 { 7 } else { ahead };
                let past = next - if ahead == 0 { 14 } else { 7 };
                let candidates = [next, past]
                    .map(|n| {
                        super::super::expression::Candidate::exact(
                            Interval::day(DayNumber(n)),
                            Precision::Day,
                        )
                    })
                    .to_vec();
                Some(Hit::dated(p, q + 1, candidates))
            }
            (None, Some(step)) => {
                let first = monday + 7 * step;
                let interval = Interval::new(DayNumber(first), DayNumber(first + 6))?;
                Some(Hit::one(p, q, interval, Precision::Week))
            }
            (None, None) => None,
        }
    }

    /// 上世紀, 本世紀, 上世紀九十年代.
    fn long_word(&self, p: usize) -> Option<Hit> {
        let (k, end) = self.one_of(
            p,
            &[
                "上个世纪",
                "上世纪",
                "本世纪",
                "这个世纪",
                "下个世纪",
                "下世纪",
            ],
        )?;
        let step = match k {
            0 | 1 => -1,
            2 | 3 => 0,
            _ => 1,
        };
        let century = self.anchor?.year().0.div_euclid(100) + 1 + step;
        if let Some((d, after, _)) = number(self.chars, end)
            && self.at(after, "年代")
            && d % 10 == 0
            && d < 100
        {
            let core = Core::Decade {
                n: (century - 1) * 100 + d,
                digits: 4,
            };
            let (part, close) = match self.part(after + 2) {
                Some((part, close)) => (Some(part), close),
                None => (None, after + 2),
            };
            let (interval, precision) = self.civil(core, part, false)?;
            return Some(Hit::one(p, close, interval, precision));
        }
        let (part, close) = match self.part(end) {
            Some((part, close)) => (Some(part), close),
            None => (None, end),
        };
        let (interval, precision) = self.civil(Core::Century { n: century }, part, false)?;
        Some(Hit::one(p, close, interval, precision))
    }

    /// A unit of time after a count: its size in days or months, and the position after it.
    pub(crate) fn unit(&self, i: usize) -> Option<(Option<i64>, Option<i64>, Precision, usize)> {
        const UNITS: [(&str, Option<i64>, Option<i64>, Precision); 11] = [
            ("个星期", Some(7), None, Precision::Week),
            ("个礼拜", Some(7), None, Precision::Week),
            ("星期", Some(7), None, Precision::Week),
            ("礼拜", Some(7), None, Precision::Week),
            ("周", Some(7), None, Precision::Week),
            ("天", Some(1), None, Precision::Day),
            ("日", Some(1), None, Precision::Day),
            ("个月", None, Some(1), Precision::Month),
            ("个世纪", None, Some(1200), Precision::Century),
            ("世纪", None, Some(1200), Precision::Century),
            ("年", None, Some(12), Precision::Year),
        ];
        UNITS
            .iter()
            .find(|(word, ..)| self.at(i, word))
            .map(|(word, days, months, precision)| {
                (*days, *months, *precision, i + word.chars().count())
            })
    }

    fn count(&self, i: usize) -> Option<(i64, usize)> {
        if let Some((_, end)) = self.one_of(i, &["几", "数"]) {
            return Some((3, end));
        }
        let (n, end, _) = number(self.chars, i)?;
        (n > 0 && n < 10_000).then_some((n, end))
    }

    fn moved(&self, days: Option<i64>, months: Option<i64>, n: i64) -> Option<DayNumber> {
        let anchor = self.anchor?;
        match (days, months) {
            (Some(d), _) => Some(DayNumber(anchor.0 + d * n)),
            (None, Some(m)) => Some(anchor.plus_months(m * n)),
            (None, None) => None,
        }
    }

    /// 過去三年, 前三個月, 未來兩周, 近十年.
    fn stretch(&self, p: usize) -> Option<Hit> {
        const LEADS: [(&str, i64); 13] = [
            ("后", 1),
            ("过去的", -1),
            ("过去", -1),
            ("最近", -1),
            ("近", -1),
            ("前", -1),
            ("之前", -1),
            ("上", -1),
            ("未来的", 1),
            ("未来", 1),
            ("今后", 1),
            ("下", 1),
            ("接下来", 1),
        ];
        let (word, sign) = LEADS.iter().find(|(word, _)| self.at(p, word))?;
        let (n, q) = self.count(p + word.chars().count())?;
        let (days, months, precision, end) = self.unit(q)?;
        if n >= 1000 && precision == Precision::Year {
            return None;
        }
        let anchor = self.anchor?;
        let interval = if *sign < 0 {
            let first = self.moved(days, months, -n)?;
            Interval::new(first, DayNumber(anchor.0 - 1).max(first))?
        } else {
            let last = self.moved(days, months, n)?;
            Interval::new(DayNumber(anchor.0 + 1).min(last), last)?
        };
        Some(Hit::one(p, end, interval, precision))
    }

    /// 三天前, 兩年後, 十年以前.
    fn ago(&self, p: usize) -> Option<Hit> {
        let (n, q) = self.count(p)?;
        if matches!(self.c(p), '0' | '〇') {
            return None;
        }
        let (days, months, precision, end) = self.unit(q)?;
        let (k, after) = self.one_of(end, &["之前", "以前", "前", "之后", "以后", "后"])?;
        let sign = if k < 3 { -1 } else { 1 };
        // 2008年前 is before a year, not two thousand years ago.
        if precision == Precision::Year && n >= 1000 {
            return None;
        }
        let day = self.moved(days, months, sign * n)?;
        let interval = if precision == Precision::Year && n >= 10 {
            let year = day.year();
            Interval::years(year, year)?
        } else {
            Interval::day(day)
        };
        Some(Hit::one(p, after, interval, precision))
    }
}

fn month_of(year: i64, month: u8) -> Option<Interval> {
    Interval::new(
        DayNumber::from_gregorian(Year(year), month, 1)?,
        DayNumber::from_gregorian(Year(year), month, month_length(year, month))?,
    )
}
