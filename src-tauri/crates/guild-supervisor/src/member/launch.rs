//! Starts a member: leases a port, starts the process, waits for the open port, and opens the
//! session. All of this is one task, which is cancelled as a whole.

mod containers;
mod failures;
mod local;
mod newest;
mod permit;
mod readiness;
mod remote;
mod spawn;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::messages::{StartError, Who};
use guild_api::wire::LogLine;
use guild_mcp_client::{
    CapturedOutput, ConnectOptions, DiscoverFirst, PeerCheck, ServerTransport, Session,
    SharedReader,
};
use guild_model::manifest::{Launch, Manifest, Substitution, Transport};
use guild_model::messages::HeldAdvice;
use guild_model::protocol::Era;
use guild_model::settings::Limits;
use guild_model::{Code, MemberName, Report};
use guild_process::port::{PortOwner, ports_of};
use guild_process::{Child, Exit, Output, PortLease, StdioMode, StopSequence};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub(super) use self::failures::exit_report;
use self::failures::{
    LateStart, STDERR_SHOWN, STDOUT_CAPTURED, ended_early, ended_unheard, never_listened,
    not_connected, not_finished, not_opened,
};
use self::local::{connect_local, lease_port, request_headers};
pub(super) use self::permit::early_start;
use self::readiness::{PortListener, wait_until_ready};
use self::remote::connect_remote;
pub(super) use self::spawn::spawned;
use super::start_deadline::{self, StartDeadline, package_runner};
use super::{ActorEvent, identity};
use crate::context::Context;
use guild_secrets::ResolvedEnv;

/// Number of ports that an HTTP member may lose to other programs before its start fails.
const PORT_TRIES: usize = 5;
/// Maximum number of retries with another protocol era.
const ERAS_TRIED_MAX: usize = 2;
/// Time that is added to the limits of the connection, so that the limit of the start takes effect
/// first.
const AFTER_WATCH: Duration = Duration::from_secs(5);
/// Maximum wait for a process to exit after its connection broke, and for its last output.
const EXIT_EXPLAINED: Duration = Duration::from_secs(1);

/// The input of a launch. It is a copy, so that the actor can continue during the launch.
#[derive(Clone)]
pub(super) struct LaunchInput {
    pub(super) name: MemberName,
    pub(super) folder: PathBuf,
    pub(super) manifest: Manifest,
    /// The manifest's time limits, with the settings as defaults.
    pub(super) limits: Limits,
    pub(super) era: Option<Era>,
    /// Whether the server answered only without a handshake at the last start.
    pub(super) bare: bool,
    pub(super) output: Output,
    pub(super) context: Arc<Context>,
    pub(super) events: mpsc::Sender<ActorEvent>,
    pub(super) cancel: CancellationToken,
    /// Cancelled as soon as the member is called. Then the start no longer waits for a permit.
    pub(super) hurry: CancellationToken,
    /// Whether the start waits until no other member is starting.
    pub(super) alone: bool,
    pub(super) last_start: Option<Duration>,
}

impl LaunchInput {
    /// Calls `fill` with the values of the manifest's variables. Runs on a blocking thread, since a
    /// lookup may read files.
    async fn substituted<T: Send + 'static>(
        &self,
        port: Option<u16>,
        given: ResolvedEnv,
        fill: impl FnOnce(&Substitution<'_>, &ResolvedEnv) -> Result<T, Report> + Send + 'static,
    ) -> Result<T, Report> {
        let (context, folder) = (Arc::clone(&self.context), self.folder.clone());
        let filled = blocking(move || {
            let substitution = Substitution {
                port,
                plugin_dir: &folder.to_string_lossy(),
                guildhall: &context.own_binary,
                lookup: &given,
            };
            fill(&substitution, &given)
        });
        filled.await?
    }

    /// Sends an event to the member's actor, if the actor still runs.
    async fn notify(&self, event: ActorEvent) {
        let _ = self.events.send(event).await;
    }
}

/// A member that has started.
pub(super) struct Launched {
    pub(super) session: Session,
    pub(super) process: Option<Process>,
    /// The address at which the member's own process listens. `None` without HTTP.
    pub(super) home: Option<Home>,
    /// Whether the session has no handshake.
    pub(super) bare: bool,
    pub(super) start_warnings: Vec<Report>,
    /// Duration since the start of the process. `None` without a process.
    pub(super) took: Option<Duration>,
}

