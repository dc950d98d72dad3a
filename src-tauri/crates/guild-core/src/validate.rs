//! Arguments held against a tool's input schema, errors in words and each at its place.
//!
//! Servers send schemas that are not legal, and their tools work all the same. So a validator can
//! always be built: what is illegal is left out and noted, which only ever makes it accept more.
//! `format` is not enforced, for servers disagree on what it means. Nothing is fetched.
//!
//! Both building and checking come to an end, whatever the schema and the arguments are. Bounded
//! are: the schema's size, depth and properties ([`crate::schema`]), the length of reference
//! chains and the checks that references multiply (`weight`), and, counted before each check, the
//! steps of that check and the memory of its errors (`work`): a schema that branches too often for
//! these arguments, a long list of choices held against a long list, an expensive pattern. Past
//! the smaller of two limits a check says only whether the arguments fit; past the larger one they
//! are accepted, with a note, for the server checks them itself. Not counted is that
//! `unevaluatedProperties` and `unevaluatedItems` look at some values again, at most once for each
//! level of schemas.

mod repair;
mod schema_parts;
mod unions;
mod weight;
mod words;
mod work;

use std::sync::Arc;

use crate::note::{SchemaNote, Told, ValueWrong, told};
use crate::schema::bound;
use crate::wire::{ArgumentError, CheckedArguments};
use jsonschema::{Draft, FancyRegex, PatternOptions};
use serde_json::Value;

pub(crate) use self::words::sentence;
use self::work::Affordable;

/// The most errors of one check.
const ERRORS_MAX: usize = 100;
/// The most notes of one validator.
const NOTES_MAX: usize = 50;
/// How many times a schema is mended and built again before anything is accepted.
const BUILDS_MAX: usize = 64;
/// How far a pattern with look-around may backtrack before it counts as one that can't be checked.
const BACKTRACK_MAX: usize = 100_000;
/// The largest compiled pattern, in bytes.
const PATTERN_BYTES_MAX: usize = 1024 * 1024;

/// Checks arguments against one schema.
#[derive(Debug, Clone)]
pub struct Validator {
    /// `None` accepts anything.
    compiled: Option<Compiled>,
    notes: Vec<SchemaNote>,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// Every error, at most 100; none where the value fits.
    pub errors: Vec<Misfit>,
    /// Parts of the schema that could not be used for checking.
    pub notes: Vec<SchemaNote>,
}

impl Checked {
    /// The errors and notes as they are shown.
    pub fn told(&self) -> CheckedArguments {
        CheckedArguments {
            errors: self.errors.iter().map(|one| one.told()).collect(),
            notes: told(&self.notes),
        }
    }
}

/// One thing that is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// Where, as a JSON Pointer into the value; a missing property is named by its own place.
    pub pointer: String,
    /// What.
    pub what: ValueWrong,
    /// The keyword of the schema that says so, e.g. `required`; empty where none does.
    pub keyword: String,
}

impl Misfit {
    /// The error as it is shown.
    pub fn told(&self) -> ArgumentError {
        ArgumentError {
            pointer: self.pointer.clone(),
            message: self.what.told(),
            keyword: self.keyword.clone(),
        }
    }
}

/// A schema that can be used, and what was made of it.
#[derive(Debug, Clone)]
struct Compiled {
    schema: Arc<Value>,
    validator: jsonschema::Validator,
}

impl Validator {
    /// Compiles a schema. It is bounded first; what can't be used for checking becomes a note.
    ///
    /// The dialect is what `$schema` names (draft 4 to 2020-12), else 2020-12. Compiling a schema
    /// of hundreds of properties takes milliseconds: keep the validator.
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

    /// Parts of the schema that could not be used for checking.
    pub fn notes(&self) -> &[SchemaNote] {
        &self.notes
    }

    /// Checks arguments; no errors when they fit. What is told never repeats what was given.
    pub fn check(&self, arguments: &Value) -> Checked {
        let mut checked = Checked {
            errors: Vec::new(),
            notes: self.notes.clone(),
        };
        if let Some(compiled) = &self.compiled {
            compiled.check(arguments, &mut checked);
        }
        checked.errors.truncate(ERRORS_MAX);
        checked
    }
}

impl Compiled {
    fn check(&self, arguments: &Value, checked: &mut Checked) {
        match work::affordable(&self.schema, arguments) {
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
                    checked.errors.push(Misfit {
                        pointer: String::new(),
                        what: ValueWrong::Somewhere,
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
