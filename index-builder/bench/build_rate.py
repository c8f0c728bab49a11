"""Passages a second of `almanac-index build` beside PyTorch and onnxruntime, in one run.

All encode the same texts of the shipped collection with the same float32 weights, on all cores,
in rounds one after the other, so that a busy machine is busy for all. The peers sort by length
and pad batches of 32, as sentence-transformers does.

    almanac-model import HF_DIR --out MODEL_DIR --weights float32
    python index-builder/bench/build_rate.py HF_DIR MODEL_DIR [--texts 2000] [--rounds 3]

Needs the Python packages torch and transformers; onnxruntime and onnx are measured where they are
installed. `ALMANAC_INDEX` names the program if it is not `almanac-index` on the path.
"""

import argparse
import gzip
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import time

import torch
from transformers import AutoModel, AutoTokenizer

BATCH = 32
COLLECTION = pathlib.Path(__file__).parents[2] / "collections/cmoa/objects.jsonl.gz"


def texts_of_collection(count):
    texts = {}
    with gzip.open(COLLECTION, "rt", encoding="utf-8") as rows:
        for row in rows:
            item = json.loads(row)
            makers = "; ".join(maker["full_name"] for maker in item.get("creator", []))
            parts = [item.get("title"), item.get("medium"), item.get("classification"), makers]
            texts.setdefault(". ".join(part for part in parts if part), None)
            if len(texts) == count:
                break
    return list(texts)


def build(texts, model):
    program = os.environ.get("ALMANAC_INDEX", "almanac-index")
    with tempfile.TemporaryDirectory() as folder:
        rows = pathlib.Path(folder, "texts.jsonl")
        lines = (json.dumps({"id": n, "title": text}) for n, text in enumerate(texts))
        rows.write_text("\n".join(lines), encoding="utf-8")
        done = subprocess.run(
            [program, "build", "--input", rows, "--out", pathlib.Path(folder, "index")]
            + ["--model", model, "--passage-tokens", "256"],
            check=True, capture_output=True, text=True,
        )
        found = re.search(r"(\d+) computed in ([\d.]+) s", done.stdout)
        return int(found[1]), float(found[2])


def batches(texts, tokenizer):
    order = sorted(range(len(texts)), key=lambda n: -len(texts[n]))
    for start in range(0, len(order), BATCH):
        some = [texts[n] for n in order[start : start + BATCH]]
        yield tokenizer(some, padding=True, truncation=True, max_length=256, return_tensors="pt")


def pool(states, mask):
    mask = mask.unsqueeze(-1).float()
    mean = (states * mask).sum(1) / mask.sum(1)
    return torch.nn.functional.normalize(mean, dim=1)


def with_torch(texts, tokenizer, model):
    with torch.inference_mode():
        for batch in batches(texts, tokenizer):
            pool(model(**batch).last_hidden_state, batch["attention_mask"])


class States(torch.nn.Module):
    """The model with its inputs in a fixed order, as the exporter wants them."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.model(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state


def onnx_session(tokenizer, model, folder):
    try:
        import onnx  # noqa: F401
        import onnxruntime
    except ImportError:
        return None
    path = str(pathlib.Path(folder, "model.onnx"))
    example = dict(tokenizer(["a text", "another text here"], padding=True, return_tensors="pt"))
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: "batch", 1: "tokens"} for name in names + ["states"]}
    torch.onnx.export(
        States(model), tuple(example[name] for name in names), path, input_names=names,
        output_names=["states"], dynamic_axes=axes, opset_version=17, dynamo=False,
    )
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def with_onnx(texts, tokenizer, session):
    for batch in batches(texts, tokenizer):
        states = session.run(["states"], {name: value.numpy() for name, value in batch.items()})
        pool(torch.from_numpy(states[0]), batch["attention_mask"])


def cpu_seconds():
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("hf_dir")
    arguments.add_argument("model_dir")
    arguments.add_argument("--texts", type=int, default=2000)
    arguments.add_argument("--rounds", type=int, default=3)
    asked = arguments.parse_args()

    texts = texts_of_collection(asked.texts)
    tokenizer = AutoTokenizer.from_pretrained(asked.hf_dir)
    model = AutoModel.from_pretrained(asked.hf_dir, attn_implementation="eager").eval()
    with tempfile.TemporaryDirectory() as folder:
        session = onnx_session(tokenizer, model, folder)
    fast = AutoModel.from_pretrained(asked.hf_dir).eval()
    print(f"{len(texts)} texts, {os.cpu_count()} cores, torch {torch.__version__}")
    for round_number in range(1, asked.rounds + 1):
        before = cpu_seconds()
        count, seconds = build(texts, asked.model_dir)
        used = cpu_seconds() - before
        print(f"round {round_number}: almanac {count / seconds:.0f} a second, {used:.0f} s of CPU")
        peers = [("torch", with_torch, fast)]
        peers += [("onnxruntime", with_onnx, session)] if session else []
        for name, encode, encoder in peers:
            encode(texts[:BATCH], tokenizer, encoder)
            before, start = cpu_seconds(), time.perf_counter()
            encode(texts, tokenizer, encoder)
            seconds, used = time.perf_counter() - start, cpu_seconds() - before
            rate = len(texts) / seconds
            print(f"round {round_number}: {name} {rate:.0f} a second, {used:.0f} s of CPU")


if __name__ == "__main__":
    main()
