//! Why an entry of a server's list is left out.

use super::{Each, JsonKind, NameWrong, notes};

notes! {
    /// What is wrong with a tool of a list: a part of a sentence.
    ToolWrong;
    /// It is too large.
    TooLarge(size: usize, most: usize)
        "it is {size} bytes large; {most} are the most"
        "der Eintrag hat {size} Bytes; höchstens {most} dürfen es sein";
    /// It is none.
    NoObject(is: JsonKind)
        "the entry is {is}, not an object"
        "der Eintrag ist {is}, kein Objekt";
    /// It can't be read.
    Unread(error: String)
        "{error}"
        "{error}";
    /// Its name is missing.
    NoName
        "it has no name"
        "der Name fehlt";
    /// Its name is something else.
    OddName(is: JsonKind)
        "its name is {is}, not a text"
        "der Name ist {is}, kein Text";
    /// Its name can't be one.
    BadName(wrong: NameWrong)
        "{wrong}"
        "{wrong}";
    /// Its schema is missing.
    NoSchema
        "it has no inputSchema"
        "inputSchema fehlt";
    /// Its schema is something else.
    OddSchema(is: JsonKind)
        "its inputSchema is {is}, not an object"
        "inputSchema ist {is}, kein Objekt";
    /// What it says of itself is something else.
    OddDescription(is: JsonKind)
        "its description is {is}, not a text"
        "description ist {is}, kein Text";
    /// Another has its name.
    Twice
        "the name stands in the list already; the first is kept"
        "der Name steht schon in der Liste; der erste bleibt";
    /// There are too many.
    PastLast(total: usize, most: usize)
        "the list has {total} tools; the first {most} are kept"
        "die Liste hat {total} Werkzeuge; die ersten {most} bleiben";
    /// A model's word for it can't be one.
    NoModelName
        "a model's names have letters, digits and _.- alone"
        "die Namen eines Modells haben nur Buchstaben, Ziffern und die Zeichen _.-";
    /// An argument is wanted in a header, and is none.
    HeaderElsewhere(annotation: &'static str)
        "an {annotation} stands elsewhere than at a property of the arguments"
        "ein {annotation} steht anderswo als bei einer Eigenschaft der Argumente";
    /// Two are wanted in the same header.
    HeaderTwice(annotation: &'static str, name: String)
        "two properties have the {annotation} {name}"
        "zwei Eigenschaften haben {annotation} {name}";
    /// Too many are wanted in headers.
    ManyHeaders(most: usize, annotation: &'static str)
        "it has more than {most} {annotation}"
        "es sind mehr als {most} {annotation}";
    /// One is wanted in a header that can't be.
    NoHeader(annotation: &'static str, place: String)
        "the {annotation} of {place} is no header's name"
        "{annotation} von {place} ist kein Name eines Headers";
    /// One is wanted in a header that it does not fit in.
    NoHeaderValue(place: String, annotation: &'static str)
        "{place} has an {annotation} and is neither text nor whole number nor boolean"
        "{place} hat ein {annotation} und ist weder Text noch ganze Zahl noch Wahrheitswert";
    /// More are left out than are told.
    AndMore(why: Each, more: usize)
        "{why}; further entries that can't be used: {more}"
        "{why}; weitere nicht nutzbare Einträge: {more}";
}

impl std::error::Error for ToolWrong {}
