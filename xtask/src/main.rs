//! The repository's chores. `cargo xtask demo` shows the search in a browser, `cargo xtask test`
//! proves it; the rest are the steps of these two, one at a time.

mod bundle;
mod checks;
mod chores;
mod dates;
mod demo;
mod hash;
mod modules;
mod native;
mod plan;
mod process;
mod ranking;
mod serve;
mod setup;
mod site;
mod stamp;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, about)]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Set up this machine, build everything, index a collection and serve the page on localhost
    Demo {
        #[command(flatten)]
        site: SiteArgs,
        #[command(flatten)]
        serve: PortArg,
        /// Build `dist/` and stop
        #[arg(long)]
        no_serve: bool,
    },
    /// Run every check: format, lints, unit, document and browser tests
    Test {
        #[command(flatten)]
        network: NetworkArg,
        /// Leave out the WebGPU module and the browser suite
        #[arg(long)]
        fast: bool,
    },
    /// Fetch what the build needs and this machine lacks
    Setup {
        #[command(flatten)]
        network: NetworkArg,
        /// Also see to a Chromium for the browser suite
        #[arg(long)]
        chromium: bool,
        /// Take the model from this Hugging Face directory
        #[arg(long, value_name = "DIR")]
        model: Option<PathBuf>,
        /// Build the wasm32 standard library from source even if it is installed
        #[arg(long)]
        wasm_std_from_source: bool,
        /// With `--wasm-std-from-source`: do not ask rustup for the source
        #[arg(long, requires = "wasm_std_from_source")]
        no_rustup: bool,
        /// The toolchain to complete, instead of the active one
        #[arg(long, value_name = "DIR")]
        sysroot: Option<PathBuf>,
    },
    /// Build `dist/` without serving it
    Build {
        #[command(flatten)]
        site: SiteArgs,
    },
    /// Put the whole site into one folder that any static server can serve, as from a USB stick
    Bundle {
        #[command(flatten)]
        site: SiteArgs,
        /// The folder to make
        #[arg(long, value_name = "DIR", default_value = bundle::DEFAULT_FOLDER)]
        out: PathBuf,
        /// Also pack it into a zip file beside it
        #[arg(long)]
        zip: bool,
        /// Take this finished site instead of building one
        #[arg(long = "site", value_name = "DIR", conflicts_with_all = ["collection", "model"])]
        finished: Option<PathBuf>,
    },
    /// Build the WASM modules into `web/pkg/` and nothing else
    Wasm {
        #[command(flatten)]
        network: NetworkArg,
        /// Leave out the WebGPU module, which takes the longest to compile
        #[arg(long)]
        no_gpu_module: bool,
    },
    /// Serve a folder of static files on localhost
    Serve {
        /// The folder
        #[arg(default_value = "dist")]
        dir: PathBuf,
        #[command(flatten)]
        serve: PortArg,
        /// Serve below this path, as a project page does
        #[arg(long, value_name = "PATH", default_value = "/")]
        base: String,
    },
    /// Run one benchmark
    Bench {
        /// Its name; without one, the names are listed
        name: Option<String>,
        /// Arguments for the benchmark itself
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Format the Rust code
    Fmt {
        /// Only check it
        #[arg(long)]
        check: bool,
    },
    /// Run the lints of Rust and of the web code
    Lint {
        #[command(flatten)]
        network: NetworkArg,
    },
    /// Print the size of the WASM modules, raw and gzipped
    Size,
}

#[derive(Args)]
struct NetworkArg {
    /// Use no network: everything must be on this machine already
    #[arg(long)]
    offline: bool,
}

#[derive(Args)]
struct PortArg {
    /// The port to serve on; the next free one if it is taken
    #[arg(long, default_value_t = serve::DEFAULT_PORT)]
    port: u16,
}

#[derive(Args)]
struct SiteArgs {
    #[command(flatten)]
    network: NetworkArg,
    /// A collection file, or the name of a folder of `collections/`
    #[arg(long, value_name = "FILE|NAME", default_value = native::DEMO_COLLECTION)]
    collection: String,
    /// Take the model from this Hugging Face directory
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// Build the WebGPU module (the default)
    #[arg(long, overrides_with = "no_gpu_module")]
    gpu_module: bool,
    /// Leave out the WebGPU module, which takes the longest to compile
    #[arg(long)]
    no_gpu_module: bool,
}

impl SiteArgs {
    fn options(&self) -> demo::Options {
        demo::Options {
            collection: self.collection.clone(),
            model: self.model.clone(),
            gpu: !self.no_gpu_module || self.gpu_module,
        }
    }
}

fn main() -> ExitCode {
    match run(Cli::parse().chore) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", one_line(&error));
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<()> {
    match chore {
        Chore::Demo {
            site,
            serve,
            no_serve,
        } => {
            let workspace = Workspace::open(site.network.offline)?;
            demo::build(&workspace, &site.options(), "demo")?;
            if no_serve {
                return Ok(());
            }
            serve::run(&workspace.dist(), serve.port, "/")
        }
        Chore::Test { network, fast } => checks::run(&Workspace::open(network.offline)?, fast),
        Chore::Setup {
            network,
            chromium,
            model,
            wasm_std_from_source,
            no_rustup,
            sysroot,
        } => {
            let workspace = Workspace::open(network.offline)?;
            setup::run(
                &workspace,
                &setup::Options {
                    chromium,
                    model,
                    wasm_std_from_source,
                    no_rustup,
                    sysroot,
                },
            )
        }
        Chore::Build { site } => {
            let workspace = Workspace::open(site.network.offline)?;
            demo::build(&workspace, &site.options(), "build")
        }
        Chore::Bundle {
            site,
            out,
            zip,
            finished,
        } => {
            let built = match finished {
                Some(folder) => folder,
                None => {
                    let workspace = Workspace::open(site.network.offline)?;
                    demo::build(&workspace, &site.options(), "bundle")?;
                    workspace.dist()
                }
            };
            for made in bundle::pack(&built, &out, zip)? {
                println!("{}", made.display());
            }
            Ok(())
        }
        Chore::Wasm {
            network,
            no_gpu_module,
        } => demo::modules(&Workspace::open(network.offline)?, !no_gpu_module),
        Chore::Serve { dir, serve, base } => serve::run(&dir, serve.port, &base),
        Chore::Bench { name, args } => {
            chores::bench(&Workspace::open(false)?, name.as_deref(), &args)
        }
        Chore::Fmt { check } => chores::fmt(&Workspace::open(true)?, check),
        Chore::Lint { network } => checks::lint(&Workspace::open(network.offline)?),
        Chore::Size => chores::size(&Workspace::open(true)?),
    }
}

/// Joins an error and its causes into the single line that every command of this project prints.
fn one_line(error: &anyhow::Error) -> String {
    format!("{error:#}")
        .split(['\n', '\r'])
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn error_of_many_lines_is_printed_on_one() {
        let error = anyhow::anyhow!("first\n  second\n\n").context("outer");
        assert_eq!(one_line(&error), "outer: first; second");
    }
}
