//! Makes the AppImage: the files of the `.deb`, WebKit and GTK, and the program that unpacks and
//! starts them.

use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;
use guild_model::updates::Preset;

use super::bundle::host;
use super::facts::Facts;
use super::packages;
use super::parts::SbomComponent;
use super::system::{self, Taken};
use super::{files, libraries, sbom};
use crate::app;
use crate::program::Program;
use crate::publish::Publisher;

const PACK_LIMIT: Duration = Duration::from_secs(20 * 60);
/// The offset of an AppImage's magic bytes in the file, and the bytes.
const MARK: (u64, &[u8]) = (8, b"AI\x02");
/// The folder of WebKit's helper programs, and their names.
const WEBKIT: &str = "webkit2gtk-4.1";
const WEBKIT_HELPERS: &[&str] = &[
    "WebKitGPUProcess",
    "WebKitNetworkProcess",
    "WebKitWebProcess",
    "injected-bundle/libwebkit2gtkinjectedbundle.so",
];

/// The icon that the desktop entry names.
const ICON: &str = "guild-hall.png";

/// The folder of the settings' schemas, in the system and in the package.
const SCHEMAS: &str = "usr/share/glib-2.0/schemas";

/// Packs the files in `tree`. Returns the AppImage and its bill of materials.
pub(crate) fn build(
    tree: &Path,
    out: &Path,
    work: &Path,
    facts: &Facts,
    parts: &[SbomComponent],
    publisher: Option<&Publisher>,
) -> Result<[PathBuf; 2]> {
    let folder = work.join("AppDir");
    Program::new("cp")
        .args(["--archive"])
        .args([tree, folder.as_path()])
        .run()?;
    let system = Path::new("/usr/lib").join(multiarch()?);
    let mut taken = Taken::default();
    add_libraries(&folder, &system, &mut taken)?;
    add_data(&folder, &system, &mut taken)?;
    let bill = add_papers(&folder, out, facts, parts, taken)?;
    let here = crate::root().join("packaging/appimage/AppRun");
    files::copy(&here, &folder.join("AppRun"))?;
    for (from, file) in [
        ("usr/share/icons/hicolor/256x256/apps", ICON),
        ("usr/share/applications", "guild-hall.desktop"),
    ] {
        files::copy(&folder.join(from).join(file), &folder.join(file))?;
    }
    symlink(ICON, folder.join(".DirIcon")).context("the icon of the file")?;
    if let Some(publisher) = publisher {
        let place = folder.join("usr").join(Preset::FILE);
        let inside = place.parent().context("a folder for what it says")?;
        fs::create_dir_all(inside).context("a folder for what it says")?;
        fs::write(&place, publisher.preset()?).context("what it says of newer versions")?;
    }

    let image = work.join("image.squashfs");
    // The image and all files in it have the time of the source.
    facts
        .date(Program::new("mksquashfs"))
        .args([&folder, &image])
        .words("-root-owned -no-xattrs -noappend -quiet -no-progress -comp gzip")
        .args(["-all-time", &facts.epoch.to_string()])
        .args(["-Xcompression-level", if facts.small { "9" } else { "1" }])
        .without_env("SOURCE_DATE_EPOCH")
        .args(["-mkfs-time", &facts.epoch.to_string()])
        .limit(PACK_LIMIT)
        .text()?;
    let package = out.join(name(facts));
    join(&runtime(&facts.sources)?, &image, &package)?;
    fs::remove_file(&image).context("removing the image")?;
    Ok([package, bill])
}

/// Returns the name of the AppImage's file.
pub(crate) fn name(facts: &Facts) -> String {
    let arch = std::env::consts::ARCH;
    format!("Guild_Hall-{}-{arch}.AppImage", facts.version)
}

/// Builds the static program at the beginning of an AppImage. Its compiler flags differ from those
/// of the other programs, so it has a separate target folder.
fn runtime(sources: &Path) -> Result<PathBuf> {
    let host = host()?;
    let folder = app::target_folder()?.join("appimage");
    Program::cargo()
        .folder(sources)
        .args([
            "build",
            "--locked",
            "--release",
            "--package",
            "guild-appimage",
            "--target",
            &host,
        ])
        .args(["--target-dir".as_ref(), folder.as_os_str()])
        .env("RUSTFLAGS", "-C target-feature=+crt-static")
        .limit(app::BUILD_LIMIT)
        .run()?;
    Ok(folder.join(host).join("release/guild-appimage"))
}

