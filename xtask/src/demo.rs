//! `cargo xtask demo`: from a bare machine to a served page.

use std::path::PathBuf;

use anyhow::Result;

use crate::modules::{CPU, GPU};
use crate::native::{self, Collection, Model};
use crate::plan::{Outcome, Plan};
use crate::setup::{model, node, wasm_std};
use crate::site;
use crate::workspace::Workspace;

/// What to build.
#[derive(Debug)]
pub struct Options {
    /// A collection file, or the name of a folder of `collections/`.
    pub collection: String,
    /// A Hugging Face directory, or the folder of an imported model, to take the model from; else the
    /// one beside the collection, else the demo's.
    pub model: Option<PathBuf>,
    /// Whether to build the module for the GPU.
    pub gpu: bool,
}

/// Builds `dist/` with everything in it.
///
/// # Errors
/// The first step's that fails.
pub fn build(workspace: &Workspace, options: &Options, name: &str) -> Result<()> {
    let collection = Collection::find(workspace, &options.collection)?;
    let given = options.model.clone().or_else(|| collection.model());
    let model = Model::new(workspace, given.as_deref())?;
    let toolchain = wasm_std::Toolchain::locate(None)?;
    let mut plan = Plan::default();
    plan.step("crates", None, || native::check_crates(workspace));
    plan.step(wasm_std::TITLE, wasm_std::cost(&toolchain), || {
        wasm_std::ensure(&toolchain, workspace.offline)
    });
    plan.step(node::TITLE, node::cost(workspace), || {
        node::ensure(workspace)
    });
    plan.step(
        model::TITLE,
        model::cost(workspace, given.as_deref()),
        || match model.is_ready() {
            true => Ok(Outcome::Unchanged),
            false => model::ensure(workspace, given.as_deref()),
        },
    );
    plan.step("native programs", native::build_cost(workspace), || {
        native::build(workspace)
    });
    plan.step("import of the model", model.cost(), || {
        model.import(workspace)
    });
    plan.step("index", collection.cost(workspace, &model), || {
        collection.build_index(workspace, &model)
    });
    module_steps(&mut plan, workspace, options.gpu);
    plan.step("page", site::cost(workspace), || {
        site::build_page(workspace)
    });
    plan.step("site", None, || {
        let index = collection.index(workspace, &model);
        site::lay_out(workspace, &model.folder, &index)
    });
    plan.announce(name, workspace.offline);
    plan.run(name)
}

/// Builds the WASM modules alone.
///
/// # Errors
/// The first step's that fails.
pub fn modules(workspace: &Workspace, gpu: bool) -> Result<()> {
    let toolchain = wasm_std::Toolchain::locate(None)?;
    let mut plan = Plan::default();
    plan.step(wasm_std::TITLE, wasm_std::cost(&toolchain), || {
        wasm_std::ensure(&toolchain, workspace.offline)
    });
    plan.step(node::TITLE, node::cost(workspace), || {
        node::ensure(workspace)
    });
    module_steps(&mut plan, workspace, gpu);
    plan.announce("wasm", workspace.offline);
    plan.run("wasm")
}

fn module_steps<'a>(plan: &mut Plan<'a>, workspace: &'a Workspace, gpu: bool) {
    plan.step(CPU.title(), CPU.cost(workspace), || CPU.build(workspace));
    if gpu {
        plan.step(GPU.title(), GPU.cost(workspace), || GPU.build(workspace));
    } else {
        plan.step(GPU.title(), None, || GPU.leave_out(workspace));
    }
}
