//! Templates for new members of server authors: a small server in each of four languages. The files
//! of the templates are also the samples in the documentation, which tests run.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use crate::messages::CliError;
use guild_api::wire::{
    CreateMember, CreatedMember, MemberTemplate, MemberTemplates, TemplateLanguage,
};
use guild_files::messages::InstallError;
use guild_model::manifest::{self, Manifest, parse};
use guild_model::messages::io_message;
use guild_model::{Code, MemberName, Report};

use crate::hall::GuildHall;
use guild_files::blocking::blocking;
use guild_files::files::folder::{FolderAside, clear_folders};
use guild_files::members_folder::{MANIFEST_FILE, scan};
use guild_import::scan::UsedMemberNames;

/// Prefix of the temporary name of a member's folder, until its files are complete.
const ASIDE: &str = ".guild-hall-begun-";

impl GuildHall {
    /// Returns the templates for new members.
    pub fn beginnings(&self) -> MemberTemplates {
        beginnings()
    }

    /// Creates a small server in the members' folder, and waits until it is in the roster. Like
    /// each server that the user wrote, it needs no review.
    ///
    /// # Errors
    /// The errors of [`begin_member`].
    pub async fn begin_member(&self, request: CreateMember) -> Result<CreatedMember, Report> {
        let members_dir = self.paths().members_dir.clone();
        let begun = blocking(move || begin_member(&members_dir, &request)).await??;
        self.until_shown(std::slice::from_ref(&begun.member)).await;
        Ok(begun)
    }
}

macro_rules! files {
    ($folder:literal: $($file:literal),+ $(,)?) => {
        &[$(($file, include_str!(concat!("../../../../docs/samples/", $folder, "/", $file)))),+]
    };
}

/// Returns the files of a template, by their paths in the member's folder.
fn files_of(from: TemplateLanguage) -> &'static [(&'static str, &'static str)] {
    match from {
        TemplateLanguage::Python => {
            files!("python": "plugin.json", "README.md", "requirements.txt", "server.py")
        }
        TemplateLanguage::TypeScript => files!(
            "typescript": "plugin.json", "README.md", "package.json", "server.ts", "tsconfig.json"
        ),
        TemplateLanguage::Rust => files!(
            "rust": "plugin.json", "README.md", "Cargo.toml", "Cargo.lock", "src/main.rs"
        ),
        TemplateLanguage::Shell => files!("shell": "plugin.json", "README.md", "server.sh"),
    }
}

fn text_of(from: TemplateLanguage, wanted: &str) -> &'static str {
    let file = files_of(from).iter().find(|(file, _)| *file == wanted);
    file.map_or("", |(_, text)| text)
}

/// Returns the commands to run once in the member's folder before its first start. The commands are
/// the indented lines of the template's README.md.
fn set_up(from: TemplateLanguage) -> Vec<String> {
    let lines = text_of(from, "README.md").lines();
    let commands = lines.filter_map(|line| line.strip_prefix("    "));
    commands.map(str::to_owned).collect()
}

fn manifest_of(from: TemplateLanguage) -> Option<Manifest> {
    let parsed = parse(text_of(from, MANIFEST_FILE).as_bytes(), MANIFEST_FILE);
    parsed.manifest.ok()
}

/// Returns the command that rebuilds the server after its sources change. `None` without a build
/// step.
fn build_of(manifest: &Manifest) -> Option<String> {
    let words = &manifest.own_dev()?.build;
    (!words.is_empty()).then(|| manifest::command_words(words))
}

/// Returns the available templates.
pub(crate) fn beginnings() -> MemberTemplates {
    let one = |from| {
        let manifest = manifest_of(from);
        let files = files_of(from).iter();
        MemberTemplate {
            from,
            files: files.map(|(file, _)| (*file).to_owned()).collect(),
            command: manifest
                .as_ref()
                .map_or_else(String::new, manifest::command_line),
            set_up: set_up(from),
            build: manifest.as_ref().and_then(build_of),
        }
    };
    MemberTemplates {
        beginnings: TemplateLanguage::ALL.map(one).into(),
    }
}

/// Creates a member in the members' folder from a template. If a hall watches the folder, its
/// roster has the member within a second. Blocking.
///
/// # Errors
/// `manifest-field` if the name is invalid, `duplicate-name` if the name or the folder is taken,
/// `members-folder-unreadable` if the folder can't be written.
pub fn begin_member(members_dir: &Path, request: &CreateMember) -> Result<CreatedMember, Report> {
    let name = MemberName::parse(request.member.as_str())
        .map_err(|error| Report::from_error(Code::ManifestField, &CliError::Name(error.0)))?;
    let place = members_dir.join(name.as_str());
    let there = scan(members_dir, &HashMap::new()).found;
    let names = UsedMemberNames::taken(there.iter().map(|member| member.name.as_str()));
    let taken = if place.symlink_metadata().is_ok() {
        Some(InstallError::PlaceTaken(place.clone()))
    } else if !names.is_free(name.as_str()) {
        let shown = format!("{:?}", name.as_str());
        Some(InstallError::BeginTaken(shown))
    } else {
        None
    };
    if let Some(trouble) = taken {
        return Err(Report::from_error(Code::DuplicateName, &trouble));
    }
    clear_folders(members_dir, ASIDE);
    put(members_dir, &place, &name, request.from).map_err(|error| {
        let trouble = InstallError::NotBegun(place.clone(), io_message(&error));
        Report::from_error(Code::MembersFolderUnreadable, &trouble)
    })?;
    Ok(CreatedMember {
        member: name,
        folder: place.display().to_string(),
        set_up: set_up(request.from),
    })
}

