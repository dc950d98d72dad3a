//! Errors of requests to a model.

use guild_model::id::MemberName;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// An error of asking a model for tools.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum PredictionError {
    #[error("A model can only be asked about stdio servers that a command starts.")]
    #[diagnostic(help("Ask the server's operator for its tools."))]
    NoPipes,
    #[error("The member's tools are already known.")]
    #[diagnostic(help("A model is only asked if no other way found tools."))]
    Known,
    #[error("The other ways to detect the member's tools were not tried yet.")]
    #[diagnostic(help(
        "Refresh the tools first, on the member's page or with `guildhall tools discover {0}`."
    ))]
    NotYet(MemberName),
    #[error("No model is set.")]
    #[diagnostic(help(
        "Set one in `config.yml` under `prediction`, or on the tool detection page."
    ))]
    NoModel,
    #[error("A model can only be asked about servers that a command starts.")]
    #[diagnostic(help("Ask the server's operator for its tools."))]
    NoCommand,
    #[error("Tool detection is off.")]
    #[diagnostic(help(
        "Turn on `enabled` under `discovery` in `config.yml`, or on the tool detection page."
    ))]
    NoOtherWays,
    #[error("Asking a model for tools is off.")]
    #[diagnostic(help(
        "Turn on `enabled` under `prediction` in `config.yml`, or on the tool detection page."
    ))]
    Off,
    #[error("The request changed since it was shown.")]
    #[diagnostic(help("Open the request again."))]
    NotAsShown,
    #[error("The request to the model was cancelled.")]
    AskedNoMore,
    #[error("The model at {0} did not list the member's tools: {1}.")]
    #[diagnostic(help("{2}"))]
    InVain(String, String, PredictionAdvice),
    #[error("The member's command changed since the model was asked.")]
    #[diagnostic(help("Open the request again."))]
    Outdated,
}

/// Advice after a failed request to a model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PredictionAdvice {
    #[error("Try again.")]
    Again,
    #[error("Fix the address and the key under `prediction`.")]
    Address,
    #[error(
        "Check that the endpoint runs and that its address is right. Guild Hall follows no redirects and uses no proxy."
    )]
    Endpoint,
    #[error("Try again, or give it more time: `timeout` under `prediction`, in milliseconds.")]
    Longer,
    #[error("Use another model: this answer is too large for a tool list.")]
    LargeAnswer,
    #[error("Save the API key again, as the secret that `key` under `prediction` names.")]
    Key,
    #[error("Check `url` and `model` under `prediction`: most addresses end in /v1.")]
    Place,
    #[error("Try again later (Retry-After: {0}).")]
    LaterThan(String),
    #[error("Try again later, or check your account's quota.")]
    Account,
    #[error("Use the address that the endpoint redirects to: {0}")]
    Elsewhere(String),
    #[error("Use the address that the endpoint redirects to.")]
    SomewhereElse,
    #[error("Try again later.")]
    Later,
    #[error("Read the endpoint's message, and check `model` under `prediction`.")]
    Model,
    #[error("Check `url` under `prediction`: most addresses end in /v1.")]
    Url,
    #[error("Try again, or use another model.")]
    AgainOrOther,
    #[error("Use another model.")]
    OtherModel,
    #[error("Add the names of tools that you know to `auto_approve`.")]
    ByHand,
}

/// A response of an endpoint that is not a success.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PredictionRefusal {
    #[error("{0} (HTTP {1})")]
    Status(EndpointProblem, u16),
    #[error("{0} (HTTP {1}): {2:?}")]
    Says(EndpointProblem, u16, String),
}

/// The meaning of an endpoint's HTTP status.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndpointProblem {
    #[error("it rejected the key")]
    KeyRefused,
    #[error("the model or the address doesn't exist")]
    NoModel,
    #[error("it received too many requests")]
    TooMuch,
    #[error("it redirects, which Guild Hall does not follow")]
    Elsewhere,
    #[error("it has an internal error")]
    Fails,
    #[error("it rejected the request")]
    NotTaken,
}

/// The reason why a model's answer has no tools.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoPrediction {
    #[error("the answer is larger than {most} bytes", most = grouped(.0))]
    TooLarge(usize),
    #[error("the answer is not from an OpenAI-compatible endpoint ({0})")]
    NotAnAnswer(AnswerProblem),
    #[error("the model declined: {0:?}")]
    Declined(String),
    #[error("the model's answer was filtered")]
    Filtered,
    #[error("the model's answer is incomplete")]
    CutOff,
    #[error("the model answered without a list of tools: {0:?}")]
    NoList(String),
    #[error("the model doesn't know this server's tools")]
    Unknown,
}

/// The part of an answer that is not OpenAI-compatible.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnswerProblem {
    #[error("it is not JSON: {0}")]
    NoJson(String),
    #[error("it has no `choices`")]
    NoChoices,
    #[error("`choices` is empty")]
    NoChoice,
    #[error("the choice has no `message`")]
    NoMessage,
    #[error("the message has no text")]
    NoText,
    #[error("{0}")]
    Unread(String),
}
