//! Eras: 乾隆四十六年三月, 萬曆丁亥, 洪武中, 大清乾隆年製.

use super::super::calendar::DayNumber;
use super::super::english::atom::Part;
use super::super::english::lexer::is_han;
use super::super::expression::{Candidate, Precision, Role};
use super::super::interval::Interval;
use super::dynasties::{self, Dynasty};
use super::numbers::{Style, number, sexagenary};
use super::scanner::{Context, Hit, Scanner};
use super::tables::{Month, Reign};

/// A month of a lunar year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LunarMonth {
    /// As in [`Month::label`].
    pub label: u8,
    pub leap: bool,
}

impl LunarMonth {
    /// The month among those of a year; 一月 and 臘月 have places of their own in 武周 only.
    fn find(self, months: &[Month]) -> Option<Month> {
        let with = |label: u8| {
            months
                .iter()
                .find(|m| m.label == label && m.leap == self.leap)
                .copied()
        };
        match self.label {
            12 => with(14).or_else(|| with(12)),
            13 => with(13).or_else(|| with(1)),
            label => with(label),
        }
    }

    /// The month's number, 1 to 12.
    pub(crate) fn number(self) -> u8 {
        if self.label == 13 { 1 } else { self.label }
    }
}

/// A day of a lunar month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LunarDay {
    Number(i64),
    /// The last day.
    Last,
    /// A stretch of days, both inclusive; 0 is the last day.
    Stretch(i64, i64),
    /// The day with a position in the sexagenary cycle.
    Sexagenary(i64),
}

/// What is written after the year of an era.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rest {
    pub month: Option<LunarMonth>,
    pub day: Option<LunarDay>,
    /// The first and last month of a season.
    pub season: Option<(u8, u8)>,
}

/// What is said about an era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    Year(i64),
    Cycle(i64),
    Whole(Option<Part>, Option<Role>),
}

fn day(julian_day: i64) -> DayNumber {
    DayNumber::from_julian_day(julian_day)
}

fn days(first: i64, last: i64) -> Option<Interval> {
    Interval::new(day(first), day(last))
}

