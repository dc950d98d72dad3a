//! Reasons why an edit leaves a file unchanged.

use super::MisreadProblem;
use crate::number::grouped;
use thiserror::Error;

/// The reason why an edit leaves a text unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TextProblem {
    #[error("{0}")]
    Misread(MisreadProblem),
    #[error("it is not an object")]
    NoRoot,
    #[error("an object with more than {most} members", most = grouped(.0))]
    ManyMembers(usize),
    #[error("it is larger than {mebibytes} MiB", mebibytes = grouped(.0))]
    TooLarge(usize),
    #[error("{0:?} appears twice in the same object")]
    Twice(String),
    #[error("{0}")]
    Unread(String),
    #[error("the position is missing")]
    NoPlace,
    #[error("{0:?} is not an object")]
    NoObject(String),
    #[error("{0:?} is not a table")]
    NoTable(String),
    #[error("it has no {0:?}")]
    NoList(String),
    #[error("{0:?} is not in its {1:?}")]
    NoEntry(String, String),
    #[error("{0:?} has no section")]
    NoOwnPlace(String),
    #[error("{0:?} is written with dotted keys")]
    Dotted(String),
    #[error("{0:?} is written with dotted keys, or is not a table")]
    DottedOrPlain(String),
    #[error("it can't be changed without changing other text")]
    Around,
    #[error("the entry can't be changed without changing other text")]
    AroundEntry,
    #[error("its entries can't be restored")]
    NotPutBack,
    #[error("the entry was rewritten in another TOML form (table or inline)")]
    OtherTomlForm,
}
