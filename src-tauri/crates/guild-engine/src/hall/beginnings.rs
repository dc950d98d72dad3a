//! Creates members from templates.

use guild_api::wire::{BeginMember, Beginnings, BegunMember};
use guild_model::Report;

use super::GuildHall;
use crate::beginnings::{begin_member, beginnings};
use guild_files::blocking::blocking;

impl GuildHall {
    /// The templates for new members.
    pub fn beginnings(&self) -> Beginnings {
        beginnings()
    }

    /// Puts a small server into the members' folder, and answers when it is in the roster. It is its
    /// user's own, as if they had written it by hand.
    ///
    /// # Errors
    /// As [`begin_member`].
    pub async fn begin_member(&self, request: BeginMember) -> Result<BegunMember, Report> {
        let members_dir = self.paths().members_dir.clone();
        let begun = blocking(move || begin_member(&members_dir, &request)).await??;
        self.until_shown(std::slice::from_ref(&begun.member)).await;
        Ok(begun)
    }
}
