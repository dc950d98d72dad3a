//! What all packages say alike.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::app::Profile;
use crate::program::Program;

/// Who stands for the packages.
pub(crate) const MAINTAINER: &str = "The Guild Hall contributors";
/// One line of what it is.
pub(crate) const SUMMARY: &str = "Run, show, try and serve MCP servers";
/// What the packages say at length, in lines.
pub(crate) const DESCRIPTION: &[&str] = &[
    "Guild Hall runs MCP servers, shows their tools, and lets each tool be called",
    "from a form that is made out of its input schema. Agents get all of them from",
    "one address. The same engine works without a window as `guildhall`.",
];
/// What is found out once.
pub(crate) struct Facts {
    pub(crate) version: String,
    /// The sources that the programs were built of.
    pub(crate) sources: PathBuf,
    /// When the source was written, in seconds of Unix: every file of a package is of then.
    pub(crate) epoch: u64,
    /// Whether packing may take its time to make the package small.
    pub(crate) small: bool,
}

impl Facts {
    /// The version, and `SOURCE_DATE_EPOCH` or the time of the last commit.
    pub(crate) fn gather(profile: Profile) -> Result<Self> {
        let epoch = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(epoch) => epoch,
            Err(_) => Program::new("git")
                .args(["log", "-1", "--format=%ct"])
                .text()
                .context("the time of the source\nhint: set SOURCE_DATE_EPOCH")?,
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sources: crate::root().to_owned(),
            epoch: epoch
                .trim()
                .parse()
                .context("SOURCE_DATE_EPOCH is no number")?,
            small: profile == Profile::Release,
        })
    }

    /// The time of the source as `2026-01-02T03:04:05Z`.
    pub(crate) fn time(&self) -> Result<String> {
        let text = Program::new("date")
            .args([
                "--utc",
                "--date",
                &format!("@{}", self.epoch),
                "+%Y-%m-%dT%H:%M:%SZ",
            ])
            .text()?;
        Ok(text.trim().to_owned())
    }

    /// Has a program date what it writes by the source.
    pub(crate) fn date(&self, program: Program) -> Program {
        program
            .env("SOURCE_DATE_EPOCH", self.epoch.to_string())
            .env("LC_ALL", "C")
    }
}

/// The triple of the system that this runs on.
pub(crate) fn host() -> Result<String> {
    let said = Program::new("rustc").args(["-vV"]).text()?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

/// All files and links under a folder, in one order, by their paths from there.
pub(crate) fn files_under(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        let entries = fs::read_dir(&next).with_context(|| format!("reading {}", next.display()))?;
        for entry in entries {
            let path = entry
                .with_context(|| format!("reading {}", next.display()))?
                .path();
            if path.is_dir() && !path.is_symlink() {
                waiting.push(path);
            } else {
                let below = path
                    .strip_prefix(folder)
                    .context("a file outside its folder")?;
                found.push(
                    below
                        .to_str()
                        .context("a name that is not UTF-8")?
                        .to_owned(),
                );
            }
        }
    }
    found.sort();
    Ok(found)
}
