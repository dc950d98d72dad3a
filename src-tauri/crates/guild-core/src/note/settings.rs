//! Errors of settings and secrets.

use super::seconds;
use crate::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// An error of the settings.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum SettingsTrouble {
    #[error("{0}.")]
    #[diagnostic(help("{1}"))]
    Mistake(String, String),
    #[error("Further mistakes in {0}: {count}.", count = grouped(.1))]
    #[diagnostic(help("Fix the listed ones and check again."))]
    MoreMistakes(String, usize),
    #[error("`{key}` was not changed: {wrong}.")]
    #[diagnostic(help("{doc}"))]
    Refused {
        key: String,
        wrong: String,
        doc: String,
    },
    #[error("There is no setting {0}.")]
    #[diagnostic(help("{1}"))]
    NoSetting(String, String),
    #[error("{0} was not changed: {1}.")]
    #[diagnostic(help("Fix the file by hand, or remove it to restore the defaults."))]
    Untouched(String, String),
    #[error("{0} is being changed by another program; nothing was written.")]
    #[diagnostic(help("Save it there, and try again."))]
    ChangedElsewhere(PathBuf),
    #[error("Another Guild Hall process is changing the settings; nothing was written.")]
    #[diagnostic(help("Try again."))]
    NoTurn,
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Make it a file that you may read, or remove it to restore the defaults."))]
    Unreadable(PathBuf, String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Make it writable, or free space on the disk."))]
    Unwritable(PathBuf, String),
    #[error("More than {most} settings at once are too many.", most = grouped(.0))]
    TooMany(usize),
    #[error("It was not carried out: {0}.")]
    #[diagnostic(help("Try again."))]
    NotCarriedOut(String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Pick a folder that you may write to, or free space on the disk."))]
    NotExported(PathBuf, String),
    #[error("Nothing was exported: settings.json contains the value of a secret.")]
    #[diagnostic(help("Remove it from the file, or give the secret another value."))]
    SecretInExport,
    #[error("The file or the settings have changed since they were shown.")]
    #[diagnostic(help("Open the preview of the import again."))]
    NotAsShown,
    #[error("{0} was written by another program at the same moment; a copy of it is in {1}.")]
    #[diagnostic(help("Compare both, keep the version you want, and try again."))]
    WrittenByTwo(PathBuf, PathBuf),
    #[error("{0} has no setting of Guild Hall; nothing was imported.")]
    #[diagnostic(help("Choose a settings.json, such as `guildhall settings export FILE` writes."))]
    NothingToImport(PathBuf),
    #[error("{0} is not a full path.")]
    #[diagnostic(help("Enter the full path."))]
    NoWholePath(PathBuf),
    #[error("The system names no folder for data: there is no home folder.")]
    #[diagnostic(help("Name one with --data DIR or GUILD_HALL_DATA."))]
    NoDataFolder,
}

/// An error of a secret.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum SecretTrouble {
    #[error("The secrets could not be read: {0}.")]
    #[diagnostic(help("Try again."))]
    NotLooked(String),
    #[error("{0} has a token in it, and other users of this machine can read it.")]
    #[diagnostic(help("Run `chmod 600 '{path}'`.", path = .0.display()))]
    TokenReadable(PathBuf),
    #[error("No keychain is available for the secret {0}: {1}.")]
    #[diagnostic(help(
        "Start the keychain of the system, or keep it in a file: `guildhall secret set {0} --place file`."
    ))]
    NoKeychain(String, String),
    #[error("The keychain refused access to the secret {0}: {1}.")]
    #[diagnostic(help(
        "Unlock the keychain and try again, or keep it in a file: `guildhall secret set {0} --place file`."
    ))]
    Refused(String, String),
    #[error("The keychain can't keep the secret {0}: {1}.")]
    #[diagnostic(help(
        "Choose a shorter value, or keep it in a file: `guildhall secret set {0} --place file`."
    ))]
    Unfit(String, String),
    #[error("The keychain did not return the secret {0} within {limit} s.", limit = seconds(.1))]
    #[diagnostic(help(
        "Look for a dialog that asks for the keychain's password, answer it and try again, or keep it in a file: `guildhall secret set {0} --place file`."
    ))]
    Unanswered(String, Duration),
    #[error("The keychain did not answer within {limit} s.", limit = seconds(.0))]
    #[diagnostic(help("Look for a dialog that asks for its password, and answer it."))]
    Silent(Duration),
    #[error("The keychain refused: {0}.")]
    #[diagnostic(help("Look for a dialog that asks for its password, and answer it."))]
    Locked(String),
    #[error("No keychain can be reached ({0}), so secrets are kept in {1}.")]
    #[diagnostic(help(
        "Every program that you start can read that file. Start the keychain of the system to keep secrets there."
    ))]
    InFile(String, PathBuf),
    #[error("That name holds the tokens of a member.")]
    #[diagnostic(help(
        "Sign in and out with `guildhall auth sign-in` and `guildhall auth sign-out`, or on the member's page."
    ))]
    Grant,
    #[error("{0} can't be the name of a secret.")]
    #[diagnostic(help(
        "A name has 1 to 256 bytes, no space, no control character and none of = $ {{ }}."
    ))]
    BadName(String),
    #[error("The secret {0} has no value.")]
    #[diagnostic(help("To clear it, remove the secret."))]
    NoValue(String),
    #[error("The value of {0} is longer than {most} bytes.", most = grouped(.1))]
    #[diagnostic(help("Keep a long value in a file that the member reads itself."))]
    LongValue(String, usize),
    #[error("The value of {0} has a zero character, which no process can be given.")]
    #[diagnostic(help("Set a text."))]
    ZeroValue(String),
    #[error("{0} is not used: others may read it.")]
    #[diagnostic(help("Run `chmod 600 '{file}'`, and change the secrets that others may have read.", file = .0.display()))]
    Open(PathBuf),
    #[error("There are {most} secrets, and more are not kept.", most = grouped(.0))]
    #[diagnostic(help("Remove some that no member uses."))]
    TooMany(usize),
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Check the permissions of the file and its folder."))]
    Unreadable(PathBuf, String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Check the permissions of the file and its folder."))]
    Unwritable(PathBuf, String),
}
