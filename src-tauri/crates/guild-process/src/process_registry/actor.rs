//! The task that updates the watchdog and the journal.

use tokio::sync::mpsc;

#[cfg(target_os = "linux")]
use super::journal::RunJournalHandle;
use super::watchdog_keeper::WatchdogKeeper;
use super::{ProcessRegistryCommand, ProcessRegistryOptions};
#[cfg(target_os = "linux")]
use crate::run_journal::RunJournal;

/// Executes commands until all senders are dropped or a close command arrives.
pub(super) async fn run(
    options: ProcessRegistryOptions,
    mut orders: mpsc::Receiver<ProcessRegistryCommand>,
) {
    let mut actor = ProcessRegistryActor {
        #[cfg(target_os = "linux")]
        journal: RunJournalHandle::swept(options.journal).await,
        watchdog: WatchdogKeeper::of(options.watchdog),
    };
    loop {
        tokio::select! {
            order = orders.recv() => match order {
                Some(ProcessRegistryCommand::Close(done)) => {
                    actor.close().await;
                    let _ = done.send(());
                    return;
                }
                Some(order) => actor.follow(order).await,
                None => return,
            },
            () = actor.watchdog.ended_or_start_due() => actor.watchdog.renew().await,
        }
    }
}

struct ProcessRegistryActor {
    watchdog: WatchdogKeeper,
    #[cfg(target_os = "linux")]
    journal: RunJournalHandle,
}

impl ProcessRegistryActor {
    async fn follow(&mut self, order: ProcessRegistryCommand) {
        match order {
            ProcessRegistryCommand::Begin { run, member, known } => {
                #[cfg(target_os = "linux")]
                self.journal.begin(run, member).await;
                #[cfg(not(target_os = "linux"))]
                drop(member);
                self.watchdog.begin(run).await;
                // The caller may have stopped waiting.
                let _ = known.send(());
            }
            ProcessRegistryCommand::Contains {
                run,
                contained,
                known,
            } => {
                #[cfg(target_os = "linux")]
                {
                    let handle = contained.clone();
                    self.journal
                        .write(move |journal| journal.contains(run, &handle))
                        .await;
                }
                self.watchdog.contains(run, contained).await;
                let _ = known.send(());
            }
            ProcessRegistryCommand::Leads(run, head) => {
                self.watchdog.leads(run, head).await;
                #[cfg(target_os = "linux")]
                self.journal
                    .write(move |journal| journal.leads(run, head))
                    .await;
            }
            ProcessRegistryCommand::Ended(run) => {
                self.watchdog.ended(run).await;
                #[cfg(target_os = "linux")]
                self.journal.write(move |journal| journal.ended(run)).await;
            }
            // The sweep is finished before the first command is executed.
            ProcessRegistryCommand::Swept(done) => {
                let _ = done.send(());
            }
            ProcessRegistryCommand::Close(_) => {}
        }
    }

    async fn close(&mut self) {
        self.watchdog.close().await;
        #[cfg(target_os = "linux")]
        self.journal.write(RunJournal::close).await;
    }
}
