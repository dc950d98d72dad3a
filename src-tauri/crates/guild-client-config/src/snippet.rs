//! Reads servers from input of a person: text from a server's web page, a file, or the words of a
//! command. No command is run.
//!
//! The text's content shows its format: JSON, TOML or YAML of a program ([`shapes`]), a terminal
//! command ([`command`]), an install link ([`links`]) or an address. A page can contain several of
//! these, each between Markdown fences ([`blocks`]). The result has the same type as the result for
//! other programs' files.

mod blocks;
mod command;
mod links;
mod shapes;

use std::path::{Path, PathBuf};

use self::blocks::Block;
pub use self::links::is_install_link;
use self::shapes::SnippetServers;
pub use super::normalize::shell::WORDS_MAX;
use super::program::{ClientConfigFolders, ClientProgram};
use super::servers::{
    ConfigInput, ConfigOwner, Dialect, ParsedServers, ReferenceContext, ServerFile,
    project_sources, user_sources, workspace_source,
};
use crate::messages::FoundNote;
use guild_text::messages::{MisreadAdvice, MisreadProblem};
use guild_text::tree::{self, Node, TreeParseError};

/// Maximum size of a text, in bytes. A program's configuration file may be larger.
pub const SNIPPET_MAX: usize = 1 << 20;
/// Maximum number of notes about parts that were left out.
const LEFT_OUT_MAX: usize = 8;

/// The servers in a text that a person provided.
#[derive(Debug, Default)]
pub struct Snippet {
    /// The parts with servers, each with its source. Every part has at least one server.
    pub parts: Vec<(ServerFile, ParsedServers)>,
    /// Notes about parts that were left out.
    pub left_out: Vec<FoundNote>,
}

/// Reads a text that a person pasted.
///
/// # Errors
/// If it contains no server, or can't be parsed.
pub fn pasted(text: &str, surroundings: &ReferenceContext<'_>) -> Result<Snippet, TreeParseError> {
    let whole = SnippetReader {
        owner: ConfigOwner::Pasted,
        path: PathBuf::new(),
        known: None,
        surroundings,
    };
    whole.read(text, None)
}

/// Reads the text of a file. If the path belongs to a program's or a project's file, the text is
/// read as that program reads it.
///
/// # Errors
/// If it contains no server, or can't be parsed.
pub fn of_file(
    path: &Path,
    text: &str,
    folders: Option<&ClientConfigFolders>,
    surroundings: &ReferenceContext<'_>,
) -> Result<Snippet, TreeParseError> {
    let source = source_of(path, folders);
    if let Some(source) = &source {
        // If the strict parser for this program's file rejects the text, the lenient parser below
        // may still read it.
        let read = source.servers(text, surroundings).unwrap_or_default();
        if !read.servers.is_empty() {
            let parts = vec![(source.clone(), read)];
            return Ok(Snippet {
                parts,
                left_out: Vec::new(),
            });
        }
    }
    let whole = SnippetReader {
        owner: ConfigOwner::File,
        path: path.to_owned(),
        known: source.or_else(|| named_for_a_program(path)),
        surroundings,
    };
    let format = path.extension().and_then(|end| end.to_str());
    let format = format.map(str::to_ascii_lowercase);
    let format = match format.as_deref() {
        Some("json" | "jsonc" | "json5" | "code-workspace") => Some(SnippetFormat::Json),
        Some("toml") => Some(SnippetFormat::Toml),
        Some("yaml" | "yml") => Some(SnippetFormat::Yaml),
        _ => None,
    };
    whole.read(text, format)
}

/// Reads the words of a command that a shell has split. References in the words are not resolved.
///
/// # Errors
/// If the command starts no server.
pub fn of_words(
    words: &[String],
    surroundings: &ReferenceContext<'_>,
) -> Result<Snippet, TreeParseError> {
    if words.len() > WORDS_MAX || words.iter().map(String::len).sum::<usize>() > SNIPPET_MAX {
        return Err(too_long());
    }
    let whole = SnippetReader {
        owner: ConfigOwner::CommandLine,
        path: PathBuf::new(),
        known: None,
        surroundings,
    };
    let links = match words {
        [word] => links::of_text(word),
        _ => Vec::new(),
    };
    let listed = match links.first() {
        Some(link) => link.listed()?,
        None => SnippetServers {
            dialect: Dialect::Plain,
            found: vec![command::of_words(words, 1, surroundings.home)?],
            inputs: Vec::new(),
        },
    };
    let parts = vec![whole.taken(listed)];
    Ok(Snippet {
        parts,
        left_out: Vec::new(),
    })
}

/// Returns the source for the program's or project's file at a path.
fn source_of(path: &Path, folders: Option<&ClientConfigFolders>) -> Option<ServerFile> {
    let users = folders.map(user_sources).unwrap_or_default();
    let near = [path.parent(), path.parent().and_then(Path::parent)];
    let of_projects = near.into_iter().flatten().flat_map(project_sources);
    let mut known = users.into_iter().chain(of_projects);
    let is_workspace = path.extension().is_some_and(|end| end == "code-workspace");
    let workspace = is_workspace.then(|| workspace_source(path));
    known.find(|source| source.path == path).or(workspace)
}

