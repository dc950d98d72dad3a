//! The `.deb` and the `.rpm`: Tauri's bundler makes both from `tauri.conf.json` and from files that
//! are generated here. The `.deb` is then compressed again, with xz and reproducibly.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use serde_json::{Value, json};

use super::facts::Facts;
use super::{bundle, files};
use crate::channels;
use crate::program::Program;

/// The folder in which packages install their documents.
pub(crate) const DOCUMENTS: &str = "usr/share/doc/guild-hall";
/// The document with third-party licences, before compression.
pub(crate) const LICENCES: &str = "third-party-licences.txt";
/// The document with the bill of materials, before compression.
pub(crate) const BILL: &str = "guild-hall.cdx.json";
const METADATA: &str = "org.guildhall.desktop.metainfo.xml";
const PACK_LIMIT: Duration = Duration::from_secs(20 * 60);
/// The shells with completions of `guildhall`, and the paths of the completions: on Debian, and on
/// systems with rpm.
const COMPLETIONS: &[(&str, &str, &str)] = &[
    ("bash", BASH, BASH),
    (
        "zsh",
        "usr/share/zsh/vendor-completions/_guildhall",
        "usr/share/zsh/site-functions/_guildhall",
    ),
    ("fish", FISH, FISH),
];
const BASH: &str = "usr/share/bash-completion/completions/guildhall";
const FISH: &str = "usr/share/fish/vendor_completions.d/guildhall.fish";

/// Documents that are generated from the lock files.
pub(crate) struct Papers<'a> {
    pub(crate) licences: &'a str,
    pub(crate) bill: &'a str,
}

/// The `.deb`, the folder with its unpacked files, and the bundler's output.
pub(crate) struct Packages {
    pub(crate) deb: PathBuf,
    pub(crate) tree: PathBuf,
    bundles: PathBuf,
}

/// Makes packages in these formats, which include the `.deb`, in an empty work folder.
pub(crate) fn build(
    formats: &[&str],
    programs: &Path,
    work: &Path,
    facts: &Facts,
    papers: &Papers<'_>,
) -> Result<Packages> {
    check_sources()?;
    let programs = stripped(programs, &work.join("programs"))?;
    let [deb_files, rpm_files] = generate(&programs, &work.join("generated"), facts, papers)?;
    let compression = match facts.small {
        true => json!({ "type": "xz", "level": 6 }),
        false => json!({ "type": "gzip", "level": 1 }),
    };
    let settings = json!({
        // The name of the packages, of the folder with their documents, and of the desktop entry.
        "productName": "guild-hall",
        "version": facts.version,
        "bundle": { "homepage": facts.repository, "linux": {
            "deb": { "depends": deb_depends(&programs, work)?, "files": deb_files },
            "rpm": {
                "depends": rpm_depends(&programs)?,
                "files": rpm_files,
                "compression": compression,
            },
        } },
    });
    let bundles = bundle::build(formats, &programs, work, settings)?;
    let tree = work.join("tree");
    Ok(Packages {
        deb: repack(&only_package(&bundles, "deb")?, &tree, work, facts)?,
        tree,
        bundles,
    })
}

impl Packages {
    /// Returns the `.rpm`. Fails unless it installs the same files as the `.deb`.
    pub(crate) fn rpm(&self) -> Result<PathBuf> {
        let rpm = only_package(&self.bundles, "rpm")?;
        let listed = Program::new("rpm")
            .words("--query --package --list")
            .args([&rpm])
            .text()?;
        let in_rpm: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
        let mut in_deb = BTreeSet::new();
        for file in files::files_under(&self.tree)? {
            let elsewhere = COMPLETIONS.iter().find(|(_, debian, _)| *debian == file);
            in_deb.insert(format!("/{}", elsewhere.map_or(&*file, |(_, _, rpm)| rpm)));
        }
        let odd: Vec<&String> = in_deb.symmetric_difference(&in_rpm).collect();
        ensure!(odd.is_empty(), "only one of the packages has {odd:?}");
        Ok(rpm)
    }
}

/// Writes a compressed file into a folder. Replaces an older file.
pub(crate) fn write_compressed(folder: &Path, name: &str, text: &str) -> Result<()> {
    files::write(&folder.join(name), text)?;
    files::compress(&folder.join(name))
}

/// Checks the desktop entry and the files for other channels with their tools.
fn check_sources() -> Result<()> {
    for (program, words, file) in [
        ("desktop-file-validate", "", "packaging/guild-hall.desktop"),
        ("bash", "-n", "packaging/channels/aur/PKGBUILD"),
        (
            "ruby",
            "-c",
            "packaging/channels/homebrew/Casks/guild-hall.rb",
        ),
        (
            "ruby",
            "-c",
            "packaging/channels/homebrew/Formula/guildhall.rb",
        ),
        ("nix-instantiate", "--parse", "flake.nix"),
    ] {
        Program::new(program).words(words).args([file]).text()?;
    }
    Ok(())
}

/// Returns the AppStream metadata, with the links to the repository if its address is known.
fn metadata(facts: &Facts, folder: &Path) -> Result<PathBuf> {
    let sources = crate::root().join("packaging");
    let mut text = fs::read_to_string(sources.join(METADATA))?;
    if let Some(repository) = &facts.repository {
        let links = fs::read_to_string(sources.join("metainfo-links.xml"))?;
        let links = channels::fill(&links, &facts.version, repository);
        text = text.replace("</component>", &format!("{links}</component>"));
    }
    let file = folder.join(METADATA);
    files::write(&file, &text)?;
    Program::new("appstreamcli")
        .words("validate --no-net")
        .args([&file])
        .text()?;
    Ok(file)
}

