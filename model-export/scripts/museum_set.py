"""Makes a retrieval test set of topic and time from a museum's objects, in the BEIR layout.

Usage: python3 museum_set.py collections/cmoa/objects.jsonl.gz OUT_FOLDER [--queries 400] [--seed 42]

A query joins a topic and a time, such as "Japanese woodcuts around 1850". The topic is two facets
of an object: nationality of the maker, technique or material, class, what the title
says it is or shows, or the maker. The
time is worded around the date columns of one of the topic's objects.

Grades, from the facets and the date columns alone:
  2  the object has both facets, and all its years lie within the years asked for
  1  it has both facets, and at least a quarter of its years lie within the years asked for in the
     wider sense ("around 1850" reaches 5 years on each side, in the wider sense 10; "early 19th
     century" is a third of the century, in the wider sense a half; "before 1700" includes 1700
     only in the wider sense)
  0  everything else, also an object of the topic without dates

Half of the queries conflict: at most a tenth of the topic's dated objects have any year in the
time asked for in the wider sense, so that the closest by topic lie elsewhere. In the other half at
least 3 of 10 have. The conflict is a property of the records; no ranking takes part in the choice.

Known faults of the date columns are mended first: days before 15 October 1582 were exported in the
Julian calendar, years before Christ have no year 0, and a year's end is written as 1 January. Only
whole years are used.

Facets are read from the records' words, so an object that shows a bridge and does not say so in
its title counts as not relevant: absolute figures are lower bounds, comparisons are fair.
"""

import argparse
import collections
import gzip
import json
import random
import re
from pathlib import Path

# What people call a class of the catalogue.
CLASS_WORDS = {
    "prints": ["prints"],
    "drawings and watercolors": ["drawings"],
    "photographs": ["photographs", "photos"],
    "Ceramics": ["ceramics", "pottery"],
    "paintings": ["paintings"],
    "Metals": ["metalwork"],
    "containers": ["vessels", "bowls and vases"],
    "sculpture": ["sculpture", "statues"],
    "Glass": ["glassware"],
    "Wood": ["woodwork", "wooden objects"],
    "Textiles": ["textiles", "fabrics"],
    "crèches": ["nativity figures"],
    "lighting devices": ["lamps and candlesticks"],
    "tools and equipment": ["tools", "tableware"],
    "books": ["books"],
    "films": ["films"],
    "furniture": ["furniture"],
    "costume": ["clothing", "dress"],
    "architectural drawings": ["plans of buildings"],
    "collages": ["collages"],
}

# What people call a technique or material, and how records write it.
TECHNIQUES = {
    "etchings": r"\betching",
    "lithographs": r"lithograph",
    "woodcuts": r"wood ?cut|wood ?block",
    "engravings": r"(?<!wood )\bengraving",
    "mezzotints": r"mezzotint",
    "aquatints": r"aquatint",
    "screenprints": r"screen ?print|silk ?screen|serigraph",
    "watercolors": r"watercolou?r",
    "oil paintings": r"\boil on ",
    "pastels": r"\bpastel",
    "charcoal drawings": r"charcoal",
    "pencil drawings": r"\bpencil|graphite",
    "gelatin silver prints": r"gelatin silver",
    "albumen prints": r"albumen",
    "daguerreotypes": r"daguerreotype",
    "porcelain": r"porcelain",
    "earthenware": r"earthenware",
    "stoneware": r"stoneware",
    "bronzes": r"\bbronze",
    "silver": r"^(?!.*gelatin).*\bsilver\b",
    "brass": r"\bbrass\b",
    "ivory carvings": r"\bivory\b",
    "silk": r"\bsilk\b",
    "blueprints": r"blueprint|cyanotype",
}

