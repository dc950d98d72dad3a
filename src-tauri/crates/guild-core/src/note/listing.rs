//! What should be known of an entry of a registry before it is installed, or why it can't be.

use super::{AddressWrong, Told, notes, troubles};

notes! {
    /// What else should be known of one way to run a server.
    ListingNote;
    /// Options of its container.
    Outward(options: String)
        "Its container reaches further than one does by itself: {options}.";
    /// No version of it is named.
    Unpinned
        "No version is said: what runs is whatever is newest when it is fetched.";
    /// It is somewhere, and fetched from anywhere.
    FetchedFrom(url: String, program: &'static str)
        "The listing says that the package is at {url}. {program} fetches it from where it is set up to.";
}

notes! {
    /// Why one way to run a server can't be installed.
    Uninstallable;
    /// Something is wrong with its entry.
    Because(wrong: Sentence)
        "{wrong}";
    /// It is none.
    NoObject
        "It is no object.";
    /// Each request has headers.
    OwnHeaders
        "Each request to it wants headers of its own.";
    /// Nobody tells it its port.
    PortUntold
        "Nothing tells it which port it is to listen on.";
    /// Its transport is missing.
    NoTransport
        "Nothing says how it is spoken to.";
    /// Its address is missing.
    NoAddress
        "It has no address.";
    /// The transport of old.
    Sse
        "It speaks the transport `sse`, which later versions of the protocol no longer have.";
    /// Another transport.
    Unspoken(transport: String)
        "It speaks {transport}, which Guild Hall does not.";
    /// A bundle.
    Download
        "It is a bundle in a file, which has to be downloaded first. Download it and add the file itself.";
    /// A kind of package.
    NoProgram(kind: String)
        "Guild Hall knows no program that runs a package of {kind}.";
    /// A program with arguments.
    OtherProgram(program: String)
        "It is to be run by {program} with arguments of its own, which Guild Hall does not know.";
    /// A name that no package has.
    NoPackage(name: String, program: &'static str)
        "{name} is no name of a package for {program}.";
    /// A range, or no version.
    NoVersion(version: String)
        "{version} is no single version.";
}

notes! {
    /// What is wrong with an entry: the rest of a sentence.
    ListingWrong;
    /// It is none.
    NoEntry
        "it is no object";
    /// It is too large.
    TooLarge(kib: usize)
        "it is larger than {kib} KiB";
    /// It is no JSON, as the reader says.
    Unreadable(error: String)
        "it can't be read ({error})";
    /// Its name is missing.
    NoName
        "it has no name";
    /// Its name is too long.
    LongName(most: usize)
        "its name has more than {most} bytes";
    /// Its name is none.
    OddName
        "its name is not of the form `com.example/name`";
    /// A field is too long.
    LongField(field: String)
        "its `{field}` is too long";
    /// A field is something else.
    NoText(field: String)
        "its `{field}` is no text";
    /// A list is too long.
    LongList(list: String, most: usize)
        "`{list}` has more than {most} entries";
    /// A list is something else.
    NoList(list: String)
        "`{list}` is no list";
    /// An argument is none.
    NoArgument
        "an argument is no object";
    /// A named argument without one.
    UnnamedArgument
        "a named argument has no name";
    /// A variable is none.
    NoVariable
        "a variable is no object";
    /// A variable without a name.
    UnnamedVariable
        "a variable has no name that can be used";
    /// Choices that are none.
    OddChoices(name: String)
        "the choices of `{name}` are no texts";
    /// A text is too long.
    LongText(most: usize)
        "a text has more than {most} bytes";
    /// A text that nothing can be given.
    NulInText
        "a text has a NUL character";
    /// It answers in another way.
    NoHttp
        "it does not answer over plain HTTP on this machine";
    /// It answers at another path.
    OtherPath(path: String, asked: String)
        "it answers at `{path}`, and Guild Hall asks its members at `{asked}`";
    /// Its address has no port.
    NoPort
        "its address has no port that could be given";
    /// It answers elsewhere.
    OtherHost(host: String)
        "it answers at `{host}`, and not on this machine";
    /// Its port is always the same.
    FixedPort(port: String)
        "it always listens on port {port}, and Guild Hall gives each member a port";
}

troubles! {
    /// Why a registry or a file of listings is not read.
    RegistryTrouble;
    /// It can't be read.
    Unread(source: String, why: Unlisted)
        "{source} could not be read: {why}."
        "Check the network and the address, or name another registry or a file in the setting `registry`.";
    /// The name is neither a path nor an address.
    Refused(source: String, why: SourceWrong)
        "{source} is not a registry: {why}."
        "Give the whole path of a file, or an address that begins with https://.";
    /// A search was cancelled.
    Cancelled
        "The search was cancelled."
        "";
    /// A server is not listed.
    NotListed(source: String, server: String)
        "{source} does not list {server}."
        "Search for it again.";
    /// A version is not listed.
    NoVersion(source: String, server: String, version: String)
        "{source} does not list {server} in version {version}."
        "Search for it again.";
    /// A field of a request is too long.
    LongField(field: &'static str, most: usize)
        "`{field}` has more than {most} bytes."
        "Search for the server again.";
    /// The server's entry has changed.
    NotAsShown
        "The registry no longer lists the server with the command that was shown."
        "Open the server again.";
}

notes! {
    /// Why a text does not name a registry: the rest of a sentence.
    SourceWrong;
    /// It is neither.
    NoPlace
        "it is neither a path nor an address";
    /// It may not be read.
    Address(wrong: AddressWrong)
        "{wrong}";
}

notes! {
    /// Why a source lists nothing: the rest of a sentence.
    Unlisted;
    /// It is too large.
    TooLarge(mebibytes: usize)
        "it is larger than {mebibytes} MiB";
    /// It is no text.
    NotUtf8
        "it is no UTF-8";
    /// It is no JSON.
    NoJson
        "it is no JSON";
    /// It is no JSON, as the reader says.
    BrokenJson(error: String)
        "it is no JSON ({error})";
    /// Its servers are something else.
    NoList
        "its `servers` are no list";
    /// It is something else.
    Neither
        "it is neither a list of servers nor a server.json";
    /// It has too many servers.
    TooMany(most: usize)
        "it has more than {most} servers";
    /// It can't be fetched.
    Unfetched(why: String)
        "{why}";
    /// It goes on elsewhere.
    OnePage
        "it is one page of several; give the address without what follows `?`";
    /// Another status.
    Status(status: u16)
        "the server answers with HTTP {status}";
    /// The system reports this.
    Unread(error: String)
        "{error}";
}

/// What is wrong, as a sentence of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence(ListingWrong);

impl Told for Sentence {
    fn told(&self) -> String {
        let why = self.0.told();
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
