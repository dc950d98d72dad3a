//! What programs on one data folder say to the hall that runs there, beside the commands of the
//! table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Report;
use crate::event::Envelope;
use crate::language::Language;

/// Says who runs: no fields -> [`RunningHall`].
pub const WHO: &str = "who";
/// Brings the window up: [`ShowWindow`] -> no fields. Refused where there is none.
pub const SHOW_WINDOW: &str = "show_window";
/// Answers once no member is being started or stopped: no fields -> no fields.
pub const AT_REST: &str = "at_rest";

/// Tells each round of a member that somebody writes, from the next on, until nobody listens:
/// `OfMember` -> no fields, once the member is gone.
pub const FOLLOW_DEV: &str = "follow_dev";

/// As what a hall runs that others can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HallRole {
    /// The desktop app, with a window.
    App,
    /// `guildhall serve`.
    Serve,
    /// `guildhall dev`.
    Dev,
}

impl HallRole {
    /// The program as a person knows it.
    pub fn words(self) -> &'static str {
        match self {
            Self::App => "the desktop app",
            Self::Serve => "`guildhall serve`",
            Self::Dev => "`guildhall dev`",
        }
    }
}

/// The hall that runs on a data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunningHall {
    /// Its process.
    pub pid: u32,
    /// As what it runs.
    pub role: HallRole,
    /// Guild Hall's version.
    pub version: String,
    /// Its folder of members.
    pub members_dir: String,
    /// The gateway's address, while it is open.
    pub gateway: Option<String>,
    /// Whether it is about to end.
    pub closing: bool,
}

/// The most files that a window is opened with.
pub const OPENED_FILES_MAX: usize = 16;

/// What the window is to show when it comes up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ShowWindow {
    /// A link as it came, well made or not: whoever has the window says what is wrong with it.
    pub link: Option<String>,
    /// Whole paths of files that are to be looked into, [`OPENED_FILES_MAX`] at most.
    pub files: Vec<String>,
}

/// A request to a running hall: one line of JSON. Several may be under way at once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ask<R> {
    /// Chosen by who asks; what is said to it carries the same.
    pub id: u64,
    /// The command's name.
    pub command: String,
    /// The language that sentences in the answer are in: English, unless it is said.
    #[serde(default)]
    pub language: Language,
    /// The command's request.
    pub request: R,
}

/// What a running hall says to a request: one line of JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Said<R> {
    /// The request's.
    pub id: u64,
    /// What is said.
    pub what: What<R>,
}

/// What a running hall says to a request: any number of events, then an answer or a refusal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What<R> {
    /// Something on the way, to a call: its progress, a question that nobody answers.
    Event(Box<Envelope>),
    /// The command's response.
    Answer(R),
    /// Why there is none.
    Refusal(Report),
}
