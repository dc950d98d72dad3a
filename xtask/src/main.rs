//! The project's own commands: `cargo xtask run | test | bench | codegen`.

mod codegen;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Guild Hall's own commands")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Writes the files that follow from the contract.
    Codegen(Codegen),
}

#[derive(Args)]
struct Codegen {
    /// Writes nothing, and fails naming each file that differs.
    #[arg(long)]
    check: bool,
}

/// The root of the repository.
fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Codegen(Codegen { check: true }) => codegen::check(root()),
        Task::Codegen(Codegen { check: false }) => codegen::write(root()),
    }
}
