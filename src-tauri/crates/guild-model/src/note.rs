//! Messages of the engine, an enum for each subject.
//!
//! `thiserror` writes the message of a variant and `miette` its hint;
//! [`Report::from_error`](crate::Report::from_error) joins both with a code. The doctor's findings
//! (`doctor`) and the meaning of codes (`error`) are elsewhere.

#![expect(missing_docs, reason = "the messages document the variants")]

mod agents;
mod answer;
mod ask;
mod bridge;
mod bundle;
mod call;
mod cli;
mod connection;
mod container;
mod copied;
mod dev;
mod discovery;
mod engine;
mod example;
mod fetch;
mod field;
mod file;
mod found;
mod history;
mod install;
mod link;
mod listing;
mod managing;
mod manifest;
mod name;
mod offer;
mod presence;
mod process;
mod review;
mod settings;
mod start;
mod team;
mod tool;
mod updates;

pub use self::agents::{
    ApprovalTrouble, ClientFileTrouble, GatewayTrouble, GatewayWrong, NamingTrouble, ProfileWrong,
    TeamTrouble, WithheldTrouble,
};
pub use self::answer::{AnswerFault, EndlessWrong, LargePart, QuestionWrong};
pub use self::ask::AskNote;
pub use self::bridge::{BridgeFault, BridgeNote, BridgeWrong, OtherGateway};
pub use self::bundle::{
    ArchiveFault, BundleFault, BundleNote, BundleTrouble, BundleWrong, EntryFault, ManifestFault,
};
pub use self::call::{
    AnswerWrong, CallNote, CallTrouble, EmbeddingsAdvice, EmbeddingsTrouble, EndpointWrong,
    NoPrediction, PredictionAdvice, PredictionRefusal, PredictionTrouble, Unknown, WhyNobody,
};
pub use self::cli::{ArgumentWrong, CliTrouble};
pub use self::connection::{ConnectionTrouble, ListName, SignInTrouble, StatusAdvice, Tail};
pub use self::container::{Beyond, Danger, Private};
pub use self::copied::{CopyNote, Then};
pub use self::dev::{DevTrouble, WatchWrong};
pub use self::discovery::{DiscoveryFields, DiscoveryTrouble, DiscoveryWrong};
pub use self::engine::{ContainerTrouble, ImageAdvice, Quoted};
pub use self::example::ExampleNote;
pub use self::fetch::{AddressWrong, Unfetched};
pub use self::field::{GlobWrong, UrlWrong, VariableWrong};
pub use self::file::{FileFault, io_message, is_files_limit};
pub use self::found::{
    BroughtAdvice, BroughtKind, FileWrong, FoundNote, FoundTrouble, InputNote, RunPlace, RunWrong,
    Whose,
};
pub use self::history::{
    AskingFault, GatewayAt, HallTrouble, HistoryTrouble, SavedNameWrong, SigningTrouble,
};
pub use self::install::{InstallTrouble, ValueFault};
pub use self::link::{LinkTrouble, LinkWrong};
pub use self::listing::{
    ListingNote, ListingWrong, RegistryTrouble, SourceWrong, Uninstallable, Unlisted,
};
pub use self::review::{
    BreakageNote, MountUse, PolicyPlace, ReviewTrouble, ReviewWrong, SchemaChangeNote,
    SuspicionNote,
};

pub use self::managing::ManagingTrouble;
pub use self::manifest::{FolderTrouble, ManifestTrouble};
pub use self::name::NameWrong;
pub use self::offer::OfferWrong;
pub use self::presence::{PresenceTrouble, PresenceWrong};
pub use self::process::{
    AfterRefusal, Ending, Looked, NotRunnable, ProcessTrouble, SignalName, Unanswered,
    VariableFault,
};
pub use self::settings::{SecretTrouble, SettingsTrouble};
pub use self::start::{
    AfterConnecting, AfterCrashes, AfterExit, Circumstance, Circumstances, HeldAdvice, LastWords,
    ListAdvice, NotListening, OddTool, Overdue, Reach, Source, StartTrouble, Who,
};
pub use self::team::{TeamNeed, TeamNote, TeamProgram, TeamUnfit};
pub use self::tool::ToolWrong;
pub use self::updates::{UpdateTrouble, UpdateWrong};

use std::time::Duration;

use guild_text::number::grouped;

/// A number of seconds to the millisecond: `1,000.5`.
fn seconds(duration: &Duration) -> String {
    let whole = grouped(duration.as_secs());
    let millis = format!("{:03}", duration.subsec_millis());
    match millis.trim_end_matches('0') {
        "" => whole,
        part => format!("{whole}.{part}"),
    }
}

#[cfg(test)]
mod tests;
