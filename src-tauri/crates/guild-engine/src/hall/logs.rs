//! Reads older log lines of members, and saves them to a file.

use std::io;
use std::path::PathBuf;

use guild_api::wire::{
    CrashReports, LogLine, LogPage, ReadMemberLog, SaveMemberLog, SavedMemberLog,
};
use guild_model::messages::io_message;
use guild_model::{Code, MemberName, Report};

use super::GuildHall;
use guild_files::blocking::blocking;
use guild_logs::messages::LogError;
use guild_logs::{MemberLogs, crash_report};

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

    /// Returns the crash reports that the user has not dismissed.
    ///
    /// # Errors
    /// `data-unwritable` if they can't be read.
    pub async fn crash_reports(&self) -> Result<CrashReports, Report> {
        let data_dir = self.paths().data_dir.clone();
        let reports = blocking(move || crash_report::list(&data_dir)).await?;
        let reports = reports.map_err(|error| self.crash_trouble(&error))?;
        Ok(CrashReports { reports })
    }

    /// Hides the current crash reports. Their files stay.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub async fn dismiss_crash_reports(&self) -> Result<(), Report> {
        let data_dir = self.paths().data_dir.clone();
        let dismissed = blocking(move || crash_report::dismiss(&data_dir)).await?;
        dismissed.map_err(|error| self.crash_trouble(&error))
    }

    fn crash_trouble(&self, error: &io::Error) -> Report {
        let data_dir = self.paths().data_dir.clone();
        let trouble = LogError::CrashReports(data_dir, io_message(error));
        Report::from_error(Code::DataUnwritable, &trouble)
    }

    /// Returns the log files.
    pub(crate) fn member_logs(&self) -> MemberLogs {
        MemberLogs::of(&self.paths().data_dir)
    }

    fn recent(&self, member: &MemberName) -> Result<Vec<LogLine>, Report> {
        Ok(self.member(member)?.output.lines())
    }
}
