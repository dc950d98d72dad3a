//! The program's log: `tracing` events and panics, in `logs/guild-hall.log`.
//!
//! Lines wait in a bounded queue for a separate thread, so that a slow disk blocks no caller. Lines
//! that do not fit into the queue are counted. A thread that panics writes the panic itself, since
//! the program may end right afterwards. `tracing-appender` is not used: its files rotate by time
//! and not by size, and its queue limits the number of lines but not their length.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant, SystemTime};

use parking_lot::{Condvar, Mutex};
use tracing::Subscriber;
use tracing_subscriber::filter::{EnvFilter, FilterExt, dynamic_filter_fn, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use super::files::{Files, LIMITS};
use super::redactor::{LogRedactor, Redacting, harmless};
use super::{FOLDER, OWN_FILE, crash_report, plain};

/// The variable with the log filter, e.g. `debug` or `guild_engine=trace,warn`.
const VARIABLE: &str = "GUILD_HALL_LOG";
/// Default log level of the file.
const FILE_LEVEL: &str = "info";
/// Default filter for the protocol library, which logs each notification from a server. A server
/// may send a million of them.
const QUIET: &str = "rmcp=warn";
/// Filter that the variable can't override, because the library would log the authorization code
/// and the token response of a sign-in.
const HUSHED: &str = "rmcp::transport::auth=warn";
/// The `tracing` target under which this program prints the stderr lines of members. They are not
/// written to this program's log files, because each member has its own log.
pub(crate) const STDERR: &str = "guild_hall::stderr";
/// Target of servers' protocol log messages.
pub const SERVER: &str = "guild_hall::server";
/// Limits for servers' messages in the file, so that they don't displace the program's own
/// messages: the burst size, and the rate per second.
const SERVER_BURST: f64 = 200.0;
const SERVER_PACE: f64 = 20.0;
/// Maximum number of bytes that wait to be written. Further lines are dropped and counted.
const WAITING_MAX: usize = 1 << 20;
/// Maximum size of one event, in bytes. The rest of the event is cut off.
const LINE_MAX: usize = 16 << 10;
/// How long the program waits at its end for the last lines to be written.
const LAST_LINES: Duration = Duration::from_millis(300);

/// The log of this program. Clones share it.
#[derive(Debug, Clone)]
pub struct AppLog {
    shared: Arc<AppLogState>,
}

#[derive(Debug, Default)]
struct AppLogState {
    queue: Mutex<AppLogQueue>,
    wake: Condvar,
    /// The files, once the data folder is known. Until then, lines wait in the queue.
    files: OnceLock<Files>,
    /// The token bucket for servers' messages, and its last update.
    servers: Mutex<Option<(f64, Instant)>>,
    redactor: LogRedactor,
}

#[derive(Debug, Default)]
struct AppLogQueue {
    waiting: VecDeque<String>,
    bytes: usize,
    /// The number of lines that did not fit into the queue and that the file does not record yet.
    missing: u64,
    /// Whether the thread is writing.
    busy: bool,
}

impl AppLog {
    /// Starts logging to stderr and to the file. The variable `GUILD_HALL_LOG` sets the filter of
    /// both outputs. Without it, the filters are `on_stderr` for stderr and `info` for the file.
    /// The file is written once `AppLog::keep_in` has set its folder. Panics are written to both
    /// outputs.
    pub fn begin(on_stderr: &str) -> Self {
        let redactor = LogRedactor::of_process();
        let shared = AppLogState {
            redactor: redactor.clone(),
            ..AppLogState::default()
        };
        let log = Self {
            shared: Arc::new(shared),
        };
        let to_stderr = tracing_subscriber::fmt::layer()
            .with_writer(Redacting::for_terminal(io::stderr, redactor))
            .with_ansi(false)
            // An internal error of `tracing-subscriber` would be printed on stderr, the output that
            // may have failed.
            .log_internal_errors(false)
            .with_filter(wanted(on_stderr));
        // This fails only if a subscriber is already set, which then stays in use.
        let _ = tracing_subscriber::registry()
            .with(to_stderr)
            .with(log.to_file(wanted(FILE_LEVEL)))
            .try_init();
        report_panics(Arc::downgrade(&log.shared), log.shared.redactor.clone());
        log
    }

    /// Logs to stderr only, for short commands.
    pub fn on_stderr(default: &str) {
        let _ = tracing_subscriber::fmt()
            .with_env_filter(wanted(default))
            .with_writer(Redacting::for_terminal(
                io::stderr,
                LogRedactor::of_process(),
            ))
            .with_ansi(false)
            .log_internal_errors(false)
            .try_init();
        report_panics(Weak::new(), LogRedactor::of_process());
    }

    fn to_file<S>(&self, wanted: EnvFilter) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let ours = filter_fn(|metadata| metadata.target() != STDERR);
        let shared = Arc::clone(&self.shared);
        let paced = dynamic_filter_fn(move |metadata, _| {
            metadata.target() != SERVER || shared.lets_a_server_speak(Instant::now())
        });
        let redactor = self.shared.redactor.clone();
        tracing_subscriber::fmt::layer()
            .with_writer(Redacting::new(self.clone(), redactor))
            .with_ansi(false)
            .log_internal_errors(false)
            .with_filter(wanted.and(ours).and(paced))
    }

    /// Sets the data folder of the log, and writes the waiting lines.
    pub(crate) fn keep_in(&self, data_dir: &Path) {
        let files = Files::new(&data_dir.join(FOLDER), OWN_FILE.to_owned(), LIMITS);
        if self.shared.files.set(files).is_err() {
            return;
        }
        crash_report::keep_in(data_dir);
        let shared = Arc::clone(&self.shared);
        let thread = std::thread::Builder::new().name("app log".into());
        if let Err(error) = thread.spawn(move || shared.write_for_ever()) {
            tracing::warn!(%error, "no thread for the log's file");
        }
        // This line separates the log of this run from that of the previous one.
        let (version, process) = (env!("CARGO_PKG_VERSION"), std::process::id());
        tracing::info!(version, process, "Guild Hall begins");
    }

    /// Waits briefly until the last lines are written.
    pub fn finish(&self) {
        self.wait_until_written(LAST_LINES);
    }

    fn wait_until_written(&self, limit: Duration) {
        if self.shared.files.get().is_none() {
            return;
        }
        let waiting = |queue: &mut AppLogQueue| queue.busy || !queue.waiting.is_empty();
        let mut queue = self.shared.queue.lock();
        let wake = &self.shared.wake;
        wake.wait_while_for(&mut queue, waiting, limit);
    }
}

