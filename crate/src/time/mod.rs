//! Time in text: dates, periods and eras grounded to exact days.
//!
//! Two entry points cover most uses. [`find`] reads running text and queries; [`whole`] reads a
//! catalogue's date column. Both take [`Settings`], because museums differ in what "circa" and
//! "early" mean.
//!
//! ```
//! use almanac::time::{find, Lang, Settings};
//!
//! let text = "Painted c. 1850, shown again in 1867.";
//! let found = find(text, &Settings::default(), Lang::Auto, None);
//! assert_eq!(found[0].reading(text), "c. 1850 → c. 1850 (1845 to 1855)");
//! assert_eq!(found[1].candidates[0].edtf(), "1867");
//! ```

mod calendar;
mod chinese;
mod dating;
mod edtf;
mod english;
mod error;
mod expression;
mod field;
mod import;
mod interval;
#[cfg(feature = "encoder")]
pub(crate) mod numeral;
mod report;
mod settings;

pub use calendar::{DayNumber, Year, parse_iso_day};
pub use dating::Dating;
pub use edtf::parse as parse_edtf;
pub use error::{Error, Result};
pub use expression::{Candidate, Expression, Kind, Precision, Refusal, Role};
pub use field::Field;
pub use import::{Conflict, ImportedDate, import_row};
pub use interval::{Bound, Interval, YEAR_LENGTH_DAYS, YearArc};
pub use report::{ReportOptions, report_line};
pub use settings::{
    BceConvention, ChineseMonths, CircaWidth, DayMonthOrder, FieldPolicy, Hemisphere, Parts,
    Settings,
};

/// The languages whose dates are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lang {
    /// Both, told apart by script.
    Auto,
    /// English only.
    English,
    /// Chinese only.
    Chinese,
}

impl Lang {
    /// The language of a name, "auto", "en" or "zh"; `None` for any other.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "auto" => Self::Auto,
            "en" => Self::English,
            "zh" => Self::Chinese,
            _ => return None,
        })
    }
}

/// What a text says about time: dates, and dates that cannot be.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Findings {
    /// The grounded expressions, in order and without overlap.
    pub expressions: Vec<Expression>,
    /// The expressions that name no possible day, with the reason.
    pub refusals: Vec<Refusal>,
}

/// Finds the temporal expressions of a passage or query, in order and without overlap.
///
/// `anchor` is the day that "yesterday" and "last century" count from, usually the day a text was
/// written or a query is asked; without it such expressions are left alone. The time taken grows
/// linearly with the text.
pub fn find(
    text: &str,
    settings: &Settings,
    lang: Lang,
    anchor: Option<DayNumber>,
) -> Vec<Expression> {
    scan(text, settings, lang, anchor).expressions
}

/// Finds the temporal expressions of a text and the impossible ones, such as 雍正二十三年.
pub fn scan(text: &str, settings: &Settings, lang: Lang, anchor: Option<DayNumber>) -> Findings {
    let mut findings = Findings::default();
    if lang == Lang::Auto
        && settings.edtf_first
        && edtf::is_marked(text)
        && !edtf::reads_as_range(text)
        && let Ok(expression) = parse_edtf(text, settings)
    {
        findings.expressions.push(expression);
        return findings;
    }
    read(text, settings, lang, anchor, false, &mut findings);
    fill_utf16(text, &mut findings);
    findings
}

/// Reads a whole catalogue field, such as "c. 1786–9" or "1891, cast 1925"; `None` when it holds
/// no date ("n.d.", "date not known").
///
/// ```
/// use almanac::time::{whole, Settings};
/// let field = whole("1891, cast 1925", &Settings::default()).unwrap();
/// assert_eq!(field.dating.candidates[0].interval.display(), "1891");
/// assert_eq!(field.parts.len(), 2);
/// assert!(whole("n.d.", &Settings::default()).is_none());
/// ```
pub fn whole(text: &str, settings: &Settings) -> Option<Field> {
    whole_in(text, settings, Lang::Auto, None)
}

/// Reads a whole catalogue field in a given language, against an anchor date.
pub fn whole_in(
    text: &str,
    settings: &Settings,
    lang: Lang,
    anchor: Option<DayNumber>,
) -> Option<Field> {
    if lang != Lang::Chinese
        && settings.edtf_first
        && edtf::is_marked(text)
        && !edtf::reads_as_range(text)
        && let Ok(mut expression) = parse_edtf(text, settings)
    {
        expression.role = Role::Created;
        return Some(Field {
            dating: expression.clone(),
            parts: vec![expression],
        });
    }
    let mut findings = Findings::default();
    read(text, settings, lang, anchor, true, &mut findings);
    fill_utf16(text, &mut findings);
    let mut field = field::combine(text, findings.expressions, settings)?;
    let mut one = Findings {
        expressions: vec![field.dating],
        refusals: Vec::new(),
    };
    fill_utf16(text, &mut one);
    field.dating = one.expressions.pop()?;
    Some(field)
}

/// Reads a text in the languages asked for; where both find something, the longer match stays.
fn read(
    text: &str,
    settings: &Settings,
    lang: Lang,
    anchor: Option<DayNumber>,
    field: bool,
    findings: &mut Findings,
) {
    if lang != Lang::English {
        *findings = chinese::find(text, settings, anchor, field);
    }
    let Findings {
        expressions: mut western,
        refusals: impossible,
    } = english::find(text, settings, anchor, field);
    if lang == Lang::Chinese {
        // Dates in figures are read in any language; words of another are not.
        western.retain(|e| {
            text.get(e.range.clone())
                .is_some_and(|t| !t.bytes().any(|b| b.is_ascii_alphabetic()))
        });
    }
    if findings.expressions.is_empty() && findings.refusals.is_empty() {
        findings.expressions = western;
        findings.refusals = impossible;
        return;
    }
    let mut merged: Vec<Expression> = Vec::with_capacity(western.len());
    let mut eastern = std::mem::take(&mut findings.expressions)
        .into_iter()
        .peekable();
    let mut refused = findings.refusals.iter().peekable();
    for expression in western {
        while let Some(next) = eastern.next_if(|e| e.range.end <= expression.range.start) {
            merged.push(next);
        }
        while refused
            .next_if(|r| r.range.end <= expression.range.start)
            .is_some()
        {}
        let meets_refusal = refused
            .peek()
            .is_some_and(|r| r.range.start < expression.range.end);
        let meets = eastern
            .peek()
            .is_some_and(|e| e.range.start < expression.range.end);
        if !meets && !meets_refusal {
            merged.push(expression);
        }
    }
    merged.extend(eastern);
    findings.expressions = merged;
    findings.refusals.extend(impossible);
    findings.refusals.sort_by_key(|r| r.range.start);
}

/// Turns the byte ranges of findings, which are in order, into UTF-16 ranges.
fn fill_utf16(text: &str, findings: &mut Findings) {
    if text.is_ascii() {
        for expression in &mut findings.expressions {
            expression.utf16 = expression.range.clone();
        }
        for refusal in &mut findings.refusals {
            refusal.utf16 = refusal.range.clone();
        }
        return;
    }
    let (mut bytes, mut units) = (0, 0);
    let mut upto = |target: usize| {
        if target < bytes {
            bytes = 0;
            units = 0;
        }
        if let Some(between) = text.get(bytes..target) {
            units += between.encode_utf16().count();
            bytes = target;
        }
        units
    };
    for expression in &mut findings.expressions {
        expression.utf16 = upto(expression.range.start)..upto(expression.range.end);
    }
    for refusal in &mut findings.refusals {
        refusal.utf16 = upto(refusal.range.start)..upto(refusal.range.end);
    }
}
