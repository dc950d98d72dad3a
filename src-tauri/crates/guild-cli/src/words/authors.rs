//! For those who write a server.

use guild_core::number::grouped;
use guild_core::wire::ExamplePart;

use super::counted;

pub(crate) fn tally(passed: usize, failed: usize) -> String {
    let [passed, failed] = [passed, failed].map(|count| grouped(count as u64));
    format!("{passed} passed, {failed} failed")
}

pub(crate) fn more_tools(count: usize) -> String {
    format!("  tools    and {} more", grouped(count as u64))
}

pub(crate) fn round(round: u32, files: &str) -> String {
    format!("round {round}: {files}")
}

/// The ends of an example: passed, failed, left out.
pub(crate) const ENDS: [&str; 3] = ["passed", "FAILED", "left out"];

/// The part of a result that differs from the expected one.
pub(crate) fn part(part: ExamplePart) -> &'static str {
    match part {
        ExamplePart::Answer => "no result",
        ExamplePart::IsError => "whether it failed",
        ExamplePart::Text => "its text",
        ExamplePart::Structured => "its structured content",
        ExamplePart::Schema => "the example's schema",
        ExamplePart::OutputSchema => "the tool's output schema",
    }
}

pub(crate) fn watching(member: &str, patterns: &str, examples: usize) -> String {
    let examples = counted(examples, "example", "examples");
    format!("{member}: watching {patterns}; {examples}. Ctrl-C ends it.")
}

pub(crate) fn then(member: &str) -> String {
    format!(
        "`guildhall dev {member}` then follows what you change, `guildhall check {member}` runs its \
             examples."
    )
}
