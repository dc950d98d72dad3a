//! Why a member did not come up, in words.

use std::time::Duration;

use guild_core::manifest::{Launch, Transport};
use guild_core::wire::LogLine;
use guild_core::{Code, MemberName, Report};
use guild_process::{Exit, Output};

use super::{LaunchFailure, Plan};

/// What helps a member that needs longer than its start limit.
const SLOW_START: &str = "Check that the command starts an MCP server; a slow first start wants a \
                          larger \"timeouts\": {\"start_ms\": …} in plugin.json.";
/// How many lines of stderr an error brings along.
pub(super) const STDERR_TOLD: usize = 5;

pub(super) fn never_listened(plan: &Plan, port: u16, limit: Duration) -> LaunchFailure {
    LaunchFailure::settled(
        Report::new(
            Code::StartTimeout,
            format!(
                "The member did not open port {port} within {} s{}",
                seconds(limit),
                told(&plan.output.last_words(STDERR_TOLD))
            ),
            "Check that the server listens on 127.0.0.1 at ${PORT}; a slow first start wants a \
             larger \"timeouts\": {\"start_ms\": …} in plugin.json.",
        )
        .of(&plan.name),
    )
}

pub(super) fn not_finished(plan: &Plan, limit: Duration) -> LaunchFailure {
    let message = format!(
        "The member did not finish its start within {} s{}",
        seconds(limit),
        told(&plan.output.last_words(STDERR_TOLD))
    );
    LaunchFailure::settled(Report::new(Code::StartTimeout, message, SLOW_START).of(&plan.name))
}

/// A time limit as it is told: to the tenth of a second.
fn seconds(limit: Duration) -> f64 {
    (limit.as_secs_f64() * 10.0).round() / 10.0
}

pub(super) fn not_connected(plan: &Plan, error: &guild_mcp::McpError) -> LaunchFailure {
    let code = match (error.code(), plan.manifest.transport) {
        // For stdio the start limit covers the handshake: it is the start that took too long.
        (Code::HandshakeTimeout, Transport::Stdio) => Code::StartTimeout,
        (code, _) => code,
    };
    let is_elsewhere = matches!(plan.manifest.launch, Launch::Url { .. });
    let start_ms = plan.limits.start_ms;
    let hint = match (code, plan.manifest.transport) {
        (Code::ConnectionFailed, _) if is_elsewhere => {
            "Check the \"url\" in plugin.json, and that a server runs there.".to_owned()
        }
        (Code::ConnectionFailed, Transport::Stdio) => {
            "Check that the command starts an MCP server that speaks over stdin and stdout."
                .to_owned()
        }
        (Code::StartTimeout, _) => SLOW_START.to_owned(),
        _ => error.hint(),
    };
    let what = match code {
        Code::StartTimeout => {
            let limit = Duration::from_millis(start_ms).as_secs_f64();
            format!("The member did not finish its start within {limit} s.")
        }
        _ => error.to_string(),
    };
    let message = match what {
        // No process of ours, and so no words of it.
        message if is_elsewhere => message,
        message => {
            let words = told(&plan.output.last_words(STDERR_TOLD));
            format!("{}{words}", message.trim_end_matches('.'))
        }
    };
    LaunchFailure::settled(Report::new(code, message, hint).of(&plan.name))
}

/// The report of a process that ended though nobody asked it to (REQ-MCP-HTTP-16).
pub(in crate::member) fn exit_report(name: &MemberName, exit: &Exit, output: &Output) -> Report {
    Report::new(
        Code::MemberExited,
        format!(
            "The process ended by itself: {exit}{}",
            told(&output.last_words(STDERR_TOLD))
        ),
        "Read its stderr; start it by hand in its folder with the command shown on its page.",
    )
    .of(name)
}

/// The last lines of stderr as the end of a sentence.
fn told(lines: &[LogLine]) -> String {
    if lines.is_empty() {
        return ". It wrote nothing to stderr.".into();
    }
    let lines: Vec<String> = lines
        .iter()
        .map(|line| line.text.chars().take(300).collect())
        .collect();
    format!(". Its last words:\n{}", lines.join("\n"))
}
