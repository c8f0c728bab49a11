//! What a machine must have before anything is built, and how it is fetched where it is missing.

pub mod chromium;
mod debian;
pub mod model;
pub mod node;
pub mod wasm_std;

use std::path::PathBuf;

use anyhow::Result;

use crate::plan::Plan;
use crate::workspace::Workspace;

/// What `cargo xtask setup` was asked for.
#[derive(Debug, Default)]
pub struct Options {
    /// See to a Chromium too.
    pub chromium: bool,
    /// A Hugging Face directory to take the model from.
    pub model: Option<PathBuf>,
    /// Build the wasm32 standard library although it may be installed.
    pub wasm_std_from_source: bool,
    /// Do not ask rustup for the standard library's source.
    pub no_rustup: bool,
    /// The toolchain to complete, instead of the active one.
    pub sysroot: Option<PathBuf>,
}

/// Runs the whole set-up.
///
/// # Errors
/// The first thing that is missing and cannot be fetched.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let mut plan = Plan::default();
    let toolchain = wasm_std::Toolchain::locate(options.sysroot.as_deref())?;
    if options.wasm_std_from_source {
        let from_rustup = !options.no_rustup && options.sysroot.is_none();
        plan.step(
            wasm_std::TITLE,
            Some(wasm_std::COST_FROM_SOURCE),
            move || wasm_std::build_from_source(&toolchain, workspace.offline, from_rustup),
        );
    } else {
        plan.step(wasm_std::TITLE, wasm_std::cost(&toolchain), move || {
            wasm_std::ensure(&toolchain, workspace.offline)
        });
    }
    plan.step(node::TITLE, node::cost(workspace), || {
        node::ensure(workspace)
    });
    plan.step(
        model::TITLE,
        model::cost(workspace, options.model.as_deref()),
        || model::ensure(workspace, options.model.as_deref()),
    );
    if options.chromium {
        plan.step(chromium::TITLE, chromium::cost(), || {
            chromium::ensure(workspace.offline)
        });
    }
    plan.announce("setup", workspace.offline);
    plan.run("setup")
}
