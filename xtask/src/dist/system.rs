//! What of this system goes into an AppImage: of each file the Debian package that it is of, and what
//! that says of its licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::files;
use crate::program::Program;

/// Where each package has its documents.
const DOCUMENTS: &str = "/usr/share/doc";
/// What is asked of each package, in this order, between tabs.
const FIELDS: &str = "${binary:Package}\\t${Package}\\t${Version}\\t${Architecture}\\t\
                      ${source:Package}\\t${source:Version}\\n";

/// Files of the system that go along: where each is found in what is packed, and where it lies here.
#[derive(Default)]
pub(crate) struct Taken(BTreeSet<(String, PathBuf)>);

impl Taken {
    /// Copies a file of the system to a place in a folder.
    pub(crate) fn copy(&mut self, from: &Path, folder: &Path, place: &str) -> Result<()> {
        files::copy(from, &folder.join(place))?;
        self.link(from, place);
        Ok(())
    }

    /// Writes down that a file of the system is linked into what is found at a place.
    pub(crate) fn link(&mut self, from: &Path, place: &str) {
        self.0.insert((place.to_owned(), from.to_owned()));
    }

    /// The packages that all of these are of, by their names. Fails naming a file that is of none, or a
    /// package that says nothing of its licences.
    pub(crate) fn packages(&self) -> Result<Vec<Package>> {
        let mut files = Vec::new();
        for (place, from) in &self.0 {
            // A library's name is often a link to that of its version, and /lib one to /usr/lib.
            let real = fs::canonicalize(from)
                .with_context(|| format!("looking for {}", from.display()))?;
            files.push((place, real));
        }
        let said = owners(files.iter().map(|(_, file)| file.as_path()))?;
        let mut places: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (place, file) in files {
            let owner = owner(&said, &file).with_context(|| {
                format!(
                    "{} would go into the AppImage and is of no Debian package: nobody says what its \
                     licence is\nhint: install that library from Debian",
                    file.display()
                )
            })?;
            places.entry(owner).or_default().insert(place.clone());
        }
        let said = Program::new("dpkg-query")
            .args(["--show", &format!("--showformat={FIELDS}")])
            .args(places.keys())
            .env("LC_ALL", "C")
            .text()?;
        packages(&said, places, Path::new(DOCUMENTS))
    }
}

/// A Debian package that something is taken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) architecture: String,
    /// The package of sources that it was built of, and the version of that.
    pub(crate) source: (String, String),
    /// What it says of its licences.
    pub(crate) copyright: String,
    /// Where in the AppImage there is something of it.
    pub(crate) places: BTreeSet<String>,
}

impl Package {
    /// Its address among all packages: `pkg:deb/debian/libgtk-3-0@3.24.38-2?arch=amd64`.
    pub(crate) fn address(&self) -> String {
        address(&self.name, &self.version, &self.architecture)
    }

    /// The address of its sources.
    pub(crate) fn source_address(&self) -> String {
        address(&self.source.0, &self.source.1, "source")
    }

    /// What it is called in lists.
    pub(crate) fn title(&self) -> String {
        title(&self.name, &self.version)
    }
}

/// What a package is called in lists.
pub(crate) fn title(name: &str, version: &str) -> String {
    format!("{name} {version} (deb)")
}

/// An address of a package, in which a plus sign would be a space.
fn address(name: &str, version: &str, architecture: &str) -> String {
    let [name, version] = [name, version].map(|text| text.replace('+', "%2B"));
    format!("pkg:deb/debian/{name}@{version}?arch={architecture}")
}

/// What dpkg says of whose these files are. Of a file that is nobody's it says nothing.
fn owners<'a>(files: impl Iterator<Item = &'a Path>) -> Result<String> {
    // It ends with 1 where one of them is of no package.
    const SEARCH: &str = r#"dpkg-query --search "$@" || test $? = 1"#;
    let names: Vec<PathBuf> = files.flat_map(spellings).collect();
    Program::new("sh")
        .args(["-c", SEARCH, "sh"])
        .args(names)
        .env("LC_ALL", "C")
        .quiet()
        .text()
        .context("asking dpkg whose the files are")
}

