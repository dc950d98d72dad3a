//! Why a text that a person, or another program, has written is left as it is.

use super::{JsonPart, MisreadWrong, Ungrouped, notes};

notes! {
    /// Why a text is not touched, and where: a part of a sentence.
    TextAt;
    /// With all of it.
    Whole(wrong: TextWrong)
        "{wrong}"
        "{wrong}";
    /// On a line.
    Line(line: Ungrouped<usize>, wrong: TextWrong)
        "line {line}: {wrong}"
        "Zeile {line}: {wrong}";
}

notes! {
    /// Why a text is not touched: a part of a sentence.
    TextWrong;
    /// Something else was expected.
    Expected(expected: TextPart, found: TextFound)
        "expected {expected}, found {found}"
        "erwartet: {expected}; gefunden: {found}";
    /// A comment without its end.
    OpenComment
        "a comment that is never closed"
        "ein Kommentar, der nie beendet wird";
    /// A text without its end.
    OpenText
        "a text that is never closed by '\"'"
        "ein Text, der nie mit '\"' beendet wird";
    /// A text with what JSON does not know.
    NoJson
        "a text that is not valid JSON"
        "ein Text, der kein gültiges JSON ist";
    /// Nested too deep.
    TooDeep(most: usize)
        "nested more than {most} levels deep"
        "tiefer als {most} Ebenen verschachtelt";
    /// An object has too much.
    ManyMembers(most: usize)
        "an object with more than {most} members"
        "ein Objekt mit mehr als {most} Feldern";
    /// It has too much.
    TooLarge(mebibytes: usize)
        "it is larger than {mebibytes} MiB"
        "die Datei ist größer als {mebibytes} MiB";
    /// Programs differ in which one they take.
    Twice(key: String)
        "{key:?} stands twice in the same object"
        "{key:?} steht zweimal im selben Objekt";
    /// Whoever reads TOML says so.
    Unread(error: String)
        "{error}"
        "{error}";
    /// It is no YAML.
    Yaml(wrong: MisreadWrong)
        "{wrong}"
        "{wrong}";
    /// No key leads anywhere.
    NoPlace
        "no place is named"
        "es ist keine Stelle genannt";
    /// Something on the way is none.
    NoObject(key: String)
        "{key:?} is not an object"
        "{key:?} ist kein Objekt";
    /// The list is none, in TOML.
    NoTable(key: String)
        "{key:?} is not a table"
        "{key:?} ist keine Tabelle";
    /// A list is missing.
    NoList(list: String)
        "it has no {list:?}"
        "darin fehlt {list:?}";
    /// An entry of a list is missing.
    NoEntry(name: String, list: String)
        "{name:?} is not in its {list:?}"
        "{name:?} steht nicht in {list:?}";
    /// Where an entry stands can't be told, in TOML.
    NoOwnPlace(name: String)
        "{name:?} has no place of its own"
        "{name:?} hat keine eigene Stelle";
    /// An entry's values stand by themselves, in TOML.
    Dotted(name: String)
        "{name:?} is written with dotted keys"
        "{name:?} ist mit Punkten in den Schlüsseln geschrieben";
    /// The same, or it is a number or the like.
    DottedOrPlain(name: String)
        "{name:?} is written with dotted keys, or is no table"
        "{name:?} ist mit Punkten in den Schlüsseln geschrieben oder keine Tabelle";
    /// More would become different.
    Around
        "it can't be changed without changing what is around it"
        "es lässt sich nicht ändern, ohne dass sich ändert, was darum herum steht";
    /// The same of an entry.
    AroundEntry
        "the entry can't be changed without changing what is around it"
        "der Eintrag lässt sich nicht ändern, ohne dass sich ändert, was darum herum steht";
    /// Entries would not be what they were.
    NotPutBack
        "its entries can't be put back as they were"
        "die Einträge lassen sich nicht so wiederherstellen, wie sie waren";
    /// Its program has made something else of it.
    WrittenAnew
        "the entry has been written anew in another way"
        "der Eintrag wurde auf andere Weise neu geschrieben";
}

notes! {
    /// What was expected at a place of a text.
    TextPart;
    /// What begins with a brace.
    Object
        "an object"
        "ein Objekt";
    /// Nothing more.
    End
        "the end of the file"
        "das Ende der Datei";
    /// The next item, or no more of them.
    ItemsEnd
        "',' or the end of the list"
        "',' oder das Ende der Liste";
    /// What JSON has there.
    OfJson(part: JsonPart)
        "{part}"
        "{part}";
}

notes! {
    /// What stands there instead.
    TextFound;
    /// Nothing more.
    NoMore
        "the end of the file"
        "das Ende der Datei";
    /// A character.
    Character(quoted: String)
        "{quoted}"
        "{quoted}";
}
