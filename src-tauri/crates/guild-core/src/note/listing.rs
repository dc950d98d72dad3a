//! Notes on entries of a registry, and errors of them.

use super::AddressWrong;
use crate::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// A note on one way to run a server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListingNote {
    #[error("Its container reaches further than one does by itself: {0}.")]
    Outward(String),
    #[error("No version is set, so the newest version runs.")]
    Unpinned,
    #[error(
        "The listing says that the package is at {0}. {1} fetches it from where it is set up to."
    )]
    FetchedFrom(String, &'static str),
}

/// The reason why one way to run a server can't be installed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Uninstallable {
    #[error("{wrong}", wrong = as_sentence(.0))]
    Because(ListingWrong),
    #[error("It is not an object.")]
    NoObject,
    #[error("Each request to it needs different headers.")]
    OwnHeaders,
    #[error("It can't be given a port to listen on.")]
    PortUntold,
    #[error("Its transport is missing.")]
    NoTransport,
    #[error("It has no address.")]
    NoAddress,
    #[error("It speaks the transport `sse`, which later versions of the protocol no longer have.")]
    Sse,
    #[error("It speaks {0}, which Guild Hall does not.")]
    Unspoken(String),
    #[error(
        "It is a bundle in a file, which has to be downloaded first. Download it and add the file itself."
    )]
    Download,
    #[error("Guild Hall knows no program that runs a package of {0}.")]
    NoProgram(String),
    #[error("It runs with {0} and its own arguments, which Guild Hall does not support.")]
    OtherProgram(String),
    #[error("{0} is not a package name for {1}.")]
    NoPackage(String, &'static str),
    #[error("{0} is not a single version.")]
    NoVersion(String),
}

/// A problem of a registry's entry.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListingWrong {
    #[error("it is not an object")]
    NoEntry,
    #[error("it is larger than {kib} KiB", kib = grouped(.0))]
    TooLarge(usize),
    #[error("it can't be read ({0})")]
    Unreadable(String),
    #[error("it has no name")]
    NoName,
    #[error("its name has more than {most} bytes", most = grouped(.0))]
    LongName(usize),
    #[error("its name is not of the form `com.example/name`")]
    OddName,
    #[error("its `{0}` is too long")]
    LongField(String),
    #[error("its `{0}` is not a string")]
    NoText(String),
    #[error("`{0}` has more than {most} entries", most = grouped(.1))]
    LongList(String, usize),
    #[error("`{0}` is not a list")]
    NoList(String),
    #[error("an argument is not an object")]
    NoArgument,
    #[error("a named argument has no name")]
    UnnamedArgument,
    #[error("a variable is not an object")]
    NoVariable,
    #[error("a variable has no name that can be used")]
    UnnamedVariable,
    #[error("the choices of `{0}` are not strings")]
    OddChoices(String),
    #[error("a text has more than {most} bytes", most = grouped(.0))]
    LongText(usize),
    #[error("a text has a NUL character")]
    NulInText,
    #[error("it does not answer over plain HTTP on this machine")]
    NoHttp,
    #[error("it answers at `{0}`, and Guild Hall asks its members at `{1}`")]
    OtherPath(String, String),
    #[error("its address has no port that could be given")]
    NoPort,
    #[error("it answers at `{0}`, and not on this machine")]
    OtherHost(String),
    #[error("it always listens on port {0}, and Guild Hall gives each member a port")]
    FixedPort(String),
}

/// An error of a registry.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum RegistryTrouble {
    #[error("{0} could not be read: {1}.")]
    #[diagnostic(help(
        "Check the network and the address, or name another registry or a file in the setting `registry`."
    ))]
    Unread(String, Unlisted),
    #[error("{0} is not a registry: {1}.")]
    #[diagnostic(help("Give the whole path of a file, or an address that begins with https://."))]
    Refused(String, SourceWrong),
    #[error("The search was cancelled.")]
    Cancelled,
    #[error("{0} does not list {1}.")]
    #[diagnostic(help("Search for it again."))]
    NotListed(String, String),
    #[error("{registry} does not list {server} in version {version}.")]
    #[diagnostic(help("Search for it again."))]
    NoVersion {
        registry: String,
        server: String,
        version: String,
    },
    #[error("`{0}` has more than {most} bytes.", most = grouped(.1))]
    #[diagnostic(help("Search for the server again."))]
    LongField(&'static str, usize),
    #[error("The registry no longer lists the server with the command that was shown.")]
    #[diagnostic(help("Open the server again."))]
    NotAsShown,
}

/// A problem of a registry's name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceWrong {
    #[error("it is neither a path nor an address")]
    NoPlace,
    #[error("{0}")]
    Address(AddressWrong),
}

/// The reason why a registry could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unlisted {
    #[error("it is larger than {mebibytes} MiB", mebibytes = grouped(.0))]
    TooLarge(usize),
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("it is not JSON")]
    NoJson,
    #[error("it is not JSON ({0})")]
    BrokenJson(String),
    #[error("its `servers` are not a list")]
    NoList,
    #[error("it is neither a list of servers nor a server.json")]
    Neither,
    #[error("it has more than {most} servers", most = grouped(.0))]
    TooMany(usize),
    #[error("{0}")]
    Unfetched(String),
    #[error("it is one page of several; give the address without what follows `?`")]
    OnePage,
    #[error("the server answers with HTTP {0}")]
    Status(u16),
    #[error("{0}")]
    Unread(String),
}

/// A part of a sentence as a sentence.
fn as_sentence(wrong: &ListingWrong) -> String {
    let mut text = wrong.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text + "."
}

impl From<ListingWrong> for Uninstallable {
    fn from(wrong: ListingWrong) -> Self {
        Self::Because(wrong)
    }
}
