//! Splits text into the tokens that the English grammar reads, in one pass.

/// What a token is, as far as dates are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tok {
    /// A whole number without separators, and its count of digits; numbers beyond 18 digits
    /// saturate.
    Num(u64, u8),
    /// A number with thousands separators, such as 10,000.
    Grouped(u64),
    /// A word; its letters are those of the text at its range.
    Word(W),
    Hyphen,
    Dash,
    Slash,
    Comma,
    Semicolon,
    Colon,
    Dot,
    Open,
    Close,
    BracketOpen,
    BracketClose,
    Question,
    Tilde,
    Apostrophe,
    Currency,
    Percent,
    Hash,
    Break,
    Other,
}

/// The words the grammar knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum W {
    Month(u8),
    /// "sun", "sat", "may" and the like, which are months or days only near other date words.
    Weekday(u8),
    Season(u8),
    /// first to thirty-first, last = 99.
    Ordinal(u32),
    /// one to nineteen, and the tens.
    Cardinal(u32),
    Hundred,
    Thousand,
    Million,
    Billion,
    /// st, nd, rd, th after a number.
    Suffix,
    /// The s of 1840s.
    S,
    Circa,
    Maybe,
    Early,
    Mid,
    Late,
    Half,
    Quarter,
    Third,
    Century,
    Decade,
    Millennium,
    Year,
    MonthUnit,
    WeekUnit,
    DayUnit,
    Weekend,
    Fortnight,
    Bce,
    Ce,
    Bp,
    /// AH, of the Islamic calendar.
    Hijri,
    /// "ya", years ago.
    Ya,
    Ka,
    Ma,
    Before,
    After,
    By,
    From,
    To,
    Until,
    Between,
    And,
    Or,
    Since,
    During,
    In,
    On,
    At,
    Of,
    The,
    A,
    No,
    Not,
    Later,
    Earlier,
    Than,
    Dynasty,
    Period,
    Style,
    Mark,
    Manner,
    Copy,
    Turn,
    Beginning,
    Middle,
    End,
    Ago,
    Last,
    Past,
    Next,
    This,
    Every,
    Yesterday,
    Today,
    Tomorrow,
    Now,
    OldStyle,
    NewStyle,
    Role(super::super::expression::Role),
    Impression,
    Present,
    Undated,
    Approximately,
    With,
    Following,
    Previous,
    Coming,
    Rest,
    Couple,
    Few,
    Within,
    Ahead,
    Date,
    Known,
    Republican(u8),
    An,
    Posthumous,
    Born,
    Died,
    Q,
    H,
    For,
    Eve,
    Other,
}

/// One token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub tok: Tok,
    pub start: usize,
    pub end: usize,
    /// Whether white space stands before it.
    pub spaced: bool,
}

/// Splits a text into tokens; Chinese characters become [`Tok::Other`].
pub(crate) fn lex(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::with_capacity(bytes.len() / 5 + 4);
    let mut i = 0;
    let mut spaced = true;
    while i < bytes.len() {
        let start = i;
        let b = bytes[i];
        let tok = match b {
            b'\n' | b'\r' => {
                i += 1;
                Tok::Break
            }
            b' ' | b'\t' => {
                i += 1;
                spaced = true;
                continue;
            }
            b'0'..=b'9' => number(bytes, &mut i),
            b'a'..=b'z' | b'A'..=b'Z' => word(text, bytes, &mut i),
            b'-' => {
                i += 1;
                while bytes.get(i) == Some(&b'-') {
                    i += 1;
                }
                if i - start > 1 {
                    Tok::Dash
                } else {
                    Tok::Hyphen
                }
            }
            _ if b >= 0x80 => wide(text, &mut i, &mut spaced),
            _ => {
                i += 1;
                match b {
                    b'/' => Tok::Slash,
                    b',' => Tok::Comma,
                    b';' => Tok::Semicolon,
                    b':' => Tok::Colon,
                    b'.' => Tok::Dot,
                    b'(' => Tok::Open,
                    b')' => Tok::Close,
                    b'[' => Tok::BracketOpen,
                    b']' => Tok::BracketClose,
                    b'?' => Tok::Question,
                    b'~' => Tok::Tilde,
                    b'\'' => Tok::Apostrophe,
                    b'$' => Tok::Currency,
                    b'%' => Tok::Percent,
                    b'#' => Tok::Hash,
                    _ => Tok::Other,
                }
            }
        };
        if tok == Tok::Break && start == i {
            // A wide space: nothing to record.
            continue;
        }
        if matches!(tok, Tok::Other) && text[start..i].trim().is_empty() {
            spaced = true;
            continue;
        }
        tokens.push(Token {
            tok,
            start,
            end: i,
            spaced,
        });
        spaced = false;
    }
    tokens
}

fn number(bytes: &[u8], i: &mut usize) -> Tok {
    let digits_from = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let count = digits_from(*i);
    let value = decimal(&bytes[*i..*i + count]);
    *i += count;
    let grouped = count <= 3 && bytes.get(*i) == Some(&b',') && digits_from(*i + 1) == 3;
    if grouped {
        let mut total = value;
        while bytes.get(*i) == Some(&b',') && digits_from(*i + 1) == 3 {
            total = total
                .saturating_mul(1000)
                .saturating_add(decimal(&bytes[*i + 1..*i + 4]));
            *i += 4;
        }
        return Tok::Grouped(total);
    }
    Tok::Num(value, count.min(255) as u8)
}

