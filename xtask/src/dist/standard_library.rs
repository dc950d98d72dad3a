//! Rust's standard library: it is in each program, and no lock file names it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::licences::tidy;
use super::parts::Part;
use crate::program::Program;

/// What its address begins with: no registry has it.
pub(super) const KIND: &str = "generic";
/// What its toolchain says of its licences and of those of what it is made of.
const NOTICES: &str = "COPYRIGHT-library.html";
/// The folder of the texts that those name.
const NAMED: &str = "licenses";
/// How a line begins that names some.
const NAMES: &str = "License:";

/// That of the compiler in use.
pub(super) fn part() -> Result<Part> {
    let said = Program::new("rustc").args(["-vV"]).text()?;
    let version = said
        .lines()
        .find_map(|line| line.strip_prefix("release: "))
        .context("rustc names no release")?;
    let toolchain = Program::new("rustc").args(["--print", "sysroot"]).text()?;
    Ok(Part {
        kind: KIND,
        name: "rust-std".into(),
        version: version.into(),
        licence: "MIT OR Apache-2.0".into(),
        digest: None,
        folder: Path::new(toolchain.trim()).join("share/doc/rust"),
        own: false,
        uses: BTreeSet::new(),
    })
}

/// The notices in a toolchain's folder of documents, and the texts that they name; none where it was
/// installed without them.
pub(super) fn texts(folder: &Path) -> Result<Vec<String>> {
    let notices = folder.join(NOTICES);
    if !notices.is_file() {
        return Ok(Vec::new());
    }
    let read = |path: &Path| {
        fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
    };
    let notices = plain(&read(&notices)?);
    let named: BTreeSet<&str> = notices
        .lines()
        .filter_map(|line| line.strip_prefix(NAMES))
        .flat_map(|names| names.split([' ', '(', ')']))
        .collect();
    let mut texts = Vec::new();
    for name in named {
        let path = folder.join(NAMED).join(format!("{name}.txt"));
        // `OR` is no licence, and what a crate alone is under stands in the notices themselves.
        if path.is_file() {
            texts.push(tidy(&read(&path)?));
        }
    }
    texts.push(notices);
    Ok(texts)
}

/// What a page says: without its marks, and with no more than one empty line between two others.
fn plain(page: &str) -> String {
    // Before the first mark there is none to leave out.
    let (before, marked) = page.split_once('<').unwrap_or((page, ""));
    let said = marked
        .split('<')
        .filter_map(|piece| Some(piece.split_once('>')?.1));
    let mut said: String = std::iter::once(before).chain(said).collect();
    for (written, sign) in [
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#38;", "&"),
    ] {
        said = said.replace(written, sign);
    }
    let mut lines: Vec<&str> = said.lines().map(str::trim).collect();
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    tidy(&lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<!DOCTYPE html>\n<body>\n<h1>Notices</h1>\n\n\n\n\
        <p><b>License:</b> MIT OR (Apache-2.0)</p>\n\
        <pre>\n  Permitted: &#34;a &#60; b&#34;\n</pre>\n";

    #[test]
    fn a_page_is_read_without_its_marks() {
        assert_eq!(
            plain(PAGE),
            "Notices\n\nLicense: MIT OR (Apache-2.0)\n\nPermitted: \"a < b\""
        );
        assert_eq!(plain("no page"), "no page");
    }

    #[test]
    fn the_texts_that_the_notices_name_are_there_and_no_others() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(texts(folder.path()).expect("none"), Vec::<String>::new());
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("written");
        };
        fs::create_dir(folder.path().join(NAMED)).expect("a folder");
        write("licenses/MIT.txt", "Take it.\n");
        write("licenses/Apache-2.0.txt", "Take it, too.\n");
        write("licenses/GPL-3.0-or-later.txt", "Give it on.\n");
        write(NOTICES, PAGE);
        let texts = texts(folder.path()).expect("the texts");
        assert_eq!(texts, ["Take it, too.", "Take it.", &plain(PAGE)]);
    }

    #[test]
    fn that_of_this_compiler_has_a_version_and_a_text() {
        let part = part().expect("the part");
        assert!(part.version.starts_with("1."), "{}", part.version);
        let file = super::super::licences::file(crate::root(), &[part]).expect("the licences");
        assert!(file.contains("Apache License"), "{file}");
    }
}
