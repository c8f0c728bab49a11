//! What a visitor asked, taken apart into meaning, words and time.

use std::ops::Range;

use super::lexical::LexicalQuery;
use crate::index::Translations;
use crate::text::{Cue, FUNCTION_WORDS, Stemming, TermKind, terms};
use crate::time::{Dating, DayNumber, Expression, Lang, Refusal, Settings, scan};

/// How a query is read.
#[derive(Clone, Debug, Default)]
pub struct QuestionOptions {
    /// The collection's conventions for dates.
    pub dates: Settings,
    /// The day that "last century" counts from; none leaves such words alone.
    pub anchor: Option<DayNumber>,
    /// How words are cut down.
    pub stemming: Stemming,
    /// Whether dates are plain words ("1984", the novel).
    pub dates_are_words: bool,
}

/// A query understood.
///
/// ```
/// use almanac::search::{Question, QuestionOptions};
///
/// let question = Question::read("farm tools around 1850", &QuestionOptions::default());
/// assert_eq!(question.meaning_text(), "farm tools");
/// assert_eq!(question.dates()[0].reading(question.text()), "around 1850 → c. 1850 (1845 to 1855)");
/// ```
#[derive(Clone, Debug)]
pub struct Question {
    text: String,
    meaning_text: String,
    dates: Vec<Expression>,
    refusals: Vec<Refusal>,
    datings: Vec<Dating>,
    cues: Vec<Cue>,
    words: LexicalQuery,
}

impl Question {
    /// Reads a query.
    ///
    /// Its dates are grounded and taken out of what is read for meaning and words; a date inside an
    /// accession number such as 1921.14-2 is none.
    #[must_use]
    pub fn read(text: &str, options: &QuestionOptions) -> Self {
        let mut findings = if options.dates_are_words {
            Default::default()
        } else {
            scan(text, &options.dates, Lang::Auto, options.anchor)
        };
        let codes: Vec<Range<usize>> = terms(text, options.stemming)
            .into_iter()
            .filter(|term| term.kind == TermKind::Code)
            .map(|term| term.range)
            .collect();
        findings
            .expressions
            .retain(|date| !codes.iter().any(|code| is_part(&date.range, code)));
        let ranges: Vec<Range<usize>> = findings
            .expressions
            .iter()
            .map(|date| date.range.clone())
            .collect();
        let rest = without(text, &ranges);
        let meaning_text = if says_something(&rest) {
            tidy(&rest)
        } else {
            String::new()
        };
        let mut words = LexicalQuery::new(&meaning_text, options.stemming, &[]);
        for range in &ranges {
            words.add_code(
                text.get(range.clone())
                    .filter(|t| has_points(t))
                    .unwrap_or(""),
            );
        }
        Self {
            words,
            datings: findings
                .expressions
                .iter()
                .map(Dating::of_expression)
                .collect(),
            cues: Cue::near(text, &ranges),
            dates: findings.expressions,
            refusals: findings.refusals,
            text: text.to_owned(),
            meaning_text,
        }
    }

    /// Gives the query as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Gives what an encoder reads: the query without its dates, empty when nothing else is asked.
    #[must_use]
    pub fn meaning_text(&self) -> &str {
        &self.meaning_text
    }

    /// Gives the dates found, in order.
    #[must_use]
    pub fn dates(&self) -> &[Expression] {
        &self.dates
    }

    /// Gives the dates that cannot be, in order.
    #[must_use]
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }

    /// Gives the dates as ranking compares them, in order.
    #[must_use]
    pub fn datings(&self) -> &[Dating] {
        &self.datings
    }

    /// Gives the words near each date.
    #[must_use]
    pub fn cues(&self) -> &[Cue] {
        &self.cues
    }

    /// Gives the words to look for.
    #[must_use]
    pub fn words(&self) -> &LexicalQuery {
        &self.words
    }

    /// Looks besides for what its words may be in the language of the passages.
    pub(crate) fn translate(&mut self, table: &Translations) {
        self.words.translate(table);
    }
}

/// Whether a date is a part of a code and less than the whole of it.
fn is_part(date: &Range<usize>, code: &Range<usize>) -> bool {
    let meets = date.start < code.end && code.start < date.end;
    meets && !(date.start <= code.start && code.end <= date.end)
}

