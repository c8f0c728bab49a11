//! Every fault of a source directory is one line that names it, and leaves an earlier model alone.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use almanac::ErrorKind;
use almanac::encoder::{Model, WeightEncoding};
use almanac_model::check;
use almanac_model::import::{Options, import};
use common::Published;
use serde_json::{Value, json};
use tempfile::TempDir;

const QUERY: &str = "encoder.layer.1.attention.self.query.weight";

/// A tiny model that can be spoiled before it is imported.
struct Case {
    folder: TempDir,
    config: Value,
    tensors: Vec<Published>,
}

impl Case {
    fn new() -> Self {
        let config = common::tiny_config();
        Self {
            folder: TempDir::new().unwrap(),
            tensors: common::weights(&config),
            config,
        }
    }

    fn source(&self) -> PathBuf {
        self.folder.path().join("source")
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn options(&self) -> Options {
        common::options(&self.source(), &self.out(), WeightEncoding::Float32)
    }

    fn write(&self) {
        common::write_source(&self.source(), &self.config, &self.tensors);
    }

    fn tensor(&mut self, name: &str) -> &mut Published {
        self.tensors.iter_mut().find(|t| t.name == name).unwrap()
    }

    /// Writes and imports, expecting an error that leaves nothing behind.
    fn refused(&self) -> almanac::Error {
        self.write();
        self.refused_as_written()
    }

    fn refused_as_written(&self) -> almanac::Error {
        let error = import(&self.options()).unwrap_err();
        assert!(
            !self.out().exists(),
            "a refused import left {:?}",
            self.out()
        );
        error
    }

    fn config_refused(field: &str, value: Value) -> almanac::Error {
        let mut case = Self::new();
        case.config[field] = value;
        case.refused()
    }
}

fn assert_names(error: &almanac::Error, kind: ErrorKind, parts: &[&str]) {
    let message = error.to_string();
    assert_eq!(error.kind(), kind, "{message}");
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in: {message}");
    }
}

#[test]
fn a_missing_tensor_is_named() {
    let mut case = Case::new();
    case.tensors.retain(|t| t.name != QUERY);
    assert_names(&case.refused(), ErrorKind::Corrupt, &[QUERY, "is missing"]);
}

#[test]
fn an_extra_tensor_is_named() {
    let mut case = Case::new();
    let mut extra = case.tensor(QUERY).clone();
    extra.name = "encoder.layer.2.attention.self.query.weight".to_owned();
    let name = extra.name.clone();
    case.tensors.push(extra);
    assert_names(&case.refused(), ErrorKind::Corrupt, &[&name, "not part of"]);
}

#[test]
fn heads_outside_the_encoder_are_skipped_by_name_only() {
    let mut case = Case::new();
    for name in [
        "pooler.dense.weight",
        "cls.predictions.bias",
        "lm_head.bias",
    ] {
        let mut head = case.tensor(QUERY).clone();
        head.name = name.to_owned();
        case.tensors.push(head);
    }
    case.write();
    import(&case.options()).unwrap();

    let mut head = case.tensor(QUERY).clone();
    head.name = "poolers.weight".to_owned();
    case.tensors.push(head);
    case.write();
    let error = import(&case.options()).unwrap_err();
    assert_names(&error, ErrorKind::Corrupt, &["poolers.weight"]);
}

#[test]
fn a_wrong_shape_is_named_with_both_shapes() {
    let mut case = Case::new();
    let tensor = case.tensor(QUERY);
    tensor.shape = vec![16, 64];
    let expected = [QUERY, "[16, 64]", "[32, 32]"];
    assert_names(&case.refused(), ErrorKind::Corrupt, &expected);
}

#[test]
fn a_weight_that_is_not_finite_is_named_in_every_encoding() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for encoding in [
            WeightEncoding::Float32,
            WeightEncoding::Float16,
            WeightEncoding::Int8,
        ] {
            let mut case = Case::new();
            case.tensor(QUERY).values[7] = value;
            case.write();
            let mut options = case.options();
            options.encoding = encoding;
            let error = import(&options).unwrap_err();
            assert_names(
                &error,
                ErrorKind::Corrupt,
                &[QUERY, "number 7", &value.to_string()],
            );
        }
    }
}

#[test]
fn a_weight_beyond_half_precision_is_named() {
    let mut case = Case::new();
    case.tensor(QUERY).values[0] = 70_000.0;
    case.write();
    let mut options = case.options();
    options.encoding = WeightEncoding::Float16;
    let error = import(&options).unwrap_err();
    assert_names(
        &error,
        ErrorKind::Unsupported,
        &[QUERY, "70000", "--weights"],
    );
}

