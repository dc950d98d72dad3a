//! Where this machine has its Debian from, for another one to be had from there too.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// What the package system itself writes, in whatever it does.
const OF_THE_PACKAGE_SYSTEM: &[&str] = &[
    "dev",
    "etc/ld.so.cache",
    "proc",
    "sys",
    "var/cache",
    "var/lib/apt",
    "var/lib/dpkg",
    "var/log",
];

/// The addresses of one release of Debian.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sources {
    /// The release's name.
    pub(crate) suite: String,
    /// Where the release itself is.
    pub(crate) mirror: String,
    /// The release, its updates and its security updates, as `sources.list` has them.
    pub(crate) list: String,
}

impl fmt::Display for Sources {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\n{}", self.suite, self.list)
    }
}

impl Sources {
    /// Reads the machine's own.
    pub(crate) fn of_this_machine() -> Result<Self> {
        let release = fs::read_to_string("/etc/os-release").context("reading /etc/os-release")?;
        let mut text = fs::read_to_string("/etc/apt/sources.list").unwrap_or_default();
        let folder = Path::new("/etc/apt/sources.list.d");
        let mut files: Vec<_> = fs::read_dir(folder)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        files.sort();
        for file in files {
            text.push_str("\n\n");
            text.push_str(&fs::read_to_string(file).unwrap_or_default());
        }
        Self::read(&release, &text)
    }

    fn read(release: &str, sources: &str) -> Result<Self> {
        let suite = release
            .lines()
            .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
            .context("this system is no release of Debian")?
            .trim_matches('"')
            .to_owned();
        let mut entries = BTreeSet::new();
        for paragraph in sources.split("\n\n") {
            entries.extend(of_paragraph(paragraph));
            entries.extend(paragraph.lines().filter_map(of_line));
        }
        entries.retain(|(name, _)| {
            name.strip_prefix(&suite)
                .is_some_and(|rest| ["", "-updates", "-security"].contains(&rest))
        });
        let mirror = entries
            .iter()
            .find(|(name, _)| *name == suite)
            .with_context(|| format!("apt has no source of {suite}"))?
            .1
            .clone();
        let list = entries
            .iter()
            .map(|(name, address)| format!("deb {address} {name} main\n"))
            .collect();
        Ok(Self {
            suite,
            mirror,
            list,
        })
    }
}

/// The suites and addresses of `Types: deb`, `URIs: …`, `Suites: …`.
fn of_paragraph(paragraph: &str) -> Vec<(String, String)> {
    let field = |name: &str| -> Vec<String> {
        let value = paragraph.lines().find_map(|line| line.strip_prefix(name));
        value
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    };
    if !field("Types:").iter().any(|kind| kind == "deb") {
        return Vec::new();
    }
    let addresses = field("URIs:");
    let suites = field("Suites:");
    suites
        .iter()
        .flat_map(|suite| {
            addresses
                .iter()
                .map(|address| (suite.clone(), address.clone()))
        })
        .collect()
}

/// The suite and address of `deb [options] ADDRESS SUITE main`.
fn of_line(line: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix("deb ")?.trim_start();
    let rest = match rest.strip_prefix('[') {
        Some(options) => options.split_once(']')?.1,
        None => rest,
    };
    let mut words = rest.split_whitespace();
    let address = words.next()?.to_owned();
    Some((words.next()?.to_owned(), address))
}

/// Whether a path is one that the package system writes whatever is installed or removed.
pub(crate) fn is_of_the_package_system(path: &str) -> bool {
    OF_THE_PACKAGE_SYSTEM.iter().any(|own| {
        path.strip_prefix(own)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELEASE: &str = "NAME=\"Debian GNU/Linux\"\nVERSION_CODENAME=bookworm\n";
    const LIST: &str = "deb http://a.example/debian bookworm main\n\
                        deb http://a.example/debian-security bookworm-security main\n\
                        deb http://a.example/debian bookworm-updates main\n";

    #[test]
    fn both_forms_of_sources_are_read_and_others_programs_left_out() {
        let paragraphs = "Types: deb\n# a note\nURIs: http://a.example/debian\n\
                          Suites: bookworm bookworm-updates\nComponents: main\n\n\
                          Types: deb deb-src\nURIs: http://a.example/debian-security\n\
                          Suites: bookworm-security\n\n\
                          Types: deb\nURIs: https://b.example\nSuites: nodistro\n";
        let lines = "# deb http://c.example bookworm main\n\
                     deb [signed-by=/k arch=amd64] http://a.example/debian bookworm main contrib\n\
                     deb http://a.example/debian bookworm-updates main\n\
                     deb http://a.example/debian-security bookworm-security main\n\
                     deb-src http://a.example/debian bookworm main\n\
                     deb https://b.example cloud-bookworm main\n";
        for text in [paragraphs, lines] {
            let sources = Sources::read(RELEASE, text).expect("sources");
            assert_eq!(sources.suite, "bookworm");
            assert_eq!(sources.mirror, "http://a.example/debian");
            let mut list: Vec<&str> = sources.list.lines().collect();
            list.sort_unstable();
            let mut wanted: Vec<&str> = LIST.lines().collect();
            wanted.sort_unstable();
            assert_eq!(list, wanted);
        }
    }

    #[test]
    fn a_system_without_such_sources_is_named() {
        assert!(Sources::read("NAME=Other\n", LIST).is_err());
        let error = Sources::read("VERSION_CODENAME=trixie\n", LIST).expect_err("no source");
        assert!(error.to_string().contains("trixie"), "{error}");
    }

    #[test]
    fn only_what_the_package_system_writes_is_set_aside() {
        for own in ["var/lib/dpkg/status", "var/log", "proc"] {
            assert!(is_of_the_package_system(own), "{own}");
        }
        for other in [
            "var/lib/dpkg-old",
            "usr/bin/guild-hall",
            "home/guest",
            "process",
        ] {
            assert!(!is_of_the_package_system(other), "{other}");
        }
    }
}
