//! Starts the watchdog, and replaces it when it ends.

#[cfg(unix)]
use std::collections::BTreeMap;
use std::path::PathBuf;
#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use tokio::time::{Instant, sleep_until};

use super::container::ContainerHandle;
use super::run::{RunId, RunRoot};
#[cfg(unix)]
use crate::watchdog::{process::WatchdogProcess, protocol::WatchdogLine};

/// First and maximum pause before the next watchdog is started, if the last one failed to start or
/// ended soon.
#[cfg(unix)]
const PAUSE_FIRST: Duration = Duration::from_millis(100);
#[cfg(unix)]
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// If a watchdog has run for this time, its successor starts without a pause.
#[cfg(unix)]
const STEADY: Duration = Duration::from_secs(5);

/// The data about one run that a new watchdog gets.
#[cfg(unix)]
#[derive(Debug, Clone, Default)]
struct WatchdogRun {
    contained: Option<ContainerHandle>,
    head: Option<RunRoot>,
}

/// The watchdog of one running Guild Hall. It is started with the first run, and replaced when it
/// ends.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct WatchdogKeeper {
    program: Option<PathBuf>,
    /// The current runs, for a new watchdog.
    runs: BTreeMap<RunId, WatchdogRun>,
    process: Option<(WatchdogProcess, Instant)>,
    /// The time from which the next watchdog may be started.
    next_at: Option<Instant>,
    pause: Duration,
}

#[cfg(unix)]
impl WatchdogKeeper {
    pub(super) fn of(program: Option<PathBuf>) -> Self {
        Self {
            program,
            runs: BTreeMap::new(),
            process: None,
            next_at: None,
            pause: PAUSE_FIRST,
        }
    }

    pub(super) async fn begin(&mut self, run: RunId) {
        self.runs.insert(run, WatchdogRun::default());
        if self.process.is_some() {
            self.send(WatchdogLine::Begun(run)).await;
        } else if self.next_at.is_none_or(|at| at <= Instant::now()) {
            self.start().await;
        }
    }

    pub(super) async fn leads(&mut self, run: RunId, head: RunRoot) {
        self.runs.entry(run).or_default().head = Some(head);
        self.send(WatchdogLine::Leads(run, head)).await;
    }

    pub(super) async fn contains(&mut self, run: RunId, contained: ContainerHandle) {
        self.runs.entry(run).or_default().contained = Some(contained.clone());
        self.send(WatchdogLine::Contains(run, contained)).await;
    }

    pub(super) async fn ended(&mut self, run: RunId) {
        self.runs.remove(&run);
        self.send(WatchdogLine::Ended(run)).await;
    }

    /// Waits until the watchdog ends, or the next one may be started. Cancel-safe.
    pub(super) async fn ended_or_start_due(&mut self) {
        match (&mut self.process, self.next_at) {
            (Some((process, _)), _) => process.ended().await,
            (None, Some(at)) => sleep_until(at).await,
            (None, None) => std::future::pending().await,
        }
    }

    /// Replaces a watchdog that has ended, or starts the next one if it is due.
    pub(super) async fn renew(&mut self) {
        if self.process.is_some() {
            self.replace("it is gone").await;
        } else {
            self.start().await;
        }
    }

    /// Closes the watchdog's pipe and waits for the watchdog's end. No further watchdog is started.
    pub(super) async fn close(&mut self) {
        self.program = None;
        self.next_at = None;
        if let Some((process, _)) = self.process.take() {
            process.close().await;
        }
    }

    async fn start(&mut self) {
        let Some(program) = self.program.clone() else {
            return;
        };
        self.next_at = None;
        match WatchdogProcess::start(program.clone()).await {
            Ok(process) => {
                self.process = Some((process, Instant::now()));
                for (run, WatchdogRun { contained, head }) in self.runs.clone() {
                    self.send(WatchdogLine::Begun(run)).await;
                    if let Some(contained) = contained {
                        self.send(WatchdogLine::Contains(run, contained)).await;
                    }
                    if let Some(head) = head {
                        self.send(WatchdogLine::Leads(run, head)).await;
                    }
                }
            }
            Err(error) => {
                tracing::warn!(program = %program.display(), %error, "no watchdog could be started");
                self.wait();
            }
        }
    }

    async fn send(&mut self, line: WatchdogLine) {
        let Some((process, _)) = &mut self.process else {
            return;
        };
        if let Err(error) = process.send(line).await {
            self.replace(&error.to_string()).await;
        }
    }

    async fn replace(&mut self, why: &str) {
        let Some((process, since)) = self.process.take() else {
            return;
        };
        tracing::warn!(why, "the watchdog is replaced");
        process.kill().await;
        if since.elapsed() >= STEADY {
            self.pause = PAUSE_FIRST;
            self.next_at = Some(Instant::now());
        } else {
            self.wait();
        }
    }

    fn wait(&mut self) {
        self.next_at = Some(Instant::now() + self.pause);
        self.pause = (self.pause * 2).min(PAUSE_MAX);
    }
}

/// Windows needs no watchdog, because jobs end together with the program.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct WatchdogKeeper;

#[cfg(not(unix))]
impl WatchdogKeeper {
    pub(super) fn of(_program: Option<PathBuf>) -> Self {
        Self
    }

    pub(super) async fn begin(&mut self, _run: RunId) {}

    pub(super) async fn leads(&mut self, _run: RunId, _head: RunRoot) {}

    pub(super) async fn contains(&mut self, _run: RunId, _contained: ContainerHandle) {}

    pub(super) async fn ended(&mut self, _run: RunId) {}

    pub(super) async fn ended_or_start_due(&mut self) {
        std::future::pending().await
    }

    pub(super) async fn renew(&mut self) {}

    pub(super) async fn close(&mut self) {}
}
