//! Fallback discovery: finds the tools of a server that violates the protocol.
//!
//! The process is started only for this run, with variables that announce the discovery, and is
//! registered like any other process of the member. It has ended when the run ends. First the
//! server gets a request for its tools with a handshake, or without one if that worked last time
//! ([`guild_mcp_client::probe`]). If the server exits, it is started once more and asked in the
//! other way. Then its output is scanned. If that finds no tools, the names in the manifest's
//! `auto_approve` are used ([`crate::output_scan`]). Finally a model is asked, if a person agreed
//! to exactly this request ([`crate::prediction`]).

use std::sync::Arc;
use std::time::Duration;

use crate::output_scan::{DISCOVERY_ENVIRONMENT, ScannedTools, ServerOutput, auto_approved, scan};
use guild_mcp_client::{CapturedOutput, McpError, ProbeMode, Probed, ToolList, probe};
use guild_model::Report;
use guild_model::discovery::{DiscoverySettings, FoundBy, Rung};
use guild_process::{Child, StdioMode, StopSequence};
use tokio::time::{Instant, timeout};

use super::launch::{LaunchFailure, LaunchInput, early_start, gather, spawned};
use crate::prediction::{ChatCompletionRequest, ask, settings};

/// Number of stderr lines that are scanned.
const STDERR_LINES: usize = 10_000;
/// How long the output has to stay unchanged before it is scanned.
const PAUSE: Duration = Duration::from_millis(150);

#[derive(Debug, Default)]
pub(super) struct DiscoveryOutcome {
    /// The tools, and how they were found.
    pub(super) found: Option<(ToolList, FoundBy)>,
    /// Whether the tools are saved for the next start.
    pub(super) keep: bool,
    /// Errors in the settings, or the reason why a model did not answer.
    pub(super) trouble: Vec<Report>,
    /// Whether a model could predict the tools, but no person has permanently agreed to the
    /// request.
    pub(super) predictable: bool,
}

/// Searches for the tools, beginning with `remembered`, the strategy that worked last time. Ends
/// early if `plan.cancel` is cancelled. No process is left running.
pub(super) async fn discover(plan: LaunchInput, remembered: Option<FoundBy>) -> DiscoveryOutcome {
    let (settings, trouble) = settings(&plan.context.paths.data_dir).await;
    let mut outcome = DiscoveryOutcome {
        keep: settings.cache,
        trouble: trouble.into_iter().collect(),
        ..DiscoveryOutcome::default()
    };
    if !settings.enabled {
        return outcome;
    }
    let limit = limit(&settings, &plan);
    outcome.found = found(&plan, remembered, limit).await;
    if outcome.found.is_none() && settings.prediction.enabled {
        tokio::select! {
            biased;
            () = plan.cancel.cancelled() => {}
            predicted = agreed_prediction(&plan, &settings) => match predicted {
                Ok(found) => {
                    outcome.predictable = found.is_none();
                    outcome.found = found;
                }
                Err(report) => outcome.trouble.push(report),
            },
        }
    }
    outcome
}

/// Asks a model, if a person permanently agreed to exactly this request. `None` without consent.
async fn agreed_prediction(
    plan: &LaunchInput,
    settings: &DiscoverySettings,
) -> Result<Option<(ToolList, FoundBy)>, Report> {
    let context = &plan.context;
    let question =
        ChatCompletionRequest::of(&plan.manifest, &settings.prediction, &context.values)?;
    let (own, name, hash) = (
        Arc::clone(context),
        plan.name.clone(),
        question.hash.clone(),
    );
    let looking =
        tokio::task::spawn_blocking(move || own.predictions.consents.covers(&name, &hash));
    match looking.await {
        Ok(true) => {
            let asking = ask(&context.predictions, &context.values, &question);
            asking.await.map(Some)
        }
        _ => Ok(None),
    }
}

/// Returns the time limit of the run: from the manifest, else from `config.yml`, else from the
/// settings.
fn limit(settings: &DiscoverySettings, plan: &LaunchInput) -> Duration {
    let said = plan.manifest.timeouts.discovery_ms.or(settings.timeout_ms);
    Duration::from_millis(said.unwrap_or(plan.limits.discovery_ms))
}

async fn found(
    plan: &LaunchInput,
    remembered: Option<FoundBy>,
    limit: Duration,
) -> Option<(ToolList, FoundBy)> {
    let first = match remembered.map(|found| found.rung) {
        Some(Rung::NoHandshake) => ProbeMode::Bare,
        _ => ProbeMode::Handshake,
    };
    let second = match first {
        ProbeMode::Handshake => ProbeMode::Bare,
        ProbeMode::Bare => ProbeMode::Handshake,
    };
    let mut written = None;
    let mut until = None;
    for opening in [first, second] {
        let run = match run(plan, opening, remembered, limit, until).await {
            // The process could not be started, so the server can't be asked in another way either.
            Err(_) => break,
            Ok(run) => run,
        };
        until = Some(run.until);
        let over = match run.end {
            ProbeOutcome::Listed(Probed { list, opening }) => {
                let rung = match opening {
                    ProbeMode::Handshake => Rung::Initialize,
                    ProbeMode::Bare => Rung::NoHandshake,
                };
                return Some((list, FoundBy::new(rung, None)));
            }
            ProbeOutcome::Seen(scanned) => return Some(listed(plan, scanned).await),
            // If the server did not exit, `probe` has already tried both modes.
            ProbeOutcome::Failed(error) => !matches!(error, McpError::Closed { .. }),
            ProbeOutcome::Cancelled => return None,
        };
        written.get_or_insert(Vec::new()).push(run.written);
        if over {
            break;
        }
    }
    // A server that could not be started has written nothing.
    let written = written.unwrap_or_default();
    let looked =
        tokio::task::spawn_blocking(move || written.iter().find_map(|text| text.scan(remembered)));
    let scanned = match looked.await {
        Ok(Some(scanned)) => scanned,
        _ => auto_approved(&plan.manifest.auto_approve)?,
    };
    Some(listed(plan, scanned).await)
}

