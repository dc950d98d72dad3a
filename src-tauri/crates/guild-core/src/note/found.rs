//! What should be known of a server that another program has, or that a person brought.

use std::path::PathBuf;

use super::{Ungrouped, UrlWrong, notes, troubles};

notes! {
    /// What a member would not have of a server, and what else is odd about it.
    FoundNote;
    /// Its program asks nobody before it calls.
    Unasked(whose: Whose)
        "{whose} calls its tools without a question; of a member's tools, their policies decide.";
    /// Its program has not all of its tools.
    SomeTools(whose: Whose, key: &'static str)
        "{whose} offers only some of its tools (`{key}`); a member offers all.";
    /// Its variables are in a file.
    EnvFile(whose: Whose)
        "The variables of its `envFile` are read by {whose} alone; put those that it needs into the member's `env`.";
    /// Its variables were read of a file.
    EnvFileRead(file: PathBuf, count: usize)
        "The variables of {file} are kept as secrets of the member ({count}). Later changes of the file don't reach it.";
    /// Its variables are in a file that can't be read.
    EnvFileUnread(whose: Whose, file: PathBuf, why: String)
        "Its variables are in {file}, which can't be read: {why}. A member lacks them, so {whose} keeps this entry until the file can be read.";
    /// Another entry of the file has its name.
    StandsTwice(whose: Whose, line: Ungrouped<usize>)
        "{whose} runs the last entry of this name; the one on line {line} has no effect.";
    /// Its arguments have a script that may have a secret.
    Script
        "A script in its arguments has words that tell of a secret. It is kept as it stands.";
    /// Its address may be of the older transport.
    OlderTransport
        "Gemini CLI may speak the older transport SSE at this `url`; Guild Hall speaks Streamable HTTP.";
    /// Its program takes a variable away.
    TakenOut(whose: Whose, variable: String)
        "{whose} takes `{variable}` out of its environment; a member has it.";
    /// Keys without a counterpart.
    Leftovers(keys: String)
        "A member does not have: {keys}.";
    /// More keys than are listed.
    ManyLeftovers(keys: String, more: usize)
        "A member does not have: {keys} and {more} more.";
    /// Its container hears nothing.
    Deaf
        "Without `-i` the container hears nothing of what it is asked.";
    /// A folder that its container would be given is missing.
    SourceMissing(source: String)
        "{source} is not there. Docker would make a folder; a member's container wants it to be there before it starts.";
    /// Several are missing.
    SourcesMissing(sources: String)
        "{sources} are not there. Docker would make a folder; a member's container wants it to be there before it starts.";
    /// A part of what was brought is none.
    LeftOut(why: String)
        "Left out, {why}.";
}

notes! {
    /// Whose file a server stands in.
    Whose;
    /// A program's.
    Program(title: &'static str)
        "{title}";
    /// The member of this name, instead of a file.
    Member(name: String)
        "Member {name}";
    /// One that is not known, within a sentence.
    Its
        "its program";
    /// One that is not known, where a sentence begins.
    ItsFirst
        "Its program";
}

notes! {
    /// What a value is that is asked for.
    InputNote;
    /// What the server's file says of it.
    OfFile(said: String)
        "{said}";
    /// Something stands for it in what was brought.
    InPlace(sample: String)
        "The text has {sample} in its place.";
    /// Something stands for what has this name.
    InPlaceOf(name: String, sample: String)
        "{name}: the text has {sample} in its place.";
    /// The folder that it works in.
    WorkFolder
        "The folder that it is to work in.";
    /// A variable without a value.
    NotSet
        "It has no value in the environment now.";
    /// A variable that a container is not given without one.
    NotGiven
        "It has no value in the environment now, and is not given without one.";
}

troubles! {
    /// Why what another program has, or a person brought, is not read.
    FoundTrouble;
    /// A server of a file can't be a member.
    Unusable(file: String, line: Ungrouped<usize>, name: String, wrong: RunWrong)
        "{file}:{line}: {name}: {wrong}."
        "Mend the entry, or write a manifest by hand.";
    /// A program's file.
    Unreadable(file: PathBuf, why: String)
        "{file} can't be read: {why}."
        "Mend the file; it is read again when it changes.";
    /// A program's file that has too much in it.
    Cut(file: PathBuf, cut: FileWrong)
        "{file} is not read to its end: {cut}."
        "Take out what nobody uses; it is read again when it changes.";
    /// What a person brought.
    Unread(what: BroughtKind, why: String, next: String)
        "{what} can't be read: {why}."
        "{next}";
}

notes! {
    /// What a person brought, where a sentence begins.
    BroughtKind;
    /// A text.
    Text
        "The text";
    /// A command.
    Command
        "The command";
    /// A file.
    File(path: String)
        "{path}";
}

notes! {
    /// Why a file is not read, or not to its end: the rest of a sentence.
    FileWrong;
    /// It does not answer.
    Slow(seconds: u64)
        "it did not answer within {seconds} s";
    /// It is no text.
    NotUtf8
        "it is no text in UTF-8";
    /// Its path begins nowhere.
    NotWhole
        "its path is not whole";
    /// It has too many servers.
    ManyServers(most: usize)
        "only the first {most} servers are read";
    /// It has too many variables.
    ManyVariables(most: usize)
        "it has more than {most} variables";
    /// It has too many projects.
    ManyProjects(most: usize)
        "only the first {most} projects are read";
}

notes! {
    /// What to do about what a person brought.
    BroughtAdvice;
    /// The work was given up.
    Again
        "Try again.";
    /// Its path begins nowhere.
    WholePath
        "Name the file by its whole path.";
    /// It can't be opened.
    Look
        "Look whether it is there, and whether you may read it.";
    /// It is no text.
    Formats
        "A configuration file is a text: JSON, TOML or YAML.";
    /// It does not answer.
    Copy
        "Copy it to this machine's disk.";
}

notes! {
    /// Why a member can't run what an entry says, or what was answered: the rest of a sentence.
    RunWrong;
    /// It is none.
    NoObject
        "its entry is not an object";
    /// It is too large.
    TooLarge(kib: usize)
        "its entry is larger than {kib} KiB";
    /// It is broken.
    Unread
        "its entry can't be read";
    /// It has its command from elsewhere.
    Extension(whose: Whose)
        "it comes from an extension, which only {whose} can start";
    /// Its address is missing.
    NeedsUrl
        "its type needs a `url`";
    /// Its command is missing.
    NeedsCommand
        "its type needs a `command`";
    /// Both are missing.
    Neither
        "it has neither a `command` nor a `url`";
    /// The transport of old, or another.
    Unspoken(transport: String)
        "it needs the transport `{transport}`, which is not spoken; many such servers also speak Streamable HTTP, at another address";
    /// A type.
    UnknownType(shown: String)
        "its type {shown} is none that is known";
    /// A command that is none.
    NoProgram
        "its `command` names no program";
    /// Arguments that are none.
    NoArguments
        "its `args` are no list of texts";
    /// A folder that is none.
    NoFolder
        "its `cwd` is no text";
    /// Values that are none.
    NoTexts(key: String)
        "its `{key}` is no object of texts";
    /// A value that is none.
    NoText(key: String)
        "its `{key}` has a value that is no text";
    /// A reference to what only its program knows.
    Reference(reference: String, whose: Whose)
        "it uses ${{{reference}}}, which only {whose} can fill in";
    /// A text is too long.
    TooLong(place: RunPlace, most: usize)
        "{place} has more than {most} bytes";
    /// A text that nothing can be given.
    Nul(place: RunPlace)
        "{place} has a NUL character";
    /// A text that a manifest can't have.
    Dollar(place: RunPlace)
        "{place} has a `$` right before a reference";
    /// A variable's name that is none.
    OddVariable(place: RunPlace)
        "{place} has a name that no system allows";
    /// A header's name that is none.
    OddHeader(place: RunPlace)
        "{place} has a name that no header has";
    /// A header's value that is none.
    LineEnd(place: RunPlace)
        "{place} has a line end";
    /// An address that is none.
    Url(place: RunPlace, wrong: UrlWrong)
        "{place} {wrong}";
    /// An answer is missing.
    NoAnswer(key: String)
        "{key} has no answer";
}

notes! {
    /// Where a text of what would be run stands.
    RunPlace;
    /// The program.
    Command
        "its `command`";
    /// An argument.
    Argument
        "one of its `args`";
    /// A variable.
    Variable(name: String)
        "its variable `{name}`";
    /// The folder.
    Folder
        "its `cwd`";
    /// The address.
    Url
        "its `url`";
    /// A header.
    Header(name: String)
        "its header `{name}`";
}
