//! Checks this machine for problems that prevent members from working, and suggests fixes.
//!
//! Each [`DoctorCheck`] has one subject and a time limit. All checks run in parallel, so that a
//! program that hangs does not delay others. No check changes anything.

mod commands;
mod keychain;
mod machine;
#[cfg(target_os = "linux")]
mod processes;
mod programs;
mod running_hall;
mod shell;
mod sign_ins;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use guild_api::wire::{Check, FactKind, Finding, GatewayState, Secrets, SignInView, Verdict};
use guild_process::environment::ShellVariables;
use guild_process::{PortPool, ProcessRegistry};

use guild_roster::Snapshot;
use guild_settings::paths::Paths;

/// Time limit of a check without a shorter limit.
const CHECK_LIMIT: Duration = Duration::from_secs(10);

/// The data that the checks use. It is collected before they begin.
#[derive(Debug)]
pub(crate) struct DoctorInput {
    pub(crate) paths: Paths,
    /// Whether the hall that runs the checks holds the lock of the data folder.
    pub(crate) keeps_folder: bool,
    pub(crate) environment: Arc<ShellVariables>,
    pub(crate) own_binary: String,
    pub(crate) custody: ProcessRegistry,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) ports: PortPool,
    pub(crate) gateway: GatewayState,
    pub(crate) secrets: Secrets,
    pub(crate) sign_ins: Vec<SignInView>,
}

/// A check, which can return several findings.
pub(crate) type DoctorCheck = BoxFuture<'static, Vec<Finding>>;

/// Returns all checks, in display order.
pub(crate) fn checks(known: &Arc<DoctorInput>) -> Vec<DoctorCheck> {
    let known = || Arc::clone(known);
    let mut checks = vec![within(
        Check::LoginShell,
        shell::SUBJECT,
        shell::run(known()),
    )];
    checks.extend(programs::checks(&known()));
    checks.extend([
        within(Check::Member, "commands", commands::run(known())),
        within(Check::Member, "sign-ins", sign_ins::run(known())),
        within(Check::Keychain, "keychain", keychain::run(known())),
        within(Check::Ports, "members", machine::ports(known())),
        within(Check::Ports, "gateway", machine::gateway(known())),
        within(Check::Folders, "folders", machine::folders(known())),
        within(Check::Folders, "data folder", running_hall::run(known())),
        within(Check::Disk, "room", machine::disk(known())),
    ]);
    #[cfg(target_os = "linux")]
    checks.push(within(
        Check::Processes,
        processes::SUBJECT,
        processes::run(known()),
    ));
    checks
}

/// Ends a check after [`CHECK_LIMIT`], for example because a folder is on a network drive that does
/// not respond.
fn within(
    check: Check,
    subject: &'static str,
    findings: impl Future<Output = Vec<Finding>> + Send + 'static,
) -> DoctorCheck {
    Box::pin(async move {
        let done = tokio::time::timeout(CHECK_LIMIT, findings).await;
        done.unwrap_or_else(|_| {
            let seconds = CHECK_LIMIT.as_secs();
            let found = format!("The check took longer than {seconds} s and was stopped.");
            let slow = Finding::new(check, subject, Verdict::Warning, FactKind::GivenUp, found);
            vec![slow.advised("Check that your disks and network folders respond.")]
        })
    })
}

/// Runs a blocking check on a blocking thread.
async fn blocking(
    check: Check,
    subject: &'static str,
    find: impl FnOnce() -> Vec<Finding> + Send + 'static,
) -> Vec<Finding> {
    let findings = tokio::task::spawn_blocking(find).await;
    findings.unwrap_or_else(|error| {
        let found = broken_off(&error);
        vec![Finding::new(
            check,
            subject,
            Verdict::Warning,
            FactKind::BrokenOff,
            found,
        )]
    })
}

fn broken_off(error: &tokio::task::JoinError) -> String {
    format!("The check failed: {error}.")
}
