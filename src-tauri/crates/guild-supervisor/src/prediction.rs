//! Asks a model which tools a server probably has, after all other strategies have failed.
//!
//! A [`ChatCompletionRequest`] is built only from the manifest and `config.yml`, so that it is the
//! same each time. A person approves its hash, and [`Consents`] saves the approval if requested.
//! [`ask`] sends the request once, and reads the answer. Request and answer have size limits.

mod consents;
mod file;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::messages::{
    AnswerProblem, EndpointProblem, PredictionAdvice, PredictionError, PredictionRefusal,
};
use crate::output_scan::{NoPrediction, PREDICTED_BYTES_MAX, predicted, prediction_body};
use guild_mcp_client::{PostError, PostRequest, PostResponse, ToolList, post};
use guild_model::discovery::{DiscoverySettings, FoundBy, PredictionSettings};
use guild_model::manifest::{Launch, Manifest, Substitution};
use guild_model::{Code, Report};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use self::consents::Consents;
pub use self::file::{change, settings};
use guild_files::blocking::blocking;
use guild_secrets::{ResolvedEnv, SecretResolver};

/// Maximum number of concurrent requests to models.
const AT_ONCE: usize = 2;
/// Maximum length of an endpoint's message in an error, in characters.
const WORDS_MAX: usize = 300;

/// State for requests to models, which all members share.
#[derive(Debug)]
pub struct Predictions {
    /// Permanently approved requests.
    pub consents: Consents,
    turns: Semaphore,
}

impl Predictions {
    /// Returns the state of a data folder. Its approvals are read on each use.
    pub fn new(data_dir: &Path) -> Self {
        Self {
            consents: Consents::new(data_dir),
            turns: Semaphore::new(AT_ONCE),
        }
    }
}

/// A request to a model for one member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatCompletionRequest {
    /// The full address of the model's chat completions endpoint.
    pub url: String,
    /// The JSON request body, with known secrets masked.
    pub body: String,
    /// The SHA-256 of the URL and the body, in hexadecimal. It identifies the request.
    pub hash: String,
    key: Option<String>,
    limit: Duration,
}

impl ChatCompletionRequest {
    /// Creates the request for a member.
    ///
    /// # Errors
    /// `prediction-off` if no model is set, `prediction-refused` for a server that is not started
    /// by a command.
    pub fn of(
        manifest: &Manifest,
        settings: &PredictionSettings,
        values: &SecretResolver,
    ) -> Result<Self, Report> {
        if settings.url.is_empty() || settings.model.is_empty() {
            let trouble = PredictionError::NoModel;
            return Err(Report::from_error(Code::PredictionOff, &trouble));
        }
        let Some(mut body) = prediction_body(manifest, &settings.model) else {
            let trouble = PredictionError::NoCommand;
            return Err(Report::from_error(Code::PredictionRefused, &trouble));
        };
        // All known secrets are masked too, besides those detected by shape.
        values.redactor().hide_in(&mut body);
        let url = format!("{}/chat/completions", settings.url.trim_end_matches('/'));
        let hash = Sha256::new()
            .chain_update(&url)
            .chain_update("\n")
            .chain_update(&body)
            .finalize();
        Ok(Self {
            hash: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
            url,
            body,
            key: settings.key.clone(),
            limit: Duration::from_millis(settings.timeout_ms),
        })
    }

    /// Returns the request's headers. The key is a reference, not the value.
    pub fn headers(&self) -> Vec<String> {
        let key = self
            .key
            .iter()
            .map(|key| format!("Authorization: Bearer {key}"));
        std::iter::once("Content-Type: application/json".to_owned())
            .chain(key)
            .collect()
    }
}

/// Returns the reason why models are not asked. `None` if they may be asked.
pub fn off(settings: &DiscoverySettings) -> Option<Report> {
    let trouble = match settings {
        DiscoverySettings { enabled: false, .. } => PredictionError::NoOtherWays,
        DiscoverySettings { prediction, .. } if !prediction.enabled => PredictionError::Off,
        _ => return None,
    };
    Some(Report::from_error(Code::PredictionOff, &trouble))
}

/// Sends a request and reads the answer. Dropping the future ends the request at once.
///
/// # Errors
/// `prediction-failed`, and the errors of the key's variable.
pub async fn ask(
    predictions: &Predictions,
    values: &SecretResolver,
    question: &ChatCompletionRequest,
) -> Result<(ToolList, FoundBy), Report> {
    let host = host_of(&question.url);
    let authorization = bearer(values, question.key.as_deref()).await?;
    // The semaphore is never closed.
    let _turn = predictions.turns.acquire().await;
    let posted = post(PostRequest {
        url: question.url.clone(),
        authorization,
        body: question.body.clone(),
        limit: question.limit,
        answer_max: PREDICTED_BYTES_MAX,
    });
    let posted = posted.await.map_err(|error| unanswered(&host, &error))?;
    if posted.status != 200 {
        let mut report = refused(&host, &posted);
        values.redactor().report(&mut report);
        return Err(report);
    }
    let reading = tokio::task::spawn_blocking(move || predicted(&posted.body));
    // Reading fails only after a panic, or when the runtime ends.
    let read = reading.await.unwrap_or_else(|error| {
        let unread = AnswerProblem::Unread(error.to_string());
        Err(NoPrediction::NotAnAnswer(unread))
    });
    let scanned = read.map_err(|none| {
        let mut report = useless(&host, &none);
        values.redactor().report(&mut report);
        report
    })?;
    let list = ToolList {
        tools: scanned.tools,
        problems: scanned.problems,
        ttl_ms: None,
    };
    let redacted = values.redactor().list(list).await;
    let list =
        redacted.map_err(|error| failed(&host, &error.to_string(), PredictionAdvice::Again))?;
    Ok((list, scanned.found))
}

