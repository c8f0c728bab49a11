//! Reads any text for dates, in every way the library offers.
//!
//! Run with `cargo fuzz run time`.
#![no_main]

use almanac::time::{Lang, Settings, parse_edtf, parse_iso_day, scan, whole_in};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let settings = Settings::default();
    for anchor in [None, parse_iso_day("2024-03-15")] {
        for expression in scan(text, &settings, Lang::Auto, anchor).expressions {
            assert!(text.get(expression.range.clone()).is_some());
            let _ = expression.reading(text);
            let _ = expression.edtf();
        }
        let _ = whole_in(text, &settings, Lang::Auto, anchor);
    }
    let _ = parse_edtf(text, &settings);
});