/// Joins the program and the image, and writes the magic bytes of an AppImage.
fn join(runtime: &Path, image: &Path, package: &Path) -> Result<()> {
    files::copy(runtime, package)?;
    let mut file = fs::File::options()
        .write(true)
        .open(package)
        .context("opening the AppImage")?;
    file.seek(SeekFrom::Start(MARK.0))
        .context("marking the AppImage")?;
    file.write_all(MARK.1).context("marking the AppImage")?;
    file.seek(SeekFrom::End(0))
        .context("reaching the AppImage's end")?;
    let mut image = fs::File::open(image).context("opening the image")?;
    std::io::copy(&mut image, &mut file).context("appending the image")?;
    files::make_executable(package)
}

/// Adds the licences of Debian's packages. Replaces the programs' bill of materials by one that
/// also lists these packages. Returns the copy of the bill beside the AppImage.
fn add_papers(
    folder: &Path,
    out: &Path,
    facts: &Facts,
    parts: &[SbomComponent],
    mut taken: Taken,
) -> Result<PathBuf> {
    let package = name(facts);
    for archive in libraries::archives()? {
        taken.link(&archive, &package);
    }
    let packages = taken.packages()?;
    system::copy_licences(&packages, folder)?;
    let bill = sbom::text(&facts.version, parts, &packages, &facts.time()?);
    packages::write_compressed(&folder.join(packages::DOCUMENTS), packages::BILL, &bill)?;
    let beside = out.join(format!("{package}.cdx.json"));
    files::write(&beside, &bill)?;
    Ok(beside)
}

/// Copies the libraries of programs and helpers, and sets the library path of each.
fn add_libraries(folder: &Path, system: &Path, taken: &mut Taken) -> Result<()> {
    let helpers = format!("usr/lib/{}/{WEBKIT}", multiarch()?);
    let mut seeds = vec![
        folder.join("usr/bin/guild-hall"),
        folder.join("usr/bin/guildhall"),
    ];
    for helper in WEBKIT_HELPERS {
        let from = system.join(WEBKIT).join(helper);
        // Some builds of WebKit have no separate helper for drawing.
        if from.exists() {
            taken.copy(&from, folder, &format!("{helpers}/{helper}"))?;
            seeds.push(from);
        }
    }
    let modules = modules(system)?;
    seeds.extend(modules.iter().cloned());

    let mut beside = libraries::closure(&seeds)?;
    beside.extend(modules);
    for library in &beside {
        let name = library.file_name().and_then(|name| name.to_str());
        let name = name.context("a library without a name")?;
        let place = format!("usr/lib/{name}");
        taken.copy(library, folder, &place)?;
        let place = folder.join(place);
        if name.starts_with("libwebkit2gtk") {
            lead_to_helpers(&place, &system.join(WEBKIT))?;
        }
        libraries::look_from(&place, "$ORIGIN")?;
    }
    for program in ["guild-hall", "guildhall"] {
        libraries::look_from(&folder.join("usr/bin").join(program), "$ORIGIN/../lib")?;
    }
    let helpers = folder.join(helpers);
    for helper in WEBKIT_HELPERS.iter().map(|helper| helpers.join(helper)) {
        if helper.exists() {
            let up = match helper
                .parent()
                .is_some_and(|parent| parent.ends_with(WEBKIT))
            {
                true => "$ORIGIN/../..",
                false => "$ORIGIN/../../..",
            };
            libraries::look_from(&helper, up)?;
        }
    }
    Ok(())
}

/// Returns the modules that GTK loads at run time: the SVG loader and the input methods.
fn modules(system: &Path) -> Result<Vec<PathBuf>> {
    let mut found = vec![system.join("gdk-pixbuf-2.0/2.10.0/loaders/libpixbufloader-svg.so")];
    let methods = system.join("gtk-3.0/3.0.0/immodules");
    for entry in fs::read_dir(&methods)? {
        found.push(entry.context("reading GTK's modules")?.path());
    }
    found.sort();
    Ok(found)
}

