//! Expectations of an example, and results that differ.

use thiserror::Error;

/// An expectation or a result that is not text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExampleNote {
    #[error("a result")]
    AnyResult,
    #[error("a result that can be judged")]
    ClearResult,
    #[error("the tool says that it failed")]
    ToolFailed,
    #[error("the tool says that it worked")]
    ToolWorked,
    #[error("a text with {0}")]
    TextWith(String),
    #[error("structured content")]
    Structured,
    #[error("none")]
    Unstructured,
    #[error("nothing is there")]
    Nothing,
    #[error("what the tool's output schema promises")]
    Promised,
    #[error("what the schema says")]
    Schema,
    #[error("a schema that can be checked")]
    UsableSchema,
}