# Named periods with their first and last years, and the makers they are named for.
PERIODS = [
    ("Edo period", 1603, 1868, "Japanese"),
    ("Meiji period", 1868, 1912, "Japanese"),
    ("Taisho period", 1912, 1926, "Japanese"),
    ("Showa period", 1926, 1989, "Japanese"),
    ("Ming dynasty", 1368, 1644, "Chinese"),
    ("Qing dynasty", 1644, 1912, "Chinese"),
    ("Kangxi period", 1662, 1722, "Chinese"),
    ("Qianlong period", 1736, 1795, "Chinese"),
    ("Victorian era", 1837, 1901, "English"),
    ("Victorian era", 1837, 1901, "British"),
    ("Second World War", 1939, 1945, None),
    ("First World War", 1914, 1918, None),
]

FORMS = ["around", "year", "decade", "between", "part", "century", "before", "after", "period"]

# What people look for in pictures, and the words of titles that say so.
SUBJECTS = {
    "bridges": "bridge|bridges|viaduct",
    "rivers": "river|rivers|stream|brook|creek",
    "the sea": "sea|ocean|coast|shore|beach|waves?|seashore",
    "ships and boats": "ships?|boats?|sailboats?|steamers?|vessels|barges?|canoes?|yachts?",
    "mountains": "mountains?|mount|alps|peaks?|hills?",
    "trees": "trees?|forest|woods|oaks?|pines?|willows?",
    "flowers": "flowers?|roses?|irises|iris|lil(?:y|ies)|tulips?|peon(?:y|ies)|chrysanthemums?|bouquet",
    "birds": "birds?|cranes?|eagles?|owls?|ducks?|geese|hawks?|crows?|sparrows?|cocks?|roosters?",
    "horses": "horses?|horseman|riders?|mare|stallion|pony",
    "dogs": "dogs?|hounds?|pupp(?:y|ies)",
    "cats": "cats?|kittens?",
    "cattle and sheep": "cows?|cattle|bulls?|oxen|sheep|lambs?|goats?",
    "children": "child|children|boys?|girls?|bab(?:y|ies)|infant",
    "mothers with a child": "mothers?|motherhood|madonna",
    "women": "wom[ae]n|lad(?:y|ies)|girls?|geisha|courtesans?",
    "soldiers and war": "soldiers?|war|battles?|army|troops|warriors?|samurai",
    "actors and the theater": "actors?|actress|theat(?:er|re)|stage|kabuki",
    "musicians": "musicians?|music|violin|piano|guitar|singers?|drums?|flute|jazz|band",
    "dancers": "dancers?|danc(?:e|es|ing)|ballet",
    "workers": "workers?|labor|laborers?|miners?|workmen|steelworkers?",
    "factories and steel mills": "factory|factories|mills?|furnaces?|steel|industry|foundry",
    "trains and railroads": "trains?|railroads?|railway|locomotives?|station",
    "churches": "church|churches|cathedral|chapel|abbey|temple",
    "castles and palaces": "castles?|palaces?|fort|fortress|tower",
    "ruins": "ruins?|ruined",
    "gardens and parks": "gardens?|parks?",
    "farms": "farms?|barns?|fields?|harvest|haystacks?|farmer",
    "snow and winter": "snow|winter|ice|frost|snowy",
    "the moon and night": "moon|moonlight|nights?|nocturne|midnight",
    "sunsets": "sunset|sunrise|dawn|dusk|evening|twilight",
    "rain and storms": "rain|storms?|shower|tempest|thunder",
    "waterfalls": "waterfalls?|cascade|falls",
    "fishermen": "fish|fishing|fisher(?:man|men)|anglers?",
    "markets and shops": "markets?|shops?|store|stores|vendors?|fair",
    "streets": "streets?|avenue|alley|boulevard",
    "saints": "saints?|st|martyr(?:dom)?|apostles?",
    "Christ and the cross": "christ|crucifixion|cross|calvary|passion|lamentation|pieta",
    "angels": "angels?|annunciation|cherubs?",
    "gods and myths": "venus|jupiter|apollo|diana|bacchus|cupid|hercules|nymphs?|satyrs?|mars|minerva",
    "nudes": "nudes?|bathers?|bather|bathing",
    "self-portraits": "self[- ]portraits?",
    "portraits": "portraits?",
    "still lifes": "still[- ]life",
    "kings and queens": "kings?|queens?|emperors?|empress|princes?|princess|royal",
    "sports": "sports?|baseball|football|boxing|boxers?|golf|wrestlers?|tennis|race|races",
    "teapots": "teapots?",
    "cups and saucers": "cups?|saucers?|teacups?|mugs?|beakers?",
    "plates and dishes": "plates?|dish|dishes|platters?|charger",
    "bowls": "bowls?",
    "vases": "vases?|urns?",
    "chairs": "chairs?|armchairs?|side chair|stool|settee",
    "candlesticks": "candlesticks?|candelabr(?:a|um)|chandelier|lamps?",
    "spoons and forks": "spoons?|forks?|knife|knives|ladles?",
    "boxes": "box|boxes|casket|chest",
    "masks": "masks?",
}
THINGS = set(list(SUBJECTS)[list(SUBJECTS).index("teapots") :])
PICTURES = {
    "prints",
    "drawings and watercolors",
    "photographs",
    "paintings",
}
MATERIALS = {"porcelain", "earthenware", "stoneware", "bronzes", "silver", "brass", "silk"}


