//! Chinese numerals of scrolls.

const DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// Gives a number from 1 to 99 in Chinese; nothing for others.
pub fn chinese(number: usize) -> Option<String> {
    let (tens, ones) = (number / 10, number % 10);
    match tens {
        0 if ones > 0 => Some(DIGITS[ones].to_owned()),
        1 => Some(format!("十{}", DIGITS[ones])),
        2..=9 => Some(format!("{}十{}", DIGITS[tens], DIGITS[ones])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::chinese;

    #[test]
    fn numbers_of_scrolls_are_written_as_on_their_title() {
        let written = [1, 10, 11, 20, 60, 92].map(chinese);
        let expected = ["一", "十", "十一", "二十", "六十", "九十二"];
        assert_eq!(written, expected.map(|n| Some(n.to_owned())));
        assert_eq!((chinese(0), chinese(100)), (None, None));
    }
}
