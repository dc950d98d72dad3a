//! By inotify: one descriptor, read by a thread that sleeps until there is something to read.

use std::ffi::OsStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::fs::inotify::{
    self, CreateFlags, Event, ReadFlags, Reader, WatchFlags, add_watch, remove_watch,
};
use rustix::io::Errno;

/// What is told of. Not what is opened, read, or closed after that.
const CHANGES: WatchFlags = WatchFlags::ATTRIB
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR);
/// How many bytes of events are read at a time; each has at most 16 and a name.
const ROOM: usize = 4096;

/// Folders that are watched until this is dropped.
pub(crate) struct Folders {
    system: Arc<OwnedFd>,
    /// Can be read once the thread is to end.
    over: Arc<OwnedFd>,
    watched: Arc<Mutex<Watched>>,
}

/// Each folder with the number that the system gave it. Two paths of one folder have one number.
type Watched = Vec<(i32, PathBuf)>;

impl Folders {
    /// Begins with none. `told` hears of each path where something may have changed, and of none where
    /// the system has lost count. It is called on a thread of its own.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn begin(told: impl Fn(Option<&Path>) + Send + Sync + 'static) -> io::Result<Self> {
        let system = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let over = eventfd(0, EventfdFlags::CLOEXEC)?;
        let begun = Self {
            system: Arc::new(system),
            over: Arc::new(over),
            watched: Arc::default(),
        };
        let (system, over) = (Arc::clone(&begun.system), Arc::clone(&begun.over));
        let watched = Arc::clone(&begun.watched);
        thread::Builder::new()
            .name("folders".to_owned())
            .spawn(move || {
                if let Err(error) = read_until(&over, &system, &watched, &told) {
                    tracing::warn!(%error, "folders are no longer watched");
                }
            })?;
        Ok(begun)
    }

    /// Watches a folder. Where another one has its path since it was watched last, that one. Blocking.
    ///
    /// What happened there until this returns may be told or not: whoever calls looks for themselves then.
    ///
    /// # Errors
    /// Those of the system: there is no such folder, or no more are watched.
    pub(crate) fn watch(&mut self, folder: &Path) -> io::Result<()> {
        let number = add_watch(&self.system, folder, CHANGES);
        self.forget(folder, number.ok());
        lock(&self.watched).push((number?, folder.to_owned()));
        Ok(())
    }

    /// Watches a folder no more.
    pub(crate) fn unwatch(&mut self, folder: &Path) {
        self.forget(folder, None);
    }

    /// Forgets a path, and the folder that had it unless it is watched under another path too, or has
    /// the number that is kept.
    fn forget(&mut self, folder: &Path, kept: Option<i32>) {
        let mut watched = lock(&self.watched);
        let Some(at) = watched.iter().position(|(_, path)| path == folder) else {
            return;
        };
        let (number, _) = watched.swap_remove(at);
        if Some(number) != kept && !watched.iter().any(|(other, _)| *other == number) {
            // One that was removed is no longer watched anyway.
            let _ = remove_watch(&self.system, number);
        }
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        // It can only be refused where so many have written that it can be read anyway.
        let _ = rustix::io::write(&self.over, &1_u64.to_ne_bytes());
    }
}

fn read_until(
    over: &OwnedFd,
    system: &OwnedFd,
    watched: &Mutex<Watched>,
    told: &impl Fn(Option<&Path>),
) -> io::Result<()> {
    let mut room = [MaybeUninit::uninit(); ROOM];
    let mut reader = Reader::new(system, &mut room);
    loop {
        let mut waited_for = [over, system].map(|one| PollFd::new(one, PollFlags::IN));
        match poll(&mut waited_for, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if !waited_for[0].revents().is_empty() {
            return Ok(());
        }
        loop {
            match reader.next() {
                Ok(event) => tell(&event, watched, told),
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

fn tell(event: &Event<'_>, watched: &Mutex<Watched>, told: &impl Fn(Option<&Path>)) {
    if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
        told(None);
        return;
    }
    let mut all = lock(watched);
    let folders: Vec<PathBuf> = all
        .iter()
        .filter(|(number, _)| *number == event.wd())
        .map(|(_, folder)| folder.clone())
        .collect();
    if event.events().contains(ReadFlags::IGNORED) {
        // The folder is gone, and its number may be given away.
        all.retain(|(number, _)| *number != event.wd());
    }
    drop(all);
    for folder in folders {
        match event.file_name() {
            Some(name) => told(Some(&folder.join(OsStr::from_bytes(name.to_bytes())))),
            None => told(Some(&folder)),
        }
    }
}

fn lock(watched: &Mutex<Watched>) -> MutexGuard<'_, Watched> {
    watched.lock().unwrap_or_else(PoisonError::into_inner)
}
