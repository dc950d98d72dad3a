//! `cargo xtask channels`: fills the files of `packaging/channels` (Homebrew, winget, AUR) with the
//! version, the address of the repository, and the digests of a release. A person submits them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;
use fs_err as fs;

const VERSION: &str = "@VERSION@";
const REPOSITORY: &str = "@REPOSITORY@";
/// The beginning of the placeholder of a digest: `@SHA256:NAME OF A FILE@`.
const DIGEST: &str = "@SHA256:";

#[derive(Args)]
pub(crate) struct ChannelOptions {
    /// The folder with the files of the release and their SHA256SUMS.
    release: PathBuf,
    /// The folder for the filled files. It must not exist.
    out: PathBuf,
    /// The address of the repository, such as https://github.com/OWNER/NAME.
    #[arg(long, value_name = "ADDRESS")]
    repository: String,
}

/// Fills all files.
pub(crate) fn run(options: &ChannelOptions) -> Result<ExitCode> {
    let sums = fs::read_to_string(options.release.join("SHA256SUMS"))?;
    fs::create_dir(&options.out)?;
    let version = env!("CARGO_PKG_VERSION");
    let templates = crate::root().join("packaging/channels");
    fill_folder(&templates, &options.out, &|text| {
        with_digests(&fill(text, version, &options.repository), &sums)
    })?;
    println!("in {}", options.out.display());
    Ok(ExitCode::SUCCESS)
}

/// Replaces the version and the address of the repository.
pub(crate) fn fill(template: &str, version: &str, repository: &str) -> String {
    template
        .replace(VERSION, version)
        .replace(REPOSITORY, repository.trim_end_matches('/'))
}

/// Replaces the digests by those of a `SHA256SUMS`. Fails if it lacks a file.
fn with_digests(text: &str, sums: &str) -> Result<String> {
    let mut parts = text.split(DIGEST);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (file, rest) = part.split_once('@').context("a digest without a file")?;
        let mut lines = sums.lines().filter_map(|line| line.split_once("  "));
        let (digest, _) = lines
            .find(|(_, name)| *name == file)
            .with_context(|| format!("SHA256SUMS has no {file}"))?;
        ensure!(digest.len() == 64, "the digest of {file} is {digest:?}");
        filled.extend([digest, rest]);
    }
    Ok(filled)
}

fn fill_folder(from: &Path, to: &Path, fill: &dyn Fn(&str) -> Result<String>) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir(&place)?;
            fill_folder(&entry.path(), &place, fill)?;
        } else {
            let text = fs::read_to_string(entry.path())?;
            let text = fill(&text).with_context(|| entry.path().display().to_string())?;
            fs::write(&place, text)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn release_fills_every_placeholder() {
        let folder = tempfile::tempdir().expect("a folder");
        let version = env!("CARGO_PKG_VERSION");
        let digest = "0123456789abcdef".repeat(4);
        let names = [
            format!("Guild_Hall_{version}_aarch64.dmg"),
            format!("Guild_Hall_{version}_arm64-setup.exe"),
            format!("Guild_Hall_{version}_x64-setup.exe"),
            format!("Guild_Hall_{version}_x64.dmg"),
            format!("guild-hall-{version}.tar.gz"),
            format!("guild-hall_{version}_amd64.deb"),
            format!("guild-hall_{version}_arm64.deb"),
        ];
        let sums: String = names
            .iter()
            .map(|name| format!("{digest}  {name}\n"))
            .collect();
        fs::write(folder.path().join("SHA256SUMS"), sums).expect("a file");
        let options = ChannelOptions {
            release: folder.path().to_owned(),
            out: folder.path().join("channels"),
            repository: "https://example.org/hall/".to_owned(),
        };
        run(&options).expect("filled");
        let recipe = options.out.join("aur/.SRCINFO");
        let recipe = fs::read_to_string(recipe).expect("the file");
        let line = format!(
            "source_x86_64 = https://example.org/hall/releases/download/v{version}/guild-hall_{version}_amd64.deb"
        );
        assert!(recipe.contains(&line), "{recipe}");
        let left = fill_folder(&options.out, folder.path(), &|text| {
            ensure!(!text.contains('@'), "{text}");
            Ok(text.to_owned())
        });
        left.expect("no placeholder is left");
    }

    #[test]
    fn missing_digest_names_the_file() {
        let error = with_digests("@SHA256:a.deb@", "").expect_err("no digest");
        assert_eq!(error.to_string(), "SHA256SUMS has no a.deb");
    }
}
