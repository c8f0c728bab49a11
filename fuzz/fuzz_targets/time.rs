//! Reads any text for dates in every way the library offers, and holds what is read to its laws:
//! expressions in order and on character boundaries, intervals that are not reversed and hold what
//! is written, no year 0 for a reader, and EDTF that is read back as the same days.
//!
//! `fuzz/run` builds it and runs it.
#![no_main]

use almanac::time::{
    Expression, Interval, Kind, Lang, Settings, parse_edtf, parse_iso_day, scan, whole_in,
};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

fn in_order(interval: Interval) -> bool {
    match (interval.first.day(), interval.last.day()) {
        (Some(a), Some(b)) => a <= b,
        _ => true,
    }
}

/// EDTF has years only beyond four digits, so days there are not written whole.
fn within_four_digits(interval: Interval) -> bool {
    [interval.first, interval.last]
        .iter()
        .filter_map(|bound| bound.day())
        .all(|day| day.year().0.abs() <= 9_000)
}

fn check(text: &str, expression: &Expression, settings: &Settings) {
    assert!(text.get(expression.range.clone()).is_some());
    let reading = expression.reading(text);
    let said = reading.rsplit('→').next().unwrap_or("");
    assert!(
        !said.contains(" 0 ") && !said.contains("0000-"),
        "{reading}"
    );
    let _ = expression.edtf();
    for candidate in &expression.candidates {
        assert!(in_order(candidate.interval), "{expression:?}");
        assert!(
            candidate.interval.contains(candidate.core),
            "{expression:?}"
        );
        if expression.kind == Kind::Seasonal || !within_four_digits(candidate.core) {
            continue;
        }
        let edtf = candidate.edtf();
        match parse_edtf(&edtf, settings) {
            Ok(back) => assert!(
                back.candidates
                    .first()
                    .is_some_and(|c| c.core == candidate.core),
                "{edtf} is {back:?}, not {candidate:?}"
            ),
            Err(error) => panic!("{edtf} of {candidate:?}: {error}"),
        }
    }
}

fuzz_target!(|text: &str| {
    static PRESETS: OnceLock<Vec<Settings>> = OnceLock::new();
    let presets = PRESETS.get_or_init(|| {
        Settings::PRESETS
            .iter()
            .filter_map(|name| Settings::preset(name))
            .collect()
    });
    let settings = Settings::default();
    for anchor in [None, parse_iso_day("2024-03-15")] {
        let mut last = 0;
        for expression in scan(text, &settings, Lang::Auto, anchor).expressions {
            assert!(expression.range.start >= last, "{expression:?}");
            last = expression.range.end;
            check(text, &expression, &settings);
        }
    }
    for settings in presets {
        if let Some(field) = whole_in(text, settings, Lang::Auto, None) {
            for expression in field.parts.iter().chain([&field.dating]) {
                assert!(text.get(expression.range.clone()).is_some());
                assert!(expression.candidates.iter().all(|c| in_order(c.interval)));
            }
        }
    }
    let _ = parse_edtf(text, &settings);
});
