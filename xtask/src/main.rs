//! The project's own commands: `cargo xtask run | dev | test | dist | channels | chaos | bench |
//! soak | screenshots | codegen | prose`.

mod animation;
mod app;
mod bench;
mod busy;
mod channels;
mod chaos;
mod codegen;
mod dev;
mod display;
#[cfg(target_os = "linux")]
mod dist;
#[cfg(not(target_os = "linux"))]
#[path = "dist/elsewhere.rs"]
mod dist;
mod folder;
mod mark;
mod program;
mod programs;
mod prose;
#[cfg(target_os = "linux")]
mod publish;
mod run;
mod screenshots;
mod serving;
mod setup;
mod soak;
mod test;
mod ui;
mod usage;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Guild Hall's own commands")]
struct XtaskCli {
    #[command(subcommand)]
    task: XtaskCommand,
}

#[derive(Subcommand)]
enum XtaskCommand {
    /// Installs what is missing, builds the app, and opens it.
    Run(run::RunOptions),
    /// Opens the app with hot reload, and rebuilds it when its Rust sources change.
    Dev(dev::DevOptions),
    /// Runs all checks and tests, without opening a window on the screen.
    Test(test::TestOptions),
    /// Builds for release and makes packages to install, with licences and a bill of materials.
    Dist(dist::DistOptions),
    /// Fills the files for Homebrew, winget and the AUR from the files of a release.
    Channels(channels::ChannelOptions),
    /// Runs failing members, kills the program repeatedly, and checks for lost data and leftover
    /// processes.
    Chaos(chaos::ChaosOptions),
    /// Measures the start, memory, calls through the gateway, and the time from a key press to its
    /// paint.
    Bench(bench::BenchOptions),
    /// Keeps the app open while tools are called, and fails if its memory, threads or files grow.
    Soak(soak::SoakOptions),
    /// Takes a picture of each screen for the docs, dark and light.
    Screenshots(screenshots::ScreenshotOptions),
    /// Writes the files that are generated from the API contract.
    Codegen(Codegen),
    /// Counts banned habits of writing in comments, documents and interface text.
    Prose(prose::ProseOptions),
}

#[derive(Args)]
struct Codegen {
    /// Writes no files. Fails if files differ, and names them.
    #[arg(long)]
    check: bool,
}

fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

fn main() -> ExitCode {
    match perform(&XtaskCli::parse().task) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform(task: &XtaskCommand) -> Result<ExitCode> {
    match task {
        XtaskCommand::Run(options) => run::run(options),
        XtaskCommand::Dev(options) => dev::run(options),
        XtaskCommand::Test(options) => test::run(options),
        XtaskCommand::Dist(options) => dist::run(options),
        XtaskCommand::Channels(options) => channels::run(options),
        XtaskCommand::Chaos(options) => chaos::run(options),
        XtaskCommand::Bench(options) => bench::run(options),
        XtaskCommand::Soak(options) => soak::run(options),
        XtaskCommand::Screenshots(options) => screenshots::run(options),
        XtaskCommand::Codegen(Codegen { check: true }) => {
            codegen::check(root()).map(|()| ExitCode::SUCCESS)
        }
        XtaskCommand::Codegen(Codegen { check: false }) => {
            codegen::write(root()).map(|()| ExitCode::SUCCESS)
        }
        XtaskCommand::Prose(options) => prose::run(options),
    }
}