/// Copies the programs without their symbols, which the dev profile keeps.
fn stripped(programs: &Path, folder: &Path) -> Result<PathBuf> {
    for name in ["guild-hall", "guildhall"] {
        let place = folder.join(name);
        files::copy(&programs.join(name), &place)?;
        Program::new("strip")
            .args(["--strip-unneeded"])
            .args([&place])
            .run()?;
    }
    Ok(folder.to_owned())
}

/// Generates metadata, completions, licences, the bill of materials, and the compressed changelog and
/// manual pages. Returns the bundler's `files` settings for the `.deb` and for the `.rpm`.
fn generate(
    programs: &Path,
    folder: &Path,
    facts: &Facts,
    papers: &Papers<'_>,
) -> Result<[Value; 2]> {
    let changes = fs::read_to_string(crate::root().join("CHANGELOG.md"));
    let changes = changes.context("reading the changelog")?;
    let mut maps = [json!({}), json!({})];
    let mut map = |places: [&str; 2], name: &str| {
        for (map, place) in maps.iter_mut().zip(places) {
            map[format!("/{place}")] = json!(folder.join(name));
        }
    };
    for (name, text) in [
        (LICENCES, papers.licences),
        (BILL, papers.bill),
        ("changelog", &changes),
    ] {
        write_compressed(folder, name, text)?;
        let name = format!("{name}.gz");
        let place = format!("{DOCUMENTS}/{name}");
        map([&place, &place], &name);
    }
    for page in ["guild-hall.1", "guildhall.1"] {
        let text = fs::read_to_string(crate::root().join("packaging").join(page))?;
        write_compressed(folder, page, &text)?;
        let name = format!("{page}.gz");
        let place = format!("usr/share/man/man1/{name}");
        map([&place, &place], &name);
    }
    for (shell, debian, rpm) in COMPLETIONS {
        let script = Program::new(programs.join("guildhall"))
            .args(["completions", shell])
            .text()?;
        files::write(&folder.join(shell), &script)?;
        map([debian, rpm], shell);
    }
    metadata(facts, folder)?;
    let place = format!("usr/share/metainfo/{METADATA}");
    map([&place, &place], METADATA);
    Ok(maps)
}

/// Returns the Debian packages whose libraries the programs need, with the minimum versions.
fn deb_depends(programs: &Path, work: &Path) -> Result<Vec<String>> {
    // `dpkg-shlibdeps` runs only in a source package.
    let source = work.join("source");
    let control = "Source: guild-hall\n\nPackage: guild-hall\nArchitecture: any\n";
    files::write(&source.join("debian/control"), control)?;
    let said = Program::new("dpkg-shlibdeps")
        .args(["-O"])
        .args([programs.join("guild-hall"), programs.join("guildhall")])
        .folder(&source)
        .text()?;
    let linked = said
        .lines()
        .find_map(|line| line.strip_prefix("shlibs:Depends="))
        .context("dpkg-shlibdeps names no packages")?;
    Ok(linked.split(", ").map(str::to_owned).collect())
}

/// Returns the libraries that the programs need, in rpm's notation.
fn rpm_depends(programs: &Path) -> Result<BTreeSet<String>> {
    let said = Program::new("/usr/lib/rpm/elfdeps")
        .args(["--requires"])
        .args([programs.join("guild-hall"), programs.join("guildhall")])
        .text()?;
    Ok(said.lines().map(str::to_owned).collect())
}

/// Returns the only package that the bundler made in a format.
fn only_package(bundles: &Path, format: &str) -> Result<PathBuf> {
    let folder = bundles.join(format);
    let entries = fs::read_dir(&folder)?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|kind| kind == format))
        .with_context(|| format!("the bundler made no .{format}"))
}

/// Packs the files of a `.deb` again, since the bundler compresses with gzip, and uses the folder's
/// order and file times. Leaves the unpacked files in `tree`.
fn repack(package: &Path, tree: &Path, work: &Path, facts: &Facts) -> Result<PathBuf> {
    Program::new("dpkg-deb")
        .args([
            "--raw-extract".as_ref(),
            package.as_os_str(),
            tree.as_os_str(),
        ])
        .run()?;
    // Debian's usual permissions, independent of those in the repository.
    Program::new("chmod")
        .words("--recursive u=rwX,go=rX")
        .args([tree])
        .run()?;
    let control = tree.join("DEBIAN");
    let sums = control.join("md5sums");
    let text = fs::read_to_string(&sums).context("reading the package's digests")?;
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_by_key(|line| line.split_once(' ').map(|(_, file)| file));
    fs::write(&sums, lines.join("\n") + "\n").context("writing the package's digests")?;
    let compression = match facts.small {
        true => ["-Zxz", "-z6"],
        false => ["-Zgzip", "-z1"],
    };
    let name = package.file_name().context("a package without a name")?;
    let packed = work.join(name);
    facts
        .date(Program::new("dpkg-deb"))
        .args(["--root-owner-group"])
        .args(compression)
        .args(["--build".as_ref(), tree.as_os_str(), packed.as_os_str()])
        .limit(PACK_LIMIT)
        .text()?;
    fs::remove_dir_all(&control).context("removing the package's control files")?;
    Ok(packed)
}
