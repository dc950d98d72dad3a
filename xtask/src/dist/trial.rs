//! The packages as their users meet them: in a clean Debian, used, and removed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::libraries::PACKAGES_OF_THE_SYSTEM;
use super::root::{HOME, Root};
use crate::app::{self, Window};
use crate::display::Display;
use crate::program::Program;

/// How long the window may take on a slow machine with other things to do.
const READY_LIMIT: Duration = Duration::from_secs(180);
/// What a tool of one of the samples is called with.
const ARGUMENTS: &str = r#"{"length_mm": 900, "piece_mm": 200}"#;
/// So many colours no empty window has.
const COLOURS_MIN: usize = 40;

/// How the programs are started where they were brought to.
struct Programs<'a> {
    window: &'a str,
    command_line: &'a str,
}

/// Tries the `.deb`: fails saying what is not as it should be; prints what was done.
pub(crate) fn deb(package: &Path) -> Result<()> {
    let depends = Program::new("dpkg-deb")
        .args(["--field".as_ref(), package.as_os_str(), "Depends".as_ref()])
        .text()?;
    let work = work()?;
    let root = root(depends.trim(), "clean-debian", work.path())?;
    let before = root.files()?;

    install(&root, package)?;
    println!("installed, with nothing that it does not depend on");
    let programs = Programs {
        window: "guild-hall",
        command_line: "guildhall",
    };
    use_them(&root, &programs, &work.path().join("window.png"))?;
    root.by_root(&["apt-get", "--quiet=2", "--yes", "purge", "guild-hall"])
        .text()?;

    let after = root.files()?;
    let left = left_behind(&before, &after);
    ensure!(
        left.is_empty(),
        "after the package is removed these are left:\n{}",
        left.join("\n")
    );
    let data = format!("{}/.local/share/guild-hall/", &HOME[1..]);
    let kept = after.iter().filter(|path| path.starts_with(&data)).count();
    ensure!(kept > 0, "the user's data went with the package");
    println!("removed: of all files only the user's {kept} are left");
    Ok(())
}

/// Tries the AppImage, on a system that has a display and neither WebKit nor GTK.
pub(crate) fn appimage(package: &Path) -> Result<()> {
    let work = work()?;
    let root = root(
        &PACKAGES_OF_THE_SYSTEM.join(", "),
        "clean-desktop",
        work.path(),
    )?;
    let before = root.files()?;
    for name in ["libwebkit2gtk", "libjavascriptcoregtk", "libgtk-3"] {
        let present = before.iter().any(|path| path.contains(name));
        ensure!(!present, "the system has {name} itself: it shows nothing");
    }
    let home = root.folder().join(&HOME[1..]);
    let programs = Programs {
        window: "./Guild_Hall.AppImage",
        command_line: "./guildhall",
    };
    fs::copy(package, home.join(programs.window)).context("handing the AppImage in")?;
    std::os::unix::fs::symlink(programs.window, home.join(programs.command_line))
        .context("the command line's name")?;
    use_them(&root, &programs, &work.path().join("window.png"))?;
    let left = left_behind(&before, &root.files()?);
    ensure!(
        left.is_empty(),
        "beside the user's files these were written:\n{}",
        left.join("\n")
    );
    println!("outside of its user's home it wrote nothing");
    Ok(())
}

fn work() -> Result<tempfile::TempDir> {
    tempfile::Builder::new()
        .prefix("guild-hall-try-")
        .tempdir_in(app::target_folder()?)
        .context("a folder to try in")
}

/// A system with what `depends` names; the original has a name among those that are kept.
fn root(depends: &str, name: &str, work: &Path) -> Result<Root> {
    let kept = app::target_folder()?.join(name);
    Root::with(depends, &kept, &work.join("root"))
}

/// Installs it, and nothing else: what it depends on is there.
fn install(root: &Root, package: &Path) -> Result<()> {
    let inside = "/tmp/guild-hall.deb";
    let outside = root.folder().join(&inside[1..]);
    fs::copy(package, &outside).context("handing the package in")?;
    let apt = ["apt-get", "--quiet=2", "--yes", "--no-install-recommends"];
    let planned = root
        .by_root(&[&apt[..], &["--simulate", "install", inside]].concat())
        .text()?;
    let planned: Vec<&str> = planned
        .lines()
        .filter(|line| line.starts_with("Inst "))
        .collect();
    ensure!(
        planned.len() == 1,
        "more than the package would be installed: {planned:?}"
    );
    root.by_root(&[&apt[..], &["install", inside]].concat())
        .text()?;
    fs::remove_file(&outside).context("taking the package out again")?;
    let changed = root.by_root(&["dpkg", "--verify", "guild-hall"]).text()?;
    ensure!(
        changed.trim().is_empty(),
        "installed files are not as packed:\n{changed}"
    );
    // Written by another package, when this one says what it opens.
    let kind = root.folder().join("usr/share/mime/application/x-mcpb.xml");
    ensure!(
        kind.is_file(),
        "the system does not know the kind of file of a bundle"
    );
    Ok(())
}

/// Opens the window, looks at it, asks it from outside, and quits.
fn use_them(root: &Root, programs: &Programs<'_>, picture: &Path) -> Result<()> {
    let display = Display::open(1_280, 800)?;
    let window = Window::open(root.by_user(&[programs.window]), &display)?;
    window.reach("window-ready", READY_LIMIT)?;
    window.reach("roster-settled", READY_LIMIT)?;

    let ask = |words: &[&str]| -> Result<Value> {
        let all = [&[programs.command_line, "--json"], words].concat();
        let said = root.by_user(&all).text()?;
        serde_json::from_str(&said).with_context(|| format!("reading what {words:?} said"))
    };
    let list = ask(&["list"])?;
    let members = list["members"].as_array().context("a list of members")?;
    let ready = members
        .iter()
        .filter(|member| member["status"] == "ready")
        .count();
    ensure!(
        ready > 0 && ready == members.len(),
        "{ready} of the samples are ready: {list}"
    );
    let result = ask(&["call", "workshop", "cut_board", "--args", ARGUMENTS])?;
    ensure!(result["isError"] != true, "the tool failed: {result}");

    display.picture(picture)?;
    let colours = Program::new("identify")
        .args(["-format", "%k"])
        .args([picture])
        .text()?;
    let colours: usize = colours.trim().parse().context("a number of colours")?;
    ensure!(
        colours >= COLOURS_MIN,
        "the window is blank: it has {colours} colours"
    );

    // A second start brings up the first one's window, and ends.
    display
        .show(root.by_user(&[programs.window]))
        .limit(READY_LIMIT)
        .run()?;
    window.quit().context("after a quit")?;
    println!(
        "used: {ready} samples ready, a call answered, {colours} colours in its picture, quit"
    );
    Ok(())
}

/// What is there after the removal, was not before, and is not the user's.
fn left_behind(before: &[String], after: &[String]) -> Vec<String> {
    let before: BTreeSet<&String> = before.iter().collect();
    after
        .iter()
        .filter(|path| !before.contains(path) && !path.starts_with(&HOME[1..]))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_the_users_is_left_behind() {
        let paths = |paths: &[&str]| {
            paths
                .iter()
                .map(|&path| path.to_owned())
                .collect::<Vec<_>>()
        };
        let before = paths(&["usr/bin/sh"]);
        let after = paths(&[
            "home/guest/.local/share/guild-hall/hall.lock",
            "usr/bin/sh",
            "usr/share/x",
        ]);
        assert_eq!(left_behind(&before, &after), ["usr/share/x"]);
    }
}
