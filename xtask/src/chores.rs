//! Small chores: benchmarks, formatting, sizes.

use std::fs;
use std::io::Write;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::dates;
use crate::modules::{CPU, GPU, Module};
use crate::plan::Outcome;
use crate::process;
use crate::ranking;
use crate::setup::node;
use crate::workspace::{self, Workspace};

/// Packages whose `benches/` folders hold benchmarks, with the folder of each.
const BENCHED: [(&str, &str); 3] = [
    ("almanac", "crate"),
    ("almanac-index", "index-builder"),
    ("almanac-model", "model-export"),
];

/// Name of the benchmark of dates, which is made of tests, examples and other readers.
const DATES: &str = "time";

/// Name of the benchmark of ranking, which makes its test sets first.
const RANKING: &str = "ranking";

/// Prefix of the npm scripts that are benchmarks.
const SCRIPT_PREFIX: &str = "bench:";

enum Bench {
    Cargo { package: &'static str, name: String },
    Npm { name: String },
    Dates,
    Ranking,
}

impl Bench {
    fn name(&self) -> &str {
        match self {
            Self::Cargo { name, .. } | Self::Npm { name } => name,
            Self::Dates => DATES,
            Self::Ranking => RANKING,
        }
    }
}

/// Runs a benchmark, or lists them all when none is named.
///
/// # Errors
/// When there is none of this name, or it fails.
pub fn bench(workspace: &Workspace, name: Option<&str>, arguments: &[String]) -> Result<()> {
    let known = benches(workspace)?;
    let names = known.iter().map(Bench::name).collect::<Vec<_>>();
    let Some(name) = name else {
        for name in names {
            println!("{name}");
        }
        return Ok(());
    };
    match known.iter().find(|bench| bench.name() == name) {
        Some(Bench::Cargo { package, name }) => {
            let mut command = workspace.cargo("bench")?;
            command.args(["--package", package, "--bench", name]);
            process::run(command.arg("--").args(arguments))
        }
        Some(Bench::Npm { name }) => {
            node::ensure(workspace)?;
            let mut command = node::npm(&workspace.web());
            command.args(["run", "--silent", &format!("{SCRIPT_PREFIX}{name}"), "--"]);
            process::run(
                command
                    .args(arguments)
                    .env("ALMANAC_BIN", workspace.programs())
                    .env("ALMANAC_CACHE", &workspace.cache),
            )
        }
        Some(Bench::Dates) => dates::bench(workspace),
        Some(Bench::Ranking) => ranking::bench(workspace, arguments),
        None => bail!("{name}: no such benchmark; there are {}", names.join(", ")),
    }
}

fn benches(workspace: &Workspace) -> Result<Vec<Bench>> {
    let mut found = vec![Bench::Dates, Bench::Ranking];
    for (package, folder) in BENCHED {
        for file in crate::hash::files_below(&workspace.root.join(folder).join("benches"), &[])? {
            if let (Some(stem), Some("rs")) = (
                file.file_stem(),
                file.extension().and_then(|extension| extension.to_str()),
            ) {
                found.push(Bench::Cargo {
                    package,
                    name: stem.to_string_lossy().into_owned(),
                });
            }
        }
    }
    let manifest = workspace.web().join("package.json");
    let text = fs::read_to_string(&manifest)
        .with_context(|| format!("{}: cannot read", manifest.display()))?;
    found.extend(
        npm_benches(&text)
            .with_context(|| format!("{}: not JSON", manifest.display()))?
            .into_iter()
            .map(|name| Bench::Npm { name }),
    );
    found.sort_by(|one, two| one.name().cmp(two.name()));
    Ok(found)
}

fn npm_benches(manifest: &str) -> Result<Vec<String>> {
    let manifest: Value = serde_json::from_str(manifest)?;
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    Ok(scripts
        .into_iter()
        .flat_map(|scripts| scripts.keys())
        .filter_map(|script| script.strip_prefix(SCRIPT_PREFIX))
        .map(str::to_owned)
        .collect())
}

/// Formats the Rust code, or checks it.
///
/// # Errors
/// When rustfmt fails or, checking, would change anything.
pub fn fmt(workspace: &Workspace, check: bool) -> Result<()> {
    let mut command = Command::new(workspace::cargo());
    command.current_dir(&workspace.root).args(["fmt", "--all"]);
    if check {
        command.arg("--check");
    }
    process::run(&mut command)
}

/// Prints the bytes of the WASM modules in `web/pkg`, raw and as gzip (level 9) sends them.
///
/// # Errors
/// When a module has not been built, or is larger than its budget.
pub fn size(workspace: &Workspace) -> Result<()> {
    println!("{:<28} {:>12} {:>12}", "module", "raw", "gzip");
    for module in [&CPU, &GPU] {
        println!("{}", measured(workspace, module)?);
    }
    Ok(())
}

/// Checks one module against its budget, and says how large it is.
///
/// # Errors
/// Those of [`size`].
pub fn check_size(workspace: &Workspace, module: &Module) -> Result<Outcome> {
    Ok(Outcome::Done(vec![measured(workspace, module)?]))
}

/// The row of a module in the table of sizes.
fn measured(workspace: &Workspace, module: &Module) -> Result<String> {
    let code = module.code(workspace);
    let bytes = fs::read(&code).with_context(|| {
        format!(
            "{}: not built; run `cargo xtask build` first",
            code.display()
        )
    })?;
    let name = code.file_name().unwrap_or_default().to_string_lossy();
    let gzip = gzip(&bytes)?;
    within_budget(&name, gzip, module.most_gzip)?;
    Ok(format!("{name:<28} {:>12} {gzip:>12}", bytes.len()))
}

fn within_budget(name: &str, gzip: usize, most: usize) -> Result<()> {
    ensure!(
        gzip <= most,
        "{name}: {gzip} bytes after gzip, expected at most {most}; see what the last change brought in"
    );
    Ok(())
}

fn gzip(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    #[test]
    fn npm_scripts_with_the_prefix_are_benchmarks() {
        let manifest = r#"{"scripts":{"build":"x","bench:encode":"y","bench:scan":"z"}}"#;
        let mut names = npm_benches(manifest).unwrap();
        names.sort();
        assert_eq!(names, ["encode", "scan"]);
        assert!(npm_benches("{}").unwrap().is_empty());
        assert!(npm_benches("nothing").is_err());
    }

    #[test]
    fn module_above_its_budget_is_refused() {
        assert!(within_budget("almanac_cpu_bg.wasm", CPU.most_gzip, CPU.most_gzip).is_ok());
        let error = within_budget("almanac_cpu_bg.wasm", CPU.most_gzip + 1, CPU.most_gzip);
        assert!(error.unwrap_err().to_string().contains("1300001 bytes"));
    }

    #[test]
    fn gzip_size_shrinks_with_repetition() {
        assert!(gzip(&[0; 10_000]).unwrap() < 100);
    }
}
