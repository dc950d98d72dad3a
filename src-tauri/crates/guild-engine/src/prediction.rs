//! Asking a model which tools a server probably has, where every other way to them has failed.
//!
//! What would be sent is a [`Question`], put together out of the manifest and `config.yml` alone, so
//! that it is the same each time: a person's yes is to its hash, and is kept ([`Consents`]) if they
//! want that. [`ask`] sends it, once, and reads the answer; both are bounded.

mod consents;
mod file;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use guild_core::ladder::{
    DiscoverySettings, FoundBy, NoPrediction, PREDICTED_BYTES_MAX, PredictionSettings, predicted,
    prediction_body,
};
use guild_core::manifest::{Launch, Manifest, Substitution};
use guild_core::{Code, Report};
use guild_mcp::{Post, PostError, Posted, ToolList, post};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use self::consents::Consents;
pub(crate) use self::file::{change, settings};
use crate::secrets::{Given, Values};

/// How many models are asked at once.
const AT_ONCE: usize = 2;
/// How much of an endpoint's own words is repeated, in characters.
const WORDS_MAX: usize = 300;

/// What all members of a hall share of it.
#[derive(Debug)]
pub(crate) struct Predictions {
    /// What a person said yes to for good.
    pub(crate) consents: Consents,
    turns: Semaphore,
}

impl Predictions {
    pub(crate) fn new(data_dir: &Path) -> Self {
        Self {
            consents: Consents::new(data_dir),
            turns: Semaphore::new(AT_ONCE),
        }
    }
}

/// What a model would be sent for one member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) url: String,
    pub(crate) body: String,
    /// Stands for where it goes and all that it says.
    pub(crate) hash: String,
    key: Option<String>,
    limit: Duration,
}

impl Question {
    /// The question for a member.
    ///
    /// # Errors
    /// `prediction-off` where no model is named, `prediction-refused` for a server that no command
    /// starts.
    pub(crate) fn of(
        manifest: &Manifest,
        settings: &PredictionSettings,
        values: &Values,
    ) -> Result<Self, Report> {
        if settings.url.is_empty() || settings.model.is_empty() {
            return Err(Report::new(
                Code::PredictionOff,
                "No model is named that could be asked.",
                "Name one in `config.yml` under `prediction`, or in the window on its page.",
            ));
        }
        let Some(mut body) = prediction_body(manifest, &settings.model) else {
            return Err(Report::new(
                Code::PredictionRefused,
                "A model is asked only about servers that a command starts.",
                "Ask whoever runs this server for its tools.",
            ));
        };
        // Beside what is masked by its look, whatever is known to be a secret.
        values.veil().hide_in(&mut body);
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

    /// Its headers, the key as a reference.
    pub(crate) fn headers(&self) -> Vec<String> {
        let key = self
            .key
            .iter()
            .map(|key| format!("Authorization: Bearer {key}"));
        std::iter::once("Content-Type: application/json".to_owned())
            .chain(key)
            .collect()
    }
}

/// Why a model is not asked at all.
pub(crate) fn off(settings: &DiscoverySettings) -> Option<Report> {
    let (message, hint) = match settings {
        DiscoverySettings { enabled: false, .. } => (
            "Tools are looked for in no other ways: discovery is switched off.",
            "Switch on `enabled` under `discovery` in `config.yml`, or in the window on its page.",
        ),
        DiscoverySettings { prediction, .. } if !prediction.enabled => (
            "Asking a model for tools is switched off.",
            "Switch on `enabled` under `prediction` in `config.yml`, or in the window on its page.",
        ),
        _ => return None,
    };
    Some(Report::new(Code::PredictionOff, message, hint))
}

/// Sends a question and reads the answer. Dropped, it ends at once.
///
/// # Errors
/// `prediction-failed`, and those of the key's variable.
pub(crate) async fn ask(
    predictions: &Predictions,
    values: &Values,
    question: &Question,
) -> Result<(ToolList, FoundBy), Report> {
    let host = host_of(&question.url);
    let authorization = authorization(values, question).await?;
    // It is never closed.
    let _turn = predictions.turns.acquire().await;
    let posted = post(Post {
        url: question.url.clone(),
        authorization,
        body: question.body.clone(),
        limit: question.limit,
        answer_max: PREDICTED_BYTES_MAX,
    });
    let posted = posted.await.map_err(|error| unanswered(&host, &error))?;
    if posted.status != 200 {
        let mut report = refused(&host, &posted);
        values.veil().report(&mut report);
        return Err(report);
    }
    let reading = tokio::task::spawn_blocking(move || predicted(&posted.body));
    // Only a panic or the runtime's end keeps it from being read.
    let read = reading
        .await
        .unwrap_or_else(|error| Err(NoPrediction::NotAnAnswer(error.to_string())));
    let climbed = read.map_err(|none| {
        let mut report = useless(&host, &none);
        values.veil().report(&mut report);
        report
    })?;
    let list = ToolList {
        tools: climbed.tools,
        problems: climbed.problems,
        ttl_ms: None,
    };
    let veiled = values.veil().list(list).await;
    let list = veiled.map_err(|error| failed(&host, &error.to_string(), "Try again."))?;
    Ok((list, climbed.found))
}

/// What proves who asks: the key in the place of its reference.
async fn authorization(values: &Values, question: &Question) -> Result<Option<String>, Report> {
    let Some(key) = question.key.clone() else {
        return Ok(None);
    };
    let launch = Launch::Url {
        url: String::new(),
        headers: BTreeMap::from([("Authorization".to_owned(), key.clone())]),
    };
    let given = values.for_start(&launch).await?;
    let values = values.clone();
    let filling = tokio::task::spawn_blocking(move || filled(&values, &given, &key));
    filling.await.unwrap_or_else(|error| {
        let message = format!("The key could not be read: {error}.");
        Err(Report::new(Code::SecretMissing, message, "Try again."))
    })
}

fn filled(values: &Values, given: &Given, key: &str) -> Result<Option<String>, Report> {
    let substitution = Substitution {
        port: None,
        plugin_dir: "",
        guildhall: "",
        lookup: given,
    };
    let key = substitution.substitute(key)?;
    // Whatever its variable is called.
    values.remember(&key);
    Ok(Some(format!("Bearer {key}")))
}

/// Whom an address is of, as an error says it.
fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default().to_owned()
}

