//! Chinese dynasties: their years, and the houses of the era table they stand for.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A dynasty or age by its folded name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dynasty {
    pub name: &'static str,
    /// Astronomical years.
    pub first: i64,
    pub last: i64,
    /// Whether the bare name is a date wherever it stands; 蜀漢 and 吳越 are regions too.
    pub alone: bool,
    /// The dynasties of the era table whose eras the name may introduce.
    pub houses: &'static [&'static str],
}

const fn d(
    name: &'static str,
    first: i64,
    last: i64,
    alone: bool,
    houses: &'static [&'static str],
) -> Dynasty {
    Dynasty {
        name,
        first,
        last,
        alone,
        houses,
    }
}

/// The dynasties, in simplified characters.
///
/// Source: the years in common use by museums; the docs list the choices.
const DYNASTIES: &[Dynasty] = &[
    d("夏", -2069, -1599, false, &["胡夏"]),
    d("商", -1599, -1045, false, &[]),
    d("殷商", -1599, -1045, true, &[]),
    d("殷", -1299, -1045, false, &[]),
    d("西周", -1045, -770, true, &[]),
    d("东周", -769, -255, true, &[]),
    d("周", -1045, -255, false, &["北周", "後周", "武周"]),
    d("春秋", -769, -475, false, &[]),
    d("春秋战国", -769, -220, true, &[]),
    d("战国", -474, -220, true, &[]),
    d("先秦", -2069, -220, false, &[]),
    d("秦", -220, -205, false, &["秦", "前秦", "後秦", "西秦"]),
    d(
        "汉",
        -205,
        220,
        false,
        &[
            "西漢", "東漢", "蜀漢", "漢趙", "成漢", "後漢", "南漢", "北漢",
        ],
    ),
    d("两汉", -205, 220, true, &["西漢", "東漢"]),
    d("西汉", -205, 8, true, &["西漢"]),
    d("前汉", -205, 8, true, &["西漢"]),
    d("新莽", 9, 23, true, &["新"]),
    d("东汉", 25, 220, true, &["東漢"]),
    d("后汉", 25, 220, true, &["東漢", "後漢"]),
    d("三国", 220, 280, true, &["曹魏", "蜀漢", "孫吳"]),
    d("曹魏", 220, 265, true, &["曹魏"]),
    d("蜀汉", 221, 263, false, &["蜀漢"]),
    d("孙吴", 222, 280, true, &["孫吳"]),
    d("东吴", 222, 280, false, &["孫吳"]),
    d("魏", 220, 265, false, &["曹魏", "北魏", "東魏", "西魏"]),
    d("蜀", 221, 263, false, &["蜀漢", "前蜀", "後蜀"]),
    d("吴", 222, 280, false, &["孫吳", "南吳"]),
    d("魏晋", 220, 420, true, &[]),
    d("魏晋南北朝", 220, 589, true, &[]),
    d("两晋", 265, 420, true, &["西晉", "東晉"]),
    d("晋", 265, 420, false, &["西晉", "東晉", "後晉"]),
    d("西晋", 265, 316, true, &["西晉"]),
    d("东晋", 317, 420, true, &["東晉"]),
    d("十六国", 304, 439, true, &[]),
    d("六朝", 222, 589, true, &[]),
    d("南北朝", 420, 589, true, &[]),
    d("南朝", 420, 589, true, &["劉宋", "南齊", "南梁", "陳"]),
    d(
        "北朝",
        386,
        581,
        true,
        &["北魏", "東魏", "西魏", "北齊", "北周"],
    ),
    d("刘宋", 420, 479, true, &["劉宋"]),
    d("南齐", 479, 502, true, &["南齊"]),
    d("齐", 479, 502, false, &["南齊", "北齊"]),
    d("梁", 502, 557, false, &["南梁", "後梁", "西梁"]),
    d("陈", 557, 589, false, &["陳"]),
    d("北魏", 386, 534, true, &["北魏"]),
    d("后魏", 386, 534, true, &["北魏"]),
    d("元魏", 386, 534, true, &["北魏"]),
    d("东魏", 534, 550, true, &["東魏"]),
    d("西魏", 535, 556, true, &["西魏"]),
    d("北齐", 550, 577, true, &["北齊"]),
    d("北周", 557, 581, true, &["北周"]),
    d("隋", 581, 618, false, &["隋"]),
    d("唐", 618, 907, false, &["唐", "武周", "後唐", "南唐"]),
    d("大唐", 618, 907, true, &["唐"]),
    d("武周", 690, 705, true, &["武周"]),
    d(
        "五代",
        907,
        960,
        true,
        &["後梁", "後唐", "後晉", "後漢", "後周"],
    ),
    d("五代十国", 907, 979, true, &[]),
    d("后梁", 907, 923, true, &["後梁"]),
    d("后唐", 923, 936, true, &["後唐"]),
    d("后晋", 936, 946, true, &["後晉"]),
    d("后周", 951, 960, true, &["後周"]),
    d("南唐", 937, 975, true, &["南唐"]),
    d("前蜀", 907, 925, true, &["前蜀"]),
    d("后蜀", 934, 965, true, &["後蜀"]),
    d("吴越", 907, 978, false, &["吳越"]),
    d("南汉", 917, 971, false, &["南漢"]),
    d("北汉", 951, 979, true, &["北漢"]),
    d("前凉", 317, 376, true, &["前涼"]),
    d("前秦", 350, 394, true, &["前秦"]),
    d("后秦", 384, 417, false, &["後秦"]),
    d("西秦", 385, 431, false, &["西秦"]),
    d("前燕", 337, 370, true, &["前燕"]),
    d("后燕", 384, 407, true, &["後燕"]),
    d("后赵", 319, 351, true, &["後趙"]),
    d("前赵", 304, 329, true, &["前趙", "漢趙"]),
    d("成汉", 304, 347, true, &["成漢"]),
    d("北凉", 397, 439, false, &["北涼"]),
    d("西凉", 400, 421, false, &["西涼"]),
    d("后凉", 386, 403, false, &["後涼"]),
    d("南凉", 397, 414, false, &["南涼"]),
    d("冉魏", 350, 352, true, &["冉魏"]),
    d("翟魏", 388, 392, true, &["翟魏"]),
    d("桓楚", 403, 404, true, &["桓楚"]),
    d("侯汉", 551, 552, true, &["侯漢"]),
    d("南燕", 398, 410, true, &["南燕"]),
    d("北燕", 407, 436, false, &["北燕"]),
    d("西燕", 384, 394, true, &["西燕"]),
    d("西梁", 555, 587, true, &["西梁"]),
    d("南吴", 902, 937, true, &["南吳"]),
    d("闽", 909, 945, false, &["閩"]),
    d("北辽", 1122, 1123, true, &["北遼"]),
    d("大夏", 407, 431, false, &["胡夏"]),
    d("胡夏", 407, 431, true, &["胡夏"]),
    d("宋", 960, 1279, false, &["北宋", "南宋", "劉宋"]),
    d("大宋", 960, 1279, true, &["北宋", "南宋"]),
    d("赵宋", 960, 1279, true, &["北宋", "南宋"]),
    d("两宋", 960, 1279, true, &["北宋", "南宋"]),
    d("北宋", 960, 1127, true, &["北宋"]),
    d("南宋", 1127, 1279, true, &["南宋"]),
    d("辽", 916, 1125, false, &["遼/契丹"]),
    d("契丹", 907, 1125, false, &["遼/契丹"]),
    d("西辽", 1124, 1218, true, &["西遼"]),
    d("西夏", 1038, 1227, true, &["西夏"]),
    d("金", 1115, 1234, false, &["金/大金"]),
    d("大金", 1115, 1234, false, &["金/大金", "後金"]),
    d("后金", 1616, 1636, true, &["後金"]),
    d("蒙古", 1206, 1271, false, &["蒙古"]),
    d("元", 1271, 1368, false, &["元/大元", "蒙古"]),
    d("大元", 1271, 1368, true, &["元/大元", "蒙古"]),
    d("明", 1368, 1644, false, &["明/大明", "南明"]),
    d("大明", 1368, 1644, false, &["明/大明", "南明"]),
    d("皇明", 1368, 1644, true, &["明/大明", "南明"]),
    d("南明", 1644, 1683, true, &["南明"]),
    d("清", 1644, 1911, false, &["清/大清", "後金"]),
    d("大清", 1644, 1911, true, &["清/大清"]),
    d("满清", 1644, 1911, true, &["清/大清"]),
    d("民国", 1912, 1949, true, &["民國"]),
    d("中华民国", 1912, 1949, true, &["民國"]),
];

/// The dynasties whose names begin with a character, longest name first.
pub(crate) fn starting_with(c: char) -> &'static [(Vec<char>, &'static Dynasty)] {
    type Index = HashMap<char, Vec<(Vec<char>, &'static Dynasty)>>;
    static INDEX: OnceLock<Index> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut map: Index = HashMap::new();
        for dynasty in DYNASTIES {
            let letters: Vec<char> = dynasty.name.chars().collect();
            if let Some(first) = letters.first() {
                map.entry(*first).or_default().push((letters, dynasty));
            }
        }
        for list in map.values_mut() {
            list.sort_by_key(|(letters, _)| std::cmp::Reverse(letters.len()));
        }
        map
    });
    index.get(&c).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::super::fold::fold;
    use super::super::tables::tables;
    use super::*;

    #[test]
    fn names_are_folded_and_houses_are_in_the_era_table() {
        for dynasty in DYNASTIES {
            assert_eq!(fold().text(dynasty.name), dynasty.name);
            assert!(dynasty.first <= dynasty.last);
            for house in dynasty.houses {
                assert!(
                    tables().eras.iter().any(|era| era.dynasty == *house),
                    "{house}"
                );
            }
        }
    }
}