/// Whether a date is written in figures with points, as accession numbers are: 2005.1.6.
fn has_points(date: &str) -> bool {
    date.contains('.') && date.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// A text without the given byte ranges, which are in order.
fn without(text: &str, ranges: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for range in ranges {
        out.push_str(text.get(from..range.start).unwrap_or(""));
        from = range.end;
    }
    out.push_str(text.get(from..).unwrap_or(""));
    out
}

/// Whether a text has a word that is no function word.
fn says_something(text: &str) -> bool {
    terms(text, Stemming::None).iter().any(|term| {
        let function = FUNCTION_WORDS.binary_search(&term.text.as_str()).is_ok();
        term.kind != TermKind::Exact && !function && !is_particle(&term.text)
    })
}

/// Chinese words that only tie a date to what is asked.
fn is_particle(term: &str) -> bool {
    [
        "年", "間", "间", "的", "之", "在", "於", "于", "時", "时", "期", "時期", "时期", "年間",
        "年间",
    ]
    .contains(&term)
}

/// Single blanks, none at the ends, and no comma or preposition left hanging where a date was.
fn tidy(text: &str) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let hangs = |word: &str| {
        !word.chars().any(char::is_alphanumeric)
            || [
                "in", "of", "from", "during", "between", "since", "until", "at", "on", "the", "and",
            ]
            .contains(&word)
    };
    while words.last().is_some_and(|word| hangs(word)) {
        words.pop();
    }
    words.join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Question {
        Question::read(text, &QuestionOptions::default())
    }

    #[test]
    fn dates_are_taken_out_of_what_is_read_for_meaning() {
        for (text, rest) in [
            ("farm tools around 1850", "farm tools"),
            ("bowls of 1850, 1860", "bowls"),
            ("1850s", ""),
            ("from the 1850s", ""),
            ("康熙年間的瓷器", "的瓷器"),
            ("康熙年間", ""),
            ("oil paintings", "oil paintings"),
        ] {
            assert_eq!(read(text).meaning_text(), rest, "{text}");
        }
    }

    #[test]
    fn ranges_are_cut_out_of_a_text() {
        assert_eq!(
            without("bowls of 1850, 1860", &[9..13, 15..19]),
            "bowls of , "
        );
        assert_eq!(without("bowls", &[]), "bowls");
    }

    #[test]
    fn accession_number_is_no_date() {
        let question = read("1921.14-2");
        assert!(question.dates().is_empty(), "{:?}", question.dates());
        assert_eq!(question.meaning_text(), "1921.14-2");
        assert_eq!(read("1850-1860").dates().len(), 1);
        assert!(read("1850-1860").words().is_empty());
    }

    #[test]
    fn date_with_points_is_looked_for_as_an_accession_number_too() {
        let question = read("2005.1.6");
        assert_eq!(question.dates().len(), 1);
        assert!(!question.words().is_empty());
    }

    #[test]
    fn dates_stay_words_where_asked() {
        let options = QuestionOptions {
            dates_are_words: true,
            ..QuestionOptions::default()
        };
        let question = Question::read("1984", &options);
        assert!(question.dates().is_empty());
        assert_eq!(question.meaning_text(), "1984");
        assert_eq!(question.words().words(), 1);
    }

    #[test]
    fn relative_dates_need_an_anchor() {
        assert!(read("photographs of last century").dates().is_empty());
        let options = QuestionOptions {
            anchor: crate::time::parse_iso_day("2026-11-30"),
            ..QuestionOptions::default()
        };
        let question = Question::read("photographs of last century", &options);
        assert_eq!(question.meaning_text(), "photographs");
        assert_eq!(question.datings().len(), 1);
    }

    #[test]
    fn impossible_dates_are_told_with_their_reason() {
        let question = read("雍正二十三年 瓷器");
        assert_eq!(question.refusals().len(), 1);
        assert!(question.meaning_text().contains("瓷器"));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,40}") {
            let question = read(&text);
            prop_assert_eq!(question.datings().len(), question.dates().len());
            prop_assert_eq!(question.cues().len(), question.dates().len());
        }
    }
}
