//! What an example expects of a call's result, and what came instead.

use thiserror::Error;

/// What an example expects, or what came instead, where neither is a text of the result.
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
