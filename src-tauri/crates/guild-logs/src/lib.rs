//! Publishes members' stderr as events and stores it in files (REQ-MCP-HTTP-18).
//!
//! The folder `logs` in the data folder has a file `MEMBER.log` for each member, with older lines
//! in `MEMBER.log.1` and so on, and the program's own log `guild-hall.log` ([`app`]). Lines are
//! masked before they arrive here. Old lines are read from the files ([`page`]). New lines are
//! published as events. Other processes watch the file instead ([`tail`]).

pub mod app;
pub mod crash_report;
pub mod files;
mod line;
pub mod messages;
mod page;
pub mod redactor;
mod tail;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use guild_api::event::HallEvent;
use guild_model::MemberName;
use guild_process::{Output, Past};
use parking_lot::Mutex;

use self::files::{Files, LIMITS, LogLimits};
use self::writer::{LogWriter, MemberLogWriter};
use guild_roster::Roster;
use guild_secrets::{Redactor, SecretResolver};

pub use self::line::plain;
pub use self::page::MemberLogs;
pub use self::tail::LogTail;

/// The folder of the logs in the data folder.
pub const FOLDER: &str = "logs";
/// The name of the program's log.
const OWN: &str = "guild-hall";
/// The current file of the program's log.
const OWN_FILE: &str = "guild-hall.log";
/// Minimum interval between two events with lines of a member.
const PAUSE: Duration = Duration::from_millis(100);
/// Maximum size of the lines in one event, in bytes. Further lines are skipped and counted.
const BATCH_BYTES: usize = 32 * 1024;

/// Writes and publishes the stderr of a hall's members.
#[derive(Debug)]
pub struct Logs {
    folder: PathBuf,
    limits: LogLimits,
    roster: Arc<Roster>,
    writer: LogWriter,
    /// The followed members. When the logs close, their last lines are written.
    followed: Mutex<Vec<Arc<MemberLogWriter>>>,
}

impl Logs {
    /// Returns the logs of a data folder. Opens no file.
    pub fn new(data_dir: &Path, roster: Arc<Roster>, app: Option<app::AppLog>) -> Self {
        if let Some(app) = &app {
            app.keep_in(data_dir);
        }
        let warned = Arc::clone(&roster);
        let tell = move |report| warned.tell(HallEvent::Warning { report });
        Self {
            folder: data_dir.join(FOLDER),
            limits: LIMITS,
            roster,
            followed: Mutex::default(),
            writer: LogWriter::new(LIMITS, Box::new(tell)),
        }
    }

    /// Registers a start of a member. Its lines get the number of this start. Secrets that are
    /// known when a line arrives are masked in it. Blocking, since it reads the secrets and the end
    /// of the member's log.
    pub fn begin_start(&self, member: &MemberName, output: &Output, values: &SecretResolver) {
        let (past, redactor) = self.before_start(member, values);
        output.begin_start(past, Some(Arc::new(redactor)));
    }

    /// Registers a start of an auxiliary program of the member, and returns the start's number.
    /// Blocking.
    pub fn begin_aside(
        &self,
        member: &MemberName,
        output: &Output,
        values: &SecretResolver,
    ) -> u64 {
        let (past, redactor) = self.before_start(member, values);
        output.begin_aside(past, Some(Arc::new(redactor)))
    }

    fn before_start(&self, member: &MemberName, values: &SecretResolver) -> (Past, Redactor) {
        // The file of secrets may have new entries.
        values.hide_known();
        let last = files_of(&self.folder, member, self.limits).last(line::read);
        let past = last.map_or_else(Past::default, |last| Past {
            starts: last.start,
            lines: last.seq + 1,
        });
        (past, values.redactor().clone())
    }

    /// Publishes a member's new lines until the future is dropped.
    pub fn follow(
        self: Arc<Self>,
        member: MemberName,
        output: Output,
    ) -> impl Future<Output = ()> + use<> {
        let files = files_of(&self.folder, &member, self.limits);
        let followed = Arc::new(MemberLogWriter::new(files, output.clone()));
        self.followed.lock().push(Arc::clone(&followed));
        let writing = LastLook {
            followed,
            logs: self,
        };
        let mut changed = output.changed();
        async move {
            let mut next = 0;
            while changed.changed().await.is_ok() {
                writing.look();
                let (mut lines, mut skipped) = output.since(next);
                if let Some(last) = lines.last() {
                    next = last.seq + 1;
                }
                // If not all lines fit, the newest are published, since they are the most useful.
                let mut bytes = 0;
                let fits = lines.iter().rev().take_while(|line| {
                    bytes += line.text.len();
                    bytes <= BATCH_BYTES
                });
                let first_kept = lines.len() - fits.count().max(usize::from(!lines.is_empty()));
                skipped += first_kept as u64;
                lines.drain(..first_kept);
                for line in &lines {
                    tracing::info!(target: app::STDERR, %member, "{}", plain(&line.text));
                }
                if !lines.is_empty() {
                    writing.logs.roster.tell(HallEvent::Stderr {
                        member: member.clone(),
                        lines,
                        skipped,
                    });
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Waits until all lines are written.
    pub async fn close(&self) {
        for followed in &*self.followed.lock() {
            self.writer.look_at(followed);
        }
        self.writer.close().await;
    }
}

/// Writes the member's last lines on drop, since [`Logs::follow`] may end at any point.
struct LastLook {
    logs: Arc<Logs>,
    followed: Arc<MemberLogWriter>,
}

impl LastLook {
    fn look(&self) {
        self.logs.writer.look_at(&self.followed);
    }
}

impl Drop for LastLook {
    fn drop(&mut self) {
        self.look();
        let mut followed = self.logs.followed.lock();
        followed.retain(|known| !Arc::ptr_eq(known, &self.followed));
    }
}

fn files_of(folder: &Path, member: &MemberName, limits: LogLimits) -> Files {
    let name = member.as_str();
    // A member's name can't contain this mark, and the file without the mark is the program's log.
    let mark = if name.eq_ignore_ascii_case(OWN) {
        "~"
    } else {
        ""
    };
    Files::new(folder, format!("{name}{mark}.log"), limits)
}

/// Whether a file in the folder belongs to the program's log.
fn is_own(file: &str) -> bool {
    file.strip_prefix(OWN)
        .is_some_and(|rest| rest.starts_with(".log"))
}

#[cfg(test)]
mod tests;
