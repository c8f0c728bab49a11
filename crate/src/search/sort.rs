//! Other orders than relevance: by date, title or another column.

use serde::{Deserialize, Serialize};

use crate::index::{Index, SortColumns};
use crate::{Error, Result};

/// What documents are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SortBy {
    /// The first day of a document's dates.
    Earliest,
    /// The last day of a document's dates.
    Latest,
    /// A column of the index, by its number.
    Column(u32),
}

/// An order of documents; those without a value come last in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sort {
    /// What it goes by.
    pub by: SortBy,
    /// Whether the greatest comes first.
    pub descending: bool,
}

impl Index {
    /// Gives the names of what documents can be sorted by besides relevance.
    #[must_use]
    pub fn sort_names(&self) -> Vec<&str> {
        let dates = ["earliest", "latest"].into_iter();
        let columns = self
            .sort_columns()
            .into_iter()
            .flat_map(SortColumns::labels);
        dates.filter(|_| self.has_times()).chain(columns).collect()
    }

    /// Finds an order by its name, in any case.
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidInput`] if the index cannot be sorted so; the message lists how it
    /// can.
    pub fn sort(&self, name: &str, descending: bool) -> Result<Sort> {
        let names = self.sort_names();
        let dates = if self.has_times() { 2 } else { 0 };
        let place = names
            .iter()
            .position(|known| known.to_lowercase() == name.to_lowercase());
        let by = match place {
            Some(0) if dates > 0 => SortBy::Earliest,
            Some(1) if dates > 0 => SortBy::Latest,
            Some(place) => SortBy::Column((place - dates) as u32),
            None => {
                return Err(Error::invalid(format!(
                    "documents cannot be sorted by {name:?}, only by: relevance, {}",
                    names.join(", ")
                )));
            }
        };
        Ok(Sort { by, descending })
    }

    /// What a document is sorted by; `None` where it has nothing of the kind.
    fn sort_value(&self, by: SortBy, document: u32) -> Result<Option<i64>> {
        let days = |first: bool| -> Result<Vec<i64>> {
            let day = |interval: crate::time::Interval| {
                // An end that is open or unknown is taken at the other.
                let (one, other) = match first {
                    true => (interval.first, interval.last),
                    false => (interval.last, interval.first),
                };
                one.day().or(other.day()).map(|day| day.0)
            };
            Ok(self
                .intervals(document)?
                .into_iter()
                .filter_map(day)
                .collect())
        };
        Ok(match by {
            SortBy::Earliest => days(true)?.into_iter().min(),
            SortBy::Latest => days(false)?.into_iter().max(),
            SortBy::Column(column) => self
                .sort_columns()
                .and_then(|columns| columns.rank(column as usize, document))
                .map(i64::from),
        })
    }

    /// Sorts what was found; equals keep their order.
    pub(super) fn sort_found<T>(
        &self,
        sort: Sort,
        found: Vec<T>,
        document: impl Fn(&T) -> u32,
    ) -> Result<Vec<T>> {
        let columns = self
            .sort_columns()
            .map_or(0, |columns| columns.labels().count());
        let known = match sort.by {
            SortBy::Earliest | SortBy::Latest => self.has_times(),
            SortBy::Column(column) => (column as usize) < columns,
        };
        if !known {
            return Err(Error::invalid(format!(
                "documents cannot be sorted by {:?} here",
                sort.by
            )));
        }
        let mut keyed = found
            .into_iter()
            .map(|one| Ok((self.sort_value(sort.by, document(&one))?, one)))
            .collect::<Result<Vec<_>>>()?;
        keyed.sort_by_key(|(value, _)| match value {
            None => (true, 0),
            Some(value) if sort.descending => (false, -value),
            Some(value) => (false, *value),
        });
        Ok(keyed.into_iter().map(|(_, one)| one).collect())
    }
}
