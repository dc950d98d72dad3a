//! Why a call has no result, and a question no answer.

use super::{ArgumentsWrong, DiscoveryWrong, Told, Ungrouped, notes, troubles};
use crate::id::MemberName;
use crate::ladder::FoundBy;

troubles! {
    /// Why a call is not made, or has no result.
    CallTrouble;
    /// Its arguments can't be sent as they were typed.
    Unsendable(line: Ungrouped<usize>, column: Ungrouped<usize>, wrong: ArgumentsWrong)
        "The arguments can't be sent: line {line}, column {column}: {wrong}."
        "Arguments are one JSON object, e.g. {{\"path\": \"notes.txt\"}}.";
    /// They can't be written out.
    Unwritable(error: String)
        "They can't be written: {error}."
        "";
    /// They could not be checked.
    Unchecked(error: String)
        "The arguments could not be checked: {error}."
        "Send them without the check.";
    /// They do not fit the schema.
    Unfit(errors: String)
        "The arguments do not fit the tool's schema: {errors}."
        "Mend them, or send them all the same without the check.";
    /// Values do not fit what is asked.
    AnswerUnfit(errors: String)
        "The values do not fit what the server asks for: {errors}."
        "Correct them and answer again; the question goes on waiting.";
    /// They could not be checked.
    AnswerUnchecked(error: String)
        "The values could not be checked: {error}."
        "";
    /// The question waits no more.
    QuestionEnded
        "This question waits for no answer any more."
        "Make the call again, and answer when it asks.";
    /// The question was put to nobody.
    NobodyAsked(asked: String, why: WhyNobody)
        "The server asks {asked}, and {why}; it was told so."
        "Make the call in the window, and answer there.";
    /// The member ended meanwhile.
    EndedMeanwhile(cause: String)
        "The member ended while the call ran: {cause}"
        "Whether the call took effect is not known; look before you repeat it.";
    /// The member was stopped meanwhile.
    StoppedMeanwhile
        "The member was stopped while the call ran."
        "Whether the call took effect is not known; look before you repeat it.";
    /// Guild Hall closes.
    Closing
        "Guild Hall is closing."
        "";
    /// Guild Hall closed meanwhile.
    ClosedMeanwhile
        "Guild Hall is closing: the call was broken off."
        "Whether the call took effect is not known; look before you repeat it.";
    /// Somebody cancelled it.
    Cancelled
        "The call was cancelled."
        "";
    /// Its result is lost.
    Lost(error: String)
        "The result was lost: {error}."
        "";
    /// Too many run.
    TooMany(most: usize)
        "{most} calls run already."
        "Wait until some have ended.";
    /// One with its id runs.
    SameId(id: String)
        "A call with the id {id} runs already."
        "Give each call its own id.";
    /// There is no such member.
    NoMember(member: String, next: Unknown)
        "There is no member {member}."
        "{next}";
    /// There is no such tool.
    NoTool(tool: String, next: Unknown)
        "The member has no tool {tool}."
        "{next}";
    /// It is not known which tools the member has.
    NeverListed(tool: String, member: MemberName)
        "The tool {tool} is not known: {member} was never listed."
        "List it with `guildhall tools {member} --wait`, or start the member.";
    /// There is no such example.
    NoExample(example: String, next: Unknown)
        "The member has no example {example}."
        "{next}";
    /// The server has not confirmed it.
    Unconfirmed(found: FoundBy)
        "The tool was found in {found}, and the server has not confirmed it."
        "Start the member: once its server answers `tools/list`, the tool can be called.";
}

notes! {
    /// What is told of a call while it waits.
    CallNote;
    /// For its member.
    Starting(member: MemberName)
        "{member} is being started";
}

notes! {
    /// Why a question was put to nobody: the rest of a sentence.
    WhyNobody;
    /// Too many wait.
    TooMany(most: usize)
        "{most} of its questions wait already";
    /// There is no window.
    Nobody
        "nobody is there to be asked: only a window asks";
    /// Nobody answered.
    NoAnswer
        "nobody answered in time";
}

