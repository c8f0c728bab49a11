//! Which documents may be found at all.

use crate::index::{Facets, PassageDates};
use crate::time::{Bound, DayNumber, Interval, YEAR_LENGTH_DAYS, YearArc};
use serde::{Deserialize, Serialize};

/// Narrows a search down; what is left out lets everything pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// First day; a document passes when one of its dates may lie on or after it.
    pub first: Option<i64>,
    /// Last day; a document passes when one of its dates may lie on or before it.
    pub last: Option<i64>,
    /// Whether documents without a date pass where a day is given.
    pub undated: bool,
    /// Pairs of facet and value by their numbers; values of one facet are alternatives, facets
    /// hold together.
    pub facets: Vec<(u32, u32)>,
    /// First and last day of a part of the year, 0 to 365, which may pass the new year; a document
    /// passes when one of its parts of the year may lie in it.
    pub season: Option<(u16, u16)>,
}

/// What a document's dates say to the days asked for: whether one of them may lie there; `None` where
/// there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DaysSeen {
    catalogue: Option<bool>,
    text: Option<bool>,
}

impl DaysSeen {
    /// Takes in the dates of a passage; `days` is `None` for a range that holds nothing.
    pub(super) fn add(&mut self, days: Option<Interval>, dates: &PassageDates) {
        for (dating, note) in dates.datings.iter().zip(&dates.notes) {
            if dating.readings.is_empty() {
                continue;
            }
            let meets = |reading: &Interval| days.is_some_and(|d| d.intersect(*reading).is_some());
            let seen = match note.catalogue {
                true => &mut self.catalogue,
                false => &mut self.text,
            };
            let met = seen.unwrap_or(false) || dating.readings.iter().any(meets);
            *seen = Some(met);
        }
    }
}

/// The different parts of the year that a document's dates name or lie in.
#[derive(Clone, Debug, Default)]
pub(super) struct ArcsSeen {
    catalogue: Vec<YearArc>,
    text: Vec<YearArc>,
}

impl ArcsSeen {
    /// Takes in the dates of a passage.
    pub(super) fn add(&mut self, dates: &PassageDates) {
        for (dating, note) in dates.datings.iter().zip(&dates.notes) {
            let seen = match note.catalogue {
                true => &mut self.catalogue,
                false => &mut self.text,
            };
            for arc in dating.arcs() {
                if !seen.contains(&arc) {
                    seen.push(arc);
                }
            }
        }
    }

    /// Those of the catalogue where it gives any, else those of the texts.
    pub(super) fn arcs(&self) -> &[YearArc] {
        if self.catalogue.is_empty() {
            &self.text
        } else {
            &self.catalogue
        }
    }
}

