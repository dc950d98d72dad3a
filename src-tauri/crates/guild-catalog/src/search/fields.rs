//! Extracts the searchable words of a tool.

use serde_json::Value;

use super::{Findable, words};
use crate::stub::description;
use guild_schema::schema::first_sentence;

pub(super) const FIELDS: usize = 7;
/// Maximum size of the searched part of a description, in bytes.
const DESCRIPTION_MAX: usize = 4_096;
/// Maximum size of the searched descriptions of all parameters together, in bytes.
const DETAILS_MAX: usize = 2_048;
/// Maximum size of the searched enum values of all parameters together, in bytes.
const CHOICES_MAX: usize = 1_024;
/// Maximum number of searched parameters, including nested ones.
const PARAMETERS_MAX: usize = 100;
/// Maximum nesting depth of searched parameters.
const DEPTH_MAX: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum SearchField {
    Name,
    Title,
    /// The first sentence of the description.
    Summary,
    /// The description after its first sentence.
    Description,
    Parameters,
    /// Descriptions and enum values of parameters, and the names of nested parameters.
    Details,
    Member,
}

impl SearchField {
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

/// Passes each word of a tool, with its field, to `each`.
pub(super) fn words_of(tool: &Findable<'_>, mut each: impl FnMut(SearchField, &str)) {
    let own = tool.change.and_then(|change| change.name.as_deref());
    let own = own.unwrap_or(tool.spec.name().as_str());
    words::of_name(own, |word| each(SearchField::Name, word));
    words::of_name(tool.member, |word| each(SearchField::Member, word));
    if let Some(title) = tool.spec.title() {
        words::of_prose(beginning(title, DESCRIPTION_MAX), |word| {
            each(SearchField::Title, word);
        });
    }
    let words = beginning(description(tool.spec, tool.change), DESCRIPTION_MAX);
    let mut in_summary = words_in(&first_sentence(words));
    words::of_prose(words, |word| {
        if in_summary == 0 {
            each(SearchField::Description, word);
        } else {
            in_summary -= 1;
            each(SearchField::Summary, word);
        }
    });
    let mut left = SearchFieldBudget {
        parameters: PARAMETERS_MAX,
        details: DETAILS_MAX,
        choices: CHOICES_MAX,
    };
    parameters(tool.spec.input_schema(), 0, &mut left, &mut each);
}

/// The remaining budget for one tool.
struct SearchFieldBudget {
    parameters: usize,
    details: usize,
    choices: usize,
}

fn parameters(
    schema: &Value,
    depth: usize,
    left: &mut SearchFieldBudget,
    each: &mut impl FnMut(SearchField, &str),
) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    let field = match depth {
        0 => SearchField::Parameters,
        _ => SearchField::Details,
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
            words::of_prose(text, |word| each(SearchField::Details, word));
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

/// Passes the enum values of a parameter to `each`.
fn choices(schema: &Value, left: &mut SearchFieldBudget, each: &mut impl FnMut(SearchField, &str)) {
    let own = schema.get("enum");
    let of_items = schema.get("items").and_then(|items| items.get("enum"));
    let lists = [own, of_items].into_iter().flatten();
    for value in lists.filter_map(Value::as_array).flatten() {
        if let Some(value) = value.as_str() {
            let value = beginning(value, left.choices);
            left.choices -= value.len();
            words::of_name(value, |word| each(SearchField::Details, word));
        }
    }
}

fn words_in(text: &str) -> usize {
    let mut count = 0;
    words::of_prose(text, |_| count += 1);
    count
}

/// Truncates a text to a number of bytes, at a character boundary.
fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
