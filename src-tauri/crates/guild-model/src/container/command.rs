//! Converts a command that runs a container (`docker run …`) to a `container`.
//!
//! If the client of such a command exits, its container keeps running, and no process shows which
//! member it belongs to. A `container` has a name, by which Guild Hall can remove it. A command
//! with an option for which `container` has no field is not converted.

mod mounts;
mod reading;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use self::reading::{ContainerCommandParser, cut};
use super::word::Word;
use super::{Container, Engine, EngineChoice, Network, Pull};
use crate::messages::Beyond;

/// The result of inspecting a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandInspection {
    /// The command does not run a container.
    Other,
    /// The command runs this container.
    Container(Box<Container>),
    /// The command runs a container with options for which `container` has no field.
    Beyond(Vec<Beyond>),
}

/// A command that runs a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerCommand<T> {
    /// The container.
    pub container: Container<T>,
    /// Variables that the engine forwards from its own environment, if they have a value.
    pub passed: BTreeSet<String>,
    /// Variables that the engine's client reads and does not forward.
    pub kept_outside: Vec<String>,
}

/// Folders in which engines are usually installed. They are in PATH, so the name of the program
/// suffices.
const USUAL_FOLDERS: &[&str] = &[
    "/usr/bin",
    "/bin",
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/opt/podman/bin",
    "/Applications/Docker.app/Contents/Resources/bin",
    "C:\\Program Files\\Docker\\Docker\\resources\\bin",
    "C:\\Program Files\\RedHat\\Podman",
];

/// Inspects a manifest's command with the environment `env`.
pub fn inspect(
    command: &str,
    args: &[String],
    env: &BTreeMap<String, String>,
) -> CommandInspection {
    // Only the name of the program matters here, not its folder.
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    match parse_run(&name.to_owned(), args, env, None) {
        None => CommandInspection::Other,
        Some(Ok(run)) => CommandInspection::Container(Box::new(run.container)),
        Some(Err(beyond)) => CommandInspection::Beyond(beyond),
    }
}

/// Returns the container that a command runs, or `None` for other commands. `env` is the
/// environment of the command. `cwd` is its working folder, if known.
///
/// # Errors
/// The options for which `container` has no field.
pub fn parse_run<W: Word>(
    command: &W,
    args: &[W],
    env: &BTreeMap<String, W>,
    cwd: Option<&str>,
) -> Option<Result<ContainerCommand<W>, Vec<Beyond>>> {
    let command = command.plain()?;
    let (folder, name) = match command.rfind(['/', '\\']) {
        Some(at) => (Some(&command[..at]), &command[at + 1..]),
        None => (None, command),
    };
    let name = name.to_ascii_lowercase();
    let engine = Engine::of_program(name.strip_suffix(".exe").unwrap_or(&name))?;
    let (before, rest) = behind_run(args)?;
    let container = Container {
        engine: match engine {
            Engine::Docker => EngineChoice::Docker,
            Engine::Podman => EngineChoice::Podman,
        },
        ..no_container()
    };
    let mut parser = ContainerCommandParser::new(container, env, cwd);
    if let Some(folder) = folder.filter(|folder| !USUAL_FOLDERS.contains(folder)) {
        parser.cannot(Beyond::Elsewhere(engine.program(), cut(folder)));
    }
    if let Some(option) = before {
        parser.cannot(Beyond::BeforeRun(cut(&option)));
    }
    parser.words(rest);
    Some(parser.end())
}

/// Returns the arguments after `run`, and the first option before `run`. `None` if no argument is
/// `run`.
fn behind_run<W: Word>(args: &[W]) -> Option<(Option<String>, &[W])> {
    let is = |at: usize, word: &str| args.get(at).and_then(W::plain) == Some(word);
    if is(0, "run") {
        return Some((None, args.get(1..)?));
    }
    if is(0, "container") && is(1, "run") {
        return Some((None, args.get(2..)?));
    }
    let option = args
        .first()
        .filter(|arg| arg.beginning().starts_with('-'))?;
    // Each option before `run` is followed by at most one value, which does not affect the
    // container.
    let at = (1..args.len().min(8)).find(|&at| is(at, "run"))?;
    Some((Some(option.shown()), args.get(at + 1..)?))
}

fn no_container<T>() -> Container<T> {
    Container {
        image: String::new(),
        engine: EngineChoice::Auto,
        entrypoint: None,
        args: Vec::new(),
        env: BTreeMap::new(),
        mounts: Vec::new(),
        read_only: false,
        network: Network::Bridge,
        memory: None,
        cpus: None,
        pids_limit: None,
        user: None,
        pull: Pull::Missing,
        port: None,
    }
}

/// Checks whether a mount's source is an absolute path, written literally or as a variable.
pub(crate) fn is_of_this_machine<W: Word>(source: &W) -> bool {
    let begins = source.beginning();
    let is_drive =
        matches!(begins.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    begins.starts_with('/') || is_drive || source.begins_open()
}

/// Checks whether a string is a positive decimal number that `--cpus` accepts.
pub(crate) fn is_decimal(text: &str) -> bool {
    let digits = |c: char| c.is_ascii_digit() || c == '.';
    text.len() <= 16
        && text.chars().all(digits)
        && text.parse::<f64>().is_ok_and(|number| number > 0.0)
}

/// Returns the `container` field of a manifest without defaults. Environment variables belong in
/// the manifest's `env`.
pub fn field(container: &Container) -> Value {
    let mut field = Map::new();
    field.insert("image".into(), json!(container.image));
    if container.engine != EngineChoice::Auto {
        field.insert("engine".into(), json!(container.engine.as_str()));
    }
    if let Some(entrypoint) = &container.entrypoint {
        field.insert("entrypoint".into(), json!(entrypoint));
    }
    if !container.args.is_empty() {
        field.insert("args".into(), json!(container.args));
    }
    let mounts = container.mounts.iter().map(|mount| {
        let mut entry = json!({"source": mount.source, "target": mount.target});
        if !mount.read_only {
            entry["read_only"] = false.into();
        }
        if mount.dangerous {
            entry["dangerous"] = true.into();
        }
        entry
    });
    let mounts: Vec<Value> = mounts.collect();
    if !mounts.is_empty() {
        field.insert("mounts".into(), mounts.into());
    }
    if container.read_only {
        field.insert("read_only".into(), true.into());
    }
    if container.network != Network::Bridge {
        field.insert("network".into(), json!(container.network.as_str()));
    }
    if let Some(memory) = &container.memory {
        field.insert("memory".into(), json!(memory));
    }
    // Parsed back to a number, since only its digits are stored.
    if let Some(cpus) = container
        .cpus
        .as_deref()
        .and_then(|text| text.parse::<f64>().ok())
    {
        field.insert("cpus".into(), json!(cpus));
    }
    if let Some(most) = container.pids_limit {
        field.insert("pids_limit".into(), json!(most));
    }
    if let Some(user) = &container.user {
        field.insert("user".into(), json!(user));
    }
    if container.pull != Pull::Missing {
        field.insert("pull".into(), json!(container.pull.as_str()));
    }
    if let Some(port) = container.port {
        field.insert("port".into(), json!(port));
    }
    field.into()
}