fn decimal(digits: &[u8]) -> u64 {
    digits.iter().fold(0u64, |acc, d| {
        acc.saturating_mul(10).saturating_add(u64::from(d - b'0'))
    })
}

fn word(text: &str, bytes: &[u8], i: &mut usize) -> Tok {
    let start = *i;
    while *i < bytes.len() && bytes[*i].is_ascii_alphabetic() {
        *i += 1;
    }
    // A word with letters beyond ASCII is no word of this grammar.
    if bytes.get(*i).is_some_and(|b| *b >= 0x80)
        && let Some(next) = text[*i..].chars().next()
        && next.is_alphabetic()
        && !is_han(next)
    {
        while let Some(next) = text[*i..].chars().next() {
            if !next.is_alphabetic() || is_han(next) {
                break;
            }
            *i += next.len_utf8();
        }
        return Tok::Word(accented(&text[start..*i]));
    }
    // Letters with dots between them, such as B.C.E., are one word.
    if *i - start == 1 && bytes.get(*i) == Some(&b'.') {
        let mut letters = [0u8; 4];
        let mut count = 0;
        let mut j = start;
        while count < 4
            && bytes.get(j).is_some_and(u8::is_ascii_alphabetic)
            && bytes.get(j + 1) == Some(&b'.')
        {
            letters[count] = bytes[j].to_ascii_lowercase();
            count += 1;
            j += 2;
        }
        // "B.C" without its last dot.
        if count < 4
            && count > 0
            && bytes.get(j).is_some_and(u8::is_ascii_alphabetic)
            && !bytes.get(j + 1).is_some_and(u8::is_ascii_alphabetic)
        {
            letters[count] = bytes[j].to_ascii_lowercase();
            count += 1;
            j += 1;
        }
        if count > 1 {
            let known = match &letters[..count] {
                b"bc" | b"bce" => Some(W::Bce),
                b"ad" | b"ce" => Some(W::Ce),
                b"bp" => Some(W::Bp),
                b"ah" => Some(W::Hijri),
                b"nd" => Some(W::Undated),
                b"os" => Some(W::OldStyle),
                b"ns" => Some(W::NewStyle),
                _ => None,
            };
            if let Some(known) = known {
                *i = j;
                return Tok::Word(known);
            }
        }
    }
    Tok::Word(super::words::classify(&bytes[start..*i]))
}

/// The class of a word with accents: the months of the French Republican calendar are known.
fn accented(word: &str) -> W {
    let plain: String = word
        .chars()
        .take(16)
        .map(|c| match c {
            'é' | 'É' => 'e',
            'ô' | 'Ô' => 'o',
            other => other,
        })
        .collect();
    match super::words::classify(plain.as_bytes()) {
        W::Republican(month) => W::Republican(month),
        _ => W::Other,
    }
}

fn wide(text: &str, i: &mut usize, spaced: &mut bool) -> Tok {
    let Some(c) = text[*i..].chars().next() else {
        *i += 1;
        return Tok::Other;
    };
    *i += c.len_utf8();
    match c {
        '\u{2010}' | '\u{2011}' => Tok::Hyphen,
        '\u{2012}'..='\u{2015}' | '\u{2212}' | '\u{FF5E}' | '\u{301C}' => Tok::Dash,
        '\u{2018}' | '\u{2019}' => Tok::Apostrophe,
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{3000}' => {
            *spaced = true;
            Tok::Other
        }
        '£' | '€' | '¥' => Tok::Currency,
        '№' => Tok::Hash,
        c if c.is_alphabetic() && !is_han(c) => {
            while let Some(next) = text[*i..].chars().next() {
                if !next.is_alphabetic() || is_han(next) {
                    break;
                }
                *i += next.len_utf8();
            }
            Tok::Word(W::Other)
        }
        _ => Tok::Other,
    }
}

/// Whether a character belongs to the Chinese script.
pub(crate) fn is_han(c: char) -> bool {
    matches!(u32::from(c),
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x323AF | 0x3005..=0x3007)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dotted_eras_are_one_word() {
        let tokens = lex("206 B.C.E. and n.d.");
        assert_eq!(tokens[1].tok, Tok::Word(W::Bce));
        assert_eq!(tokens[3].tok, Tok::Word(W::Undated));
    }

    #[test]
    fn grouped_numbers_are_not_years() {
        assert_eq!(lex("150,644")[0].tok, Tok::Grouped(150_644));
        assert_eq!(lex("20,1784")[0].tok, Tok::Num(20, 2));
    }

    proptest! {
        #[test]
        fn tokens_are_in_order_and_on_boundaries(text in "\\PC*") {
            let mut last = 0;
            for token in lex(&text) {
                prop_assert!(token.start >= last && token.end > token.start);
                prop_assert!(text.get(token.start..token.end).is_some());
                last = token.end;
            }
        }
    }
}
