//! A command that runs a container (`docker run …`) as the container that it means.
//!
//! What the engine runs for such a command goes on when its client is ended, and no list of
//! processes shows whose it is; as a `container` it has a name, and comes to its end.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Container, Engine, EngineChoice, Mount, Network, Pull};

/// What a command is, seen as the run of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// It runs none.
    Other,
    /// It runs this one.
    Container(Box<Container>),
    /// It runs one, and says what `container` has no word for: each as the rest of a sentence.
    Beyond(Vec<String>),
}

/// Options that take a value and have a place in `container`, or none there for a reason.
const WITH_VALUE: &[&str] = &[
    "-e",
    "--env",
    "-v",
    "--volume",
    "--mount",
    "--network",
    "--net",
    "-m",
    "--memory",
    "--cpus",
    "--pids-limit",
    "-u",
    "--user",
    "-p",
    "--publish",
    "--pull",
    "--name",
    "--label",
    "-l",
    "--cap-drop",
    "--security-opt",
    "--stop-timeout",
    "--stop-signal",
    "--log-driver",
    "--cidfile",
];
/// Options that say what a `container` does anyway, or what it does better.
const IMPLIED: &[&str] = &[
    "--rm",
    "-i",
    "--interactive",
    "--init",
    "--quiet",
    "-q",
    "--sig-proxy",
    "-a",
    "--attach",
];

/// Looks at a command. `env` is what the manifest sets for it.
pub fn look(command: &str, args: &[String], env: &BTreeMap<String, String>) -> Seen {
    let Some(engine) = Engine::of_program(&stem(command)) else {
        return Seen::Other;
    };
    let rest = match args {
        [run, rest @ ..] if run == "run" => rest,
        [container, run, rest @ ..] if container == "container" && run == "run" => rest,
        _ => return Seen::Other,
    };
    let mut reading = Reading {
        container: Container {
            engine: match engine {
                Engine::Docker => EngineChoice::Docker,
                Engine::Podman => EngineChoice::Podman,
            },
            ..Container::default()
        },
        given: env,
        beyond: Vec::new(),
    };
    reading.words(rest);
    match reading.beyond.is_empty() {
        true => Seen::Container(Box::new(reading.container)),
        false => Seen::Beyond(reading.beyond),
    }
}

/// A program's name without its folder, and without what Windows puts behind it.
fn stem(command: &str) -> String {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    let name = name.to_ascii_lowercase();
    name.strip_suffix(".exe").unwrap_or(&name).to_owned()
}

struct Reading<'a> {
    container: Container,
    given: &'a BTreeMap<String, String>,
    beyond: Vec<String>,
}

