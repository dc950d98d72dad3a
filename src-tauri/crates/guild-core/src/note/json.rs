//! What is wrong with a text that should be JSON.

use super::{JsonKind, Ungrouped, notes};

notes! {
    /// Why a text is no JSON.
    JsonWrong;
    /// Something else was expected.
    Expected(expected: JsonPart, found: JsonFound)
        "expected {expected}, found {found}"
        "erwartet: {expected}; gefunden: {found}";
    /// A comment without its end.
    OpenComment
        "a comment that begins here is never closed by '*/'"
        "ein Kommentar, der hier beginnt, wird nie mit '*/' beendet";
    /// Nested too deep.
    TooDeep(most: usize)
        "nested more than {most} levels deep"
        "tiefer als {most} Ebenen verschachtelt";
    /// A key stands twice.
    Twice(key: String)
        "the key {key} stands twice in the same object"
        "der Schlüssel {key} steht zweimal im selben Objekt";
    /// A line end in a text.
    Control
        "a line end or control character inside a text; write it as an escape such as \\n"
        "ein Zeilenende oder Steuerzeichen in einem Text; es als Escape wie \\n schreiben";
    /// A text without its end.
    OpenText
        "a text that begins here is never closed by '\"'"
        "ein Text, der hier beginnt, wird nie mit '\"' beendet";
    /// Half a character.
    Surrogate
        "half of a surrogate pair, which is no character"
        "die Hälfte eines Surrogatpaars, was kein Zeichen ist";
    /// No digits behind `\u`.
    Hex
        "expected four hexadecimal digits after \\u"
        "nach \\u erwartet: vier hexadezimale Ziffern";
    /// Zeros before a number.
    LeadingZeros
        "a number with leading zeros"
        "eine Zahl mit führenden Nullen";
    /// A number that would change.
    Number(written: String, wrong: NumberWrong)
        "the number {written} {wrong}"
        "die Zahl {written} {wrong}";
}

notes! {
    /// What JSON has at a place.
    JsonPart;
    /// Nothing more.
    End
        "the end of the text"
        "das Ende des Textes";
    /// Any value.
    Value
        "a value"
        "ein Wert";
    /// The next item, or the end.
    ListEnd
        "',' or ']'"
        "',' oder ']'";
    /// A key.
    Key
        "a key in double quotes"
        "ein Schlüssel in doppelten Anführungszeichen";
    /// What stands behind a key.
    Colon
        "':'"
        "ein ':'";
    /// The next field, or the end.
    ObjectEnd
        "',' or '}}'"
        "',' oder '}}'";
    /// A digit.
    Digit
        "a digit"
        "eine Ziffer";
    /// What stands behind a backslash.
    Escape
        "one of \" \\ / b f n r t u after a backslash"
        "eines von \" \\ / b f n r t u nach einem Backslash";
}

notes! {
    /// What stands at a place that should have been JSON.
    JsonFound;
    /// Nothing more.
    NoMore
        "the end of the text"
        "das Ende des Textes";
    /// A comment, or the beginning of one.
    Slash
        "'/' (JSON has no comments)"
        "'/' (JSON hat keine Kommentare)";
    /// A single quote.
    Quote
        "a single quote (JSON has double quotes only)"
        "ein einfaches Anführungszeichen (JSON hat nur doppelte)";
    /// A character.
    Character(quoted: String)
        "{quoted}"
        "{quoted}";
}

notes! {
    /// What a value of a file is; texts are not repeated, for they may be secret.
    Shown;
    /// Nothing.
    Null
        "null"
        "null";
    /// As it is written.
    Plain(written: String)
        "{written}"
        "{written}";
    /// A number of very many digits.
    VeryLong
        "a very long number"
        "eine sehr lange Zahl";
    /// A number.
    Number(digits: String)
        "the number {digits}"
        "die Zahl {digits}";
    /// A text without characters.
    EmptyText
        "an empty text"
        "ein leerer Text";
    /// A text.
    Text
        "a text"
        "ein Text";
    /// A list.
    List
        "a list"
        "eine Liste";
    /// An object.
    Object
        "an object"
        "ein Objekt";
}

notes! {
    /// Why a number can't be sent as it is written.
    NumberWrong;
    /// It is outside of what is exact.
    Outside(low: i64, high: Ungrouped<u64>)
        "is outside of what can be sent exactly ({low} to {high}); send it as a text"
        "liegt außerhalb dessen, was sich genau senden lässt ({low} bis {high}); sie als Text senden";
    /// It can't be read.
    Unreadable
        "can't be read"
        "ist nicht lesbar";
    /// It is too large.
    TooLarge
        "is too large to be sent"
        "ist zum Senden zu groß";
    /// It has too many digits.
    Digits(count: usize, most: usize)
        "has {count} significant digits; {most} are the most that can be sent exactly"
        "hat {count} signifikante Ziffern; höchstens {most} lassen sich genau senden";
    /// It would be another.
    Changed(number: String)
        "would be sent as {number}"
        "würde als {number} gesendet";
}

notes! {
    /// Why arguments can't be sent as they were typed.
    ArgumentsWrong;
    /// They are too long.
    TooLong(length: usize, most: usize)
        "{length} bytes; {most} are the most"
        "{length} Bytes; höchstens {most} dürfen es sein";
    /// They are no JSON.
    NoJson(wrong: JsonWrong)
        "{wrong}"
        "{wrong}";
    /// They are no object.
    NoObject(found: JsonKind)
        "expected an object in braces, found {found}"
        "erwartet: ein Objekt in geschweiften Klammern; gefunden: {found}";
}
