//! Reads the servers that other programs' files list.
//!
//! Each program has its own entry format ([`entry`]) and reference syntax ([`references`]). The
//! result has one form for all programs. It consists of the launch, in which secrets are separate
//! segments ([`secrets`]), and of notes about fields that a member does not have. An invalid entry
//! does not hide other entries. An invalid file is one error with its line.

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

use crate::entry::entries;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub use self::adoption::{NewMember, PlaceholderResolver};
pub use self::containers::ConfigContainer;
pub use self::run::{LaunchSpec, LaunchSpecField};
pub use self::secrets::{launch_secrets, written_secrets};
pub(super) use self::source::Dialect;
pub use self::source::{ConfigOwner, ServerFile, project_sources, user_sources, workspace_source};
pub use self::text::{TextSegment, TextTemplate};
use super::edit::{TextEditError, within_bounds};
use super::entry::ConfigEntry;
use super::normalize;
use super::program::{ClientProgram, Format};
use crate::messages::{FileProblem, FoundNote, InputNote};
use guild_api::wire::FoundScope;
use guild_model::id::ToolName;
use guild_model::manifest::{Manifest, Policy};
use guild_model::messages::RunProblem;
use guild_model::profile::ToolChoice;
use guild_text::text_edit::without_mark;
use guild_text::tree::{self, Node, TreeMember};

/// Maximum number of servers that are read from one file.
const SERVERS_MAX: usize = 1_000;
/// Maximum number of projects that are read from one file.
const PROJECTS_MAX: usize = 200;

/// Maximum size of a file with environment variables, in bytes.
pub const ENV_FILE_MAX: usize = 256 * 1024;

/// The context for resolving references.
#[derive(Clone, Copy)]
pub struct ReferenceContext<'a> {
    /// The user's home folder.
    pub home: &'a str,
    /// Returns an environment variable from the environment in which members start.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// Returns the text of a file with environment variables, at most [`ENV_FILE_MAX`] bytes, or
    /// the reason why it can't be read.
    pub env_file: &'a dyn Fn(&Path) -> Result<String, String>,
}

/// The servers of one file.
#[derive(Debug, Default)]
pub struct ParsedServers {
    /// The servers, in the file's order.
    pub servers: Vec<ConfiguredServer>,
    /// The project folders that the file lists.
    pub projects: Vec<PathBuf>,
    /// The limit that the file exceeded, if entries were left out.
    pub cut: Option<FileProblem>,
}

/// A server from a configuration file.
#[derive(Debug, Clone)]
pub struct ConfiguredServer {
    /// The server's name in the program.
    pub name: String,
    /// The line of the server's entry in the file, from 1.
    pub line: usize,
    /// Whether the server is configured for the user or for a project.
    pub scope: FoundScope,
    /// The project's folder, for a project's server.
    pub folder: Option<PathBuf>,
    /// The launch, or the reason it can't be determined.
    pub run: Result<LaunchSpec, RunProblem>,
    /// The inputs that the launch refers to.
    pub inputs: Vec<ConfigInput>,
    /// Names of tools that the program calls without asking.
    pub auto_approve: Vec<String>,
    /// Names of tools that must not be called.
    pub denied: Vec<String>,
    /// Names of the tools that the program exposes. `None` if it exposes all.
    pub only: Option<Vec<String>>,
    /// Whether the program reads variables for the server from a file that could not be read. The
    /// member would lack these variables.
    pub lacks_variables: bool,
    /// The server's description.
    pub description: String,
    /// Time limit for the start, in milliseconds.
    pub start_ms: Option<u64>,
    /// Time limit for a call, in milliseconds.
    pub call_ms: Option<u64>,
    /// Whether the server is disabled in the program.
    pub disabled: bool,
    /// Notes about fields that a member does not have.
    pub notes: Vec<FoundNote>,
}

/// A value that a person enters for `${input:id}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigInput {
    /// The input's id.
    pub id: String,
    /// The description shown to the person.
    pub description: InputNote,
    /// Whether the value is hidden during input.
    pub password: bool,
    /// The default value.
    pub default: Option<String>,
    /// The allowed values. Empty if any value is allowed.
    pub choices: Vec<String>,
}

