//! The questions before a server is installed, and how the answers become part of its launch.
//!
//! An installable server describes its launch as a [`Plan`] with places for answers, and its
//! questions as [`Inputs`]. A JSON Schema represents the inputs, so the window and the command line
//! share one form and one validator. Valid answers ([`Given`]) fill the plan. The result is a
//! [`Run`] like that of a discovered server, with its secrets marked.
//!
//! [`Run`]: guild_client_config::Run

mod containers;
mod inputs;
mod plan;

pub use self::containers::Prospect;
pub use self::inputs::{Answer, Given, Input, InputKind, Inputs};
pub use self::plan::{Argument, Part, Plan, Template};

#[cfg(test)]
mod tests;