/// Writes the files into a temporary folder and then renames that, so that no other program sees an
/// incomplete member.
fn put(
    members_dir: &Path,
    place: &Path,
    name: &MemberName,
    from: TemplateLanguage,
) -> io::Result<()> {
    std::fs::create_dir_all(members_dir)?;
    let aside = FolderAside::begin(members_dir, ASIDE)?;
    for (file, text) in files_of(from) {
        let path = aside.path().join(file);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let sample = format!("\"name\": \"words-{}\"", from.as_str());
        let named = format!("\"name\": \"{name}\"");
        let text = match *file {
            MANIFEST_FILE => text.replacen(&sample, &named, 1),
            _ => (*text).to_owned(),
        };
        std::fs::write(path, text)?;
    }
    aside.put_in_place(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(folder: &Path, name: &str, from: TemplateLanguage) -> Result<CreatedMember, Report> {
        let member = MemberName::parse(name).expect("a name");
        begin_member(folder, &CreateMember { member, from })
    }

    #[test]
    fn each_beginning_is_a_member_of_the_name_that_was_given() {
        let folder = tempfile::tempdir().expect("a folder");
        for from in TemplateLanguage::ALL {
            let name = format!("my-{}", from.as_str());
            let place = begun(folder.path(), &name, from).expect("begun").folder;
            let place = Path::new(&place);
            let text = std::fs::read_to_string(place.join("plugin.json")).expect("a manifest");
            let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(manifest["name"], name.as_str());
            assert!(!text.contains("words-"), "{text}");
            for (file, text) in files_of(from) {
                let written = std::fs::read_to_string(place.join(file)).expect("written");
                assert!(*file == "plugin.json" || written == *text, "{file}");
            }
        }
        let left = std::fs::read_dir(folder.path()).expect("listed").count();
        assert_eq!(left, TemplateLanguage::ALL.len(), "no other files");
    }

    #[test]
    fn a_folder_that_is_there_is_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("mine");
        std::fs::create_dir(&place).expect("made");
        std::fs::write(place.join("notes.txt"), "mine").expect("written");
        let refused = begun(folder.path(), "mine", TemplateLanguage::Shell);
        assert_eq!(refused.expect_err("refused").code, Code::DuplicateName);
        let files: Vec<_> = std::fs::read_dir(&place).expect("listed").collect();
        assert_eq!(files.len(), 1);
    }

    #[test]
    fn a_name_is_taken_also_where_its_folder_is_called_otherwise() {
        let folder = tempfile::tempdir().expect("a folder");
        begun(folder.path(), "mine", TemplateLanguage::Shell).expect("begun");
        std::fs::rename(folder.path().join("mine"), folder.path().join("other")).expect("renamed");
        for name in ["mine", "MINE"] {
            let refused = begun(folder.path(), name, TemplateLanguage::Shell).expect_err("refused");
            assert_eq!(refused.code, Code::DuplicateName);
        }
        let left = std::fs::read_dir(folder.path()).expect("listed").count();
        assert_eq!(left, 1, "nothing was written");
    }

    #[test]
    fn invalid_template_name_stays_in_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("members");
        for text in ["..", "../out", "a/b", ""] {
            // The name arrives unchecked over the socket.
            let member = serde_json::from_value(serde_json::Value::from(text));
            let Ok(member) = member else { continue };
            let from = TemplateLanguage::Shell;
            let refused = begin_member(&inner, &CreateMember { member, from });
            assert_eq!(refused.expect_err(text).code, Code::ManifestField);
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
    }

    #[test]
    fn template_reports_its_commands() {
        let told = beginnings().beginnings;
        let commands: Vec<_> = told.iter().map(|one| one.command.as_str()).collect();
        assert_eq!(
            commands,
            [
                "./.venv/bin/python server.py",
                "node build/server.js",
                "./target/release/words",
                "bash server.sh"
            ]
        );
        let set_up: Vec<_> = told.iter().map(|one| one.set_up.len()).collect();
        assert_eq!(set_up, [2, 2, 1, 0]);
        let builds: Vec<_> = told.iter().map(|one| one.build.as_deref()).collect();
        let npm = "npm run --silent build";
        assert_eq!(
            builds,
            [None, Some(npm), Some("cargo build --release"), None]
        );
        assert!(
            told.iter()
                .all(|one| one.files.contains(&"plugin.json".to_owned()))
        );
    }
}
