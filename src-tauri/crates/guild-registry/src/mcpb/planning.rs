//! Builds the launch of a bundle on a machine, and lists the inputs that the user has to enter.

use serde_json::{Value, json};

use super::layout::Layout;
use super::manifest::{BundleManifest, McpConfig, ServerType};
use crate::messages::{BundleFault, BundleNote};
use guild_client_config::System;
use guild_client_config::{TextSegment, TextTemplate};
use guild_import::install::{Argument, InputKind, InstallInput, InstallInputs, LaunchTemplate};
use guild_text::messages::short;
use guild_text::secret_detection::is_secret;

/// The machine on which a bundle is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The system.
    pub system: System,
    /// The user's home.
    pub home: String,
    /// The user's desktop.
    pub desktop: String,
    /// The user's documents folder.
    pub documents: String,
    /// The user's downloads folder.
    pub downloads: String,
}

impl Machine {
    /// Returns the system's identifier in bundles.
    fn word(&self) -> &'static str {
        match self.system {
            System::Linux => "linux",
            System::MacOs => "darwin",
            System::Windows => "win32",
        }
    }

    fn separator(&self) -> &'static str {
        match self.system {
            System::Windows => "\\",
            System::Linux | System::MacOs => "/",
        }
    }

    /// Returns the value of a variable of the MCPB format. `None` for other variables and for
    /// settings (`user_config.…`).
    fn value(&self, variable: &str) -> Option<&str> {
        Some(match variable {
            "HOME" => &self.home,
            "DESKTOP" => &self.desktop,
            "DOCUMENTS" => &self.documents,
            "DOWNLOADS" => &self.downloads,
            "pathSeparator" | "/" => self.separator(),
            _ => return None,
        })
    }
}

/// The result of planning a bundle.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// The launch.
    pub plan: LaunchTemplate,
    /// The inputs that a person enters.
    pub inputs: InstallInputs,
    /// The bundle's file that is executed. `None` if the program is not part of the bundle.
    pub program: Option<String>,
    /// The reason that the bundle does not support this machine. `None` if it does.
    pub unfit: Option<BundleNote>,
    /// Warnings.
    pub notes: Vec<BundleNote>,
}

impl BundleManifest {
    /// Plans the launch on a machine. The bundle is unpacked to `folder` inside its member's
    /// folder. `files` are the bundle's files.
    ///
    /// # Errors
    /// When a required field or file is missing.
    pub fn plan(
        &self,
        machine: &Machine,
        files: &Layout,
        folder: &str,
    ) -> Result<Planned, BundleFault> {
        let mut planning = Planning {
            manifest: self,
            machine,
            files,
            folder,
            notes: Vec::new(),
        };
        let inputs = planning.inputs();
        let config = planning.config()?;
        let (command, program) = planning.command(config.command.as_deref().unwrap_or_default())?;
        let args = planning.args(&config.args.unwrap_or_default());
        let env = config.env.unwrap_or_default();
        let env = env.into_iter().map(|(name, value)| {
            let value = planning.template(&value);
            planning.note_several(&value, &name);
            (name, value)
        });
        let env = env.collect();
        if !self.server.entry_point.is_empty() && !files.has_file(plain(&self.server.entry_point)) {
            planning.note(BundleNote::NoEntry);
        }
        let plan = LaunchTemplate::Command {
            command,
            args,
            env,
            cwd: Some(planning.of_folder("")),
        };
        for key in plan.unknown_keys(&inputs) {
            planning.note(BundleNote::UnaskedSetting(quoted(&key)));
        }
        Ok(Planned {
            plan,
            inputs,
            program,
            unfit: planning.unfit(),
            notes: planning.notes,
        })
    }
}

struct Planning<'a> {
    manifest: &'a BundleManifest,
    machine: &'a Machine,
    files: &'a Layout,
    folder: &'a str,
    notes: Vec<BundleNote>,
}

