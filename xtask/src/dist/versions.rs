//! Consecutive versions of the AppImage, to test its update. They are packed and signed like a
//! release, and published on a server on this machine.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use tempfile::TempDir;

use super::facts::Facts;
use super::{PackageFormat, appimage, files, pack};
use crate::app::{self, BuildProfile};
use crate::program::Program;
use crate::publish::{Publisher, make_key};

/// The folder in cargo's target folder for the build of the next version.
const BUILT: &str = "next-version";

/// A folder with a subfolder for each version. `older` looks for updates. `newer` is a valid
/// update. `broken` has a valid signature but can't be unpacked.
pub(crate) struct AppImageVersions {
    folder: TempDir,
    names: [String; 3],
    /// Keeps the port of the published address reserved until the test's server uses it.
    port: Option<TcpListener>,
}

impl std::fmt::Display for AppImageVersions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [older, newer, broken] = &self.names;
        write!(
            f,
            "an AppImage of {older} by one of {newer}, which took back {broken}"
        )
    }
}

impl AppImageVersions {
    /// Packs the older version from built programs, and builds the newer one.
    pub(crate) fn make(programs: &Path, profile: BuildProfile) -> Result<Self> {
        let older = Facts {
            small: false,
            ..Facts::gather(profile)?
        };
        let newer = Facts {
            version: next(&older.version)?,
            sources: app::target_folder()?.join(BUILT).join("sources"),
            small: false,
            ..Facts::gather(profile)?
        };
        let broken = next(&newer.version)?;
        copy_sources(&newer.sources)?;
        raise(&newer.sources, &older.version, &newer.version)?;
        let built = build(&newer.sources, profile)?;

        let folder = app::work_folder("guild-hall-versions-")?;
        let at = |name: &str| folder.path().join(name);
        let port = TcpListener::bind(("127.0.0.1", 0)).context("a port that is free")?;
        let publisher = publisher(folder.path(), &port)?;
        let forms = &[PackageFormat::AppImage];
        pack(programs, &older, &at("older"), forms, Some(&publisher))?;
        pack(&built, &newer, &at("newer"), forms, Some(&publisher))?;

        let whole = at("newer").join(appimage::name(&newer));
        let whole = fs::read(&whole).context("reading the newer version")?;
        fs::create_dir(at("broken")).context("a folder for a version")?;
        let cut = at("broken").join(format!("Guild_Hall-{broken}.AppImage"));
        fs::write(&cut, &whole[..whole.len() / 2]).context("cutting a version off")?;
        files::make_executable(&cut)?;
        publisher.publish(&cut, &broken)?;
        fs::remove_dir_all(&newer.sources).context("removing the copied sources")?;
        Ok(Self {
            folder,
            names: [older.version, newer.version, broken],
            port: Some(port),
        })
    }

    pub(crate) fn free_port(&mut self) {
        self.port = None;
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Returns the version that follows `version`.
fn next(version: &str) -> Result<String> {
    let parts: Vec<&str> = version.split('.').collect();
    let [major, minor, _] = parts[..] else {
        anyhow::bail!("{version} is not a version of three numbers");
    };
    let minor: u32 = minor
        .parse()
        .with_context(|| format!("{version} is not a version"))?;
    Ok(format!("{major}.{}.0", minor + 1))
}

/// Copies the sources of the work tree and the built page into another folder.
fn copy_sources(to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to).context("removing older sources")?;
    }
    let listed = Program::new("git")
        .words("ls-files -z --cached --others --exclude-standard")
        .text()?;
    let page = crate::root().join("ui/dist");
    let page = files::files_under(&page)?;
    let page = page.iter().map(|path| format!("ui/dist/{path}"));
    for path in listed.split_terminator('\0').map(str::to_owned).chain(page) {
        let (from, to) = (crate::root().join(&path), to.join(&path));
        // Git lists files whose deletion is not committed.
        if !from.is_file() {
            continue;
        }
        let folder = to.parent().context("a file without a folder")?;
        fs::create_dir_all(folder)?;
        fs::copy(&from, &to)?;
        let written = fs::metadata(&from).and_then(|of| of.modified());
        let written = written.with_context(|| format!("looking at {}", from.display()))?;
        // Keeps the file time, so that cargo detects which files changed since the last copy.
        fs::File::options()
            .write(true)
            .open(&to)
            .and_then(|file| file.set_modified(written))
            .with_context(|| format!("dating {}", to.display()))?;
    }
    Ok(())
}

fn raise(sources: &Path, from: &str, to: &str) -> Result<()> {
    let file = sources.join("Cargo.toml");
    let text = fs::read_to_string(&file).context("reading the workspace's manifest")?;
    let (old, new) = (
        format!("\nversion = \"{from}\"\n"),
        format!("\nversion = \"{to}\"\n"),
    );
    ensure!(
        text.matches(&old).count() == 1,
        "the workspace's manifest does not have its version once"
    );
    fs::write(&file, text.replace(&old, &new)).context("writing the workspace's manifest")?;
    // The lock file has the version of each workspace crate.
    Program::cargo()
        .folder(sources)
        .words("update --workspace --offline --quiet")
        .run()
}

/// Builds the programs of other sources. The same dependencies are reused. Returns the programs'
/// folder.
fn build(sources: &Path, profile: BuildProfile) -> Result<PathBuf> {
    let own = app::target_folder()?;
    let folder = own.join(BUILT);
    app::build_of(sources, &["guild-hall", "guild-cli"], profile)
        .env("CARGO_BUILD_BUILD_DIR", &own)
        .args(["--target-dir".as_ref(), folder.as_os_str()])
        .run()?;
    Ok(folder.join(profile.folder()))
}

/// Returns the publisher that signs the versions, with an address on this machine.
fn publisher(folder: &Path, port: &TcpListener) -> Result<Publisher> {
    let port = port.local_addr().context("the port's number")?.port();
    let key = folder.join("key");
    make_key(&key)?;
    Publisher::at(&key, &format!("http://127.0.0.1:{port}"), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_version_is_newer() {
        assert_eq!(next("0.1.0").expect("a version"), "0.2.0");
        assert_eq!(next("3.9.4").expect("a version"), "3.10.0");
        for text in ["1.2", "1.x.0", ""] {
            assert!(next(text).is_err(), "{text}");
        }
    }
}
