//! What an example expects of a call's result, and what came instead.

use super::notes;

notes! {
    /// What an example expects, or what came instead, where neither is a text of the result.
    ExampleNote;
    /// Whatever it is.
    AnyResult
        "a result";
    /// One that says enough.
    ClearResult
        "a result that can be judged";
    /// `isError`.
    ToolFailed
        "the tool says that it failed";
    /// No `isError`.
    ToolWorked
        "the tool says that it worked";
    /// A text with a part, quoted.
    TextWith(part: String)
        "a text with {part}";
    /// `structuredContent`.
    Structured
        "structured content";
    /// No `structuredContent`.
    Unstructured
        "none";
    /// Nothing at a place.
    Nothing
        "nothing is there";
    /// The tool's own schema of its results.
    Promised
        "what the tool's output schema promises";
    /// The example's schema.
    Schema
        "what the schema says";
    /// The example's schema, where it is none.
    UsableSchema
        "a schema that can be checked";
}
