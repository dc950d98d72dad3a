//! Checks each member's command. If a command is missing, the finding lists the searched folders.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use guild_api::wire::{Check, FactKind, Finding, MASK, Verdict};
use guild_client_config::written_secrets;
use guild_model::container::Container;
use guild_model::container::command::{CommandInspection, field, inspect as inspect_command};
use guild_model::manifest::{Launch, Lookup, Manifest, Substitution};
use guild_model::{Code, MemberName, Report};
use guild_process::ProcessError;
use guild_process::command::resolve;
use guild_process::environment::ShellVariables;
use guild_process::error::install;
use guild_text::secret_detection::ArgScanner;

use super::programs::{DOCKER, PODMAN};
use super::{DoctorInput, blocking};
use guild_files::files::others_may_read;
use guild_files::members_folder::MANIFEST_FILE;

pub(super) async fn run(known: Arc<DoctorInput>) -> Vec<Finding> {
    blocking(Check::Member, "commands", move || {
        known
            .snapshot
            .members
            .iter()
            .flat_map(|(name, entry)| match &entry.manifest {
                Some(manifest) => {
                    let folder = &entry.folder;
                    let found = of_member(&known, name, folder, manifest).into_iter();
                    let secrets = secrets(name, folder, manifest);
                    found
                        .chain(escaping(name, manifest))
                        .chain(secrets)
                        .collect()
                }
                None => vec![without_manifest(name, entry.view.error.as_ref())],
            })
            .collect()
    })
    .await
}

fn of(name: &MemberName, verdict: Verdict, kind: FactKind, found: impl Into<String>) -> Finding {
    Finding::new(Check::Member, name.as_str(), verdict, kind, found).about(name)
}

fn of_report(name: &MemberName, verdict: Verdict, report: &Report) -> Finding {
    Finding::of_report(Check::Member, name.as_str(), verdict, report).about(name)
}

fn without_manifest(name: &MemberName, error: Option<&Report>) -> Finding {
    match error {
        Some(report) => of_report(name, Verdict::Problem, report),
        None => {
            let found = "Its plugin.json can't be used.";
            of(name, Verdict::Problem, FactKind::ManifestUnusable, found)
        }
    }
}

/// Checks a member's command. `None` for a remote member, which has no command.
fn of_member(
    known: &DoctorInput,
    name: &MemberName,
    folder: &Path,
    manifest: &Manifest,
) -> Option<Finding> {
    let (command, env) = match &manifest.launch {
        Launch::Command { command, env, .. } => (command, env),
        Launch::Container(container) => {
            return Some(of_container(known, name, folder, manifest, container));
        }
        Launch::Url { .. } => return None,
    };
    let folder_text = folder.to_string_lossy();
    let substitution = Substitution {
        port: Some(*guild_process::port::RANGE.start()),
        plugin_dir: &folder_text,
        guildhall: &known.own_binary,
        lookup: &Public(&known.environment),
    };
    // A disabled member does not need its command, so a missing one is not a problem.
    let bad = if manifest.enabled {
        Verdict::Problem
    } else {
        Verdict::Note
    };
    let filled = substitution.substitute(command).and_then(|program| {
        let own = env.get("PATH");
        let path = own.map(|path| substitution.substitute(path)).transpose()?;
        Ok((program, path.or_else(|| known.environment.get("PATH"))))
    });
    Some(match filled {
        Err(report) if report.code == Code::SecretMissing => {
            let found = "Its command contains a secret, so it isn't checked.";
            of(name, Verdict::Note, FactKind::CommandSecret, found)
        }
        Err(report) => of_report(name, bad, &report),
        Ok((program, path)) => {
            let path = path.map(OsString::from);
            match resolve(&program, folder, path.as_deref()) {
                Ok(place) => {
                    let found = format!("{program} is {}", place.display());
                    of(name, Verdict::Fine, FactKind::CommandFound, found)
                }
                Err(error) => {
                    unresolved(name, bad, &error).with(searched_folders(&program, folder, path))
                }
            }
        }
    })
}

