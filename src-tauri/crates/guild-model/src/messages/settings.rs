//! Errors of settings and secrets.

use std::path::PathBuf;
use std::time::Duration;

use guild_text::messages::seconds;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// An error of the settings.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum SettingsError {
    #[error("{0}.")]
    #[diagnostic(help("{1}"))]
    Mistake(String, String),
    #[error("Further problems in {0}: {count}.", count = grouped(.1))]
    #[diagnostic(help("Fix the listed ones and check again."))]
    MoreMistakes(String, usize),
    #[error("`{key}` was not changed: {wrong}.")]
    #[diagnostic(help("{doc}"))]
    Refused {
        key: String,
        wrong: String,
        doc: String,
    },
    #[error("The setting {0} doesn't exist.")]
    #[diagnostic(help("{1}"))]
    NoSetting(String, String),
    #[error("{0} was not changed: {1}.")]
    #[diagnostic(help("Fix the file by hand, or remove it to restore the defaults."))]
    Untouched(String, String),
    #[error("Another app is changing {0}; nothing was saved.")]
    #[diagnostic(help("Save the file in that app, and try again."))]
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
    #[error("You can change at most {most} settings at once.", most = grouped(.0))]
    TooMany(usize),
    #[error("Guild Hall could not complete this.")]
    #[diagnostic(help("Try again."))]
    NotCarriedOut,
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Pick a folder that you may write to, or free space on the disk."))]
    NotExported(PathBuf, String),
    #[error("Nothing was exported: settings.json contains the value of a secret.")]
    #[diagnostic(help("Remove it from the file, or give the secret another value."))]
    SecretInExport,
    #[error("The file or the settings have changed since they were shown.")]
    #[diagnostic(help("Open the preview of the import again."))]
    NotAsShown,
    #[error("{0} was also changed by another app; a copy of that app's version is in {1}.")]
    #[diagnostic(help("Compare both, keep the version you want, and try again."))]
    WrittenByTwo(PathBuf, PathBuf),
    #[error("{0} has no Guild Hall settings; nothing was imported.")]
    #[diagnostic(help("Choose a file from `guildhall settings export FILE`."))]
    NothingToImport(PathBuf),
    #[error("{0} is not a full path.")]
    #[diagnostic(help("Enter the full path."))]
    NoWholePath(PathBuf),
    #[error("The data folder is unknown because the home folder is unknown.")]
    #[diagnostic(help("Set a data folder with --data DIR or GUILD_HALL_DATA."))]
    NoDataFolder,
    #[error(
        "Guild Hall {1} has used the data in {0}, and this older version can't keep all of it."
    )]
    #[diagnostic(help(
        "Install Guild Hall {1} or newer, or choose another data folder with --data DIR. Nothing was changed."
    ))]
    NewerData(PathBuf, String),
}

/// An error about a secret.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum SecretError {
    #[error("{0} contains a token, and other users of this machine can read it.")]
    #[diagnostic(help("Run `chmod 600 '{path}'`.", path = .0.display()))]
    TokenReadable(PathBuf),
    #[error("No keychain is available for the secret {0}: {1}.")]
    #[diagnostic(help(
        "Start the system's keychain, or save it in a file: `guildhall secret set {0} --place file`."
    ))]
    NoKeychain(String, String),
    #[error("The keychain refused access to the secret {0}: {1}.")]
    #[diagnostic(help(
        "Unlock the keychain and try again, or save the secret in a file: `guildhall secret set {0} --place file`."
    ))]
    Refused(String, String),
    #[error("The keychain can't save the secret {0}: {1}.")]
    #[diagnostic(help(
        "Choose a shorter value, or save it in a file: `guildhall secret set {0} --place file`."
    ))]
    Unfit(String, String),
    #[error("The keychain did not return the secret {0} within {limit} s.", limit = seconds(.1))]
    #[diagnostic(help(
        "Unlock the keychain in its dialog and try again, or save it in a file: `guildhall secret set {0} --place file`."
    ))]
    Unanswered(String, Duration),
    #[error("The keychain did not answer within {limit} s.", limit = seconds(.0))]
    #[diagnostic(help("Find the dialog that asks for its password, and unlock it."))]
    Silent(Duration),
    #[error("The keychain refused: {0}.")]
    #[diagnostic(help("Find the dialog that asks for its password, and unlock it."))]
    Locked(String),
    #[error("No keychain is available ({0}), so secrets are saved in {1}.")]
    #[diagnostic(help(
        "Every app that you start can read that file. Start the system's keychain to save secrets there."
    ))]
    InFile(String, PathBuf),
    #[error("This name is reserved for the tokens of a member.")]
    #[diagnostic(help(
        "Sign in and out with `guildhall auth sign-in` and `guildhall auth sign-out`, or on the member's page."
    ))]
    Grant,
    #[error("{0} is not a valid name for a secret.")]
    #[diagnostic(help("Use 1 to 256 bytes, without spaces, control characters and = $ {{ }}."))]
    BadName(String),
    #[error("The new value of the secret {0} is empty.")]
    #[diagnostic(help("Enter a value, or remove the secret."))]
    NoValue(String),
    #[error("The value of {0} is longer than {most} bytes.", most = grouped(.1))]
    #[diagnostic(help("Save a long value in a file that the member reads."))]
    LongValue(String, usize),
    #[error("The value of {0} has a NUL character, which processes can't receive.")]
    #[diagnostic(help("Remove that character."))]
    ZeroValue(String),
    #[error("{0} is not used because other users may read it.")]
    #[diagnostic(help("Run `chmod 600 '{file}'`, then change the secrets that others may have read.", file = .0.display()))]
    Open(PathBuf),
    #[error("You already have {most} secrets, which is the limit.", most = grouped(.0))]
    #[diagnostic(help("Remove some that no member uses."))]
    TooMany(usize),
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Check the permissions of the file and its folder."))]
    Unreadable(PathBuf, String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Check the permissions of the file and its folder."))]
    Unwritable(PathBuf, String),
}
