//! Other programs' configuration files: how they name the gateway, and which servers they have.
//!
//! An edit changes the gateway's own entry, and takes out those that it is told, and nothing else:
//! comments, order, white space, line ends and a byte order mark stay as they are. A text that
//! can't be read to the end is not touched. Files are read and written by the engine.

mod edit;
mod entry;
mod file;
mod json;
mod lines;
mod list;
mod program;
mod servers;
pub mod snippet;
mod toml;
mod tree;
mod usual;

use serde_json::{Value, json};

pub use self::edit::{FILE_MAX, Untouchable};
pub use self::file::ConfigFile;
pub use self::list::{ENTRY, EntryAt, ListAt};
pub use self::program::{Access, Folders, Format, Program, System, TOKEN_VARIABLE};
pub use self::servers::{
    Contained, ENV_FILE_MAX, Input, NewMember, Owner, Piece, Run, Server, Servers, Source, Spot,
    Surroundings, Text, Wanting, launch_secrets, project_sources, user_sources, workspace_source,
    written_secrets,
};
pub use self::tree::Misread;

/// What stands for a token that is not shown.
pub const TOKEN_LEFT_OUT: &str = "<token>";

impl Program {
    /// What a person puts into the file.
    pub fn snippet(self, access: &Access<'_>) -> String {
        self.snippet_of(ENTRY, &self.entry(access))
    }

    /// An entry with the list that it stands in, as the file has both.
    pub(crate) fn snippet_of(self, name: &str, entry: &Value) -> String {
        match self.format() {
            Format::Json => format!("{:#}", json!({ self.list(): { name: entry } })),
            Format::Toml => toml::table(self.list(), name, entry, "\n"),
        }
    }
}

#[cfg(test)]
mod tests;
