//! Where the files are that servers stand in.

use std::path::{Path, PathBuf};

use super::super::program::{Folders, Program, System};
use crate::note::Whose;
use crate::wire::FoundScope;

/// Whose the servers of a file or a text are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A program's that can be connected to the gateway too.
    Program(Program),
    /// Continue's: <https://docs.continue.dev/reference>.
    Continue,
    /// Goose's: <https://block.github.io/goose/docs/guides/config-files>.
    Goose,
    /// Nobody's: a person pasted it.
    Pasted,
    /// Nobody's: a person named the file.
    File,
    /// Nobody's: the words of a command, as a shell handed them over.
    CommandLine,
}

impl Owner {
    /// The word that a member's origin has.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Program(program) => program.as_str(),
            Self::Continue => "continue",
            Self::Goose => "goose",
            Self::Pasted => "pasted",
            Self::File => "file",
            Self::CommandLine => "command-line",
        }
    }

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Program(program) => program.title(),
            Self::Continue => "Continue",
            Self::Goose => "Goose",
            Self::Pasted => "Pasted text",
            Self::File => "File",
            Self::CommandLine => "Command line",
        }
    }

    /// Whether a person brought it, to whom it was shown as an example: what is to be replaced in
    /// it is asked for.
    pub(super) fn is_brought(self) -> bool {
        matches!(self, Self::Pasted | Self::File)
    }

    /// Whether files that an entry names are read for it: a program reads them for its own entries,
    /// but a text from a page names none of the reader's files.
    pub(super) fn reads_files(self) -> bool {
        matches!(self, Self::Program(_) | Self::Continue | Self::Goose)
    }
}

/// What a text says of itself and refers to, by the program that it was written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in super::super) enum Dialect {
    /// One program's.
    Of(Program),
    /// It may be any program's: what one of them fills in is filled in.
    Any,
    /// Nothing in it is filled in.
    Plain,
}

impl Dialect {
    pub(super) fn program(self) -> Option<Program> {
        match self {
            Self::Of(program) => Some(program),
            Self::Any | Self::Plain => None,
        }
    }

    /// The program, within a sentence.
    pub(super) fn whose(self) -> Whose {
        self.titled().unwrap_or(Whose::Its)
    }

    /// The program, where a sentence begins.
    pub(super) fn whose_first(self) -> Whose {
        self.titled().unwrap_or(Whose::ItsFirst)
    }

    fn titled(self) -> Option<Whose> {
        self.program()
            .map(|program| Whose::Program(program.title()))
    }
}

/// A file that servers may stand in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// Whose it is.
    pub owner: Owner,
    /// The file.
    pub path: PathBuf,
    /// Whom it is for.
    pub scope: FoundScope,
    /// The project's folder, where it is for one.
    pub folder: Option<PathBuf>,
    pub(in super::super) dialect: Dialect,
    /// The keys that lead to the object with the list of servers.
    inside: &'static [&'static str],
}

impl Source {
    /// The keys that lead to the object with the list of servers.
    pub(in super::super) fn inside(&self) -> &'static [&'static str] {
        self.inside
    }

    /// A file of the user's, or what a person brought.
    pub(in super::super) fn of_user(owner: Owner, path: PathBuf, dialect: Dialect) -> Self {
        Self {
            owner,
            path,
            scope: FoundScope::User,
            folder: None,
            dialect,
            inside: &[],
        }
    }

    /// The path of a key that stands beside the list of servers, or of that list.
    pub(super) fn path_of(&self, key: &'static str) -> Vec<&'static str> {
        self.inside.iter().copied().chain([key]).collect()
    }
}

/// The files that the programs read for the user, whatever folder they work in.
pub fn user_sources(folders: &Folders) -> Vec<Source> {
    let source = |program: Program, path: PathBuf, inside| Source {
        inside,
        ..Source::of_user(Owner::Program(program), path, Dialect::Of(program))
    };
    let mut sources: Vec<Source> = Program::ALL
        .into_iter()
        .map(|program| source(program, program.file(folders), &[]))
        .collect();
    let of_continue = folders.home.join(".continue").join("config.yaml");
    sources.push(Source::of_user(Owner::Continue, of_continue, Dialect::Any));
    let of_goose = match folders.system {
        System::Windows => folders.config.join("Block").join("goose").join("config"),
        System::Linux => folders.config.join("goose"),
        System::MacOs => folders.home.join(".config").join("goose"),
    };
    let of_goose = of_goose.join("config.yaml");
    sources.push(Source::of_user(Owner::Goose, of_goose, Dialect::Plain));
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
        owner: Owner::Program(program),
        dialect: Dialect::Of(program),
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
        owner: Owner::Program(Program::VsCode),
        dialect: Dialect::Of(Program::VsCode),
        path: file.to_owned(),
        scope: FoundScope::Workspace,
        folder: file.parent().map(Path::to_owned),
        inside: &["settings", "mcp"],
    }
}