fn failed(host: &str, what: &str, hint: &str) -> Report {
    let message = format!("The model at {host} was asked for the member's tools in vain: {what}.");
    Report::new(Code::PredictionFailed, message, hint)
}

fn unanswered(host: &str, error: &PostError) -> Report {
    let hint = match error {
        PostError::Unsendable(_) => "Correct the address and the key under `prediction`.",
        PostError::Connection(_) => {
            "See that the endpoint runs and that its address is right. No redirect is followed, and \
             no proxy is used."
        }
        PostError::TooLong(_) => {
            "Try again, or give it more time: `timeout` under `prediction`, in milliseconds."
        }
        PostError::TooLarge(_) => "Name another model: such an answer is no list of tools.",
    };
    failed(host, &error.to_string(), hint)
}

/// What a status other than 200 means.
fn refused(host: &str, posted: &Posted) -> Report {
    let status = posted.status;
    let again;
    let (what, hint) = match status {
        401 | 403 => (
            "the key is refused",
            "Set the secret that `key` under `prediction` names anew.",
        ),
        404 => (
            "there is no such model, or the address is another",
            "Look at `url` and `model` under `prediction`: the address most often ends in /v1.",
        ),
        429 => {
            again = match &posted.retry_after {
                Some(after) => format!("Try again later; it says: Retry-After: {after}."),
                None => "Try again later, or look at what the account may still ask.".to_owned(),
            };
            ("too much was asked of it", again.as_str())
        }
        300..=399 => {
            again = match &posted.location {
                Some(location) => format!("Give the address that it points to: {location}"),
                None => "Give the address that it points to.".to_owned(),
            };
            ("it points elsewhere, and is not followed", again.as_str())
        }
        500..=599 => ("it fails itself", "Try again later."),
        _ => (
            "it does not take the request",
            "Look at what it says, and at `model` under `prediction`.",
        ),
    };
    let words = words(&posted.body);
    let says = match words.is_empty() {
        true => String::new(),
        false => format!(", and it says {words:?}"),
    };
    failed(host, &format!("{what} (HTTP {status}){says}"), hint)
}

fn useless(host: &str, none: &NoPrediction) -> Report {
    let hint = match none {
        NoPrediction::NotAnAnswer(_) => {
            "Look at `url` under `prediction`: the address most often ends in /v1."
        }
        NoPrediction::TooLarge | NoPrediction::CutOff | NoPrediction::NoList(_) => {
            "Try again, or name another model."
        }
        NoPrediction::Declined(_) => "Name another model.",
        NoPrediction::Unknown => "Write the names that you know into `auto_approve`.",
    };
    failed(host, &none.to_string(), hint)
}

/// What an endpoint says of an error, in one line.
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
