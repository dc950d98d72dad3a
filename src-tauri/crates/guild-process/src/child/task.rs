//! The task that owns a child's processes.

use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::exit::Exit;
use super::stop_sequence::{Deadlines, StopSequence};
use super::tracker::{ProcessTracker, StopSignal};
use super::tree::ChildProcessGroup;
use crate::process_registry::RunLease;
use crate::process_registry::run::Identity;

/// How long the task reads the output after the process has ended. The output usually ends at once,
/// unless another process holds the pipe open.
const DRAIN: Duration = Duration::from_millis(100);
/// Minimum and maximum interval of the checks for processes that outlive their leader. Polling is
/// needed because the end of a grandchild causes no event. On systems other than Linux, an ended
/// process counts as existing until init has reaped it. Some init programs do that late or never.
const LOOK_FIRST: Duration = Duration::from_millis(2);
const LOOK_MAX: Duration = Duration::from_millis(50);
/// Number of consecutive checks that must find no process, because a process may fork and end
/// during a check.
const LOOKS: u32 = 2;
/// Timeout of the search for processes outside the group. SIGTERM is sent to the group only after
/// this search.
const FIRST_LOOK: Duration = Duration::from_millis(250);

/// The step of a stop that was executed last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StopStage {
    None,
    Terminated,
    Killed,
    GivenUp,
}

pub(super) struct ChildTask {
    tree: ChildProcessGroup,
    tracker: ProcessTracker,
    orders: Orders,
    plan: Option<Deadlines>,
    step: StopStage,
    readers: JoinSet<()>,
    exit: watch::Sender<Option<Exit>>,
    gone: watch::Sender<bool>,
}

impl ChildTask {
    pub(super) fn new(
        tree: ChildProcessGroup,
        lease: RunLease,
        leader: Identity,
        orders: watch::Receiver<Option<Deadlines>>,
        readers: JoinSet<()>,
        exit: watch::Sender<Option<Exit>>,
        gone: watch::Sender<bool>,
    ) -> Self {
        Self {
            tree,
            tracker: ProcessTracker::new(lease, leader),
            orders: Orders {
                receiver: orders,
                asked: false,
                dropped: false,
            },
            plan: None,
            step: StopStage::None,
            readers,
            exit,
            gone,
        }
    }

    pub(super) async fn run(mut self) {
        self.tracker.begin().await;
        let exit = self.until_the_leader_ends().await;
        // From now on, the processes that the leader left are stopped step by step too.
        self.hasten(StopSequence::DROPPED.from(Instant::now()));
        self.step_if_due();
        self.drain().await;
        self.exit.send_replace(Some(exit));
        let all_gone = self.until_all_are_gone().await;
        // The task gives up on processes that can't be killed. They may hold the output open
        // forever, so the readers are dropped.
        self.drain().await;
        // If the child is a container engine's client, its container is removed through the engine.
        let cleared = self.tracker.clear().await;
        if all_gone && cleared {
            self.tracker.end().await;
        }
        self.gone.send_replace(true);
    }

    async fn until_the_leader_ends(&mut self) -> Exit {
        while self.step != StopStage::GivenUp {
            let next_step = self.next_step();
            tokio::select! {
                ended = self.tree.leader_ends() => {
                    let asked = self.orders.look();
                    return match ended {
                        Ok(status) => Exit::of(status, asked),
                        Err(error) => {
                            tracing::warn!(pid = self.tree.pid(), %error, "an exit was not seen");
                            Exit { asked, ..Exit::UNSEEN }
                        }
                    };
                }
                wanted = self.orders.next() => self.hasten(wanted),
                () = due(next_step) => {
                    if self.step == StopStage::None {
                        // The search must come before the leader's end, because its descendants
                        // can't be recognized afterwards.
                        let look = self.tracker.follow(StopSignal::Terminate);
                        let _ = timeout(FIRST_LOOK, look).await;
                    }
                    self.step_if_due();
                }
            }
        }
        Exit::UNSEEN
    }

    /// Ends the processes that the leader left. Returns whether all of them are gone.
    async fn until_all_are_gone(&mut self) -> bool {
        let mut look = LOOK_FIRST;
        let mut quiet = 0;
        while self.step != StopStage::GivenUp {
            let signal = match self.step {
                StopStage::None | StopStage::Terminated => StopSignal::Terminate,
                StopStage::Killed | StopStage::GivenUp => StopSignal::Kill,
            };
            let scan = self.tracker.follow(signal).await;
            if (scan.group_is_over || self.tree.is_empty()) && scan.living == 0 {
                quiet += 1;
                if quiet == LOOKS {
                    return true;
                }
                continue;
            }
            quiet = 0;
            let next_step = self.next_step();
            tokio::select! {
                () = sleep(look) => look = (look * 2).min(LOOK_MAX),
                wanted = self.orders.next() => self.hasten(wanted),
                () = due(next_step) => self.step_if_due(),
            }
        }
        tracing::warn!(
            pid = self.tree.pid(),
            "processes are still there after SIGKILL"
        );
        false
    }

    fn hasten(&mut self, wanted: Deadlines) {
        self.plan = Some(self.plan.map_or(wanted, |known| known.sooner(wanted)));
    }

    fn next_step(&self) -> Option<Instant> {
        let plan = self.plan?;
        match self.step {
            StopStage::None => Some(plan.term),
            StopStage::Terminated => Some(plan.kill),
            StopStage::Killed => Some(plan.give_up),
            StopStage::GivenUp => None,
        }
    }

    fn step_if_due(&mut self) {
        if self.next_step().is_none_or(|due| due > Instant::now()) {
            return;
        }
        self.step = match self.step {
            StopStage::None => {
                self.tree.terminate();
                StopStage::Terminated
            }
            StopStage::Terminated => {
                self.tree.kill();
                StopStage::Killed
            }
            StopStage::Killed | StopStage::GivenUp => StopStage::GivenUp,
        };
    }

    /// Waits briefly for the readers, so that the last output of a process is stored.
    async fn drain(&mut self) {
        let readers = &mut self.readers;
        let all = async { while readers.join_next().await.is_some() {} };
        // If the limit is reached, another process holds the pipe open. The report of the exit must
        // not wait for that process.
        let _ = timeout(DRAIN, all).await;
    }
}

/// The stop requests from the child's handle. When the handle is dropped, this counts as a request
/// with [`StopSequence::DROPPED`].
struct Orders {
    receiver: watch::Receiver<Option<Deadlines>>,
    asked: bool,
    dropped: bool,
}

impl Orders {
    /// Returns the next stop request. Cancel-safe.
    async fn next(&mut self) -> Deadlines {
        while !self.dropped {
            if self.receiver.changed().await.is_err() {
                self.dropped = true;
                self.asked = true;
                return StopSequence::DROPPED.from(Instant::now());
            }
            if let Some(wanted) = *self.receiver.borrow_and_update() {
                self.asked = true;
                return wanted;
            }
        }
        std::future::pending().await
    }

    /// Whether a stop was requested so far.
    fn look(&mut self) -> bool {
        self.asked || self.receiver.borrow().is_some() || self.receiver.has_changed().is_err()
    }
}

async fn due(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
