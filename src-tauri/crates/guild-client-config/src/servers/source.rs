//! The files that can list servers.

use std::path::{Path, PathBuf};

use super::super::program::{ClientConfigFolders, ClientProgram, System};
use guild_api::wire::FoundScope;
use guild_model::messages::ServerEntryOwner;

/// The owner of a file or text that lists servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConfigOwner {
    /// A program that can also be connected to the gateway.
    Program(ClientProgram),
    /// Continue: <https://docs.continue.dev/reference>.
    Continue,
    /// Goose: <https://block.github.io/goose/docs/guides/config-files>.
    Goose,
    /// Text that a person pasted.
    Pasted,
    /// A file that a person chose.
    File,
    /// The words of a command that a shell has split.
    CommandLine,
}

impl ConfigOwner {
    /// Returns the identifier, as used in a member's origin.
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

    /// Returns the display name of the owner.
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

    /// Whether the text may be an example, because a person provided it. Its placeholders become
    /// inputs.
    pub(super) fn is_brought(self) -> bool {
        matches!(self, Self::Pasted | Self::File)
    }

    /// Whether files that an entry refers to are read. A program reads such files for its own
    /// entries. A text from elsewhere must not cause the user's files to be read.
    pub(super) fn reads_files(self) -> bool {
        matches!(self, Self::Program(_) | Self::Continue | Self::Goose)
    }
}

/// The syntax of references and special keys, which depends on the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in super::super) enum Dialect {
    /// The syntax of one program.
    Of(ClientProgram),
    /// The syntax of all programs, for a text that may belong to any of them.
    Any,
    /// No syntax: the text is literal, and no references are resolved.
    Plain,
}

impl Dialect {
    pub(super) fn program(self) -> Option<ClientProgram> {
        match self {
            Self::Of(program) => Some(program),
            Self::Any | Self::Plain => None,
        }
    }

    /// Returns the program's name for the middle of a sentence.
    pub(super) fn whose(self) -> ServerEntryOwner {
        self.titled().unwrap_or(ServerEntryOwner::Its)
    }

    /// Returns the program's name for the start of a sentence.
    pub(super) fn whose_first(self) -> ServerEntryOwner {
        self.titled().unwrap_or(ServerEntryOwner::ItsFirst)
    }

    fn titled(self) -> Option<ServerEntryOwner> {
        self.program()
            .map(|program| ServerEntryOwner::Program(program.title()))
    }
}

/// A file that can list servers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerFile {
    /// The program or person that the file belongs to.
    pub owner: ConfigOwner,
    /// The file's path.
    pub path: PathBuf,
    /// The scope of the file's servers.
    pub scope: FoundScope,
    /// The project's folder, for a project file.
    pub folder: Option<PathBuf>,
    pub(in super::super) dialect: Dialect,
    /// The keys of the objects that contain the list of servers.
    inside: &'static [&'static str],
}

impl ServerFile {
    pub(in super::super) fn inside(&self) -> &'static [&'static str] {
        self.inside
    }

    /// Returns a user's file, or a file that a person provided.
    pub(in super::super) fn of_user(owner: ConfigOwner, path: PathBuf, dialect: Dialect) -> Self {
        Self {
            owner,
            path,
            scope: FoundScope::User,
            folder: None,
            dialect,
            inside: &[],
        }
    }

    /// Returns the path of a key in the object that contains the list of servers.
    pub(super) fn path_of(&self, key: &'static str) -> Vec<&'static str> {
        self.inside.iter().copied().chain([key]).collect()
    }
}

/// Returns the files that the programs read for the user in every working folder.
pub fn user_sources(folders: &ClientConfigFolders) -> Vec<ServerFile> {
    let source = |program: ClientProgram, path: PathBuf, inside| ServerFile {
        inside,
        ..ServerFile::of_user(ConfigOwner::Program(program), path, Dialect::Of(program))
    };
    let mut sources: Vec<ServerFile> = ClientProgram::ALL
        .into_iter()
        .map(|program| source(program, program.file(folders), &[]))
        .collect();
    let of_continue = folders.home.join(".continue").join("config.yaml");
    sources.push(ServerFile::of_user(
        ConfigOwner::Continue,
        of_continue,
        Dialect::Any,
    ));
    let of_goose = match folders.system {
        System::Windows => folders.config.join("Block").join("goose").join("config"),
        System::Linux => folders.config.join("goose"),
        System::MacOs => folders.home.join(".config").join("goose"),
    };
    let of_goose = of_goose.join("config.yaml");
    sources.push(ServerFile::of_user(
        ConfigOwner::Goose,
        of_goose,
        Dialect::Plain,
    ));
    // VS Code used this file before `mcp.json` existed, and still reads servers from it.
    let settings = ClientProgram::VsCode
        .file(folders)
        .with_file_name("settings.json");
    sources.push(source(ClientProgram::VsCode, settings, &["mcp"]));
    sources
}

/// Returns the programs' files in a project's folder.
pub fn project_sources(folder: &Path) -> Vec<ServerFile> {
    let source = |(program, path): (ClientProgram, &str)| ServerFile {
        owner: ConfigOwner::Program(program),
        dialect: Dialect::Of(program),
        path: path
            .split('/')
            .fold(folder.to_owned(), |at, part| at.join(part)),
        scope: FoundScope::Project,
        folder: Some(folder.to_owned()),
        inside: &[],
    };
    [
        (ClientProgram::ClaudeCode, ".mcp.json"),
        (ClientProgram::Cursor, ".cursor/mcp.json"),
        (ClientProgram::VsCode, ".vscode/mcp.json"),
        (ClientProgram::Zed, ".zed/settings.json"),
        (ClientProgram::Codex, ".codex/config.toml"),
        (ClientProgram::GeminiCli, ".gemini/settings.json"),
    ]
    .map(source)
    .into()
}

/// Returns the source for a workspace file of VS Code. The file is next to the folders that it
/// lists.
pub fn workspace_source(file: &Path) -> ServerFile {
    ServerFile {
        owner: ConfigOwner::Program(ClientProgram::VsCode),
        dialect: Dialect::Of(ClientProgram::VsCode),
        path: file.to_owned(),
        scope: FoundScope::Workspace,
        folder: file.parent().map(Path::to_owned),
        inside: &["settings", "mcp"],
    }
}
