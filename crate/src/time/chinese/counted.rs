//! Times counted from a written date: 1850年之前三年, 2008年5月12日之後十天, 1644年三年後.

use super::super::calendar::DayNumber;
use super::super::expression::{Candidate, Precision};
use super::super::interval::Interval;
use super::eras::Rest;
use super::numbers::number;
use super::scanner::{Hit, Scanner};

/// A length of time in days or months.
#[derive(Clone, Copy, Debug)]
struct Length {
    days: i64,
    months: i64,
}

impl Scanner<'_> {
    /// Reads a distance written after a date, as the time at that distance from it.
    pub(crate) fn counted_from(&self, hit: &Hit) -> Option<Hit> {
        const SIDES: [(&str, i64); 6] = [
            ("之前", -1),
            ("以前", -1),
            ("之后", 1),
            ("以后", 1),
            ("前", -1),
            ("后", 1),
        ];
        let side = |at: usize| {
            SIDES
                .iter()
                .find(|(word, _)| self.at(at, word))
                .map(|(word, sign)| (*sign, at + word.chars().count()))
        };
        if hit.candidates.is_empty() || hit.arc.is_some() {
            return None;
        }
        // 1850年前三年 is the first three years of something; 後三年 is three years later.
        let leading = side(hit.end).filter(|(sign, end)| *sign > 0 || *end > hit.end + 1);
        let (length, sign, end) = match leading {
            Some((sign, at)) => {
                let (length, end) = self.length(at)?;
                (length, sign, end)
            }
            None => {
                let at = hit.end + usize::from(self.c(hit.end) == '的');
                let (length, end) = self.length(at)?;
                let (sign, end) = side(end)?;
                (length, sign, end)
            }
        };
        // 之後三年間 is the stretch between.
        let within = self
            .one_of(
                end,
                &["之间", "之内", "之中", "期间", "间", "内", "里", "中"],
            )
            .filter(|_| leading.is_some());
        let candidates: Vec<Candidate> = hit
            .candidates
            .iter()
            .filter_map(|from| {
                let there = self.shifted(from, length, sign)?;
                if within.is_none() {
                    return Some(there);
                }
                let (a, b) = (from.interval, there.interval);
                let between = if sign > 0 {
                    Interval::new(DayNumber(a.last.day()?.0 + 1), b.last.day()?)?
                } else {
                    Interval::new(b.first.day()?, DayNumber(a.first.day()?.0 - 1))?
                };
                Some(Candidate::exact(between, from.precision))
            })
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let end = within.map_or(end, |(_, after)| after);
        let mut out = Hit::dated(hit.start, end, candidates);
        out.role = hit.role;
        Some(out)
    }

    /// 三年, 十個月, 三年零兩個月, 十天.
    fn length(&self, at: usize) -> Option<(Length, usize)> {
        let mut length = Length { days: 0, months: 0 };
        let mut i = at;
        for _ in 0..3 {
            let k = i + usize::from(i > at && matches!(self.c(i), '〇' | '又' | '和'));
            let Some((n, q, _)) = number(self.chars, k) else {
                break;
            };
            let Some((days, months, _, end)) = self.unit(q) else {
                break;
            };
            if !(1..1_000).contains(&n) || matches!(self.c(end), '代' | '级' | '号') {
                break;
            }
            length.days += n * days.unwrap_or(0);
            length.months += n * months.unwrap_or(0);
            i = end;
        }
        (i > at).then_some((length, i))
    }

    fn shifted(&self, from: &Candidate, length: Length, sign: i64) -> Option<Candidate> {
        let (first, last) = (from.interval.first.day()?, from.interval.last.day()?);
        let (_, month, day) = first.to_gregorian();
        let whole_years = length.days == 0 && length.months % 12 == 0;
        if from.precision == Precision::Year && (month, day) != (1, 1) && whole_years {
            // A lunar year is so many lunar years from another.
            let year = self.tables.main_month_at(first.to_julian_day())?.year;
            return self.in_lunar_year(year + sign * length.months / 12, Rest::default());
        }
        if from.precision == Precision::Period {
            return None;
        }
        let at = |day: DayNumber| {
            DayNumber(day.plus_months(sign * length.months).0 + sign * length.days)
        };
        let there = if first == last {
            Interval::day(at(first))
        } else {
            Interval::new(at(first), DayNumber(at(DayNumber(last.0 + 1)).0 - 1))?
        };
        Some(Candidate::exact(there, from.precision))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::super::super::{Lang, Settings, find};

    #[test]
    fn distances_after_a_date_are_counted_from_it() {
        for (text, edtf) in [
            ("1850年之前三年", "1847"),
            ("1850年之後三年", "1853"),
            ("1644年三年後", "1647"),
            ("1644年的三年之后", "1647"),
            ("1850年5月之前三個月", "1850-02"),
            ("2008年5月12日之后十天", "2008-05-22"),
            ("1900年1月31日一个月后", "1900-02-28"),
            ("1850年五个月之后", "1850-06/1851-05"),
            ("19世纪之前两个世纪", "16XX"),
            ("1850年之后两年零三个月", "1852-04/1853-03"),
            ("1850年之后三年间", "1851/1853"),
        ] {
            let found = find(text, &Settings::default(), Lang::Auto, None);
            assert_eq!(found.len(), 1, "{text} {found:?}");
            assert_eq!(found[0].edtf().as_deref(), Some(edtf), "{text}");
            assert_eq!(&text[found[0].range.clone()], text);
        }
        let lunar = |text: &str| find(text, &Settings::default(), Lang::Auto, None)[0].hull();
        assert_eq!(lunar("乾隆四十年之後三年"), lunar("乾隆四十三年"));
        assert_eq!(lunar("洪武三年後二年"), lunar("洪武五年"));
    }

    #[test]
    fn a_side_without_a_distance_leaves_the_date_open() {
        for (text, edtf) in [
            ("1850年之前", "../1849"),
            ("1850年之后", "1851/.."),
            ("1850年前三年", "../1849"),
        ] {
            let found = find(text, &Settings::default(), Lang::Auto, None);
            assert_eq!(found[0].edtf().as_deref(), Some(edtf), "{text}");
        }
    }
}
