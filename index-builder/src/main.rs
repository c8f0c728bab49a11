//! `almanac-index`: from a collection to a folder of static files that a browser can search.
//!
//! Rows become objects (`collection`), objects become passages (`passages`), passages become
//! vectors (`embed`), the whole is measured (`calibrate`) and published by the library's
//! `IndexWriter`. Books that are running text become rows first (`books`).

mod books;
mod calibrate;
mod cluster;
mod collection;
mod commands;
mod dating;
mod embed;
mod parallel;
mod passages;
mod progress;
mod random;
mod script;
mod size;
mod stamp;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Turns a collection into a folder of static files that a browser can search
#[derive(Parser, Debug)]
#[command(name = "almanac-index", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Build(Box<commands::build::Args>),
    Search(commands::search::Args),
    Inspect(commands::inspect::Args),
    Validate(commands::validate::Args),
    Prune(commands::prune::Args),
    Dates(commands::dates::Args),
    Books(commands::books::Args),
    #[command(hide = true)]
    Tokens(commands::tokens::Args),
    #[command(hide = true)]
    Encode(commands::encode::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Build(args) => commands::build::run(&args),
        Command::Search(args) => commands::search::run(&args),
        Command::Inspect(args) => commands::inspect::run(&args),
        Command::Validate(args) => commands::validate::run(&args),
        Command::Prune(args) => commands::prune::run(&args),
        Command::Dates(args) => commands::dates::run(args),
        Command::Books(args) => commands::books::run(&args),
        Command::Tokens(args) => commands::tokens::run(&args),
        Command::Encode(args) => commands::encode::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let line = format!("{error:#}").replace(['\n', '\r'], " ");
            eprintln!("error: {line}");
            ExitCode::FAILURE
        }
    }
}
