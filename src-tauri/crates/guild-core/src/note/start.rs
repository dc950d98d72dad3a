//! Errors of starting a member, and problems of running ones.

use super::seconds;
use crate::number::grouped;
use miette::Diagnostic;
use std::time::Duration;
use thiserror::Error;

use super::Ending;
use crate::holder::Holder;
use crate::id::MemberName;
use crate::ladder::FoundBy;

/// Advice for a process that holds a port.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HeldAdvice {
    #[error("Give the gateway a port outside of 20000 to 30000.")]
    MoveGateway,
    #[error("Have that member listen on ${{PORT}} instead of a fixed number.")]
    TakeItsPort,
    #[error("Unless another Guild Hall runs, it is not needed any more: end it with `kill {0}`.")]
    EndWhatWasLeft(u32),
    #[error("End it (`kill {0}`) if it should not be there, and start the member again.")]
    EndIt(u32),
    #[error("Ask that user to end it, or start the member again.")]
    AskItsUser,
    #[error(
        "Find out which program takes ports between 20000 and 30000, then start the member again."
    )]
    FindIt,
}

/// The last output of a process, after the error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LastWords {
    #[error(". It wrote nothing to stderr.")]
    Nothing,
    #[error(". Its last words:{0}")]
    Lines(String),
    #[error(". It wrote nothing to stderr, and to stdout, where only MCP messages belong: {0}")]
    Stdout(String),
    #[error(". To stdout, where only MCP messages belong, it wrote: {0}. Its last words:{1}")]
    StdoutAndLines(String, String),
    #[error("")]
    None,
}

/// An error of starting or running a member.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum StartTrouble {
    #[error("The member did not open port {0} within {limit} s{2}{3}", limit = seconds(.1))]
    #[diagnostic(help("{4}"))]
    NeverListened(u16, Duration, String, LastWords, NotListening),
    #[error("The member listens on port {1} and did not open port {0}, which it was given, within {limit} s.", limit = seconds(.2))]
    #[diagnostic(help(
        "Give the server its port: put ${{PORT}} into \"args\" or \"env\" in plugin.json, where it takes its port from."
    ))]
    ListensElsewhere(u16, String, Duration),
    #[error("The member did not finish its start within {limit} s{1}{2}", limit = seconds(.0))]
    #[diagnostic(help(
        "Check that the command starts an MCP server; a slow first start wants a larger \"timeouts\": {{\"start_ms\": …}} in plugin.json."
    ))]
    NotFinished(Duration, String, LastWords),
    #[error("The handshake was not done within {limit} s{1}{2}", limit = seconds(.0))]
    #[diagnostic(help(
        "Look at the server's output; a server that is slow at first needs a larger \"timeouts\": {{\"handshake_ms\": …}} in plugin.json."
    ))]
    NotOpened(Duration, String, LastWords),
    #[error("{0}{1}")]
    #[diagnostic(help("{2}"))]
    NotConnected(String, LastWords, AfterConnecting),
    #[error("The \"url\" {0} is this Guild Hall's own gateway.")]
    #[diagnostic(help(
        "Give the address of the server itself, or remove this member: the gateway serves all other members already."
    ))]
    OwnGateway(String),
    #[error("The process ended by itself: {0}{1}")]
    #[diagnostic(help("{2}"))]
    Exited(Ending, LastWords, AfterExit),
    #[error("The member ended by itself again and again. Last: {0}")]
    #[diagnostic(help("{1}"))]
    CrashLoop(String, AfterCrashes),
    #[error("The connection to the member broke, and its process did not end.")]
    #[diagnostic(help("Restart the member; its stderr may say why."))]
    Broken,
    #[error("The member was stopped.")]
    #[diagnostic(help("Start it again."))]
    Stopped,
    #[error("The member is leaving the roster.")]
    Leaving,
    #[error("The member has left the roster.")]
    Gone,
    #[error("The member is switched off.")]
    #[diagnostic(help("Set \"enabled\": true in its plugin.json."))]
    SwitchedOff,
    #[error("The member is still being installed; its start goes on.")]
    #[diagnostic(help(
        "Repeat the call once the member is ready; its page shows how far it is, and stops it."
    ))]
    Installing,
    #[error("The member is still starting, past its start limit; its start goes on.")]
    #[diagnostic(help(
        "Repeat the call once the member is ready; its page shows how far it is, and stops it."
    ))]
    StillStarting,
    #[error("The member has {most} calls running or too many waiting.", most = grouped(.0))]
    #[diagnostic(help("Wait until some have ended, or cancel them."))]
    ManyCalls(usize),
    #[error("The member's command changed since it was approved.")]
    #[diagnostic(help("Review its command on its page or with `guildhall review {0}`."))]
    Changed(MemberName),
    #[error("The member comes from {0} and needs review.")]
    #[diagnostic(help("Review its command on its page or with `guildhall review {1}`."))]
    Unreviewed(Source, MemberName),
    #[error("The member's address needs review.")]
    #[diagnostic(help("Review it on its page or with `guildhall review` first."))]
    UnseenReach,
    #[error("Another program took the port {times} times before the member could listen on it ({1}).{2}", times = grouped(.0))]
    #[diagnostic(help("{3}"))]
    PortLost(usize, String, Who, HeldAdvice),
    #[error("Port {0} is held by {2}, so the member was given {1}.")]
    #[diagnostic(help("{3}"))]
    Moved(u16, u16, Holder, HeldAdvice),
    #[error(
        "Port {0} is not the member's any more: {1} answers there. Nothing more is sent to it."
    )]
    #[diagnostic(help("{2}"))]
    Usurped(u16, Holder, HeldAdvice),
    #[error("The server refuses each way of opening a connection that Guild Hall knows.")]
    #[diagnostic(help("Pin the version that it speaks with \"protocol_version\" in plugin.json."))]
    NoEra,
    #[error("The process was started without pipes.")]
    NoPipes,
    #[error("A member with a url has no process to be started.")]
    NoProcess,
    #[error("The start was stopped: {0}.")]
    #[diagnostic(help("Try again."))]
    BrokenOffBy(String),
    #[error("The start was cancelled.")]
    BrokenOff,
    #[error("The server listens on {0}, so that port {1} can be reached from other machines.")]
    #[diagnostic(help("Use the server's option to bind to 127.0.0.1."))]
    Exposed(Reach, u16),
    #[error("Lines on stdout were skipped because they are not MCP ({lines}), e.g. {1}.", lines = grouped(.0))]
    #[diagnostic(help("A stdio server must write its log to stderr."))]
    Noise(u64, String),
    #[error("The tool list can't be read. {0}")]
    #[diagnostic(help("{1}"))]
    ListFailed(String, String),
    #[error("Left out of the list of tools ({count}): {1}.", count = grouped(.0))]
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