/// Replaces WebKit's path to its helpers by a path of the same length, relative to the working
/// folder.
fn lead_to_helpers(library: &Path, at: &Path) -> Result<()> {
    let old = at.to_str().context("a path that is not UTF-8")?;
    let new = old.replacen("/usr", "././", 1);
    let mut bytes = fs::read(library).context("reading WebKit")?;
    let found = replace_all(&mut bytes, old.as_bytes(), new.as_bytes());
    ensure!(
        found > 0,
        "WebKit names {old} nowhere: its helpers would not be found"
    );
    fs::write(library, bytes).context("writing WebKit")
}

/// Replaces all occurrences of a string by another string of the same length. Returns their number.
fn replace_all(bytes: &mut [u8], old: &[u8], new: &[u8]) -> usize {
    let mut found = 0;
    let mut at = 0;
    while let Some(window) = bytes.get_mut(at..at + old.len()) {
        if window == old {
            window.copy_from_slice(new);
            found += 1;
        }
        at += 1;
    }
    found
}

/// Adds the lists of GTK's modules, its settings' schemas, and an empty folder for GIO's modules.
fn add_data(folder: &Path, system: &Path, taken: &mut Taken) -> Result<()> {
    let libraries = folder.join("usr/lib");
    for (program, list) in [
        ("gdk-pixbuf-2.0/gdk-pixbuf-query-loaders", "loaders.cache"),
        ("libgtk-3-0/gtk-query-immodules-3.0", "immodules.cache"),
    ] {
        let modules: Vec<PathBuf> = modules(system)?
            .into_iter()
            .filter(|module| {
                module.to_string_lossy().contains("loaders") == (list == "loaders.cache")
            })
            .collect();
        let said = Program::new(system.join(program)).args(&modules).text()?;
        let list = libraries.join(list);
        fs::write(&list, by_name(&said))?;
    }
    fs::create_dir_all(libraries.join("gio")).context("a folder for modules")?;
    let from = Path::new("/").join(SCHEMAS);
    let schemas = folder.join(SCHEMAS);
    for entry in fs::read_dir(&from)? {
        let path = entry.context("reading GTK's settings")?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.starts_with("org.gtk.") || name.starts_with("org.gnome.desktop.") {
            taken.copy(&path, folder, &format!("{SCHEMAS}/{name}"))?;
        }
    }
    if !schemas.exists() {
        bail!("GTK's settings have no schemas here");
    }
    Program::new("glib-compile-schemas").args([&schemas]).run()
}

/// Returns a list of modules with file names instead of paths, since the modules are beside the
/// libraries.
fn by_name(list: &str) -> String {
    list.lines()
        .map(|line| match line.strip_prefix("\"/") {
            Some(path) => format!("\"{}\n", path.rsplit('/').next().unwrap_or(path)),
            None => format!("{line}\n"),
        })
        .collect()
}

/// Returns the name of this system's library folder.
fn multiarch() -> Result<String> {
    let said = Program::new("dpkg-architecture")
        .args(["-qDEB_HOST_MULTIARCH"])
        .text()?;
    Ok(said.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_replaced_by_one_of_its_length_wherever_it_stands() {
        let mut bytes = b"..\0/usr/lib/x\0/usr/lib/x/y\0/usr".to_vec();
        let length = bytes.len();
        assert_eq!(replace_all(&mut bytes, b"/usr/lib/x", b"././/lib/x"), 2);
        assert_eq!(bytes, b"..\0././/lib/x\0././/lib/x/y\0/usr");
        assert_eq!(bytes.len(), length);
    }

    #[test]
    fn modules_are_listed_by_their_names() {
        let list =
            "# made by a tool\n\"/usr/lib/a/im-xim.so\"\n\"xim\" \"X\" \"/usr/share/locale\"\n";
        assert_eq!(
            by_name(list),
            "# made by a tool\n\"im-xim.so\"\n\"xim\" \"X\" \"/usr/share/locale\"\n"
        );
    }

    #[test]
    fn the_file_is_marked_as_an_appimage() {
        let folder = tempfile::tempdir().expect("a folder");
        let [runtime, image, package] =
            ["runtime", "image", "package"].map(|name| folder.path().join(name));
        fs::write(&runtime, b"\x7fELF\x02\x01\x01\0\0\0\0\0program").expect("a file");
        fs::write(&image, "hsqs").expect("a file");
        join(&runtime, &image, &package).expect("joined");
        assert_eq!(
            fs::read(&package).expect("a file"),
            b"\x7fELF\x02\x01\x01\0AI\x02\0programhsqs"
        );
    }
}
