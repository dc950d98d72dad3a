//! From a found server to a member's folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use guild_core::client_config::{NewMember, Wanting};
use guild_core::manifest::{Manifest, Origin, is_secret_name, parse};
use guild_core::wire::{AdoptServer, FOUND_INPUT_MAX, FoundInput};
use guild_core::{Code, MemberName, Report};

use super::look::Looked;
use super::merge::Merged;
use super::showing::inputs;
use crate::discovery::MANIFEST_FILE;
use crate::files::folder::{FolderAside, clear_folders};

/// The beginning of the name that a member's folder has until it is whole; the members' folder is
/// searched for none that begins so.
const ASIDE: &str = ".guild-hall-adopted-";

/// A member that is ready to be written.
#[derive(Debug)]
pub(crate) struct Adoption {
    pub(crate) name: MemberName,
    pub(crate) manifest: Manifest,
    text: String,
    /// The secrets that it needs, by the names that they get.
    secrets: BTreeMap<String, Secret>,
}

/// A value that is told to nobody.
pub(crate) struct Secret(String);

impl Secret {
    /// The value, to be kept.
    pub(crate) fn into_value(self) -> String {
        self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("•••")
    }
}

impl Adoption {
    /// What would be written for a server. Nothing is done yet.
    ///
    /// # Errors
    /// `adoption-refused` where something is missing or can't be written; `found-server-unusable`.
    pub(crate) fn of(
        server: &Merged,
        looked: &Looked,
        wanted: &AdoptServer,
        kept_secrets: &BTreeSet<String>,
        at: String,
    ) -> Result<Self, Report> {
        let run = server.run.as_ref().map_err(Report::clone)?;
        let has_value = |name: &str| looked.environment.get(name).is_some();
        let inputs = inputs(run, &server.inputs, has_value);
        let given = given(&inputs, wanted)?;
        let mut filling = Filling {
            member: &wanted.name,
            inputs: &inputs,
            given,
            taken: kept_secrets,
            secrets: BTreeMap::new(),
        };
        let place = server.places.first();
        let member = NewMember {
            name: &wanted.name,
            description: &server.description,
            run,
            auto_approve: &server.auto_approve,
            denied: &server.denied,
            start_ms: server.start_ms,
            call_ms: server.call_ms,
            origin: Origin {
                from: place.map_or_else(String::new, |place| place.program.clone()),
                path: place.map(|place| place.path.clone()),
                url: None,
                at: Some(at),
                server: None,
            },
        };
        let text = member.manifest(&mut filling);
        let parsed = parse(text.as_bytes(), MANIFEST_FILE);
        let manifest = parsed.manifest.map_err(|report| {
            let message = format!("Its manifest would have an error: {}.", report.message);
            refused(&wanted.name, &message, "Write a manifest by hand.")
        })?;
        Ok(Self {
            name: wanted.name.clone(),
            manifest,
            text,
            secrets: filling.secrets,
        })
    }

    /// The secrets that it needs, to be kept before it is written.
    pub(crate) fn take_secrets(&mut self) -> BTreeMap<String, Secret> {
        std::mem::take(&mut self.secrets)
    }

    /// Writes the member's folder: whole or not at all. Blocking.
    ///
    /// # Errors
    /// `adoption-refused` where there is such a folder; `file-unwritable`.
    pub(crate) fn write(&self, members_dir: &Path) -> Result<PathBuf, Report> {
        clear_folders(members_dir, ASIDE);
        // Windows takes a dot at the end away.
        let folder = members_dir.join(self.name.as_str().trim_end_matches('.'));
        let is_taken = || std::fs::symlink_metadata(&folder).is_ok();
        if is_taken() {
            return Err(name_taken(&self.name));
        }
        match self.install(members_dir, &folder) {
            Ok(()) => Ok(folder),
            Err(_) if is_taken() => Err(name_taken(&self.name)),
            Err(error) => Err(Report::new(
                Code::FileUnwritable,
                format!("{} can't be written: {error}.", folder.display()),
                "Give yourself the right to write to the members' folder.",
            )
            .of(&self.name)),
        }
    }

