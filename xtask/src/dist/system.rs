//! The Debian packages of the system's files that go into an AppImage, and their licences.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use super::files;
use crate::program::Program;

/// The folder with each package's documents, in the system and in the AppImage.
const DOCUMENTS: &str = "usr/share/doc";
/// The licences that many packages refer to instead of repeating them.
const COMMON_LICENCES: &str = "usr/share/common-licenses";
/// The fields of a package that `dpkg-query` prints, in this order.
const FIELDS: &str = "${binary:Package}\\t${Package}\\t${Version}\\t${Architecture}\\t\
                      ${source:Package}\\t${source:Version}\\n";

/// Files of the system that go into an AppImage: their paths in the AppImage and in the system.
#[derive(Default)]
pub(crate) struct Taken(BTreeSet<(String, PathBuf)>);

/// A Debian package that files were taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DebianPackage {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) architecture: String,
    /// The source package and its version.
    pub(crate) source: (String, String),
    /// The paths of the package's files in the AppImage.
    pub(crate) places: BTreeSet<String>,
}

impl Taken {
    /// Copies a file of the system to a path in a folder.
    pub(crate) fn copy(&mut self, from: &Path, folder: &Path, place: &str) -> Result<()> {
        files::copy(from, &folder.join(place))?;
        self.link(from, place);
        Ok(())
    }

    /// Records that a file of the system is linked into the AppImage's file at `place`.
    pub(crate) fn link(&mut self, from: &Path, place: &str) {
        self.0.insert((place.to_owned(), from.to_owned()));
    }

    /// Returns the packages of all these files, by name. Fails if a file does not belong to a
    /// package.
    pub(crate) fn packages(&self) -> Result<Vec<DebianPackage>> {
        // A library's name is often a link to the name with its version.
        let real = |from: &Path| {
            fs::canonicalize(from).with_context(|| format!("looking for {}", from.display()))
        };
        let mut names = Vec::new();
        for (_, from) in &self.0 {
            let from = real(from)?;
            // /lib is /usr/lib, and some packages list their files below /lib.
            names.extend(
                from.strip_prefix("/usr")
                    .map(|below| Path::new("/").join(below)),
            );
            names.push(from);
        }
        let owners = owners(&names)?;
        let mut places: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (place, from) in &self.0 {
            let owner = owners.get(&real(from)?).with_context(|| {
                format!(
                    "{} would go into the AppImage and belongs to no Debian package, so its licence is \
                     unknown\nhint: install that library from Debian",
                    from.display()
                )
            })?;
            places.entry(owner).or_default().insert(place.clone());
        }
        let fields = Program::new("dpkg-query")
            .args(["--show", &format!("--showformat={FIELDS}")])
            .args(places.keys())
            .env("LC_ALL", "C")
            .text()?;
        let mut packages = Vec::new();
        for line in fields.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [
                known_as,
                name,
                version,
                architecture,
                source,
                source_version,
            ] = fields[..]
            else {
                anyhow::bail!("dpkg-query describes a package by `{line}`");
            };
            packages.push(DebianPackage {
                name: name.to_owned(),
                version: version.to_owned(),
                architecture: architecture.to_owned(),
                source: (source.to_owned(), source_version.to_owned()),
                places: places.remove(known_as).unwrap_or_default(),
            });
        }
        ensure!(places.is_empty(), "dpkg-query does not describe {places:?}");
        packages.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(packages)
    }
}

/// Returns the packages of files. Files without a package are omitted.
fn owners(files: &[PathBuf]) -> Result<HashMap<PathBuf, String>> {
    // `dpkg-query` exits with 1 if a file does not belong to a package.
    const SEARCH: &str = r#"dpkg-query --search "$@" || test $? = 1"#;
    let found = Program::new("sh")
        .args(["-c", SEARCH, "sh"])
        .args(files)
        .env("LC_ALL", "C")
        .quiet()
        .text()
        .context("asking dpkg for the packages of files")?;
    let mut owned = HashMap::new();
    let mut diverted = Vec::new();
    for line in found.lines() {
        let Some((owners, file)) = line.split_once(": ") else {
            continue;
        };
        let Ok(file) = fs::canonicalize(file) else {
            continue;
        };
        // Another package has replaced the owner's file by its own.
        if owners.starts_with("diversion by ") {
            diverted.push(file);
        } else {
            let owner = owners.split(", ").next().unwrap_or(owners);
            owned.insert(file, owner.to_owned());
        }
    }
    for file in &diverted {
        owned.remove(file);
    }
    Ok(owned)
}

impl DebianPackage {
    /// Returns the package URL: `pkg:deb/debian/libgtk-3-0@3.24.38-2?arch=amd64`.
    pub(crate) fn address(&self) -> String {
        address(&self.name, &self.version, &self.architecture)
    }

    /// Returns the package URL of the sources.
    pub(crate) fn source_address(&self) -> String {
        address(&self.source.0, &self.source.1, "source")
    }
}

/// Returns a package URL. A plus sign in it would mean a space.
fn address(name: &str, version: &str, architecture: &str) -> String {
    let [name, version] = [name, version].map(|text| text.replace('+', "%2B"));
    format!("pkg:deb/debian/{name}@{version}?arch={architecture}")
}

/// Copies the licences of packages into a folder, at Debian's paths. Fails if a package has no
/// licence.
pub(crate) fn copy_licences(packages: &[DebianPackage], folder: &Path) -> Result<()> {
    for package in packages {
        let name = &package.name;
        let file = format!("{DOCUMENTS}/{name}/copyright");
        files::copy(&Path::new("/").join(&file), &folder.join(&file)).with_context(|| {
            format!(
                "the licence of the Debian package {name}\nhint: see whether /etc/dpkg/dpkg.cfg.d \
                 leaves documents out, and install the package again"
            )
        })?;
    }
    let common = folder.join(COMMON_LICENCES);
    Program::new("cp")
        .words("--recursive --no-target-directory")
        .args([&Path::new("/").join(COMMON_LICENCES), &common])
        .run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_belongs_to_its_debian_package() {
        // An AppImage can't be made on a system without Debian's packages or their documents.
        if !Path::new("/usr/share/doc/dpkg/copyright").is_file() {
            return;
        }
        let mut taken = Taken::default();
        taken.link(Path::new("/usr/bin/dpkg-query"), "usr/bin/dpkg-query");
        let found = taken.packages().expect("its package");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].name, "dpkg");
        assert!(found[0].places.contains("usr/bin/dpkg-query"));
        let folder = tempfile::tempdir().expect("a folder");
        copy_licences(&found, folder.path()).expect("its licence");
        for file in [
            "usr/share/doc/dpkg/copyright",
            "usr/share/common-licenses/GPL-2",
        ] {
            assert!(folder.path().join(file).is_file(), "{file}");
        }

        let file = tempfile::NamedTempFile::new().expect("a file");
        taken.link(file.path(), "usr/lib/odd");
        let error = taken.packages().expect_err("a file of no package");
        let error = error.to_string();
        assert!(error.contains("belongs to no Debian package"), "{error}");
    }

    #[test]
    fn package_without_licence_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let bare = DebianPackage {
            name: "libbare1".into(),
            version: "1.0+b1".into(),
            architecture: "amd64".into(),
            source: ("bare".into(), "1.0".into()),
            places: BTreeSet::new(),
        };
        assert_eq!(
            bare.address(),
            "pkg:deb/debian/libbare1@1.0%2Bb1?arch=amd64"
        );
        let error = copy_licences(&[bare], folder.path()).expect_err("no licence");
        assert!(error.to_string().contains("libbare1"), "{error}");
    }
}
