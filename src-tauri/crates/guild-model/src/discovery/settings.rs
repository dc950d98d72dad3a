//! `config.yml` in the data folder: the settings of fallback discovery and of the prediction by a
//! model.
//!
//! The file has simple values in the sections `discovery` and `prediction`. Any other field, and a
//! second YAML document, is an error that names its line, so that no setting is ignored. When
//! settings are saved, only lines with changed values are rewritten.

mod reading;
mod rewriting;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Report};
use crate::messages::{DiscoveryError, DiscoveryProblem};

/// The file's name in the data folder.
pub const DISCOVERY_FILE: &str = "config.yml";
/// Maximum size of the file, in bytes.
pub const DISCOVERY_BYTES_MAX: u64 = 64 * 1024;

/// The minimum and maximum of a discovery's timeout, in milliseconds.
const TIMEOUT_MS: std::ops::RangeInclusive<u64> = 100..=600_000;
/// The minimum and maximum of the timeout for a model's response, in milliseconds.
const ANSWER_MS: std::ops::RangeInclusive<u64> = 1_000..=300_000;
/// Maximum lengths of an address and of a model name, in bytes.
const URL_MAX: usize = 2_000;
const MODEL_MAX: usize = 200;

/// Fallback discovery: other ways to find the tools of servers that don't list them as the protocol
/// requires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscoverySettings {
    /// Whether fallback discovery is enabled.
    pub enabled: bool,
    /// Time limit of a whole discovery, in milliseconds, for manifests without `discovery_ms`.
    pub timeout_ms: Option<u64>,
    /// Whether the found tools are cached for the next start.
    pub cache: bool,
    /// The model that predicts the tools if all other ways found none.
    pub prediction: PredictionSettings,
}

impl Default for DiscoverySettings {
    fn default() -> Self {
        Self {
            enabled: true,
            timeout_ms: None,
            cache: true,
            prediction: PredictionSettings::default(),
        }
    }
}

/// The model that predicts a server's tools if all other ways found none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PredictionSettings {
    /// Whether the model may be asked. Off by default.
    pub enabled: bool,
    /// The base address of an OpenAI-compatible endpoint: `https:`, or `http:` for this machine.
    /// Empty if not set.
    pub url: String,
    /// The model's name at the endpoint. Empty if not set.
    pub model: String,
    /// The reference to the API key, as `${secret:NAME}` or `${env:NAME}`. No file contains the key
    /// itself.
    pub key: Option<String>,
    /// Time limit for the model's response, in milliseconds.
    pub timeout_ms: u64,
}

impl Default for PredictionSettings {
    fn default() -> Self {
        Self {
            enabled: false,
            url: String::new(),
            model: String::new(),
            key: None,
            timeout_ms: 30_000,
        }
    }
}

/// A line number and its error.
type DiscoveryLineError = (usize, DiscoveryProblem);

impl DiscoverySettings {
    /// Parses the file. For an empty file, returns the defaults.
    ///
    /// # Errors
    /// `discovery-settings`, with the line.
    pub fn parse(bytes: &[u8]) -> Result<Self, Report> {
        reading::read(bytes).map_err(|(line, wrong)| {
            let trouble = DiscoveryError::Line(DISCOVERY_FILE, line, wrong);
            Report::from_error(Code::DiscoverySettings, &trouble)
        })
    }

    /// Returns the text `before` with these settings. Comments and the order of lines stay the
    /// same.
    ///
    /// # Errors
    /// `discovery-settings` if a value is invalid, or `before` can't be parsed.
    pub fn rewritten(&self, before: &[u8]) -> Result<String, Report> {
        let refused = |wrong: DiscoveryProblem| {
            let trouble = DiscoveryError::Left(DISCOVERY_FILE, wrong);
            Report::from_error(Code::DiscoverySettings, &trouble)
        };
        if let Some(ms) = self.timeout_ms {
            within(ms, TIMEOUT_MS).map_err(refused)?;
        }
        self.prediction.check().map_err(refused)?;
        let old = Self::parse(before)?;
        let before = std::str::from_utf8(before)
            .map_err(|error| refused(DiscoveryProblem::Unread(error.to_string())))?;
        let text = rewriting::rewritten(before, &old, self);
        // If the result does not parse to the same settings, the text can't be changed line by
        // line.
        match Self::parse(text.as_bytes()) {
            Ok(read) if read == *self => Ok(text),
            Ok(_) => Err(refused(DiscoveryProblem::NotLineByLine)),
            Err(report) => Err(report),
        }
    }
}

