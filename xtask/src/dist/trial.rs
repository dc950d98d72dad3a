//! Tries the packages as users do: installs them in a clean Debian, uses them, and removes them.

mod rpm;
mod window;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use serde_json::Value;

use super::libraries::PACKAGES_OF_THE_SYSTEM;
use super::root::{Contents, HOME, Root};
use super::versions::AppImageVersions;
use crate::app::{self, AppWindow};
use crate::display::VirtualDisplay;
use crate::program::Program;

pub(crate) use self::rpm::try_out as rpm;
use self::window::{Driven, SkippedTest};
pub(crate) use self::window::{Tests, TrialScope};

/// The time for the window to be ready on a slow, busy machine.
const READY_LIMIT: Duration = Duration::from_secs(180);
/// A sample member that always runs, one of its tools, and the tool's arguments.
const RUNNING: [&str; 3] = ["notes", "read_note", r#"{"name": "welcome"}"#];
/// The sample member that runs on demand, one of its tools, and the tool's arguments.
const WHEN_NEEDED: [&str; 3] = ["clock", "now", "{}"];
/// The package with the library that WebKit uses for drawing, if the system has it.
const OPENGL_ES: &str = "libgles2";
/// The variable that makes WebKit draw without that library.
const WITHOUT_OPENGL_ES: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
/// The packages with the tools that find the program for a link or a file.
const DESKTOP: &[&str] = &["desktop-file-utils", "xdg-utils"];
/// The types that the program opens: `guildhall:` links, and bundles.
const OPENS: [&str; 2] = ["x-scheme-handler/guildhall", "application/x-mcpb"];
/// The program's desktop entry.
const ENTRY: &str = "guild-hall.desktop";
/// The window's tests that are skipped with the AppImage.
const LEFT_BY_APPIMAGE: &[SkippedTest] = &[(
    "updates::",
    "the file that they replace is a script of their own, and a true AppImage says itself which file it is",
)];
/// The folder in the user's home into which an AppImage unpacks itself.
const UNPACKED: &str = ".cache/guild-hall/appimage";
/// The minimum number of colors in a picture. An empty window has fewer.
const COLOURS_MIN: usize = 40;

/// The commands that start the programs.
struct TrialPrograms<'a> {
    window: &'a [&'a str],
    command_line: &'a str,
}

/// Tries the `.deb`.
pub(crate) fn deb(package: &Path, tests: &Tests, look: &mut dyn FnMut(&str)) -> Result<()> {
    let depends = Program::new("dpkg-deb")
        .args(["--field".as_ref(), package.as_os_str(), "Depends".as_ref()])
        .text()?;
    let kept = [window::PACKAGES, &[window::DRIVER_PACKAGE], DESKTOP].concat();
    let contents = Contents {
        depends: depends.trim(),
        kept: &kept,
    };
    in_system(&contents, "clean-debian", |root, work| {
        install_use_and_remove(root, package, &work.join("window.png"))?;
        // The tests' packages are installed only now, because the package must work without them.
        root.install_kept()?;
        install(root, package)?;
        opens_links_and_bundles(root)?;
        let driven = Driven {
            program: "/usr/bin/guild-hall",
            variables: &[],
            left: &[],
        };
        tests.run(root, &driven, look)
    })
}

