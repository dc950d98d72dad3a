//! Messages about sessions with MCP servers, in one enum per subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::time::Duration;

use guild_text::messages::JsonKind;
use guild_text::number::grouped;
use thiserror::Error;

/// A defect of the first event of an HTTP+SSE stream, which names the address for messages.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndpointFault {
    #[error("it doesn't begin with an `endpoint` event")]
    Missing,
    #[error("its `endpoint` event didn't arrive within {seconds} s", seconds = .0.as_secs())]
    Late(Duration),
    #[error("its `endpoint` event is larger than {most} bytes", most = grouped(.0))]
    TooLong(usize),
    #[error("the address in its `endpoint` event is not valid ({0})")]
    Invalid(String),
    #[error("its `endpoint` event leads to another server, {0}")]
    Foreign(String),
}

/// A violation of MCP in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnswerFault {
    #[error("the answer to initialize lacks fields or has the wrong form")]
    OtherOpening,
    #[error("it is not HTTP ({0})")]
    NoHttp(String),
    #[error("HTTP {0} without a body")]
    StatusAlone(u16),
    #[error("it has no content type")]
    NoContentType,
    #[error("it is {0}, not JSON")]
    OtherContent(String),
    #[error("it is not JSON")]
    NoJson,
    #[error("it is not a JSON object")]
    NoJsonObject,
    #[error("it is JSON, but not a JSON-RPC message")]
    NoMessage,
    #[error("it has more than {most} values, which is the limit", most = grouped(.0))]
    ManyValues(usize),
    #[error("it answers another request")]
    OtherRequest,
    #[error("the result belongs to another request")]
    OtherResult,
    #[error("it has neither a result nor an error")]
    Neither,
    #[error("its error is malformed ({0})")]
    ErrorMisshapen(String),
    #[error("a notification is malformed ({0})")]
    NewsMisshapen(String),
    #[error("its result is nested more than {most} levels deep", most = grouped(.0))]
    TooDeep(usize),
    #[error("its result can't be read ({0})")]
    ResultUnread(String),
    #[error("its result can't be forwarded ({0})")]
    NotPassedOn(String),
    #[error("the result is {0}, not an object")]
    NoObject(JsonKind),
    #[error("the result is {0}, which was not requested")]
    NotAskedFor(String),
    #[error("the server asked for input {rounds} times and returned no result", rounds = grouped(.0))]
    NoResult(usize),
    #[error("the server needs input but doesn't describe it")]
    NeedsNothing,
    #[error("the server asks more than {most} questions at once", most = grouped(.0))]
    ManyQuestions(usize),
    #[error("{0} is {1}, not a string")]
    FieldNoText(&'static str, JsonKind),
    #[error("{0} is {1}, not an object")]
    FieldNoObject(&'static str, JsonKind),
    #[error("the server asks for {0}, which this client does not offer")]
    NotOffered(String),
    #[error("the server asks for something without a method, which this client does not offer")]
    NoMethod,
    #[error("{0}")]
    Question(QuestionProblem),
    #[error("too many requests wait for an answer")]
    ManyRequests,
    #[error("a request with this id is already waiting for its answer")]
    RequestTwice,
    #[error("a page of the {0} has no list of {1}")]
    PageWithout(ListName, &'static str),
    #[error("a cursor is {0}, not a string")]
    CursorNoText(JsonKind),
    #[error("its task can't be read ({0})")]
    TaskUnread(String),
    #[error("the parameters can't be written ({0})")]
    ParamsUnwritten(String),
    #[error("the parameters of the request are not an object")]
    ParamsNoObject,
    #[error("the description of this client can't be written ({0})")]
    ClientUnwritten(String),
}

/// A violation of MCP in a question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QuestionProblem {
    #[error("a question needs a message")]
    NoMessage,
    #[error("requestedSchema is not an object")]
    NoSchema,
    #[error("url is not an http or https address of at most {most} bytes", most = grouped(.0))]
    NoAddress(usize),
    #[error("elicitationId is too long")]
    LongId,
    #[error("this client did not declare this mode")]
    OtherMode,
}

/// The part of an answer that is too large, as the start of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LargePart {
    #[error("The answer")]
    Answer,
    #[error("The {0}")]
    List(ListName),
    #[error("A cursor of the {0}")]
    Cursor(ListName),
    #[error("The server's request state")]
    State,
}

