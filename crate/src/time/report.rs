//! Findings as JSON, one line for each text, for scripts and pages.

use super::calendar::{DayNumber, parse_iso_day};
use super::error::{Error, Result};
use super::expression::{Expression, Refusal, iso_bounds};
use super::settings::Settings;
use super::{Lang, scan, whole_in};
use serde::{Deserialize, Serialize};

/// How a text is read for [`report_line`].
#[derive(Clone, Debug)]
pub struct ReportOptions {
    /// The collection's conventions.
    pub settings: Settings,
    /// The languages to read.
    pub lang: Lang,
    /// The day that deictic expressions count from.
    pub anchor: Option<DayNumber>,
    /// Whether the text is a catalogue field and not running text.
    pub whole: bool,
}

/// The options as scripts write them; what is left out is as in [`Settings::default`].
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    preset: Option<String>,
    anchor: Option<String>,
    lang: Option<String>,
    whole: bool,
}

impl ReportOptions {
    /// Reads options from a JSON object such as
    /// `{"preset": "tate", "anchor": "2024-03-15", "lang": "en", "whole": true}`.
    ///
    /// Every member may be left out: the preset is then "almanac", there is no anchor, the language
    /// is "auto" and the text is running text.
    ///
    /// # Errors
    /// If the text is not such an object, or names no preset, day or language.
    ///
    /// ```
    /// use almanac::time::ReportOptions;
    /// assert!(ReportOptions::from_json(r#"{"whole": true}"#).unwrap().whole);
    /// let error = ReportOptions::from_json(r#"{"lang": "fr"}"#).unwrap_err();
    /// assert_eq!(error.to_string(), "lang \"fr\": no such language; choose auto, en or zh");
    /// ```
    pub fn from_json(text: &str) -> Result<Self> {
        // A list would pass for the members in order.
        let written: Written = serde_json::from_str::<serde_json::Map<_, _>>(text)
            .and_then(|object| serde_json::from_value(object.into()))
            .map_err(|error| {
                Error::new(format!(
                    "options: {error}; expected an object with preset, anchor, lang and whole"
                ))
            })?;
        let preset = written.preset.as_deref().unwrap_or("almanac");
        let settings = Settings::preset(preset).ok_or_else(|| {
            Error::new(format!(
                "preset {preset:?}: no such preset; choose one of {}",
                Settings::PRESETS.join(", ")
            ))
        })?;
        let lang = written.lang.as_deref().unwrap_or("auto");
        let lang = Lang::named(lang).ok_or_else(|| {
            Error::new(format!(
                "lang {lang:?}: no such language; choose auto, en or zh"
            ))
        })?;
        let anchor = match written.anchor.as_deref() {
            None => None,
            Some(day) => Some(parse_iso_day(day).ok_or_else(|| {
                Error::new(format!("anchor {day:?}: expected a day such as 2024-03-15"))
            })?),
        };
        Ok(Self {
            settings,
            lang,
            anchor,
            whole: written.whole,
        })
    }
}

#[derive(Serialize)]
struct Line<'a> {
    text: &'a str,
    found: Vec<Found<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Found<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<Refused<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    #[serde(rename = "match")]
    matched: &'a str,
    start: usize,
    end: usize,
    kind: super::Kind,
    approximate: bool,
    role: super::Role,
    candidates: Vec<Reading>,
    edtf: Option<String>,
    reading: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    arc: Option<super::YearArc>,
}

#[derive(Serialize)]
struct Reading {
    first: Option<String>,
    last: Option<String>,
    edtf: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

#[derive(Serialize)]
struct Refused<'a> {
    #[serde(rename = "match")]
    matched: &'a str,
    start: usize,
    end: usize,
    reason: &'a str,
}

/// One JSON object that says what dates a text holds.
///
/// `start` and `end` are byte offsets; `first` and `last` are ISO days, null where open. In a
/// whole field `found` is the object's own dating, after the collection's policy, or each dated
/// event when the collection has no such policy; `parts` then lists the events.
///
/// ```
/// use almanac::time::{report_line, Lang, ReportOptions, Settings};
/// let options = ReportOptions {
///     settings: Settings::default(),
///     lang: Lang::Auto,
///     anchor: None,
///     whole: false,
/// };
/// let line = report_line("c. 1850", &options);
/// assert!(line.contains(r#""first":"1845-01-01","last":"1855-12-31","edtf":"1850~""#));
/// ```
pub fn report_line(text: &str, options: &ReportOptions) -> String {
    let (found, parts, refusals) = if options.whole {
        match whole_in(text, &options.settings, options.lang, options.anchor) {
            None => {
                let refusals = scan(text, &options.settings, options.lang, options.anchor).refusals;
                (Vec::new(), Vec::new(), refusals)
            }
            Some(field) if options.settings.field.is_some() => {
                (vec![field.dating], field.parts, Vec::new())
            }
            Some(field) if field.single() => (vec![field.dating], Vec::new(), Vec::new()),
            Some(field) => (field.parts, Vec::new(), Vec::new()),
        }
    } else {
        let findings = scan(text, &options.settings, options.lang, options.anchor);
        (findings.expressions, Vec::new(), findings.refusals)
    };
    let line = Line {
        text,
        found: found.iter().map(|e| found_json(text, e)).collect(),
        parts: parts.iter().map(|e| found_json(text, e)).collect(),
        refused: refusals.iter().map(|r| refused_json(text, r)).collect(),
    };
    // Strings, numbers and lists always serialize.
    serde_json::to_string(&line).unwrap_or_default()
}

fn found_json<'a>(text: &'a str, expression: &Expression) -> Found<'a> {
    Found {
        matched: text.get(expression.range.clone()).unwrap_or(""),
        start: expression.range.start,
        end: expression.range.end,
        kind: expression.kind,
        approximate: expression.approximate(),
        role: expression.role,
        candidates: expression
            .candidates
            .iter()
            .map(|candidate| {
                let (first, last) = iso_bounds(candidate.interval);
                Reading {
                    first,
                    last,
                    edtf: candidate.edtf(),
                    label: candidate.label.clone(),
                }
            })
            .collect(),
        edtf: expression.edtf(),
        reading: expression.reading(text),
        arc: expression.arc,
    }
}

fn refused_json<'a>(text: &'a str, refusal: &'a Refusal) -> Refused<'a> {
    Refused {
        matched: text.get(refusal.range.clone()).unwrap_or(""),
        start: refusal.range.start,
        end: refusal.range.end,
        reason: &refusal.reason,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn options_that_are_left_out_have_the_defaults_of_the_command() {
        let options = ReportOptions::from_json("{}").unwrap();
        assert_eq!(options.settings, Settings::default());
        assert_eq!(options.lang, Lang::Auto);
        assert_eq!(options.anchor, None);
        assert!(!options.whole);
    }

    #[test]
    fn options_that_mean_nothing_are_refused_by_name() {
        for (text, part) in [
            ("", "options: "),
            ("[]", "options: "),
            (r#"{"presets": "cmoa"}"#, "unknown field `presets`"),
            (r#"{"preset": "louvre"}"#, "choose one of almanac, cmoa"),
            (r#"{"anchor": "2023-02-29"}"#, "anchor \"2023-02-29\""),
            (r#"{"lang": "fr"}"#, "choose auto, en or zh"),
            (r#"{"whole": "yes"}"#, "options: "),
        ] {
            let error = ReportOptions::from_json(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
