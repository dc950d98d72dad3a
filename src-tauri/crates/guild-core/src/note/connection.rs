//! What goes wrong between Guild Hall and a server.

use std::time::Duration;

use super::{EndlessWrong, LargePart, notes, troubles};

troubles! {
    /// Why there is no connection, no list or no answer.
    ConnectionTrouble;
    /// No connection, or it broke.
    Connect(reason: String)
        "The connection failed: {reason}."
        "Check that the server listens on 127.0.0.1 and on the port it was given.";
    /// The opening was answered with an error.
    Handshake(cause: String, hint: String)
        "The handshake failed. {cause}"
        "{hint}";
    /// No version is spoken by both.
    Version(spoken: Vec<String>)
        "The server speaks no protocol version that was offered; it speaks: {spoken}."
        "Update the server, or remove `protocol_version` from the manifest.";
    /// The opening took too long.
    HandshakeTimeout(limit: Duration)
        "The handshake was not done within {limit} s."
        "Look at the server's output; a server that is slow at first needs a longer handshake limit.";
    /// A status that is no answer.
    HttpStatus(status: u16, excerpt: Tail, next: StatusAdvice)
        "The server answered with HTTP {status}{excerpt}"
        "{next}";
    /// It speaks only the transport of 2024-11-05.
    OldTransport
        "The server speaks only HTTP+SSE, the transport of 2024-11-05, and not Streamable HTTP."
        "Have the server serve Streamable HTTP, by its own option or a newer version. Or bridge it: a member with the transport `stdio`, the command `npx` and the args `[\"mcp-remote\", \"ADDRESS\", \"--transport\", \"sse-only\"]`.";
    /// Something else than the protocol.
    Malformed(what: String, excerpt: Tail)
        "The answer is no valid MCP: {what}{excerpt}"
        "Check that the command starts an MCP server, and that the transport and the path are right.";
    /// More than is read.
    TooLarge(what: LargePart, limit_mib: usize)
        "{what} is larger than {limit_mib} MiB and was not read."
        "Ask the tool for less, for example for a smaller page.";
    /// Somebody has to sign in.
    SignIn
        "The server wants somebody to sign in."
        "Sign in on the member's page, or with `guildhall auth sign-in` and the member's name.";
    /// More has to be granted.
    GrantMore
        "The server wants to have been granted more."
        "Sign in on the member's page, or with `guildhall auth sign-in` and the member's name.";
    /// This has to be granted.
    GrantThese(scopes: String)
        "The server wants to have been granted more: {scopes}."
        "Sign in on the member's page, or with `guildhall auth sign-in` and the member's name.";
    /// There was no new token this time.
    Unrenewed(reason: String)
        "The token that the server wants was not renewed: {reason}."
        "Try again in a moment. If it stays so, sign in again on the member's page, or with `guildhall auth sign-in` and the member's name.";
    /// An error of the protocol.
    Rpc(code: i64, message: String)
        "The server answered with error {code}: {message}"
        "";
    /// A list has no end.
    ListEndless(list: ListName, reason: EndlessWrong)
        "The {list} does not end: {reason}."
        "The server's paging is broken; report it to its author.";
    /// A list took too long.
    ListTimeout(list: ListName, limit: Duration)
        "The {list} was not read within {limit} s."
        "Look at the server's output, then refresh the list.";
    /// A call took too long.
    CallTimeout(limit: Duration)
        "No answer within {limit} s; the call was cancelled."
        "Try again with a longer time limit.";
    /// Somebody cancelled.
    Cancelled
        "The call was cancelled."
        "";
    /// The connection ended.
    Closed(reason: Tail)
        "The connection ended before the answer came{reason}"
        "Look at the server's output. The call is not repeated, because it may have taken effect.";
}

notes! {
    /// A server's own words, as the end of a sentence.
    Tail;
    /// None.
    Nothing
        ".";
    /// Their beginning.
    Excerpt(said: String)
        ": {said}";
}

notes! {
    /// What is listed.
    ListName;
    /// Tools.
    Tools
        "tool list";
    /// Resources.
    Resources
        "list of resources";
    /// Templates of resources.
    Templates
        "list of resource templates";
    /// Prompts.
    Prompts
        "list of prompts";
}

notes! {
    /// What to do about a status.
    StatusAdvice;
    /// 401 or 403.
    Authorize
        "The server wants authorization: put the header that it expects into \"headers\" in plugin.json, and its key into a secret, as in \"Authorization\": \"Bearer ${{secret:NAME}}\".";
    /// 404 or 405.
    CheckPath
        "The server may have its MCP endpoint at another path: check the path in the manifest.";
    /// 300 to 399.
    FinalAddress
        "Redirects are not followed: put the final address into the manifest.";
    /// 300 to 399, with an address.
    LeadsTo(address: String)
        "Redirects are not followed: the server leads to {address}. If you trust that address, put it into \"url\".";
    /// 403 that names the host.
    HostCheck
        "The server checks the Host header and refuses this one: allow it in the server's own options (often `--allowed-hosts`), or reach the server by the host that it names.";
    /// 421.
    OtherHost
        "The server refuses the host name: try `localhost` instead of `127.0.0.1`, or the reverse.";
    /// Any other.
    LookAtOutput
        "Look at the server's output.";
}

troubles! {
    /// Why nobody is signed in.
    SignInTrouble;
    /// It is not known where.
    Undiscovered(why: String)
        "Where to sign in can't be found out: {why}."
        "Check the \"url\" in plugin.json. A server that wants a fixed key gets it in \"headers\".";
    /// It would not be safe.
    Unsafe(why: String)
        "The authorization server is not used: {why}."
        "Tell whoever runs the server; nothing was sent.";
    /// A client's secret was shown to another one before.
    Rebound(first: String, now: String)
        "The client_secret was given to {first}, and the server names {now} now; it was not sent there."
        "Ask whoever runs the server. If that is right, `guildhall auth sign-out MEMBER` forgets the first one; then sign in again.";
    /// No client is taken on.
    Unregistered(why: String)
        "The authorization server takes no new client: {why}."
        "Have a client registered there, and put it into plugin.json: \"auth\": {{\"client_id\": …}}.";
    /// The browser can't come back.
    Deaf(why: String)
        "The answer of the browser can't be listened for: {why}."
        "Take \"redirect_port\" out of \"auth\", or name a free port.";
    /// Somebody said no.
    Refused(why: String)
        "The authorization server refused: {why}."
        "Sign in again, and agree in the browser.";
    /// What came back is of something else.
    Answer(why: String)
        "The answer of the browser can't be used: {why}."
        "Sign in again.";
    /// No token was given.
    Untokened(why: String)
        "There is no token: {why}."
        "Sign in again.";
    /// Nobody came back.
    TooLong(minutes: u64)
        "Nobody signed in within {minutes} minutes."
        "Sign in again, and agree in the browser.";
}
