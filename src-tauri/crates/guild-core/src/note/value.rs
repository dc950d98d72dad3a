//! What is wrong with a value: words that follow the name of its place, as in “is required”.

use serde_json::Value;

use super::{ArgumentsWrong, Each, Every, JsonKind, Told, Ungrouped, notes};
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
    /// It is not there, and other properties that are there demand it.
    RequiredBeside(others: Every)
        "is required beside {others}"
        "fehlt, ist aber neben {others} nötig";
    /// It is not there, and has to be with these values.
    RequiredWhen(conditions: Vec<Condition>)
        "is required when {conditions}"
        "fehlt, ist aber nötig, wenn {conditions}";
    /// It is not there, and may only be missing with these values.
    RequiredUnless(conditions: Vec<Condition>)
        "is required unless {conditions}"
        "fehlt, ist aber nötig, außer wenn {conditions}";
    /// It is not there, and has to be with the values of other properties.
    RequiredHere
        "is required with the other values that are given"
        "fehlt, ist aber bei den anderen Werten nötig";
    /// It is not there, and each branch of a union names a value for it.
    RequiredOneOf(choices: Choices)
        "is required, as one of: {choices}"
        "fehlt und muss eines hiervon sein: {choices}";
    /// A schema has no such property.
    Unknown
        "is no property that the tool knows"
        "ist keine Eigenschaft, die das Werkzeug kennt";
    /// The arguments are too large to be told where they are wrong.
    Somewhere
        "do not fit the tool's schema, and are too large to say where"
        "passen nicht zum Schema des Werkzeugs und sind zu groß, um zu sagen, wo";
    /// None of several schemas fits; the one that it comes closest to, and what that one lacks.
    NoForm(count: usize, closest: Closest)
        "fits none of {count} allowed forms; the closest is {closest}"
        "passt zu keiner von {count} erlaubten Formen; am nächsten liegt {closest}";
    /// None of several sets of properties is there as a whole.
    NeedsOneOf(groups: Names)
        "needs {groups}"
        "braucht {groups}";
    /// Several sets of properties are there of which one is allowed.
    OnlyOneOf(groups: Names)
        "must not have more than one of these: {groups}"
        "darf nur eines hiervon haben: {groups}";
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
    /// The same, with a text that does match.
    NoMatchLike(pattern: Repeated, example: Repeated)
        "must match the pattern {pattern}, for example {example}"
        "muss dem Muster {pattern} entsprechen, zum Beispiel {example}";
    /// It is another text than a pattern wants, which its description puts into words.
    NoMatchOf(description: Repeated)
        "does not match its pattern. Its description: {description}"
        "entspricht nicht seinem Muster. Seine Beschreibung: {description}";
    /// It is in another format than this text.
    NoFormatLike(format: Repeated, example: Repeated)
        "must be a valid {format}, for example {example}"
        "muss dem Format {format} entsprechen, zum Beispiel {example}";
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
    SeveralForms(forms: Vec<FormName>)
        "fits more than one form where one is allowed: {forms}"
        "passt zu mehreren Formen, von denen nur eine erlaubt ist: {forms}";
    /// Nothing fits there.
    NotHere
        "is not allowed here"
        "ist hier nicht erlaubt";
    /// It fits what it must not.
    ForbiddenForm(schema: Repeated)
        "must not fit {schema}"
        "darf nicht zu {schema} passen";
    /// It is a value that it must not be.
    ForbiddenChoice(choices: Choices)
        "must not be any of: {choices}"
        "darf keines hiervon sein: {choices}";
    /// It has a property that it must not have.
    ForbiddenProperty(names: Names)
        "must not have {names}"
        "darf {names} nicht haben";
    /// It has all of some properties.
    ForbiddenTogether(names: Every)
        "must not have {names} together"
        "darf {names} nicht zusammen haben";
    /// It matches a pattern.
    ForbiddenMatch(pattern: Repeated)
        "must not match the pattern {pattern}"
        "darf dem Muster {pattern} nicht entsprechen";
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

notes! {
    /// What another property has to be.
    Condition;
    /// One of these values.
    Is(name: String, choices: Choices)
        "{name} is {choices}"
        "{name} {choices} ist";
    /// Given.
    Given(name: String)
        "{name} is given"
        "{name} angegeben ist";
    /// Not given.
    Missing(name: String)
        "{name} is not given"
        "{name} nicht angegeben ist";
}

