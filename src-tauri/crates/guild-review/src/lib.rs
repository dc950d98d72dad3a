//! What a person reviews before a launch or a changed tool is accepted.

pub mod messages;
pub mod trust;
