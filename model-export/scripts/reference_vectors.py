#!/usr/bin/env python3
"""Write the vectors that transformers computes for encoders with generated weights.

The weights are too large to ship, so both sides make them: number i of a tensor is drawn from
SplitMix64 seeded by the FNV-1a hash of the tensor's name. The tests of model-export make the same
weights, import them, and compare with what is written here.

usage: reference_vectors.py OUT_DIR
needs: numpy, torch, transformers, safetensors

Sources: SplitMix64, Steele, Lea and Flood 2014 (OOPSLA), figure 16; FNV-1a, Fowler, Noll and Vo,
draft-eastlake-fnv.
"""

import json
import pathlib
import sys

import numpy as np
import torch
import transformers
from transformers import BertConfig, BertModel, XLMRobertaConfig, XLMRobertaModel

# Standard deviation of the weights: large enough that attention is far from uniform, so that a
# swapped or transposed matrix shows.
SPREAD = 0.05
LENGTHS = (3, 9, 24, 61)

COMMON = dict(hidden_act="gelu", position_embedding_type="absolute")
BASE = dict(hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072,
            max_position_embeddings=512, type_vocab_size=2, layer_norm_eps=1e-12, pad_token_id=0)
SMALL = dict(BASE, hidden_size=384, intermediate_size=1536)
TINY = dict(BASE, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
            max_position_embeddings=64, vocab_size=64)

MODELS = {
    "bert-base-chinese": (dict(BASE, vocab_size=21128), "mean"),
    "sikubert": (dict(BASE, vocab_size=29791), "mean"),
    "e5-small": (dict(SMALL, vocab_size=2000), "mean"),
    "minilm-cls": (dict(SMALL, num_hidden_layers=6, vocab_size=2000), "cls"),
    "xlm-roberta-small": (dict(SMALL, model_type="xlm-roberta", vocab_size=2000, pad_token_id=1,
                               max_position_embeddings=514, type_vocab_size=1,
                               layer_norm_eps=1e-5), "mean"),
    "tiny": (TINY, "mean"),
}


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) % (1 << 64)
    return value


def splitmix(seed, count):
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def tensor(name, shape):
    """Uniform numbers of mean 0 (layer norm weights: 1) and standard deviation SPREAD."""
    bits = splitmix(fnv1a(name), int(np.prod(shape))) >> np.uint64(40)
    unit = bits.astype(np.float64) / float(1 << 23) - 1.0
    values = unit * (SPREAD * np.sqrt(3.0)) + (1.0 if name.endswith("LayerNorm.weight") else 0.0)
    return torch.from_numpy(values.astype(np.float32).reshape(shape))


def build(config):
    fields = dict(COMMON, **config)
    if fields.pop("model_type", "bert") == "bert":
        model = BertModel(BertConfig(**fields), add_pooling_layer=False)
    else:
        model = XLMRobertaModel(XLMRobertaConfig(**fields), add_pooling_layer=False)
    state = {n: tensor(n, tuple(t.shape)) for n, t in model.state_dict().items() if t.is_floating_point()}
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert not unexpected and all(not n.endswith(("weight", "bias")) for n in missing), missing
    return model.eval(), state


def encode(model, ids, pooling):
    with torch.no_grad():
        tokens = torch.tensor([ids])
        states = model(input_ids=tokens, attention_mask=torch.ones_like(tokens)).last_hidden_state[0]
    vector = states.mean(0) if pooling == "mean" else states[0]
    return (vector / vector.norm()).tolist()


def write_pytorch(state, path):
    """An older PyTorch file with prefix, old layer norm names, buffers, and a tied head."""
    old = {}
    for name, value in state.items():
        name = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
        old["bert." + name] = value
    words = state["embeddings.word_embeddings.weight"]
    old["bert.embeddings.position_ids"] = torch.arange(64)[None]
    old["bert.pooler.dense.weight"] = torch.zeros(32, 32)
    old["cls.predictions.decoder.weight"] = words
    torch.save(old, path)


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    for name, (config, pooling) in MODELS.items():
        model, state = build(config)
        sequences = []
        for length in LENGTHS:
            draws = splitmix(fnv1a(f"{name} {length}"), length)
            # Ids from 5 up leave padding and special tokens out.
            ids = [5 + int(draw % np.uint64(config["vocab_size"] - 5)) for draw in draws]
            vector = [float(f"{x:.7g}") for x in encode(model, ids, pooling)]
            sequences.append({"ids": ids, "vector": vector})
        fixture = {"made_with": f"transformers {transformers.__version__}, torch {torch.__version__}",
                   "pooling": pooling,
                   "config": dict(COMMON, model_type=config.get("model_type", "bert"),
                                  **{k: v for k, v in config.items() if k != "model_type"}),
                   "sequences": sequences}
        (out / f"{name}.json").write_text(json.dumps(fixture, separators=(",", ":")) + "\n")
        if name == "tiny":
            write_pytorch(state, out / "tiny-pytorch_model.bin")
        print(name, "done", flush=True)


if __name__ == "__main__":
    main()
