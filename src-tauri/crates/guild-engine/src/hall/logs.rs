//! Reads older log lines of members, and saves them to a file.

use std::path::PathBuf;

use guild_api::wire::{LogLine, LogPage, ReadMemberLog, SaveMemberLog, SavedMemberLog};
use guild_model::{MemberName, Report};

use super::GuildHall;
use guild_files::blocking::blocking;
use guild_logs::MemberLogs;

impl GuildHall {
    /// Returns lines of a member's log, newest first: the lines in memory, then those in the files.
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

    /// Writes all stored lines of a member's log to a file.
    ///
    /// # Errors
    /// `member-unknown`, `file-unwritable`, `log-unwritable` if a part can't be read.
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

    /// Returns the log files.
    pub(crate) fn member_logs(&self) -> MemberLogs {
        MemberLogs::of(&self.paths().data_dir)
    }

    fn recent(&self, member: &MemberName) -> Result<Vec<LogLine>, Report> {
        Ok(self.member(member)?.output.lines())
    }
}
