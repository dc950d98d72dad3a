//! Finds members in the members folder, and detects changes.

mod watch;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::messages::FolderError;
use guild_model::manifest::{MANIFEST_BYTES_MAX, ParsedManifest, parse};
use guild_model::messages::io_message;
use guild_model::{Code, MemberName, Report};
use guild_process::descriptors::is_scarcity;

pub use self::watch::FolderWatch;
use crate::files::read_bounded;

/// Name of the manifest file in a member's folder.
pub const MANIFEST_FILE: &str = "plugin.json";
/// Maximum number of folders that are read. If there are more, the scan reports an error.
const FOLDERS_MAX: usize = 2_000;

/// A member's folder and its content.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberFolder {
    /// The member's name in the manifest. Without a valid name there, the name that the member had
    /// before, or else a name derived from the folder's name.
    pub name: MemberName,
    /// The path in the members' folder. It may be a symbolic link.
    pub folder: PathBuf,
    /// The manifest, or why it can't be used. Every report names the member.
    pub parsed: ParsedManifest,
    /// The manifest's text, for the member's page. `None` if it was not read.
    pub text: Option<String>,
}

/// Content of the members folder.
#[derive(Debug, Default)]
pub struct Scan {
    /// The folders with unique member names, ordered by path. Hidden folders are skipped.
    pub found: Vec<MemberFolder>,
    /// Why the members' folder itself can't be read.
    pub error: Option<Report>,
    /// The system's error text, if the members' folder can't be read because of a system error.
    pub unreadable: Option<String>,
}

impl Scan {
    /// Creates the result for a members folder that can't be read.
    fn failed(members_dir: &Path, error: &std::io::Error) -> Self {
        let (folder, said) = (members_dir.to_owned(), error.to_string());
        let is_scarce = is_scarcity(error);
        let unreadable = (!is_scarce).then(|| said.clone());
        let trouble = if is_scarce {
            FolderError::Scarce(folder, io_message(error))
        } else {
            FolderError::Unreadable(folder, said)
        };
        Self {
            found: vec![],
            error: Some(Report::from_error(Code::MembersFolderUnreadable, &trouble)),
            unreadable,
        }
    }
}

/// Reads the members folder. Blocking.
///
/// `holders` contains the member name that each folder currently has. If two folders have manifests
/// with the same name, the folder that already has the name keeps it. If neither has, the first
/// folder in alphabetical order gets it. While a manifest can't be read, for example during a
/// write, its member keeps its name.
pub fn scan(members_dir: &Path, holders: &HashMap<PathBuf, MemberName>) -> Scan {
    let mut scan = Scan::default();
    let folders = match folders_of(members_dir) {
        Ok(folders) => folders,
        Err(error) => return Scan::failed(members_dir, &error),
    };
    if folders.len() > FOLDERS_MAX {
        let trouble = FolderError::TooMany(members_dir.to_owned(), folders.len(), FOLDERS_MAX);
        scan.error = Some(Report::from_error(Code::MembersFolderUnreadable, &trouble));
    }
    let looked: std::io::Result<Vec<(MemberFolder, bool)>> = folders
        .into_iter()
        .take(FOLDERS_MAX)
        .map(|folder| {
            let held = holders.get(&folder);
            let found = look_into(folder, members_dir, held)?;
            let holds = held == Some(&found.name);
            Ok((found, holds))
        })
        .collect();
    let mut found = match looked {
        Ok(found) => found,
        Err(error) => return Scan::failed(members_dir, &error),
    };
    give_names(&mut found);
    scan.found = found.into_iter().map(|(found, _)| found).collect();
    scan
}

/// Returns the folders, including symbolic links to folders, ordered by name. Hidden folders are
/// skipped.
fn folders_of(members_dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(members_dir)?
        .filter_map(Result::ok)
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .filter(|entry| {
            entry
                .file_type()
                .is_ok_and(|kind| kind.is_dir() || kind.is_symlink())
        })
        .map(|entry| entry.path())
        // A link to a file is not a member. A link with a missing target counts as one, so that the
        // user sees the error.
        .filter(|path| !path.is_file())
        .collect();
    folders.sort();
    Ok(folders)
}

/// Reads one folder. `held` is the current name of its member, if any. Errors in the folder are
/// part of the result. An `Err` means that the folder's state is temporarily unknown.
fn look_into(
    folder: PathBuf,
    members_dir: &Path,
    held: Option<&MemberName>,
) -> std::io::Result<MemberFolder> {
    let fallback = held.cloned().unwrap_or_else(|| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        MemberName::for_folder(&name, 1)
    });
    let broken = |report: Report| MemberFolder {
        parsed: ParsedManifest::refused(report.of(&fallback)),
        name: fallback.clone(),
        folder: folder.clone(),
        text: None,
    };
    if let Err(report) = check_folder(&folder, members_dir) {
        return Ok(broken(report));
    }
    let file = folder.join(MANIFEST_FILE);
    let bytes = match read_bounded(&file, MANIFEST_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if is_scarcity(&error) => return Err(error),
        Err(error) => return Ok(broken(unreadable(&file, &error))),
    };
    let mut parsed = parse(&bytes, &file.display().to_string());
    let name = parsed.name.clone().unwrap_or_else(|| fallback.clone());
    parsed.manifest = parsed.manifest.map_err(|report| report.of(&name));
    parsed.warnings = parsed
        .warnings
        .into_iter()
        .map(|report| report.of(&name))
        .collect();
    Ok(MemberFolder {
        name,
        folder,
        parsed,
        text: Some(String::from_utf8_lossy(&bytes).into_owned()),
    })
}

