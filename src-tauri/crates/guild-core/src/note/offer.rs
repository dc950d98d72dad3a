//! Why an entry of a server's list of resources, templates or prompts is left out.

use super::{JsonKind, notes};

notes! {
    /// What is wrong with a resource, a template or a prompt of a list: a part of a sentence.
    OfferWrong;
    /// There are too many.
    PastLast(total: usize, most: usize)
        "the list has {total} entries; the first {most} are kept";
    /// It is none.
    NoObject(is: JsonKind)
        "the entry is {is}, not an object";
    /// What it is asked for by says nothing.
    Empty(field: &'static str)
        "its {field} is empty";
    /// What it is asked for by is too long.
    TooLong(field: &'static str, most: usize)
        "its {field} has more than {most} bytes";
    /// What it is asked for by is something else.
    NoText(field: &'static str, is: JsonKind)
        "its {field} is {is}, not a text";
    /// What it is asked for by is missing.
    Missing(field: &'static str)
        "it has no {field}";
    /// Its arguments are something else.
    NoArguments(is: JsonKind)
        "its arguments are {is}, not a list";
    /// One of its arguments can't be one.
    Argument(why: String)
        "one of its arguments can't be used: {why}";
    /// That one is none.
    ArgumentNoObject(is: JsonKind)
        "it is {is}, not an object";
}
