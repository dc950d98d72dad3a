//! A member's status, the permitted changes of the status, and the freshness of the tool list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A member's current state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// There is no process, and none is needed now.
    Stopped,
    /// The process is starting, or its handshake is in progress.
    Starting,
    /// The handshake is done, and the member accepts calls.
    Ready,
    /// The process is being stopped on request.
    Stopping,
    /// The member failed. Its report has the reason.
    Error,
    /// The member failed and is restarted after a pause.
    Backoff,
    /// The member failed too often. The user has to act.
    CrashLoop,
    /// The member is disabled in the manifest.
    Disabled,
    /// The user did not write the member and has not accepted its launch command, so it does not
    /// start.
    Unreviewed,
}

impl Status {
    /// Whether a member's status may change from this status to `next`.
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

    /// Returns the status in lower case with hyphens, for messages and JSON.
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

/// The reason why a start takes long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StartStep {
    /// Other members start first. The process does not run yet, and its time limit has not begun.
    Queued,
    /// A container's image is being pulled. The server has not started, and its time limit has not
    /// begun.
    Pulling,
    /// A package runner (`npx`, `uvx`, `docker run`, …) is working and has not started the server
    /// yet.
    Installing,
    /// The start limit has passed, and the package runner is still working. The start continues
    /// until it is stopped, the package runner makes no more progress, or ten minutes have passed.
    Overtime,
    /// The start limit has passed, and the server is still working, for example on a busy machine.
    /// The start continues for up to four times its limit.
    Late,
}

/// How current a member's tool list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Freshness {
    /// There is no list.
    #[default]
    Unknown,
    /// The list comes from the cache, and belongs to the current configuration.
    Cached,
    /// The list comes from the cache, and belongs to another version or configuration. It is shown
    /// grayed out.
    Outdated,
    /// The list is the last known one, while a new list is being fetched.
    Refreshing,
    /// The list comes from the running server.
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