/// The reason why a list does not end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndlessProblem {
    #[error("page {0} repeats an earlier cursor")]
    CursorAgain(usize),
    #[error("it has more than {most} pages", most = grouped(.0))]
    ManyPages(usize),
    #[error("it continues after {pages} pages", pages = grouped(.0))]
    GoesOn(usize),
}

/// An error in the arguments of the stdio proxy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BridgeProblem {
    #[error("The address is not valid: {0}.")]
    Address(String),
    #[error(
        "The gateway runs on this machine. Use an address that begins with http://127.0.0.1: and a port."
    )]
    NotLocal,
    #[error("The token has invalid characters.")]
    Token,
}

/// A notice for the user while the stdio proxy runs.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BridgeNote {
    #[error(
        "Guild Hall's gateway does not answer at {0} ({1}). Open Guild Hall, or run guildhall serve."
    )]
    Unanswered(String, String),
}

/// The reason that a request of the stdio proxy has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BridgeFault {
    #[error("it did not answer in {seconds} s", seconds = grouped(.0))]
    Late(u64),
    #[error("{0}, so the token was not sent")]
    Stranger(String),
}

/// The name of a server's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ListName {
    #[error("tool list")]
    Tools,
    #[error("list of resources")]
    Resources,
    #[error("list of resource templates")]
    Templates,
    #[error("list of prompts")]
    Prompts,
    #[error("list of skills")]
    Skills,
}

/// Advice for an HTTP status.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StatusAdvice {
    #[error(
        "The server requires authorization: save the key as a secret, and add a header to \"headers\" in plugin.json, such as \"Authorization\": \"Bearer ${{secret:NAME}}\"."
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

/// The reason why an address is rejected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AddressProblem {
    #[error("the address is not valid ({0})")]
    Invalid(String),
    #[error("it is not valid ({0})")]
    NotValid(String),
    #[error("the address has a user name or a password")]
    Password,
    #[error("use https; http works only for this machine")]
    NotEncrypted,
    #[error("the address begins with {0:?}, not https")]
    Scheme(String),
    #[error("the address has a fragment, which servers don't receive")]
    Fragment,
    #[error("it redirects ({0})")]
    NowhereElse(String),
    #[error("it redirects to an address without https")]
    NotEncryptedThere,
    #[error("the key has characters that a header can't have")]
    KeyCharacters,
}

/// A problem with a resource, a template, a prompt or a skill in a list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OfferEntryProblem {
    #[error("the list has {total} entries; the first {most} are used", total = grouped(.0), most = grouped(.1))]
    PastLast(usize, usize),
    #[error("the entry is {0}, not an object")]
    NoObject(JsonKind),
    #[error("its {0} is empty")]
    Empty(&'static str),
    #[error("its {0} has more than {most} bytes", most = grouped(.1))]
    TooLong(&'static str, usize),
    #[error("its {0} is {1}, not a string")]
    NoText(&'static str, JsonKind),
    #[error("it has no {0}")]
    Missing(&'static str),
    #[error("its arguments are {0}, not a list")]
    NoArguments(JsonKind),
    #[error("one of its arguments can't be used: {0}")]
    Argument(String),
    #[error("it is {0}, not an object")]
    ArgumentNoObject(JsonKind),
    #[error("it is not a valid skill: {0}")]
    NoSkill(String),
    #[error("an earlier skill has the same URI")]
    SkillTwice,
    #[error("it has {files} files; a skill has at most {most}", files = grouped(.0), most = grouped(.1))]
    ManyFiles(usize, usize),
    #[error("its files have {size} bytes; a skill has at most {most}", size = grouped(.0), most = grouped(.1))]
    LargeFiles(u64, u64),
}

#[cfg(test)]
mod tests;
