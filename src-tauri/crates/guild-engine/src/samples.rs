//! The sample members, which the first start puts into the user's data folder.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use guild_core::{Code, Report};
use tempfile::TempDir;

/// The samples' folder names.
pub(crate) const NAMES: [&str; 3] = ["workshop", "gallery", "lookout"];

const MANIFESTS: [&str; 3] = [
    include_str!("../../../../guild-members/workshop/plugin.json"),
    include_str!("../../../../guild-members/gallery/plugin.json"),
    include_str!("../../../../guild-members/lookout/plugin.json"),
];

/// The beginning of the name that the samples' folder has until it is whole.
const ASIDE: &str = ".guild-hall-samples-";
/// How often a folder is begun that is taken for one that was left.
const TRIES: usize = 3;
/// The most entries of the data folder that are looked at for folders that were left.
const ENTRIES_MAX: usize = 20_000;

/// Puts the samples into `folder` unless it exists already, and gives the folder back. What a start
/// left there that was cut short is removed.
///
/// A user who removes a sample does not get it back.
pub(crate) fn install_once(folder: &Path) -> Result<PathBuf, Report> {
    if let Some(parent) = folder.parent() {
        clear(parent);
    }
    if !folder.exists()
        && let Err(error) = install(folder)
        // Another program may have been faster.
        && !folder.exists()
    {
        return Err(Report::new(
            Code::DataUnwritable,
            format!(
                "The sample members can't be put into {}: {error}.",
                folder.display()
            ),
            "Make the folder writable, or name another with --members DIR or --data DIR.",
        ));
    }
    Ok(folder.to_owned())
}

/// Puts them together beside the folder and renames that, so that a start that is cut short is
/// repeated whole.
fn install(folder: &Path) -> io::Result<()> {
    let parent = folder.parent().ok_or(io::ErrorKind::InvalidInput)?;
    std::fs::create_dir_all(parent)?;
    let (aside, _lock) = begin(parent)?;
    for (name, manifest) in NAMES.iter().zip(MANIFESTS) {
        let member = aside.path().join(name);
        std::fs::create_dir(&member)?;
        std::fs::write(member.join("plugin.json"), manifest)?;
    }
    std::fs::rename(aside.path(), folder)?;
    // It has gone to its place, and is not to be removed.
    let _ = aside.keep();
    Ok(())
}

/// Begins a folder that is locked until it has its name, so that it is not taken for one that was
/// left. Where folders can't be locked, none is taken for that.
fn begin(parent: &Path) -> io::Result<(TempDir, Option<File>)> {
    for _ in 0..TRIES {
        let aside = tempfile::Builder::new().prefix(ASIDE).tempdir_in(parent)?;
        let Ok(lock) = File::open(aside.path()) else {
            return Ok((aside, None));
        };
        // Looked at between its making and its locking, it is removed.
        if lock.lock().is_err() || aside.path().exists() {
            return Ok((aside, Some(lock)));
        }
    }
    Err(io::Error::other("other programs remove what is written"))
}

/// Removes what programs left that were killed while they put the samples together.
fn clear(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else {
        return;
    };
    for entry in entries.take(ENTRIES_MAX).flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(ASIDE);
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // Whoever puts it together has it locked as long as it lives.
        let Ok(folder) = File::open(entry.path()) else {
            continue;
        };
        if folder.try_lock().is_ok()
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::debug!(folder = %entry.path().display(), %error, "an old folder stays");
        }
    }
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
    fn what_a_killed_start_left_goes_at_the_next_and_nothing_else() {
        let data = tempfile::tempdir().expect("a folder");
        let at = |name: &str| data.path().join(name);
        let left = at(".guild-hall-samples-left");
        std::fs::create_dir_all(left.join("workshop")).expect("made");
        std::fs::write(left.join("workshop/plugin.json"), "{").expect("written");
        for other in [".tmpOther", "guild-hall-samples-mine", ".guild-hall-other"] {
            std::fs::create_dir(at(other)).expect("made");
        }
        std::fs::write(at(".guild-hall-samples-file"), "").expect("written");
        std::os::unix::fs::symlink(at(".tmpOther"), at(".guild-hall-samples-link"))
            .expect("linked");
        let (being_made, lock) = begin(data.path()).expect("begun");
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
            ["gallery", "lookout", "workshop"]
        );

        // Whoever put that one together is gone now.
        let path = being_made.keep();
        drop(lock);
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
                assert_eq!(names_in(&installed), ["gallery", "lookout", "workshop"]);
            }
        });
        assert_eq!(names_in(data.path()), ["guild-members"], "and nothing else");
    }
}
