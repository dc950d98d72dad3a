//! Prepares the reviews of launch commands and of changed tools, which a person accepts or not.

pub mod messages;
pub mod trust;
