//! What a Hugging Face directory says about its model, apart from the tensors.

use std::collections::BTreeMap;
use std::path::Path;

use almanac::Result;
use almanac::encoder::{Architecture, Pooling, Prefixes};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::fault;

/// Most tokens of a text where the model does not say less.
///
/// Source: the 512 positions of BERT (arXiv 1810.04805, section A.2).
const MOST_TOKENS: usize = 512;

/// The description of a model, read from its small JSON files.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Shape of the encoder.
    pub architecture: Architecture,
    /// How the model was trained to turn token states into one vector.
    pub pooling: Pooling,
    /// Texts the model wants before queries and passages.
    pub prefixes: Prefixes,
    /// Most tokens of a text, special tokens included.
    pub max_tokens: usize,
}

/// The fields of `config.json` that decide what an encoder computes.
#[derive(Deserialize)]
struct Config {
    model_type: String,
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    max_position_embeddings: usize,
    type_vocab_size: usize,
    #[serde(default = "default_epsilon")]
    layer_norm_eps: f64,
    #[serde(default = "default_activation")]
    hidden_act: String,
    #[serde(default = "default_position")]
    position_embedding_type: String,
    #[serde(default)]
    pad_token_id: Option<usize>,
    #[serde(default)]
    is_decoder: bool,
    #[serde(default)]
    add_cross_attention: bool,
    #[serde(default, rename = "_name_or_path")]
    name_or_path: String,
}

fn default_epsilon() -> f64 {
    1e-12
}

fn default_activation() -> String {
    "gelu".to_owned()
}

fn default_position() -> String {
    "absolute".to_owned()
}

