//! The terms of a text for search by words; the same code reads passages and queries.

use super::fold::{fold, surface};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// A word of a script with spaces.
    Word,
    /// One character of a script without spaces.
    Character,
    /// Two neighboring characters of a script without spaces.
    Pair,
    /// A run with digits and signs inside, such as an accession number, written without spaces.
    Code,
    /// The written form of a word, character or pair that folding changes.
    Exact,
}

/// One term of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The form that is compared; forms of different kinds never coincide by accident.
    pub text: String,
    /// What it is.
    pub kind: TermKind,
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
}

/// How words are cut down before they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stemming {
    /// Not at all.
    #[default]
    None,
    /// English plurals become singulars.
    Plural,
}

/// Cuts a text into terms: words in lower case without accents, characters and pairs of characters
/// for Chinese and Japanese, codes such as accession numbers, and the exact form of whatever folding
/// changes.
///
/// ```
/// use almanac::text::{terms, Stemming};
/// let texts = |text| terms(text, Stemming::None).into_iter().map(|t| t.text).collect::<Vec<_>>();
/// assert_eq!(texts("Blue vases"), ["blue", "vases"]);
/// assert_eq!(texts("谷雨"), ["谷", "雨", "谷雨"]);
/// assert_eq!(texts("no. 46.7-2"), ["no", "46.7", "2", "#46.7-2"]);
/// assert_eq!(texts("Röntgen"), ["rontgen", "=röntgen"]);
/// ```
#[must_use]
pub fn terms(text: &str, stemming: Stemming) -> Vec<Term> {
    let mut out = Vec::new();
    let mut previous: Option<Range<usize>> = None;
    for (start, word) in text.unicode_word_indices() {
        if !word.chars().any(is_unspaced) {
            previous = None;
            let stem = |word: String| match stemming {
                Stemming::None => word,
                Stemming::Plural => singular(word),
            };
            let range = start..start + word.len();
            push(&mut out, word, range, TermKind::Word, stem);
            continue;
        }
        for (offset, c) in word.char_indices() {
            let range = start + offset..start + offset + c.len_utf8();
            let character = &text[range.clone()];
            push(
                &mut out,
                character,
                range.clone(),
                TermKind::Character,
                |c| c,
            );
            if let Some(before) = previous.take().filter(|p| p.end == range.start) {
                let pair = before.start..range.end;
                push(&mut out, &text[pair.clone()], pair, TermKind::Pair, |p| p);
            }
            previous = Some(range);
        }
    }
    for (range, code) in codes(text) {
        out.push(Term {
            text: format!("#{}", fold(code)),
            kind: TermKind::Code,
            range,
        });
    }
    out
}

/// Adds a term and, where folding changes it, its exact form.
fn push(
    out: &mut Vec<Term>,
    text: &str,
    range: Range<usize>,
    kind: TermKind,
    stem: impl Fn(String) -> String,
) {
    let (folded, written) = (fold(text), surface(text));
    if folded.is_empty() {
        // Accents alone are no word.
        return;
    }
    let differs = folded != written;
    out.push(Term {
        text: stem(folded),
        kind,
        range: range.clone(),
    });
    if differs {
        out.push(Term {
            text: format!("={written}"),
            kind: TermKind::Exact,
            range,
        });
    }
}

/// Whether a character belongs to a script written without spaces between words.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' | '〇' | '々')
}

/// The runs without spaces that hold a digit and, between letters or digits, another sign.
fn codes(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let base = text.as_ptr() as usize;
    text.split_whitespace().filter_map(move |run| {
        let code = run.trim_matches(|c: char| !c.is_alphanumeric());
        let inner = code.chars().any(|c| !c.is_alphanumeric());
        let digit = code.chars().any(|c| c.is_ascii_digit());
        let short = code.len() <= 40 && !code.chars().any(is_unspaced);
        let start = code.as_ptr() as usize - base;
        (inner && digit && short).then(|| (start..start + code.len(), code))
    })
}

/// Gives the singular of an English plural by its ending.
///
/// Source: D. Harman, "How effective is suffixing?", Journal of the American Society for
/// Information Science 42 (1991), the S stemmer.
fn singular(word: String) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|e| word.ends_with(e));
    let cut = |n: usize| word[..word.len() - n].to_owned();
    if word.len() < 4 || !word.is_ascii() {
        word
    } else if word.ends_with("ies") && !ends(&["eies", "aies"]) {
        cut(3) + "y"
    } else if word.ends_with("es") && !ends(&["aes", "ees", "oes"])
        || word.ends_with('s') && !ends(&["us", "ss", "es"])
    {
        cut(1)
    } else {
        word
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<String> {
        terms(text, Stemming::None)
            .into_iter()
            .map(|t| t.text)
            .collect()
    }

    #[test]
    fn plurals_become_singulars_only_when_asked() {
        for (plural, one) in [
            ("cities", "city"),
            ("vases", "vase"),
            ("bowls", "bowl"),
            ("glass", "glass"),
            ("corpus", "corpus"),
            ("gas", "gas"),
        ] {
            assert_eq!(terms(plural, Stemming::Plural)[0].text, one);
            assert_eq!(terms(plural, Stemming::None)[0].text, plural);
        }
    }

    #[test]
    fn traditional_and_simplified_share_their_folded_terms() {
        let folded = |text: &str| {
            let all = terms(text, Stemming::None);
            all.into_iter()
                .filter(|t| t.kind != TermKind::Exact)
                .map(|t| t.text)
                .collect::<Vec<_>>()
        };
        assert_eq!(folded("齊民要術"), folded("齐民要术"));
        assert_eq!(folded("萬曆三年"), folded("万厯三年"));
        assert!(texts("穀雨").contains(&"=穀雨".to_owned()));
    }

    #[test]
    fn pairs_do_not_cross_a_gap() {
        assert_eq!(texts("瓜，豆"), ["瓜", "豆"]);
        assert_eq!(texts("瓜 豆"), ["瓜", "豆"]);
        assert_eq!(texts("瓜豆"), ["瓜", "豆", "瓜豆"]);
    }

    #[test]
    fn accession_numbers_stay_whole() {
        assert!(texts("(PA.1921-14/2).").contains(&"#pa.1921-14/2".to_owned()));
        assert!(!texts("well-known").iter().any(|t| t.starts_with('#')));
        assert!(!texts("1853.").iter().any(|t| t.starts_with('#')));
    }

    #[test]
    fn accents_alone_are_no_term() {
        assert!(terms("\u{363} ", Stemming::None).is_empty());
    }

    proptest! {
        #[test]
        fn terms_stand_where_they_say(text in "\\PC{0,60}") {
            for term in terms(&text, Stemming::Plural) {
                prop_assert!(text.get(term.range.clone()).is_some(), "{:?}", term);
                prop_assert!(!term.text.is_empty());
            }
        }
    }
}
