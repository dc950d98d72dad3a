//! What is wrong with what a server answers, or asks.

use super::{JsonKind, ListName, Ungrouped, notes};

notes! {
    /// Why an answer is no MCP: the rest of a sentence.
    AnswerFault;
    /// The opening was answered with something else.
    OtherOpening
        "the answer to the opening lacks fields or is of another shape";
    /// It is no HTTP, as the library says.
    NoHttp(error: String)
        "it is no HTTP ({error})";
    /// A status that promises an answer elsewhere, where none can come.
    StatusAlone(status: u16)
        "HTTP {status} without an answer";
    /// It does not say what it is.
    NoContentType
        "it has no content type";
    /// It says that it is something else.
    OtherContent(kind: String)
        "it is {kind}, not JSON";
    /// It is none.
    NoJson
        "it is no JSON";
    /// It is a list, perhaps.
    NoJsonObject
        "it is no JSON object";
    /// It is JSON of another kind.
    NoMessage
        "it is JSON, but no JSON-RPC message";
    /// It has too much in it.
    ManyValues(most: usize)
        "it has more than {most} values, the most that are read";
    /// It is of something else.
    OtherRequest
        "it answers another request";
    /// Its result is of something else.
    OtherResult
        "the result is of another request";
    /// It says nothing.
    Neither
        "it has neither a result nor an error";
    /// Its error is none.
    ErrorMisshapen(error: String)
        "its error is misshapen ({error})";
    /// What is told by the way is none.
    NewsMisshapen(error: String)
        "a notification is misshapen ({error})";
    /// Its result is nested too deep.
    TooDeep(most: usize)
        "its result is nested more than {most} levels deep";
    /// Its result can't be read.
    ResultUnread(error: String)
        "its result can't be read ({error})";
    /// Its result can't be given to whoever waits for it.
    NotPassedOn(error: String)
        "its result can't be passed on ({error})";
    /// Its result is something else.
    NoObject(is: JsonKind)
        "the result is {is}, not an object";
    /// Its result is of a kind that it can't be.
    NotAskedFor(kind: String)
        "the result is {kind}, which was not asked for";
    /// It never comes to a result.
    NoResult(rounds: usize)
        "the server needed more {rounds} times and gave no result";
    /// It needs nothing that has a name.
    NeedsNothing
        "the server needs more and does not say what";
    /// It asks too much.
    ManyQuestions(most: usize)
        "the server asks more than {most} questions at once";
    /// What it needs is of another kind.
    FieldNoText(field: &'static str, is: JsonKind)
        "{field} is {is}, not a text";
    /// The same.
    FieldNoObject(field: &'static str, is: JsonKind)
        "{field} is {is}, not an object";
    /// It asks for what was not declared.
    NotOffered(method: String)
        "the server asks for {method}, which this client does not offer";
    /// It asks for nothing that has a name.
    NoMethod
        "the server asks for something without a method, which this client does not offer";
    /// Its question is none.
    Question(wrong: QuestionWrong)
        "{wrong}";
    /// It asks too much while it is asked.
    ManyRequests
        "too many requests wait for an answer";
    /// It asks twice.
    RequestTwice
        "a request of this id waits for its answer already";
    /// A page is none.
    PageWithout(list: ListName, field: &'static str)
        "a page of the {list} has no list of {field}";
    /// A cursor is none.
    CursorNoText(is: JsonKind)
        "a cursor is {is}, not a text";
    /// A request can't be written.
    ParamsUnwritten(error: String)
        "the parameters can't be written ({error})";
    /// A request's parameters are something else.
    ParamsNoObject
        "the parameters of the request are no object";
    /// Who asks can't be written.
    ClientUnwritten(error: String)
        "this client can't be described ({error})";
}

notes! {
    /// Why what a server asks can't be put to a person: a part of a sentence.
    QuestionWrong;
    /// It has no words.
    NoMessage
        "a question needs a message";
    /// It does not say what is wanted.
    NoSchema
        "requestedSchema is no object";
    /// Nobody can go there.
    NoAddress(most: usize)
        "url is no http or https address of at most {most} bytes";
    /// Its name is none.
    LongId
        "elicitationId is too long";
    /// It is of a kind that nobody knows.
    OtherMode
        "this mode was not declared";
}

notes! {
    /// What is too large to be read: the beginning of a sentence.
    LargePart;
    /// An answer.
    Answer
        "The answer";
    /// All pages of a list.
    List(list: ListName)
        "The {list}";
    /// What leads to the next page.
    Cursor(list: ListName)
        "A cursor of the {list}";
    /// What is to be sent back.
    State
        "The state that the server wants back";
}

notes! {
    /// Why a list does not end: the rest of a sentence.
    EndlessWrong;
    /// A page leads back.
    CursorAgain(page: Ungrouped<usize>)
        "page {page} has a cursor that came before";
    /// It has too many pages.
    ManyPages(most: usize)
        "it has more than {most} pages";
    /// It has too many pages, or too much on them.
    GoesOn(pages: usize)
        "it goes on after {pages} pages";
}
