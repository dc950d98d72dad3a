//! The project's programs that tests start, built with the dev profile.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::app;
use crate::mark::Mark;
use crate::program::Program;

#[derive(Debug, Clone)]
pub(crate) struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Builds the whole workspace, with the examples that tests start. Requires the built UI.
    pub(crate) fn all(mark: &Mark) -> Result<Self> {
        Self::build(mark, &["--workspace"])
    }

    /// Builds the command line, the fixture servers and the tests' examples.
    pub(crate) fn without_a_window(mark: &Mark) -> Result<Self> {
        Self::build(mark, &["--package=guild-cli", "--package=guild-tests"])
    }

    fn build(mark: &Mark, packages: &[&str]) -> Result<Self> {
        Program::cargo()
            .words("build --locked --bins --examples")
            .args(packages)
            .marked(mark)
            .limit(app::BUILD_LIMIT)
            .run()?;
        let target = app::target_folder()?;
        // The Rust sample of a member is a separate project, like for readers of the documentation.
        Program::cargo()
            .words("build --locked --manifest-path")
            .args([crate::root().join("docs/samples/rust/Cargo.toml")])
            .args(["--target-dir".into(), target.clone()])
            .marked(mark)
            .limit(app::BUILD_LIMIT)
            .run()?;
        Ok(Self {
            folder: target.join("debug"),
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn guildhall(&self) -> PathBuf {
        app::program_in(&self.folder, "guildhall")
    }

    pub(crate) fn fixture(&self) -> PathBuf {
        app::program_in(&self.folder, "fixture")
    }

    pub(crate) fn example(&self, name: &str) -> PathBuf {
        app::program_in(&self.folder.join("examples"), name)
    }
}
