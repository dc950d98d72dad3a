//! The sample members. The first start installs them in the default members' folder.

use std::io;
use std::path::{Path, PathBuf};

use crate::messages::InstallError;
use guild_model::messages::io_message;
use guild_model::{Code, Report};

use crate::files::folder::{FolderAside, clear_folders};

macro_rules! sample_file {
    ($path:literal) => {
        (
            $path,
            include_str!(concat!("../../../../guild-members/", $path)),
        )
    };
}

/// The sample files: the path in the members folder, and the content.
const FILES: [(&str, &str); 6] = [
    sample_file!("clock/plugin.json"),
    sample_file!("notes/plugin.json"),
    sample_file!("notes/notes/ideas.md"),
    sample_file!("notes/notes/shopping-list.md"),
    sample_file!("notes/notes/welcome.md"),
    sample_file!("playground/plugin.json"),
];

/// Prefix of the temporary name of the samples' folder, which is renamed once it is complete.
const ASIDE: &str = ".guild-hall-samples-";

/// Installs the samples in `folder` unless it exists already, and returns the folder. Removes the
/// remains of an interrupted installation.
///
/// A sample that the user has removed is not installed again.
pub fn install_once(folder: &Path) -> Result<PathBuf, Report> {
    if let Some(parent) = folder.parent() {
        clear_folders(parent, ASIDE);
    }
    if !folder.exists()
        && let Err(error) = install(folder)
        // If the folder exists now, another program has installed the samples at the same time.
        && !folder.exists()
    {
        let trouble = InstallError::NoSamples(folder.to_owned(), io_message(&error));
        return Err(Report::from_error(Code::DataUnwritable, &trouble));
    }
    Ok(folder.to_owned())
}

/// Writes the samples to a temporary folder and renames it. The next start therefore repeats an
/// interrupted installation.
fn install(folder: &Path) -> io::Result<()> {
    let parent = folder.parent().ok_or(io::ErrorKind::InvalidInput)?;
    std::fs::create_dir_all(parent)?;
    let aside = FolderAside::begin(parent, ASIDE)?;
    for (path, text) in FILES {
        let file = aside.path().join(path);
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(file, text)?;
    }
    aside.put_in_place(folder)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("listed");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn next_start_removes_only_leftover_samples() {
        let data = tempfile::tempdir().expect("a folder");
        let at = |name: &str| data.path().join(name);
        let left = at(".guild-hall-samples-left");
        std::fs::create_dir_all(left.join("notes")).expect("made");
        std::fs::write(left.join("notes/plugin.json"), "{").expect("written");
        for other in [".tmpOther", "guild-hall-samples-mine", ".guild-hall-other"] {
            std::fs::create_dir(at(other)).expect("made");
        }
        std::fs::write(at(".guild-hall-samples-file"), "").expect("written");
        std::os::unix::fs::symlink(at(".tmpOther"), at(".guild-hall-samples-link"))
            .expect("linked");
        let being_made = FolderAside::begin(data.path(), ASIDE).expect("begun");
        let own = being_made.path().file_name().expect("a name");
        let own = own.to_string_lossy().into_owned();

        install_once(&at("guild-members")).expect("installed");
        let mut expected = vec![
            ".guild-hall-other",
            ".guild-hall-samples-file",
            ".guild-hall-samples-link",
            own.as_str(),
            ".tmpOther",
            "guild-hall-samples-mine",
            "guild-members",
        ];
        expected.sort_unstable();
        assert_eq!(names_in(data.path()), expected);
        assert_eq!(
            names_in(&at("guild-members")),
            ["clock", "notes", "playground"]
        );

        // The creator of that folder is gone now.
        let path = being_made.left();
        install_once(&at("guild-members")).expect("there already");
        assert!(!path.exists(), "also where the samples are there already");
    }

    #[test]
    fn two_first_starts_at_once_both_have_the_samples() {
        let data = tempfile::tempdir().expect("a folder");
        let folder = data.path().join("guild-members");
        std::thread::scope(|scope| {
            let starts: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| install_once(&folder)))
                .collect();
            for start in starts {
                let installed = start.join().expect("no panic").expect("installed");
                assert_eq!(names_in(&installed), ["clock", "notes", "playground"]);
            }
        });
        assert_eq!(names_in(data.path()), ["guild-members"], "and nothing else");
    }
}
