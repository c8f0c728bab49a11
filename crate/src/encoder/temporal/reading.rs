//! What the branch is shown of a text: its tokens, and the numbers that its words write.
//!
//! The last layer of an encoder blurs digits, and its vocabulary cuts "1743" into "174" and "##3" or
//! knows "六" as an unknown word. So the words are read once more as a text writes them: which number
//! stands there, and how it is written. What a number counts is left to the network.

use crate::Result;
use crate::text::Tokenizer;
use crate::time::numeral::{self, Numeral, is_han};

/// Numbers that describe how a token is written.
pub const FEATURES: usize = 30;
/// Rows of the table of Chinese characters, which share them by their code point.
pub const HAN_ROWS: usize = 512;
/// Tokens that are read of a text at most.
pub const MOST_TOKENS: usize = 256;

/// The largest number that can be a year.
const LARGEST: u32 = 9_999;

/// Days of a common year before each of its months.
pub const BEFORE_MONTH: [f32; 12] = [
    0.0, 31.0, 59.0, 90.0, 120.0, 151.0, 181.0, 212.0, 243.0, 273.0, 304.0, 334.0,
];

/// A token as the branch sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// Its id in the encoder's vocabulary, whose row of the word table it is shown; none for a number
    /// in digits, of which only the features below are shown.
    pub id: Option<u32>,
    /// The row of the table of Chinese characters.
    pub han: Option<usize>,
    /// How it is written.
    pub features: [f32; FEATURES],
    /// The number that begins here, 0 for none.
    pub number: f32,
    /// The number with the leading digits of the one before, as in "1850–53"; 0 where there is none.
    pub completed: f32,
    /// Days of a common year before the month that the number or name can mean; 0 for none.
    pub before_month: f32,
    /// The byte of the text where it begins.
    pub start: usize,
}

impl Token {
    /// Whether it writes a number or a month.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.number > 0.0 || self.features[WrittenAs::Month as usize] > 0.0
    }
}

/// The first places of the features: how a number is written.
#[derive(Clone, Copy)]
enum WrittenAs {
    Digits,
    Word,
    Roman,
    Han,
    Era,
    Month,
    /// A further piece of a number.
    Rest,
}

/// A number found in a word or a run of characters, and the tokens it takes.
#[derive(Clone, Copy)]
struct Found {
    written: WrittenAs,
    number: u32,
    digits: usize,
    ending: Ending,
    leading_zero: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    None,
    Plural,
    Ordinal,
    Other,
}

/// Reads a text as the branch is shown it, at most [`MOST_TOKENS`] tokens.
///
/// # Errors
/// [`crate::ErrorKind::Internal`] if the tokenizer fails on the text.
pub fn read(tokenizer: &Tokenizer, text: &str) -> Result<Vec<Token>> {
    let mut spans = tokenizer.spans(text)?;
    spans.truncate(MOST_TOKENS);
    let piece = |at: usize| {
        spans
            .get(at)
            .and_then(|(_, (a, b))| text.get(*a..*b))
            .unwrap_or("")
    };
    let first = |at: usize| piece(at).chars().next().unwrap_or(' ');
    let mut out: Vec<Token> = Vec::with_capacity(spans.len());
    let mut last: Option<(u32, usize)> = None;
    let mut at = 0;
    while at < spans.len() {
        let (found, taken) = if is_han(first(at)) {
            han(&spans, text, at)
        } else {
            word(&spans, text, at)
        };
        for place in at..at + taken {
            let mut token = plain(&spans, text, place);
            if let Some(found) = found {
                let digits = matches!(found.written, WrittenAs::Digits);
                if digits || matches!(found.written, WrittenAs::Roman) {
                    token.id = None;
                }
                if place == at {
                    describe(&mut token, found);
                    if let Some((before, when)) = last
                        && digits
                        && place - when <= 3
                    {
                        token.completed = completed(before, found) as f32;
                        token.features[29] = f32::from(token.completed > 0.0);
                    }
                    if digits {
                        last = Some((found.number, at + taken - 1));
                    }
                } else {
                    token.features[WrittenAs::Rest as usize] = 1.0;
                }
            }
            out.push(token);
        }
        at += taken;
    }
    Ok(out)
}

