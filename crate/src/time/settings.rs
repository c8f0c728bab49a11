//! What a collection's own conventions change about the reading of its dates.

use super::expression::Role;
use serde::{Deserialize, Serialize};

/// How far an approximate date reaches beyond what is written, in whole years on each side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum CircaWidth {
    /// The same number of years for every date.
    Years(i64),
    /// A share of the distance between the date and `reference_year`, but at least `at_least`.
    Distance {
        /// The year that the distance is counted from.
        reference_year: i64,
        /// Years of width for each thousand years of distance.
        per_thousand: i64,
        /// The smallest width, in years.
        at_least: i64,
    },
}

impl CircaWidth {
    /// The width for a date in an astronomical year, in years.
    ///
    /// ```
    /// use almanac::time::CircaWidth;
    /// let width = CircaWidth::Distance { reference_year: 2000, per_thousand: 50, at_least: 5 };
    /// assert_eq!(width.at(1950), 5);
    /// assert_eq!(width.at(-2000), 200);
    /// ```
    pub fn at(self, year: i64) -> i64 {
        match self {
            CircaWidth::Years(years) => years,
            CircaWidth::Distance {
                reference_year,
                per_thousand,
                at_least,
            } => at_least.max((reference_year - year).abs().saturating_mul(per_thousand) / 1000),
        }
    }
}

/// Which years of ten or a hundred "early", "mid" and "late" mean, as first and last offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// "early", such as (0, 32) for a century.
    pub early: (i64, i64),
    /// "mid".
    pub mid: (i64, i64),
    /// "late".
    pub late: (i64, i64),
}

/// The order of day and month in an all-numeric date whose parts are both at most 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DayMonthOrder {
    /// 2/11/1917 is 2 November.
    DayFirst,
    /// 2/11/1917 is 11 February.
    MonthFirst,
}

/// Where the seasons are those of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hemisphere {
    /// Spring is March to May.
    North,
    /// Spring is September to November.
    South,
}

/// What a negative year in an imported column means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BceConvention {
    /// ISO 8601 and astronomy: year 0 is 1 BC and -1 is 2 BC.
    Astronomical,
    /// CCO and many exports: -1 is 1 BC and there is no year 0.
    Historical,
}

/// Which calendar a Chinese month without an era belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChineseMonths {
    /// 三月 is the third lunar month; 3月, in Arabic digits, is March.
    Lunar,
    /// Every month is a civil one, as in modern prose.
    Civil,
}

/// Which of the dates in a catalogue field are the object's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldPolicy {
    /// Roles whose dates belong beside a date of creation.
    pub with_creation: Vec<Role>,
    /// Roles whose dates belong together when the field gives no date of creation.
    pub without_creation: Vec<Role>,
    /// The year up to which "printed posthumously" reaches.
    pub posthumous_until: Option<i64>,
}

/// The conventions by which dates are read; the default is Almanac's own.
///
/// ```
/// use almanac::time::Settings;
/// assert_eq!(Settings::preset("tate").unwrap().circa.at(1850), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Width of "circa" about a day, month or year, and about each end of a range.
    pub circa: CircaWidth,
    /// Width of "circa" about a decade: years before its first and after its last.
    pub circa_decade: (i64, i64),
    /// Width of "circa" about a century or a longer span, in years on each side.
    pub circa_century: i64,
    /// Width of a question mark after a year, in years on each side.
    pub uncertain: i64,
    /// Early, mid and late of a century.
    pub century_parts: Parts,
    /// Early, mid and late of a decade.
    pub decade_parts: Parts,
    /// Day-month order of numeric dates.
    pub day_month: DayMonthOrder,
    /// The hemisphere of the seasons.
    pub hemisphere: Hemisphere,
    /// The meaning of negative years in imported columns.
    pub bce: BceConvention,
    /// The calendar of Chinese months without an era.
    pub chinese_months: ChineseMonths,
    /// Which of a catalogue field's dates make up the object's own dating; when absent, each date
    /// stays an expression of its own.
    pub field: Option<FieldPolicy>,
    /// Whether a field such as "2001-21" is read as EDTF before it is read as a museum's range.
    pub edtf_first: bool,
    /// Whether circa written without a space, or before a range with a spaced dash, widens the
    /// beginning of the range only, as in CMOA's records.
    pub circa_by_writing: bool,
    /// Whether an open bound in a catalogue field is closed at the year written, as in Tate's
    /// "after 1836".
    pub close_open_fields: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            circa: CircaWidth::Years(5),
            circa_decade: (5, 5),
            circa_century: 10,
            uncertain: 0,
            century_parts: THIRDS_OF_CENTURY,
            decade_parts: THIRDS_OF_DECADE,
            day_month: DayMonthOrder::MonthFirst,
            hemisphere: Hemisphere::North,
            bce: BceConvention::Astronomical,
            chinese_months: ChineseMonths::Lunar,
            field: None,
            circa_by_writing: false,
            edtf_first: true,
            close_open_fields: false,
        }
    }
}

