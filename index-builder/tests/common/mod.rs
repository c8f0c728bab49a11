//! A small random model, a workshop folder and the command, for all integration tests.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use almanac::encoder::record::{RecordWriter, ScaleAxis};
use almanac::encoder::{
    Architecture, CARD_FORMAT, CARD_VERSION, Model, ModelCard, Pooling, Prefixes, TextKind,
    WeightEncoding, WeightFiles,
};
use almanac::index::{FileRef, Index};
use serde_json::json;
use tempfile::TempDir;

/// Shape of a random model.
#[derive(Clone, Copy)]
pub struct Shape {
    pub hidden: usize,
    pub layers: usize,
    pub seed: u64,
}

/// A model that encodes in microseconds.
pub const TINY: Shape = Shape {
    hidden: 32,
    layers: 1,
    seed: 1,
};
/// A model slow enough for a build to be caught at work.
pub const SLOW: Shape = Shape {
    hidden: 128,
    layers: 2,
    seed: 2,
};

/// A folder to build in, with a model.
pub struct Workshop {
    folder: TempDir,
}

impl Workshop {
    pub fn new() -> Self {
        Self::with_model(TINY)
    }

    pub fn with_model(shape: Shape) -> Self {
        let folder = tempfile::tempdir().unwrap();
        write_model(&folder.path().join("model"), shape);
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The `build` command of a file in the workshop, not yet run.
    pub fn build_command(&self, input: &str, out: &str) -> Command {
        let mut command = almanac_index();
        command
            .args(["build", "--threads", "2", "--input"])
            .arg(self.path(input))
            .arg("--out")
            .arg(self.path(out));
        command
    }

    pub fn build(&self, input: &str, out: &str, more: &[&str]) -> Output {
        self.build_command(input, out).args(more).output().unwrap()
    }

    /// Builds, and fails the test with the command's own words if that fails.
    pub fn built(&self, input: &str, out: &str, more: &[&str]) -> String {
        succeeded(&self.build(input, out, more))
    }

    pub fn run(&self, subcommand: &str, index: &str, more: &[&str]) -> Output {
        almanac_index()
            .arg(subcommand)
            .arg(self.path(index))
            .args(more)
            .output()
            .unwrap()
    }
}

pub fn almanac_index() -> Command {
    Command::new(env!("CARGO_BIN_EXE_almanac-index"))
}

/// Gives stdout of a command that must have succeeded.
pub fn succeeded(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Gives the one error line of a command that must have failed.
pub fn failed(output: &Output) -> String {
    assert!(!output.status.success(), "expected a failure");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = stderr
        .lines()
        .filter(|l| !l.starts_with("fields: "))
        .collect();
    assert_eq!(lines.len(), 1, "expected one line: {stderr}");
    lines[0]
        .strip_prefix("error: ")
        .unwrap_or_else(|| panic!("expected an error: {stderr}"))
        .to_owned()
}

/// Gives name and bytes of all files a visitor could fetch.
pub fn published(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(&path).unwrap())
        })
        .collect()
}

/// Gives `count` rows of made-up objects with several token lengths.
pub fn rows(count: usize) -> String {
    const WORDS: [&str; 12] = [
        "plough", "bowl", "oak", "iron", "silk", "print", "river", "winter", "mill", "horse",
        "glass", "letter",
    ];
    let mut random = Random(9);
    let mut csv = String::from("id,title,description,date\n");
    for number in 0..count {
        let mut words = |least: u64| -> String {
            let count = least + random.next() % 6;
            let words: Vec<&str> = (0..count)
                .map(|_| WORDS[(random.next() % WORDS.len() as u64) as usize])
                .collect();
            words.join(" ")
        };
        let (title, description) = (words(1), words(2));
        csv.push_str(&format!(
            "n{number},{title} {number},{description},{}\n",
            1700 + number % 300
        ));
    }
    csv
}

/// Writes a model folder with random weights.
pub fn write_model(folder: &Path, shape: Shape) {
    std::fs::create_dir_all(folder).unwrap();
    let tokenizer = tokenizer_json();
    let vocabulary = tokenizer["model"]["vocab"].as_object().unwrap().len();
    let tokenizer = serde_json::to_vec(&tokenizer).unwrap();
    let architecture = Architecture {
        vocabulary,
        hidden: shape.hidden,
        layers: shape.layers,
        heads: 4,
        intermediate: shape.hidden * 2,
        positions: 64,
        first_position: 0,
        token_types: 2,
        layer_norm_epsilon: 1e-12,
    };
    let record = record(&architecture, shape.seed);
    let weights = FileRef::of_bytes("weights-0", "bin", &record);
    let tokenizer_file = FileRef::of_bytes("tokenizer", "json", &tokenizer);
    std::fs::write(folder.join(&weights.file), &record).unwrap();
    std::fs::write(folder.join(&tokenizer_file.file), &tokenizer).unwrap();
    let card = ModelCard {
        format: CARD_FORMAT.to_owned(),
        version: CARD_VERSION,
        id: format!("random-{}-{}", shape.hidden, shape.seed),
        name: "random".to_owned(),
        license: None,
        source_sha256: None,
        architecture,
        pooling: Pooling::Mean,
        prefixes: Prefixes::default(),
        max_tokens: 64,
        weights: WeightFiles {
            encoding: WeightEncoding::Float32,
            parts: vec![weights],
        },
        tokenizer: tokenizer_file,
        golden: Vec::new(),
    };
    std::fs::write(
        folder.join("card.json"),
        serde_json::to_vec_pretty(&card).unwrap(),
    )
    .unwrap();
}

