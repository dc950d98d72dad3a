//! Why an entry of a server's list is left out.

use super::{JsonKind, NameWrong, notes};

notes! {
    /// What is wrong with a tool of a list: a part of a sentence.
    ToolWrong;
    /// It is too large.
    TooLarge(size: usize, most: usize)
        "it is {size} bytes large; {most} are the most";
    /// It is none.
    NoObject(is: JsonKind)
        "the entry is {is}, not an object";
    /// It can't be read.
    Unread(error: String)
        "{error}";
    /// Its name is missing.
    NoName
        "it has no name";
    /// Its name is something else.
    OddName(is: JsonKind)
        "its name is {is}, not a text";
    /// Its name can't be one.
    BadName(wrong: NameWrong)
        "{wrong}";
    /// Its schema is missing.
    NoSchema
        "it has no inputSchema";
    /// Its schema is something else.
    OddSchema(is: JsonKind)
        "its inputSchema is {is}, not an object";
    /// What it says of itself is something else.
    OddDescription(is: JsonKind)
        "its description is {is}, not a text";
    /// Another has its name.
    Twice
        "the name stands in the list already; the first is kept";
    /// There are too many.
    PastLast(total: usize, most: usize)
        "the list has {total} tools; the first {most} are kept";
    /// A model's word for it can't be one.
    NoModelName
        "a model's names have letters, digits and _.- alone";
    /// An argument is wanted in a header, and is none.
    HeaderElsewhere(annotation: &'static str)
        "an {annotation} stands elsewhere than at a property of the arguments";
    /// Two are wanted in the same header.
    HeaderTwice(annotation: &'static str, name: String)
        "two properties have the {annotation} {name}";
    /// Too many are wanted in headers.
    ManyHeaders(most: usize, annotation: &'static str)
        "it has more than {most} {annotation}";
    /// One is wanted in a header that can't be.
    NoHeader(annotation: &'static str, place: String)
        "the {annotation} of {place} is no header's name";
    /// One is wanted in a header that it does not fit in.
    NoHeaderValue(place: String, annotation: &'static str)
        "{place} has an {annotation} and is neither text nor whole number nor boolean";
    /// More are left out than are told.
    AndMore(why: String, more: usize)
        "{why}; further entries that can't be used: {more}";
}

impl std::error::Error for ToolWrong {}
