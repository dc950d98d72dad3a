//! Creates members from templates.

use guild_api::wire::{BeginMember, Beginnings, BegunMember};
use guild_model::Report;

use super::GuildHall;
use crate::beginnings::{begin_member, beginnings};
use guild_files::blocking::blocking;

impl GuildHall {
    /// Returns the templates for new members.
    pub fn beginnings(&self) -> Beginnings {
        beginnings()
    }

    /// Creates a small server in the members' folder, and returns when it is in the roster. It
    /// needs no review, like a server that the user wrote.
    ///
    /// # Errors
    /// Those of [`begin_member`].
    pub async fn begin_member(&self, request: BeginMember) -> Result<BegunMember, Report> {
        let members_dir = self.paths().members_dir.clone();
        let begun = blocking(move || begin_member(&members_dir, &request)).await??;
        self.until_shown(std::slice::from_ref(&begun.member)).await;
        Ok(begun)
    }
}
