//! What goes wrong with the history, the logs, a hall that runs, and signing in.

use std::path::PathBuf;

use super::{Each, Told, Ungrouped, notes, troubles};
use crate::language::Language;
use crate::wire::control::HallRole;

troubles! {
    /// Why the history has not kept or not found something.
    HistoryTrouble;
    /// A file of its own.
    OwnFile(file: PathBuf)
        "{file} belongs to the history itself."
        "{file} gehört zum Verlauf selbst."
        "Pick another name."
        "Einen anderen Namen wählen.";
    /// It was removed.
    Gone
        "It is not in the history any more: it was removed."
        "Es steht nicht mehr im Verlauf: Es wurde entfernt."
        "Load the list again."
        "Die Liste neu laden.";
    /// It can't be written as JSON.
    NotWritten(error: String)
        "What was to be kept can't be written as JSON: {error}."
        "Was aufbewahrt werden sollte, lässt sich nicht als JSON schreiben: {error}."
        ""
        "";
    /// It is damaged and stays where it is.
    Stuck(file: PathBuf, error: String, problem: String)
        "The history {file} is damaged ({error}) and can't be moved aside: {problem}."
        "Der Verlauf {file} ist beschädigt ({error}) und lässt sich nicht beiseitelegen: {problem}."
        "Move the file elsewhere by hand to begin a new history."
        "Die Datei von Hand verschieben, um einen neuen Verlauf zu beginnen.";
    /// It was damaged.
    Damaged(error: String, aside: PathBuf)
        "The history was damaged ({error}). A new one was begun, and the old file was kept as {aside}."
        "Der Verlauf war beschädigt ({error}). Ein neuer wurde begonnen, und die alte Datei blieb als {aside} erhalten."
        "`sqlite3 FILE .recover` may get calls out of the old file."
        "`sqlite3 DATEI .recover` holt vielleicht Aufrufe aus der alten Datei.";
    /// It is newer.
    Newer(file: PathBuf, version: Ungrouped<usize>, known: Ungrouped<usize>)
        "A newer version of Guild Hall made the history {file} (its format is {version}, this version's is {known}). It was left as it is."
        "Eine neuere Version von Guild Hall hat den Verlauf {file} angelegt (sein Format ist {version}, das dieser Version {known}). Er blieb, wie er ist."
        "Use the newer version, or move the file elsewhere to begin a new history."
        "Die neuere Version verwenden oder die Datei verschieben, um einen neuen Verlauf zu beginnen.";
    /// There is no such file to be had.
    NoFile(file: PathBuf, error: Each)
        "The history {file} can't be used: {error}."
        "Der Verlauf {file} ist nicht nutzbar: {error}."
        "Give yourself the right to write there, or clear the place."
        "Sich dort das Schreibrecht geben oder den Platz freimachen.";
    /// There is no room.
    Full(file: PathBuf)
        "There is no room for the history {file}."
        "Für den Verlauf {file} ist kein Platz."
        "Free space on the disk, or remove calls from the history."
        "Platz auf dem Datenträger schaffen oder Aufrufe aus dem Verlauf entfernen.";
    /// It can't be used.
    Unusable(file: PathBuf, error: String)
        "The history {file} can't be used: {error}."
        "Der Verlauf {file} ist nicht nutzbar: {error}."
        "Give yourself the right to write there; if it stays so, move the file elsewhere."
        "Sich dort das Schreibrecht geben; bleibt es dabei, die Datei verschieben.";
    /// It is held.
    Busy(file: PathBuf)
        "The history {file} did not answer in time: another program holds it, or the disk is slow."
        "Der Verlauf {file} antwortete nicht rechtzeitig: Ein anderes Programm hält ihn, oder der Datenträger ist langsam."
        "Close the other program, then try again."
        "Das andere Programm schließen, dann noch einmal versuchen.";
    /// It is behind.
    Behind(count: u64)
        "Calls end faster than the history can write them down: {count} of this run are missing from it."
        "Aufrufe enden schneller, als der Verlauf sie aufschreiben kann: {count} dieses Laufs fehlen darin."
        "The calls themselves went well. The data folder may lie on a slow disk."
        "Die Aufrufe selbst sind gelungen. Der Datenordner liegt vielleicht auf einem langsamen Datenträger.";
    /// A saved call's name can't be.
    SavedName(wrong: SavedNameWrong)
        "This can't be a saved call's name: {wrong}."
        "So kann ein gespeicherter Aufruf nicht heißen: {wrong}."
        "Choose another name."
        "Einen anderen Namen wählen.";
    /// A saved call's name is taken.
    SavedTaken(name: String)
        "The tool has a saved call of the name {name} already."
        "Das Werkzeug hat schon einen gespeicherten Aufruf namens {name}."
        "Choose another name, or replace the old one."
        "Einen anderen Namen wählen oder den alten ersetzen.";
    /// A draft is too large.
    LongDraft(length: usize, most: usize)
        "The draft has {length} bytes; {most} are the most."
        "Der Entwurf hat {length} Bytes; höchstens {most} dürfen es sein."
        "It is in the form all the same, until the window closes."
        "Im Formular steht er trotzdem, bis das Fenster geschlossen wird.";
    /// A file can't be written where somebody wants it.
    NotExported(file: PathBuf, error: Each)
        "{file} can't be written: {error}."
        "{file} lässt sich nicht schreiben: {error}."
        "Pick a folder that you may write to, or free space on the disk."
        "Einen beschreibbaren Ordner wählen oder Platz auf dem Datenträger schaffen.";
    /// Its settings can't be used.
    Settings(file: PathBuf, error: Each)
        "{file} can't be used: {error}."
        "{file} ist nicht nutzbar: {error}."
        "Mend the file, or remove it to go back to the defaults."
        "Die Datei berichtigen oder sie entfernen, um zu den Vorgaben zurückzukehren.";
    /// A log can't be read.
    LogUnreadable(file: PathBuf, error: Each)
        "{file} can't be read: {error}."
        "{file} ist nicht lesbar: {error}."
        "Mend the file's permissions, or remove it."
        "Die Rechte der Datei berichtigen oder sie entfernen.";
    /// A log can't be followed.
    LogUnwatched(folder: PathBuf, error: String)
        "{folder} can't be watched: {error}."
        "{folder} lässt sich nicht beobachten: {error}."
        "Leave --follow out."
        "--follow weglassen.";
    /// A log can't be read further.
    LogEnded(error: Each)
        "The log can't be read further: {error}."
        "Das Log ist nicht weiter lesbar: {error}."
        "Ask for it anew."
        "Neu danach fragen.";
    /// A log can't be kept.
    LogUnwritable(file: PathBuf, error: Each)
        "What members write to stderr can't be kept in {file}: {error}."
        "Was Mitglieder nach stderr schreiben, lässt sich nicht in {file} aufbewahren: {error}."
        "Make room on the disk, or mend the folder's permissions. Members and calls go on; the last lines are in memory."
        "Platz auf dem Datenträger schaffen oder die Rechte des Ordners berichtigen. Mitglieder und Aufrufe gehen weiter; die letzten Zeilen sind im Speicher.";
    /// A kept list can't be used.
    CacheIgnored(file: PathBuf, why: Each)
        "The cached tool list {file} was ignored: {why}."
        "Die aufbewahrte Werkzeugliste {file} wurde übergangen: {why}."
        "Nothing has to be done: it is written anew when the member has started."
        "Es ist nichts zu tun: Sie wird neu geschrieben, wenn das Mitglied gestartet ist.";
    /// A list can't be kept.
    CacheUnwritable(file: PathBuf, error: Each)
        "The tool list can't be kept in {file}: {error}."
        "Die Werkzeugliste lässt sich nicht in {file} aufbewahren: {error}."
        "Tools work all the same; make the member's folder or the data folder writable to see them before the member has started."
        "Die Werkzeuge funktionieren trotzdem; den Ordner des Mitglieds oder den Datenordner beschreibbar machen, um sie vor dem Start zu sehen.";
    /// A file that was to be saved can't be written.
    Unsaved(path: String, error: Each)
        "{path} could not be written: {error}."
        "{path} ließ sich nicht schreiben: {error}."
        "Pick another folder."
        "Einen anderen Ordner wählen.";
    /// What the window wants to be saved can't be read.
    NoBase64(error: String)
        "What was to be saved is no base64: {error}."
        "Was gespeichert werden sollte, ist kein Base64: {error}."
        "Copy the raw result instead."
        "Stattdessen das rohe Ergebnis kopieren.";
}

