//! Sentences that the engine says to people: facts with their values, each with its words in every
//! language beside it.
//!
//! An area's notes are an enum of one table ([`notes`](macro@notes)), so that a note without words in a
//! language does not compile, nor words that leave a value out. Whoever asks says which language it is
//! told in; written out by itself ([`fmt::Display`](std::fmt::Display)) it is English, as logs are.
//!
//! What goes wrong stands in tables as well ([`troubles`](macro@troubles)), what happened with what to do
//! next: [`Report::told`](crate::Report::told) makes a report of it that has all languages. Deliberately
//! absent: what the doctor finds (`doctor`), and what a code means (`error`).

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
pub use self::field::{FieldWrong, GlobWrong, UrlWrong, VariableWrong, Wanted};
pub use self::file::{FileFault, FilesLimit, is_files_limit};
pub use self::found::{
    BroughtAdvice, BroughtKind, FileWrong, FoundNote, FoundTrouble, InputNote, RunPlace, RunWrong,
    Whose,
};
pub use self::history::{
    AskingFault, GatewayAt, HallTrouble, HistoryTrouble, SavedNameWrong, SigningTrouble,
};
pub use self::install::{InstallTrouble, ValueFault};
pub use self::json::{ArgumentsWrong, JsonFound, JsonPart, JsonWrong, NumberWrong, Shown};
pub use self::link::{LinkTrouble, LinkWrong};
pub use self::listing::{
    ListingNote, ListingWrong, RegistryTrouble, Sentence, SourceWrong, Uninstallable, Unlisted,
};
pub use self::review::{
    BreakageNote, MountUse, PolicyPlace, ReviewTrouble, ReviewWrong, SchemaChangeNote,
    SuspicionNote,
};
pub use self::schema::{Cut, SchemaNote, SchemaPlace};

pub use self::manifest::{FieldLine, FolderTrouble, ManifestTrouble};
pub use self::misread::{MisreadAdvice, MisreadAt, MisreadWrong};
pub use self::name::NameWrong;
pub use self::offer::OfferWrong;
pub use self::presence::{PresenceTrouble, PresenceWrong};
pub use self::process::{
    AfterRefusal, Ending, Looked, NotRunnable, ProcessTrouble, SignalName, Unanswered,
    VariableFault,
};
pub use self::settings::{
    NearSetting, PressWrong, SecretTrouble, SettingDoc, SettingHint, SettingPlace, SettingText,
    SettingWrong, SettingsTrouble, WhyNoExport, WhyUntouched,
};
pub use self::start::{
    AfterConnecting, AfterCrashes, AfterExit, Circumstance, Circumstances, HeldAdvice, LastWords,
    ListAdvice, NotListening, OddTool, Overdue, Reach, Source, StartTrouble, Who,
};
pub use self::team::{TeamNeed, TeamNote, TeamProgram, TeamUnfit};
pub use self::text::{TextAt, TextFound, TextPart, TextWrong};
pub use self::tool::ToolWrong;
pub use self::updates::{UpdateTrouble, UpdateWrong};
pub use self::value::{
    Choices, Closest, Condition, Count, FormName, Kinds, Names, OfName, PartWrong, Repeated,
    ValueWrong,
};

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::Wording;
use crate::id::MemberName;
use crate::language::Language;

/// What can be told in a language.
pub trait Told {
    /// In the words of a language.
    fn told(&self, language: Language) -> String;
}