#[test]
fn every_truncation_of_the_weights_is_corrupt() {
    let case = Case::new();
    case.write();
    let path = case.source().join("model.safetensors");
    let bytes = fs::read(&path).unwrap();
    for length in [0, 7, 8, 100, 2000, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = case.refused_as_written();
        assert_names(&error, ErrorKind::Corrupt, &["model.safetensors"]);
    }
}

#[test]
fn a_header_that_claims_more_than_memory_is_corrupt() {
    let case = Case::new();
    case.write();
    let path = case.source().join("model.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    bytes[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    assert_names(
        &case.refused_as_written(),
        ErrorKind::Corrupt,
        &["model.safetensors"],
    );
}

#[test]
fn a_truncated_pytorch_file_is_corrupt() {
    let case = Case::new();
    common::write_description(&case.source(), &case.config);
    let bytes = fs::read(common::data("parity/tiny-pytorch_model.bin")).unwrap();
    let path = case.source().join("pytorch_model.bin");
    for length in [0, 10, bytes.len() / 2, bytes.len() - 30] {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = case.refused_as_written();
        assert_names(&error, ErrorKind::Corrupt, &["pytorch_model.bin"]);
    }
}

#[test]
fn a_pytorch_file_that_calls_a_function_is_refused_and_not_run() {
    let case = Case::new();
    common::write_description(&case.source(), &case.config);
    let proof = case.folder.path().join("proof");
    // Pickle: push os.system and its argument, call it, stop.
    let pickle = format!("cos\nsystem\n(S'touch {}'\ntR.", proof.display());
    fs::write(case.source().join("pytorch_model.bin"), pickle).unwrap();
    let error = case.refused_as_written();
    assert_names(&error, ErrorKind::Corrupt, &["pytorch_model.bin"]);
    assert!(!proof.exists());
}

#[test]
fn a_missing_file_is_named() {
    for (file, way_out) in [
        ("config.json", "Hugging Face"),
        ("tokenizer.json", "fast tokenizer"),
        ("model.safetensors", "pytorch_model.bin"),
    ] {
        let case = Case::new();
        case.write();
        fs::remove_file(case.source().join(file)).unwrap();
        assert_names(&case.refused_as_written(), ErrorKind::Io, &[file, way_out]);
    }
}

#[test]
fn a_malformed_config_is_corrupt_and_names_the_file() {
    let case = Case::new();
    case.write();
    for text in ["", "{", "[]", "{\"model_type\": \"bert\"}", "\u{0}"] {
        fs::write(case.source().join("config.json"), text).unwrap();
        assert_names(
            &case.refused_as_written(),
            ErrorKind::Corrupt,
            &["config.json"],
        );
    }
}

#[test]
fn an_architecture_that_cannot_be_computed_names_its_field() {
    for (field, value) in [
        ("hidden_act", json!("gelu_new")),
        ("hidden_act", json!("relu")),
        ("position_embedding_type", json!("relative_key")),
        ("model_type", json!("t5")),
        ("is_decoder", json!(true)),
    ] {
        let error = Case::config_refused(field, value);
        assert_names(&error, ErrorKind::Unsupported, &["config.json", field]);
    }
}

#[test]
fn numbers_of_the_config_that_contradict_each_other_are_corrupt() {
    for (field, value) in [
        ("num_attention_heads", json!(5)),
        ("hidden_size", json!(0)),
        ("vocab_size", json!(4_000_000_000u64)),
        ("max_position_embeddings", json!(1)),
        ("num_hidden_layers", json!(-1)),
    ] {
        let error = Case::config_refused(field, value);
        assert_names(&error, ErrorKind::Corrupt, &["config.json"]);
    }
}

#[test]
fn a_tokenizer_with_more_words_than_the_table_is_incompatible() {
    let mut case = Case::new();
    case.config["vocab_size"] = json!(8);
    case.tensors = common::weights(&case.config);
    assert_names(
        &case.refused(),
        ErrorKind::Incompatible,
        &["13 words", "8 rows"],
    );
}

#[test]
fn a_tokenizer_that_is_none_is_corrupt() {
    let case = Case::new();
    case.write();
    fs::write(case.source().join("tokenizer.json"), "{}").unwrap();
    assert_names(
        &case.refused_as_written(),
        ErrorKind::Corrupt,
        &["tokenizer"],
    );
}