/// Advice for a list that can't be read, or a server without tools.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListAdvice {
    #[error("Refresh it, or read the member's stderr.")]
    Refresh,
    #[error(
        "{0} No other way brought tools either. A model can be asked which it probably has: `guildhall tools discover {1} --predict` shows first what would be sent."
    )]
    AskModel(String, MemberName),
    #[error(
        "1 tool was found in {0}; it is shown, and is not called before the server answers. {1}"
    )]
    OneFound(FoundBy, String),
    #[error("{count} tools were found in {1}; they are shown, and are not called before the server answers. {2}", count = grouped(.0))]
    Found(usize, FoundBy, String),
}

/// Advice for a port that stayed closed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotListening {
    #[error(
        "Check that the server listens on 127.0.0.1 at ${{PORT}}; a slow first start wants a larger \"timeouts\": {{\"start_ms\": …}} in plugin.json."
    )]
    CheckPort,
    #[error(
        "The server seems to speak over stdin and stdout: set \"transport\": \"stdio\" in plugin.json."
    )]
    SpeaksStdio,
}

/// Advice for a process that ended.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AfterExit {
    #[error("Read its stderr; start it by hand in its folder with the command shown on its page.")]
    ReadStderr,
    #[error(
        "A server that speaks over stdin and stdout ends so with the transport http: if it is one, set \"transport\": \"stdio\" in plugin.json. Otherwise read its stderr."
    )]
    MayBeStdio,
}

/// Advice for a process that ended too often.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AfterCrashes {
    #[error("Fix the cause, then start the member; Guild Hall does not retry until then.")]
    FixCause,
    #[error("{0} Then start the member; Guild Hall does not retry until then.")]
    Own(String),
}

/// Advice for a failed connection.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AfterConnecting {
    #[error("Check the \"url\" in plugin.json, and that a server runs there.")]
    CheckUrl,
    #[error("Check that the command starts an MCP server that speaks over stdin and stdout.")]
    CheckPipes,
    #[error(
        "Check that the command starts an MCP server; a slow first start wants a larger \"timeouts\": {{\"start_ms\": …}} in plugin.json."
    )]
    SlowStart,
    #[error("{0}")]
    Own(String),
}

/// A start limit that passed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Overdue {
    #[error("The member did not finish its start within {limit} s.", limit = seconds(.0))]
    Limit(Duration),
}

/// Possible causes of a slow start, within a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Circumstances {
    #[error(" ({0})")]
    Known(String),
}

/// A possible cause of a slow start.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Circumstance {
    #[error("it had {had} s because it was at work", had = seconds(.0))]
    Stretched(Duration),
    #[error("1 other member was starting")]
    BesideOne,
    #[error("{others} other members were starting", others = grouped(.0))]
    Beside(usize),
    #[error("other programs kept all processors busy")]
    Loaded,
    #[error("its last start took {took} s", took = seconds(.0))]
    LastTime(Duration),
}

/// The origin of a member.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Source {
    #[error("{0}")]
    Named(String),
    #[error("elsewhere")]
    Elsewhere,
}

/// The process that holds a port, after another sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Who {
    #[error("")]
    Nobody,
    #[error(" Port {0} is held by {1}.")]
    Holds(u16, Holder),
}

/// The addresses at which a port can be reached.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reach {
    #[error("all addresses ({0})")]
    Everywhere(String),
    #[error("the address {0}")]
    At(String),
}
