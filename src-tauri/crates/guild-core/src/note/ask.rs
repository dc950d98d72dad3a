//! What is said beside a question before an install.

use thiserror::Error;

/// What is said beside a question, whatever its own words are.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AskNote {
    #[error("For example: {0}")]
    Example(String),
    #[error("One is kept; leave this empty to go on with it.")]
    Kept,
}
