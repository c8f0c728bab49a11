//! The characters of a text as the Chinese grammar reads them.

use super::super::english::lexer::is_han;
use super::fold::fold;

/// A folded character and the bytes it stands on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ch {
    pub c: char,
    pub start: usize,
    pub end: usize,
}

/// What stands between two stretches of text that belong to different sentences.
pub(crate) const BREAK: char = '\0';

/// A letter without a code point; a Han letter that no name has.
const RARE: char = '㐀';

/// Reads a text as folded characters, past the page marks and line ends of digital editions; every
/// other sign is kept for the grammar or becomes a [`BREAK`]. Empty when there is no Chinese.
pub(crate) fn read(text: &str) -> Vec<Ch> {
    if text.is_ascii() {
        return Vec::new();
    }
    let fold = fold();
    let mut out: Vec<Ch> = Vec::with_capacity(text.len() / 3);
    let mut any = false;
    let mut rest = text.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        let end = start + c.len_utf8();
        let folded = match c {
            '¶' => {
                if rest.peek().is_some_and(|(_, n)| *n == '\n') {
                    rest.next();
                }
                continue;
            }
            ' ' | '\t' | '\u{3000}' | '\u{A0}' => continue,
            '<' => {
                // <pb:KR3d0001_SBCK_000-1a>
                let tag = text.get(end..).filter(|t| t.starts_with("pb:"));
                let length = tag.and_then(|t| t.bytes().take(80).position(|b| b == b'>'));
                match length {
                    Some(length) => {
                        let close = end + length;
                        while rest.peek().is_some_and(|(at, _)| *at <= close) {
                            rest.next();
                        }
                        continue;
                    }
                    None => BREAK,
                }
            }
            '&' => {
                // &KR0008; is one letter that has no code point.
                let escape = text.get(end..).filter(|t| t.starts_with("KR"));
                let length = escape.and_then(|t| {
                    let digits = t.bytes().skip(2).take(8).take_while(u8::is_ascii_digit);
                    let length = 2 + digits.count();
                    (length > 2 && t.as_bytes().get(length) == Some(&b';')).then_some(length)
                });
                match length {
                    Some(length) => {
                        let close = end + length;
                        while rest.peek().is_some_and(|(at, _)| *at <= close) {
                            rest.next();
                        }
                        any = true;
                        out.push(Ch {
                            c: RARE,
                            start,
                            end: close + 1,
                        });
                        continue;
                    }
                    None => BREAK,
                }
            }
            '-' | '~' | '–' | '—' | '～' | '－' | '﹣' | '〜' | '−' => '-',
            '(' | '（' => '(',
            ')' | '）' => ')',
            '/' | '／' => {
                // The columns of a gloss go on across their stroke.
                let inside = out.last().is_some_and(|ch| is_han(ch.c))
                    && rest.peek().is_some_and(|(_, n)| is_han(*n));
                if inside {
                    continue;
                }
                '/'
            }
            '、' => '、',
            '《' | '〈' => '《',
            '》' | '〉' => '》',
            '○' | '◯' => '〇',
            c if c.is_ascii_digit() => c,
            c if ('\u{FF10}'..='\u{FF19}').contains(&c) => fold.character(c),
            c if is_han(c) => {
                any = true;
                fold.character(c)
            }
            c if c.is_ascii_alphabetic() => 'a',
            _ => BREAK,
        };
        out.push(Ch {
            c: folded,
            start,
            end,
        });
    }
    if any { out } else { Vec::new() }
}
