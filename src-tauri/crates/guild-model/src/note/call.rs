//! Errors of calls, of questions to people, and of requests to models.

use super::DiscoveryWrong;
use crate::discovery::FoundBy;
use crate::id::MemberName;
use guild_text::note::ArgumentsWrong;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// An error of a call.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum CallTrouble {
    #[error("The arguments can't be sent: line {0}, column {1}: {2}.")]
    #[diagnostic(help("Arguments are one JSON object, e.g. {{\"path\": \"notes.txt\"}}."))]
    Unsendable(usize, usize, ArgumentsWrong),
    #[error("The arguments can't be written: {0}.")]
    Unwritable(String),
    #[error("The arguments could not be checked: {0}.")]
    #[diagnostic(help("Run the tool without the check."))]
    Unchecked(String),
    #[error("The arguments don't match the tool's schema: {0}.")]
    #[diagnostic(help("Fix them, or run the tool without the check."))]
    Unfit(String),
    #[error("The values don't match the server's request: {0}.")]
    #[diagnostic(help("Fix them and answer again; the question is still open."))]
    AnswerUnfit(String),
    #[error("The values could not be checked: {0}.")]
    AnswerUnchecked(String),
    #[error("This question is no longer waiting for an answer.")]
    #[diagnostic(help("Run the tool again, and answer its question."))]
    QuestionEnded,
    #[error("The server asked {0}, but {1}. Guild Hall notified the server.")]
    #[diagnostic(help("Run the tool in the Guild Hall window, and answer there."))]
    NobodyAsked(String, WhyNobody),
    #[error("The member ended while the call ran: {0}")]
    #[diagnostic(help("The call may or may not have taken effect. Check before you repeat it."))]
    EndedMeanwhile(String),
    #[error("The member was stopped while the call ran.")]
    #[diagnostic(help("The call may or may not have taken effect. Check before you repeat it."))]
    StoppedMeanwhile,
    #[error("Guild Hall is closing.")]
    Closing,
    #[error("Guild Hall is closing, so the call was stopped.")]
    #[diagnostic(help("The call may or may not have taken effect. Check before you repeat it."))]
    ClosedMeanwhile,
    #[error("The call was cancelled.")]
    Cancelled,
    #[error("The result was lost: {0}.")]
    Lost(String),
    #[error("{most} calls are already running.", most = grouped(.0))]
    #[diagnostic(help("Wait until some finish."))]
    TooMany(usize),
    #[error("A call with the id {0} is already running.")]
    #[diagnostic(help("Give each call its own id."))]
    SameId(String),
    #[error("No member named {0}.")]
    #[diagnostic(help("{1}"))]
    NoMember(String, Unknown),
    #[error("The member has no tool {0}.")]
    #[diagnostic(help("{1}"))]
    NoTool(String, Unknown),
    #[error("The tool {0} is unknown: the tools of {1} were never listed.")]
    #[diagnostic(help("List them with `guildhall tools {1} --wait`, or start the member."))]
    NeverListed(String, MemberName),
    #[error("The member has no example {0}.")]
    #[diagnostic(help("{1}"))]
    NoExample(String, Unknown),
    #[error("The tool was found in {0}, and the server has not confirmed it.")]
    #[diagnostic(help(
        "Start the member: once its server answers `tools/list`, the tool can be called."
    ))]
    Unconfirmed(FoundBy),
}

/// A notice while a call waits.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CallNote {
    #[error("{0} is being started")]
    Starting(MemberName),
}

/// The reason why a question was not shown.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WhyNobody {
    #[error("{most} of its questions are already waiting", most = grouped(.0))]
    TooMany(usize),
    #[error("no Guild Hall window is open")]
    Nobody,
    #[error("no one answered in time")]
    NoAnswer,
}

/// Advice for an unknown name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unknown {
    #[error("Did you mean {0}?")]
    Near(String),
    #[error("Members folder: {0}.")]
    LookedIn(String),
    #[error("Its tools: {count}; list them to see their names.", count = grouped(.0))]
    HasTools(usize),
    #[error("Its plugin.json has them.")]
    HasExamples,
}

/// An error of asking a model for tools.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum PredictionTrouble {
    #[error("A model can only be asked about stdio servers that a command starts.")]
    #[diagnostic(help("Ask the server's operator for its tools."))]
    NoPipes,
    #[error("Its tools are known already.")]
    #[diagnostic(help("A model is only asked if no other way found tools."))]
    Known,
    #[error("The other ways to detect its tools were not tried yet.")]
    #[diagnostic(help(
        "Refresh its tools first, on its page or with `guildhall tools discover {0}`."
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
    #[error("Set the secret that `key` under `prediction` names again.")]
    Key,
    #[error("Check `url` and `model` under `prediction`: most addresses end in /v1.")]
    Place,
    #[error("Try again later (Retry-After: {0}).")]
    LaterThan(String),
    #[error("Try again later, or check your account's quota.")]
    Account,
    #[error("Use the address that it redirects to: {0}")]
    Elsewhere(String),
    #[error("Use the address that it redirects to.")]
    SomewhereElse,
    #[error("Try again later.")]
    Later,
    #[error("Read its message, and check `model` under `prediction`.")]
    Model,
    #[error("Check `url` under `prediction`: most addresses end in /v1.")]
    Url,
    #[error("Try again, or use another model.")]
    AgainOrOther,
    #[error("Use another model.")]
    OtherModel,
    #[error("Add the tool names you know to `auto_approve`.")]
    ByHand,
}

/// An error of the embeddings endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum EmbeddingsTrouble {
    #[error("The embeddings endpoint can't be used: {0}.")]
    #[diagnostic(help(
        "Set an address, a model and a reference to a key. To save the key: `guildhall secret set embeddings-key`."
    ))]
    Refused(DiscoveryWrong),
    #[error("No embeddings endpoint is set.")]
    #[diagnostic(help("Set one: `guildhall tools embeddings set --url ADDRESS --model MODEL`."))]
    NotSet,
    #[error("The embeddings endpoint at {0} returned no vectors: {1}.")]
    #[diagnostic(help("{2}"))]
    Failed(String, String, EmbeddingsAdvice),
    #[error("The embeddings endpoint at {0} did not answer within {limit_ms} ms.", limit_ms = grouped(.1))]
    #[diagnostic(help("Try again when the model is loaded, or set a longer time limit."))]
    Slow(String, u64),
}

/// Advice after a failed request for embeddings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EmbeddingsAdvice {
    #[error("Check that the endpoint runs and that its address is right: most end in /v1.")]
    Reach,
    #[error("Set the secret of the key again.")]
    Key,
    #[error("Try again later.")]
    Later,
    #[error("Check the address (most end in /v1), and that the model supports embeddings.")]
    Model,
}

/// A response of an endpoint that is not a success.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PredictionRefusal {
    #[error("{0} (HTTP {1})")]
    Status(EndpointWrong, u16),
    #[error("{0} (HTTP {1}): {2:?}")]
    Says(EndpointWrong, u16, String),
}

/// The meaning of an endpoint's HTTP status.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndpointWrong {
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
    NotAnAnswer(AnswerWrong),
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
pub enum AnswerWrong {
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
