//! Errors in a tool list.

use guild_text::messages::JsonKind;
use guild_text::number::grouped;
use thiserror::Error;

use crate::messages::NameProblem;

/// A problem with a tool in a list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ToolProblem {
    #[error("it has {size} bytes; the limit is {most}", size = grouped(.0), most = grouped(.1))]
    TooLarge(usize, usize),
    #[error("the entry is {0}, not an object")]
    NoObject(JsonKind),
    #[error("{0}")]
    Unread(String),
    #[error("it has no name")]
    NoName,
    #[error("its name is {0}, not a string")]
    OddName(JsonKind),
    #[error("{0}")]
    BadName(NameProblem),
    #[error("it has no inputSchema")]
    NoSchema,
    #[error("its inputSchema is {0}, not an object")]
    OddSchema(JsonKind),
    #[error("its description is {0}, not a string")]
    OddDescription(JsonKind),
    #[error("the name appears twice; the first one is used")]
    Twice,
    #[error("the list has {total} tools; the first {most} are used", total = grouped(.0), most = grouped(.1))]
    PastLast(usize, usize),
    #[error("tool names from a model can only have letters, digits and _.-")]
    NoModelName,
    #[error("an {0} is outside the properties of the arguments")]
    HeaderElsewhere(&'static str),
    #[error("two properties have the {0} {1}")]
    HeaderTwice(&'static str, String),
    #[error("it has more than {most} {1}", most = grouped(.0))]
    ManyHeaders(usize, &'static str),
    #[error("the {0} of {1} is not a header name")]
    NoHeader(&'static str, String),
    #[error("{0} has an {1} but is not a string, whole number or boolean")]
    NoHeaderValue(String, &'static str),
    #[error("{0}; further unusable entries: {more}", more = grouped(.1))]
    AndMore(String, usize),
}
