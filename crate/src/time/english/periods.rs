//! Dynasties, reigns and periods that English texts name, with the years museums give them.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A named period of whole astronomical years.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Period {
    pub name: &'static str,
    pub first: i64,
    pub last: i64,
    /// Whether the bare name is a period wherever it stands, without "dynasty" or "period".
    pub alone: bool,
}

const fn p(name: &'static str, first: i64, last: i64) -> Period {
    Period {
        name,
        first,
        last,
        alone: false,
    }
}

const fn alone(name: &'static str, first: i64, last: i64) -> Period {
    Period {
        name,
        first,
        last,
        alone: true,
    }
}

/// The known periods.
///
/// Source: the years in common museum use; where scholars differ the docs list the choice.
const PERIODS: &[Period] = &[
    p("xia", -2069, -1599),
    p("shang", -1599, -1045),
    p("zhou", -1045, -255),
    alone("western zhou", -1045, -770),
    alone("eastern zhou", -769, -255),
    alone("spring and autumn", -769, -475),
    alone("warring states", -474, -220),
    p("qin", -220, -205),
    p("han", -205, 220),
    alone("western han", -205, 9),
    alone("eastern han", 25, 220),
    alone("three kingdoms", 220, 280),
    p("jin", 265, 420),
    alone("western jin", 265, 316),
    alone("eastern jin", 317, 420),
    alone("northern and southern dynasties", 420, 589),
    alone("southern and northern dynasties", 420, 589),
    alone("six dynasties", 220, 589),
    alone("northern wei", 386, 534),
    alone("eastern wei", 534, 550),
    alone("western wei", 535, 556),
    alone("northern qi", 550, 577),
    alone("northern zhou", 557, 581),
    p("sui", 581, 618),
    p("tang", 618, 907),
    alone("five dynasties", 907, 960),
    p("liao", 916, 1125),
    p("song", 960, 1279),
    alone("northern song", 960, 1127),
    alone("southern song", 1127, 1279),
    alone("western xia", 1038, 1227),
    p("yuan", 1271, 1368),
    p("ming", 1368, 1644),
    p("qing", 1644, 1911),
    p("hongwu", 1368, 1398),
    p("jianwen", 1399, 1402),
    p("yongle", 1403, 1424),
    p("hongxi", 1425, 1425),
    p("xuande", 1426, 1435),
    p("zhengtong", 1436, 1449),
    p("jingtai", 1450, 1456),
    p("tianshun", 1457, 1464),
    p("chenghua", 1465, 1487),
    p("hongzhi", 1488, 1505),
    p("zhengde", 1506, 1521),
    p("jiajing", 1522, 1566),
    p("longqing", 1567, 1572),
    p("wanli", 1573, 1620),
    p("tianqi", 1621, 1627),
    p("chongzhen", 1628, 1644),
    p("shunzhi", 1644, 1661),
    p("kangxi", 1662, 1722),
    p("yongzheng", 1723, 1735),
    p("qianlong", 1736, 1795),
    p("jiaqing", 1796, 1820),
    p("daoguang", 1821, 1850),
    p("xianfeng", 1851, 1861),
    p("tongzhi", 1862, 1874),
    p("guangxu", 1875, 1908),
    p("xuantong", 1909, 1911),
    p("republic", 1912, 1949),
    p("jomon", -10_499, -299),
    p("yayoi", -299, 300),
    p("kofun", 300, 552),
    p("asuka", 552, 710),
    p("nara", 710, 794),
    p("heian", 794, 1185),
    p("kamakura", 1185, 1333),
    p("nanbokucho", 1336, 1392),
    p("muromachi", 1392, 1573),
    p("momoyama", 1573, 1615),
    p("edo", 1603, 1867),
    p("tokugawa", 1603, 1867),
    p("meiji", 1868, 1912),
    p("taisho", 1912, 1926),
    p("showa", 1926, 1989),
    p("heisei", 1989, 2019),
    p("reiwa", 2019, 2100),
    p("joseon", 1392, 1910),
    p("choson", 1392, 1910),
    p("goryeo", 918, 1392),
    p("koryo", 918, 1392),
    p("silla", -56, 935),
    alone("unified silla", 668, 935),
    alone("old kingdom", -2685, -2160),
    alone("middle kingdom", -2054, -1649),
    alone("new kingdom", -1549, -1068),
    alone("first intermediate period", -2160, -2054),
    alone("second intermediate period", -1649, -1549),
    alone("third intermediate period", -1068, -663),
    p("ptolemaic", -304, -29),
    p("predynastic", -4399, -2999),
    p("kushan", 50, 320),
    p("gupta", 320, 550),
    p("maurya", -321, -184),
    p("chola", 848, 1279),
    p("pala", 750, 1174),
    p("mughal", 1526, 1858),
    p("umayyad", 661, 750),
    p("abbasid", 750, 1258),
    p("fatimid", 909, 1171),
    p("ayyubid", 1171, 1250),
    p("mamluk", 1250, 1517),
    p("ilkhanid", 1256, 1353),
    p("timurid", 1370, 1507),
    p("safavid", 1501, 1736),
    p("qajar", 1789, 1925),
    p("ottoman", 1299, 1922),
    p("achaemenid", -549, -329),
    p("parthian", -246, 224),
    p("sasanian", 224, 651),
    p("hellenistic", -322, -30),
    p("carolingian", 751, 987),
    p("ottonian", 919, 1024),
    p("merovingian", 481, 751),
    p("tudor", 1485, 1603),
    p("elizabethan", 1558, 1603),
    p("jacobean", 1603, 1625),
    p("stuart", 1603, 1714),
    p("georgian", 1714, 1837),
    p("regency", 1811, 1820),
    p("victorian", 1837, 1901),
    p("edwardian", 1901, 1910),
    p("weimar", 1919, 1933),
    alone("american civil war", 1861, 1865),
    alone("first world war", 1914, 1918),
    alone("world war i", 1914, 1918),
    alone("world war one", 1914, 1918),
    alone("wwi", 1914, 1918),
    alone("interwar period", 1919, 1939),
    alone("interwar years", 1919, 1939),
    alone("second world war", 1939, 1945),
    alone("world war ii", 1939, 1945),
    alone("world war two", 1939, 1945),
    alone("wwii", 1939, 1945),
];

/// The periods whose names begin with a word, longest name first.
pub(crate) fn starting_with(word: &str) -> &'static [&'static Period] {
    static INDEX: OnceLock<HashMap<&'static str, Vec<&'static Period>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut map: HashMap<&'static str, Vec<&'static Period>> = HashMap::new();
        for period in PERIODS {
            let first = period.name.split(' ').next().unwrap_or(period.name);
            map.entry(first).or_default().push(period);
        }
        for list in map.values_mut() {
            list.sort_by_key(|period| std::cmp::Reverse(period.name.len()));
        }
        map
    });
    index.get(word).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn periods_are_in_order_and_in_lower_case() {
        for period in PERIODS {
            assert!(period.first <= period.last, "{}", period.name);
            assert_eq!(period.name, period.name.to_lowercase());
        }
    }
}
