//! Errors in a server's answers and questions.

use super::ListName;
use guild_text::note::JsonKind;
use guild_text::number::grouped;
use thiserror::Error;

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
    Question(QuestionWrong),
    #[error("too many requests wait for an answer")]
    ManyRequests,
    #[error("a request with this id is already waiting for its answer")]
    RequestTwice,
    #[error("a page of the {0} has no list of {1}")]
    PageWithout(ListName, &'static str),
    #[error("a cursor is {0}, not a string")]
    CursorNoText(JsonKind),
    #[error("the parameters can't be written ({0})")]
    ParamsUnwritten(String),
    #[error("the parameters of the request are not an object")]
    ParamsNoObject,
    #[error("this client can't be described ({0})")]
    ClientUnwritten(String),
}

/// A violation of MCP in a question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QuestionWrong {
    #[error("a question needs a message")]
    NoMessage,
    #[error("requestedSchema is not an object")]
    NoSchema,
    #[error("url is not an http or https address of at most {most} bytes", most = grouped(.0))]
    NoAddress(usize),
    #[error("elicitationId is too long")]
    LongId,
    #[error("this mode was not declared")]
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
pub enum EndlessWrong {
    #[error("page {0} repeats an earlier cursor")]
    CursorAgain(usize),
    #[error("it has more than {most} pages", most = grouped(.0))]
    ManyPages(usize),
    #[error("it continues after {pages} pages", pages = grouped(.0))]
    GoesOn(usize),
}
