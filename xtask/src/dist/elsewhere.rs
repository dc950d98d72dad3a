//! Packages where none can be made.

use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;

use crate::Finished;

#[derive(Args)]
pub(crate) struct Options {}

pub(crate) fn run(_: &Options) -> Result<Finished> {
    bail!("these packages are made on Linux; `tauri build` makes those of macOS and Windows there")
}

pub(crate) fn check(_: &Path) -> Result<()> {
    bail!("packages are tried on Linux")
}
