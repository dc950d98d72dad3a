//! The servers that stand in other programs' files: read, and never changed.
//!
//! Each program has a shape and references of its own ([`entry`], [`references`]); what comes of
//! them is the same for all: what a server would run, its secrets set apart ([`secrets`]), and what
//! a member would not have of it. One entry that is wrong hides no other; a text that is no file of
//! the program is one error that names its line.

mod adoption;
mod containers;
mod dotenv;
mod entry;
mod placeholders;
mod references;
mod run;
mod secrets;
mod source;
mod text;

use std::path::{Path, PathBuf};

use serde_json::Value;

pub use self::adoption::{NewMember, Wanting};
pub use self::containers::Contained;
pub use self::run::{Run, Spot};
pub use self::secrets::{launch_secrets, written_secrets};
pub(super) use self::source::Dialect;
pub use self::source::{Owner, Source, project_sources, user_sources, workspace_source};
pub use self::text::{Piece, Text};
use super::edit::{Untouchable, within_bounds};
use super::entry::Entry;
use super::program::{Format, Program};
use super::tree::{self, Member, Node};
use super::usual;
use crate::agents::ToolChoice;
use crate::id::ToolName;
use crate::manifest::{Manifest, Policy};
use crate::note::{FileWrong, FoundNote, InputNote, RunWrong};
use crate::text_edit::without_mark;
use crate::wire::FoundScope;

/// The most servers that are read of one file.
const SERVERS_MAX: usize = 1_000;
/// The most projects that one file may name.
const PROJECTS_MAX: usize = 200;

/// The largest file of variables that is read, in bytes.
pub const ENV_FILE_MAX: usize = 256 * 1024;

/// What references are resolved by.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The user's home.
    pub home: &'a str,
    /// A variable of the environment that members are started with.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// The text of a file of variables that an entry names, at most [`ENV_FILE_MAX`] bytes of it, or
    /// why it can't be read.
    pub env_file: &'a dyn Fn(&Path) -> Result<String, String>,
}

/// What stands in one file.
#[derive(Debug, Default)]
pub struct Servers {
    /// The servers, in the file's order.
    pub servers: Vec<Server>,
    /// The folders of projects that the file knows.
    pub projects: Vec<PathBuf>,
    /// What was left out because there is too much of it.
    pub cut: Option<FileWrong>,
}

/// One server of a file.
#[derive(Debug, Clone)]
pub struct Server {
    /// What the program calls it.
    pub name: String,
    /// Its line, from 1.
    pub line: usize,
    /// Whom it is for.
    pub scope: FoundScope,
    /// The project's folder, where it is for one.
    pub folder: Option<PathBuf>,
    /// What it would run, or why that can't be made out.
    pub run: Result<Run<Text>, RunWrong>,
    /// What the file says of its inputs.
    pub inputs: Vec<Input>,
    /// Names of tools that may be called without a question.
    pub auto_approve: Vec<String>,
    /// Names of tools that may not be called.
    pub denied: Vec<String>,
    /// Names of the tools that its program offers; `None` where it offers all.
    pub only: Option<Vec<String>>,
    /// Whether its program gives it variables of a file that could not be read: a member has none of
    /// them.
    pub lacks_variables: bool,
    /// What it is for.
    pub description: String,
    /// How long it may take to start, in milliseconds.
    pub start_ms: Option<u64>,
    /// How long a call may take, in milliseconds.
    pub call_ms: Option<u64>,
    /// Whether it is switched off.
    pub disabled: bool,
    /// What a member would not have of it.
    pub notes: Vec<FoundNote>,
}

/// What a person is to give for `${input:id}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its id.
    pub id: String,
    /// What it is.
    pub description: InputNote,
    /// Whether what is typed is hidden.
    pub password: bool,
    /// What it is where nothing is given.
    pub default: Option<String>,
    /// What it may be; empty where it may be anything.
    pub choices: Vec<String>,
}

impl Server {
    /// The tools that its program offers, where a member takes its place; none where it is switched
    /// off. A tool that the member denies to all agents is denied to this program too.
    pub fn tool_choice(&self, member: &Manifest) -> ToolChoice {
        let names = |names: &[String]| -> Vec<ToolName> {
            let names = names.iter().map(|name| ToolName::parse(name));
            names.filter_map(Result::ok).collect()
        };
        if self.disabled {
            return ToolChoice::Only { tools: Vec::new() };
        }
        let denied = |tool: &ToolName| {
            let settings = member.tools.get(tool.as_str());
            settings.is_some_and(|settings| settings.policy == Some(Policy::Deny))
        };
        let mut except = names(&self.denied);
        except.retain(|tool| !denied(tool));
        let except = match except.is_empty() {
            true => ToolChoice::All,
            false => ToolChoice::Except { tools: except },
        };
        match &self.only {
            None => except,
            Some(only) => ToolChoice::Only { tools: names(only) }.and(except),
        }
    }
}

