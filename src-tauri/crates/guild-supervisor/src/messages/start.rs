//! Errors of starts, running members and caches.

use std::path::PathBuf;
use std::time::Duration;

use guild_model::discovery::FoundBy;
use guild_model::holder::PortOwner;
use guild_model::id::MemberName;
use guild_model::messages::HeldAdvice;
use guild_process::Exit;
use guild_text::messages::seconds;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// The last output of a process, appended to an error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LastWords {
    #[error(". Its log is empty.")]
    Nothing,
    #[error(". Last lines of its log:{0}")]
    Lines(String),
    #[error(". Its log is empty. It wrote text that isn't MCP to stdout: {0}")]
    Stdout(String),
    #[error(". It wrote text that isn't MCP to stdout: {0}. Last lines of its log:{1}")]
    StdoutAndLines(String, String),
    #[error("")]
    None,
}

/// An error of starting or running a member.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum StartError {
    #[error("The member did not open port {0} within {limit} s{2}{3}", limit = seconds(.1))]
    #[diagnostic(help("{4}"))]
    NeverListened(u16, Duration, String, LastWords, NotListening),
    #[error("The member listens on port {1} but didn't open its assigned port {0} within {limit} s.", limit = seconds(.2))]
    #[diagnostic(help(
        "Pass the port to the server: use ${{PORT}} in \"args\" or \"env\" in plugin.json."
    ))]
    ListensElsewhere(u16, String, Duration),
    #[error("The member did not finish its start within {limit} s{1}{2}", limit = seconds(.0))]
    #[diagnostic(help(
        "Check that the command starts an MCP server; for a slow first start, raise \"timeouts\": {{\"start_ms\": …}} in plugin.json."
    ))]
    NotFinished(Duration, String, LastWords),
    #[error("The handshake didn't finish within {limit} s{1}{2}", limit = seconds(.0))]
    #[diagnostic(help(
        "Read the log. If the server starts slowly, raise \"timeouts\": {{\"handshake_ms\": …}} in plugin.json."
    ))]
    NotOpened(Duration, String, LastWords),
    #[error("{0}{1}")]
    #[diagnostic(help("{2}"))]
    NotConnected(String, LastWords, AfterConnecting),
    #[error("The \"url\" {0} is this Guild Hall's own gateway.")]
    #[diagnostic(help("Use the server's own address, or remove this member."))]
    OwnGateway(String),
    #[error("The process ended: {0}{1}")]
    #[diagnostic(help("{2}"))]
    Exited(Exit, LastWords, AfterExit),
    #[error("The member keeps crashing. Last crash: {0}")]
    #[diagnostic(help("{1}"))]
    CrashLoop(String, AfterCrashes),
    #[error("The connection to the member was lost, although its process is still running.")]
    #[diagnostic(help("Restart the member; its log may show the cause."))]
    Broken,
    #[error("The member was stopped.")]
    #[diagnostic(help("Start it again."))]
    Stopped,
    #[error("The member is being removed from the roster.")]
    Leaving,
    #[error("The member was removed from the roster.")]
    Gone,
    #[error("The member is disabled.")]
    #[diagnostic(help("Set \"enabled\": true in its plugin.json."))]
    SwitchedOff,
    #[error("The member is still installing.")]
    #[diagnostic(help(
        "Call again when the member is ready. Its page shows the progress, and can stop the member."
    ))]
    Installing,
    #[error("The member is still starting, although its start limit has passed.")]
    #[diagnostic(help(
        "Call again when the member is ready. Its page shows the progress, and can stop the member."
    ))]
    StillStarting,
    #[error("The member has {most} calls running or too many waiting.", most = grouped(.0))]
    #[diagnostic(help("Wait until some finish, or cancel them."))]
    ManyCalls(usize),
    #[error("The member's command changed since it was approved.")]
    #[diagnostic(help("Review its command on its page or with `guildhall review {0}`."))]
    Changed(MemberName),
    #[error("The member comes from {0} and needs review.")]
    #[diagnostic(help("Review its command on its page or with `guildhall review {1}`."))]
    Unreviewed(MemberOrigin, MemberName),
    #[error("The member's address needs review.")]
    #[diagnostic(help("Review it on its page or with `guildhall review` first."))]
    UnseenReach,
    #[error("Other apps took {times} ports, one after another, before the member could use them ({1}).{2}", times = grouped(.0))]
    #[diagnostic(help("{3}"))]
    PortLost(usize, String, Who, HeldAdvice),
    #[error("Port {0} is in use by {2}, so the member uses {1}.")]
    #[diagnostic(help("{3}"))]
    Moved(u16, u16, PortOwner, HeldAdvice),
    #[error("Port {0} now belongs to {1}, so Guild Hall stopped sending to it.")]
    #[diagnostic(help("{2}"))]
    Usurped(u16, PortOwner, HeldAdvice),
    #[error("The server rejected every connection method that Guild Hall supports.")]
    #[diagnostic(help(
        "Set the server's protocol version with \"protocol_version\" in plugin.json."
    ))]
    NoEra,
    #[error("The process was started without pipes.")]
    NoPipes,
    #[error("A member with a url has no process to start.")]
    NoProcess,
    #[error("The start was stopped: {0}.")]
    #[diagnostic(help("Try again."))]
    BrokenOffBy(String),
    #[error("The start was cancelled.")]
    BrokenOff,
    #[error("The server listens on {0}, so other machines can reach port {1}.")]
    #[diagnostic(help("Use the server's option to bind to 127.0.0.1."))]
    Exposed(PortAddresses, u16),
    #[error("Skipped lines on stdout that are not MCP ({lines}), such as {1}.", lines = grouped(.0))]
    #[diagnostic(help("Change the server to write its log to stderr."))]
    Noise(u64, String),
    #[error("The tool list can't be read. {0}")]
    #[diagnostic(help("{1}"))]
    ListFailed(String, String),
    #[error("Invalid tools were left out ({count}): {1}.", count = grouped(.0))]
    #[diagnostic(help("The other tools work. Report this to the server's author."))]
    OddTools(usize, String),
}

