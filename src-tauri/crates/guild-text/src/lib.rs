//! Parses JSON, TOML and YAML with positions, edits them without changing other text, and detects
//! secrets.

pub mod messages;
pub mod number;
pub mod spanned;
pub mod telling;
pub mod text_edit;
pub mod tree;
