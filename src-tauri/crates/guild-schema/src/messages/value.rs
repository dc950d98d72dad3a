//! Errors in a value, as words that follow the path of the value: “is required”.

use std::fmt;

use serde_json::Value;
use thiserror::Error;

use guild_text::messages::JsonKind;
use guild_text::messages::{ArgumentsProblem, joined};
use guild_text::number::grouped;

/// Maximum length of a string from a schema that a message repeats, in characters.
const TEXT_CHARS_MAX: usize = 80;
/// Maximum number of choices that a message lists.
const CHOICES_MAX: usize = 12;

/// A problem with a value, as words that follow the path of the value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ValueProblem {
    #[error("is required")]
    Required,
    #[error("is required together with {others}", others = .0.join(" and "))]
    RequiredBeside(Vec<String>),
    #[error("is required when {conditions}", conditions = joined(.0))]
    RequiredWhen(Vec<Condition>),
    #[error("is required unless {conditions}", conditions = joined(.0))]
    RequiredUnless(Vec<Condition>),
    #[error("is required because of the other values")]
    RequiredHere,
    #[error("is required and must be one of: {0}")]
    RequiredOneOf(AllowedValues),
    #[error("is not a property of this tool")]
    Unknown,
    #[error("don't match the tool's schema; they are too large to show where")]
    Somewhere,
    #[error("matches none of {count} allowed forms; the closest is {1}", count = grouped(.0))]
    NoForm(usize, ClosestBranch),
    #[error("needs {0}")]
    NeedsOneOf(PropertyNameSets),
    #[error("must have at most one of these: {0}")]
    OnlyOneOf(PropertyNameSets),
    #[error("must be {0}")]
    Kind(Kinds),
    #[error("must be {0}")]
    Constant(Repeated),
    #[error("must be one of: {0}")]
    NoChoice(AllowedValues),
    #[error("must be {0}, or one of: {1}")]
    NeitherKindNorChoice(Kinds, AllowedValues),
    #[error("must be at least {0}")]
    BelowMinimum(Repeated),
    #[error("must be at most {0}")]
    AboveMaximum(Repeated),
    #[error("must be more than {0}")]
    NotAbove(Repeated),
    #[error("must be less than {0}")]
    NotBelow(Repeated),
    #[error("must be a multiple of {0}")]
    NoMultiple(String),
    #[error("must have at least {0}")]
    TooFew(ValueSize),
    #[error("must have at most {0}")]
    TooMany(ValueSize),
    #[error("has too many entries")]
    MoreEntries,
    #[error("must not have duplicates")]
    EntryTwice,
    #[error("lacks a required entry")]
    NoEntry,
    #[error("must match the pattern {0}")]
    NoMatch(Repeated),
    #[error("must match the pattern {0}, for example {1}")]
    NoMatchLike(Repeated, Repeated),
    #[error("does not match its pattern. Its description: {0}")]
    NoMatchOf(Repeated),
    #[error("must be a valid {0}, for example {1}")]
    NoFormatLike(Repeated, Repeated),
    #[error("must be a valid {0}")]
    NoFormat(Repeated),
    #[error("must be encoded as {0}")]
    NoEncoding(Repeated),
    #[error("must have the media type {0}")]
    NoMediaType(Repeated),
    #[error("has a property whose name is not allowed: it {0}")]
    PropertyName(Box<ValueProblem>),
    #[error("matches more than one form: {forms}", forms = joined(.0))]
    SeveralForms(Vec<FormName>),
    #[error("is not allowed here")]
    NotHere,
    #[error("must not match {0}")]
    ForbiddenForm(Repeated),
    #[error("must not be any of: {0}")]
    ForbiddenChoice(AllowedValues),
    #[error("must not have {0}")]
    ForbiddenProperty(PropertyNameSets),
    #[error("must not have {names} together", names = .0.join(" and "))]
    ForbiddenTogether(Vec<String>),
    #[error("must not match the pattern {0}")]
    ForbiddenMatch(Repeated),
    #[error("doesn't match the tool's schema")]
    Unfit,
    #[error("has more than {most} bytes", most = grouped(.0))]
    TooLong(usize),
    #[error("has a NUL character")]
    Nul,
    #[error("is missing, though the tool has an output schema")]
    NothingStructured,
    #[error("The arguments can't be sent: line {0}, column {1}: {2}.")]
    Unsendable(usize, usize, ArgumentsProblem),
}

/// A condition on another property.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Condition {
    #[error("{0} is {1}")]
    Is(String, AllowedValues),
    #[error("{0} is given")]
    Given(String),
    #[error("{0} is not given")]
    Missing(String),
}

