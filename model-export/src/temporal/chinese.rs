//! Chinese words for stretches of days.

use almanac::time::{DayNumber, Interval, Lang, Settings, find};

use super::Chance;
use super::english::between;
use super::target::{Grain, Target, Third};
use super::voice::{Phrase, Phrases, Split};

/// Eras in simplified characters, the civil year that holds most of their first year, and how many
/// years they counted.
///
/// Source: the tables of `almanac::time`, which each date is grounded with.
pub(super) const ERAS: [(&str, i64, i64); 26] = [
    ("贞观", 627, 23),
    ("开元", 713, 29),
    ("元和", 806, 15),
    ("熙宁", 1068, 10),
    ("政和", 1111, 8),
    ("绍兴", 1131, 32),
    ("淳熙", 1174, 16),
    ("洪武", 1368, 31),
    ("永乐", 1403, 22),
    ("宣德", 1426, 10),
    ("成化", 1465, 23),
    ("弘治", 1488, 18),
    ("正德", 1506, 16),
    ("嘉靖", 1522, 45),
    ("隆庆", 1567, 6),
    ("万历", 1573, 48),
    ("崇祯", 1628, 17),
    ("顺治", 1644, 18),
    ("康熙", 1662, 61),
    ("雍正", 1723, 13),
    ("乾隆", 1736, 60),
    ("嘉庆", 1796, 25),
    ("道光", 1821, 30),
    ("咸丰", 1851, 11),
    ("同治", 1862, 13),
    ("光绪", 1875, 34),
];
const DIGITS: [&str; 10] = ["〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// Draws a year or lunar month of an era; `None` where the time module knows no such date.
pub(super) fn draw_era(chance: &mut Chance) -> Option<Target> {
    let place = chance.below(ERAS.len());
    let (_, _, count) = ERAS[place];
    let year = 1 + chance.below(count as usize) as i64;
    let grain = if chance.below(3) == 0 {
        Grain::EraMonth(place, year, 1 + chance.below(12) as u8)
    } else {
        Grain::EraYear(place, year)
    };
    ground(grain)
}

fn ground(grain: Grain) -> Option<Target> {
    let text = era_words(grain)?;
    let found = find(&text, &Settings::default(), Lang::Chinese, None);
    let first_year = match grain {
        Grain::EraYear(place, year) | Grain::EraMonth(place, year, _) => ERAS[place].1 + year - 1,
        _ => return None,
    };
    let days = |interval: Interval| Some((interval.first.day()?, interval.last.day()?));
    // An era's name may have been used twice: the reading of the year meant here is taken.
    found.first()?.candidates.iter().find_map(|candidate| {
        let (first, last) = days(candidate.interval)?;
        (first.year().0 - first_year)
            .abs()
            .le(&1)
            .then_some(Target { grain, first, last })
    })
}

fn era_words(grain: Grain) -> Option<String> {
    let first = |year: i64| {
        if year == 1 {
            "元".to_owned()
        } else {
            numeral(year)
        }
    };
    Some(match grain {
        Grain::EraYear(place, year) => format!("{}{}年", ERAS[place].0, first(year)),
        Grain::EraMonth(place, year, month) => {
            let month = if month == 1 {
                "正".to_owned()
            } else {
                numeral(month.into())
            };
            format!("{}{}年{month}月", ERAS[place].0, first(year))
        }
        _ => return None,
    })
}

/// Gives all absolute ways to say a stretch; none where there are no plain words for it.
pub(super) fn absolute(target: &Target, chance: &mut Chance) -> Vec<Phrase> {
    let mut out = Phrases::default();
    let (a, b) = (target.first.year().0, target.last.year().0);
    let (_, month, day) = written(target.first);
    match target.grain {
        Grain::Day => {
            let year = plain(written(target.first).0);
            out.train("day", "", format!("{year}{month}月{day}日"));
            out.train("day", "", format!("{year}{month}月{day}号"));
            out.train("day", "", format!("{year} {month} 月 {day} 日"));
            out.train(
                "day",
                "",
                format!("{year}{}月{day}日", numeral(month.into())),
            );
            out.held(
                "day",
                "",
                format!("{year}{}月{}日", numeral(month.into()), numeral(day.into())),
            );
        }
        Grain::Month => {
            let (_, month, _) = target.first.to_gregorian();
            out.train("month", "", format!("{}{month}月", plain(a)));
            out.train("month", "", format!("{}{month}月间", plain(a)));
            out.train("month", "", format!("{}{month}月份", plain(a)));
            out.held(
                "month",
                "",
                format!("{}{}月", plain(a), numeral(month.into())),
            );
        }
        Grain::Season(season) => {
            let name = ["春", "夏", "秋", "冬"][usize::from(season % 4)];
            out.train("season", "", format!("{}{name}", plain(a)));
            out.train("season", "", format!("{}的{name}天", plain(a)));
            out.train("season", "", format!("{}{name}日", plain(a)));
            out.held("season", "", format!("{}{name}季", plain(a)));
        }
        Grain::Year => {
            out.train("year", "", plain(a));
            out.train("year", "", plain(a));
            if a >= 1_000 {
                out.train("year", "", format!("公元{a}年"));
                let digits: String = a
                    .to_string()
                    .bytes()
                    .map(|d| DIGITS[usize::from(d - b'0')])
                    .collect();
                out.train("year", "", format!("西元{a}年"));
                out.train("year", "", format!("{a}年间"));
                out.train("year", "", format!("{a} 年"));
                out.train("year", "", format!("{digits}年间"));
                out.held("year", "", format!("{digits}年"));
            }
        }
        Grain::Years => {
            out.train("years", "", format!("{}至{}", plain(a), plain(b)));
            out.train("years", "", format!("从{}到{}", plain(a), plain(b)));
            out.train("years", "", format!("{}—{}", plain(a), plain(b)));
            out.train("years", "", format!("自{}起至{}止", plain(a), plain(b)));
            out.train("years", "", format!("{}到{}之间", plain(a), plain(b)));
            out.train("years", "", format!("{}开始，{}结束", plain(a), plain(b)));
            out.held("years", "", format!("始于{}，终于{}", plain(a), plain(b)));
        }
        Grain::Days => {
            let day = |d: DayNumber| {
                let (year, month, day) = written(d);
                format!("{}{month}月{day}日", plain(year))
            };
            out.train(
                "days",
                "",
                format!("{}至{}", day(target.first), day(target.last)),
            );
        }
        Grain::Circa => {
            out.train("circa", "", format!("约{}", plain(a + 5)));
            out.train("circa", "", format!("大约{}", plain(a + 5)));
            out.train("circa", "", format!("约在{}", plain(a + 5)));
            out.train("circa", "", format!("{}左右", plain(a + 5)));
            out.train("circa", "", format!("大概{}", plain(a + 5)));
            out.train("circa", "", format!("{}上下", plain(a + 5)));
            out.train("circa", "", format!("{}光景", plain(a + 5)));
            out.train("circa", "", format!("{}许", plain(a + 5)));
            out.held("circa", "", format!("{}前后", plain(a + 5)));
        }
        Grain::Decade if a >= 1_000 && a % 100 >= 10 => {
            out.train("decade", "", format!("{a}年代"));
            out.train("decade", "", format!("{a}年代里"));
            out.train("decade", "", format!("公元{a}年代"));
            let century = numeral(a / 100 + 1);
            out.train(
                "decade",
                "",
                format!("{century}世纪{}年代", numeral(a % 100)),
            );
            out.held("decade", "", format!("{}世纪{}年代", a / 100 + 1, a % 100));
        }
        Grain::Century | Grain::CenturyPart(_) | Grain::CenturyHalf(_) => {
            let (n, era) = if a > 0 {
                (a / 100 + 1, "")
            } else {
                (-a / 100 + 1, "公元前")
            };
            let at = chance.below(4);
            let part = match target.grain {
                Grain::CenturyPart(Third::Early) => ["初", "初期", "早期", "初年"][at],
                Grain::CenturyPart(Third::Mid) => ["中叶", "中期", "中叶", "中"][at],
                Grain::CenturyPart(Third::Late) => ["末", "末期", "晚期", "后期"][at],
                Grain::CenturyHalf(0) => ["上半叶", "前半", "前半叶", "前半期"][at],
                Grain::CenturyHalf(_) => ["下半叶", "后半", "后半叶", "后半期"][at],
                _ => "",
            };
            let form = if part.is_empty() {
                "century"
            } else {
                "century-part"
            };
            out.train(form, "", format!("{era}{n}世纪{part}"));
            out.train(form, "", format!("{era}{}世纪{part}", numeral(n)));
            if part.is_empty() {
                out.train(form, "", format!("{era}{n}世纪时"));
                out.train(form, "", format!("{era}第{n}世纪"));
            } else {
                out.train(form, "", format!("{era}{n}世纪的{part}"));
            }
            if era.is_empty() {
                out.held(form, "", format!("公元{n}世纪{part}"));
            }
        }
        Grain::EraYear(..) | Grain::EraMonth(..) => {
            if let Some(words) = era_words(target.grain) {
                out.train("era", "", words.clone());
                out.train("era", "", words);
                if let Grain::EraYear(place, year) = target.grain {
                    out.held("era", "", format!("{}{year}年", ERAS[place].0));
                }
            }
        }
        _ => {}
    }
    out.0
}

/// Gives ways to say a stretch from a day near it, with that day.
pub(super) fn deictic(target: &Target, chance: &mut Chance) -> Vec<Phrase> {
    let mut out = Phrases::default();
    let mut say = |form, text: String, anchor, split| out.add(form, "", text, Some(anchor), split);
    let after = |days: i64| DayNumber(target.last.0 + days);
    let year = target.first.year().0;
    match target.grain {
        Grain::Day => {
            let n = 2 + chance.below(25) as i64;
            say("day-relative", "昨天".into(), after(1), Split::Train);
            say("day-relative", "前天".into(), after(2), Split::Train);
            say("day-relative", "昨日".into(), after(1), Split::Train);
            say("day-relative", "后天".into(), after(-2), Split::Train);
            say("day-relative", format!("{n}天后"), after(-n), Split::Train);
            say("day-relative", format!("{n}日前"), after(n), Split::Train);
            say("day-relative", format!("{n}天之前"), after(n), Split::Train);
            say(
                "day-relative",
                format!("{n}天之后"),
                after(-n),
                Split::Train,
            );
            say(
                "day-relative",
                format!("{}天前", numeral(n)),
                after(n),
                Split::Train,
            );
            say(
                "day-relative",
                format!("{n}天以前"),
                after(n),
                Split::HeldOut,
            );
            say("day-relative", "今天".into(), after(0), Split::Train);
            say("day-relative", "明天".into(), after(-1), Split::Train);
            say("day-relative", format!("{n}天前"), after(n), Split::Train);
        }
        Grain::Year => {
            let within = |offset: i64, chance: &mut Chance| {
                let (a, b) = super::target::years(year + offset, year + offset);
                between(a, b, chance)
            };
            let n = 2 + chance.below(97) as i64;
            for (text, years) in [
                ("去年".to_owned(), 1),
                ("前年".to_owned(), 2),
                ("后年".to_owned(), -2),
                ("本年".to_owned(), 0),
                ("来年".to_owned(), -1),
                ("一年前".to_owned(), 1),
                (format!("{n}年前"), n),
                (format!("{}年前", numeral(n)), n),
                (format!("{n}年后"), -n),
                (format!("{n}年之前"), n),
            ] {
                say("year-relative", text, within(years, chance), Split::Train);
            }
            say(
                "year-relative",
                format!("{n}年以前"),
                within(n, chance),
                Split::HeldOut,
            );
            say(
                "year-relative",
                "今年".into(),
                within(0, chance),
                Split::Train,
            );
            say(
                "year-relative",
                "明年".into(),
                within(-1, chance),
                Split::Train,
            );
            say(
                "year-relative",
                "上一年".into(),
                within(1, chance),
                Split::HeldOut,
            );
        }
        Grain::Month => {
            let within = |offset: i64, chance: &mut Chance| {
                let (year, month, _) = target.first.to_gregorian();
                let at = year.0 * 12 + i64::from(month) - 1 + offset;
                let (a, b) =
                    super::target::months(at.div_euclid(12), at.rem_euclid(12) as u8 + 1, 1);
                between(a, b, chance)
            };
            for (text, months) in [
                ("上个月", 1),
                ("上月", 1),
                ("本月", 0),
                ("下个月", -1),
                ("这个月", 0),
            ] {
                let anchor = within(months, chance);
                say("month-relative", text.into(), anchor, Split::Train);
            }
            let anchor = within(-1, chance);
            say("month-relative", "下月".into(), anchor, Split::HeldOut);
        }
        Grain::Century if year >= 200 => {
            let within = |offset: i64, chance: &mut Chance| {
                let (a, b) = super::target::years(year + offset, year + offset + 99);
                between(a, b, chance)
            };
            say(
                "century-relative",
                "上世纪".into(),
                within(100, chance),
                Split::Train,
            );
            say(
                "century-relative",
                "本世纪".into(),
                within(0, chance),
                Split::Train,
            );
            say(
                "century-relative",
                "下个世纪".into(),
                within(-100, chance),
                Split::HeldOut,
            );
        }
        _ => {}
    }
    out.0
}

/// The Gregorian date of a day, as the time module reads Chinese dates of any age.
fn written(day: DayNumber) -> (i64, u8, u8) {
    let (year, month, of_month) = day.to_gregorian();
    (year.0, month, of_month)
}

fn plain(year: i64) -> String {
    match year {
        ..=0 => format!("公元前{}年", 1 - year),
        1..=999 => format!("公元{year}年"),
        _ => format!("{year}年"),
    }
}

/// A number from 1 to 99 in Chinese numerals; in figures from there on.
fn numeral(n: i64) -> String {
    let digit = |n: i64| DIGITS[(n % 10) as usize];
    match n {
        1..10 => digit(n).to_owned(),
        10 => "十".to_owned(),
        11..20 => format!("十{}", digit(n)),
        20..100 if n % 10 == 0 => format!("{}十", digit(n / 10)),
        20..100 => format!("{}十{}", digit(n / 10), digit(n)),
        _ => n.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_era_is_grounded_in_all_its_years() {
        for (place, (name, _, count)) in ERAS.iter().enumerate() {
            for year in 1..=*count {
                assert!(
                    ground(Grain::EraYear(place, year)).is_some(),
                    "{name} {year}"
                );
            }
        }
    }

    #[test]
    fn numerals_are_those_of_dates() {
        assert_eq!(
            [numeral(3), numeral(10), numeral(21)],
            ["三", "十", "二十一"]
        );
    }
}
