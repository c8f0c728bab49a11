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
            let (name, short) = (MONTHS[month], SHORT_MONTHS[month]);
            out.train("month", "in ", format!("{name} of {y}"));
            out.train("month", "in ", format!("{name}, {y}"));
            out.train("month", "in ", format!("{short}. {y}"));
            out.train("month", "in ", format!("{short}, {y}"));
            out.train("month", "", format!("{y} {name}"));
            out.train("month", "", format!("{y}, {name}"));
            out.train("month", "during ", format!("{name} of the year {y}"));
            out.train("month", "over the course of ", format!("{name} {y}"));
            out.train("month", "in the whole of ", format!("{name} {y}"));
            if year.0 > 0 {
                out.train("month", "in ", format!("{name} {} CE", year.0));
            } else {
                out.train("month", "in ", format!("{name} {} B.C.", 1 - year.0));
                out.train("month", "in ", format!("{name} {} BCE", 1 - year.0));
            }
            if year.0 >= 1_000 {
                out.train("month", "in ", format!("{:02}/{}", month + 1, year.0));
                out.train("month", "in ", format!("{}-{:02}", year.0, month + 1));
                out.train("month", "in ", format!("{}.{}", month + 1, year.0));
                out.held("month", "", format!("{}/{:02}", year.0, month + 1));
            }
            out.held("month", "in ", format!("{} {y}", SHORT_MONTHS[month]));
            out.held(
                "month",
                "in ",
                format!("the month of {}, {y}", MONTHS[month]),
            );
        }
        Grain::Season(season) => {
            let names = ["spring", "summer", "autumn", "winter"];
            let name = match season % 4 {
                2 if chance.below(3) == 0 => "fall",
                other => names[usize::from(other)],
            };
            let y = plain(a);
            out.train("season", "in ", format!("the {name} of {y}"));
            out.train("season", "in ", format!("{name} {y}"));
            out.train("season", "in ", format!("{name}, {y}"));
            out.train("season", "in ", format!("{name} of {y}"));
            out.train("season", "", format!("{y}, {name}"));
            out.train("season", "over ", format!("the {name} of {y}"));
            out.train("season", "in ", format!("the {name} season of {y}"));
            out.train("season", "in ", format!("the {name} of the year {y}"));
            out.train("season", "", format!("one {name} day in {y}"));
            out.held("season", "one day in ", format!("the {name} of {y}"));
            out.held("season", "during ", format!("the {name} months of {y}"));
        }
        Grain::Year => year(a, chance, &mut out),
        Grain::Years => {
            let (y, z) = (plain(a), plain(b));
            out.train("years", "", format!("from {y} to {z}"));
            out.train("years", "", format!("between {y} and {z}"));
            out.train("years", "in ", format!("the years {y} to {z}"));
            out.train("years", "", format!("{y} to {z}"));
            out.train("years", "", format!("{y} through {z}"));
            out.train("years", "", format!("from {y} until {z}"));
            out.train("years", "", format!("from {y} through {z}"));
            out.train("years", "", format!("between the years {y} and {z}"));
            out.train("years", "over ", format!("the years from {y} to {z}"));
            out.train("years", "in ", format!("the period {y} to {z}"));
            out.train(
                "years",
                "",
                format!("beginning in {y} and lasting until {z}"),
            );
            out.train("years", "", format!("started in {y} and completed in {z}"));
            out.train("years", "", format!("begun {y}, finished {z}"));
            out.train("years", "", format!("begun in {y} and ended in {z}"));
            out.train("years", "", format!("commencing in {y} and closing in {z}"));
            out.train("years", "", format!("{y} up to {z}"));
            out.train("years", "", format!("from {y} till {z}"));
            out.train("years", "", format!("from the year {y} to the year {z}"));
            let n = b - a + 1;
            out.train("duration", "", format!("for {n} years from {y}"));
            out.train("duration", "", format!("for {n} years starting in {y}"));
            out.train("duration", "", format!("for a span of {n} years from {y}"));
            out.train("duration", "in ", format!("the {n} years from {y} on"));
            out.train(
                "duration",
                "in ",
                format!("the {n} years that began in {y}"),
            );
            out.train(
                "duration",
                "in ",
                format!("the {n} years starting with {y}"),
            );
            out.train(
                "duration",
                "over ",
                format!("the {n} years commencing in {y}"),
            );
            out.train("duration", "", format!("{n} years long from {y}"));
            out.train("duration", "", format!("over {n} years, starting with {y}"));
            out.train(
                "duration",
                "",
                format!("a period of {n} years which opened in {y}"),
            );
            if n < 100 {
                out.train("duration", "", format!("for {} years from {y}", number(n)));
            }
            out.held("years", "", format!("starting in {y} and ending in {z}"));
            out.held(
                "duration",
                "in ",
                format!("the {} years beginning in {y}", b - a + 1),
            );
            if a > 0 {
                out.train("years", "", format!("{a}–{b}"));
                out.train("years", "", format!("{a}-{b}"));
                out.train("years", "", format!("({a}–{b})"));
                out.train("years", "", format!("{a} - {b}"));
                out.train("years", "", format!("AD {a}–{b}"));
                out.train("years", "", format!("{a}–{b} CE"));
                out.train("years", "", format!("from {a} to {b} CE"));
                out.train("years", "", format!("{a}–{b} AD"));
                out.train("years", "in ", format!("the years {a}–{b}"));
                out.train("years", "", format!("[{a} to {b}]"));
                if a >= 1_000 && a / 100 == b / 100 && b % 100 >= 10 {
                    out.train("years", "", format!("{a}–{:02}", b % 100));
                    out.train("years", "", format!("{a}-{:02}", b % 100));
                    out.held("years", "", format!("{a}/{:02}", b % 100));
                }
                out.held("years", "", format!("{a} until {b}"));
            } else if b <= 0 {
                out.train("years", "", format!("{}–{} BC", 1 - a, 1 - b));
                out.train("years", "", format!("{}-{} B.C.", 1 - a, 1 - b));
                out.train("years", "", format!("from {} to {} BC", 1 - a, 1 - b));
                out.train("years", "", format!("{}–{} BCE", 1 - a, 1 - b));
                out.train("years", "", format!("from {} until {} BCE", 1 - a, 1 - b));
                out.train("years", "", format!("between {} and {} BC", 1 - a, 1 - b));
                out.held("years", "", format!("{} to {} BCE", 1 - a, 1 - b));
            }
        }
        Grain::Days => {
            let ((x, _), (y, _)) = (written(first), written(last));
            out.train("days", "", format!("from {x} to {y}"));
            out.train("days", "", format!("between {x} and {y}"));
            out.train("days", "", format!("{x} to {y}"));
            out.train("days", "", format!("{x} – {y}"));
            out.train("days", "", format!("from {x} until {y}"));
            out.train("days", "", format!("{x} through {y}"));
            out.train("days", "", format!("starting {x} and ending {y}"));
            out.train("days", "", format!("opened on {x} and closed on {y}"));
            out.train("days", "", format!("begun on {x}, ended on {y}"));
            if first >= GREGORIAN {
                out.train("days", "", format!("{first} to {last}"));
                out.train("days", "", format!("{first}/{last}"));
            }
            let ((year, month, of_month), (other, end_month, end)) =
                (written(first).1, written(last).1);
            if year == other {
                let (name, end_name) = (
                    MONTHS[usize::from(month - 1)],
                    MONTHS[usize::from(end_month - 1)],
                );
                let y = plain(year.0);
                if month == end_month {
                    out.train("days", "", format!("{of_month}–{end} {name} {y}"));
                    out.train(
                        "days",
                        "",
                        format!("between {of_month} and {end} {name} {y}"),
                    );
                    out.train("days", "", format!("from {name} {of_month} to {end}, {y}"));
                    out.train("days", "", format!("{name} {of_month} to {end}, {y}"));
                    out.train("days", "", format!("from {of_month} to {end} {name} {y}"));
                    out.train("days", "", format!("{of_month}-{end} {name}, {y}"));
                    out.held("days", "", format!("{name} {of_month}–{end}, {y}"));
                } else {
                    out.train(
                        "days",
                        "",
                        format!("{of_month} {name} to {end} {end_name} {y}"),
                    );
                    out.train(
                        "days",
                        "",
                        format!("from {of_month} {name} until {end} {end_name} {y}"),
                    );
                    out.train(
                        "days",
                        "",
                        format!("{of_month} {name} – {end} {end_name} {y}"),
                    );
                    out.train(
                        "days",
                        "",
                        format!("{of_month} {name} through {end} {end_name}, {y}"),
                    );
                    out.train(
                        "days",
                        "",
                        format!("between {name} {of_month} and {end_name} {end}, {y}"),
                    );
                    out.train(
                        "days",
                        "",
                        format!("from {name} {of_month} to {end_name} {end}, {y}"),
                    );
                    out.held(
                        "days",
                        "",
                        format!("between {of_month} {name} and {end} {end_name} {y}"),
                    );
                }
            }
            out.held("days", "", format!("beginning on {x}, finished on {y}"));
        }
        Grain::Circa => {
            let y = plain(a + 5);
            out.train("circa", "", format!("c. {y}"));
            out.train("circa", "", format!("circa {y}"));
            out.train("circa", "", format!("around {y}"));
            for near in [
                "ca.",
                "ca",
                "c",
                "roughly",
                "some time around",
                "near",
                "close to",
                "in the region of",
                "approx.",
                "somewhere near",
                "in or around",
                "very roughly",
                "not far from",
                "some year near",
                "estimated",
            ] {
                out.train("circa", "", format!("{near} {y}"));
            }
            out.train("circa", "", format!("{y} or so"));
            out.train("circa", "", format!("{y} or thereabouts"));
            out.train("circa", "", format!("{y} (circa)"));
            out.train("circa", "", format!("around the year {y}"));
            out.train("circa", "", format!("[c. {y}]"));
            out.held("circa", "", format!("about {y}"));
            out.held("circa", "in ", format!("approximately {y}"));
        }
        Grain::Decade => decade(a, b, &mut out),
        Grain::DecadePart(third) if a >= 100 => {
            let decade = a / 10 * 10;
            if decade % 100 != 0 {
                let part = third_name(third);
                out.train("decade-part", "in ", format!("the {part} {decade}s"));
                out.train("decade-part", "", format!("{part} {decade}s"));
                out.train("decade-part", "", format!("{part}-{decade}s"));
                for share in [
                    ["first", "central", "last"],
                    ["earlier", "mid", "later"],
                    ["initial", "middling", "final"],
                ] {
                    let share = share[third as usize];
                    out.train(
                        "decade-part",
                        "in ",
                        format!("the {share} years of the {decade}s"),
                    );
                }
                let point = ["start", "middle", "close"][third as usize];
                out.train(
                    "decade-part",
                    "at ",
                    format!("the {point} of the {decade}s"),
                );
                let point = ["beginning", "midst", "end"][third as usize];
                out.train(
                    "decade-part",
                    "toward ",
                    format!("the {point} of the {decade}s"),
                );
                let share = ["opening", "middle", "closing"][third as usize];
                out.held(
                    "decade-part",
                    "in ",
                    format!("the {share} years of the {decade}s"),
                );
            }
        }
        Grain::DecadePart(_) => {}
        Grain::Century
        | Grain::CenturyPart(_)
        | Grain::CenturyHalf(_)
        | Grain::CenturyQuarter(_) => {
            century(target.grain, a, &mut out);
        }
        Grain::Millennium => {
            let (n, era) = if b > 0 {
                (a / 1_000 + 1, "AD")
            } else {
                (-b / 1_000 + 1, "BC")
            };
            let dotted = if era == "AD" { "A.D." } else { "B.C." };
            let long = if era == "AD" {
                "of the common era"
            } else {
                "before Christ"
            };
            for text in [
                format!("the {} millennium {era}", figure(n)),
                format!("the {} millennium {dotted}", figure(n)),
                format!("{era} millennium {n}"),
                format!(
                    "the {} millennium {}",
                    figure(n),
                    if era == "AD" { "CE" } else { "BCE" }
                ),
                format!("the {} millennium {long}", figure(n)),
                format!("the {} millennium {long}", word(n)),
                format!("the {} thousand years {dotted}", word(n)),
            ] {
                out.train("millennium", "in ", text.clone());
                out.train("millennium", "during ", text);
            }
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
    out.train("year", "", format!("dated {y}"));
    out.train("year", "", format!("({y})"));
    out.train("year", "", format!("[{y}]"));
    out.train("year", "over the course of ", y.clone());
    out.train("year", "back in ", y.clone());
    out.train("year", "", format!("of {y}"));
    out.train("year", "in the course of ", format!("the year {y}"));
    out.train("year", "one day in ", y.clone());
    out.train("year", "sometime in ", y.clone());
    out.train("year", "at an unknown date in ", y.clone());
    out.held("year", "at some time in ", y);
    if year > 0 {
        out.train("year", "in ", format!("{year} AD"));
        out.train("year", "in ", format!("AD {year}"));
        out.train("year", "in ", format!("A.D. {year}"));
        out.train("year", "in ", format!("{year} A.D."));
        out.train("year", "", format!("anno domini {year}"));
        out.train("year", "in ", format!("{year} of the common era"));
        out.train("year", "in ", format!("{year} of our era"));
        out.held("year", "in ", format!("{year} CE"));
    } else {
        let n = 1 - year;
        out.train("year", "in ", format!("{n} B.C."));
        out.train("year", "in ", format!("the year {n} before Christ"));
        out.train("year", "in ", format!("{n} before the common era"));
        out.train("year", "in ", format!("{n} before our era"));
        out.train("year", "in ", format!("{n} B.C.E."));
        out.held("year", "in ", format!("{n} BCE"));
    }
    if (1_100..2_000).contains(&year) {
        out.train("year-in-words", "in ", spelled(year));
        out.train("year-in-words", "in ", spelled(year).replace('-', " "));
        out.train(
            "year-in-words",
            "in ",
            format!("the year {}", spelled(year)),
        );
        out.held("year-in-words", "at some time in ", spelled(year));
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
        let (from, to) = (year - step, year + step);
        for text in [
            format!("the year after {}", year - 1),
            format!("the year following {}", year - 1),
            format!("the year preceding {}", year + 1),
            format!("{step} years later than {from}"),
            format!("{step} years on from {from}"),
            format!("{step} years past {from}"),
            format!("{} years after {from}", small(step)),
            format!("{step} years earlier than {to}"),
            format!("{step} years prior to {to}"),
            format!("{} years ahead of {to}", small(step)),
        ] {
            out.train("year-counted", "", text);
        }
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
        out.train("decade", "throughout ", format!("the {a}s"));
        out.train("decade", "in ", format!("the {a}'s"));
        out.train("decade", "", format!("{a}s"));
        out.train("decade", "in ", format!("the years of the {a}s"));
        out.train("decade", "in ", format!("the decade beginning in {a}"));
        out.train("decade", "in ", format!("the ten years from {a}"));
        out.train("decade", "over ", format!("the decade that opened in {a}"));
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
                out.train(
                    "decade",
                    "during ",
                    format!("the {} {plural}", small(a / 100)),
                );
                let ordinal = word(a / 100 + 1);
                out.train("decade", "in ", format!("the {ordinal} century's {plural}"));
                out.train("decade", "in ", format!("the {ordinal}-century {plural}"));
                out.train(
                    "decade",
                    "in ",
                    format!("the {plural} in the {} century", figure(a / 100 + 1)),
                );
                out.held(
                    "decade",
                    "in ",
                    format!("the {plural} of the {} century", word(a / 100 + 1)),
                );
            }
        }
    } else if b <= 0 && (1 - b) % 100 != 0 {
        out.train("decade", "in ", format!("the {}s BC", 1 - b));
        out.train("decade", "during ", format!("the {}s B.C.", 1 - b));
        out.train("decade", "in ", format!("the {}s before Christ", 1 - b));
        out.train("decade", "in ", format!("the {}s before our era", 1 - b));
        out.train("decade", "", format!("{}s BCE", 1 - b));
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
                out.train("century-part", "", format!("{part} {century}"));
                out.train("century-part", "", format!("{part}-{century}"));
                out.train("century-part", "", format!("{part} {name} c.{era}"));
                for share in [
                    ["early part", "middle part", "late part"],
                    ["start", "midst", "close"],
                    ["first third", "second third", "last third"],
                    ["opening", "heart", "final years"],
                    ["first decades", "central decades", "last decades"],
                    ["early years", "middle years", "later years"],
                ] {
                    let share = share[third as usize];
                    out.train(
                        "century-part",
                        "in ",
                        format!("the {share} of the {century}"),
                    );
                }
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
                for name in [["earlier", "later"], ["former", "latter"], ["1st", "2nd"]] {
                    let name = name[usize::from(half % 2)];
                    out.train(
                        "century-half",
                        "in ",
                        format!("the {name} half of the {century}"),
                    );
                }
                let text = format!("{half_name} half of {century}");
                out.train("century-half", "", text);
                let years = ["first", "last"][usize::from(half % 2)];
                out.held(
                    "century-half",
                    "in ",
                    format!("the {years} fifty years of the {century}"),
                );
            }
            Grain::CenturyQuarter(quarter) => {
                let place = usize::from(quarter % 4);
                let quarter = ["first", "second", "third", "fourth"][place];
                let text = format!("the {quarter} quarter of the {century}");
                out.train("century-quarter", "in ", text);
                let text = format!("{quarter} quarter, {century}");
                out.train("century-quarter", "", text);
                let quarter = ["1st", "2nd", "3rd", "4th"][place];
                let text = format!("the {quarter} quarter of the {century}");
                out.train("century-quarter", "in ", text);
                let text = format!("the {quarter} 25 years of the {century}");
                out.train("century-quarter", "in ", text);
                let text = format!("{quarter} quarter {century}");
                out.train("century-quarter", "", text);
                let quarter = ["opening", "second", "third", "last"][place];
                let text = format!("the {quarter} quarter of the {century}");
                out.train("century-quarter", "during ", text);
                let quarter = ["first", "second", "third", "final"][place];
                let text = format!("the {quarter} twenty-five years of the {century}");
                out.held("century-quarter", "over ", text);
            }
            _ => {
                out.add("century", "in ", format!("the {century}"), None, split);
                out.train("century", "during ", format!("the {century}"));
                out.train("century", "throughout ", format!("the {century}"));
                out.train("century", "", century.clone());
                out.train("century", "in ", format!("the {name} c.{era}"));
                out.train("century", "in the course of ", format!("the {century}"));
                out.train("century", "", format!("of the {century}"));
                if era.is_empty() {
                    out.train("century", "in ", format!("the {century} of our era"));
                    out.train("century", "in ", format!("the {century} CE"));
                    out.train("century", "in ", format!("the {century} A.D."));
                    if let Some(roman) = roman(n) {
                        out.train("century", "in ", format!("the {roman} century"));
                        out.held("century", "in ", format!("the {roman}th century"));
                    }
                } else {
                    out.train("century", "in ", format!("the {name} century B.C."));
                    out.train(
                        "century",
                        "in ",
                        format!("the {name} century before Christ"),
                    );
                    out.train("century", "", format!("the {name} century BCE"));
                    out.held(
                        "century",
                        "somewhere in ",
                        format!("the {name} century BCE"),
                    );
                }
                out.held("century", "at some point in ", format!("the {century}"));
                if era.is_empty() && n < 13 {
                    out.train("century", "in ", format!("the {name} century AD"));
                }
            }
        }
    }
    if matches!(grain, Grain::Century) && (1_100..2_000).contains(&first) {
        out.train("century", "in ", format!("the {first}s"));
        out.train("century", "during ", format!("the {first}s"));
        out.train("century", "in ", format!("the hundred years from {first}"));
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
    let (short, ordinal) = (
        SHORT_MONTHS[usize::from(month - 1)],
        figure(of_month.into()),
    );
    for text in [
        format!("{name} {ordinal}, {y}"),
        format!("{ordinal} {name} {y}"),
        format!("{ordinal} {name}, {y}"),
        format!("{of_month} {name}, {y}"),
        format!("{name} {of_month} {y}"),
        format!("{short} {of_month}, {y}"),
        format!("{short}. {of_month}, {y}"),
        format!("day {of_month} of {name} {y}"),
        if year.0 > 0 {
            format!("{of_month} {name} {} CE", year.0)
        } else {
            format!("{of_month} {name} {} BCE", 1 - year.0)
        },
        if year.0 > 0 {
            format!("{name} {of_month}, {} A.D.", year.0)
        } else {
            format!("{name} {of_month}, {} B.C.", 1 - year.0)
        },
    ] {
        out.train("day", "on ", text);
    }
    out.train("day", "", format!("{y} {name} {of_month}"));
    out.train("day", "", format!("dated {of_month} {name} {y}"));
    out.train("day", "in the night of ", format!("{of_month} {name} {y}"));
    out.train(
        "day",
        "on ",
        format!("the {} day of {name}, {y}", word(of_month.into())),
    );
    out.held("day", "on ", format!("{short} {ordinal}, {y}"));
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
            for (text, days) in [
                ("the day after tomorrow".to_owned(), -2),
                ("the previous day".to_owned(), 1),
                ("the day before".to_owned(), 1),
                ("this very day".to_owned(), 0),
                ("the next day".to_owned(), -1),
                ("the following day".to_owned(), -1),
                ("one day ago".to_owned(), 1),
                ("a week ago".to_owned(), 7),
                ("exactly one week ago".to_owned(), 7),
                ("a fortnight ago".to_owned(), 14),
                ("a week from today".to_owned(), -7),
                (format!("{n} days back"), n),
                (format!("{} days ago", number(n)), n),
                (format!("{n} days before today"), n),
                (format!("{n} days prior"), n),
                (format!("{weeks} weeks before"), 7 * weeks),
                (format!("{weeks} weeks prior"), 7 * weeks),
                (format!("{} weeks before today", small(weeks)), 7 * weeks),
                (format!("{n} days before"), n),
                (format!("{n} days from now"), -n),
                (format!("{n} days later"), -n),
                (format!("{n} days after today"), -n),
                (format!("{weeks} weeks ago"), 7 * weeks),
                (format!("{weeks} weeks back"), 7 * weeks),
                (format!("{weeks} weeks before today"), 7 * weeks),
                (format!("in {weeks} weeks"), -7 * weeks),
                (format!("{} weeks from now", small(weeks)), -7 * weeks),
            ] {
                say("day-relative", "", text, after(days), Train);
            }
            let weeks_earlier = format!("{weeks} weeks earlier");
            say("day-relative", "", weeks_earlier, after(7 * weeks), HeldOut);
            for (years, text, split) in [
                (1, "last year", Train),
                (0, "this year", Train),
                (-1, "next year", Train),
                (1, "of the preceding year", Train),
                (1, "in the year before", Train),
                (-1, "of the following year", Train),
                (1, "of last year", Train),
                (0, "of the current year", Train),
                (1, "of the previous year", HeldOut),
            ] {
                // Relative dates are those of the calendar that years are counted in.
                let (year, month, of_month) = first.to_gregorian();
                let (a, b) = super::target::years(year.0 + years, year.0 + years);
                let name = MONTHS[usize::from(month - 1)];
                for date in [format!("{of_month} {name}"), format!("{name} {of_month}")] {
                    let text = format!("{date} {text}");
                    say("date-relative", "on ", text, between(a, b, chance), split);
                }
            }
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
            let n = 2 + chance.below(10) as i64;
            for (text, months) in [
                ("the current month".to_owned(), 0),
                ("the coming month".to_owned(), -1),
                ("the following month".to_owned(), -1),
                ("the preceding month".to_owned(), 1),
                ("the previous month".to_owned(), 1),
                ("one month ago".to_owned(), 1),
                ("a month ago".to_owned(), 1),
                (format!("{n} months ago"), n),
                (format!("{} months ago", small(n)), n),
                (format!("{n} months back"), n),
                (format!("in {n} months"), -n),
                (format!("{n} months from now"), -n),
            ] {
                say("month-relative", "", text, within(months, chance), Train);
            }
            let earlier = format!("{n} months earlier");
            say("month-relative", "", earlier, within(n, chance), HeldOut);
            for (years, text, split) in [
                (1, "last year", Train),
                (0, "this year", Train),
                (-1, "next year", Train),
                (1, "of the preceding year", Train),
                (1, "in the year before", Train),
                (-1, "of the following year", Train),
                (1, "of last year", Train),
                (0, "of the current year", Train),
                (-1, "of the coming year", Train),
                (1, "of the previous year", HeldOut),
            ] {
                let (year, month, _) = first.to_gregorian();
                let (a, b) = super::target::years(year.0 + years, year.0 + years);
                let text = format!("{} {text}", MONTHS[usize::from(month - 1)]);
                say("date-relative", "in ", text, between(a, b, chance), split);
            }
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
            let n = 2 + chance.below(98) as i64;
            for (text, years) in [
                ("the current year".to_owned(), 0),
                ("the present year".to_owned(), 0),
                ("the coming year".to_owned(), -1),
                ("the following year".to_owned(), -1),
                ("the preceding year".to_owned(), 1),
                ("the year before this".to_owned(), 1),
                ("the year before".to_owned(), 1),
                ("the year before last".to_owned(), 2),
                ("the year after next".to_owned(), -2),
                ("one year ago".to_owned(), 1),
                ("a year ago".to_owned(), 1),
                (format!("{n} years ago"), n),
                (format!("some {n} years ago"), n),
                (format!("{} years ago", number(n)), n),
                (format!("{n} years back"), n),
                (format!("{n} years earlier"), n),
                (format!("{n} years before today"), n),
                (format!("{n} years prior to today"), n),
                (format!("{n} years before this"), n),
                (format!("{} years before today", number(n)), n),
                (format!("in {n} years"), -n),
                (format!("{n} years from now"), -n),
                (format!("{n} years hence"), -n),
                (format!("{n} years later"), -n),
            ] {
                say("year-relative", "", text, within(years, chance), Train);
            }
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
            for (text, units) in [
                (format!("the current {unit}"), 0),
                (format!("the present {unit}"), 0),
                (format!("the preceding {unit}"), 1),
                (format!("the coming {unit}"), -1),
                (format!("the following {unit}"), -1),
                (format!("last {unit}"), 1),
                (format!("the {unit} before this"), 1),
                (format!("one {unit} ago"), 1),
                (format!("a {unit} ago"), 1),
                (format!("{n} {plural} ago"), n),
                (format!("{n} {plural} back"), n),
                (format!("{n} {plural} before today"), n),
                (format!("{} {plural} before this", small(n)), n),
                (format!("{} {plural} earlier", small(n)), n),
                (format!("{} {plural} from now", small(n)), -n),
                (format!("in {n} {plural}"), -n),
            ] {
                say(form, "", text, within(units, chance), Train);
            }
            let before = format!("{} {plural} before now", small(n));
            say(form, "", before, within(n, chance), HeldOut);
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
                for text in [
                    format!("these last {n} years"),
                    format!("the previous {n} years"),
                    format!("the preceding {n} years"),
                    format!("the {n} years just past"),
                    format!("the most recent {n} years"),
                    format!("the {n} years before this one"),
                    format!("the past {} years", number(n)),
                    format!("the {n} years that have gone by"),
                    format!("the {n} years until today"),
                    format!("the {n} years ending now"),
                    format!("the {n} years leading up to this one"),
                ] {
                    say("span-relative", "during ", text, anchor, Train);
                }
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