/// A description of one branch of a union (`anyOf`, `oneOf`) in messages.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FormName {
    #[error("“{0}”")]
    Titled(Repeated),
    #[error("{0}: {1}")]
    Tagged(String, AllowedValues),
    #[error("the one with {names}", names = .0.join(", "))]
    With(Vec<String>),
    #[error("{0}")]
    Kind(Kinds),
    #[error("form {place}", place = grouped(.0))]
    At(usize),
}

/// The branch of a union that is closest to a value, and the value's errors for that branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosestBranch {
    /// The branch.
    pub form: FormName,
    /// The first errors, each with its path relative to the value.
    pub lacks: Vec<PartProblem>,
}

impl fmt::Display for ClosestBranch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.form.fmt(f)?;
        if self.lacks.is_empty() {
            return Ok(());
        }
        write!(
            f,
            ": {}",
            guild_text::messages::to_strings(&self.lacks).join(" and ")
        )
    }
}

/// An error at a path inside a value. An empty path means the value itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartProblem {
    /// The path in readable form, such as `edits[0].oldText`.
    pub place: Repeated,
    /// The error.
    pub what: Box<ValueProblem>,
}

impl fmt::Display for PartProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.0.as_str() {
            "" => write!(f, "it {}", self.what),
            place => write!(f, "{place} {}", self.what),
        }
    }
}

/// Alternative sets of properties, joined by “or” in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyNameSets(pub Vec<Vec<String>>);

impl fmt::Display for PropertyNameSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups: Vec<String> = self.0.iter().map(|names| names.join(" and ")).collect();
        f.write_str(&groups.join(" or "))
    }
}

/// The allowed types of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kinds(Vec<JsonKind>);

impl Kinds {
    /// Removes duplicates and moves null to the end. “Number” also covers whole numbers.
    pub fn of(kinds: Vec<JsonKind>) -> Self {
        let numbers = kinds.contains(&JsonKind::Number);
        let mut all: Vec<JsonKind> = Vec::new();
        for kind in kinds {
            let is_known = all.contains(&kind) || (numbers && kind == JsonKind::Whole);
            if !is_known {
                all.push(kind);
            }
        }
        all.sort_by_key(|kind| *kind == JsonKind::Null);
        Self(all)
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [] => Ok(()),
            [kind] => kind.fmt(f),
            [first @ .., last] => write!(f, "{} or {last}", joined(first)),
        }
    }
}

/// The allowed values as JSON. Only the first values are listed, and the others are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedValues {
    first: Vec<Repeated>,
    more: usize,
}

impl AllowedValues {
    /// Creates the list from values, in their order.
    pub fn of<'v>(choices: impl IntoIterator<Item = &'v Value>) -> Self {
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

    /// Joins several lists, in their order.
    pub fn joined(all: Vec<Self>) -> Self {
        let count: usize = all.iter().map(Self::len).sum();
        let mut first: Vec<Repeated> = all.into_iter().flat_map(|one| one.first).collect();
        first.truncate(CHOICES_MAX);
        Self {
            more: count - first.len(),
            first,
        }
    }

    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.first.len() + self.more
    }
}

impl fmt::Display for AllowedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.first))?;
        match self.more {
            0 => Ok(()),
            more => write!(f, " and {} more", grouped(more)),
        }
    }
}

/// A count with its unit, for limits of size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueSize {
    /// The length of a string.
    Characters(u64),
    /// The length of a list.
    Entries(u64),
    /// The number of an object's properties.
    Properties(u64),
}

impl fmt::Display for ValueSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, [one, other]) = match *self {
            Self::Characters(count) => (count, ["character", "characters"]),
            Self::Entries(count) => (count, ["entry", "entries"]),
            Self::Properties(count) => (count, ["property", "properties"]),
        };
        let what = if count == 1 { one } else { other };
        write!(f, "{} {what}", grouped(count))
    }
}

/// A string from a schema, truncated to 80 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated(String);

impl Repeated {
    /// Formats a value as JSON, truncated.
    pub fn value(value: &Value) -> Self {
        Self::text(&value.to_string())
    }

    /// Joins the lines of a string into one, and truncates it.
    pub fn line(text: &str) -> Self {
        let words: Vec<&str> = text.split_whitespace().take(TEXT_CHARS_MAX).collect();
        Self::text(&words.join(" "))
    }

    /// Truncates a string and changes nothing else.
    pub fn text(text: &str) -> Self {
        Self(match text.char_indices().nth(TEXT_CHARS_MAX) {
            None => text.to_owned(),
            Some((end, _)) => format!("{}…", &text[..end]),
        })
    }
}

impl fmt::Display for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
