//! Errors of the history, the logs, a running Guild Hall and signing in.

use guild_text::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use crate::holder::HallRole;

/// An error of the history, the logs or a cache.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum HistoryTrouble {
    #[error("{0} belongs to the history itself.")]
    #[diagnostic(help("Pick another name."))]
    OwnFile(PathBuf),
    #[error("This call was removed from the history.")]
    #[diagnostic(help("Refresh the list."))]
    Gone,
    #[error("The entry can't be written as JSON: {0}.")]
    NotWritten(String),
    #[error("The history {0} is damaged ({1}) and can't be moved aside: {2}.")]
    #[diagnostic(help("Move the file elsewhere by hand to start a new history."))]
    Stuck(PathBuf, String, String),
    #[error("The history was damaged ({0}). A new history was started, and the old file is {1}.")]
    #[diagnostic(help("`sqlite3 FILE .recover` may restore calls from the old file."))]
    Damaged(String, PathBuf),
    #[error(
        "A newer version of Guild Hall created the history {0} (format {1}, this version has {2}). It wasn't changed."
    )]
    #[diagnostic(help(
        "Use the newer version, or move the file elsewhere to start a new history."
    ))]
    Newer(PathBuf, usize, usize),
    #[error("The history {0} can't be used: {1}.")]
    #[diagnostic(help("Make the folder writable, or move the file elsewhere."))]
    NoFile(PathBuf, String),
    #[error("The disk is full, so the history {0} can't be saved.")]
    #[diagnostic(help("Free space on the disk, or remove calls from the history."))]
    Full(PathBuf),
    #[error("The history {0} can't be used: {1}.")]
    #[diagnostic(help("Make it writable. If the problem remains, move the file elsewhere."))]
    Unusable(PathBuf, String),
    #[error(
        "The history {0} didn't respond in time: another app is using it, or the disk is slow."
    )]
    #[diagnostic(help("Close the other app, then try again."))]
    Busy(PathBuf),
    #[error("Calls finish faster than the history can save them: {count} are missing since the start.", count = grouped(.0))]
    #[diagnostic(help("The calls themselves worked. The data folder may be on a slow disk."))]
    Behind(u64),
    #[error("This name can't be used for a saved call: {0}.")]
    #[diagnostic(help("Choose another name."))]
    SavedName(SavedNameWrong),
    #[error("The tool already has a saved call named {0}.")]
    #[diagnostic(help("Choose another name, or replace the old one."))]
    SavedTaken(String),
    #[error("The draft has {length} bytes; the limit is {most}.", length = grouped(.0), most = grouped(.1))]
    #[diagnostic(help("It stays in the form until the window closes."))]
    LongDraft(usize, usize),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Pick a folder that you may write to, or free space on the disk."))]
    NotExported(PathBuf, String),
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help("Fix the file, or remove it to restore the defaults."))]
    Settings(PathBuf, String),
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Fix the file's permissions, or remove it."))]
    LogUnreadable(PathBuf, String),
    #[error("{0} can't be watched: {1}.")]
    #[diagnostic(help("Run the command without --follow."))]
    LogUnwatched(PathBuf, String),
    #[error("The log can't be read further: {0}.")]
    #[diagnostic(help("Open the log again."))]
    LogEnded(String),
    #[error("The members' logs can't be saved in {0}: {1}.")]
    #[diagnostic(help(
        "Free disk space, or fix the folder's permissions. Members keep running; only the last lines are available."
    ))]
    LogUnwritable(PathBuf, String),
    #[error("The cached tool list {0} was ignored: {1}.")]
    #[diagnostic(help("No action needed: Guild Hall rebuilds it when the member starts."))]
    CacheIgnored(PathBuf, String),
    #[error("The tool list can't be saved in {0}: {1}.")]
    #[diagnostic(help(
        "Tools still work. To see them while the member is stopped, make its folder or the data folder writable."
    ))]
    CacheUnwritable(PathBuf, String),
    #[error("{0} could not be written: {1}.")]
    #[diagnostic(help("Pick another folder."))]
    Unsaved(String, String),
    #[error("The data to save is not base64: {0}.")]
    #[diagnostic(help("Copy the raw result instead."))]
    NoBase64(String),
}

/// A problem of a saved call's name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SavedNameWrong {
    #[error("it is empty")]
    Empty,
    #[error("it has {length} characters; the limit is {most}", length = grouped(.0), most = grouped(.1))]
    Long(usize, usize),
    #[error("it has a line break or another control character")]
    Control,
}