/// Returns the value of the `Authorization` header: `Bearer` and the API key. `key` is a reference
/// such as `${secret:NAME}`, which is replaced by its value. Returns `None` without a `key`.
///
/// # Errors
/// If the secret or variable that `key` names can't be read.
pub async fn bearer(values: &SecretResolver, key: Option<&str>) -> Result<Option<String>, Report> {
    let Some(key) = key.map(str::to_owned) else {
        return Ok(None);
    };
    let launch = Launch::Url {
        url: String::new(),
        headers: BTreeMap::from([("Authorization".to_owned(), key.clone())]),
    };
    let given = values.for_start(&launch).await?;
    let values = values.clone();
    blocking(move || filled(&values, &given, &key)).await?
}

fn filled(
    values: &SecretResolver,
    given: &ResolvedEnv,
    key: &str,
) -> Result<Option<String>, Report> {
    let substitution = Substitution {
        port: None,
        plugin_dir: "",
        guildhall: "",
        lookup: given,
    };
    let key = substitution.substitute(key)?;
    // An API key is masked for any name of its variable.
    values.remember(&key);
    Ok(Some(format!("Bearer {key}")))
}

/// Returns the host of a URL, for errors.
pub fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default().to_owned()
}

fn failed(host: &str, what: &impl ToString, next: PredictionAdvice) -> Report {
    let trouble = PredictionError::InVain(host.to_owned(), what.to_string(), next);
    Report::from_error(Code::PredictionFailed, &trouble)
}

fn unanswered(host: &str, error: &PostError) -> Report {
    let next = match error {
        PostError::Unsendable(_) => PredictionAdvice::Address,
        PostError::Connection(_) => PredictionAdvice::Endpoint,
        PostError::TooLong(_) => PredictionAdvice::Longer,
        PostError::TooLarge(_) => PredictionAdvice::LargeAnswer,
    };
    failed(host, error, next)
}

/// Returns the error for a status other than 200.
fn refused(host: &str, posted: &PostResponse) -> Report {
    let next = match posted.status {
        401 | 403 => PredictionAdvice::Key,
        404 => PredictionAdvice::Place,
        429 => match &posted.retry_after {
            Some(after) => PredictionAdvice::LaterThan(after.clone()),
            None => PredictionAdvice::Account,
        },
        300..=399 => match &posted.location {
            Some(location) => PredictionAdvice::Elsewhere(location.clone()),
            None => PredictionAdvice::SomewhereElse,
        },
        500..=599 => PredictionAdvice::Later,
        _ => PredictionAdvice::Model,
    };
    failed(host, &refusal(posted), next)
}

/// Returns the error for a status other than 200, with the endpoint's own message.
pub fn refusal(posted: &PostResponse) -> PredictionRefusal {
    let (why, words) = (meaning(posted.status), words(&posted.body));
    match words.is_empty() {
        true => PredictionRefusal::Status(why, posted.status),
        false => PredictionRefusal::Says(why, posted.status, words),
    }
}

fn meaning(status: u16) -> EndpointProblem {
    match status {
        401 | 403 => EndpointProblem::KeyRefused,
        404 => EndpointProblem::NoModel,
        429 => EndpointProblem::TooMuch,
        300..=399 => EndpointProblem::Elsewhere,
        500..=599 => EndpointProblem::Fails,
        _ => EndpointProblem::NotTaken,
    }
}

fn useless(host: &str, none: &NoPrediction) -> Report {
    let next = match none {
        NoPrediction::NotAnAnswer(_) => PredictionAdvice::Url,
        NoPrediction::TooLarge(_) | NoPrediction::CutOff | NoPrediction::NoList(_) => {
            PredictionAdvice::AgainOrOther
        }
        NoPrediction::Declined(_) | NoPrediction::Filtered => PredictionAdvice::OtherModel,
        NoPrediction::Unknown => PredictionAdvice::ByHand,
    };
    failed(host, none, next)
}

/// Returns an endpoint's error message in one line.
fn words(body: &[u8]) -> String {
    let read: Option<serde_json::Value> = serde_json::from_slice(body).ok();
    let said = read.as_ref().and_then(|answer| {
        let error = answer.get("error")?;
        error.get("message").unwrap_or(error).as_str()
    });
    let head = String::from_utf8_lossy(&body[..body.len().min(4 * WORDS_MAX)]);
    let text = said.map_or_else(|| head.into_owned(), str::to_owned);
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let harmless = plain.chars().filter(|c| !c.is_control());
    harmless.take(WORDS_MAX).collect()
}
