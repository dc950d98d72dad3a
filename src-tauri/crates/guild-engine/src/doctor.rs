//! Looking at this machine: whatever keeps members from working, and what to do about it.
//!
//! Each [`Look`] is about one thing and bounded in time; all are done side by side, so that a
//! program that hangs holds up nothing else. Nothing is changed by looking.

mod commands;
mod machine;
#[cfg(target_os = "linux")]
mod processes;
mod programs;
mod safekeeping;
mod shell;
mod signing;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use guild_core::MemberName;
use guild_core::wire::{Check, Finding, GatewayState, Secrets, SignInView, Verdict};
use guild_process::environment::ShellVariables;
use guild_process::{Custody, PortBook};

use crate::index::Snapshot;
use crate::paths::Paths;

/// How long one look may take that has no shorter limit of its own.
const LOOK_LIMIT: Duration = Duration::from_secs(10);
/// The most lines of more that a finding has.
const DETAILS_MAX: usize = 40;

/// What is known before anything is looked at.
#[derive(Debug)]
pub(crate) struct Knowledge {
    pub(crate) paths: Paths,
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
pub(crate) type Look = BoxFuture<'static, Vec<Finding>>;

/// All looks, in the order in which they are shown.
pub(crate) fn looks(known: &Arc<Knowledge>) -> Vec<Look> {
    let mut looks = vec![within(
        Check::LoginShell,
        "the login shell",
        shell::look(Arc::clone(known)),
    )];
    looks.extend(programs::looks(known));
    looks.extend([
        within(
            Check::Member,
            "the members' commands",
            commands::look(Arc::clone(known)),
        ),
        within(
            Check::Member,
            "who is signed in",
            signing::look(Arc::clone(known)),
        ),
        within(
            Check::Keychain,
            "the secrets",
            safekeeping::look(Arc::clone(known)),
        ),
        within(
            Check::Ports,
            "the members' ports",
            machine::ports(Arc::clone(known)),
        ),
        within(
            Check::Ports,
            "the gateway's port",
            machine::gateway(Arc::clone(known)),
        ),
        within(
            Check::Folders,
            "the folders",
            machine::folders(Arc::clone(known)),
        ),
        within(Check::Disk, "the disk", machine::disk(Arc::clone(known))),
    ]);
    #[cfg(target_os = "linux")]
    looks.push(within(
        Check::Processes,
        "processes of earlier runs",
        processes::look(Arc::clone(known)),
    ));
    looks
}

/// A look that is given up after a while: the folder may be on a network that is gone.
fn within(
    check: Check,
    what: &'static str,
    look: impl Future<Output = Vec<Finding>> + Send + 'static,
) -> Look {
    Box::pin(async move {
        let done = tokio::time::timeout(LOOK_LIMIT, look).await;
        done.unwrap_or_else(|_| {
            let limit = LOOK_LIMIT.as_secs();
            let found = format!("Looking took longer than {limit} s, and was given up.");
            let slow = finding(check, what, Verdict::Warning, found);
            vec![slow.advised("Look whether a disk or a network folder does not answer.")]
        })
    })
}

/// Runs a look that blocks.
async fn blocking(
    check: Check,
    subject: &'static str,
    look: impl FnOnce() -> Vec<Finding> + Send + 'static,
) -> Vec<Finding> {
    let looked = tokio::task::spawn_blocking(look).await;
    looked.unwrap_or_else(|error| {
        vec![finding(
            check,
            subject,
            Verdict::Warning,
            format!("The look was broken off: {error}."),
        )]
    })
}

/// What a finding may have beside what was found.
trait More {
    /// What to do about it.
    fn advised(self, advice: impl Into<String>) -> Self;
    /// More lines, of which the first are kept.
    fn with(self, details: impl IntoIterator<Item = String>) -> Self;
    /// The member that it is about.
    fn about(self, member: &MemberName) -> Self;
}

impl More for Finding {
    fn advised(mut self, advice: impl Into<String>) -> Self {
        self.advice = advice.into();
        self
    }

    fn with(mut self, details: impl IntoIterator<Item = String>) -> Self {
        let mut details = details.into_iter();
        self.details.extend(details.by_ref().take(DETAILS_MAX));
        let more = details.count();
        if more > 0 {
            self.details.push(format!("and {more} more"));
        }
        self
    }

    fn about(mut self, member: &MemberName) -> Self {
        self.member = Some(member.clone());
        self
    }
}

/// A finding without advice.
fn finding(
    check: Check,
    subject: impl Into<String>,
    verdict: Verdict,
    found: impl Into<String>,
) -> Finding {
    Finding {
        check,
        subject: subject.into(),
        verdict,
        found: found.into(),
        details: vec![],
        advice: String::new(),
        member: None,
    }
}
