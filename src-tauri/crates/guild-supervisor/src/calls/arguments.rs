//! Parses arguments before a member is started for them, and validates them against the tool's
//! schema. Parsing changes no digit of a number.

use std::sync::Arc;

use guild_api::wire::ArgumentCheck;
use guild_model::arguments::{ArgumentsError, parse_exact};
use guild_model::messages::CallError;
use guild_model::{Code, Report, ToolName};
use guild_schema::messages::ValueProblem;
use guild_schema::validate::{ArgumentError, CheckedArguments, Validator};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::CallFailure;
use guild_roster::{IndexedTool, ToolSet};

/// Maximum size of arguments that are checked on a thread of the runtime, in bytes.
const CHECKED_HERE_MAX: usize = 16 << 10;

/// The reason why arguments were not sent.
pub struct ArgumentsRejection {
    report: Box<Report>,
    /// The error as one message for all arguments together.
    message: String,
}

impl ArgumentsRejection {
    /// Returns the error as a report.
    pub fn into_report(self) -> Report {
        *self.report
    }

    /// Returns the error as the result of a check that sends nothing.
    pub fn into_checked(self) -> CheckedArguments {
        CheckedArguments {
            errors: vec![ArgumentError::whole(
                self.message,
                self.report.code.as_str(),
            )],
            notes: vec![],
        }
    }
}

impl From<ArgumentsError> for ArgumentsRejection {
    fn from(error: ArgumentsError) -> Self {
        Self {
            report: Box::new(error.report()),
            message: ValueProblem::Unsendable(error.line, error.column, error.wrong).to_string(),
        }
    }
}

impl From<Report> for ArgumentsRejection {
    fn from(report: Report) -> Self {
        Self {
            message: report.message.clone(),
            report: Box::new(report),
        }
    }
}

/// The arguments of a call as its caller wrote them.
#[derive(Debug, Clone)]
pub enum RawArguments {
    /// A string that may not be JSON.
    Text(String),
    /// Valid JSON.
    Json(Arc<RawValue>),
}

impl RawArguments {
    /// Returns the arguments as a string.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Json(json) => json.get(),
        }
    }

    fn into_json(self) -> Result<Arc<RawValue>, Report> {
        match self {
            Self::Json(json) => Ok(json),
            Self::Text(text) => match RawValue::from_string(text) {
                Ok(json) => Ok(json.into()),
                Err(error) => {
                    let trouble = CallError::Unwritable(error.to_string());
                    Err(Report::from_error(Code::ArgumentsNotJson, &trouble))
                }
            },
        }
    }
}

/// Parses arguments, and validates them against the tool's schema if it is known.
pub async fn check(
    listed: Option<&Arc<ToolSet>>,
    tool: &ToolName,
    arguments: RawArguments,
) -> Result<(Arc<RawValue>, CheckedArguments), ArgumentsRejection> {
    let known = listed.and_then(|tools| tools.get(tool));
    if arguments.text().len() <= CHECKED_HERE_MAX && known.is_none_or(IndexedTool::has_validator) {
        return check_now(known, arguments);
    }
    let (listed, tool) = (listed.cloned(), tool.clone());
    let checking = tokio::task::spawn_blocking(move || {
        let known = listed.as_ref().and_then(|tools| tools.get(&tool));
        check_now(known, arguments)
    });
    checking.await.unwrap_or_else(|error| {
        let trouble = CallError::Unchecked(error.to_string());
        Err(Report::from_error(Code::ArgumentsInvalid, &trouble).into())
    })
}

fn check_now(
    known: Option<&IndexedTool>,
    arguments: RawArguments,
) -> Result<(Arc<RawValue>, CheckedArguments), ArgumentsRejection> {
    let read = parse_exact(arguments.text())?;
    let checked = match known {
        Some(tool) => tool.validator().check(&Value::Object(read)),
        None => CheckedArguments::default(),
    };
    Ok((arguments.into_json()?, checked))
}

/// Parses a person's answer to an elicitation and validates it against the schema, on a blocking
/// thread.
pub async fn check_answer(
    schema: Arc<Value>,
    content: String,
) -> Result<(Map<String, Value>, CheckedArguments), ArgumentsRejection> {
    let checking = tokio::task::spawn_blocking(move || {
        let values = parse_exact(&content)?;
        let checked = Validator::build(&schema).check(&Value::Object(values.clone()));
        Ok((values, checked))
    });
    checking.await.unwrap_or_else(|error| {
        let trouble = CallError::AnswerUnchecked(error.to_string());
        Err(Report::from_error(Code::ArgumentsInvalid, &trouble).into())
    })
}

/// Parses and validates arguments like [`check`]. Rejects invalid arguments, unless `what` is
/// [`ArgumentCheck::SendAnyway`].
pub async fn admit(
    listed: Option<&Arc<ToolSet>>,
    tool: &ToolName,
    arguments: RawArguments,
    what: ArgumentCheck,
) -> Result<Arc<RawValue>, CallFailure> {
    let checking = check(listed, tool, arguments);
    let (arguments, checked) = checking.await.map_err(ArgumentsRejection::into_report)?;
    if what == ArgumentCheck::SendAnyway || checked.errors.is_empty() {
        return Ok(arguments);
    }
    let report = unfit(CallError::Unfit, &checked.errors);
    Err(CallFailure::for_arguments(report, checked.errors))
}

/// Returns the report for invalid values. It lists the first three errors with their JSON Pointers.
pub fn unfit(what: fn(String) -> CallError, errors: &[ArgumentError]) -> Report {
    let shown = {
        let shown = errors.iter().take(3).map(|error| {
            let wrong = &error.message;
            match error.pointer.as_str() {
                "" => wrong.clone(),
                pointer => format!("{pointer} {wrong}"),
            }
        });
        shown.collect::<Vec<_>>().join("; ")
    };
    Report::from_error(Code::ArgumentsInvalid, &what(shown))
}
