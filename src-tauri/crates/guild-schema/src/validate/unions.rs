//! Creates the error message of a value that matches no branch of a union, or several branches. The
//! message names the closest branch and the missing parts.

use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::schema_parts::{branches, choices_of, constants_of, name_of, only_requires};
use super::words::{JsonSchemaError, describe_at, types_of};
use super::{Validation, ValueError};
use crate::messages::{
    AllowedValues, ClosestBranch, FormName, Kinds, PartProblem, PropertyNameSets, Repeated,
    ValueProblem,
};
use crate::schema::escaped;
use guild_text::messages::JsonKind;

/// Maximum number of problems that are listed for the closest branch.
const LACKS_MAX: usize = 3;
/// Maximum nesting depth of unions whose closest branch is described.
const DEPTH_MAX: usize = 2;
/// Maximum number of branches whose required properties are all listed.
const NAMED_MAX: usize = 5;

type Branch = Vec<JsonSchemaError<'static>>;

/// Adds the errors of a value that matches no branch.
pub(super) fn describe(
    schema: &Value,
    error: &JsonSchemaError<'_>,
    context: &[Branch],
    depth: usize,
    checked: &mut Validation,
) {
    let here = error.instance_path().as_str();
    let known = branches(schema, error.schema_path().as_str());
    if let Some(index) = meant(here, context) {
        let start = checked.errors.len();
        for error in &context[index] {
            describe_at(schema, error, depth, checked);
        }
        // If the value has a constant of this branch, the constant is the reason why a property is
        // required.
        let chosen = known.get(index).map(|branch| constants_of(branch));
        if let Some(chosen) = chosen.filter(|chosen| !chosen.is_empty()) {
            for entry in &mut checked.errors[start..] {
                let is_own = is_child(here, &entry.pointer);
                if is_own && entry.what == ValueProblem::Required {
                    entry.what = ValueProblem::RequiredWhen(chosen.clone());
                }
            }
        }
        return;
    }
    let keyword = error.kind().keyword().to_owned();
    let mut add = |pointer: String, what: ValueProblem| {
        let entry = ValueError {
            pointer,
            what,
            keyword: keyword.clone(),
        };
        if !checked.errors.contains(&entry) {
            checked.errors.push(entry);
        }
    };
    if let Some(what) = plain(here, context) {
        add(here.to_owned(), what);
    } else if let Some((pointer, what)) = discriminator(here, context, &known) {
        add(pointer, what);
    } else if let Some(groups) = requirements(here, context) {
        add(here.to_owned(), ValueProblem::NeedsOneOf(groups));
    } else {
        let closest = closest(schema, here, context, &known, depth);
        add(
            here.to_owned(),
            ValueProblem::NoForm(context.len(), closest),
        );
    }
}

/// Returns the error of a value that matches several branches of `oneOf`.
pub(super) fn several(
    schema: &Value,
    error: &JsonSchemaError<'_>,
    context: &[Branch],
) -> ValueProblem {
    let known = branches(schema, error.schema_path().as_str());
    let groups: Option<Vec<_>> = known.iter().map(|branch| only_requires(branch)).collect();
    match groups {
        Some(groups) if (2..=NAMED_MAX).contains(&groups.len()) => {
            ValueProblem::OnlyOneOf(PropertyNameSets(groups))
        }
        _ => {
            let fitting = context
                .iter()
                .enumerate()
                .filter(|(_, errors)| errors.is_empty());
            let names = fitting.map(|(index, _)| name_of(known.get(index).copied(), index));
            ValueProblem::SeveralForms(names.take(LACKS_MAX).collect())
        }
    }
}

/// Returns the part of a pointer that follows the union, or the whole pointer.
fn inside<'p>(here: &str, pointer: &'p str) -> &'p str {
    pointer.strip_prefix(here).unwrap_or(pointer)
}

fn is_child(here: &str, pointer: &str) -> bool {
    inside(here, pointer).matches('/').count() == 1
}

