//! What is wrong with settings, and with secrets.

use std::path::PathBuf;
use std::time::Duration;

use super::{JsonWrong, Shown, Told, Ungrouped, notes, troubles};

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
    Refused(key: String, wrong: SettingWrong, doc: SettingDoc)
        "`{key}` {wrong}."
        "{doc}";
    /// There is no such setting.
    NoSetting(key: String, next: NearSetting)
        "There is no setting {key}."
        "{next}";
    /// The file can't be changed as it is.
    Untouched(file: String, why: WhyUntouched)
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
    /// What would be needed to undo an import is too much.
    UndoTooLarge(folder: PathBuf, mib: usize, largest: String)
        "Nothing was imported: the files in {folder} that an import writes over, with what it makes of them, take more than the {mib} MiB that are kept to undo it."
        "Make {largest} smaller, the largest of them, and try again.";
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
    /// A secret stands in what would be exported.
    SecretInExport(place: String)
        "Nothing was exported: `{place}` has the text of a secret in it."
        "Put something else there, or give the secret another value.";
    /// It is not what was shown.
    NotAsShown
        "What would be imported, or what is set, is not what was shown."
        "Look at the import again.";
    /// A file was written since it was kept, and before an import came to it.
    ChangedSince(file: PathBuf)
        "{file} was changed by another program; nothing was imported."
        "Look at the import again.";
    /// Two texts of a file were written in the moment that it was to be replaced.
    WrittenByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written by another program at the same moment; a text of it is kept in {kept}."
        "Compare both, keep what is to hold, and try again.";
    /// A file is no export.
    NotImported(file: String, why: WhyNoExport)
        "{file} can't be imported: {why}."
        "Give a file that Guild Hall has exported.";
    /// A path that begins nowhere.
    NoWholePath(path: PathBuf)
        "{path} is no whole path."
        "Give one that begins at the root of the disk.";
    /// There is no place for data.
    NoDataFolder
        "The system names no folder for data: there is no home folder."
        "Name one with --data DIR or GUILD_HALL_DATA.";
}

notes! {
    /// Where a mistake stands, and what it is.
    SettingPlace;
    /// In a field.
    Field(place: String, field: String, wrong: SettingWrong)
        "{place}: `{field}` {wrong}";
    /// At a place.
    At(place: String, wrong: SettingWrong)
        "{place}: {wrong}";
    /// In the file as a whole.
    File(file: String, wrong: SettingWrong)
        "{file} {wrong}";
}

notes! {
    /// What is wrong with a setting or with the file: the end of a sentence.
    SettingWrong;
    /// It is too large.
    Large(length: usize, most: u64)
        "has {length} bytes; {most} are the most";
    /// It is not UTF-8.
    NotUtf8
        "is no UTF-8 from here on";
    /// It is no JSON.
    Json(wrong: JsonWrong)
        "{wrong}";
    /// It is no object.
    NoObject(found: Shown)
        "expected an object in braces, found {found}";
    /// A section is no object.
    NoSection(found: Shown)
        "must be an object in braces; found {found}";
    /// It can't be used.
    Unusable(error: String)
        "can't be used: {error}";
    /// It is none.
    Unknown
        "is no setting; it is kept and has no effect";
    /// No action.
    NoAction
        "is no name of an action";
    /// There is no such action.
    UnknownAction
        "names no action; it is kept and has no effect";
    /// Keys that are no text.
    KeysNoText(found: Shown)
        "must be a text in quotes; found {found}";
    /// Keys that are no text, where they are set.
    KeysNoKeys(found: Shown)
        "must be keys such as \"Ctrl+Shift+K\"; found {found}";
    /// Keys that can't be.
    Press(wrong: PressWrong)
        "{wrong}";
    /// No truth value.
    Flag(found: Shown)
        "must be true or false; found {found}";
    /// None of a few words.
    Choice(words: String, found: Shown)
        "must be one of {words}; found {found}";
    /// No whole number of these.
    Whole(least: Ungrouped<u64>, most: Ungrouped<u64>, found: Shown)
        "must be a whole number from {least} to {most}; found {found}";
    /// No port of the gateway.
    Port(found: Shown)
        "must be a port from 1024 to 19999 or from 30001 to 65535, as those between are the members'; found {found}";
    /// Another address.
    Address
        "must begin with https://, or be on this machine";
    /// Neither an address nor a path.
    Registry
        "must be the whole path of a file, or an address that begins with https:// or is on this machine";
    /// Another key.
    PublicKey
        "is no public key as `cargo xtask update-key` writes it";
    /// No text.
    NoText(expected: SettingText, found: Shown)
        "must be {expected} in double quotes; found {found}";
    /// An empty text.
    Empty(expected: SettingText)
        "must be {expected}; found an empty text";
    /// A text that is too long.
    Long(length: usize, most: usize)
        "has {length} bytes; {most} are the most";
    /// A control character.
    Control
        "has a control character";
}

