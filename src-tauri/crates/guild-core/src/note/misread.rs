//! Errors in pasted text or commands.

use crate::number::grouped;
use thiserror::Error;

/// A problem of pasted text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MisreadWrong {
    #[error("a comment that is never closed")]
    OpenComment,
    #[error("this is never closed by '{0}'")]
    Open(String),
    #[error("a string that is not closed by {0} on its line")]
    OpenText(String),
    #[error("a string with an invalid backslash")]
    Backslash,
    #[error("nested more than {most} levels deep", most = grouped(.0))]
    TooDeep(usize),
    #[error("it has more than {most} values", most = grouped(.0))]
    ManyValues(usize),
    #[error("{0}")]
    Unread(String),
    #[error("it ends too early")]
    EndsEarly,
    #[error("a value is missing")]
    NoValue,
    #[error("a key that is not a string")]
    OddKey,
    #[error("an alias of its own parent")]
    OwnAlias,
    #[error("it is empty")]
    Empty,
    #[error("it is longer than {mebibytes} MiB", mebibytes = grouped(.0))]
    TooLong(usize),
    #[error("it has no server")]
    NoServer,
    #[error("it has no list of servers")]
    NoList,
    #[error("its list of servers is empty")]
    EmptyList,
    #[error("it is neither a list of servers, nor a command, nor an address")]
    Neither,
    #[error("it has no command")]
    NoCommand,
    #[error("no program is named")]
    NoProgram,
    #[error("`{0}` prepares something and starts no server")]
    Prepares(String),
    #[error("the server's JSON is missing")]
    NoJson,
    #[error("in its JSON, {0}")]
    InJson(String),
    #[error("the install link has no server")]
    LinkWithoutServer,
    #[error("the install link has a `config` that is not base64 of JSON")]
    NoBase64,
    #[error("the install link is longer than {kibibytes} KiB", kibibytes = grouped(.0))]
    LinkTooLong(usize),
    #[error("in the install link, {0}")]
    InLink(String),
    #[error("its JSON has neither a `command` nor a `url`")]
    JsonNeither,
    #[error("`mcp add` without a name")]
    AddsNoName,
    #[error("`mcp add` without a command or an address")]
    AddsNothing,
    #[error("{0} makes a script of it")]
    Script(String),
    #[error("it has more than {most} words", most = grouped(.0))]
    ManyWords(usize),
    #[error("a quote that is never closed")]
    OpenQuote,
    #[error("a command within the command, which only a shell can fill in")]
    FilledIn,
}

/// Advice for pasted text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MisreadAdvice {
    #[error("Remove the text after the last brace, or move it before the brace.")]
    AfterEnd,
    #[error("Close it by `*/`.")]
    CloseComment,
    #[error("Bring in the list of servers alone.")]
    ListAlone,
    #[error("After a key comes a colon and its value.")]
    Colon,
    #[error("Something at the end is missing: copy all of it.")]
    CopyAll,
    #[error("Put a comma between the two values.")]
    Comma,
    #[error("Put the key in double quotes.")]
    QuoteKey,
    #[error("Close it; a line's end within a text is written \\n.")]
    CloseText,
    #[error("A backslash is written twice there: C:\\\\folder.")]
    TwoBackslashes,
    #[error("Replace the three dots with the omitted part, or remove them.")]
    Dots,
    #[error("Put the string in double quotes.")]
    QuoteText,
    #[error("Fix the text there.")]
    Mend,
    #[error(
        "Fix the text there. YAML indents entries of one level with the same number of spaces."
    )]
    MendYaml,
    #[error(
        "Paste what the server's page shows: JSON with `mcpServers`, TOML, YAML, a command that starts it, or its address."
    )]
    WhatToBring,
    #[error("Bring in the command that starts the server, e.g. `npx -y @scope/server`.")]
    BringCommand,
    #[error("Run it in a terminal, and bring in the command that starts the server.")]
    RunFirst,
    #[error("Copy all of the command.")]
    CopyCommand,
    #[error(
        "Copy the whole link from the server's page, or bring in what the page shows for a file."
    )]
    CopyLink,
    #[error("Bring in the command that starts the server alone, or adopt it as `sh -c '…'`.")]
    CommandAlone,
    #[error("Close the quote; within a word, an apostrophe is written \\'.")]
    CloseSingle,
    #[error("Close the quote.")]
    CloseQuote,
}
