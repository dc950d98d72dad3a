//! Reads and edits other programs' configuration files: the gateway's entry and the servers that
//! they list.
//!
//! This crate only works on texts. Other crates read and write the files. An edit writes the
//! gateway's entry and removes the entries that the caller names. Everything else stays unchanged:
//! comments, order, white space, line ends and a byte order mark. A text that can't be parsed to
//! the end is not edited.

mod edit;
mod entry;
mod file;
mod json;
mod list;
pub mod messages;
mod normalize;
mod program;
mod servers;
pub mod snippet;
mod toml;

use guild_model::endpoint::ENTRY;
use serde_json::{Value, json};

pub use self::edit::{FILE_MAX, TextEditError};
pub use self::file::ConfigFile;
pub use self::list::{EntryAt, ListAt};
pub use self::program::{
    Access, ClientConfigFolders, ClientProgram, Format, System, TOKEN_VARIABLE,
};
pub use self::servers::{
    ConfigContainer, ConfigInput, ConfigOwner, ConfiguredServer, ENV_FILE_MAX, LaunchSpec,
    LaunchSpecField, NewMember, ParsedServers, PlaceholderResolver, ReferenceContext, ServerFile,
    TextSegment, TextTemplate, launch_secrets, project_sources, user_sources, workspace_source,
    written_secrets,
};

/// The text that is shown instead of a token.
pub const TOKEN_LEFT_OUT: &str = "<token>";

impl ClientProgram {
    /// Returns the text with the gateway's entry that a person pastes into the file.
    pub fn snippet(self, access: &Access<'_>) -> String {
        self.snippet_of(ENTRY, &self.entry(access))
    }

    /// Returns an entry inside its list, in the format of the program's file.
    pub fn snippet_of(self, name: &str, entry: &Value) -> String {
        match self.format() {
            Format::Json => format!("{:#}", json!({ self.list(): { name: entry } })),
            Format::Toml => toml::table(self.list(), name, entry, "\n"),
        }
    }
}

#[cfg(test)]
mod tests;
