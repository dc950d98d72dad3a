//! Where the files are that servers stand in.

use std::path::{Path, PathBuf};

use super::super::program::{Folders, Program};
use crate::wire::FoundScope;

/// A file that servers may stand in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// The program that reads it.
    pub program: Program,
    /// The file.
    pub path: PathBuf,
    /// Whom it is for.
    pub scope: FoundScope,
    /// The project's folder, where it is for one.
    pub folder: Option<PathBuf>,
    /// The keys that lead to the object with the list of servers.
    inside: &'static [&'static str],
}

impl Source {
    /// The path of a key that stands beside the list of servers, or of that list.
    pub(super) fn path_of(&self, key: &'static str) -> Vec<&'static str> {
        self.inside.iter().copied().chain([key]).collect()
    }
}

/// The files that the programs read for the user, whatever folder they work in.
pub fn user_sources(folders: &Folders) -> Vec<Source> {
    let source = |program: Program, path: PathBuf, inside| Source {
        program,
        path,
        scope: FoundScope::User,
        folder: None,
        inside,
    };
    let mut sources: Vec<Source> = Program::ALL
        .into_iter()
        .map(|program| source(program, program.file(folders), &[]))
        .collect();
    // Where VS Code had them before there was an `mcp.json`, and still reads them.
    let settings = Program::VsCode
        .file(folders)
        .with_file_name("settings.json");
    sources.push(source(Program::VsCode, settings, &["mcp"]));
    sources
}

/// The files of a project's folder.
pub fn project_sources(folder: &Path) -> Vec<Source> {
    let source = |(program, path): (Program, &str)| Source {
        program,
        path: path
            .split('/')
            .fold(folder.to_owned(), |at, part| at.join(part)),
        scope: FoundScope::Project,
        folder: Some(folder.to_owned()),
        inside: &[],
    };
    [
        (Program::ClaudeCode, ".mcp.json"),
        (Program::Cursor, ".cursor/mcp.json"),
        (Program::VsCode, ".vscode/mcp.json"),
        (Program::Zed, ".zed/settings.json"),
        (Program::Codex, ".codex/config.toml"),
        (Program::GeminiCli, ".gemini/settings.json"),
    ]
    .map(source)
    .into()
}

/// A workspace file of VS Code, which stands beside the folders that it names.
pub fn workspace_source(file: &Path) -> Source {
    Source {
        program: Program::VsCode,
        path: file.to_owned(),
        scope: FoundScope::Workspace,
        folder: file.parent().map(Path::to_owned),
        inside: &["settings", "mcp"],
    }
}
