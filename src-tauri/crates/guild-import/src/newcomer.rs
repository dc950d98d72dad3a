//! Writes a new member: its manifest, its secrets, and its folder, which is written completely or
//! not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::install::{ContainerCandidate, InstallInputs, LaunchTemplate};
use guild_client_config::{ConfigContainer, LaunchSpec, NewMember, PlaceholderResolver};
use guild_files::messages::InstallError;
use guild_model::manifest::{Manifest, Transport, is_secret_name, parse};
use guild_model::messages::{Beyond, io_message};
use guild_model::{Code, MemberName, Report};

use guild_files::files;
use guild_files::files::folder::{FolderAside, clear_folders};
use guild_files::members_folder::MANIFEST_FILE;

/// Prefix of a member's folder while its files are written. Folders with this prefix are not
/// scanned for members.
const ASIDE: &str = ".guild-hall-adopted-";

/// The form in which a command is installed: as a container, or as an unchanged command.
#[derive(Debug)]
pub struct Packed {
    /// The container. `None` if the command stays a command.
    pub contained: Option<ConfigContainer>,
    /// The reasons why the command does not become a container. Empty unless the command was shown
    /// to the user as a possible container.
    pub stays: Vec<Beyond>,
}

impl Packed {
    /// Determines the form for a launch template. `filled` is its launch with all answers.
    pub fn of(
        plan: &LaunchTemplate,
        inputs: &InstallInputs,
        filled: &LaunchSpec,
        transport: Transport,
        home: &str,
    ) -> Self {
        let none = |stays| Self {
            contained: None,
            stays,
        };
        match ContainerCandidate::of(plan, inputs, transport, home) {
            None | Some(ContainerCandidate::Command(_)) => none(Vec::new()),
            Some(prospect) => match prospect.filled(filled, transport, home) {
                Ok(contained) => Self {
                    contained: Some(contained),
                    stays: Vec::new(),
                },
                Err(reasons) => none(reasons),
            },
        }
    }
}

/// A member that is ready to be written.
#[derive(Debug)]
pub struct Newcomer {
    /// The name for the member's folder and manifest.
    pub name: MemberName,
    /// The parsed manifest, which has no errors.
    pub manifest: Manifest,
    text: String,
    secrets: BTreeMap<String, Secret>,
}

/// The value of a secret. Its debug output is masked.
pub struct Secret(String);

impl Secret {
    /// Returns the value, to store it.
    pub fn into_value(self) -> String {
        self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("•••")
    }
}