/// Letters, digits, some punctuation and ideographs, each a token.
fn tokenizer_json() -> serde_json::Value {
    let mut words: Vec<String> = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
        .map(str::to_owned)
        .to_vec();
    let characters = ('a'..='z')
        .chain('0'..='9')
        .chain(".,;:!?-。！？農書犁耕田".chars());
    for character in characters {
        words.push(character.to_string());
        words.push(format!("##{character}"));
    }
    let vocabulary: serde_json::Map<String, serde_json::Value> = words
        .into_iter()
        .enumerate()
        .map(|(id, word)| (word, json!(id)))
        .collect();
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", "clean_text": true,
            "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
            "pair": [],
            "special_tokens": {
                "[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
        "decoder": null,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary}
    })
}

fn record(shape: &Architecture, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut writer = RecordWriter::new(WeightEncoding::Float32);
    let (hidden, inner) = (shape.hidden, shape.intermediate);
    let ones = vec![1.0; hidden];
    let zeros = vec![0.0; hidden];
    writer.matrix(
        "words",
        &random.normal(shape.vocabulary * hidden),
        hidden,
        ScaleAxis::Row,
    );
    writer.matrix(
        "position",
        &random.normal(shape.positions * hidden),
        hidden,
        ScaleAxis::Row,
    );
    writer.matrix(
        "token_type",
        &random.normal(shape.token_types * hidden),
        hidden,
        ScaleAxis::Row,
    );
    writer.vector("norm.gamma", &ones);
    writer.vector("norm.beta", &zeros);
    for layer in 0..shape.layers {
        let mut linear = |name: &str, input: usize, output: usize| {
            let weights: Vec<f32> = random
                .normal(input * output)
                .iter()
                .map(|x| x / (input as f32).sqrt())
                .collect();
            let name = format!("layers.{layer}.{name}");
            writer.matrix(
                &format!("{name}.weight"),
                &weights,
                output,
                ScaleAxis::Column,
            );
            writer.vector(&format!("{name}.bias"), &vec![0.0; output]);
        };
        linear("attention", hidden, 3 * hidden);
        linear("attention_out", hidden, hidden);
        linear("up", hidden, inner);
        linear("down", inner, hidden);
        for norm in ["attention_norm", "norm"] {
            writer.vector(&format!("layers.{layer}.{norm}.gamma"), &ones);
            writer.vector(&format!("layers.{layer}.{norm}.beta"), &zeros);
        }
    }
    writer.into_bytes().unwrap()
}

/// A generator for data that must be the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// Numbers of mean 0 and variance 1, roughly normal: sums of four uniform ones.
    fn normal(&mut self, count: usize) -> Vec<f32> {
        (0..count)
            .map(|_| {
                let sum: f64 = (0..4)
                    .map(|_| self.next() as f64 / 2f64.powi(31) - 0.5)
                    .sum();
                (sum * 3f64.sqrt()) as f32
            })
            .collect()
    }
}

/// The share of the ten best documents by a query's float32 vector that are among the ten best by
/// the vector a browser computes in integers.
pub fn overlap_of_ten(index: &Index, model: &Path, queries: &[String]) -> f64 {
    let (float32, integer) = (
        Model::open(model).unwrap(),
        Model::open_integer(model).unwrap(),
    );
    let ten = |model: &Model, text: &str| -> Vec<u32> {
        let vector = pollster::block_on(model.encode(text, TextKind::Query)).unwrap();
        let hits = index.search(&vector, 10).unwrap();
        hits.iter().map(|hit| hit.document).collect()
    };
    let (mut same, mut wanted) = (0, 0);
    for query in queries {
        let expected = ten(&float32, query);
        let found = ten(&integer, query);
        wanted += expected.len();
        same += expected.iter().filter(|d| found.contains(d)).count();
    }
    assert!(wanted >= 2_000, "{wanted}");
    f64::from(same as u32) / f64::from(wanted as u32)
}

/// The folder of a shipped collection.
pub fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../collections")
        .join(name)
}

/// The rows of a shipped collection, one JSON object a line.
pub fn shipped_rows(name: &str) -> String {
    let bytes = std::fs::read(shipped(name).join("objects.jsonl.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes.as_slice())
        .read_to_string(&mut text)
        .unwrap();
    text
}

/// Builds an index of some rows of a shipped collection by its settings, in a folder of `folder`; gives
/// it with what the builder said.
pub fn build_shipped(
    name: &str,
    rows: &[String],
    model: &Path,
    folder: &Path,
) -> (PathBuf, String) {
    let input = folder.join("objects.jsonl");
    std::fs::write(&input, rows.join("\n")).unwrap();
    let out = folder.join("index");
    let build = almanac_index()
        .args(["build", "--input"])
        .arg(&input)
        .arg("--out")
        .arg(&out)
        .arg("--model")
        .arg(model)
        .arg("--config")
        .arg(shipped(name).join("collection.toml"))
        .output()
        .unwrap();
    let report = succeeded(&build);
    (out, report)
}