notes! {
    /// What to do about a name that nobody has.
    Unknown;
    /// One is like it.
    Near(name: String)
        "Did you mean {name}?";
    /// Where members are.
    LookedIn(folder: String)
        "Members are looked for in {folder}.";
    /// How many tools there are.
    HasTools(count: usize)
        "Tools that it has: {count}; list them to see their names.";
    /// Where examples are.
    HasExamples
        "Its plugin.json has them.";
}

troubles! {
    /// Why a model is not asked which tools a member has.
    PredictionTrouble;
    /// It is not spoken to over pipes.
    NoPipes
        "A model is asked only about servers that a command starts and that speak over pipes: the others are not asked in other ways either."
        "Ask whoever runs this server for its tools.";
    /// Its tools are known.
    Known
        "Its tools are known already."
        "A model is asked only where no other way brought any.";
    /// Other ways are left.
    NotYet(member: MemberName)
        "It was not asked in all other ways yet."
        "Refresh its tools first, on its page or with `guildhall tools discover {member}`.";
    /// No model is named.
    NoModel
        "No model is named that could be asked."
        "Name one in `config.yml` under `prediction`, or in the window on its page.";
    /// No command starts it.
    NoCommand
        "A model is asked only about servers that a command starts."
        "Ask whoever runs this server for its tools.";
    /// Nothing is asked in other ways.
    NoOtherWays
        "Tools are looked for in no other ways: discovery is switched off."
        "Switch on `enabled` under `discovery` in `config.yml`, or in the window on its page.";
    /// No model is asked.
    Off
        "Asking a model for tools is switched off."
        "Switch on `enabled` under `prediction` in `config.yml`, or in the window on its page.";
    /// The key can't be read.
    KeyUnread(error: String)
        "The key could not be read: {error}."
        "Try again.";
    /// It is another request by now.
    NotAsShown
        "What would be sent is not what was shown."
        "Look at the request again.";
    /// Somebody cancelled it.
    AskedNoMore
        "The model is asked no more."
        "";
    /// The model was asked, and there is no answer that could be used.
    InVain(host: String, what: String, next: PredictionAdvice)
        "The model at {host} was asked for the member's tools in vain: {what}."
        "{next}";
    /// It is another by now.
    Outdated
        "It runs something else by now than the model was asked about."
        "Look at the request again.";
}

notes! {
    /// What to do where a model was asked in vain.
    PredictionAdvice;
    /// Anything.
    Again
        "Try again.";
    /// It can't be sent.
    Address
        "Correct the address and the key under `prediction`.";
    /// Nobody answers.
    Endpoint
        "See that the endpoint runs and that its address is right. No redirect is followed, and no proxy is used.";
    /// It takes too long.
    Longer
        "Try again, or give it more time: `timeout` under `prediction`, in milliseconds.";
    /// It says too much.
    LargeAnswer
        "Name another model: such an answer is no list of tools.";
    /// 401 or 403.
    Key
        "Set the secret that `key` under `prediction` names anew.";
    /// 404.
    Place
        "Look at `url` and `model` under `prediction`: the address most often ends in /v1.";
    /// 429, with a time.
    LaterThan(after: String)
        "Try again later; it says: Retry-After: {after}.";
    /// 429.
    Account
        "Try again later, or look at what the account may still ask.";
    /// A redirect with its place.
    Elsewhere(location: String)
        "Give the address that it points to: {location}";
    /// A redirect.
    SomewhereElse
        "Give the address that it points to.";
    /// 500 and more.
    Later
        "Try again later.";
    /// Another status.
    Model
        "Look at what it says, and at `model` under `prediction`.";
    /// It is no answer.
    Url
        "Look at `url` under `prediction`: the address most often ends in /v1.";
    /// It has no tools.
    AgainOrOther
        "Try again, or name another model.";
    /// It does not want to.
    OtherModel
        "Name another model.";
    /// It knows none.
    ByHand
        "Write the names that you know into `auto_approve`.";
}

