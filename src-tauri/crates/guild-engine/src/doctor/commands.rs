//! For each member: where its command was looked for, and what was found.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use guild_core::manifest::{Launch, Lookup, Manifest, Substitution};
use guild_core::wire::{Check, Finding, Verdict};
use guild_core::{Code, MemberName};
use guild_process::command::resolve;
use guild_process::environment::Found;

use super::{Knowledge, More, blocking, finding};

pub(super) async fn look(known: Arc<Knowledge>) -> Vec<Finding> {
    blocking(Check::Member, "commands", move || {
        known
            .snapshot
            .members
            .iter()
            .filter_map(|(name, entry)| match &entry.manifest {
                Some(manifest) => of_member(&known, name, manifest),
                None => Some(without_manifest(name, entry.view.error.as_ref())),
            })
            .collect()
    })
    .await
}

fn without_manifest(name: &MemberName, error: Option<&guild_core::Report>) -> Finding {
    let found = error.map_or("Its manifest can't be used.", |error| &error.message);
    finding(Check::Member, name.as_str(), Verdict::Problem, found)
        .advised(error.map_or("", |error| &error.hint))
        .about(name)
}

/// A member that is reached elsewhere has no command to look for.
fn of_member(known: &Knowledge, name: &MemberName, manifest: &Manifest) -> Option<Finding> {
    let Launch::Command { command, env, .. } = &manifest.launch else {
        return None;
    };
    let folder = known.paths.members_dir.join(name.as_str());
    let folder_text = folder.to_string_lossy();
    let substitution = Substitution {
        port: Some(*guild_process::port::RANGE.start()),
        plugin_dir: &folder_text,
        guildhall: &known.own_binary,
        lookup: &Public(&known.environment),
    };
    // What a member that is switched off lacks, nobody misses.
    let bad = if manifest.enabled {
        Verdict::Problem
    } else {
        Verdict::Note
    };
    let of =
        |verdict, found: String| finding(Check::Member, name.as_str(), verdict, found).about(name);
    let filled = substitution.substitute(command).and_then(|program| {
        let own = env.get("PATH");
        let path = own.map(|path| substitution.substitute(path)).transpose()?;
        Ok((program, path.or_else(|| known.environment.get("PATH"))))
    });
    Some(match filled {
        Err(report) if report.code == Code::SecretMissing => of(
            Verdict::Note,
            "Its command has a secret in it, and is not looked for here.".to_owned(),
        ),
        Err(report) => of(bad, report.message).advised(report.hint),
        Ok((program, path)) => {
            let path = path.map(OsString::from);
            match resolve(&program, &folder, path.as_deref()) {
                Ok(place) => of(Verdict::Fine, format!("{program} is {}", place.display())),
                Err(error) => {
                    let looked = looked_in(&program, &folder, path);
                    of(bad, first_sentence(&error.to_string()))
                        .with(looked)
                        .advised(error.hint())
                }
            }
        }
    })
}

/// The folders have lines of their own.
fn first_sentence(text: &str) -> String {
    match text.split_once(". Looked in") {
        Some((first, _)) => format!("{first}."),
        None => text.to_owned(),
    }
}

fn looked_in(program: &str, folder: &Path, path: Option<OsString>) -> Vec<String> {
    if program.contains(std::path::is_separator) {
        return vec![format!("looked for {}", folder.join(program).display())];
    }
    let folders = path.iter().flat_map(std::env::split_paths);
    folders
        .map(|folder| format!("looked in {}", folder.display()))
        .collect()
}

/// The variables that a child is given, and no secrets.
struct Public<'a>(&'a Found);

impl Lookup for Public<'_> {
    fn env(&self, name: &str) -> Option<String> {
        self.0.get(name)
    }

    fn secret(&self, _name: &str) -> Option<String> {
        None
    }
}
