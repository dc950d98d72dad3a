//! Messages of the engine about commands, calls and updates, each kind in an enum.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::path::PathBuf;

use guild_model::id::{MemberName, ToolName};
use guild_model::messages::NameProblem;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// A note about a call that is waiting.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CallNote {
    #[error("{0} is being started")]
    Starting(MemberName),
}

/// An error of an app of a member (MCP Apps).
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum AppError {
    #[error("The tool {0} has no app.")]
    #[diagnostic(help("Use the form and the result."))]
    NoApp(ToolName),
    #[error("The app can't be shown: {0}.")]
    #[diagnostic(help("Use the tool's form and the result, which work without the app."))]
    Unusable(String),
    #[error("The tool's MCP app is larger than {0} MiB.")]
    #[diagnostic(help("Use the form and the result, which need no app."))]
    TooLarge(usize),
    #[error("The server doesn't let its apps call the tool {0}.")]
    #[diagnostic(help("Run the tool from its form."))]
    NotOpen(ToolName),
}

/// An error of making checks or a mock of recorded calls.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum RecordingError {
    #[error("No call is selected.")]
    #[diagnostic(help("Select calls in the history."))]
    NoCalls,
    #[error("More than {0} calls are selected.")]
    #[diagnostic(help("Select fewer calls."))]
    TooMany(usize),
    #[error("None of the calls can be used. The first one: {0}.")]
    #[diagnostic(help("Select other calls, or also repeat tools that may change data."))]
    NoneUsable(String),
    #[error("A mock can't answer from any of the calls. The first one: {0}.")]
    #[diagnostic(help("Select other calls."))]
    NoneForMock(String),
    #[error("None of the calls is a call of {0}.")]
    #[diagnostic(help("Select calls of this member."))]
    NotOfMember(MemberName),
    #[error("The recorded calls are larger than {0} MiB.")]
    #[diagnostic(help("Select fewer calls."))]
    TooLarge(usize),
    #[error("{0} already exists.")]
    #[diagnostic(help("Choose another name."))]
    FolderTaken(PathBuf),
    #[error("The files can't be written to {0}: {1}.")]
    #[diagnostic(help("Check that the members folder can be written to."))]
    NotWritten(PathBuf, String),
}

/// Why a recorded call can't be used for a check or a mock.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnusedReason {
    #[error("it has no result")]
    NoResult,
    #[error("its result is larger than 1 MiB")]
    Truncated,
    #[error("its result is not an object, or is nested too deeply")]
    NoObject,
    #[error("its arguments are not a JSON object")]
    NoArguments,
    #[error("the member does not list the tool now")]
    NotListed,
    #[error("the tool is not read-only")]
    NotReadOnly,
    #[error("the history has masked an argument, and a manifest can't ask for it")]
    Masked,
    #[error("it did not succeed when it was repeated: {0}")]
    NotRepeated(String),
    #[error("it sometimes fails and sometimes succeeds")]
    Unstable,
    #[error("the check could not be saved: {0}")]
    NotSaved(String),
}

