//! Notes on calls and members that are copied for other programs.

use thiserror::Error;

/// A note on copied text, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CopyNote {
    #[error("These arguments are longer than most systems take on a command line.")]
    LongArguments,
    #[error("{0} uses stdio, which curl can't reach. Copy the guildhall command instead.")]
    OverPipes(String),
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
    #[error("{0} only supports commands: it reaches this member through Guild Hall.")]
    CommandsOnly(&'static str),
    #[error("Guild Hall runs it in {0}; {1} has no setting for that.")]
    NoFolder(String, &'static str),
    #[error("The text couldn't be created: {0}.")]
    NotMade(String),
    #[error("{0}")]
    Refused(String),
}

/// The next step after a program's file has changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Then {
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
    #[error("{0} detects the change; its MCP servers show the connection.")]
    AmongItsServers(&'static str),
    #[error("{0} detects the change; the agent's settings show the server.")]
    InAgentSettings(&'static str),
    #[error("Start it again; /mcp shows the connection.")]
    StartAgain,
}
