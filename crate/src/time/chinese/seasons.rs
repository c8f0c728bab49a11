//! Seasons, months in a row and days counted from a solar term, as farming books write them:
//! 暮春, 夏秋間, 至春, 三四月, 夏至後二十日.

use super::super::interval::{YEAR_LENGTH_DAYS, YearArc};
use super::numbers::number;
use super::scanner::{Hit, Scanner};

/// The days on which the four seasons begin: 立春, 立夏, 立秋 and 立冬.
///
/// Source: the sun's longitude of 315, 45, 135 and 225 degrees, in the years around 2000.
const BEGINNINGS: [(u8, u8); 4] = [(2, 4), (5, 5), (8, 7), (11, 7)];

fn season_at(c: char) -> Option<usize> {
    ['春', '夏', '秋', '冬'].iter().position(|s| *s == c)
}

/// The arc from the beginning of a season through `count` of them.
fn seasons(first: usize, count: usize) -> YearArc {
    let start = YearArc::between(BEGINNINGS[first % 4], BEGINNINGS[first % 4]);
    let next = BEGINNINGS[(first + count) % 4];
    let end = YearArc::between(next, next);
    let from = start.center - 0.5;
    let length = (end.center - 0.5 - from).rem_euclid(YEAR_LENGTH_DAYS);
    YearArc {
        center: (from + length / 2.0).rem_euclid(YEAR_LENGTH_DAYS),
        length,
    }
}

/// One third of an arc, 0 to 2.
fn third(arc: YearArc, index: u8) -> YearArc {
    let length = arc.length / 3.0;
    YearArc {
        center: (arc.center - arc.length / 2.0 + length * (f64::from(index) + 0.5))
            .rem_euclid(YEAR_LENGTH_DAYS),
        length,
    }
}

