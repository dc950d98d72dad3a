//! What is wrong with a text or a command that should have servers.

use super::{Ungrouped, notes};

notes! {
    /// What is wrong with a text, and where: a part of a sentence.
    MisreadAt;
    /// With all of it.
    Whole(wrong: MisreadWrong)
        "{wrong}";
    /// On a line.
    Line(line: Ungrouped<usize>, wrong: MisreadWrong)
        "line {line}: {wrong}";
    /// At a character of a line.
    Column(line: Ungrouped<usize>, column: Ungrouped<usize>, wrong: MisreadWrong)
        "line {line}, column {column}: {wrong}";
}

notes! {
    /// What is wrong with a text: a part of a sentence.
    MisreadWrong;
    /// A comment without its end.
    OpenComment
        "a comment that is never closed";
    /// An object or a list without its end.
    Open(close: String)
        "what begins here is never closed by '{close}'";
    /// A text without its end.
    OpenText(quote: String)
        "a text that is not closed by {quote} on its line";
    /// A backslash alone.
    Backslash
        "a text with a backslash that means nothing";
    /// Nested too deep.
    TooDeep(most: usize)
        "nested more than {most} levels deep";
    /// Too much of it.
    ManyValues(most: usize)
        "it has more than {most} values";
    /// The error of the parser of JSON, TOML or YAML.
    Unread(error: String)
        "{error}";
    /// Something is missing at its end.
    EndsEarly
        "it ends too early";
    /// Nothing stands where a value should.
    NoValue
        "a value is missing";
    /// A list or an object as a key.
    OddKey
        "a key that is no text";
    /// It would be within itself.
    OwnAlias
        "an alias of what it stands in";
    /// Nothing but white space.
    Empty
        "nothing stands in it";
    /// It is too long.
    TooLong(mebibytes: usize)
        "it is longer than {mebibytes} MiB";
    /// Nothing in it is a server.
    NoServer
        "no server stands in it";
    /// It is something else.
    NoList
        "no list of servers stands in it";
    /// A list without a server.
    EmptyList
        "its list of servers is empty";
    /// A line that is somebody's sentence.
    Neither
        "it is neither a list of servers, nor a command, nor an address";
    /// Comments alone.
    NoCommand
        "no command stands in it";
    /// Variables alone.
    NoProgram
        "no program is named";
    /// A command that comes before the one that starts a server.
    Prepares(said: String)
        "`{said}` prepares something and starts no server";
    /// A command that takes JSON ends before it.
    NoJson
        "the server's JSON is missing";
    /// What is wrong stands in a word of a command.
    InJson(wrong: String)
        "in its JSON, {wrong}";
    /// An install link carries something else.
    LinkWithoutServer
        "the install link has no server";
    /// An install link is cut or changed.
    NoBase64
        "the install link has a `config` that is not base64 of JSON";
    /// An install link is too long.
    LinkTooLong(kibibytes: usize)
        "the install link is longer than {kibibytes} KiB";
    /// What an install link carries can't be read.
    InLink(wrong: String)
        "in the install link, {wrong}";
    /// The JSON of a command says nothing of what is run.
    JsonNeither
        "its JSON has neither a `command` nor a `url`";
    /// A command that adds a server ends before its name.
    AddsNoName
        "`mcp add` without a name";
    /// A command that adds a server ends before what is run.
    AddsNothing
        "`mcp add` without a command or an address";
    /// A sign that joins commands, or leads to files.
    Script(sign: String)
        "{sign} makes a script of it";
    /// Too many words.
    ManyWords(most: usize)
        "it has more than {most} words";
    /// A quote without its end.
    OpenQuote
        "a quote that is never closed";
    /// Something would be run to get a word.
    FilledIn
        "a command within the command, which only a shell can fill in";
}

notes! {
    /// What to do about it.
    MisreadAdvice;
    /// Something comes after what is whole.
    AfterEnd
        "Take away what stands after the last brace, or put what belongs to it before it.";
    /// A comment without its end.
    CloseComment
        "Close it by `*/`.";
    /// There is too much of it.
    ListAlone
        "Bring in the list of servers alone.";
    /// Something else comes after a key.
    Colon
        "After a key comes a colon and its value.";
    /// It was cut off.
    CopyAll
        "Something at the end is missing: copy all of it.";
    /// Two values without anything between them.
    Comma
        "Put a comma between what stands side by side.";
    /// A key that is none.
    QuoteKey
        "A key stands in double quotes.";
    /// A text without its end.
    CloseText
        "Close it; a line's end within a text is written \\n.";
    /// A backslash alone.
    TwoBackslashes
        "A backslash is written twice there: C:\\\\folder.";
    /// An example leaves something out.
    Dots
        "Three dots stand for something left out: put it there, or take them away.";
    /// A text that is no word of JSON.
    QuoteText
        "A text stands in double quotes.";
    /// TOML.
    Mend
        "Mend the text there.";
    /// YAML.
    MendYaml
        "Mend the text there: in YAML, what belongs together is indented alike by spaces.";
    /// No server is in it.
    WhatToBring
        "Bring what the server's page shows: JSON with `mcpServers`, TOML, YAML, a command that starts it, or its address.";
    /// No command is in it.
    BringCommand
        "Bring in the command that starts the server, e.g. `npx -y @scope/server`.";
    /// The command comes before the one that starts a server.
    RunFirst
        "Run it in a terminal, and bring in the command that starts the server.";
    /// A command was cut off.
    CopyCommand
        "Copy all of the command.";
    /// A link was cut off.
    CopyLink
        "Copy the whole link from the server's page, or bring in what the page shows for a file.";
    /// A shell would have to read it.
    CommandAlone
        "Bring in the command that starts the server alone, or adopt it as `sh -c '…'`.";
    /// An apostrophe, perhaps.
    CloseSingle
        "Close the quote; within a word, an apostrophe is written \\'.";
    /// A quote without its end.
    CloseQuote
        "Close the quote.";
}