/// Installs a panic hook that writes to the log, to stderr and to a crash report, without secrets.
fn report_panics(log: Weak<AppLogState>, redactor: LogRedactor) {
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.to_string();
        if let Some(log) = log.upgrade() {
            log.write_panic(&message);
        }
        let backtrace = Backtrace::force_capture();
        let report = crash_report::record(&message, &backtrace, &redactor);
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("<unnamed>");
        let mut text = format!("thread '{name}' {message}");
        if let Some(report) = report {
            text.push_str(&format!("\nA crash report is in {}.", report.display()));
        }
        // Only the variable `RUST_BACKTRACE` requests a backtrace on stderr.
        if Backtrace::capture().status() == BacktraceStatus::Captured {
            text.push_str(&format!("\n{backtrace}"));
        }
        // If stderr can't be written, the panic can't be reported anywhere.
        let _ = writeln!(io::stderr(), "{}", harmless(&redactor.redact(&text)));
    }));
}

/// Returns the filter from the variable, or the default.
fn wanted(default: &str) -> EnvFilter {
    let filter = EnvFilter::try_from_env(VARIABLE)
        .unwrap_or_else(|_| EnvFilter::new(format!("{default},{QUIET}")));
    hushed(filter)
}

fn hushed(filter: EnvFilter) -> EnvFilter {
    match HUSHED.parse() {
        Ok(directive) => filter.add_directive(directive),
        Err(_) => filter,
    }
}

impl AppLogState {
    /// Whether the token bucket allows a further message of a server. A message that is not allowed
    /// is dropped and counted.
    fn lets_a_server_speak(&self, now: Instant) -> bool {
        let mut servers = self.servers.lock();
        let left = servers.map_or(SERVER_BURST, |(left, at)| {
            let since = now.saturating_duration_since(at).as_secs_f64();
            (left + since * SERVER_PACE).min(SERVER_BURST)
        });
        let speaks = left >= 1.0;
        *servers = Some((if speaks { left - 1.0 } else { left }, now));
        drop(servers);
        if !speaks {
            self.queue.lock().missing += 1;
        }
        speaks
    }

    fn write_for_ever(&self) {
        let Some(files) = self.files.get() else {
            return;
        };
        let mut failing = false;
        loop {
            let (lines, missing) = self.next();
            let mut text = String::new();
            for line in &lines {
                push_line(line, &self.redactor, &mut text);
            }
            if missing > 0 {
                text.push_str(&format!("({missing} lines are missing here)\n"));
            }
            if let Err(error) = files.append(&text) {
                if !std::mem::replace(&mut failing, true) {
                    let file = files.current();
                    let _ = writeln!(io::stderr(), "{} can't be written: {error}", file.display());
                }
                self.queue.lock().missing += lines.len() as u64 + missing;
            } else {
                failing = false;
            }
            self.queue.lock().busy = false;
            self.wake.notify_all();
        }
    }

    /// Waits for lines and returns all of them.
    fn next(&self) -> (VecDeque<String>, u64) {
        let nothing = |queue: &mut AppLogQueue| queue.waiting.is_empty();
        let mut queue = self.queue.lock();
        self.wake.wait_while(&mut queue, nothing);
        queue.busy = true;
        queue.bytes = 0;
        let lines = std::mem::take(&mut queue.waiting);
        (lines, std::mem::take(&mut queue.missing))
    }