/// Checks whether an error shows that a branch was not meant: the value has another type, or it has
/// another constant, at most one level below the union.
fn rules_out(here: &str, error: &JsonSchemaError<'_>) -> bool {
    let path = inside(here, error.instance_path().as_str());
    match error.kind() {
        Kind::Type { .. } | Kind::FalseSchema => path.is_empty(),
        Kind::Constant { .. } | Kind::Enum { .. } => path.matches('/').count() <= 1,
        _ => false,
    }
}

/// Returns the branch that was meant: the only one with matching types and constants.
fn meant(here: &str, context: &[Branch]) -> Option<usize> {
    let possible =
        |errors: &Branch| !errors.is_empty() && !errors.iter().any(|error| rules_out(here, error));
    let mut all = context
        .iter()
        .enumerate()
        .filter(|(_, errors)| possible(errors));
    match (all.next(), all.next()) {
        (Some((index, _)), None) => Some(index),
        _ => None,
    }
}

/// If each branch of a union rejects the value at `here` as a whole, returns the types or choices
/// that the branches accept.
fn plain(here: &str, context: &[Branch]) -> Option<ValueProblem> {
    let mut types: Vec<JsonKind> = Vec::new();
    let mut choices: Vec<&Value> = Vec::new();
    for errors in context {
        let mut own = errors
            .iter()
            .filter(|error| error.instance_path().as_str() == here)
            .map(|error| error.kind());
        // A branch with choices often also has the type of the choices.
        let found = own.clone().find_map(|kind| match kind {
            Kind::Constant { expected_value } => Some(vec![&**expected_value]),
            Kind::Enum { options } => Some(options.as_array().into_iter().flatten().collect()),
            _ => None,
        });
        match found {
            Some(found) => choices.extend(found),
            None => types.extend(own.find_map(|kind| match kind {
                Kind::Type { kind } => Some(types_of(kind)),
                _ => None,
            })?),
        }
    }
    let types = Kinds::of(types);
    Some(match (types.is_empty(), choices.is_empty()) {
        (true, true) => return None,
        (false, true) => ValueProblem::Kind(types),
        (true, false) => ValueProblem::NoChoice(AllowedValues::of(choices)),
        (false, false) => ValueProblem::NeitherKindNorChoice(types, AllowedValues::of(choices)),
    })
}

/// Returns the property that distinguishes the branches and its error, if the property is missing
/// or has a value that no branch allows.
fn discriminator(
    here: &str,
    context: &[Branch],
    known: &[&Value],
) -> Option<(String, ValueProblem)> {
    // Branches for another type of value are not considered.
    let is_other = |errors: &&Branch| {
        errors.iter().any(|error| {
            let at_union = error.instance_path().as_str() == here;
            at_union && matches!(error.kind(), Kind::Type { .. } | Kind::FalseSchema)
        })
    };
    let objects: Vec<(usize, &Branch)> = context
        .iter()
        .enumerate()
        .filter(|(_, errors)| !is_other(errors))
        .collect();
    let (_, first) = objects.first().filter(|_| objects.len() > 1)?;
    for error in *first {
        let place = error.instance_path().as_str();
        match error.kind() {
            Kind::Constant { .. } | Kind::Enum { .. } if is_child(here, place) => {
                let values = objects.iter().map(|(_, errors)| values_at(errors, place));
                let values = values.collect::<Option<Vec<_>>>();
                if let Some(values) = values {
                    let choices = AllowedValues::of(values.concat());
                    return Some((place.to_owned(), ValueProblem::NoChoice(choices)));
                }
            }
            Kind::Required { property } if place == here => {
                let name = property.as_str()?;
                let lacks = |errors: &Branch| {
                    errors.iter().any(|error| {
                        let at_union = error.instance_path().as_str() == here;
                        at_union
                            && matches!(error.kind(), Kind::Required { property } if property == name)
                    })
                };
                if !objects.iter().all(|(_, errors)| lacks(errors)) {
                    continue;
                }
                let constants = objects.iter().map(|(index, _)| {
                    let property = known.get(*index)?.get("properties")?.get(name)?;
                    choices_of(property)
                });
                let pointer = format!("{here}/{}", escaped(name));
                let what = match constants.collect::<Option<Vec<_>>>() {
                    Some(choices) => ValueProblem::RequiredOneOf(AllowedValues::joined(choices)),
                    None => ValueProblem::Required,
                };
                return Some((pointer, what));
            }
            _ => {}
        }
    }
    None
}

