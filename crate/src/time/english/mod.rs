//! Dates in English, as museums and running prose write them.

pub(crate) mod atom;
mod calendar_talk;
mod counted;
mod deictic;
pub(crate) mod lexer;
mod parse;
mod periods;
mod phrase;
mod roles;
pub(super) mod words;

use super::Findings;
use super::calendar::DayNumber;
use super::expression::{Kind, Refusal, Role};
use super::settings::Settings;
use lexer::{Tok, W};
use parse::Reader;
pub(crate) use parse::two_digit_year;

/// Finds the English expressions of a text, in order and without overlap.
///
/// UTF-16 ranges are left equal to byte ranges for the caller to fill in.
pub(crate) fn find(
    text: &str,
    settings: &Settings,
    anchor: Option<DayNumber>,
    field: bool,
) -> Findings {
    let tokens = lexer::lex(text);
    let reader = Reader {
        text,
        tokens: &tokens,
        settings,
        anchor,
        field,
    };
    let mut findings = Findings::default();
    let mut i = 0;
    while i < tokens.len() {
        if !reader.may_begin(i) {
            i += 1;
            continue;
        }
        let Some(phrase) = reader.phrase(i) else {
            if let Some((reason, end)) = reader.impossible_day(i)
                && let (Some(a), Some(b)) = (tokens.get(i), tokens.get(end.saturating_sub(1)))
            {
                findings.refusals.push(Refusal {
                    range: a.start..b.end,
                    utf16: a.start..b.end,
                    reason,
                });
                i = end.max(i + 1);
                continue;
            }
            i += 1;
            continue;
        };
        let end = phrase.end_token.max(i + 1);
        let lifespan = reader.is_lifespan(phrase.first_token, end);
        let (role, next) = reader.role(phrase.first_token, end);
        let role = match role {
            Some(role) => role,
            None if lifespan => Role::Lifespan,
            None if field => Role::Created,
            None => Role::Mentioned,
        };
        let reads = reader.reads_as_date(&phrase, i, end);
        if reads && let Some(expression) = phrase.into_expression(&reader, role) {
            findings.expressions.push(expression);
        }
        i = next.max(end);
    }
    findings
}

impl Reader<'_> {
    /// Whether a phrase can begin at a token, by a look at that token alone.
    fn may_begin(&self, i: usize) -> bool {
        match self.tok(i) {
            Tok::Num(..) | Tok::Grouped(_) => {
                // A number inside a word or a longer number is no date.
                !self.glued_before(i) || self.glued_to_word(i)
            }
            Tok::Word(W::Circa) => {
                // "c" needs a date after it.
                true
            }
            Tok::Word(word) => !matches!(
                word,
                W::Suffix | W::S | W::And | W::Or | W::Of | W::On | W::At
            ),
            Tok::Question | Tok::Tilde | Tok::BracketOpen => {
                self.field || self.tok(i) != Tok::Question
            }
            Tok::Apostrophe => true,
            _ => false,
        }
    }

    /// Whether a number is written against a role or circa word, as in "printed1985" or "c1850".
    pub(crate) fn glued_to_word(&self, i: usize) -> bool {
        i.checked_sub(1).is_some_and(|k| {
            matches!(
                self.tok(k),
                Tok::Word(W::Circa | W::Role(_) | W::Ce | W::Month(_))
            ) || (self.tok(k) == Tok::Dot
                && k > 0
                && matches!(self.tok(k - 1), Tok::Word(W::Circa | W::Month(_))))
        })
    }

    /// Whether the words around a phrase leave it a date.
    fn reads_as_date(&self, phrase: &phrase::Phrase, i: usize, end: usize) -> bool {
        // "in the style of the 18th century", "18th-century style".
        if self.names_no_time(i, end) {
            return false;
        }
        // A seasonal reading in prose must not be a verb or a name: checked when it was read.
        phrase.kind != Kind::Seasonal || phrase.arc.is_some()
    }
}
