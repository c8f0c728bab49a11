//! No text, however odd, stops the reader of dates or makes it slow.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use almanac::time::{
    Interval, Kind, Lang, Settings, Year, find, parse_edtf, parse_iso_day, scan, whole_in,
};
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn read_every_way(text: &str) {
    let settings = Settings::default();
    let anchor = parse_iso_day("2024-03-15");
    for anchor in [None, anchor] {
        let findings = scan(text, &settings, Lang::Auto, anchor);
        let mut last = 0;
        for expression in &findings.expressions {
            assert!(expression.range.start >= last, "{text:?} {expression:?}");
            assert!(text.get(expression.range.clone()).is_some());
            last = expression.range.end;
            let units = text[..expression.range.start].encode_utf16().count();
            assert_eq!(units, expression.utf16.start, "{text:?}");
            for candidate in &expression.candidates {
                if let (Some(a), Some(b)) = (
                    candidate.interval.first.day(),
                    candidate.interval.last.day(),
                ) {
                    assert!(a <= b, "{text:?} {expression:?}");
                }
                assert!(candidate.interval.contains(candidate.core), "{text:?}");
                let _ = candidate.edtf();
            }
            let reading = expression.reading(text);
            let said = reading.rsplit('→').next().unwrap_or("");
            assert!(
                !said.contains(" 0 ") && !said.contains("0000-"),
                "{reading}"
            );
        }
        let _ = whole_in(text, &settings, Lang::Auto, anchor);
        let tate = Settings::preset("tate").unwrap();
        let _ = whole_in(text, &tate, Lang::Auto, anchor);
    }
}

/// Text made of the words and signs that dates are written with.
fn dateish() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "c.",
        "circa ",
        "1850",
        "1850s",
        "19th",
        "century",
        " ",
        "-",
        "–",
        "/",
        "early",
        "mid-",
        "late ",
        "before ",
        "after ",
        "or ",
        "and ",
        "between ",
        "from ",
        "to ",
        "BCE",
        " BC",
        "AD ",
        "May",
        "June ",
        "12",
        "3",
        "31",
        "th",
        ",",
        "(",
        ")",
        "?",
        "[",
        "]",
        "the ",
        "of ",
        "last ",
        "next ",
        "week",
        "days ",
        "ago",
        "half ",
        "first ",
        "乾隆",
        "四十六",
        "年",
        "三月",
        "閏",
        "初",
        "甲子",
        "丁亥",
        "清",
        "明",
        "末",
        "元",
        "公元",
        "前",
        "世紀",
        "至",
        "或",
        "日",
        "～",
        "０",
        "９",
        "〇",
        "¶\n",
        "<pb:x>",
        "Meiji period",
        "Tang dynasty",
        "printed ",
        "cast ",
        ".",
        "'",
        "s",
        "XIX",
        "an II",
        "Messidor ",
        "99999999999999999999",
        "00",
        "0",
        "BP",
        "ya",
        "Q3",
        "on ",
        "Friday ",
        "Christmas ",
        "今",
        "去",
        "天",
        "周",
        "\u{301}",
        "é",
        "𠮷",
    ]);
    prop::collection::vec(part, 0..14).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn arbitrary_unicode_is_read_without_panic(text in any::<String>()) {
        read_every_way(&text);
    }

    #[test]
    fn words_of_dates_in_any_order_are_read_without_panic(text in dateish()) {
        read_every_way(&text);
    }

    #[test]
    fn readings_are_the_same_every_time(text in dateish()) {
        let settings = Settings::default();
        let anchor = parse_iso_day("2024-03-15");
        let a = scan(&text, &settings, Lang::Auto, anchor);
        let b = scan(&text, &settings, Lang::Auto, anchor);
        prop_assert_eq!(a, b);
    }

    #[test]
    fn edtf_that_is_written_is_read_back(text in dateish()) {
        let settings = Settings::default();
        for expression in find(&text, &settings, Lang::Auto, None) {
            if expression.kind == Kind::Seasonal {
                continue;
            }
            for candidate in &expression.candidates {
                let beyond = [candidate.core.first, candidate.core.last]
                    .iter()
                    .filter_map(|b| b.day())
                    .any(|d| d.year().0.abs() > 9_000);
                if beyond {
                    continue;
                }
                let edtf = candidate.edtf();
                let back = parse_edtf(&edtf, &settings);
                prop_assert!(back.is_ok(), "{text:?} gives {edtf}: {back:?}");
                let back = back.unwrap();
                prop_assert_eq!(back.candidates[0].core, candidate.core, "{} from {}", edtf, text);
                // A part of a century has no mask, nor has one that begins with year 1: its grain is lost
                // in writing, and with it the width of "circa".
                if candidate.approximate && back.candidates[0].precision != candidate.precision {
                    continue;
                }
                prop_assert_eq!(back.candidates[0].interval, candidate.interval, "{} from {}", edtf, text);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000_000))]

    #[test]
    fn displayed_years_are_never_zero(y in -200_000i64..3_000, n in 0i64..2_000) {
        let interval = Interval::years(Year(y), Year(y + n)).unwrap();
        let text = interval.display();
        prop_assert!(!text.starts_with("0 ") && !text.starts_with('-') && !text.contains(" 0 "), "{text}");
    }

    #[test]
    fn hull_and_intersection_bound_their_parts(a in -900_000i64..900_000, b in 0i64..4_000, c in -900_000i64..900_000, d in 0i64..4_000) {
        use almanac::time::DayNumber;
        let x = Interval::new(DayNumber(a), DayNumber(a + b)).unwrap();
        let y = Interval::new(DayNumber(c), DayNumber(c + d)).unwrap();
        let hull = x.hull(y);
        prop_assert!(hull.contains(x) && hull.contains(y));
        if let Some(both) = x.intersect(y) {
            prop_assert!(x.contains(both) && y.contains(both));
        }
    }
}