/// Rejects a link that has no target, is circular, or leads to the members' folder or a folder
/// above it.
fn check_folder(folder: &Path, members_dir: &Path) -> Result<(), Report> {
    let unsafe_folder = |trouble| Report::from_error(Code::FolderUnsafe, &trouble);
    let real = folder.canonicalize().map_err(|error| {
        unsafe_folder(FolderError::Unsafe(folder.to_owned(), error.to_string()))
    })?;
    if members_dir
        .canonicalize()
        .is_ok_and(|members| members.starts_with(&real))
    {
        return Err(unsafe_folder(FolderError::LeadsBack(folder.to_owned())));
    }
    Ok(())
}

/// Returns the report about a manifest that can't be read. Its code depends on the kind of the
/// error.
pub fn unreadable(file: &Path, error: &std::io::Error) -> Report {
    let (file, said) = (file.to_owned(), io_message(error));
    let (code, trouble) = match error.kind() {
        std::io::ErrorKind::NotFound => (Code::ManifestMissing, FolderError::NoManifest(file)),
        std::io::ErrorKind::FileTooLarge => (
            Code::ManifestTooLarge,
            FolderError::HugeManifest(file, said),
        ),
        _ => (
            Code::ManifestUnreadable,
            FolderError::ClosedManifest(file, said),
        ),
    };
    Report::from_error(code, &trouble)
}

/// Makes names unique. A folder that already has the name, and has a manifest, takes precedence.
/// Then a name from a manifest takes precedence over a name derived from a folder's name. Then the
/// order of the folders decides.
fn give_names(found: &mut [(MemberFolder, bool)]) {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&at| {
        let (member, holds) = &found[at];
        let is_held = *holds && has_manifest(member);
        (!is_held, member.parsed.manifest.is_err(), !holds, at)
    });
    let mut taken: HashMap<MemberName, PathBuf> = HashMap::new();
    for at in order {
        let member = &mut found[at].0;
        if let Some(other) = taken.get(&member.name) {
            let trouble = FolderError::NameTwice(
                member.folder.join(MANIFEST_FILE),
                format!("{:?}", member.name.as_str()),
                other.clone(),
            );
            let report = Report::from_error(Code::DuplicateName, &trouble);
            let folder = member
                .folder
                .file_name()
                .unwrap_or_default()
                .to_string_lossy();
            let free = (1..)
                .map(|turn| MemberName::for_folder(&folder, turn))
                .find(|name| !taken.contains_key(name));
            if let Some(name) = free {
                // A folder with a broken manifest keeps that error, since its name was only
                // derived.
                let broken = member.parsed.manifest.as_ref().err().cloned();
                member.parsed.manifest = Err(broken.unwrap_or(report).of(&name));
                member.name = name;
            }
        }
        taken.insert(member.name.clone(), member.folder.clone());
    }
}

