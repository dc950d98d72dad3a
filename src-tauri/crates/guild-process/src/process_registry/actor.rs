//! The task that keeps the guardian and the journal up to date.

use tokio::sync::mpsc;

#[cfg(target_os = "linux")]
use super::journal::RunJournalHandle;
use super::watchdog_keeper::Guard;
use super::{ProcessRegistryCommand, ProcessRegistryOptions};
#[cfg(target_os = "linux")]
use crate::run_journal::RunJournal;

/// Processes orders until all senders are gone or a close order arrives.
pub(super) async fn run(
    options: ProcessRegistryOptions,
    mut orders: mpsc::Receiver<ProcessRegistryCommand>,
) {
    let mut actor = ProcessRegistryActor {
        #[cfg(target_os = "linux")]
        journal: RunJournalHandle::swept(options.journal).await,
        guard: Guard::of(options.guardian),
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
            () = actor.guard.falls_or_may_rise() => actor.guard.renew().await,
        }
    }
}

struct ProcessRegistryActor {
    guard: Guard,
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
                self.guard.begin(run).await;
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
                    let told = contained.clone();
                    self.journal
                        .write(move |journal| journal.contains(run, &told))
                        .await;
                }
                self.guard.contains(run, contained).await;
                let _ = known.send(());
            }
            ProcessRegistryCommand::Leads(run, head) => {
                self.guard.leads(run, head).await;
                #[cfg(target_os = "linux")]
                self.journal
                    .write(move |journal| journal.leads(run, head))
                    .await;
            }
            ProcessRegistryCommand::Ended(run) => {
                self.guard.ended(run).await;
                #[cfg(target_os = "linux")]
                self.journal.write(move |journal| journal.ended(run)).await;
            }
            // The sweep precedes the first order.
            ProcessRegistryCommand::Swept(done) => {
                let _ = done.send(());
            }
            ProcessRegistryCommand::Close(_) => {}
        }
    }

    async fn close(&mut self) {
        self.guard.close().await;
        #[cfg(target_os = "linux")]
        self.journal.write(RunJournal::close).await;
    }
}
