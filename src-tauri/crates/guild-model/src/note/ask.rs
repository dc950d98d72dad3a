//! Notes beside the questions of an install.

use thiserror::Error;

/// A note beside a question.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AskNote {
    #[error("For example: {0}")]
    Example(String),
    #[error("A value is saved. Leave this empty to keep it.")]
    Kept,
}