impl Source {
    /// The servers of the file's text.
    ///
    /// # Errors
    /// When the text is no file of the program.
    pub fn servers(
        &self,
        text: &str,
        surroundings: &Surroundings<'_>,
    ) -> Result<Servers, Untouchable> {
        within_bounds(text)?;
        let text = without_mark(text);
        let Owner::Program(program) = self.owner else {
            // Both have a list of its own name in YAML.
            let list = match self.owner {
                Owner::Goose => "extensions",
                _ => "mcpServers",
            };
            let root = tree::yaml::read(text)?;
            return Ok(self.taken(usual::of_list(&root, list), &[], surroundings));
        };
        let list = self.path_of(program.list());
        let root = match program.format() {
            Format::Toml => Some(tree::toml::read(text)?),
            Format::Json => tree::json::of_file(text, &[list[0], "inputs", "mcp", "projects"])?,
        };
        let mut found = Servers::default();
        let Some(root) = root else {
            return Ok(found);
        };
        let inputs = inputs_of(root.value(&self.path_of("inputs")));
        let off = match program {
            Program::GeminiCli => names(root.value(&["mcp", "excluded"])),
            _ => Vec::new(),
        };
        self.take(root.object(&list)?, &inputs, &off, surroundings, &mut found);
        if program == Program::ClaudeCode && self.scope == FoundScope::User {
            self.take_local(&root, surroundings, &mut found)?;
        }
        Ok(found)
    }

    /// The servers of entries that come with notes of their own.
    pub(super) fn taken(
        &self,
        found: impl IntoIterator<Item = (Entry, Vec<FoundNote>)>,
        inputs: &[Input],
        surroundings: &Surroundings<'_>,
    ) -> Servers {
        let mut servers = Servers::default();
        for (entry, notes) in found {
            if servers.servers.len() == SERVERS_MAX {
                servers.cut = Some(FileWrong::ManyServers(SERVERS_MAX));
                break;
            }
            let mut server = entry::server(self, entry, inputs, surroundings);
            server.notes.splice(0..0, notes);
            servers.servers.push(server);
        }
        servers
    }

    /// The servers that the user has in single projects.
    fn take_local(
        &self,
        root: &Node,
        surroundings: &Surroundings<'_>,
        found: &mut Servers,
    ) -> Result<(), Untouchable> {
        let projects = root.object(&["projects"])?.unwrap_or_default();
        let is_project = |project: &&Member| project.node.members().is_some();
        for (at, project) in projects.iter().filter(is_project).enumerate() {
            if at == PROJECTS_MAX {
                found.cut = Some(FileWrong::ManyProjects(PROJECTS_MAX));
                break;
            }
            let folder = PathBuf::from(&project.key);
            if !folder.is_absolute() {
                continue;
            }
            let mut of_project = self.clone();
            of_project.scope = FoundScope::Local;
            of_project.folder = Some(folder.clone());
            found.projects.push(folder);
            // What is odd about one project hides neither the others nor the user's own.
            let Ok(list) = project.node.object(&["mcpServers"]) else {
                continue;
            };
            let off = names(project.node.value(&["disabledMcpServers"]));
            of_project.take(list, &[], &off, surroundings, found);
        }
        Ok(())
    }

    fn take(
        &self,
        list: Option<&[Member]>,
        inputs: &[Input],
        off: &[String],
        surroundings: &Surroundings<'_>,
        found: &mut Servers,
    ) {
        for entry in tree::entries(list.unwrap_or_default()) {
            if found.servers.len() == SERVERS_MAX {
                found.cut = Some(FileWrong::ManyServers(SERVERS_MAX));
                return;
            }
            let mut server = entry::server(self, entry, inputs, surroundings);
            server.disabled |= off.contains(&server.name);
            found.servers.push(server);
        }
    }
}

/// What VS Code asks a person for.
pub(super) fn inputs_of(value: Option<Value>) -> Vec<Input> {
    let list = match value {
        Some(Value::Array(list)) => list,
        _ => return Vec::new(),
    };
    let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
    list.iter()
        .take(SERVERS_MAX)
        .filter_map(|input| {
            let choices = input["options"].as_array().into_iter().flatten();
            // A choice is a text, or a label with its value.
            let choice = |one: &Value| {
                let value = one.as_str().or_else(|| one["value"].as_str());
                value.map(str::to_owned)
            };
            Some(Input {
                id: text(input, "id")?,
                description: InputNote::OfFile(text(input, "description").unwrap_or_default()),
                password: input["password"].as_bool() == Some(true),
                default: text(input, "default"),
                choices: choices.take(SERVERS_MAX).filter_map(choice).collect(),
            })
        })
        .collect()
}

fn names(value: Option<Value>) -> Vec<String> {
    let list = value.as_ref().and_then(Value::as_array);
    let names = list.into_iter().flatten().filter_map(Value::as_str);
    names.take(SERVERS_MAX).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
