#!/usr/bin/env python3
"""Writes the kept inputs of the fuzz targets: the payloads of the golden index and hand-made ones.

    python3 fuzz/kept.py

Each target's first bytes are counts, as its file in fuzz_targets says; inputs that once failed are
added to fuzz/kept/TARGET by hand.
"""

import glob
import gzip
import json
import pathlib
import struct

HERE = pathlib.Path(__file__).parent
GOLDEN = HERE / "../tests/golden/index-1.3"
KINDS = ["vectors", "offsets", "documents", "times", "facets", "lexicon", "postings", "signs", "clusters", "sort", "translations"]
PLAIN = ("vectors", "offsets", "signs", "clusters")


def keep(target, name, data):
    folder = HERE / "kept" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def golden(kind):
    paths = glob.glob(str(GOLDEN / f"{kind}-*.bin"))
    if len(paths) > 1:
        # The files of a run, joined.
        both = sorted((pathlib.Path(path).read_bytes() for path in paths), key=lambda data: data[16:20])
        counts = [struct.unpack("<I", data[12:16])[0] for data in both]
        scales = b"".join(data[24:24 + 4 * count] for data, count in zip(both, counts))
        codes = b"".join(data[24 + 4 * count:-4] for data, count in zip(both, counts))
        return [struct.unpack("<I", both[0][8:12])[0], sum(counts), 0, 0], scales + codes
    (path,) = paths
    data = pathlib.Path(path).read_bytes()
    payload = data[24:-4]
    if kind not in PLAIN:
        payload = gzip.decompress(payload)
    return list(struct.unpack("<4I", data[8:24])), payload


def two(number):
    return struct.pack("<H", number)


manifest = (GOLDEN / "manifest.json").read_bytes()
keep("manifest", "golden", manifest)
compact = json.loads(manifest)
keep("manifest", "compact", json.dumps(compact, separators=(",", ":")).encode())
for field in ("ranking", "dates", "prefilter", "clusters"):
    del compact[field]
compact["version"] = [1, 99]
compact["files"] = [f for f in compact["files"] if f["kind"] in ("vectors", "offsets", "documents")]
keep("manifest", "newer-minor", json.dumps(compact).encode())

parts = {kind: golden(kind) for kind in KINDS}
fields, payload = parts["vectors"]
keep("vectors", "golden", two(fields[0]) + bytes([fields[1]]) + payload)
keep("vectors", "least-code", two(600) + bytes([1]) + struct.pack("<f", 1.0) + b"\x80" * 600)
keep("vectors", "not-a-number", two(1) + bytes([1]) + b"\x00\x00\xc0\x7f\x01")
fields, payload = parts["offsets"]
keep("offsets", "golden", bytes([fields[0]]) + two(6) + payload)
keep("offsets", "falling", bytes([2]) + two(3) + struct.pack("<3I", 0, 4, 3))
fields, payload = parts["documents"]
keep("documents", "golden", bytes([fields[1]]) + payload)
keep("documents", "empty-record", b"\x01\x01\x01a\x01b\x00\x00\x00\x00\x00")
keep("documents", "long-claim", b"\x01\x01\xfd" + b"\xff" * 8)
fields, payload = parts["times"]
keep("times", "golden", bytes([fields[1]]) + two(fields[3]) + payload)
keep("times", "open-and-unknown", bytes([1]) + two(1) + b"\x01\x1f\x01\x09")
keep("times", "arc", bytes([1]) + two(1) + b"\x01\x40\x00" + struct.pack("<2d", 0.5, 366.0))
keep("times", "far-days", bytes([1]) + two(1) + b"\x01\x00\x01\x00" + b"\xff" * 7 + b"\x0f\x00")
fields, payload = parts["facets"]
keep("facets", "golden", bytes([fields[2], fields[1]]) + payload)
keep("facets", "out-of-order", b"\x01\x01\x01a\x02\x01b\x01c\x02\x01\x00")
fields, payload = parts["lexicon"]
keep("lexicon", "golden", bytes([fields[1], fields[2]]) + two(fields[3]) + payload)
keep("lexicon", "two-shards", b"\x01\x02" + two(3) + b"\x01\x01a\x01\x01b\x02\x05")
fields, payload = parts["postings"]
keep("postings", "golden", bytes([fields[1], 6]) + payload)
small = b"\x00\x01a\x03\x03" + b"\x01\x01b\x02\x02" + b"\x00\x02\xc3\xa9\x03\x03"
keep("postings", "small", bytes([3, 1, len(small)]) + small + b"\x00\x01\x00" + b"\x00\x01" + b"\x00\x01\x02")
split = b"\x00\x02\xc3\xa9\x02\x02" + b"\x01\x01a\x02\x02"
keep("postings", "split-character", bytes([2, 1, len(split)]) + split + b"\x00\x01\x00\x01")

fields, payload = parts["signs"]
keep("signs", "golden", two(fields[0]) + bytes([fields[1]]) + payload)
keep("signs", "beyond", two(11) + bytes([1]) + b"\xff\x0f")
fields, payload = parts["clusters"]
keep("clusters", "small", bytes([2, 8]) + struct.pack("<2I2f", 3, 5, 0.5, 0.25) + b"\x01\x7f\x81\x00")
keep("clusters", "empty-cluster", bytes([2, 8]) + struct.pack("<2I2f", 0, 8, 0.5, 0.25) + b"\x01\x7f\x81\x00")
fields, payload = parts["sort"]
keep("sort", "golden", bytes([fields[1], fields[2]]) + payload)
keep("sort", "rank-beyond", b"\x01\x03\x01a\x01\x00\x01\x04")
fields, payload = parts["translations"]
keep("translations", "golden", two(fields[1]) + two(fields[2]) + payload)
keep("translations", "source-beyond", two(1) + two(1) + b"\x01a\x01t\x01\x01\x10")

for number, kind in enumerate(KINDS):
    fields, payload = parts[kind]
    header = fields[:3] if kind in PLAIN else fields[1:]
    record = bytes([number]) + two(len(payload)) + payload
    named = bytes([number | 0x80]) + b"".join(map(two, header)) + two(len(payload)) + payload
    keep("index", kind, record)
    keep("index", f"{kind}-fields", named)