/// One entry of the `modules.json` of a sentence-transformers model.
#[derive(Deserialize)]
struct Module {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct SentenceConfig {
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: bool,
}

#[derive(Deserialize)]
struct Prompts {
    #[serde(default)]
    prompts: BTreeMap<String, Option<String>>,
}

impl Description {
    /// Reads `config.json` and, where present, the files sentence-transformers puts beside it.
    ///
    /// A given `pooling` takes the place of the model's own.
    ///
    /// # Errors
    /// - [`almanac::ErrorKind::Io`] if `config.json` is absent or a file cannot be read.
    /// - [`almanac::ErrorKind::Corrupt`] if a file is not the JSON it should be.
    /// - [`almanac::ErrorKind::Unsupported`], naming the field, if the model computes something
    ///   other than a plain BERT encoder.
    pub fn read(folder: &Path, pooling: Option<Pooling>) -> Result<Self> {
        let path = folder.join("config.json");
        let bytes = fault::read(&path).map_err(|e| {
            e.with_remedy(
                "give a Hugging Face directory with config.json, tokenizer.json and weights",
            )
        })?;
        let config: Config = parse(&path, &bytes)?;
        let architecture = config
            .architecture()
            .map_err(|e| e.in_place(path.display().to_string()))?;
        check_modules(folder)?;
        Ok(Self {
            pooling: match pooling {
                Some(pooling) => pooling,
                None => read_pooling(folder)?,
            },
            prefixes: read_prefixes(folder, &config.name_or_path)?,
            max_tokens: read_max_tokens(folder, &architecture)?,
            architecture,
        })
    }
}

impl Config {
    fn architecture(&self) -> Result<Architecture> {
        let first_position = match self.model_type.as_str() {
            "bert" => 0,
            // Positions of this family count from the one after the padding token's id.
            "roberta" | "xlm-roberta" => self.pad_token_id.unwrap_or(1) + 1,
            other => {
                return Err(fault::unsupported(format!(
                    "model_type is {other:?}, expected \"bert\", \"roberta\" or \"xlm-roberta\""
                )));
            }
        };
        if self.hidden_act != "gelu" {
            return Err(fault::unsupported(format!(
                "hidden_act is {:?}, expected \"gelu\"",
                self.hidden_act
            )));
        }
        if self.position_embedding_type != "absolute" {
            return Err(fault::unsupported(format!(
                "position_embedding_type is {:?}, expected \"absolute\"",
                self.position_embedding_type
            )));
        }
        for (field, set) in [
            ("is_decoder", self.is_decoder),
            ("add_cross_attention", self.add_cross_attention),
        ] {
            if set {
                return Err(fault::unsupported(format!(
                    "{field} is true, expected false"
                )));
            }
        }
        for (field, value) in [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("max_position_embeddings", self.max_position_embeddings),
            ("type_vocab_size", self.type_vocab_size),
        ] {
            if value == 0 || value > 4_000_000 {
                return Err(fault::corrupt(format!(
                    "{field} is {value}, expected 1 to 4000000"
                )));
            }
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return Err(fault::corrupt(format!(
                "hidden_size {} is not a multiple of num_attention_heads {}",
                self.hidden_size, self.num_attention_heads
            )));
        }
        if self.max_position_embeddings < first_position + 3 {
            return Err(fault::corrupt(format!(
                "max_position_embeddings is {}, expected at least {}",
                self.max_position_embeddings,
                first_position + 3
            )));
        }
        Ok(Architecture {
            vocabulary: self.vocab_size,
            hidden: self.hidden_size,
            layers: self.num_hidden_layers,
            heads: self.num_attention_heads,
            intermediate: self.intermediate_size,
            positions: self.max_position_embeddings,
            first_position,
            token_types: self.type_vocab_size,
            layer_norm_epsilon: self.layer_norm_eps,
        })
    }
}

/// Refuses a model whose vectors pass through more than pooling and normalization.
fn check_modules(folder: &Path) -> Result<()> {
    let path = folder.join("modules.json");
    let Some(bytes) = fault::read_if_present(&path)? else {
        return Ok(());
    };
    let modules: Vec<Module> = parse(&path, &bytes)?;
    for module in modules {
        let name = module.kind.rsplit('.').next().unwrap_or_default();
        if !matches!(name, "Transformer" | "Pooling" | "Normalize") {
            return Err(fault::unsupported(format!(
                "module {:?}, expected Transformer, Pooling or Normalize",
                module.kind
            ))
            .in_place(path.display().to_string()));
        }
    }
    Ok(())
}

fn read_pooling(folder: &Path) -> Result<Pooling> {
    let path = folder.join("1_Pooling").join("config.json");
    let Some(bytes) = fault::read_if_present(&path)? else {
        return Ok(Pooling::Mean);
    };
    let fields: BTreeMap<String, serde_json::Value> = parse(&path, &bytes)?;
    let modes: Vec<&str> = fields
        .iter()
        .filter(|(_, value)| **value == serde_json::Value::Bool(true))
        .filter_map(|(field, _)| field.strip_prefix("pooling_mode_"))
        .collect();
    match modes.as_slice() {
        ["mean_tokens"] => Ok(Pooling::Mean),
        ["cls_token"] => Ok(Pooling::Cls),
        other => Err(fault::unsupported(format!(
            "pooling modes {other:?}, expected mean_tokens or cls_token"
        ))
        .in_place(path.display().to_string())
        .with_remedy("choose one with --pooling")),
    }
}

/// Prompts that the model carries, else the well-known ones of the E5 family.
///
/// Source: arXiv 2212.03533 (E5), section 4.2: "query: " and "passage: ".
fn read_prefixes(folder: &Path, name_or_path: &str) -> Result<Prefixes> {
    let path = folder.join("config_sentence_transformers.json");
    if let Some(bytes) = fault::read_if_present(&path)? {
        let mut prompts = parse::<Prompts>(&path, &bytes)?.prompts;
        let mut take = |names: [&str; 2]| {
            names
                .into_iter()
                .find_map(|name| prompts.remove(name).flatten())
                .unwrap_or_default()
        };
        let prefixes = Prefixes {
            query: take(["query", "s2p_query"]),
            passage: take(["passage", "document"]),
        };
        if prefixes != Prefixes::default() {
            return Ok(prefixes);
        }
    }
    let folder_name = folder.file_name().unwrap_or_default().to_string_lossy();
    if is_e5(name_or_path) || is_e5(&folder_name) {
        return Ok(e5_prefixes());
    }
    Ok(Prefixes::default())
}

/// The prefixes that models of the E5 family are trained with.
pub(crate) fn e5_prefixes() -> Prefixes {
    Prefixes {
        query: "query: ".to_owned(),
        passage: "passage: ".to_owned(),
    }
}

/// Says whether a name has `e5` as one of its words, as `intfloat/multilingual-e5-small` has.
pub(crate) fn is_e5(name: &str) -> bool {
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| word.eq_ignore_ascii_case("e5"))
}

fn read_max_tokens(folder: &Path, shape: &Architecture) -> Result<usize> {
    let most = (shape.positions - shape.first_position).min(MOST_TOKENS);
    let path = folder.join("sentence_bert_config.json");
    let Some(bytes) = fault::read_if_present(&path)? else {
        return Ok(most);
    };
    let stated: SentenceConfig = parse(&path, &bytes)?;
    if stated.do_lower_case && !lowers_case(&folder.join("tokenizer.json"))? {
        return Err(fault::unsupported(
            "do_lower_case is true and the normalizer of tokenizer.json keeps capitals",
        )
        .in_place(path.display().to_string())
        .with_remedy("add a Lowercase normalizer to tokenizer.json"));
    }
    Ok(stated
        .max_seq_length
        .map_or(most, |tokens| tokens.clamp(3, most)))
}