#[test]
fn pooling_and_modules_beyond_the_encoder_are_unsupported() {
    let case = Case::new();
    case.write();
    let pooling = case.source().join("1_Pooling");
    fs::create_dir_all(&pooling).unwrap();
    fs::write(
        pooling.join("config.json"),
        r#"{"pooling_mode_max_tokens": true}"#,
    )
    .unwrap();
    let error = case.refused_as_written();
    assert_names(&error, ErrorKind::Unsupported, &["1_Pooling", "max_tokens"]);
    fs::remove_dir_all(pooling).unwrap();

    let modules = r#"[{"type": "sentence_transformers.models.Dense"}]"#;
    fs::write(case.source().join("modules.json"), modules).unwrap();
    let error = case.refused_as_written();
    assert_names(&error, ErrorKind::Unsupported, &["modules.json", "Dense"]);
}

#[test]
fn max_tokens_beyond_the_positions_is_invalid() {
    let case = Case::new();
    case.write();
    for tokens in [0, 2, 65, usize::MAX] {
        let mut options = case.options();
        options.max_tokens = Some(tokens);
        let error = import(&options).unwrap_err();
        assert_names(
            &error,
            ErrorKind::InvalidInput,
            &["--max-tokens", "3 to 64"],
        );
    }
}

#[test]
fn a_refused_import_leaves_the_earlier_model_intact() {
    let mut case = Case::new();
    case.write();
    import(&case.options()).unwrap();
    let before = listing(&case.out());
    case.tensor(QUERY).values[0] = f32::NAN;
    case.write();
    import(&case.options()).unwrap_err();
    assert_eq!(listing(&case.out()), before);
    Model::open(&case.out()).unwrap();
}

#[test]
fn a_second_import_replaces_the_files_of_the_first() {
    let mut case = Case::new();
    case.write();
    import(&case.options()).unwrap();
    case.tensor(QUERY).values[0] = 0.5;
    case.write();
    import(&case.options()).unwrap();
    assert_eq!(listing(&case.out()).len(), 3);
    Model::open(&case.out()).unwrap();
}

#[test]
fn equal_input_gives_equal_bytes() {
    let case = Case::new();
    case.write();
    for encoding in [WeightEncoding::Float32, WeightEncoding::Int8] {
        let mut options = case.options();
        options.encoding = encoding;
        import(&options).unwrap();
        let first = listing(&case.out());
        options.out = case.folder.path().join("again");
        import(&options).unwrap();
        assert_eq!(listing(&options.out), first);
        fs::remove_dir_all(&options.out).unwrap();
    }
}

#[test]
fn an_unwritable_folder_is_named_with_the_way_out() {
    let case = Case::new();
    case.write();
    fs::write(case.out(), "a file, not a folder").unwrap();
    let error = import(&case.options()).unwrap_err();
    assert_names(&error, ErrorKind::Io, &["out", "--out"]);
}

#[test]
fn a_changed_weight_file_fails_the_check() {
    let case = Case::new();
    case.write();
    import(&case.options()).unwrap();
    check::check(&case.out(), None).unwrap();
    let weights = fs::read_dir(case.out())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|e| e == "bin"))
        .unwrap();
    let mut bytes = fs::read(&weights).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&weights, bytes).unwrap();
    let error = check::check(&case.out(), None).unwrap_err();
    assert_names(&error, ErrorKind::Corrupt, &["weights-0-", "sha256"]);
}

#[test]
fn a_card_of_another_model_fails_the_check() {
    let case = Case::new();
    case.write();
    import(&case.options()).unwrap();
    let path = case.out().join("card.json");
    let mut card: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    card["golden"][0]["vector"][0] = json!(0.9);
    fs::write(&path, card.to_string()).unwrap();
    let error = check::check(&case.out(), None).unwrap_err();
    assert_names(
        &error,
        ErrorKind::Corrupt,
        &["self-test", "import the model again"],
    );
}

#[test]
fn the_command_fails_with_one_line_on_stderr() {
    let case = Case::new();
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_almanac-model"))
            .args(args)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let source = case.source().display().to_string();
    let out = case.out().display().to_string();
    for args in [
        vec!["import", &source, "--out", &out],
        vec!["inspect", &out],
        vec!["check", &out],
    ] {
        let (code, text) = run(&args);
        assert_eq!(code, Some(1), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.starts_with("error: "), "{text}");
    }
    case.write();
    assert_eq!(
        run(&["import", &source, "--out", &out]),
        (Some(0), String::new())
    );
}

/// Names and bytes of a folder, sorted.
fn listing(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(&path).unwrap_or_default())
        })
        .collect();
    files.sort();
    files
}
