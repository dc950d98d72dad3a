//! `cargo xtask dist`: builds the packages that users install, and tries them.

mod appimage;
mod bundle;
mod facts;
mod files;
mod libraries;
mod licences;
mod packages;
mod parts;
mod root;
mod sbom;
mod sources;
mod system;
mod trial;
mod versions;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use fs_err as fs;
use sha2::{Digest, Sha256};

use self::facts::Facts;
use self::packages::Papers;
use self::trial::{Tests, TrialScope};
use self::versions::AppImageVersions;
use crate::app::{self, BuildProfile, ProgramOptions};
use crate::publish::{PublishOptions, Publisher};
use crate::{setup, ui};

/// The file with the digests of all other files, in the format of `sha256sum --check`.
const SUMS: &str = "SHA256SUMS";

#[derive(Args)]
pub(crate) struct DistOptions {
    /// The packages to make [default: all].
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FORM,…")]
    target: Vec<PackageFormat>,
    /// The folder for the packages [default: dist in cargo's target folder].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The address of the repository, such as https://github.com/OWNER/NAME. The AppStream metadata
    /// link to it.
    #[arg(long, value_name = "ADDRESS")]
    repository: Option<String>,
    #[command(flatten)]
    programs: ProgramOptions,
    #[command(flatten)]
    publish: PublishOptions,
    /// Tries the `.deb` and the AppImage in a clean Debian, and removes the `.deb` again. Requires
    /// root.
    #[arg(long = "try")]
    tries: bool,
}

/// A kind of package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PackageFormat {
    /// For Debian and its derivatives.
    Deb,
    /// For Fedora, openSUSE and similar systems.
    Rpm,
    /// One file for all Linux systems, with WebKit and GTK in it.
    #[value(name = "appimage")]
    AppImage,
}

