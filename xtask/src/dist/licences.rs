//! Makes a file with the licences of all components of the programs, each text once.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;

use super::parts::SbomComponent;

/// Name prefixes of files with a licence or a notice.
const BEGINNINGS: &[&str] = &["licen", "copying", "copyright", "notice", "unlicen"];
/// Maximum size of a file with a licence or a notice, in bytes.
const TEXT_BYTES_MAX: u64 = 512 * 1024;
/// The separator of two entries.
const RULE: &str =
    "--------------------------------------------------------------------------------";

/// Returns the file's content: a list of components and licences, then each text with the names of
/// its components. Fails if a component has no licence or text.
pub(crate) fn file(root: &Path, parts: &[SbomComponent]) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::new();
    for part in parts.iter().filter(|part| !part.own) {
        let name = format!("{} {} ({})", part.name, part.version, part.kind);
        ensure!(
            !part.licence.is_empty(),
            "{name} says nothing of its licence"
        );
        writeln!(list, "{name}: {}", part.licence)?;
        let mut own = match part.kind {
            "generic" => of_standard_library(&part.folder)?,
            _ => texts_in(&part.folder)?,
        };
        if own.is_empty() {
            own =
                standard(root, &part.licence).with_context(|| format!("the licence of {name}"))?;
        }
        for text in own {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut file = format!(
        "Guild Hall itself is under the MIT or the Apache 2.0 licence, as its user chooses.\n\
         Its programs contain the following works of others. An AppImage contains files of Debian\n\
         packages too. Their licences are in its folders usr/share/doc and usr/share/common-licenses.\n\n{list}"
    );
    for (text, of) in &texts {
        write!(file, "\n{RULE}\n{}\n\n{text}\n", of.join("\n"))?;
    }
    Ok(file)
}

/// Returns the licence texts in a component's folder.
fn texts_in(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder)?;
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("reading {}", folder.display()))?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let metadata = fs::metadata(entry.path()).context("looking at a licence")?;
        if BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
            // Excludes the settings of a tool that checks licences.
            && !name.ends_with(".toml")
            && metadata.is_file()
            && metadata.len() <= TEXT_BYTES_MAX
        {
            files.push(entry.path());
        }
    }
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

/// Returns the toolchain's page of notices about Rust's standard library, and the licences that the
/// page names. Empty if the toolchain was installed without documents.
fn of_standard_library(folder: &Path) -> Result<Vec<String>> {
    let notices = folder.join("COPYRIGHT-library.html");
    if !notices.is_file() {
        return Ok(Vec::new());
    }
    let mut texts = vec![read(&notices)?];
    let licences = folder.join("licenses");
    for entry in fs::read_dir(&licences)?.flatten() {
        let file = entry.path();
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if texts[0].contains(&*name) {
            texts.push(read(&file)?);
        }
    }
    Ok(texts)
}

fn read(file: &Path) -> Result<String> {
    let bytes = fs::read(file)?;
    Ok(tidy(&String::from_utf8_lossy(&bytes)))
}

/// Normalizes line ends to line feeds, and removes spaces at line ends.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// Returns the repository's text for a component without one: the text of the first choice in the
/// licence expression that has a text.
fn standard(root: &Path, licence: &str) -> Result<Vec<String>> {
    for choice in licence.split(" OR ") {
        let choice = choice.trim_matches(['(', ')', ' ']);
        let file = match choice {
            "Apache-2.0" => root.join("LICENSE-APACHE"),
            other => root.join(format!("packaging/licences/{other}.txt")),
        };
        if file.is_file() {
            return Ok(vec![read(&file)?]);
        }
    }
    bail!("it brings no text, and packaging/licences has none of `{licence}`")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn part(folder: &Path, name: &str, licence: &str) -> SbomComponent {
        let folder = folder.join(name);
        fs::create_dir_all(&folder).expect("a folder");
        SbomComponent {
            kind: "cargo",
            name: name.into(),
            version: "1.0.0".into(),
            licence: licence.into(),
            digest: None,
            folder,
            own: false,
            uses: BTreeSet::new(),
        }
    }

    #[test]
    fn each_text_stands_once_and_names_all_that_it_came_with() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (
            part(folder.path(), "one", "MIT"),
            part(folder.path(), "other", "MIT"),
        );
        fs::write(one.folder.join("LICENSE-MIT"), "Take it.\r\n").expect("a file");
        fs::write(other.folder.join("license.md"), "Take it.\n\n").expect("a file");
        let file = file(crate::root(), &[one, other]).expect("the file");
        assert_eq!(file.matches("Take it.").count(), 1, "{file}");
        assert!(
            file.contains("one 1.0.0 (cargo)\nother 1.0.0 (cargo)\n\nTake it."),
            "{file}"
        );
    }

    #[test]
    fn a_part_without_a_text_gets_the_standard_one_or_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let bare = part(folder.path(), "bare", "Zlib OR MPL-2.0");
        let text = file(crate::root(), &[bare]).expect("the file");
        assert!(
            text.contains("Mozilla Public License"),
            "the second choice's"
        );
        for (licence, why) in [("Zlib", "has none of `Zlib`"), ("", "says nothing")] {
            let error = file(crate::root(), &[part(folder.path(), "odd", licence)])
                .expect_err("no text is to be had");
            let error = format!("{error:#}");
            assert!(
                error.contains("odd 1.0.0") && error.contains(why),
                "{error}"
            );
        }
    }

    #[test]
    fn standard_library_has_the_licences_it_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let texts = || of_standard_library(folder.path()).expect("the texts");
        assert!(texts().is_empty(), "a toolchain without documents");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("a file");
        };
        fs::create_dir(folder.path().join("licenses")).expect("a folder");
        write("licenses/MIT.txt", "Take it.\n");
        write("licenses/GPL-3.0-or-later.txt", "Give it on.\n");
        write("COPYRIGHT-library.html", "<b>License:</b> MIT\n");
        assert_eq!(texts(), ["<b>License:</b> MIT", "Take it."]);
    }

    #[test]
    fn toolchain_has_a_version_and_a_licence() {
        let parts = super::super::parts::all(crate::root()).expect("the parts");
        let part = parts.iter().find(|part| part.kind == "generic");
        let part = part.expect("the standard library");
        assert!(part.version.starts_with("1."), "{}", part.version);
        let file = file(crate::root(), std::slice::from_ref(part)).expect("the licences");
        assert!(file.contains("Apache License"), "{file}");
    }
}
