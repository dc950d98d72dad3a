//! For those who write a server.

use guild_core::number::grouped;
use guild_core::wire::ExamplePart;

use super::counted;

pub(crate) fn tally(passed: usize, failed: usize) -> String {
    let [passed, failed] = [passed, failed].map(|count| grouped(count as u64));
    format!("{passed} passed, {failed} failed")
}

pub(crate) fn built(took: &str) -> String {
    format!("  build    done in {took}")
}

pub(crate) fn build_failed(took: &str, why: &str) -> String {
    format!("  build    failed after {took}: {why}")
}

pub(crate) fn restart_failed(why: &str) -> String {
    format!("  restart  failed: {why}")
}

/// A tool that is new, gone or changed.
pub(crate) fn tool(change: &str) -> String {
    format!("  tools    {change}")
}

pub(crate) fn more_tools(count: usize) -> String {
    format!("  tools    and {} more", grouped(count as u64))
}

pub(crate) fn examples_of(round: u32, member: &str) -> String {
    format!("round {round}: the examples of {member}")
}

pub(crate) fn round(round: u32, files: &str) -> String {
    format!("round {round}: {files}")
}

/// How an example ended: passed, failed, left out.
pub(crate) const ENDS: [&str; 3] = ["passed", "FAILED", "left out"];

/// In what a result is not as expected.
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

pub(crate) fn at(place: &str) -> String {
    format!(" at {place}")
}

pub(crate) fn broken_off(tally: &str) -> String {
    format!("broken off: {tally}")
}

pub(crate) fn gone_or_ended(member: &str) -> String {
    format!("{member} is no member any more, or the hall has ended.")
}

pub(crate) fn gone(member: &str) -> String {
    format!("{member} is no member any more.")
}

pub(crate) fn watching(member: &str, patterns: &str, examples: usize) -> String {
    let examples = counted(examples, "example", "examples");
    format!("{member}: watching {patterns}; {examples}. Ctrl-C ends it.")
}

pub(crate) fn begun(member: &str, folder: &str) -> String {
    format!("{member} is in {folder}.")
}

pub(crate) fn then(member: &str) -> String {
    format!(
        "`guildhall dev {member}` then follows what you change, `guildhall check {member}` runs its \
             examples."
    )
}
