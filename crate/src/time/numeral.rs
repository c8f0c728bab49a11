//! Single words and runs of characters that stand for a number, without a grammar around them.

use super::calendar::DayNumber;
use super::chinese::fold::fold;
use super::chinese::numbers::number;
use super::chinese::stream::Ch;
use super::chinese::tables::tables;
use super::english::lexer::W;
pub(crate) use super::english::lexer::is_han;
use super::english::words::{classify, roman};

/// What a word counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numeral {
    /// "three", "fifty".
    Cardinal(u32),
    /// "third".
    Ordinal(u32),
    /// "fifties".
    Tens(u32),
    /// "XIX", of two letters or more.
    Roman(u32),
    /// The number of a month from its name.
    Month(u8),
}

/// Reads one English word or Roman numeral.
pub(crate) fn of_word(word: &str) -> Option<Numeral> {
    match classify(word.as_bytes()) {
        W::Month(month) => Some(Numeral::Month(month)),
        W::Cardinal(tens @ 1_000..) => Some(Numeral::Tens(tens - 1_000)),
        W::Cardinal(n) => Some(Numeral::Cardinal(n)),
        W::Ordinal(n) => Some(Numeral::Ordinal(n)),
        _ if word.len() >= 2 => of_roman(word).map(Numeral::Roman),
        _ => None,
    }
}

/// Reads a Roman numeral of any length.
pub(crate) fn of_roman(word: &str) -> Option<u32> {
    roman(&word.to_ascii_uppercase())
}

/// Reads the number in Chinese numerals that the characters begin with, and how many it takes.
pub(crate) fn of_han(characters: &[char]) -> Option<(i64, usize)> {
    let folded: Vec<Ch> = characters
        .iter()
        .map(|c| Ch {
            c: fold().character(*c),
            start: 0,
            end: 0,
        })
        .collect();
    number(&folded, 0).map(|(value, end, _)| (value, end))
}

/// Gives the year before the first of the Chinese era whose name the characters begin with, so that
/// its year n is that year plus n, and how many characters the name takes. Of several eras with one
/// name the best known counts.
pub(crate) fn era_zero(characters: &[char]) -> Option<(i64, usize)> {
    let folded: Vec<char> = characters.iter().map(|c| fold().character(*c)).collect();
    let tables = tables();
    let name = tables
        .names
        .get(folded.first()?)?
        .iter()
        .find(|name| name.len() >= 2 && folded.starts_with(name))?;
    let text: String = name.iter().collect();
    let reign = tables
        .by_name
        .get(&text)?
        .iter()
        .filter_map(|at| tables.reigns.get(*at))
        .min_by_key(|reign| reign.rank)?;
    // A lunar year begins up to seven weeks into the civil year that holds most of it.
    let begun = DayNumber::from_julian_day(reign.first + 45).year().0;
    let near = begun - reign.years.0;
    let off = (near - 4 - reign.cycle_zero).rem_euclid(60);
    let zero = if off > 30 {
        near + 60 - off
    } else {
        near - off
    };
    Some((zero, name.len()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn letters(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn words_that_count_are_read() {
        assert_eq!(of_word("Nineteenth"), Some(Numeral::Ordinal(19)));
        assert_eq!(of_word("fifties"), Some(Numeral::Tens(50)));
        assert_eq!(of_word("MDCCLXIV"), Some(Numeral::Roman(1764)));
        assert_eq!(of_word("Sept"), Some(Numeral::Month(9)));
        assert_eq!(of_word("plough"), None);
        assert_eq!(of_word("I"), None);
    }

    #[test]
    fn an_era_counts_from_the_year_before_its_first() {
        assert_eq!(era_zero(&letters("乾隆十二年")), Some((1735, 2)));
        assert_eq!(era_zero(&letters("萬曆")), Some((1572, 2)));
        assert_eq!(era_zero(&letters("贞观三年")), Some((626, 2)));
        assert_eq!(era_zero(&letters("木犁")), None);
    }

    #[test]
    fn chinese_numerals_are_read_with_their_length() {
        assert_eq!(of_han(&letters("二十三年")), Some((23, 3)));
        assert_eq!(of_han(&letters("一八五三年")), Some((1853, 4)));
        assert_eq!(of_han(&letters("年")), None);
    }
}
