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

    pub(crate) fn preposition_before(&self, p: usize) -> bool {
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
    ///
    /// `end` is the position after the name, `tail` that after its word of time, if it has one.
    pub(crate) fn after_not_later(&self, p: usize, end: usize, tail: Option<usize>) -> bool {
        if self.c(p) != '后' {
            return false;
        }
        let modern = self.modern_near(p);
        let always = matches!(
            self.before(p),
            '其' | '此'
                | '然'
                | '皇'
                | '太'
                | '今'
                | '厥'
                | '嗣'
                | '高'
                | '吕'
                | '母'
                | '随'
                | '最'
        ) || self.before(p) == '是' && !modern;
        if always || self.ruler_of_the_elder_house(p, end) {
            return true;
        }
        // 前後漢 are the two houses of Han.
        if self.before(p) == '前' && self.c(end - 1) == '汉' {
            return tail.is_none() && self.begins_another_word(end);
        }
        let introduced = self.free_before(p) || self.introduced(p, modern);
        match tail {
            // Nobody says 後唐朝; 死後唐朝 is Tang after a death.
            Some(tail) if tail == end + 1 && matches!(self.c(end), '朝' | '代') => !introduced,
            Some(_) => {
                !introduced
                    && matches!(
                        self.before(p),
                        '之' | '以' | '而' | '年' | '岁' | '月' | '日' | '死' | '先' | '世' | '乱'
                    )
            }
            None => {
                if self.begins_another_word(end) {
                    return true;
                }
                // The Later Han and the Later Wei are said of bare; the rest are states and
                // surnames, and want a word before them.
                let said_bare = matches!(self.c(end - 1), '汉' | '魏' | '凉');
                let classical = !modern && self.in_doubt(p, end);
                if said_bare && !modern {
                    return matches!(
                        self.before(p),
                        '之' | '以' | '而' | '年' | '岁' | '月' | '日' | '死' | '先' | '前' | '世'
                    );
                }
                !introduced || classical && !self.introduced(p, false)
            }
        }
    }

    /// Whether the word before a position makes a name of a state of what follows: 於, 建立, 滅.
    fn introduced(&self, p: usize, modern: bool) -> bool {
        let always = matches!(
            self.before(p),
            '在' | '从' | '由' | '至' | '到' | '与' | '灭' | '属' | '仕' | '代' | '、'
        );
        let prose = matches!(
            self.before(p),
            '于' | '为' | '和' | '及' | '的' | '是' | '自' | '经' | '历' | '当' | '即' | '括'
        ) && (modern || !self.classical_near(p));
        let founded = self.before(p) == '立' && self.c(p.wrapping_sub(2)) == '建';
        always || prose || founded
    }

    /// Whether a ruler follows who is of the house without 後: 隨後唐玄宗, 此後漢武帝.
    fn ruler_of_the_elder_house(&self, p: usize, end: usize) -> bool {
        let rulers = |start: usize| -> Vec<usize> {
            super::dynasties::starting_with(self.c(start))
                .iter()
                .find(|(letters, _)| start + letters.len() == end)
                .map(|(_, dynasty)| self.rulers_at(end, dynasty))
                .unwrap_or_default()
        };
        let elder = rulers(p + 1).into_iter().max();
        let later = rulers(p).into_iter().max();
        elder.is_some() && elder > later
    }

    /// Whether the last letter of a name of two letters begins a common word: 後|漢語, 後|金色.
    fn begins_another_word(&self, end: usize) -> bool {
        let next = self.c(end);
        match self.c(end.wrapping_sub(1)) {
            '汉' => matches!(
                next,
                '语' | '字' | '族' | '服' | '人' | '学' | '化' | '室' | '朝'
            ),
            '金' => matches!(
                next,
                '色' | '属' | '融' | '钱' | '光' | '银' | '价' | '牌' | '额' | '黄' | '山' | '氏'
            ),
            '唐' => matches!(next, '诗' | '装' | '僧' | '山' | '氏' | '军' | '室'),
            '晋' => matches!(next, '升' | '级' | '见' | '江' | '室' | '氏'),
            '周' => matches!(
                next,
                '恩' | '末' | '日' | '边' | '围' | '期' | '年' | '身' | '先' | '总' | '氏' | '遭'
            ),
            '秦' => matches!(next, '始' | '岭' | '腔' | '氏' | '皇'),
            '梁' => matches!(next, '启' | '思' | '山' | '氏'),
            '赵' => matches!(next, '云' | '氏'),
            '蜀' => matches!(next, '道' | '锦' | '地' | '国'),
            '燕' => matches!(next, '京' | '子' | '窝'),
            '凉' => matches!(next, '了' | '快' | '意' | '爽' | '水'),
            _ => false,
        }
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

    /// Whether the first letter of a name is of the direction before it: 東南|明淨, 自關而東|周洛.
    pub(crate) fn within_a_direction(&self, p: usize) -> bool {
        if !matches!(self.c(p), '东' | '南' | '西' | '北') || self.field || self.modern_near(p)
        {
            return false;
        }
        // Provinces are named by directions too: 山西北魏.
        let corner = matches!(self.c(p), '南' | '北')
            && matches!(self.before(p), '东' | '西')
            && !matches!(
                self.c(p.wrapping_sub(2)),
                '山' | '陕' | '广' | '江' | '河' | '湖'
            );
        corner || matches!(self.before(p), '而' | '迤')
    }

    /// Whether 春秋 without a word of time is the two seasons or the annals.
    pub(crate) fn spring_and_autumn(&self, p: usize, end: usize) -> bool {
        let whole = p == 0 && end == self.chars.len();
        !(self.field || whole || self.at(end, "、战国"))
    }

    /// Whether a name of a house heads a chapter of its history: 前漢溝洫志, 後漢張衡傳.
    pub(crate) fn heads_a_chapter(&self, end: usize) -> bool {
        !self.modern_near(end)
            && (end + 1..=end + 3).any(|i| {
                (end..i).all(|k| is_han(self.c(k))) && matches!(self.c(i), '志' | '纪' | '传')
            })
    }

    /// Whether a name of one letter is a dynasty by the words 以來, 以前 and the like after it.
    pub(crate) fn told_by_since(&self, p: usize, end: usize) -> bool {
        let since = ["以来", "已来", "以降", "以前", "以后"];
        if end != p + 1 || self.one_of(end, &since).is_none() {
            return false;
        }
        let other_word = matches!(
            self.c(p),
            '夏' | '商' | '周' | '金' | '齐' | '陈' | '元' | '明' | '梁'
        );
        !other_word || self.free_before(p) || matches!(self.before(p), '自' | '从' | '由')
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::super::super::{Lang, Settings, find};

    fn found(text: &str) -> Vec<&str> {
        find(text, &Settings::default(), Lang::Chinese, None)
            .into_iter()
            .map(|e| &text[e.range])
            .collect()
    }

    #[test]
    fn later_houses_are_read_in_modern_prose() {
        for (text, expected) in [
            ("此器鑄於後唐莊宗同光元年", "後唐莊宗同光元年"),
            ("刻工完成于后蜀广政年间", "后蜀广政年间"),
            ("馆藏后唐时期的瓷器", "后唐时期"),
            ("该寺始建于后周，多次重修", "后周"),
            ("據考證，此畫作於後蜀", "後蜀"),
            ("此画为后蜀黄筌所绘", "后蜀"),
            ("李存勖建立后唐，定都洛阳", "后唐"),
            ("王建墓與後蜀孟知祥和陵", "後蜀"),
            ("墓主是后唐的官员", "后唐"),
            ("五代后蜀时期墓葬出土", "五代后蜀时期"),
            ("五代后晋天福年间", "五代后晋天福年间"),
            ("後趙石虎建武四年", "後趙石虎建武四年"),
            ("努尔哈赤建立后金", "后金"),
            ("後漢明帝永平十年", "後漢明帝永平十年"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        assert_eq!(found("窑址年代为后周至北宋"), ["后周至北宋"]);
    }

    #[test]
    fn after_an_event_the_elder_house_is_meant_or_none() {
        for (text, expected) in [
            ("他死后唐朝大乱", "唐朝"),
            ("战争结束后唐代长安城毁坏", "唐代"),
            ("三年后汉朝灭亡", "汉朝"),
            ("此后金朝兴起", "金朝"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        for text in [
            "背后金色的阳光",
            "他回国后汉语进步很快",
            "会议后周恩来发表讲话",
            "最后晋升为教授",
            "随后唐玄宗逃往四川",
            "先後梁氏",
            "皇后金氏的宫殿",
            "王莽之后汉室复兴",
            "日后蜀道不再难",
        ] {
            assert!(found(text).is_empty(), "{text} {:?}", found(text));
        }
    }

    #[test]
    fn names_within_other_words_are_no_dynasties() {
        for text in [
            "取簇中腰東南明淨厚實繭",
            "方言繘自關而東周洛韓魏間",
            "播植以擬齍盛唐太宗致祭先農",
            "前漢溝洫志白渠歌曰",
            "戰國䇿曰夫柳",
            "東南之機三吳越閩最夥",
            "（春秋）約中",
        ] {
            assert!(found(text).is_empty(), "{text} {:?}", found(text));
        }
        assert_eq!(found("前漢趙過為捜粟都尉"), ["前漢"]);
        assert_eq!(found("漢唐時命驛馳貢"), ["漢唐時"]);
        assert_eq!(found("盛唐詩人"), ["盛唐"]);
    }

    #[test]
    fn a_house_before_since_is_a_dynasty() {
        assert_eq!(found("然自漢以來世無正尺"), ["自漢以來"]);
        assert_eq!(found("惟唐以前有之"), ["唐以前"]);
        assert!(found("明以前事").iter().all(|w| *w == "明以前"));
    }

    #[test]
    fn letters_without_a_code_point_are_one_letter_of_the_text() {
        assert_eq!(found("與&KR0008;同光元年"), ["同光元年"]);
        assert_eq!(found("大明萬&KR0008;十年"), Vec::<&str>::new());
        assert_eq!(
            found("今錄永¶\n<pb:KR3d0007_SKQS_001-1a>¶\n寧二年事"),
            ["永¶\n<pb:KR3d0007_SKQS_001-1a>¶\n寧二年"]
        );
    }
}
