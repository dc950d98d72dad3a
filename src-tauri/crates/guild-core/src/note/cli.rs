//! What goes wrong on the command line before anything is asked of a hall.

use std::path::PathBuf;

use super::{NameWrong, notes, troubles};

troubles! {
    /// Why a command does nothing.
    CliTrouble;
    /// A name is none.
    Name(wrong: NameWrong)
        "{wrong}"
        "";
    /// A name is none, as a sentence.
    NoName(wrong: NameWrong)
        "{wrong}."
        "";
    /// A new name is none.
    OtherName(wrong: NameWrong)
        "{wrong}."
        "Give another name.";
    /// A server's new name is none.
    ServerName(wrong: NameWrong)
        "{wrong}."
        "Give a name to one server: --only SERVER --name NAME.";
    /// Several can't have one name.
    OneName(count: usize)
        "{count} servers can't all have one name."
        "Give a name to one server: --only SERVER --name NAME.";
    /// A name can be no member's.
    NoMember(text: String, wrong: NameWrong, folder: String)
        "There is no member {text}: {wrong}."
        "Members are looked for in {folder}.";
    /// What is piped can't be read.
    Stdin(error: String)
        "Standard input can't be read: {error}."
        "Give a file, or the command after `--`.";
    /// What is piped is no text.
    StdinNoText
        "Standard input can't be read: it is no text in UTF-8."
        "Give a file, or the command after `--`.";
    /// No such server in what was brought.
    NotInIt(name: String)
        "No server in it is called {name}."
        "Look at what is in it: --look.";
    /// All of it is known.
    NothingNew
        "Nothing in it is new: members run it already, or it is switched off."
        "Name what is to be added all the same: --only SERVER.";
    /// No program has one more.
    AllAdopted
        "No program has a server that is not a member."
        "";
    /// No program has that one.
    NoSuchServer(name: String)
        "No program has a server {name}."
        "`guildhall add discovered` lists them; --folder DIR looks in a project too.";
    /// Answers in a file that are none.
    NoTexts(file: PathBuf)
        "{file} is no object of texts in JSON."
        "Write it as {{\"id\": \"value\"}}.";
    /// Answers in a file that are no object.
    NoAnswers(file: PathBuf)
        "{file} is no object in JSON."
        "Write it as {{\"key\": \"value\"}}.";
    /// An answer to nothing.
    NotAsked(key: String, known: String)
        "Nothing is asked for {key}."
        "It asks for: {known}.";
    /// A secret among the words.
    OpenAnswer(key: String)
        "{key} is a secret, and other programs see the words of a command."
        "Give it in a file with --inputs, or type it when you are asked.";
    /// Nobody is there.
    NobodyToAsk
        "Nothing was done: nobody can be asked here."
        "Look at what would be done, and say it with --yes.";
    /// Somebody said no.
    NothingSent
        "Nothing was sent."
        "";
    /// What was typed can't be read.
    Unread(error: String)
        "What was given could not be read: {error}."
        "Nothing was done.";
    /// A member without checks.
    NoExamples
        "The member has no examples."
        "Put some into \"examples\" in its plugin.json.";
    /// A report can't be written.
    ReportUnwritable(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "Name another file.";
    /// Nothing to hand over.
    NothingAdopted(program: String)
        "No server that {program} has is a member."
        "`guildhall add discovered` adds servers as members; `guildhall clients switch` lists the files.";
    /// Ctrl+C.
    Interrupted
        "Interrupted before it was done."
        "";
    /// No such tool.
    NoTool(name: String)
        "There is no tool {name}."
        "Name it as member/tool; `guildhall tools --details` lists them.";
    /// No such profile.
    NoProfile(name: String)
        "There is no profile {name}."
        "Look at the profiles' names.";
    /// No hall.
    NoHall(folder: PathBuf)
        "No Guild Hall runs on the data folder {folder} with these members."
        "Start the desktop app or `guildhall serve`.";
    /// No such client.
    NoClient(name: String)
        "No client {name} has a token."
        "`guildhall clients` lists them.";
    /// No such way.
    NoSuchWay(server: String, count: usize)
        "{server} has no such way to run it; it lists {count}."
        "`guildhall add registry show` lists them.";
    /// That way can't be.
    OtherWay(why: String)
        "{why}"
        "Choose another way: `guildhall add registry show`.";
    /// A value can't be read.
    SecretUnread(error: String)
        "The value could not be read: {error}."
        "Give a text on standard input: `guildhall secret set NAME < FILE`.";
    /// A token can't be read.
    TokenUnread(file: PathBuf, error: String)
        "The token could not be read from {file}: {error}."
        "Write it there, and give the user that guildhall runs as the right to read it.";
    /// A sign-in was given up.
    SignInGivenUp
        "The sign-in was given up."
        "Begin it again.";
    /// A folder is none.
    NoFolder(folder: PathBuf, error: String)
        "{folder} is no folder: {error}."
        "Name another.";
    /// Several members of a bundle.
    SeveralMembers(names: String)
        "Several members were made of it: {names}."
        "Name the one that is meant, or a new one: --name MEMBER.";
}

notes! {
    /// Why a word is no value of an argument: a part of a sentence.
    ArgumentWrong;
    /// Tools are listed otherwise.
    Listing
        "it is lazy, full or search";
    /// A key without a value, or a value without a key.
    KeyValue
        "write it as KEY=VALUE";
}

impl std::error::Error for ArgumentWrong {}
