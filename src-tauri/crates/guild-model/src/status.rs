//! A member's status and its tool list's freshness, with the changes that are legal.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A member's current state (product's `Lifecycle`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// No process, and none wanted now.
    Stopped,
    /// The process starts, or its handshake runs.
    Starting,
    /// The handshake is done; calls are taken.
    Ready,
    /// The process is being ended on request.
    Stopping,
    /// It failed; the report says why.
    Error,
    /// It failed and is tried again after a pause.
    Backoff,
    /// It failed too often; someone has to act.
    CrashLoop,
    /// Switched off in the manifest.
    Disabled,
    /// It comes from elsewhere, and its launch command is not accepted: nothing starts it.
    Unreviewed,
}

impl Status {
    /// Whether a member may go from this status to `next`.
    pub fn may_become(self, next: Status) -> bool {
        use Status::{
            Backoff, CrashLoop, Disabled, Error, Ready, Starting, Stopped, Stopping, Unreviewed,
        };
        match (self, next) {
            (from, to) if from == to => true,
            (Stopped | Error | CrashLoop, Starting | Disabled | Unreviewed | Stopped | Error) => {
                true
            }
            (Error, Backoff | CrashLoop) => true,
            (Backoff, Starting | Stopped | Disabled | Unreviewed | Error) => true,
            (Starting, Ready | Error | Stopping) => true,
            (Ready, Stopping | Error) => true,
            (Stopping, Stopped | Error | Disabled | Unreviewed) => true,
            (Disabled, Stopped | Error | Unreviewed) => true,
            (Unreviewed, Stopped | Error | Disabled) => true,
            _ => false,
        }
    }

    /// The status in lower case with hyphens, for texts and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Starting => "starting",
            Self::Ready => "ready",
            Self::Stopping => "stopping",
            Self::Error => "error",
            Self::Backoff => "backoff",
            Self::CrashLoop => "crash-loop",
            Self::Disabled => "disabled",
            Self::Unreviewed => "unreviewed",
        }
    }
}

/// The reason why a start waits, other than its server's own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StartStep {
    /// Other members are started first; its process does not run yet, nor does its time.
    Queued,
    /// A container's image is fetched; its server is not started yet, nor does its time run.
    Pulling,
    /// A package runner (`npx`, `uvx`, `docker run`, …) is at work and has not got to its server.
    Installing,
    /// The start limit has passed, and the package runner is still at work: the start goes on until
    /// someone stops it, nothing moves any more, or ten minutes are over.
    Overtime,
    /// The start limit has passed, and the server is still at work, as on a busy machine: the start
    /// goes on for up to four times its limit.
    Late,
}

/// How far a member's tool list can be trusted to be what the server would say now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Freshness {
    /// No list is known.
    #[default]
    Unknown,
    /// Read from the cache, made by the configuration in force.
    Cached,
    /// Read from the cache, made by another version or configuration: shown greyed.
    Outdated,
    /// The last known list, while a new one is being fetched.
    Refreshing,
    /// Said by the running server.
    Live,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_never_becomes_ready_without_starting() {
        use Status::*;
        for from in [
            Stopped, Stopping, Error, Backoff, CrashLoop, Disabled, Unreviewed,
        ] {
            assert!(!from.may_become(Ready), "{from:?} must not jump to ready");
        }
        assert!(Starting.may_become(Ready));
    }

    #[test]
    fn a_member_that_nobody_has_accepted_never_starts() {
        assert!(!Status::Unreviewed.may_become(Status::Starting));
        assert!(Status::Unreviewed.may_become(Status::Stopped), "accepted");
    }

    #[test]
    fn a_status_is_written_the_same_way_everywhere() {
        use Status::*;
        for status in [
            Stopped, Starting, Ready, Stopping, Error, Backoff, CrashLoop, Disabled, Unreviewed,
        ] {
            assert_eq!(
                serde_json::to_value(status).expect("a string"),
                status.as_str()
            );
        }
    }
}
