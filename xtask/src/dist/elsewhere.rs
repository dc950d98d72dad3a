//! Bundles on macOS and Windows. Tauri's bundler makes them, with `guildhall` inside.

mod bundle;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;

use crate::app::{self, BuildProfile};
use crate::{setup, ui};

const FORMATS: &[&str] = match cfg!(windows) {
    true => &["msi", "nsis"],
    false => &["dmg"],
};

#[derive(Args)]
pub(crate) struct DistOptions {}

pub(crate) fn run(_: &DistOptions) -> Result<ExitCode> {
    setup::npm_packages()?;
    ui::build()?;
    let programs = app::build(&["guild-hall", "guild-cli"], BuildProfile::Release)?;
    let work = app::work_folder("guild-hall-dist-")?;
    bundle::build(FORMATS, &programs, work.path(), json!({}))?;
    println!("in {}", work.keep().join("release/bundle").display());
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn check(_: &Path, _: &mut dyn FnMut(&str)) -> Result<()> {
    bail!("packages are tried on Linux")
}
