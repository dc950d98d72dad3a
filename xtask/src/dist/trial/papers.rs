//! Whether an AppImage says of all that it took from the system which package that is of.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::super::appimage::SCHEMAS;
use super::super::files;
use super::super::packages::{BILL, DOCUMENTS, LICENCES};
use super::super::system;
use crate::program::Program;

/// Where the libraries lie.
const LIBRARIES: &str = "usr/lib";
/// How a program or library begins.
const ELF: [u8; 4] = *b"\x7fELF";

/// Reads the papers of the AppImage that was unpacked below a folder, and compares them with its files.
pub(super) fn check(cache: &Path) -> Result<()> {
    let unpacked = only_folder(cache)?;
    let read = |name: &str| {
        let file = unpacked.join(DOCUMENTS).join(format!("{name}.gz"));
        Program::new("gzip").args(["-dc"]).args([file]).text()
    };
    let bill = serde_json::from_str(&read(BILL)?).context("reading the bill of materials")?;
    let taken = taken(&unpacked)?;
    let packages = compare(&taken, &bill, &read(LICENCES)?)?;
    println!(
        "papers: {} files of {packages} packages of the system, each with its licences",
        taken.len()
    );
    Ok(())
}

/// The one folder in a folder.
fn only_folder(cache: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(cache).with_context(|| format!("reading {}", cache.display()))?;
    let mut folders = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir());
    let folder = folders.next().context("nothing was unpacked")?;
    ensure!(folders.next().is_none(), "more than one was unpacked");
    Ok(folder)
}

/// What is of the system, by where it lies: all programs and libraries but those in the folder of the
/// programs, and the schemas of settings.
fn taken(unpacked: &Path) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for place in files::files_under(&unpacked.join(LIBRARIES))? {
        let place = format!("{LIBRARIES}/{place}");
        if is_elf(&unpacked.join(&place))? {
            found.insert(place);
        }
    }
    for name in files::files_under(&unpacked.join(SCHEMAS))? {
        // What is made of them is no file of the system.
        if name.ends_with(".xml") {
            found.insert(format!("{SCHEMAS}/{name}"));
        }
    }
    Ok(found)
}

fn is_elf(file: &Path) -> Result<bool> {
    let mut start = Vec::new();
    File::open(file)
        .and_then(|file| file.take(4).read_to_end(&mut start))
        .with_context(|| format!("reading {}", file.display()))?;
    Ok(start == ELF)
}

/// Fails naming what no component says to be there, what one says and is not there, and a package
/// without its licences; says how many packages there are.
fn compare(taken: &BTreeSet<String>, bill: &Value, licences: &str) -> Result<usize> {
    ensure!(!taken.is_empty(), "there is nothing of the system");
    let mut packages = 0;
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for component in bill["components"].as_array().into_iter().flatten() {
        let text = |field: &str| component[field].as_str().unwrap_or_default();
        if !text("purl").starts_with("pkg:deb/") {
            continue;
        }
        packages += 1;
        let title = system::title(text("name"), text("version"));
        // In the list, and above the text itself.
        ensure!(
            licences.contains(&format!("\n{title}, of "))
                && licences.contains(&format!("\n{title}\n")),
            "{title} has no licence among those of others"
        );
        let places = component["evidence"]["occurrences"].as_array();
        for place in places.into_iter().flatten() {
            named.extend(place["location"].as_str());
        }
    }
    let unnamed: Vec<&String> = taken
        .iter()
        .filter(|place| !named.contains(place.as_str()))
        .collect();
    ensure!(
        unnamed.is_empty(),
        "the bill of materials has no package for {unnamed:?}"
    );
    let (there, linked): (Vec<&str>, Vec<&str>) = named
        .into_iter()
        .partition(|place| place.starts_with("usr/"));
    let absent = there.iter().find(|place| !taken.contains(**place));
    ensure!(
        absent.is_none(),
        "the bill of materials names {absent:?}, which is not there"
    );
    ensure!(
        !linked.is_empty(),
        "the bill of materials does not name what the first program was linked with"
    );
    Ok(packages)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is found wrong where so much lies there, a package is said to have `places`, and the
    /// licences say `licences`.
    fn fault(taken: &[&str], places: &[&str], licences: &str) -> String {
        let taken = taken.iter().map(|&place| place.to_owned()).collect();
        let places: Vec<Value> = places
            .iter()
            .map(|place| json!({ "location": place }))
            .collect();
        let bill = json!({ "components": [
            { "purl": "pkg:cargo/a@1", "name": "a", "version": "1" },
            {
                "purl": "pkg:deb/debian/libone1@1?arch=amd64", "name": "libone1", "version": "1",
                "evidence": { "occurrences": places },
            },
        ] });
        match compare(&taken, &bill, licences) {
            Ok(packages) => format!("none in {packages}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn each_file_has_a_component_and_each_component_its_licences() {
        const SAID: &str = "\nlibone1 1 (deb), of one 1\n\n---\nlibone1 1 (deb)\n\nTake it.\n";
        let both = ["G.AppImage", "usr/lib/libone.so.1"];
        let one = &both[1..];
        assert_eq!(fault(one, &both, SAID), "none in 1");
        for (taken, places, licences, why) in [
            (
                &["usr/lib/libone.so.1", "usr/lib/libodd.so.2"][..],
                &both[..],
                SAID,
                "no package for [\"usr/lib/libodd.so.2\"]",
            ),
            (
                one,
                &["G.AppImage", "usr/lib/libone.so.1", "usr/lib/gone.so"][..],
                SAID,
                "usr/lib/gone.so",
            ),
            (one, one, SAID, "the first program was linked with"),
            (
                one,
                &both[..],
                "\nlibone1 1 (deb), of one 1\n",
                "no licence",
            ),
            (&[][..], &both[..], SAID, "nothing of the system"),
        ] {
            let fault = fault(taken, places, licences);
            assert!(fault.contains(why), "{fault}");
        }
    }

    #[test]
    fn what_is_of_the_system_is_told_from_what_was_made_here() {
        let unpacked = tempfile::tempdir().expect("a folder");
        for (place, content) in [
            ("usr/bin/guild-hall", "\x7fELF\x02"),
            ("usr/lib/libone.so.1", "\x7fELF\x02"),
            ("usr/lib/x86_64-linux-gnu/webkit/Process", "\x7fELF\x02"),
            ("usr/lib/loaders.cache", "# a list"),
            ("usr/lib/empty", ""),
            ("usr/share/glib-2.0/schemas/org.gtk.x.gschema.xml", "<x/>"),
            ("usr/share/glib-2.0/schemas/gschemas.compiled", "GVariant"),
        ] {
            let file = unpacked.path().join(place);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, content).expect("a file");
        }
        let found: Vec<String> = taken(unpacked.path()).expect("files").into_iter().collect();
        assert_eq!(
            found,
            [
                "usr/lib/libone.so.1",
                "usr/lib/x86_64-linux-gnu/webkit/Process",
                "usr/share/glib-2.0/schemas/org.gtk.x.gschema.xml",
            ]
        );
    }
}
