//! Checks example calls for server authors.
//!
//! [`guild_model::manifest`] parses the examples.

mod judging;

pub use judging::judge;
