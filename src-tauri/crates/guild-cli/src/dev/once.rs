//! `guildhall dev --once`: runs the examples of members once.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use guild_api::wire::{DevRound, ExampleEnd, ExampleRun, LaunchTrust, Nothing, RunExamples};
use guild_engine::messages::CliError;
use guild_model::{CallId, Code, MemberName, Report};
use serde_json::json;

use super::DevArgs;
use super::rounds::{example, part, tally};
use crate::call::member_name;
use crate::engine_client::{EngineClient, of};
use crate::interrupts::{Interrupts, interrupted};
use crate::print_line;
use crate::terminal::{blocking, is_json, print, print_hint};

/// Runs the examples. The exit code is 1 if an example fails.
pub(super) async fn once(
    engine: &EngineClient,
    args: DevArgs,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let members = tokio::select! {
        members = chosen(engine, &args.named) => members?,
        () = interrupts.next() => return Err(interrupted()),
    };
    let mut rounds = Vec::new();
    for (number, member) in (1..).zip(members) {
        let request = RunExamples {
            call: CallId::numbered(&format!("check-{}", std::process::id()), number),
            member: member.clone(),
            names: (!args.examples.is_empty()).then(|| args.examples.clone()),
        };
        let round = engine.examined(request, interrupts).await?;
        if !is_json() {
            print_round(&round);
        }
        rounds.push(round);
    }
    let runs = || rounds.iter().flat_map(|round| &round.examples);
    let count = |end| runs().filter(|run| run.end == end).count();
    let passed = count(ExampleEnd::Passed);
    let others = count(ExampleEnd::Failed) + count(ExampleEnd::LeftOut);
    if let Some(file) = args.junit {
        write_junit(file, &rounds).await?;
    }
    let summary = json!({"passed": passed, "failed": others, "members": rounds});
    print(&summary, || match passed + others {
        0 => String::new(),
        _ => tally(passed, others),
    });
    if passed + others == 0 {
        print_hint("No member has examples.");
    }
    Ok(match others {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

/// Returns the members with these names, or all of the user's own members with examples.
async fn chosen(engine: &EngineClient, names: &[String]) -> Result<Vec<MemberName>, Report> {
    let mut chosen = Vec::new();
    for name in names {
        let member = member_name(engine, name).await?;
        if engine.dev_state(of(&member)).await?.examples.is_empty() {
            let report = Report::from_error(Code::ExampleUnknown, &CliError::NoExamples);
            return Err(report.of(&member));
        }
        chosen.push(member);
    }
    if names.is_empty() {
        for view in engine.roster(Nothing {}).await?.members {
            let own = view.trust.launch == LaunchTrust::Own;
            if own && !engine.dev_state(of(&view.name)).await?.examples.is_empty() {
                chosen.push(view.name);
            }
        }
    }
    Ok(chosen)
}

fn print_round(round: &DevRound) {
    print_line(round.member.as_str());
    for line in round.examples.iter().flat_map(example) {
        print_line(&line);
    }
}

async fn write_junit(file: PathBuf, rounds: &[DevRound]) -> Result<(), Report> {
    let text = junit(rounds);
    blocking(move || {
        let written = std::fs::write(&file, text);
        written.map_err(|error| unwritable(&file, &error))
    })
    .await
}

fn unwritable(file: &Path, error: &std::io::Error) -> Report {
    let trouble = CliError::ReportUnwritable(file.to_owned(), error.to_string());
    Report::from_error(Code::FileUnwritable, &trouble)
}

/// Formats the results as JUnit XML, with a suite per member and a case per example.
fn junit(rounds: &[DevRound]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for round in rounds {
        let count = |end| round.examples.iter().filter(|run| run.end == end).count();
        text.push_str(&format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{}\">\n",
            escaped(round.member.as_str()),
            round.examples.len(),
            count(ExampleEnd::Failed),
            count(ExampleEnd::LeftOut),
            seconds(round.took_ms.unwrap_or_default()),
        ));
        for run in &round.examples {
            text.push_str(&case(round, run));
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn case(round: &DevRound, run: &ExampleRun) -> String {
    let inside = match run.end {
        ExampleEnd::Passed => String::new(),
        ExampleEnd::LeftOut => "<skipped/>".to_owned(),
        ExampleEnd::Failed => {
            let parts: Vec<&str> = run.differences.iter().map(|d| part(d.part)).collect();
            let lines = example(run);
            let details = lines.get(1..).unwrap_or_default().join("\n");
            format!(
                "<failure message=\"{}\">{}</failure>",
                escaped(&parts.join(", ")),
                escaped(&details)
            )
        }
    };
    format!(
        "    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{}\">{inside}</testcase>\n",
        escaped(round.member.as_str()),
        escaped(run.tool.as_str()),
        escaped(&run.name),
        seconds(run.took_ms),
    )
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1_000, ms % 1_000)
}

/// Escapes a string for XML, and replaces characters that XML forbids.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                escaped.push('\u{fffd}');
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_output_is_escaped_in_xml() {
        assert_eq!(
            escaped("a<b> & \"c\"\u{1b}[31m\n]]>"),
            "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}[31m&#10;]]&gt;"
        );
    }
}
