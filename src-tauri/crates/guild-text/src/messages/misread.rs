//! Errors in pasted text or commands.

use crate::number::grouped;
use thiserror::Error;

/// A problem of pasted text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MisreadProblem {
    #[error("a comment without an end")]
    OpenComment,
    #[error("the closing '{0}' is missing")]
    Open(String),
    #[error("a string without a closing {0} on its line")]
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
    #[error("an alias that contains itself")]
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
    #[error("the command is missing")]
    NoProgram,
    #[error("`{0}` doesn't start a server")]
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
    #[error("{0} joins commands or redirects output, which only a shell can do")]
    Script(String),
    #[error("it has more than {most} words", most = grouped(.0))]
    ManyWords(usize),
    #[error("a quote without an end")]
    OpenQuote,
    #[error("a command substitution such as `$(…)`, which only a shell can run")]
    FilledIn,
}

/// Advice for pasted text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MisreadAdvice {
    #[error("Remove the text after the last brace, or move it before the brace.")]
    AfterEnd,
    #[error("Close it with `*/`.")]
    CloseComment,
    #[error("Paste only the list of servers.")]
    ListAlone,
    #[error("Put a colon and a value after the key.")]
    Colon,
    #[error("The end is missing: copy the whole text.")]
    CopyAll,
    #[error("Put a comma between the two values.")]
    Comma,
    #[error("Put the key in double quotes.")]
    QuoteKey,
    #[error("Close it. Write a line break inside a string as \\n.")]
    CloseText,
    #[error("Double the backslash: C:\\\\folder.")]
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
        "Paste JSON with `mcpServers`, TOML, YAML, a command that starts the server, or its address."
    )]
    WhatToBring,
    #[error("Paste the command that starts the server, such as `npx -y @scope/server`.")]
    BringCommand,
    #[error("Run it in a terminal, then paste the command that starts the server.")]
    RunFirst,
    #[error("Copy all of the command.")]
    CopyCommand,
    #[error("Copy the whole link from the server's page, or paste its configuration.")]
    CopyLink,
    #[error("Paste only the command that starts the server, or import it as `sh -c '…'`.")]
    CommandAlone,
    #[error("Close the quote. Write an apostrophe inside a word as \\'.")]
    CloseSingle,
    #[error("Close the quote.")]
    CloseQuote,
}
