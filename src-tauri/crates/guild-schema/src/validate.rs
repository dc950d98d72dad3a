//! Validates arguments against a tool's input schema, with readable errors that name the path of
//! the invalid value.
//!
//! Some servers work although their schemas are invalid. Therefore a validator can be built from
//! any schema: invalid parts are dropped with a note, so that the validator accepts more values.
//! `format` is not checked, since servers disagree on its meaning. References to other documents
//! are not fetched.
//!
//! The cost of building a validator and of checking is bounded for all schemas and arguments. There
//! are limits for the schema's size, depth and number of properties ([`crate::schema`]), for the
//! length of chains of references, and for the number of checks that references cause (`weight`).
//! Before each check, its steps and the memory for its errors are estimated (`work`). The estimate
//! is high if a schema has very many branches for the arguments, if a long list is compared with
//! many choices, or if a pattern is expensive.
//!
//! If the estimate exceeds the lower of two limits, a check only determines whether the arguments
//! are valid. If it exceeds the higher limit, the arguments are accepted with a note, because the
//! server checks them too. The estimate ignores that `unevaluatedProperties` and `unevaluatedItems`
//! check some values again, at most once per level of the schema.

mod repair;
mod schema_parts;
mod unions;
mod weight;
mod words;
mod work;

use std::sync::Arc;

use crate::messages::{SchemaNote, ValueProblem};
use crate::schema::bound;
use guild_text::messages::to_strings;
use jsonschema::{Draft, FancyRegex, PatternOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::words::sentence;
use self::work::Affordable;

/// The problems of arguments, or of a result's `structuredContent`. Empty if there are none.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckedArguments {
    /// All errors, at most 100.
    pub errors: Vec<ArgumentError>,
    /// The parts of the schema that could not be used for checking.
    pub notes: Vec<String>,
}

/// An error in arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArgumentError {
    /// The path of the invalid value, as a JSON Pointer into the arguments. A missing property has
    /// its own pointer.
    pub pointer: String,
    /// The error message.
    pub message: String,
    /// The schema keyword that caused the error, e.g. `required`.
    pub keyword: String,
}

impl ArgumentError {
    /// Creates an error about the arguments as a whole.
    pub fn whole(message: impl ToString, keyword: &str) -> Self {
        Self {
            pointer: String::new(),
            message: message.to_string(),
            keyword: keyword.to_owned(),
        }
    }
}

impl From<ValueError> for ArgumentError {
    fn from(error: ValueError) -> Self {
        Self {
            pointer: error.pointer,
            message: error.what.to_string(),
            keyword: error.keyword,
        }
    }
}

/// Maximum number of errors of one check.
const ERRORS_MAX: usize = 100;
/// Maximum number of notes of a validator about parts of the schema that can't be used.
const NOTES_MAX: usize = 50;
/// Maximum number of attempts to repair and rebuild a schema. After that, the schema accepts
/// anything.
const BUILDS_MAX: usize = 64;
/// Backtracking limit of a pattern with look-around. Above it, the pattern can't be checked.
const BACKTRACK_MAX: usize = 100_000;
/// Maximum size of a compiled pattern, in bytes.
const PATTERN_BYTES_MAX: usize = 1024 * 1024;

/// Checks arguments against one schema.
#[derive(Debug, Clone)]
pub struct Validator {
    /// The compiled schema. `None` accepts anything.
    compiled: Option<Compiled>,
    notes: Vec<SchemaNote>,
}

/// The errors and notes of one check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Validation {
    errors: Vec<ValueError>,
    /// The parts of the schema that could not be used.
    notes: Vec<SchemaNote>,
}

/// One error in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ValueError {
    /// A JSON Pointer into the value. A missing property has its own pointer.
    pointer: String,
    what: ValueProblem,
    /// The schema keyword, e.g. `required`. Empty if there is none.
    keyword: String,
}