/// Recognizes a file name that only one program uses, in any folder.
fn named_for_a_program(path: &Path) -> Option<ServerFile> {
    let program = match path.file_name()?.to_str()? {
        "claude_desktop_config.json" => ClientProgram::ClaudeDesktop,
        "cline_mcp_settings.json" => ClientProgram::Cline,
        ".claude.json" => ClientProgram::ClaudeCode,
        _ => return None,
    };
    let dialect = Dialect::Of(program);
    Some(ServerFile::of_user(
        ConfigOwner::File,
        path.to_owned(),
        dialect,
    ))
}

/// The format of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SnippetFormat {
    Json,
    /// Members of an object, copied without the object's braces.
    JsonMembers,
    Toml,
    Yaml,
    Address,
    Commands,
}

struct SnippetReader<'a> {
    owner: ConfigOwner,
    path: PathBuf,
    /// The file's source, if known.
    known: Option<ServerFile>,
    surroundings: &'a ReferenceContext<'a>,
}

impl SnippetReader<'_> {
    fn read(&self, text: &str, form: Option<SnippetFormat>) -> Result<Snippet, TreeParseError> {
        if text.len() > SNIPPET_MAX {
            return Err(too_long());
        }
        if text.trim_start_matches('\u{feff}').trim().is_empty() {
            let message = MisreadProblem::Empty;
            return Err(TreeParseError::whole(message, MisreadAdvice::WhatToBring));
        }
        let mut snippet = Snippet::default();
        let mut wrong: Option<TreeParseError> = None;
        let blocks = match form {
            Some(_) => vec![Block::whole(text)],
            None => blocks::of(text),
        };
        let links = match (form, blocks.as_slice()) {
            (None, [block]) if blocks::may_have_links(&block.text) => links::of_text(text),
            _ => Vec::new(),
        };
        let parts: Vec<Result<_, TreeParseError>> = match links.is_empty() {
            true => blocks
                .iter()
                .map(|block| self.block(block, form, &mut snippet.left_out))
                .collect(),
            false => links
                .iter()
                .map(|link| Ok(self.taken(link.listed()?)))
                .collect(),
        };
        for part in parts {
            match part {
                Ok(part) => snippet.parts.push(part),
                Err(why) => {
                    let note = FoundNote::LeftOut(why.to_string());
                    snippet.left_out.push(note);
                    // The first error is the most relevant one, because a page begins with the
                    // common case.
                    wrong = wrong.or(Some(why));
                }
            }
        }
        snippet.left_out.truncate(LEFT_OUT_MAX);
        match (snippet.parts.is_empty(), wrong) {
            (false, _) => Ok(snippet),
            (true, Some(wrong)) => Err(wrong),
            (true, None) => {
                let message = MisreadProblem::NoServer;
                Err(TreeParseError::whole(message, MisreadAdvice::WhatToBring))
            }
        }
    }

    fn block(
        &self,
        block: &Block,
        form: Option<SnippetFormat>,
        left_out: &mut Vec<FoundNote>,
    ) -> Result<(ServerFile, ParsedServers), TreeParseError> {
        let text = block.text.as_str();
        let home = self.surroundings.home;
        let listed = match form.unwrap_or_else(|| blocks::form_of(text)) {
            SnippetFormat::Json => shapes::listed(&json(text)?, false)?,
            SnippetFormat::JsonMembers => shapes::listed(&members(text)?, false)?,
            SnippetFormat::Toml => shapes::listed(&tree::toml::read(text)?, true)?,
            SnippetFormat::Yaml => shapes::listed(&tree::yaml::read(text)?, false)?,
            SnippetFormat::Address => SnippetServers::of_any(vec![command::of_address(text)]),
            SnippetFormat::Commands => {
                SnippetServers::of_any(command::of_lines(text, home, left_out)?)
            }
        };
        Ok(self.taken(listed))
    }

    /// Converts the entries of a list to servers.
    fn taken(&self, listed: SnippetServers) -> (ServerFile, ParsedServers) {
        let SnippetServers {
            dialect,
            found,
            inputs,
        } = listed;
        let source = match &self.known {
            Some(known) => known.clone(),
            None => ServerFile::of_user(self.owner, self.path.clone(), dialect),
        };
        let servers = source.taken(
            found.into_iter().map(|one| (one.entry, one.notes)),
            &inputs,
            self.surroundings,
        );
        (source, servers)
    }
}

/// Parses JSON, even if the text contains typographic quotes.
fn json(text: &str) -> Result<Node, TreeParseError> {
    let as_it_is = tree::json::read(text);
    match (as_it_is, blocks::with_plain_quotes(text)) {
        (Err(_), Some(plain)) => tree::json::read(&plain),
        (read, _) => read,
    }
}

/// Wraps members in braces and parses them as an object.
fn members(text: &str) -> Result<Node, TreeParseError> {
    let begin = text.len() - text.trim_start().len();
    let text = text.trim_end().trim_end_matches(',');
    let whole = format!("{}{{{}\n}}", &text[..begin], &text[begin..]);
    let first = text[..begin].matches('\n').count() + 1;
    json(&whole).map_err(|mut wrong| {
        if wrong.line == Some(first) {
            // Corrects the column for the added brace.
            wrong.column = wrong.column.map(|column| column.saturating_sub(1).max(1));
        }
        wrong
    })
}

fn too_long() -> TreeParseError {
    let message = MisreadProblem::TooLong(SNIPPET_MAX >> 20);
    TreeParseError::whole(message, MisreadAdvice::ListAlone)
}

type SnippetInputs = Vec<ConfigInput>;

#[cfg(test)]
mod tests;
