//! Prepares the parts of a launch or a changed tool that a person reviews before accepting them.

pub mod messages;
pub mod trust;