impl Filter {
    /// Says whether every document passes.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.first.is_none()
            && self.last.is_none()
            && self.facets.is_empty()
            && self.season.is_none()
    }

    /// The days asked for, when any are; `None` within for a range that ends before it begins.
    pub(super) fn days(&self) -> Option<Option<Interval>> {
        let bound = |day: Option<i64>| day.map_or(Bound::Open, |day| Bound::Day(DayNumber(day)));
        if self.first.is_none() && self.last.is_none() {
            return None;
        }
        let empty = matches!((self.first, self.last), (Some(first), Some(last)) if first > last);
        Some((!empty).then_some(Interval {
            first: bound(self.first),
            last: bound(self.last),
        }))
    }

    /// Whether a document of these dates passes. The catalogue's dates decide where it gives any,
    /// else those of the texts.
    pub(super) fn passes_days(&self, seen: DaysSeen) -> bool {
        seen.catalogue.or(seen.text).unwrap_or(self.undated)
    }

    /// Whether a document with these parts of the year passes the one asked for; a document that says
    /// nothing of the time of year does not pass.
    pub(super) fn passes_season(&self, seen: &ArcsSeen) -> bool {
        let Some((first, last)) = self.season else {
            return true;
        };
        let (first, last) = (f64::from(first), f64::from(last) + 1.0);
        let length = match last - first {
            length if length > 0.0 => length.min(YEAR_LENGTH_DAYS),
            length => (length + YEAR_LENGTH_DAYS).max(1.0),
        };
        let asked = YearArc {
            center: (first + length / 2.0).rem_euclid(YEAR_LENGTH_DAYS),
            length,
        };
        seen.arcs()
            .iter()
            .any(|arc| asked.distance(*arc) < (asked.length + arc.length) / 2.0)
    }

    /// Whether a document has the facet values asked for.
    pub(super) fn passes_facets(&self, facets: Option<&Facets>, document: u32) -> bool {
        let has = |facet: u32, value: u32| {
            facets.is_some_and(|facets| facets.has(document, facet as usize, value))
        };
        self.facets.iter().all(|(facet, _)| {
            self.facets
                .iter()
                .any(|(other, value)| other == facet && has(*facet, *value))
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::index::DateNote;
    use crate::time::{Dating, Role, Year};

    fn date(from: i64, to: i64, catalogue: bool) -> (Dating, DateNote) {
        let dating = Dating {
            readings: vec![Interval::years(Year(from), Year(to)).unwrap()],
            arc: None,
            role: Role::Created,
        };
        let note = DateNote {
            catalogue,
            cue: None,
        };
        (dating, note)
    }

    fn passes(
        from: Option<i64>,
        to: Option<i64>,
        undated: bool,
        dates: &[(Dating, DateNote)],
    ) -> bool {
        let (datings, notes): (Vec<Dating>, Vec<DateNote>) = dates.iter().cloned().unzip();
        let dates = PassageDates { datings, notes };
        let filter = Filter {
            first: from.map(|y| Year(y).first_day().0),
            last: to.map(|y| Year(y).last_day().0),
            undated,
            ..Filter::default()
        };
        filter.days().is_none_or(|days| {
            let mut seen = DaysSeen::default();
            seen.add(days, &dates);
            filter.passes_days(seen)
        })
    }

    #[test]
    fn a_date_passes_by_overlap_and_not_only_when_contained() {
        let vague = [date(1801, 1900, true)];
        assert!(passes(Some(1850), Some(1859), false, &vague));
        assert!(passes(Some(1900), None, false, &vague));
        assert!(passes(None, Some(1801), false, &vague));
        assert!(!passes(Some(1901), None, false, &vague));
        assert!(!passes(None, Some(1800), false, &vague));
    }

    #[test]
    fn undated_documents_pass_only_where_asked() {
        assert!(!passes(Some(1850), None, false, &[]));
        assert!(passes(Some(1850), None, true, &[]));
        assert!(passes(None, None, false, &[]));
    }

    #[test]
    fn dates_of_the_text_count_only_without_a_catalogue_date() {
        let gift = [date(1883, 1883, true), date(1965, 1965, false)];
        assert!(!passes(Some(1960), Some(1970), true, &gift));
        assert!(passes(Some(1960), Some(1970), false, &gift[1..]));
    }

    #[test]
    fn a_range_that_ends_before_it_begins_holds_nothing() {
        assert!(!passes(
            Some(1900),
            Some(1800),
            false,
            &[date(1850, 1850, true)]
        ));
    }

    fn passes_season(season: (u16, u16), arcs: &[(f64, f64, bool)]) -> bool {
        let dates = arcs.iter().map(|&(center, length, catalogue)| {
            let dating = Dating {
                readings: Vec::new(),
                arc: Some(YearArc { center, length }),
                role: Role::Mentioned,
            };
            (
                dating,
                DateNote {
                    catalogue,
                    cue: None,
                },
            )
        });
        let (datings, notes): (Vec<Dating>, Vec<DateNote>) = dates.unzip();
        let mut seen = ArcsSeen::default();
        seen.add(&PassageDates { datings, notes });
        let filter = Filter {
            season: Some(season),
            ..Filter::default()
        };
        filter.passes_season(&seen)
    }

    #[test]
    fn part_of_the_year_passes_by_overlap_round_the_new_year() {
        let new_year = [(0.0, 20.0, false)];
        assert!(passes_season((355, 360), &new_year));
        assert!(passes_season((5, 40), &new_year));
        assert!(passes_season((340, 30), &new_year));
        assert!(!passes_season((11, 353), &new_year));
        assert!(passes_season((0, 365), &[(180.0, 1.0, false)]));
        assert!(!passes_season((0, 365), &[]), "no season is told");
    }

    #[test]
    fn seasons_of_the_text_count_only_without_a_catalogue_season() {
        let gift = [(100.0, 10.0, true), (300.0, 10.0, false)];
        assert!(!passes_season((290, 310), &gift));
        assert!(passes_season((290, 310), &gift[1..]));
    }
}