/// A tool that can't be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OddTool {
    #[error("no. {0} ({1}): {2}")]
    Named(usize, String, String),
    #[error("no. {0} (no name): {1}")]
    Nameless(usize, String),
    #[error("and {count} more", count = grouped(.0))]
    More(usize),
}

/// Advice for a tool list that can't be read, or a server without tools.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListAdvice {
    #[error("Refresh it, or read the member's log.")]
    Refresh,
    #[error(
        "{0} Tool detection found no tools either. To ask a model: `guildhall tools discover {1} --predict` (shows the request first)."
    )]
    AskModel(String, MemberName),
    #[error("1 tool was found in {0}. It can be called once the server answers. {1}")]
    OneFound(FoundBy, String),
    #[error("{count} tools were found in {1}. They can be called once the server answers. {2}", count = grouped(.0))]
    Found(usize, FoundBy, String),
}

/// Advice for a port that stayed closed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotListening {
    #[error(
        "Check that the server listens on 127.0.0.1 at ${{PORT}}; for a slow first start, raise \"timeouts\": {{\"start_ms\": …}} in plugin.json."
    )]
    CheckPort,
    #[error("The server seems to use stdio: set \"transport\": \"stdio\" in plugin.json.")]
    SpeaksStdio,
}

/// Advice for a process that ended.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AfterExit {
    #[error("Read its log, or run its command in a terminal. Its page shows the command.")]
    ReadStderr,
    #[error(
        "If this is a stdio server, set \"transport\": \"stdio\" in plugin.json. Otherwise read its log."
    )]
    MayBeStdio,
}

/// Advice for a member that keeps crashing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AfterCrashes {
    #[error("Fix the cause, then start the member.")]
    FixCause,
    #[error("{0} Then start the member.")]
    Own(String),
}

/// Advice for a failed connection.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AfterConnecting {
    #[error("Check the \"url\" in plugin.json, and that a server runs there.")]
    CheckUrl,
    #[error("Check that the command starts an MCP server that uses stdio.")]
    CheckPipes,
    #[error(
        "Check that the command starts an MCP server; for a slow first start, raise \"timeouts\": {{\"start_ms\": …}} in plugin.json."
    )]
    SlowStart,
    #[error("{0}")]
    Own(String),
}

/// A possible cause of a slow start.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Circumstance {
    #[error("its limit was raised to {had} s because it was busy", had = seconds(.0))]
    Stretched(Duration),
    #[error("1 other member was starting")]
    BesideOne,
    #[error("{others} other members were starting", others = grouped(.0))]
    Beside(usize),
    #[error("other apps kept all processors busy")]
    Loaded,
    #[error("its last start took {took} s", took = seconds(.0))]
    LastTime(Duration),
}

/// The origin of a member.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MemberOrigin {
    #[error("{0}")]
    Named(String),
    #[error("another source")]
    Elsewhere,
}

/// The process that uses a port, appended to another sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Who {
    #[error("")]
    Nobody,
    #[error(" Port {0} is in use by {1}.")]
    Holds(u16, PortOwner),
}

/// The addresses at which a port can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PortAddresses {
    #[error("all addresses ({0})")]
    Everywhere(String),
    #[error("the address {0}")]
    At(String),
}

/// An error of the tool cache.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum CacheError {
    #[error("The cached tool list {0} was ignored: {1}.")]
    #[diagnostic(help("No action needed: Guild Hall rebuilds it when the member starts."))]
    CacheIgnored(PathBuf, String),
    #[error("The tool list can't be saved in {0}: {1}.")]
    #[diagnostic(help(
        "Tools still work. To see them while the member is stopped, make its folder or the data folder writable."
    ))]
    CacheUnwritable(PathBuf, String),
}
