//! Expectations of an example, and results that differ.

use thiserror::Error;

/// An expectation or a result that is not text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExampleNote {
    #[error("a result")]
    AnyResult,
    #[error("a result that can be checked")]
    ClearResult,
    #[error("the tool reports an error")]
    ToolFailed,
    #[error("the tool reports success")]
    ToolWorked,
    #[error("text with {0}")]
    TextWith(String),
    #[error("structured content")]
    Structured,
    #[error("none")]
    Unstructured,
    #[error("nothing")]
    Nothing,
    #[error("a match of the tool's output schema")]
    Promised,
    #[error("a match of the schema")]
    Schema,
    #[error("a schema that can be checked")]
    UsableSchema,
}
