//! Import of a catalogue's date columns: the display text beside earliest and latest.

use super::calendar::{DayNumber, Year};
use super::interval::{Bound, Interval};
use super::settings::{BceConvention, Settings};
use super::{Field, whole};

/// How the text and the columns of a row agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Conflict {
    /// The earliest date is after the latest.
    StartAfterEnd,
    /// A year lies too far from today to be meant, such as 153505.
    YearOutOfRange,
    /// A cell is no date.
    NotADate,
    /// The columns are Julian days of the days that the text gives in the Gregorian calendar.
    JulianShift,
    /// The columns count years before the common era without a year 0.
    NoYearZero,
    /// The columns begin or end in other years than the text.
    OtherYears,
}

/// One row of an imported catalogue, read.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedDate {
    /// The dating to index: the columns, corrected, or else the text.
    pub interval: Option<Interval>,
    /// The text as read.
    pub field: Option<Field>,
    /// What does not agree, each with a message that names the row and the cells.
    pub conflicts: Vec<(Conflict, String)>,
}

/// The furthest year after the common era that an imported column may hold.
const LAST_YEAR: i64 = 2200;

/// Reads a row's date text with its earliest and latest columns; `row` is the number to report.
///
/// Cells are ISO dates or years; empty cells are unknown, and a single filled one counts where the
/// text is no date. A year's end written as 1 January stands
/// for the whole year. Columns exported as Julian days or without a year 0 are recognized by the
/// text and corrected.
///
/// ```
/// use almanac::time::{import_row, Conflict, Settings};
/// let settings = Settings::preset("cmoa").unwrap();
/// let row = import_row(7, "960-1279", "0959-12-27", "1278-12-25", &settings);
/// assert_eq!(row.interval.unwrap().display(), "960 to 1279");
/// assert_eq!(row.conflicts[0].0, Conflict::JulianShift);
/// ```
pub fn import_row(
    row: usize,
    text: &str,
    earliest: &str,
    latest: &str,
    settings: &Settings,
) -> ImportedDate {
    let field = whole(text, settings);
    let said = field
        .as_ref()
        .and_then(|f| f.dating.hull())
        .filter(|interval| !interval.is_open());
    let mut conflicts: Vec<(Conflict, String)> = Vec::new();
    let mut report =
        |kind: Conflict, what: String| conflicts.push((kind, format!("row {row}: {what}")));
    let mut cell = |name: &str, value: &str| -> Option<Cell> {
        let value = value.trim();
        if value.is_empty() {
            return None;
        }
        let read = Cell::read(value);
        match &read {
            None => report(
                Conflict::NotADate,
                format!("{name} \"{value}\" is no date; expected YYYY or YYYY-MM-DD"),
            ),
            Some(cell) if cell.year > LAST_YEAR => {
                report(
                    Conflict::YearOutOfRange,
                    format!("{name} \"{value}\" lies beyond the year {LAST_YEAR}"),
                );
                return None;
            }
            Some(_) => {}
        }
        read
    };
    let (first, last) = (cell("earliest", earliest), cell("latest", latest));
    let (first, last) = match (first, last) {
        (Some(first), Some(last)) => (first, last),
        (first, last) => {
            let half = || {
                let from = first.and_then(|cell| cell.start(false, false));
                let to = last.and_then(|cell| cell.end(false, false));
                (from.is_some() || to.is_some()).then(|| Interval {
                    first: from.map_or(Bound::Unknown, Bound::Day),
                    last: to.map_or(Bound::Unknown, Bound::Day),
                })
            };
            return ImportedDate {
                interval: said.or_else(half),
                field,
                conflicts,
            };
        }
    };
    // The ways the two cells may be meant, the plainest first.
    let historical = settings.bce == BceConvention::Historical;
    let readings = [(false, false), (true, false), (false, true), (true, true)];
    let of = |(julian, no_zero): (bool, bool)| -> Option<Interval> {
        Interval::new(first.start(julian, no_zero)?, last.end(julian, no_zero)?)
    };
    let years = |interval: Interval| {
        Some((
            interval.first.day()?.year().0,
            interval.last.day()?.year().0,
        ))
    };
    let plain = of((false, historical && first.year.min(last.year) < 0));
    let Some(said) = said else {
        if plain.is_none() {
            report(
                Conflict::StartAfterEnd,
                format!("earliest \"{earliest}\" is after latest \"{latest}\""),
            );
        }
        return ImportedDate {
            interval: plain,
            field,
            conflicts,
        };
    };
    let wanted = years(said);
    // Of the readings that agree with the text, one that begins with a year is the likeliest.
    let begins_year = |reading: (bool, bool)| {
        of(reading)
            .and_then(|x| x.first.day())
            .is_some_and(|day| day == day.year().first_day())
    };
    let agreeing: Vec<(bool, bool)> = readings
        .into_iter()
        .filter(|reading| of(*reading).and_then(years) == wanted)
        .collect();
    let matching = agreeing
        .iter()
        .copied()
        .find(|reading| begins_year(*reading))
        .or(agreeing.first().copied());
    let interval = match matching {
        Some(reading @ (julian, no_zero)) => {
            if julian {
                report(
                    Conflict::JulianShift,
                    format!(
                        "earliest \"{earliest}\" and latest \"{latest}\" are Julian days of {}",
                        said.display()
                    ),
                );
            }
            if no_zero {
                report(
                    Conflict::NoYearZero,
                    format!(
                        "earliest \"{earliest}\" and latest \"{latest}\" count years without a year 0"
                    ),
                );
            }
            of(reading)
        }
        None => match plain {
            None => {
                report(
                    Conflict::StartAfterEnd,
                    format!(
                        "earliest \"{earliest}\" is after latest \"{latest}\"; \"{text}\" is read as {}",
                        said.display()
                    ),
                );
                Some(said)
            }
            Some(plain) => {
                report(
                    Conflict::OtherYears,
                    format!(
                        "columns give {}, \"{text}\" is read as {}",
                        plain.display(),
                        said.display()
                    ),
                );
                Some(plain)
            }
        },
    };
    ImportedDate {
        interval,
        field,
        conflicts,
    }
}

