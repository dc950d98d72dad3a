//! The client side of the control socket.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::messages::{AskingFault, HallError};
use guild_api::event::Envelope;
use guild_api::wire::control::{
    Ask, ControlResponse, FOLLOW_DEV, ResponsePayload, RunningHall, SHOW_WINDOW, ShowWindow, WHO,
};
use guild_api::wire::{CallOutcome, InvokeTool, MemberRef, Nothing};
use guild_model::holder::HallRole;
use guild_model::messages::io_message;
use guild_model::{Code, MemberName, Report};
use guild_process::descriptors::limit_reached_by;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::BufReader;
use tokio::time::{Instant, sleep, timeout};

use super::lines::{ANSWER_MAX, IpcLineReader, write};
use super::lock::is_locked;
use super::lock_info::{LockInfo, unreachable};
use super::socket::{IpcReader, IpcWriter, connect};

/// Timeout for connecting to a hall, for its response to [`WHO`], and for showing its window.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Timeout for the first byte of a response, and for writing each part of the request.
const FIRST_BYTE: Duration = Duration::from_secs(5);
/// Timeout for each further part of a response. A hall that acknowledged a request sends a message
/// every `ACKNOWLEDGED_EVERY` until it answers. A large answer may take longer than this timeout
/// while its parts arrive.
const BETWEEN_PARTS: Duration = Duration::from_secs(30);
/// Idle time after which the client reconnects: half of the time after which the server closes an
/// idle connection.
const IDLE_MAX: Duration = Duration::from_secs(30);

/// How long a client waits for the `LockInfo` note of a hall that has just locked its folder.
pub(super) const NOTE_WAIT: Duration = Duration::from_millis(500);
/// Interval for trying to lock a folder again. The system sends no event when a lock is released.
pub(super) const RETRY_INTERVAL: Duration = Duration::from_millis(25);

/// Whether a hall runs on a data folder.
#[derive(Debug)]
pub enum InstanceStatus {
    /// No hall runs.
    NotRunning,
    /// A hall runs and accepted the connection.
    Running(IpcClient),
    /// A hall runs but is unreachable, with the reason.
    Unreachable(Report),
}

/// A connection to the hall of a data folder.
pub struct IpcClient {
    data_dir: PathBuf,
    note: LockInfo,
    lines: IpcLineReader<BufReader<IpcReader>>,
    writer: IpcWriter,
    asked: u64,
    /// The time of the last message in either direction.
    last_message_at: Instant,
}

impl std::fmt::Debug for IpcClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IpcClient")
            .field("note", &self.note)
            .finish_non_exhaustive()
    }
}

impl IpcClient {
    /// Looks for a running hall. Must be called within a runtime. Takes at most 2 s.
    pub async fn find(data_dir: &Path) -> InstanceStatus {
        let folder = data_dir.to_owned();
        let taken = tokio::task::spawn_blocking(move || is_locked(&folder)).await;
        if !taken.unwrap_or(false) {
            return InstanceStatus::NotRunning;
        }
        let Some(note) = LockInfo::read(data_dir).await else {
            return InstanceStatus::Unreachable(unreachable(data_dir, None));
        };
        match timeout(CONNECT_TIMEOUT, connect(&note.place)).await {
            Ok(Ok((reader, writer))) => InstanceStatus::Running(Self {
                data_dir: data_dir.to_owned(),
                note,
                lines: IpcLineReader::new(BufReader::new(reader), ANSWER_MAX),
                writer,
                asked: 0,
                last_message_at: Instant::now(),
            }),
            Ok(Err(_)) | Err(_) => InstanceStatus::Unreachable(unreachable(data_dir, Some(&note))),
        }
    }

    /// Looks for a hall as [`IpcClient::find`] does. Waits up to 500 ms for the note of a hall that
    /// has just started.
    pub async fn find_started(data_dir: &Path) -> InstanceStatus {
        let started = Instant::now();
        loop {
            match Self::find(data_dir).await {
                InstanceStatus::Unreachable(_) if started.elapsed() < NOTE_WAIT => {
                    sleep(RETRY_INTERVAL).await
                }
                presence => return presence,
            }
        }
    }

    /// Returns the pid of the hall.
    pub fn pid(&self) -> u32 {
        self.note.pid
    }

    /// Returns the role of the hall.
    pub fn role(&self) -> HallRole {
        self.note.role
    }

    /// Returns the data folder.
    pub fn data_dir(&self) -> &PathBuf {
        &self.data_dir
    }

    /// Returns the members folder of the hall.
    pub fn members_dir(&self) -> &PathBuf {
        &self.note.members_dir
    }

    /// Requests the process id, role, version and addresses of the hall.
    ///
    /// # Errors
    /// `hall-unreachable`, also if the hall does not answer within 2 s.
    pub async fn who(&mut self) -> Result<RunningHall, Report> {
        self.ask_within(CONNECT_TIMEOUT, WHO, &Nothing {}).await
    }

    /// Checks that the hall answers requests.
    ///
    /// # Errors
    /// `hall-unreachable` if the hall does not answer within 5 s, for example because a signal
    /// stopped it or it has no free file descriptor.
    pub async fn answers(&mut self) -> Result<(), Report> {
        let asked = self.ask_within::<_, RunningHall>(FIRST_BYTE, WHO, &Nothing {});
        let Err(report) = asked.await else {
            return Ok(());
        };
        let (role, pid) = (self.note.role, self.note.pid);
        let looked = tokio::task::spawn_blocking(move || limit_reached_by(pid)).await;
        Err(match looked.ok().flatten() {
            Some(limit) => {
                let trouble = HallError::NoDescriptors(role, pid, limit);
                Report::from_error(Code::HallUnreachable, &trouble)
            }
            None => report,
        })
    }

