//! Why the program does not become a newer version of itself.

use std::path::PathBuf;

use super::{Each, notes, troubles};

troubles! {
    /// Why there is no newer version, or it is not used.
    UpdateTrouble;
    /// Nobody says where they are told of.
    NoAddress
        "Nobody has said where newer versions are told of."
        "Niemand hat gesagt, wo neuere Versionen bekannt gegeben werden."
        "Set `updates.address`."
        "`updates.address` setzen.";
    /// None could be read.
    Unread(address: String, why: Each)
        "No newer version could be read from {address}: {why}."
        "Von {address} ließ sich keine neuere Version lesen: {why}."
        "Look whether `updates.address` is right and reachable."
        "Nachsehen, ob `updates.address` stimmt und erreichbar ist.";
    /// It is not what it should be.
    Refused(why: Each)
        "The newer version is not used: {why}."
        "Die neuere Version wird nicht verwendet: {why}."
        "Look whether `updates.address` and `updates.key` belong together."
        "Nachsehen, ob `updates.address` und `updates.key` zusammengehören.";
    /// This program can't be replaced.
    Unplaced(why: Each)
        "This program can't be replaced by a newer version: {why}."
        "Dieses Programm lässt sich nicht durch eine neuere Version ersetzen: {why}."
        "Update it the way that it was installed."
        "Es auf dem Weg aktualisieren, auf dem es installiert wurde.";
    /// There is no room for it.
    NoRoom(program: PathBuf, error: Each)
        "No newer version can take the place of {program}: {error}."
        "Keine neuere Version kann an die Stelle von {program} treten: {error}."
        "Make room on its disk."
        "Auf dem Datenträger dort Platz schaffen.";
    /// Its folder can't be written.
    NotPlaced(program: PathBuf, error: Each)
        "No newer version can take the place of {program}: {error}."
        "Keine neuere Version kann an die Stelle von {program} treten: {error}."
        "Move the AppImage into a folder that you may write to, and start it there."
        "Das AppImage in einen beschreibbaren Ordner verschieben und dort starten.";
}

notes! {
    /// What keeps a newer version away: the rest of a sentence.
    UpdateWrong;
    /// Nobody has named a key.
    NoKey
        "there is no key that it could be signed by"
        "es gibt keinen Schlüssel, mit dem sie signiert sein könnte";
    /// It does not replace itself.
    Packaged
        "it was installed by the system's packages, or built from source"
        "es wurde durch die Pakete des Systems eingerichtet oder aus dem Quelltext gebaut";
    /// Its name can't be noted.
    OddName
        "its file has a name that can't be written down"
        "der Name seiner Datei lässt sich nicht aufschreiben";
    /// What was fetched is gone.
    FetchedUnread(error: Each)
        "what was fetched can't be read ({error})"
        "was geholt wurde, ist nicht lesbar ({error})";
    /// Nobody would see that it does not come up.
    Unwatched(error: String)
        "its start can't be watched over ({error})"
        "sein Start lässt sich nicht überwachen ({error})";
    /// The same, and it is not undone.
    NotUndone(error: String, previous: PathBuf, undo: String)
        "its start can't be watched over ({error}), and the version before is still {previous} ({undo})"
        "sein Start lässt sich nicht überwachen ({error}), und die Version davor ist noch {previous} ({undo})";
}
