//! Errors of the history, the logs, a running Guild Hall and signing in.

use crate::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use crate::wire::control::HallRole;

/// An error of the history, the logs or a cache.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum HistoryTrouble {
    #[error("{0} belongs to the history itself.")]
    #[diagnostic(help("Pick another name."))]
    OwnFile(PathBuf),
    #[error("It is not in the history any more: it was removed.")]
    #[diagnostic(help("Load the list again."))]
    Gone,
    #[error("The entry can't be written as JSON: {0}.")]
    NotWritten(String),
    #[error("The history {0} is damaged ({1}) and can't be moved aside: {2}.")]
    #[diagnostic(help("Move the file elsewhere by hand to begin a new history."))]
    Stuck(PathBuf, String, String),
    #[error("The history was damaged ({0}). A new history was started, and the old file is {1}.")]
    #[diagnostic(help("`sqlite3 FILE .recover` may get calls out of the old file."))]
    Damaged(String, PathBuf),
    #[error(
        "A newer version of Guild Hall made the history {0} (its format is {1}, this version's is {2}). It was not changed."
    )]
    #[diagnostic(help(
        "Use the newer version, or move the file elsewhere to begin a new history."
    ))]
    Newer(PathBuf, usize, usize),
    #[error("The history {0} can't be used: {1}.")]
    #[diagnostic(help("Make the folder writable, or move the file away."))]
    NoFile(PathBuf, String),
    #[error("The disk has no room for the history {0}.")]
    #[diagnostic(help("Free space on the disk, or remove calls from the history."))]
    Full(PathBuf),
    #[error("The history {0} can't be used: {1}.")]
    #[diagnostic(help("Make it writable. If the problem remains, move the file elsewhere."))]
    Unusable(PathBuf, String),
    #[error(
        "The history {0} did not answer in time: another program holds it, or the disk is slow."
    )]
    #[diagnostic(help("Close the other program, then try again."))]
    Busy(PathBuf),
    #[error("Calls end faster than the history can write them down: {count} of this run are missing from it.", count = grouped(.0))]
    #[diagnostic(help("The calls themselves went well. The data folder may lie on a slow disk."))]
    Behind(u64),
    #[error("This can't be a saved call's name: {0}.")]
    #[diagnostic(help("Choose another name."))]
    SavedName(SavedNameWrong),
    #[error("The tool has a saved call of the name {0} already.")]
    #[diagnostic(help("Choose another name, or replace the old one."))]
    SavedTaken(String),
    #[error("The draft has {length} bytes; {most} are the most.", length = grouped(.0), most = grouped(.1))]
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
    #[diagnostic(help("Omit --follow."))]
    LogUnwatched(PathBuf, String),
    #[error("The log can't be read further: {0}.")]
    #[diagnostic(help("Open the log again."))]
    LogEnded(String),
    #[error("The members' stderr can't be saved in {0}: {1}.")]
    #[diagnostic(help(
        "Make room on the disk, or fix the folder's permissions. Members and calls continue; the last lines are in memory."
    ))]
    LogUnwritable(PathBuf, String),
    #[error("The cached tool list {0} was ignored: {1}.")]
    #[diagnostic(help("No action needed: it is rebuilt when the member starts."))]
    CacheIgnored(PathBuf, String),
    #[error("The tool list can't be kept in {0}: {1}.")]
    #[diagnostic(help(
        "Tools work all the same; make the member's folder or the data folder writable to see them before the member has started."
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
    #[error("it has {length} characters; {most} are the most", length = grouped(.0), most = grouped(.1))]
    Long(usize, usize),
    #[error("it has a line break or another control character")]
    Control,
}

