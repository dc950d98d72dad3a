//! Our own log: what the program says by `tracing`, and its panics, in `logs/guild-hall.log`.
//!
//! Lines wait in a bounded queue for a thread of their own, so that a slow disk holds nobody up;
//! what does not fit is counted. A panic is written by whoever panics, since nothing may come after
//! it. `tracing-appender` is not used: its files grow with time and not up to a size, and its
//! queue counts lines, whose lengths have no limit.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use tracing_subscriber::filter::{EnvFilter, FilterExt, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use super::files::{Files, LIMITS};
use super::{FOLDER, OWN_FILE, plain};
use crate::store::LineMask;

/// The variable that says what is logged, e.g. `debug` or `guild_engine=trace,warn`.
const VARIABLE: &str = "GUILD_HALL_LOG";
/// What is written to the file unless the variable says otherwise.
const FILE_LEVEL: &str = "info";
/// Where members' own lines are told to whoever reads stderr; they have files of their own.
pub(crate) const STDERR: &str = "guild_hall::stderr";
/// How many bytes may wait for the disk.
const WAITING_MAX: usize = 1 << 20;
/// The most bytes of one line.
const LINE_MAX: usize = 16 << 10;
/// How long the end of the program waits for the last lines.
const LAST_LINES: Duration = Duration::from_millis(300);

/// The log of this program. Clones are the same log.
#[derive(Debug, Clone)]
pub struct AppLog {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    /// The files, once the data folder is known; until then lines wait.
    files: OnceLock<Files>,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<String>,
    bytes: usize,
    /// How many lines did not fit.
    missing: u64,
    mask: LineMask,
    /// The thread is writing what it took.
    busy: bool,
}

impl AppLog {
    /// Logs to stderr what `GUILD_HALL_LOG` asks for, or `on_stderr`; and to the file, once
    /// [`AppLog::keep_in`] names its folder, what the variable asks for, or `info`. Panics go there
    /// too.
    pub fn begin(on_stderr: &str) -> Self {
        let log = Self {
            shared: Arc::default(),
        };
        let wanted = |default: &str| {
            EnvFilter::try_from_env(VARIABLE).unwrap_or_else(|_| EnvFilter::new(default))
        };
        let to_stderr = tracing_subscriber::fmt::layer()
            .with_writer(io::stderr)
            .with_ansi(io::stderr().is_terminal())
            // It would say so on stderr, which is what can't be written to.
            .log_internal_errors(false)
            .with_filter(wanted(on_stderr));
        let ours = filter_fn(|metadata| metadata.target() != STDERR);
        let to_file = tracing_subscriber::fmt::layer()
            .with_writer(log.clone())
            .with_ansi(false)
            .log_internal_errors(false)
            .with_filter(wanted(FILE_LEVEL).and(ours));
        // Fails only where a log is set up already, which is as good.
        let _ = tracing_subscriber::registry()
            .with(to_stderr)
            .with(to_file)
            .try_init();
        log.note_panics();
        log
    }

    /// Logs to stderr alone: for a command that is soon over.
    pub fn on_stderr(default: &str) {
        let filter = EnvFilter::try_from_env(VARIABLE).unwrap_or_else(|_| EnvFilter::new(default));
        let _ = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(io::stderr)
            .with_ansi(io::stderr().is_terminal())
            .log_internal_errors(false)
            .try_init();
    }

    /// Keeps the log in a data folder from now on, what waited until now first.
    pub fn keep_in(&self, data_dir: &Path) {
        let files = Files::new(&data_dir.join(FOLDER), OWN_FILE.to_owned(), LIMITS);
        if self.shared.files.set(files).is_err() {
            return;
        }
        let shared = Arc::clone(&self.shared);
        let thread = std::thread::Builder::new().name("app log".into());
        if let Err(error) = thread.spawn(move || shared.write_for_ever()) {
            tracing::warn!(%error, "no thread for the log's file");
        }
    }

    /// Hides these secrets from now on.
    pub(crate) fn mask(&self, mask: LineMask) {
        self.shared.queue().mask = mask;
    }

    /// Waits a moment until the last lines are written.
    pub fn finish(&self) {
        if self.shared.files.get().is_none() {
            return;
        }
        let waiting = |queue: &mut Queue| queue.busy || !queue.waiting.is_empty();
        let queue = self.shared.queue();
        let _ = self
            .shared
            .wake
            .wait_timeout_while(queue, LAST_LINES, waiting);
    }

