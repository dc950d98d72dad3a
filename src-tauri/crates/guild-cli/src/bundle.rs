//! `guildhall bundle`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use guild_core::Report;
use guild_core::number::grouped;
use guild_core::wire::{Bundled, Nothing, WriteBundle};
use serde_json::json;

use crate::interrupts::{Interrupts, interrupted};
use crate::print_line;
use crate::reach::Reach;
use crate::words;

/// Where the bundle goes.
#[derive(Debug, Args)]
pub(crate) struct BundleArgs {
    /// The file, `.tar.gz`; one that is there is replaced [default: a new one in this folder].
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Say what would be in it, and write nothing.
    #[arg(long, conflicts_with = "to")]
    list: bool,
}

/// Says what is in a bundle for a bug report, and writes it.
pub(crate) async fn bundle(
    reach: &Reach,
    args: BundleArgs,
    json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let bundling = async {
        let preview = reach.preview_bundle(Nothing {}).await?;
        if args.list {
            return Ok(preview);
        }
        if !json {
            print(&preview);
        }
        let path = args.to.unwrap_or_else(|| preview.suggested_name.into());
        // The hall that runs may stand in another folder.
        let path = std::path::absolute(&path).unwrap_or(path);
        let path = path.to_string_lossy().into_owned();
        reach.write_bundle(WriteBundle { path }).await
    };
    let bundled: Bundled = tokio::select! {
        bundled = bundling => bundled?,
        () = interrupts.next() => return Err(interrupted()),
    };
    match &bundled.path {
        _ if json => drop(print_line(&json!(bundled).to_string())),
        None => print(&bundled),
        Some(path) => drop(print_line(&format!(
            "Written to {path}. Look through it before you send it to anybody."
        ))),
    }
    Ok(ExitCode::SUCCESS)
}

fn print(bundled: &Bundled) {
    print_line("In the bundle, without the values of secrets:");
    for file in &bundled.files {
        let masked = match file.masked {
            0 => String::new(),
            count => format!(", {}", words::care::masked(count)),
        };
        print_line(&format!(
            "  {:<36} {:>9} bytes  {}{masked}",
            file.name,
            grouped(file.bytes),
            file.what
        ));
    }
    for left_out in &bundled.left_out {
        print_line(&format!("Not in it: {left_out}"));
    }
}