/// An error between two processes of Guild Hall.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum HallTrouble {
    #[error("Guild Hall is already running with this data folder: {role}, process {1}; {2}.", role = .0.words())]
    #[diagnostic(help(
        "Use that one, or quit it first. To run a second one, use another data folder: --data DIR."
    ))]
    Runs(HallRole, u32, GatewayAt),
    #[error("The Guild Hall that runs with this data folder has no window.")]
    #[diagnostic(help("Quit it, then start the desktop app."))]
    NoWindow,
    #[error("A Guild Hall process uses the folder {0} and isn't responding: {role}, process {2}.", role = .1.words())]
    #[diagnostic(help("End it and try again, or use another folder with --data DIR."))]
    Unreachable(PathBuf, HallRole, u32),
    #[error("A Guild Hall process that accepts no requests uses the folder {0}.")]
    #[diagnostic(help("End it and try again, or use another folder with --data DIR."))]
    Mute(PathBuf),
    #[error("Another user's Guild Hall uses the folder {0} (uid {1}).")]
    #[diagnostic(help("Use your own folder with --data DIR."))]
    OtherUser(PathBuf, u32),
    #[error(
        "The data folder {0} was removed or replaced while Guild Hall is running: settings, history and tool lists are no longer saved."
    )]
    #[diagnostic(help("Restart Guild Hall."))]
    FolderGone(PathBuf),
    #[error("The running Guild Hall ({role}, process {1}) couldn't be reached: {2}.", role = .0.words())]
    #[diagnostic(help("Try again. If that fails, end that process."))]
    NotAsked(HallRole, u32, String),
    #[error("The running Guild Hall ({role}, process {1}) isn't responding: it has reached its limit of {limit} open files and connections (`ulimit -n`).", role = .0.words(), limit = grouped(.2))]
    #[diagnostic(help("Close apps that are connected to it, or restart it with a higher limit."))]
    NoDescriptors(HallRole, u32, u64),
    #[error("The running Guild Hall (version {0}) doesn't know the request {1}.")]
    #[diagnostic(help("Use the same version for both."))]
    NoRequest(&'static str, String),
    #[error("The running Guild Hall doesn't understand the request: {0}.")]
    #[diagnostic(help("Use the same version for both."))]
    NotUnderstood(String),
    #[error("The answer could not be written: {0}.")]
    NotAnswered(String),
    #[error("This request isn't waiting for an answer.")]
    NobodyWaits,
    #[error(
        "The request comes from a process that the member {0} started. A member's processes can't review, install, sign in, or change permissions and settings."
    )]
    #[diagnostic(help(
        "Use the window, or run the command in a terminal that no member started. If the request is not yours, review the member {0}."
    ))]
    OfMember(String),
    #[error(
        "The request comes from a process that a member of Guild Hall started. A member's processes can't review, install, sign in, or change permissions and settings."
    )]
    #[diagnostic(help("Use the window, or run the command in a terminal that no member started."))]
    OfAnotherMember,
    #[error(
        "The process that made the request has ended or is not visible, so it could be a member's. Such a process can't review, install, sign in, or change permissions and settings."
    )]
    #[diagnostic(help(
        "Run `guildhall` on the same machine and outside of containers, or use the window."
    ))]
    OfNobody,
    #[error(
        "The data folder {0} belongs to the user {1}, who could change reviews, permissions and settings in it."
    )]
    #[diagnostic(help("Start Guild Hall as {1}, name a folder of your own with --data DIR, or change the folder's owner: `sudo chown -R $(id -u) {folder}`.", folder = .0.display()))]
    OfOtherUser(PathBuf, String),
    #[error("Guild Hall can't find its own program file: {0}.")]
    #[diagnostic(help("Start it by its full path."))]
    NoOwnFile(String),
}

/// The reason why a running Guild Hall gives no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AskingFault {
    #[error("it does not answer")]
    Silent,
    #[error("it ended before it answered")]
    Ended,
}

/// The address of a gateway.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GatewayAt {
    #[error("its gateway is at {0}")]
    At(String),
    #[error("its gateway is not open")]
    Closed,
}

/// An error of signing in to a member or out of it.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum SigningTrouble {
    #[error(
        "The tokens were removed here, but the authorization server couldn't revoke them: {0}."
    )]
    #[diagnostic(help("Revoke the access on the server's page of connected apps."))]
    NotRevoked(String),
    #[error("This member doesn't need a sign-in: it runs here, or uses a header in plugin.json.")]
    #[diagnostic(help(
        "Sign-in works for members with a \"url\" and without the header Authorization."
    ))]
    NotHere,
    #[error("A member that runs here doesn't need a sign-in.")]
    RunsHere,
    #[error("No sign-in to this member is in progress.")]
    #[diagnostic(help("Start one on its page, or with `guildhall auth sign-in`."))]
    NoneUnderWay,
    #[error("The browser was not opened: {0}.")]
    #[diagnostic(help("Open the address by hand."))]
    NoBrowser(String),
    #[error("The tokens are too large to save.")]
    #[diagnostic(help("Request fewer scopes: \"auth\": {{\"scopes\": […]}} in plugin.json."))]
    TooLarge,
    #[error("The member's address or client has changed.")]
    #[diagnostic(help("Sign in again."))]
    Moved,
}
