//! `cargo xtask test`: every check of the project, in the order that finds faults soonest and
//! compiles each thing once.

use std::process::Command;

use anyhow::{Context, Result};

use crate::chores;
use crate::modules::{CPU, GPU};
use crate::native::{self, Model};
use crate::plan::{Outcome, Plan, done};
use crate::process;
use crate::setup::{chromium, model, node, wasm_std};
use crate::workspace::{WASM_TARGET, Workspace};

/// Runs all checks; `fast` leaves out the module for the GPU and the browser suite.
///
/// # Errors
/// The first check's that fails.
pub fn run(workspace: &Workspace, fast: bool) -> Result<()> {
    let toolchain = wasm_std::Toolchain::locate(None)?;
    let imported = Model::new(workspace, None)?;
    let mut plan = Plan::default();
    plan.step("crates", None, || native::check_crates(workspace));
    plan.step("rustfmt", None, || format(workspace));
    plan.step("cargo-deny", None, || deny(workspace));
    plan.step(wasm_std::TITLE, wasm_std::cost(&toolchain), || {
        wasm_std::ensure(&toolchain, workspace.offline)
    });
    plan.step(node::TITLE, node::cost(workspace), || {
        node::ensure(workspace)
    });
    plan.step(model::TITLE, model::cost(workspace, None), || {
        model::ensure(workspace, None)
    });
    if !fast {
        plan.step(chromium::TITLE, chromium::cost(), || {
            chromium::ensure(workspace.offline)
        });
    }
    plan.step("types and lints of the web code", None, || {
        npm_script(workspace, "check")
    });
    plan.step("unit tests of the web code", None, || {
        npm_script(workspace, "test")
    });
    plan.step("clippy", None, || clippy(workspace));
    plan.step("clippy for wasm32", None, || clippy_wasm(workspace));
    plan.step("native programs", native::build_cost(workspace), || {
        native::build(workspace)
    });
    plan.step("import of the model", imported.cost(), || {
        imported.import(workspace)
    });
    plan.step("Rust tests", None, || rust_tests(workspace, &imported));
    plan.step(CPU.title(), CPU.cost(workspace), || CPU.build(workspace));
    plan.step("size of the module for the CPU", None, || {
        chores::check_size(workspace, &CPU)
    });
    if fast {
        for title in [GPU.title(), "browser suite".into()] {
            plan.step(title, None, || Ok(Outcome::Skipped("--fast".into())));
        }
    } else {
        plan.step(GPU.title(), GPU.cost(workspace), || GPU.build(workspace));
        plan.step("size of the module for the GPU", None, || {
            chores::check_size(workspace, &GPU)
        });
        plan.step("browser suite", None, || {
            browser_suite(workspace, &imported)
        });
    }
    plan.announce("test", workspace.offline);
    plan.run("test")
}

/// Runs the lints alone.
///
/// # Errors
/// The first lint's that fails.
pub fn lint(workspace: &Workspace) -> Result<()> {
    let toolchain = wasm_std::Toolchain::locate(None)?;
    let mut plan = Plan::default();
    plan.step("rustfmt", None, || format(workspace));
    plan.step("cargo-deny", None, || deny(workspace));
    plan.step(wasm_std::TITLE, wasm_std::cost(&toolchain), || {
        wasm_std::ensure(&toolchain, workspace.offline)
    });
    plan.step("clippy", None, || clippy(workspace));
    plan.step("clippy for wasm32", None, || clippy_wasm(workspace));
    plan.step(node::TITLE, node::cost(workspace), || {
        node::ensure(workspace)
    });
    plan.step("types and lints of the web code", None, || {
        npm_script(workspace, "check")
    });
    plan.run("lint")
}

fn format(workspace: &Workspace) -> Result<Outcome> {
    process::run(
        Command::new(crate::workspace::cargo())
            .current_dir(&workspace.root)
            .args(["fmt", "--all", "--check"]),
    )?;
    Ok(done())
}

/// Licences, bans and sources; advisories need a database from the network and are left to people.
fn deny(workspace: &Workspace) -> Result<Outcome> {
    if process::find_program("cargo-deny").is_none() {
        return Ok(Outcome::Skipped("cargo-deny is not installed".into()));
    }
    let mut command = Command::new("cargo-deny");
    command
        .current_dir(&workspace.root)
        .args(["--locked", "--all-features", "--workspace"]);
    if workspace.offline {
        command.arg("--offline");
    }
    process::run(command.args(["check", "licenses", "bans", "sources"]))?;
    Ok(done())
}

