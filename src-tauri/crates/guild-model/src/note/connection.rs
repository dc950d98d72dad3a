//! Errors of the connection to a server.

use super::seconds;
use guild_text::number::grouped;
use miette::Diagnostic;
use std::time::Duration;
use thiserror::Error;

use super::{EndlessWrong, LargePart};

/// An error of a connection, a list or a call.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ConnectionTrouble {
    #[error("The connection failed: {0}.")]
    #[diagnostic(help("Check that the server listens on 127.0.0.1 and on its assigned port."))]
    Connect(String),
    #[error("The handshake failed. {0}")]
    #[diagnostic(help("{1}"))]
    Handshake(String, String),
    #[error("The server supports none of the offered protocol versions. It supports: {spoken}.", spoken = .0.join(", "))]
    #[diagnostic(help("Update the server, or remove `protocol_version` from plugin.json."))]
    Version(Vec<String>),
    #[error("The handshake didn't finish within {limit} s.", limit = seconds(.0))]
    #[diagnostic(help("Read the log. If the server starts slowly, raise the handshake limit."))]
    HandshakeTimeout(Duration),
    #[error("The server answered with HTTP {0}{1}")]
    #[diagnostic(help("{2}"))]
    HttpStatus(u16, Tail, StatusAdvice),
    #[error(
        "The server supports only HTTP+SSE, the transport of 2024-11-05, but not Streamable HTTP."
    )]
    #[diagnostic(help(
        "Turn on Streamable HTTP in the server, or update it. Or bridge it: a member with the transport `stdio`, the command `npx` and the args `[\"mcp-remote\", \"ADDRESS\", \"--transport\", \"sse-only\"]`."
    ))]
    OldTransport,
    #[error("The answer is not valid MCP: {0}{1}")]
    #[diagnostic(help(
        "Check that the command starts an MCP server, and that the transport and the path are right."
    ))]
    Malformed(String, Tail),
    #[error("{0} is larger than {limit_mib} MiB and was not read.", limit_mib = grouped(.1))]
    #[diagnostic(help("Request less from the tool, for example a smaller page."))]
    TooLarge(LargePart, usize),
    #[error("The server requires you to sign in.")]
    #[diagnostic(help(
        "Sign in on the member's page, or with `guildhall auth sign-in` and the member's name."
    ))]
    SignIn,
    #[error("The server needs more permissions.")]
    #[diagnostic(help(
        "Sign in on the member's page, or with `guildhall auth sign-in` and the member's name."
    ))]
    GrantMore,
    #[error("The server needs more permissions: {0}.")]
    #[diagnostic(help(
        "Sign in on the member's page, or with `guildhall auth sign-in` and the member's name."
    ))]
    GrantThese(String),
    #[error("The access token was not renewed: {0}.")]
    #[diagnostic(help(
        "Try again in a moment. If that fails, sign in again on the member's page, or with `guildhall auth sign-in` and the member's name."
    ))]
    Unrenewed(String),
    #[error("The server answered with error {0}: {1}")]
    Rpc(i64, String),
    #[error("The {0} does not end: {1}.")]
    #[diagnostic(help("The server's paging is broken; report it to its author."))]
    ListEndless(ListName, EndlessWrong),
    #[error("The {0} was not read within {limit} s.", limit = seconds(.1))]
    #[diagnostic(help("Read the log, then refresh the list."))]
    ListTimeout(ListName, Duration),
    #[error("No answer within {limit} s; the call was cancelled.", limit = seconds(.0))]
    #[diagnostic(help("Try again with a longer time limit."))]
    CallTimeout(Duration),
    #[error("The call was cancelled.")]
    Cancelled,
    #[error("The connection closed before the answer arrived{0}")]
    #[diagnostic(help(
        "Read the log. Guild Hall doesn't repeat the call, because it may have taken effect."
    ))]
    Closed(Tail),
}

/// A server's own words at the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Tail {
    #[error(".")]
    Nothing,
    #[error(": {0}")]
    Excerpt(String),
}

/// A list of a server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ListName {
    #[error("tool list")]
    Tools,
    #[error("list of resources")]
    Resources,
    #[error("list of resource templates")]
    Templates,
    #[error("list of prompts")]
    Prompts,
}

/// Advice for an HTTP status.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StatusAdvice {
    #[error(
        "The server requires authorization: add its header to \"headers\" in plugin.json, and its key into a secret, as in \"Authorization\": \"Bearer ${{secret:NAME}}\"."
    )]
    Authorize,
    #[error("The server may have its MCP endpoint at another path: check the path in plugin.json.")]
    CheckPath,
    #[error("Guild Hall doesn't follow redirects: put the final address into plugin.json.")]
    FinalAddress,
    #[error(
        "Guild Hall doesn't follow redirects: the server redirects to {0}. If you trust that address, put it into \"url\"."
    )]
    LeadsTo(String),
    #[error(
        "The server rejects this Host header: allow it in the server's options (often `--allowed-hosts`), or use the host that it expects."
    )]
    HostCheck,
    #[error(
        "The server rejects the host name: try `localhost` instead of `127.0.0.1`, or the reverse."
    )]
    OtherHost,
    #[error("Read the log.")]
    LookAtOutput,
}

/// An error of signing in.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum SignInTrouble {
    #[error("Guild Hall can't find the sign-in page: {0}.")]
    #[diagnostic(help(
        "Check the \"url\" in plugin.json. If the server uses a fixed key, put it into \"headers\"."
    ))]
    Undiscovered(String),
    #[error("Guild Hall rejected the authorization server: {0}.")]
    #[diagnostic(help("Contact the server's operator. Nothing was sent."))]
    Unsafe(String),
    #[error(
        "The client_secret belongs to {0}, but the server now uses {1}. Guild Hall didn't send it there."
    )]
    #[diagnostic(help(
        "Ask the server's operator. If this is right, `guildhall auth sign-out MEMBER` removes the first one; then sign in again."
    ))]
    Rebound(String, String),
    #[error("The authorization server does not register new clients: {0}.")]
    #[diagnostic(help(
        "Register a client there, and add it to plugin.json: \"auth\": {{\"client_id\": …}}."
    ))]
    Unregistered(String),
    #[error("Guild Hall can't wait for the browser's answer: {0}.")]
    #[diagnostic(help("Remove \"redirect_port\" from \"auth\", or use a free port."))]
    Deaf(String),
    #[error("The authorization server refused: {0}.")]
    #[diagnostic(help("Sign in again, and agree in the browser."))]
    Refused(String),
    #[error("The browser's answer is invalid: {0}.")]
    #[diagnostic(help("Sign in again."))]
    Answer(String),
    #[error("The server issued no token: {0}.")]
    #[diagnostic(help("Sign in again."))]
    Untokened(String),
    #[error("No one signed in within {minutes} minutes.", minutes = grouped(.0))]
    #[diagnostic(help("Sign in again, and agree in the browser."))]
    TooLong(u64),
}
