//! Why a text that a person, or another program, has written is left as it is.

use super::{MisreadWrong, Ungrouped, notes};

notes! {
    /// Why a text is not touched, and where: a part of a sentence.
    TextAt;
    /// With all of it.
    Whole(wrong: TextWrong)
        "{wrong}";
    /// On a line.
    Line(line: Ungrouped<usize>, wrong: TextWrong)
        "line {line}: {wrong}";
}

notes! {
    /// Why a text is not touched: a part of a sentence.
    TextWrong;
    /// It can't be read.
    Misread(wrong: MisreadWrong)
        "{wrong}";
    /// It is something else.
    NoRoot
        "it is not an object";
    /// An object has too much.
    ManyMembers(most: usize)
        "an object with more than {most} members";
    /// It has too much.
    TooLarge(mebibytes: usize)
        "it is larger than {mebibytes} MiB";
    /// Programs differ in which one they take.
    Twice(key: String)
        "{key:?} stands twice in the same object";
    /// Whoever reads TOML says so.
    Unread(error: String)
        "{error}";
    /// No key leads anywhere.
    NoPlace
        "no place is named";
    /// Something on the way is none.
    NoObject(key: String)
        "{key:?} is not an object";
    /// The list is none, in TOML.
    NoTable(key: String)
        "{key:?} is not a table";
    /// A list is missing.
    NoList(list: String)
        "it has no {list:?}";
    /// An entry of a list is missing.
    NoEntry(name: String, list: String)
        "{name:?} is not in its {list:?}";
    /// Where an entry stands can't be told, in TOML.
    NoOwnPlace(name: String)
        "{name:?} has no place of its own";
    /// An entry's values stand by themselves, in TOML.
    Dotted(name: String)
        "{name:?} is written with dotted keys";
    /// The same, or it is a number or the like.
    DottedOrPlain(name: String)
        "{name:?} is written with dotted keys, or is no table";
    /// More would become different.
    Around
        "it can't be changed without changing what is around it";
    /// The same of an entry.
    AroundEntry
        "the entry can't be changed without changing what is around it";
    /// Entries would not be what they were.
    NotPutBack
        "its entries can't be put back as they were";
    /// Its program has made something else of it.
    WrittenAnew
        "the entry has been written anew in another way";
}
