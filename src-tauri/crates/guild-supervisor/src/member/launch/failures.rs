//! Reports that explain why a member did not start.

use std::time::Duration;

use crate::messages::{
    AfterConnecting, AfterExit, Circumstance, LastWords, NotListening, StartError,
};
use guild_mcp_client::CapturedOutput;
use guild_model::manifest::{Launch, Transport};
use guild_model::{Code, MemberName, Report};
use guild_process::{Exit, Output};
use guild_text::messages::{joined, seconds};
use serde_json::Value;

use super::{LaunchFailure, LaunchInput};

/// Number of stderr lines in an error.
pub(super) const STDERR_SHOWN: usize = 5;
/// Maximum size of the recorded stdout, which shows output that is not MCP, in bytes.
pub(super) const STDOUT_CAPTURED: usize = 4 << 10;
/// Maximum length of a quoted line that is not MCP, in characters.
const NOISE_SHOWN_MAX: usize = 300;
/// Maximum number of other ports that an error lists.
const PORTS_SHOWN_MAX: usize = 5;
/// If a start exceeds its limit by less than this, the error does not mention the extra time. It
/// may only be the time between two samples of the process.
const SLACK: Duration = Duration::from_secs(1);

/// A start that ran out of time.
pub(super) struct LateStart {
    pub(super) limit: Duration,
    /// The time that the start had. It exceeds the limit if the start made progress.
    pub(super) had: Duration,
    /// Number of other members that were starting.
    pub(super) beside: usize,
    /// Whether other programs kept the processors busy.
    pub(super) loaded: bool,
    /// Duration of the last start.
    pub(super) last: Option<Duration>,
}

impl LateStart {
    /// Returns possible reasons for the late start as text in parentheses. Empty if there are none.
    fn circumstances(&self) -> String {
        let mut parts = Vec::new();
        let had = to_tenths(self.had);
        if had > to_tenths(self.limit) + SLACK {
            parts.push(Circumstance::Stretched(had));
        }
        match self.beside {
            0 => {}
            1 => parts.push(Circumstance::BesideOne),
            others => parts.push(Circumstance::Beside(others)),
        }
        if self.loaded {
            parts.push(Circumstance::Loaded);
        }
        parts.extend(
            self.last
                .map(|last| Circumstance::LastTime(to_tenths(last))),
        );
        match parts.is_empty() {
            true => String::new(),
            false => format!(" ({})", joined(&parts)),
        }
    }
}

/// Returns the failure for a port that stayed closed. `others` are the ports on which the member
/// listens instead.
pub(super) fn never_listened(
    plan: &LaunchInput,
    port: u16,
    others: &[u16],
    late: &LateStart,
) -> LaunchFailure {
    let (limit, words) = (to_tenths(late.limit), last_words(&plan.output));
    let trouble = match others {
        [] => {
            let next = match names_stdio(&plan.output) {
                true => NotListening::SpeaksStdio,
                false => NotListening::CheckPort,
            };
            StartError::NeverListened(port, limit, late.circumstances(), words, next)
        }
        others => {
            let others: Vec<String> = others
                .iter()
                .take(PORTS_SHOWN_MAX)
                .map(u16::to_string)
                .collect();
            StartError::ListensElsewhere(port, others.join(", "), limit)
        }
    };
    let report = Report::from_error(Code::StartTimeout, &trouble).of(&plan.name);
    LaunchFailure::settled(report).late(late)
}

pub(super) fn not_finished(
    plan: &LaunchInput,
    heard: &CapturedOutput,
    late: &LateStart,
) -> LaunchFailure {
    let (limit, words) = (to_tenths(late.limit), all_words(&plan.output, heard));
    let trouble = StartError::NotFinished(limit, late.circumstances(), words);
    let report = Report::from_error(Code::StartTimeout, &trouble).of(&plan.name);
    LaunchFailure::settled(report).late(late)
}

