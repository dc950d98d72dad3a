//! Errors of a member's folder and its `plugin.json`.

use guild_text::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

/// An error of the members folder or a folder in it.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum FolderTrouble {
    #[error("The members folder {0} can't be read: {1}.")]
    #[diagnostic(help("Guild Hall tries again in a moment; no member changes."))]
    Scarce(PathBuf, String),
    #[error("The members folder {0} can't be read: {1}.")]
    #[diagnostic(help(
        "Create the folder, or use another with --members DIR or GUILD_HALL_MEMBERS."
    ))]
    Unreadable(PathBuf, String),
    #[error("The members folder {0} can't be read: {1}.")]
    #[diagnostic(help(
        "Create the folder, or change the setting with `guildhall settings set membersDir DIR` (null: the one in the data folder)."
    ))]
    UnreadableAsSet(PathBuf, String),
    #[error("{0} has {count} folders; only the first {most} were read.", count = grouped(.1), most = grouped(.2))]
    #[diagnostic(help(
        "Check that this is the folder you meant: each folder in it is one member."
    ))]
    TooMany(PathBuf, usize, usize),
    #[error("{0} is not a member folder: {1}.")]
    #[diagnostic(help("Remove the link, or point it to a folder with its own plugin.json."))]
    Unsafe(PathBuf, String),
    #[error("{0} is not a member folder: the link leads back to its parent folder.")]
    #[diagnostic(help("Remove the link, or point it to a folder with its own plugin.json."))]
    LeadsBack(PathBuf),
    #[error("{0} doesn't exist.")]
    #[diagnostic(help(
        "Create a plugin.json with name, version, transport and command, or remove the folder."
    ))]
    NoManifest(PathBuf),
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help("Check that this is a plugin.json."))]
    HugeManifest(PathBuf, String),
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help("Make it a regular file that you may read."))]
    ClosedManifest(PathBuf, String),
    #[error("{0} has the name {1}, which {2} already uses.")]
    #[diagnostic(help("Rename one of them."))]
    NameTwice(PathBuf, String, PathBuf),
}

/// An error of a manifest as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ManifestTrouble {
    #[error("${{PORT}} has no value: this member has no port.")]
    #[diagnostic(help("Only a member with a command and the transport `http` has a port."))]
    NoPort,
    #[error("${{env:{0}}} has no value: the environment has no {0}.")]
    #[diagnostic(help("Set {0} in your login shell, or write the value in plugin.json."))]
    NoVariable(String),
    #[error("${{secret:{0}}} has no value: this secret doesn't exist.")]
    #[diagnostic(help("Set it on the Secrets page, or with `guildhall secret set {0}`."))]
    NoSecret(String),
    #[error("plugin.json already has an example {0}.")]
    #[diagnostic(help("Give this one another name."))]
    ExampleTwice(String),
    #[error("{0} has no place for an example.")]
    #[diagnostic(help("Add it by hand."))]
    NoPlace(String),
    #[error("Adding the example would change other parts of {0}.")]
    #[diagnostic(help("Add it by hand."))]
    NotTheSame(String),
}