notes! {
    /// Why a name is none for a saved call: the rest of a sentence.
    SavedNameWrong;
    /// It is empty.
    Empty
        "it is empty"
        "er ist leer";
    /// It is too long.
    Long(length: usize, most: usize)
        "it has {length} characters; {most} are the most"
        "er hat {length} Zeichen; höchstens {most} dürfen es sein";
    /// It has a control character.
    Control
        "it has a line break or another control character"
        "er hat einen Zeilenumbruch oder ein anderes Steuerzeichen";
}

troubles! {
    /// What goes wrong between two programs of Guild Hall.
    HallTrouble;
    /// One runs.
    Runs(role: HallRole, pid: u32, gateway: GatewayAt)
        "Guild Hall runs on this data folder already: {role}, process {pid}; {gateway}."
        "Auf diesem Datenordner läuft Guild Hall schon: {role}, Prozess {pid}; {gateway}."
        "Use the one that runs, or end it first. Another one beside it wants a folder of its own: --data DIR."
        "Die laufende verwenden oder sie erst beenden. Eine weitere daneben braucht einen eigenen Ordner: --data ORDNER.";
    /// One imports settings, for too long.
    StillImports(pid: u32, folder: PathBuf, seconds: u64)
        "Process {pid} imports settings into the folder {folder}, and has not come to an end within {seconds} s."
        "Prozess {pid} importiert Einstellungen in den Ordner {folder} und kam innerhalb von {seconds} s zu keinem Ende."
        "End process {pid} and try again: what it has not finished is undone then. Or name another folder with --data DIR."
        "Prozess {pid} beenden und es noch einmal versuchen: Was unfertig ist, wird dann rückgängig gemacht. Oder mit --data ORDNER einen anderen Ordner nennen.";
    /// None runs.
    NobodyTends
        "No Guild Hall runs whose members could be tended."
        "Es läuft keine Guild Hall, für deren Mitglieder etwas getan werden könnte."
        "Start the desktop app or `guildhall serve`."
        "Das Desktop-Programm oder `guildhall serve` starten.";
    /// It has no window.
    NoWindow
        "What runs on this data folder has no window."
        "Was auf diesem Datenordner läuft, hat kein Fenster."
        "End it, and start the desktop app."
        "Es beenden und das Desktop-Programm starten.";
    /// One does not answer.
    Unreachable(folder: PathBuf, role: HallRole, pid: u32)
        "A program of Guild Hall holds the folder {folder} and does not answer: {role}, process {pid}."
        "Ein Programm von Guild Hall hält den Ordner {folder} und antwortet nicht: {role}, Prozess {pid}."
        "End it and try again; or name another folder with --data DIR."
        "Es beenden und es noch einmal versuchen; oder mit --data ORDNER einen anderen Ordner nennen.";
    /// One takes no requests.
    Mute(folder: PathBuf)
        "A program of Guild Hall holds the folder {folder} and does not answer, one that takes no requests."
        "Ein Programm von Guild Hall hält den Ordner {folder} und antwortet nicht, eines, das keine Anfragen annimmt."
        "End it and try again; or name another folder with --data DIR."
        "Es beenden und es noch einmal versuchen; oder mit --data ORDNER einen anderen Ordner nennen.";
    /// One of another user has the folder.
    OtherUser(folder: PathBuf, uid: u32)
        "The folder {folder} is used by the Guild Hall of another user (uid {uid})."
        "Den Ordner {folder} verwendet die Guild Hall eines anderen Benutzers (uid {uid})."
        "Name a folder of your own with --data DIR."
        "Mit --data ORDNER einen eigenen Ordner nennen.";
    /// Its data folder was taken away.
    FolderGone(folder: PathBuf)
        "The data folder {folder} was removed or replaced while Guild Hall runs: settings, history and tool lists are not kept any more."
        "Der Datenordner {folder} wurde entfernt oder ersetzt, während Guild Hall läuft: Einstellungen, Verlauf und Werkzeuglisten werden nicht mehr gespeichert."
        "Restart Guild Hall."
        "Guild Hall neu starten.";
    /// It could not be asked.
    NotAsked(role: HallRole, pid: u32, problem: Each)
        "The Guild Hall that runs ({role}, process {pid}) could not be asked: {problem}."
        "Die laufende Guild Hall ({role}, Prozess {pid}) ließ sich nicht fragen: {problem}."
        "Try again; if it stays so, end that process."
        "Es noch einmal versuchen; bleibt es dabei, diesen Prozess beenden.";
    /// It has as many files open as it may.
    NoDescriptors(role: HallRole, pid: u32, limit: u64)
        "The Guild Hall that runs ({role}, process {pid}) does not answer: it has {limit} files and connections open, as many as its limit (`ulimit -n`) allows."
        "Die laufende Guild Hall ({role}, Prozess {pid}) antwortet nicht: Sie hat {limit} Dateien und Verbindungen offen, so viele, wie ihre Grenze (`ulimit -n`) erlaubt."
        "Close programs that are connected to it, or restart it with a higher limit."
        "Mit ihr verbundene Programme schließen oder sie mit einer höheren Grenze neu starten.";
    /// It is of another version.
    NoRequest(version: &'static str, request: String)
        "The Guild Hall that runs (version {version}) knows no request {request}."
        "Die laufende Guild Hall (Version {version}) kennt keine Anfrage {request}."
        "Use the same version of both."
        "Von beiden dieselbe Version verwenden.";
    /// It does not understand.
    NotUnderstood(error: String)
        "The Guild Hall that runs does not understand the request: {error}."
        "Die laufende Guild Hall versteht die Anfrage nicht: {error}."
        "Use the same version of both."
        "Von beiden dieselbe Version verwenden.";
    /// It can't answer.
    NotAnswered(error: String)
        "The answer could not be written: {error}."
        "Die Antwort ließ sich nicht schreiben: {error}."
        ""
        "";
    /// Nobody waits.
    NobodyWaits
        "Nobody waits for it."
        "Niemand wartet darauf."
        ""
        "";
    /// A member's process asks.
    OfMember(member: String)
        "The request comes from a process that the member {member} started. A member's processes can't review, install, sign in, or change policies and settings."
        "Die Anfrage kommt von einem Prozess, den das Mitglied {member} gestartet hat. Prozesse eines Mitglieds können nicht prüfen, installieren, anmelden oder Regeln und Einstellungen ändern."
        "Use the window, or run the command in a terminal that no member started. If the request is not yours, review the member {member}."
        "Das Fenster verwenden oder den Befehl in einem Terminal ausführen, das kein Mitglied gestartet hat. Ist die Anfrage nicht von Ihnen, das Mitglied {member} prüfen.";
    /// A process of another hall's member asks.
    OfAnotherMember
        "The request comes from a process that a member of Guild Hall started. A member's processes can't review, install, sign in, or change policies and settings."
        "Die Anfrage kommt von einem Prozess, den ein Mitglied von Guild Hall gestartet hat. Prozesse eines Mitglieds können nicht prüfen, installieren, anmelden oder Regeln und Einstellungen ändern."
        "Use the window, or run the command in a terminal that no member started."
        "Das Fenster verwenden oder den Befehl in einem Terminal ausführen, das kein Mitglied gestartet hat.";
    /// A process asks that is gone or not to be seen.
    OfNobody
        "The process that made the request has ended or is not visible, so it could be a member's. Such a process can't review, install, sign in, or change policies and settings."
        "Der Prozess, von dem die Anfrage kommt, ist beendet oder nicht sichtbar und könnte der eines Mitglieds sein. Ein solcher Prozess kann nicht prüfen, installieren, anmelden oder Regeln und Einstellungen ändern."
        "Run `guildhall` on the same machine and outside of containers, or use the window."
        "`guildhall` auf demselben Rechner und außerhalb von Containern ausführen oder das Fenster verwenden.";
    /// The data folder is another user's.
    OfOtherUser(folder: PathBuf, owner: String)
        "The data folder {folder} belongs to the user {owner}, who could change reviews, policies and settings in it."
        "Der Datenordner {folder} gehört dem Benutzer {owner}, der darin Prüfungen, Regeln und Einstellungen ändern könnte."
        "Start Guild Hall as {owner}, name a folder of your own with --data DIR, or change the folder's owner: `sudo chown -R $(id -u) {folder}`."
        "Guild Hall als {owner} starten, mit --data ORDNER einen eigenen Ordner nennen oder den Besitzer des Ordners ändern: `sudo chown -R $(id -u) {folder}`.";
    /// This program can't find itself.
    NoOwnFile(error: String)
        "The program can't find its own file: {error}."
        "Das Programm findet seine eigene Datei nicht: {error}."
        "Start it by its full path."
        "Es mit seinem ganzen Pfad starten.";
}

notes! {
    /// Why the hall that runs gives no answer: the rest of a sentence.
    AskingFault;
    /// It says nothing.
    Silent
        "it does not answer"
        "sie antwortet nicht";
    /// It went away.
    Ended
        "it ended before it answered"
        "sie endete, bevor sie antwortete";
}

notes! {
    /// Where a gateway is: the rest of a sentence.
    GatewayAt;
    /// At an address.
    At(address: String)
        "its gateway is at {address}"
        "ihr Gateway ist unter {address}";
    /// Nowhere.
    Closed
        "its gateway is not open"
        "ihr Gateway ist nicht offen";
}

troubles! {
    /// Why nobody is signed in to a member, or out.
    SigningTrouble;
    /// The tokens were not given back.
    NotRevoked(why: String)
        "The tokens are forgotten here, and could not be given back to the authorization server: {why}."
        "Die Token sind hier vergessen und ließen sich dem Autorisierungsserver nicht zurückgeben: {why}."
        "Take the access back on the server's own page of connected programs."
        "Den Zugriff auf der Seite des Servers mit den verbundenen Programmen zurücknehmen.";
    /// Nobody signs in to it.
    NotHere
        "Nobody signs in to this member: it runs here, or a header of its manifest proves who asks."
        "Bei diesem Mitglied meldet sich niemand an: Es läuft hier, oder ein Header seines Manifests weist aus, wer fragt."
        "A member with a \"url\" and without the header Authorization can be signed in to."
        "Anmelden lässt sich bei einem Mitglied mit einer \"url\" und ohne den Header Authorization.";
    /// It runs here.
    RunsHere
        "Nobody signs in to a member that runs here."
        "Bei einem Mitglied, das hier läuft, meldet sich niemand an."
        ""
        "";
    /// Where it is was not found out.
    NoPlace(error: String)
        "It was not found out where the member is reached: {error}."
        "Wo das Mitglied erreicht wird, ließ sich nicht herausfinden: {error}."
        "Try again."
        "Es noch einmal versuchen.";
    /// None is under way.
    NoneUnderWay
        "No sign-in of that member is under way."
        "Für dieses Mitglied läuft keine Anmeldung."
        "Begin one on its page, or with `guildhall sign-in`."
        "Auf seiner Seite oder mit `guildhall sign-in` eine beginnen.";
    /// No browser.
    NoBrowser(why: String)
        "The browser was not opened: {why}."
        "Der Browser wurde nicht geöffnet: {why}."
        "Open the address by hand."
        "Die Adresse von Hand öffnen.";
    /// The tokens are too large.
    TooLarge
        "The tokens are larger than can be kept here."
        "Die Token sind größer, als sich hier aufbewahren lässt."
        "Ask for fewer scopes: \"auth\": {{\"scopes\": […]}} in plugin.json."
        "Weniger Scopes verlangen: \"auth\": {{\"scopes\": […]}} in plugin.json.";
    /// It is elsewhere by now.
    Moved
        "The member is reached elsewhere by now, or as another client."
        "Das Mitglied wird inzwischen woanders erreicht oder als anderer Client."
        "Sign in again."
        "Sich noch einmal anmelden.";
}

impl Told for HallRole {
    fn told(&self, language: Language) -> String {
        match (self, language) {
            (Self::App, Language::De) => "das Desktop-Programm".to_owned(),
            _ => self.words().to_owned(),
        }
    }
}

#[cfg(test)]
impl super::Example for HallRole {
    fn example() -> Self {
        Self::App
    }
}