/// An error of a command.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum CliError {
    #[error("{0}")]
    Name(NameProblem),
    #[error("{0}.")]
    NoName(NameProblem),
    #[error("{0}.")]
    #[diagnostic(help("Give another name."))]
    OtherName(NameProblem),
    #[error("{0}.")]
    #[diagnostic(help("Name one server: --only SERVER --name NAME."))]
    ServerName(NameProblem),
    #[error("{count} servers can't share one name.", count = grouped(.0))]
    #[diagnostic(help("Name one server: --only SERVER --name NAME."))]
    OneName(usize),
    #[error("No member named {0}: {1}.")]
    #[diagnostic(help("Members folder: {2}."))]
    NoMember(String, NameProblem, String),
    #[error("Standard input can't be read: {0}.")]
    #[diagnostic(help("Pass a file, or the command after `--`."))]
    Stdin(String),
    #[error("Standard input can't be read: it is not UTF-8 text.")]
    #[diagnostic(help("Pass a file, or the command after `--`."))]
    StdinNoText,
    #[error("The input has no server named {0}.")]
    #[diagnostic(help("List the servers with --look."))]
    NotInIt(String),
    #[error("The input has no new servers: all of them are already members, or are disabled.")]
    #[diagnostic(help("To add a server anyway: --only SERVER."))]
    NothingNew,
    #[error("All servers of your other apps are already members.")]
    AllAdopted,
    #[error("Your other apps have no server {0}.")]
    #[diagnostic(help(
        "`guildhall add discovered` lists them; --folder DIR also scans a project."
    ))]
    NoSuchServer(String),
    #[error("{0} is not a JSON object of strings.")]
    #[diagnostic(help("Write it as {{\"id\": \"value\"}}."))]
    NoTexts(PathBuf),
    #[error("{0} is not a JSON object.")]
    #[diagnostic(help("Write it as {{\"key\": \"value\"}}."))]
    NoAnswers(PathBuf),
    #[error("No question named {0}.")]
    #[diagnostic(help("Questions: {1}."))]
    NotAsked(String, String),
    #[error("{0} is a secret, and other apps can read a command's arguments.")]
    #[diagnostic(help("Put it into a file for --inputs, or enter it when asked."))]
    OpenAnswer(String),
    #[error("Nothing was changed: without a terminal, Guild Hall can't ask you.")]
    #[diagnostic(help("Check the preview, then repeat the command with --yes."))]
    NobodyToAsk,
    #[error("Nothing was sent.")]
    NothingSent,
    #[error("The input can't be read: {0}.")]
    #[diagnostic(help("Nothing was changed."))]
    Unread(String),
    #[error("The member has no examples.")]
    #[diagnostic(help("Add them to \"examples\" in its plugin.json."))]
    NoExamples,
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Name another file."))]
    ReportUnwritable(PathBuf, String),
    #[error("None of the servers of {0} is a member.")]
    #[diagnostic(help(
        "`guildhall add discovered` adds servers as members; `guildhall clients switch` lists the files."
    ))]
    NothingAdopted(String),
    #[error("Interrupted before it finished.")]
    Interrupted,
    #[error("No tool named {0}.")]
    #[diagnostic(help("Write it as member/tool; `guildhall tools --details` lists them."))]
    NoTool(String),
    #[error("No profile named {0}.")]
    #[diagnostic(help("Check the profile names."))]
    NoProfile(String),
    #[error("Guild Hall is not running with the data folder {0} and the same members folder.")]
    #[diagnostic(help("Start the desktop app or `guildhall serve`."))]
    NoHall(PathBuf),
    #[error("No client has the name or ID {0}.")]
    #[diagnostic(help("`guildhall clients` lists them."))]
    NoClient(String),
    #[error("Several clients are named {0}.")]
    #[diagnostic(help("Use the id from `guildhall clients`."))]
    SeveralClients(String),
    #[error("{0} doesn't list this way to run the server; it lists {count}.", count = grouped(.1))]
    #[diagnostic(help("`guildhall add registry show` lists them."))]
    NoSuchWay(String, usize),
    #[error("{0}")]
    #[diagnostic(help("Choose another way: `guildhall add registry show`."))]
    OtherWay(String),
    #[error("The value could not be read: {0}.")]
    #[diagnostic(help("Pass it on standard input: `guildhall secret set NAME < FILE`."))]
    SecretUnread(String),
    #[error("The token could not be read from {0}: {1}.")]
    #[diagnostic(help(
        "Save the token there, and let the user that runs guildhall read the file."
    ))]
    TokenUnread(PathBuf, String),
    #[error("The sign-in was cancelled.")]
    #[diagnostic(help("Start it again."))]
    SignInGivenUp,
    #[error("{0} is not a folder: {1}.")]
    #[diagnostic(help("Name another folder."))]
    NoFolder(PathBuf, String),
    #[error("Several members were created from this bundle: {0}.")]
    #[diagnostic(help("Select one, or name a new one: --name MEMBER."))]
    SeveralMembers(String),
}

/// An error of an update.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum UpdateError {
    #[error("No update server is set.")]
    #[diagnostic(help("Set `updates.address`."))]
    NoAddress,
    #[error("The update server {0} could not be read: {1}.")]
    #[diagnostic(help("Check that `updates.address` is right and reachable."))]
    Unread(String, String),
    #[error("The update was rejected: {0}.")]
    #[diagnostic(help("Check that `updates.address` and `updates.key` belong together."))]
    Refused(String),
    #[error("Guild Hall can't update itself: {0}.")]
    #[diagnostic(help("Update it the way it was installed."))]
    Unplaced(String),
    #[error("{0} can't be updated: {1}.")]
    #[diagnostic(help("Free space on its disk."))]
    NoRoom(PathBuf, String),
    #[error("{0} can't be updated: {1}.")]
    #[diagnostic(help(
        "Move the AppImage into a folder that you may write to, and start it there."
    ))]
    NotPlaced(PathBuf, String),
}

/// The cause of an update error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UpdateProblem {
    #[error("no signing key is set")]
    NoKey,
    #[error("it was installed as a system package, or built from source")]
    Packaged,
    #[error("its file name is not UTF-8")]
    OddName,
    #[error("the download can't be read ({0})")]
    FetchedUnread(String),
    #[error("its start can't be monitored ({0})")]
    Unwatched(String),
    #[error(
        "its start can't be monitored ({0}), and the previous version could not be restored from {1} ({2})"
    )]
    NotUndone(String, PathBuf, String),
}

#[cfg(test)]
mod tests;
