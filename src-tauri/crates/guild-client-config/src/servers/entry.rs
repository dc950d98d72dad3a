//! Reads one entry of a program's list of servers.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::super::entry::ConfigEntry;
use super::super::program::ClientProgram;
use super::dotenv::{self, Variables};
use super::placeholders::{Certainty, Placeholders};
use super::references::{References, WORKSPACE_FOLDER};
use super::run::{LaunchSpec, LaunchSpecField};
use super::secrets::mark_secrets;
use super::source::{ConfigOwner, ServerFile};
use super::text::{TextSegment, TextTemplate};
use super::{ConfigInput, ConfiguredServer, ReferenceContext};
use crate::messages::{FoundNote, InputNote};
use guild_api::wire::FoundScope;
use guild_model::messages::{RunPlace, RunProblem};
use guild_text::messages::short;

/// Maximum number of arguments, of variables and of headers of a server. A manifest has the same
/// limit.
const ITEMS_MAX: usize = 1_000;
/// Maximum timeout that a manifest can contain, in milliseconds.
const LIMIT_MS_MAX: u64 = 86_400_000;
/// Maximum number of keys that a note lists.
const LISTED_MAX: usize = 8;
/// Keys that don't affect the launch and need no note.
const SILENT: &[&str] = &[
    "$schema", "gallery", "version", "name", "id", "env_vars", "comment",
];
/// Keys that list the tools which a program exposes. They are used by Gemini CLI and Amp, Codex,
/// Goose, OpenAI's and Anthropic's APIs, and Copilot.
const OFFERED: &[&str] = &[
    "includeTools",
    "enabled_tools",
    "enabledTools",
    "available_tools",
    "allowed_tools",
    "allowedTools",
    "tools",
];
/// Keys that contain the path of a file with environment variables.
const ENV_FILES: &[&str] = &["envFile", "env_file"];
/// Programs that download a server and run it, so that the working folder does not matter.
const RUNNERS: &[&str] = &["npx", "bunx", "uvx", "pipx", "docker", "podman"];

/// Converts an entry to a server.
pub(super) fn server(
    source: &ServerFile,
    entry: ConfigEntry,
    inputs: &[ConfigInput],
    surroundings: &ReferenceContext<'_>,
) -> ConfiguredServer {
    let ConfigEntry {
        name,
        line,
        earlier,
        value,
    } = entry;
    let mut server = ConfiguredServer {
        name,
        line,
        scope: source.scope,
        folder: source.folder.clone(),
        run: Err(RunProblem::NoObject),
        inputs: Vec::new(),
        auto_approve: Vec::new(),
        denied: Vec::new(),
        only: None,
        lacks_variables: false,
        description: String::new(),
        start_ms: None,
        call_ms: None,
        disabled: false,
        notes: Vec::new(),
    };
    if let Some(line) = earlier {
        let whose = source.dialect.whose_first();
        server.notes.push(FoundNote::Repeated(whose, line));
    }
    let fields = match value {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => {
            server.run = Err(RunProblem::NoObject);
            return server;
        }
        Err(why) => {
            server.run = Err(why);
            return server;
        }
    };
    // A workspace file has no single folder: it lists several, and the folder of the file need not
    // be one of them.
    let folder = source.folder.as_deref();
    let folder = folder.filter(|_| source.scope != FoundScope::Workspace);
    let mut reading = ServerEntryReader {
        references: References {
            dialect: source.dialect,
            folder,
            surroundings,
        },
        fields,
        reads_files: source.owner.reads_files(),
        placeholders: match source.owner {
            ConfigOwner::CommandLine => None,
            owner if owner.is_brought() => Some(Placeholders::new(Certainty::Example)),
            _ => Some(Placeholders::new(Certainty::OwnFile)),
        },
    };
    reading.settings(&mut server);
    let env_file = reading.env_file(&mut server);
    server.run = reading.run(env_file, &mut server.notes).and_then(|run| {
        let (run, script) = mark_secrets(&run);
        if script {
            server.notes.push(FoundNote::Script);
        }
        run.fits_a_manifest()?;
        Ok(run)
    });
    if let Ok(run) = &server.run {
        let known = reading.placeholders.take().map(Placeholders::into_inputs);
        let known = [inputs, known.as_deref().unwrap_or_default()].concat();
        server.inputs = launch_inputs(run, &known);
        reading.leftovers(&mut server.notes);
    }
    server
}

