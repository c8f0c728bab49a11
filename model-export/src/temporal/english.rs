//! English words for stretches of days.

use almanac::time::{DayNumber, Year};

use super::Chance;
use super::target::{GREGORIAN, Grain, Target, Third};
use super::voice::{Phrase, Phrases, Split};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const SHORT_MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = [
    "", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
const ORDINALS: [&str; 32] = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
    "twenty-ninth",
    "thirtieth",
    "thirty-first",
];

/// Gives all absolute ways to say a stretch; none where English has no plain words for it.
pub(super) fn absolute(target: &Target, chance: &mut Chance) -> Vec<Phrase> {
    let mut out = Phrases::default();
    let (a, b) = (target.first.year().0, target.last.year().0);
    let (first, last) = (target.first, target.last);
    match target.grain {
        Grain::Day => days(first, &mut out),
        Grain::Month => {
            let (year, month, _) = first.to_gregorian();
            let month = usize::from(month - 1);
            let y = plain(year.0);
            out.train("month", "in ", format!("{} {y}", MONTHS[month]));
            out.train("month", "in ", format!("{} of {y}", MONTHS[month]));
            out.held("month", "in ", format!("{} {y}", SHORT_MONTHS[month]));
            out.held(
                "month",
                "in ",
                format!("the month of {}, {y}", MONTHS[month]),
            );
        }
        Grain::Season(season) => {
            let name = ["spring", "summer", "autumn", "winter"][usize::from(season % 4)];
            let y = plain(a);
            out.train("season", "in ", format!("the {name} of {y}"));
            out.train("season", "in ", format!("{name} {y}"));
            out.held("season", "during ", format!("the {name} months of {y}"));
        }
        Grain::Year => year(a, chance, &mut out),
        Grain::Years => {
            let (y, z) = (plain(a), plain(b));
            out.train("years", "", format!("from {y} to {z}"));
            out.train("years", "", format!("between {y} and {z}"));
            out.train("years", "in ", format!("the years {y} to {z}"));
            out.train("duration", "", format!("for {} years from {y}", b - a + 1));
            out.held("years", "", format!("starting in {y} and ending in {z}"));
            out.held(
                "duration",
                "in ",
                format!("the {} years beginning in {y}", b - a + 1),
            );
            if a > 0 {
                out.train("years", "", format!("{a}–{b}"));
                out.held("years", "", format!("{a} until {b}"));
            } else if b <= 0 {
                out.train("years", "", format!("{}–{} BC", 1 - a, 1 - b));
            }
        }
        Grain::Days => {
            let ((x, _), (y, _)) = (written(first), written(last));
            out.train("days", "", format!("from {x} to {y}"));
            out.train("days", "", format!("between {x} and {y}"));
            out.held("days", "", format!("beginning on {x}, finished on {y}"));
        }
        Grain::Circa => {
            let y = plain(a + 5);
            out.train("circa", "", format!("c. {y}"));
            out.train("circa", "", format!("circa {y}"));
            out.train("circa", "", format!("around {y}"));
            out.held("circa", "", format!("about {y}"));
            out.held("circa", "in ", format!("approximately {y}"));
        }
        Grain::Decade => decade(a, b, &mut out),
        Grain::DecadePart(third) if a >= 100 => {
            let decade = a / 10 * 10;
            if decade % 100 != 0 {
                let part = third_name(third);
                out.train("decade-part", "in ", format!("the {part} {decade}s"));
                let share = ["opening", "middle", "closing"][third as usize];
                out.held(
                    "decade-part",
                    "in ",
                    format!("the {share} years of the {decade}s"),
                );
            }
        }
        Grain::DecadePart(_) => {}
        Grain::Century | Grain::CenturyPart(_) | Grain::CenturyHalf(_) => {
            century(target.grain, a, &mut out);
        }
        Grain::Millennium => {
            let (n, era) = if b > 0 {
                (a / 1_000 + 1, "AD")
            } else {
                (-b / 1_000 + 1, "BC")
            };
            out.train(
                "millennium",
                "in ",
                format!("the {} millennium {era}", figure(n)),
            );
            out.held(
                "millennium",
                "in ",
                format!("the {} millennium {era}", word(n)),
            );
        }
        Grain::EraYear(..) | Grain::EraMonth(..) => {}
    }
    out.0
}

