//! Encoders with generated weights, in the layout they are published in.
//!
//! `scripts/reference_vectors.py` makes the same weights; see there for the generator's sources.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};

use almanac::encoder::WeightEncoding;
use almanac_model::import::Options;
use half::{bf16, f16};
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde::Deserialize;
use serde_json::{Value, json};

/// Standard deviation of the weights.
const SPREAD: f64 = 0.05;

/// Vectors of the reference implementation for one configuration.
#[derive(Deserialize)]
pub struct Fixture {
    pub pooling: String,
    pub config: Value,
    pub sequences: Vec<Sequence>,
}

#[derive(Deserialize)]
pub struct Sequence {
    pub ids: Vec<u32>,
    pub vector: Vec<f32>,
}

pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

pub fn fixture(name: &str) -> Fixture {
    let bytes = fs::read(data(&format!("parity/{name}.json"))).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// A tensor as a checkpoint holds it.
#[derive(Clone)]
pub struct Published {
    pub name: String,
    pub shape: Vec<usize>,
    pub values: Vec<f32>,
}

/// Generates every tensor that a BERT of this configuration publishes.
pub fn weights(config: &Value) -> Vec<Published> {
    let field = |name: &str| config[name].as_u64().unwrap() as usize;
    let (hidden, inner) = (field("hidden_size"), field("intermediate_size"));
    let mut out = Vec::new();
    let mut push = |name: String, shape: &[usize]| {
        out.push(Published {
            values: generate(&name, shape.iter().product()),
            name,
            shape: shape.to_vec(),
        });
    };
    for (table, rows) in [
        ("word", field("vocab_size")),
        ("position", field("max_position_embeddings")),
        ("token_type", field("type_vocab_size")),
    ] {
        push(
            format!("embeddings.{table}_embeddings.weight"),
            &[rows, hidden],
        );
    }
    let mut pair = |name: &str, weight: &[usize]| {
        push(format!("{name}.weight"), weight);
        push(format!("{name}.bias"), &weight[..1]);
    };
    pair("embeddings.LayerNorm", &[hidden]);
    for number in 0..field("num_hidden_layers") {
        let layer = format!("encoder.layer.{number}");
        for part in ["query", "key", "value"] {
            pair(&format!("{layer}.attention.self.{part}"), &[hidden, hidden]);
        }
        pair(
            &format!("{layer}.attention.output.dense"),
            &[hidden, hidden],
        );
        pair(&format!("{layer}.attention.output.LayerNorm"), &[hidden]);
        pair(&format!("{layer}.intermediate.dense"), &[inner, hidden]);
        pair(&format!("{layer}.output.dense"), &[hidden, inner]);
        pair(&format!("{layer}.output.LayerNorm"), &[hidden]);
    }
    out
}

fn generate(name: &str, count: usize) -> Vec<f32> {
    let seed = name.bytes().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    let middle = if name.ends_with("LayerNorm.weight") {
        1.0
    } else {
        0.0
    };
    (1..=count as u64)
        .map(|place| {
            let mut z = seed.wrapping_add(place.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            let bits = (z ^ (z >> 31)) >> 40;
            let unit = bits as f64 / f64::from(1u32 << 23) - 1.0;
            (unit * (SPREAD * 3f64.sqrt()) + middle) as f32
        })
        .collect()
}

/// Writes a source directory with `config.json`, a small `tokenizer.json` and safetensors weights.
pub fn write_source(folder: &Path, config: &Value, tensors: &[Published]) {
    write_description(folder, config);
    write_safetensors(folder, tensors);
}

pub fn write_description(folder: &Path, config: &Value) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    fs::write(folder.join("tokenizer.json"), tokenizer().to_string()).unwrap();
}

pub fn write_safetensors(folder: &Path, tensors: &[Published]) {
    write_safetensors_as(folder, tensors, Dtype::F32);
}

pub fn write_safetensors_as(folder: &Path, tensors: &[Published], kind: Dtype) {
    let bytes: Vec<Vec<u8>> = tensors.iter().map(|t| encode(&t.values, kind)).collect();
    let views = tensors.iter().zip(&bytes).map(|(tensor, bytes)| {
        let view = TensorView::new(kind, tensor.shape.clone(), bytes).unwrap();
        (tensor.name.as_str(), view)
    });
    safetensors::serialize_to_file(views, None, &folder.join("model.safetensors")).unwrap();
}

fn encode(values: &[f32], kind: Dtype) -> Vec<u8> {
    let half = |values: &[f32], bits: fn(f32) -> u16| {
        values.iter().flat_map(|v| bits(*v).to_le_bytes()).collect()
    };
    match kind {
        Dtype::F16 => half(values, |v| f16::from_f32(v).to_bits()),
        Dtype::BF16 => half(values, |v| bf16::from_f32(v).to_bits()),
        _ => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
    }
}

/// The import of `source` into `out` as the model itself asks for.
pub fn options(source: &Path, out: &Path, encoding: WeightEncoding) -> Options {
    Options {
        source: source.to_owned(),
        out: out.to_owned(),
        encoding,
        pooling: None,
        query_prefix: None,
        passage_prefix: None,
        max_tokens: None,
        name: Some("generated".to_owned()),
        license: None,
    }
}

/// The shape of the smallest test model.
pub fn tiny_config() -> Value {
    fixture("tiny").config
}

/// A word-piece tokenizer of a few words, for models whose vocabulary means nothing.
fn tokenizer() -> Value {
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
            "pair": [],
            "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
        "decoder": null,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "a": 4, "of": 5, "oil": 6,
                "painting": 7, "bronze": 8, "wooden": 9, "for": 10, "明": 11, "深": 12}}
    })
}