    fn write_panic(&self, words: &str) {
        let time = humantime::format_rfc3339_millis(SystemTime::now());
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("unnamed");
        let version = env!("CARGO_PKG_VERSION");
        let line = format!("{time} ERROR panic in version {version}, thread {name:?}: {words}");
        let mut text = String::new();
        push_line(&line, &self.redactor, &mut text);
        if let Some(files) = self.files.get() {
            // An error can't be reported anywhere, since it would be logged.
            let _ = files.append(&text);
        }
    }
}

/// Adds one event to `text`. Continuation lines are indented. Secrets are masked here once more,
/// since they may have become known after the event was queued.
fn push_line(line: &str, redactor: &LogRedactor, text: &mut String) {
    let hidden = redactor.redact(line.trim_end());
    for (at, part) in hidden[..hidden.floor_char_boundary(LINE_MAX)]
        .lines()
        .enumerate()
    {
        text.push_str(if at == 0 { "" } else { "    " });
        text.push_str(&plain(part));
        text.push('\n');
    }
}

impl Write for &AppLog {
    /// Queues one whole event, without waiting for the disk.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut text = String::from_utf8_lossy(line).into_owned();
        text.truncate(text.floor_char_boundary(2 * LINE_MAX));
        let mut queue = self.shared.queue.lock();
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
    use guild_api::wire::MASK;

    use super::*;
    use guild_secrets::Redactor;

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
    fn early_log_lines_are_kept_redacted() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = log();
        say(&log, "first, with planted-1 in it\nand a second line\n");
        let redactor = Redactor::with_secret("planted-1");
        log.shared.redactor.follow(&redactor);
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
        let redactor = Redactor::with_secret("planted-1");
        log.shared.redactor.follow(&redactor);
        log.keep_in(folder.path());
        log.shared
            .write_panic("panicked at x.rs:1:\nplanted-1 is no number");
        let text = written(folder.path());
        assert!(text.contains("ERROR panic in version"), "{text}");
        assert!(text.contains(&format!("{MASK} is no number")), "{text}");
    }

    #[test]
    fn waiting_log_lines_are_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = log();
        let line = format!("{}\n", "x".repeat(1_000));
        for _ in 0..2_000 {
            say(&log, &line);
        }
        assert!(log.shared.queue.lock().bytes <= WAITING_MAX);
        log.keep_in(folder.path());
        log.wait_until_written(Duration::from_secs(60));
        let text = written(folder.path());
        assert!(
            text.ends_with("lines are missing here)\n"),
            "{}",
            text.len()
        );
        assert!(text.len() < 2 * WAITING_MAX);
    }

    #[test]
    fn library_sign_in_logs_are_never_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = log();
        log.keep_in(folder.path());
        for wanted in ["trace", "rmcp=trace", "rmcp::transport::auth=trace"] {
            let filter = hushed(EnvFilter::new(wanted));
            let subscriber = tracing_subscriber::registry().with(log.to_file(filter));
            tracing::subscriber::with_default(subscriber, || {
                tracing::debug!(target: "rmcp::transport::auth", "code: planted");
                tracing::warn!(target: "rmcp::transport::auth", "logged under {wanted}");
            });
        }
        log.finish();
        let text = written(folder.path());
        assert!(!text.contains("planted"), "{text}");
        assert!(text.contains("logged under rmcp=trace"), "{text}");
    }

    #[test]
    fn noisy_server_does_not_drown_the_app_log() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = log();
        log.keep_in(folder.path());
        let filter = EnvFilter::new(format!("{FILE_LEVEL},{QUIET}"));
        let subscriber = tracing_subscriber::registry().with(log.to_file(filter));
        tracing::subscriber::with_default(subscriber, || {
            for number in 0..5_000 {
                tracing::info!(target: SERVER, "note {number}");
                tracing::info!(target: "rmcp::service", "received notification {number}");
                tracing::info!(target: STDERR, "line {number}");
            }
            tracing::warn!(target: "rmcp::service", "a warning of the library");
            tracing::info!("what the program says");
        });
        log.finish();
        let text = written(folder.path());
        let notes = text.lines().filter(|line| line.contains("note ")).count();
        assert!((200..1_000).contains(&notes), "{notes} notes");
        assert!(!text.contains("received") && !text.contains("line 4999"));
        assert!(text.contains("a warning of the library"), "{text:.500}");
        assert!(text.contains("what the program says"), "{text:.500}");
        let missing = text.lines().filter_map(|line| {
            let counted = line
                .strip_prefix('(')?
                .split_once(" lines are missing here)")?;
            counted.0.parse::<usize>().ok()
        });
        assert_eq!(
            missing.sum::<usize>() + notes,
            5_000,
            "each is there or counted"
        );
    }
}