fn year(year: i64, chance: &mut Chance, out: &mut Phrases) {
    let y = plain(year);
    out.train("year", "in ", y.clone());
    out.train("year", "in ", y.clone());
    out.train("year", "in ", format!("the year {y}"));
    out.train("year", "during ", y.clone());
    out.held("year", "at some time in ", y);
    if year > 0 {
        out.train("year", "in ", format!("{year} AD"));
        out.train("year", "in ", format!("AD {year}"));
        out.held("year", "in ", format!("{year} CE"));
    } else {
        out.held("year", "in ", format!("{} BCE", 1 - year));
    }
    if (1_100..2_000).contains(&year) {
        out.train("year-in-words", "in ", spelled(year));
        if let Some(roman) = roman(year) {
            out.train("year-in-words", "in ", roman);
        }
    }
    let step = 1 + chance.below(12) as i64;
    if (step + 1..=2_100).contains(&year) {
        out.train(
            "year-counted",
            "in ",
            format!("the year before {}", year + 1),
        );
        out.train(
            "year-counted",
            "",
            format!("{step} years after {}", year - step),
        );
        out.held(
            "year-counted",
            "",
            format!("{} years before {}", step, year + step),
        );
    }
}

fn decade(a: i64, b: i64, out: &mut Phrases) {
    if a >= 100 && a % 100 != 0 {
        out.train("decade", "in ", format!("the {a}s"));
        out.train("decade", "during ", format!("the {a}s"));
        out.held("decade", "in ", format!("the decade of the {a}s"));
        if a >= 1_100 {
            let tens = TENS[(a % 100 / 10) as usize];
            let plural = if tens.ends_with('y') {
                format!("{}ies", tens.trim_end_matches('y'))
            } else {
                format!("{tens}s")
            };
            if a % 100 >= 20 {
                out.train("decade", "in ", format!("the {} {plural}", small(a / 100)));
                out.held(
                    "decade",
                    "in ",
                    format!("the {plural} of the {} century", word(a / 100 + 1)),
                );
            }
        }
    } else if b <= 0 && (1 - b) % 100 != 0 {
        out.train("decade", "in ", format!("the {}s BC", 1 - b));
        out.held("decade", "in ", format!("the {}s BCE", 1 - b));
    }
}

fn century(grain: Grain, first: i64, out: &mut Phrases) {
    let (n, era) = if first > 0 {
        (first / 100 + 1, "")
    } else {
        (-first / 100 + 1, " BC")
    };
    let names = [(Split::Train, figure(n)), (Split::Train, word(n))];
    for (split, name) in names {
        let century = format!("{name} century{era}");
        match grain {
            Grain::CenturyPart(third) => {
                let part = third_name(third);
                out.add(
                    "century-part",
                    "in ",
                    format!("the {part} {century}"),
                    None,
                    split,
                );
                let share = ["beginning", "middle", "end"][third as usize];
                out.held(
                    "century-part",
                    "toward ",
                    format!("the {share} of the {century}"),
                );
            }
            Grain::CenturyHalf(half) => {
                let half_name = ["first", "second"][usize::from(half % 2)];
                let text = format!("the {half_name} half of the {century}");
                out.add("century-half", "in ", text, None, split);
                let years = ["first", "last"][usize::from(half % 2)];
                out.held(
                    "century-half",
                    "in ",
                    format!("the {years} fifty years of the {century}"),
                );
            }
            _ => {
                out.add("century", "in ", format!("the {century}"), None, split);
                out.held("century", "at some point in ", format!("the {century}"));
                if era.is_empty() && n < 13 {
                    out.train("century", "in ", format!("the {name} century AD"));
                }
            }
        }
    }
    if matches!(grain, Grain::Century) && (1_100..2_000).contains(&first) {
        out.train("century", "in ", format!("the {first}s"));
    }
}

/// Days before 15 October 1582 are written in the calendar in use then.
fn days(day: DayNumber, out: &mut Phrases) {
    let (text, (year, month, of_month)) = written(day);
    let name = MONTHS[usize::from(month - 1)];
    let y = plain(year.0);
    out.train("day", "on ", text);
    out.train("day", "on ", format!("{name} {of_month}, {y}"));
    out.train(
        "day",
        "on ",
        format!("{of_month} {} {y}", SHORT_MONTHS[usize::from(month - 1)]),
    );
    out.held(
        "day",
        "on ",
        format!("the {} of {name}, {y}", figure(of_month.into())),
    );
    if day >= GREGORIAN {
        let weekday = [
            "Monday",
            "Tuesday",
            "Wednesday",
            "Thursday",
            "Friday",
            "Saturday",
            "Sunday",
        ][usize::from(day.weekday() % 7)];
        out.train("day", "on ", format!("{weekday}, {of_month} {name} {y}"));
        out.train("day", "on ", day.to_string());
    }
}

