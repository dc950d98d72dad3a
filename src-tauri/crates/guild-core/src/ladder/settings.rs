//! `config.yml` of the data folder: whether and how servers are asked in other ways (seed 004), and
//! whether a model may be asked at last.
//!
//! Of YAML it may have what this takes: comments, and under `discovery` and `prediction` plain
//! values, a line each; those of `discovery` also all in braces. Everything else (anchors, tags,
//! several documents, texts over lines) is an error that names its line, so that no setting is ever
//! passed over or taken for another.

mod reading;
mod rewriting;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Report};
use crate::note::{DiscoveryTrouble, DiscoveryWrong, Ungrouped};

/// The file's name in the data folder.
pub const DISCOVERY_FILE: &str = "config.yml";
/// The largest file that is read, in bytes.
pub const DISCOVERY_BYTES_MAX: u64 = 64 * 1024;

/// The shortest and the longest time limit of a discovery, in milliseconds.
const TIMEOUT_MS: std::ops::RangeInclusive<u64> = 100..=600_000;
/// The same for a model's answer.
const ANSWER_MS: std::ops::RangeInclusive<u64> = 1_000..=300_000;
/// The longest address and the longest name of a model, in bytes.
const URL_MAX: usize = 2_000;
const MODEL_MAX: usize = 200;

/// Whether and how servers that speak the protocol badly are asked in other ways.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscoverySettings {
    /// Whether they are.
    pub enabled: bool,
    /// How long one may take in all, in milliseconds, where its manifest has no `discovery_ms` of
    /// its own.
    pub timeout_ms: Option<u64>,
    /// Whether what was found is kept for the next start.
    pub cache: bool,
    /// The model that is asked where nothing else brought tools.
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

/// The model that is asked for a server's tools where nothing else brought any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PredictionSettings {
    /// Whether it may be asked at all; off unless it is switched on.
    pub enabled: bool,
    /// The base address of an OpenAI-compatible endpoint, `https:`, or `http:` on this machine;
    /// empty where none is given.
    pub url: String,
    /// The model's name there; empty where none is given.
    pub model: String,
    /// Where the key is, as `${secret:NAME}` or `${env:NAME}`; the key itself stands in no file.
    pub key: Option<String>,
    /// How long an answer is waited for, in milliseconds.
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

/// What is wrong with a line.
type Wrong = (usize, DiscoveryWrong);

impl DiscoverySettings {
    /// Reads the file. An empty one has the defaults.
    ///
    /// # Errors
    /// `discovery-settings`, with the line.
    pub fn parse(bytes: &[u8]) -> Result<Self, Report> {
        reading::read(bytes).map_err(|(line, wrong)| {
            let trouble = DiscoveryTrouble::Line(DISCOVERY_FILE, Ungrouped(line), wrong);
            Report::told(Code::DiscoverySettings, &trouble)
        })
    }

    /// The text of a file with these settings: that of `before`, of which only the values differ
    /// that have to. Comments and the order of lines stay.
    ///
    /// # Errors
    /// `discovery-settings` where a value can't be used, or `before` can't be read.
    pub fn rewritten(&self, before: &[u8]) -> Result<String, Report> {
        let refused = |wrong: DiscoveryWrong| {
            let trouble = DiscoveryTrouble::Left(DISCOVERY_FILE, wrong);
            Report::told(Code::DiscoverySettings, &trouble)
        };
        if let Some(ms) = self.timeout_ms {
            within(ms, TIMEOUT_MS).map_err(refused)?;
        }
        self.prediction.check().map_err(refused)?;
        let old = Self::parse(before)?;
        let before = std::str::from_utf8(before)
            .map_err(|error| refused(DiscoveryWrong::Unread(error.to_string())))?;
        let text = rewriting::rewritten(before, &old, self);
        // Nothing is written that would be read otherwise.
        match Self::parse(text.as_bytes()) {
            Ok(read) if read == *self => Ok(text),
            Ok(_) => Err(refused(DiscoveryWrong::NotLineByLine)),
            Err(report) => Err(report),
        }
    }
}

impl PredictionSettings {
    /// Checks whether an endpoint can be asked with them.
    ///
    /// # Errors
    /// What can't be used of them.
    pub fn check(&self) -> Result<(), DiscoveryWrong> {
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

    /// Whether there is all that a model is asked with.
    fn complete(&self) -> Result<(), DiscoveryWrong> {
        let missing = match self {
            Self { enabled: false, .. } => return Ok(()),
            Self { url, .. } if url.is_empty() => "url",
            Self { model, .. } if model.is_empty() => "model",
            _ => return Ok(()),
        };
        Err(DiscoveryWrong::Incomplete(missing))
    }
}

/// An address that may be asked: `https:`, or `http:` where nobody listens on the way.
fn endpoint(url: &str) -> Result<String, DiscoveryWrong> {
    let wrong = |what: fn(String) -> DiscoveryWrong| Err(what(quoted(url)));
    if url.len() > URL_MAX || !url.bytes().all(|byte| byte.is_ascii_graphic()) {
        return wrong(DiscoveryWrong::NoAddress);
    }
    let (rest, is_open) = match (url.strip_prefix("https://"), url.strip_prefix("http://")) {
        (Some(rest), _) => (rest, false),
        (None, Some(rest)) => (rest, true),
        (None, None) => return wrong(DiscoveryWrong::NoScheme),
    };
    if rest.contains(['@', '?', '#', '"', '\'', '\\', '{', '}', '<', '>']) {
        return wrong(DiscoveryWrong::MoreThanPath);
    }
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(inner) => inner.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    if host.is_empty() {
        return wrong(DiscoveryWrong::NoHost);
    }
    match is_open && !is_this_machine(host) {
        true => wrong(DiscoveryWrong::NotEncrypted),
        false => Ok(url.to_owned()),
    }
}

/// Whether a host is this machine by its name or its number.
fn is_this_machine(host: &str) -> bool {
    let numbers: Vec<_> = host.split('.').map(str::parse::<u8>).collect();
    let is_loopback = matches!(numbers.as_slice(), [Ok(127), Ok(_), Ok(_), Ok(_)]);
    host.eq_ignore_ascii_case("localhost") || host == "::1" || is_loopback
}

fn model(name: &str) -> Result<String, DiscoveryWrong> {
    let known = |c: char| c.is_ascii_alphanumeric() || "._-/:@+ ".contains(c);
    let ends_well = name.trim() == name && !name.ends_with(':') && !name.contains(": ");
    match !name.is_empty() && name.len() <= MODEL_MAX && name.chars().all(known) && ends_well {
        true => Ok(name.to_owned()),
        false => Err(DiscoveryWrong::NoModel(quoted(name))),
    }
}

fn key(reference: &str) -> Result<String, DiscoveryWrong> {
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
        // It may be the key itself: it is not repeated.
        false => Err(DiscoveryWrong::NoKey),
    }
}

fn within(ms: u64, range: std::ops::RangeInclusive<u64>) -> Result<u64, DiscoveryWrong> {
    let (least, most) = (*range.start(), *range.end());
    match range.contains(&ms) {
        true => Ok(ms),
        false => {
            let [least, most, given] = [least, most, ms].map(Ungrouped);
            Err(DiscoveryWrong::NotWithin(least, most, given))
        }
    }
}

/// A part of the file as an error repeats it.
fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(40).collect();
    format!("{cut:?}")
}

#[cfg(test)]
mod tests;
