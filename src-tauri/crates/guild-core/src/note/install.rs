//! Why a server is not adopted, begun or installed.

use std::path::PathBuf;

use super::{Each, NameWrong, RunWrong, notes, troubles};
use crate::id::MemberName;

notes! {
    /// What is wrong with a value that was given for a server.
    ValueFault;
    /// There is none.
    Missing
        "is missing"
        "fehlt";
    /// It is too long.
    TooLong
        "is too long"
        "ist zu lang";
    /// It has a character that ends texts.
    Nul
        "has a NUL character"
        "hat ein NUL-Zeichen";
    /// It can't be chosen.
    NoChoice
        "is none of its choices"
        "ist keine der Möglichkeiten";
}

troubles! {
    /// Why there is no such new member.
    InstallTrouble;
    /// Its name is taken.
    NameTaken(name: String)
        "There is a member {name} already."
        "Ein Mitglied {name} gibt es schon."
        "Give another name."
        "Einen anderen Namen angeben.";
    /// Its name is none.
    BadName(wrong: NameWrong)
        "{wrong}."
        "{wrong}."
        "Give another name."
        "Einen anderen Namen angeben.";
    /// Its manifest would be wrong.
    BadManifest(what: Each)
        "Its manifest would have an error: {what}."
        "Sein Manifest hätte einen Fehler: {what}."
        "Write a manifest by hand."
        "Ein Manifest von Hand schreiben.";
    /// Its manifest can't be read.
    NoManifest(error: String)
        "Its manifest can't be read: {error}."
        "Sein Manifest ist nicht lesbar: {error}."
        ""
        "";
    /// Its folder can't be written.
    Unwritable(folder: PathBuf, error: Each)
        "{folder} can't be written: {error}."
        "{folder} lässt sich nicht schreiben: {error}."
        "Give yourself the right to write to the members' folder."
        "Sich das Schreibrecht für den Ordner der Mitglieder geben.";
    /// Its folder can't be written, or has no room.
    NoRoom(folder: PathBuf, error: Each)
        "{folder} can't be written: {error}."
        "{folder} lässt sich nicht schreiben: {error}."
        "Look whether there is room on the disk, and whether you may write to the members' folder."
        "Nachsehen, ob auf dem Datenträger Platz ist und ob der Ordner der Mitglieder beschreibbar ist.";
    /// The work was given up.
    NotWritten(file: &'static str, error: String)
        "{file} could not be written: {error}."
        "{file} ließ sich nicht schreiben: {error}."
        "Try again."
        "Es noch einmal versuchen.";
    /// It is not there any more.
    NotFound
        "No file has this server any more as it was shown."
        "Keine Datei hat diesen Server mehr so, wie er gezeigt wurde."
        "Look at what was found again."
        "Das Gefundene noch einmal ansehen.";
    /// The folder could not be looked at.
    NotLooked(error: String)
        "The folder could not be looked at: {error}."
        "Der Ordner ließ sich nicht ansehen: {error}."
        "Try again."
        "Es noch einmal versuchen.";
    /// It is the gateway.
    OwnGateway
        "It is Guild Hall's own gateway."
        "Es ist das Gateway von Guild Hall selbst."
        ""
        "";
    /// A member runs it.
    RunsAlready(member: MemberName)
        "The member {member} runs the same already."
        "Das Mitglied {member} führt schon dasselbe aus."
        "Use that member."
        "Dieses Mitglied verwenden.";
    /// There is no home.
    NoHome
        "The system names no home folder, so no program's files can be found."
        "Das System nennt kein Home-Verzeichnis, also sind keine Dateien von Programmen zu finden."
        "Set HOME."
        "HOME setzen.";
    /// Too many folders are searched.
    ManyFolders(most: usize)
        "{most} folders are searched already, the most there may be."
        "{most} Ordner werden schon durchsucht, mehr dürfen es nicht sein."
        "Take one out of the list first."
        "Erst einen aus der Liste nehmen.";
    /// A file of ours can't be written.
    ListUnwritable(file: PathBuf, error: Each)
        "{file} can't be written: {error}."
        "{file} lässt sich nicht schreiben: {error}."
        "Correct the permissions of the folder, or free space on the disk."
        "Die Rechte des Ordners berichtigen oder Platz auf dem Datenträger schaffen.";
    /// A path that begins nowhere.
    NotWhole(folder: String)
        "{folder} can't be searched: it is no whole path."
        "{folder} lässt sich nicht durchsuchen: Es ist kein ganzer Pfad."
        "Name a project's folder, or a .code-workspace file, by its whole path."
        "Den Ordner eines Projekts oder eine .code-workspace-Datei mit ganzem Pfad nennen.";
    /// Something else.
    NoFolder(folder: String)
        "{folder} can't be searched: it is neither a folder nor a workspace file."
        "{folder} lässt sich nicht durchsuchen: Es ist weder ein Ordner noch eine Workspace-Datei."
        "Name a project's folder, or a .code-workspace file, by its whole path."
        "Den Ordner eines Projekts oder eine .code-workspace-Datei mit ganzem Pfad nennen.";
    /// It can't be looked at.
    NotSearched(folder: String, error: String)
        "{folder} can't be searched: {error}."
        "{folder} lässt sich nicht durchsuchen: {error}."
        "Name a project's folder, or a .code-workspace file, by its whole path."
        "Den Ordner eines Projekts oder eine .code-workspace-Datei mit ganzem Pfad nennen.";
    /// The place of a new member is taken.
    PlaceTaken(folder: PathBuf)
        "There is {folder} already."
        "{folder} gibt es schon."
        "Choose another name; nothing was written."
        "Einen anderen Namen wählen; nichts wurde geschrieben.";
    /// The name of a new member is taken.
    BeginTaken(name: String)
        "There is a member {name} already."
        "Ein Mitglied {name} gibt es schon."
        "Choose another name; nothing was written."
        "Einen anderen Namen wählen; nichts wurde geschrieben.";
    /// A new member's folder can't be written.
    NotBegun(folder: PathBuf, error: Each)
        "{folder} can't be written: {error}."
        "{folder} lässt sich nicht schreiben: {error}."
        "Make the folder writable, or name another with --members DIR."
        "Den Ordner beschreibbar machen oder mit --members ORDNER einen anderen nennen.";
    /// The work was given up.
    BeginEnded(error: String)
        "The member could not be written: {error}."
        "Das Mitglied ließ sich nicht schreiben: {error}."
        "Try again."
        "Es noch einmal versuchen.";
    /// The samples can't be put there.
    NoSamples(folder: PathBuf, error: Each)
        "The sample members can't be put into {folder}: {error}."
        "Die Beispielmitglieder lassen sich nicht in {folder} anlegen: {error}."
        "Make the folder writable, or name another with --members DIR or --data DIR."
        "Den Ordner beschreibbar machen oder mit --members ORDNER oder --data ORDNER einen anderen nennen.";
    /// Somebody cancelled an install.
    Cancelled
        "The install was cancelled. Nothing was written."
        "Die Installation wurde abgebrochen. Nichts wurde geschrieben."
        ""
        "";
    /// An installed member's manifest can't be read.
    OldManifest(file: PathBuf, error: Each)
        "{file} can't be read: {error}."
        "{file} ist nicht lesbar: {error}."
        "Mend it, or remove the member and install the bundle as a new one."
        "Es berichtigen oder das Mitglied entfernen und das Bündel als neues installieren.";
    /// An installed member's manifest was written while its bundle was replaced.
    ManifestChanged(file: PathBuf)
        "{file} was changed by another program meanwhile; the bundle was not replaced."
        "{file} wurde inzwischen von einem anderen Programm geändert; das Bündel wurde nicht ersetzt."
        "Install it once more: what was changed stays."
        "Es noch einmal installieren: Was geändert wurde, bleibt.";
    /// Two texts of it were written at the same moment.
    ManifestByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written by another program at the same moment; a text of it is kept in {kept}."
        "{file} wurde im selben Augenblick von einem anderen Programm geschrieben; ein Text davon liegt in {kept}."
        "Compare both, keep what is to hold, and install the bundle again."
        "Beide vergleichen, behalten, was gelten soll, und das Bündel noch einmal installieren.";
    /// A member is of another bundle.
    OtherBundle(member: MemberName, bundle: String)
        "{member} was not made of a bundle called {bundle}."
        "{member} stammt nicht aus einem Bündel namens {bundle}."
        "Install it under another name."
        "Es unter einem anderen Namen installieren.";
    /// It can't be run with these answers.
    CannotRun(wrong: RunWrong)
        "It can't run so: {wrong}."
        "So kann es nicht laufen: {wrong}."
        ""
        "";
    /// An answer does not fit.
    Unfit(errors: Each, keys: String)
        "An answer does not fit: {errors}."
        "Eine Antwort passt nicht: {errors}."
        "It asks for: {keys}."
        "Gefragt wird nach: {keys}.";
    /// Some answers do not fit.
    Unanswered(places: Each)
        "Some answers do not fit what is asked: {places}."
        "Einige Antworten passen nicht zu dem, was gefragt wird: {places}."
        "Correct them."
        "Sie berichtigen.";
    /// A value of an adopted server does not fit.
    ValueUnfit(id: String, what: String, wrong: ValueFault)
        "The value of {id}{what} {wrong}."
        "Der Wert von {id}{what} {wrong}."
        "Give it when you adopt the server."
        "Ihn beim Übernehmen des Servers angeben.";
    /// Answers could not be checked.
    Unchecked(error: String)
        "The answers could not be checked: {error}."
        "Die Antworten ließen sich nicht prüfen: {error}."
        "Try again."
        "Es noch einmal versuchen.";
    /// There is too much.
    TooLarge
        "What is asked and answered is too large to be checked."
        "Frage und Antwort sind zum Prüfen zu groß."
        ""
        "";
    /// A form is none.
    NoJson(error: String)
        "What is asked is no JSON: {error}."
        "Was gefragt wird, ist kein JSON: {error}."
        ""
        "";
    /// A source is none of those that were named.
    NoSource(source: String)
        "{source} is none of the sources."
        "{source} ist keine der Quellen."
        "Add it first."
        "Sie erst hinzufügen.";
    /// A reading was ended.
    ReadingEnded
        "The reading was ended. What was read before is kept."
        "Das Lesen wurde beendet. Was vorher gelesen wurde, bleibt erhalten."
        ""
        "";
    /// A server is not listed.
    NotListed(source: String, server: String)
        "{source} does not list {server}."
        "{source} führt {server} nicht auf."
        "Search for it, or read the source again."
        "Danach suchen oder die Quelle neu lesen.";
    /// A version is not listed.
    NoVersion(source: String, server: String, version: String)
        "{source} does not list {server} in version {version}."
        "{source} führt {server} nicht in Version {version} auf."
        "Search for it, or read the source again."
        "Danach suchen oder die Quelle neu lesen.";
    /// A server is listed otherwise by now.
    NotAsShown
        "The server is not listed any more as it was shown."
        "Der Server ist nicht mehr so aufgeführt, wie er gezeigt wurde."
        "Look at it again."
        "Ihn noch einmal ansehen.";
}
