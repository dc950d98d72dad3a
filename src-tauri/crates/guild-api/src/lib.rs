//! The contract between Rust and its users: commands, events, and what is shown outside the window.

pub mod event;
pub mod messages;
pub mod presence;
pub mod wire;
