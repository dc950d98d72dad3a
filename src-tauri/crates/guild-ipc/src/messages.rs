//! Messages about the data folder and its socket, an enum for each subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::path::PathBuf;

use guild_model::holder::HallRole;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// An error in the communication between two processes of Guild Hall.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum HallError {
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
    #[error("The Guild Hall of another user (uid {1}) uses the folder {0}.")]
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
    #[diagnostic(help("Use the same version for the running Guild Hall and for the command."))]
    NoRequest(&'static str, String),
    #[error("The running Guild Hall doesn't understand the request: {0}.")]
    #[diagnostic(help("Use the same version for the running Guild Hall and for the command."))]
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
        "The process that made the request has ended or is not visible, so a member could have started it. A member's processes can't review, install, sign in, or change permissions and settings."
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

#[cfg(test)]
mod tests;
