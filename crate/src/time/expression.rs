//! What a reading of a text yields: expressions with candidate intervals.

use super::calendar::Year;
use super::edtf;
use super::interval::{Bound, Interval, YearArc};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The grain in which a date is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precision {
    /// A day.
    Day,
    /// A week or weekend.
    Week,
    /// A month, civil or lunar.
    Month,
    /// A season or a quarter or half of a year.
    Season,
    /// A year, civil or lunar.
    Year,
    /// A part of ten years or ten years.
    Decade,
    /// A part of a hundred years or a hundred years.
    Century,
    /// A thousand years.
    Millennium,
    /// A dynasty, reign, era or other named period, or a part of one.
    Period,
}

/// How the candidates of an expression relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// One stretch of days; further candidates, if any, are narrower readings of the same words.
    Interval,
    /// Exactly one of the candidates is meant.
    OneOf,
    /// All of the candidates are meant.
    AllOf,
    /// A part of the year in no given year.
    Seasonal,
    /// One stretch with an open or unknown end.
    Open,
}

/// What happened at the date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The text only names the date.
    Mentioned,
    /// The object was made.
    Created,
    /// The object was designed, modeled or conceived.
    Designed,
    /// The object was manufactured, fabricated or produced.
    Manufactured,
    /// An impression or print was taken.
    Printed,
    /// A further printing.
    Reprinted,
    /// A sculpture was cast.
    Cast,
    /// The object was published or issued.
    Published,
    /// The object was shown.
    Exhibited,
    /// The object was engraved.
    Engraved,
    /// The object was changed later.
    Reworked,
    /// The object was remade or reconstructed.
    Reconstructed,
    /// The object was restored or put together again.
    Restored,
    /// A version, edition or copy of the object was made.
    Version,
    /// A replica of the object was made.
    Replica,
    /// The object belongs to a project of these years.
    Project,
    /// A patent was granted.
    Patented,
    /// Birth, death, or the years between them.
    Lifespan,
}

/// One reading of an expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The days that are meant, after the collection's width for approximate dates.
    pub interval: Interval,
    /// The days that are written, before that width.
    pub core: Interval,
    /// The grain in which the date is written.
    pub precision: Precision,
    /// Whether the date is written as approximate ("circa").
    pub approximate: bool,
    /// Whether the date is written as uncertain ("?", "probably").
    pub uncertain: bool,
    /// The era or ruler the reading supposes, such as "清 乾隆".
    pub label: Option<String>,
}

impl Candidate {
    /// A reading whose interval is exactly what is written.
    pub fn exact(interval: Interval, precision: Precision) -> Self {
        Self {
            interval,
            core: interval,
            precision,
            approximate: false,
            uncertain: false,
            label: None,
        }
    }

    /// The reading in EDTF (ISO 8601-2), from what is written, so that it keeps "circa" as `~`.
    ///
    /// ```
    /// use almanac::time::{whole, Settings};
    /// let field = whole("c. 1850", &Settings::default()).unwrap();
    /// assert_eq!(field.dating.candidates[0].edtf(), "1850~");
    /// ```
    pub fn edtf(&self) -> String {
        edtf::write_candidate(self)
    }

    /// The reading for a reader, such as "c. 1850 (1845 to 1855)".
    pub fn display(&self) -> String {
        let mut out = if self.approximate && self.core != self.interval {
            format!("c. {} ({})", self.core.display(), self.interval.display())
        } else if self.approximate {
            format!("c. {}", self.core.display())
        } else {
            self.interval.display()
        };
        if self.uncertain {
            out.push_str(" (uncertain)");
        }
        if let Some(label) = &self.label {
            out.push_str(", ");
            out.push_str(label);
        }
        out
    }
}

/// A temporal expression found in a text, grounded to days.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expression {
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
    /// Where it stands, in UTF-16 units of the text, as a browser counts.
    pub utf16: Range<usize>,
    /// The readings, most likely first; at least one unless the kind is [`Kind::Seasonal`].
    pub candidates: Vec<Candidate>,
    /// How the candidates relate.
    pub kind: Kind,
    /// What happened at the date.
    pub role: Role,
    /// The part of the year, when the expression names one without a year.
    pub arc: Option<YearArc>,
}