fn install_use_and_remove(root: &Root, package: &Path, picture: &Path) -> Result<()> {
    let before = root.files()?;
    install(root, package)?;
    println!("installed, with nothing that it does not depend on");
    let programs = TrialPrograms {
        window: &["guild-hall"],
        command_line: "guildhall",
    };
    use_them(root, &programs, picture)?;
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

/// Tests the AppImage on a system that has a display but neither WebKit nor GTK. Then tests that the
/// AppImage updates itself to a newer version. `versions` builds both versions for this, and is
/// called only if the first test succeeds.
pub(crate) fn appimage(
    package: &Path,
    tests: &Tests,
    versions: impl FnOnce() -> Result<AppImageVersions>,
    look: &mut dyn FnMut(&str),
) -> Result<()> {
    const FILE: &str = "Guild_Hall.AppImage";
    let kept = [window::PACKAGES, &[OPENGL_ES]].concat();
    let contents = Contents {
        depends: &PACKAGES_OF_THE_SYSTEM.join(", "),
        kept: &kept,
    };
    in_system(&contents, "clean-desktop", |root, work| {
        let programs = TrialPrograms {
            // The AppImage itself must determine how to draw the window.
            window: &["env", "--unset", WITHOUT_OPENGL_ES, &format!("./{FILE}")],
            command_line: "./guildhall",
        };
        let before = root.files()?;
        has_no_webkit(&before)?;
        ensure!(
            !before.iter().any(|path| path.contains("libGLESv2.so")),
            "the system has OpenGL ES: it does not show that it works without"
        );
        let home = root.folder().join(&HOME[1..]);
        fs::copy(package, home.join(FILE)).context("handing the AppImage in")?;
        std::os::unix::fs::symlink(FILE, home.join(programs.command_line))
            .context("the command line's name")?;
        use_them(root, &programs, &work.join("window.png"))?;
        let left = left_behind(&before, &root.files()?);
        ensure!(
            left.is_empty(),
            "beside the user's files these were written:\n{}",
            left.join("\n")
        );
        println!("outside of its user's home it wrote nothing");

        root.install_kept()?;
        window::bring_driver(root)?;
        let others: Vec<String> = root
            .files()?
            .into_iter()
            .filter(|path| !path.starts_with(&HOME[1..]))
            .collect();
        has_no_webkit(&others)?;
        let driven = Driven {
            program: &format!("{HOME}/{FILE}"),
            variables: &[("GUILD_HALL_UNPACKED", &format!("{HOME}/{UNPACKED}"))],
            left: LEFT_BY_APPIMAGE,
        };
        tests.run(root, &driven, look)?;
        tests.replace(root, versions()?, look)
    })
}

fn has_no_webkit(files: &[String]) -> Result<()> {
    for name in ["libwebkit2gtk", "libjavascriptcoregtk", "libgtk-3"] {
        let present = files.iter().any(|path| path.contains(name));
        ensure!(!present, "the system has {name} itself: it shows nothing");
    }
    Ok(())
}

/// The prefix of the names of work folders.
const WORK: &str = "guild-hall-try-";

/// Makes a system and a work folder, calls `done` with both, and always removes the system. `name`
/// is the folder of the system's original in cargo's target folder.
fn in_system(
    contents: &Contents<'_>,
    name: &str,
    done: impl FnOnce(&Root, &Path) -> Result<()>,
) -> Result<()> {
    let work = app::work_folder(WORK)?;
    let original = app::target_folder()?.join(name);
    let root = Root::with(contents, &original, &work.path().join("root"))?;
    let result = done(&root, work.path());
    let left = root.leave();
    result.and(left)
}

/// Installs the package. Fails if apt would also install other packages.
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
    // A trigger of another package writes this file from the package's definition.
    let kind = root.folder().join("usr/share/mime/application/x-mcpb.xml");
    ensure!(
        kind.is_file(),
        "the system does not know the kind of file of a bundle"
    );
    Ok(())
}

/// Fails if the desktop does not open links and bundles with the program. Checks the desktop's list
/// of all entries, and `xdg-mime`.
fn opens_links_and_bundles(root: &Root) -> Result<()> {
    let gathered = root.folder().join("usr/share/applications/mimeinfo.cache");
    let gathered = fs::read_to_string(&gathered)?;
    for kind in OPENS {
        ensure!(
            gathered
                .lines()
                .any(|line| line == format!("{kind}={ENTRY};")),
            "the desktop has not gathered what opens {kind}:\n{gathered}"
        );
        let ask = ["xdg-mime", "query", "default", kind];
        let said = root.by_user(&ask).text()?;
        ensure!(
            said.trim() == ENTRY,
            "asked what opens {kind}, the desktop says {said:?}"
        );
    }
    println!("opened by the program: {}", OPENS.join(", "));
    Ok(())
}

/// Opens the window, calls tools from outside, checks the window's picture, and quits.
fn use_them(root: &Root, programs: &TrialPrograms<'_>, picture: &Path) -> Result<()> {
    let display = VirtualDisplay::open(1_280, 800)?;
    let window = AppWindow::open(root.by_user(programs.window), &display)?;
    window.reach("window-ready", READY_LIMIT)?;
    window.reach("roster-settled", READY_LIMIT)?;

    let ask = |words: &[&str]| -> Result<Value> {
        let all = [&[programs.command_line, "--json"], words].concat();
        let said = root.by_user(&all).text()?;
        serde_json::from_str(&said).with_context(|| format!("reading what {words:?} said"))
    };
    // The call starts the member on demand.
    let [member, tool, arguments] = WHEN_NEEDED;
    let result = ask(&["call", member, tool, "--args", arguments])?;
    ensure!(result["isError"] != true, "the tool failed: {result}");
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
    let [member, tool, arguments] = RUNNING;
    let result = ask(&["call", member, tool, "--args", arguments])?;
    ensure!(result["isError"] != true, "the tool failed: {result}");

    display.picture(picture)?;
    let colours = Program::new("identify")
        .words("-format %k")
        .args([picture])
        .text()?;
    let colours: usize = colours.trim().parse().context("a number of colours")?;
    ensure!(
        colours >= COLOURS_MIN,
        "the window is blank: it has {colours} colours"
    );

    // A second start only shows the window of the first one, and exits.
    display
        .show(root.by_user(programs.window))
        .limit(READY_LIMIT)
        .run()?;
    window.quit().context("after a quit")?;
    println!(
        "used: {ready} samples ready, a call answered, {colours} colours in its picture, quit"
    );
    Ok(())
}

/// Returns the paths that are new after the removal and not in the user's home folder.
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
    fn foreign_environment_is_left_out() {
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
