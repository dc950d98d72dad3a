//! Formats the result of a development round as lines for people.

use guild_api::wire::{
    DevRound, DevStep, ExampleDifference, ExampleEnd, ExamplePart, ExampleRun, SchemaEffect,
    ToolDifference, ToolReview,
};

use crate::terminal::counted;

/// Maximum number of lines that are shown of an expected or an actual value.
const LINES_SHOWN: usize = 12;

/// Formats the steps of rounds, each step once, although each update contains all steps so far.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// The number of the last printed round, and how much of it was printed.
    at: Option<(u32, Printed)>,
}

#[derive(Debug, Default)]
struct Printed {
    build: bool,
    list: bool,
    examples: usize,
}

impl Rounds {
    /// Returns the lines of a round that were not printed yet.
    pub(super) fn lines(&mut self, round: &DevRound) -> Vec<String> {
        let mut lines = Vec::new();
        if self
            .at
            .as_ref()
            .is_none_or(|(number, _)| *number != round.number)
        {
            lines.push(heading(round));
            self.at = Some((round.number, Printed::default()));
        }
        let Some((_, printed)) = &mut self.at else {
            return lines;
        };
        let built = round.build.as_ref().filter(|build| build.took_ms.is_some());
        if let Some(build) = built.filter(|_| !std::mem::replace(&mut printed.build, true)) {
            let took = seconds(build.took_ms.unwrap_or_default());
            match &build.error {
                None => lines.push(format!("  build    done in {took}")),
                Some(report) => {
                    let output = build.output.iter().map(|line| format!("    {line}"));
                    lines.push(format!(
                        "  build    failed after {took}: {}",
                        report.message
                    ));
                    lines.extend(output);
                    lines.push(format!("    hint: {}", report.hint));
                }
            }
        }
        if let Some(report) = round.error.as_ref().filter(|_| !printed.list) {
            printed.list = true;
            lines.push(format!("  restart  failed: {}", report.message));
            lines.push(format!("    hint: {}", report.hint));
        }
        let is_listed = round.step == DevStep::Checking || !round.examples.is_empty();
        if is_listed && !std::mem::replace(&mut printed.list, true) {
            lines.extend(round.tools.iter().flat_map(tool));
            if round.more_tools > 0 {
                let more = counted(round.more_tools, "more tool", "more tools");
                lines.push(format!("  tools    and {more}"));
            }
        }
        for run in round.examples.iter().skip(printed.examples) {
            lines.extend(example(run));
        }
        printed.examples = round.examples.len();
        if round.step.is_over() {
            lines.push(ending(round));
        }
        lines
    }
}

fn heading(round: &DevRound) -> String {
    let number = round.number;
    match round.files.as_slice() {
        [] => format!("round {number}: the examples of {}", round.member),
        files => {
            let more = match round.more_files {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("round {number}: {}{more}", files.join(", "))
        }
    }
}

fn tool(tool: &ToolReview) -> Vec<String> {
    let name = tool.name.as_str();
    let change = match tool.difference {
        ToolDifference::New => format!("+ {name}"),
        ToolDifference::Gone => format!("- {name}"),
        ToolDifference::Changed | ToolDifference::Same => {
            let parts: Vec<&str> = tool.parts.iter().map(|part| part.part.as_str()).collect();
            format!("~ {name}: {}", parts.join(", "))
        }
    };
    let mut lines = vec![format!("  tools    {change}")];
    if tool.difference == ToolDifference::Changed {
        let changes = tool.parts.iter().flat_map(|part| &part.schema);
        let shown = changes.filter(|change| change.effect != SchemaEffect::Words);
        lines.extend(shown.map(|change| {
            let word = match change.effect {
                SchemaEffect::Breaking => "breaking",
                SchemaEffect::Widened | SchemaEffect::Words => "widened",
            };
            format!("             {word}: {} {}", change.pointer, change.what)
        }));
    }
    let breaks = tool.breaks.iter();
    lines.extend(breaks.map(|broken| format!("             {}: {}", broken.name, broken.what)));
    lines
}

/// Formats the result and the failures of one example.
pub(super) fn example(run: &ExampleRun) -> Vec<String> {
    let word = match run.end {
        ExampleEnd::Passed => "passed",
        ExampleEnd::Failed => "FAILED",
        ExampleEnd::LeftOut => "left out",
    };
    let mut lines = vec![format!(
        "  {word:<8} {} ({}, {} ms)",
        run.name, run.tool, run.took_ms
    )];
    lines.extend(run.differences.iter().flat_map(difference));
    lines
}

fn difference(difference: &ExampleDifference) -> Vec<String> {
    let place = match difference.place.as_str() {
        "" => String::new(),
        place => format!(" at {place}"),
    };
    let part = part(difference.part);
    let mut lines = vec![format!("    {part}{place}")];
    for (word, text) in [("expected", &difference.expected), ("got", &difference.got)] {
        let mut rest = text.lines();
        let first = rest.next().unwrap_or_default();
        lines.push(format!("      {word:<9} {first}"));
        let shown = rest.by_ref().take(LINES_SHOWN);
        lines.extend(shown.map(|line| format!("                {line}")));
        if rest.next().is_some() {
            lines.push("                …".to_owned());
        }
    }
    lines
}

/// Returns the name of the part of a result that differs from the expected result.
pub(super) fn part(part: ExamplePart) -> &'static str {
    match part {
        ExamplePart::Answer => "no result",
        ExamplePart::IsError => "whether it failed",
        ExamplePart::Text => "its text",
        ExamplePart::Structured => "its structured content",
        ExamplePart::Schema => "the example's schema",
        ExamplePart::OutputSchema => "the tool's output schema",
    }
}

pub(super) fn tally(passed: usize, failed: usize) -> String {
    format!("{passed} passed, {failed} failed")
}

fn ending(round: &DevRound) -> String {
    let took = seconds(round.took_ms.unwrap_or_default());
    let count = |end| round.examples.iter().filter(|run| run.end == end).count();
    let (passed, failed) = (count(ExampleEnd::Passed), count(ExampleEnd::Failed));
    let what = match round.step {
        DevStep::BuildFailed => "the server runs on as it was".to_owned(),
        DevStep::StartFailed => "the server is not up".to_owned(),
        DevStep::NotRunning => "the member is stopped and stays so".to_owned(),
        DevStep::BrokenOff => format!("broken off: {}", tally(passed, failed)),
        _ if round.examples.is_empty() => "up".to_owned(),
        _ => tally(passed, failed),
    };
    format!("  {what} · {took}")
}

fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1_000, ms % 1_000 / 100)
}
