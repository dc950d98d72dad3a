//! What an example expects of a call's result, and what came instead.

use super::notes;

notes! {
    /// What an example expects, or what came instead, where neither is a text of the result.
    ExampleNote;
    /// Whatever it is.
    AnyResult
        "a result"
        "ein Ergebnis";
    /// One that says enough.
    ClearResult
        "a result that can be judged"
        "ein Ergebnis, das sich beurteilen lässt";
    /// `isError`.
    ToolFailed
        "the tool says that it failed"
        "das Werkzeug meldet, dass es gescheitert ist";
    /// No `isError`.
    ToolWorked
        "the tool says that it worked"
        "das Werkzeug meldet, dass es gelungen ist";
    /// A text with a part, quoted.
    TextWith(part: String)
        "a text with {part}"
        "ein Text mit {part}";
    /// `structuredContent`.
    Structured
        "structured content"
        "strukturierter Inhalt";
    /// No `structuredContent`.
    Unstructured
        "none"
        "keiner";
    /// Nothing at a place.
    Nothing
        "nothing is there"
        "dort ist nichts";
    /// The tool's own schema of its results.
    Promised
        "what the tool's output schema promises"
        "was das Ausgabeschema des Werkzeugs verspricht";
    /// The example's schema.
    Schema
        "what the schema says"
        "was das Schema sagt";
    /// The example's schema, where it is none.
    UsableSchema
        "a schema that can be checked"
        "ein Schema, gegen das sich prüfen lässt";
}
