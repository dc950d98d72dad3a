//! Messages about bundles and registries, with one enum per subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::path::PathBuf;

use guild_mcp_client::messages::AddressProblem;
use guild_text::messages::{ArgumentsProblem, JsonKind};
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// A note on a bundle that can still be installed, or on its systems.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BundleNote {
    #[error("The server's entry point is missing from the bundle.")]
    NoEntry,
    #[error("The bundle uses the setting {0}, which it doesn't declare.")]
    UnaskedSetting(String),
    #[error("Left out: the default of {0}, which is not a valid value.")]
    OddDefault(String),
    #[error("Several answers are joined by commas in {0}.")]
    SeveralAnswers(String),
    #[error("${{{0}}} is not a variable of MCPB bundles. Guild Hall leaves it unchanged.")]
    UnknownVariable(String),
    #[error("The bundle is made for {systems}, but this system is {1}.", systems = .0.join(" and "))]
    MadeFor(Vec<String>, String),
    #[error("The bundle uses version {0} of the MCPB format, which Guild Hall doesn't know.")]
    UnknownFormat(String),
    #[error("Left out: {0}.")]
    LeftOut(BundleProblem),
    #[error("Left out: {count} of its {1}, which can't be read.", count = grouped(.0))]
    SomeLeftOut(usize, String),
    #[error("Left out: {0} is not a list.")]
    NoList(String),
}

/// A problem of a field in a bundle's manifest.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BundleProblem {
    #[error("{0} has more than {most} bytes", most = grouped(.1))]
    TooLong(String, usize),
    #[error("{0} has more than {most} entries", most = grouped(.1))]
    TooMany(String, usize),
    #[error("{0} is {1}; it must be {2}")]
    Mismatch(String, JsonKind, JsonKind),
}

/// An error of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum BundleError {
    #[error("{0} {1}.")]
    #[diagnostic(help("Download the bundle again from its author."))]
    Unusable(PathBuf, BundleFault),
    #[error("{0} changed since it was inspected.")]
    #[diagnostic(help("Inspect it again."))]
    Another(PathBuf),
}

/// A problem of a bundle, worded to follow the bundle's name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BundleFault {
    #[error("is not a file")]
    NoFile,
    #[error("has {mebibytes} MiB; the limit is {most}", mebibytes = grouped(.0), most = grouped(.1))]
    TooLarge(u64, u64),
    #[error("{0}")]
    Archive(ArchiveFault),
    #[error("is a ZIP64 archive, which Guild Hall doesn't support")]
    Larger,
    #[error("is one part of a split archive")]
    OnePart,
    #[error("has extra data before or inside its archive")]
    BetweenParts,
    #[error("has extra data before its archive")]
    Before,
    #[error("is not a zip archive, or is incomplete")]
    NoZip,
    #[error("has {files} files in a list of {kib} KiB; the limit is {most} files and {most_kib} KiB", files = grouped(.files), kib = grouped(.kib), most = grouped(.most), most_kib = grouped(.most_kib))]
    ManyFiles {
        files: u64,
        kib: u64,
        most: u64,
        most_kib: u64,
    },
    #[error("has duplicate files")]
    Twice,
    #[error("has the file {0}, which {1}")]
    File(String, EntryFault),
    #[error("would unpack to {mebibytes} MiB or more; at most {most} MiB are allowed, and at most {ratio} times the size of the bundle", mebibytes = grouped(.mebibytes), ratio = grouped(.ratio), most = grouped(.most))]
    TooMuch {
        mebibytes: u64,
        ratio: u64,
        most: u64,
    },
    #[error("has no {0}")]
    NoManifest(&'static str),
    #[error("has a {0} that can't be read: {1}")]
    ManifestUnread(&'static str, String),
    #[error("has an unusable {0}: {1}")]
    Manifest(&'static str, ManifestFault),
    #[error("names a file {0} that is not in the bundle")]
    NoEntry(String),
    #[error("runs {0}, which is not in the bundle")]
    NoProgram(String),
    #[error("was changed while it was unpacked")]
    Changed,
}

/// An error of the archive reader.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArchiveFault {
    #[error("can't be read: {0}")]
    Unread(String),
    #[error("is a damaged archive: {0}")]
    Unsound(String),
    #[error("is an archive that can't be read: {0}")]
    Unsupported(String),
}

/// A problem of a bundle's manifest, worded to follow the manifest's name and a colon.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ManifestFault {
    #[error("it has {length} bytes; the limit is {most}", length = grouped(.0), most = grouped(.1))]
    TooLong(usize, usize),
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("it can't be read: line {0}, column {1}: {2}")]
    Unread(usize, usize, ArgumentsProblem),
    #[error("it has no {0}")]
    NoField(String),
    #[error("it has the server.type {0}; use node, python, binary or uv")]
    NoType(String),
    #[error("it has neither server.entry_point nor server.mcp_config")]
    NoEntry,
    #[error("{0} has more than {most} variables", most = grouped(.1))]
    ManyVariables(String, usize),
    #[error("{0} has an invalid variable name")]
    OddVariable(String),
    #[error("{0} has the unknown type {1}")]
    UnknownType(String, String),
    #[error("{0} is empty")]
    Empty(String),
    #[error("{0}")]
    Field(BundleProblem),
}