impl Newcomer {
    /// Prepares a member's files without writing anything.
    ///
    /// # Errors
    /// `adoption-refused` if its manifest would have an error.
    pub fn of<W>(member: &NewMember<'_>, mut wanting: W) -> Result<Self, Report>
    where
        W: PlaceholderResolver + Into<NewSecrets>,
    {
        let text = member.manifest(&mut wanting);
        let manifest = checked(member.name, &text)?;
        let secrets: NewSecrets = wanting.into();
        Ok(Self {
            name: member.name.clone(),
            manifest,
            text,
            secrets: secrets.kept,
        })
    }

    /// Returns the manifest's text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the name of the secret with this value.
    pub fn name_of_secret(&self, value: &str) -> Option<&str> {
        let named = self.secrets.iter().find(|(_, secret)| secret.0 == value);
        named.map(|(name, _)| name.as_str())
    }

    /// Takes the member's secrets, by name. The caller must store them before it writes the member.
    pub fn take_secrets(&mut self) -> BTreeMap<String, Secret> {
        std::mem::take(&mut self.secrets)
    }

    /// Writes the member's folder completely or not at all. Blocking.
    ///
    /// # Errors
    /// `adoption-refused` if the folder exists; `file-unwritable`.
    pub fn write(&self, members_dir: &Path) -> Result<PathBuf, Report> {
        clear_folders(members_dir, ASIDE);
        let begun = std::fs::create_dir_all(members_dir)
            .and_then(|()| FolderAside::begin(members_dir, ASIDE));
        let aside = begun.map_err(|error| unwritable(&self.name, members_dir, &error))?;
        self.write_from(aside, members_dir)
    }

    /// Writes the manifest into a staging folder that already contains all other files of the
    /// member, and renames the folder to the member's name. Blocking.
    ///
    /// # Errors
    /// The errors of [`Self::write`]. The staging folder is then removed.
    pub fn write_from(&self, aside: FolderAside, members_dir: &Path) -> Result<PathBuf, Report> {
        let folder = folder_of(members_dir, &self.name);
        let is_taken = || std::fs::symlink_metadata(&folder).is_ok();
        if is_taken() {
            return Err(name_taken(&self.name));
        }
        match self.put_in_place(aside, &folder) {
            Ok(()) => Ok(folder),
            Err(_) if is_taken() => Err(name_taken(&self.name)),
            Err(error) => Err(unwritable(&self.name, &folder, &error)),
        }
    }

    fn put_in_place(&self, aside: FolderAside, folder: &Path) -> io::Result<()> {
        let mut file = files::create_own(&aside.path().join(MANIFEST_FILE))?;
        file.write_all(self.text.as_bytes())?;
        file.sync_all()?;
        aside.put_in_place(folder)
    }
}

/// Returns the folder of a new member with this name.
pub fn folder_of(members_dir: &Path, name: &MemberName) -> PathBuf {
    // Windows removes a trailing dot.
    members_dir.join(name.as_str().trim_end_matches('.'))
}

/// Parses the generated manifest of a member.
///
/// # Errors
/// `adoption-refused`.
pub fn checked(name: &MemberName, text: &str) -> Result<Manifest, Report> {
    parse(text.as_bytes(), MANIFEST_FILE)
        .manifest
        .map_err(|report| refused(name, &InstallError::BadManifest(report.message.clone())))
}

/// Returns the error for a member that can't be created.
pub fn refused(name: &MemberName, trouble: &InstallError) -> Report {
    Report::from_error(Code::AdoptionRefused, trouble).of(name)
}

/// Returns the error for a name that is in use.
pub fn name_taken(name: &MemberName) -> Report {
    let shown = format!("{:?}", name.as_str());
    refused(name, &InstallError::NameTaken(shown))
}

/// Returns the error for a member's folder that can't be written.
pub fn unwritable(name: &MemberName, folder: &Path, error: &io::Error) -> Report {
    let trouble = InstallError::Unwritable(folder.to_owned(), io_message(error));
    Report::from_error(Code::FileUnwritable, &trouble).of(name)
}

/// The secrets of a new member. Their names have the form `member/NAME`.
#[derive(Debug)]
pub struct NewSecrets {
    member: MemberName,
    /// Names of existing secrets.
    taken: BTreeSet<String>,
    kept: BTreeMap<String, Secret>,
}

impl NewSecrets {
    /// Creates an empty set. No secret gets a name that is in `taken`.
    pub fn of(member: &MemberName, taken: BTreeSet<String>) -> Self {
        Self {
            member: member.clone(),
            taken,
            kept: BTreeMap::new(),
        }
    }

    /// Stores a secret, and returns its reference for a manifest. A repeated value is stored once.
    pub fn reference(&mut self, name: &str, value: &str) -> String {
        let known = self.kept.iter().find(|(_, known)| known.0 == value);
        let name = match known {
            Some((known, _)) => known.clone(),
            None => {
                let name = self.name_for(name);
                self.kept.insert(name.clone(), Secret(value.to_owned()));
                name
            }
        };
        format!("${{secret:{name}}}")
    }

    /// Returns a name that no other secret has.
    fn name_for(&self, name: &str) -> String {
        let legal = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let name: String = name
            .chars()
            .map(|c| if legal(c) { c } else { '_' })
            .take(100)
            .collect();
        let plain = format!("{}/{name}", self.member);
        let is_free = |name: &String| {
            is_secret_name(name) && !self.taken.contains(name) && !self.kept.contains_key(name)
        };
        let others = (2..).map(|turn| format!("{plain}-{turn}"));
        let mut names = std::iter::once(plain.clone()).chain(others).take(10_000);
        names.find(is_free).unwrap_or(plain)
    }
}

/// For launches in which all placeholders except secrets are already resolved. Environment
/// variables that a container engine would forward are dropped.
impl PlaceholderResolver for NewSecrets {
    fn input(&mut self, _: &str) -> String {
        String::new()
    }

    fn secret(&mut self, name: &str, value: &str) -> String {
        self.reference(name, value)
    }

    fn passed(&mut self, _: &str) -> Option<String> {
        None
    }
}
