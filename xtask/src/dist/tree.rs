//! The files of a package under the places where they are installed.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};

use super::facts::Facts;
use crate::app;
use crate::program::Program;

/// The name of the app among all apps: `identifier` of `tauri.conf.json`.
pub(crate) const APP: &str = "org.guildhall.desktop";
/// The sizes of the icon that are drawn; any other comes from the drawing itself.
const ICON_SIZES: &[u16] = &[16, 22, 24, 32, 48, 64, 96, 128, 256, 512];
/// The shells that complete `guildhall`, and where each looks for that.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "usr/share/bash-completion/completions/guildhall"),
    ("zsh", "usr/share/zsh/vendor-completions/_guildhall"),
    ("fish", "usr/share/fish/vendor_completions.d/guildhall.fish"),
];

/// Where the documents of a package are.
pub(crate) const DOCUMENTS: &str = "usr/share/doc/guild-hall";
/// The licences of others' works among them, before it is compressed.
pub(crate) const LICENCES: &str = "third-party-licences.txt";
/// The bill of materials among them, before it is compressed.
pub(crate) const BILL: &str = "guild-hall.cdx.json";

/// What is written for the packages out of the lock files.
pub(crate) struct Papers<'a> {
    pub(crate) licences: &'a str,
    pub(crate) bill: &'a str,
}

/// Puts everything under `tree`, each file readable by all and of the source's time.
pub(crate) fn lay_out(
    tree: &Path,
    programs: &Path,
    facts: &Facts,
    papers: &Papers<'_>,
) -> Result<()> {
    let root = crate::root();
    for name in ["guild-hall", "guildhall"] {
        let place = tree.join("usr/bin").join(name);
        copy(&app::program_in(programs, name), &place)?;
        // A release build has no symbols already.
        Program::new("strip")
            .args(["--strip-unneeded"])
            .args([&place])
            .run()?;
    }
    let packaging = root.join("packaging");
    for (file, place) in [
        (format!("{APP}.desktop"), "applications"),
        (format!("{APP}.metainfo.xml"), "metainfo"),
    ] {
        copy(
            &packaging.join(&file),
            &tree.join("usr/share").join(place).join(&file),
        )?;
    }
    let kinds = format!("usr/share/mime/packages/{APP}.xml");
    copy(
        &packaging.join(format!("{APP}.mime.xml")),
        &tree.join(kinds),
    )?;
    let icons = tree.join("usr/share/icons/hicolor");
    for size in ICON_SIZES {
        let place = icons.join(format!("{size}x{size}/apps/{APP}.png"));
        copy(&root.join(format!("icons/hicolor/{size}.png")), &place)?;
    }
    copy(
        &root.join("icons/icon.svg"),
        &icons.join(format!("scalable/apps/{APP}.svg")),
    )?;
    for (shell, place) in COMPLETIONS {
        let script = Program::new(tree.join("usr/bin/guildhall"))
            .args(["completions", shell])
            .text()?;
        write(&tree.join(place), &script)?;
    }
    for page in ["guild-hall.1", "guildhall.1"] {
        let place = tree.join("usr/share/man/man1").join(page);
        copy(&packaging.join(page), &place)?;
        compress(&place)?;
    }
    let doc = tree.join(DOCUMENTS);
    write(&doc.join("copyright"), &copyright(root)?)?;
    write_papers(tree, papers)?;
    let changes = doc.join("changelog");
    copy(&root.join("CHANGELOG.md"), &changes)?;
    compress(&changes)?;
    validate(tree)?;
    settle(
        tree,
        SystemTime::UNIX_EPOCH + Duration::from_secs(facts.epoch),
    )
}

/// Writes the papers where the documents are, in the place of others that may be there.
pub(crate) fn write_papers(tree: &Path, papers: &Papers<'_>) -> Result<()> {
    let doc = tree.join(DOCUMENTS);
    for (name, text) in [(LICENCES, papers.licences), (BILL, papers.bill)] {
        write(&doc.join(name), text)?;
        compress(&doc.join(name))?;
    }
    Ok(())
}

/// Has what desktops and shops of software read checked by their own tools.
fn validate(tree: &Path) -> Result<()> {
    let entry = tree.join(format!("usr/share/applications/{APP}.desktop"));
    Program::new("desktop-file-validate").args([entry]).run()?;
    let metadata = tree.join(format!("usr/share/metainfo/{APP}.metainfo.xml"));
    Program::new("appstreamcli")
        .args(["validate", "--no-net"])
        .args([metadata])
        .text()
        .map(drop)
}

/// The licence of Guild Hall itself, and where those of others stand.
fn copyright(root: &Path) -> Result<String> {
    let mit = fs::read_to_string(root.join("LICENSE-MIT")).context("reading the licence")?;
    let apache = fs::read_to_string(root.join("LICENSE-APACHE")).context("reading the licence")?;
    Ok(format!(
        "Guild Hall is under the MIT or the Apache 2.0 licence, as its user chooses. The works of\n\
         others in it, with their licences, are in third-party-licences.txt.gz beside this file.\n\n\
         {mit}\n\n{apache}"
    ))
}

/// Copies a file, and makes the folders that it lies in.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    make_room(to)?;
    fs::copy(from, to).with_context(|| format!("copying {}", from.display()))?;
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<()> {
    make_room(file)?;
    fs::write(file, text).with_context(|| format!("writing {}", file.display()))
}

fn make_room(file: &Path) -> Result<()> {
    let folder = file.parent().context("a file without a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))
}

/// Replaces a file by itself compressed, without the name and time of the original in it; one that was
/// compressed before goes.
fn compress(file: &Path) -> Result<()> {
    Program::new("gzip")
        .args(["-9", "--no-name", "--force"])
        .args([file])
        .run()
}

/// Lets all run a file.
pub(crate) fn make_executable(file: &Path) -> Result<()> {
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("making {} executable", file.display()))
}

/// Gives everything the same rights and the same time, whoever packs it.
fn settle(path: &Path, time: SystemTime) -> Result<()> {
    let of = || format!("settling {}", path.display());
    let mut mode = 0o644;
    if path.is_dir() {
        for entry in fs::read_dir(path).with_context(of)? {
            settle(&entry.with_context(of)?.path(), time)?;
        }
        mode = 0o755;
    } else if path
        .parent()
        .is_some_and(|folder| folder.ends_with("usr/bin"))
    {
        mode = 0o755;
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).with_context(of)?;
    File::open(path)
        .and_then(|file| file.set_modified(time))
        .with_context(of)
}
