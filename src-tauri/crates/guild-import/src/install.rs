//! The questions before a server is installed, and how the answers become part of its launch.
//!
//! An installable server describes its launch as a [`LaunchTemplate`] with places for answers, and its
//! questions as [`InstallInputs`]. A JSON Schema represents the inputs, so the window and the command line
//! share one form and one validator. Valid answers ([`InstallAnswers`]) fill the plan. The result is a
//! [`Run`] like that of a discovered server, with its secrets marked.
//!
//! [`Run`]: guild_client_config::LaunchSpec

mod containers;
mod inputs;
mod plan;

pub use self::containers::Prospect;
pub use self::inputs::{InputKind, InstallAnswers, InstallInput, InstallInputValue, InstallInputs};
pub use self::plan::{Argument, InstallTemplateSegment, LaunchTemplate, TextTemplate};

#[cfg(test)]
mod tests;