/// Returns the inputs that a launch refers to, in the order of their first use.
fn launch_inputs(run: &LaunchSpec, known: &[ConfigInput]) -> Vec<ConfigInput> {
    let mut inputs: Vec<ConfigInput> = Vec::new();
    for id in run.texts().into_iter().flat_map(TextTemplate::inputs) {
        if inputs.iter().any(|input| input.id == id) {
            continue;
        }
        let input = known.iter().find(|input| input.id == id).cloned();
        inputs.push(input.unwrap_or_else(|| ConfigInput {
            id: id.to_owned(),
            description: match id {
                WORKSPACE_FOLDER => InputNote::WorkFolder,
                _ => InputNote::OfFile(String::new()),
            },
            password: false,
            default: None,
            choices: Vec::new(),
        }));
    }
    inputs
}

struct ServerEntryReader<'a> {
    references: References<'a>,
    /// The fields that have not been read yet.
    fields: Map<String, Value>,
    /// Whether the files that the entry refers to are read.
    reads_files: bool,
    /// Finds placeholders. `None` if the entry can't contain any.
    placeholders: Option<Placeholders>,
}

impl ServerEntryReader<'_> {
    fn program(&self) -> Option<ClientProgram> {
        self.references.dialect.program()
    }

    fn take(&mut self, key: &str) -> Option<Value> {
        self.fields
            .shift_remove(key)
            .filter(|value| !value.is_null())
    }

    /// Reads the fields that are not part of the launch.
    fn settings(&mut self, server: &mut ConfiguredServer) {
        for key in SILENT {
            self.fields.shift_remove(*key);
        }
        if self.fields.get("settings") == Some(&Value::Object(Map::new()))
            && self.fields.contains_key("command")
        {
            self.fields.shift_remove("settings");
        }
        let disabled = self.take("disabled") == Some(Value::Bool(true));
        let enabled = self.take("enabled") != Some(Value::Bool(false));
        server.disabled = disabled || !enabled;
        if let Some(Value::String(description)) = self.take("description") {
            server.description = description.chars().take(2_000).collect();
        }
        for key in ["autoApprove", "alwaysAllow"] {
            server.auto_approve.extend(self.tools(key));
        }
        server.auto_approve.dedup();
        for key in ["excludeTools", "disabledTools", "disabled_tools"] {
            server.denied.extend(self.tools(key));
        }
        let program = self.program();
        let in_seconds = matches!(program, Some(ClientProgram::Cline | ClientProgram::Zed));
        let timeout = self.fields.get("timeout").and_then(Value::as_f64);
        if let (Some(timeout), false) = (timeout, program == Some(ClientProgram::Windsurf)) {
            self.fields.shift_remove("timeout");
            server.call_ms = limit(timeout * if in_seconds { 1_000.0 } else { 1.0 });
        }
        if program == Some(ClientProgram::Codex) {
            server.start_ms = self
                .number("startup_timeout_ms")
                .or_else(|| self.number("startup_timeout_sec").map(|s| s * 1_000.0))
                .and_then(limit);
            let call = self.number("tool_timeout_sec");
            server.call_ms = call.and_then(|seconds| limit(seconds * 1_000.0));
        }
        let dialect = self.references.dialect;
        let first = || dialect.whose_first();
        if self.take("trust") == Some(Value::Bool(true)) {
            server.notes.push(FoundNote::CallsWithoutAsking(first()));
        }
        for key in OFFERED {
            let Some(only) = self.offered(key) else {
                continue;
            };
            server.notes.push(FoundNote::SomeTools(first(), key));
            match &mut server.only {
                None => server.only = Some(only),
                Some(known) => known.retain(|tool| only.contains(tool)),
            }
        }
    }

    /// Returns the tools that a key of [`OFFERED`] lists. `None` if the key does not restrict the
    /// tools.
    fn offered(&mut self, key: &'static str) -> Option<Vec<String>> {
        if !self.fields.get(key).is_some_and(Value::is_array) {
            return None;
        }
        let only = self.tools(key);
        // Goose and Copilot expose all tools if the list is empty or contains a star.
        let is_all = match key {
            "available_tools" => only.is_empty(),
            "tools" => only.is_empty() || only.iter().any(|tool| tool == "*"),
            _ => false,
        };
        // Gemini CLI allows `tool(arguments)` here.
        let name = |tool: String| match tool.split_once('(') {
            Some((name, _)) => name.to_owned(),
            None => tool,
        };
        (!is_all).then(|| only.into_iter().map(name).collect())
    }

    /// Returns the variables in the file that the entry refers to, if the entry starts a command.
    fn env_file(&mut self, server: &mut ConfiguredServer) -> Variables {
        if !self.fields.contains_key("command") {
            return Variables::new();
        }
        let whose = || self.references.dialect.whose();
        let path = match ENV_FILES
            .iter()
            .find_map(|key| self.fields.shift_remove(*key))
        {
            Some(Value::String(path)) if !path.trim().is_empty() => path,
            _ => return Variables::new(),
        };
        server.lacks_variables = true;
        let literal = self
            .references
            .read(&path)
            .ok()
            .and_then(|read| read.literal());
        let (Some(path), true) = (literal, self.reads_files) else {
            server.notes.push(FoundNote::EnvFile(whose()));
            return Variables::new();
        };
        let home = Path::new(self.references.surroundings.home);
        let path = match path.strip_prefix("~/") {
            Some(rest) => home.join(rest),
            None => self.references.folder.unwrap_or(home).join(path),
        };
        let read = (self.references.surroundings.env_file)(&path)
            .and_then(|text| dotenv::variables(&text).map_err(|wrong| wrong.to_string()));
        match read {
            Ok(variables) => {
                server.lacks_variables = false;
                server
                    .notes
                    .push(FoundNote::EnvFileRead(path, variables.len()));
                variables
            }
            Err(why) => {
                server
                    .notes
                    .push(FoundNote::EnvFileUnread(whose(), path, why));
                Variables::new()
            }
        }
    }

    fn number(&mut self, key: &str) -> Option<f64> {
        self.take(key)?.as_f64()
    }

    fn tools(&mut self, key: &str) -> Vec<String> {
        let list = match self.take(key) {
            Some(Value::Array(list)) => list,
            Some(other) => {
                self.fields.insert(key.to_owned(), other);
                return Vec::new();
            }
            None => return Vec::new(),
        };
        list.into_iter()
            .take(ITEMS_MAX)
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect()
    }

    fn run(
        &mut self,
        env_file: Variables,
        notes: &mut Vec<FoundNote>,
    ) -> Result<LaunchSpec, RunProblem> {
        let whose = self.references.dialect.whose();
        if self
            .take("source")
            .is_some_and(|source| source == "extension")
        {
            return Err(RunProblem::Extension(whose));
        }
        let transport = self.transport()?;
        let is_remote = ["url", "httpUrl", "serverUrl"]
            .iter()
            .any(|key| self.fields.get(*key).is_some_and(Value::is_string));
        match (transport, self.fields.contains_key("command"), is_remote) {
            (Some(EntryTransport::Http), _, true) | (None, false, true) => self.url(),
            (Some(EntryTransport::Stdio) | None, true, _) => self.command(env_file, notes),
            (Some(EntryTransport::Http), _, false) => Err(RunProblem::NeedsUrl),
            (Some(EntryTransport::Stdio), false, _) => Err(RunProblem::NeedsCommand),
            (None, false, false) if self.fields.contains_key("settings") => {
                Err(RunProblem::Extension(whose))
            }
            (None, false, false) => Err(RunProblem::Neither),
        }
    }

    fn transport(&mut self) -> Result<Option<EntryTransport>, RunProblem> {
        let keys = ["type", "transport", "transportType"];
        let declared: Vec<Value> = keys.iter().filter_map(|key| self.take(key)).collect();
        let Some(declared) = declared.first() else {
            return Ok(None);
        };
        let word = declared.as_str().unwrap_or_default().to_ascii_lowercase();
        match word.replace(['-', '_'], "").as_str() {
            "stdio" | "local" => Ok(Some(EntryTransport::Stdio)),
            // A member with the transport `http` recognizes a server with HTTP+SSE.
            "http" | "streamablehttp" | "remote" | "sse" => Ok(Some(EntryTransport::Http)),
            "ws" | "websocket" => Err(RunProblem::Unspoken(word)),
            _ => {
                let cut: String = declared.to_string().chars().take(60).collect();
                Err(RunProblem::UnknownType(cut))
            }
        }
    }

    fn command(
        &mut self,
        env_file: Variables,
        notes: &mut Vec<FoundNote>,
    ) -> Result<LaunchSpec, RunProblem> {
        let mut path = match self.take("command") {
            // The older format of Zed.
            Some(Value::Object(mut command)) => {
                let path = command.shift_remove("path");
                for key in ["args", "env"] {
                    if let Some(value) = command.shift_remove(key) {
                        self.fields.insert(key.to_owned(), value);
                    }
                }
                self.fields.extend(command);
                path
            }
            // The format of opencode: a list with the program and its arguments.
            Some(Value::Array(mut words)) if self.program() == Some(ClientProgram::OpenCode) => {
                if words.is_empty() {
                    return Err(RunProblem::NoProgram);
                }
                let program = words.remove(0);
                self.fields.insert("args".to_owned(), Value::Array(words));
                Some(program)
            }
            other => other,
        };
        let command = match path.take() {
            Some(Value::String(command)) if !command.trim().is_empty() => command,
            _ => return Err(RunProblem::NoProgram),
        };
        let args = match self.take("args") {
            None => Vec::new(),
            Some(Value::Array(args)) if args.len() <= ITEMS_MAX => args
                .iter()
                .map(|arg| self.text(arg, "args", None))
                .collect::<Result<_, RunProblem>>()?,
            Some(_) => return Err(RunProblem::NoArguments),
        };
        self.note_unset("env", notes);
        let mut env = self.values("env")?;
        if self.program() == Some(ClientProgram::OpenCode) {
            self.note_unset("environment", notes);
            env.append(&mut self.values("environment")?);
        }
        for (name, value) in env_file {
            // Values in the entry take precedence.
            env.entry(name.clone())
                .or_insert_with(|| TextTemplate::secret(name, value));
        }
        if env.len() > ITEMS_MAX {
            return Err(RunProblem::NoTexts("env".to_owned()));
        }
        let cwd = self.cwd(&command, &args)?;
        Ok(LaunchSpec::Command {
            command: self.filled(&command, None)?,
            args,
            env,
            cwd,
        })
    }

    /// Returns the entry's working folder, or the project's folder if the command depends on it.
    fn cwd(
        &mut self,
        command: &str,
        args: &[TextTemplate],
    ) -> Result<Option<TextTemplate>, RunProblem> {
        let home = self.references.surroundings.home;
        let folder = self.references.folder;
        let path = match self.take("cwd") {
            Some(Value::String(path)) if !path.trim().is_empty() => Some(path),
            None | Some(Value::String(_)) => None,
            Some(_) => return Err(RunProblem::NoFolder),
        };
        if let Some(path) = path {
            let cwd = self
                .references
                .read(path.strip_prefix("./").unwrap_or(&path))?;
            let is_whole = match cwd.segments().first() {
                Some(TextSegment::Plain(begin)) => Path::new(begin).is_absolute(),
                _ => true,
            };
            if is_whole {
                return Ok(Some(cwd));
            }
            let base = folder.unwrap_or(Path::new(home)).join("");
            let base = TextSegment::Plain(base.display().to_string());
            let parts = [base].into_iter().chain(cwd.segments().iter().cloned());
            return Ok(Some(parts.collect()));
        }
        let stem = Path::new(command)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let brings_along = RUNNERS.contains(&stem.to_ascii_lowercase().as_str())
            && !args.iter().any(|arg| is_relative(&arg.written()));
        Ok(folder
            .filter(|_| !brings_along)
            .map(|folder| TextTemplate::plain(folder.display().to_string())))
    }

    fn url(&mut self) -> Result<LaunchSpec, RunProblem> {
        let key = ["httpUrl", "serverUrl", "url"]
            .into_iter()
            .find(|key| self.fields.get(*key).is_some_and(Value::is_string));
        let url = key.and_then(|key| self.take(key));
        let url = url.as_ref().and_then(Value::as_str).unwrap_or_default();
        let mut headers = self.values("headers")?;
        if self.program() == Some(ClientProgram::Codex) {
            headers.append(&mut self.values("http_headers")?);
            for (header, variable) in self.values("env_http_headers")? {
                headers.insert(header, TextTemplate::env("", &variable.written()));
            }
            if let Some(Value::String(variable)) = self.take("bearer_token_env_var") {
                headers.insert(
                    "Authorization".to_owned(),
                    TextTemplate::env("Bearer ", &variable),
                );
            }
            if let Some(Value::String(token)) = self.take("bearer_token") {
                let token = TextTemplate::plain(format!("Bearer {token}"));
                headers.insert("Authorization".to_owned(), token);
            }
        }
        Ok(LaunchSpec::Url {
            url: self.address(url)?,
            headers,
        })
    }

    /// Reads an address. In a manifest, its scheme must be literal.
    fn address(&mut self, url: &str) -> Result<TextTemplate, RunProblem> {
        let read = self.filled(url, None)?;
        Ok(match read.segments() {
            [TextSegment::Env(name), rest @ ..] => match (self.references.surroundings.env)(name) {
                Some(value) => {
                    let parts = [TextSegment::Plain(value)].into_iter();
                    parts.chain(rest.iter().cloned()).collect()
                }
                None => read,
            },
            _ => read,
        })
    }

    /// Adds a note for each variable that a `null` removes from the server's environment. A header
    /// with `null` needs no note, because a member does not send such a header either.
    fn note_unset(&self, key: &str, notes: &mut Vec<FoundNote>) {
        let whose = || self.references.dialect.whose_first();
        let values = self.fields.get(key).and_then(Value::as_object);
        let unset = values
            .into_iter()
            .flatten()
            .filter(|(_, value)| value.is_null());
        notes.extend(unset.map(|(name, _)| FoundNote::UnsetVariable(whose(), short(name, 60))));
    }

    /// Reads an object of strings. Leaves out the keys whose value is `null`.
    fn values(&mut self, key: &str) -> Result<BTreeMap<String, TextTemplate>, RunProblem> {
        let fields = match self.take(key) {
            None => return Ok(BTreeMap::new()),
            Some(Value::Object(fields)) if fields.len() <= ITEMS_MAX => fields,
            Some(_) => return Err(RunProblem::NoTexts(key.to_owned())),
        };
        let mut values = BTreeMap::new();
        for (name, value) in fields {
            if value.is_null() {
                continue;
            }
            let text = self.text(&value, key, Some(&name))?;
            values.insert(name, text);
        }
        Ok(values)
    }

    /// Splits a string into plain text and references, and replaces each placeholder such as
    /// `<YOUR_TOKEN>` by an input, unless `placeholders` is `None`. `name` is the key of the string,
    /// such as the variable's name.
    fn filled(&mut self, text: &str, name: Option<&str>) -> Result<TextTemplate, RunProblem> {
        let read = self.references.read(text)?;
        Ok(match &mut self.placeholders {
            Some(placeholders) => placeholders.extract(read, name),
            None => read,
        })
    }

    fn text(
        &mut self,
        value: &Value,
        key: &str,
        name: Option<&str>,
    ) -> Result<TextTemplate, RunProblem> {
        match value {
            Value::String(text) => self.filled(text, name),
            Value::Number(number) => Ok(TextTemplate::plain(number.to_string())),
            Value::Bool(flag) => Ok(TextTemplate::plain(flag.to_string())),
            _ => Err(RunProblem::NoText(key.to_owned())),
        }
    }

    /// Adds a note about the keys that were not read, since a member has no such field.
    fn leftovers(&self, notes: &mut Vec<FoundNote>) {
        let cut = |key: &String| format!("`{}`", short(key, 60));
        let keys: Vec<String> = self.fields.keys().take(LISTED_MAX).map(cut).collect();
        if keys.is_empty() {
            return;
        }
        let listed = keys.join(", ");
        notes.push(match self.fields.len() - keys.len() {
            0 => FoundNote::Leftovers(listed),
            more => FoundNote::ManyLeftovers(listed, more),
        });
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryTransport {
    Stdio,
    Http,
}

/// Checks whether a word of a command is a path relative to the working folder.
fn is_relative(word: &str) -> bool {
    let value = word.rsplit('=').next().unwrap_or(word);
    matches!(value, "." | "..")
        || ["./", "../", ".\\", "..\\"]
            .iter()
            .any(|begin| value.starts_with(begin))
}

fn limit(ms: f64) -> Option<u64> {
    // A value above the manifest's limit is reduced to the limit.
    (ms >= 1.0).then(|| ms.min(LIMIT_MS_MAX as f64) as u64)
}

/// Converts a launch's field to the form in which an error names it.
pub(super) fn place_of(field: LaunchSpecField<'_>) -> RunPlace {
    match field {
        LaunchSpecField::Command => RunPlace::Command,
        LaunchSpecField::Arg => RunPlace::Argument,
        LaunchSpecField::Env(name) => RunPlace::Variable(short(name, 60)),
        LaunchSpecField::Cwd => RunPlace::Folder,
        LaunchSpecField::Url => RunPlace::Url,
        LaunchSpecField::Header(name) => RunPlace::Header(short(name, 60)),
    }
}
