//! Errors of `config.yml`, the settings of tool discovery.

use std::path::PathBuf;

use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// An error of `config.yml`.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum DiscoveryError {
    #[error("{0}:{1}: {2}.")]
    #[diagnostic(help(
        "The file has a section `discovery` with the indented lines `enabled: true`, `timeout: 10000` (milliseconds) and `cache: true`, and a section `prediction` with `enabled`, `url`, `model`, `key` and `timeout`. All of them are optional."
    ))]
    Line(&'static str, usize, DiscoveryProblem),
    #[error("{0} was not changed: {1}.")]
    #[diagnostic(help("Fix that value."))]
    Left(&'static str, DiscoveryProblem),
    #[error("{0} has changed since it was read, so it was not written.")]
    #[diagnostic(help("Open the settings again."))]
    Changed(&'static str),
    #[error("{0} can't be read: {1}.")]
    #[diagnostic(help("Make it readable, or remove it."))]
    Unreadable(PathBuf, String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Make it and its folder writable."))]
    Unwritable(PathBuf, String),
}

/// A problem with a line or value of `config.yml`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DiscoveryProblem {
    #[error("the file has {length} bytes; the limit is {most}", length = grouped(.0), most = grouped(.1))]
    TooLong(usize, u64),
    #[error("not UTF-8")]
    NotUtf8,
    #[error("{0} is not a section; use `discovery` or `prediction`")]
    NoSection(String),
    #[error("`{0}` is defined twice")]
    Twice(String),
    #[error("`{0}` has the fields {1}, not {2}")]
    NotBelow(String, DiscoveryFields, String),
    #[error("`{0}` has the fields {1}, not {2}")]
    NoField(&'static str, DiscoveryFields, String),
    #[error("{0} is not a `name: value` pair")]
    NoPair(String),
    #[error("it must be true or false, not {0}")]
    NoFlag(String),
    #[error("it must be a whole number of milliseconds from {0} to {1}, not {2}")]
    NoMillis(u64, u64, String),
    #[error(
        "a time limit must be a whole number of milliseconds from {least} to {most}, not {given}"
    )]
    NotWithin { least: u64, most: u64, given: u64 },
    #[error("`prediction` is enabled but has no `{0}`")]
    Incomplete(&'static str),
    #[error("{0} is not an address")]
    NoAddress(String),
    #[error("{0} does not begin with https:// or http://")]
    NoScheme(String),
    #[error("{0} must be only a host and a path; put a key into `key`")]
    MoreThanPath(String),
    #[error("{0} has no host")]
    NoHost(String),
    #[error("{0} is not encrypted; http:// works only for this machine")]
    NotEncrypted(String),
    #[error("{0} is not a model name")]
    NoModel(String),
    #[error("write the key as ${{secret:NAME}} or ${{env:NAME}}, not as text")]
    NoKey,
    #[error("its lines can't be changed one by one")]
    NotLineByLine,
    #[error("{0}")]
    Unread(String),
}

/// The known fields of a section.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DiscoveryFields {
    #[error("`enabled`, `timeout` and `cache`")]
    OfDiscovery,
    #[error("`enabled`, `url`, `model`, `key` and `timeout`")]
    OfPrediction,
}