/// The day in words and the calendar date they name.
fn written(day: DayNumber) -> (String, (Year, u8, u8)) {
    let date = if day < GREGORIAN {
        day.to_julian()
    } else {
        day.to_gregorian()
    };
    let (year, month, of_month) = date;
    let text = format!(
        "{of_month} {} {}",
        MONTHS[usize::from(month - 1)],
        plain(year.0)
    );
    (text, date)
}

/// Gives ways to say a stretch from a day near it, with that day.
pub(super) fn deictic(target: &Target, chance: &mut Chance) -> Vec<Phrase> {
    let mut out = Phrases::default();
    let mut say = |form, preposition, text: String, anchor, split| {
        out.add(form, preposition, text, Some(anchor), split);
    };
    let (first, last) = (target.first, target.last);
    let after = |days: i64| DayNumber(last.0 + days);
    use Split::{HeldOut, Train};
    match target.grain {
        Grain::Day => {
            let n = 2 + chance.below(25) as i64;
            let weeks = 2 + chance.below(6) as i64;
            say("day-relative", "", "yesterday".into(), after(1), Train);
            say("day-relative", "", "today".into(), after(0), Train);
            say("day-relative", "", "tomorrow".into(), after(-1), Train);
            say("day-relative", "", format!("{n} days ago"), after(n), Train);
            say(
                "day-relative",
                "",
                format!("{} weeks ago", small(weeks)),
                after(7 * weeks),
                Train,
            );
            say("day-relative", "", format!("in {n} days"), after(-n), Train);
            say(
                "day-relative",
                "",
                "the day before yesterday".into(),
                after(2),
                HeldOut,
            );
            say(
                "day-relative",
                "",
                format!("{n} days earlier"),
                after(n),
                HeldOut,
            );
        }
        Grain::Month => {
            let within = |offset: i64, chance: &mut Chance| {
                let (year, month, _) = first.to_gregorian();
                let at = year.0 * 12 + i64::from(month) - 1 + offset;
                let (a, b) =
                    super::target::months(at.div_euclid(12), at.rem_euclid(12) as u8 + 1, 1);
                between(a, b, chance)
            };
            say(
                "month-relative",
                "",
                "last month".into(),
                within(1, chance),
                Train,
            );
            say(
                "month-relative",
                "",
                "this month".into(),
                within(0, chance),
                Train,
            );
            say(
                "month-relative",
                "",
                "next month".into(),
                within(-1, chance),
                Train,
            );
            say(
                "month-relative",
                "in ",
                "the month before this one".into(),
                within(1, chance),
                HeldOut,
            );
        }
        Grain::Year => {
            let within = |offset: i64, chance: &mut Chance| {
                let (a, b) = super::target::years(target.year() + offset, target.year() + offset);
                between(a, b, chance)
            };
            let tens = 10 * (2 + chance.below(8) as i64);
            say(
                "year-relative",
                "",
                "last year".into(),
                within(1, chance),
                Train,
            );
            say(
                "year-relative",
                "",
                "this year".into(),
                within(0, chance),
                Train,
            );
            say(
                "year-relative",
                "",
                "next year".into(),
                within(-1, chance),
                Train,
            );
            say(
                "year-relative",
                "",
                format!("{tens} years ago"),
                within(tens, chance),
                Train,
            );
            say(
                "year-relative",
                "",
                format!("{} years ago", number(tens)),
                within(tens, chance),
                Train,
            );
            say(
                "year-relative",
                "in ",
                "the previous year".into(),
                within(1, chance),
                HeldOut,
            );
            say(
                "year-relative",
                "",
                format!("{tens} years before now"),
                within(tens, chance),
                HeldOut,
            );
        }
        Grain::Decade | Grain::Century if target.first.year().0 >= 200 => {
            let (unit, length) = if target.grain == Grain::Decade {
                ("decade", 10)
            } else {
                ("century", 100)
            };
            let plural = if length == 10 { "decades" } else { "centuries" };
            let form = if length == 10 {
                "decade-relative"
            } else {
                "century-relative"
            };
            let year = first.year().0;
            let within = |units: i64, chance: &mut Chance| {
                let from = year + units * length;
                let (a, b) = super::target::years(from, from + length - 1);
                between(a, b, chance)
            };
            let n = 2 + chance.below(7) as i64;
            say(
                form,
                "in ",
                format!("the last {unit}"),
                within(1, chance),
                Train,
            );
            say(form, "", format!("this {unit}"), within(0, chance), Train);
            say(form, "", format!("next {unit}"), within(-1, chance), Train);
            say(
                form,
                "",
                format!("{} {plural} ago", small(n)),
                within(n, chance),
                Train,
            );
            say(
                form,
                "in ",
                format!("the previous {unit}"),
                within(1, chance),
                HeldOut,
            );
        }
        Grain::Years => {
            let n = target.last.year().0 - target.first.year().0 + 1;
            let (year, month, day) = (target.last.year().0 + 1, 1, 1);
            if let Some(anchor) = DayNumber::from_gregorian(Year(year), month, day) {
                say(
                    "span-relative",
                    "over ",
                    format!("the past {n} years"),
                    anchor,
                    Train,
                );
                say(
                    "span-relative",
                    "in ",
                    format!("the last {} years", number(n)),
                    anchor,
                    Train,
                );
                say(
                    "span-relative",
                    "during ",
                    format!("the {n} years up to now"),
                    anchor,
                    HeldOut,
                );
            }
        }
        _ => {}
    }
    out.0
}

