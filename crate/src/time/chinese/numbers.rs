//! Chinese and Arabic numerals and the sexagenary cycle.

use super::stream::Ch;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// 2008, with its count of digits.
    Arabic(usize),
    /// 二〇〇八, with its count of digits.
    Digits(usize),
    /// 二十三, 廿三, 百.
    Counting,
}

fn digit(c: char) -> Option<i64> {
    Some(match c {
        '〇' => 0,
        '一' | '壹' => 1,
        '二' | '贰' | '两' => 2,
        '三' | '叁' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    })
}

/// Reads the number that begins at a position: its value, the position after it, and its style.
pub(crate) fn number(chars: &[Ch], at: usize) -> Option<(i64, usize, Style)> {
    let letter = |i: usize| chars.get(i).map(|ch| ch.c);
    let mut i = at;
    if letter(i)?.is_ascii_digit() {
        let mut value = 0i64;
        while let Some(d) = letter(i).and_then(|c| c.to_digit(10)) {
            value = value.checked_mul(10)?.checked_add(i64::from(d))?;
            i += 1;
            if i - at > 12 {
                return None;
            }
        }
        return Some((value, i, Style::Arabic(i - at)));
    }
    let mut total = 0i64;
    let mut current: Option<i64> = None;
    let mut digits = 0usize;
    let mut positional = 0i64;
    let mut counting = false;
    while i - at < 12 {
        let Some(c) = letter(i) else { break };
        if let Some(d) = digit(c) {
            if counting && current.is_some_and(|c| c != 0) {
                break;
            }
            digits += 1;
            positional = positional.checked_mul(10)?.checked_add(d)?;
            current = Some(d);
            i += 1;
            continue;
        }
        let (scale, alone) = match c {
            '十' | '拾' => (10, None),
            '百' | '佰' => (100, None),
            '千' | '仟' => (1000, None),
            '廿' => (10, Some(20)),
            '卅' => (10, Some(30)),
            '卌' => (10, Some(40)),
            _ => break,
        };
        // 二〇〇十 is no number.
        if !counting && digits > 1 {
            break;
        }
        if total != 0 && total % (scale * 10) != 0 {
            break;
        }
        counting = true;
        total += match alone {
            Some(value) => {
                if current.is_some_and(|c| c != 0) {
                    break;
                }
                value
            }
            None => current.filter(|c| *c != 0).unwrap_or(1) * scale,
        };
        current = None;
        i += 1;
    }
    if i == at {
        return None;
    }
    if counting {
        Some((total + current.unwrap_or(0), i, Style::Counting))
    } else {
        Some((positional, i, Style::Digits(digits)))
    }
}

const STEMS: [char; 10] = ['甲', '乙', '丙', '丁', '戊', '己', '庚', '辛', '壬', '癸'];
const BRANCHES: [char; 12] = [
    '子', '丑', '寅', '卯', '辰', '巳', '午', '未', '申', '酉', '戌', '亥',
];

/// Reads a pair of the sexagenary cycle at a position, 0 = 甲子 to 59 = 癸亥.
pub(crate) fn sexagenary(chars: &[Ch], at: usize) -> Option<i64> {
    let stem = STEMS
        .iter()
        .position(|c| *c == chars.get(at).map_or('\0', |ch| ch.c))?;
    let branch = BRANCHES
        .iter()
        .position(|c| *c == chars.get(at + 1).map_or('\0', |ch| ch.c))?;
    (0..60i64).find(|n| *n % 10 == stem as i64 && *n % 12 == branch as i64)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::super::stream::read;
    use super::*;

    fn value(text: &str) -> Option<i64> {
        let chars = read(&format!("{text}年"));
        number(&chars, 0)
            .filter(|(_, end, _)| *end == chars.len() - 1)
            .map(|n| n.0)
    }

    #[test]
    fn numerals_of_every_style_are_read() {
        for (text, expected) in [
            ("十五", 15),
            ("二十三", 23),
            ("廿三", 23),
            ("卅", 30),
            ("一百二十", 120),
            ("百二十", 120),
            ("二〇〇八", 2008),
            ("二零零八", 2008),
            ("２００８", 2008),
            ("一千九百四十九", 1949),
            ("兩千", 2000),
            ("六十一", 61),
            ("十", 10),
            ("一百〇三", 103),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn pairs_of_unlike_parity_are_no_pair() {
        let chars = read("甲丑");
        assert_eq!(sexagenary(&chars, 0), None);
        assert_eq!(sexagenary(&read("癸亥"), 0), Some(59));
    }
}
