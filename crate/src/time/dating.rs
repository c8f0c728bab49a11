//! What ranking and filters need of a date: its readings, its part of the year and its role.

use serde::{Deserialize, Serialize};

use super::calendar::Year;
use super::expression::{Expression, Kind, Role};
use super::interval::{Interval, YEAR_LENGTH_DAYS, YearArc};

/// One date of a query or passage, reduced to what ranking needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dating {
    /// The intervals that may be meant; empty for a part of the year in no given year.
    pub readings: Vec<Interval>,
    /// The part of the year, when no year is given.
    pub arc: Option<YearArc>,
    /// What happened at the date.
    pub role: Role,
}

impl Dating {
    /// Takes over an expression found in a text.
    ///
    /// Of nested readings the widest counts, of alternatives each.
    #[must_use]
    pub fn of_expression(expression: &Expression) -> Self {
        let most = match expression.kind {
            Kind::Interval | Kind::Open => 1,
            Kind::OneOf | Kind::AllOf | Kind::Seasonal => usize::MAX,
        };
        let readings = expression.candidates.iter().take(most);
        Self {
            readings: readings.map(|c| c.interval).collect(),
            arc: expression.arc,
            role: expression.role,
        }
    }

    /// The parts of the year the date lies in: its own arc, or that of readings within one year.
    pub(crate) fn arcs(&self) -> impl Iterator<Item = YearArc> {
        self.arc
            .into_iter()
            .chain(self.readings.iter().filter_map(|reading| arc_of(*reading)))
    }
}

/// The part of the year that an interval shorter than a year covers.
fn arc_of(interval: Interval) -> Option<YearArc> {
    let first = interval.first.day()?;
    let length = interval.days()? as f64;
    if length >= YEAR_LENGTH_DAYS.floor() {
        return None;
    }
    let (year, _, _) = first.to_gregorian();
    let start = (first.0 - Year(year.0).first_day().0) as f64;
    Some(YearArc {
        center: (start + length / 2.0).rem_euclid(YEAR_LENGTH_DAYS),
        length,
    })
}
