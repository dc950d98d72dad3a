//! What should be known of an entry of a registry before it is installed, or why it can't be.

use serde::{Deserialize, Serialize};

use super::{AddressWrong, Each, Told, Ungrouped, notes, troubles};
use crate::language::Language;

notes! {
    /// What else should be known of one way to run a server.
    ListingNote;
    /// Options of its container.
    Outward(options: String)
        "Its container reaches further than one does by itself: {options}."
        "Der Container reicht weiter als einer von selbst: {options}.";
    /// No version of it is named.
    Unpinned
        "No version is said: what runs is whatever is newest when it is fetched."
        "Keine Version ist genannt: Ausgeführt wird, was beim Holen gerade neu ist.";
    /// It is somewhere, and fetched from anywhere.
    FetchedFrom(url: String, program: &'static str)
        "The listing says that the package is at {url}. {program} fetches it from where it is set up to."
        "Laut dem Eintrag liegt das Paket bei {url}. {program} holt es von dort, wo es dafür eingestellt ist.";
}

notes! {
    /// Why one way to run a server can't be installed.
    Uninstallable;
    /// Something is wrong with its entry.
    Because(wrong: Sentence)
        "{wrong}"
        "{wrong}";
    /// It is none.
    NoObject
        "It is no object."
        "Es ist kein Objekt.";
    /// Each request has headers.
    OwnHeaders
        "Each request to it wants headers of its own."
        "Jede Anfrage verlangt eigene Header.";
    /// Nobody tells it its port.
    PortUntold
        "Nothing tells it which port it is to listen on."
        "Nichts sagt dem Server, an welchem Port er Verbindungen annehmen soll.";
    /// Its transport is missing.
    NoTransport
        "Nothing says how it is spoken to."
        "Nichts sagt, wie mit dem Server gesprochen wird.";
    /// Its address is missing.
    NoAddress
        "It has no address."
        "Es hat keine Adresse.";
    /// The transport of old.
    Sse
        "It speaks the transport `sse`, which later versions of the protocol no longer have."
        "Es spricht den Transport `sse`, den spätere Versionen des Protokolls nicht mehr haben.";
    /// Another transport.
    Unspoken(transport: String)
        "It speaks {transport}, which Guild Hall does not."
        "Es spricht {transport}, Guild Hall aber nicht.";
    /// A bundle.
    Download
        "It is a bundle in a file, which has to be downloaded first. Download it and add the file itself."
        "Es ist ein Bündel in einer Datei, die zuerst herunterzuladen ist. Dann lässt sich die Datei selbst hinzufügen.";
    /// A kind of package.
    NoProgram(kind: String)
        "Guild Hall knows no program that runs a package of {kind}."
        "Guild Hall kennt kein Programm, das ein Paket der Art {kind} ausführt.";
    /// A program with arguments.
    OtherProgram(program: String)
        "It is to be run by {program} with arguments of its own, which Guild Hall does not know."
        "Es soll von {program} mit eigenen Argumenten ausgeführt werden, und das Programm kennt Guild Hall nicht.";
    /// A name that no package has.
    NoPackage(name: String, program: &'static str)
        "{name} is no name of a package for {program}."
        "{name} ist kein Name eines Pakets für {program}.";
    /// A range, or no version.
    NoVersion(version: String)
        "{version} is no single version."
        "{version} ist keine einzelne Version.";
}

notes! {
    /// What is wrong with an entry: the rest of a sentence. It is kept beside what an address lists.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    ListingWrong;
    /// It is none.
    NoEntry
        "it is no object"
        "es ist kein Objekt";
    /// It is too large.
    TooLarge(kib: usize)
        "it is larger than {kib} KiB"
        "es ist größer als {kib} KiB";
    /// It is no JSON, as the reader says.
    Unreadable(error: String)
        "it can't be read ({error})"
        "es ist nicht lesbar ({error})";
    /// Its name is missing.
    NoName
        "it has no name"
        "es hat keinen Namen";
    /// Its name is too long.
    LongName(most: usize)
        "its name has more than {most} bytes"
        "der Name hat mehr als {most} Bytes";
    /// Its name is none.
    OddName
        "its name is not of the form `com.example/name`"
        "der Name hat nicht die Form `com.example/name`";
    /// A field is too long.
    LongField(field: String)
        "its `{field}` is too long"
        "`{field}` ist zu lang";
    /// A field is something else.
    NoText(field: String)
        "its `{field}` is no text"
        "`{field}` ist kein Text";
    /// A list is too long.
    LongList(list: String, most: usize)
        "`{list}` has more than {most} entries"
        "`{list}` hat mehr als {most} Einträge";
    /// A list is something else.
    NoList(list: String)
        "`{list}` is no list"
        "`{list}` ist keine Liste";
    /// An argument is none.
    NoArgument
        "an argument is no object"
        "ein Argument ist kein Objekt";
    /// A named argument without one.
    UnnamedArgument
        "a named argument has no name"
        "ein benanntes Argument hat keinen Namen";
    /// A variable is none.
    NoVariable
        "a variable is no object"
        "eine Variable ist kein Objekt";
    /// A variable without a name.
    UnnamedVariable
        "a variable has no name that can be used"
        "eine Variable hat keinen Namen, der sich verwenden lässt";
    /// Choices that are none.
    OddChoices(name: String)
        "the choices of `{name}` are no texts"
        "die Auswahl für `{name}` besteht nicht aus Texten";
    /// A text is too long.
    LongText(most: usize)
        "a text has more than {most} bytes"
        "ein Text hat mehr als {most} Bytes";
    /// A text that nothing can be given.
    NulInText
        "a text has a NUL character"
        "ein Text hat ein NUL-Zeichen";
    /// It answers in another way.
    NoHttp
        "it does not answer over plain HTTP on this machine"
        "es antwortet nicht über einfaches HTTP auf diesem Rechner";
    /// It answers at another path.
    OtherPath(path: String, asked: String)
        "it answers at `{path}`, and Guild Hall asks its members at `{asked}`"
        "es antwortet unter `{path}`, und Guild Hall fragt Mitglieder unter `{asked}`";
    /// Its address has no port.
    NoPort
        "its address has no port that could be given"
        "die Adresse hat keinen Port, der sich vorgeben ließe";
    /// It answers elsewhere.
    OtherHost(host: String)
        "it answers at `{host}`, and not on this machine"
        "es antwortet unter `{host}` und nicht auf diesem Rechner";
    /// Its port is always the same.
    FixedPort(port: String)
        "it always listens on port {port}, and Guild Hall gives each member a port"
        "es verwendet immer Port {port}, und Guild Hall gibt jedem Mitglied einen Port";
}

troubles! {
    /// Why a source of listings is not read, or not remembered.
    RegistryTrouble;
    /// It can't be read.
    Unread(source: String, why: Unlisted)
        "{source} could not be read: {why}."
        "{source} ließ sich nicht lesen: {why}."
        "Look whether it is there and lists servers in the registry's format, and read it again."
        "Nachsehen, ob die Quelle da ist und Server im Format des Registers aufführt, und sie neu lesen.";
    /// The work was given up.
    ListingUnread(error: String)
        "The listing could not be read: {error}."
        "Die Liste ließ sich nicht lesen: {error}."
        "Look whether it is there and lists servers in the registry's format, and read it again."
        "Nachsehen, ob sie da ist und Server im Format des Registers aufführt, und sie neu lesen.";
    /// It can't be a source.
    Refused(source: String, why: SourceWrong)
        "{source} is no source: {why}."
        "{source} ist keine Quelle: {why}."
        "Give the whole path of a file, or an address that begins with https://."
        "Den ganzen Pfad einer Datei angeben oder eine Adresse, die mit https:// beginnt.";
}

notes! {
    /// Why something is no source of listings: the rest of a sentence.
    SourceWrong;
    /// It is neither.
    NoPlace
        "it is no path and no address"
        "es ist weder Pfad noch Adresse";
    /// It may not be read.
    Address(wrong: AddressWrong)
        "{wrong}"
        "{wrong}";
    /// It is a folder, perhaps.
    NoFile
        "it is no file"
        "es ist keine Datei";
    /// It can't be looked at.
    Unseen(error: String)
        "{error}"
        "{error}";
    /// There are enough.
    TooMany(most: usize)
        "{most} are remembered already, the most there may be"
        "{most} sind schon gemerkt, mehr dürfen es nicht sein";
}

notes! {
    /// Why a source lists nothing: the rest of a sentence.
    Unlisted;
    /// It is too large.
    TooLarge(mebibytes: usize)
        "it is larger than {mebibytes} MiB"
        "größer als {mebibytes} MiB";
    /// It is no text.
    NotUtf8
        "it is no UTF-8"
        "kein UTF-8";
    /// It is no JSON.
    NoJson
        "it is no JSON"
        "kein JSON";
    /// It is no JSON, as the reader says.
    BrokenJson(error: String)
        "it is no JSON ({error})"
        "kein JSON ({error})";
    /// Its servers are something else.
    NoList
        "its `servers` are no list"
        "`servers` ist keine Liste";
    /// It is something else.
    Neither
        "it is neither a list of servers nor a server.json"
        "weder eine Liste von Servern noch eine server.json";
    /// It has too many servers.
    TooMany(most: usize)
        "it has more than {most} servers"
        "mehr als {most} Server";
    /// It can't be fetched.
    Unfetched(why: Each)
        "{why}"
        "{why}";
    /// It takes too long.
    TooLong(minutes: u64)
        "it took longer than {minutes} minutes"
        "das Lesen dauerte länger als {minutes} Minuten";
    /// It goes on elsewhere.
    OnePage
        "it is one page of several; give the address without what follows `?`"
        "es ist nur eine von mehreren Seiten; die Adresse ohne das angeben, was auf `?` folgt";
    /// There is nothing to ask.
    NoAddress
        "it has no address"
        "es gibt keine Adresse dazu";
    /// A page of it is none.
    Page(page: Ungrouped<usize>, why: Each)
        "page {page}: {why}"
        "Seite {page}: {why}";
    /// It has no end.
    Circle(page: Ungrouped<usize>)
        "page {page} says that it comes after itself"
        "Seite {page} nennt sich selbst als die nächste";
    /// It is too long.
    ManyPages(most: usize)
        "it has more than {most} pages"
        "mehr als {most} Seiten";
    /// Another status.
    Status(status: u16)
        "the server answers with HTTP {status}"
        "der Server antwortet mit HTTP {status}";
    /// The system, or whoever reads it, says so.
    Unread(error: Each)
        "{error}"
        "{error}";
}

/// What is wrong, as a sentence of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence(ListingWrong);

impl Told for Sentence {
    fn told(&self, language: Language) -> String {
        let why = self.0.told(language);
        let mut chars = why.chars();
        let first = chars.next().map(char::to_uppercase);
        let rest = chars.as_str();
        format!("{}{rest}.", first.into_iter().flatten().collect::<String>())
    }
}

impl From<ListingWrong> for Uninstallable {
    fn from(wrong: ListingWrong) -> Self {
        Self::Because(Sentence(wrong))
    }
}

#[cfg(test)]
impl super::Example for Sentence {
    fn example() -> Self {
        Self(super::Example::example())
    }
}
