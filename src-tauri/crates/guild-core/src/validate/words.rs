//! Errors of a check in words that follow the name of a field: "is required".

use jsonschema::error::TypeKind;
use jsonschema::{JsonType, ValidationError, error::ValidationErrorKind as Kind};
use serde_json::Value;

use crate::schema::escaped;
use crate::wire::{ArgumentError, CheckedArguments};

/// The longest value that a message repeats from a schema, in characters.
const VALUE_CHARS_MAX: usize = 80;
/// The most choices that a message lists.
const CHOICES_MAX: usize = 12;

type Error<'e> = ValidationError<'e>;

/// Adds what an error says: one entry, or several at their own places.
pub(super) fn describe(error: &Error<'_>, checked: &mut CheckedArguments) {
    let here = error.instance_path().as_str();
    let keyword = error.kind().keyword();
    let mut add = |pointer: String, message: String| {
        let entry = ArgumentError {
            pointer,
            message,
            keyword: keyword.to_owned(),
        };
        // Two branches of a schema often say the same.
        if !checked.errors.contains(&entry) {
            checked.errors.push(entry);
        }
    };
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            add(format!("{here}/{}", escaped(name)), "is required".into());
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            for name in unexpected {
                let message = "is no property that the tool knows".into();
                add(format!("{here}/{}", escaped(name)), message);
            }
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => match closest(here, context) {
            Some(branch) => branch.iter().for_each(|error| describe(error, checked)),
            None => add(here.to_owned(), union(here, context)),
        },
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            let note = format!("{here}: the pattern takes too long, and was not checked");
            checked.notes.push(note);
        }
        kind => add(here.to_owned(), sentence(kind)),
    }
}

/// The one branch of a union that was meant: no other has the right type and the right constants.
fn closest<'c>(here: &str, branches: &'c [Vec<Error<'static>>]) -> Option<&'c [Error<'static>]> {
    let misses = |error: &Error<'_>| {
        let at = error.instance_path().as_str();
        let inside = at.strip_prefix(here).unwrap_or(at);
        let near = inside.matches('/').count() <= 1;
        match error.kind() {
            Kind::Type { .. } | Kind::FalseSchema => inside.is_empty(),
            Kind::Constant { .. } | Kind::Enum { .. } => near,
            _ => false,
        }
    };
    let mut meant = branches
        .iter()
        .filter(|errors| !errors.is_empty() && !errors.iter().any(misses));
    match (meant.next(), meant.next()) {
        (Some(branch), None) => Some(branch),
        _ => None,
    }
}

/// What a union accepts, where each branch is a type, a constant or a choice.
fn union(here: &str, branches: &[Vec<Error<'static>>]) -> String {
    let mut types = Vec::new();
    let mut choices = Vec::new();
    for errors in branches {
        let own = errors
            .iter()
            .find(|error| error.instance_path().as_str() == here);
        match own.map(|error| error.kind()) {
            Some(Kind::Constant { expected_value }) => choices.push(shown(expected_value)),
            Some(Kind::Enum { options }) => {
                choices.extend(options.as_array().into_iter().flatten().map(shown));
            }
            Some(Kind::Type { kind }) => types.push(type_words(kind)),
            _ => {
                let count = branches.len();
                return format!("fits none of the {count} forms that are allowed here");
            }
        }
    }
    types.dedup();
    match (types.is_empty(), choices.is_empty()) {
        (false, true) => format!("must be {}", types.join(" or ")),
        (true, _) => format!("must be one of: {}", listed(&choices)),
        (false, false) => {
            let types = types.join(" or ");
            format!("must be {types}, or one of: {}", listed(&choices))
        }
    }
}

fn sentence(kind: &Kind) -> String {
    match kind {
        Kind::Type { kind } => format!("must be {}", type_words(kind)),
        Kind::Constant { expected_value } => format!("must be {}", shown(expected_value)),
        Kind::Enum { options } => {
            let options: Vec<String> = options
                .as_array()
                .into_iter()
                .flatten()
                .map(shown)
                .collect();
            format!("must be one of: {}", listed(&options))
        }
        Kind::Minimum { limit } => format!("must be at least {}", shown(limit)),
        Kind::Maximum { limit } => format!("must be at most {}", shown(limit)),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {}", shown(limit)),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {}", shown(limit)),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("must have at least {}", count(*limit, "character")),
        Kind::MaxLength { limit } => format!("must have at most {}", count(*limit, "character")),
        Kind::MinItems { limit } => format!("must have at least {}", items(*limit)),
        Kind::MaxItems { limit } => format!("must have at most {}", items(*limit)),
        Kind::AdditionalItems { limit } => format!("must have at most {}", items(*limit as u64)),
        Kind::UnevaluatedItems { .. } => "has more entries than are allowed".into(),
        Kind::MinProperties { limit } => {
            format!("must have at least {}", properties(*limit))
        }
        Kind::MaxProperties { limit } => format!("must have at most {}", properties(*limit)),
        Kind::UniqueItems => "must not have the same entry twice".into(),
        Kind::Contains => "lacks an entry that has to be in it".into(),
        Kind::Pattern { pattern } => format!("must match the pattern {}", cut(pattern)),
        Kind::Format { format } => format!("must be a valid {}", cut(format)),
        Kind::ContentEncoding { content_encoding } => {
            format!("must be encoded as {}", cut(content_encoding))
        }
        Kind::ContentMediaType { content_media_type } => {
            format!("must be of the kind {}", cut(content_media_type))
        }
        Kind::PropertyNames { error } => {
            format!(
                "has a property whose name is not allowed: it {}",
                sentence(error.kind())
            )
        }
        Kind::OneOfMultipleValid { .. } => "fits more than one form where one is allowed".into(),
        Kind::FalseSchema => "is not allowed here".into(),
        Kind::Not { .. } => "has a form that is not allowed here".into(),
        _ => "does not fit the tool's schema".into(),
    }
}

fn type_words(kind: &TypeKind) -> String {
    let words = |of: JsonType| match of {
        JsonType::Array => "a list",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a text",
    };
    match kind {
        TypeKind::Single(of) => words(*of).to_owned(),
        TypeKind::Multiple(all) => {
            let mut all: Vec<JsonType> = all.iter().collect();
            all.sort_by_key(|of| *of == JsonType::Null);
            all.into_iter().map(words).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn count(limit: u64, what: &str) -> String {
    let plural = if limit == 1 { "" } else { "s" };
    format!("{limit} {what}{plural}")
}

fn items(limit: u64) -> String {
    match limit {
        1 => "1 entry".into(),
        _ => format!("{limit} entries"),
    }
}

fn properties(limit: u64) -> String {
    match limit {
        1 => "1 property".into(),
        _ => format!("{limit} properties"),
    }
}

fn listed(choices: &[String]) -> String {
    let mut list = choices
        .iter()
        .take(CHOICES_MAX)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    if choices.len() > CHOICES_MAX {
        list.push_str(&format!(" and {} more", choices.len() - CHOICES_MAX));
    }
    list
}

fn shown(value: &Value) -> String {
    cut(&value.to_string())
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(VALUE_CHARS_MAX) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
