//! Errors in lists of resources, templates and prompts.

use guild_text::note::JsonKind;
use guild_text::number::grouped;
use thiserror::Error;

/// A problem of a resource, a template or a prompt in a list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OfferWrong {
    #[error("the list has {total} entries; the first {most} are used", total = grouped(.0), most = grouped(.1))]
    PastLast(usize, usize),
    #[error("the entry is {0}, not an object")]
    NoObject(JsonKind),
    #[error("its {0} is empty")]
    Empty(&'static str),
    #[error("its {0} has more than {most} bytes", most = grouped(.1))]
    TooLong(&'static str, usize),
    #[error("its {0} is {1}, not a string")]
    NoText(&'static str, JsonKind),
    #[error("it has no {0}")]
    Missing(&'static str),
    #[error("its arguments are {0}, not a list")]
    NoArguments(JsonKind),
    #[error("one of its arguments can't be used: {0}")]
    Argument(String),
    #[error("it is {0}, not an object")]
    ArgumentNoObject(JsonKind),
}
