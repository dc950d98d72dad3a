//! What should be known of an MCPB bundle before it is installed.

use serde_json::Value;

use super::{Every, notes};

notes! {
    /// What is odd about a bundle and stops nothing, or that it is made for other machines.
    BundleNote;
    /// Its server's file is missing.
    NoEntry
        "The file that its server begins with is not in the bundle."
        "Die Datei, mit der der Server beginnt, ist nicht im Bündel.";
    /// A setting that nobody is asked for.
    UnaskedSetting(key: String)
        "It uses the setting {key}, which it does not ask for."
        "Es verwendet die Einstellung {key}, nach der es nicht fragt.";
    /// A default of another type than its setting.
    OddDefault(key: String)
        "Left out: the default of {key}, which is none for it."
        "Ausgelassen: die Vorgabe von {key}, die nicht dazu passt.";
    /// Several answers in one place.
    SeveralAnswers(place: String)
        "Several answers are one text in {place}, with commas between them."
        "Mehrere Antworten sind in {place} ein Text, mit Kommas dazwischen.";
    /// A variable that is none.
    UnknownVariable(name: String)
        "${{{name}}} is no variable of the format; it is passed on as it stands."
        "${{{name}}} ist keine Variable des Formats; sie wird so weitergegeben, wie sie da steht.";
    /// It is made for other systems.
    MadeFor(systems: Every, own: String)
        "It is made for {systems}, and this is {own}."
        "Es ist für {systems} gemacht, und dies ist {own}.";
    /// A version of the format.
    UnknownFormat(format: String)
        "It is written in version {format} of the format, which is not known here."
        "Es ist in Version {format} des Formats geschrieben, die hier nicht bekannt ist.";
    /// A field that is wrong.
    LeftOut(wrong: BundleWrong)
        "Left out: {wrong}."
        "Ausgelassen: {wrong}.";
    /// Entries of a list that are wrong.
    SomeLeftOut(count: usize, list: String)
        "Left out: {count} of its {list} can't be read."
        "Ausgelassen: {count} unter {list}, nicht lesbar.";
    /// A list that is none.
    NoList(list: String)
        "Left out: {list} is no list."
        "Ausgelassen: {list} ist keine Liste.";
}

notes! {
    /// What is wrong with a field of its manifest.
    BundleWrong;
    /// Its text is too long.
    TooLong(field: String, most: usize)
        "{field} has more than {most} bytes"
        "{field} hat mehr als {most} Bytes";
    /// It has too many entries.
    TooMany(field: String, most: usize)
        "{field} has more than {most} entries"
        "{field} hat mehr als {most} Einträge";
    /// It is something else.
    Mismatch(field: String, is: JsonKind, wanted: JsonKind)
        "{field} is {is} and should be {wanted}"
        "{field} ist {is}, verlangt ist {wanted}";
}

notes! {
    /// What a value is.
    JsonKind;
    /// Nothing.
    Null
        "null"
        "null";
    /// A truth value.
    Boolean
        "a boolean"
        "ein Wahrheitswert";
    /// One of the two.
    Flag
        "true or false"
        "true oder false";
    /// A number.
    Number
        "a number"
        "eine Zahl";
    /// A number without a fraction.
    Whole
        "a whole number"
        "eine ganze Zahl";
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

impl JsonKind {
    /// What this one is.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }
}

/// What is wrong with what can't be done without is an error, in English as all are.
impl From<BundleWrong> for String {
    fn from(wrong: BundleWrong) -> Self {
        wrong.to_string()
    }
}
