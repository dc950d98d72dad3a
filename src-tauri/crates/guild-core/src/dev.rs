//! Support for server authors: the files that trigger a rebuild, and the check of example calls.
//!
//! [`crate::manifest`] parses the settings, and the engine watches the files.

mod globs;
mod judging;

pub use globs::Sources;
pub(crate) use globs::{GLOB_BYTES_MAX, GLOBS_MAX, check_glob};
pub use judging::judge;
