//! The questions that are asked before a server is installed, and the launch that results from the
//! answers.
//!
//! An installable server describes its launch as a [`LaunchTemplate`] with placeholders for
//! answers, and its questions as [`InstallInputs`]. A JSON Schema represents the inputs, so the
//! window and the command line share one form and one validator. Valid answers ([`InstallAnswers`])
//! replace the placeholders. The result is a [`LaunchSpec`] like that of a scanned server, in which
//! secrets are separate segments.
//!
//! [`LaunchSpec`]: guild_client_config::LaunchSpec

mod containers;
mod inputs;
mod plan;

pub use self::containers::ContainerCandidate;
pub use self::inputs::{InputKind, InstallAnswers, InstallInput, InstallInputValue, InstallInputs};
pub use self::plan::{Argument, LaunchTemplate};

#[cfg(test)]
mod tests;
