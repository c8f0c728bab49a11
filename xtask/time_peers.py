"""Reads the gold sets of dates with Almanac and with other packages, row by row, as one table.

Usage: python3 time_peers.py ALMANAC SHARED_DATA [EDTF_NPM_FOLDER]

ALMANAC is the program that reads one text per line (`almanac-index dates` or the example `dates`),
SHARED_DATA the folder of the gold sets. Packages that are not installed are left out of the table:
edtf, dateparser and recognizers-text-suite for Python, edtf for Node.
"""

import collections
import datetime
import gzip
import json
import pathlib
import re
import subprocess
import sys
import time


def almanac(program, texts, *options):
    done = subprocess.run([*program.split(), *options], input="\n".join(texts) + "\n",
                          capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def year_of(day):
    return None if day is None else int(day[:-6])


def gregorian_year(year, month, day):
    """The Gregorian year of a Julian date before the reform."""
    if (year, month, day) >= (1582, 10, 15):
        return year
    shifted = (14 - month) // 12
    y, m = year + 4800 - shifted, month + 12 * shifted - 3
    number = day + (153 * m + 2) // 5 + 365 * y + y // 4 - 32083 + 32044
    cycle = (4 * number + 3) // 146097
    rest = number - 146097 * cycle // 4
    of_four = (4 * rest + 3) // 1461
    in_year = rest - 1461 * of_four // 4
    return 100 * cycle + of_four - 4800 + (5 * in_year + 2) // 153 // 10


def museum_rows(path, cmoa):
    golds = collections.defaultdict(collections.Counter)
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        text, first, last, count = line.split("\t")
        pair = []
        for cell in (first, last):
            full = re.fullmatch(r"(-?)(\d+)-(\d+)-(\d+)", cell)
            if full:
                year = 1 - int(full[2]) if full[1] else int(full[2])
                pair.append(gregorian_year(year, int(full[3]), int(full[4])))
            else:
                pair.append(int(cell) if re.fullmatch(r"-?\d+", cell) else None)
        golds[text][tuple(pair)] += int(count)
    return golds


def peers(edtf_folder):
    found = {}
    try:
        import edtf

        def python_edtf(text, anchor):
            try:
                value = edtf.parse_edtf(text)
            except edtf.EDTFParseException:
                written = edtf.text_to_edtf(text)
                if not written:
                    return (None, None)
                value = edtf.parse_edtf(written)
            first, last = value.lower_strict(), value.upper_strict()
            day = lambda t: None if not hasattr(t, "tm_year") else (t.tm_year, t.tm_mon, t.tm_mday)
            return (day(first), day(last))

        found["python-edtf"] = python_edtf
    except ImportError as error:
        print(f"skipped: {error}")
    try:
        import dateparser

        def parse(text, anchor):
            base = datetime.datetime.fromisoformat(anchor) if anchor else None
            options = {"REQUIRE_PARTS": ["year"]} if base is None else {"RELATIVE_BASE": base}
            value = dateparser.parse(text, settings=options)
            day = None if value is None else (value.year, value.month, value.day)
            return (day, day)

        found["dateparser"] = parse
    except ImportError as error:
        print(f"skipped: {error}")
    try:
        from recognizers_date_time import Culture, recognize_datetime

        def recognizers(text, anchor, culture=None):
            reference = datetime.datetime.fromisoformat(anchor) if anchor else None
            for result in recognize_datetime(text, culture or Culture.English, reference=reference):
                for value in (result.resolution or {}).get("values", []):
                    if value.get("type") == "date" and "value" in value:
                        d = tuple(int(x) for x in value["value"].split("-"))
                        return (d, d)
                    if value.get("type") == "daterange":
                        ends = []
                        for key, back in (("start", 0), ("end", 1)):
                            try:
                                d = datetime.date.fromisoformat(value[key])
                                d -= datetime.timedelta(back)
                                ends.append((d.year, d.month, d.day))
                            except (KeyError, ValueError, OverflowError):
                                ends.append(None)
                        return tuple(ends)
            return (None, None)

        found["Recognizers-Text (Python)"] = recognizers
    except ImportError as error:
        print(f"skipped: {error}")
    if edtf_folder:
        script = (
            "const edtf=require(process.argv[1]).default;"
            "const rl=require('readline').createInterface({input:process.stdin});"
            "rl.on('line',t=>{let o=[null,null];try{const d=edtf(t);const s=x=>{"
            "if(!isFinite(x))return null;const v=new Date(x);"
            "return [v.getUTCFullYear(),v.getUTCMonth()+1,v.getUTCDate()]};"
            "o=[s(d.min),s(d.max)]}catch(e){}console.log(JSON.stringify(o))});"
        )
        found["edtf (npm)"] = ("batch", lambda texts: [
            tuple(None if e is None else tuple(e) for e in json.loads(line))
            for line in subprocess.run(["node", "-e", script, edtf_folder], input="\n".join(texts) + "\n",
                                       capture_output=True, text=True, check=True).stdout.splitlines()])
    return found


def run_peer(peer, texts, anchors):
    start = time.monotonic()
    if isinstance(peer, tuple):
        out = peer[1](texts)
    else:
        out = []
        for text, anchor in zip(texts, anchors):
            try:
                out.append(peer(text, anchor))
            except Exception:  # a peer that fails on a text has not read it
                out.append((None, None))
    return out, time.monotonic() - start


def ordinal(day):
    year, month, date = day
    shifted = (14 - month) // 12
    y, m = year + 400_000 - shifted, month + 12 * shifted - 3
    return date + (153 * m + 2) // 5 + 365 * y + y // 4 - y // 100 + y // 400


def iso(text):
    if text in ("..", ""):
        return None
    sign = -1 if text.startswith("-") else 1
    year, month, day = (int(x) for x in text.lstrip("-").split("-"))
    return (sign * year, month, day)


def main():
    program, data = sys.argv[1], pathlib.Path(sys.argv[2])
    others = peers(sys.argv[3] if len(sys.argv) > 3 else None)
    table = collections.defaultdict(dict)
    sets = {}
    rows = [line.split("\t") for line in
            (data / "museum-dates/tricky-expressions.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    for lang in ("en", "edtf", "zh"):
        chosen = [r for r in rows if r[1] == lang and r[5] in ("interval", "open")]
        sets[f"tricky {lang}"] = [(r[2], r[3] or None, [tuple(iso(e) for e in r[4].split("/"))], int(r[6]))
                                  for r in chosen]
    for name in ("cmoa", "tate"):
        golds = museum_rows(data / f"museum-dates/{name}.tsv", name == "cmoa")
        sets[name] = [(text, None, [pair for pair, n in counts.items() if n == max(counts.values())], None)
                      for text, counts in golds.items()]
    for name, cases in sets.items():
        texts, anchors = [c[0] for c in cases], [c[1] for c in cases]

        def right(pair, case):
            for gold in case[2]:
                if case[3] is None:
                    years = tuple(None if e is None else e[0] for e in pair)
                    if years == gold:
                        return True
                elif all((a is None) == (b is None) and (a is None or abs(ordinal(a) - ordinal(b)) <= case[3])
                         for a, b in zip(pair, gold)):
                    return True
            return False

        options = ["--preset", name, "--whole"] if name in ("cmoa", "tate") else []
        start = time.monotonic()
        ours = []
        if options:
            lines = almanac(program, texts, *options)
        else:
            lines = []
            by_anchor = collections.defaultdict(list)
            for index, anchor in enumerate(anchors):
                by_anchor[anchor].append(index)
            lines = [None] * len(texts)
            for anchor, indices in by_anchor.items():
                extra = ["--anchor", anchor] if anchor else []
                for index, line in zip(indices, almanac(program, [texts[i] for i in indices], *extra)):
                    lines[index] = line
        for line in lines:
            readings = [c for f in line["found"] for c in f["candidates"]]
            if not options:
                readings = readings[:1]
            if not readings:
                ours.append((None, None))
                continue
            firsts = [c["first"] and iso(c["first"]) for c in readings]
            lasts = [c["last"] and iso(c["last"]) for c in readings]
            ours.append((None if None in firsts else min(firsts), None if None in lasts else max(lasts)))
        took = time.monotonic() - start
        score = sum(right(p, c) for p, c in zip(ours, cases))
        table["Almanac"][name] = (score, len(cases), took)
        for peer_name, peer in others.items():
            if name == "tricky zh" and peer_name.startswith("Recognizers"):
                from recognizers_date_time import Culture
                base = peer
                peer = lambda text, anchor, base=base: base(text, anchor, Culture.Chinese)
            out, took = run_peer(peer, texts, anchors)
            table[peer_name][name] = (sum(right(p, c) for p, c in zip(out, cases)), len(cases), took)
    names = list(sets)
    print("| reader | " + " | ".join(f"{n} ({len(sets[n])})" for n in names) + " |")
    print("|---" * (len(names) + 1) + "|")
    for reader, scores in table.items():
        cells = [f"{scores[n][0]} ({100 * scores[n][0] / scores[n][1]:.1f} %), {scores[n][2]:.1f} s" for n in names]
        print(f"| {reader} | " + " | ".join(cells) + " |")
    prose = prose_speed(program, data)
    if prose:
        print()
        print(prose)


def prose_speed(program, data):
    """Megabytes of prose a minute in the same run, one core each."""
    path = data / "nobel/corpus.jsonl"
    if not path.exists():
        return None
    lines = path.read_text(encoding="utf-8").splitlines()
    size = sum(len(line.encode()) for line in lines)
    rounds = 20
    start = time.monotonic()
    almanac(program, lines * rounds)
    ours = size * rounds / 1e6 / (time.monotonic() - start) * 60
    out = [f"Prose, MB a minute: Almanac {ours:.0f} (with process and JSON)"]
    sample, used = [], 0
    for line in lines:
        sample.append(line)
        used += len(line.encode())
        if used > 20_000:
            break
    try:
        from dateparser.search import search_dates
        start = time.monotonic()
        for line in sample:
            search_dates(line, languages=["en"])
        out.append(f"dateparser.search {used / 1e6 / (time.monotonic() - start) * 60:.2f}")
    except ImportError:
        pass
    try:
        from recognizers_date_time import Culture, recognize_datetime
        start = time.monotonic()
        for line in sample:
            recognize_datetime(line, Culture.English)
        out.append(f"Recognizers-Text (Python) {used / 1e6 / (time.monotonic() - start) * 60:.2f}")
    except ImportError:
        pass
    return "; ".join(out)


if __name__ == "__main__":
    main()
