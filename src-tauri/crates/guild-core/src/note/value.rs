//! What is wrong with a value: words that follow the name of its place, as in “is required”.

use serde_json::Value;

use super::{ArgumentsWrong, Each, JsonKind, Told, Ungrouped, notes};
use crate::language::Language;

/// The longest text that a sentence repeats from a schema, in characters.
const TEXT_CHARS_MAX: usize = 80;
/// The most choices that a sentence lists.
const CHOICES_MAX: usize = 12;

notes! {
    /// What is wrong with a value; the name of its place stands before it.
    ValueWrong;
    /// It is not there.
    Required
        "is required"
        "fehlt";
    /// A schema has no such property.
    Unknown
        "is no property that the tool knows"
        "ist keine Eigenschaft, die das Werkzeug kennt";
    /// The arguments are too large to be told where they are wrong.
    Somewhere
        "do not fit the tool's schema, and are too large to say where"
        "passen nicht zum Schema des Werkzeugs und sind zu groß, um zu sagen, wo";
    /// None of several schemas fits, and what they have in common can't be said.
    NoForm(count: usize)
        "fits none of the {count} forms that are allowed here"
        "passt zu keiner der {count} Formen, die hier erlaubt sind";
    /// It has another type.
    Kind(kinds: Kinds)
        "must be {kinds}"
        "muss {kinds} sein";
    /// There is one value that it may be, as JSON.
    Constant(value: Repeated)
        "must be {value}"
        "muss {value} sein";
    /// There are some values that it may be.
    NoChoice(choices: Choices)
        "must be one of: {choices}"
        "muss eines hiervon sein: {choices}";
    /// There are types, and some values, that it may be.
    NeitherKindNorChoice(kinds: Kinds, choices: Choices)
        "must be {kinds}, or one of: {choices}"
        "muss {kinds} sein oder eines hiervon: {choices}";
    /// It is too small.
    BelowMinimum(limit: Repeated)
        "must be at least {limit}"
        "muss mindestens {limit} sein";
    /// It is too large.
    AboveMaximum(limit: Repeated)
        "must be at most {limit}"
        "darf höchstens {limit} sein";
    /// It is too small, or the limit itself.
    NotAbove(limit: Repeated)
        "must be more than {limit}"
        "muss größer als {limit} sein";
    /// It is too large, or the limit itself.
    NotBelow(limit: Repeated)
        "must be less than {limit}"
        "muss kleiner als {limit} sein";
    /// It is no multiple of a number.
    NoMultiple(of: String)
        "must be a multiple of {of}"
        "muss ein Vielfaches von {of} sein";
    /// It is too short.
    TooFew(least: Count)
        "must have at least {least}"
        "muss mindestens {least} haben";
    /// It is too long.
    TooMany(most: Count)
        "must have at most {most}"
        "darf höchstens {most} haben";
    /// It is a longer list than its schemas name.
    MoreEntries
        "has more entries than are allowed"
        "hat mehr Einträge als erlaubt";
    /// It has an entry twice.
    EntryTwice
        "must not have the same entry twice"
        "darf keinen Eintrag doppelt haben";
    /// It has no entry that fits a schema.
    NoEntry
        "lacks an entry that has to be in it"
        "enthält einen Eintrag nicht, der dabei sein muss";
    /// It is another text than a pattern wants.
    NoMatch(pattern: Repeated)
        "must match the pattern {pattern}"
        "muss dem Muster {pattern} entsprechen";
    /// It is in another format.
    NoFormat(format: Repeated)
        "must be a valid {format}"
        "muss dem Format {format} entsprechen";
    /// It is encoded otherwise.
    NoEncoding(encoding: Repeated)
        "must be encoded as {encoding}"
        "muss als {encoding} codiert sein";
    /// It has another media type.
    NoMediaType(media: Repeated)
        "must be of the kind {media}"
        "muss von der Art {media} sein";
    /// A property of it has a name that is not allowed.
    PropertyName(why: OfName)
        "has a property whose name is not allowed: it {why}"
        "hat eine Eigenschaft, deren Name nicht erlaubt ist: er {why}";
    /// Several schemas fit where one has to.
    SeveralForms
        "fits more than one form where one is allowed"
        "passt zu mehreren Formen, von denen nur eine erlaubt ist";
    /// Nothing fits there.
    NotHere
        "is not allowed here"
        "ist hier nicht erlaubt";
    /// It fits what it must not.
    ForbiddenForm
        "has a form that is not allowed here"
        "hat eine Form, die hier nicht erlaubt ist";
    /// Something else.
    Unfit
        "does not fit the tool's schema"
        "passt nicht zum Schema des Werkzeugs";
    /// An answer that is too long.
    TooLong(most: usize)
        "has more than {most} bytes"
        "hat mehr als {most} Bytes";
    /// An answer that no program can be given.
    Nul
        "has a NUL character"
        "enthält ein NUL-Zeichen";
    /// A result without what was promised.
    NothingStructured
        "is missing, though the tool has an output schema"
        "fehlt, obwohl das Werkzeug ein Ausgabeschema hat";
    /// Arguments that are no JSON, or would not be sent as they were typed.
    Unsendable(line: Ungrouped<usize>, column: Ungrouped<usize>, wrong: ArgumentsWrong)
        "The arguments can't be sent: line {line}, column {column}: {wrong}."
        "Die Argumente lassen sich so nicht senden: Zeile {line}, Spalte {column}: {wrong}.";
    /// What an error says.
    Said(message: Each)
        "{message}"
        "{message}";
}

