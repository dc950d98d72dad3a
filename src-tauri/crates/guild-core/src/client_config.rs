//! Other programs' configuration files: how they name the gateway, and which servers they have.
//!
//! An edit changes the gateway's own entry and nothing else: comments, order, white space, line
//! ends and a byte order mark stay as they are. A text that can't be read to the end is not
//! touched. Files are read and written by the engine.

mod edit;
mod json;
mod program;
mod servers;
mod toml;

use serde_json::{Value, json};

pub use self::edit::{Before, Edit, Room, Untouchable};
pub use self::program::{Access, Folders, Format, Program, System};
pub use self::servers::{
    Input, NewMember, Piece, Run, Server, Servers, Source, Spot, Surroundings, Text, Wanting,
    project_sources, user_sources, workspace_source,
};

/// The gateway's name in other programs' lists of servers.
pub const ENTRY: &str = "guild-hall";
/// What stands for a token that is not shown.
pub const TOKEN_LEFT_OUT: &str = "<token>";
/// The largest file that is edited, in bytes. Some programs keep more than settings in theirs.
pub const FILE_MAX: usize = 32 << 20;

impl Program {
    /// The text with the gateway's entry in it, where there is one in its place.
    ///
    /// # Errors
    /// When the text is no file of this program, or can't be changed safely.
    pub fn connected(self, text: &str, access: &Access<'_>) -> Result<Edit, Untouchable> {
        within_bounds(text)?;
        let entry = self.entry(access);
        match self.format() {
            Format::Json => json::set(text, self.list(), ENTRY, &entry),
            Format::Toml => toml::set(text, self.list(), ENTRY, &entry),
        }
    }

    /// The gateway's entry of the text.
    ///
    /// # Errors
    /// When the text is no file of this program.
    pub fn connection(self, text: &str) -> Result<Option<Value>, Untouchable> {
        within_bounds(text)?;
        match self.format() {
            Format::Json => json::get(text, self.list(), ENTRY),
            Format::Toml => toml::get(text, self.list(), ENTRY),
        }
    }

    /// The text without the gateway's entry, or with the one that stood there before. What else
    /// has changed in the meantime stays.
    ///
    /// # Errors
    /// When the text is no file of this program, or can't be changed safely.
    pub fn disconnected(self, text: &str, before: &Before) -> Result<String, Untouchable> {
        within_bounds(text)?;
        match self.format() {
            Format::Json => json::take_back(text, self.list(), ENTRY, before),
            Format::Toml => toml::take_back(text, self.list(), ENTRY, before),
        }
    }

    /// What a person puts into the file.
    pub fn snippet(self, access: &Access<'_>) -> String {
        let entry = self.entry(access);
        match self.format() {
            Format::Json => format!("{:#}", json!({ self.list(): { ENTRY: entry } })),
            Format::Toml => toml::table(self.list(), ENTRY, &entry, "\n"),
        }
    }
}

fn within_bounds(text: &str) -> Result<(), Untouchable> {
    if text.len() > FILE_MAX {
        let message = format!("it is larger than {} MiB", FILE_MAX >> 20);
        return Err(Untouchable::whole(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