impl Scanner<'_> {
    /// Reads a season by the words beside it; alone, 春 and the like are left to other words.
    pub(crate) fn season_words(&self, p: usize) -> Option<Hit> {
        // 暮春, 隆冬
        let lead = match self.c(p) {
            '初' | '早' | '新' => Some(Some(0)),
            '晚' | '暮' | '残' | '杪' => Some(Some(2)),
            '盛' | '深' | '隆' | '严' => Some(None),
            _ => None,
        };
        if let Some(part) = lead {
            let s = season_at(self.c(p + 1))?;
            // 晚夏禾, 初秋天: a season; 盛夏侯 and the like are not.
            if matches!(self.c(p + 2), '侯' | '衣' | '官') {
                return None;
            }
            let arc = seasons(s, 1);
            let end = p + 2 + usize::from(matches!(self.c(p + 2), '时' | '月'));
            return Some(Hit::yearly(p, end, part.map_or(arc, |k| third(arc, k))));
        }
        let s = season_at(self.c(p))?;
        // 冬月 is the eleventh month after an era or before a day, and the winter months elsewhere.
        if self.at(p, "冬月") && self.lunar_day(p + 2).is_none() {
            return Some(Hit::yearly(p, p + 2, seasons(s, 1)));
        }
        // 夏五月: a month of the season
        if self.lunar_month(p).is_some() || self.lunar_month(p + 1).is_some() {
            return None;
        }
        let before = p.checked_sub(1).map_or('\0', |i| self.c(i));
        if season_at(before).is_some() {
            return None;
        }
        // 夏秋間, 春夏; not the annals 春秋, and not all four
        if let Some(next) = season_at(self.c(p + 1)) {
            let follows = next == (s + 1) % 4;
            if !follows || season_at(self.c(p + 2)).is_some() {
                return None;
            }
            let end = self
                .one_of(p + 2, &["之交", "之间", "之际", "间", "两季", "时", "月"])
                .map_or(p + 2, |(_, end)| end);
            return Some(Hit::yearly(p, end, seasons(s, 2)));
        }
        let arc = seasons(s, 1);
        let tail = match self.c(p + 1) {
            '初' => Some((Some(0), p + 2)),
            '末' | '暮' | '杪' => Some((Some(2), p + 2)),
            '间' | '时' => Some((None, p + 2)),
            '深' if s > 1 => Some((None, p + 2)),
            // 秋月 is the moon.
            '月' if s < 2 => Some((None, p + 2)),
            '则' => Some((None, p + 1)),
            _ => None,
        };
        if let Some((part, end)) = tail {
            return Some(Hit::yearly(p, end, part.map_or(arc, |k| third(arc, k))));
        }
        let entered = matches!(before, '至' | '入' | '过' | '经' | '迨' | '逮' | '到')
            && !matches!(
                self.c(p + 1),
                '分' | '至' | '侯' | '后' | '禹' | '商' | '周' | '口' | '津' | '县' | '官'
            );
        entered.then(|| Hit::yearly(p, p + 1, arc))
    }

    /// Reads 三四月, 二三月: two months that follow each other.
    pub(crate) fn months_in_a_row(&self, p: usize) -> Option<Hit> {
        let value = |i: usize| {
            let (n, end, _) = number(&self.chars[i..=i.min(self.chars.len() - 1)], 0)?;
            (end == 1).then_some(n)
        };
        let (first, digits) = if self.c(p) == '正' {
            (1, 1)
        } else if self.c(p) == '十' && matches!(self.c(p + 1), '一') {
            (11, 2)
        } else {
            (value(p)?, 1)
        };
        let second = value(p + digits)?;
        let end = p + digits + 1;
        let follows = second == first + 1 || (first == 11 && second == 2);
        if !follows || !(1..=11).contains(&first) || self.c(end) != '月' {
            return None;
        }
        let first = u8::try_from(first).ok()?;
        let a = YearArc::lunar_month(first);
        let arc = YearArc {
            center: (a.center + a.length / 2.0).rem_euclid(YEAR_LENGTH_DAYS),
            length: 2.0 * a.length,
        };
        let end = end + 1 + usize::from(self.c(end + 1) == '间');
        Some(Hit::yearly(p, end, arc))
    }

    /// Carries a solar term to the day that is counted from it: 夏至後二十日, 立夏前三日.
    pub(crate) fn days_from_term(&self, term: Hit, first_day: (u8, u8)) -> Hit {
        let sign = match self.c(term.end) {
            '前' | '先' => -1.0,
            '后' => 1.0,
            _ => return term,
        };
        let Some((n, end, _)) = number(self.chars, term.end + 1) else {
            return term;
        };
        // 後八九十日: eighty to ninety days
        let tens = number(self.chars, term.end + 2).map(|(tens, end, _)| (tens, end));
        let (n, end, length) = match tens {
            Some((last, end)) if n / 10 + 1 == n % 10 && last == 10 * (n % 10) => {
                (last - 5, end, 11.0)
            }
            _ => (n, end, 1.0),
        };
        if !(1..=120).contains(&n) || self.c(end) != '日' || !term.candidates.is_empty() {
            return term;
        }
        let at = YearArc::between(first_day, first_day);
        let mut out = term;
        out.end = end + 1;
        out.arc = Some(YearArc {
            center: (at.center + sign * n as f64).rem_euclid(YEAR_LENGTH_DAYS),
            length,
        });
        out
    }

    /// Whether a month in Chinese numerals is a length of time: 鵝鴨皆一月雛出, 經三月.
    pub(crate) fn counts_months(&self, p: usize, end: usize) -> bool {
        let before = p.checked_sub(1).map_or('\0', |i| self.c(i));
        if matches!(
            before,
            '经' | '逾' | '阅' | '满' | '历' | '越' | '累' | '弥'
        ) {
            return true;
        }
        let alone = self.free_before(p) && self.free_after(end);
        let told = self.field || alone || self.modern_near(p) || self.preposition_before(p);
        !told && end == p + 2 && self.at(p, "一月")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::super::super::{Lang, Settings, find};

    fn found(text: &str) -> Vec<(&str, String)> {
        find(text, &Settings::default(), Lang::Chinese, None)
            .into_iter()
            .map(|e| {
                let said = e.reading(text);
                let said = said.rsplit("every year, ").next().unwrap().to_string();
                (&text[e.range], said)
            })
            .collect()
    }

    #[test]
    fn seasons_are_read_by_the_words_beside_them() {
        for (text, words, said) in [
            ("暮春移栽", "暮春", "about 5 April to 4 May"),
            ("秋末收子", "秋末", "about 7 October to 6 November"),
            ("夏秋間著細穗", "夏秋間", "about 5 May to 6 November"),
            ("隆冬寒厲", "隆冬", "about 7 November to 3 February"),
            ("至春自生", "春", "about 4 February to 4 May"),
            ("冬月以糞覆根", "冬月", "about 7 November to 3 February"),
            ("春月早種", "春月", "about 4 February to 4 May"),
        ] {
            assert_eq!(found(text), [(words, said.to_string())], "{text}");
        }
        for text in ["春秋左傳", "秋月照人", "春夏秋冬", "青春", "夏侯氏"] {
            assert!(found(text).is_empty(), "{text} {:?}", found(text));
        }
    }

    #[test]
    fn two_months_in_a_row_are_one_stretch() {
        assert_eq!(found("三四月種子")[0].0, "三四月");
        assert_eq!(found("宜二三月為上時")[0].0, "二三月");
        assert_eq!(found("十一二月")[0].0, "十一二月");
        assert_eq!(found("救飢正二月採")[0].0, "正二月");
        assert!(found("三五月").iter().all(|f| f.0 != "三五月"));
    }

    #[test]
    fn days_are_counted_from_a_solar_term() {
        assert_eq!(
            found("夏至後二十日漚枲"),
            [("夏至後二十日", String::from("about 11 July"))]
        );
        assert_eq!(found("宜立夏前三日")[0].1, "about 2 May");
        assert_eq!(found("夏至後八九十日")[0].0, "夏至後八九十日");
    }

    #[test]
    fn a_count_of_months_is_no_month() {
        assert!(found("鵝鴨皆一月雛出").is_empty());
        assert!(found("置於中經三月乃出").is_empty());
        assert_eq!(found("一月")[0].0, "一月");
    }
}
