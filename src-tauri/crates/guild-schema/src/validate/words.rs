//! Creates the error messages of a check, each with the path of its value.

use jsonschema::error::TypeKind;
use jsonschema::{JsonType, ValidationError, error::ValidationErrorKind as Kind};
use serde_json::{Value, json};

use super::schema_parts::{
    conditions_of, demanding, example_of, format_example, part, same_value_keyword,
};
use super::unions;
use super::{Validation, ValueError, pattern_options};
use crate::messages::{
    AllowedValues, Cut, Kinds, PropertyNameSets, Repeated, SchemaNote, SchemaPlace, ValueProblem,
    ValueSize,
};
use crate::schema::escaped;
use guild_text::messages::JsonKind;

pub(super) type JsonSchemaError<'e> = ValidationError<'e>;

/// Maximum length of a pattern in a message, in characters. A description explains longer patterns
/// better.
const PATTERN_CHARS_MAX: usize = 24;

/// Adds one or more entries for an error.
pub(super) fn describe(schema: &Value, error: &JsonSchemaError<'_>, checked: &mut Validation) {
    describe_at(schema, error, 0, checked);
}

/// Like [`describe`], for an error inside a given number of nested unions.
pub(super) fn describe_at(
    schema: &Value,
    error: &JsonSchemaError<'_>,
    depth: usize,
    checked: &mut Validation,
) {
    let here = error.instance_path().as_str();
    let keyword = error.kind().keyword();
    let mut add = |pointer: String, what: ValueProblem| {
        let entry = ValueError {
            pointer,
            what,
            keyword: keyword.to_owned(),
        };
        // Several branches of a schema often report the same error.
        if !checked.errors.contains(&entry) {
            checked.errors.push(entry);
        }
    };
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let pointer = format!("{here}/{}", escaped(name));
            add(pointer, required(schema, error, name));
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            for name in unexpected {
                add(format!("{here}/{}", escaped(name)), ValueProblem::Unknown);
            }
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            unions::describe(schema, error, context, depth, checked);
        }
        Kind::OneOfMultipleValid { context } => {
            add(here.to_owned(), unions::several(schema, error, context));
        }
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            let place = SchemaPlace::Part(here.to_owned());
            checked.notes.push(SchemaNote::At(place, Cut::SlowPattern));
        }
        Kind::Pattern { pattern } => add(here.to_owned(), no_match(schema, error, pattern)),
        kind => add(here.to_owned(), sentence(kind)),
    }
}

/// Returns the error for a missing property, with the reason why it is required: always, because of
/// another property, or under a condition.
fn required(schema: &Value, error: &JsonSchemaError<'_>, name: &str) -> ValueProblem {
    let path = error.evaluation_path().as_str();
    let others = demanding(schema, path, name, error.instance());
    if !others.is_empty() {
        return ValueProblem::RequiredBeside(others);
    }
    match same_value_keyword(schema, path) {
        Some((condition, "then")) => match conditions_of(condition) {
            Some(conditions) => ValueProblem::RequiredWhen(conditions),
            None => ValueProblem::RequiredHere,
        },
        Some((condition, _)) => match conditions_of(condition) {
            Some(conditions) => ValueProblem::RequiredUnless(conditions),
            None => ValueProblem::RequiredHere,
        },
        None => ValueProblem::Required,
    }
}

/// Returns the error for a string that does not match a pattern. The error names the schema's
/// `format` instead of the pattern if the pattern accepts a valid example of that format, and the
/// string does not have the format.
fn no_match(schema: &Value, error: &JsonSchemaError<'_>, pattern: &str) -> ValueProblem {
    let beside = error
        .schema_path()
        .as_str()
        .strip_suffix("/pattern")
        .and_then(|path| part(schema, path));
    let text = |key: &str| {
        beside
            .and_then(|schema| schema.get(key))
            .and_then(Value::as_str)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    };
    let own = beside.and_then(example_of);
    if let Some(format) = text("format")
        && let Some(example) = format_example(format)
        && matches(pattern, example)
        && !has_format(format, error.instance())
    {
        let example = Repeated::line(own.unwrap_or(example));
        return ValueProblem::NoFormatLike(Repeated::text(format), example);
    }
    match text("description").or_else(|| text("title")) {
        Some(description) if pattern.chars().count() > PATTERN_CHARS_MAX => {
            ValueProblem::NoMatchOf(Repeated::line(description))
        }
        _ => match own.map(Repeated::line) {
            Some(example) => ValueProblem::NoMatchLike(Repeated::text(pattern), example),
            None => ValueProblem::NoMatch(Repeated::text(pattern)),
        },
    }
}

/// Checks whether a text matches a pattern. Returns `false` for an invalid pattern.
fn matches(pattern: &str, text: &str) -> bool {
    let schema = json!({ "pattern": pattern });
    let built = jsonschema::options()
        .offline()
        .with_pattern_options(pattern_options())
        .build(&schema);
    built.is_ok_and(|validator| validator.is_valid(&Value::from(text)))
}

/// Checks whether a value has a format. Unknown formats accept any value.
fn has_format(format: &str, value: &Value) -> bool {
    let name = if format == "url" { "uri" } else { format };
    let schema = json!({ "format": name });
    let built = jsonschema::options()
        .offline()
        .should_validate_formats(true)
        .build(&schema);
    built.is_ok_and(|validator| validator.is_valid(value))
}