impl Scanner<'_> {
    /// Reads an era with its year, cycle or part, and the month and day after it.
    pub(crate) fn era(&self, p: usize) -> Option<Hit> {
        // What imitates an era is not of it.
        if p > 0 && matches!(self.c(p - 1), '仿' | '摹' | '拟') {
            return None;
        }
        let mut best: Option<Hit> = None;
        for (letters, dynasty) in dynasties::starting_with(self.c(p)) {
            if !letters.iter().enumerate().all(|(k, c)| self.c(p + k) == *c) {
                continue;
            }
            let mut q = p + letters.len();
            if matches!(self.c(q), '朝' | '代') && !self.at(q, "代代") {
                q += 1;
            }
            best = longer(best, self.era_after(p, q, Some(dynasty)));
            if best.is_none() && letters.len() >= 2 {
                best = self.era_after_person(p, q, dynasty);
            }
            best = longer(best, self.ruler_time(p, q, dynasty));
        }
        longer(best, self.era_after(p, p, None))
    }

    /// 後趙石虎建武四年: a person of two or three letters between the house and the year of its era.
    fn era_after_person(&self, p: usize, q: usize, dynasty: &Dynasty) -> Option<Hit> {
        (2..=3)
            .take_while(|length| {
                let last = self.c(q + length - 1);
                is_han(self.c(q)) && is_han(last) && number(self.chars, q + length - 1).is_none()
            })
            .find_map(|length| {
                self.era_after(p, q + length, Some(dynasty))
                    .filter(|hit| hit.refusal.is_none() && hit.context.era_year.is_some())
            })
    }

    /// The lengths of the names at a position that rulers of a dynasty bear.
    pub(crate) fn rulers_at(&self, q: usize, dynasty: &Dynasty) -> Vec<usize> {
        let Some(rulers) = self.tables.rulers.get(&self.c(q)) else {
            return Vec::new();
        };
        rulers
            .iter()
            .filter(|letters| letters.iter().enumerate().all(|(k, c)| self.c(q + k) == *c))
            .filter(|letters| {
                let ruler: String = letters.iter().collect();
                self.tables.eras.iter().any(|era| {
                    dynasty.houses.contains(&era.dynasty.as_str())
                        && era
                            .emperor
                            .split(['（', '）'])
                            .any(|name| super::fold::fold().text(name) == ruler)
                })
            })
            .map(Vec::len)
            .collect()
    }

    fn era_after(&self, p: usize, q: usize, dynasty: Option<&Dynasty>) -> Option<Hit> {
        let named = |names: &[Vec<char>], at: usize| -> Vec<usize> {
            names
                .iter()
                .filter(|letters| {
                    letters
                        .iter()
                        .enumerate()
                        .all(|(k, c)| self.c(at + k) == *c)
                })
                .map(Vec::len)
                .collect()
        };
        // A ruler may stand between: 唐太宗貞觀元年.
        let mut starts: Vec<(usize, Option<String>)> = vec![(q, None)];
        if let Some(rulers) = self.tables.rulers.get(&self.c(q)) {
            for length in named(rulers, q) {
                let ruler: String = (q..q + length).map(|i| self.c(i)).collect();
                starts.push((q + length, Some(ruler)));
            }
        }
        let mut refusal: Option<Hit> = None;
        for (start, ruler) in starts {
            let Some(names) = self.tables.names.get(&self.c(start)) else {
                continue;
            };
            for length in named(names, start) {
                let name: String = (start..start + length).map(|i| self.c(i)).collect();
                // The Republic counts civil years and is read with them.
                if name == "民国" {
                    continue;
                }
                let Some(all) = self.tables.by_name.get(&name) else {
                    continue;
                };
                let reigns: Vec<usize> = all
                    .iter()
                    .copied()
                    .filter(|at| self.fits(*at, dynasty, ruler.as_deref()))
                    .collect();
                if reigns.is_empty() {
                    continue;
                }
                let prefixed = dynasty.is_some() || ruler.is_some();
                let end = start + length;
                if let Some(hit) = self.era_tail(p, start, end, &name, &reigns, prefixed) {
                    if hit.refusal.is_none() {
                        return Some(hit);
                    }
                    refusal.get_or_insert(hit);
                }
            }
        }
        refusal
    }

    fn fits(&self, at: usize, dynasty: Option<&Dynasty>, ruler: Option<&str>) -> bool {
        let Some(reign) = self.tables.reigns.get(at) else {
            return false;
        };
        let eras = reign.eras.iter().filter_map(|i| self.tables.eras.get(*i));
        let of_house = |era: &super::tables::Era| {
            dynasty.is_none_or(|d| d.houses.contains(&era.dynasty.as_str()))
        };
        let of_ruler = |era: &super::tables::Era| {
            ruler.is_none_or(|r| {
                era.emperor
                    .split(['（', '）'])
                    .any(|name| super::fold::fold().text(name) == r)
            })
        };
        eras.into_iter().any(|era| of_house(era) && of_ruler(era))
    }

    fn era_tail(
        &self,
        p: usize,
        name_start: usize,
        q: usize,
        name: &str,
        reigns: &[usize],
        prefixed: bool,
    ) -> Option<Hit> {
        let (tail, end) = self.tail(p, name_start, q, prefixed)?;
        // Great peace and harmony are states of the world before they are eras.
        const WORDS: [&str; 10] = [
            "太平", "大同", "中兴", "升平", "和平", "永安", "天平", "大德", "正大", "光大",
        ];
        let weak = matches!(tail, Tail::Whole(_, None)) && !self.at(q, "年");
        if weak && !prefixed && WORDS.contains(&name) && !self.free_before(p) {
            return None;
        }
        if weak && !prefixed && self.era_is_a_word(p, q, name, end == q) {
            return None;
        }
        match tail {
            Tail::Whole(part, role) => {
                let mut candidates = Vec::new();
                for at in reigns {
                    if let Some(candidate) = self.whole_reign(*at, part) {
                        candidates.push(candidate);
                    }
                }
                let mut hit = Hit::dated(p, end, candidates);
                hit.role = role;
                hit.context.reign = reigns.first().copied();
                (!hit.candidates.is_empty()).then_some(hit)
            }
            Tail::Year(_) | Tail::Cycle(_) => {
                let end = match tail {
                    Tail::Year(n) => self.past_cycle(end, n, reigns),
                    _ => end,
                };
                let (rest, rest_end) = self.lunar_rest(end);
                self.era_year(p, end, rest, rest_end, name, tail, reigns)
            }
        }
    }

    /// The position after a sexagenary year that repeats the year before it: 五十二年癸巳.
    fn past_cycle(&self, at: usize, year: i64, reigns: &[usize]) -> usize {
        let Some(cycle) = sexagenary(self.chars, at) else {
            return at;
        };
        let same = reigns
            .iter()
            .filter_map(|r| self.tables.reigns.get(*r))
            .any(|reign| (reign.cycle_zero + year).rem_euclid(60) == cycle);
        if !same {
            return at;
        }
        at + 2 + usize::from(matches!(self.c(at + 2), '年' | '岁'))
    }

    /// An era by its name alone, at the end of a range: 嘉靖至萬曆.
    pub(crate) fn bare_era(&self, p: usize) -> Option<Hit> {
        let names = self.tables.names.get(&self.c(p))?;
        let letters = names
            .iter()
            .find(|letters| letters.iter().enumerate().all(|(k, c)| self.c(p + k) == *c))?;
        let name: String = letters.iter().collect();
        let candidates: Vec<Candidate> = self
            .tables
            .by_name
            .get(&name)?
            .iter()
            .filter_map(|at| self.whole_reign(*at, None))
            .collect();
        let mut end = p + letters.len();
        if let Some((_, after)) = self.one_of(end, &["年间", "时期", "间", "朝"]) {
            end = after;
        }
        Some(Hit::dated(p, end, candidates))
    }

    /// The years of a ruler, when a word of time follows the name: 唐太宗時.
    fn ruler_time(&self, p: usize, q: usize, dynasty: &Dynasty) -> Option<Hit> {
        let rulers = self.tables.rulers.get(&self.c(q))?;
        let letters = rulers
            .iter()
            .find(|letters| letters.iter().enumerate().all(|(k, c)| self.c(q + k) == *c))?;
        let ruler: String = letters.iter().collect();
        let end = q + letters.len();
        let (_, after) = self.one_of(end, &["时期", "时", "朝", "年间", "在位", "之世", "之时"])?;
        let eras: Vec<&super::tables::Era> = self
            .tables
            .eras
            .iter()
            .filter(|era| dynasty.houses.contains(&era.dynasty.as_str()))
            .filter(|era| {
                era.emperor
                    .split(['（', '）'])
                    .any(|name| super::fold::fold().text(name) == ruler)
            })
            .collect();
        // Rulers of one name in several houses are told apart by the first house named; one who
        // renamed his house, as 元世祖 did, rules on.
        let house = &eras.first()?.dynasty;
        let own = || eras.iter().filter(|era| era.dynasty == *house);
        let mut first = own().map(|era| era.first).min()?;
        let mut last = own().map(|era| era.last).max()?;
        for era in &eras {
            if (era.first - last).abs() <= 366 && era.last > last {
                last = era.last;
            }
            if (first - era.last).abs() <= 366 && era.first < first {
                first = era.first;
            }
        }
        let mut candidate = Candidate::exact(days(first, last)?, Precision::Period);
        candidate.label = Some(format!(
            "{} {}",
            house.split('/').next()?,
            eras.first()?.emperor
        ));
        Some(Hit::dated(p, after, vec![candidate]))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one written date")]
    fn era_year(
        &self,
        p: usize,
        year_end: usize,
        rest: Rest,
        rest_end: usize,
        name: &str,
        tail: Tail,
        reigns: &[usize],
    ) -> Option<Hit> {
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut context = Context::default();
        let mut why: Option<String> = None;
        for at in reigns {
            let Some(reign) = self.tables.reigns.get(*at) else {
                continue;
            };
            let year = match tail {
                Tail::Year(n) => {
                    if n > reign.years.1
                        && n <= continued_until(name)
                        && let Some(found) = self.after_the_end(reign, n, rest)
                    {
                        candidates.push(found);
                        continue;
                    }
                    if n < reign.years.0 || n > reign.years.1 {
                        let (first, last) = reign.years;
                        let title = self.title(reign);
                        why.get_or_insert_with(|| {
                            if first == 1 {
                                format!("{title} has {last} years, not {n}")
                            } else {
                                format!("{title} counts the years {first} to {last}, not {n}")
                            }
                        });
                        continue;
                    }
                    n
                }
                Tail::Cycle(cycle) => {
                    let found = (reign.years.0..=reign.years.1)
                        .find(|n| (reign.cycle_zero + n).rem_euclid(60) == cycle);
                    match found {
                        Some(n) => n,
                        None => {
                            let title = self.title(reign);
                            why.get_or_insert_with(|| {
                                format!("no year of {title} has this sexagenary name")
                            });
                            continue;
                        }
                    }
                }
                Tail::Whole(..) => return None,
            };
            match self.in_year(reign, year, rest) {
                Ok(found) => {
                    if context.reign.is_none() {
                        context.reign = Some(*at);
                        context.era_year = Some(year);
                    }
                    candidates.extend(found);
                }
                Err(reason) => {
                    why.get_or_insert(reason);
                }
            }
        }
        if candidates.is_empty() {
            // 萬曆甲子 may go on as a day or another word; only a counted year is refused.
            return match tail {
                Tail::Year(_) => Some(Hit::refused(
                    p,
                    rest_end,
                    why.unwrap_or_else(|| format!("{name} has no such year")),
                )),
                _ => None,
            };
        }
        let _ = year_end;
        let mut hit = Hit::dated(p, rest_end, candidates);
        hit.context = context;
        Some(hit)
    }

    /// A year in which an era was still counted after its court had ended.
    fn after_the_end(&self, reign: &Reign, year: i64, rest: Rest) -> Option<Candidate> {
        let row = self.year_rows(reign, reign.years.1).first().copied()?;
        let last = self.tables.main_month_at(row.first)?.year;
        let mut candidate = self.in_lunar_year(last + year - reign.years.1, rest)?;
        candidate.label = self.label(reign);
        Some(candidate)
    }

    /// The name of a reign for a reader, such as "清 乾隆".
    pub(crate) fn label(&self, reign: &Reign) -> Option<String> {
        let era = self.tables.eras.get(*reign.eras.first()?)?;
        let house = era.dynasty.split('/').next()?;
        Some(format!("{house} {}", era.title))
    }

    fn title(&self, reign: &Reign) -> String {
        self.label(reign).unwrap_or_default()
    }

    /// Reads what is said of an era after its name.
    fn tail(&self, p: usize, name_start: usize, q: usize, prefixed: bool) -> Option<(Tail, usize)> {
        if self.at(q, "元年") || self.at(q, "元载") || self.at(q, "元祀") {
            return Some((Tail::Year(1), q + 2));
        }
        if let Some((n, end, style)) = number(self.chars, q) {
            let fits = match style {
                Style::Counting => true,
                Style::Digits(count) | Style::Arabic(count) => count <= 2,
            };
            if fits && matches!(self.c(end), '年' | '载' | '祀') && !self.at(end, "年代") {
                return Some((Tail::Year(n), end + 1));
            }
        }
        // 道光歲次辛丑, 乾隆歲在丙申
        let told = self
            .one_of(q, &["岁次", "岁在", "岁"])
            .map(|(_, end)| end)
            .filter(|end| sexagenary(self.chars, *end).is_some());
        let q = told.unwrap_or(q);
        if let Some(cycle) = sexagenary(self.chars, q) {
            let end = q + 2;
            // 甲子日 and 甲子朔 are days.
            if !matches!(self.c(end), '日' | '朔' | '晦') {
                let end = end + usize::from(matches!(self.c(end), '年' | '岁'));
                return Some((Tail::Cycle(cycle), end));
            }
        }
        const MADE: [&str; 7] = ["年御制", "年制", "年造", "御制", "年敬造", "年铸", "年款"];
        if let Some((k, end)) = self.one_of(q, &MADE) {
            // 年款 is a mark, which does not date the piece by itself.
            let role = (k < 6).then_some(Role::Created);
            return Some((Tail::Whole(None, role), end));
        }
        const SPAN: [&str; 7] = ["年间", "年中", "时期", "年号", "在位", "间", "朝"];
        if let Some((k, end)) = self.one_of(q, &SPAN) {
            if k == 3 {
                return None;
            }
            let part = if k <= 2 { self.reign_part(end) } else { None };
            return Some(match part {
                Some((part, after)) => (Tail::Whole(Some(part), None), after),
                None => (Tail::Whole(None, None), end),
            });
        }
        if self.c(q) == '中' {
            let word = matches!(
                self.c(q + 1),
                '学' | '心'
                    | '国'
                    | '央'
                    | '兴'
                    | '统'
                    | '医'
                    | '华'
                    | '书'
                    | '元'
                    | '外'
                    | '和'
                    | '大'
                    | '原'
                    | '区'
            );
            // 至大中二年 is the second year of 大中.
            let counted = number(self.chars, q + 1)
                .is_some_and(|(_, end, _)| matches!(self.c(end), '年' | '载'));
            let word = word || counted;
            if self.at(q, "中期") || self.at(q, "中叶") {
                return Some((Tail::Whole(Some(Part::Mid), None), q + 2));
            }
            return (!word).then_some((Tail::Whole(None, None), q + 1));
        }
        if self.c(q) == '时' && !matches!(self.c(q + 1), '报' | '间' | '辰' | '光') {
            return Some((Tail::Whole(None, None), q + 1));
        }
        if let Some((part, end)) = self.reign_part(q) {
            return Some((Tail::Whole(Some(part), None), end));
        }
        // A bare era is a date after its dynasty or standing alone.
        let bare = self.free_after(q)
            || matches!(
                self.c(q),
                '至' | '到'
                    | '款'
                    | '本'
                    | '刻'
                    | '刊'
                    | '窑'
                    | '青'
                    | '五'
                    | '粉'
                    | '官'
                    | '年'
                    | '瓷'
                    | '皇'
            );
        if prefixed && bare && p < name_start {
            return Some((Tail::Whole(None, None), q));
        }
        (self.free_before(p) && self.free_after(q) && q - name_start >= 2)
            .then_some((Tail::Whole(None, None), q))
    }

    fn reign_part(&self, q: usize) -> Option<(Part, usize)> {
        let (part, end) = self.part(q)?;
        let single = end == q + 1;
        let word = single
            && matches!(
                self.c(end),
                '等' | '级'
                    | '中'
                    | '学'
                    | '步'
                    | '衷'
                    | '日'
                    | '月'
                    | '一'
                    | '二'
                    | '三'
                    | '十'
                    | '四'
                    | '五'
                    | '六'
                    | '七'
                    | '八'
                    | '九'
            );
        let vague = single && matches!(self.c(q), '中' | '季');
        (!word && !vague).then_some((part, end))
    }

    /// A whole reign, from the start of its first month, or a part of it.
    fn whole_reign(&self, at: usize, part: Option<Part>) -> Option<Candidate> {
        let reign = self.tables.reigns.get(at)?;
        let (first, last) = (self.reign_start(reign)?, reign.last);
        let length = last - first + 1;
        let third = (length / 3).max(1);
        let (a, b) = match part {
            None => (first, last),
            Some(Part::Early) => (first, first + third - 1),
            Some(Part::Mid) => (first + third, last - third),
            Some(Part::Late) => (last - third + 1, last),
            Some(Part::Fraction(1, 2)) => (first, first + length / 2 - 1),
            Some(Part::Fraction(2, 2)) => (first + length / 2, last),
            Some(_) => return None,
        };
        let mut candidate = Candidate::exact(days(a, b.max(a))?, Precision::Period);
        candidate.label = self.label(reign);
        Some(candidate)
    }

    /// The first day of a reign, or of its first lunar year when it began in the first month.
    fn reign_start(&self, reign: &Reign) -> Option<i64> {
        let era = self.tables.eras.get(*reign.eras.first()?)?;
        let first = era.months.first()?;
        Some(if first.label == 1 && !first.leap {
            first.nominal
        } else {
            reign.first
        })
    }

    /// The rows of a reign's year, in order.
    fn year_rows(&self, reign: &Reign, year: i64) -> Vec<Month> {
        reign
            .eras
            .iter()
            .filter_map(|i| self.tables.eras.get(*i))
            .flat_map(|era| era.months.iter().copied())
            .filter(|m| m.year == year)
            .collect()
    }

    /// Grounds a year of a reign with its month and day; the error says why it cannot be.
    pub(crate) fn in_year(
        &self,
        reign: &Reign,
        year: i64,
        rest: Rest,
    ) -> Result<Vec<Candidate>, String> {
        let rows = self.year_rows(reign, year);
        let (Some(first_row), Some(last_row)) = (rows.first().copied(), rows.last().copied())
        else {
            return Err(format!("{} has no year {year}", self.title(reign)));
        };
        let label = self.label(reign);
        let make = |first: i64, last: i64, precision: Precision| -> Option<Candidate> {
            let mut candidate = Candidate::exact(days(first, last)?, precision);
            candidate.label.clone_from(&label);
            Some(candidate)
        };
        // The lunar year as a whole, for months before the era began and after it ended.
        let middle = (first_row.first + last_row.last) / 2;
        let main_year = self.tables.main_month_at(middle).map(|m| m.year);
        let whole: &[Month] = main_year.map_or(&[], |y| self.tables.main_year(y));
        let impossible = || format!("{} {year}: no such day", self.title(reign));
        if let Some(month) = rest.month {
            let row = month.find(&rows);
            let full = month.find(whole);
            // A month that the era covers in part is shown whole, as the calendar has it.
            let uncut = |m: Month| m.first == m.nominal && m.last - m.first >= 28;
            let found = match (row, full) {
                (Some(row), _) if uncut(row) => row,
                (Some(row), Some(full)) if full.nominal == row.nominal => full,
                (Some(row), _) => Month {
                    first: row.nominal,
                    ..row
                },
                (None, Some(full)) => full,
                (None, None) => {
                    let leap = if month.leap { "leap " } else { "" };
                    return Err(format!(
                        "{} year {year} has no {leap}month {}",
                        self.title(reign),
                        month.number()
                    ));
                }
            };
            let (first, last, precision) = match rest.day {
                None => (found.first, found.last, Precision::Month),
                Some(day) => {
                    let (a, b) = within(found, day).ok_or_else(|| {
                        format!(
                            "{} year {year} month {}: the month has {} days and not this one",
                            self.title(reign),
                            month.number(),
                            found.last - found.nominal + 1
                        )
                    })?;
                    let precision = if a == b {
                        Precision::Day
                    } else {
                        Precision::Week
                    };
                    (a, b, precision)
                }
            };
            return Ok(make(first, last, precision).into_iter().collect());
        }
        if let Some((a, b)) = rest.season {
            let in_season = |m: &&Month| (a..=b).contains(&m.label);
            let source: Vec<Month> = if whole.is_empty() {
                rows
            } else {
                whole.to_vec()
            };
            let first = source.iter().find(in_season).ok_or_else(impossible)?;
            let last = source.iter().rev().find(in_season).ok_or_else(impossible)?;
            return Ok(make(first.first, last.last, Precision::Season)
                .into_iter()
                .collect());
        }
        // The year: from its first month on, and to its end though the era stopped within it.
        let starts_year = first_row.label == 1 && !first_row.leap;
        let first = if starts_year {
            first_row.nominal
        } else {
            first_row.first
        };
        let year_end = whole.last().map(|m| m.last);
        let cut_short = year == reign.years.1 && last_row.last == reign.last;
        let last = match year_end {
            Some(end) if cut_short && end > last_row.last && end - last_row.last < 385 => end,
            _ => last_row.last,
        };
        let mut out: Vec<Candidate> = make(first, last, Precision::Year).into_iter().collect();
        // The stretches that each ruler's table gives are narrower readings of the same year.
        for era in reign.eras.iter().filter_map(|i| self.tables.eras.get(*i)) {
            let mut in_era = era.months.iter().filter(|m| m.year == year);
            if let Some(a) = in_era.next() {
                let b = in_era.next_back().unwrap_or(a);
                let narrower = make(a.first, b.last, Precision::Year);
                if let Some(narrower) = narrower
                    && out.iter().all(|c| c.interval != narrower.interval)
                {
                    out.push(narrower);
                }
            }
        }
        Ok(out)
    }

    /// Reads the season, month and day after a year; the position is unchanged when there is none.
    pub(crate) fn lunar_rest(&self, at: usize) -> (Rest, usize) {
        let mut rest = Rest::default();
        let mut i = at;
        // 夏四月, 秋，七月
        const SEASONS: [(&str, (u8, u8)); 8] = [
            ("春季", (1, 3)),
            ("夏季", (4, 6)),
            ("秋季", (7, 9)),
            ("冬季", (10, 12)),
            ("春", (1, 3)),
            ("夏", (4, 6)),
            ("秋", (7, 9)),
            ("冬", (10, 12)),
        ];
        // 甲戌除夕, 元年端午
        const FEASTS: [(&str, u8, i64); 7] = [
            ("除夕", 12, 0),
            ("元旦", 1, 1),
            ("上元", 1, 15),
            ("元宵", 1, 15),
            ("端午", 5, 5),
            ("中秋", 8, 15),
            ("重阳", 9, 9),
        ];
        if let Some((word, label, day)) = FEASTS.iter().find(|(word, ..)| self.at(i, word)) {
            rest.month = Some(LunarMonth {
                label: *label,
                leap: false,
            });
            rest.day = Some(if *day == 0 {
                LunarDay::Last
            } else {
                LunarDay::Number(*day)
            });
            let mut end = i + word.chars().count();
            end += usize::from(matches!(self.c(end), '节' | '日'));
            return (rest, end);
        }
        let eleventh = self.at(i, "冬月");
        let season = SEASONS
            .iter()
            .find(|(word, _)| self.at(i, word) && !eleventh);
        if let Some((word, months)) = season {
            // 春王正月
            let after = i + word.chars().count();
            let royal = after + usize::from(self.at(after, "王") && self.c(after + 1) != '者');
            let after = if self.lunar_month(royal).is_some() {
                royal
            } else {
                after
            };
            if let Some((month, end)) = self.lunar_month(after) {
                rest.month = Some(month);
                i = end;
            } else {
                rest.season = Some(*months);
                return (rest, after);
            }
        } else if let Some((month, end)) = self.lunar_month(i) {
            rest.month = Some(month);
            i = end;
        } else {
            return (rest, at);
        }
        if let Some((day, end)) = self.lunar_day(i) {
            rest.day = Some(day);
            i = end;
            // 十九日丁未: the cycle day repeats the number.
            if matches!(day, LunarDay::Number(_)) && sexagenary(self.chars, i).is_some() {
                i += 2;
            }
        }
        (rest, i)
    }

    /// Reads the name of a lunar month: 閏八月, 正月, 臘月, 季秋.
    pub(crate) fn lunar_month(&self, i: usize) -> Option<(LunarMonth, usize)> {
        let plain = |label: u8, end: usize| Some((LunarMonth { label, leap: false }, end));
        const NAMED: [(&str, u8); 19] = [
            ("孟春", 1),
            ("仲春", 2),
            ("季春", 3),
            ("孟夏", 4),
            ("仲夏", 5),
            ("季夏", 6),
            ("孟秋", 7),
            ("仲秋", 8),
            ("季秋", 9),
            ("孟冬", 10),
            ("仲冬", 11),
            ("季冬", 12),
            ("正月", 1),
            ("元月", 1),
            ("腊月", 12),
            ("冬月", 11),
            ("杏月", 2),
            ("桂月", 8),
            ("菊月", 9),
        ];
        if let Some((word, label)) = NAMED.iter().find(|(word, _)| self.at(i, word)) {
            let mut end = i + word.chars().count();
            // 季秋之月, 孟春月
            if self.at(end, "之月") {
                end += 2;
            } else if self.c(end) == '月' {
                end += 1;
            }
            return plain(*label, end);
        }
        let leap = self.c(i) == '闰' || (self.c(i) == '后' && self.at(i, "后九月"));
        let start = i + usize::from(leap);
        if leap && self.at(start, "正月") {
            return Some((LunarMonth { label: 1, leap }, start + 2));
        }
        let (n, end, style) = number(self.chars, start)?;
        if self.c(end) != '月' || !(1..=12).contains(&n) {
            return None;
        }
        if matches!(style, Style::Digits(2..)) {
            return None;
        }
        // 武周 had a 一月 beside its 正月.
        let label = if n == 1 && self.c(start) == '一' {
            13
        } else {
            n as u8
        };
        Some((LunarMonth { label, leap }, end + 1))
    }

    /// Reads a day of a lunar month: 初十, 十三日, 望日, 朔, 晦, 上旬, 甲子.
    pub(crate) fn lunar_day(&self, i: usize) -> Option<(LunarDay, usize)> {
        const NAMED: [(&str, LunarDay); 14] = [
            ("既望", LunarDay::Number(16)),
            ("望日", LunarDay::Number(15)),
            ("朔日", LunarDay::Number(1)),
            ("晦日", LunarDay::Last),
            ("望", LunarDay::Number(15)),
            ("朔", LunarDay::Number(1)),
            ("晦", LunarDay::Last),
            ("上旬", LunarDay::Stretch(1, 10)),
            ("中旬", LunarDay::Stretch(11, 20)),
            ("下旬", LunarDay::Stretch(21, 0)),
            ("上浣", LunarDay::Stretch(1, 10)),
            ("中浣", LunarDay::Stretch(11, 20)),
            ("下浣", LunarDay::Stretch(21, 0)),
            ("吉日", LunarDay::Stretch(1, 0)),
        ];
        if let Some((word, day)) = NAMED.iter().find(|(word, _)| self.at(i, word)) {
            return Some((*day, i + word.chars().count()));
        }
        // 八月半, 正月旦, 四月初, 七月末
        let numeral_follows = number(self.chars, i + 1).is_some();
        let part = match self.c(i) {
            '半' if !matches!(self.c(i + 1), '年' | '个' | '月' | '日' | '天') => {
                Some(LunarDay::Number(15))
            }
            '旦' if self.c(i + 1) != '夕' => Some(LunarDay::Number(1)),
            '初' if !numeral_follows => Some(LunarDay::Stretch(1, 10)),
            '末' | '杪' => Some(LunarDay::Stretch(21, 0)),
            _ => None,
        };
        if let Some(day) = part {
            return Some((day, i + 1));
        }
        if let Some(cycle) = sexagenary(self.chars, i) {
            let mut end = i + 2;
            if self.c(end) == '日' {
                end += 1;
            }
            if matches!(self.c(end), '朔') {
                return Some((LunarDay::Number(1), end + 1));
            }
            return Some((LunarDay::Sexagenary(cycle), end));
        }
        let first = usize::from(self.c(i) == '初');
        let (n, end, style) = number(self.chars, i + first)?;
        // 三十一日 is read as the day of a lunar month, so that it can be refused.
        if !(1..=31).contains(&n) || matches!(style, Style::Digits(2..)) {
            return None;
        }
        if first == 1 {
            let end = end + usize::from(self.c(end) == '日');
            return (n <= 10).then_some((LunarDay::Number(n), end));
        }
        if matches!(self.c(end), '日' | '号') {
            return Some((LunarDay::Number(n), end + 1));
        }
        // 八月十五 without 日: two characters of a day, and no measure after them.
        let two = end - i >= 2 && n > 10 && self.c(end) != '月';
        (two && self.free_after(end) && style == Style::Counting)
            .then_some((LunarDay::Number(n), end))
    }

    /// Grounds the rest of a date in a lunar year of the main calendar.
    pub(crate) fn in_lunar_year(&self, year: i64, rest: Rest) -> Option<Candidate> {
        let months = self.tables.main_year(year);
        if let Some(month) = rest.month {
            let found = month.find(months)?;
            let (a, b, precision) = match rest.day {
                None => (found.first, found.last, Precision::Month),
                Some(day) => {
                    let (a, b) = within(found, day)?;
                    let precision = if a == b {
                        Precision::Day
                    } else {
                        Precision::Week
                    };
                    (a, b, precision)
                }
            };
            return Some(Candidate::exact(days(a, b)?, precision));
        }
        Some(Candidate::exact(
            days(months.first()?.first, months.last()?.last)?,
            Precision::Year,
        ))
    }

    /// Reads years or months that go on in the era of the date before: 乾隆四十年至四十五年.
    pub(crate) fn continued(&self, i: usize, context: Context) -> Option<Hit> {
        let reign = self.tables.reigns.get(context.reign?)?;
        if let Some((n, end, style)) = number(self.chars, i)
            && self.c(end) == '年'
            && !matches!(style, Style::Arabic(3..) | Style::Digits(3..))
        {
            let (rest, rest_end) = self.lunar_rest(end + 1);
            let found = self.in_year(reign, n, rest).ok()?;
            let mut hit = Hit::dated(i, rest_end, found);
            hit.context = Context {
                era_year: Some(n),
                ..context
            };
            return Some(hit);
        }
        let (rest, end) = self.lunar_rest(i);
        rest.month?;
        let found = self.in_year(reign, context.era_year?, rest).ok()?;
        let mut hit = Hit::dated(i, end, found);
        hit.context = context;
        Some(hit)
    }
}

