//! What is wrong with a value: words that follow the name of its place, as in “is required”.

use serde_json::Value;

use super::{ArgumentsWrong, Every, JsonKind, Told, Ungrouped, notes};
use crate::number::grouped;

/// The longest text that a sentence repeats from a schema, in characters.
const TEXT_CHARS_MAX: usize = 80;
/// The most choices that a sentence lists.
const CHOICES_MAX: usize = 12;

notes! {
    /// What is wrong with a value; the name of its place stands before it.
    ValueWrong;
    /// It is not there.
    Required
        "is required";
    /// It is not there, and other properties that are there demand it.
    RequiredBeside(others: Every)
        "is required beside {others}";
    /// It is not there, and has to be with these values.
    RequiredWhen(conditions: Vec<Condition>)
        "is required when {conditions}";
    /// It is not there, and may only be missing with these values.
    RequiredUnless(conditions: Vec<Condition>)
        "is required unless {conditions}";
    /// It is not there, and has to be with the values of other properties.
    RequiredHere
        "is required with the other values that are given";
    /// It is not there, and each branch of a union names a value for it.
    RequiredOneOf(choices: Choices)
        "is required, as one of: {choices}";
    /// A schema has no such property.
    Unknown
        "is no property that the tool knows";
    /// The arguments are too large to be told where they are wrong.
    Somewhere
        "do not fit the tool's schema, and are too large to say where";
    /// None of several schemas fits; the one that it comes closest to, and what that one lacks.
    NoForm(count: usize, closest: Closest)
        "fits none of {count} allowed forms; the closest is {closest}";
    /// None of several sets of properties is there as a whole.
    NeedsOneOf(groups: Names)
        "needs {groups}";
    /// Several sets of properties are there of which one is allowed.
    OnlyOneOf(groups: Names)
        "must not have more than one of these: {groups}";
    /// It has another type.
    Kind(kinds: Kinds)
        "must be {kinds}";
    /// There is one value that it may be, as JSON.
    Constant(value: Repeated)
        "must be {value}";
    /// There are some values that it may be.
    NoChoice(choices: Choices)
        "must be one of: {choices}";
    /// There are types, and some values, that it may be.
    NeitherKindNorChoice(kinds: Kinds, choices: Choices)
        "must be {kinds}, or one of: {choices}";
    /// It is too small.
    BelowMinimum(limit: Repeated)
        "must be at least {limit}";
    /// It is too large.
    AboveMaximum(limit: Repeated)
        "must be at most {limit}";
    /// It is too small, or the limit itself.
    NotAbove(limit: Repeated)
        "must be more than {limit}";
    /// It is too large, or the limit itself.
    NotBelow(limit: Repeated)
        "must be less than {limit}";
    /// It is no multiple of a number.
    NoMultiple(of: String)
        "must be a multiple of {of}";
    /// It is too short.
    TooFew(least: Count)
        "must have at least {least}";
    /// It is too long.
    TooMany(most: Count)
        "must have at most {most}";
    /// It is a longer list than its schemas name.
    MoreEntries
        "has more entries than are allowed";
    /// It has an entry twice.
    EntryTwice
        "must not have the same entry twice";
    /// It has no entry that fits a schema.
    NoEntry
        "lacks an entry that has to be in it";
    /// It is another text than a pattern wants.
    NoMatch(pattern: Repeated)
        "must match the pattern {pattern}";
    /// The same, with a text that does match.
    NoMatchLike(pattern: Repeated, example: Repeated)
        "must match the pattern {pattern}, for example {example}";
    /// It is another text than a pattern wants, which its description puts into words.
    NoMatchOf(description: Repeated)
        "does not match its pattern. Its description: {description}";
    /// It is in another format than this text.
    NoFormatLike(format: Repeated, example: Repeated)
        "must be a valid {format}, for example {example}";
    /// It is in another format.
    NoFormat(format: Repeated)
        "must be a valid {format}";
    /// It is encoded otherwise.
    NoEncoding(encoding: Repeated)
        "must be encoded as {encoding}";
    /// It has another media type.
    NoMediaType(media: Repeated)
        "must be of the kind {media}";
    /// A property of it has a name that is not allowed.
    PropertyName(why: OfName)
        "has a property whose name is not allowed: it {why}";
    /// Several schemas fit where one has to.
    SeveralForms(forms: Vec<FormName>)
        "fits more than one form where one is allowed: {forms}";
    /// Nothing fits there.
    NotHere
        "is not allowed here";
    /// It fits what it must not.
    ForbiddenForm(schema: Repeated)
        "must not fit {schema}";
    /// It is a value that it must not be.
    ForbiddenChoice(choices: Choices)
        "must not be any of: {choices}";
    /// It has a property that it must not have.
    ForbiddenProperty(names: Names)
        "must not have {names}";
    /// It has all of some properties.
    ForbiddenTogether(names: Every)
        "must not have {names} together";
    /// It matches a pattern.
    ForbiddenMatch(pattern: Repeated)
        "must not match the pattern {pattern}";
    /// Something else.
    Unfit
        "does not fit the tool's schema";
    /// An answer that is too long.
    TooLong(most: usize)
        "has more than {most} bytes";
    /// An answer that no program can be given.
    Nul
        "has a NUL character";
    /// A result without what was promised.
    NothingStructured
        "is missing, though the tool has an output schema";
    /// Arguments that are no JSON, or would not be sent as they were typed.
    Unsendable(line: Ungrouped<usize>, column: Ungrouped<usize>, wrong: ArgumentsWrong)
        "The arguments can't be sent: line {line}, column {column}: {wrong}.";
    /// What an error says.
    Said(message: String)
        "{message}";
}