impl Reading<'_> {
    fn words(&mut self, words: &[String]) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                match super::is_image(word) {
                    true => self.container.image.clone_from(word),
                    false => self.cannot(format!("`{word}` is no image that can be named there")),
                }
                self.container.args = words.cloned().collect();
                return;
            }
            let (option, inline) = match word.split_once('=') {
                Some((option, value)) if word.starts_with("--") => (option, Some(value)),
                _ => (word.as_str(), None),
            };
            if WITH_VALUE.contains(&option) {
                match inline.or_else(|| words.next().map(String::as_str)) {
                    Some(value) => self.option(option, value),
                    None => self.cannot(format!("`{option}` has no value")),
                }
            } else {
                self.flag(option);
            }
        }
        self.cannot("no image is named".to_owned());
    }

    fn flag(&mut self, option: &str) {
        if IMPLIED.contains(&option) {
            return;
        }
        if option == "-d" || option == "--detach" {
            self.cannot("`--detach` runs the server where nobody can speak to it".to_owned());
            return;
        }
        // `-it`: what speaks MCP has no use for a terminal.
        let letters = option.strip_prefix('-').unwrap_or_default();
        let bundled = !letters.starts_with('-') && letters.chars().all(|c| matches!(c, 'i' | 't'));
        if !bundled && option != "--tty" {
            self.cannot(format!("`{option}` has no field"));
        }
    }

    fn option(&mut self, option: &str, value: &str) {
        let held = &mut self.container;
        match option {
            "-e" | "--env" => self.variable(value),
            "-v" | "--volume" => self.volume(value),
            "--mount" => self.mount(value),
            "--network" | "--net" => match value {
                "none" => held.network = Network::None,
                "bridge" | "default" => {}
                name if super::is_network(name) && name != "host" => {
                    held.network = Network::Named(name.to_owned());
                }
                other => self.cannot(format!("the network `{other}` is not given to members")),
            },
            "-m" | "--memory" if super::is_memory(value) => held.memory = Some(value.to_owned()),
            "--cpus" if is_decimal(value) => held.cpus = Some(value.to_owned()),
            "--pids-limit" if value.parse::<u32>().is_ok_and(|most| most > 0) => {
                held.pids_limit = value.parse().ok();
            }
            "-u" | "--user" if super::is_user(value) => held.user = Some(value.to_owned()),
            "-p" | "--publish" => self.publish(value),
            "--pull" => match value {
                "missing" => {}
                "never" => held.pull = Pull::Never,
                "always" => held.pull = Pull::Always,
                other => self.cannot(format!("`--pull {other}` is none of its words")),
            },
            // A `container` has all of these, or does without.
            "--name" | "--label" | "-l" | "--cap-drop" | "--stop-timeout" | "--stop-signal"
            | "--log-driver" | "--cidfile" => {}
            "--security-opt" if value.starts_with("no-new-privileges") => {}
            _ => self.cannot(format!("`{option} {value}` has no field")),
        }
    }

    fn variable(&mut self, value: &str) {
        let (name, value) = match value.split_once('=') {
            Some((name, value)) => (name, value.to_owned()),
            // Its value is the engine's own variable of that name.
            None => match self.given.get(value) {
                Some(given) => (value, given.clone()),
                None => (value, format!("${{env:{value}}}")),
            },
        };
        self.container.env.insert(name.to_owned(), value);
    }

    fn volume(&mut self, value: &str) {
        // The colon of `C:\folder` is none that separates.
        let from = match value.as_bytes() {
            [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic() => 2,
            _ => value.find('}').map_or(0, |at| at + 1),
        };
        let Some(at) = value[from..].find(':').map(|at| at + from) else {
            self.cannot(format!(
                "the volume `{value}` has no folder of this machine"
            ));
            return;
        };
        let (source, rest) = (&value[..at], &value[at + 1..]);
        let (target, options) = rest.split_once(':').unwrap_or((rest, ""));
        let read_only = options.split(',').any(|option| option == "ro");
        self.bind(source, target, read_only);
    }

    fn mount(&mut self, value: &str) {
        let (mut kind, mut source, mut target, mut read_only) = ("volume", None, None, false);
        for part in value.split(',') {
            let (name, value) = part.split_once('=').unwrap_or((part, "true"));
            match name {
                "type" => kind = value,
                "source" | "src" => source = Some(value),
                "target" | "dst" | "destination" => target = Some(value),
                "readonly" | "ro" => read_only = value != "false",
                other => self.cannot(format!("a mount's `{other}` has no field")),
            }
        }
        match (kind, source, target) {
            ("bind", Some(source), Some(target)) => self.bind(source, target, read_only),
            _ => self.cannot(format!("the mount `{value}` is no folder of this machine")),
        }
    }

    fn bind(&mut self, source: &str, target: &str, read_only: bool) {
        if !is_of_this_machine(source) {
            self.cannot(format!(
                "`{source}` is a volume of the engine, and no folder"
            ));
            return;
        }
        self.container.mounts.push(Mount {
            source: source.to_owned(),
            target: target.to_owned(),
            read_only,
            dangerous: false,
        });
    }

    fn publish(&mut self, value: &str) {
        let inside = value.rsplit(':').next().unwrap_or_default();
        let inside = inside.split('/').next().unwrap_or_default();
        match inside.parse::<u16>().ok().filter(|port| *port > 0) {
            Some(port) if self.container.port.is_none() => self.container.port = Some(port),
            _ => self.cannot(format!(
                "`--publish {value}` is not the one port of its server"
            )),
        }
    }

    fn cannot(&mut self, why: String) {
        self.beyond.push(why.chars().take(200).collect());
    }
}

/// Whether a mount's source is a path, written out or by a variable.
pub(crate) fn is_of_this_machine(source: &str) -> bool {
    let is_drive =
        matches!(source.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    source.starts_with('/')
        || is_drive
        || source.starts_with("${PLUGIN_DIR}")
        || source.starts_with("${env:")
}

/// A decimal number above zero, as `--cpus` takes it.
pub(crate) fn is_decimal(text: &str) -> bool {
    let digits = |c: char| c.is_ascii_digit() || c == '.';
    text.len() <= 16
        && text.chars().all(digits)
        && text.parse::<f64>().is_ok_and(|number| number > 0.0)
}

/// The field `container` of a manifest, as it would be written; what is as it is by itself is left
/// out. Variables stand in `env`, beside it.
pub fn field(container: &Container) -> Value {
    let mut field = Map::new();
    field.insert("image".into(), json!(container.image));
    if container.engine != EngineChoice::Auto {
        field.insert("engine".into(), json!(container.engine.as_str()));
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
    if container.network != Network::Bridge {
        field.insert("network".into(), json!(container.network.as_str()));
    }
    if let Some(memory) = &container.memory {
        field.insert("memory".into(), json!(memory));
    }
    // A number again: only its digits were kept.
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
