//! The benchmark of ranking: its test sets, and every table of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::native::{self, Model};
use crate::process;
use crate::setup::model;
use crate::workspace::Workspace;

/// How a test set is come by.
enum Source {
    /// The museum's own records, which ship with the repository.
    Museum(&'static str),
    /// A folder of published data, brought into the layout under this name.
    Published(&'static str, &'static str),
    /// A folder of published data in the layout already.
    Ready(&'static str),
}

struct TestSet {
    name: &'static str,
    source: Source,
    /// The tables, each of systems that are compared with its first.
    tables: &'static [Table],
}

struct Table {
    title: &'static str,
    systems: &'static [&'static str],
}

/// Every way to rank, against the score of TEMPS on the same parts.
const SYSTEMS: Table = Table {
    title: "systems",
    systems: &[
        "encoder+bm25+rules",
        "bm25",
        "encoder",
        "encoder+bm25",
        "bm25+rules",
        "bm25+museum",
        "encoder+rules",
        "encoder+museum",
        "encoder+bm25+rules-reverse",
        "encoder+bm25+rules-mix",
        "encoder+bm25+museum-without-cues",
        "encoder+bm25+museum-without-roles",
        "encoder+bm25+museum",
        "encoder+prose",
        "encoder+bm25+prose",
        "default",
    ],
};

/// The trained temporal branch beside rules and together with them.
const BRANCH: Table = Table {
    title: "temporal branch",
    systems: &[
        "encoder",
        "encoder+rules",
        "encoder+museum",
        "encoder+prose",
        "encoder+branch-sentences",
        "encoder+branch-sentences-reverse",
        "encoder+museum+branch-sentences-reverse",
        "encoder+prose+branch-sentences-reverse",
    ],
};

/// Each part off in turn, against all of them.
const ABLATION: Table = Table {
    title: "one part off or changed",
    systems: &[
        "encoder+bm25+museum",
        "encoder+museum",
        "bm25+museum",
        "encoder+bm25",
        "encoder+bm25+museum-without-roles",
        "encoder+bm25+museum-without-cues",
        "encoder+bm25+museum+dates-kept",
        "encoder+bm25+museum+dates-removed",
        "encoder+bm25+museum+robust",
        "encoder+bm25+museum+rank",
    ],
};

/// For queries without a time.
const WORDS_AND_MEANING: Table = Table {
    title: "systems",
    systems: &["bm25", "encoder", "encoder+bm25", "default"],
};

/// For texts that are nothing but a date.
const TIME_ALONE: Table = Table {
    title: "systems",
    systems: &["museum", "rules", "rules-reverse", "rules-mix"],
};

const SETS: [TestSet; 8] = [
    TestSet {
        name: "cmoa",
        source: Source::Museum("collections/cmoa/objects.jsonl.gz"),
        tables: &[SYSTEMS, ABLATION],
    },
    TestSet {
        name: "nobel",
        source: Source::Ready("nobel"),
        tables: &[SYSTEMS, ABLATION, BRANCH],
    },
    TestSet {
        name: "timeqa",
        source: Source::Published("timeqa", "timeqa-human"),
        tables: &[SYSTEMS, ABLATION, BRANCH],
    },
    TestSet {
        name: "timeqa-titled",
        source: Source::Published("timeqa-titled", "timeqa-human"),
        tables: &[SYSTEMS],
    },
    TestSet {
        name: "timeqa-train",
        source: Source::Published("timeqa-train", "timeqa-human"),
        tables: &[SYSTEMS],
    },
    TestSet {
        name: "tempreason",
        source: Source::Published("tempreason", "tempreason"),
        tables: &[SYSTEMS, BRANCH],
    },
    TestSet {
        name: "tempreason-dates",
        source: Source::Published("tempreason-dates", "tempreason"),
        tables: &[TIME_ALONE],
    },
    TestSet {
        name: "cranfield",
        source: Source::Published("cranfield", "cranfield"),
        tables: &[WORDS_AND_MEANING],
    },
];

/// Makes the test sets and prints their tables in Markdown; `wanted` names sets, none means all.
///
/// # Errors
/// When the programs do not compile, the model cannot be had, or a set cannot be made or measured.
pub fn bench(workspace: &Workspace, wanted: &[String]) -> Result<()> {
    if let Some(name) = wanted.iter().find(|n| SETS.iter().all(|s| s.name != **n)) {
        let names: Vec<&str> = SETS.iter().map(|s| s.name).collect();
        anyhow::bail!("{name}: no such test set; there are {}", names.join(", "));
    }
    native::build(workspace)?;
    let model = Model::new(workspace, None)?;
    model::ensure(workspace, None)?;
    model.import(workspace)?;
    let Some(python) = process::find_program("python3") else {
        println!("skipped: ranking: python3 is not here to make the test sets");
        return Ok(());
    };
    let cache = workspace.cache.join("ranking");
    fs::create_dir_all(&cache).with_context(|| format!("{}: cannot make", cache.display()))?;
    for set in SETS
        .iter()
        .filter(|s| wanted.is_empty() || wanted.iter().any(|w| w == s.name))
    {
        println!("\n## {}\n", set.name);
        let Some(folder) = make(workspace, &python, set, &cache)? else {
            continue;
        };
        for table in set.tables {
            println!("{}:\n", table.title);
            let mut command = Command::new(native::program(workspace, "almanac-model"));
            command
                .arg("evaluate")
                .arg("--set")
                .arg(&folder)
                .arg("--model")
                .arg(&model.folder)
                .arg("--cache")
                .arg(cache.join(format!("{}-vectors.json", set.name)))
                .arg("--branch")
                .arg(workspace.root.join("temporal-branch"))
                .arg("--system")
                .args(table.systems);
            process::run(&mut command)?;
            println!();
        }
    }
    Ok(())
}

/// The folder of a set in the layout; `None`, said aloud, where its data is not here.
fn make(
    workspace: &Workspace,
    python: &Path,
    set: &TestSet,
    cache: &Path,
) -> Result<Option<PathBuf>> {
    let shared = workspace.root.join("../shared/data");
    let scripts = workspace.root.join("model-export/scripts");
    let out = cache.join(set.name);
    let mut command = Command::new(python);
    let data = match set.source {
        Source::Museum(file) => {
            let data = workspace.root.join(file);
            command.arg(scripts.join("museum_set.py")).arg(&data);
            data
        }
        Source::Published(kind, folder) => {
            let data = shared.join(folder);
            command
                .arg(scripts.join("beir_sets.py"))
                .arg(kind)
                .arg(&data);
            data
        }
        Source::Ready(folder) => shared.join(folder),
    };
    if !data.exists() {
        println!("skipped: {}: {} is not here", set.name, data.display());
        return Ok(None);
    }
    if let Source::Ready(_) = set.source {
        return Ok(Some(data));
    }
    process::capture(command.arg(&out))?;
    Ok(Some(out))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn unknown_set_is_refused_before_anything_is_built() {
        let workspace = Workspace::open(true).unwrap();
        let error = bench(&workspace, &["nobell".into()]).unwrap_err();
        assert!(error.to_string().contains("cmoa, nobel, timeqa"), "{error}");
    }
}
