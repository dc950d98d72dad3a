//! The exit of a child.

use std::fmt;
use std::process::ExitStatus;

/// The exit of a child's leader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// The exit code. `None` if a signal ended the leader, or the exit was not observed.
    pub code: Option<i32>,
    /// The signal that ended the leader (Unix).
    pub signal: Option<i32>,
    /// Whether Guild Hall had requested the exit. Any other exit is a crash, regardless of the code
    /// (REQ-MCP-HTTP-16).
    pub asked: bool,
}

impl Exit {
    /// The exit was not observed, because the runtime was shut down.
    pub(super) const UNSEEN: Self = Self {
        code: None,
        signal: None,
        asked: true,
    };

    pub(super) fn of(status: ExitStatus, asked: bool) -> Self {
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        #[cfg(not(unix))]
        let signal = None;
        Self {
            code: status.code(),
            signal,
            asked,
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(signal)) => match meaning(signal) {
                Some(meaning) => write!(f, "signal {signal} ({meaning})"),
                None => write!(f, "signal {signal}"),
            },
            (None, None) => f.write_str("an unknown exit status"),
        }
    }
}

/// Returns the meaning of a signal, if its number is the same on all systems.
fn meaning(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "hangup",
        2 => "interrupted",
        3 => "quit",
        4 => "illegal instruction",
        6 => "aborted",
        8 => "arithmetic error",
        9 => "killed",
        11 => "segmentation fault",
        13 => "broken pipe",
        14 => "alarm",
        15 => "terminated",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_in_words() {
        let exit = |code, signal| Exit {
            code,
            signal,
            asked: false,
        };
        assert_eq!(exit(Some(1), None).to_string(), "exit code 1");
        assert_eq!(exit(None, Some(9)).to_string(), "signal 9 (killed)");
        assert_eq!(exit(None, Some(64)).to_string(), "signal 64");
        assert_eq!(exit(None, None).to_string(), "an unknown exit status");
    }
}