/// Converts an error of the `jsonschema` crate to a message about the value.
pub fn sentence(kind: &Kind) -> ValueProblem {
    match kind {
        Kind::Type { kind } => ValueProblem::Kind(Kinds::of(types_of(kind))),
        Kind::Constant { expected_value } => {
            ValueProblem::Constant(Repeated::value(expected_value))
        }
        Kind::Enum { options } => {
            let options = options.as_array().into_iter().flatten();
            ValueProblem::NoChoice(AllowedValues::of(options))
        }
        Kind::Minimum { limit } => ValueProblem::BelowMinimum(Repeated::value(limit)),
        Kind::Maximum { limit } => ValueProblem::AboveMaximum(Repeated::value(limit)),
        Kind::ExclusiveMinimum { limit } => ValueProblem::NotAbove(Repeated::value(limit)),
        Kind::ExclusiveMaximum { limit } => ValueProblem::NotBelow(Repeated::value(limit)),
        Kind::MultipleOf { multiple_of } => ValueProblem::NoMultiple(multiple_of.to_string()),
        Kind::MinLength { limit } => ValueProblem::TooFew(ValueSize::Characters(*limit)),
        Kind::MaxLength { limit } => ValueProblem::TooMany(ValueSize::Characters(*limit)),
        Kind::MinItems { limit } => ValueProblem::TooFew(ValueSize::Entries(*limit)),
        Kind::MaxItems { limit } => ValueProblem::TooMany(ValueSize::Entries(*limit)),
        Kind::AdditionalItems { limit } => ValueProblem::TooMany(ValueSize::Entries(*limit as u64)),
        Kind::UnevaluatedItems { .. } => ValueProblem::MoreEntries,
        Kind::MinProperties { limit } => ValueProblem::TooFew(ValueSize::Properties(*limit)),
        Kind::MaxProperties { limit } => ValueProblem::TooMany(ValueSize::Properties(*limit)),
        Kind::UniqueItems => ValueProblem::EntryTwice,
        Kind::Contains => ValueProblem::NoEntry,
        Kind::Pattern { pattern } => ValueProblem::NoMatch(Repeated::text(pattern)),
        Kind::Format { format } => ValueProblem::NoFormat(Repeated::text(format)),
        Kind::ContentEncoding { content_encoding } => {
            ValueProblem::NoEncoding(Repeated::text(content_encoding))
        }
        Kind::ContentMediaType { content_media_type } => {
            ValueProblem::NoMediaType(Repeated::text(content_media_type))
        }
        Kind::PropertyNames { error } => {
            ValueProblem::PropertyName(Box::new(sentence(error.kind())))
        }
        Kind::FalseSchema => ValueProblem::NotHere,
        Kind::Not { schema } => forbidden(schema),
        _ => ValueProblem::Unfit,
    }
}

/// Returns the message for a value that matches a forbidden schema.
fn forbidden(schema: &Value) -> ValueProblem {
    let names = |value: &Value| -> Option<Vec<String>> {
        let names = value.as_array()?.iter();
        names.map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let Value::Object(fields) = schema else {
        return ValueProblem::NotHere;
    };
    let mut constraints = fields
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "title" | "description" | "$comment"));
    let found = match (constraints.next(), constraints.next()) {
        (None, None) => return ValueProblem::NotHere,
        (Some((key, value)), None) => match (key.as_str(), value) {
            ("const", value) => Some(ValueProblem::ForbiddenChoice(AllowedValues::of([value]))),
            ("enum", Value::Array(values)) => {
                Some(ValueProblem::ForbiddenChoice(AllowedValues::of(values)))
            }
            ("required", value) => names(value).map(|names| match names.len() {
                1 => ValueProblem::ForbiddenProperty(PropertyNameSets(vec![names])),
                _ => ValueProblem::ForbiddenTogether(names),
            }),
            ("anyOf", Value::Array(branches)) => branches
                .iter()
                .map(|branch| match branch.as_object() {
                    Some(fields) if fields.len() == 1 => {
                        names(fields.get("required")?).filter(|names| names.len() == 1)
                    }
                    _ => None,
                })
                .collect::<Option<Vec<_>>>()
                .map(|names| ValueProblem::ForbiddenProperty(PropertyNameSets(names))),
            ("pattern", Value::String(pattern)) => {
                Some(ValueProblem::ForbiddenMatch(Repeated::text(pattern)))
            }
            _ => None,
        },
        _ => None,
    };
    found.unwrap_or_else(|| ValueProblem::ForbiddenForm(Repeated::value(schema)))
}

pub(super) fn types_of(kind: &TypeKind) -> Vec<JsonKind> {
    let of = |of: JsonType| match of {
        JsonType::Array => JsonKind::List,
        JsonType::Boolean => JsonKind::Flag,
        JsonType::Integer => JsonKind::Whole,
        JsonType::Null => JsonKind::Null,
        JsonType::Number => JsonKind::Number,
        JsonType::Object => JsonKind::Object,
        JsonType::String => JsonKind::Text,
    };
    match kind {
        TypeKind::Single(kind) => vec![of(*kind)],
        TypeKind::Multiple(all) => all.iter().map(of).collect(),
    }
}