impl Expression {
    /// Whether any reading is written as approximate.
    pub fn approximate(&self) -> bool {
        self.candidates.iter().any(|c| c.approximate)
    }

    /// The grain of the first reading.
    pub fn precision(&self) -> Precision {
        self.candidates
            .first()
            .map_or(Precision::Month, |c| c.precision)
    }

    /// The smallest interval that holds every reading; `None` without a reading.
    pub fn hull(&self) -> Option<Interval> {
        self.candidates
            .iter()
            .map(|c| c.interval)
            .reduce(Interval::hull)
    }

    /// The expression in EDTF: a set in brackets when one of several dates is meant, in braces
    /// when all are; `None` without a reading.
    pub fn edtf(&self) -> Option<String> {
        let parts: Vec<String> = self.candidates.iter().map(Candidate::edtf).collect();
        let first = parts.first()?.clone();
        let set = |open: char, close: char| {
            let members: Vec<String> = parts.iter().map(|p| p.replace('/', "..")).collect();
            format!("{open}{}{close}", members.join(","))
        };
        Some(match self.kind {
            Kind::OneOf if parts.len() > 1 => set('[', ']'),
            Kind::AllOf if parts.len() > 1 => set('{', '}'),
            _ => first,
        })
    }

    /// The words and what they were understood as, such as "康熙三年五月 → 25 May to 23 June 1664".
    ///
    /// `text` is the text the expression was found in.
    pub fn reading(&self, text: &str) -> String {
        let words = text.get(self.range.clone()).unwrap_or("");
        let joint = match self.kind {
            Kind::AllOf => " and ",
            _ => " or ",
        };
        let limit = if self.kind == Kind::Interval { 1 } else { 8 };
        let mut said: Vec<String> = self
            .candidates
            .iter()
            .take(limit)
            .map(Candidate::display)
            .collect();
        if self.candidates.len() > limit && self.kind != Kind::Interval {
            said.push(String::from("…"));
        }
        if self.kind == Kind::Seasonal {
            return format!("{words} → every year, {}", self.arc_display());
        }
        format!("{words} → {}", said.join(joint))
    }

    fn arc_display(&self) -> String {
        let Some(arc) = self.arc else {
            return String::from("at any time");
        };
        let day = |position: f64| {
            let offset = position.rem_euclid(super::interval::YEAR_LENGTH_DAYS) as i64;
            let base = Year(2001).first_day().0;
            let (_, month, day) = super::calendar::DayNumber(base + offset).to_gregorian();
            format!("{day} {}", super::calendar::month_name(month))
        };
        if arc.length <= 1.5 {
            format!("about {}", day(arc.center))
        } else {
            format!(
                "about {} to {}",
                day(arc.center - arc.length / 2.0),
                day(arc.center + arc.length / 2.0 - 1.0)
            )
        }
    }

    /// The kind that fits a list of readings.
    pub(crate) fn kind_of(candidates: &[Candidate]) -> Kind {
        match candidates {
            [] => Kind::Seasonal,
            [only] if only.interval.is_open() => Kind::Open,
            [first, rest @ ..] => {
                if rest.iter().all(|c| first.interval.contains(c.interval)) {
                    Kind::Interval
                } else {
                    Kind::OneOf
                }
            }
        }
    }
}

/// A date that is written but cannot be: it names no day, and the reason says why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
    /// Where it stands, in UTF-16 units of the text.
    pub utf16: Range<usize>,
    /// Why no day is given, such as "雍正 has 13 years, not 23".
    pub reason: String,
}

/// The first and last day of a bound pair as ISO dates, absent where open or unknown.
pub(crate) fn iso_bounds(interval: Interval) -> (Option<String>, Option<String>) {
    let text = |bound: Bound| bound.day().map(|day| day.to_string());
    (text(interval.first), text(interval.last))
}