/// Arguments that choose the packages of one run of cargo. This tool goes apart from the rest:
/// together, its dependencies' features would have the encoder compiled a second time.
const PACKAGES: [&[&str]; 2] = [
    &["--workspace", "--exclude", "xtask"],
    &["--package", "xtask"],
];

fn clippy(workspace: &Workspace) -> Result<Outcome> {
    for packages in PACKAGES {
        process::run(
            workspace
                .cargo("clippy")?
                .args(["--release", "--all-targets"])
                .args(packages)
                .args(["--", "-D", "warnings"]),
        )?;
    }
    Ok(done())
}

/// The code behind `cfg(target_arch = "wasm32")` is seen by this one alone.
fn clippy_wasm(workspace: &Workspace) -> Result<Outcome> {
    for module in [&CPU, &GPU] {
        process::run(
            workspace
                .cargo("clippy")?
                .args(["--release", "--package", "almanac", "--lib"])
                .args(["--target", WASM_TARGET])
                .args(["--no-default-features", "--features", module.features])
                .args(["--", "-D", "warnings"]),
        )?;
    }
    Ok(done())
}

/// Unit, integration and document tests.
fn rust_tests(workspace: &Workspace, model: &Model) -> Result<Outcome> {
    let mut output = String::new();
    for packages in PACKAGES {
        output += &process::tee(
            workspace
                .cargo("test")?
                .arg("--release")
                .args(packages)
                .env("ALMANAC_MODEL", &model.folder)
                .env("ALMANAC_MODEL_SOURCE", model.source())
                .env("ALMANAC_CACHE", &workspace.cache),
        )?;
    }
    Ok(Outcome::Done(vec![cargo_summary(&output)]))
}

fn npm_script(workspace: &Workspace, script: &str) -> Result<Outcome> {
    let output = process::tee(node::npm(&workspace.web()).args(["run", "--silent", script]))?;
    Ok(Outcome::Done(js_summary(&output)))
}

fn browser_suite(workspace: &Workspace, model: &Model) -> Result<Outcome> {
    let browser = chromium::find().context("no Chromium")?;
    let output = process::tee(
        node::npm(&workspace.web())
            .args(["run", "--silent", "e2e"])
            .env(chromium::VARIABLE, browser)
            .env("ALMANAC_BIN", workspace.programs())
            .env("ALMANAC_MODEL", &model.folder)
            .env("ALMANAC_CACHE", &workspace.cache),
    )?;
    Ok(Outcome::Done(js_summary(&output)))
}

/// Sums the `test result:` lines of `cargo test`.
fn cargo_summary(output: &str) -> String {
    let (mut passed, mut ignored, mut binaries) = (0_u64, 0_u64, 0_u64);
    for line in output.lines() {
        let Some(counts) = line.trim().strip_prefix("test result: ok. ") else {
            continue;
        };
        binaries += 1;
        for count in counts.split(';') {
            let mut words = count.split_whitespace();
            let number = words.next().and_then(|word| word.parse::<u64>().ok());
            match (number, words.next()) {
                (Some(number), Some("passed")) => passed += number,
                (Some(number), Some("ignored")) => ignored += number,
                _ => {}
            }
        }
    }
    format!("{passed} passed, {ignored} ignored, in {binaries} test binaries")
}

/// The lines in which a JavaScript runner counts its tests.
fn js_summary(output: &str) -> Vec<String> {
    output
        .lines()
        .map(without_colors)
        .map(|line| line.trim().to_owned())
        .filter(|line| {
            let mut words = line.split_whitespace();
            let first = words.next().unwrap_or_default();
            let second = words.next().unwrap_or_default();
            let counts = first.parse::<u64>().is_ok()
                && matches!(second, "passed" | "failed" | "skipped" | "flaky");
            counts || (first == "Tests" && line.contains("passed"))
        })
        .collect()
}

/// The text without terminal color codes.
fn without_colors(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_all_test_binaries_are_summed() {
        let output = "running 2 tests\n\
            test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s\n\
            test result: ok. 40 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 3s\n";
        assert_eq!(
            cargo_summary(output),
            "42 passed, 1 ignored, in 2 test binaries"
        );
    }

    #[test]
    fn counts_of_javascript_runners_are_found_through_colors() {
        let output = " Test Files  3 passed (3)\n\u{1b}[2m      Tests \u{1b}[22m \u{1b}[32m21 passed\u{1b}[39m (21)\n\
            Running 9 tests using 1 worker\n  9 passed (1.2m)\n";
        assert_eq!(
            js_summary(output),
            ["Tests  21 passed (21)", "9 passed (1.2m)"]
        );
    }
}