troubles! {
    /// Why an embeddings endpoint is of no use.
    EmbeddingsTrouble;
    /// It can't be set like that.
    Refused(wrong: DiscoveryWrong)
        "The embeddings endpoint can't be used: {wrong}."
        "Give an address, a model, and a key only as a reference. To store the key: `guildhall secret set embeddings-key`.";
    /// There is none.
    NotSet
        "No embeddings endpoint is set."
        "Set one: `guildhall tools embeddings set --url ADDRESS --model MODEL`.";
    /// It was asked, and there is no vector.
    Failed(host: String, what: String, next: EmbeddingsAdvice)
        "The embeddings endpoint at {host} gave no vectors: {what}."
        "{next}";
    /// It takes too long.
    Slow(host: String, limit_ms: u64)
        "The embeddings endpoint at {host} did not answer within {limit_ms} ms."
        "Try again when the model is loaded, or set a longer time limit.";
}

notes! {
    /// What to do where an embeddings endpoint gave no vectors.
    EmbeddingsAdvice;
    /// It can't be reached.
    Reach
        "Check that the endpoint runs and that its address is right: most end in /v1.";
    /// 401 or 403.
    Key
        "Set the secret of the key again.";
    /// 429, 500 and more.
    Later
        "Try again later.";
    /// Anything else.
    Model
        "Check the address, which most often ends in /v1, and that the model gives embeddings.";
}

notes! {
    /// Why an endpoint did not take the request: the rest of a sentence.
    PredictionRefusal;
    /// With its status, and nothing else.
    Status(why: EndpointWrong, status: u16)
        "{why} (HTTP {status})";
    /// With its own words.
    Says(why: EndpointWrong, status: u16, words: String)
        "{why} (HTTP {status}), and it says {words:?}";
}

notes! {
    /// What the status of an endpoint's answer means: the rest of a sentence.
    EndpointWrong;
    /// 401 or 403.
    KeyRefused
        "the key is refused";
    /// 404.
    NoModel
        "there is no such model, or the address is another";
    /// 429.
    TooMuch
        "too much was asked of it";
    /// A redirect.
    Elsewhere
        "it points elsewhere, and is not followed";
    /// 500 and more.
    Fails
        "it fails itself";
    /// Another one.
    NotTaken
        "it does not take the request";
}

notes! {
    /// Why a model's answer has no tools: the rest of a sentence.
    NoPrediction;
    /// It is larger than is read.
    TooLarge(most: usize)
        "the answer is larger than {most} bytes";
    /// It is no JSON, or not an answer of an OpenAI-compatible endpoint.
    NotAnAnswer(what: AnswerWrong)
        "the answer is none of an OpenAI-compatible endpoint ({what})";
    /// The model declines.
    Declined(said: String)
        "the model declines: {said:?}";
    /// It was kept from answering.
    Filtered
        "the model declines: \"its answer was filtered\"";
    /// It ends in the middle.
    CutOff
        "the model's answer ends in the middle";
    /// There is no list of tools in what the model said.
    NoList(said: String)
        "the model answered without a list of tools: {said:?}";
    /// The model knows of no tools.
    Unknown
        "the model knows of no tools of this server";
}

notes! {
    /// Why an answer is none of a model's endpoint: the rest of a sentence.
    AnswerWrong;
    /// It is no JSON.
    NoJson(error: String)
        "it is no JSON: {error}";
    /// It has no `choices`.
    NoChoices
        "it has no `choices`";
    /// They are empty.
    NoChoice
        "`choices` is empty";
    /// The first has no message.
    NoMessage
        "the choice has no `message`";
    /// It has no text.
    NoText
        "the message has no text";
    /// It was not read.
    Unread(error: String)
        "{error}";
}

impl Told for FoundBy {
    fn told(&self) -> String {
        self.to_string()
    }
}

#[cfg(test)]
impl super::Example for FoundBy {
    fn example() -> Self {
        Self::new(
            crate::ladder::Rung::ToolsArray,
            Some(crate::ladder::Stream::Stdout),
        )
    }
}
