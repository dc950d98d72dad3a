//! Support for server authors: the files that trigger a rebuild, and the check of example calls.
//!
//! [`guild_model::manifest`] parses the settings, and the engine watches the files.

mod judging;

pub use judging::judge;
