//! The dates of an object: those of its catalogue fields and those in its texts.

use almanac::index::PassageDate;
use almanac::text::Cue;
use almanac::time::{Conflict, Dating, Expression, Lang, Role, Settings, find, import_row};

use crate::collection::Object;
use crate::passages::Passage;

/// Messages of one kind shown before the rest are counted.
const SHOWN: usize = 2;
/// Texts shown of those that are no date.
const UNREAD_SHOWN: usize = 5;
/// Characters shown of each of them.
const UNREAD_CHARACTERS: usize = 40;

/// The dates of all objects of a collection, and what did not agree in them.
pub struct DateReader {
    settings: Settings,
    conflicts: Vec<(Conflict, usize)>,
    messages: Vec<(Conflict, String)>,
    /// Objects with a date field.
    dated: usize,
    /// Of these, those whose text is no date.
    unread: usize,
    /// Some of these texts, each once.
    unread_texts: Vec<String>,
}

impl DateReader {
    /// Starts to read by a collection's conventions.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            conflicts: Vec::new(),
            messages: Vec::new(),
            dated: 0,
            unread: 0,
            unread_texts: Vec::new(),
        }
    }

    /// Gives the dates of each passage of an object: the catalogue's, which hold for all of them,
    /// and those that the passage itself names.
    pub fn dates(&mut self, object: &Object, passages: &[Passage]) -> Vec<Vec<PassageDate>> {
        let catalogue = self.catalogue(object);
        passages
            .iter()
            .map(|passage| {
                let mut dates = catalogue.clone();
                dates.extend(self.mentioned(object, &passage.text, &catalogue));
                dates
            })
            .collect()
    }

    /// The dates of the catalogue's own fields; columns count before the text they stand beside.
    fn catalogue(&mut self, object: &Object) -> Vec<PassageDate> {
        let cell = |cell: &Option<String>| cell.clone().unwrap_or_default();
        let text = cell(&object.date);
        let imported = import_row(
            object.line as usize,
            &text,
            &cell(&object.earliest),
            &cell(&object.latest),
            &self.settings,
        );
        for (kind, message) in imported.conflicts {
            self.note(kind, message);
        }
        if !text.trim().is_empty() {
            self.dated += 1;
            if imported.field.is_none() {
                self.unread(text.trim());
            }
        }
        let parts = imported.field.map(|field| (field.dating.role, field.parts));
        let (role, parts) = parts.unwrap_or((Role::Created, Vec::new()));
        let columns = object.earliest.is_some() || object.latest.is_some();
        let own = imported
            .interval
            .filter(|_| columns || parts.is_empty())
            .filter(|interval| interval.first.day().is_some() || interval.last.day().is_some());
        let mut datings: Vec<Dating> = own
            .map(|interval| Dating {
                readings: vec![interval],
                arc: None,
                role,
            })
            .into_iter()
            .collect();
        let others = |part: &&Expression| own.is_none() || part.role != role;
        datings.extend(parts.iter().filter(others).map(Dating::of_expression));
        datings
            .into_iter()
            .map(|dating| PassageDate {
                dating,
                catalogue: true,
                cue: None,
            })
            .collect()
    }

    /// The dates a passage names besides the catalogue's date, which stands in it too.
    fn mentioned(
        &self,
        object: &Object,
        text: &str,
        catalogue: &[PassageDate],
    ) -> Vec<PassageDate> {
        let date = object.date.as_deref().unwrap_or_default();
        let date: String = date.split_whitespace().collect::<Vec<_>>().join(" ");
        let field = (!date.is_empty())
            .then(|| text.find(&date))
            .flatten()
            .map(|at| at..at + date.len());
        let known = |expression: &Expression| {
            let hull = expression.hull();
            hull.is_some()
                && catalogue
                    .iter()
                    .any(|known| known.dating.readings.first() == hull.as_ref())
        };
        let found: Vec<Expression> = find(text, &self.settings, Lang::Auto, None)
            .into_iter()
            .filter(|found| {
                let of_field = field
                    .as_ref()
                    .is_some_and(|f| found.range.start < f.end && f.start < found.range.end);
                !of_field && !known(found)
            })
            .collect();
        let ranges: Vec<_> = found.iter().map(|found| found.range.clone()).collect();
        let mut cues = if found.len() > 1 {
            Cue::near(text, &ranges)
        } else {
            Vec::new()
        }
        .into_iter();
        found
            .iter()
            .map(|found| PassageDate {
                dating: Dating::of_expression(found),
                catalogue: false,
                cue: cues.next(),
            })
            .collect()
    }

    fn note(&mut self, kind: Conflict, message: String) {
        let place = self.conflicts.iter().position(|(known, _)| *known == kind);
        let count = match place {
            Some(place) => &mut self.conflicts[place].1,
            None => {
                self.conflicts.push((kind, 0));
                let last = self.conflicts.len() - 1;
                &mut self.conflicts[last].1
            }
        };
        *count += 1;
        if *count <= SHOWN {
            self.messages.push((kind, message));
        }
    }

    fn unread(&mut self, text: &str) {
        self.unread += 1;
        if self.unread_texts.len() < UNREAD_SHOWN && !self.unread_texts.iter().any(|t| t == text) {
            self.unread_texts.push(text.to_owned());
        }
    }

    /// Says how many date fields are no date, with some of them; `None` where all were read.
    pub fn unread_report(&self) -> Option<String> {
        if self.unread == 0 {
            return None;
        }
        let cut = |text: &String| match text.char_indices().nth(UNREAD_CHARACTERS) {
            Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
            None => format!("{text:?}"),
        };
        let texts: Vec<String> = self.unread_texts.iter().map(cut).collect();
        Some(format!(
            "{} of {} could not be read, such as {}; `almanac-index dates --import` shows each",
            self.unread,
            self.dated,
            texts.join(", ")
        ))
    }

    /// Gives what did not agree, a few messages of each kind and then a count.
    pub fn report(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (kind, count) in &self.conflicts {
            let of_kind = self.messages.iter().filter(|(known, _)| known == kind);
            lines.extend(of_kind.map(|(_, message)| message.clone()));
            if *count > SHOWN {
                lines.push(format!("{} more rows like these", count - SHOWN));
            }
        }
        lines
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(object: &Object, text: &str) -> (Vec<PassageDate>, Vec<String>) {
        let mut reader = DateReader::new(Settings::default());
        let passage = Passage {
            text: text.to_owned(),
            ids: Vec::new(),
        };
        let dates = reader.dates(object, &[passage]);
        (dates.into_iter().next().unwrap(), reader.report())
    }

    fn object(date: &str, earliest: &str, latest: &str) -> Object {
        let given = |text: &str| Some(text.to_owned()).filter(|t| !t.is_empty());
        Object {
            line: 7,
            date: given(date),
            earliest: given(earliest),
            latest: given(latest),
            ..Object::default()
        }
    }

    fn shown(dates: &[PassageDate]) -> Vec<(String, Role, bool)> {
        let one = |date: &PassageDate| {
            let reading = date.dating.readings[0].display();
            (reading, date.dating.role, date.catalogue)
        };
        dates.iter().map(one).collect()
    }

    #[test]
    fn the_date_field_is_not_counted_again_where_it_stands_in_the_text() {
        let (dates, _) = read(&object("c. 1850", "", ""), "Bowl, c. 1850. blue");
        assert_eq!(
            shown(&dates),
            [("1845 to 1855".to_owned(), Role::Created, true)]
        );
    }

    #[test]
    fn columns_count_before_the_text_and_other_roles_are_kept() {
        let (dates, _) = read(&object("1891, cast 1925", "1890", "1892"), "Bust");
        assert_eq!(
            shown(&dates),
            [
                ("1890 to 1892".to_owned(), Role::Created, true),
                ("1925".to_owned(), Role::Cast, true)
            ]
        );
    }

    #[test]
    fn dates_of_the_text_are_mentioned_and_keep_their_cues_where_there_are_several() {
        let text = "Plough, 1850. Given by a farmer in 1931; shown in 1960.";
        let (dates, _) = read(&object("1850", "", ""), text);
        assert_eq!(dates.len(), 3);
        assert!(dates[0].cue.is_none() && dates[1].cue.is_some() && dates[2].cue.is_some());
        assert!(!dates[1].catalogue);
    }

    #[test]
    fn columns_that_contradict_the_text_are_reported_with_their_row() {
        let (dates, report) = read(&object("1850", "1900", "1899"), "Jar");
        assert_eq!(shown(&dates)[0].0, "1850");
        assert_eq!(report.len(), 1);
        assert!(report[0].starts_with("row 7: earliest"), "{report:?}");
    }

    #[test]
    fn date_fields_that_are_no_date_are_counted_and_shown_once_each() {
        let mut reader = DateReader::new(Settings::default());
        let fields = [
            "n.d.", "1850", "", "sometime", "n.d.", "long ago", "x", "y", "z",
        ];
        for field in fields {
            reader.dates(&object(field, "", ""), &[]);
        }
        assert_eq!(
            reader.unread_report().unwrap(),
            "7 of 8 could not be read, such as \"n.d.\", \"sometime\", \"long ago\", \"x\", \"y\"; \
             `almanac-index dates --import` shows each"
        );
    }

    #[test]
    fn nothing_is_said_where_every_date_field_was_read() {
        let mut reader = DateReader::new(Settings::default());
        reader.dates(&object("c. 1850", "", ""), &[]);
        reader.dates(&object("", "1850", ""), &[]);
        assert_eq!(reader.unread_report(), None);
    }

    #[test]
    fn an_object_without_any_date_has_none() {
        assert!(read(&object("n.d.", "", ""), "Jar").0.is_empty());
    }
}
