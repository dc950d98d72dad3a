//! `guildhall doctor`.

use guild_core::note::CliTrouble;
use guild_core::wire::{Examination, Examine, Finding, Verdict};
use guild_core::{CallId, Code, Report};
use guild_engine::Hall;
use serde_json::json;
use std::process::ExitCode;

use crate::interrupts::{Interrupts, interrupted};
use crate::words;
use crate::{harmless, print_line};

/// The exit code where something fails.
const PROBLEM: u8 = 6;
/// The exit code where something may fail.
const WARNING: u8 = 1;

/// Looks at this machine and says what keeps members from working, and what to do about it.
pub(crate) async fn doctor(
    hall: &Hall,
    json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let call = CallId::parse("doctor")
        .map_err(|error| Report::told(Code::ArgumentsInvalid, &CliTrouble::Name(error.0)))?;
    let examination = tokio::select! {
        examined = hall.doctor(Examine { call }) => examined?,
        () = interrupts.next() => return Err(interrupted()),
    };
    if json {
        print_line(&json!(examination).to_string());
    } else {
        print(&examination);
    }
    Ok(match examination.worst {
        Verdict::Fine | Verdict::Note => ExitCode::SUCCESS,
        Verdict::Warning => ExitCode::from(WARNING),
        Verdict::Problem => ExitCode::from(PROBLEM),
    })
}

fn print(examination: &Examination) {
    let mut check = None;
    for finding in &examination.findings {
        if check != Some(finding.check) {
            if check.is_some() {
                print_line("");
            }
            print_line(words::care::check(finding.check));
            check = Some(finding.check);
        }
        print_finding(finding);
    }
    let count = |verdict| {
        let of = examination.findings.iter();
        of.filter(|finding| finding.verdict == verdict).count()
    };
    let (problems, warnings) = (count(Verdict::Problem), count(Verdict::Warning));
    let tally = words::care::tally(problems, warnings, examination.took_ms);
    print_line(&format!("\n{tally}"));
}

fn print_finding(finding: &Finding) {
    let sign = match finding.verdict {
        Verdict::Fine => "✓",
        Verdict::Note => "·",
        Verdict::Warning => "▲",
        Verdict::Problem => "✕",
    };
    let [warning, problem] = words::care::VERDICTS;
    let verdict = match finding.verdict {
        Verdict::Fine | Verdict::Note => String::new(),
        Verdict::Warning => format!("{warning}: "),
        Verdict::Problem => format!("{problem}: "),
    };
    let line = format!("  {sign} {}: {verdict}{}", finding.subject, finding.found);
    print_line(&harmless(&line));
    for detail in &finding.details {
        print_line(&harmless(&format!("      {detail}")));
    }
    if !finding.advice.is_empty() {
        print_line(&harmless(&format!("    → {}", finding.advice)));
    }
}