impl Planning<'_> {
    fn note(&mut self, note: BundleNote) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn inputs(&mut self) -> InstallInputs {
        let manifest = self.manifest;
        let inputs = manifest
            .user_config
            .iter()
            .map(|setting| self.input(setting));
        InstallInputs::new(inputs.collect::<Vec<_>>())
    }

    fn input(&mut self, setting: &InstallInput) -> InstallInput {
        let is_text = setting.kind == InputKind::Text;
        let secret = is_text && (setting.secret || is_secret(&setting.key));
        let several = setting.several && !secret;
        let default = setting.default.as_ref();
        let default = default.and_then(|default| self.default(setting, several, default));
        InstallInput {
            default,
            secret,
            several,
            ..setting.clone()
        }
    }

    /// Converts the default of a setting to a value for the input's schema. `None` if the default
    /// is empty or has the wrong type.
    fn default(&mut self, setting: &InstallInput, several: bool, default: &Value) -> Option<Value> {
        let mut one = |value: &Value| match (&setting.kind, value) {
            (InputKind::Number { .. }, Value::Number(_)) | (InputKind::Flag, Value::Bool(_)) => {
                Some(value.clone())
            }
            (InputKind::Number { .. } | InputKind::Flag, _) => None,
            (_, Value::String(text)) => Some(json!(self.expanded(text))),
            _ => None,
        };
        let read = match (several, default) {
            (true, Value::Array(items)) => items.iter().map(&mut one).collect::<Option<_>>(),
            (true, single) => one(single).map(|item| vec![item]),
            (false, single) => one(single).map(|item| vec![item]),
        };
        let Some(read): Option<Vec<Value>> = read else {
            self.note(BundleNote::OddDefault(quoted(&setting.key)));
            return None;
        };
        let is_empty = |value: &Value| value.as_str() == Some("");
        match several {
            true => (!read.is_empty()).then(|| Value::Array(read)),
            false => read.into_iter().next().filter(|value| !is_empty(value)),
        }
    }

    /// Replaces the variables that have a value on this machine.
    fn expanded(&self, text: &str) -> String {
        let segments = segments(text).into_iter().map(|segment| match segment {
            McpbSegment::Plain(plain) => plain.to_owned(),
            McpbSegment::Variable(name) => match self.machine.value(name) {
                Some(value) => value.to_owned(),
                None => format!("${{{name}}}"),
            },
        });
        segments.collect()
    }

    /// Returns the command, with the overrides for this system.
    fn config(&mut self) -> Result<McpConfig, BundleFault> {
        let server = &self.manifest.server;
        let Some(config) = &server.config else {
            // Hosts run `uv` bundles with this command.
            let entry = plain(&server.entry_point);
            if !self.files.has_file(entry) {
                return Err(BundleFault::NoEntry(format!("{entry:?}")));
            }
            let args = ["run", "--directory", "${__dirname}", entry];
            return Ok(McpConfig {
                command: Some("uv".to_owned()),
                args: Some(args.map(str::to_owned).to_vec()),
                env: None,
            });
        };
        let mut config = config.clone();
        let word = self.machine.word();
        let own = server
            .overrides
            .iter()
            .find(|(platform, _)| platform == word);
        if let Some((_, own)) = own {
            config.command = own.command.clone().or(config.command);
            config.args = own.args.clone().or(config.args);
            config.env = own.env.clone().or(config.env);
        }
        Ok(config)
    }

    /// Returns the program, and the bundle's file if the program is part of the bundle.
    fn command(&mut self, command: &str) -> Result<(TextTemplate, Option<String>), BundleFault> {
        let of_bundle = command
            .strip_prefix("${__dirname}")
            .and_then(|rest| rest.strip_prefix(['/', '\\']).or(rest.strip_prefix("${/}")));
        let is_path = command.contains('/') || command.contains("${/}");
        let relative = match of_bundle {
            Some(path) => plain(path),
            // A relative path is resolved in the bundle.
            None if is_path && !command.starts_with(['/', '~', '$']) => plain(command),
            None if self.manifest.server.kind == ServerType::Binary
                && self.files.has_file(command) =>
            {
                command
            }
            None => return Ok((self.template(command), None)),
        };
        let mut path = relative.replace("${/}", "/");
        let with_ending = format!("{path}.exe");
        if self.machine.system == System::Windows && self.files.has_file(&with_ending) {
            path = with_ending;
        }
        if !self.files.has_file(&path) {
            let shown: String = path.chars().take(200).collect();
            return Err(BundleFault::NoProgram(format!("{shown:?}")));
        }
        Ok((self.of_folder(&path), Some(path)))
    }

    fn args(&mut self, args: &[String]) -> Vec<Argument> {
        let mut read: Vec<Argument> = Vec::with_capacity(args.len());
        for arg in args {
            let word = self.template(arg);
            let lone = match word.segments() {
                [TextSegment::Input(key)] => Some(key.clone()),
                _ => None,
            };
            let Some(key) = lone else {
                self.note_several(&word, arg);
                read.push(Argument::word(word));
                continue;
            };
            let settings = &self.manifest.user_config;
            let is_needed = settings.iter().any(|one| one.key == key && one.required);
            // Without its value, a flag would take the next argument as the value. The flag and its
            // optional value are therefore one argument.
            match read.last_mut() {
                Some(before) if !is_needed && is_flag(before) => before.words.push(word),
                _ => read.push(Argument::word(word)),
            }
        }
        read
    }

    fn note_several(&mut self, template: &TextTemplate, place: &str) {
        let settings = &self.manifest.user_config;
        let several = |key: &str| settings.iter().any(|one| one.key == key && one.several);
        if template.inputs().any(several) {
            self.note(BundleNote::SeveralAnswers(quoted(place)));
        }
    }

    fn template(&mut self, text: &str) -> TextTemplate {
        let mut parts = Vec::new();
        for segment in segments(text) {
            match segment {
                McpbSegment::Plain(plain) => parts.push(TextSegment::Plain(plain.to_owned())),
                McpbSegment::Variable("__dirname") => parts.extend(self.folder_parts()),
                McpbSegment::Variable(name) => match name.strip_prefix("user_config.") {
                    Some(key) => parts.push(TextSegment::Input(key.to_owned())),
                    None => match self.machine.value(name) {
                        Some(value) => parts.push(TextSegment::Plain(value.to_owned())),
                        None => {
                            self.note(BundleNote::UnknownVariable(short(name, 80)));
                            parts.push(TextSegment::Plain(format!("${{{name}}}")));
                        }
                    },
                },
            }
        }
        parts.into_iter().collect()
    }

    fn folder_parts(&self) -> [TextSegment; 2] {
        let below = format!("/{}", self.folder);
        [
            TextSegment::Variable("PLUGIN_DIR".to_owned()),
            TextSegment::Plain(below),
        ]
    }

    /// Returns the path of a file in the bundle, or of the bundle's folder if `path` is empty.
    fn of_folder(&self, path: &str) -> TextTemplate {
        let [member, folder] = self.folder_parts();
        let path = match path {
            "" => String::new(),
            path => format!("/{path}"),
        };
        [member, folder, TextSegment::Plain(path)]
            .into_iter()
            .collect()
    }

    fn unfit(&self) -> Option<BundleNote> {
        let platforms = &self.manifest.platforms;
        if platforms.is_empty() || platforms.iter().any(|one| one == self.machine.word()) {
            return None;
        }
        let named = |word: &str| match word {
            "linux" => "Linux".to_owned(),
            "darwin" => "macOS".to_owned(),
            "win32" => "Windows".to_owned(),
            other => format!("{:?}", other.chars().take(40).collect::<String>()),
        };
        let of: Vec<String> = platforms.iter().take(10).map(|word| named(word)).collect();
        let own = named(self.machine.word());
        Some(BundleNote::MadeFor(of, own))
    }
}

/// Quotes a word of the manifest for a sentence.
fn quoted(word: &str) -> String {
    format!("{:?}", short(word, 80))
}

fn is_flag(argument: &Argument) -> bool {
    match argument.words.as_slice() {
        [word] => match word.segments() {
            [TextSegment::Plain(text)] => {
                text.starts_with('-') && !text.contains('=') && !text.trim_matches('-').is_empty()
            }
            _ => false,
        },
        _ => false,
    }
}

/// Removes a leading `./` from a path of the bundle.
fn plain(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

/// A part of a manifest's text.
enum McpbSegment<'t> {
    Plain(&'t str),
    /// A variable, by the text in its braces.
    Variable(&'t str),
}

fn segments(text: &str) -> Vec<McpbSegment<'_>> {
    let mut segments = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find("${") {
        let Some(close) = rest[open..].find('}') else {
            break;
        };
        segments.push(McpbSegment::Plain(&rest[..open]));
        segments.push(McpbSegment::Variable(&rest[open + 2..open + close]));
        rest = &rest[open + close + 1..];
    }
    segments.push(McpbSegment::Plain(rest));
    segments
}
