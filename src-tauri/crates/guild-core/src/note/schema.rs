//! What is said of a tool's schema, and of what it could not be used for.

use super::notes;

notes! {
    /// What of a schema was cut or could not be used, or of a value could not be checked.
    SchemaNote;
    /// At a place of the schema.
    At(place: SchemaPlace, what: Cut)
        "{place}: {what}";
    /// What depends on a part not fitting is given up.
    NotChecked
        "Because of this, what must not fit is not checked (`not`, `if`, one of several).";
    /// Nothing is checked.
    Unusable
        "The schema can't be used; any arguments are accepted.";
    /// A check without end.
    WouldTakeTooLong
        "Checking these arguments would take too long; the server checks them.";
    /// A result that is too large, in mebibytes.
    TooLarge(most: usize)
        "structuredContent has more than {most} MiB, and was not checked.";
    /// A check that gave up on itself.
    Uncheckable
        "The result could not be checked.";
}

impl SchemaNote {
    /// At this place, as a JSON Pointer; empty for the whole schema.
    pub(crate) fn at(path: &str, what: Cut) -> Self {
        let place = match path {
            "" => SchemaPlace::Whole,
            path => SchemaPlace::Part(super::short(path, 200)),
        };
        Self::At(place, what)
    }
}

notes! {
    /// A place of a schema.
    SchemaPlace;
    /// All of it.
    Whole
        "the schema";
    /// A part of it, as a JSON Pointer; of a value, where a pattern was held against one.
    Part(path: String)
        "{path}";
}

notes! {
    /// What became of a place of a schema: the rest of a sentence.
    Cut;
    /// A schema that is too large, in kibibytes.
    WithoutWords(most: usize)
        "larger than {most} KiB; its words were left out";
    /// Without its words too.
    StillTooLarge
        "still too large; anything is accepted here";
    /// A part that is nested too deep.
    TooDeep(levels: usize)
        "deeper than {levels} levels; anything is accepted here";
    /// A reference to another document.
    NotFetched(target: String)
        "refers to {target}, which is not fetched; anything is accepted here";
    /// Too many properties.
    PropertiesLeftOut(count: usize, most: usize)
        "{count} properties left out; {most} are the most of one schema";
    /// A value that is nested too deep.
    ValueTooDeep(levels: usize)
        "a value deeper than {levels} levels was left out";
    /// Words that are too long, in kibibytes.
    Shortened(most: usize)
        "cut to {most} KiB";
    /// `$schema` names a dialect that is not known.
    UnknownDialect
        "an unknown dialect, read as 2020-12";
    /// A reference without a target.
    LeadsNowhere
        "leads nowhere, and is not checked";
    /// What its dialect does not allow.
    NotLegal
        "is not legal, and is not checked";
    /// What nothing can be checked with.
    Unusable
        "can't be used, and is not checked";
    /// A chain of references that is too long.
    LeadsTooDeep
        "leads too deep, and is not checked";
    /// References that multiply.
    TooManyChecks
        "asks for too many checks, and is not checked";
    /// A pattern that backtracks without end.
    SlowPattern
        "the pattern takes too long, and was not checked";
}
