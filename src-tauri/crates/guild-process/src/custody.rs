//! In whose hands the members' processes are, so that each comes to its end.
//!
//! Before a process starts, its [`Charge`] is known on the disk ([`ledger`](crate::ledger)) and to
//! the guardian ([`guardian`](crate::guardian)); after the last process that it led to is gone, both
//! forget it. In between, whatever ends this program, one of them ends the processes. A guardian
//! that falls is replaced and told everything anew.
//!
//! A charge that is dropped before its end was seen stays known, unless nothing was started in it:
//! forgetting is a claim that has to be made.

#[cfg(target_os = "linux")]
pub(crate) mod census;
pub(crate) mod contained;
mod guard;
mod keeper;
#[cfg(target_os = "linux")]
mod records;
pub(crate) mod run;

use std::path::PathBuf;
use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::sync::{Mutex, MutexGuard, PoisonError};

use guild_core::container::Engine;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

pub use contained::Contained;
use run::{Head, Run};

use crate::lineage::Lineage;
#[cfg(target_os = "linux")]
use crate::lineage::{KnownRuns, Marks};
#[cfg(target_os = "linux")]
use crate::{mark, processes};

/// How many changes may wait for the guardian and the disk.
const ORDERS_MAX: usize = 1024;

/// Who is to be told of processes.
#[derive(Debug, Clone, Default)]
pub struct CustodyOptions {
    /// The program that is started as the guardian: one that calls
    /// [`guardian_from_args`](crate::guardian_from_args). Without it nobody ends the processes when
    /// this program is killed.
    pub guardian: Option<PathBuf>,
    /// The folder in which runs are written down. Without it, nothing is swept at the next start.
    pub ledger: Option<PathBuf>,
}

/// The custody of all processes of one hall. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Custody {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    orders: mpsc::Sender<Order>,
    #[cfg(target_os = "linux")]
    census: Arc<census::Census>,
    /// The runs that are not over.
    #[cfg(target_os = "linux")]
    runs: Mutex<KnownRuns>,
    /// The run of another hall's member that this program itself belongs to.
    #[cfg(target_os = "linux")]
    own_run: Option<Run>,
}

#[cfg(target_os = "linux")]
impl Inner {
    fn runs(&self) -> MutexGuard<'_, KnownRuns> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A change that the guardian and the disk have to know.
enum Order {
    Begin {
        run: Run,
        member: String,
        known: oneshot::Sender<()>,
    },
    /// The run leads to a container.
    Contains {
        run: Run,
        contained: Contained,
        known: oneshot::Sender<()>,
    },
    Leads(Run, Head),
    Ended(Run),
    /// Says when what an earlier program left has been ended.
    Swept(oneshot::Sender<()>),
    Close(oneshot::Sender<()>),
}

impl Custody {
    /// Takes up custody, and begins to end what an earlier program left in the same ledger. Answers
    /// at once; must be called within a tokio runtime.
    pub fn open(options: CustodyOptions) -> Self {
        let (orders, ordered) = mpsc::channel(ORDERS_MAX);
        tokio::spawn(keeper::keep(options, ordered));
        Self {
            inner: Arc::new(Inner {
                orders,
                #[cfg(target_os = "linux")]
                census: Arc::default(),
                #[cfg(target_os = "linux")]
                runs: Mutex::default(),
                // While a start marks this program, the mark is not its own.
                #[cfg(target_os = "linux")]
                own_run: mark::unmarked(|| processes::run_of(std::process::id(), &mut Vec::new())),
            }),
        }
    }

    /// To which member's process tree the process with this number belongs. Blocking, for about a
    /// millisecond. Where the system does not show processes' ancestors, all count as outside.
    #[cfg(target_os = "linux")]
    pub fn lineage_of(&self, pid: u32) -> Lineage {
        let marks = Marks::AllBut(self.inner.own_run);
        let root = Some(std::process::id());
        let runs = self.inner.runs().clone();
        runs.lineage_of(pid, root, marks)
    }

    /// To which member's process tree the process with this number belongs. Where the system does not
    /// show processes' ancestors, all count as outside.
    #[cfg(not(target_os = "linux"))]
    pub fn lineage_of(&self, _pid: u32) -> Lineage {
        Lineage::Outside
    }

    /// Takes charge of a process that is about to be started. Waits until what an earlier program
    /// left is ended and the guardian stands; for the first charge of all that takes milliseconds.
    pub async fn take(&self, member: &str) -> Charge {
        let run = Run::new();
        // Made first: whoever gives up waiting drops it.
        let charge = Charge {
            run,
            custody: Arc::clone(&self.inner),
            is_used: false,
            contained: None,
        };
        #[cfg(target_os = "linux")]
        self.inner.runs().begin(run, member);
        let (known, told) = oneshot::channel();
        let order = Order::Begin {
            run,
            member: member.to_owned(),
            known,
        };
        // An error means that custody is over, as at the end of the program.
        if self.inner.orders.send(order).await.is_ok() {
            let _ = told.await;
        }
        charge
    }

