//! Why a process is not started, and how one ended.

use std::path::PathBuf;
use std::time::Duration;

use super::{Each, notes, troubles};

troubles! {
    /// Why a process was not started, or had no port.
    ProcessTrouble;
    /// The program is nowhere.
    NotFound(program: String, looked: Looked, advice: Each)
        "The command `{program}` was not found. {looked}"
        "Der Befehl `{program}` wurde nicht gefunden. {looked}"
        "{advice}"
        "{advice}";
    /// The program is nowhere, and seems to be a whole command line.
    CommandLine(program: String, looked: Looked, fields: String)
        "The command `{program}` was not found. {looked}"
        "Der Befehl `{program}` wurde nicht gefunden. {looked}"
        "\"command\" is the program alone. Write its arguments and variables into fields of their own: {fields}"
        "\"command\" ist das Programm allein. Seine Argumente und Variablen in eigene Felder schreiben: {fields}";
    /// The program is a file that may not be run.
    NotExecutable(program: String, path: PathBuf, reason: NotRunnable)
        "The command `{program}` can't be run: {path} {reason}."
        "Der Befehl `{program}` lässt sich nicht ausführen: {path} {reason}."
        "Make it executable: `chmod +x {path}`."
        "Die Datei ausführbar machen: `chmod +x {path}`.";
    /// The program is no file.
    NoProgram(program: String, path: PathBuf, reason: NotRunnable)
        "The command `{program}` can't be run: {path} {reason}."
        "Der Befehl `{program}` lässt sich nicht ausführen: {path} {reason}."
        "Write the path of the program itself as the manifest's `command`."
        "Den Pfad des Programms selbst als `command` ins Manifest schreiben.";
    /// Its folder is not there.
    NoWorkingDirectory(folder: PathBuf)
        "The working directory {folder} is not there or is no folder."
        "Das Arbeitsverzeichnis {folder} ist nicht da oder kein Ordner."
        "Create the folder, or correct \"cwd\" in plugin.json; without \"cwd\" a member runs in its own folder."
        "Den Ordner anlegen oder \"cwd\" in plugin.json berichtigen; ohne \"cwd\" läuft ein Mitglied in seinem eigenen Ordner.";
    /// A variable can't be handed on.
    BadVariable(name: String, reason: VariableFault)
        "The environment variable `{name}` can't be set: {reason}."
        "Die Umgebungsvariable `{name}` lässt sich nicht setzen: {reason}."
        "Change the manifest's `env`."
        "`env` im Manifest ändern.";
    /// What should run a script is not there.
    NoInterpreter(path: PathBuf)
        "The command {path} is there, but the program that should run it is not: its first line (`#!`) or its loader names a file that does not exist."
        "Den Befehl {path} gibt es, aber nicht das Programm, das ihn ausführen soll: Seine erste Zeile (`#!`) oder sein Lader nennt eine Datei, die es nicht gibt."
        "Install the program that the file's first line names, or change that line."
        "Das Programm installieren, das die erste Zeile der Datei nennt, oder diese Zeile ändern.";
    /// The system refused.
    Refused(program: PathBuf, error: String, next: AfterRefusal)
        "The operating system did not start {program}: {error}."
        "Das Betriebssystem hat {program} nicht gestartet: {error}."
        "{next}"
        "{next}";
    /// No port is left.
    PortsExhausted(census: Each, advice: Each)
        "{census}"
        "{census}"
        "{advice}"
        "{advice}";
    /// No port could be looked for.
    PortProbe(error: String, next: AfterRefusal)
        "No free port could be looked for: {error}."
        "Nach einem freien Port ließ sich nicht suchen: {error}."
        "{next}"
        "{next}";
}

notes! {
    /// Where a program was looked for.
    Looked;
    /// Nowhere.
    Nowhere
        "The PATH is empty, so there was nowhere to look."
        "Der PATH ist leer, also war nirgends zu suchen.";
    /// In these folders.
    In(folders: String)
        "Looked in: {folders}."
        "Gesucht in: {folders}.";
    /// In these and in more.
    InMore(folders: String, more: usize)
        "Looked in: {folders} and {more} more folders."
        "Gesucht in: {folders}; weitere Ordner: {more}.";
}

