//! Examines this machine: problems that keep members from working, with fixes.
//!
//! Each [`Look`] has one subject and is bounded in time. All run in parallel, so that a program
//! that hangs does not delay others. The examination changes nothing.

mod commands;
mod machine;
#[cfg(target_os = "linux")]
mod processes;
mod programs;
mod running;
mod safekeeping;
mod shell;
mod signing;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use guild_core::doctor::{Advice, Fact, Observation, Subject};
use guild_core::wire::{Check, GatewayState, Secrets, SignInView, Verdict};
use guild_process::environment::ShellVariables;
use guild_process::{Custody, PortBook};

use crate::index::Snapshot;
use crate::paths::Paths;

/// Time limit of a check without a shorter one.
const LOOK_LIMIT: Duration = Duration::from_secs(10);

/// State that is known before the checks.
#[derive(Debug)]
pub(crate) struct Knowledge {
    pub(crate) paths: Paths,
    /// Whether the hall that examines keeps the data folder.
    pub(crate) keeps_folder: bool,
    pub(crate) environment: Arc<ShellVariables>,
    pub(crate) own_binary: String,
    pub(crate) custody: Custody,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) ports: PortBook,
    pub(crate) gateway: GatewayState,
    pub(crate) secrets: Secrets,
    pub(crate) sign_ins: Vec<SignInView>,
}

/// One look; it may find several things.
pub(crate) type Look = BoxFuture<'static, Vec<Observation>>;

/// All looks, in the order in which they are shown.
pub(crate) fn looks(known: &Arc<Knowledge>) -> Vec<Look> {
    let mut looks = vec![within(
        Check::LoginShell,
        Subject::LoginShell,
        shell::look(Arc::clone(known)),
    )];
    looks.extend(programs::looks(known));
    looks.extend([
        within(
            Check::Member,
            Subject::Commands,
            commands::look(Arc::clone(known)),
        ),
        within(
            Check::Member,
            Subject::SignIns,
            signing::look(Arc::clone(known)),
        ),
        within(
            Check::Keychain,
            Subject::Keychain,
            safekeeping::look(Arc::clone(known)),
        ),
        within(
            Check::Ports,
            Subject::MembersPorts,
            machine::ports(Arc::clone(known)),
        ),
        within(
            Check::Ports,
            Subject::Gateway,
            machine::gateway(Arc::clone(known)),
        ),
        within(
            Check::Folders,
            Subject::Folders,
            machine::folders(Arc::clone(known)),
        ),
        within(
            Check::Folders,
            Subject::DataFolder,
            running::look(Arc::clone(known)),
        ),
        within(Check::Disk, Subject::Room, machine::disk(Arc::clone(known))),
    ]);
    #[cfg(target_os = "linux")]
    looks.push(within(
        Check::Processes,
        Subject::EarlierRuns,
        processes::look(Arc::clone(known)),
    ));
    looks
}

/// A look that is given up after a while: the folder may be on a network that is gone.
fn within(
    check: Check,
    subject: Subject,
    look: impl Future<Output = Vec<Observation>> + Send + 'static,
) -> Look {
    Box::pin(async move {
        let done = tokio::time::timeout(LOOK_LIMIT, look).await;
        done.unwrap_or_else(|_| {
            let seconds = LOOK_LIMIT.as_secs();
            let slow = Fact::GivenUp { seconds };
            let slow = Observation::new(check, subject, Verdict::Warning, slow);
            vec![slow.advised(Advice::LookAtDisks)]
        })
    })
}

/// Runs a look that blocks.
async fn blocking(
    check: Check,
    subject: Subject,
    look: impl FnOnce() -> Vec<Observation> + Send + 'static,
) -> Vec<Observation> {
    let looked = tokio::task::spawn_blocking(look).await;
    looked.unwrap_or_else(|error| {
        let error = error.to_string();
        let broken = Fact::BrokenOff { error };
        vec![Observation::new(check, subject, Verdict::Warning, broken)]
    })
}
