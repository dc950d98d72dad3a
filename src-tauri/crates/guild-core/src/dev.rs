//! What a server's author has Guild Hall do while they write: which files count, and how a call that
//! serves as a check is judged.
//!
//! What a manifest says of it is read in [`crate::manifest`]; files are watched by the engine.

mod globs;
mod judging;

pub use globs::Sources;
pub(crate) use globs::{GLOB_BYTES_MAX, GLOBS_MAX, check_glob};
pub use judging::judge;
