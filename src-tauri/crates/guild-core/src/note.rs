//! Sentences that the engine says to people and that are no errors: facts with their values, each with
//! its words in every language beside it.
//!
//! An area's notes are an enum of one table ([`notes`](macro@notes)), so that a note without words in a
//! language does not compile, nor words that leave a value out. Whoever asks says which language it is
//! told in; written out by itself ([`fmt::Display`](std::fmt::Display)) it is English, as errors and
//! logs are. Deliberately absent: errors (`error`) and what the doctor finds (`doctor`).

mod ask;
mod bundle;
mod container;
mod copied;
mod example;
mod found;
mod listing;
mod review;
mod schema;
mod team;
mod value;

pub use self::ask::AskNote;
pub use self::bundle::{BundleNote, BundleWrong, JsonKind};
pub use self::container::{Beyond, Danger, Private};
pub use self::copied::{CopyNote, Then};
pub use self::example::ExampleNote;
pub use self::found::{FoundNote, InputNote, Whose};
pub use self::listing::{ListingNote, ListingWrong, Sentence, Uninstallable};
pub use self::review::{BreakageNote, MountUse, PolicyPlace, SchemaChangeNote, SuspicionNote};
pub use self::schema::{Cut, SchemaNote, SchemaPlace};
pub use self::team::{TeamNeed, TeamNote, TeamProgram, TeamUnfit};
pub use self::value::{Choices, Count, Kinds, OfName, Repeated, ValueWrong};

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
    usize = 7;
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

#[cfg(test)]
mod tests;
