//! Errors of a check as what is told of them, each at its place.

use jsonschema::error::TypeKind;
use jsonschema::{JsonType, ValidationError, error::ValidationErrorKind as Kind};
use serde_json::Value;

use super::{Checked, Misfit};
use crate::note::{
    Choices, Count, Cut, JsonKind, Kinds, OfName, Repeated, SchemaNote, SchemaPlace, ValueWrong,
};
use crate::schema::escaped;

type Error<'e> = ValidationError<'e>;

/// Adds what an error says: one entry, or several at their own places.
pub(super) fn describe(error: &Error<'_>, checked: &mut Checked) {
    let here = error.instance_path().as_str();
    let keyword = error.kind().keyword();
    let mut add = |pointer: String, what: ValueWrong| {
        let entry = Misfit {
            pointer,
            what,
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
            add(format!("{here}/{}", escaped(name)), ValueWrong::Required);
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            for name in unexpected {
                add(format!("{here}/{}", escaped(name)), ValueWrong::Unknown);
            }
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => match closest(here, context) {
            Some(branch) => branch.iter().for_each(|error| describe(error, checked)),
            None => add(here.to_owned(), union(here, context)),
        },
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            let place = SchemaPlace::Part(here.to_owned());
            checked.notes.push(SchemaNote::At(place, Cut::SlowPattern));
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
fn union(here: &str, branches: &[Vec<Error<'static>>]) -> ValueWrong {
    let mut types: Vec<Vec<JsonKind>> = Vec::new();
    let mut choices: Vec<&Value> = Vec::new();
    for errors in branches {
        let own = errors
            .iter()
            .find(|error| error.instance_path().as_str() == here);
        match own.map(|error| error.kind()) {
            Some(Kind::Constant { expected_value }) => choices.push(expected_value),
            Some(Kind::Enum { options }) => {
                choices.extend(options.as_array().into_iter().flatten());
            }
            Some(Kind::Type { kind }) => types.push(types_of(kind)),
            _ => return ValueWrong::NoForm(branches.len()),
        }
    }
    types.dedup();
    let types = Kinds(types.concat());
    match (types.0.is_empty(), choices.is_empty()) {
        (false, true) => ValueWrong::Kind(types),
        (true, _) => ValueWrong::NoChoice(Choices::of(choices)),
        (false, false) => ValueWrong::NeitherKindNorChoice(types, Choices::of(choices)),
    }
}

fn sentence(kind: &Kind) -> ValueWrong {
    match kind {
        Kind::Type { kind } => ValueWrong::Kind(Kinds(types_of(kind))),
        Kind::Constant { expected_value } => ValueWrong::Constant(Repeated::value(expected_value)),
        Kind::Enum { options } => {
            let options = options.as_array().into_iter().flatten();
            ValueWrong::NoChoice(Choices::of(options))
        }
        Kind::Minimum { limit } => ValueWrong::BelowMinimum(Repeated::value(limit)),
        Kind::Maximum { limit } => ValueWrong::AboveMaximum(Repeated::value(limit)),
        Kind::ExclusiveMinimum { limit } => ValueWrong::NotAbove(Repeated::value(limit)),
        Kind::ExclusiveMaximum { limit } => ValueWrong::NotBelow(Repeated::value(limit)),
        Kind::MultipleOf { multiple_of } => ValueWrong::NoMultiple(multiple_of.to_string()),
        Kind::MinLength { limit } => ValueWrong::TooFew(Count::Characters(*limit)),
        Kind::MaxLength { limit } => ValueWrong::TooMany(Count::Characters(*limit)),
        Kind::MinItems { limit } => ValueWrong::TooFew(Count::Entries(*limit)),
        Kind::MaxItems { limit } => ValueWrong::TooMany(Count::Entries(*limit)),
        Kind::AdditionalItems { limit } => ValueWrong::TooMany(Count::Entries(*limit as u64)),
        Kind::UnevaluatedItems { .. } => ValueWrong::MoreEntries,
        Kind::MinProperties { limit } => ValueWrong::TooFew(Count::Properties(*limit)),
        Kind::MaxProperties { limit } => ValueWrong::TooMany(Count::Properties(*limit)),
        Kind::UniqueItems => ValueWrong::EntryTwice,
        Kind::Contains => ValueWrong::NoEntry,
        Kind::Pattern { pattern } => ValueWrong::NoMatch(Repeated::text(pattern)),
        Kind::Format { format } => ValueWrong::NoFormat(Repeated::text(format)),
        Kind::ContentEncoding { content_encoding } => {
            ValueWrong::NoEncoding(Repeated::text(content_encoding))
        }
        Kind::ContentMediaType { content_media_type } => {
            ValueWrong::NoMediaType(Repeated::text(content_media_type))
        }
        Kind::PropertyNames { error } => {
            ValueWrong::PropertyName(OfName(Box::new(sentence(error.kind()))))
        }
        Kind::OneOfMultipleValid { .. } => ValueWrong::SeveralForms,
        Kind::FalseSchema => ValueWrong::NotHere,
        Kind::Not { .. } => ValueWrong::ForbiddenForm,
        _ => ValueWrong::Unfit,
    }
}

fn types_of(kind: &TypeKind) -> Vec<JsonKind> {
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
        TypeKind::Multiple(all) => {
            let mut all: Vec<JsonType> = all.iter().collect();
            all.sort_by_key(|of| *of == JsonType::Null);
            all.into_iter().map(of).collect()
        }
    }
}