/// The address at which a member's own process listens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Home {
    pub(super) port: u16,
    /// The answering host, in the form that URLs use.
    pub(super) host: &'static str,
    /// The pid of the member's first process.
    pub(super) leader: u32,
}

/// A process, and for HTTP the port that is leased until the process has ended.
pub(super) struct Process {
    pub(super) child: Child,
    pub(super) lease: Option<PortLease>,
}

/// The reason why a member did not start.
pub(super) struct LaunchFailure {
    pub(super) report: Report,
    /// Whether the process ended by itself. This counts as a crash, and the start is retried.
    pub(super) crashed: bool,
    /// Whether a server ran, but did not answer as MCP requires. Its tools may be found in other
    /// ways.
    pub(super) violates_protocol: bool,
    /// Number of other members that were starting when the start limit passed.
    pub(super) beside: usize,
    /// Whether other programs kept the processors busy when the start limit passed.
    pub(super) loaded: bool,
}

impl LaunchFailure {
    fn settled(report: Report) -> Self {
        Self {
            violates_protocol: violates_protocol(report.code),
            report,
            crashed: false,
            beside: 0,
            loaded: false,
        }
    }

    fn late(self, start: &LateStart) -> Self {
        Self {
            beside: start.beside,
            loaded: start.loaded,
            ..self
        }
    }
}

/// Whether a failure with this code means that a server ran, but did not answer as MCP requires:
/// too late, not at all, or incorrectly.
pub(super) fn violates_protocol(code: Code) -> bool {
    matches!(
        code,
        Code::StartTimeout
            | Code::HandshakeTimeout
            | Code::HandshakeFailed
            | Code::ConnectionFailed
            | Code::AnswerMalformed
            | Code::AnswerTooLarge
            | Code::RpcError
            | Code::ListFailed
    )
}

/// The result of one attempt to start the member. Some results lead to another attempt.
enum LaunchOutcome {
    Up(Box<Launched>),
    Failed(LaunchFailure),
    /// Another program took the port before the member opened it.
    PortLost(u16, Option<PortOwner>),
    /// The server supports only the other era. The next attempt has a new process.
    OtherEra(Era),
    /// The server no longer answers without a handshake. The next attempt begins with a handshake.
    NeedsHandshake,
}

impl LaunchOutcome {
    /// Replaces the report if the process ended by itself.
    fn reported(self, report: impl FnOnce() -> Report) -> Self {
        match self {
            Self::Failed(failure) if failure.crashed => Self::Failed(LaunchFailure {
                report: report(),
                ..failure
            }),
            other => other,
        }
    }
}

/// Starts the member, or returns the reason why that failed. No process remains after a failure.
pub(super) async fn launch(plan: LaunchInput) -> Result<Box<Launched>, LaunchFailure> {
    let mut lost = Vec::new();
    let mut holders = Vec::new();
    let mut era = plan.era;
    let mut bare = plan.bare;
    let mut eras_tried = 0;
    loop {
        if plan.cancel.is_cancelled() {
            return Err(cancelled());
        }
        match attempt(&plan, era, bare, &lost).await? {
            LaunchOutcome::Up(mut launched) => {
                if let Some(home) = &launched.home {
                    let moved = |(from, holder)| identity::moved(from, home.port, &holder);
                    let moved = holders.into_iter().map(moved);
                    launched.start_warnings.extend(moved);
                }
                return Ok(launched);
            }
            LaunchOutcome::Failed(failure) => return Err(failure),
            LaunchOutcome::PortLost(port, holder) => {
                lost.push(port);
                holders.extend(holder.map(|holder| (port, holder)));
                if lost.len() >= PORT_TRIES {
                    let ports: Vec<String> = lost.iter().map(u16::to_string).collect();
                    let last = holders.last();
                    let (who, next) = match last {
                        Some((port, holder)) => {
                            (Who::Holds(*port, holder.clone()), holder.advice())
                        }
                        None => (Who::Nobody, HeldAdvice::FindIt),
                    };
                    let trouble = StartError::PortLost(lost.len(), ports.join(", "), who, next);
                    let report = Report::from_error(Code::PortLost, &trouble);
                    return Err(LaunchFailure::settled(report));
                }
            }
            LaunchOutcome::NeedsHandshake => bare = false,
            LaunchOutcome::OtherEra(other) => {
                eras_tried += 1;
                if eras_tried > ERAS_TRIED_MAX {
                    let report = Report::from_error(Code::HandshakeFailed, &StartError::NoEra);
                    return Err(LaunchFailure::settled(report));
                }
                era = Some(other);
            }
        }
    }
}