def day_number(year, month, day, julian):
    """The day count of a date, of which only differences matter."""
    a = (14 - month) // 12
    y, m = year + 4800 - a, month + 12 * a - 3
    days = day + (153 * m + 2) // 5 + 365 * y + y // 4
    return days - 32083 if julian else days - y // 100 + y // 400 - 32045


def gregorian_year(number):
    """The proleptic Gregorian astronomical year of a day count."""
    year = (number - 1721426) * 400 // 146097 + 1
    while day_number(year + 1, 1, 1, False) <= number:
        year += 1
    while day_number(year, 1, 1, False) > number:
        year -= 1
    return year


def column_year(text):
    """The astronomical year that a date column of the export means; None where it is empty."""
    found = re.fullmatch(r"(-?\d+)-(\d\d)-(\d\d)", text or "")
    if not found:
        return None
    year, month, day = map(int, found.groups())
    if year < 0:
        year += 1  # No year 0 in the export.
    if (year, month, day) >= (1582, 10, 15):
        return year
    return gregorian_year(day_number(year, month, day, True))


def years_of(row):
    """The first and last year of an object; None where a column is missing or they are swapped."""
    first = column_year(row.get("creation_date_earliest"))
    last = column_year(row.get("creation_date_latest"))
    return None if first is None or last is None or first > last else (first, last)


def passage(row):
    """What the product reads of an object: title, date, medium, class, makers."""
    makers = [c for c in row.get("creator") or [] if c]
    names = ", ".join(c["full_name"] for c in makers if c.get("full_name"))
    nations = ", ".join(dict.fromkeys(c["nationality"] for c in makers if c.get("nationality")))
    head = row.get("title") or ""
    if head and row.get("creation_date"):
        head += ", " + row["creation_date"]
    rest = [row.get("medium"), row.get("classification"), names, nations]
    return ". ".join(filter(None, [head, "; ".join(filter(None, rest))]))


def facets(row):
    """The facets of an object, as (kind, value)."""
    for maker in row.get("creator") or []:
        if maker.get("nationality") and maker["nationality"] not in ("undetermined", "European"):
            yield "nation", maker["nationality"]
        name = maker.get("full_name") or ""
        if name and not name.startswith("unknown"):
            yield "maker", name
    if row.get("classification") in CLASS_WORDS:
        yield "class", row["classification"]
    medium = (row.get("medium") or "").lower()
    for name, pattern in TECHNIQUES.items():
        if re.search(pattern, medium):
            yield "technique", name
    title = (row.get("title") or "").lower()
    for name, pattern in SUBJECTS.items():
        # A bowl painted with a bridge is found by its class, and "plate" is also a page of a book.
        fits = (row.get("classification") in PICTURES) != (name in THINGS)
        if fits and re.search(rf"\b(?:{pattern})\b", title):
            yield ("thing" if name in THINGS else "subject"), name


