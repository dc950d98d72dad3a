//! Tries the `.rpm` in an empty folder, as far as possible without a system that uses rpm.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use crate::program::Program;

/// The folder of rpm's database.
const DATABASE: &str = "rpm-database";
const NAME: &str = "guild-hall";

/// Installs the package, verifies the installed files with rpm, and removes it.
pub(crate) fn try_out(package: &Path) -> Result<()> {
    let work = crate::app::work_folder(super::WORK)?;
    let root = work.path().join("root");
    fs::create_dir(&root).context("an empty folder")?;
    let rpm = |words: &[&str]| {
        Program::new("rpm")
            .args(["--root".as_ref(), root.as_os_str()])
            .args(["--dbpath", &format!("/{DATABASE}")])
            .args(words)
            // Debian's rpm prints a warning each time.
            .quiet()
    };
    let file = package.to_str().context("a path that is not UTF-8")?;
    let says = |words: &[&str]| Program::new("rpm").args(words).args([file]).text();
    let scripts = says(&["-qp", "--scripts", "--triggers", "--filetriggers"])?;
    ensure!(
        scripts.trim().is_empty(),
        "something is run when it is installed:\n{scripts}"
    );

    rpm(&["--install", "--nodeps", file]).run()?;
    let packed = says(&["-qpl"])?;
    let packed: BTreeSet<&str> = packed.lines().collect();
    let there = files(&root)?;
    for path in &there {
        ensure!(packed.contains(path.as_str()), "{path} was not packed");
    }
    let missing = packed
        .iter()
        .find(|path| !root.join(path.trim_start_matches('/')).exists());
    ensure!(missing.is_none(), "{missing:?} was packed and is not there");
    // The database has no packages, so dependencies are not checked.
    let changed = rpm(&["--verify", "--nodeps", NAME]).text()?;
    ensure!(
        changed.trim().is_empty(),
        "installed files are not as packed:\n{changed}"
    );

    rpm(&["--erase", "--nodeps", NAME]).run()?;
    let left = files(&root)?;
    ensure!(left.is_empty(), "these are left: {left:?}");
    // Folders that the package shares with other packages may remain.
    let own = packed
        .iter()
        .find(|path| root.join(path.trim_start_matches('/')).exists());
    ensure!(own.is_none(), "{own:?} is left");
    println!(
        "installed into an empty folder: {} files as packed; removed: none is left",
        there.len()
    );
    Ok(())
}

/// Returns the relative paths of all files below a folder, except those of the database.
fn files(root: &Path) -> Result<BTreeSet<String>> {
    let said = Program::new("find")
        .args([root])
        .words("-mindepth 1 -path")
        .args([root.join(DATABASE)])
        .args(["-prune", "-o", "-not", "-type", "d", "-printf", "/%P\\n"])
        .text()?;
    Ok(said.lines().map(str::to_owned).collect())
}
