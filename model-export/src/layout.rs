//! Which published tensor becomes which tensor of the record.

use almanac::Result;
use almanac::encoder::Architecture;

use crate::checkpoint::Checkpoint;
use crate::fault;

/// What may stand before every tensor name of the encoder.
const PREFIXES: [&str; 6] = [
    "",
    "bert.",
    "roberta.",
    "model.",
    "auto_model.",
    "0.auto_model.",
];

/// Tensors and groups (ending in a dot) that are not part of the encoder: buffers and training heads.
const SKIPPED: [&str; 5] = [
    "embeddings.position_ids",
    "embeddings.token_type_ids",
    "pooler.",
    "cls.",
    "lm_head.",
];

/// The tensor by which the prefix of a checkpoint is recognized.
const WORDS: &str = "embeddings.word_embeddings.weight";

/// One tensor of the record and where its numbers come from.
pub(crate) struct Target {
    /// Name in the record.
    pub(crate) name: String,
    /// How the sources become one tensor.
    pub(crate) form: Form,
    /// Names in the checkpoint, all of the same shape.
    pub(crate) sources: Vec<String>,
    /// Shape of each source as published.
    pub(crate) shape: Vec<usize>,
}

/// What is done to published numbers on their way into a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A vector, or several one after the other.
    Vector,
    /// A table of rows, kept as it is, with a scale a row where it is quantized.
    Table,
    /// A table of so few rows, added to every token, that quantizing it costs more than it saves.
    SmallTable,
    /// Linear weights: `[output, input]` is turned to `[input, output]`, several side by side.
    Transposed,
}

/// Lists every tensor of the record with its checked sources.
///
/// # Errors
/// [`almanac::ErrorKind::Corrupt`], naming the tensor, if one is missing, has another shape than the
/// architecture asks for, or belongs neither to the encoder nor to a head that is known to be unused.
pub(crate) fn targets(shape: &Architecture, checkpoint: &Checkpoint) -> Result<Vec<Target>> {
    let prefix = PREFIXES
        .into_iter()
        .find(|prefix| checkpoint.has(&format!("{prefix}{WORDS}")))
        .unwrap_or_default();
    let list = Lister {
        checkpoint,
        prefix,
        targets: Vec::new(),
    }
    .list(shape);
    for target in &list {
        for source in &target.sources {
            checkpoint.check(source, &target.shape)?;
        }
    }
    check_extra(checkpoint, prefix, &list)?;
    Ok(list)
}

struct Lister<'a> {
    checkpoint: &'a Checkpoint,
    prefix: &'static str,
    targets: Vec<Target>,
}

impl Lister<'_> {
    fn list(mut self, shape: &Architecture) -> Vec<Target> {
        let (hidden, inner) = (shape.hidden, shape.intermediate);
        self.table(
            "words",
            "embeddings.word_embeddings",
            shape.vocabulary,
            hidden,
        );
        self.table(
            "position",
            "embeddings.position_embeddings",
            shape.positions,
            hidden,
        );
        self.table(
            "token_type",
            "embeddings.token_type_embeddings",
            shape.token_types,
            hidden,
        );
        self.norm("norm", "embeddings.LayerNorm", hidden);
        for number in 0..shape.layers {
            let to = |part: &str| format!("layers.{number}.{part}");
            let from = |part: &str| format!("encoder.layer.{number}.{part}");
            let joint =
                ["query", "key", "value"].map(|part| from(&format!("attention.self.{part}")));
            self.linear(&to("attention"), &joint, hidden, hidden);
            self.linear(
                &to("attention_out"),
                &[from("attention.output.dense")],
                hidden,
                hidden,
            );
            self.norm(
                &to("attention_norm"),
                &from("attention.output.LayerNorm"),
                hidden,
            );
            self.linear(&to("up"), &[from("intermediate.dense")], hidden, inner);
            self.linear(&to("down"), &[from("output.dense")], inner, hidden);
            self.norm(&to("norm"), &from("output.LayerNorm"), hidden);
        }
        self.targets
    }

    fn table(&mut self, to: &str, from: &str, rows: usize, columns: usize) {
        let sources = vec![format!("{}{from}.weight", self.prefix)];
        let form = if to == "token_type" {
            Form::SmallTable
        } else {
            Form::Table
        };
        self.push(to.to_owned(), form, sources, vec![rows, columns]);
    }

    fn linear(&mut self, to: &str, from: &[String], input: usize, output: usize) {
        let named = |part: &str| -> Vec<String> {
            from.iter()
                .map(|name| format!("{}{name}.{part}", self.prefix))
                .collect()
        };
        let (weights, biases) = (named("weight"), named("bias"));
        self.push(
            format!("{to}.weight"),
            Form::Transposed,
            weights,
            vec![output, input],
        );
        self.push(format!("{to}.bias"), Form::Vector, biases, vec![output]);
    }

    /// Layer norms were once published with the names gamma and beta.
    fn norm(&mut self, to: &str, from: &str, width: usize) {
        for (part, new, old) in [("gamma", "weight", "gamma"), ("beta", "bias", "beta")] {
            let new = format!("{}{from}.{new}", self.prefix);
            let old = format!("{}{from}.{old}", self.prefix);
            let source = if self.checkpoint.has(&old) { old } else { new };
            self.push(
                format!("{to}.{part}"),
                Form::Vector,
                vec![source],
                vec![width],
            );
        }
    }

    fn push(&mut self, name: String, form: Form, sources: Vec<String>, shape: Vec<usize>) {
        self.targets.push(Target {
            name,
            form,
            sources,
            shape,
        });
    }
}

fn check_extra(checkpoint: &Checkpoint, prefix: &str, targets: &[Target]) -> Result<()> {
    let used: std::collections::BTreeSet<&str> = targets
        .iter()
        .flat_map(|target| target.sources.iter().map(String::as_str))
        .collect();
    for name in checkpoint.names() {
        let bare = name.strip_prefix(prefix).unwrap_or(name);
        let skipped = SKIPPED.iter().any(|skipped| {
            bare == *skipped || (skipped.ends_with('.') && bare.starts_with(skipped))
        });
        if !used.contains(name) && !skipped {
            return Err(checkpoint.in_tensor(
                name,
                fault::corrupt("is not part of the encoder that config.json describes")
                    .with_remedy("check that config.json is of the same model"),
            ));
        }
    }
    Ok(())
}
