//! Dynasties, sexagenary years, and the parts of the year that come round.

use super::super::calendar::{DayNumber, Year};
use super::super::english::atom::{Core, Part};
use super::super::expression::{Candidate, Kind, Precision};
use super::super::interval::{Interval, YearArc};
use super::super::settings::ChineseMonths;
use super::civil::ground_rest;
use super::doubt::FRAMES;
use super::dynasties::{self, Dynasty};
use super::eras::{LunarDay, Rest};
use super::numbers::{number, sexagenary};
use super::scanner::{Hit, Scanner};

/// How long houses of an age outlived it: 後蜀 and 北漢 the Five Dynasties.
const AFTERMATH_YEARS: i64 = 20;

impl Scanner<'_> {
    /// Reads a dynasty: 清代, 明代中期, 清末, 唐宋, 晚明, 北魏.
    pub(crate) fn dynasty(&self, p: usize) -> Option<Hit> {
        if p > 0 && matches!(self.c(p - 1), '仿' | '摹' | '拟') {
            return None;
        }
        // 平明, 黎明, 北朝鮮
        if self.c(p) == '明'
            && matches!(
                self.c(p.wrapping_sub(1)),
                '平' | '黎' | '天' | '清' | '分' | '聪'
            )
            || (self.at(p, "北朝") && matches!(self.c(p + 2), '鮮' | '鲜'))
        {
            return None;
        }
        // 晚清, 盛唐
        let early = match self.c(p) {
            '晚' => Some(Part::Late),
            '早' | '初' => Some(Part::Early),
            '盛' | '中' => Some(Part::Mid),
            _ => None,
        };
        if let Some(part) = early {
            let (dynasty, end) = self.dynasty_name(p + 1)?;
            let known = match part {
                Part::Late => {
                    matches!(dynasty.name, "清" | "明" | "唐" | "宋" | "元" | "商" | "周")
                }
                Part::Early => matches!(dynasty.name, "清" | "明" | "唐" | "宋" | "商" | "周"),
                _ => dynasty.name == "唐",
            };
            let person = !self.rulers_at(end, dynasty).is_empty();
            if !known || person || dynasty.name.chars().count() > 1 {
                return None;
            }
            let interval = if self.c(p) == '盛' {
                Interval::years(Year(713), Year(765))?
            } else if self.c(p) == '中' {
                Interval::years(Year(766), Year(835))?
            } else {
                self.part_of_dynasty(dynasty.first, dynasty.last, Some(part), ' ')?
            };
            let end = end + self.age_word(end);
            return Some(Hit::one(p, end, interval, Precision::Period));
        }
        if self.within_a_direction(p) {
            return None;
        }
        let (dynasty, end) = self.dynasty_name(p)?;
        let tail = self.dynasty_tail(end);
        if self.after_not_later(p, end, tail.map(|(_, after)| after))
            || self.of_the_word_before(p, end)
        {
            return None;
        }
        if dynasty.name == "民国" || dynasty.name == "中华民国" {
            let (part, after) = tail?;
            let interval = self.part_of_dynasty(dynasty.first, dynasty.last, part, self.c(end))?;
            return Some(Hit::one(p, after, interval, Precision::Period));
        }
        // 五代後周, 南朝梁: a house of the age.
        // 五代後蜀廣政十三年: an era of the age.
        if FRAMES.contains(&dynasty.name)
            && let Some(mut hit) = self.era(end)
            && hit.refusal.is_none()
            && let Some(found) = hit.candidates.iter().position(|c| {
                let year = c.interval.first.day().map_or(i64::MIN, |d| d.year().0);
                (dynasty.first..=dynasty.last + AFTERMATH_YEARS).contains(&year)
            })
        {
            hit.candidates.swap(0, found);
            hit.candidates.truncate(1);
            hit.kind = Kind::Interval;
            hit.start = p;
            return Some(hit);
        }
        if FRAMES.contains(&dynasty.name)
            && let Some((house, after)) = self.dynasty_name(end)
            && house.first >= dynasty.first
            && house.last <= dynasty.last + AFTERMATH_YEARS
        {
            let after = after + self.age_word(after);
            let interval = Interval::years(Year(house.first), Year(house.last))?;
            return Some(Hit::one(p, after, interval, Precision::Period));
        }
        // 唐宋, 明清: two dynasties in a row are the time of both.
        if let Some((second, after)) = self.dynasty_name(end)
            && second.first > dynasty.first
            && (second.first <= dynasty.last + 60 || self.age_word(after) > 0)
            && dynasty.name != "春秋"
        {
            let word = self.age_word(after);
            let part = self.dynasty_tail(after).and_then(|(part, _)| part);
            let single = after == p + 2;
            let plain = word > 0
                || (self.free_after(after) || !self.names_a_thing(after))
                    && (!single || self.pair_has_room(p, after));
            const REGIONS: [&str; 4] = ["吴越", "闽", "蜀", "吴"];
            let regions =
                word == 0 && REGIONS.contains(&dynasty.name) && REGIONS.contains(&second.name);
            if part.is_none() && plain && !regions && !self.free_single(p, dynasty, second, after) {
                let interval = Interval::years(Year(dynasty.first), Year(second.last))?;
                return Some(Hit::one(p, after + word, interval, Precision::Period));
            }
        }
        if let Some((part, after)) = tail {
            let court = part.is_none() && after == p + 2 && self.c(end) == '朝';
            if court && matches!(dynasty.name, "明" | "清") && self.morning_or_court(p) {
                return None;
            }
            let interval = self
                .part_of_dynasty(dynasty.first, dynasty.last, part, self.c(end))
                .filter(|_| part.is_some() || after > end)?;
            return Some(Hit::one(p, after, interval, Precision::Period));
        }
        if self.told_by_since(p, end) {
            let interval = Interval::years(Year(dynasty.first), Year(dynasty.last))?;
            return Some(Hit::one(p, end, interval, Precision::Period));
        }
        let alone = dynasty.alone
            && !self.names_a_thing(end)
            && !self.heads_a_chapter(end)
            && !self.doubtful_name(dynasty.name, p, end);
        let whole = self.free_before(p)
            && self.free_after(end)
            && (self.field || end - p >= 2 || (p == 0 && end == self.chars.len()));
        if !alone && !whole || self.people_or_title(dynasty.name, p, end) {
            return None;
        }
        if dynasty.name == "春秋" && self.spring_and_autumn(p, end) {
            return None;
        }
        // The Zhou of 557 is 後周 in classical prose.
        let northern = Interval::years(Year(557), Year(581))?;
        if dynasty.name == "后周" && !self.field && p > 0 && !self.modern_near(p) {
            let later = Interval::years(Year(dynasty.first), Year(dynasty.last))?;
            let candidates = [later, northern]
                .map(|interval| Candidate::exact(interval, Precision::Period))
                .to_vec();
            return Some(Hit::dated(p, end, candidates));
        }
        Some(Hit::one(
            p,
            end,
            Interval::years(Year(dynasty.first), Year(dynasty.last))?,
            Precision::Period,
        ))
    }

    /// Whether two one-letter names in a row are part of a longer run of text and so no dates.
    fn free_single(&self, p: usize, a: &Dynasty, b: &Dynasty, end: usize) -> bool {
        const KNOWN: [&str; 14] = [
            "唐宋", "宋元", "元明", "明清", "隋唐", "秦汉", "宋辽", "辽金", "金元", "宋金", "汉魏",
            "魏晋", "商周", "汉唐",
        ];
        let pair = format!("{}{}", a.name, b.name);
        let single = pair.chars().count() == 2;
        single && !KNOWN.contains(&pair.as_str()) && !(self.free_before(p) && self.free_after(end))
    }

    fn dynasty_name(&self, p: usize) -> Option<(&'static Dynasty, usize)> {
        dynasties::starting_with(self.c(p))
            .iter()
            .find(|(letters, _)| letters.iter().enumerate().all(|(k, c)| self.c(p + k) == *c))
            .map(|(letters, dynasty)| (*dynasty, p + letters.len()))
    }

    /// Whether the letter after a dynasty makes the name of a book or person of it.
    fn names_a_thing(&self, end: usize) -> bool {
        matches!(
            self.c(end),
            '书' | '志'
                | '策'
                | '史'
                | '记'
                | '典'
                | '律'
                | '演'
                | '会'
                | '诗'
                | '文'
                | '太'
                | '高'
                | '世'
                | '仁'
                | '神'
                | '武'
                | '徽'
                | '哲'
                | '英'
                | '宣'
                | '孝'
                | '庄'
                | '宪'
                | '光'
        ) && !self.free_after(end)
    }

    fn age_word(&self, at: usize) -> usize {
        self.one_of(
            at,
            &[
                "时期", "时代", "之际", "之世", "两代", "两朝", "间", "代", "朝", "时",
            ],
        )
        .map_or(0, |(_, end)| end - at)
    }

    /// 代, 朝, 初, 末年, 代中期 and the like after a dynasty.
    fn dynasty_tail(&self, at: usize) -> Option<(Option<Part>, usize)> {
        // 夏初 and 夏末 are of the summer.
        if self.c(at.wrapping_sub(1)) == '夏'
            && !matches!(self.c(at.wrapping_sub(2)), '西' | '胡')
            && !matches!(self.c(at), '代' | '朝' | '王')
        {
            return None;
        }
        let word = self.one_of(at, &["王朝", "时期", "时代", "代", "朝", "时", "之际"]);
        let i = word.map_or(at, |(_, end)| end);
        let i = i + usize::from(word.is_some() && matches!(self.c(i), '的' | '之'));
        if let Some((part, end)) = self.part(i) {
            let single = end == i + 1;
            let other = single
                && (matches!(self.c(i), '中' | '季') && word.is_none()
                    || self.c(at.wrapping_sub(1)) == '齐' && word.is_none()
                    || matches!(
                        self.c(end),
                        '等' | '级' | '学' | '步' | '衷' | '国' | '心' | '央' | '的'
                    ));
            if !other {
                return Some((Some(part), end));
            }
        }
        let (k, end) = word?;
        // 代 and 朝 begin other words too: 代表, 代替, 朝廷, 朝鲜.
        let other = match k {
            3 => matches!(self.c(end), '宗' | '表' | '替' | '理' | '价' | '言' | '谢'),
            4 => matches!(self.c(end), '廷' | '鲜' | '野' | '阳' | '向' | '着' | '贡'),
            // 苗出齊時, 平明時, 明日周時 are hours and states.
            5 => {
                matches!(
                    self.c(at.wrapping_sub(1)),
                    '周' | '齐' | '明' | '金' | '陈' | '商'
                ) || matches!(self.c(end), '间' | '候' | '常' | '辰')
            }
            _ => false,
        };
        (!other).then_some((None, end))
    }

    /// 甲午年 without an era: one year in each sixty.
    pub(crate) fn sexagenary_year(&self, p: usize) -> Option<Hit> {
        let cycle = sexagenary(self.chars, p)?;
        if !matches!(self.c(p + 2), '年' | '岁') {
            return None;
        }
        let (rest, end) = self.lunar_rest(p + 3);
        let until = self.anchor.map_or(2000, |day| day.year().0);
        let latest = until - (until - 4 - cycle).rem_euclid(60);
        let candidates: Vec<Candidate> = (0..12)
            .filter_map(|k| self.in_lunar_year(latest - 60 * k, rest))
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let mut hit = Hit::dated(p, end, candidates);
        hit.kind = Kind::OneOf;
        Some(hit)
    }

    /// Months, days, solar terms, seasons and festivals without a year.
    pub(crate) fn yearly(&self, p: usize) -> Option<Hit> {
        let before = p.checked_sub(1).map_or('\0', |i| self.c(i));
        if let Some((_, q)) = self.one_of(p, &["农历", "阴历", "旧历"]) {
            let (rest, end) = self.lunar_rest(q);
            rest.month?;
            return self.lunar_yearly(p, end, rest);
        }
        if let Some(hit) = self.solar_term(p) {
            return Some(hit);
        }
        if let Some(hit) = self.festival(p) {
            return Some(hit);
        }
        if let Some((k, end)) = self.one_of(
            p,
            &[
                "春天", "春季", "夏天", "夏季", "秋天", "秋季", "冬天", "冬季",
            ],
        ) {
            let s = (k / 2) as u8;
            let (a, b, _) = super::super::edtf::season_months(s, self.settings.hemisphere);
            let arc = YearArc::between((a, 1), (b, super::super::calendar::month_length(2001, b)));
            let mut hit = Hit::yearly(p, end, arc);
            hit.candidates = self
                .around_anchor(|year| self.civil(Core::Season { y: Some(year), s }, None, false));
            return Some(hit);
        }
        if let Some(hit) = self.season_words(p) {
            return Some(hit);
        }
        if before.is_ascii_digit()
            || number(self.chars, p.saturating_sub(1)).is_some_and(|_| is_numeral(before))
            || matches!(before, '第' | '数' | '几')
        {
            return None;
        }
        let arabic = self.c(p).is_ascii_digit();
        // Since the Republic a month is civil unless it is marked as lunar: 初, 正月, 閏, 廿.
        let modern = self.anchor.is_some_and(|day| day.year().0 >= 1912);
        if (arabic || modern || self.settings.chinese_months == ChineseMonths::Civil)
            && let Some((rest, end)) = self.civil_rest(p)
            && (arabic || !self.marked_lunar(p, end))
        {
            let arc = Self::civil_arc(rest)?;
            let mut hit = Hit::yearly(p, end, arc);
            hit.candidates = self.around_anchor(|year| ground_rest(year, rest));
            hit.context.civil_month = Some(rest.month);
            return Some(hit);
        }
        if let Some(hit) = self.months_in_a_row(p) {
            return Some(hit);
        }
        let (rest, end) = self.lunar_rest(p);
        rest.month?;
        if rest.day.is_none() && self.counts_months(p, end) {
            return None;
        }
        self.lunar_yearly(p, end, rest)
    }

    /// Whether a month and day are written as those of the old calendar are.
    fn marked_lunar(&self, p: usize, end: usize) -> bool {
        (p..end.max(p + 1)).any(|i| matches!(self.c(i), '初' | '正' | '腊' | '闰' | '廿' | '卅'))
            || matches!(self.c(end), '望' | '朔' | '晦')
            || (self.c(end - 1) == '月' && sexagenary(self.chars, end).is_some())
    }

    fn lunar_yearly(&self, p: usize, end: usize, rest: Rest) -> Option<Hit> {
        let month = rest.month?;
        if let Some(anchor) = self.anchor {
            // In the lunar year of the anchor.
            let year = self.tables.main_month_at(anchor.to_julian_day())?.year;
            let candidate = self.in_lunar_year(year, rest)?;
            return Some(Hit::dated(p, end, vec![candidate]));
        }
        let whole = YearArc::lunar_month(month.number());
        let part = |center: f64, length: f64| YearArc {
            center: (whole.center - 14.75 + center)
                .rem_euclid(super::super::interval::YEAR_LENGTH_DAYS),
            length,
        };
        let arc = match rest.day {
            None | Some(LunarDay::Sexagenary(_)) => whole,
            Some(LunarDay::Number(n)) => part(n as f64 - 0.5, 1.0),
            Some(LunarDay::Last) => part(29.0, 1.0),
            Some(LunarDay::Stretch(a, b)) => {
                let b = if b == 0 { 29.5 } else { b as f64 };
                let start = a as f64 - 1.0;
                part((start + b) / 2.0, b - start)
            }
        };
        Some(Hit::yearly(p, end, arc))
    }

    /// The occurrence next after and last before the anchor.
    pub(crate) fn around_anchor(
        &self,
        at: impl Fn(i64) -> Option<(Interval, Precision)>,
    ) -> Vec<Candidate> {
        let Some(anchor) = self.anchor else {
            return Vec::new();
        };
        let year = anchor.year().0;
        let all: Vec<(Interval, Precision)> = (year - 5..=year + 5).filter_map(at).collect();
        let started =
            |one: &(Interval, Precision)| one.0.first.day().is_some_and(|day| day <= anchor);
        let next = all.iter().position(|one| !started(one));
        let past = all.iter().rposition(started);
        [next, past]
            .into_iter()
            .flatten()
            .filter_map(|k| all.get(k))
            .map(|(interval, precision)| Candidate::exact(*interval, *precision))
            .collect()
    }

    fn solar_term(&self, p: usize) -> Option<Hit> {
        /// The terms with the month and day on which they mostly begin.
        ///
        /// Source: the sun's longitude in steps of 15 degrees, in the years around 2000; the day
        /// varies by one or two.
        const TERMS: [(&str, u8, u8, bool); 24] = [
            ("小寒", 1, 5, true),
            ("大寒", 1, 20, true),
            ("立春", 2, 4, false),
            ("雨水", 2, 19, true),
            ("惊蛰", 3, 5, false),
            ("春分", 3, 20, false),
            ("清明", 4, 5, true),
            ("谷雨", 4, 20, false),
            ("立夏", 5, 5, false),
            ("小满", 5, 21, false),
            ("芒种", 6, 5, false),
            ("夏至", 6, 21, false),
            ("小暑", 7, 7, false),
            ("大暑", 7, 22, false),
            ("立秋", 8, 7, false),
            ("处暑", 8, 23, false),
            ("白露", 9, 7, true),
            ("秋分", 9, 23, false),
            ("寒露", 10, 8, true),
            ("霜降", 10, 23, false),
            ("立冬", 11, 7, false),
            ("小雪", 11, 22, true),
            ("大雪", 12, 7, true),
            ("冬至", 12, 21, false),
        ];
        let (word, m, d, common) = TERMS.iter().find(|(word, ..)| self.at(p, word))?;
        let mut end = p + word.chars().count();
        let told = matches!(self.c(end), '节' | '日' | '前' | '后' | '时' | '之');
        // Rain water and big snow are weather too.
        if *common && !told && !(self.free_before(p) && self.free_after(end)) {
            return None;
        }
        if self.at(end, "节气") {
            end += 2;
        } else if matches!(self.c(end), '节' | '日') {
            end += 1;
        }
        // A term lasts until the next.
        let first = DayNumber::civil(2001, *m, *d);
        let (_, m2, d2) = DayNumber(first.0 + 14).to_gregorian();
        let mut hit = Hit::yearly(p, end, YearArc::between((*m, *d), (m2, d2)));
        hit.candidates = self.around_anchor(|year| {
            let day = DayNumber::from_gregorian(Year(year), *m, *d)?;
            Some((Interval::day(day), Precision::Day))
        });
        Some(self.days_from_term(hit, (*m, *d)))
    }

    fn festival(&self, p: usize) -> Option<Hit> {
        enum Day {
            Civil(u8, u8),
            Lunar(u8, i64),
            /// A month, a weekday (0 = Monday) and which of that weekday in the month.
            Weekday(u8, i64, i64),
            Eve,
            /// From one month and day to another.
            Within((u8, u8), (u8, u8)),
        }
        const FESTIVALS: [(&str, Day); 39] = [
            ("女生节", Day::Civil(3, 7)),
            ("光棍节", Day::Civil(11, 11)),
            ("感恩节", Day::Weekday(11, 3, 4)),
            ("母亲节", Day::Weekday(5, 6, 2)),
            ("父亲节", Day::Weekday(6, 6, 3)),
            ("五一", Day::Civil(5, 1)),
            ("元旦", Day::Civil(1, 1)),
            ("情人节", Day::Civil(2, 14)),
            ("妇女节", Day::Civil(3, 8)),
            ("植树节", Day::Civil(3, 12)),
            ("愚人节", Day::Civil(4, 1)),
            ("劳动节", Day::Civil(5, 1)),
            ("青年节", Day::Civil(5, 4)),
            ("儿童节", Day::Civil(6, 1)),
            ("建党节", Day::Civil(7, 1)),
            ("建军节", Day::Civil(8, 1)),
            ("教师节", Day::Civil(9, 10)),
            ("国庆节", Day::Civil(10, 1)),
            ("国庆", Day::Civil(10, 1)),
            ("万圣节", Day::Civil(10, 31)),
            ("平安夜", Day::Civil(12, 24)),
            ("圣诞节", Day::Civil(12, 25)),
            ("圣诞", Day::Civil(12, 25)),
            ("春节", Day::Lunar(1, 1)),
            ("元宵节", Day::Lunar(1, 15)),
            ("元宵", Day::Lunar(1, 15)),
            ("端午节", Day::Lunar(5, 5)),
            ("端午", Day::Lunar(5, 5)),
            ("中秋节", Day::Lunar(8, 15)),
            ("中秋", Day::Lunar(8, 15)),
            ("重阳节", Day::Lunar(9, 9)),
            ("上巳", Day::Lunar(3, 3)),
            ("七夕", Day::Lunar(7, 7)),
            // Counted in days of the sexagenary cycle from a solar term, so within these days.
            ("寒食", Day::Within((4, 2), (4, 5))),
            ("春社", Day::Within((3, 16), (3, 26))),
            ("秋社", Day::Within((9, 18), (9, 28))),
            ("初伏", Day::Within((7, 11), (7, 30))),
            ("末伏", Day::Within((8, 7), (8, 27))),
            ("除夕", Day::Eve),
        ];
        let (word, day) = FESTIVALS.iter().find(|(word, _)| self.at(p, word))?;
        let end = p + word.chars().count();
        match day {
            Day::Civil(m, d) => {
                let mut hit = Hit::yearly(p, end, YearArc::between((*m, *d), (*m, *d)));
                hit.candidates = self.around_anchor(|year| {
                    let day = DayNumber::from_gregorian(Year(year), *m, *d)?;
                    Some((Interval::day(day), Precision::Day))
                });
                Some(hit)
            }
            Day::Weekday(m, w, n) => {
                let mut hit = Hit::yearly(
                    p,
                    end,
                    YearArc::between((*m, 7 * *n as u8 - 6), (*m, 7 * *n as u8)),
                );
                hit.candidates = self.around_anchor(|year| {
                    let first = DayNumber::civil(year, *m, 1);
                    let ahead = (w - i64::from(first.weekday())).rem_euclid(7);
                    let day = DayNumber(first.0 + ahead + 7 * (n - 1));
                    Some((Interval::day(day), Precision::Day))
                });
                Some(hit)
            }
            Day::Within(first, last) => {
                let mut hit = Hit::yearly(p, end, YearArc::between(*first, *last));
                hit.candidates = self.around_anchor(|year| {
                    let (a, b) = (
                        DayNumber::civil(year, first.0, first.1),
                        DayNumber::civil(year, last.0, last.1),
                    );
                    Some((Interval::new(a, b)?, Precision::Week))
                });
                Some(self.days_from_term(hit, *first))
            }
            Day::Lunar(m, d) => {
                let rest = Rest {
                    month: Some(super::eras::LunarMonth {
                        label: *m,
                        leap: false,
                    }),
                    day: Some(LunarDay::Number(*d)),
                    season: None,
                };
                self.lunar_festival(p, end, rest)
            }
            Day::Eve => {
                let rest = Rest {
                    month: Some(super::eras::LunarMonth {
                        label: 12,
                        leap: false,
                    }),
                    day: Some(LunarDay::Last),
                    season: None,
                };
                self.lunar_festival(p, end, rest)
            }
        }
    }

    fn lunar_festival(&self, p: usize, end: usize, rest: Rest) -> Option<Hit> {
        let month = rest.month?;
        let offset = match rest.day {
            Some(LunarDay::Number(n)) => n as f64 - 0.5,
            _ => 29.0,
        };
        let whole = YearArc::lunar_month(month.label);
        let arc = YearArc {
            center: (whole.center - 14.75 + offset)
                .rem_euclid(super::super::interval::YEAR_LENGTH_DAYS),
            length: 1.0,
        };
        let mut hit = Hit::yearly(p, end, arc);
        hit.candidates = self.around_anchor(|year| {
            let one = self.in_lunar_year(year, rest)?;
            Some((one.interval, one.precision))
        });
        Some(hit)
    }
}

fn is_numeral(c: char) -> bool {
    matches!(
        c,
        '一' | '二'
            | '三'
            | '四'
            | '五'
            | '六'
            | '七'
            | '八'
            | '九'
            | '十'
            | '百'
            | '千'
            | '〇'
            | '廿'
    )
}