/// Returns the failure for an open port whose handshake took too long.
pub(super) fn not_opened(plan: &LaunchInput, late: &LateStart) -> LaunchFailure {
    let (limit, words) = (to_tenths(late.limit), last_words(&plan.output));
    let trouble = StartError::NotOpened(limit, late.circumstances(), words);
    let report = Report::from_error(Code::HandshakeTimeout, &trouble).of(&plan.name);
    LaunchFailure::settled(report).late(late)
}

fn to_tenths(limit: Duration) -> Duration {
    let tenths = (limit.as_secs_f64() * 10.0).round();
    Duration::try_from_secs_f64(tenths / 10.0).unwrap_or(limit)
}

pub(super) fn not_connected(
    plan: &LaunchInput,
    heard: &CapturedOutput,
    error: &guild_mcp_client::McpError,
) -> LaunchFailure {
    let code = match (error.code(), plan.manifest.transport) {
        // For stdio the start limit covers the handshake, so the start took too long.
        (Code::HandshakeTimeout, Transport::Stdio) => Code::StartTimeout,
        (code, _) => code,
    };
    let is_remote = matches!(plan.manifest.launch, Launch::Url { .. });
    let report = error.report();
    let next = match (code, plan.manifest.transport) {
        (Code::ConnectionFailed, _) if is_remote => AfterConnecting::CheckUrl,
        (Code::ConnectionFailed, Transport::Stdio) => AfterConnecting::CheckPipes,
        (Code::StartTimeout, _) => AfterConnecting::SlowStart,
        _ => AfterConnecting::Own(report.hint.clone()),
    };
    let what = match code {
        Code::StartTimeout => {
            let limit = seconds(&Duration::from_millis(plan.limits.start_ms));
            format!("The member did not finish its start within {limit} s.")
        }
        _ => report.message.clone(),
    };
    let (what, words) = match is_remote {
        // The output of a remote server is unknown.
        true => (what, LastWords::None),
        false => (
            what.trim_end_matches('.').to_owned(),
            all_words(&plan.output, heard),
        ),
    };
    let trouble = StartError::NotConnected(what, words, next);
    LaunchFailure::settled(Report::from_error(code, &trouble).of(&plan.name))
}

/// Whether the server's output suggests that it uses stdio. The SDKs' examples write that they run
/// on stdio.
fn names_stdio(output: &Output) -> bool {
    let lines = output.last_words(STDERR_SHOWN);
    lines
        .iter()
        .any(|line| line.text.to_ascii_lowercase().contains("stdio"))
}

/// Returns the report for a process that ended before it opened its port. Exit code 0 suggests
/// a stdio server, which exits without an error once its stdin is closed.
pub(super) fn ended_unheard(plan: &LaunchInput, exit: &Exit) -> Report {
    let next = match exit.code == Some(0) || names_stdio(&plan.output) {
        true => AfterExit::MayBeStdio,
        false => AfterExit::ReadStderr,
    };
    let trouble = StartError::Exited(*exit, last_words(&plan.output), next);
    Report::from_error(Code::MemberExited, &trouble).of(&plan.name)
}

/// Returns the report for a process that ended during its handshake.
pub(super) fn ended_early(plan: &LaunchInput, exit: &Exit, heard: &CapturedOutput) -> Report {
    let words = all_words(&plan.output, heard);
    let trouble = StartError::Exited(*exit, words, AfterExit::ReadStderr);
    Report::from_error(Code::MemberExited, &trouble).of(&plan.name)
}

/// Returns the report for a process that ended without a request to stop (REQ-MCP-HTTP-16).
pub(crate) fn exit_report(name: &MemberName, exit: &Exit, output: &Output) -> Report {
    let trouble = StartError::Exited(*exit, last_words(output), AfterExit::ReadStderr);
    Report::from_error(Code::MemberExited, &trouble).of(name)
}