/// An error between two processes of Guild Hall.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum HallTrouble {
    #[error("Guild Hall runs on this data folder already: {role}, process {1}; {2}.", role = .0.words())]
    #[diagnostic(help(
        "Use the one that runs, or end it first. A second one needs another data folder: --data DIR."
    ))]
    Runs(HallRole, u32, GatewayAt),
    #[error("What runs on this data folder has no window.")]
    #[diagnostic(help("End it, and start the desktop app."))]
    NoWindow,
    #[error("A program of Guild Hall holds the folder {0} and does not answer: {role}, process {2}.", role = .1.words())]
    #[diagnostic(help("End it and try again; or name another folder with --data DIR."))]
    Unreachable(PathBuf, HallRole, u32),
    #[error(
        "A program of Guild Hall holds the folder {0} and does not answer, one that takes no requests."
    )]
    #[diagnostic(help("End it and try again; or name another folder with --data DIR."))]
    Mute(PathBuf),
    #[error("The folder {0} is used by the Guild Hall of another user (uid {1}).")]
    #[diagnostic(help("Name a folder of your own with --data DIR."))]
    OtherUser(PathBuf, u32),
    #[error(
        "The data folder {0} was removed or replaced while Guild Hall runs: settings, history and tool lists are not kept any more."
    )]
    #[diagnostic(help("Restart Guild Hall."))]
    FolderGone(PathBuf),
    #[error("The Guild Hall that runs ({role}, process {1}) could not be asked: {2}.", role = .0.words())]
    #[diagnostic(help("Try again; if it stays so, end that process."))]
    NotAsked(HallRole, u32, String),
    #[error("The Guild Hall that runs ({role}, process {1}) does not answer: it has {limit} files and connections open, as many as its limit (`ulimit -n`) allows.", role = .0.words(), limit = grouped(.2))]
    #[diagnostic(help(
        "Close programs that are connected to it, or restart it with a higher limit."
    ))]
    NoDescriptors(HallRole, u32, u64),
    #[error("The Guild Hall that runs (version {0}) knows no request {1}.")]
    #[diagnostic(help("Use the same version of both."))]
    NoRequest(&'static str, String),
    #[error("The Guild Hall that runs does not understand the request: {0}.")]
    #[diagnostic(help("Use the same version of both."))]
    NotUnderstood(String),
    #[error("The answer could not be written: {0}.")]
    NotAnswered(String),
    #[error("It is not waiting for an answer.")]
    NobodyWaits,
    #[error(
        "The request comes from a process that the member {0} started. A member's processes can't review, install, sign in, or change policies and settings."
    )]
    #[diagnostic(help(
        "Use the window, or run the command in a terminal that no member started. If the request is not yours, review the member {0}."
    ))]
    OfMember(String),
    #[error(
        "The request comes from a process that a member of Guild Hall started. A member's processes can't review, install, sign in, or change policies and settings."
    )]
    #[diagnostic(help("Use the window, or run the command in a terminal that no member started."))]
    OfAnotherMember,
    #[error(
        "The process that made the request has ended or is not visible, so it could be a member's. Such a process can't review, install, sign in, or change policies and settings."
    )]
    #[diagnostic(help(
        "Run `guildhall` on the same machine and outside of containers, or use the window."
    ))]
    OfNobody,
    #[error(
        "The data folder {0} belongs to the user {1}, who could change reviews, policies and settings in it."
    )]
    #[diagnostic(help("Start Guild Hall as {1}, name a folder of your own with --data DIR, or change the folder's owner: `sudo chown -R $(id -u) {folder}`.", folder = .0.display()))]
    OfOtherUser(PathBuf, String),
    #[error("The program can't find its own file: {0}.")]
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
        "The tokens are forgotten here, and could not be given back to the authorization server: {0}."
    )]
    #[diagnostic(help("Take the access back on the server's own page of connected programs."))]
    NotRevoked(String),
    #[error(
        "This member needs no sign-in: it runs here, or a header in its manifest authenticates it."
    )]
    #[diagnostic(help(
        "A member with a \"url\" and without the header Authorization can be signed in to."
    ))]
    NotHere,
    #[error("A member that runs here needs no sign-in.")]
    RunsHere,
    #[error("The member's address could not be determined: {0}.")]
    #[diagnostic(help("Try again."))]
    NoPlace(String),
    #[error("No sign-in of that member is under way.")]
    #[diagnostic(help("Begin one on its page, or with `guildhall auth sign-in`."))]
    NoneUnderWay,
    #[error("The browser was not opened: {0}.")]
    #[diagnostic(help("Open the address by hand."))]
    NoBrowser(String),
    #[error("The tokens are larger than can be kept here.")]
    #[diagnostic(help("Ask for fewer scopes: \"auth\": {{\"scopes\": […]}} in plugin.json."))]
    TooLarge,
    #[error("The member's address or client has changed.")]
    #[diagnostic(help("Sign in again."))]
    Moved,
}