/// Builds the programs and packs them.
pub(crate) fn run(options: &DistOptions) -> Result<ExitCode> {
    setup::packages(&[setup::BUILD_PACKAGES, setup::PACK_PACKAGES].concat())?;
    setup::npm_packages()?;
    let profile = options.programs.profile();
    if options.programs.given().is_none() {
        ui::build()?;
    }
    let programs = options.programs.of(&["guild-hall", "guild-cli"])?;
    let out = match &options.out {
        Some(out) => std::path::absolute(out).context("the folder for the packages")?,
        None => app::target_folder()?.join("dist"),
    };
    let forms: &[PackageFormat] = match &*options.target {
        [] => PackageFormat::value_variants(),
        chosen => chosen,
    };
    let publisher = Publisher::of(&options.publish)?;
    ensure!(
        publisher.is_none() || forms.contains(&PackageFormat::AppImage),
        "only the AppImage is signed\nhint: add it to --target"
    );
    let facts = Facts {
        repository: options.repository.clone(),
        ..Facts::gather(profile)?
    };
    let made = pack(&programs, &facts, &out, forms, publisher.as_ref())?;
    print(&made)?;
    if options.tries {
        let versions = || AppImageVersions::make(&programs, profile);
        try_out(&made, versions, TrialScope::All, &mut |_| ())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Packs programs of the dev profile and tries the packages. Passes each line that the window's
/// tests print to `look`.
pub(crate) fn check(programs: &Path, look: &mut dyn FnMut(&str)) -> Result<()> {
    setup::packages(setup::PACK_PACKAGES)?;
    setup::npm_packages()?;
    let out = app::target_folder()?.join("dist-dev");
    let profile = BuildProfile::Dev;
    let facts = Facts::gather(profile)?;
    let made = pack(
        programs,
        &facts,
        &out,
        &[PackageFormat::Deb, PackageFormat::Rpm],
        None,
    )?;
    print(&made)?;
    let versions = || AppImageVersions::make(programs, profile);
    try_out(&made, versions, TrialScope::Core, look)
}

/// Tries the packages in a clean Debian. `versions` builds the two AppImages for the test of an
/// update.
fn try_out(
    made: &[PathBuf],
    versions: impl Fn() -> Result<AppImageVersions>,
    scope: TrialScope,
    look: &mut dyn FnMut(&str),
) -> Result<()> {
    setup::packages(&[setup::DISPLAY_PACKAGES, setup::TRIAL_PACKAGES].concat())?;
    let tests = Tests::build(scope)?;
    for file in made {
        let form = file.extension().and_then(|form| form.to_str());
        if matches!(form, Some("deb" | "rpm" | "AppImage")) {
            println!("\ntrying {}", name(file));
        }
        match form {
            Some("deb") => trial::deb(file, &tests, look)?,
            Some("rpm") => trial::rpm(file)?,
            Some("AppImage") => trial::appimage(file, &tests, &versions, look)?,
            _ => {}
        }
    }
    Ok(())
}

/// Packs built programs into a folder. Other files in the folder are removed.
fn pack(
    programs: &Path,
    facts: &Facts,
    out: &Path,
    forms: &[PackageFormat],
    publisher: Option<&Publisher>,
) -> Result<Vec<PathBuf>> {
    let work = app::work_folder("guild-hall-dist-")?;
    empty(out)?;

    let parts = parts::all(crate::root())?;
    let licences = licences::file(crate::root(), &parts)?;
    let bill = sbom::text(&facts.version, &parts, &[], &facts.time()?);
    let papers = Papers {
        licences: &licences,
        bill: &bill,
    };
    let place = |name: &str| {
        let folder = work.path().join(name);
        fs::create_dir(&folder).context("a folder to pack in")?;
        anyhow::Ok(folder)
    };
    let build =
        |formats: &[&str], name| packages::build(formats, programs, &place(name)?, facts, &papers);
    let formats: &[&str] = match forms.contains(&PackageFormat::Rpm) {
        true => &["deb", "rpm"],
        false => &["deb"],
    };
    let packages = build(formats, "packages")?;

    let mut made = Vec::new();
    for form in forms {
        match form {
            PackageFormat::Deb => {
                let again = build(&["deb"], "again")?;
                let file = hand_out(&packages.deb, out)?;
                ensure!(
                    digest(&file)? == digest(&again.deb)?,
                    "packed twice, {} is not the same file",
                    file.display()
                );
                made.push(file);
            }
            PackageFormat::Rpm => made.push(hand_out(&packages.rpm()?, out)?),
            PackageFormat::AppImage => {
                let tree = &packages.tree;
                let files = appimage::build(tree, out, work.path(), facts, &parts, publisher)?;
                made.extend(files);
            }
        }
    }
    if let Some(publisher) = publisher {
        let image = out.join(appimage::name(facts));
        if image.is_file() {
            let files = publisher.publish(&image, &facts.version)?;
            made.extend(files);
        }
    }
    for (name, text) in [
        (packages::LICENCES.to_owned(), &licences),
        (format!("guild-hall-{}.cdx.json", facts.version), &bill),
    ] {
        let file = out.join(name);
        fs::write(&file, text)?;
        made.push(file);
    }
    write_sums(out, &made)?;
    Ok(made)
}

fn hand_out(package: &Path, out: &Path) -> Result<PathBuf> {
    let place = out.join(name(package));
    files::copy(package, &place)?;
    Ok(place)
}

/// Empties the folder `out`, or creates it. Fails if it has files that an earlier run did not
/// write.
fn empty(out: &Path) -> Result<()> {
    if out.exists() {
        let own = out.join(SUMS).is_file();
        let vacant = fs::read_dir(out)?.next().is_none();
        if !own && !vacant {
            bail!(
                "{} holds other files\nhint: name a folder that is empty, or is not there",
                out.display()
            );
        }
        fs::remove_dir_all(out)?;
    }
    fs::create_dir_all(out)?;
    // Marks the folder as one that may be emptied, even if packing fails.
    fs::write(out.join(SUMS), "")?;
    Ok(())
}

fn write_sums(out: &Path, made: &[PathBuf]) -> Result<()> {
    let mut lines = Vec::new();
    for file in made {
        lines.push(format!("{}  {}\n", digest(file)?, name(file)));
    }
    lines.sort_by(|one, other| one[66..].cmp(&other[66..]));
    let file = out.join(SUMS);
    fs::write(&file, lines.concat())?;
    Ok(())
}

fn digest(file: &Path) -> Result<String> {
    let bytes = fs::read(file)?;
    Ok(hex(&Sha256::digest(bytes)))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn name(file: &Path) -> String {
    file.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn print(made: &[PathBuf]) -> Result<()> {
    let names: Vec<String> = made.iter().map(|file| name(file)).collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    println!("\n{:<width$} {:>12}", "file", "bytes");
    for (file, name) in made.iter().zip(&names) {
        let metadata = fs::metadata(file).context("reading a package's size")?;
        println!("{name:<width$} {:>12}", metadata.len());
    }
    if let Some(folder) = made.first().and_then(|file| file.parent()) {
        println!("in {}, with {SUMS}", folder.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_folder_of_packages_or_an_empty_one_is_emptied() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        fs::create_dir(&out).expect("a folder");
        fs::write(out.join("letter"), "keep me").expect("a file");
        let error = empty(&out).expect_err("it holds a letter");
        assert!(format!("{error:#}").contains("other files"), "{error:#}");
        assert!(out.join("letter").exists());
        fs::write(out.join(SUMS), "").expect("a file");
        empty(&out).expect("an earlier run's");
        assert_eq!(
            fs::read_dir(&out).expect("the folder").count(),
            1,
            "the sums of nothing"
        );
    }

    #[test]
    fn the_digests_are_in_the_form_that_sha256sum_checks() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut made = Vec::new();
        for (name, text) in [("b.deb", "two"), ("a.rpm", "one")] {
            let file = folder.path().join(name);
            fs::write(&file, text).expect("a file");
            made.push(file);
        }
        write_sums(folder.path(), &made).expect("written");
        let sums = fs::read_to_string(folder.path().join(SUMS)).expect("the sums");
        let lines: Vec<&str> = sums.lines().collect();
        assert_eq!(
            lines,
            [
                "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed  a.rpm",
                "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3  b.deb",
            ]
        );
    }
}