    /// Has each panic written, before whatever else is done about it.
    fn note_panics(&self) {
        let shared = Arc::downgrade(&self.shared);
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if let Some(shared) = shared.upgrade() {
                shared.write_panic(&panic.to_string());
            }
            before(panic);
        }));
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_for_ever(&self) {
        let Some(files) = self.files.get() else {
            return;
        };
        let mut failing = false;
        loop {
            let (lines, missing, mask) = self.next();
            let mut text = String::new();
            for line in &lines {
                push_line(line, &mask, &mut text);
            }
            if missing > 0 {
                text.push_str(&format!("({missing} lines are missing here)\n"));
            }
            if let Err(error) = files.append(&text) {
                if !std::mem::replace(&mut failing, true) {
                    let file = files.current();
                    let _ = writeln!(io::stderr(), "{} can't be written: {error}", file.display());
                }
                self.queue().missing += lines.len() as u64 + missing;
            } else {
                failing = false;
            }
            self.queue().busy = false;
            self.wake.notify_all();
        }
    }

    /// All that waits, as soon as there is anything.
    fn next(&self) -> (VecDeque<String>, u64, LineMask) {
        let nothing = |queue: &mut Queue| queue.waiting.is_empty();
        let waited = self.wake.wait_while(self.queue(), nothing);
        let mut queue = waited.unwrap_or_else(PoisonError::into_inner);
        queue.busy = true;
        queue.bytes = 0;
        let lines = std::mem::take(&mut queue.waiting);
        (
            lines,
            std::mem::take(&mut queue.missing),
            queue.mask.clone(),
        )
    }

    fn write_panic(&self, words: &str) {
        // Nothing that holds the queue panics.
        let mask = self.queue().mask.clone();
        let time = humantime::format_rfc3339_millis(SystemTime::now());
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("unnamed");
        let version = env!("CARGO_PKG_VERSION");
        let line = format!("{time} ERROR panic in version {version}, thread {name:?}: {words}");
        let mut text = String::new();
        push_line(&line, &mask, &mut text);
        if let Some(files) = self.files.get() {
            // There is nobody left to be told of a failure.
            let _ = files.append(&text);
        }
    }
}

/// One line, whatever it was: further lines of it are set in.
fn push_line(line: &str, mask: &LineMask, text: &mut String) {
    let hidden = mask.hide(line.trim_end());
    for (at, part) in crate::store::head(&hidden, LINE_MAX).lines().enumerate() {
        text.push_str(if at == 0 { "" } else { "    " });
        text.push_str(&plain(part));
        text.push('\n');
    }
}

impl Write for &AppLog {
    /// Takes one event as a whole; never waits for the disk.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut text = String::from_utf8_lossy(line).into_owned();
        text.truncate(crate::store::head(&text, 2 * LINE_MAX).len());
        let mut queue = self.shared.queue();
        if queue.bytes + text.len() > WAITING_MAX {
            queue.missing += 1;
        } else {
            queue.bytes += text.len();
            queue.waiting.push_back(text);
        }
        drop(queue);
        self.shared.wake.notify_all();
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for AppLog {
    type Writer = &'a AppLog;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

#[cfg(test)]
mod tests {
    use guild_core::wire::MASK;

    use super::*;

    fn log() -> AppLog {
        AppLog {
            shared: Arc::default(),
        }
    }

    fn say(log: &AppLog, line: &str) {
        let mut writer = log;
        writer.write_all(line.as_bytes()).expect("taken");
    }

    fn written(folder: &Path) -> String {
        std::fs::read_to_string(folder.join(FOLDER).join(OWN_FILE)).expect("a file")
    }

    #[test]
    fn what_was_said_before_the_folder_was_known_is_kept_without_secrets() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = log();
        say(&log, "first, with planted-1 in it\nand a second line\n");
        log.mask(LineMask::hiding("planted-1"));
        log.keep_in(folder.path());
        log.finish();
        say(&log, "\u{1b}[31mlast\n");
        log.finish();
        let expected = format!("first, with {MASK} in it\n    and a second line\nlast\n");
        assert_eq!(written(folder.path()), expected);
    }

    #[test]
    fn a_panic_is_written_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = log();
        log.mask(LineMask::hiding("planted-1"));
        log.keep_in(folder.path());
        log.shared
            .write_panic("panicked at x.rs:1:\nplanted-1 is no number");
        let text = written(folder.path());
        assert!(text.contains("ERROR panic in version"), "{text}");
        assert!(text.contains(&format!("{MASK} is no number")), "{text}");
    }

    #[test]
    fn what_waits_is_bounded_and_counted() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = log();
        let line = format!("{}\n", "x".repeat(1_000));
        for _ in 0..2_000 {
            say(&log, &line);
        }
        assert!(log.shared.queue().bytes <= WAITING_MAX);
        log.keep_in(folder.path());
        log.finish();
        let text = written(folder.path());
        assert!(
            text.ends_with("lines are missing here)\n"),
            "{}",
            text.len()
        );
        assert!(text.len() < 2 * WAITING_MAX);
    }
}