impl Token {
    /// A number in digits, by itself.
    #[must_use]
    pub fn of_digits(number: u32, start: usize) -> Self {
        let mut token = Self {
            id: None,
            han: None,
            features: [0.0; FEATURES],
            number: 0.0,
            completed: 0.0,
            before_month: 0.0,
            start,
        };
        token.features[26] = 1.0;
        let digits = number.to_string().len();
        describe(
            &mut token,
            Found {
                written: WrittenAs::Digits,
                number,
                digits,
                ending: Ending::None,
                leading_zero: false,
            },
        );
        token
    }
}

/// A token without a number.
fn plain(spans: &[(u32, (usize, usize))], text: &str, at: usize) -> Token {
    let (id, (start, end)) = spans[at];
    let letter = text.get(start..end).and_then(|t| t.chars().next());
    let mut features = [0.0; FEATURES];
    features[25] = f32::from(letter.is_some_and(char::is_uppercase));
    features[26] = f32::from(
        start > 0
            && text
                .as_bytes()
                .get(start - 1)
                .is_some_and(u8::is_ascii_whitespace),
    );
    let han = letter.filter(|c| is_han(*c)).map(|c| c as usize % HAN_ROWS);
    features[27] = f32::from(han.is_some());
    features[28] = f32::from(start == 0);
    Token {
        id: Some(id),
        han,
        features,
        number: 0.0,
        completed: 0.0,
        before_month: 0.0,
        start,
    }
}

fn describe(token: &mut Token, found: Found) {
    let n = found.number;
    let mut set = |place: usize, value: bool| token.features[place] = f32::from(value);
    set(found.written as usize, true);
    for digits in 1..=4 {
        set(6 + digits, found.digits == digits);
    }
    set(11, found.digits > 4);
    set(12, found.ending == Ending::Plural);
    set(13, found.ending == Ending::Ordinal);
    set(14, found.ending == Ending::Other);
    set(15, found.leading_zero);
    set(16, n.is_multiple_of(10));
    set(17, n.is_multiple_of(100));
    set(18, n <= 12);
    set(19, n <= 31);
    set(20, n < 100);
    set(21, (1_000..=2_100).contains(&n));
    set(22, n > 2_100);
    set(23, n < 1_583);
    token.features[24] = (1.0 + n as f32).ln() / 8.0;
    if matches!(found.written, WrittenAs::Month) {
        token.before_month = BEFORE_MONTH[(n as usize - 1).min(11)];
    } else if n <= LARGEST {
        token.number = n as f32;
        if (1..=12).contains(&n) {
            token.before_month = BEFORE_MONTH[n as usize - 1];
        }
    }
}

/// The number in the Chinese characters from a token on; one token where there is none.
fn han(spans: &[(u32, (usize, usize))], text: &str, at: usize) -> (Option<Found>, usize) {
    let run: Vec<char> = spans[at..]
        .iter()
        .map_while(|(_, (a, b))| {
            let mut letters = text.get(*a..*b)?.chars();
            letters
                .next()
                .filter(|c| is_han(*c) && letters.next().is_none())
        })
        .collect();
    let found = |written, number: i64, digits| {
        let number = u32::try_from(number).ok()?;
        Some(Found {
            written,
            number,
            digits,
            ending: Ending::None,
            leading_zero: false,
        })
    };
    if let Some((number, taken)) = numeral::of_han(&run) {
        let digits = number.to_string().len();
        return (found(WrittenAs::Han, number, digits), taken.max(1));
    }
    if let Some((zero, taken)) = numeral::era_zero(&run) {
        // An era before the common one has no number that fits here.
        return (found(WrittenAs::Era, zero, 0), taken.max(1));
    }
    (None, 1)
}

/// The number in the word that begins at a token, and the word's tokens.
fn word(spans: &[(u32, (usize, usize))], text: &str, at: usize) -> (Option<Found>, usize) {
    let (_, (start, mut end)) = spans[at];
    let letters = |t: &str| !t.is_empty() && t.chars().all(|c| c.is_alphanumeric() && !is_han(c));
    if !text.get(start..end).is_some_and(letters) {
        return (None, 1);
    }
    let mut taken = 1;
    while let Some((_, (a, b))) = spans.get(at + taken)
        && *a == end
        && text.get(*a..*b).is_some_and(letters)
    {
        end = *b;
        taken += 1;
    }
    let found = text.get(start..end).and_then(number_of);
    (found, taken)
}

