//! Errors while a document is fetched.

use guild_text::number::grouped;
use thiserror::Error;

/// The reason why an address is rejected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AddressWrong {
    #[error("the address is not valid ({0})")]
    Invalid(String),
    #[error("it is not valid ({0})")]
    NotValid(String),
    #[error("the address has a user name or a password")]
    Password,
    #[error("use https; http works only for this machine")]
    NotEncrypted,
    #[error("the address begins with {0:?}, not https")]
    Scheme(String),
    #[error("the address has a fragment, which servers don't receive")]
    Fragment,
    #[error("it redirects ({0})")]
    NowhereElse(String),
    #[error("it redirects to an address without https")]
    NotEncryptedThere,
    #[error("the key has characters that a header can't have")]
    KeyCharacters,
}

/// The reason why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unfetched {
    #[error("the connection failed ({0})")]
    Connection(String),
    #[error("no answer within {seconds} s", seconds = grouped(.0))]
    TooLong(u64),
    #[error("the answer is larger than {bytes} bytes", bytes = grouped(.0))]
    TooLarge(usize),
    #[error("the answer is larger than {mebibytes} MiB", mebibytes = grouped(.0))]
    LargerThan(usize),
    #[error("it could not be written ({0})")]
    Unwritten(String),
    #[error("it redirects more than {most} times", most = grouped(.0))]
    TooFar(usize),
    #[error("it answers with {0}")]
    Status(u16),
}
