//! What is wrong with a text that should be JSON.

use super::{JsonKind, Ungrouped, notes};

notes! {
    /// Why a text is no JSON.
    JsonWrong;
    /// It breaks the grammar.
    Syntax(message: String, found: JsonFound)
        "{message}; found {found}";
    /// Nested too deep.
    TooDeep(most: usize)
        "nested more than {most} levels deep";
    /// A key stands twice.
    Twice(key: String)
        "the key {key} stands twice in the same object";
    /// A number that would change.
    Number(written: String, wrong: NumberWrong)
        "the number {written} {wrong}";
}

notes! {
    /// What stands at a place that should have been JSON.
    JsonFound;
    /// Nothing more.
    NoMore
        "the end of the text";
    /// A comment, or the beginning of one.
    Slash
        "'/' (JSON has no comments)";
    /// A single quote.
    Quote
        "a single quote (JSON has double quotes only)";
    /// A character.
    Character(quoted: String)
        "{quoted}";
}

notes! {
    /// What a value of a file is; texts are not repeated, for they may be secret.
    Shown;
    /// Nothing.
    Null
        "null";
    /// As it is written.
    Plain(written: String)
        "{written}";
    /// A number of very many digits.
    VeryLong
        "a very long number";
    /// A number.
    Number(digits: String)
        "the number {digits}";
    /// A text without characters.
    EmptyText
        "an empty text";
    /// A text.
    Text
        "a text";
    /// A list.
    List
        "a list";
    /// An object.
    Object
        "an object";
}

notes! {
    /// Why a number can't be sent as it is written.
    NumberWrong;
    /// It is outside of what is exact.
    Outside(low: i64, high: Ungrouped<u64>)
        "is outside of what can be sent exactly ({low} to {high}); send it as a text";
    /// It can't be read.
    Unreadable
        "can't be read";
    /// It is too large.
    TooLarge
        "is too large to be sent";
    /// It has too many digits.
    Digits(count: usize, most: usize)
        "has {count} significant digits; {most} are the most that can be sent exactly";
    /// It would be another.
    Changed(number: String)
        "would be sent as {number}";
}

notes! {
    /// Why arguments can't be sent as they were typed.
    ArgumentsWrong;
    /// They are too long.
    TooLong(length: usize, most: usize)
        "{length} bytes; {most} are the most";
    /// They are no JSON.
    NoJson(wrong: JsonWrong)
        "{wrong}";
    /// They are no object.
    NoObject(found: JsonKind)
        "expected an object in braces, found {found}";
}