/// Returns the last lines of stderr as the end of a sentence.
fn last_words(output: &Output) -> LastWords {
    let lines = output.last_words(STDERR_SHOWN);
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

/// Returns the first line on stdout that is not MCP and the last lines of stderr, as the end of a
/// sentence.
fn all_words(output: &Output, heard: &CapturedOutput) -> LastWords {
    match (last_words(output), noise_in(&heard.bytes())) {
        (words, None) => words,
        (LastWords::Lines(lines), Some(noise)) => LastWords::StdoutAndLines(noise, lines),
        (_, Some(noise)) => LastWords::Stdout(noise),
    }
}

/// Returns the first line that is not JSON-RPC, truncated and quoted.
fn noise_in(stdout: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stdout);
    let line = text.split_inclusive('\n').find(|line| !is_message(line))?;
    let cut: String = line.trim().chars().take(NOISE_SHOWN_MAX).collect();
    Some(format!("{cut:?}"))
}

/// Whether a line is empty, is a JSON-RPC message or a batch of messages, or is the beginning of
/// such a message.
fn is_message(line: &str) -> bool {
    let trimmed = line.trim();
    if trimmed.is_empty() {
        return true;
    }
    let is_one = |value: &Value| value.get("jsonrpc").is_some();
    match serde_json::from_str(trimmed) {
        Ok(Value::Array(batch)) => !batch.is_empty() && batch.iter().all(is_one),
        Ok(value) => is_one(&value),
        // The line was truncated, or is not complete yet.
        Err(_) if !line.ends_with('\n') => {
            let begins = ["{\"", "[{\""]
                .iter()
                .any(|begin| trimmed.starts_with(begin));
            begins && trimmed.contains("\"jsonrpc\"")
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn line_that_is_not_json_rpc_is_noise() {
        let noise = |text: &str| noise_in(text.as_bytes());
        let message = "{\"jsonrpc\":\"2.0\",\"id\":1}";
        let cut = format!("{{\"jsonrpc\":\"2.0\",\"result\":\"{}", "x".repeat(5_000));
        for text in ["", &format!("{message}\n\n[{message}]\n{cut}"), message] {
            assert_eq!(noise(text), None, "{text}");
        }
        for line in [
            "[INFO] Server started",
            "{\"level\":\"info\",\"msg\":\"ready\"}",
            "{}",
            "[]",
            "[1]",
            "{ starting",
            "Server \u{1b}[32mready",
        ] {
            let text = format!("{message}\n\n{line}\n{message}\nmore\n");
            assert_eq!(noise(&text), Some(format!("{line:?}")));
        }
        assert_eq!(
            noise("{\"jsonrpc\":\n").as_deref(),
            Some(r#""{\"jsonrpc\":""#)
        );
        assert_eq!(
            noise("{\"level\":\"in").as_deref(),
            Some(r#""{\"level\":\"in""#)
        );
        let long = "x".repeat(5_000);
        assert_eq!(
            noise(&long).map(|noise| noise.len()),
            Some(NOISE_SHOWN_MAX + 2)
        );
    }

    #[test]
    fn late_start_names_others_load_and_last_time() {
        let seconds = Duration::from_secs;
        let told = |had, beside, loaded, last: Option<u64>| {
            let late = LateStart {
                limit: seconds(30),
                had: seconds(had),
                beside,
                loaded,
                last: last.map(Duration::from_millis),
            };
            late.circumstances().to_string()
        };
        assert_eq!(told(30, 0, false, None), "");
        assert_eq!(
            told(30, 0, false, Some(3_449)),
            " (its last start took 3.4 s)"
        );
        assert_eq!(
            told(120, 4, true, Some(9_000)),
            " (its limit was raised to 120 s because it was busy, 4 other members were starting, \
             other apps kept all processors busy, its last start took 9 s)"
        );
        assert_eq!(told(30, 1, false, None), " (1 other member was starting)");
    }
}