/// Thirds of a century: 0 to 32, 33 to 66 and 67 to 99.
const THIRDS_OF_CENTURY: Parts = Parts {
    early: (0, 32),
    mid: (33, 66),
    late: (67, 99),
};

/// The decade parts of the TS-Retriever relevance judgments: 0 to 2, 3 to 6 and 7 to 9.
const THIRDS_OF_DECADE: Parts = Parts {
    early: (0, 2),
    mid: (3, 6),
    late: (7, 9),
};

impl Settings {
    /// The names that [`Settings::preset`] knows.
    pub const PRESETS: [&'static str; 6] =
        ["almanac", "cmoa", "tate", "cco", "ts-retriever", "temps"];

    /// The settings named after where they come from; `None` for a name that is not in
    /// [`Settings::PRESETS`].
    ///
    /// `cmoa` and `tate` are the majority rules of those museums' open data, derived per shape of
    /// text; `cco` follows Cataloging Cultural Objects; `ts-retriever` and `temps` follow the
    /// decade parts of those two benchmarks.
    pub fn preset(name: &str) -> Option<Self> {
        let base = Self::default();
        Some(match name {
            "almanac" => base,
            "cmoa" => Self {
                circa_decade: (5, 6),
                circa_century: 5,
                uncertain: 5,
                century_parts: Parts {
                    early: (0, 30),
                    mid: (25, 75),
                    late: (75, 99),
                },
                decade_parts: Parts {
                    early: (0, 5),
                    mid: (2, 6),
                    late: (5, 9),
                },
                bce: BceConvention::Historical,
                field: Some(FieldPolicy {
                    with_creation: vec![Role::Designed, Role::Reworked],
                    without_creation: vec![
                        Role::Designed,
                        Role::Manufactured,
                        Role::Printed,
                        Role::Cast,
                    ],
                    posthumous_until: Some(1981),
                }),
                circa_by_writing: true,
                edtf_first: false,
                ..base
            },
            "tate" => Self {
                circa: CircaWidth::Years(0),
                circa_decade: (0, 0),
                circa_century: 0,
                century_parts: Parts {
                    early: (0, 49),
                    mid: (25, 75),
                    late: (50, 99),
                },
                decade_parts: Parts {
                    early: (0, 5),
                    mid: (3, 6),
                    late: (5, 9),
                },
                day_month: DayMonthOrder::DayFirst,
                field: Some(FieldPolicy {
                    with_creation: vec![
                        Role::Printed,
                        Role::Reconstructed,
                        Role::Reworked,
                        Role::Version,
                    ],
                    without_creation: Vec::new(),
                    posthumous_until: None,
                }),
                edtf_first: false,
                close_open_fields: true,
                ..base
            },
            "cco" => Self {
                circa_century: 20,
                uncertain: 5,
                bce: BceConvention::Historical,
                ..base
            },
            "ts-retriever" => Self {
                circa: CircaWidth::Years(0),
                circa_decade: (0, 0),
                circa_century: 0,
                ..base
            },
            "temps" => Self {
                decade_parts: Parts {
                    early: (0, 3),
                    mid: (4, 6),
                    late: (7, 9),
                },
                ..base
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn every_named_preset_exists() {
        for name in Settings::PRESETS {
            assert!(Settings::preset(name).is_some(), "{name}");
        }
        assert!(Settings::preset("louvre").is_none());
    }
}