/// A date cell: a year, or a year, month and day.
struct Cell {
    year: i64,
    month_day: Option<(u8, u8)>,
}

impl Cell {
    fn read(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text),
        };
        let mut parts = digits.split('-');
        let year: i64 = parts.next()?.parse().ok()?;
        if year > Year::LIMIT {
            return None;
        }
        let year = sign * year;
        let month_day = match (parts.next(), parts.next()) {
            (None, _) => None,
            (Some(month), Some(day)) => {
                let (month, day): (u8, u8) = (month.parse().ok()?, day.parse().ok()?);
                DayNumber::from_gregorian(Year(4), month, day)?;
                Some((month, day))
            }
            (Some(_), None) => return None,
        };
        Some(Self { year, month_day })
    }

    fn year(&self, no_zero: bool) -> i64 {
        if no_zero && self.year < 0 {
            self.year + 1
        } else {
            self.year
        }
    }

    fn day(&self, julian: bool, no_zero: bool) -> Option<DayNumber> {
        let (month, day) = self.month_day.unwrap_or((1, 1));
        let year = Year(self.year(no_zero));
        // Exports that write Julian days change calendars at the reform.
        let reformed = (year.0, month, day) >= (1582, 10, 15);
        if julian && self.month_day.is_some() && !reformed {
            DayNumber::from_julian(year, month, day)
        } else {
            DayNumber::from_gregorian(year, month, day)
        }
    }

    fn start(&self, julian: bool, no_zero: bool) -> Option<DayNumber> {
        self.day(julian, no_zero)
    }

    fn end(&self, julian: bool, no_zero: bool) -> Option<DayNumber> {
        let day = self.day(julian, no_zero)?;
        let (year, month, date) = day.to_gregorian();
        // A bare year, or 1 January, is the end of an interval of whole years.
        Some(if self.month_day.is_none() || (month, date) == (1, 1) {
            year.last_day()
        } else {
            day
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    fn kinds(text: &str, earliest: &str, latest: &str) -> Vec<Conflict> {
        let settings = Settings::preset("cmoa").unwrap();
        import_row(1, text, earliest, latest, &settings)
            .conflicts
            .into_iter()
            .map(|(kind, _)| kind)
            .collect()
    }

    #[test]
    fn faults_of_exports_are_reported_by_row() {
        assert_eq!(kinds("c. 1860", "1855-01-01", "1865-01-01"), []);
        assert_eq!(
            kinds("960-1279", "0959-12-27", "1278-12-25"),
            [Conflict::JulianShift]
        );
        assert_eq!(
            kinds("664 BCE-525 BCE", "-0664-01-08", "-0525-01-07"),
            [Conflict::JulianShift, Conflict::NoYearZero]
        );
        assert_eq!(
            kinds("1935", "1935-01-01", "153505-01-01"),
            [Conflict::YearOutOfRange]
        );
        assert_eq!(
            kinds("1819", "1819-01-01", "1818-01-01"),
            [Conflict::StartAfterEnd]
        );
        assert_eq!(kinds("1913", "1904", "1904"), [Conflict::OtherYears]);
        assert_eq!(kinds("1913", "about 1904", "1904"), [Conflict::NotADate]);
    }

    #[test]
    fn columns_that_cross_the_reform_are_julian_before_it_only() {
        let settings = Settings::preset("cmoa").unwrap();
        let row = import_row(1, "16th century", "1499-12-23", "1599-01-01", &settings);
        assert_eq!(row.conflicts[0].0, Conflict::JulianShift);
        assert_eq!(row.interval.unwrap().display(), "1500 to 1599");
    }

    #[test]
    fn one_filled_column_bounds_a_row_without_a_date_text() {
        let settings = Settings::default();
        let interval = |text, earliest, latest| {
            import_row(1, text, earliest, latest, &settings)
                .interval
                .map(Interval::display)
        };
        assert_eq!(interval("", "1850", ""), Some("from 1850".into()));
        assert_eq!(interval("n.d.", "", "1850"), Some("up to 1850".into()));
        assert_eq!(interval("1844", "1850", ""), Some("1844".into()));
        assert_eq!(interval("", "", ""), None);
    }

    #[test]
    fn message_names_the_row_and_the_cells() {
        let settings = Settings::default();
        let row = import_row(12, "1819", "1819-01-01", "1818-01-01", &settings);
        let message = &row.conflicts[0].1;
        assert!(message.starts_with("row 12: ") && message.contains("1818-01-01"));
        assert_eq!(row.interval.unwrap().display(), "1819");
    }
}
