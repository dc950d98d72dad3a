//! Why a server is not adopted, begun or installed.

use std::path::PathBuf;

use super::{NameWrong, RunWrong, notes, troubles};
use crate::id::MemberName;

notes! {
    /// What is wrong with a value that was given for a server.
    ValueFault;
    /// There is none.
    Missing
        "is missing";
    /// It is too long.
    TooLong
        "is too long";
    /// It has a character that ends texts.
    Nul
        "has a NUL character";
    /// It can't be chosen.
    NoChoice
        "is none of its choices";
}

troubles! {
    /// Why there is no such new member.
    InstallTrouble;
    /// Its name is taken.
    NameTaken(name: String)
        "There is a member {name} already."
        "Give another name.";
    /// Its name is none.
    BadName(wrong: NameWrong)
        "{wrong}."
        "Give another name.";
    /// Its manifest would be wrong.
    BadManifest(what: String)
        "Its manifest would have an error: {what}."
        "Write a manifest by hand.";
    /// Its manifest can't be read.
    NoManifest(error: String)
        "Its manifest can't be read: {error}."
        "";
    /// Its folder can't be written.
    Unwritable(folder: PathBuf, error: String)
        "{folder} can't be written: {error}."
        "Give yourself the right to write to the members' folder.";
    /// Its folder can't be written, or has no room.
    NoRoom(folder: PathBuf, error: String)
        "{folder} can't be written: {error}."
        "Look whether there is room on the disk, and whether you may write to the members' folder.";
    /// The work was given up.
    NotWritten(file: &'static str, error: String)
        "{file} could not be written: {error}."
        "Try again.";
    /// It is not there any more.
    NotFound
        "No file has this server any more as it was shown."
        "Look at what was found again.";
    /// The folder could not be looked at.
    NotLooked(error: String)
        "The folder could not be looked at: {error}."
        "Try again.";
    /// It is the gateway.
    OwnGateway
        "It is Guild Hall's own gateway."
        "";
    /// A member runs it.
    RunsAlready(member: MemberName)
        "The member {member} runs the same already."
        "Use that member.";
    /// There is no home.
    NoHome
        "The system names no home folder, so no program's files can be found."
        "Set HOME.";
    /// Too many folders are searched.
    ManyFolders(most: usize)
        "{most} folders are searched already, the most there may be."
        "Take one out of the list first.";
    /// A file of ours can't be written.
    ListUnwritable(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "Correct the permissions of the folder, or free space on the disk.";
    /// A path that begins nowhere.
    NotWhole(folder: String)
        "{folder} can't be searched: it is no whole path."
        "Name a project's folder, or a .code-workspace file, by its whole path.";
    /// Something else.
    NoFolder(folder: String)
        "{folder} can't be searched: it is neither a folder nor a workspace file."
        "Name a project's folder, or a .code-workspace file, by its whole path.";
    /// It can't be looked at.
    NotSearched(folder: String, error: String)
        "{folder} can't be searched: {error}."
        "Name a project's folder, or a .code-workspace file, by its whole path.";
    /// The place of a new member is taken.
    PlaceTaken(folder: PathBuf)
        "There is {folder} already."
        "Choose another name; nothing was written.";
    /// The name of a new member is taken.
    BeginTaken(name: String)
        "There is a member {name} already."
        "Choose another name; nothing was written.";
    /// A new member's folder can't be written.
    NotBegun(folder: PathBuf, error: String)
        "{folder} can't be written: {error}."
        "Make the folder writable, or name another with --members DIR.";
    /// The work was given up.
    BeginEnded(error: String)
        "The member could not be written: {error}."
        "Try again.";
    /// The samples can't be put there.
    NoSamples(folder: PathBuf, error: String)
        "The sample members can't be put into {folder}: {error}."
        "Make the folder writable, or name another with --members DIR or --data DIR.";
    /// Somebody cancelled an install.
    Cancelled
        "The install was cancelled. Nothing was written."
        "";
    /// An installed member's manifest can't be read.
    OldManifest(file: PathBuf, error: String)
        "{file} can't be read: {error}."
        "Mend it, or remove the member and install the bundle as a new one.";
    /// An installed member's manifest was written while its bundle was replaced.
    ManifestChanged(file: PathBuf)
        "{file} was changed by another program meanwhile; the bundle was not replaced."
        "Install it once more: what was changed stays.";
    /// Two texts of it were written at the same moment.
    ManifestByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written by another program at the same moment; a text of it is kept in {kept}."
        "Compare both, keep what is to hold, and install the bundle again.";
    /// A member is of another bundle.
    OtherBundle(member: MemberName, bundle: String)
        "{member} was not made of a bundle called {bundle}."
        "Install it under another name.";
    /// It can't be run with these answers.
    CannotRun(wrong: RunWrong)
        "It can't run so: {wrong}."
        "";
    /// An answer does not fit.
    Unfit(errors: String, keys: String)
        "An answer does not fit: {errors}."
        "It asks for: {keys}.";
    /// Some answers do not fit.
    Unanswered(places: String)
        "Some answers do not fit what is asked: {places}."
        "Correct them.";
    /// A value of an adopted server does not fit.
    ValueUnfit(id: String, what: String, wrong: ValueFault)
        "The value of {id}{what} {wrong}."
        "Give it when you adopt the server.";
    /// Answers could not be checked.
    Unchecked(error: String)
        "The answers could not be checked: {error}."
        "Try again.";
    /// There is too much.
    TooLarge
        "What is asked and answered is too large to be checked."
        "";
    /// A form is none.
    NoJson(error: String)
        "What is asked is no JSON: {error}."
        "";
}
