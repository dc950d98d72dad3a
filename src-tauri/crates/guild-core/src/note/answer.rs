//! What is wrong with what a server answers, or asks.

use super::{JsonKind, ListName, Ungrouped, notes};

notes! {
    /// Why an answer is no MCP: the rest of a sentence.
    AnswerFault;
    /// The opening was answered with something else.
    OtherOpening
        "the answer to the opening lacks fields or is of another shape"
        "der Antwort auf die Eröffnung fehlen Felder, oder sie hat eine andere Form";
    /// It is no HTTP, as the library says.
    NoHttp(error: String)
        "it is no HTTP ({error})"
        "es ist kein HTTP ({error})";
    /// A status that promises an answer elsewhere, where none can come.
    StatusAlone(status: u16)
        "HTTP {status} without an answer"
        "HTTP {status} ohne Antwort";
    /// It does not say what it is.
    NoContentType
        "it has no content type"
        "sie hat keinen Inhaltstyp";
    /// It says that it is something else.
    OtherContent(kind: String)
        "it is {kind}, not JSON"
        "sie ist {kind}, kein JSON";
    /// It is none.
    NoJson
        "it is no JSON"
        "es ist kein JSON";
    /// It is a list, perhaps.
    NoJsonObject
        "it is no JSON object"
        "es ist kein JSON-Objekt";
    /// It is JSON of another kind.
    NoMessage
        "it is JSON, but no JSON-RPC message"
        "es ist JSON, aber keine JSON-RPC-Nachricht";
    /// It has too much in it.
    ManyValues(most: usize)
        "it has more than {most} values, the most that are read"
        "sie hat mehr als {most} Werte; mehr werden nicht gelesen";
    /// It is of something else.
    OtherRequest
        "it answers another request"
        "sie gilt einer anderen Anfrage";
    /// Its result is of something else.
    OtherResult
        "the result is of another request"
        "das Ergebnis gehört zu einer anderen Anfrage";
    /// It says nothing.
    Neither
        "it has neither a result nor an error"
        "sie hat weder ein Ergebnis noch einen Fehler";
    /// Its error is none.
    ErrorMisshapen(error: String)
        "its error is misshapen ({error})"
        "ihr Fehler hat eine falsche Form ({error})";
    /// What is told by the way is none.
    NewsMisshapen(error: String)
        "a notification is misshapen ({error})"
        "eine Benachrichtigung hat eine falsche Form ({error})";
    /// Its result is nested too deep.
    TooDeep(most: usize)
        "its result is nested more than {most} levels deep"
        "das Ergebnis ist tiefer als {most} Ebenen verschachtelt";
    /// Its result can't be read.
    ResultUnread(error: String)
        "its result can't be read ({error})"
        "das Ergebnis ist nicht lesbar ({error})";
    /// Its result can't be given to whoever waits for it.
    NotPassedOn(error: String)
        "its result can't be passed on ({error})"
        "das Ergebnis lässt sich nicht weitergeben ({error})";
    /// Its result is something else.
    NoObject(is: JsonKind)
        "the result is {is}, not an object"
        "das Ergebnis ist {is}, kein Objekt";
    /// Its result is of a kind that it can't be.
    NotAskedFor(kind: String)
        "the result is {kind}, which was not asked for"
        "das Ergebnis ist {kind}, wonach nicht gefragt war";
    /// It never comes to a result.
    NoResult(rounds: usize)
        "the server needed more {rounds} times and gave no result"
        "der Server verlangte {rounds}-mal noch etwas und gab kein Ergebnis";
    /// It needs nothing that has a name.
    NeedsNothing
        "the server needs more and does not say what"
        "der Server verlangt noch etwas und sagt nicht, was";
    /// It asks too much.
    ManyQuestions(most: usize)
        "the server asks more than {most} questions at once"
        "der Server stellt mehr als {most} Fragen auf einmal";
    /// What it needs is of another kind.
    FieldNoText(field: &'static str, is: JsonKind)
        "{field} is {is}, not a text"
        "{field} ist {is}, kein Text";
    /// The same.
    FieldNoObject(field: &'static str, is: JsonKind)
        "{field} is {is}, not an object"
        "{field} ist {is}, kein Objekt";
    /// It asks for what was not declared.
    NotOffered(method: String)
        "the server asks for {method}, which this client does not offer"
        "der Server verlangt {method}, was dieser Client nicht anbietet";
    /// It asks for nothing that has a name.
    NoMethod
        "the server asks for something without a method, which this client does not offer"
        "der Server verlangt etwas ohne Methode, was dieser Client nicht anbietet";
    /// Its question is none.
    Question(wrong: QuestionWrong)
        "{wrong}"
        "{wrong}";
    /// It asks too much while it is asked.
    ManyRequests
        "too many requests wait for an answer"
        "zu viele Anfragen warten auf eine Antwort";
    /// It asks twice.
    RequestTwice
        "a request of this id waits for its answer already"
        "eine Anfrage mit dieser ID wartet schon auf ihre Antwort";
    /// A page is none.
    PageWithout(list: ListName, field: &'static str)
        "a page of the {list} has no list of {field}"
        "{list} hat eine Seite ohne {field}";
    /// A cursor is none.
    CursorNoText(is: JsonKind)
        "a cursor is {is}, not a text"
        "ein Cursor ist {is}, kein Text";
    /// A request can't be written.
    ParamsUnwritten(error: String)
        "the parameters can't be written ({error})"
        "die Parameter lassen sich nicht schreiben ({error})";
    /// A request's parameters are something else.
    ParamsNoObject
        "the parameters of the request are no object"
        "die Parameter der Anfrage sind kein Objekt";
    /// Who asks can't be written.
    ClientUnwritten(error: String)
        "this client can't be described ({error})"
        "dieser Client lässt sich nicht beschreiben ({error})";
}

notes! {
    /// Why what a server asks can't be put to a person: a part of a sentence.
    QuestionWrong;
    /// It has no words.
    NoMessage
        "a question needs a message"
        "zu einer Frage gehört eine Nachricht";
    /// It does not say what is wanted.
    NoSchema
        "requestedSchema is no object"
        "requestedSchema ist kein Objekt";
    /// Nobody can go there.
    NoAddress(most: usize)
        "url is no http or https address of at most {most} bytes"
        "url ist keine Adresse mit http oder https und höchstens {most} Bytes";
    /// Its name is none.
    LongId
        "elicitationId is too long"
        "elicitationId ist zu lang";
    /// It is of a kind that nobody knows.
    OtherMode
        "this mode was not declared"
        "dieser Modus wurde nicht angemeldet";
}

notes! {
    /// What is too large to be read: the beginning of a sentence.
    LargePart;
    /// An answer.
    Answer
        "The answer"
        "Die Antwort";
    /// All pages of a list.
    List(list: ListName)
        "The {list}"
        "{list}";
    /// What leads to the next page.
    Cursor(list: ListName)
        "A cursor of the {list}"
        "{list}: Ein Cursor";
    /// What is to be sent back.
    State
        "The state that the server wants back"
        "Der Zustand, den der Server zurückhaben will,";
}

notes! {
    /// Why a list does not end: the rest of a sentence.
    EndlessWrong;
    /// A page leads back.
    CursorAgain(page: Ungrouped<usize>)
        "page {page} has a cursor that came before"
        "Seite {page} hat einen Cursor, der schon da war";
    /// It has too many pages.
    ManyPages(most: usize)
        "it has more than {most} pages"
        "sie hat mehr als {most} Seiten";
    /// It has too many pages, or too much on them.
    GoesOn(pages: usize)
        "it goes on after {pages} pages"
        "nach {pages} Seiten geht sie weiter";
}