    fn install(&self, members_dir: &Path, folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(members_dir)?;
        let aside = FolderAside::begin(members_dir, ASIDE)?;
        let mut file = File::create_new(aside.path().join(MANIFEST_FILE))?;
        file.write_all(self.text.as_bytes())?;
        file.sync_all()?;
        aside.put_in_place(folder)
    }
}

/// Why a server is not adopted.
pub(crate) fn refused(name: &MemberName, message: &str, hint: &str) -> Report {
    Report::new(Code::AdoptionRefused, message, hint).of(name)
}

/// The name is another's.
pub(crate) fn name_taken(name: &MemberName) -> Report {
    let message = format!("There is a member {:?} already.", name.as_str());
    refused(name, &message, "Give another name.")
}

/// The values of all inputs that have one.
fn given(inputs: &[FoundInput], wanted: &AdoptServer) -> Result<BTreeMap<String, String>, Report> {
    let mut given = BTreeMap::new();
    for input in inputs {
        let value = wanted.inputs.iter().find(|given| given.id == input.id);
        let value = value.map(|given| given.value.clone());
        // An empty field is none.
        let value = value
            .filter(|value| !value.is_empty())
            .or(input.default.clone());
        let wrong = match &value {
            None if input.required => Some("is missing"),
            Some(value) if value.len() > FOUND_INPUT_MAX => Some("is too long"),
            Some(value) if value.contains('\0') => Some("has a NUL character"),
            Some(value) if !input.choices.is_empty() && !input.choices.contains(value) => {
                Some("is none of its choices")
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            let what = match input.description.as_str() {
                "" => String::new(),
                description => format!(" ({description})"),
            };
            let message = format!("The value of {:?}{what} {wrong}.", input.id);
            return Err(refused(
                &wanted.name,
                &message,
                "Give it when you adopt the server.",
            ));
        }
        given.extend(value.map(|value| (input.id.clone(), value)));
    }
    Ok(given)
}

/// Puts into a manifest what was given, and references to secrets.
struct Filling<'a> {
    member: &'a MemberName,
    inputs: &'a [FoundInput],
    given: BTreeMap<String, String>,
    /// The names of secrets that somebody has.
    taken: &'a BTreeSet<String>,
    secrets: BTreeMap<String, Secret>,
}

impl Filling<'_> {
    fn value(&mut self, id: &str) -> Option<String> {
        let value = self.given.get(id)?.clone();
        let secret = self
            .inputs
            .iter()
            .any(|input| input.id == id && input.secret);
        Some(match secret {
            true => self.secret(id.strip_prefix("env:").unwrap_or(id), &value),
            false => value.replace("${", "$${"),
        })
    }

    /// A name that no other secret has: `member/NAME`.
    fn name_for(&self, name: &str) -> String {
        let legal = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let name: String = name
            .chars()
            .map(|c| if legal(c) { c } else { '_' })
            .take(100)
            .collect();
        let plain = format!("{}/{name}", self.member);
        let is_free = |name: &String| {
            is_secret_name(name) && !self.taken.contains(name) && !self.secrets.contains_key(name)
        };
        let others = (2..).map(|turn| format!("{plain}-{turn}"));
        let mut names = std::iter::once(plain.clone()).chain(others).take(10_000);
        names.find(is_free).unwrap_or(plain)
    }
}

impl Wanting for Filling<'_> {
    fn input(&mut self, id: &str) -> String {
        self.value(id).unwrap_or_default()
    }

    fn env(&mut self, name: &str) -> String {
        let value = self.value(&format!("env:{name}"));
        value.unwrap_or_else(|| format!("${{env:{name}}}"))
    }

    fn secret(&mut self, name: &str, value: &str) -> String {
        let known = self.secrets.iter().find(|(_, known)| known.0 == value);
        let name = match known {
            Some((known, _)) => known.clone(),
            None => {
                let name = self.name_for(name);
                self.secrets.insert(name.clone(), Secret(value.to_owned()));
                name
            }
        };
        format!("${{secret:{name}}}")
    }
}