/// The time this thread has run, where the system tells it, so that a busy machine looks no slower;
/// elsewhere the time since `start`.
fn time_run(start: Instant) -> Duration {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|line| line.split(' ').next()?.parse().ok())
        .map_or_else(|| start.elapsed(), Duration::from_nanos)
}

#[test]
fn long_lines_of_one_sign_are_read_in_linear_time() {
    for unit in [
        "1",
        "年",
        "(",
        "[",
        "0年",
        "甲子",
        "before ",
        "c. ",
        "19th-",
        "1850-",
        "1850/",
        "乾隆",
        "閏",
        "Meiji period, ",
        "after 1850 and ",
        "May ",
        "1 ",
        "一",
        "千",
        "- ",
        "the ",
        "first ",
        "清",
        "至",
        "或",
        "1850 or ",
        "2 days and ",
        "<pb:",
        "¶",
        "'",
        "A.",
        "ed.B.",
        "week of ",
        "年前",
        "十",
        "next ",
        "1.",
        "1,000,",
        "-",
        "/",
        "?",
        "mid-",
        "後漢",
        "夏秋",
        "正二月",
        "一月",
        "5 years and ",
        "1 year before ",
        "[18--] ",
        "1850 [i.e. ",
        "Easter ",
        "500,000-",
    ] {
        let line = unit.repeat(1_000_000 / unit.len());
        let short = &line[..line.len() / 8 / unit.len() * unit.len()];
        let anchor = parse_iso_day("2024-03-15");
        let settings = Settings::default();
        // The least of three, because other tests run at the same time.
        let time = |text: &str| {
            (0..3)
                .map(|_| {
                    let start = Instant::now();
                    let before = time_run(start);
                    let _ = scan(text, &settings, Lang::Auto, anchor);
                    time_run(start) - before
                })
                .min()
                .unwrap()
        };
        let (small, large) = (time(short), time(&line));
        assert!(large < Duration::from_secs(3), "{unit:?}: {large:?}");
        // Eight times the text may take eight times as long, and is given four times that.
        let floor = small.max(Duration::from_millis(8));
        assert!(large < floor * 32, "{unit:?}: {small:?} then {large:?}");
    }
}