/// Returns the found tools as a list without secrets.
async fn listed(plan: &LaunchInput, scanned: ScannedTools) -> (ToolList, FoundBy) {
    let list = |tools, problems| ToolList {
        tools,
        problems,
        ttl_ms: None,
    };
    let redactor = plan.context.values.redactor();
    let veiled = redactor.list(list(scanned.tools, scanned.problems)).await;
    // Masking fails only when the program ends, and then the list is not needed.
    let list = veiled.unwrap_or_else(|_| list(vec![], vec![]));
    (list, scanned.found)
}

/// The output of a process, with masked secrets.
#[derive(Debug)]
struct Texts {
    stdout: String,
    stderr: String,
}

impl Texts {
    fn scan(&self, remembered: Option<FoundBy>) -> Option<ScannedTools> {
        let written = ServerOutput {
            stdout: self.stdout.as_bytes(),
            stderr: self.stderr.as_bytes(),
        };
        scan(written, remembered)
    }
}

fn texts(plan: &LaunchInput, heard: &CapturedOutput) -> Texts {
    let mut stdout = String::from_utf8_lossy(&heard.bytes()).into_owned();
    plan.context.values.redactor().hide_in(&mut stdout);
    // These lines were masked when they were read.
    let lines = plan.output.last_words(STDERR_LINES);
    let lines: Vec<String> = lines.into_iter().map(|line| line.text).collect();
    Texts {
        stdout,
        stderr: lines.join("\n"),
    }
}

/// The result of asking the server's process for its tools.
enum ProbeOutcome {
    /// The server answered with its tool list.
    Listed(Probed),
    /// The strategy that worked last time found tools in the output.
    Seen(ScannedTools),
    Failed(McpError),
    Cancelled,
}

struct DiscoveryRun {
    end: ProbeOutcome,
    written: Texts,
    /// The deadline of the whole run.
    until: Instant,
}

/// Starts the server's process, requests its tools, and ends the process. `until` is the deadline
/// of the discovery run. It is `None` for the first process of the run: then the deadline is
/// `limit` after the process has started.
async fn run(
    plan: &LaunchInput,
    opening: ProbeMode,
    remembered: Option<FoundBy>,
    limit: Duration,
    until: Option<Instant>,
) -> Result<DiscoveryRun, LaunchFailure> {
    let given = gather(plan).await?;
    let early = early_start(plan).await?;
    let over = &DISCOVERY_ENVIRONMENT;
    let (child, _start) = spawned(plan, early, None, StdioMode::Piped, given, over).await?;
    let until = until.unwrap_or_else(|| Instant::now() + limit);
    let heard = CapturedOutput::default();
    let end = asked(plan, &child, opening, remembered, until, &heard).await;
    child.stop(StopSequence::PIPED).await;
    let (plan, heard) = (plan.clone(), heard.clone());
    let written = tokio::task::spawn_blocking(move || texts(&plan, &heard)).await;
    Ok(DiscoveryRun {
        end,
        written: written.unwrap_or_else(|_| Texts {
            stdout: String::new(),
            stderr: String::new(),
        }),
        until,
    })
}

async fn asked(
    plan: &LaunchInput,
    child: &Child,
    opening: ProbeMode,
    remembered: Option<FoundBy>,
    until: Instant,
    heard: &CapturedOutput,
) -> ProbeOutcome {
    let Some((reader, writer)) = child.take_stdio() else {
        return ProbeOutcome::Failed(McpError::Closed { reason: None });
    };
    let left = until.saturating_duration_since(Instant::now());
    tokio::select! {
        probed = probe(reader, writer, opening, left, heard.clone()) => match probed {
            Ok(probed) => ProbeOutcome::Listed(probed),
            Err(error) => ProbeOutcome::Failed(error),
        },
        scanned = as_last_time(plan, remembered, heard) => ProbeOutcome::Seen(scanned),
        () = plan.cancel.cancelled() => ProbeOutcome::Cancelled,
    }
}

/// Waits until the strategy that worked last time finds tools in the output. Then there is no need
/// to wait for an answer, since the server sent none last time.
async fn as_last_time(
    plan: &LaunchInput,
    remembered: Option<FoundBy>,
    heard: &CapturedOutput,
) -> ScannedTools {
    let pattern = remembered.filter(|found| Rung::PATTERNS.contains(&found.rung));
    let (mut stdout, mut stderr) = (heard.length(), plan.output.changed());
    let mut more = async || {
        tokio::select! {
            changed = stdout.changed() => changed.is_ok(),
            changed = stderr.changed() => changed.is_ok(),
        }
    };
    while let Some(pattern) = pattern {
        // Waits for the complete output, which may have arrived before this function listened.
        while let Ok(true) = timeout(PAUSE, more()).await {}
        let (plan, heard) = (plan.clone(), heard.clone());
        let look = move || texts(&plan, &heard).scan(Some(pattern));
        if let Ok(Some(scanned)) = tokio::task::spawn_blocking(look).await
            && scanned.found == pattern
        {
            return scanned;
        }
        if !more().await {
            break;
        }
    }
    std::future::pending().await
}
