//! `guildhall doctor report`: a file for a bug report.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use guild_api::wire::{Bundled, Nothing, WriteBundle};
use guild_model::Report;
use guild_text::number::grouped;

use crate::engine_client::EngineClient;
use crate::print_line;
use crate::terminal::{absolute, counted, is_json, print};

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Write this .tar.gz file, and replace an existing one [default: a new file in the current
    /// folder]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// List the contents, and write nothing
    #[arg(long, conflicts_with = "to")]
    list: bool,
}

/// Lists the contents of a bug report, and writes the report.
pub(super) async fn report(engine: &EngineClient, args: ReportArgs) -> Result<ExitCode, Report> {
    let preview = engine.preview_bundle(Nothing {}).await?;
    if args.list {
        print(&preview, || contents(&preview));
        return Ok(ExitCode::SUCCESS);
    }
    if !is_json() {
        print_line(&contents(&preview));
    }
    let path = args.to.as_deref();
    let path = absolute(path.unwrap_or(Path::new(&preview.suggested_name)));
    let written = engine.write_bundle(WriteBundle { path }).await?;
    print(&written, || {
        let path = written.path.as_deref().unwrap_or_default();
        format!("Written to {path}. Read through it before you send it.")
    });
    Ok(ExitCode::SUCCESS)
}

fn contents(bundled: &Bundled) -> String {
    let mut lines = vec!["In the report, without the values of secrets:".to_owned()];
    for file in &bundled.files {
        let masked = match file.masked {
            0 => String::new(),
            count => format!(", {} masked", counted(count, "place", "places")),
        };
        let bytes = grouped(file.bytes);
        lines.push(format!(
            "  {:<36} {bytes:>9} bytes  {}{masked}",
            file.name, file.what
        ));
    }
    let left_out = bundled.left_out.iter();
    lines.extend(left_out.map(|left_out| format!("Not in it: {left_out}")));
    lines.join("\n")
}
