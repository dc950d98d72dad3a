//! Messages of the engine: enums of facts whose values are part of the message.
//!
//! An area's notes are an enum of one table ([`notes`](macro@notes)). Errors are enums of the same kind
//! ([`troubles`](macro@troubles)) with a message and a hint; [`Report::told`](crate::Report::told) makes
//! a report of one. The doctor's findings (`doctor`) and the meaning of codes (`error`) are elsewhere.

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
mod json;
mod link;
mod listing;
mod manifest;
mod misread;
mod name;
mod offer;
mod presence;
mod process;
mod review;
mod schema;
mod settings;
mod start;
mod team;
mod text;
mod tool;
mod updates;
mod value;

pub use self::agents::{
    ApprovalTrouble, ClientFileTrouble, GatewayTrouble, GatewayWrong, NamingTrouble, ProfileWrong,
    TeamTrouble, WithheldTrouble,
};
pub use self::answer::{AnswerFault, EndlessWrong, LargePart, QuestionWrong};
pub use self::ask::AskNote;
pub use self::bridge::{BridgeFault, BridgeNote, BridgeWrong, OtherGateway};
pub use self::bundle::{
    ArchiveFault, BundleFault, BundleNote, BundleTrouble, BundleWrong, EntryFault, JsonKind,
    ManifestFault,
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
pub use self::file::{FileFault, FilesLimit, is_files_limit};
pub use self::found::{
    BroughtAdvice, BroughtKind, FileWrong, FoundNote, FoundTrouble, InputNote, RunPlace, RunWrong,
    Whose,
};
pub use self::history::{
    AskingFault, GatewayAt, HallTrouble, HistoryTrouble, SavedNameWrong, SigningTrouble,
};
pub use self::install::{InstallTrouble, ValueFault};
pub use self::json::{ArgumentsWrong, JsonFound, JsonWrong, NumberWrong, Shown};
pub use self::link::{LinkTrouble, LinkWrong};
pub use self::listing::{
    ListingNote, ListingWrong, RegistryTrouble, Sentence, SourceWrong, Uninstallable, Unlisted,
};
pub use self::review::{
    BreakageNote, MountUse, PolicyPlace, ReviewTrouble, ReviewWrong, SchemaChangeNote,
    SuspicionNote,
};
pub use self::schema::{Cut, SchemaNote, SchemaPlace};

pub use self::manifest::{FolderTrouble, ManifestTrouble};
pub use self::misread::{MisreadAdvice, MisreadAt, MisreadWrong};
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
pub use self::text::{TextAt, TextWrong};
pub use self::tool::ToolWrong;
pub use self::updates::{UpdateTrouble, UpdateWrong};
pub use self::value::{
    Choices, Closest, Condition, Count, FormName, Kinds, Names, OfName, PartWrong, Repeated,
    ValueWrong,
};

use std::path::PathBuf;
use std::time::Duration;

use crate::error::Wording;
use crate::id::MemberName;
use crate::number::grouped;

/// A value that can be part of a message.
pub trait Told {
    /// The text as it appears in a message.
    fn told(&self) -> String;
}

/// Values that are written in messages as they are displayed.
macro_rules! plain {
    ($($type:ty = $example:expr;)+) => {
        $(impl Told for $type {
            fn told(&self) -> String {
                self.to_string()
            }
        }

        #[cfg(test)]
        impl Example for $type {
            fn example() -> Self {
                $example
            }
        })+
    };
}

plain! {
    String = "X".to_owned();
    &'static str = "X";
    u16 = 7;
    i32 = 7;
    u32 = 7;
    i64 = -7;
    MemberName = MemberName::for_folder("X", 1);
}

/// A number as people write it: `2,000`.
impl Told for u64 {
    fn told(&self) -> String {
        grouped(*self)
    }
}

/// The same of what lies in memory.
impl Told for usize {
    fn told(&self) -> String {
        grouped(*self as u64)
    }
}

/// A number without separators: a line, a version, or a number to write into a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ungrouped<T>(pub T);

impl<T: ToString> Told for Ungrouped<T> {
    fn told(&self) -> String {
        self.0.to_string()
    }
}

#[cfg(test)]
impl Example for u64 {
    fn example() -> Self {
        7
    }
}

#[cfg(test)]
impl Example for usize {
    fn example() -> Self {
        7
    }
}

#[cfg(test)]
impl<T: Example> Example for Ungrouped<T> {
    fn example() -> Self {
        Self(T::example())
    }
}

impl Told for PathBuf {
    fn told(&self) -> String {
        self.display().to_string()
    }
}

#[cfg(test)]
impl Example for PathBuf {
    fn example() -> Self {
        "/X".into()
    }
}

/// A number of seconds to the millisecond: `1,000.5`.
impl Told for Duration {
    fn told(&self) -> String {
        let whole = grouped(self.as_secs());
        let millis = format!("{:03}", self.subsec_millis());
        match millis.trim_end_matches('0') {
            "" => whole,
            part => format!("{whole}.{part}"),
        }
    }
}

#[cfg(test)]
impl Example for Duration {
    fn example() -> Self {
        Self::from_millis(1_500)
    }
}

/// What went wrong, and what to do next.
pub trait Trouble {
    /// The message and the hint.
    fn words(&self) -> Wording;
}

/// A list within a sentence.
impl<T: Told> Told for Vec<T> {
    fn told(&self) -> String {
        told(self).join(", ")
    }
}

#[cfg(test)]
impl<T: Example> Example for Vec<T> {
    fn example() -> Self {
        vec![T::example(), T::example()]
    }
}

/// Names within a sentence, the last behind an “and”.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Every(pub Vec<String>);

impl Told for Every {
    fn told(&self) -> String {
        self.0.join(" and ")
    }
}

#[cfg(test)]
impl Example for Every {
    fn example() -> Self {
        Self(Vec::example())
    }
}

/// The text of each.
pub fn told<T: Told>(notes: &[T]) -> Vec<String> {
    notes.iter().map(Told::told).collect()
}

/// At most so many characters of a text that is put into a note.
pub(crate) fn short(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Any value, for the tests that go through all notes.
#[cfg(test)]
trait Example {
    fn example() -> Self;
}

/// The notes of an area: for each its values and its text, which contains the values by their names.
macro_rules! notes {
    ($(#[$meta:meta])+ $name:ident;
     $($(#[doc = $each:literal])+ $variant:ident $(($($value:ident: $type:ty),+))? $text:literal;)+) => {
        $(#[$meta])+
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[doc = $each])+ $variant $(($($type),+))?,)+
        }

        impl $crate::note::Told for $name {
            fn told(&self) -> String {
                self.to_string()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant $(($($value),+))? => {
                        $($(let $value = $crate::note::Told::told($value);)+)?
                        write!(f, $text)
                    })+
                }
            }
        }

        #[cfg(test)]
        impl $name {
            /// Each of them once.
            pub(super) fn all() -> Vec<Self> {
                vec![$(Self::$variant $(($(<$type as $crate::note::Example>::example()),+))?,)+]
            }
        }

        #[cfg(test)]
        impl $crate::note::Example for $name {
            fn example() -> Self {
                Self::all().remove(0)
            }
        }
    };
}
use notes;

/// The errors of an area: for each its values, its message, and a hint, which is empty where nothing can
/// be done.
macro_rules! troubles {
    ($(#[$meta:meta])+ $name:ident;
     $($(#[doc = $each:literal])+ $variant:ident $(($($value:ident: $type:ty),+))?
        $message:literal $hint:literal;)+) => {
        $(#[$meta])+
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[doc = $each])+ $variant $(($($type),+))?,)+
        }

        impl $crate::note::Trouble for $name {
            fn words(&self) -> $crate::error::Wording {
                match self {
                    $(Self::$variant $(($($value),+))? => {
                        $($(let $value = $crate::note::Told::told($value);)+)?
                        $crate::error::Wording { message: format!($message), hint: format!($hint) }
                    })+
                }
            }
        }

        #[cfg(test)]
        impl $name {
            /// Each of them once.
            pub(super) fn all() -> Vec<Self> {
                vec![$(Self::$variant $(($(<$type as $crate::note::Example>::example()),+))?,)+]
            }
        }
    };
}
use troubles;

#[cfg(test)]
mod tests;