async fn attempt(
    plan: &LaunchInput,
    era: Option<Era>,
    bare: bool,
    lost: &[u16],
) -> Result<LaunchOutcome, LaunchFailure> {
    let manifest = &plan.manifest;
    let runner = match &manifest.launch {
        Launch::Url { url, headers } => return connect_remote(plan, url, headers, era).await,
        Launch::Command { command, args, .. } => package_runner(command, args),
        // The image of a container is pulled before the start limit begins.
        Launch::Container(_) => None,
    };
    let listener = PortListener::of(&manifest.launch);
    let given = gather(plan).await?;
    let values = given.clone();
    let early = early_start(plan).await?;
    let (lease, moved) = match manifest.transport {
        Transport::Stdio => (None, None),
        Transport::Http | Transport::Sse => {
            let (lease, moved) = lease_port(plan, lost).await?;
            (Some(lease), moved)
        }
    };
    let port = lease.as_ref().map(PortLease::port);
    let headers = match port {
        Some(port) => request_headers(plan, port, values).await?,
        None => vec![],
    };
    let stdio = match manifest.transport {
        Transport::Http | Transport::Sse => StdioMode::Closed,
        Transport::Stdio => StdioMode::Piped,
    };
    let (child, _start) = spawned(plan, early, port, stdio, given, &[]).await?;

    let started = Instant::now();
    let others = || plan.context.start_limiter.unfinished().saturating_sub(1);
    let others_at_first = others();
    let start_limit = Duration::from_millis(plan.limits.start_ms);
    let late = async |limit, had| LateStart {
        limit,
        had,
        beside: others_at_first.max(others()),
        loaded: blocking(plan.context.is_loaded).await.unwrap_or(false),
        last: plan.last_start,
    };
    // A start may exceed its limit as long as it makes progress. A package runner gets the most
    // time.
    let given_up = too_long(plan, child.pid(), runner.is_some(), start_limit);
    tokio::pin!(given_up);
    let expected = match runner {
        Some(_) => start_deadline::LONGEST,
        None => start_deadline::stretched(start_limit),
    };
    let heard = CapturedOutput::up_to(STDOUT_CAPTURED);
    let mut stdout = None;
    let mut home = None;
    let opened = match port {
        Some(port) => {
            let readiness = tokio::select! {
                host = wait_until_ready(port, listener) => Readiness::Answered(host),
                had = &mut given_up => Readiness::TooLong(had),
                exit = child.wait_exit() => Readiness::Exited(exit),
                () = plan.cancel.cancelled() => Readiness::Cancelled,
            };
            match readiness {
                Readiness::Answered(host) => {
                    let leader = child.pid();
                    // A container's port belongs to its engine, which is not our child process.
                    if listener.is_own()
                        && let Some(holder) = identity::stranger(port, host, leader).await
                    {
                        // The member's own server can no longer get this port.
                        child.stop(StopSequence::CLOSED).await;
                        return Ok(LaunchOutcome::PortLost(port, Some(holder)));
                    }
                    home = listener.is_own().then_some(Home { port, host, leader });
                    Ok(ServerTransport::Http {
                        url: format!("http://{host}:{port}{}", manifest.transport.path()),
                        headers,
                    })
                }
                Readiness::TooLong(had) => {
                    let leader = child.pid();
                    let others = match listener.is_own() {
                        true => blocking(move || ports_of(leader)).await.unwrap_or_default(),
                        // The ports of the engine's process are not those of the server.
                        false => vec![],
                    };
                    let late = late(start_limit, had).await;
                    Err(never_listened(plan, port, &others, &late))
                }
                Readiness::Exited(exit) => {
                    let ended = ended(plan, exit, &child, lease).await;
                    return Ok(ended.reported(|| ended_unheard(plan, &exit)));
                }
                Readiness::Cancelled => Err(cancelled()),
            }
        }
        None => match child.take_stdio() {
            Some((reader, writer)) => {
                let reader = stdout.insert(SharedReader::new(reader)).clone();
                Ok(ServerTransport::Stdio {
                    reader: Box::new(heard.listening(reader)),
                    writer: Box::new(writer),
                })
            }
            None => {
                let report = Report::from_error(Code::SpawnFailed, &StartError::NoPipes);
                Err(LaunchFailure::settled(report))
            }
        },
    };
    let link = match opened {
        Ok(link) => link,
        Err(failure) => {
            child.stop(StopSequence::CLOSED).await;
            return Ok(LaunchOutcome::Failed(failure));
        }
    };
    // For stdio the start limit covers the handshake as well.
    let left = |limit: Duration| limit.saturating_sub(started.elapsed());
    let handshake = match (manifest.transport, bare) {
        (Transport::Http | Transport::Sse, _) => Duration::from_millis(plan.limits.handshake_ms),
        (Transport::Stdio, false) => left(expected) + AFTER_WATCH,
        // Leaves time for a second attempt with a handshake.
        (Transport::Stdio, true) => {
            let limit = if runner.is_some() {
                expected
            } else {
                start_limit
            };
            left(limit).min(Duration::from_millis(plan.limits.discovery_ms))
        }
    };
    // Over HTTP the handshake has a separate limit, which is extended in the same way.
    let opening_given_up = async {
        match port {
            Some(_) => too_long(plan, child.pid(), false, handshake).await,
            None => given_up.await,
        }
    };
    let options = ConnectOptions {
        asking: Some(plan.context.elicitations.of(&plan.name)),
        apps: plan.context.shows_apps.load(Ordering::Relaxed),
        pin: manifest.protocol_version,
        remembered: era,
        discover_first: Some(DiscoverFirst {
            idle: Some(newest::idle(child.pid())),
        }),
        handshake,
        // The start limit takes effect before this limit.
        longest: start_deadline::LONGEST.max(handshake) + AFTER_WATCH,
        sse_only: manifest.transport == Transport::Sse,
        peer_check: home.map(|_| {
            let leader = child.leader();
            PeerCheck::new(move || leader.is_alive())
        }),
        proxies: false,
        signed: None,
    };
    let asks_newest = !bare && era.is_none() && manifest.protocol_version.is_none();
    let connecting = async {
        match (bare, port) {
            (true, _) => guild_mcp_client::connect_bare(link, options).await,
            (false, Some(port)) => connect_local(link, options, port).await,
            (false, None) => guild_mcp_client::connect(link, options).await,
        }
    };
    let connected = tokio::select! {
        connected = connecting => connected,
        // If the process exits, a program that answers on the port is no longer the member.
        exit = child.wait_exit(), if port.is_some() => {
            if asks_newest {
                child.stop(StopSequence::CLOSED).await;
                newest::remember_legacy(plan).await;
                return Ok(LaunchOutcome::OtherEra(Era::Legacy));
            }
            return Ok(ended(plan, exit, &child, lease).await);
        }
        had = opening_given_up, if !bare => {
            child.stop(StopSequence::CLOSED).await;
            // The server may be silent because it no longer supports this era.
            if port.is_none() && era == Some(Era::Modern) && manifest.protocol_version.is_none() {
                return Ok(LaunchOutcome::OtherEra(Era::Legacy));
            }
            return Ok(LaunchOutcome::Failed(match manifest.transport {
                Transport::Stdio => not_finished(plan, &heard, &late(start_limit, had).await),
                Transport::Http | Transport::Sse => not_opened(plan, &late(handshake, had).await),
            }));
        }
        () = plan.cancel.cancelled() => {
            child.stop(StopSequence::PIPED).await;
            return Ok(LaunchOutcome::Failed(cancelled()));
        }
    };
    let failure = match connected {
        Ok(session) => {
            return Ok(LaunchOutcome::Up(Box::new(Launched {
                session,
                process: Some(Process { child, lease }),
                home,
                bare,
                start_warnings: Vec::from_iter(moved),
                took: Some(started.elapsed()),
            })));
        }
        Err(failure) => failure,
    };
    // If the connection broke, the exit of the process explains more than the broken pipe. After
    // any other failure, the process exits because its stdin was closed, which explains nothing.
    let own_exit = match failure.error.code() {
        Code::ConnectionFailed => exit_soon(&child).await,
        _ => None,
    };
    child.stop(StopSequence::CLOSED).await;
    if bare {
        return Ok(LaunchOutcome::NeedsHandshake);
    }
    if let Some(other) = failure.retry_with.filter(|other| Some(*other) != era) {
        if asks_newest && other == Era::Legacy {
            newest::remember_legacy(plan).await;
        }
        return Ok(LaunchOutcome::OtherEra(other));
    }
    if asks_newest && port.is_some() && own_exit.is_some() {
        newest::remember_legacy(plan).await;
        return Ok(LaunchOutcome::OtherEra(Era::Legacy));
    }
    Ok(match own_exit {
        Some(exit) => {
            // If a write failed, the connection was closed before the last output was read.
            if let Some(stdout) = stdout {
                heard.read_rest(stdout, EXIT_EXPLAINED).await;
            }
            let ended = ended(plan, exit, &child, lease).await;
            ended.reported(|| ended_early(plan, &exit, &heard))
        }
        None => LaunchOutcome::Failed(not_connected(plan, &heard, &failure.error)),
    })
}

