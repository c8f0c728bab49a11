//! Names of dynasties and eras that are other words too: 明朝 is also tomorrow, 三國 also three
//! states, 其後周 also "after that, Zhou".
//!
//! The language of a passage decides where the words beside a name do not: modern prose is full of
//! particles that classical prose lacks, and names dynasties where classical prose hardly does.

use super::super::english::lexer::is_han;
use super::scanner::Scanner;

/// Letters on each side of a name that show which language a passage is written in.
const MODERN_REACH: usize = 60;
const CLASSICAL_REACH: usize = 16;

/// Ages that hold several houses, one of which may follow: 五代後周, 南朝梁.
pub(crate) const FRAMES: [&str; 8] = [
    "三国",
    "五代",
    "五代十国",
    "十六国",
    "南朝",
    "北朝",
    "南北朝",
    "六朝",
];

impl Scanner<'_> {
    fn before(&self, p: usize) -> char {
        p.checked_sub(1).map_or(super::stream::BREAK, |i| self.c(i))
    }

    fn near(&self, p: usize, reach: usize, wanted: impl Fn(char) -> bool) -> bool {
        (p.saturating_sub(reach)..p + reach).any(|i| wanted(self.c(i)))
    }

    /// Whether a passage is modern prose.
    pub(crate) fn modern_near(&self, p: usize) -> bool {
        self.near(p, MODERN_REACH, |c| {
            matches!(
                c,
                '的' | '了' | '们' | '这' | '很' | '吗' | '她' | '他' | '把' | '个' | '着' | '呢'
            )
        })
    }

    /// Whether a passage is classical prose or verse.
    fn classical_near(&self, p: usize) -> bool {
        self.near(p, CLASSICAL_REACH, |c| {
            matches!(
                c,
                '之' | '乃' | '也' | '矣' | '焉' | '曰' | '兮' | '哉' | '其' | '而' | '则' | '吾'
            )
        }) && !self.modern_near(p)
    }

    fn preposition_before(&self, p: usize) -> bool {
        matches!(self.before(p), '在' | '自' | '从' | '由' | '是' | '的')
    }

    /// Whether 明朝 or 清朝 at a position is a morning or a serene court and not a dynasty.
    pub(crate) fn morning_or_court(&self, p: usize) -> bool {
        if self.field || self.modern_near(p) || self.preposition_before(p) {
            return false;
        }
        let end = p + 2;
        let acts = matches!(
            self.c(end),
            '更' | '复'
                | '又'
                | '便'
                | '即'
                | '当'
                | '须'
                | '有'
                | '无'
                | '散'
                | '风'
                | '雨'
                | '晴'
                | '望'
                | '去'
                | '归'
                | '相'
                | '且'
                | '再'
                | '还'
                | '若'
                | '不'
                | '何'
                | '来'
                | '取'
                | '见'
                | '鸡'
                | '早'
                | '日'
                | '酒'
                | '花'
                | '春'
                | '马'
                | '知'
                | '作'
                | '得'
                | '挂'
                | '事'
                | '府'
                | '乃'
                | '之'
                | '游'
                | '发'
                | '寒'
                | '食'
                | '骑'
                | '泪'
                | '愁'
                | '忧'
                | '休'
                | '上'
                | '独'
        );
        let awaited = matches!(
            self.before(p),
            '待' | '俟'
                | '候'
                | '须'
                | '来'
                | '莫'
                | '宿'
                | '日'
                | '造'
                | '任'
                | '固'
                | '辱'
                | '肃'
                | '仕'
                | '逢'
                | '负'
                | '期'
                | '看'
                | '恐'
                | '事'
                | '志'
        );
        // 自唐至明朝, 至明朝乃出
        let until = matches!(self.before(p), '至' | '到' | '及')
            && !(1..=8).any(|k| {
                p.checked_sub(k)
                    .is_some_and(|i| matches!(self.c(i), '自' | '从' | '唐' | '宋' | '元'))
            });
        let night = self.near(p, CLASSICAL_REACH, |c| {
            matches!(c, '夜' | '昨' | '宵' | '晚' | '今' | '昔')
        });
        acts || awaited || until || night || self.classical_near(p)
    }

    /// Whether 後 before the name of a house is "after" and no part of it: 其後唐, 皇后梁氏.
    pub(crate) fn after_not_later(&self, p: usize, end: usize, told: bool) -> bool {
        if self.c(p) != '后' {
            return false;
        }
        let always = matches!(
            self.before(p),
            '其' | '此' | '是' | '然' | '皇' | '太' | '今' | '厥' | '嗣' | '高' | '吕' | '母'
        );
        let mostly = matches!(
            self.before(p),
            '之' | '以' | '而' | '年' | '岁' | '月' | '日' | '死' | '先' | '最' | '前' | '世'
        );
        // The Later Han and the Later Wei are said of bare; the rest are states and surnames.
        always
            || mostly && !told
            || !told && !matches!(self.c(end - 1), '汉' | '魏' | '凉') && self.in_doubt(p, end)
    }

    /// Whether a bare name of two letters may be something else where it stands.
    pub(crate) fn in_doubt(&self, p: usize, end: usize) -> bool {
        if self.field || self.modern_near(p) || self.preposition_before(p) {
            return false;
        }
        if self.one_of(end, &["以来", "以后", "以前"]).is_some() {
            return false;
        }
        if self.free_before(p) && self.free_after(end) {
            return false;
        }
        !self.free_before(p) && self.before(p) != '代'
            || self.classical_near(p)
            || matches!(
                self.c(end),
                '皆' | '相'
                    | '兵'
                    | '隘'
                    | '无'
                    | '不'
                    | '以'
                    | '伐'
                    | '攻'
                    | '共'
                    | '约'
                    | '既'
                    | '子'
                    | '使'
                    | '王'
                    | '氏'
                    | '为'
                    | '将'
                    | '用'
                    | '亡'
                    | '县'
                    | '侯'
                    | '城'
                    | '冀'
                    | '暴'
                    | '灭'
                    | '有'
                    | '未'
                    | '来'
                    | '好'
                    | '数'
                    | '广'
                    | '帅'
            )
    }

    /// Whether a name that peoples and states bear too is doubtful where it stands bare.
    pub(crate) fn doubtful_name(&self, name: &str, p: usize, end: usize) -> bool {
        const NAMES: [&str; 16] = [
            "三国",
            "五代",
            "十六国",
            "大清",
            "西夏",
            "武周",
            "西魏",
            "北魏",
            "桓楚",
            "孙吴",
            "南吴",
            "西梁",
            "皇明",
            "大宋",
            "大元",
            "前秦",
        ];
        NAMES.contains(&name) && self.in_doubt(p, end)
    }

    /// Whether the name belongs to the word before it, as in 孝元時, 大梁時 and 丁明代爲大司馬.
    pub(crate) fn of_the_word_before(&self, p: usize, end: usize) -> bool {
        if end != p + 1 || self.free_before(p) {
            return false;
        }
        let named = self.before(p) == '孝' || (self.before(p) == '大' && self.c(p) == '梁');
        let replaced = self.c(end) == '代'
            && matches!(self.c(end + 1), '为' | '之' | '其' | '立' | '仙')
            && !self.preposition_before(p)
            && !self.modern_near(p);
        named || replaced
    }

    /// Whether two names of one letter in a row stand where a date can.
    pub(crate) fn pair_has_room(&self, p: usize, end: usize) -> bool {
        // 宋元嘉以前 is of the era 元嘉.
        let era = self.tables.names.get(&self.c(p + 1)).is_some_and(|names| {
            names.iter().any(|letters| {
                letters.len() == 2
                    && letters
                        .iter()
                        .enumerate()
                        .all(|(k, c)| self.c(p + 1 + k) == *c)
            })
        });
        !era && !self.at(end, "皇后")
            && !matches!(self.c(end), '王' | '帝' | '公' | '二')
            && (self.free_before(p)
                || matches!(self.c(end), '以' | '之' | '人' | '诸')
                || self.modern_near(p)
                || self.preposition_before(p)
                || matches!(
                    self.before(p),
                    '及' | '至' | '于' | '历' | '经' | '以' | '迄' | '为' | '如' | '代'
                ))
    }

    /// Whether a bare name stands among peoples, as in 契丹、庫莫奚, or is the title of a work.
    pub(crate) fn people_or_title(&self, name: &str, p: usize, end: usize) -> bool {
        let people = matches!(name, "契丹" | "大夏" | "蒙古") && !self.field;
        people && (p > 0 || end < self.chars.len()) || self.before(p) == '《' && self.c(end) == '》'
    }

    /// Whether an era by its name alone, or with 中 or 時, is more likely a place or a phrase.
    pub(crate) fn era_is_a_word(&self, p: usize, q: usize, name: &str, bare: bool) -> bool {
        // The capital, the rise of the Han, audiences, and "heeding Heaven, following the times".
        let within = self.free_before(p) && self.c(q) == '中' && self.free_after(q + 1);
        if name == "长安" && !within && (bare || matches!(self.c(q), '中' | '时'))
            || name == "汉兴"
            || matches!(name, "会同" | "大有" | "燕王" | "康国" | "大象") && bare
            || name == "天顺" && self.before(p) == '应'
        {
            return true;
        }
        if !bare {
            return false;
        }
        // Titles of books and dances, and lists of places and omens.
        if self.before(p) == '《' || self.c(q) == '》' {
            return true;
        }
        let listed = [self.before(p) == '、', self.c(q) == '、'];
        // 開元、天寶間
        let goes_on = |c: char| {
            !is_han(c)
                || matches!(
                    c,
                    '中' | '时' | '年' | '初' | '末' | '以' | '之' | '帝' | '两' | '三' | '朝'
                )
        };
        let after = listed[1]
            && self
                .bare_era(q + 1)
                .is_some_and(|hit| goes_on(self.c(hit.end)) || hit.end > q + 3);
        let before = listed[0]
            && p.checked_sub(3)
                .and_then(|i| self.bare_era(i))
                .is_some_and(|hit| hit.end + 1 == p);
        (listed[0] || listed[1]) && !before && !after
    }
}