impl ConfiguredServer {
    /// Returns the tools that the program exposes, as the selection for the member that replaces
    /// the server. A disabled server exposes none. The selection does not exclude tools that the
    /// member already denies to all clients.
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

impl ServerFile {
    /// Reads the servers of the file's text.
    ///
    /// # Errors
    /// If the text is not a file of the program.
    pub fn servers(
        &self,
        text: &str,
        surroundings: &ReferenceContext<'_>,
    ) -> Result<ParsedServers, TextEditError> {
        within_bounds(text)?;
        let text = without_mark(text);
        let ConfigOwner::Program(program) = self.owner else {
            // Goose and Continue use YAML. Each has its own key for the list.
            let list = match self.owner {
                ConfigOwner::Goose => "extensions",
                _ => "mcpServers",
            };
            let root = tree::yaml::read(text)?;
            return Ok(self.taken(normalize::of_list(&root, list), &[], surroundings));
        };
        let list = self.path_of(program.list());
        let root = match program.format() {
            Format::Toml => Some(tree::toml::read(text)?),
            Format::Json => tree::json::of_file(text, &[list[0], "inputs", "mcp", "projects"])?,
        };
        let mut parsed = ParsedServers::default();
        let Some(root) = root else {
            return Ok(parsed);
        };
        let inputs = inputs_of(root.value(&self.path_of("inputs")));
        let off = match program {
            ClientProgram::GeminiCli => names(root.value(&["mcp", "excluded"])),
            _ => Vec::new(),
        };
        self.take(
            root.object(&list)?,
            &inputs,
            &off,
            surroundings,
            &mut parsed,
        );
        if program == ClientProgram::ClaudeCode && self.scope == FoundScope::User {
            self.take_local(&root, surroundings, &mut parsed)?;
        }
        Ok(parsed)
    }

    /// Converts entries to servers. Each entry comes with notes about its normalization.
    pub(super) fn taken(
        &self,
        entries: impl IntoIterator<Item = (ConfigEntry, Vec<FoundNote>)>,
        inputs: &[ConfigInput],
        surroundings: &ReferenceContext<'_>,
    ) -> ParsedServers {
        let mut servers = ParsedServers::default();
        for (entry, notes) in entries {
            if servers.servers.len() == SERVERS_MAX {
                servers.cut = Some(FileProblem::ManyServers(SERVERS_MAX));
                break;
            }
            let mut server = entry::server(self, entry, inputs, surroundings);
            server.notes.splice(0..0, notes);
            servers.servers.push(server);
        }
        servers
    }

    /// Reads the user's servers for individual projects.
    fn take_local(
        &self,
        root: &Node,
        surroundings: &ReferenceContext<'_>,
        parsed: &mut ParsedServers,
    ) -> Result<(), TextEditError> {
        let projects = root.object(&["projects"])?.unwrap_or_default();
        let is_project = |project: &&TreeMember| project.node.members().is_some();
        for (at, project) in projects.iter().filter(is_project).enumerate() {
            if at == PROJECTS_MAX {
                parsed.cut = Some(FileProblem::ManyProjects(PROJECTS_MAX));
                break;
            }
            let folder = PathBuf::from(&project.key);
            if !folder.is_absolute() {
                continue;
            }
            let mut of_project = self.clone();
            of_project.scope = FoundScope::Local;
            of_project.folder = Some(folder.clone());
            parsed.projects.push(folder);
            // An invalid project does not hide other projects or the user's servers.
            let Ok(list) = project.node.object(&["mcpServers"]) else {
                continue;
            };
            let off = names(project.node.value(&["disabledMcpServers"]));
            of_project.take(list, &[], &off, surroundings, parsed);
        }
        Ok(())
    }

    fn take(
        &self,
        list: Option<&[TreeMember]>,
        inputs: &[ConfigInput],
        off: &[String],
        surroundings: &ReferenceContext<'_>,
        parsed: &mut ParsedServers,
    ) {
        for entry in entries(list.unwrap_or_default()) {
            if parsed.servers.len() == SERVERS_MAX {
                parsed.cut = Some(FileProblem::ManyServers(SERVERS_MAX));
                return;
            }
            let mut server = entry::server(self, entry, inputs, surroundings);
            server.disabled |= off.contains(&server.name);
            parsed.servers.push(server);
        }
    }
}

/// Reads the inputs that VS Code requests from a person.
pub(super) fn inputs_of(value: Option<Value>) -> Vec<ConfigInput> {
    let list = match value {
        Some(Value::Array(list)) => list,
        _ => return Vec::new(),
    };
    let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
    list.iter()
        .take(SERVERS_MAX)
        .filter_map(|input| {
            let choices = input["options"].as_array().into_iter().flatten();
            // A choice is a string, or an object with a label and a value.
            let choice = |one: &Value| {
                let value = one.as_str().or_else(|| one["value"].as_str());
                value.map(str::to_owned)
            };
            Some(ConfigInput {
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
