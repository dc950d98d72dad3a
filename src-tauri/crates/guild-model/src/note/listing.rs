//! Notes on entries of a registry, and errors of them.

use super::AddressWrong;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// A note on one way to run a server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListingNote {
    #[error("Its container has more access than the default: {0}.")]
    Outward(String),
    #[error("No version is set, so the newest version runs.")]
    Unpinned,
    #[error("The registry lists the package at {0}. {1} uses its own configured source.")]
    FetchedFrom(String, &'static str),
}

/// The reason why one way to run a server can't be installed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Uninstallable {
    #[error("{wrong}", wrong = as_sentence(.0))]
    Because(ListingWrong),
    #[error("It is not an object.")]
    NoObject,
    #[error("It needs different headers for each request.")]
    OwnHeaders,
    #[error("Its port can't be set.")]
    PortUntold,
    #[error("Its transport is missing.")]
    NoTransport,
    #[error("It has no address.")]
    NoAddress,
    #[error("It uses the transport `sse`, which newer versions of MCP removed.")]
    Sse,
    #[error("It uses {0}, which Guild Hall doesn't support.")]
    Unspoken(String),
    #[error("It is an .mcpb bundle. Download it, then add the file.")]
    Download,
    #[error("Guild Hall can't run packages from {0}.")]
    NoProgram(String),
    #[error("It runs {0} with custom arguments, which Guild Hall doesn't support.")]
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
    #[error("its name doesn't have the form `com.example/name`")]
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
    #[error("a variable has no usable name")]
    UnnamedVariable,
    #[error("the choices of `{0}` are not strings")]
    OddChoices(String),
    #[error("a string has more than {most} bytes", most = grouped(.0))]
    LongText(usize),
    #[error("a string has a NUL character")]
    NulInText,
    #[error("it doesn't use plain HTTP on this machine")]
    NoHttp,
    #[error("it uses the path `{0}`, but Guild Hall uses `{1}`")]
    OtherPath(String, String),
    #[error("its port can't be set")]
    NoPort,
    #[error("it uses the host `{0}`, not this machine")]
    OtherHost(String),
    #[error("it always uses port {0}, but Guild Hall assigns each member a port")]
    FixedPort(String),
}

/// An error of a registry.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum RegistryTrouble {
    #[error("{0} could not be read: {1}.")]
    #[diagnostic(help("Check the network and the address, or change the setting `registry`."))]
    Unread(String, Unlisted),
    #[error("{0} is not a registry: {1}.")]
    #[diagnostic(help("Enter the full path of a file, or an address that begins with https://."))]
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
    #[error("it is one page of several; remove the `?` and the rest of the address")]
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