/// The names that a package may have written a file down by: /lib and /usr/lib are one folder, and older
/// packages name it as they did when those were two.
fn spellings(file: &Path) -> Vec<PathBuf> {
    let mut names = vec![file.to_owned()];
    if let Ok(below) = file.strip_prefix("/usr") {
        names.push(Path::new("/").join(below));
    }
    names
}

/// The package that a file is of, by what dpkg says of many: the first one where several have it. A file
/// that a diversion moved aside, or put there, is of none.
fn owner<'a>(said: &'a str, file: &Path) -> Option<&'a str> {
    let names = spellings(file);
    let mut owners = said
        .lines()
        .filter_map(|line| line.split_once(": "))
        .filter(|(_, place)| names.iter().any(|name| name == Path::new(place)))
        .map(|(owners, _)| owners.split(", ").next().unwrap_or(owners));
    let owner = owners.next()?;
    let is_diverted = |owner: &str| owner.contains("diversion ");
    (!is_diverted(owner) && !owners.any(is_diverted)).then_some(owner)
}

/// The packages as dpkg describes them, each with its places and what its documents say of licences.
fn packages(
    said: &str,
    mut places: BTreeMap<&str, BTreeSet<String>>,
    documents: &Path,
) -> Result<Vec<Package>> {
    let mut found = Vec::new();
    for line in said.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [known_as, name, version, architecture, source, of] = fields[..] else {
            bail!("dpkg-query describes a package by `{line}`");
        };
        let Some(places) = places.remove(known_as) else {
            bail!("dpkg-query describes {known_as}, which nothing is taken of");
        };
        found.push(Package {
            name: name.to_owned(),
            version: version.to_owned(),
            architecture: architecture.to_owned(),
            source: (source.to_owned(), of.to_owned()),
            copyright: copyright(name, documents)?,
            places,
        });
    }
    ensure!(
        places.is_empty(),
        "dpkg-query does not describe {:?}",
        places.keys()
    );
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// What a package says of its licences. Its folder of documents may be a link to another package's.
fn copyright(name: &str, documents: &Path) -> Result<String> {
    let file = documents.join(name).join("copyright");
    let text = fs::read(&file).with_context(|| {
        format!(
            "the Debian package {name} goes into the AppImage and says nothing of its licences in {}\n\
             hint: see whether dpkg leaves documents out here (/etc/dpkg/dpkg.cfg.d), and install it again",
            file.display()
        )
    })?;
    let text = String::from_utf8_lossy(&text).into_owned();
    ensure!(!text.trim().is_empty(), "{} is empty", file.display());
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Of which package a file is, where dpkg says so much of others as well.
    fn whose(file: &str) -> Option<&'static str> {
        const SAID: &str = "\
            libgtk-3-0:amd64: /usr/lib/x86_64-linux-gnu/libgtk-3.so.0.2406.32\n\
            libbz2-1.0:amd64: /lib/x86_64-linux-gnu/libbz2.so.1.0.4\n\
            gsettings-desktop-schemas: /usr/share/glib-2.0/schemas/org.gnome.desktop.enums.xml\n\
            one, other: /usr/share/shared\n\
            diversion by graphics from: /usr/lib/libGL.so.1\n\
            diversion by graphics to: /usr/lib/graphics/libGL.so.1\n\
            libgl1:amd64: /usr/lib/libGL.so.1\n\
            local diversion from: /usr/lib/libown.so.1\n\
            libown1:amd64: /usr/lib/libown.so.1\n";
        owner(SAID, Path::new(file))
    }

    #[test]
    fn file_is_of_the_package_that_installed_it() {
        let gtk = "/usr/lib/x86_64-linux-gnu/libgtk-3.so.0.2406.32";
        assert_eq!(whose(gtk), Some("libgtk-3-0:amd64"));
        let written_as_before = "/usr/lib/x86_64-linux-gnu/libbz2.so.1.0.4";
        assert_eq!(whose(written_as_before), Some("libbz2-1.0:amd64"));
        let schema = "/usr/share/glib-2.0/schemas/org.gnome.desktop.enums.xml";
        assert_eq!(whose(schema), Some("gsettings-desktop-schemas"));
        assert_eq!(whose("/usr/share/shared"), Some("one"));
    }

    #[test]
    fn file_of_no_package_has_no_owner() {
        for file in [
            "/usr/local/lib/libgtk-3.so.0",
            // The end of a name that dpkg says.
            "/libgtk-3.so.0.2406.32",
            // Diverted: the file there may be another package's.
            "/usr/lib/libGL.so.1",
            "/usr/lib/graphics/libGL.so.1",
            "/usr/lib/libown.so.1",
        ] {
            assert_eq!(whose(file), None, "{file}");
        }
    }

    #[test]
    fn packages_are_read_with_their_sources_and_what_they_say_of_licences() {
        let documents = tempfile::tempdir().expect("a folder");
        let base = documents.path().join("gcc-12-base");
        fs::create_dir(&base).expect("a folder");
        fs::write(base.join("copyright"), "GPL with an exception").expect("a file");
        symlink("gcc-12-base", documents.path().join("libatomic1")).expect("a link");
        let said = "libatomic1:amd64\tlibatomic1\t12.2.0-14+deb12u1\tamd64\tgcc-12\t12.2.0-14\n";
        let places =
            || BTreeMap::from([("libatomic1:amd64", BTreeSet::from(["usr/lib/a".to_owned()]))]);
        let found = packages(said, places(), documents.path()).expect("packages");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].copyright, "GPL with an exception");
        assert_eq!(
            found[0].address(),
            "pkg:deb/debian/libatomic1@12.2.0-14%2Bdeb12u1?arch=amd64"
        );
        assert_eq!(
            found[0].source_address(),
            "pkg:deb/debian/gcc-12@12.2.0-14?arch=source"
        );

        let unlike = "libatomic1\t12.2.0-14\n";
        for (said, why) in [
            ("", "does not describe"),
            (unlike, "describes a package by"),
            (
                "other\tother\t1\tall\tother\t1\n",
                "which nothing is taken of",
            ),
        ] {
            let error = packages(said, places(), documents.path()).expect_err(why);
            assert!(error.to_string().contains(why), "{error}");
        }
    }

    #[test]
    fn a_package_that_says_nothing_of_licences_is_named() {
        let documents = tempfile::tempdir().expect("a folder");
        let error = copyright("libbare1", documents.path()).expect_err("nothing is there");
        assert!(error.to_string().contains("libbare1"), "{error}");
        fs::create_dir(documents.path().join("libbare1")).expect("a folder");
        fs::write(documents.path().join("libbare1/copyright"), "\n").expect("a file");
        let error = copyright("libbare1", documents.path()).expect_err("nothing is in it");
        assert!(error.to_string().contains("is empty"), "{error}");
    }

    #[test]
    fn what_this_system_is_linked_with_is_found() {
        // A system without Debian's packages, or without what they say of themselves, makes no AppImage.
        if !Path::new("/usr/share/doc/dpkg/copyright").is_file() {
            return;
        }
        let mut taken = Taken::default();
        taken.link(Path::new("/usr/bin/dpkg-query"), "usr/bin/dpkg-query");
        let found = taken.packages().expect("its package");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].name, "dpkg");
        assert!(!found[0].copyright.is_empty());

        let file = tempfile::NamedTempFile::new().expect("a file");
        taken.link(file.path(), "usr/lib/odd");
        let error = taken.packages().expect_err("nobody has it");
        assert!(
            error.to_string().contains("is of no Debian package"),
            "{error}"
        );
    }
}
