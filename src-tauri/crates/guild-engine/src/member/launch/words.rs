//! Why a member did not come up, in words.

use std::time::Duration;

use guild_core::manifest::{Launch, Transport};
use guild_core::note::{AfterConnecting, Each, LastWords, Overdue, StartTrouble};
use guild_core::{Code, MemberName, Report};
use guild_process::{Exit, Output};

use super::{LaunchFailure, Plan};

/// How many lines of stderr an error brings along.
pub(super) const STDERR_TOLD: usize = 5;

pub(super) fn never_listened(plan: &Plan, port: u16, limit: Duration) -> LaunchFailure {
    let trouble = StartTrouble::NeverListened(port, told(limit), last_words(&plan.output));
    LaunchFailure::settled(Report::told(Code::StartTimeout, &trouble).of(&plan.name))
}

pub(super) fn not_finished(plan: &Plan, limit: Duration) -> LaunchFailure {
    let trouble = StartTrouble::NotFinished(told(limit), last_words(&plan.output));
    LaunchFailure::settled(Report::told(Code::StartTimeout, &trouble).of(&plan.name))
}

/// A time limit as it is told: to the tenth of a second.
fn told(limit: Duration) -> Duration {
    let tenths = (limit.as_secs_f64() * 10.0).round();
    Duration::try_from_secs_f64(tenths / 10.0).unwrap_or(limit)
}

pub(super) fn not_connected(plan: &Plan, error: &guild_mcp::McpError) -> LaunchFailure {
    let code = match (error.code(), plan.manifest.transport) {
        // For stdio the start limit covers the handshake: it is the start that took too long.
        (Code::HandshakeTimeout, Transport::Stdio) => Code::StartTimeout,
        (code, _) => code,
    };
    let is_elsewhere = matches!(plan.manifest.launch, Launch::Url { .. });
    let report = error.report();
    let next = match (code, plan.manifest.transport) {
        (Code::ConnectionFailed, _) if is_elsewhere => AfterConnecting::CheckUrl,
        (Code::ConnectionFailed, Transport::Stdio) => AfterConnecting::CheckPipes,
        (Code::StartTimeout, _) => AfterConnecting::SlowStart,
        _ => AfterConnecting::Own(report.advice()),
    };
    let what = match code {
        Code::StartTimeout => {
            Each::from(&Overdue::Limit(Duration::from_millis(plan.limits.start_ms)))
        }
        _ => report.what(),
    };
    let (what, words) = match is_elsewhere {
        // No process of ours, and so no words of it.
        true => (what, LastWords::None),
        false => (what.unended(), last_words(&plan.output)),
    };
    let trouble = StartTrouble::NotConnected(what, words, next);
    LaunchFailure::settled(Report::told(code, &trouble).of(&plan.name))
}

/// The report of a process that ended though nobody asked it to (REQ-MCP-HTTP-16).
pub(in crate::member) fn exit_report(name: &MemberName, exit: &Exit, output: &Output) -> Report {
    let trouble = StartTrouble::Exited(exit.ending(), last_words(output));
    Report::told(Code::MemberExited, &trouble).of(name)
}

/// The last lines of stderr as the end of a sentence.
fn last_words(output: &Output) -> LastWords {
    let lines = output.last_words(STDERR_TOLD);
    if lines.is_empty() {
        return LastWords::Nothing;
    }
    let mut text = String::new();
    for line in &lines {
        text.push('\n');
        text.extend(line.text.chars().take(300));
    }
    LastWords::Lines(text)
}
