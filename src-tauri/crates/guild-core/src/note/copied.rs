//! What should be known of a call, or of a member, that is copied to be used elsewhere, and of the
//! programs that use it.

use super::notes;

notes! {
    /// What to know before a copied text is used, or why there is none.
    CopyNote;
    /// The arguments are too long for many a system.
    LongArguments
        "These arguments are longer than most systems take on a command line.";
    /// The member is spoken to over pipes.
    OverPipes(member: String)
        "{member} is spoken to over the input and output of its process, which curl can't reach. Copy the guildhall command instead.";
    /// The port is this run's.
    ChosenPort
        "Guild Hall starts this server and chose its port: the address holds while the member runs here.";
    /// A member that does not run has no address.
    NoAddress
        "The member has an address only while it runs: start it first.";
    /// A member of this name has none.
    NoAddressOf(member: String)
        "{member} has an address only while it runs: start it first.";
    /// What Guild Hall does for a container is missing.
    Unattended
        "Without Guild Hall the container has no name, and nothing ends it should the program that starts it be killed.";
    /// Which values are to be put in.
    SecretsLeftOut(names: String)
        "Secrets are left out: put the values of {names} in place of `${{…}}`.";
    /// A program reaches nothing that runs elsewhere.
    CommandsOnly(program: &'static str)
        "{program} starts commands only: it reaches this member by Guild Hall.";
    /// A program has no field for a folder.
    NoFolder(folder: String, program: &'static str)
        "Guild Hall runs it in {folder}, which {program} has no field for.";
    /// Why no text could be made, as whoever failed says it.
    NotMade(error: String)
        "The text could not be made: {error}.";
    /// The error instead of a text.
    Refused(message: String)
        "{message}";
}

notes! {
    /// What to do once a program's file has changed.
    Then;
    /// Claude Code, Codex.
    NewSession
        "Start a new session; /mcp shows the connection.";
    /// Claude Desktop.
    QuitAndStart(program: &'static str)
        "Quit {program} and start it again.";
    /// Cursor.
    UnderMcp(program: &'static str)
        "{program} notices by itself; its settings show the server under MCP.";
    /// VS Code.
    PressStart
        "Press Start above the entry in mcp.json, or run MCP: List Servers.";
    /// Windsurf.
    PressRefresh
        "Press the refresh button of the MCP servers in Cascade.";
    /// Cline.
    AmongItsServers(program: &'static str)
        "{program} notices by itself; its MCP servers show the connection.";
    /// Zed.
    InAgentSettings(program: &'static str)
        "{program} notices by itself; the agent's settings show the server.";
    /// Gemini CLI.
    StartAgain
        "Start it again; /mcp shows the connection.";
}
