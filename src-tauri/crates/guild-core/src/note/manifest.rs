//! What is wrong with a member's folder and with its `plugin.json`.

use std::path::PathBuf;

use super::troubles;

troubles! {
    /// What is wrong with the members' folder or with a folder in it.
    FolderTrouble;
    /// It can't be read now, for want of something that comes back.
    Scarce(folder: PathBuf, error: String)
        "The members' folder {folder} can't be read: {error}."
        "Everything stays as it is; it is tried again in a moment.";
    /// It can't be read.
    Unreadable(folder: PathBuf, error: String)
        "The members' folder {folder} can't be read: {error}."
        "Make the folder, or name another with --members DIR or GUILD_HALL_MEMBERS.";
    /// The same, of a folder that the settings name.
    UnreadableAsSet(folder: PathBuf, error: String)
        "The members' folder {folder} can't be read: {error}."
        "The setting `membersDir` names it: make the folder, or name another with `guildhall settings set membersDir DIR`; null is the one in the data folder.";
    /// It has more folders than are read.
    TooMany(folder: PathBuf, count: usize, most: usize)
        "{folder} has {count} folders; only the first {most} were read."
        "Check that this is the folder you meant: each folder in it is one member.";
    /// A link that the system does not follow.
    Unsafe(folder: PathBuf, error: String)
        "{folder} is no member's folder: {error}."
        "Remove the link, or let it point to a folder with a plugin.json of its own.";
    /// A link back.
    LeadsBack(folder: PathBuf)
        "{folder} is no member's folder: the link leads back to the folder that it stands in."
        "Remove the link, or let it point to a folder with a plugin.json of its own.";
    /// There is no manifest in it.
    NoManifest(file: PathBuf)
        "{file} can't be used: there is no such file."
        "Put a plugin.json with name, version, transport and command there, or remove the folder.";
    /// Its manifest is larger than may be read.
    HugeManifest(file: PathBuf, error: String)
        "{file} can't be used: {error}."
        "A manifest is a short file; check that this is one.";
    /// Its manifest can't be read.
    ClosedManifest(file: PathBuf, error: String)
        "{file} can't be used: {error}."
        "Make it a regular file that you may read.";
    /// Its manifest gives a name that another's gives.
    NameTwice(file: PathBuf, name: String, other: PathBuf)
        "{file} gives the name {name}, which {other} has already."
        "Give one of the two another name.";
}

troubles! {
    /// Why a manifest can't be used as a whole.
    ManifestTrouble;
    /// A variable that has no port to stand for.
    NoPort
        "${{PORT}} has no value: this member is given no port."
        "Only a member with a command and the transport `http` has a port.";
    /// A variable that the environment does not have.
    NoVariable(name: String)
        "${{env:{name}}} has no value: the environment has no {name}."
        "Set {name} in your login shell, or write the value in the manifest.";
    /// A secret that is not there.
    NoSecret(name: String)
        "${{secret:{name}}} has no value: there is no secret of that name."
        "Set it on the page of the secrets, or with `guildhall secret set {name}`.";
    /// An example of that name is there.
    ExampleTwice(name: String)
        "The manifest has an example {name} already."
        "Give this one another name.";
    /// An example finds no place.
    NoPlace(file: String)
        "{file} has no place for an example."
        "Put it in by hand.";
    /// With the example in it, it would be another.
    NotTheSame(file: String)
        "{file} would not be what it was with the example in it."
        "Put it in by hand.";
}