/// Whether the folder has a manifest. A folder without one loses its name to other folders.
fn has_manifest(member: &MemberFolder) -> bool {
    let gone = |report: &Report| matches!(report.code, Code::ManifestMissing | Code::FolderUnsafe);
    !member.parsed.manifest.as_ref().is_err_and(gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(dir: &Path, folder: &str, manifest: &str) -> PathBuf {
        let folder = dir.join(folder);
        std::fs::create_dir_all(&folder).expect("made");
        std::fs::write(folder.join(MANIFEST_FILE), manifest).expect("written");
        folder
    }

    fn manifest(name: &str) -> String {
        format!(r#"{{"name":"{name}","version":"1","transport":"stdio","command":"x"}}"#)
    }

    fn names(scan: &Scan) -> Vec<(&str, Option<Code>)> {
        scan.found
            .iter()
            .map(|found| {
                (
                    found.name.as_str(),
                    found
                        .parsed
                        .manifest
                        .as_ref()
                        .err()
                        .map(|report| report.code),
                )
            })
            .collect()
    }

    #[test]
    fn a_bad_manifest_is_a_member_in_error_and_hides_no_other() {
        let dir = tempfile::tempdir().expect("a folder");
        member(dir.path(), "good", &manifest("good"));
        member(dir.path(), "empty", "");
        member(dir.path(), "huge", &"x".repeat(300 * 1024));
        member(dir.path(), "types", r#"{"name":"types","version":1}"#);
        std::fs::create_dir(dir.path().join("missing")).expect("made");
        std::fs::create_dir(dir.path().join(".hidden")).expect("made");
        std::fs::write(dir.path().join("plugin.schema.json"), "{}").expect("written");
        let scan = scan(dir.path(), &HashMap::new());
        assert_eq!(
            names(&scan),
            [
                ("empty", Some(Code::ManifestNotJson)),
                ("good", None),
                ("huge", Some(Code::ManifestTooLarge)),
                ("missing", Some(Code::ManifestMissing)),
                ("types", Some(Code::ManifestField)),
            ]
        );
        for found in &scan.found {
            if let Err(report) = &found.parsed.manifest {
                assert_eq!(report.member.as_ref(), Some(&found.name), "{report}");
                assert!(!report.hint.is_empty(), "{report}");
            }
        }
    }

    #[test]
    fn of_two_equal_names_the_holder_keeps_it() {
        let dir = tempfile::tempdir().expect("a folder");
        member(dir.path(), "a", &manifest("same"));
        let b = member(dir.path(), "b", &manifest("same"));
        assert_eq!(
            names(&scan(dir.path(), &HashMap::new())),
            [("same", None), ("b", Some(Code::DuplicateName))]
        );
        let holders = HashMap::from([(b, MemberName::parse("same").expect("a name"))]);
        assert_eq!(
            names(&scan(dir.path(), &holders)),
            [("a", Some(Code::DuplicateName)), ("same", None)]
        );
    }

    #[test]
    fn unreadable_manifest_keeps_its_name() {
        let dir = tempfile::tempdir().expect("a folder");
        member(dir.path(), "a-copy", &manifest("forge"));
        let holder = member(dir.path(), "workshop", "{\"name\": \"forge\", ");
        let forge = MemberName::parse("forge").expect("a name");
        let holders = HashMap::from([(holder.clone(), forge)]);
        let found = scan(dir.path(), &holders);
        assert_eq!(
            names(&found),
            [
                ("a-copy", Some(Code::DuplicateName)),
                ("forge", Some(Code::ManifestNotJson)),
            ]
        );
        let report = found.found[1].parsed.manifest.as_ref().expect_err("broken");
        assert_eq!(report.member.as_ref(), Some(&found.found[1].name));
        // A folder whose manifest has another name no longer uses the first name.
        std::fs::write(holder.join(MANIFEST_FILE), manifest("foundry")).expect("written");
        assert_eq!(
            names(&scan(dir.path(), &holders)),
            [("forge", None), ("foundry", None)]
        );
        // Without a manifest, the folder uses the name only until another member needs it.
        std::fs::remove_file(holder.join(MANIFEST_FILE)).expect("removed");
        let found = scan(dir.path(), &holders);
        let report = found.found[1].parsed.manifest.as_ref().expect_err("none");
        assert_eq!(report.member.as_ref(), Some(&found.found[1].name));
        assert_eq!(
            names(&found),
            [("forge", None), ("workshop", Some(Code::ManifestMissing)),]
        );
        std::fs::remove_dir_all(dir.path().join("a-copy")).expect("removed");
        assert_eq!(
            names(&scan(dir.path(), &holders)),
            [("forge", Some(Code::ManifestMissing))]
        );
    }

    #[test]
    fn a_folder_without_a_name_of_its_own_never_takes_a_members() {
        let dir = tempfile::tempdir().expect("a folder");
        member(dir.path(), "a", "");
        member(dir.path(), "z", &manifest("a"));
        assert_eq!(
            names(&scan(dir.path(), &HashMap::new())),
            [("a~2", Some(Code::ManifestNotJson)), ("a", None)]
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_in_a_circle_or_back_are_refused_and_others_followed() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().expect("a folder");
        member(outside.path(), "project", &manifest("linked"));
        let dir = tempfile::tempdir().expect("a folder");
        symlink(dir.path().join("loop"), dir.path().join("loop")).expect("linked");
        symlink(dir.path(), dir.path().join("self")).expect("linked");
        symlink(dir.path().join("nowhere"), dir.path().join("dangling")).expect("linked");
        symlink(outside.path().join("project"), dir.path().join("project")).expect("linked");
        assert_eq!(
            names(&scan(dir.path(), &HashMap::new())),
            [
                ("dangling", Some(Code::FolderUnsafe)),
                ("loop", Some(Code::FolderUnsafe)),
                ("linked", None),
                ("self", Some(Code::FolderUnsafe)),
            ]
        );
    }

    #[test]
    fn a_folder_that_is_missing_is_said_once_for_the_roster() {
        let scan = scan(Path::new("/nowhere/at/all"), &HashMap::new());
        assert!(scan.found.is_empty());
        assert_eq!(
            scan.error.map(|report| report.code),
            Some(Code::MembersFolderUnreadable)
        );
    }
}
