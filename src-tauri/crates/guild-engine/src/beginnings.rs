//! Members to begin with: a small server in each of four languages, put into the members' folder
//! for whoever writes one. They are the samples of the docs, which tests run.

use std::io;
use std::path::{Path, PathBuf};

use guild_core::{Code, MemberName, Report};

use crate::files::folder::{FolderAside, clear_folders};

/// The beginning of the name that a member's folder has until it is whole.
const ASIDE: &str = ".guild-hall-begun-";

/// The language of a member that is begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginning {
    /// Python, with the official SDK.
    Python,
    /// TypeScript on Node.js, with the official SDK.
    TypeScript,
    /// Rust, with the official SDK.
    Rust,
    /// Bash and jq.
    Shell,
}

macro_rules! files {
    ($folder:literal: $($file:literal),+ $(,)?) => {
        &[$(($file, include_str!(concat!("../../../../docs/samples/", $folder, "/", $file)))),+]
    };
}

impl Beginning {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::Python, Self::TypeScript, Self::Rust, Self::Shell];

    /// What it is called.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::TypeScript => "typescript",
            Self::Rust => "rust",
            Self::Shell => "shell",
        }
    }

    /// Its files, by their paths in the member's folder.
    fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Python => {
                files!("python": "plugin.json", "README.md", "requirements.txt", "server.py")
            }
            Self::TypeScript => files!(
                "typescript": "plugin.json", "README.md", "package.json", "server.ts", "tsconfig.json"
            ),
            Self::Rust => files!(
                "rust": "plugin.json", "README.md", "Cargo.toml", "Cargo.lock", "src/main.rs"
            ),
            Self::Shell => files!("shell": "plugin.json", "README.md", "server.sh"),
        }
    }

    /// What is run once in the member's folder before it can start: the commands of its README.
    pub fn set_up(self) -> Vec<&'static str> {
        let readme = self.files().iter().find(|(file, _)| *file == "README.md");
        let lines = readme.map_or("", |(_, text)| text).lines();
        lines.filter_map(|line| line.strip_prefix("    ")).collect()
    }
}

/// Puts a member of this name into the members' folder, and gives its own folder back. A hall that
/// follows the folder has it within a second.
///
/// # Errors
/// `duplicate-name` where such a folder is there already, `members-folder-unreadable` where nothing
/// can be put there.
pub fn begin_member(
    members_dir: &Path,
    name: &MemberName,
    from: Beginning,
) -> Result<PathBuf, Report> {
    let place = members_dir.join(name.as_str());
    if place.symlink_metadata().is_ok() {
        return Err(Report::new(
            Code::DuplicateName,
            format!("There is {} already.", place.display()),
            "Choose another name; nothing was written.",
        ));
    }
    clear_folders(members_dir, ASIDE);
    put(members_dir, &place, name, from).map_err(|error| {
        Report::new(
            Code::MembersFolderUnreadable,
            format!("{} can't be written: {error}.", place.display()),
            "Make the folder writable, or name another with --members DIR.",
        )
    })?;
    Ok(place)
}

/// Puts it together beside its place, so that nobody sees the half of it.
fn put(members_dir: &Path, place: &Path, name: &MemberName, from: Beginning) -> io::Result<()> {
    std::fs::create_dir_all(members_dir)?;
    let aside = FolderAside::begin(members_dir, ASIDE)?;
    for (file, text) in from.files() {
        let path = aside.path().join(file);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let sample = format!("\"name\": \"words-{}\"", from.as_str());
        let named = format!("\"name\": \"{name}\"");
        let text = match *file {
            "plugin.json" => text.replacen(&sample, &named, 1),
            _ => (*text).to_owned(),
        };
        std::fs::write(path, text)?;
    }
    aside.put_in_place(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> MemberName {
        MemberName::parse(text).expect("a name")
    }

    #[test]
    fn each_beginning_is_a_member_of_the_name_that_was_given() {
        let folder = tempfile::tempdir().expect("a folder");
        for from in Beginning::ALL {
            let name = named(&format!("my-{}", from.as_str()));
            let place = begin_member(folder.path(), &name, from).expect("begun");
            let text = std::fs::read_to_string(place.join("plugin.json")).expect("a manifest");
            let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(manifest["name"], name.as_str());
            assert!(!text.contains("words-"), "{text}");
            for (file, text) in from.files() {
                let written = std::fs::read_to_string(place.join(file)).expect("written");
                assert!(*file == "plugin.json" || written == *text, "{file}");
            }
        }
        let left = std::fs::read_dir(folder.path()).expect("listed").count();
        assert_eq!(left, Beginning::ALL.len(), "nothing stands beside them");
    }

    #[test]
    fn a_folder_that_is_there_is_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("mine");
        std::fs::create_dir(&place).expect("made");
        std::fs::write(place.join("notes.txt"), "mine").expect("written");
        let refused = begin_member(folder.path(), &named("mine"), Beginning::Shell);
        assert_eq!(refused.expect_err("refused").code, Code::DuplicateName);
        let files: Vec<_> = std::fs::read_dir(&place).expect("listed").collect();
        assert_eq!(files.len(), 1);
    }

    #[test]
    fn what_has_to_be_run_first_stands_in_each_readme() {
        let commands = |from: Beginning| from.set_up().len();
        assert_eq!(Beginning::ALL.map(commands), [2, 2, 1, 0]);
    }
}
