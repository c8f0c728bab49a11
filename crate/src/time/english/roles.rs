//! What happened at a date, from the words around it.

use super::super::expression::Role;
use super::lexer::{Tok, W};
use super::parse::Reader;

impl Reader<'_> {
    /// The role that the words before or after the tokens `first..end` give, and the token after
    /// them.
    pub(crate) fn role(&self, first: usize, end: usize) -> (Option<Role>, usize) {
        // After: "1976 (designed)", "1991 designed".
        let (open, k) = match self.tok(end) {
            Tok::Open => (true, end + 1),
            _ => (false, end),
        };
        if let Some(role) = self.role_word(k)
            && (open && self.tok(k + 1) == Tok::Close
                || !open && self.field && !self.followed_by_date(k + 1))
        {
            return (Some(role), k + 1 + usize::from(open));
        }
        (self.role_before(first), end)
    }

    fn followed_by_date(&self, i: usize) -> bool {
        let skip = i + usize::from(matches!(self.tok(i), Tok::Word(W::In | W::By | W::After)));
        matches!(
            self.tok(skip),
            Tok::Num(..) | Tok::Word(W::Circa | W::Early | W::Late | W::Mid) | Tok::Question
        )
    }

    fn role_word(&self, i: usize) -> Option<Role> {
        match self.tok(i) {
            Tok::Word(W::Role(role)) => Some(role),
            Tok::Word(W::Impression) => Some(Role::Printed),
            Tok::Word(W::Born | W::Died) => Some(Role::Lifespan),
            _ => None,
        }
    }

    /// The role word up to four tokens before a date, past prepositions and marks of doubt.
    fn role_before(&self, first: usize) -> Option<Role> {
        let mut i = first;
        for _ in 0..5 {
            i = i.checked_sub(1)?;
            if let Some(role) = self.role_word(i) {
                // "editioned replica" is what its first word says.
                return Some(match self.role_word(i.wrapping_sub(1)) {
                    Some(Role::Version) => Role::Version,
                    _ => role,
                });
            }
            match self.tok(i) {
                Tok::Word(
                    W::In
                    | W::On
                    | W::By
                    | W::At
                    | W::The
                    | W::Circa
                    | W::Approximately
                    | W::Maybe
                    | W::Between
                    | W::From
                    | W::Copy
                    | W::Year
                    | W::During,
                )
                | Tok::Question
                | Tok::Dot
                | Tok::Colon => {}
                Tok::Comma if self.field && self.role_word(i.wrapping_sub(1)).is_some() => {}
                // "reconstruction by Richard Hamilton 1965–6", "cast released by the artist 1964"
                Tok::Word(W::Other) if self.field => {}
                _ => return None,
            }
        }
        None
    }

    /// Whether a parenthesis that begins before the tokens holds years of life: "(1850–1910)"
    /// after a name.
    pub(crate) fn is_lifespan(&self, first: usize, end: usize) -> bool {
        if self.field || first < 2 {
            return false;
        }
        let inside = self.tok(first - 1) == Tok::Open && self.tok(end) == Tok::Close;
        let name = self.tok(first - 2) == Tok::Word(W::Other)
            && self.str(first - 2).starts_with(char::is_uppercase)
            && super::words::roman(self.str(first - 2)).is_none();
        inside && name
    }
}
