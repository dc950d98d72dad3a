//! Bundles on macOS and Windows. Tauri's bundler makes them, with `guildhall` inside.

mod bundle;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use fs_err as fs;
use serde_json::json;

use crate::app::{self, BuildProfile};
use crate::{setup, ui};

/// The names of the formats for the bundler, and the endings of their files.
const FORMATS: &[(&str, &str)] = match cfg!(windows) {
    true => &[("msi", "msi"), ("nsis", "exe")],
    false => &[("dmg", "dmg")],
};

#[derive(Args)]
pub(crate) struct DistOptions {
    /// The folder for the packages [default: dist in cargo's target folder].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(options: &DistOptions) -> Result<ExitCode> {
    setup::npm_packages()?;
    ui::build()?;
    let programs = app::build(&["guild-hall", "guild-cli"], BuildProfile::Release)?;
    let work = app::work_folder("guild-hall-dist-")?;
    let formats: Vec<&str> = FORMATS.iter().map(|(format, _)| *format).collect();
    let bundles = bundle::build(&formats, &programs, work.path(), json!({}))?;
    let out = match &options.out {
        Some(out) => std::path::absolute(out).context("the folder for the packages")?,
        None => app::target_folder()?.join("dist"),
    };
    fs::create_dir_all(&out)?;
    for (format, ending) in FORMATS {
        for entry in fs::read_dir(bundles.join(format))? {
            let file = entry?.path();
            if file.extension().is_some_and(|found| found == *ending) {
                // GitHub replaces spaces in the names of a release's files.
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                fs::copy(&file, out.join(name.replace(' ', "_")))?;
            }
        }
    }
    println!("in {}", out.display());
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn check(_: &Path, _: &mut dyn FnMut(&str)) -> Result<()> {
    bail!("packages are tried on Linux")
}
