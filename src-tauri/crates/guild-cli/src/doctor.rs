//! `guildhall doctor`: finds problems of this machine, explains errors, and writes bug reports.

mod explain;
mod report;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{CallRef, Check, Examination, Finding, Verdict};
use guild_engine::{GuildHall, LockMode};
use guild_model::{CallId, Report};

use crate::help;
use crate::interrupts::{Interrupts, interrupted};
use crate::session::{CliContext, Need};
use crate::terminal::{counted, print};

/// The exit code if `doctor` finds a problem.
const PROBLEM: u8 = 6;
/// The exit code if `doctor` finds only warnings.
const WARNING: u8 = 1;

#[derive(Debug, Args)]
#[command(after_help = help::DOCTOR)]
pub(crate) struct DoctorArgs {
    #[command(subcommand)]
    action: Option<DoctorAction>,
}

#[derive(Debug, Subcommand)]
enum DoctorAction {
    /// Find problems that keep members from working on this machine, and show how to fix them
    /// [default]
    Check,
    /// Explain an error by its code, or list the codes
    Explain(explain::ExplainArgs),
    /// Write a bug report: logs, versions, manifests, settings and states, without the values of
    /// secrets. Lists its contents first
    Report(report::ReportArgs),
}

/// Checks this machine, explains an error, or writes a bug report.
pub(crate) async fn doctor(
    session: impl FnOnce() -> Result<CliContext, Report>,
    args: DoctorArgs,
) -> Result<ExitCode, Report> {
    match args.action {
        None | Some(DoctorAction::Check) => session()?.with_own_engine(LockMode::None, check).await,
        Some(DoctorAction::Explain(args)) => Ok(explain::explain(&args)),
        Some(DoctorAction::Report(args)) => {
            let session = session()?;
            session
                .with_engine(Need::READ, async |it| report::report(it, args).await)
                .await
        }
    }
}

async fn check(hall: &GuildHall, interrupts: &mut Interrupts) -> Result<ExitCode, Report> {
    let call = CallId::numbered("doctor", std::process::id().into());
    let examination = tokio::select! {
        examined = hall.doctor(CallRef { call }) => examined?,
        () = interrupts.next() => return Err(interrupted()),
    };
    print(&examination, || as_text(&examination));
    Ok(match examination.worst {
        Verdict::Fine | Verdict::Note => ExitCode::SUCCESS,
        Verdict::Warning => ExitCode::from(WARNING),
        Verdict::Problem => ExitCode::from(PROBLEM),
    })
}

fn as_text(examination: &Examination) -> String {
    let mut lines = Vec::new();
    let mut check = None;
    for finding in &examination.findings {
        if check.replace(finding.check) != Some(finding.check) {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(heading(finding.check).to_owned());
        }
        lines.extend(of_finding(finding));
    }
    let count = |verdict| {
        let of = examination.findings.iter();
        of.filter(|finding| finding.verdict == verdict).count()
    };
    let problems = counted(count(Verdict::Problem), "problem", "problems");
    let warnings = counted(count(Verdict::Warning), "warning", "warnings");
    let took = examination.took_ms;
    lines.push(format!("\n{problems}, {warnings}, in {took} ms."));
    lines.join("\n")
}

fn heading(check: Check) -> &'static str {
    match check {
        Check::LoginShell => "Login shell",
        Check::Program => "Programs",
        Check::Member => "Members' commands",
        Check::Keychain => "Secrets",
        Check::Ports => "Ports",
        Check::Folders => "Folders",
        Check::Disk => "Disk",
        Check::Processes => "Processes",
    }
}

fn of_finding(finding: &Finding) -> Vec<String> {
    let (sign, verdict) = match finding.verdict {
        Verdict::Fine => ("✓", ""),
        Verdict::Note => ("·", ""),
        Verdict::Warning => ("▲", "warning: "),
        Verdict::Problem => ("✕", "problem: "),
    };
    let (subject, found) = (&finding.subject, &finding.found);
    let mut lines = vec![format!("  {sign} {subject}: {verdict}{found}")];
    let details = finding.details.iter();
    lines.extend(details.map(|detail| format!("      {detail}")));
    if !finding.advice.is_empty() {
        lines.push(format!("    → {}", finding.advice));
    }
    lines
}
