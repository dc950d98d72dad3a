//! What a person is asked before a server is installed, and how the answers become part of what it
//! runs.
//!
//! Whatever can be installed says what it would run as a [`Plan`], with places in it for what is
//! given, and what it asks for as [`Inputs`]. These are told as a JSON Schema, so that one form
//! draws them and one validator checks them, in the window and at the command line alike. Answers
//! that passed ([`Given`]) are put into the plan; what comes of it is a [`Run`] like that of a
//! server which was found, its secrets set apart.
//!
//! [`Run`]: crate::client_config::Run

mod containers;
mod inputs;
mod plan;

pub use self::containers::Prospect;
pub use self::inputs::{Answer, Given, Input, InputKind, Inputs};
pub use self::plan::{Argument, Part, Plan, Template};

#[cfg(test)]
mod tests;