    /// Shows the hall's window, with the requested page or files.
    ///
    /// # Errors
    /// `hall-runs` if the hall has no window. `hall-unreachable`.
    pub async fn show_window(&mut self, request: &ShowWindow) -> Result<(), Report> {
        let Nothing {} = self
            .ask_within(CONNECT_TIMEOUT, SHOW_WINDOW, request)
            .await?;
        Ok(())
    }

    async fn ask_within<Q: Serialize, R: DeserializeOwned>(
        &mut self,
        limit: Duration,
        command: &str,
        request: &Q,
    ) -> Result<R, Report> {
        match timeout(limit, self.ask(command, request)).await {
            Ok(answered) => answered,
            Err(_) => Err(self.silent(&AskingFault::Silent)),
        }
    }

    /// Sends a command by name and waits for the answer.
    ///
    /// # Errors
    /// The hall's error. `hall-unreachable` when the hall ends or disconnects.
    pub async fn ask<Q: Serialize, R: DeserializeOwned>(
        &mut self,
        command: &str,
        request: &Q,
    ) -> Result<R, Report> {
        self.ask_with_events(command, request, |_| ()).await
    }

    /// Calls a tool. `on_event` receives the events before the answer. Dropping the future or the
    /// connection cancels the call.
    ///
    /// # Errors
    /// The errors of [`IpcClient::ask`]. A failed call is an outcome, not an error.
    pub async fn invoke(
        &mut self,
        request: &InvokeTool,
        on_event: impl FnMut(&Envelope),
    ) -> Result<CallOutcome, Report> {
        self.ask_with_events("invoke_tool", request, on_event).await
    }

    /// Passes each step of a member's development rounds to `on_event`, until the member or the
    /// hall is gone. Dropping the future or the connection stops this.
    ///
    /// # Errors
    /// The errors of [`IpcClient::ask`]. `dev-off`.
    pub async fn follow_dev(
        &mut self,
        member: &MemberName,
        on_event: impl FnMut(&Envelope),
    ) -> Result<(), Report> {
        let of = MemberRef {
            member: member.clone(),
        };
        let Nothing {} = self.ask_with_events(FOLLOW_DEV, &of, on_event).await?;
        Ok(())
    }

    /// Reconnects after a long idle time, since the server may have closed the connection. Errors
    /// are ignored, because the following request reports them.
    async fn reconnect(&mut self) {
        if self.last_message_at.elapsed() < IDLE_MAX {
            return;
        }
        if let InstanceStatus::Running(again) = Self::find(&self.data_dir).await
            && again.note == self.note
        {
            *self = again;
        }
    }

    async fn ask_with_events<Q: Serialize, R: DeserializeOwned>(
        &mut self,
        command: &str,
        request: &Q,
        mut on_event: impl FnMut(&Envelope),
    ) -> Result<R, Report> {
        self.reconnect().await;
        self.asked += 1;
        let id = self.asked;
        let ask = Ask {
            id,
            command: command.to_owned(),
            acknowledge: true,
            request,
        };
        let line = serde_json::to_vec(&ask).map_err(|error| self.silent(&error.to_string()))?;
        write(&mut self.writer, line, FIRST_BYTE)
            .await
            .map_err(|error| self.broken(&error))?;
        let mut limit = FIRST_BYTE;
        loop {
            let read = match self.note.acknowledges {
                true => match timeout(limit, self.lines.read_part()).await {
                    Ok(read) => read,
                    Err(_) => return Err(self.silent(&AskingFault::Silent)),
                },
                // An earlier version sends nothing before the answer.
                false => self.lines.read_part().await,
            };
            limit = BETWEEN_PARTS;
            self.last_message_at = Instant::now();
            let ControlFlow::Break(line) = read.map_err(|error| self.broken(&error))? else {
                continue;
            };
            let line = line.ok_or_else(|| self.silent(&AskingFault::Ended))?;
            let response: ControlResponse<R> =
                serde_json::from_slice(&line).map_err(|error| self.silent(&error.to_string()))?;
            match response.what {
                // Skips the answer to an earlier, abandoned request.
                _ if response.id != id => {}
                ResponsePayload::Pending => {}
                ResponsePayload::Event(envelope) => on_event(&envelope),
                ResponsePayload::Answer(answer) => return Ok(answer),
                ResponsePayload::Refusal(report) => return Err(report),
            }
        }
    }

    fn broken(&self, error: &io::Error) -> Report {
        use io::ErrorKind::{BrokenPipe, ConnectionReset, TimedOut, UnexpectedEof};
        match error.kind() {
            UnexpectedEof | BrokenPipe | ConnectionReset => self.silent(&AskingFault::Ended),
            TimedOut => self.silent(&AskingFault::Silent),
            _ => self.silent(&io_message(error)),
        }
    }

    fn silent(&self, problem: &impl ToString) -> Report {
        let (role, pid) = (self.note.role, self.note.pid);
        let trouble = HallError::NotAsked(role, pid, problem.to_string());
        Report::from_error(Code::HallUnreachable, &trouble)
    }
}