/// Returns the outcome of an attempt whose process ended by itself, perhaps because another program
/// uses its port.
///
/// Ends the process group first, since a process that a launcher left behind may use the port too.
async fn ended(
    plan: &LaunchInput,
    exit: Exit,
    child: &Child,
    lease: Option<PortLease>,
) -> LaunchOutcome {
    child.stop(StopSequence::CLOSED).await;
    if let Some(lease) = lease {
        let port = lease.port();
        // Checked while the port is still leased, so that no other member can use it.
        let bindable = blocking(move || lease.is_bindable()).await.unwrap_or(true);
        if !bindable || says_taken(&plan.output.last_words(STDERR_SHOWN)) {
            return LaunchOutcome::PortLost(port, identity::holder_of(port).await);
        }
    }
    if let Launch::Container(container) = &plan.manifest.launch
        && let Some(report) = containers::engine_failure(plan, container, child, &exit)
    {
        return LaunchOutcome::Failed(LaunchFailure::settled(report.of(&plan.name)));
    }
    let report = exit_report(&plan.name, &exit, &plan.output);
    LaunchOutcome::Failed(LaunchFailure {
        report,
        crashed: true,
        // A process that exits with code 0 has written its whole output, which may list its tools.
        violates_protocol: exit.code == Some(0),
        beside: 0,
        loaded: false,
    })
}

