"""Turns published test collections into the BEIR layout that `almanac-model evaluate` reads.

cranfield   cran.all.1400, cran.qry, cranqrel; judgments 1 (best) to 4 become grades 4 to 1.
timeqa      human_annotated_test.json.gz of TimeQA: one query per non-empty answer, candidates are
            the article's paragraphs and 10 paragraphs of other articles by BM25, each cut at 400
            characters; the paragraph with the answer is relevant.
timeqa-titled  the same with the article's title before each paragraph, as an index of whole articles has it.
timeqa-train  human_annotated_train.json.gz in the same way, without the articles of the test file, to
            choose constants with; timeqa-train-titled with titles.
tempreason  tempreason_l2_timebench.jsonl: candidates are the sentences of the context; those that
            name the answer and a year are not known to be right, so a sentence is relevant when it
            holds the answer.
tempreason-dates  tempreason_l1_timebench.jsonl, "What is the time 7 year and 11 month before Sep,
            1104": candidates are the right month and five others within two years of it, drawn with
            seed 42; precision at 1 is the share of exact answers.
"""

import argparse
import collections
import gzip
import json
import math
import random
import re
from pathlib import Path


def write(out, passages, queries, relevant, candidates=None, titles=None):
    out.mkdir(parents=True, exist_ok=True)
    for name, texts in (("corpus", passages), ("queries", queries)):
        with open(out / f"{name}.jsonl", "w", encoding="utf-8") as file:
            for key, text in texts:
                title = {"title": titles[key]} if titles and key in titles else {}
                file.write(json.dumps({"_id": key, **title, "text": text}, ensure_ascii=False) + "\n")
    tables = [("qrels", "query-id\tcorpus-id\tscore", relevant)]
    if candidates is not None:
        tables.append(("candidates", "query-id\tcorpus-id", candidates))
    for folder, head, rows in tables:
        (out / folder).mkdir(exist_ok=True)
        lines = [head] + ["\t".join(map(str, row)) for row in rows]
        (out / folder / "test.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def smart(path):
    """Reads the records of a SMART file: each `.I`, its `.T` and `.W` joined."""
    for record in re.split(r"(?m)^\.I +\d+\s*$", path.read_text(encoding="latin-1"))[1:]:
        parts = re.split(r"\n\.([TABW])\n", record)
        fields = dict(zip(parts[1::2], parts[2::2]))
        text = " ".join((fields.get("T", "") + " " + fields.get("W", "")).split())
        title = " ".join(fields.get("T", "").split())
        # The abstracts begin with their title once more.
        yield text[len(title) :].strip() if title and text[len(title) :].strip().startswith(title) else text


def cranfield(source, out):
    passages = [(f"d{n}", text) for n, text in enumerate(smart(source / "cran.all.1400"), 1)]
    queries = [(f"q{n}", text) for n, text in enumerate(smart(source / "cran.qry"), 1)]
    relevant = []
    for line in (source / "cranqrel").read_text().splitlines():
        query, passage, code = map(int, line.split())
        if 1 <= code <= 4:
            relevant.append((f"q{query}", f"d{passage}", 5 - code))
    write(out, passages, queries, relevant)


def words(text):
    return re.findall(r"\w+", text.lower())


class Bm25:
    def __init__(self, texts):
        self.postings = collections.defaultdict(list)
        self.lengths = []
        for number, text in enumerate(texts):
            counts = collections.Counter(words(text))
            self.lengths.append(sum(counts.values()))
            for word, count in counts.items():
                self.postings[word].append((number, count))
        self.mean = sum(self.lengths) / len(texts)

    def ranking(self, query):
        scores = collections.Counter()
        for word in set(words(query)):
            found = self.postings.get(word, [])
            weight = math.log(1 + (len(self.lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                norm = 1.2 * (0.25 + 0.75 * self.lengths[number] / self.mean)
                scores[number] += weight * count * 2.2 / (count + norm)
        return [number for number, _ in sorted(scores.items(), key=lambda s: (-s[1], s[0]))]


def timeqa(source, out, part="test", titled=False):
    def read(part):
        with gzip.open(source / f"human_annotated_{part}.json.gz", "rt", encoding="utf-8") as file:
            return json.load(file)

    articles = read(part)
    if part != "test":
        test = {article["link"] for article in read("test")}
        articles = [article for article in articles if article["link"] not in test]
    passages, article_of, first, titles = [], [], [], {}
    for number, article in enumerate(articles):
        first.append(len(passages))
        for paragraph in article["paras"]:
            key = f"p{len(passages)}"
            # The first paragraph is the title.
            if titled and len(passages) > first[-1]:
                titles[key] = article["paras"][0]
            passages.append((key, paragraph[:400]))
            article_of.append(number)
    bm25 = Bm25([text for _, text in passages])
    queries, relevant, candidates = [], [], []
    for number, article in enumerate(articles):
        own = [p for p in range(first[number], first[number] + len(article["paras"]))]
        for question, answers in article["questions"]:
            for answer in answers:
                if not answer["answer"]:
                    continue
                key = f"q{len(queries)}"
                queries.append((key, question))
                relevant.append((key, f"p{first[number] + answer['para']}", 1))
                # An article can stand in the file twice, with questions of two kinds.
                others = [p for p in bm25.ranking(question) if articles[article_of[p]]["link"] != article["link"]]
                candidates += [(key, f"p{p}") for p in own + others[:10]]
    write(out, passages, queries, relevant, candidates, titles)


def tempreason(source, out):
    passages, queries, relevant, candidates = [], [], [], []
    lines = (source / "tempreason_l2_timebench.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        record = json.loads(line)
        key = f"q{len(queries)}"
        sentences = [s for s in re.split(r"(?<=[a-z)\d]{2}\.)\s*(?=[A-Z])", record["context"]) if s.strip()]
        queries.append((key, record["question"]))
        for sentence in sentences:
            passage = f"p{len(passages)}"
            passages.append((passage, sentence[:400]))
            candidates.append((key, passage))
            if any(a.lower() in sentence.lower() for a in record["answer"]):
                relevant.append((key, passage, 1))
    write(out, passages, queries, relevant, candidates)


MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def tempreason_dates(source, out):
    chance = random.Random(42)
    passages, queries, relevant, candidates = [], [], [], []
    lines = (source / "tempreason_l1_timebench.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        record = json.loads(line)
        key = f"q{len(queries)}"
        queries.append((key, record["question"]))
        month, year = re.fullmatch(r"(\w{3}), (\d+)", record["answer"][0]).groups()
        answer = 12 * int(year) + MONTHS.index(month)
        near = [answer + step for step in range(-24, 25) if step]
        for at in [answer, *chance.sample(near, 5)]:
            passage = f"p{len(passages)}"
            passages.append((passage, f"{MONTHS[at % 12]}, {at // 12}"))
            candidates.append((key, passage))
            if at == answer:
                relevant.append((key, passage, 1))
    write(out, passages, queries, relevant, candidates)


if __name__ == "__main__":
    makers = {
        "cranfield": cranfield,
        "timeqa": timeqa,
        "timeqa-titled": lambda source, out: timeqa(source, out, titled=True),
        "timeqa-train": lambda source, out: timeqa(source, out, "train"),
        "timeqa-train-titled": lambda source, out: timeqa(source, out, "train", titled=True),
        "tempreason": tempreason,
        "tempreason-dates": tempreason_dates,
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=makers)
    parser.add_argument("source", type=Path, help="folder of the data as published")
    parser.add_argument("out", type=Path, help="folder to write the set to")
    given = parser.parse_args()
    makers[given.kind](given.source, given.out)
