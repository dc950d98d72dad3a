//! What goes wrong on the command line before anything is asked of a hall.

use std::path::PathBuf;

use super::{NameWrong, notes, troubles};

troubles! {
    /// Why a command does nothing.
    CliTrouble;
    /// A name is none.
    Name(wrong: NameWrong)
        "{wrong}"
        "{wrong}"
        ""
        "";
    /// A name is none, as a sentence.
    NoName(wrong: NameWrong)
        "{wrong}."
        "{wrong}."
        ""
        "";
    /// A new name is none.
    OtherName(wrong: NameWrong)
        "{wrong}."
        "{wrong}."
        "Give another name."
        "Einen anderen Namen angeben.";
    /// A server's new name is none.
    ServerName(wrong: NameWrong)
        "{wrong}."
        "{wrong}."
        "Give a name to one server: --only SERVER --name NAME."
        "Einem Server einen Namen geben: --only SERVER --name NAME.";
    /// Several can't have one name.
    OneName(count: usize)
        "{count} servers can't all have one name."
        "{count} Server können nicht alle denselben Namen haben."
        "Give a name to one server: --only SERVER --name NAME."
        "Einem Server einen Namen geben: --only SERVER --name NAME.";
    /// A name can be no member's.
    NoMember(text: String, wrong: NameWrong, folder: String)
        "There is no member {text}: {wrong}."
        "Ein Mitglied {text} gibt es nicht: {wrong}."
        "Members are looked for in {folder}."
        "Mitglieder werden in {folder} gesucht.";
    /// What is piped can't be read.
    Stdin(error: String)
        "Standard input can't be read: {error}."
        "Die Standardeingabe ist nicht lesbar: {error}."
        "Give a file, or the command after `--`."
        "Eine Datei nennen oder den Befehl nach `--`.";
    /// What is piped is no text.
    StdinNoText
        "Standard input can't be read: it is no text in UTF-8."
        "Die Standardeingabe ist nicht lesbar: Sie ist kein Text in UTF-8."
        "Give a file, or the command after `--`."
        "Eine Datei nennen oder den Befehl nach `--`.";
    /// No such server in what was brought.
    NotInIt(name: String)
        "No server in it is called {name}."
        "Kein Server darin heißt {name}."
        "Look at what is in it: --look."
        "Ansehen, was darin ist: --look.";
    /// All of it is known.
    NothingNew
        "Nothing in it is new: members run it already, or it is switched off."
        "Nichts darin ist neu: Mitglieder führen es schon aus, oder es ist abgeschaltet."
        "Name what is to be added all the same: --only SERVER."
        "Nennen, was trotzdem dazukommen soll: --only SERVER.";
    /// No program has one more.
    AllAdopted
        "No program has a server that is not a member."
        "Kein Programm hat einen Server, der kein Mitglied ist."
        ""
        "";
    /// No program has that one.
    NoSuchServer(name: String)
        "No program has a server {name}."
        "Kein Programm hat einen Server {name}."
        "`guildhall found` lists them; --folder DIR looks in a project too."
        "`guildhall found` listet sie auf; --folder ORDNER sieht auch in einem Projekt nach.";
    /// Answers in a file that are none.
    NoTexts(file: PathBuf)
        "{file} is no object of texts in JSON."
        "{file} ist kein JSON-Objekt aus Texten."
        "Write it as {{\"id\": \"value\"}}."
        "Sie als {{\"id\": \"Wert\"}} schreiben.";
    /// Answers in a file that are no object.
    NoAnswers(file: PathBuf)
        "{file} is no object in JSON."
        "{file} ist kein JSON-Objekt."
        "Write it as {{\"key\": \"value\"}}."
        "Sie als {{\"key\": \"Wert\"}} schreiben.";
    /// An answer to nothing.
    NotAsked(key: String, known: String)
        "Nothing is asked for {key}."
        "Nach {key} wird nicht gefragt."
        "It asks for: {known}."
        "Gefragt wird nach: {known}.";
    /// A secret among the words.
    OpenAnswer(key: String)
        "{key} is a secret, and other programs see the words of a command."
        "{key} ist ein Geheimnis, und andere Programme sehen die Wörter eines Befehls."
        "Give it in a file with --inputs, or type it when you are asked."
        "Es mit --inputs in einer Datei angeben oder auf Nachfrage tippen.";
    /// Nobody is there.
    NobodyToAsk
        "Nothing was done: nobody can be asked here."
        "Nichts wurde getan: Hier kann niemand gefragt werden."
        "Look at what would be done, and say it with --yes."
        "Ansehen, was getan würde, und es mit --yes sagen.";
    /// Nobody is there to accept.
    NobodyToAccept
        "Nobody can be asked: standard input is no terminal."
        "Niemand kann gefragt werden: Die Standardeingabe ist kein Terminal."
        "Say --yes to accept what is shown."
        "Mit --yes annehmen, was gezeigt wird.";
    /// Nobody is there to let it be sent.
    NobodyToSend
        "Nothing was sent: nobody can be asked here, as standard input is no terminal."
        "Nichts wurde gesendet: Hier kann niemand gefragt werden, denn die Standardeingabe ist kein Terminal."
        "Look at what would be sent, and say it with --yes."
        "Ansehen, was gesendet würde, und es mit --yes sagen.";
    /// Somebody said no.
    NothingSent
        "Nothing was sent."
        "Nichts wurde gesendet."
        ""
        "";
    /// What was typed can't be read.
    Unread(error: String)
        "What was given could not be read: {error}."
        "Die Eingabe war nicht lesbar: {error}."
        "Nothing was done."
        "Nichts wurde getan.";
    /// A member without checks.
    NoExamples
        "The member has no examples."
        "Das Mitglied hat keine Beispiele."
        "Put some into \"examples\" in its plugin.json."
        "In seiner plugin.json welche unter \"examples\" eintragen.";
    /// A report can't be written.
    ReportUnwritable(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "{file} lässt sich nicht schreiben: {error}."
        "Name another file."
        "Eine andere Datei nennen.";
    /// Nothing to hand over.
    NothingAdopted(program: String)
        "No server that {program} has is a member."
        "Kein Server, den {program} hat, ist ein Mitglied."
        "`guildhall adopt` makes members of servers; `guildhall hand-over` lists the files."
        "`guildhall adopt` macht aus Servern Mitglieder; `guildhall hand-over` listet die Dateien auf.";
    /// Ctrl+C.
    Interrupted
        "Interrupted before it was done."
        "Unterbrochen, bevor es fertig war."
        ""
        "";
    /// No such tool.
    NoTool(name: String)
        "There is no tool {name}."
        "Ein Werkzeug {name} gibt es nicht."
        "Name it as member/tool; `guildhall policy` lists them."
        "Es als Mitglied/Werkzeug nennen; `guildhall policy` listet sie auf.";
    /// No such profile.
    NoProfile(name: String)
        "There is no profile {name}."
        "Ein Profil {name} gibt es nicht."
        "Look at the profiles' names."
        "Die Namen der Profile ansehen.";
    /// No hall.
    NoHall(folder: PathBuf)
        "No Guild Hall runs on the data folder {folder} with these members."
        "Auf dem Datenordner {folder} läuft keine Guild Hall mit diesen Mitgliedern."
        "Start the desktop app or `guildhall serve`."
        "Das Desktop-Programm oder `guildhall serve` starten.";
    /// No such client.
    NoClient(name: String)
        "No client {name} has a token."
        "Kein Client {name} hat ein Token."
        "`guildhall clients` lists them."
        "`guildhall clients` listet sie auf.";
    /// No such source.
    NoSource(source: String)
        "{source} is none of the sources."
        "{source} ist keine der Quellen."
        "`guildhall registry sources` lists them."
        "`guildhall registry sources` listet sie auf.";
    /// No source at all.
    NoSources
        "No source is named in which servers could be looked for."
        "Es ist keine Quelle genannt, in der sich nach Servern suchen ließe."
        "Name one: `guildhall registry sources add PATH|URL`."
        "Eine nennen: `guildhall registry sources add PFAD|URL`.";
    /// No such way.
    NoSuchWay(server: String, count: usize)
        "{server} has no such way to run it; it lists {count}."
        "{server} nennt keine solche Art, ihn auszuführen; genannt sind {count}."
        "`guildhall registry show` lists them."
        "`guildhall registry show` listet sie auf.";
    /// That way can't be.
    OtherWay(why: String)
        "{why}"
        "{why}"
        "Choose another way: `guildhall registry show`."
        "Eine andere Art wählen: `guildhall registry show`.";
    /// A value can't be read.
    SecretUnread(error: String)
        "The value could not be read: {error}."
        "Der Wert war nicht lesbar: {error}."
        "Give a text on standard input: `guildhall secret set NAME < FILE`."
        "Einen Text auf der Standardeingabe geben: `guildhall secret set NAME < DATEI`.";
    /// A token can't be read.
    TokenUnread(file: PathBuf, error: String)
        "The token could not be read from {file}: {error}."
        "Das Token ließ sich nicht aus {file} lesen: {error}."
        "Write it there, and give the user that guildhall runs as the right to read it."
        "Es dort hineinschreiben und dem Benutzer, unter dem guildhall läuft, das Leserecht geben.";
    /// A sign-in was given up.
    SignInGivenUp
        "The sign-in was given up."
        "Die Anmeldung wurde aufgegeben."
        "Begin it again."
        "Sie noch einmal beginnen.";
    /// A folder is none.
    NoFolder(folder: PathBuf, error: String)
        "{folder} is no folder: {error}."
        "{folder} ist kein Ordner: {error}."
        "Name another."
        "Einen anderen nennen.";
    /// Several members of a bundle.
    SeveralMembers(names: String)
        "Several members were made of it: {names}."
        "Daraus wurden mehrere Mitglieder: {names}."
        "Name the one that is meant, or a new one: --name MEMBER."
        "Das gemeinte nennen oder ein neues: --name MITGLIED.";
}

notes! {
    /// Why a word is no value of an argument: a part of a sentence.
    ArgumentWrong;
    /// Tools are listed otherwise.
    Listing
        "it is lazy, full or search"
        "möglich sind lazy, full und search";
    /// A key without a value, or a value without a key.
    KeyValue
        "write it as KEY=VALUE"
        "zu schreiben als KEY=VALUE";
}

impl std::error::Error for ArgumentWrong {}
