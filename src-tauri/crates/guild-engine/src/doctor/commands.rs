//! For each member: where its command was looked for, and what was found.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use guild_core::container::Container;
use guild_core::container::command::{Seen, field, look as look_at_command};
use guild_core::manifest::{Launch, Lookup, Manifest, Substitution};
use guild_core::telling::Words;
use guild_core::wire::{Check, Finding, MASK, Verdict};
use guild_core::{Code, MemberName};
use guild_process::command::resolve;
use guild_process::environment::ShellVariables;

use super::{Knowledge, More, blocking, finding};

pub(super) async fn look(known: Arc<Knowledge>) -> Vec<Finding> {
    blocking(Check::Member, "commands", move || {
        known
            .snapshot
            .members
            .iter()
            .flat_map(|(name, entry)| match &entry.manifest {
                Some(manifest) => {
                    let found = of_member(&known, name, manifest).into_iter();
                    found.chain(escaping(name, manifest)).collect()
                }
                None => vec![without_manifest(name, entry.view.error.as_ref())],
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
    let (command, env) = match &manifest.launch {
        Launch::Command { command, env, .. } => (command, env),
        Launch::Container(container) => {
            return Some(of_container(known, name, manifest, container));
        }
        Launch::Url { .. } => return None,
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

/// Where the engine of a member's container is.
fn of_container(
    known: &Knowledge,
    name: &MemberName,
    manifest: &Manifest,
    container: &Container,
) -> Finding {
    let of =
        |verdict, found: String| finding(Check::Member, name.as_str(), verdict, found).about(name);
    let folder = known.paths.members_dir.join(name.as_str());
    let path = known.environment.get("PATH").map(OsString::from);
    let engines = container.engine.engines();
    let places = engines.iter().filter_map(|engine| {
        let place = resolve(engine.program(), &folder, path.as_deref()).ok()?;
        Some(format!("{} is {}", engine.program(), place.display()))
    });
    let places: Vec<String> = places.collect();
    if !places.is_empty() {
        return of(Verdict::Fine, places.join(", "));
    }
    let bad = match manifest.enabled {
        true => Verdict::Problem,
        false => Verdict::Note,
    };
    let wanted: Vec<&str> = engines.iter().map(|engine| engine.program()).collect();
    let found = format!(
        "It runs in a container, and there is no {}.",
        wanted.join(" and no ")
    );
    of(bad, found)
        .with(looked_in(wanted[0], &folder, path))
        .advised("Install Docker (https://docs.docker.com/engine/install) or Podman (https://podman.io).")
}

/// A command that runs a container, which no list of processes shows whose it is.
fn escaping(name: &MemberName, manifest: &Manifest) -> Option<Finding> {
    let Launch::Command {
        command, args, env, ..
    } = &manifest.launch
    else {
        return None;
    };
    let what = "Its command runs a container, which the engine goes on running should its client be \
                killed.";
    let of = |verdict| finding(Check::Member, name.as_str(), verdict, what).about(name);
    match look_at_command(command, args, env) {
        Seen::Other => None,
        Seen::Container(mut container) => {
            let (mut words, mut mask) = (Words::default(), |_: &str| MASK.to_owned());
            for arg in &mut container.args {
                *arg = words.next(arg, &mut mask).into_owned();
            }
            let written = serde_json::json!({"container": field(&container)});
            let names: Vec<&str> = container.env.keys().map(String::as_str).collect();
            let env = (!names.is_empty()).then(|| format!("and in \"env\": {}", names.join(", ")));
            let found = of(Verdict::Warning).with(std::iter::once(written.to_string()).chain(env));
            Some(found.advised("Write this into plugin.json instead of `command` and `args`."))
        }
        Seen::Beyond(reasons) => {
            let found = of(Verdict::Note).with(reasons);
            Some(found.advised(
                "As a `container` it would be put away; what it has no field for is named.",
            ))
        }
    }
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
struct Public<'a>(&'a ShellVariables);

impl Lookup for Public<'_> {
    fn env(&self, name: &str) -> Option<String> {
        self.0.get(name)
    }

    fn secret(&self, _name: &str) -> Option<String> {
        None
    }
}