    /// Waits until what an earlier program left is ended, and the ports that it had are free.
    pub async fn swept(&self) {
        let (done, swept) = oneshot::channel();
        if self.inner.orders.send(Order::Swept(done)).await.is_ok() {
            let _ = swept.await;
        }
    }

    /// Lets the guardian go, which ends what may still be left, and waits for that until `until`.
    pub async fn close(&self, until: Instant) {
        let (done, closed) = oneshot::channel();
        let closing = async {
            if self.inner.orders.send(Order::Close(done)).await.is_ok() {
                let _ = closed.await;
            }
        };
        if timeout_at(until, closing).await.is_err() {
            tracing::warn!("the guardian is still at work");
        }
    }
}

/// One start of one member, from before its first process until after its last.
#[derive(Debug)]
pub struct Charge {
    run: Run,
    custody: Arc<Inner>,
    /// Whether a process may have been started in it.
    is_used: bool,
    /// What an engine runs for it.
    contained: Option<Contained>,
}

impl Charge {
    pub(crate) fn run(&self) -> Run {
        self.run
    }

    /// The name of the start, which no other has.
    pub fn name(&self) -> String {
        self.run.to_string()
    }

    /// Tells of a container that its process is about to ask an engine for. It is put away once no
    /// process is left, whatever ends this program.
    pub async fn contains(&mut self, contained: Contained) {
        self.contained = Some(contained.clone());
        let (known, told) = oneshot::channel();
        let order = Order::Contains {
            run: self.run,
            contained,
            known,
        };
        // An error means that custody is over, as at the end of the program.
        if self.custody.orders.send(order).await.is_ok() {
            let _ = told.await;
        }
    }

    /// The engine that its process asks for a container, if it asks for one.
    pub(crate) fn engine(&self) -> Option<Engine> {
        self.contained.as_ref().map(Contained::engine)
    }

    /// Puts its container away, if it led to one, and says whether nothing is left of it.
    pub(crate) async fn clear(&self) -> bool {
        match &self.contained {
            Some(contained) => contained.remove().await,
            None => true,
        }
    }

    /// A process is about to be started in it.
    pub(crate) fn begin(&mut self) {
        self.is_used = true;
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn census(&self) -> &Arc<census::Census> {
        &self.custody.census
    }

    /// Tells which process is the first.
    pub(crate) async fn leads(&self, head: Head) {
        #[cfg(target_os = "linux")]
        match head {
            Head::Family(leader) => self.custody.runs().leads(self.run, leader),
            // The session of a program that the hall asks something is not a member's.
            Head::Session(_) => self.custody.runs().ended(self.run),
        }
        let _ = self.custody.orders.send(Order::Leads(self.run, head)).await;
    }

    /// Tells that no process is left.
    pub(crate) async fn ended(self) {
        #[cfg(target_os = "linux")]
        self.custody.runs().ended(self.run);
        let _ = self.custody.orders.send(Order::Ended(self.run)).await;
    }

    /// Tells, from where nothing may wait, that there is no process.
    pub(crate) fn has_none(mut self) {
        self.is_used = false;
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if !self.is_used {
            #[cfg(target_os = "linux")]
            self.custody.runs().ended(self.run);
            // With no room it stays known, and is found to have no processes.
            let _ = self.custody.orders.try_send(Order::Ended(self.run));
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;

    /// The runs that are written down.
    fn known(running: &Path) -> usize {
        let halls = std::fs::read_dir(running).into_iter().flatten().flatten();
        let files = halls.flat_map(|hall| std::fs::read_dir(hall.path()).into_iter().flatten());
        let names = files.flatten().map(|file| file.file_name());
        names.filter(|name| name != "lock").count()
    }

    #[tokio::test]
    async fn a_start_that_is_given_up_before_its_process_leaves_nothing_known() {
        let running = tempfile::tempdir().expect("a folder");
        let custody = Custody::open(CustodyOptions {
            guardian: None,
            ledger: Some(running.path().to_owned()),
        });
        let mut begun = custody.take("begun").await;
        begun.begin();
        drop(begun);
        for _ in 0..20 {
            drop(custody.take("given up").await);
            // Dropped while it waits, too.
            let _ = tokio::time::timeout(Duration::ZERO, custody.take("given up")).await;
        }
        // Orders are followed one after the other.
        custody.swept().await;
        assert_eq!(known(running.path()), 1, "what may have processes stays");
    }
}