/// What is the same in every language.
macro_rules! plain {
    ($($type:ty = $example:expr;)+) => {
        $(impl Told for $type {
            fn told(&self, _: Language) -> String {
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

/// How many or how much there is or may be, as people write it: `2,000`, and in German `2.000`.
impl Told for u64 {
    fn told(&self, language: Language) -> String {
        language.number(*self)
    }
}

/// The same of what lies in memory.
impl Told for usize {
    fn told(&self, language: Language) -> String {
        language.number(*self as u64)
    }
}

/// A number without separators in any language: one by which something is found, as a line or a version
/// is, or one that somebody is to write into a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ungrouped<T>(pub T);

impl<T: ToString> Told for Ungrouped<T> {
    fn told(&self, _: Language) -> String {
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
    fn told(&self, _: Language) -> String {
        self.display().to_string()
    }
}

#[cfg(test)]
impl Example for PathBuf {
    fn example() -> Self {
        "/X".into()
    }
}

/// A number of seconds to the millisecond: `1,000.5`, and in German `1.000,5`.
impl Told for Duration {
    fn told(&self, language: Language) -> String {
        let whole = language.number(self.as_secs());
        let millis = format!("{:03}", self.subsec_millis());
        match (millis.trim_end_matches('0'), language) {
            ("", _) => whole,
            (part, Language::En) => format!("{whole}.{part}"),
            (part, Language::De) => format!("{whole},{part}"),
        }
    }
}

#[cfg(test)]
impl Example for Duration {
    fn example() -> Self {
        Self::from_millis(1_500)
    }
}

/// A text that was told already, in each language.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Each {
    english: String,
    german: String,
}

impl Each {
    /// Nothing, in any language.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Several, with the same between each two.
    pub fn joined<T: Told>(notes: &[T], between: &str) -> Self {
        Self::of(|language| told(notes, language).join(between))
    }

    /// The same without a full stop at its end.
    #[must_use]
    pub fn unended(self) -> Self {
        Self::of(|language| self.told(language).trim_end_matches('.').to_owned())
    }

    /// What is said in each language.
    pub fn of(said: impl Fn(Language) -> String) -> Self {
        Self {
            english: said(Language::En),
            german: said(Language::De),
        }
    }
}

impl Told for Each {
    fn told(&self, language: Language) -> String {
        match language {
            Language::En => self.english.clone(),
            Language::De => self.german.clone(),
        }
    }
}

impl<T: Told> From<&T> for Each {
    fn from(note: &T) -> Self {
        Self::of(|language| note.told(language))
    }
}

#[cfg(test)]
impl Example for Each {
    fn example() -> Self {
        Self::of(|language| format!("X {language:?}"))
    }
}

/// What went wrong, and what to do next.
pub trait Trouble {
    /// In the words of a language.
    fn words(&self, language: Language) -> Wording;
}

/// A list within a sentence.
impl<T: Told> Told for Vec<T> {
    fn told(&self, language: Language) -> String {
        told(self, language).join(", ")
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
    fn told(&self, language: Language) -> String {
        self.0.join(match language {
            Language::En => " and ",
            Language::De => " und ",
        })
    }
}

#[cfg(test)]
impl Example for Every {
    fn example() -> Self {
        Self(Vec::example())
    }
}

/// All of them in a language.
pub fn told<T: Told>(notes: &[T], language: Language) -> Vec<String> {
    notes.iter().map(|note| note.told(language)).collect()
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

/// The notes of an area: for each its values, and its words in English and in German. The values
/// stand in the words by their names.
macro_rules! notes {
    ($(#[$meta:meta])+ $name:ident;
     $($(#[doc = $each:literal])+ $variant:ident $(($($value:ident: $type:ty),+))?
        $en:literal $de:literal;)+) => {
        $(#[$meta])+
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[doc = $each])+ $variant $(($($type),+))?,)+
        }

        impl $crate::note::Told for $name {
            fn told(&self, language: $crate::language::Language) -> String {
                use $crate::language::Language;
                match (self, language) {
                    $((Self::$variant $(($($value),+))?, Language::En) => {
                        $($(let $value = $crate::note::Told::told($value, language);)+)?
                        format!($en)
                    })+
                    $((Self::$variant $(($($value),+))?, Language::De) => {
                        $($(let $value = $crate::note::Told::told($value, language);)+)?
                        format!($de)
                    })+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::note::Told::told(self, $crate::language::Language::En))
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

/// What goes wrong in an area: for each trouble its values, what happened in English and in German, and
/// what to do next in both; that is empty where nothing can be done.
macro_rules! troubles {
    ($(#[$meta:meta])+ $name:ident;
     $($(#[doc = $each:literal])+ $variant:ident $(($($value:ident: $type:ty),+))?
        $en:literal $de:literal $hint_en:literal $hint_de:literal;)+) => {
        $(#[$meta])+
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[doc = $each])+ $variant $(($($type),+))?,)+
        }

        impl $crate::note::Trouble for $name {
            fn words(&self, language: $crate::language::Language) -> $crate::error::Wording {
                use $crate::language::Language;
                match (self, language) {
                    $((Self::$variant $(($($value),+))?, Language::En) => {
                        $($(let $value = $crate::note::Told::told($value, language);)+)?
                        $crate::error::Wording { message: format!($en), hint: format!($hint_en) }
                    })+
                    $((Self::$variant $(($($value),+))?, Language::De) => {
                        $($(let $value = $crate::note::Told::told($value, language);)+)?
                        $crate::error::Wording { message: format!($de), hint: format!($hint_de) }
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
