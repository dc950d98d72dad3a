//! Messages about other programs' files and about copied calls, one enum for each subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use guild_model::messages::ServerEntryOwner;
use std::path::PathBuf;

use guild_text::number::grouped;
use thiserror::Error;

/// A note on copied text, or the reason why nothing could be copied.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CopyNote {
    #[error("These arguments are too long for the command line of most systems.")]
    LongArguments,
    #[error("{0} uses stdio, which curl can't reach. Copy the guildhall command instead.")]
    OverPipes(String),
    #[error(
        "{0} uses HTTP+SSE, which can't be called with a single curl command. Copy the guildhall command instead."
    )]
    OverSse(String),
    #[error("Guild Hall chose this port: the address is valid while the member runs.")]
    ChosenPort,
    #[error("The member has an address only while it runs: start it first.")]
    NoAddress,
    #[error("{0} has an address only while it runs: start it first.")]
    NoAddressOf(String),
    #[error(
        "Without Guild Hall the container has no name, and it keeps running if the app that started it is killed."
    )]
    Unattended,
    #[error("Secrets are left out: insert the values of {0} for `${{…}}`.")]
    SecretsLeftOut(String),
    #[error(
        "{0} only supports servers that a command starts, so it reaches this member through Guild Hall."
    )]
    CommandsOnly(&'static str),
    #[error("Guild Hall runs the server in the folder {0}; {1} has no setting for the folder.")]
    NoFolder(String, &'static str),
    #[error("The text to copy couldn't be created: {0}.")]
    NotMade(String),
    #[error("{0}")]
    Refused(String),
}

/// The next step for the user after a program's file has changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClientReloadStep {
    #[error("Start a new session; /mcp shows the connection.")]
    NewSession,
    #[error("Quit {0} and start it again.")]
    QuitAndStart(&'static str),
    #[error("{0} detects the change; its settings show the server under MCP.")]
    UnderMcp(&'static str),
    #[error("Press Start above the entry in mcp.json, or run MCP: List Servers.")]
    PressStart,
    #[error("Press the refresh button of the MCP servers in Cascade.")]
    PressRefresh,
    #[error("{0} detects the change; its list of MCP servers shows the connection.")]
    InServerList(&'static str),
    #[error("{0} detects the change; the agent's settings show the server.")]
    InAgentSettings(&'static str),
    #[error("Start it again; /mcp shows the connection.")]
    StartAgain,
}

/// A difference between a program's server and a member, or another note about the server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FoundNote {
    #[error("{0} calls the server's tools without asking; for a member, your permissions decide.")]
    CallsWithoutAsking(ServerEntryOwner),
    #[error("{0} offers only some of the server's tools (`{1}`); a member offers all of them.")]
    SomeTools(ServerEntryOwner, &'static str),
    #[error(
        "Guild Hall can't read the server's environment file; only {0} reads it. Put the variables that the server needs into the member's `env`."
    )]
    EnvFile(ServerEntryOwner),
    #[error("The variables of {0} are saved as secrets of the member ({count}). Later changes of the file have no effect.", count = grouped(.1))]
    EnvFileRead(PathBuf, usize),
    #[error(
        "The server's variables are in {1}, which can't be read: {2}. A member would start without them, so {0} keeps this entry until the file can be read."
    )]
    EnvFileUnread(ServerEntryOwner, PathBuf, String),
    #[error("{0} runs the last entry of this name; the one on line {1} has no effect.")]
    Repeated(ServerEntryOwner, usize),
    #[error(
        "A script in the server's arguments may contain a secret. Guild Hall doesn't change the script."
    )]
    Script,
    #[error(
        "{0} starts the server without the variable `{1}`, but Guild Hall passes it to members."
    )]
    UnsetVariable(ServerEntryOwner, String),
    #[error("Not supported by a member: {0}.")]
    Leftovers(String),
    #[error("Not supported by a member: {0} and {more} more.", more = grouped(.1))]
    ManyLeftovers(String, usize),
    #[error("Without `-i` the container receives no requests.")]
    NoStdin,
    #[error(
        "{0} doesn't exist. Docker would create this folder; a member starts only if it exists."
    )]
    SourceMissing(String),
    #[error(
        "{0} don't exist. Docker would create these folders; a member starts only if they exist."
    )]
    SourcesMissing(String),
    #[error("Left out, {0}.")]
    LeftOut(String),
}

/// A description of a value that the user has to enter.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InputNote {
    #[error("{0}")]
    OfFile(String),
    #[error("Replaces the placeholder {0}.")]
    InPlace(String),
    #[error("{0}: replaces the placeholder {1}.")]
    InPlaceOf(String, String),
    #[error("The working directory.")]
    WorkFolder,
    #[error("Not set in the environment.")]
    NotSet,
    #[error("Not set in the environment. If you leave this empty, the variable is left out.")]
    NotGiven,
}

/// The reason why a file is not read, or is read only in part.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileProblem {
    #[error("reading it took longer than {seconds} s", seconds = grouped(.0))]
    Slow(u64),
    #[error("it is not UTF-8 text")]
    NotUtf8,
    #[error("it is not a full path")]
    NotWhole,
    #[error("only the first {most} servers are read", most = grouped(.0))]
    ManyServers(usize),
    #[error("it has more than {most} variables", most = grouped(.0))]
    ManyVariables(usize),
    #[error("only the first {most} projects are read", most = grouped(.0))]
    ManyProjects(usize),
}

#[cfg(test)]
mod tests;