impl PredictionSettings {
    /// Checks the endpoint's address, model, key and timeout.
    ///
    /// # Errors
    /// The first invalid value.
    pub fn check(&self) -> Result<(), DiscoveryProblem> {
        if !self.url.is_empty() {
            endpoint(&self.url)?;
        }
        if !self.model.is_empty() {
            model(&self.model)?;
        }
        if let Some(reference) = &self.key {
            key(reference)?;
        }
        within(self.timeout_ms, ANSWER_MS)?;
        self.complete()
    }

    /// Checks that a prediction has all required values if it is enabled.
    fn complete(&self) -> Result<(), DiscoveryProblem> {
        let missing = match self {
            Self { enabled: false, .. } => return Ok(()),
            Self { url, .. } if url.is_empty() => "url",
            Self { model, .. } if model.is_empty() => "model",
            _ => return Ok(()),
        };
        Err(DiscoveryProblem::Incomplete(missing))
    }
}

/// Checks the address of an endpoint: `https:`, or `http:` if it is on this machine. Traffic to
/// other machines could be intercepted without encryption.
fn endpoint(url: &str) -> Result<String, DiscoveryProblem> {
    let wrong = |what: fn(String) -> DiscoveryProblem| Err(what(quoted(url)));
    if url.len() > URL_MAX || !url.bytes().all(|byte| byte.is_ascii_graphic()) {
        return wrong(DiscoveryProblem::NoAddress);
    }
    let (rest, is_open) = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
        (Some(rest), _) => (rest, false),
        (None, Some(rest)) => (rest, true),
        (None, None) => return wrong(DiscoveryProblem::NoScheme),
    };
    if rest.contains(['@', '?', '#', '"', '\'', '\\', '{', '}', '<', '>']) {
        return wrong(DiscoveryProblem::MoreThanPath);
    }
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(inner) => inner.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    if host.is_empty() {
        return wrong(DiscoveryProblem::NoHost);
    }
    match is_open && !is_this_machine(host) {
        true => wrong(DiscoveryProblem::NotEncrypted),
        false => Ok(url.to_owned()),
    }
}

/// Checks whether a host is this machine, by name or address.
fn is_this_machine(host: &str) -> bool {
    let numbers: Vec<_> = host.split('.').map(str::parse::<u8>).collect();
    let is_loopback = matches!(numbers.as_slice(), [Ok(127), Ok(_), Ok(_), Ok(_)]);
    host.eq_ignore_ascii_case("localhost") || host == "::1" || is_loopback
}

fn model(name: &str) -> Result<String, DiscoveryProblem> {
    let known = |c: char| c.is_ascii_alphanumeric() || "._-/:@+ ".contains(c);
    let ends_well = name.trim() == name && !name.ends_with(':') && !name.contains(": ");
    match !name.is_empty() && name.len() <= MODEL_MAX && name.chars().all(known) && ends_well {
        true => Ok(name.to_owned()),
        false => Err(DiscoveryProblem::NoModel(quoted(name))),
    }
}

fn key(reference: &str) -> Result<String, DiscoveryProblem> {
    let inner = reference
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'));
    let name = inner.and_then(|inner| {
        inner
            .strip_prefix("secret:")
            .or_else(|| inner.strip_prefix("env:"))
    });
    let known = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    match name.is_some_and(|name| !name.is_empty() && name.len() <= 256 && name.chars().all(known))
    {
        true => Ok(reference.to_owned()),
        // The error does not repeat the value, since that may be the key itself.
        false => Err(DiscoveryProblem::NoKey),
    }
}

fn within(ms: u64, range: std::ops::RangeInclusive<u64>) -> Result<u64, DiscoveryProblem> {
    let (least, most) = (*range.start(), *range.end());
    match range.contains(&ms) {
        true => Ok(ms),
        false => Err(DiscoveryProblem::NotWithin {
            least,
            most,
            given: ms,
        }),
    }
}

/// Quotes a part of the file for an error.
fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(40).collect();
    format!("{cut:?}")
}

#[cfg(test)]
mod tests;
