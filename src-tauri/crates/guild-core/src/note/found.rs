//! What should be known of a server that another program has, or that a person brought.

use std::path::PathBuf;

use super::{Each, Ungrouped, UrlWrong, notes, troubles};

notes! {
    /// What a member would not have of a server, and what else is odd about it.
    FoundNote;
    /// Its program asks nobody before it calls.
    Unasked(whose: Whose)
        "{whose} calls its tools without a question; of a member's tools, their policies decide."
        "{whose} ruft die Werkzeuge ohne Rückfrage auf; bei einem Mitglied entscheiden deren Regeln.";
    /// Its program has not all of its tools.
    SomeTools(whose: Whose, key: &'static str)
        "{whose} offers only some of its tools (`{key}`); a member offers all."
        "{whose} bietet nur einige der Werkzeuge an (`{key}`); ein Mitglied bietet alle an.";
    /// Its variables are in a file.
    EnvFile(whose: Whose)
        "The variables of its `envFile` are read by {whose} alone; put those that it needs into the member's `env`."
        "Die Variablen aus `envFile` liest nur {whose}; was der Server davon braucht, gehört in `env` des Mitglieds.";
    /// Its variables were read of a file.
    EnvFileRead(file: PathBuf, count: usize)
        "The variables of {file} are kept as secrets of the member ({count}). Later changes of the file don't reach it."
        "Die Variablen aus {file} werden als Geheimnisse des Mitglieds gespeichert ({count}). Spätere Änderungen der Datei erreichen es nicht.";
    /// Its variables are in a file that can't be read.
    EnvFileUnread(whose: Whose, file: PathBuf, why: Each)
        "Its variables are in {file}, which can't be read: {why}. A member lacks them, so {whose} keeps this entry until the file can be read."
        "Die Variablen stehen in {file}, und die Datei ist nicht lesbar: {why}. Einem Mitglied fehlen sie. Darum behält {whose} diesen Eintrag, bis die Datei lesbar ist.";
    /// Another entry of the file has its name.
    StandsTwice(whose: Whose, line: Ungrouped<usize>)
        "{whose} runs the last entry of this name; the one on line {line} has no effect."
        "{whose} führt den letzten Eintrag dieses Namens aus; der in Zeile {line} hat keine Wirkung.";
    /// Its arguments have a script that may have a secret.
    Script
        "A script in its arguments has words that tell of a secret. It is kept as it stands."
        "Ein Skript in den Argumenten hat Wörter, die auf ein Geheimnis hindeuten. Es bleibt, wie es ist.";
    /// Its address may be of the older transport.
    OlderTransport
        "Gemini CLI may speak the older transport SSE at this `url`; Guild Hall speaks Streamable HTTP."
        "Gemini CLI spricht unter dieser `url` vielleicht den älteren Transport SSE; Guild Hall spricht Streamable HTTP.";
    /// Its program takes a variable away.
    TakenOut(whose: Whose, variable: String)
        "{whose} takes `{variable}` out of its environment; a member has it."
        "{whose} nimmt `{variable}` aus der Umgebung; ein Mitglied hat diese Variable.";
    /// Keys without a counterpart.
    Leftovers(keys: String)
        "A member does not have: {keys}."
        "Ein Mitglied hat nicht: {keys}.";
    /// More keys than are listed.
    ManyLeftovers(keys: String, more: usize)
        "A member does not have: {keys} and {more} more."
        "Ein Mitglied hat nicht: {keys}; weitere Schlüssel: {more}.";
    /// Its container hears nothing.
    Deaf
        "Without `-i` the container hears nothing of what it is asked."
        "Ohne `-i` hört der Container nichts von dem, was er gefragt wird.";
    /// A folder that its container would be given is missing.
    SourceMissing(source: String)
        "{source} is not there. Docker would make a folder; a member's container wants it to be there before it starts."
        "{source} ist nicht vorhanden. Docker würde einen Ordner anlegen; für den Container eines Mitglieds muss er vor dem Start vorhanden sein.";
    /// Several are missing.
    SourcesMissing(sources: String)
        "{sources} are not there. Docker would make a folder; a member's container wants it to be there before it starts."
        "{sources} sind nicht vorhanden. Docker würde Ordner anlegen; für den Container eines Mitglieds müssen sie vor dem Start vorhanden sein.";
    /// A part of what was brought is none.
    LeftOut(why: Each)
        "Left out, {why}."
        "Ausgelassen, {why}.";
}

notes! {
    /// Whose file a server stands in.
    Whose;
    /// A program's.
    Program(title: &'static str)
        "{title}"
        "{title}";
    /// The member of this name, instead of a file.
    Member(name: String)
        "Member {name}"
        "Mitglied {name}";
    /// One that is not known, within a sentence.
    Its
        "its program"
        "das eigene Programm";
    /// One that is not known, where a sentence begins.
    ItsFirst
        "Its program"
        "Das eigene Programm";
}

notes! {
    /// What a value is that is asked for.
    InputNote;
    /// What the server's file says of it.
    OfFile(said: String)
        "{said}"
        "{said}";
    /// Something stands for it in what was brought.
    InPlace(sample: String)
        "The text has {sample} in its place."
        "Im Text steht {sample} an dieser Stelle.";
    /// Something stands for what has this name.
    InPlaceOf(name: String, sample: String)
        "{name}: the text has {sample} in its place."
        "{name}: Im Text steht {sample} an dieser Stelle.";
    /// The folder that it works in.
    WorkFolder
        "The folder that it is to work in."
        "Der Ordner, in dem der Server arbeiten soll.";
    /// A variable without a value.
    NotSet
        "It has no value in the environment now."
        "In der Umgebung hat es jetzt keinen Wert.";
    /// A variable that a container is not given without one.
    NotGiven
        "It has no value in the environment now, and is not given without one."
        "In der Umgebung hat es jetzt keinen Wert und wird ohne einen nicht weitergegeben.";
}

troubles! {
    /// Why what another program has, or a person brought, is not read.
    FoundTrouble;
    /// A server of a file can't be a member.
    Unusable(file: String, line: Ungrouped<usize>, name: String, wrong: RunWrong)
        "{file}:{line}: {name}: {wrong}."
        "{file}:{line}: {name}: {wrong}."
        "Mend the entry, or write a manifest by hand."
        "Den Eintrag berichtigen oder ein Manifest von Hand schreiben.";
    /// A program's file.
    Unreadable(file: PathBuf, why: Each)
        "{file} can't be read: {why}."
        "{file} ist nicht lesbar: {why}."
        "Mend the file; it is read again when it changes."
        "Die Datei berichtigen; bei einer Änderung wird sie neu gelesen.";
    /// A program's file that has too much in it.
    Cut(file: PathBuf, cut: FileWrong)
        "{file} is not read to its end: {cut}."
        "{file} wird nicht bis zum Ende gelesen: {cut}."
        "Take out what nobody uses; it is read again when it changes."
        "Herausnehmen, was niemand braucht; bei einer Änderung wird die Datei neu gelesen.";
    /// What a person brought.
    Unread(what: BroughtKind, why: Each, next: Each)
        "{what} can't be read: {why}."
        "{what} ist nicht lesbar: {why}."
        "{next}"
        "{next}";
}

notes! {
    /// What a person brought, where a sentence begins.
    BroughtKind;
    /// A text.
    Text
        "The text"
        "Der Text";
    /// A command.
    Command
        "The command"
        "Der Befehl";
    /// A file.
    File(path: String)
        "{path}"
        "{path}";
}

notes! {
    /// Why a file is not read, or not to its end: the rest of a sentence.
    FileWrong;
    /// It does not answer.
    Slow(seconds: u64)
        "it did not answer within {seconds} s"
        "innerhalb von {seconds} s kam keine Antwort";
    /// It is no text.
    NotUtf8
        "it is no text in UTF-8"
        "es ist kein Text in UTF-8";
    /// Its path begins nowhere.
    NotWhole
        "its path is not whole"
        "der Pfad ist nicht vollständig";
    /// It has too many servers.
    ManyServers(most: usize)
        "only the first {most} servers are read"
        "nur die ersten {most} Server werden gelesen";
    /// It has too many variables.
    ManyVariables(most: usize)
        "it has more than {most} variables"
        "es sind mehr als {most} Variablen";
    /// It has too many projects.
    ManyProjects(most: usize)
        "only the first {most} projects are read"
        "nur die ersten {most} Projekte werden gelesen";
}

notes! {
    /// What to do about what a person brought.
    BroughtAdvice;
    /// The work was given up.
    Again
        "Try again."
        "Es noch einmal versuchen.";
    /// Its path begins nowhere.
    WholePath
        "Name the file by its whole path."
        "Die Datei mit ihrem ganzen Pfad nennen.";
    /// It can't be opened.
    Look
        "Look whether it is there, and whether you may read it."
        "Nachsehen, ob die Datei da ist und gelesen werden darf.";
    /// It is no text.
    Formats
        "A configuration file is a text: JSON, TOML or YAML."
        "Eine Konfigurationsdatei ist ein Text: JSON, TOML oder YAML.";
    /// It does not answer.
    Copy
        "Copy it to this machine's disk."
        "Die Datei auf einen Datenträger dieses Rechners kopieren.";
}

notes! {
    /// Why a member can't run what an entry says, or what was answered: the rest of a sentence.
    RunWrong;
    /// It is none.
    NoObject
        "its entry is not an object"
        "der Eintrag ist kein Objekt";
    /// It is too large.
    TooLarge(kib: usize)
        "its entry is larger than {kib} KiB"
        "der Eintrag ist größer als {kib} KiB";
    /// It is broken.
    Unread
        "its entry can't be read"
        "der Eintrag ist nicht lesbar";
    /// It has its command from elsewhere.
    Extension(whose: Whose)
        "it comes from an extension, which only {whose} can start"
        "er kommt von einer Erweiterung, die nur {whose} starten kann";
    /// Its address is missing.
    NeedsUrl
        "its type needs a `url`"
        "sein Typ verlangt eine `url`";
    /// Its command is missing.
    NeedsCommand
        "its type needs a `command`"
        "sein Typ verlangt ein `command`";
    /// Both are missing.
    Neither
        "it has neither a `command` nor a `url`"
        "er hat weder `command` noch `url`";
    /// The transport of old, or another.
    Unspoken(transport: String)
        "it needs the transport `{transport}`, which is not spoken; many such servers also speak Streamable HTTP, at another address"
        "er verlangt den Transport `{transport}`, der nicht gesprochen wird; viele solche Server sprechen unter einer anderen Adresse auch Streamable HTTP";
    /// A type.
    UnknownType(shown: String)
        "its type {shown} is none that is known"
        "sein Typ {shown} ist keiner, der bekannt ist";
    /// A command that is none.
    NoProgram
        "its `command` names no program"
        "`command` nennt kein Programm";
    /// Arguments that are none.
    NoArguments
        "its `args` are no list of texts"
        "`args` ist keine Liste von Texten";
    /// A folder that is none.
    NoFolder
        "its `cwd` is no text"
        "`cwd` ist kein Text";
    /// Values that are none.
    NoTexts(key: String)
        "its `{key}` is no object of texts"
        "`{key}` ist kein Objekt mit Texten";
    /// A value that is none.
    NoText(key: String)
        "its `{key}` has a value that is no text"
        "`{key}` hat einen Wert, der kein Text ist";
    /// A reference to what only its program knows.
    Reference(reference: String, whose: Whose)
        "it uses ${{{reference}}}, which only {whose} can fill in"
        "er verwendet ${{{reference}}}, was nur {whose} ausfüllen kann";
    /// A text is too long.
    TooLong(place: RunPlace, most: usize)
        "{place} has more than {most} bytes"
        "{place} hat mehr als {most} Bytes";
    /// A text that nothing can be given.
    Nul(place: RunPlace)
        "{place} has a NUL character"
        "{place} hat ein NUL-Zeichen";
    /// A text that a manifest can't have.
    Dollar(place: RunPlace)
        "{place} has a `$` right before a reference"
        "{place} hat ein `$` direkt vor einem Verweis";
    /// A variable's name that is none.
    OddVariable(place: RunPlace)
        "{place} has a name that no system allows"
        "{place} hat einen Namen, den kein System zulässt";
    /// A header's name that is none.
    OddHeader(place: RunPlace)
        "{place} has a name that no header has"
        "{place} hat einen Namen, den kein Header hat";
    /// A header's value that is none.
    LineEnd(place: RunPlace)
        "{place} has a line end"
        "{place} hat ein Zeilenende";
    /// An address that is none.
    Url(place: RunPlace, wrong: UrlWrong)
        "{place} {wrong}"
        "{place} {wrong}";
    /// An answer is missing.
    NoAnswer(key: String)
        "{key} has no answer"
        "zu {key} fehlt eine Antwort";
}

notes! {
    /// Where a text of what would be run stands.
    RunPlace;
    /// The program.
    Command
        "its `command`"
        "`command`";
    /// An argument.
    Argument
        "one of its `args`"
        "eines der `args`";
    /// A variable.
    Variable(name: String)
        "its variable `{name}`"
        "die Variable `{name}`";
    /// The folder.
    Folder
        "its `cwd`"
        "`cwd`";
    /// The address.
    Url
        "its `url`"
        "`url`";
    /// A header.
    Header(name: String)
        "its header `{name}`"
        "der Header `{name}`";
}
