//! Errors of calls, and of servers' questions to people.

use guild_text::messages::ArgumentsProblem;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

use crate::discovery::FoundBy;
use crate::id::MemberName;

/// An error of a call.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum CallError {
    #[error("The arguments can't be sent: line {0}, column {1}: {2}.")]
    #[diagnostic(help("Arguments are one JSON object, e.g. {{\"path\": \"notes.txt\"}}."))]
    Unsendable(usize, usize, ArgumentsProblem),
    #[error("The arguments are not JSON: {0}.")]
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

/// Advice if a member or tool has an unknown name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unknown {
    #[error("Did you mean {0}?")]
    Near(String),
    #[error("Members folder: {0}.")]
    LookedIn(String),
    #[error("Its tools: {count}; list them to see their names.", count = grouped(.0))]
    HasTools(usize),
    #[error("The examples are in the member's plugin.json.")]
    HasExamples,
}

/// The reason why a server's question was not shown to a person.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WhyNobody {
    #[error("{most} of its questions are already waiting", most = grouped(.0))]
    TooMany(usize),
    #[error("no Guild Hall window is open")]
    Nobody,
    #[error("no one answered in time")]
    NoAnswer,
}
