//! Notes on a tool's schema.

use guild_text::number::grouped;
use thiserror::Error;

/// A note about a part of a schema that was removed or not used, or about a value that was not
/// checked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SchemaNote {
    #[error("{0}: {1}")]
    At(SchemaPlace, Cut),
    #[error("Because of this, `not`, `if` and `oneOf` are not checked.")]
    NotChecked,
    #[error("The schema can't be used; any arguments are accepted.")]
    Unusable,
    #[error("Checking these arguments would take too long; the server checks them.")]
    WouldTakeTooLong,
    #[error("structuredContent has more than {most} MiB, and was not checked.", most = grouped(.0))]
    TooLarge(usize),
    #[error("The result could not be checked.")]
    Uncheckable,
}

impl SchemaNote {
    /// Creates the note about the part of a schema at a JSON Pointer. An empty pointer means the
    /// whole schema.
    pub fn at(path: &str, what: Cut) -> Self {
        let place = match path {
            "" => SchemaPlace::Whole,
            path => SchemaPlace::Part(guild_text::messages::short(path, 200)),
        };
        Self::At(place, what)
    }
}

/// The part of a schema that a note is about, as the message names it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SchemaPlace {
    #[error("the schema")]
    Whole,
    #[error("{0}")]
    Part(String),
}

/// The reason why a part of a schema was changed or not used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Cut {
    #[error("larger than {most} KiB; its descriptions were left out", most = grouped(.0))]
    WithoutWords(usize),
    #[error("too large even after simplification; any value is accepted here")]
    StillTooLarge,
    #[error("deeper than {levels} levels; anything is accepted here", levels = grouped(.0))]
    TooDeep(usize),
    #[error("refers to {0}, which is not fetched; anything is accepted here")]
    NotFetched(String),
    #[error("{count} properties left out; the limit is {most} in one schema", count = grouped(.0), most = grouped(.1))]
    PropertiesLeftOut(usize, usize),
    #[error("a value deeper than {levels} levels was left out", levels = grouped(.0))]
    ValueTooDeep(usize),
    #[error("cut to {most} KiB", most = grouped(.0))]
    Shortened(usize),
    #[error("an unknown dialect, read as 2020-12")]
    UnknownDialect,
    #[error("refers to a schema that doesn't exist, and is not checked")]
    LeadsNowhere,
    #[error("is invalid, and is not checked")]
    NotLegal,
    #[error("can't be used, and is not checked")]
    Unusable,
    #[error("refers to schemas that are nested too deeply, and is not checked")]
    LeadsTooDeep,
    #[error("needs too many checks, and is not checked")]
    TooManyChecks,
    #[error("the pattern takes too long, and was not checked")]
    SlowPattern,
}