/// Finds secrets that other users of the machine can see.
fn secrets(name: &MemberName, folder: &Path, manifest: &Manifest) -> Vec<Finding> {
    let references = manifest.launch.secrets_in_arguments();
    let file = folder.join(MANIFEST_FILE);
    let is_readable = others_may_read(&file) && !written_secrets(manifest).is_empty();
    let file = file.display().to_string();
    let in_arguments = (!references.is_empty()).then(|| {
        let found = format!(
            "Its arguments have {}, whose values every user of this machine can see while it runs \
             (`ps`).",
            references.join(" and ")
        );
        of(name, Verdict::Warning, FactKind::SecretsInArguments, found)
            .advised("Pass it in `env` if the server reads it from a variable.")
    });
    let readable = is_readable.then(|| {
        let found = format!("{file} contains a secret, and other users can read it.");
        of(name, Verdict::Warning, FactKind::SecretsReadable, found).advised(format!(
            "Run `chmod 600 '{file}'`, or keep the secret with `guildhall secret set NAME` and \
             write `${{secret:NAME}}`."
        ))
    });
    in_arguments.into_iter().chain(readable).collect()
}

/// Returns the finding for a command that can't run. The searched folders are listed separately.
fn unresolved(name: &MemberName, verdict: Verdict, error: &ProcessError) -> Finding {
    match error {
        ProcessError::CommandNotFound { program, .. } => {
            let found = format!("The command `{program}` was not found.");
            of(name, verdict, FactKind::CommandMissing, found).advised(install(program))
        }
        other => {
            let report = other.report();
            of_report(name, verdict, &report)
        }
    }
}

/// Finds the container engines that can run a member.
fn of_container(
    known: &DoctorInput,
    name: &MemberName,
    folder: &Path,
    manifest: &Manifest,
    container: &Container,
) -> Finding {
    let path = known.environment.get("PATH").map(OsString::from);
    let engines = container.engine.engines();
    let places = engines.iter().filter_map(|engine| {
        let place = resolve(engine.program(), folder, path.as_deref()).ok()?;
        Some(format!("{} is {}", engine.program(), place.display()))
    });
    let places: Vec<String> = places.collect();
    if !places.is_empty() {
        let found = places.join(", ");
        return of(name, Verdict::Fine, FactKind::CommandFound, found);
    }
    let bad = match manifest.enabled {
        true => Verdict::Problem,
        false => Verdict::Note,
    };
    let engines: Vec<&str> = engines.iter().map(|engine| engine.program()).collect();
    let searched = searched_folders(engines[0], folder, path);
    let engines = engines.join(" and no ");
    let found = format!("It runs in a container, and there is no {engines}.");
    of(name, bad, FactKind::EngineMissing, found)
        .with(searched)
        .advised(format!("Install {DOCKER} or {PODMAN}."))
}

/// Warns of a command that runs a container. The container is not a child process of the command
/// and keeps running if the command is killed.
fn escaping(name: &MemberName, manifest: &Manifest) -> Option<Finding> {
    let Launch::Command {
        command, args, env, ..
    } = &manifest.launch
    else {
        return None;
    };
    let of = |verdict| {
        let found = "Its command runs a container that keeps running if its client is killed.";
        of(name, verdict, FactKind::ContainerEscapes, found)
    };
    match inspect_command(command, args, env) {
        CommandInspection::Other => None,
        CommandInspection::Container(mut container) => {
            let (mut words, mut mask) = (ArgScanner::default(), |_: &str| MASK.to_owned());
            for arg in &mut container.args {
                *arg = words.next(arg, &mut mask).into_owned();
            }
            let written = serde_json::json!({"container": field(&container)});
            let names: Vec<&str> = container.env.keys().map(String::as_str).collect();
            let env = (!names.is_empty()).then(|| format!("and in \"env\": {}", names.join(", ")));
            let found = of(Verdict::Warning).with([written.to_string()].into_iter().chain(env));
            Some(found.advised("Write this into plugin.json instead of `command` and `args`."))
        }
        CommandInspection::Beyond(reasons) => {
            let found = of(Verdict::Note).with(reasons.iter().map(ToString::to_string));
            Some(found.advised(
                "Use `container`, which always stops. It doesn't support the listed options.",
            ))
        }
    }
}

fn searched_folders(program: &str, folder: &Path, path: Option<OsString>) -> Vec<String> {
    if program.contains(std::path::is_separator) {
        return vec![format!("looked for {}", folder.join(program).display())];
    }
    let folders = path.iter().flat_map(std::env::split_paths);
    folders
        .map(|folder| format!("looked in {}", folder.display()))
        .collect()
}

/// Looks up the environment variables of members, but no secrets.
struct Public<'a>(&'a ShellVariables);

impl Lookup for Public<'_> {
    fn env(&self, name: &str) -> Option<String> {
        self.0.get(name)
    }

    fn secret(&self, _name: &str) -> Option<String> {
        None
    }
}