/// Says whether a tokenizer's normalizer turns capitals to small letters.
fn lowers_case(path: &Path) -> Result<bool> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        normalizer: Option<Normalizer>,
    }
    #[derive(Deserialize)]
    struct Normalizer {
        #[serde(rename = "type")]
        kind: String,
        #[serde(default)]
        lowercase: bool,
        #[serde(default)]
        normalizers: Vec<Normalizer>,
    }
    fn lowers(normalizer: &Normalizer) -> bool {
        normalizer.lowercase
            || normalizer.kind == "Lowercase"
            || normalizer.normalizers.iter().any(lowers)
    }
    let file: File = parse(path, &fault::read(path)?)?;
    Ok(file.normalizer.as_ref().is_some_and(lowers))
}

fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes)
        .map_err(|e| fault::corrupt(e.to_string()).in_place(path.display().to_string()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const CONFIG: &str = r#"{"model_type": "bert", "vocab_size": 100, "hidden_size": 32,
        "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64,
        "max_position_embeddings": 600, "type_vocab_size": 2}"#;

    /// Reads a description from files given as (name, content).
    fn read(config: &str, files: &[(&str, &str)]) -> Result<Description> {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("config.json"), config).unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Description::read(folder.path(), None)
    }

    #[test]
    fn a_bare_bert_pools_the_mean_of_at_most_512_tokens() {
        let description = read(CONFIG, &[]).unwrap();
        assert_eq!(description.pooling, Pooling::Mean);
        assert_eq!(description.max_tokens, 512);
        assert_eq!(description.prefixes, Prefixes::default());
        assert_eq!(description.architecture.first_position, 0);
    }

    #[test]
    fn the_files_of_sentence_transformers_set_pooling_length_and_prompts() {
        let description = read(
            CONFIG,
            &[
                (
                    "1_Pooling/config.json",
                    r#"{"word_embedding_dimension": 32, "pooling_mode_cls_token": true,
                        "pooling_mode_mean_tokens": false}"#,
                ),
                ("sentence_bert_config.json", r#"{"max_seq_length": 256}"#),
                (
                    "config_sentence_transformers.json",
                    r#"{"prompts": {"query": "find: ", "document": null}}"#,
                ),
            ],
        )
        .unwrap();
        assert_eq!(description.pooling, Pooling::Cls);
        assert_eq!(description.max_tokens, 256);
        assert_eq!(description.prefixes.query, "find: ");
        assert_eq!(description.prefixes.passage, "");
    }

    #[test]
    fn a_length_above_the_positions_is_cut_to_them() {
        let config = CONFIG.replace("600", "128");
        let files = [("sentence_bert_config.json", r#"{"max_seq_length": 512}"#)];
        assert_eq!(read(&config, &files).unwrap().max_tokens, 128);
    }

    #[test]
    fn roberta_counts_positions_from_after_the_padding_id() {
        for (kind, padding) in [("roberta", ""), ("xlm-roberta", r#""pad_token_id": 1,"#)] {
            let config = CONFIG.replace("600", "514").replace(
                r#""model_type": "bert","#,
                &format!(r#""model_type": "{kind}", {padding}"#),
            );
            let description = read(&config, &[]).unwrap();
            assert_eq!(description.architecture.first_position, 2, "{kind}");
            assert_eq!(description.max_tokens, 512, "{kind}");
        }
    }

    #[test]
    fn models_of_the_e5_family_get_their_prefixes_by_name() {
        let named = |name: &str| {
            let config = CONFIG.replacen('{', &format!(r#"{{"_name_or_path": "{name}","#), 1);
            read(&config, &[]).unwrap().prefixes
        };
        assert_eq!(named("intfloat/multilingual-e5-small"), e5_prefixes());
        assert_eq!(named("intfloat/E5_base"), e5_prefixes());
        assert_eq!(named("someone/e500-model"), Prefixes::default());
    }

    #[test]
    fn lower_casing_that_the_tokenizer_does_not_do_is_unsupported() {
        let lower = ("sentence_bert_config.json", r#"{"do_lower_case": true}"#);
        let keeps = ("tokenizer.json", r#"{"normalizer": {"type": "NFC"}}"#);
        let error = read(CONFIG, &[lower, keeps]).unwrap_err();
        assert!(error.is_unsupported(), "{error}");
        let lowers = (
            "tokenizer.json",
            r#"{"normalizer": {"type": "Sequence", "normalizers": [{"type": "Lowercase"}]}}"#,
        );
        read(CONFIG, &[lower, lowers]).unwrap();
    }
}
