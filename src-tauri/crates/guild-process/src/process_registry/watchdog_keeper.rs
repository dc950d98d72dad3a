//! Starts the guardian and replaces it when it ends.

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
use crate::guardian::{line::WatchdogLine, post::WatchdogProcess};

/// First and maximum pause before the next guardian, if the last one failed to start or ended soon.
#[cfg(unix)]
const PAUSE_FIRST: Duration = Duration::from_millis(100);
#[cfg(unix)]
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// How long a guardian must run for its successor to start without a pause.
#[cfg(unix)]
const STEADY: Duration = Duration::from_secs(5);

/// The data of one run that a guardian gets.
#[cfg(unix)]
#[derive(Debug, Clone, Default)]
struct WatchdogRun {
    contained: Option<ContainerHandle>,
    head: Option<RunRoot>,
}

/// The guardian of one hall. It starts with the first run and is replaced when it ends.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct Guard {
    program: Option<PathBuf>,
    /// The data for the next guardian.
    runs: BTreeMap<RunId, WatchdogRun>,
    post: Option<(WatchdogProcess, Instant)>,
    /// When the next guardian may start.
    next_at: Option<Instant>,
    pause: Duration,
}

#[cfg(unix)]
impl Guard {
    pub(super) fn of(program: Option<PathBuf>) -> Self {
        Self {
            program,
            runs: BTreeMap::new(),
            post: None,
            next_at: None,
            pause: PAUSE_FIRST,
        }
    }

    pub(super) async fn begin(&mut self, run: RunId) {
        self.runs.insert(run, WatchdogRun::default());
        if self.post.is_some() {
            self.tell(WatchdogLine::Begun(run)).await;
        } else if self.next_at.is_none_or(|at| at <= Instant::now()) {
            self.raise().await;
        }
    }

    pub(super) async fn leads(&mut self, run: RunId, head: RunRoot) {
        self.runs.entry(run).or_default().head = Some(head);
        self.tell(WatchdogLine::Leads(run, head)).await;
    }

    pub(super) async fn contains(&mut self, run: RunId, contained: ContainerHandle) {
        self.runs.entry(run).or_default().contained = Some(contained.clone());
        self.tell(WatchdogLine::Contains(run, contained)).await;
    }

    pub(super) async fn ended(&mut self, run: RunId) {
        self.runs.remove(&run);
        self.tell(WatchdogLine::Ended(run)).await;
    }

    /// Waits until the guardian ends, or the next one may start. Cancel-safe.
    pub(super) async fn falls_or_may_rise(&mut self) {
        match (&mut self.post, self.next_at) {
            (Some((post, _)), _) => post.falls().await,
            (None, Some(at)) => sleep_until(at).await,
            (None, None) => std::future::pending().await,
        }
    }

    /// Replaces the guardian or starts the next one.
    pub(super) async fn renew(&mut self) {
        if self.post.is_some() {
            self.fell("it is gone").await;
        } else {
            self.raise().await;
        }
    }

    /// Dismisses the guardian and waits for its end.
    pub(super) async fn close(&mut self) {
        self.program = None;
        self.next_at = None;
        if let Some((post, _)) = self.post.take() {
            post.dismiss().await;
        }
    }

    async fn raise(&mut self) {
        let Some(program) = self.program.clone() else {
            return;
        };
        self.next_at = None;
        match WatchdogProcess::raise(program.clone()).await {
            Ok(post) => {
                self.post = Some((post, Instant::now()));
                for (run, WatchdogRun { contained, head }) in self.runs.clone() {
                    self.tell(WatchdogLine::Begun(run)).await;
                    if let Some(contained) = contained {
                        self.tell(WatchdogLine::Contains(run, contained)).await;
                    }
                    if let Some(head) = head {
                        self.tell(WatchdogLine::Leads(run, head)).await;
                    }
                }
            }
            Err(error) => {
                tracing::warn!(program = %program.display(), %error, "no guardian could be started");
                self.wait();
            }
        }
    }

    async fn tell(&mut self, line: WatchdogLine) {
        let Some((post, _)) = &mut self.post else {
            return;
        };
        if let Err(error) = post.tell(line).await {
            self.fell(&error.to_string()).await;
        }
    }

    async fn fell(&mut self, why: &str) {
        let Some((post, since)) = self.post.take() else {
            return;
        };
        tracing::warn!(why, "the guardian is replaced");
        post.relieve().await;
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

/// Windows needs no guardian, since jobs end with the program.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Guard;

#[cfg(not(unix))]
impl Guard {
    pub(super) fn of(_program: Option<PathBuf>) -> Self {
        Self
    }

    pub(super) async fn begin(&mut self, _run: RunId) {}

    pub(super) async fn leads(&mut self, _run: RunId, _head: RunRoot) {}

    pub(super) async fn contains(&mut self, _run: RunId, _contained: ContainerHandle) {}

    pub(super) async fn ended(&mut self, _run: RunId) {}

    pub(super) async fn falls_or_may_rise(&mut self) {
        std::future::pending().await
    }

    pub(super) async fn renew(&mut self) {}

    pub(super) async fn close(&mut self) {}
}
