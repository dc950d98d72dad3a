//! `guildhall dev --once`: runs the examples of members, or the checks of a suite, once.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use guild_api::wire::{
    ExampleEnd, ExampleRun, LaunchTrust, MemberChecks, Nothing, RunExamples, RunSuite,
};
use guild_engine::messages::CliError;
use guild_model::{CallId, Code, MemberName, Report};
use serde::Serialize;
use serde_json::map::Entry;
use serde_json::{Map, Value, json};

use super::DevArgs;
use super::rounds::{example, part, tally};
use crate::call::member_name;
use crate::engine_client::{EngineClient, of};
use crate::interrupts::{Interrupts, interrupted};
use crate::print_line;
use crate::terminal::{absolute, blocking, is_json, print, print_hint, prompt, read_answers};

/// Runs the examples. The exit code is 1 if an example fails.
pub(super) async fn once(
    engine: &EngineClient,
    args: DevArgs,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    if let Some(file) = args.suite {
        return suite(engine, file, args.values, args.junit, interrupts).await;
    }
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
        let call = request.call.clone();
        let running = engine.run_examples(request);
        let round = engine.cancellable(&call, running, interrupts).await?;
        if !is_json() {
            print_checks(&round.member, &round.examples);
        }
        rounds.push(round);
    }
    let results = rounds.iter().map(|round| MemberChecks {
        member: round.member.clone(),
        took_ms: round.took_ms.unwrap_or_default(),
        checks: round.examples.clone(),
    });
    finish(&results.collect::<Vec<_>>(), &rounds, args.junit).await
}

/// Runs the checks of a suite. The exit code is 1 if a check fails.
async fn suite(
    engine: &EngineClient,
    file: PathBuf,
    values: Option<PathBuf>,
    junit: Option<PathBuf>,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let path = absolute(&file);
    let values = tokio::select! {
        values = suite_values(file, values) => Value::Object(values?),
        () = interrupts.next() => return Err(interrupted()),
    };
    let call = CallId::numbered("suite", u64::from(std::process::id()));
    let request = RunSuite {
        call: call.clone(),
        path,
        values: values.to_string(),
    };
    let run = engine.cancellable(&call, engine.run_suite(request), interrupts);
    let members = run.await?.members;
    if !is_json() {
        for checks in &members {
            print_checks(&checks.member, &checks.checks);
        }
    }
    finish(&members, &members, junit).await
}

/// Returns the values of the masked arguments, from a file or typed. Without a terminal, the engine
/// reports the missing ones.
async fn suite_values(suite: PathBuf, file: Option<PathBuf>) -> Result<Map<String, Value>, Report> {
    let mut values: Map<String, Value> =
        read_answers(file, Code::SuiteRefused, CliError::NoAnswers).await?;
    let asks = blocking(move || Ok(guild_engine::read_suite(&suite)?.asks())).await?;
    if std::io::stdin().is_terminal() {
        for (name, arguments) in asks {
            let question = value_question(&name, arguments);
            if let Entry::Vacant(missing) = values.entry(name) {
                missing.insert(prompt(question, true).await?.into());
            }
        }
    }
    Ok(values)
}

/// Returns the prompt for a value, with the arguments that get it.
fn value_question(name: &str, arguments: BTreeSet<String>) -> String {
    const SHOWN: usize = 5;
    let more = arguments.len().saturating_sub(SHOWN);
    let mut shown: Vec<_> = arguments.into_iter().take(SHOWN).collect();
    if shown == [name] {
        return format!("{name}: ");
    }
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    format!("{name} (for {}): ", shown.join(", "))
}

/// Prints the number of passed and failed checks, and writes the JUnit file. `members` are the
/// results in the output as JSON.
async fn finish(
    results: &[MemberChecks],
    members: &impl Serialize,
    file: Option<PathBuf>,
) -> Result<ExitCode, Report> {
    let runs = || results.iter().flat_map(|result| &result.checks);
    let count = |end| runs().filter(|run| run.end == end).count();
    let passed = count(ExampleEnd::Passed);
    let others = count(ExampleEnd::Failed) + count(ExampleEnd::LeftOut);
    if let Some(file) = file {
        write_junit(file, results).await?;
    }
    let summary = json!({"passed": passed, "failed": others, "members": members});
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

fn print_checks(member: &MemberName, checks: &[ExampleRun]) {
    print_line(member.as_str());
    for line in checks.iter().flat_map(example) {
        print_line(&line);
    }
}

async fn write_junit(file: PathBuf, results: &[MemberChecks]) -> Result<(), Report> {
    let text = junit(results);
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

/// Formats the results as JUnit XML, with a suite per member and a case per check.
fn junit(results: &[MemberChecks]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for result in results {
        let count = |end| result.checks.iter().filter(|run| run.end == end).count();
        text.push_str(&format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{}\">\n",
            escaped(result.member.as_str()),
            result.checks.len(),
            count(ExampleEnd::Failed),
            count(ExampleEnd::LeftOut),
            seconds(result.took_ms),
        ));
        for run in &result.checks {
            text.push_str(&case(&result.member, run));
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn case(member: &MemberName, run: &ExampleRun) -> String {
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
        escaped(member.as_str()),
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

    #[test]
    fn prompt_names_the_arguments_that_get_the_value() {
        let question = |name: &str, arguments: &[&str]| {
            value_question(name, arguments.iter().map(|it| (*it).to_owned()).collect())
        };
        let one = "notes/read_note /token";
        assert_eq!(question(one, &[one]), "notes/read_note /token: ");
        assert_eq!(
            question(one, &["other/upload /x"]),
            "notes/read_note /token (for other/upload /x): "
        );
        let many = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(question("key", &many), "key (for a, b, c, d, e, 2 more): ");
    }
}
