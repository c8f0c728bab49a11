//! Brings traditional, simplified and variant characters of dates to one form.

/// Pairs of a character and the form it is read as, in the order of the first.
///
/// Source: the simplified forms of the characters that era names, rulers, dynasties and the
/// calendar use, and variants seen in printed books, such as 厯 for 曆.
const PAIRS: &str = "○〇◯〇㐧第䇿策䕫夔䟽疏丗卅両两乹乾亖四來来個个倣仿傳传儀仪億亿內内兩两冊册冨富凞熙則则劉刘動动勝胜勞劳卄廿厤历厯历厲厉參叁吳吴\
     呂吕啓启啟启囯国圀国國国埀垂壽寿姸妍嬰婴孫孙學学宻密寜宁寧宁寫写寳宝寶宝將将屬属嵗岁幾几廢废廣广廼乃弌一弍二弎三張张後后從从復复徳德\
     恆恒惪德慶庆憲宪應应懷怀戰战戸户攝摄敎教數数斉齐於于旣既旹时昇升昻昂時时晉晋晧皓暦历曆历曌照書书會会東东業业極极樂乐欽钦歲岁歳岁歴历\
     歷历歸归殤殇氣气氷冰沖冲涼凉淸清湻淳溫温滅灭漢汉濟济為为烏乌無无煕熙煬炀爲为獻献珤宝瑤瑶璽玺甯宁當当監监眞真祿禄禆裨禎祯禮礼種种穀谷\
     竜龙節节簡简紀纪約约紹绍統统綏绥經经緒绪緖绪總总羙美義义聖圣聰聪肅肃臈腊臘腊臨临與与興兴莊庄萬万葉叶蒼苍蘭兰處处號号蝋腊蟄蛰衛卫衞卫\
     裏里裡里製制覌观視视觀观許许該该誕诞調调證证豊丰豐丰貞贞貭质貳贰貴贵賜赐質质贊赞趙赵載载輔辅農农迺乃週周運运過过遜逊遼辽鄉乡鄰邻釗钊\
     鑑鉴長长開开閏闰間间閔闵閠闰閩闽陰阴陳陈陸陆陽阳際际隣邻隨随隱隐雲云零〇靈灵靑青靜静頃顷順顺頒颁顗𫖮顯显飛飞餘余驚惊髙高髪发鬱郁鳯凤\
     鳳凤鴈雁鴻鸿黃黄齊齐龍龙龜龟𫝊传";

/// A lookup table from characters to the form they are read as.
pub(crate) struct Fold {
    pairs: Vec<(char, char)>,
}

impl Fold {
    fn new() -> Self {
        let mut pairs = Vec::with_capacity(PAIRS.len() / 6);
        let mut characters = PAIRS.chars();
        while let (Some(from), Some(to)) = (characters.next(), characters.next()) {
            pairs.push((from, to));
        }
        Self { pairs }
    }

    /// The form a character is read as; full-width digits become plain ones.
    pub(crate) fn character(&self, c: char) -> char {
        if let '\u{FF10}'..='\u{FF19}' = c {
            return char::from_digit(u32::from(c) - 0xFF10, 10).unwrap_or(c);
        }
        match self.pairs.binary_search_by_key(&c, |(from, _)| *from) {
            Ok(index) => self.pairs.get(index).map_or(c, |(_, to)| *to),
            Err(_) => c,
        }
    }

    /// The form a whole text is read as.
    pub(crate) fn text(&self, text: &str) -> String {
        text.chars().map(|c| self.character(c)).collect()
    }
}

/// The table, made once.
pub(crate) fn fold() -> &'static Fold {
    static FOLD: std::sync::OnceLock<Fold> = std::sync::OnceLock::new();
    FOLD.get_or_init(Fold::new)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn pairs_are_sorted_and_reach_their_form_at_once() {
        let fold = fold();
        assert!(fold.pairs.windows(2).all(|w| w[0].0 < w[1].0));
        for (_, to) in &fold.pairs {
            assert_eq!(fold.character(*to), *to);
        }
    }

    #[test]
    fn variants_and_both_scripts_agree() {
        assert_eq!(fold().text("萬厯"), fold().text("万历"));
        assert_eq!(fold().text("萬曆"), fold().text("万历"));
        assert_eq!(fold().text("乾隆"), "乾隆");
    }
}
