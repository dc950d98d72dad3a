//! Older log lines of members, and bundles for bug reports.

use std::path::PathBuf;

use guild_api::wire::{LogLine, LogPage, ReadMemberLog, SaveMemberLog, SavedMemberLog};
use guild_model::{MemberName, Report};

use super::GuildHall;
use guild_files::blocking::blocking;
use guild_logs::MemberLogs;

impl GuildHall {
    /// Lines of a member's log, from the newest backwards: those in memory, and then the files'.
    ///
    /// # Errors
    /// `member-unknown`. The page lists the files that can't be read.
    pub async fn read_member_log(&self, request: ReadMemberLog) -> Result<LogPage, Report> {
        let ReadMemberLog {
            member,
            before,
            filter,
            limit,
        } = request;
        let recent = self.recent(&member)?;
        let logs = self.member_logs();
        let page = move || logs.page(&member, &filter, before, limit, &recent);
        blocking(page).await
    }

    /// Writes all that is kept of a member's log to a file.
    ///
    /// # Errors
    /// `member-unknown`, `file-unwritable`, `log-unwritable` where a part could not be read.
    pub async fn save_member_log(&self, request: SaveMemberLog) -> Result<SavedMemberLog, Report> {
        let SaveMemberLog {
            member,
            filter,
            path,
        } = request;
        let recent = self.recent(&member)?;
        let logs = self.member_logs();
        let (text, lines) = blocking(move || logs.whole(&member, &filter, &recent)).await??;
        self.save_file(PathBuf::from(&path), text.into_bytes())
            .await?;
        Ok(SavedMemberLog { path, lines })
    }

    /// The files of the logs.
    pub(crate) fn member_logs(&self) -> MemberLogs {
        MemberLogs::of(&self.paths().data_dir)
    }

    fn recent(&self, member: &MemberName) -> Result<Vec<LogLine>, Report> {
        Ok(self.member(member)?.output.lines())
    }
}
