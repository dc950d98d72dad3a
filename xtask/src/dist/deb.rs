//! The `.deb`: what it depends on is read off the programs, the rest is a folder that is packed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::facts::{self, Facts};
use crate::program::Program;

/// Packing eighty megabytes well takes a while on a slow machine.
const PACK_LIMIT: Duration = Duration::from_secs(20 * 60);

/// Packs a tree, and says where.
pub(crate) fn build(tree: &Path, out: &Path, work: &Path, facts: &Facts) -> Result<PathBuf> {
    let architecture = architecture()?;
    let control = tree.join("DEBIAN");
    let files = facts::files_under(tree)?;
    let depends = dependencies(tree, work)?;
    fs::create_dir(&control).context("the package's own folder")?;
    let size = size(tree, &files)?;
    write(
        &control.join("control"),
        &entry(&facts.version, &architecture, size, &depends),
    )?;
    write(&control.join("md5sums"), &sums(tree, &files)?)?;

    let package = out.join(format!("guild-hall_{}_{architecture}.deb", facts.version));
    let compression = match facts.small {
        true => ["-Zxz", "-z6"],
        false => ["-Zgzip", "-z1"],
    };
    facts
        .date(Program::new("dpkg-deb"))
        .args(["--root-owner-group"])
        .args(compression)
        .args(["--build".as_ref(), tree.as_os_str(), package.as_os_str()])
        .limit(PACK_LIMIT)
        .text()?;
    fs::remove_dir_all(&control).context("removing the package's own folder")?;
    Ok(package)
}

fn architecture() -> Result<String> {
    let said = Program::new("dpkg").args(["--print-architecture"]).text()?;
    Ok(said.trim().to_owned())
}

/// The packages whose libraries the programs need, in the versions that have what they use.
fn dependencies(tree: &Path, work: &Path) -> Result<String> {
    // The tool wants to stand in a source package.
    let source = work.join("source");
    fs::create_dir_all(source.join("debian")).context("a folder to look from")?;
    write(
        &source.join("debian/control"),
        "Source: guild-hall\n\nPackage: guild-hall\nArchitecture: any\n",
    )?;
    let said = Program::new("dpkg-shlibdeps")
        .args(["-O"])
        .args([
            tree.join("usr/bin/guild-hall"),
            tree.join("usr/bin/guildhall"),
        ])
        .folder(&source)
        .text()?;
    let linked = said
        .lines()
        .find_map(|line| line.strip_prefix("shlibs:Depends="))
        .context("dpkg-shlibdeps names no packages")?;
    Ok(linked.to_owned())
}

/// What the files take, in KiB.
fn size(tree: &Path, files: &[String]) -> Result<u64> {
    let mut kibibytes = 0;
    for file in files {
        let metadata =
            fs::metadata(tree.join(file)).with_context(|| format!("looking at {file}"))?;
        kibibytes += metadata.len().div_ceil(1_024);
    }
    Ok(kibibytes)
}

fn entry(version: &str, architecture: &str, size: u64, depends: &str) -> String {
    let (maintainer, summary) = (facts::MAINTAINER, facts::SUMMARY);
    let description = facts::DESCRIPTION.join("\n ");
    format!(
        "Package: guild-hall\n\
         Version: {version}\n\
         Architecture: {architecture}\n\
         Maintainer: {maintainer}\n\
         Installed-Size: {size}\n\
         Depends: {depends}\n\
         Recommends: ca-certificates, xdg-utils, gnome-keyring | kwalletmanager | keepassxc\n\
         Section: devel\n\
         Priority: optional\n\
         Description: {summary}\n {description}\n"
    )
}

/// What the installed files are checked against.
fn sums(tree: &Path, files: &[String]) -> Result<String> {
    Program::new("md5sum")
        .args(["--"])
        .args(files)
        .folder(tree)
        .text()
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| format!("writing {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_is_one_paragraph_of_fields() {
        let entry = entry("0.1.0", "amd64", 5, "libc6 (>= 2.36)");
        assert!(entry.starts_with("Package: guild-hall\nVersion: 0.1.0\nArchitecture: amd64\n"));
        assert!(entry.contains("\nDepends: libc6 (>= 2.36)\n"), "{entry}");
        for line in entry.lines() {
            let field = line
                .split_once(": ")
                .is_some_and(|(name, _)| !name.contains(' '));
            assert!(
                field || line.starts_with(' '),
                "{line:?} continues or names a field"
            );
        }
        assert!(entry.ends_with('\n'));
    }
}