/// Types of which a value may have any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kinds(pub(crate) Vec<JsonKind>);

impl Told for Kinds {
    fn told(&self, language: Language) -> String {
        super::told(&self.0, language).join(match language {
            Language::En => " or ",
            Language::De => " oder ",
        })
    }
}

/// Values of which one is meant, as JSON; of many the first ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    first: Vec<Repeated>,
    more: usize,
}

impl Choices {
    /// The choices in this order.
    pub(crate) fn of<'v>(choices: impl IntoIterator<Item = &'v Value>) -> Self {
        let mut choices = choices.into_iter();
        Self {
            first: choices
                .by_ref()
                .take(CHOICES_MAX)
                .map(Repeated::value)
                .collect(),
            more: choices.count(),
        }
    }
}

impl Told for Choices {
    fn told(&self, language: Language) -> String {
        let first = self.first.told(language);
        let more = self.more.told(language);
        match (self.more, language) {
            (0, _) => first,
            (_, Language::En) => format!("{first} and {more} more"),
            (1, Language::De) => format!("{first} und 1 weiteres"),
            (_, Language::De) => format!("{first} und {more} weitere"),
        }
    }
}

/// So many of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Of a text.
    Characters(u64),
    /// Of a list.
    Entries(u64),
    /// Of an object.
    Properties(u64),
}

impl Told for Count {
    fn told(&self, language: Language) -> String {
        let (count, [one, other]) = match (*self, language) {
            (Self::Characters(count), Language::En) => (count, ["character", "characters"]),
            (Self::Characters(count), Language::De) => (count, ["Zeichen", "Zeichen"]),
            (Self::Entries(count), Language::En) => (count, ["entry", "entries"]),
            (Self::Entries(count), Language::De) => (count, ["Eintrag", "Einträge"]),
            (Self::Properties(count), Language::En) => (count, ["property", "properties"]),
            (Self::Properties(count), Language::De) => (count, ["Eigenschaft", "Eigenschaften"]),
        };
        let what = if count == 1 { one } else { other };
        format!("{} {what}", language.number(count))
    }
}

/// A text of a schema, cut where it is long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated(String);

impl Repeated {
    /// A value as JSON.
    pub(crate) fn value(value: &Value) -> Self {
        Self::text(&value.to_string())
    }

    /// A text as it is.
    pub(crate) fn text(text: &str) -> Self {
        Self(match text.char_indices().nth(TEXT_CHARS_MAX) {
            None => text.to_owned(),
            Some((end, _)) => format!("{}…", &text[..end]),
        })
    }
}

impl Told for Repeated {
    fn told(&self, _: Language) -> String {
        self.0.clone()
    }
}

/// What is wrong with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfName(pub(crate) Box<ValueWrong>);

impl Told for OfName {
    fn told(&self, language: Language) -> String {
        self.0.told(language)
    }
}

#[cfg(test)]
mod examples {
    use super::super::Example;
    use super::*;

    impl Example for Kinds {
        fn example() -> Self {
            Self(JsonKind::all())
        }
    }

    impl Example for Choices {
        fn example() -> Self {
            Self {
                first: vec![Repeated::text("X")],
                more: 7,
            }
        }
    }

    impl Example for Count {
        fn example() -> Self {
            Self::Entries(7)
        }
    }

    impl Example for Repeated {
        fn example() -> Self {
            Self::text("X")
        }
    }

    impl Example for OfName {
        fn example() -> Self {
            Self(Box::new(ValueWrong::NotHere))
        }
    }
}
