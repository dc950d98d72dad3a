//! The version and the time of the source, which all packages share.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::app::BuildProfile;
use crate::program::Program;

/// The version, the sources and their time.
pub(crate) struct Facts {
    pub(crate) version: String,
    /// The folder of the programs' sources.
    pub(crate) sources: PathBuf,
    /// The time of the source in Unix seconds. All files of packages get this time.
    pub(crate) epoch: u64,
    /// The address of the repository, for the metadata of the packages.
    pub(crate) repository: Option<String>,
    /// Whether to compress packages as well as possible, which takes minutes.
    pub(crate) small: bool,
}

impl Facts {
    /// Reads the version, and the time from `SOURCE_DATE_EPOCH` or the last commit.
    pub(crate) fn gather(profile: BuildProfile) -> Result<Self> {
        let epoch = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(epoch) => epoch,
            Err(_) => Program::new("git")
                .words("log -1 --format=%ct")
                .text()
                .context("the time of the source\nhint: set SOURCE_DATE_EPOCH")?,
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sources: crate::root().to_owned(),
            epoch: epoch
                .trim()
                .parse()
                .context("SOURCE_DATE_EPOCH is not a number")?,
            repository: None,
            small: profile == BuildProfile::Release,
        })
    }

    /// Formats the time of the source as `2026-01-02T03:04:05Z`.
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

    /// Makes a program use the time of the source for the files that it writes.
    pub(crate) fn date(&self, program: Program) -> Program {
        program
            .env("SOURCE_DATE_EPOCH", self.epoch.to_string())
            .env("LC_ALL", "C")
    }
}
