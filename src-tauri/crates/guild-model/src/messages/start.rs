//! Advice for a start that fails because another process holds the port.

use thiserror::Error;

/// Advice for a process that holds a port.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HeldAdvice {
    #[error("Set the gateway's port to one outside 20000 to 30000.")]
    MoveGateway,
    #[error("Change that member to listen on ${{PORT}} instead of a fixed port.")]
    TakeItsPort,
    #[error("If no other Guild Hall is running, end that process: `kill {0}`.")]
    EndWhatWasLeft(u32),
    #[error("If you don't need that process, end it (`kill {0}`), then start the member again.")]
    EndIt(u32),
    #[error("Ask that user to end the process, or start the member again.")]
    AskItsUser,
    #[error("Find the app that uses ports between 20000 and 30000, then start the member again.")]
    FindIt,
}
