//! The exclusive ownership of a data folder.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::messages::{GatewayAt, HallError};
use guild_api::wire::control::RunningHall;
use guild_model::{Code, Report};
use tokio::time::Instant;

use super::client::{InstanceStatus, IpcClient, NOTE_WAIT, RETRY_INTERVAL};
use super::lock::{Lock, foreign_user, try_lock};
use super::lock_info::{LockInfo, unreachable};

/// How long a program waits for the folder's owner to end. A hall ends within 5 s, and a program
/// with a window within 6.8 s.
const END_WAIT: Duration = Duration::from_secs(7);

/// Exclusive ownership of a data folder while this value exists.
#[derive(Debug)]
pub struct InstanceLock {
    lock: Lock,
    data_dir: PathBuf,
}

impl Drop for InstanceLock {
    fn drop(&mut self) {
        // The lock is still held, so this can't be the next owner's note.
        LockInfo::remove(&self.data_dir);
    }
}

impl InstanceLock {
    /// Locks the folder. `None` if another process has locked it. Blocking, for microseconds.
    ///
    /// # Errors
    /// When the folder can't be locked at all.
    pub(crate) fn take_now(data_dir: &Path) -> io::Result<Option<Self>> {
        let Some(lock) = try_lock(data_dir)? else {
            return Ok(None);
        };
        // Removes the note of an owner that was killed.
        LockInfo::remove(data_dir);
        Ok(Some(Self {
            lock,
            data_dir: data_dir.to_owned(),
        }))
    }

    /// Whether the owned folder still exists and was not replaced. Blocking, for microseconds.
    pub fn is_there(&self) -> bool {
        self.lock.is_in(&self.data_dir)
    }

    /// Locks the folder. If the folder's hall is ending, waits for its end. Returns `None` if the
    /// folder can't be locked, because it is not writable or its file system has no locks. A second
    /// hall can't write to an unwritable folder. On a file system without locks, a second hall
    /// can't be detected.
    ///
    /// # Errors
    /// `hall-runs`, `hall-unreachable`.
    pub async fn take(data_dir: &Path) -> Result<Option<Self>, Report> {
        let started = Instant::now();
        let mut known = None;
        loop {
            let folder = data_dir.to_owned();
            let tried = tokio::task::spawn_blocking(move || Self::take_now(&folder)).await;
            match tried.unwrap_or_else(|error| Err(io::Error::other(error))) {
                Ok(Some(claim)) => return Ok(Some(claim)),
                Ok(None) => {}
                Err(error)
                    if error.kind() == io::ErrorKind::PermissionDenied
                        && foreign_user(data_dir).is_some() =>
                {
                    return Err(unreachable(data_dir, None));
                }
                Err(error) => {
                    tracing::warn!(folder = %data_dir.display(), %error, "it can't be locked");
                    return Ok(None);
                }
            }
            let note = LockInfo::read(data_dir).await;
            if let InstanceStatus::Running(mut visit) = IpcClient::find(data_dir).await
                && let Ok(who) = visit.who().await
                && !who.closing
            {
                return Err(runs(&who));
            }
            let now = Instant::now();
            let until = if note.is_some() {
                known = Some(now);
                started + END_WAIT
            } else {
                // A new hall has written no note yet, and a program that only checks the lock never
                // writes one. An ending hall removes its note before it releases the folder.
                known.unwrap_or(started) + NOTE_WAIT
            };
            if now >= until {
                return Err(unreachable(data_dir, note.as_ref()));
            }
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    }
}

fn runs(who: &RunningHall) -> Report {
    let gateway = match &who.gateway {
        Some(address) => GatewayAt::At(address.to_string()),
        None => GatewayAt::Closed,
    };
    let trouble = HallError::Runs(who.role, who.pid, gateway);
    Report::from_error(Code::HallRuns, &trouble)
}