/// Returns the values that a branch allows at the pointer `place`, if the branch rejects the
/// present value.
fn values_at<'e>(errors: &'e Branch, place: &str) -> Option<Vec<&'e Value>> {
    let mut own = errors
        .iter()
        .filter(|error| error.instance_path().as_str() == place);
    own.find_map(|error| match error.kind() {
        Kind::Constant { expected_value } => Some(vec![&**expected_value]),
        Kind::Enum { options } => Some(options.as_array().into_iter().flatten().collect()),
        _ => None,
    })
}

/// Returns the missing properties of each branch. `None` if there are other errors or too many
/// branches.
fn requirements(here: &str, context: &[Branch]) -> Option<PropertyNameSets> {
    if context.len() > NAMED_MAX {
        return None;
    }
    let missing = |errors: &Branch| -> Option<Vec<String>> {
        let names = errors.iter().map(|error| match error.kind() {
            Kind::Required { property } if error.instance_path().as_str() == here => {
                property.as_str().map(str::to_owned)
            }
            _ => None,
        });
        names
            .collect::<Option<Vec<_>>>()
            .filter(|names| !names.is_empty())
    };
    context
        .iter()
        .map(missing)
        .collect::<Option<Vec<_>>>()
        .map(PropertyNameSets)
}

/// Returns how far a value is from matching a branch.
fn distance(here: &str, errors: &Branch) -> usize {
    let weight = |error: &JsonSchemaError<'_>| match error.kind() {
        Kind::Type { .. } | Kind::FalseSchema if rules_out(here, error) => 1_000,
        Kind::Constant { .. } | Kind::Enum { .. } if rules_out(here, error) => 50,
        Kind::AdditionalProperties { unexpected } => 3 * unexpected.len(),
        Kind::Required { .. } => 2,
        _ => 3,
    };
    errors.iter().map(weight).sum()
}

fn closest(
    schema: &Value,
    here: &str,
    context: &[Branch],
    known: &[&Value],
    depth: usize,
) -> ClosestBranch {
    let nearest = context
        .iter()
        .enumerate()
        .min_by_key(|(_, errors)| distance(here, errors));
    let Some((index, errors)) = nearest else {
        return ClosestBranch {
            form: FormName::At(1),
            lacks: Vec::new(),
        };
    };
    let form = name_of(known.get(index).copied(), index);
    let mut found = Validation::default();
    if depth < DEPTH_MAX {
        for error in errors {
            describe_at(schema, error, depth + 1, &mut found);
            if found.errors.len() >= LACKS_MAX {
                break;
            }
        }
    }
    let lacks = found
        .errors
        .into_iter()
        .take(LACKS_MAX)
        .map(|misfit| PartProblem {
            place: Repeated::text(&place_of(inside(here, &misfit.pointer))),
            what: Box::new(misfit.what),
        });
    ClosestBranch {
        form,
        lacks: lacks.collect(),
    }
}

/// Formats a pointer for people: `edits[0].oldText`.
fn place_of(pointer: &str) -> String {
    let mut place = String::new();
    for key in pointer.split('/').skip(1) {
        let key = key.replace("~1", "/").replace("~0", "~");
        if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit()) {
            place.push_str(&format!("[{key}]"));
        } else {
            if !place.is_empty() {
                place.push('.');
            }
            place.push_str(&key);
        }
    }
    place
}
