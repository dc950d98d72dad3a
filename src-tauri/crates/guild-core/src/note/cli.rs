//! Errors of the command line.

use crate::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use super::NameWrong;

/// An error of a command.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum CliTrouble {
    #[error("{0}")]
    Name(NameWrong),
    #[error("{0}.")]
    NoName(NameWrong),
    #[error("{0}.")]
    #[diagnostic(help("Give another name."))]
    OtherName(NameWrong),
    #[error("{0}.")]
    #[diagnostic(help("Give a name to one server: --only SERVER --name NAME."))]
    ServerName(NameWrong),
    #[error("{count} servers can't all have one name.", count = grouped(.0))]
    #[diagnostic(help("Give a name to one server: --only SERVER --name NAME."))]
    OneName(usize),
    #[error("There is no member {0}: {1}.")]
    #[diagnostic(help("Members folder: {2}."))]
    NoMember(String, NameWrong, String),
    #[error("Standard input can't be read: {0}.")]
    #[diagnostic(help("Give a file, or the command after `--`."))]
    Stdin(String),
    #[error("Standard input can't be read: it is not UTF-8 text.")]
    #[diagnostic(help("Give a file, or the command after `--`."))]
    StdinNoText,
    #[error("No server in it is called {0}.")]
    #[diagnostic(help("Look at what is in it: --look."))]
    NotInIt(String),
    #[error("Nothing in it is new: members run its servers already, or they are switched off.")]
    #[diagnostic(help("To add a server anyway: --only SERVER."))]
    NothingNew,
    #[error("No program has a server that is not a member.")]
    AllAdopted,
    #[error("No program has a server {0}.")]
    #[diagnostic(help(
        "`guildhall add discovered` lists them; --folder DIR looks in a project too."
    ))]
    NoSuchServer(String),
    #[error("{0} is not a JSON object of strings.")]
    #[diagnostic(help("Write it as {{\"id\": \"value\"}}."))]
    NoTexts(PathBuf),
    #[error("{0} is not a JSON object.")]
    #[diagnostic(help("Write it as {{\"key\": \"value\"}}."))]
    NoAnswers(PathBuf),
    #[error("There is no question {0}.")]
    #[diagnostic(help("Questions: {1}."))]
    NotAsked(String, String),
    #[error("{0} is a secret, and other programs see the words of a command.")]
    #[diagnostic(help("Give it in a file with --inputs, or type it when you are asked."))]
    OpenAnswer(String),
    #[error("Nothing was done: there is no terminal to ask in.")]
    #[diagnostic(help("Check the preview, then repeat the command with --yes."))]
    NobodyToAsk,
    #[error("Nothing was sent.")]
    NothingSent,
    #[error("What was given could not be read: {0}.")]
    #[diagnostic(help("Nothing was done."))]
    Unread(String),
    #[error("The member has no examples.")]
    #[diagnostic(help("Put some into \"examples\" in its plugin.json."))]
    NoExamples,
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Name another file."))]
    ReportUnwritable(PathBuf, String),
    #[error("No server that {0} has is a member.")]
    #[diagnostic(help(
        "`guildhall add discovered` adds servers as members; `guildhall clients switch` lists the files."
    ))]
    NothingAdopted(String),
    #[error("Interrupted before it was done.")]
    Interrupted,
    #[error("There is no tool {0}.")]
    #[diagnostic(help("Name it as member/tool; `guildhall tools --details` lists them."))]
    NoTool(String),
    #[error("There is no profile {0}.")]
    #[diagnostic(help("Check the profile names."))]
    NoProfile(String),
    #[error("No Guild Hall runs on the data folder {0} with these members.")]
    #[diagnostic(help("Start the desktop app or `guildhall serve`."))]
    NoHall(PathBuf),
    #[error("No client {0} has a token.")]
    #[diagnostic(help("`guildhall clients` lists them."))]
    NoClient(String),
    #[error("{0} has no such way to run it; it lists {count}.", count = grouped(.1))]
    #[diagnostic(help("`guildhall add registry show` lists them."))]
    NoSuchWay(String, usize),
    #[error("{0}")]
    #[diagnostic(help("Choose another way: `guildhall add registry show`."))]
    OtherWay(String),
    #[error("The value could not be read: {0}.")]
    #[diagnostic(help("Give a text on standard input: `guildhall secret set NAME < FILE`."))]
    SecretUnread(String),
    #[error("The token could not be read from {0}: {1}.")]
    #[diagnostic(help(
        "Write it there, and give the user that guildhall runs as the right to read it."
    ))]
    TokenUnread(PathBuf, String),
    #[error("The sign-in was cancelled.")]
    #[diagnostic(help("Start it again."))]
    SignInGivenUp,
    #[error("{0} is not a folder: {1}.")]
    #[diagnostic(help("Name another."))]
    NoFolder(PathBuf, String),
    #[error("Several members were made of it: {0}.")]
    #[diagnostic(help("Name the one that is meant, or a new one: --name MEMBER."))]
    SeveralMembers(String),
}

/// An invalid value of an argument.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentWrong {
    #[error("it is lazy, full or search")]
    Listing,
    #[error("write it as KEY=VALUE")]
    KeyValue,
}
