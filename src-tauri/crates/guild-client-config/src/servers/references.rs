//! Resolves `${…}` and `$NAME` in other programs' files, following each program's documentation.

use std::path::{MAIN_SEPARATOR_STR, Path};

use super::super::program::ClientProgram;
use super::ReferenceContext;
use super::source::Dialect;
use super::text::{TextSegment, TextTemplate};
use guild_model::messages::RunProblem;
use guild_text::messages::short;

/// Id of the input for `${workspaceFolder}` if the folder is not known.
pub(super) const WORKSPACE_FOLDER: &str = "workspaceFolder";
/// Prefixes of references that only an editor can resolve.
const OF_THE_EDITOR: &str = "\
    config: command: workspaceFolder: extensionInstallFolder: file relativeFile fileBasename \
    fileDirname selectedText lineNumber columnNumber cwd execPath defaultBuildTask";

#[derive(Clone, Copy)]
pub(super) struct References<'a> {
    pub(super) dialect: Dialect,
    /// The folder that the file belongs to, if any.
    pub(super) folder: Option<&'a Path>,
    pub(super) surroundings: &'a ReferenceContext<'a>,
}

impl References<'_> {
    /// Reads a string of the file.
    ///
    /// # Errors
    /// If the string has a reference that only the program itself can resolve.
    pub(super) fn read(&self, text: &str) -> Result<TextTemplate, RunProblem> {
        if self.dialect == Dialect::Of(ClientProgram::OpenCode) {
            return self.of_opencode(text);
        }
        let mut read = TextTemplate::default();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let (before, reference) = rest.split_at(at);
            read.push(TextSegment::Plain(before.to_owned()));
            let (length, segment) = match self.name_of(reference) {
                Some((name, length)) => (length, self.resolve(name)?),
                None => (1, None),
            };
            let (reference, behind) = reference.split_at(length);
            read.push(segment.unwrap_or_else(|| TextSegment::Plain(reference.to_owned())));
            rest = behind;
        }
        read.push(TextSegment::Plain(rest.to_owned()));
        Ok(read)
    }

    /// Reads `{env:NAME}`. `{file:PATH}` is an error, because only opencode can read it.
    fn of_opencode(&self, text: &str) -> Result<TextTemplate, RunProblem> {
        let mut read = TextTemplate::default();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            read.push(TextSegment::Plain(before.to_owned()));
            let reference = after.split_once('}');
            let (segment, behind) = match reference {
                Some((name, _)) if name.starts_with("file:") => return Err(self.own(name)),
                Some((name, behind)) => (name.strip_prefix("env:").and_then(variable), behind),
                None => (None, after),
            };
            rest = match segment {
                Some(segment) => {
                    read.push(segment);
                    behind
                }
                None => {
                    read.push(TextSegment::Plain("{".to_owned()));
                    after
                }
            };
        }
        read.push(TextSegment::Plain(rest.to_owned()));
        Ok(read)
    }

    /// Returns the name of the reference at the start of a string, and the reference's length.
    fn name_of<'t>(&self, text: &'t str) -> Option<(&'t str, usize)> {
        let after = &text[1..];
        if let Some(inner) = after.strip_prefix('{') {
            let close = inner.find('}')?;
            // Continue uses double braces.
            let twice = self.dialect == Dialect::Any
                && inner.starts_with('{')
                && inner[close..].starts_with("}}");
            return Some((&inner[..close], close + if twice { 4 } else { 3 }));
        }
        if self.dialect != Dialect::Of(ClientProgram::GeminiCli) {
            return None;
        }
        let of_a_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = after.find(|c| !of_a_name(c)).unwrap_or(after.len());
        is_name(&after[..length]).then(|| (&after[..length], length + 1))
    }

    /// Resolves a reference. `None` if the program treats it as plain text.
    fn resolve(&self, name: &str) -> Result<Option<TextSegment>, RunProblem> {
        let program = match self.dialect {
            Dialect::Of(program) => program,
            Dialect::Any => return self.of_any(name),
            Dialect::Plain => return Ok(None),
        };
        Ok(match program {
            ClientProgram::ClaudeCode | ClientProgram::GeminiCli => self.of_a_shell(name),
            ClientProgram::VsCode | ClientProgram::Cursor => return self.of_an_editor(name),
            ClientProgram::Windsurf | ClientProgram::Cline => match name.strip_prefix("env:") {
                Some(name) => variable(name),
                None if program == ClientProgram::Windsurf && name.starts_with("file:") => {
                    return Err(self.own(name));
                }
                None => None,
            },
            ClientProgram::ClaudeDesktop
            | ClientProgram::Zed
            | ClientProgram::Codex
            | ClientProgram::OpenCode => None,
        })
    }

    /// Reads `${NAME}` and `${NAME:-default}`.
    fn of_a_shell(&self, reference: &str) -> Option<TextSegment> {
        let (name, default) = match reference.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (reference, None),
        };
        if !is_name(name) {
            return None;
        }
        // Claude Code sets this variable for the servers that it starts.
        if let (Dialect::Of(ClientProgram::ClaudeCode), "CLAUDE_PROJECT_DIR", Some(folder)) =
            (self.dialect, name, self.folder)
        {
            return Some(TextSegment::Plain(folder.display().to_string()));
        }
        match default {
            Some(default) if (self.surroundings.env)(name).is_none() => {
                Some(TextSegment::Plain(default.to_owned()))
            }
            _ => Some(TextSegment::Env(name.to_owned())),
        }
    }

    /// Resolves a reference in the syntax of any program.
    fn of_any(&self, reference: &str) -> Result<Option<TextSegment>, RunProblem> {
        // Continue's `${{ secrets.NAME }}`: the name includes the inner brace.
        if let Some(inner) = reference.strip_prefix('{') {
            let name = inner.trim().trim_start_matches("secrets.");
            let name = name.trim_start_matches("inputs.");
            return Ok(is_name(name).then(|| TextSegment::Input(name.to_owned())));
        }
        match self.of_an_editor(reference)? {
            Some(segment) => Ok(Some(segment)),
            None => Ok(self.of_a_shell(reference)),
        }
    }

    fn of_an_editor(&self, reference: &str) -> Result<Option<TextSegment>, RunProblem> {
        let plain = |text: String| Ok(Some(TextSegment::Plain(text)));
        let folder = self.folder.map(|folder| folder.display().to_string());
        let own_name = self.folder.and_then(Path::file_name);
        match reference {
            "userHome" => plain(self.surroundings.home.to_owned()),
            "pathSeparator" | "/" => plain(MAIN_SEPARATOR_STR.to_owned()),
            "workspaceFolder" | "workspaceRoot" => match folder {
                Some(folder) => plain(folder),
                None => Ok(Some(TextSegment::Input(WORKSPACE_FOLDER.to_owned()))),
            },
            "workspaceFolderBasename" => match own_name {
                Some(name) => plain(name.to_string_lossy().into_owned()),
                None => Err(self.own(reference)),
            },
            _ => match reference.split_once(':') {
                Some(("env", name)) => Ok(variable(name)),
                Some(("input", id)) if !id.is_empty() => {
                    Ok(Some(TextSegment::Input(id.to_owned())))
                }
                _ if OF_THE_EDITOR
                    .split(' ')
                    .any(|known| reference.starts_with(known)) =>
                {
                    Err(self.own(reference))
                }
                _ => Ok(None),
            },
        }
    }

    fn own(&self, reference: &str) -> RunProblem {
        RunProblem::Reference(short(reference, 60), self.dialect.whose())
    }
}

/// Returns a reference to an environment variable. `None` if a manifest does not allow its name.
fn variable(name: &str) -> Option<TextSegment> {
    is_name(name).then(|| TextSegment::Env(name.to_owned()))
}

pub(super) fn is_name(name: &str) -> bool {
    let of_a_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && name.len() <= 256 && name.chars().all(of_a_name)
}
