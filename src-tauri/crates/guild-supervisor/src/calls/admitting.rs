//! Arguments before anything is started for them: read so that no digit changes, and held against the
//! tool's schema.

use std::sync::Arc;

use guild_api::wire::ArgumentCheck;
use guild_model::arguments::{ArgumentsError, parse_exact};
use guild_model::messages::CallTrouble;
use guild_model::{Code, Report, ToolName};
use guild_schema::messages::ValueWrong;
use guild_schema::validate::{Checked, Misfit, Validator};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::CallFailure;
use guild_roster::{IndexedTool, ToolSet};

/// The most bytes of arguments that are checked on a thread of the runtime.
const CHECKED_HERE_MAX: usize = 16 << 10;

/// Why arguments were not sent.
pub struct ArgumentsRejection {
    report: Box<Report>,
    /// The same error, for the arguments as a whole.
    what: ValueWrong,
}

impl ArgumentsRejection {
    /// Why, in one report.
    pub fn into_report(self) -> Report {
        *self.report
    }

    /// The same as an answer to a mere question.
    pub fn into_checked(self) -> Checked {
        Checked {
            errors: vec![Misfit {
                pointer: String::new(),
                what: self.what,
                keyword: self.report.code.as_str().to_owned(),
            }],
            notes: vec![],
        }
    }
}

impl From<ArgumentsError> for ArgumentsRejection {
    fn from(error: ArgumentsError) -> Self {
        Self {
            report: Box::new(error.report()),
            what: ValueWrong::Unsendable(error.line, error.column, error.wrong),
        }
    }
}

impl From<Report> for ArgumentsRejection {
    fn from(report: Report) -> Self {
        Self {
            what: ValueWrong::Said(report.message.clone()),
            report: Box::new(report),
        }
    }
}

/// The arguments of a call as its caller wrote them.
#[derive(Debug, Clone)]
pub enum RawArguments {
    /// A text that may not be JSON.
    Text(String),
    /// JSON.
    Json(Arc<RawValue>),
}

impl RawArguments {
    /// The text.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Json(json) => json.get(),
        }
    }

    /// The same as JSON.
    fn into_json(self) -> Result<Arc<RawValue>, Report> {
        match self {
            Self::Json(json) => Ok(json),
            Self::Text(text) => match RawValue::from_string(text) {
                Ok(json) => Ok(json.into()),
                Err(error) => {
                    let trouble = CallTrouble::Unwritable(error.to_string());
                    Err(Report::from_error(Code::ArgumentsNotJson, &trouble))
                }
            },
        }
    }
}

/// Reads arguments, and checks them against the tool's schema where that is known.
pub async fn check(
    listed: Option<&Arc<ToolSet>>,
    tool: &ToolName,
    arguments: RawArguments,
) -> Result<(Arc<RawValue>, Checked), ArgumentsRejection> {
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
        let trouble = CallTrouble::Unchecked(error.to_string());
        Err(Report::from_error(Code::ArgumentsInvalid, &trouble).into())
    })
}

fn check_now(
    known: Option<&IndexedTool>,
    arguments: RawArguments,
) -> Result<(Arc<RawValue>, Checked), ArgumentsRejection> {
    let read = parse_exact(arguments.text())?;
    let checked = match known {
        Some(tool) => tool.validator().check(&Value::Object(read)),
        None => Checked::default(),
    };
    Ok((arguments.into_json()?, checked))
}

/// Reads values and holds them against what is wanted, on a thread that may be busy.
pub async fn check_answer(
    schema: Arc<Value>,
    content: String,
) -> Result<(Map<String, Value>, Checked), ArgumentsRejection> {
    let checking = tokio::task::spawn_blocking(move || {
        let values = parse_exact(&content)?;
        let checked = Validator::build(&schema).check(&Value::Object(values.clone()));
        Ok((values, checked))
    });
    checking.await.unwrap_or_else(|error| {
        let trouble = CallTrouble::AnswerUnchecked(error.to_string());
        Err(Report::from_error(Code::ArgumentsInvalid, &trouble).into())
    })
}

/// Reads and checks arguments like [`check`]. Refuses those that do not fit, unless the caller sends
/// them all the same.
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
    let report = unfit(CallTrouble::Unfit, &checked.errors);
    Err(CallFailure::for_arguments(report, checked.errors))
}

/// Error for invalid values, with the first errors at their places.
pub fn unfit(what: fn(String) -> CallTrouble, errors: &[Misfit]) -> Report {
    let shown = {
        let shown = errors.iter().take(3).map(|error| {
            let wrong = error.what.to_string();
            match error.pointer.as_str() {
                "" => wrong,
                pointer => format!("{pointer} {wrong}"),
            }
        });
        shown.collect::<Vec<_>>().join("; ")
    };
    Report::from_error(Code::ArgumentsInvalid, &what(shown))
}