PAIRS = [
    ("nation", "technique"),
    ("nation", "class"),
    ("nation", "subject"),
    ("nation", "thing"),
    ("technique", "subject"),
    ("class", "subject"),
    ("technique", "thing"),
    ("maker", "technique"),
    ("maker", "class"),
    ("maker", "subject"),
]


def topic_text(topic, chance):
    """Words a topic; None for a pair that nobody would ask for."""
    parts = dict(topic)
    noun = parts.get("technique")
    if "class" in parts:
        noun = chance.choice(CLASS_WORDS[parts["class"]])
    if "thing" in parts:
        if noun and noun not in MATERIALS:
            return None
        return f"{parts.get('nation') or noun.removesuffix('s')} {parts['thing']}"
    if "subject" in parts:
        if noun in MATERIALS:
            return None
        if "maker" in parts:
            return f"{parts['subject']} by {parts['maker']}"
        if "nation" in parts:
            return f"{parts['nation']} {chance.choice(['art with', 'pictures of'])} {parts['subject']}"
        return f"{noun} {chance.choice(['of', 'showing'])} {parts['subject']}"
    if "maker" in parts:
        return f"{noun} by {parts['maker']}"
    return f"{parts['nation']} {noun}"


def ordinal(number):
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def worded(form, years, nations, chance):
    """A time around an object's years: (words before the topic, after it, core, wider), or None.

    Core and wider are the first and last year asked for, in the strict and the wider sense.
    """
    first, last = years
    if last < 1000:
        return None
    middle = (first + last) // 2
    if form == "around" and last - first <= 10:
        year = middle
        words = chance.choice(["around", "circa", "c.", "about"])
        return "", f"{words} {year}", (year - 5, year + 5), (year - 10, year + 10)
    if form == "year" and first == last:
        return "", chance.choice([f"from {first}", f"made in {first}", f"{first}"]), years, years
    if form == "decade" and first // 10 == last // 10:
        decade = first // 10 * 10
        core = (decade, decade + 9)
        if chance.random() < 0.5:
            return f"{decade}s", "", core, core
        return "", chance.choice(["from the", "in the", "of the"]) + f" {decade}s", core, core
    if form == "between" and last - first <= 40:
        core = (first - chance.randint(0, 9), last + chance.randint(1, 9))
        words = chance.choice(["between {} and {}", "from {} to {}", "{}-{}"])
        return "", words.format(*core), core, core
    century = first // 100
    if form == "part" and century == last // 100:
        start = 100 * century
        for name, core, wider in (
            ("early", (0, 33), (0, 50)),
            ("mid", (33, 67), (25, 75)),
            ("late", (67, 99), (50, 99)),
        ):
            core, wider = [(start + a, start + b) for a, b in (core, wider)]
            if core[0] <= first and last <= core[1]:
                nth = ordinal(century + 1)
                dashed = f"mid-{nth}" if name == "mid" else f"{name} {nth}"
                if chance.random() < 0.5:
                    return f"{dashed}-century", "", core, wider
                return "", f"from the {dashed} century", core, wider
        return None
    if form == "century" and century == last // 100:
        core = (100 * century, 100 * century + 100)
        nth = ordinal(century + 1)
        if chance.random() < 0.5:
            return f"{nth}-century", "", core, core
        return "", f"of the {nth} century", core, core
    if form == "before":
        year = (last // 10 + 1) * 10
        words = chance.choice(["before", "made before", "earlier than", "prior to"])
        return "", f"{words} {year}", (-10000, year - 1), (-10000, year)
    if form == "after":
        year = (first - 1) // 10 * 10
        words = chance.choice(["after", "made after", "later than"])
        return "", f"{words} {year}", (year + 1, 10000), (year, 10000)
    if form == "period":
        fits = [
            p
            for p in PERIODS
            if p[1] <= first and last <= p[2] and (p[3] is None or p[3] in nations)
        ]
        if not fits:
            return None
        name, start, end, _ = chance.choice(fits)
        word = "during the" if "War" in name else "of the"
        return "", f"{word} {name}", (start, end), (start, end)
    return None


def grade(years, core, wider):
    if years is None:
        return 0
    first, last = years
    if core[0] <= first and last <= core[1]:
        return 2
    common = min(last, wider[1]) - max(first, wider[0]) + 1
    return 1 if common > 0 and 4 * common >= last - first + 1 else 0


def meets(years, span):
    return years[0] <= span[1] and span[0] <= years[1]


def choose(rows, count, seed):
    """Draws queries: (text, grades by object, whether it conflicts, form)."""
    chance = random.Random(seed)
    years = [years_of(row) for row in rows]
    members = collections.defaultdict(set)
    of_row = []
    for at, row in enumerate(rows):
        found = sorted(set(facets(row)))
        of_row.append(found)
        for facet in found:
            members[facet].add(at)
    drawn, texts, uses = [], set(), collections.Counter()
    room = {(c, f): count // 2 // len(FORMS) + 1 for c in (True, False) for f in FORMS}
    sides = collections.Counter()
    for _ in range(400 * count):
        if len(drawn) == count:
            break
        at = chance.randrange(len(rows))
        kinds, form = chance.choice(PAIRS), chance.choice(FORMS)
        options = [[f for f in of_row[at] if f[0] == kind] for kind in kinds]
        if years[at] is None or not all(options):
            continue
        topic = tuple(chance.choice(found) for found in options)
        nations = {value for kind, value in of_row[at] if kind == "nation"}
        time = worded(form, years[at], nations, chance)
        inside = members[topic[0]] & members[topic[1]]
        dated = [m for m in sorted(inside) if years[m] is not None]
        if time is None or len(dated) < 15 or uses[topic] >= 2:
            continue
        before, after, core, wider = time
        share = sum(meets(years[m], wider) for m in dated) / len(dated)
        conflict = share <= 0.1
        if not conflict and not 0.3 <= share <= 0.9:
            continue
        grades = {m: g for m in dated if (g := grade(years[m], core, wider))}
        # A side is full at half; a form is full at its share, unless nothing else is found.
        key = (conflict, form)
        if sides[conflict] >= count // 2 or room[key] <= 0 or len(grades) > 200:
            continue
        topical = topic_text(topic, chance)
        text = " ".join(filter(None, [before, topical, after]))
        if topical is None or text.lower() in texts:
            continue
        room[key] -= 1
        sides[conflict] += 1
        uses[topic] += 1
        texts.add(text.lower())
        drawn.append((text, grades, conflict, form))
    return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("objects", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--queries", type=int, default=400)
    parser.add_argument("--seed", type=int, default=42)
    options = parser.parse_args()
    with gzip.open(options.objects, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    drawn = choose(rows, options.queries, options.seed)
    (options.out / "qrels").mkdir(parents=True, exist_ok=True)

    def save(name, lines):
        (options.out / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")

    def record(key, text, **more):
        return json.dumps({"_id": key, "text": text, **more}, ensure_ascii=False)

    save("corpus.jsonl", (record(f"d{n}", passage(row)) for n, row in enumerate(rows)))
    save(
        "queries.jsonl",
        (
            record(f"q{n}", text, metadata={"group": "conflict" if conflict else "agreement"})
            for n, (text, _, conflict, _) in enumerate(drawn)
        ),
    )
    judged = [
        f"q{n}\td{at}\t{g}"
        for n, (_, grades, _, _) in enumerate(drawn)
        for at, g in sorted(grades.items())
    ]
    save("qrels/test.tsv", ["query-id\tcorpus-id\tscore", *judged])
    forms = collections.Counter((form, conflict) for _, _, conflict, form in drawn)
    print(f"{len(rows)} objects, {len(drawn)} queries, {len(judged)} judgments")
    for form in FORMS:
        print(f"{form:8} {forms[form, True]} in conflict, {forms[form, False]} in agreement")


if __name__ == "__main__":
    main()