fn number_of(word: &str) -> Option<Found> {
    let spoken = |written, number, ending| Found {
        written,
        number,
        digits: 0,
        ending,
        leading_zero: false,
    };
    let from = word.find(|c: char| c.is_ascii_digit());
    let Some(from) = from else {
        let bare = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|e| word.strip_suffix(e));
        if let Some(n) = bare.and_then(numeral::of_roman) {
            return Some(spoken(WrittenAs::Roman, n, Ending::Ordinal));
        }
        return Some(match numeral::of_word(word)? {
            Numeral::Cardinal(n) => spoken(WrittenAs::Word, n, Ending::None),
            Numeral::Ordinal(n) => spoken(WrittenAs::Word, n, Ending::Ordinal),
            Numeral::Tens(n) => spoken(WrittenAs::Word, n, Ending::Plural),
            Numeral::Roman(n) => spoken(WrittenAs::Roman, n, Ending::None),
            Numeral::Month(n) => spoken(WrittenAs::Month, n.into(), Ending::None),
        });
    };
    let rest = &word[from..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let ending = match rest[digits..].to_ascii_lowercase().as_str() {
        "" => Ending::None,
        "s" => Ending::Plural,
        "st" | "nd" | "rd" | "th" => Ending::Ordinal,
        _ => Ending::Other,
    };
    Some(Found {
        written: WrittenAs::Digits,
        number,
        digits,
        ending,
        leading_zero: digits > 1 && rest.starts_with('0'),
    })
}

/// The number with the leading digits of a longer one before it; 0 where that one is no longer.
fn completed(before: u32, found: Found) -> u32 {
    let own = 10u32.saturating_pow(found.digits as u32);
    if (100..=LARGEST).contains(&before) && before >= own {
        before / own * own + found.number
    } else {
        0
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TINY: &str = r###"{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],
        "normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
        "pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":null,"decoder":null,
        "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
          "vocab":{"[UNK]":0,"in":1,"174":2,"##3":3,"##s":4,"1850":5,"-":6,"53":7,"may":8,"dis":9,"##may":10,"fifties":11,"年":12}}}"###;

    fn tokens(text: &str) -> Vec<Token> {
        let tokenizer = Tokenizer::from_bytes(TINY.as_bytes(), 64).unwrap();
        read(&tokenizer, text).unwrap()
    }

    fn numbers(text: &str) -> Vec<f32> {
        tokens(text).iter().map(|t| t.number).collect()
    }

    #[test]
    fn a_number_in_pieces_is_read_whole_and_its_pieces_are_not_shown() {
        let read = tokens("in 1743s");
        assert_eq!(numbers("in 1743s"), [0.0, 1_743.0, 0.0, 0.0]);
        assert_eq!(read[0].id, Some(1));
        assert!(read[1..].iter().all(|t| t.id.is_none()));
        assert_eq!(read[1].features[12], 1.0);
        assert_eq!(read[1].start, 3);
    }

    #[test]
    fn a_short_number_after_a_year_can_be_completed_from_it() {
        assert_eq!(tokens("1850-53")[2].completed, 1_853.0);
        assert_eq!(tokens("53-1850")[2].completed, 0.0);
    }

    #[test]
    fn words_that_count_are_read_and_pieces_of_other_words_are_not() {
        assert_eq!(numbers("fifties"), [50.0]);
        assert_eq!(tokens("May")[0].before_month, 120.0);
        assert!(tokens("May")[0].counts());
        assert!(tokens("dismay").iter().all(|t| !t.counts()));
    }

    #[test]
    fn chinese_numerals_and_eras_are_read_though_the_vocabulary_lacks_them() {
        assert_eq!(numbers("六十七年"), [67.0, 0.0, 0.0, 0.0]);
        assert_eq!(numbers("乾隆十二年"), [1_735.0, 0.0, 12.0, 0.0, 0.0]);
        assert!(tokens("六").first().unwrap().han.is_some());
    }

    #[test]
    fn a_text_of_any_length_is_cut() {
        assert_eq!(tokens(&"in ".repeat(600)).len(), MOST_TOKENS);
        assert_eq!(tokens("").len(), 0);
    }
}
