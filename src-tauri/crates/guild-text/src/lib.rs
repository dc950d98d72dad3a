//! JSON, TOML and YAML texts with their positions: reading, edits that leave other text unchanged,
//! and detection of secrets.

pub mod messages;
pub mod number;
pub mod spanned;
pub mod telling;
pub mod text_edit;
pub mod tree;