notes! {
    /// Why a file can't be run: the rest of a sentence.
    NotRunnable;
    /// It is a folder.
    Folder
        "is a folder"
        "ist ein Ordner";
    /// It is something else than a file.
    Irregular
        "is no regular file"
        "ist keine gewöhnliche Datei";
    /// It may not be run.
    NotMarked
        "is not executable"
        "ist nicht ausführbar";
    /// It can't be looked at.
    Hidden
        "is in a folder that may not be read"
        "liegt in einem Ordner, der nicht gelesen werden darf";
}

notes! {
    /// Why a variable can't be handed on: the rest of a sentence.
    VariableFault;
    /// It has no name.
    NoName
        "its name is empty"
        "ihr Name ist leer";
    /// Its name can't be.
    BadName
        "its name has a character that no name may have"
        "ihr Name hat ein Zeichen, das kein Name haben darf";
    /// Its value can't be.
    Zero
        "its value has a zero character"
        "ihr Wert hat ein Nullzeichen";
}

notes! {
    /// What to do when the system did not start a program.
    AfterRefusal;
    /// Its arguments are too long.
    Shorten
        "Shorten the manifest's `args` or `env`."
        "`args` oder `env` im Manifest kürzen.";
    /// There is no room for a connection.
    CloseOthers
        "The system has no room for another connection: close programs and try again."
        "Das System hat keinen Platz für eine weitere Verbindung: Programme schließen und es noch einmal versuchen.";
    /// There is no room.
    MakeRoom
        "The system has no room for another process: close programs and try again."
        "Das System hat keinen Platz für einen weiteren Prozess: Programme schließen und es noch einmal versuchen.";
    /// This process has as many files open as it may.
    RaiseLimit(limit: u64)
        "Guild Hall may have {limit} files and connections open, and has no more left: start it with a higher limit (`ulimit -n`), or stop members that you don't need."
        "Guild Hall darf {limit} Dateien und Verbindungen offen haben, und keine ist mehr frei: mit einer höheren Grenze starten (`ulimit -n`) oder nicht gebrauchte Mitglieder anhalten.";
    /// Anything else.
    TryByHand
        "Run the command in a terminal to see what the system objects to."
        "Den Befehl in einem Terminal starten und sehen, was das System daran stört.";
}

notes! {
    /// How a process ended.
    Ending;
    /// With a code.
    Code(code: i32)
        "exit code {code}"
        "Exit-Code {code}";
    /// By a signal whose meaning is known.
    Named(signal: i32, meaning: SignalName)
        "signal {signal} ({meaning})"
        "Signal {signal} ({meaning})";
    /// By a signal.
    Signal(signal: i32)
        "signal {signal}"
        "Signal {signal}";
    /// Nobody saw it.
    Unseen
        "an end that could not be seen"
        "ein Ende, das nicht zu sehen war";
}

notes! {
    /// What a signal means.
    SignalName;
    /// 1.
    Hangup
        "hangup"
        "Verbindung getrennt";
    /// 2.
    Interrupted
        "interrupted"
        "unterbrochen";
    /// 3.
    Quit
        "quit"
        "abgebrochen";
    /// 4.
    Illegal
        "illegal instruction"
        "ungültiger Befehl";
    /// 6.
    Aborted
        "aborted"
        "selbst abgebrochen";
    /// 8.
    Arithmetic
        "arithmetic error"
        "Rechenfehler";
    /// 9.
    Killed
        "killed"
        "getötet";
    /// 11.
    Segmentation
        "segmentation fault"
        "Speicherzugriffsfehler";
    /// 13.
    Pipe
        "broken pipe"
        "abgerissene Pipe";
    /// 14.
    Alarm
        "alarm"
        "Wecker";
    /// 15.
    Terminated
        "terminated"
        "beendet";
}

notes! {
    /// Why a command that was asked has no answer.
    Unanswered;
    /// It could not be started.
    NotStarted(why: Each)
        "{why}"
        "{why}";
    /// It took too long.
    TimeLimit(limit: Duration)
        "No answer came within {limit} s."
        "Innerhalb von {limit} s kam keine Antwort.";
    /// It said too much.
    TooLong(most: usize)
        "It wrote more than {most} bytes."
        "Es schrieb mehr als {most} Bytes.";
    /// It could not be heard.
    Unreadable(error: String)
        "Its answer could not be read: {error}."
        "Seine Antwort war nicht lesbar: {error}.";
}
