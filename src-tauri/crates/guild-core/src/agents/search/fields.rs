//! What of a tool is searched.

use serde_json::Value;

use super::{Findable, words};
use crate::agents::stub::description;
use crate::schema::first_sentence;

/// How many fields there are.
pub(super) const FIELDS: usize = 7;
/// As much of a description as is searched, in bytes.
const DESCRIPTION_MAX: usize = 4_096;
/// As much of all words about parameters together.
const DETAILS_MAX: usize = 2_048;
/// As much of all values that parameters are chosen from.
const CHOICES_MAX: usize = 1_024;
/// As many parameters as are searched, those of parameters included.
const PARAMETERS_MAX: usize = 100;
/// How deep parameters are looked for in parameters.
const DEPTH_MAX: usize = 3;

/// A part of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Field {
    Name,
    Title,
    /// The first sentence of the description.
    Summary,
    /// The rest of it.
    Description,
    Parameters,
    /// What is said of parameters, the values they are chosen from, and the names of parameters
    /// within them.
    Details,
    Member,
}

impl Field {
    pub(super) const ALL: [Self; FIELDS] = [
        Self::Name,
        Self::Title,
        Self::Summary,
        Self::Description,
        Self::Parameters,
        Self::Details,
        Self::Member,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Title => "title",
            Self::Summary => "first sentence",
            Self::Description => "description",
            Self::Parameters => "parameters",
            Self::Details => "about parameters",
            Self::Member => "member",
        }
    }

    pub(super) fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Gives each word of a tool with the field that it stands in.
pub(super) fn words_of(tool: &Findable<'_>, mut each: impl FnMut(Field, &str)) {
    let own = tool.change.and_then(|change| change.name.as_deref());
    let own = own.unwrap_or(tool.spec.name().as_str());
    words::of_name(own, |word| each(Field::Name, word));
    words::of_name(tool.member, |word| each(Field::Member, word));
    if let Some(title) = tool.spec.title() {
        words::of_prose(beginning(title, DESCRIPTION_MAX), |word| {
            each(Field::Title, word);
        });
    }
    let words = beginning(description(tool.spec, tool.change), DESCRIPTION_MAX);
    let mut in_summary = words_in(&first_sentence(words));
    words::of_prose(words, |word| {
        if in_summary == 0 {
            each(Field::Description, word);
        } else {
            in_summary -= 1;
            each(Field::Summary, word);
        }
    });
    let mut left = Left {
        parameters: PARAMETERS_MAX,
        details: DETAILS_MAX,
        choices: CHOICES_MAX,
    };
    parameters(tool.spec.input_schema(), 0, &mut left, &mut each);
}

/// How much more is searched of one tool.
struct Left {
    parameters: usize,
    details: usize,
    choices: usize,
}

fn parameters(schema: &Value, depth: usize, left: &mut Left, each: &mut impl FnMut(Field, &str)) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    let field = match depth {
        0 => Field::Parameters,
        _ => Field::Details,
    };
    for (name, about) in properties {
        if left.parameters == 0 {
            return;
        }
        left.parameters -= 1;
        words::of_name(beginning(name, 128), |word| each(field, word));
        if let Some(text) = about.get("description").and_then(Value::as_str) {
            let text = beginning(text, left.details);
            left.details -= text.len();
            words::of_prose(text, |word| each(Field::Details, word));
        }
        choices(about, left, each);
    }
    if depth < DEPTH_MAX {
        for about in properties.values() {
            parameters(about, depth + 1, left, each);
            if let Some(items) = about.get("items") {
                parameters(items, depth + 1, left, each);
            }
        }
    }
}

/// The values that a parameter is chosen from.
fn choices(schema: &Value, left: &mut Left, each: &mut impl FnMut(Field, &str)) {
    let own = schema.get("enum");
    let of_items = schema.get("items").and_then(|items| items.get("enum"));
    let lists = [own, of_items].into_iter().flatten();
    for value in lists.filter_map(Value::as_array).flatten() {
        if let Some(value) = value.as_str() {
            let value = beginning(value, left.choices);
            left.choices -= value.len();
            words::of_name(value, |word| each(Field::Details, word));
        }
    }
}

fn words_in(text: &str) -> usize {
    let mut count = 0;
    words::of_prose(text, |_| count += 1);
    count
}

/// A text up to so many bytes, cut between characters.
fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
