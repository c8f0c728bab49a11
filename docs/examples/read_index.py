#!/usr/bin/env python3
"""Reads an Almanac index by the words of docs/format.md alone, with the standard library.

    python3 read_index.py FOLDER [TERM …]

Verifies every file and its structure, then prints the documents, the dates of each passage, the
facets and where the terms stand. Ends with one line on stderr and status 1 where the index is wrong.
"""

import datetime
import gzip
import hashlib
import json
import math
import pathlib
import re
import struct
import sys
import zlib

ROLES = """mentioned created designed manufactured printed reprinted cast published exhibited engraved
reworked reconstructed restored version replica project patented lifespan""".split()
MAGIC = {"vectors": b"ALMVEC01", "offsets": b"ALMOFF01", "documents": b"ALMDOC01", "times": b"ALMTIM01",
         "facets": b"ALMFAC01", "lexicon": b"ALMLEX01", "postings": b"ALMPST01", "signs": b"ALMSGN01",
         "clusters": b"ALMCLU01", "sort": b"ALMSRT01",
         "translations": b"ALMTRA01"}
PLAIN = ("vectors", "offsets", "signs", "clusters")
OPTIONAL = ("times", "facets", "lexicon", "signs", "clusters", "sort", "translations")
ONE = ("offsets", "facets", "lexicon", "clusters", "sort", "translations")
MAX_FILE, MAX_PAYLOAD = 20 << 20, 64 << 20


def need(true, said):
    if not true:
        raise ValueError(said)


