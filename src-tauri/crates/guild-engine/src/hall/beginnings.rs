//! Creates members from templates.

use guild_core::note::InstallTrouble;
use guild_core::wire::{BeginMember, Beginnings, BegunMember};
use guild_core::{Code, Report};

use super::Hall;
use crate::beginnings::{begin_member, beginnings};

impl Hall {
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
        let writing = tokio::task::spawn_blocking(move || begin_member(&members_dir, &request));
        let begun = writing.await.unwrap_or_else(|error| {
            let trouble = InstallTrouble::BeginEnded(error.to_string());
            Err(Report::from_error(Code::MembersFolderUnreadable, &trouble))
        })?;
        self.until_shown(std::slice::from_ref(&begun.member)).await;
        Ok(begun)
    }
}