impl From<BundleProblem> for ManifestFault {
    fn from(wrong: BundleProblem) -> Self {
        Self::Field(wrong)
    }
}

/// A problem of a file in a bundle, worded to follow the file's name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EntryFault {
    #[error("is not UTF-8")]
    NotUtf8,
    #[error("has more than {most} bytes", most = grouped(.0))]
    LongPath(usize),
    #[error("is an absolute path")]
    FromRoot,
    #[error("is more than {most} folders deep", most = grouped(.0))]
    TooDeep(usize),
    #[error("has a part without a name")]
    NoName,
    #[error("points to another folder")]
    Elsewhere,
    #[error("has a name of more than {most} bytes", most = grouped(.0))]
    LongName(usize),
    #[error("has a backslash")]
    Backslash,
    #[error("names a drive")]
    Drive,
    #[error("has an invisible character")]
    Hidden,
    #[error("ends in a dot or a space, which Windows removes")]
    EndsOddly,
    #[error("is a device name on Windows")]
    Device,
    #[error("has a character that Windows doesn't allow")]
    NotOnWindows,
    #[error("differs from {0} only in upper and lower case")]
    SameAs(String),
    #[error("occurs twice")]
    Twice,
    #[error("is encrypted")]
    Encrypted,
    #[error("uses an unsupported compression")]
    OddPacking,
    #[error("is a link")]
    Link,
    #[error("is neither a file nor a folder")]
    Neither,
    #[error("{0}")]
    Archive(ArchiveFault),
    #[error("is damaged: {0}")]
    Damaged(String),
    #[error("has a different length than the archive declares")]
    OtherLength,
}

/// A note on an install option of a server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListingNote {
    #[error("Its container has more access than the default: {0}.")]
    Outward(String),
    #[error("No version is set, so the newest version runs.")]
    Unpinned,
    #[error(
        "The registry lists the package at {0}, but {1} fetches it from the source that is configured on this computer."
    )]
    FetchedFrom(String, &'static str),
}

/// The reason that an install option of a server can't be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Uninstallable {
    #[error("{wrong}", wrong = as_sentence(.0))]
    Because(ListingProblem),
    #[error("It is not an object.")]
    NoObject,
    #[error("It needs different headers for each request.")]
    OwnHeaders,
    #[error("Its port can't be set.")]
    PortUnset,
    #[error("Its transport is missing.")]
    NoTransport,
    #[error("It has no address.")]
    NoAddress,
    #[error("It uses {0}, which Guild Hall doesn't support.")]
    UnsupportedTransport(String),
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
pub enum ListingProblem {
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
    #[error("its address doesn't start with `http://`")]
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
pub enum RegistryError {
    #[error("{0} could not be read: {1}.")]
    #[diagnostic(help("Check the network and the address, or change the setting `registry`."))]
    Unread(String, Unlisted),
    #[error("{0} is not a registry: {1}.")]
    #[diagnostic(help("Enter the full path of a file, or an address that begins with https://."))]
    Refused(String, SourceProblem),
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

/// A problem of the path or address of a registry.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SourceProblem {
    #[error("it is neither a path nor an address")]
    NoPlace,
    #[error("{0}")]
    Address(AddressProblem),
}

/// The reason that a registry could not be read.
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
    #[error("it is one page of several; remove the `?` and everything after it from the address")]
    OnePage,
    #[error("the server answers with HTTP {0}")]
    Status(u16),
    #[error("{0}")]
    Unread(String),
}

/// Converts a part of a sentence to a sentence.
fn as_sentence(wrong: &ListingProblem) -> String {
    let mut text = wrong.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text + "."
}

impl From<ListingProblem> for Uninstallable {
    fn from(wrong: ListingProblem) -> Self {
        Self::Because(wrong)
    }
}

#[cfg(test)]
mod tests;