class Payload:
    """Numbers and texts, read one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        need(0 <= count <= len(self.data) - self.at, "a payload ends early")
        self.at += count
        return self.data[self.at - count:self.at]

    def byte(self):
        return self.take(1)[0]

    def number(self):
        out = shift = 0
        while True:
            byte = self.byte()
            out |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                need(out < 1 << 64 and (byte or shift == 7), "a number too long")
                return out

    def signed(self):
        number = self.number()
        return number >> 1 ^ -(number & 1)

    def text(self):
        return self.take(self.number()).decode("utf-8")

    def end(self):
        need(self.at == len(self.data), "a payload with more than it should hold")


class Record(Payload):
    """The same in the encoding of stored documents."""

    def number(self):
        first = self.byte()
        size = {251: 2, 252: 4, 253: 8}.get(first)
        need(size or first < 251, "a number of more than 64 bits")
        return int.from_bytes(self.take(size), "little") if size else first

    def optional(self):
        given = self.byte()
        need(given < 2, "an optional text neither there nor absent")
        return self.text() if given else None

    def list(self, item):
        return [item() for _ in range(self.number())]

    def document(self):
        return {"id": self.text(), "title": self.text(), "date": self.optional(),
                "url": self.optional(), "image": self.optional(),
                "fields": self.list(lambda: (self.text(), self.text())),
                "passages": self.list(self.text)}


def section(kind, data):
    """Header fields and payload of a verified file."""
    need(len(data) >= 28 and data[:8] == MAGIC[kind], f"no {kind} section")
    need(zlib.crc32(data[:-4]) == struct.unpack("<I", data[-4:])[0], "a CRC-32 that differs")
    fields, payload = struct.unpack("<4I", data[8:24]), data[24:-4]
    if kind in PLAIN:
        return fields, payload
    need(fields[0] <= MAX_PAYLOAD, "a payload above 64 MiB")
    payload = gzip.decompress(payload)
    need(len(payload) == fields[0], "a payload of another size than its header says")
    return fields[1:], payload


def open_manifest(folder):
    written = (folder / "manifest.json").read_bytes()
    manifest = json.loads(written)
    need(manifest["format"] == "almanac-index", "no manifest of an index")
    need(manifest["version"][0] == 1, f"format version {manifest['version']}, expected 1.x")
    release = manifest["release"]
    unnamed = written.replace(b'"release": "%s"' % release.encode(), b'"release": ""', 1)
    need(hashlib.sha256(unnamed).hexdigest()[:16] == release, "a release of another manifest")
    documents, passages = manifest["documents"], manifest["passages"]
    need(1 <= documents <= passages <= 2**32 - 2, "counts that contradict each other")
    totals = {"vectors": passages, "offsets": documents, "documents": documents, "times": passages,
              "facets": documents, "lexicon": passages, "signs": passages, "clusters": passages,
              "sort": documents}
    files = {kind: [f for f in manifest["files"] if f["kind"] == kind] for kind in MAGIC}
    for kind, those in files.items():
        after = 0
        for file in those:
            need(file["first"] == after and file["count"] > 0, f"a hole in {kind}")
            after += file["count"]
        need(after == totals.get(kind, after) or (not those and kind in OPTIONAL), f"{kind} cover {after}")
        need(len(those) == 1 or kind not in ONE or not those, f"two {kind}")
    for kind, said in (("signs", "prefilter"), ("clusters", "clusters")):
        need(bool(files[kind]) == (manifest.get(said) is not None), f"{kind} without {said} or the reverse")
    return manifest, files


def read(folder, file):
    name = file["file"]
    need(re.fullmatch(r"(?!\.)[A-Za-z0-9._-]{1,200}", name) and file["bytes"] <= MAX_FILE, f"{name!r} refused")
    data = (folder / name).read_bytes()
    need(len(data) == file["bytes"] and hashlib.sha256(data).hexdigest() == file["sha256"],
         f"{name} is not the file the manifest names")
    return section(file["kind"], data)


def read_rows(payload, rows, columns):
    """The codes of vectors, a row each, after their scales."""
    need(len(payload) == rows * (4 + columns) and 0x80 not in payload[4 * rows:], "vectors cut off")
    scales = struct.unpack(f"<{rows}f", payload[:4 * rows])
    need(all(math.isfinite(scale) and 0 <= scale <= 1 for scale in scales), "a scale out of range")
    return [payload[4 * rows + row * columns:4 * rows + (row + 1) * columns] for row in range(rows)]


def read_date(cursor):
    head = cursor.byte()
    role = head & 31
    date = {"role": ROLES[role if role < len(ROLES) else 0], "catalogue": bool(head & 32), "readings": []}
    for _ in range(cursor.number()):
        kinds, known, ends = cursor.byte(), None, []
        need(kinds < 16, "a byte of ends with high bits")
        for kind in (kinds & 3, kinds >> 2):
            need(kind < 3, "an end of an unknown kind")
            if kind == 0:
                known = cursor.signed() + (known or 0)
                need(abs(known) < 1 << 53, "a day out of range")
            ends.append(known if kind == 0 else ("open", "unknown")[kind - 1])
        need(not all(isinstance(end, int) for end in ends) or ends[0] <= ends[1], "a reversed interval")
        date["readings"].append(ends)
    if head & 64:
        date["arc"] = struct.unpack("<2d", cursor.take(16))
        center, length = date["arc"]
        need(0 <= center < 366 and 0 < length <= 366, "an arc that is none")
    if head & 128:
        date["cue"] = [struct.unpack("<IB", cursor.take(5)) for _ in range(cursor.number())]
    return date


def shown(end):
    if isinstance(end, str):
        return end
    try:
        return datetime.date.fromordinal(end).isoformat()
    except (ValueError, OverflowError):
        return f"day {end}"


def read_shard(fields, payload, file, first_term, passages, wanted):
    need(fields[:2] == (file["count"], file["first"]), "a shard of other terms")
    cursor = Payload(payload)
    entries, term, lists = Payload(cursor.take(cursor.number())), b"", {}
    for number in range(file["count"]):
        shared = entries.number()
        need(shared <= len(term), "a term that shares too much")
        before, term = term, term[:shared] + entries.take(entries.number())
        term.decode("utf-8")
        need(term > before if number else term == first_term.encode(), "terms out of order")
        head, block = entries.number(), Payload(cursor.take(entries.number()))
        found, passage = [], None
        for _ in range(head >> 1):
            step = block.number()
            need(passage is None or step > 0, "postings that do not rise")
            passage = step + (passage or 0)
            count, places, at = block.number(), [], 0
            need(passage < passages and count > 0, "a posting out of range")
            for _ in range(count if head & 1 else 0):
                at += block.number()
                places.append(at)
            found.append((passage, count, places))
        block.end()
        if term.decode() in wanted:
            lists[term.decode()] = found
    entries.end()
    cursor.end()
    return lists


def main(folder, *wanted):
    folder = pathlib.Path(folder)
    manifest, files = open_manifest(folder)
    documents, passages = manifest["documents"], manifest["passages"]
    print(f"{manifest['title']}: release {manifest['release']}, {documents} documents, {passages} passages")
    (count, *_), payload = read(folder, files["offsets"][0])
    starts = struct.unpack(f"<{len(payload) // 4}I", payload)
    need(count == documents == len(starts) - 1 and starts[0] == 0 and starts[-1] == passages
         and all(a < b for a, b in zip(starts, starts[1:])), "offsets that do not rise")
    columns = manifest["model"]["dimensions"]
    positive = []
    for file in files["vectors"]:
        fields, payload = read(folder, file)
        need(fields == (columns, file["count"], file["first"], 0), "vectors of other counts")
        rows = read_rows(payload, file["count"], columns)
        positive += [[0 < code < 0x80 for code in row] for row in rows]
    for file in files["signs"]:
        fields, payload = read(folder, file)
        width = -(-columns // 8)
        need(fields[:3] == (columns, file["count"], file["first"]), "signs of other counts")
        need(len(payload) == width * file["count"], "signs cut off")
        for number in range(file["count"]):
            bits = int.from_bytes(payload[number * width:(number + 1) * width], "little")
            row = positive[file["first"] + number]
            need(bits == sum(1 << place for place, on in enumerate(row) if on), "signs unlike the vectors")
    for file in files["clusters"]:
        (width, count, found, _), payload = read(folder, file)
        need(width == columns and found == passages and len(payload) >= 4 * count, "clusters of something else")
        counts = struct.unpack(f"<{count}I", payload[:4 * count])
        need(all(counts) and sum(counts) == passages, "clusters of other passages")
        read_rows(payload[4 * count:], count, columns)
        print(f"clusters of {list(counts)} passages")
    for file in files["sort"]:
        (count, found, _), payload = read(folder, file)
        need(found == documents and 1 <= count <= 64, "columns of other documents")
        cursor = Payload(payload)
        for _ in range(count):
            label, width = cursor.text(), cursor.byte()
            need(label and 1 <= width <= 4, "a column of no name or width")
            ranks = [int.from_bytes(cursor.take(width), "little") for _ in range(documents)]
            need(max(ranks) <= documents, "a rank beyond the documents")
            print(f"sort {label}: {ranks}")
        cursor.end()
    for file in files["translations"]:
        (terms, count, _), payload = read(folder, file)
        need(terms == file["count"], "translations of other terms")
        cursor = Payload(payload)
        sources = [cursor.text() for _ in range(count)]
        need(all(a < b for a, b in zip([""] + sources, sources)), "sources out of order")
        before = ""
        for _ in range(terms):
            term, lifts, at = cursor.text(), {}, 0
            need(term.encode() > before.encode(), "terms out of order")
            for _ in range(cursor.number()):
                at += cursor.number()
                need(at < count, "a source beyond the sources")
                lifts[sources[at]] = round(2 ** (cursor.byte() / 16), 1)
                at += 1
            need(lifts, "a term without sources")
            print(f"translations {term}: {json.dumps(lifts, ensure_ascii=False)}")
            before = term
        cursor.end()
    for file in files["documents"]:
        fields, payload = read(folder, file)
        need(fields == (file["count"], file["first"], 0), "documents of other counts")
        cursor = Record(payload)
        records = cursor.list(cursor.document)
        cursor.end()
        need(len(records) == file["count"], "other documents than its header says")
        for number, record in enumerate(records, file["first"]):
            need(len(record["passages"]) == starts[number + 1] - starts[number], "other passages")
            print(f"document {number}: {json.dumps(record, ensure_ascii=False)}")
    for file in files["times"]:
        fields, payload = read(folder, file)
        need(fields[:2] == (file["count"], file["first"]), "times of other passages")
        cursor, total = Payload(payload), 0
        for passage in range(file["first"], file["first"] + file["count"]):
            for _ in range(cursor.number()):
                total, date = total + 1, read_date(cursor)
                spans = " or ".join("/".join(map(shown, ends)) for ends in date["readings"])
                arc = " arc %g+-%g" % date["arc"] if "arc" in date else ""
                by = " catalogue" if date["catalogue"] else ""
                print(f"passage {passage}: {date['role']}{by} {spans}{arc}".rstrip())
        cursor.end()
        need(total == fields[2], "other dates than its header says")
    for file in files["facets"]:
        (count, found, _), payload = read(folder, file)
        need(found == documents, "facets of other documents")
        cursor = Payload(payload)
        facets = [(cursor.text(), [cursor.text() for _ in range(cursor.number())]) for _ in range(count)]
        for label, values in facets:
            for document in range(documents):
                held = [cursor.number() for _ in range(cursor.number())]
                need(all(a < b for a, b in zip(held, held[1:])) and all(n < len(values) for n in held),
                     "values out of order")
                print(f"document {document}: {label} {json.dumps([values[n] for n in held])}")
        cursor.end()
    for file in files["lexicon"]:
        (found, shards, terms), payload = read(folder, file)
        cursor = Payload(payload)
        stemming = cursor.byte()
        need(found == passages and stemming < 2, "a lexicon of something else")
        heads = [(cursor.text(), cursor.number()) for _ in range(shards)]
        lengths = [cursor.number() for _ in range(passages)]
        cursor.end()
        need([n for _, n in heads] == [f["count"] for f in files["postings"]]
             and sum(n for _, n in heads) == terms, "shards unlike those of the manifest")
        print(f"lexicon: {terms} terms, lengths {lengths}")
        for (first_term, _), shard in zip(heads, files["postings"]):
            fields, payload = read(folder, shard)
            for term, list_ in read_shard(fields, payload, shard, first_term, passages, wanted).items():
                print(f"term {term}: {list_}")


if __name__ == "__main__":
    try:
        need(len(sys.argv) > 1, "usage: read_index.py FOLDER [TERM …]")
        main(*sys.argv[1:])
    except (ValueError, KeyError, TypeError, OSError, EOFError, struct.error, zlib.error) as error:
        sys.exit(f"read_index.py: {error}")
