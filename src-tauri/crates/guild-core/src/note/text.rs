//! Why a text that a person, or another program, has written is left as it is.

use super::MisreadWrong;
use crate::number::grouped;
use thiserror::Error;

/// Why a text is not touched: a part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TextWrong {
    #[error("{0}")]
    Misread(MisreadWrong),
    #[error("it is not an object")]
    NoRoot,
    #[error("an object with more than {most} members", most = grouped(.0))]
    ManyMembers(usize),
    #[error("it is larger than {mebibytes} MiB", mebibytes = grouped(.0))]
    TooLarge(usize),
    #[error("{0:?} stands twice in the same object")]
    Twice(String),
    #[error("{0}")]
    Unread(String),
    #[error("no place is named")]
    NoPlace,
    #[error("{0:?} is not an object")]
    NoObject(String),
    #[error("{0:?} is not a table")]
    NoTable(String),
    #[error("it has no {0:?}")]
    NoList(String),
    #[error("{0:?} is not in its {1:?}")]
    NoEntry(String, String),
    #[error("{0:?} has no place of its own")]
    NoOwnPlace(String),
    #[error("{0:?} is written with dotted keys")]
    Dotted(String),
    #[error("{0:?} is written with dotted keys, or is no table")]
    DottedOrPlain(String),
    #[error("it can't be changed without changing what is around it")]
    Around,
    #[error("the entry can't be changed without changing what is around it")]
    AroundEntry,
    #[error("its entries can't be put back as they were")]
    NotPutBack,
    #[error("the entry has been written anew in another way")]
    WrittenAnew,
}