/// The last year in which an era was counted by others than its court.
///
/// Source: the house of Zheng in Taiwan counted 永曆 to its 37th year, 1683.
fn continued_until(name: &str) -> i64 {
    match name {
        "永历" => 37,
        _ => 0,
    }
}

/// The reading that goes further; the first when both end together.
fn longer(a: Option<Hit>, b: Option<Hit>) -> Option<Hit> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let better = (b.refusal.is_none() && a.refusal.is_some())
                || (b.end > a.end && b.refusal.is_some() == a.refusal.is_some());
            Some(if better { b } else { a })
        }
        (a, b) => a.or(b),
    }
}

/// The Julian Day Numbers of a day or stretch of a month; `None` when the month has no such day.
fn within(month: Month, day: LunarDay) -> Option<(i64, i64)> {
    let length = month.last - month.nominal + 1;
    match day {
        LunarDay::Number(n) if n <= length => {
            let at = month.nominal + n - 1;
            Some((at, at))
        }
        LunarDay::Number(_) => None,
        LunarDay::Last => Some((month.last, month.last)),
        LunarDay::Stretch(a, b) => {
            let end = if b == 0 { length } else { b.min(length) };
            (a <= end).then_some((month.nominal + a - 1, month.nominal + end - 1))
        }
        LunarDay::Sexagenary(cycle) => {
            let first = (month.nominal - 11).rem_euclid(60);
            let offset = (cycle - first).rem_euclid(60);
            (offset < length).then_some((month.nominal + offset, month.nominal + offset))
        }
    }
}