/// Whether the server's output reports that the port was in use. This matters even if the port is
/// free by now: the other process may have ended, such as a copy of Guild Hall that only checked
/// whether the port was free.
fn says_taken(lines: &[LogLine]) -> bool {
    lines.iter().any(|line| {
        let text = line.text.to_lowercase();
        let words = [
            "address already in use",
            "eaddrinuse",
            "port is already allocated",
        ];
        words.iter().any(|word| text.contains(word))
    })
}

enum Readiness {
    Answered(&'static str),
    /// The server did not answer within this time.
    TooLong(Duration),
    Exited(Exit),
    Cancelled,
}

/// Returns the child's exit if it comes within [`EXIT_EXPLAINED`].
async fn exit_soon(child: &Child) -> Option<Exit> {
    tokio::time::timeout(EXIT_EXPLAINED, child.wait_exit())
        .await
        .ok()
}

/// Waits until a start has used up its time, and returns how long that was.
async fn too_long(plan: &LaunchInput, pid: u32, is_runner: bool, limit: Duration) -> Duration {
    let deadline = StartDeadline {
        pid,
        limit,
        is_runner,
        output: plan.output.clone(),
        events: plan.events.clone(),
    };
    deadline.expired().await
}

/// Gathers the login shell's variables and the secrets that the start needs.
pub(super) async fn gather(plan: &LaunchInput) -> Result<ResolvedEnv, LaunchFailure> {
    tokio::select! {
        given = plan.context.values.for_manifest(&plan.manifest) => {
            given.map_err(LaunchFailure::settled)
        }
        () = plan.cancel.cancelled() => Err(cancelled()),
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Report> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        let trouble = StartError::BrokenOffBy(error.to_string());
        Report::from_error(Code::SpawnFailed, &trouble)
    })
}

fn cancelled() -> LaunchFailure {
    LaunchFailure::settled(Report::from_error(
        Code::ShuttingDown,
        &StartError::BrokenOff,
    ))
}
