//! Why the program does not become a newer version of itself.

use std::path::PathBuf;

use super::{notes, troubles};

troubles! {
    /// Why there is no newer version, or it is not used.
    UpdateTrouble;
    /// Nobody says where they are told of.
    NoAddress
        "Nobody has said where newer versions are told of."
        "Set `updates.address`.";
    /// None could be read.
    Unread(address: String, why: String)
        "No newer version could be read from {address}: {why}."
        "Look whether `updates.address` is right and reachable.";
    /// It is not what it should be.
    Refused(why: String)
        "The newer version is not used: {why}."
        "Look whether `updates.address` and `updates.key` belong together.";
    /// This program can't be replaced.
    Unplaced(why: String)
        "This program can't be replaced by a newer version: {why}."
        "Update it the way that it was installed.";
    /// There is no room for it.
    NoRoom(program: PathBuf, error: String)
        "No newer version can take the place of {program}: {error}."
        "Make room on its disk.";
    /// Its folder can't be written.
    NotPlaced(program: PathBuf, error: String)
        "No newer version can take the place of {program}: {error}."
        "Move the AppImage into a folder that you may write to, and start it there.";
}

notes! {
    /// What keeps a newer version away: the rest of a sentence.
    UpdateWrong;
    /// Nobody has named a key.
    NoKey
        "there is no key that it could be signed by";
    /// It does not replace itself.
    Packaged
        "it was installed by the system's packages, or built from source";
    /// Its name can't be noted.
    OddName
        "its file has a name that can't be written down";
    /// What was fetched is gone.
    FetchedUnread(error: String)
        "what was fetched can't be read ({error})";
    /// Nobody would see that it does not come up.
    Unwatched(error: String)
        "its start can't be watched over ({error})";
    /// The same, and it is not undone.
    NotUndone(error: String, previous: PathBuf, undo: String)
        "its start can't be watched over ({error}), and the version before is still {previous} ({undo})";
}
