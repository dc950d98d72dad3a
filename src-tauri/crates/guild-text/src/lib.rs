//! Parses JSON, TOML and YAML with positions, edits parts of such texts without changing the rest,
//! and detects secrets.

pub mod messages;
pub mod number;
pub mod secret_detection;
pub mod spanned;
pub mod text_edit;
pub mod tree;