notes! {
    /// How one branch of a union is called.
    FormName;
    /// By its title.
    Titled(title: Repeated)
        "“{title}”"
        "„{title}“";
    /// By a property with one value.
    Tagged(name: String, choices: Choices)
        "{name}: {choices}"
        "{name}: {choices}";
    /// By the properties that it requires.
    With(names: Vec<String>)
        "the one with {names}"
        "die mit {names}";
    /// By its type.
    Kind(kinds: Kinds)
        "{kinds}"
        "{kinds}";
    /// By its place, from 1.
    At(place: usize)
        "form {place}"
        "Form {place}";
}

/// A branch of a union, and what a value lacks of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closest {
    /// The branch.
    pub(crate) form: FormName,
    /// The first things that are wrong, each at its place inside of the value.
    pub(crate) lacks: Vec<PartWrong>,
}

impl Told for Closest {
    fn told(&self, language: Language) -> String {
        let form = self.form.told(language);
        if self.lacks.is_empty() {
            return form;
        }
        let between = match language {
            Language::En => " and ",
            Language::De => " und ",
        };
        format!(
            "{form}: {}",
            super::told(&self.lacks, language).join(between)
        )
    }
}

/// What is wrong at a place inside of a value; an empty place is the value itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartWrong {
    /// The place, as people read it.
    pub(crate) place: Repeated,
    /// What.
    pub(crate) what: Box<ValueWrong>,
}

impl Told for PartWrong {
    fn told(&self, language: Language) -> String {
        let what = self.what.told(language);
        match (self.place.0.as_str(), language) {
            ("", Language::En) => format!("it {what}"),
            ("", Language::De) => format!("der Wert {what}"),
            (place, _) => format!("{place} {what}"),
        }
    }
}

/// Sets of properties of which one is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(pub(crate) Vec<Vec<String>>);

impl Told for Names {
    fn told(&self, language: Language) -> String {
        let (and, or) = match language {
            Language::En => (" and ", " or "),
            Language::De => (" und ", " oder "),
        };
        let groups: Vec<String> = self.0.iter().map(|names| names.join(and)).collect();
        groups.join(or)
    }
}

/// Types of which a value may have any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kinds(Vec<JsonKind>);

impl Kinds {
    /// Each type once, null last; every whole number is a number.
    pub(crate) fn of(kinds: Vec<JsonKind>) -> Self {
        let numbers = kinds.contains(&JsonKind::Number);
        let mut all: Vec<JsonKind> = Vec::new();
        for kind in kinds {
            let said = all.contains(&kind) || (numbers && kind == JsonKind::Whole);
            if !said {
                all.push(kind);
            }
        }
        all.sort_by_key(|kind| *kind == JsonKind::Null);
        Self(all)
    }

    /// Whether there is no type.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Told for Kinds {
    fn told(&self, language: Language) -> String {
        let or = match language {
            Language::En => " or ",
            Language::De => " oder ",
        };
        let mut kinds = super::told(&self.0, language);
        match kinds.pop() {
            Some(last) if !kinds.is_empty() => format!("{}{or}{last}", kinds.join(", ")),
            last => last.unwrap_or_default(),
        }
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

    /// The choices of all of these, in their order.
    pub(crate) fn joined(all: Vec<Self>) -> Self {
        let count: usize = all.iter().map(Self::len).sum();
        let mut first: Vec<Repeated> = all.into_iter().flat_map(|one| one.first).collect();
        first.truncate(CHOICES_MAX);
        Self {
            more: count - first.len(),
            first,
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.first.len() + self.more
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

    /// A text in one line.
    pub(crate) fn line(text: &str) -> Self {
        let words: Vec<&str> = text.split_whitespace().take(TEXT_CHARS_MAX).collect();
        Self::text(&words.join(" "))
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
            Self::of(JsonKind::all())
        }
    }

    impl Example for Closest {
        fn example() -> Self {
            Self {
                form: FormName::example(),
                lacks: vec![PartWrong {
                    place: Repeated::text("X"),
                    what: Box::new(ValueWrong::NotHere),
                }],
            }
        }
    }

    impl Example for Names {
        fn example() -> Self {
            Self(vec![vec!["X".to_owned()], vec!["X".to_owned()]])
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
