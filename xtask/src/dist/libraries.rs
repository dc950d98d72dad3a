//! Selects the libraries that go into an AppImage. Libraries that every desktop has stay out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::program::Program;

/// Name prefixes of libraries that must come from the system, because they have to match its
/// kernel, graphics card and fonts.
const OF_THE_SYSTEM: &[&str] = &[
    // The C library and the compiler's libraries.
    "ld-linux",
    "libanl.so",
    "libc.so",
    "libdl.so",
    "libgcc_s.so",
    "libm.so",
    "libmvec.so",
    "libnss_",
    "libpthread.so",
    "libresolv.so",
    "librt.so",
    "libstdc++.so",
    "libutil.so",
    // Graphics and sound.
    "libEGL.so",
    "libGL.so",
    "libGLX.so",
    "libGLdispatch.so",
    "libOpenGL.so",
    "libasound.so",
    "libdrm.so",
    "libgbm.so",
    "libglapi.so",
    // The display.
    "libICE.so",
    "libSM.so",
    "libX11-xcb.so",
    "libX11.so",
    "libwayland-client.so",
    "libxcb.so",
    // Fonts, which use the system's settings.
    "libfontconfig.so",
    "libfreetype.so",
    "libfribidi.so",
    "libharfbuzz.so",
    // Libraries that the libraries above use.
    "libcom_err.so",
    "libexpat.so",
    "libz.so",
];

/// The Debian packages of the libraries that must come from the system.
pub(crate) const PACKAGES_OF_THE_SYSTEM: &[&str] = &[
    "fonts-dejavu-core",
    "libasound2",
    "libcom-err2",
    "libdrm2",
    "libegl1",
    "libexpat1",
    "libfontconfig1",
    "libfreetype6",
    "libfribidi0",
    "libgbm1",
    "libgl1",
    "libharfbuzz0b",
    "libice6",
    "libsm6",
    "libstdc++6",
    "libwayland-client0",
    "libx11-6",
    "libx11-xcb1",
    "libxcb1",
    "zlib1g",
];

/// The archives that are linked into a static program: the C library and the compiler's libraries.
const LINKED_IN: &[&str] = &["libc.a", "libgcc.a", "libgcc_eh.a"];

/// Returns all libraries that `seeds` need, directly or indirectly, without those of the system.
pub(crate) fn closure(seeds: &[PathBuf]) -> Result<BTreeSet<PathBuf>> {
    let mut places = BTreeMap::new();
    for seed in seeds {
        places.extend(loaded(&Program::new("ldd").args([seed]).text()?));
    }
    let mut found = BTreeSet::new();
    let mut waiting: Vec<PathBuf> = seeds.to_vec();
    while let Some(next) = waiting.pop() {
        let needed = Program::new("patchelf")
            .args(["--print-needed"])
            .args([&next])
            .text()?;
        for name in needed.lines().filter(|name| !is_of_the_system(name)) {
            let place = places
                .get(name)
                .with_context(|| format!("{} needs {name}, which is not here", next.display()))?;
            if found.insert(place.clone()) {
                waiting.push(place.clone());
            }
        }
    }
    Ok(found)
}

/// Parses the paths of a program's libraries from the output of `ldd`.
fn loaded(said: &str) -> BTreeMap<String, PathBuf> {
    said.lines()
        .filter_map(|line| line.trim().split_once(" => "))
        .filter_map(|(name, rest)| {
            let place = rest.split(" (").next()?;
            Path::new(place)
                .is_absolute()
                .then(|| (name.to_owned(), place.into()))
        })
        .collect()
}

/// Returns the paths of the archives that are linked into a static program.
pub(crate) fn archives() -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for name in LINKED_IN {
        let said = Program::new("cc")
            .args([format!("-print-file-name={name}")])
            .text()?;
        // The compiler prints the bare name of a file that it does not find.
        let archive = PathBuf::from(said.trim());
        ensure!(archive.is_absolute(), "the C compiler finds no {name}");
        found.push(archive);
    }
    Ok(found)
}

fn is_of_the_system(name: &str) -> bool {
    OF_THE_SYSTEM.iter().any(|own| name.starts_with(own))
}

/// Sets the folder in which a program or library searches its libraries, relative to its own
/// folder.
pub(crate) fn look_from(file: &Path, place: &str) -> Result<()> {
    Program::new("patchelf")
        .args(["--set-rpath", place])
        .args([file])
        .run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_what_is_missing_has_none() {
        let said = "\tlinux-vdso.so.1 (0x00007ffc)\n\
                    \tlibgtk-3.so.0 => /lib/x86_64-linux-gnu/libgtk-3.so.0 (0x00007f)\n\
                    \tlibodd.so.1 => not found\n\
                    \t/lib64/ld-linux-x86-64.so.2 (0x00007f)\n";
        let places = loaded(said);
        assert_eq!(places.len(), 1);
        assert_eq!(
            places["libgtk-3.so.0"],
            Path::new("/lib/x86_64-linux-gnu/libgtk-3.so.0")
        );
    }

    #[test]
    fn the_c_library_stays_and_what_only_begins_like_it_goes_along() {
        for own in [
            "libc.so.6",
            "ld-linux-x86-64.so.2",
            "libX11.so.6",
            "libGL.so.1",
        ] {
            assert!(is_of_the_system(own), "{own}");
        }
        for other in [
            "libcairo.so.2",
            "libwebkit2gtk-4.1.so.0",
            "libXext.so.6",
            "libgtk-3.so.0",
        ] {
            assert!(!is_of_the_system(other), "{other}");
        }
    }
}