notes! {
    /// What another property has to be.
    Condition;
    /// One of these values.
    Is(name: String, choices: Choices)
        "{name} is {choices}";
    /// Given.
    Given(name: String)
        "{name} is given";
    /// Not given.
    Missing(name: String)
        "{name} is not given";
}

notes! {
    /// How one branch of a union is called.
    FormName;
    /// By its title.
    Titled(title: Repeated)
        "“{title}”";
    /// By a property with one value.
    Tagged(name: String, choices: Choices)
        "{name}: {choices}";
    /// By the properties that it requires.
    With(names: Vec<String>)
        "the one with {names}";
    /// By its type.
    Kind(kinds: Kinds)
        "{kinds}";
    /// By its place, from 1.
    At(place: usize)
        "form {place}";
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
    fn told(&self) -> String {
        let form = self.form.told();
        if self.lacks.is_empty() {
            return form;
        }
        format!("{form}: {}", super::told(&self.lacks).join(" and "))
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
    fn told(&self) -> String {
        let what = self.what.told();
        match self.place.0.as_str() {
            "" => format!("it {what}"),
            place => format!("{place} {what}"),
        }
    }
}

/// Sets of properties of which one is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(pub(crate) Vec<Vec<String>>);

impl Told for Names {
    fn told(&self) -> String {
        let groups: Vec<String> = self.0.iter().map(|names| names.join(" and ")).collect();
        groups.join(" or ")
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
    fn told(&self) -> String {
        let mut kinds = super::told(&self.0);
        match kinds.pop() {
            Some(last) if !kinds.is_empty() => format!("{} or {last}", kinds.join(", ")),
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
    fn told(&self) -> String {
        let first = self.first.told();
        let more = self.more.told();
        match self.more {
            0 => first,
            _ => format!("{first} and {more} more"),
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
    fn told(&self) -> String {
        let (count, [one, other]) = match *self {
            Self::Characters(count) => (count, ["character", "characters"]),
            Self::Entries(count) => (count, ["entry", "entries"]),
            Self::Properties(count) => (count, ["property", "properties"]),
        };
        let what = if count == 1 { one } else { other };
        format!("{} {what}", grouped(count))
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
    fn told(&self) -> String {
        self.0.clone()
    }
}

/// What is wrong with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfName(pub(crate) Box<ValueWrong>);

impl Told for OfName {
    fn told(&self) -> String {
        self.0.told()
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