notes! {
    /// What a text stands for.
    SettingText;
    /// A folder.
    Folder
        "the path of a folder";
    /// An address.
    Address
        "an address";
    /// A key.
    PublicKey
        "a public key";
    /// Keys.
    Keys
        "keys such as \"Ctrl+Alt+K\"";
}

notes! {
    /// What is wrong with keys: the end of a sentence.
    PressWrong;
    /// They have Super.
    Super
        "has Super, which is the system's";
    /// They mean something everywhere.
    Everywhere(key: String)
        "is {key}, which has a meaning everywhere";
    /// They mean something where somebody writes.
    InTexts(key: String)
        "is {key}, which has a meaning of its own where somebody writes: it must have Ctrl or Alt";
    /// They are a character.
    ShiftAlone(key: String)
        "has Shift alone with {key}: write the character that they type";
    /// They count in every program.
    Bare
        "must have Ctrl, Alt or Super: it counts in every program";
    /// They are no keys.
    NoKeys(found: String)
        "must be keys such as \"Ctrl+Shift+K\" or \"F6\"; found {found}";
    /// One of them stands twice.
    Twice(held: &'static str)
        "has {held} twice";
}

notes! {
    /// What to do about a mistake.
    SettingHint;
    /// A key stands twice.
    TakeOneOut
        "Take one of the two out.";
    /// It is nested.
    NotSoDeep
        "Settings are not nested so deep.";
    /// It is no JSON.
    MendHere
        "Mend this place; look at what stands right before it too.";
    /// It is too large.
    TakeOut
        "Take out what is not needed.";
    /// It is not UTF-8.
    SaveAsUtf8
        "Save it as UTF-8.";
    /// It has no braces.
    Braces
        "Put braces around the settings.";
    /// The default holds, as if nothing stood there.
    Default
        "Its default holds.";
    /// The default holds, and what may stand there.
    DefaultOf(doc: SettingDoc)
        "Its default holds. {doc}";
    /// No default takes the place of the members' folder that a person has named.
    NoDefault
        "No default holds for it: name a folder, or take the setting out to have the one in the data folder.";
    /// Another setting is meant.
    Near(near: NearSetting)
        "{near}";
    /// Nothing.
    None
        "";
}

/// What a setting does, as the settings' table has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingDoc(pub &'static str);

impl Told for SettingDoc {
    fn told(&self) -> String {
        self.0.to_owned()
    }
}

#[cfg(test)]
impl super::Example for SettingDoc {
    fn example() -> Self {
        Self("What it does.")
    }
}

notes! {
    /// The setting that was meant.
    NearSetting;
    /// One is like it.
    Meant(near: &'static str)
        "Did you mean `{near}`?";
    /// None is.
    Listed
        "`guildhall settings` lists all there are.";
    /// An action is like it.
    Action(near: &'static str)
        "Did you mean `keys.{near}`?";
    /// No action is.
    Actions
        "The settings' page has all actions, each with its keys.";
}

notes! {
    /// Why the file is left as it is: the rest of a sentence.
    WhyUntouched;
    /// It can't be read.
    Unreadable
        "it can't be read";
    /// It would be too large.
    Large(length: usize, most: u64)
        "it would have {length} bytes; {most} are the most";
    /// It would be broken.
    Broken
        "it could not be read afterwards";
    /// A place in it can't be changed.
    Place(wrong: String)
        "{wrong}";
}

notes! {
    /// Why a file is no export of settings: the rest of a sentence.
    WhyNoExport;
    /// It can't be read.
    Unreadable(error: String)
        "{error}";
    /// It is of another version.
    Version(version: Ungrouped<u64>)
        "its form {version} is not known";
    /// It is something else.
    NoExport
        "it is no export of settings";
    /// A setting in it can't be.
    Setting(place: String)
        "`{place}` is not what it must be";
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
