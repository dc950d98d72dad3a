//! Finds files of Guild Hall itself: programs that other programs start, and bundled files.

use std::path::Path;

/// Returns the path of the running program, the default value of `${GUILDHALL}`.
pub fn own_binary() -> std::io::Result<String> {
    Ok(std::env::current_exe()?.to_string_lossy().into_owned())
}

/// Returns the file with the licenses of the libraries in a program. Packages and AppImages have it
/// in `share/doc` next to the binary's folder. `None` if it doesn't exist.
pub fn licences(binary: &Path) -> Option<String> {
    let place = binary.parent()?.parent()?;
    let file = place.join("share/doc/guild-hall/third-party-licences.txt.gz");
    file.is_file().then(|| file.display().to_string())
}

/// Returns a path of `guildhall` that stays valid after this run, for example for the configuration
/// files of other programs. The path of an AppImage's content is not permanent. For an AppImage,
/// this function therefore returns a symbolic link in the data folder that leads to the AppImage.
/// Started through this link, the AppImage runs the command line.
#[cfg_attr(
    not(unix),
    expect(unused_variables, reason = "AppImages exist on Linux only")
)]
pub fn lasting_binary(own_binary: &str, data_dir: &Path) -> std::io::Result<String> {
    #[cfg(unix)]
    if let Some(image) = guild_process::AppImage::of_this_program() {
        return link_to(&image.file, data_dir);
    }
    Ok(own_binary.to_owned())
}

#[cfg(unix)]
fn link_to(image: &Path, data_dir: &Path) -> std::io::Result<String> {
    let folder = data_dir.join("bin");
    let link = folder.join("guildhall");
    if std::fs::read_link(&link).ok().as_deref() != Some(image) {
        std::fs::create_dir_all(&folder)?;
        let new = folder.join(format!("guildhall.{}", std::process::id()));
        std::os::unix::fs::symlink(image, &new)?;
        std::fs::rename(&new, &link)?;
    }
    Ok(link.to_string_lossy().into_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_link_to_an_appimage_follows_it_to_where_it_is() {
        let data = tempfile::tempdir().expect("a folder");
        for image in [
            "/a/Guild_Hall.AppImage",
            "/b/Guild_Hall.AppImage",
            "/b/Guild_Hall.AppImage",
        ] {
            let link = link_to(Path::new(image), data.path()).expect("a link");
            assert_eq!(std::fs::read_link(&link).expect("a link"), Path::new(image));
            assert!(link.ends_with("bin/guildhall"), "{link}");
        }
        let count = std::fs::read_dir(data.path().join("bin"))
            .expect("the folder")
            .count();
        assert_eq!(count, 1, "nothing else stays");
    }

    #[test]
    fn licences_are_where_a_package_puts_them_and_nowhere_else() {
        let prefix = tempfile::tempdir().expect("a folder");
        let binary = prefix.path().join("bin/guild-hall");
        assert_eq!(licences(&binary), None);
        let docs = prefix.path().join("share/doc/guild-hall");
        std::fs::create_dir_all(&docs).expect("made");
        let file = docs.join("third-party-licences.txt.gz");
        std::fs::write(&file, b"").expect("written");
        assert_eq!(licences(&binary), Some(file.display().to_string()));
    }
}
