//! The Debian mirrors of this machine, which a clean Debian also uses.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Context, Result};
use fs_err as fs;

use crate::program::Program;

/// The paths that the package system writes.
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
pub(crate) struct DebianSources {
    /// The release's name.
    pub(crate) suite: String,
    /// The address of the release itself.
    pub(crate) mirror: String,
    /// The release, its updates and its security updates, in the format of `sources.list`.
    pub(crate) list: String,
}

impl fmt::Display for DebianSources {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\n{}", self.suite, self.list)
    }
}

impl DebianSources {
    /// Reads this machine's mirrors from apt.
    pub(crate) fn of_this_machine() -> Result<Self> {
        let release = fs::read_to_string("/etc/os-release").context("reading /etc/os-release")?;
        let targets = Program::new("apt-get")
            .args(["indextargets", "Created-By: Packages"])
            .args(["--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)"])
            .text()?;
        Self::read(&release, &targets)
    }

    fn read(release: &str, targets: &str) -> Result<Self> {
        let suite = release
            .lines()
            .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
            .context("this system is not a release of Debian")?
            .trim_matches('"')
            .to_owned();
        let targets: BTreeSet<(&str, &str)> = targets
            .lines()
            .filter_map(|line| line.strip_suffix(" main")?.rsplit_once(' '))
            .filter(|(_, name)| {
                let rest = name.strip_prefix(&suite);
                rest.is_some_and(|rest| ["", "-updates", "-security"].contains(&rest))
            })
            .collect();
        let (mirror, _) = targets
            .iter()
            .find(|(_, name)| *name == suite)
            .with_context(|| format!("apt has no index of {suite}\nhint: run `apt-get update`"))?;
        Ok(Self {
            mirror: (*mirror).to_owned(),
            list: targets
                .iter()
                .map(|(address, name)| format!("deb {address} {name} main\n"))
                .collect(),
            suite,
        })
    }
}

/// Whether the package system itself writes a path, regardless of the installed packages.
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
    const TARGETS: &str = "http://a.example/debian-security/ bookworm-security main\n\
                           http://a.example/debian/ bookworm main\n\
                           http://a.example/debian/ bookworm main\n\
                           http://a.example/debian/ bookworm contrib\n\
                           http://a.example/debian/ bookworm-updates main\n\
                           https://b.example/ nodistro main\n\
                           https://b.example/ cloud-bookworm main\n";

    #[test]
    fn foreign_sources_are_left_out() {
        let sources = DebianSources::read(RELEASE, TARGETS).expect("sources");
        assert_eq!(sources.suite, "bookworm");
        assert_eq!(sources.mirror, "http://a.example/debian/");
        assert_eq!(
            sources.list,
            "deb http://a.example/debian-security/ bookworm-security main\n\
             deb http://a.example/debian/ bookworm main\n\
             deb http://a.example/debian/ bookworm-updates main\n"
        );
    }

    #[test]
    fn a_system_without_such_sources_is_named() {
        assert!(DebianSources::read("NAME=Other\n", TARGETS).is_err());
        let error =
            DebianSources::read("VERSION_CODENAME=trixie\n", TARGETS).expect_err("no source");
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
