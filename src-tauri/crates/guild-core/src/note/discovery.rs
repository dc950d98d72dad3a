//! Why `config.yml`, which says how tools are found out, can't be used.

use std::path::PathBuf;

use super::{Ungrouped, notes, troubles};

troubles! {
    /// Why `config.yml` is not read, or not changed.
    DiscoveryTrouble;
    /// One of its lines is wrong.
    Line(file: &'static str, line: Ungrouped<usize>, wrong: DiscoveryWrong)
        "{file}:{line}: {wrong}."
        "It has the section `discovery`, indented below it `enabled: true`, `timeout: 10000` (milliseconds) and `cache: true`, and the section `prediction` with `enabled`, `url`, `model`, `key` and `timeout`, each of them optional.";
    /// A value can't stand there.
    Left(file: &'static str, wrong: DiscoveryWrong)
        "{file} is left as it is: {wrong}."
        "Correct that value.";
    /// Somebody else changed it.
    Changed(file: &'static str)
        "{file} was changed meanwhile, and is left as it is."
        "Look at the settings again.";
    /// It can't be read.
    Unreadable(file: PathBuf, error: String)
        "{file} can't be read: {error}."
        "Make it readable, or remove it.";
    /// It, or a file beside it, can't be written.
    Unwritable(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "Make it and its folder writable.";
}

notes! {
    /// What is wrong with a line of `config.yml`, or with a value for it: the rest of a sentence.
    DiscoveryWrong;
    /// The file is too long.
    TooLong(length: usize, most: u64)
        "the file has {length} bytes; {most} are the most";
    /// It is no text.
    NotUtf8
        "not UTF-8";
    /// A tab.
    Tab
        "it is indented by a tab; YAML wants spaces";
    /// It is indented otherwise.
    OtherIndent(indent: usize, first: usize)
        "it is indented by {indent}, and those before it by {first}";
    /// It is indented below nothing.
    BelowNothing
        "it is indented, and belongs to nothing";
    /// There is no such section.
    NoSection(name: String)
        "there is no section {name}; `discovery` and `prediction` are the only ones";
    /// It was there before.
    Twice(name: String)
        "`{name}` stands here twice";
    /// Braces where there are none.
    NoBraces
        "the fields of `prediction` stand on lines of their own";
    /// A section with a value.
    NotBelow(name: String, fields: DiscoveryFields, value: String)
        "`{name}` has {fields} below it, not {value}";
    /// A brace that stays open.
    OpenBrace
        "the brace is not closed on this line";
    /// There is no such field.
    NoField(section: &'static str, fields: DiscoveryFields, name: String)
        "`{section}` has {fields}, and no {name}";
    /// No name and value.
    NoPair(content: String)
        "{content} is no `name: value`";
    /// A quote that stays open.
    OpenQuote
        "a text in quotes ends with the same one";
    /// Neither yes nor no.
    NoFlag(value: String)
        "it is either true or false, not {value}";
    /// No time.
    NoMillis(least: Ungrouped<u64>, most: Ungrouped<u64>, value: String)
        "it is a whole number of milliseconds from {least} to {most}, not {value}";
    /// A time limit that can't be.
    NotWithin(least: Ungrouped<u64>, most: Ungrouped<u64>, given: Ungrouped<u64>)
        "a time limit is a whole number of milliseconds from {least} to {most}, not {given}";
    /// Something is missing.
    Incomplete(missing: &'static str)
        "`prediction` is enabled and has no `{missing}`";
    /// No address.
    NoAddress(url: String)
        "{url} is no address";
    /// Another scheme.
    NoScheme(url: String)
        "{url} is no address that begins with https:// or http://";
    /// More than a host and a path.
    MoreThanPath(url: String)
        "{url} has more than a host and a path; a key stands in `key`";
    /// No host.
    NoHost(url: String)
        "{url} names no host";
    /// It goes over the network in the open.
    NotEncrypted(url: String)
        "{url} is not encrypted; http:// is for this machine alone";
    /// No model.
    NoModel(name: String)
        "{name} is no name of a model";
    /// The key itself, perhaps.
    NoKey
        "a key is named as ${{secret:NAME}} or ${{env:NAME}}, and does not stand here itself";
    /// It would be read otherwise.
    NotLineByLine
        "its lines can't be changed one by one";
    /// Whoever reads it says so.
    Unread(error: String)
        "{error}";
}

notes! {
    /// What a section may have.
    DiscoveryFields;
    /// `discovery`.
    OfDiscovery
        "`enabled`, `timeout` and `cache`";
    /// `prediction`.
    OfPrediction
        "`enabled`, `url`, `model`, `key` and `timeout`";
}
