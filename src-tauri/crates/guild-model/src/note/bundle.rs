//! Notes on MCPB bundles, and errors of bundles.

use guild_text::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use guild_text::note::{ArgumentsWrong, JsonKind};

/// A note on a bundle that can still be installed, or on its systems.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BundleNote {
    #[error("The server's entry point is missing from the bundle.")]
    NoEntry,
    #[error("It uses the setting {0}, which it doesn't declare.")]
    UnaskedSetting(String),
    #[error("Left out: the default of {0}, which is not a valid value.")]
    OddDefault(String),
    #[error("Several answers are joined by commas in {0}.")]
    SeveralAnswers(String),
    #[error("${{{0}}} is not a variable of the format and is passed on unchanged.")]
    UnknownVariable(String),
    #[error("It is made for {systems}, but this system is {1}.", systems = .0.join(" and "))]
    MadeFor(Vec<String>, String),
    #[error("It uses version {0} of the format, which Guild Hall doesn't know.")]
    UnknownFormat(String),
    #[error("Left out: {0}.")]
    LeftOut(BundleWrong),
    #[error("Left out: {count} of its {1} can't be read.", count = grouped(.0))]
    SomeLeftOut(usize, String),
    #[error("Left out: {0} is not a list.")]
    NoList(String),
}

/// A problem of a field in a bundle's manifest.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BundleWrong {
    #[error("{0} has more than {most} bytes", most = grouped(.1))]
    TooLong(String, usize),
    #[error("{0} has more than {most} entries", most = grouped(.1))]
    TooMany(String, usize),
    #[error("{0} is {1}; it must be {2}")]
    Mismatch(String, JsonKind, JsonKind),
}

/// An error of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum BundleTrouble {
    #[error("{0} {1}.")]
    #[diagnostic(help("Download the bundle again from its author."))]
    Unusable(PathBuf, BundleFault),
    #[error("{0} changed since it was inspected.")]
    #[diagnostic(help("Inspect it again."))]
    Another(PathBuf),
}

/// A problem of a bundle, after its name.
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
    #[error("would unpack to {mebibytes} MiB or more; the limit is {ratio} times its size, and {most} MiB", mebibytes = grouped(.mebibytes), ratio = grouped(.ratio), most = grouped(.most))]
    TooMuch {
        mebibytes: u64,
        ratio: u64,
        most: u64,
    },
    #[error("has no {0}")]
    NoManifest(&'static str),
    #[error("has a {0} that can't be read: {1}")]
    ManifestUnread(&'static str, String),
    #[error("has a {0} that {1}")]
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

/// A problem of a bundle's manifest, after its name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ManifestFault {
    #[error("has {length} bytes; the limit is {most}", length = grouped(.0), most = grouped(.1))]
    TooLong(usize, usize),
    #[error("is not UTF-8")]
    NotUtf8,
    #[error("can't be read: line {0}, column {1}: {2}")]
    Unread(usize, usize, ArgumentsWrong),
    #[error("has no {0}")]
    NoField(String),
    #[error("has the server.type {0}; use node, python, binary or uv")]
    NoType(String),
    #[error("has neither server.entry_point nor server.mcp_config")]
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
    Field(BundleWrong),
}

impl From<BundleWrong> for ManifestFault {
    fn from(wrong: BundleWrong) -> Self {
        Self::Field(wrong)
    }
}

/// A problem of a file in a bundle, after its name.
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
    #[error("leads to another folder")]
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
    #[error("is there twice")]
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