pub(super) fn between(first: DayNumber, last: DayNumber, chance: &mut Chance) -> DayNumber {
    DayNumber(first.0 + chance.below((last.0 - first.0 + 1).max(1) as usize) as i64)
}

/// An astronomical year as a number with its era where it needs one.
fn plain(year: i64) -> String {
    match year {
        ..=0 => format!("{} BC", 1 - year),
        1..=999 => format!("AD {year}"),
        _ => year.to_string(),
    }
}

fn third_name(third: Third) -> &'static str {
    match third {
        Third::Early => "early",
        Third::Mid => "mid",
        Third::Late => "late",
    }
}

/// An ordinal in figures, such as "19th".
fn figure(n: i64) -> String {
    let ending = match (n % 100, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// An ordinal in words; in figures above the thirty-first.
fn word(n: i64) -> String {
    match usize::try_from(n).ok().and_then(|n| ORDINALS.get(n)) {
        Some(word) => (*word).to_owned(),
        None => figure(n),
    }
}

/// A number below 20 in words.
fn small(n: i64) -> String {
    match usize::try_from(n).ok().and_then(|n| SMALL.get(n)) {
        Some(word) => (*word).to_owned(),
        None => number(n),
    }
}

/// A number below 100 in words, in figures from there on.
fn number(n: i64) -> String {
    match n {
        0..20 => SMALL[n as usize].to_owned(),
        20..100 if n % 10 == 0 => TENS[n as usize / 10].to_owned(),
        20..100 => format!("{}-{}", TENS[n as usize / 10], SMALL[n as usize % 10]),
        _ => n.to_string(),
    }
}

/// A year as it is spoken, such as "eighteen fifty-three".
fn spelled(year: i64) -> String {
    let (high, low) = (year / 100, year % 100);
    match low {
        0 => format!("{} hundred", number(high)),
        1..10 => format!("{} oh-{}", number(high), number(low)),
        _ => format!("{} {}", number(high), number(low)),
    }
}

/// A year in Roman numerals; `None` below 1.
fn roman(year: i64) -> Option<String> {
    const SIGNS: [(i64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut left = (year > 0).then_some(year)?;
    let mut out = String::new();
    for (value, sign) in SIGNS {
        while left >= value {
            out.push_str(sign);
            left -= value;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are_read() {
        assert_eq!(spelled(1853), "eighteen fifty-three");
        assert_eq!(roman(1994).as_deref(), Some("MCMXCIV"));
        assert_eq!(
            [figure(11), figure(22), word(19)],
            ["11th", "22nd", "nineteenth"]
        );
        assert_eq!(
            [plain(0), plain(79), plain(1853)],
            ["1 BC", "AD 79", "1853"]
        );
    }
}
