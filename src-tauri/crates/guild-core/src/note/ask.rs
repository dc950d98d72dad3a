//! What is said beside a question before an install.

use super::notes;

notes! {
    /// What is said beside a question, whatever its own words are.
    AskNote;
    /// What an answer may look like, in the words of a registry.
    Example(example: String)
        "For example: {example}";
    /// A secret that need not be given again.
    Kept
        "One is kept; leave this empty to go on with it.";
}
