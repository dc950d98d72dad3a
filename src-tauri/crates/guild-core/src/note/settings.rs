//! What is wrong with settings, and with secrets.

use std::path::PathBuf;
use std::time::Duration;

use super::troubles;

troubles! {
    /// Why settings are not read, or not changed.
    SettingsTrouble;
    /// A mistake in the file.
    Mistake(place: String, hint: String)
        "{place}."
        "{hint}";
    /// There are more.
    MoreMistakes(file: String, count: usize)
        "Further mistakes in {file}: {count}."
        "Mend those that are told, and look again.";
    /// A value can't be set.
    Refused(key: String, wrong: String, doc: String)
        "`{key}` was not changed: {wrong}."
        "{doc}";
    /// There is no such setting.
    NoSetting(key: String, next: String)
        "There is no setting {key}."
        "{next}";
    /// The file can't be changed as it is.
    Untouched(file: String, why: String)
        "{file} was not touched: {why}."
        "Mend the file by hand, or remove it to go back to the defaults.";
    /// Somebody else writes it.
    ChangedElsewhere(file: PathBuf)
        "{file} is being changed by another program; nothing was written."
        "Save it there, and try again.";
    /// Another Guild Hall writes it.
    NoTurn
        "Another program of Guild Hall does not come to the end of its change; nothing was written."
        "Try again.";
    /// It can't be read.
    Unreadable(file: PathBuf, error: String)
        "{file} can't be read: {error}."
        "Make it a file that you may read, or remove it to go back to the defaults.";
    /// It can't be written.
    Unwritable(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "Give yourself the right to write there, or free space on the disk.";
    /// Too many at once.
    TooMany(most: usize)
        "More than {most} settings at once are too many."
        "";
    /// The work was given up.
    NotCarriedOut(error: String)
        "It was not carried out: {error}."
        "Try again.";
    /// A file for an export can't be written.
    NotExported(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "Pick a folder that you may write to, or free space on the disk.";
    /// The file has a secret in it.
    SecretInExport
        "Nothing was exported: settings.json has the text of a secret in it."
        "Remove it from the file, or give the secret another value.";
    /// It is not what was shown.
    NotAsShown
        "The file or the settings have changed since they were shown."
        "Open the preview of the import again.";
    /// Two texts of a file were written in the moment that it was to be replaced.
    WrittenByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written by another program at the same moment; a text of it is kept in {kept}."
        "Compare both, keep what is to hold, and try again.";
    /// A file sets nothing.
    NothingToImport(file: PathBuf)
        "{file} has no setting of Guild Hall; nothing was imported."
        "Choose a settings.json, such as `guildhall settings export FILE` writes.";
    /// A path that begins nowhere.
    NoWholePath(path: PathBuf)
        "{path} is no whole path."
        "Give one that begins at the root of the disk.";
    /// There is no place for data.
    NoDataFolder
        "The system names no folder for data: there is no home folder."
        "Name one with --data DIR or GUILD_HALL_DATA.";
}

troubles! {
    /// Why a secret can't be had or kept.
    SecretTrouble;
    /// Nobody could look.
    NotLooked(error: String)
        "The secrets could not be looked at: {error}."
        "Try again.";
    /// Others can read a token that was written into another program's file.
    TokenReadable(path: PathBuf)
        "{path} has a token in it, and other users of this machine can read it."
        "Run `chmod 600 '{path}'`.";
    /// There is no keychain.
    NoKeychain(name: String, why: String)
        "There is no keychain for the secret {name}: {why}."
        "Start the keychain of the system, or keep it in a file: `guildhall secret set {name} --place file`.";
    /// The keychain said no.
    Refused(name: String, why: String)
        "The keychain refused when it was asked for the secret {name}: {why}."
        "Unlock the keychain and try again, or keep it in a file: `guildhall secret set {name} --place file`.";
    /// The keychain can't keep it.
    Unfit(name: String, why: String)
        "The keychain can't keep the secret {name}: {why}."
        "Choose a shorter value, or keep it in a file: `guildhall secret set {name} --place file`.";
    /// The keychain is silent.
    Unanswered(name: String, limit: Duration)
        "The keychain was asked for the secret {name} and did not answer within {limit} s."
        "Look for a dialog that asks for the keychain's password, answer it and try again, or keep it in a file: `guildhall secret set {name} --place file`.";
    /// The keychain is silent about all.
    Silent(limit: Duration)
        "The keychain did not answer within {limit} s."
        "Look for a dialog that asks for its password, and answer it.";
    /// The keychain said no to all.
    Locked(why: String)
        "The keychain refused: {why}."
        "Look for a dialog that asks for its password, and answer it.";
    /// They are kept in a file.
    InFile(why: String, file: PathBuf)
        "No keychain can be reached ({why}), so secrets are kept in {file}."
        "Every program that you start can read that file. Start the keychain of the system to keep secrets there.";
    /// The name is a sign-in's.
    Grant
        "Under that name stand the tokens of a member."
        "Sign in and out with `guildhall auth sign-in` and `guildhall auth sign-out`, or on the member's page.";
    /// The name is none.
    BadName(name: String)
        "{name} can't be the name of a secret."
        "A name has 1 to 256 bytes, no space, no control character and none of = $ {{ }}.";
    /// The value is empty.
    NoValue(name: String)
        "The secret {name} was given no value."
        "To take its value away, remove it.";
    /// The value is too long.
    LongValue(name: String, most: usize)
        "The value of {name} is longer than {most} bytes."
        "Keep a long value in a file that the member reads itself.";
    /// The value can't be handed on.
    ZeroValue(name: String)
        "The value of {name} has a zero character, which no process can be given."
        "Set a text.";
    /// Others may read the file.
    Open(file: PathBuf)
        "{file} is not used: others may read it."
        "Run `chmod 600 '{file}'`, and change the secrets that others may have read.";
    /// There are too many.
    TooMany(most: usize)
        "There are {most} secrets, and more are not kept."
        "Remove some that no member uses.";
    /// The file can't be read.
    Unreadable(file: PathBuf, error: String)
        "{file} can't be read: {error}."
        "Look at the file and at the rights of its folder.";
    /// The file can't be written.
    Unwritable(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "Look at the file and at the rights of its folder.";
}
