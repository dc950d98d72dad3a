//! Why an entry of a server's list of resources, templates or prompts is left out.

use super::{Each, JsonKind, notes};

notes! {
    /// What is wrong with a resource, a template or a prompt of a list: a part of a sentence.
    OfferWrong;
    /// There are too many.
    PastLast(total: usize, most: usize)
        "the list has {total} entries; the first {most} are kept"
        "die Liste hat {total} Einträge; die ersten {most} bleiben";
    /// It is none.
    NoObject(is: JsonKind)
        "the entry is {is}, not an object"
        "der Eintrag ist {is}, kein Objekt";
    /// What it is asked for by says nothing.
    Empty(field: &'static str)
        "its {field} is empty"
        "{field} ist leer";
    /// What it is asked for by is too long.
    TooLong(field: &'static str, most: usize)
        "its {field} has more than {most} bytes"
        "{field} hat mehr als {most} Bytes";
    /// What it is asked for by is something else.
    NoText(field: &'static str, is: JsonKind)
        "its {field} is {is}, not a text"
        "{field} ist {is}, kein Text";
    /// What it is asked for by is missing.
    Missing(field: &'static str)
        "it has no {field}"
        "{field} fehlt";
    /// Its arguments are something else.
    NoArguments(is: JsonKind)
        "its arguments are {is}, not a list"
        "arguments ist {is}, keine Liste";
    /// One of its arguments can't be one.
    Argument(why: Each)
        "one of its arguments can't be used: {why}"
        "eines der Argumente ist nicht nutzbar: {why}";
    /// That one is none.
    ArgumentNoObject(is: JsonKind)
        "it is {is}, not an object"
        "es ist {is}, kein Objekt";
}