/// A usable schema, and its compiled validator.
#[derive(Debug, Clone)]
struct Compiled {
    schema: Arc<Value>,
    validator: jsonschema::Validator,
}

impl Validator {
    /// Bounds and compiles a schema. Parts that can't be used become notes.
    ///
    /// The dialect comes from `$schema` (draft 4 to 2020-12), with 2020-12 as the default.
    /// Compiling a schema with hundreds of properties takes milliseconds, so reuse the validator.
    pub fn build(schema: &Value) -> Self {
        let bounded = bound(schema);
        let mut schema = bounded.schema;
        let mut notes = bounded.notes;
        let draft = repair::take_draft(&mut schema, &mut notes);
        let harmless = notes.len();
        repair::drop_dangling(&mut schema, &mut notes);
        repair::drop_illegal(&mut schema, draft, &mut notes);
        weight::drop_heavy(&mut schema, &mut notes);
        if bounded.opened || notes.len() > harmless {
            repair::loosen(&mut schema, &mut notes);
        }
        let compiled = compile(&mut schema, draft, &mut notes).map(|validator| Compiled {
            schema: Arc::new(schema),
            validator,
        });
        if compiled.is_none() {
            notes.push(SchemaNote::Unusable);
        }
        notes.truncate(NOTES_MAX);
        Self { compiled, notes }
    }

    /// Returns the parts of the schema that could not be used.
    pub fn notes(&self) -> &[SchemaNote] {
        &self.notes
    }

    /// Validates arguments. The result has no errors if they are valid. Its messages never repeat a
    /// value from the arguments.
    pub fn check(&self, arguments: &Value) -> CheckedArguments {
        let mut checked = Validation {
            errors: Vec::new(),
            notes: self.notes.clone(),
        };
        if let Some(compiled) = &self.compiled {
            compiled.check(arguments, &mut checked);
        }
        let errors = checked.errors.into_iter().take(ERRORS_MAX);
        CheckedArguments {
            errors: errors.map(ArgumentError::from).collect(),
            notes: to_strings(&checked.notes),
        }
    }
}

impl Compiled {
    fn check(&self, arguments: &Value, checked: &mut Validation) {
        match work::affordable(&self.schema, arguments) {
            // Checking without collecting errors is faster, and nearly all arguments are valid.
            Affordable::Errors if self.validator.is_valid(arguments) => {}
            Affordable::Errors => {
                for error in self.validator.iter_errors(arguments) {
                    words::describe(&self.schema, &error, checked);
                    if checked.errors.len() >= ERRORS_MAX {
                        break;
                    }
                }
            }
            Affordable::Verdict => {
                if !self.validator.is_valid(arguments) {
                    checked.errors.push(ValueError {
                        pointer: String::new(),
                        what: ValueProblem::Somewhere,
                        keyword: String::new(),
                    });
                }
            }
            Affordable::Nothing => checked.notes.push(SchemaNote::WouldTakeTooLong),
        }
    }
}

fn pattern_options() -> PatternOptions<FancyRegex> {
    PatternOptions::fancy_regex()
        .backtrack_limit(BACKTRACK_MAX)
        .size_limit(PATTERN_BYTES_MAX)
        .dfa_size_limit(PATTERN_BYTES_MAX)
}

fn compile(
    schema: &mut Value,
    draft: Draft,
    notes: &mut Vec<SchemaNote>,
) -> Option<jsonschema::Validator> {
    for _ in 0..BUILDS_MAX {
        let built = jsonschema::options()
            .with_draft(draft)
            .offline()
            .should_validate_formats(false)
            .with_pattern_options(pattern_options())
            .build(schema);
        let error = match built {
            Ok(validator) => return Some(validator),
            Err(error) => error,
        };
        if !repair::drop_reported(schema, &error, notes) && !repair::drop_identities(schema, notes)
        {
            return None;
        }
        repair::loosen(schema, notes);
    }
    None
}

#[cfg(test)]
mod tests;
