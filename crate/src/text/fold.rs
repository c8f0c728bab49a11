//! One form for letters and characters that a reader takes for the same.

use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization;

/// Pairs of Han characters and the form each is searched by, after comment lines.
///
/// Source: the character tables of OpenCC, see the head of the file.
const HAN: &str = include_str!("han_fold.txt");

/// Letters that Unicode does not take apart into a letter and an accent.
const LETTERS: [(char, &str); 12] = [
    ('ß', "ss"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('ø', "o"),
    ('ł', "l"),
    ('đ', "d"),
    ('ð', "d"),
    ('þ', "th"),
    ('ħ', "h"),
    ('ı', "i"),
    ('ŧ', "t"),
    ('’', "'"),
];

fn han() -> &'static [(char, char)] {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut pairs = Vec::with_capacity(HAN.len() / 7);
        for line in HAN.lines().filter(|line| !line.starts_with('#')) {
            let mut characters = line.chars();
            while let (Some(from), Some(to)) = (characters.next(), characters.next()) {
                pairs.push((from, to));
            }
        }
        pairs
    })
}

/// Gives the form a Han character is searched by: simplified, for traditional, Japanese and
/// variant forms alike; other characters stay as they are.
///
/// ```
/// use almanac::text::fold_han;
/// assert_eq!([fold_han('厯'), fold_han('曆'), fold_han('历')], ['历'; 3]);
/// ```
#[must_use]
pub fn fold_han(c: char) -> char {
    let table = han();
    match table.binary_search_by_key(&c, |(from, _)| *from) {
        Ok(at) => table.get(at).map_or(c, |(_, to)| *to),
        Err(_) => c,
    }
}

/// Gives a text in compatibility form and lower case, with its accents and characters as written.
#[must_use]
pub(super) fn surface(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkc().flat_map(char::to_lowercase).nfc().collect()
}

/// Gives the form a text is searched by: lower case, without accents, Han characters by
/// [`fold_han`].
///
/// ```
/// use almanac::text::fold;
/// assert_eq!(fold("Röntgen, Łódź, 乾隆"), "rontgen, lodz, 干隆");
/// ```
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    // Only Latin, Greek and Cyrillic accents go; the voicing marks of kana make other letters.
    let bare = text
        .nfkd()
        .filter(|c| !('\u{300}'..='\u{36F}').contains(c))
        .flat_map(char::to_lowercase)
        .nfc();
    for c in bare {
        match LETTERS.iter().find(|(letter, _)| *letter == c) {
            Some((_, plain)) => out.push_str(plain),
            None => out.push(fold_han(c)),
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn table_is_sorted_and_reaches_its_form_at_once() {
        let table = han();
        assert!(table.len() > 3_000, "{}", table.len());
        for pair in table.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{pair:?}");
        }
        for (from, to) in table {
            assert_ne!(from, to);
            assert_eq!(fold_han(*to), *to, "{from}");
        }
    }

    #[test]
    fn forms_of_one_word_fold_together() {
        for forms in [
            ["萬曆", "万历"],
            ["乾隆", "乾隆"],
            ["齊民要術", "齐民要术"],
            ["國", "国"],
            ["嵗時", "岁时"],
            ["É", "e"],
            ["Ｃｈｉｎａ", "china"],
            ["Łódź", "lodz"],
            ["Straße", "strasse"],
        ] {
            assert_eq!(fold(forms[0]), fold(forms[1]), "{forms:?}");
        }
    }

    #[test]
    fn voiced_kana_stay_apart() {
        assert_ne!(fold("が"), fold("か"));
    }

    #[test]
    fn surface_keeps_what_folding_merges() {
        assert_ne!(surface("穀雨"), surface("谷雨"));
        assert_eq!(fold("穀雨"), fold("谷雨"));
        assert_eq!(surface("RÖNTGEN"), "röntgen");
    }
}
