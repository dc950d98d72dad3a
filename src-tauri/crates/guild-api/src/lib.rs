//! The contract between Rust and its users: commands, events, and what is shown outside the window.

pub mod event;
pub mod presence;
pub mod wire;
