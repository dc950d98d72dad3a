//! Crash reports: a text file for each panic, in the folder `crashes` of the data folder. Reports
//! contain no secrets and stay on this machine.
//!
//! The name of a new report begins with `crash-`. When the user dismisses the reports, they are
//! renamed to begin with `dismissed-`. Bug reports include both.

use std::backtrace::Backtrace;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use guild_api::wire::CrashReport;
use guild_files::files::{create_own, create_own_folder};

use super::MemberLogs;
use super::redactor::LogRedactor;

const FOLDER: &str = "crashes";
const NEW: &str = "crash-";
const DISMISSED: &str = "dismissed-";
const ENDING: &str = ".txt";
const TITLE: &str = "Guild Hall crash report";
/// Maximum number of stored reports. The oldest ones are removed.
const REPORTS_MAX: usize = 10;
/// Maximum number of reports of one process, since a task may panic again and again.
const PROCESS_MAX: u32 = 3;
/// Limits of the parts of a report, in bytes.
const MESSAGE_MAX: usize = 4 << 10;
const BACKTRACE_MAX: usize = 64 << 10;
const LOG_MAX: u64 = 16 << 10;
/// Number of bytes at the beginning of a report that are read for a list.
const HEAD_MAX: u64 = 2 * MESSAGE_MAX as u64;

/// The data folder of this process.
static DATA_DIR: OnceLock<PathBuf> = OnceLock::new();
static WRITTEN: AtomicU32 = AtomicU32::new(0);

/// Sets the data folder for the crash reports of this process. Only the first call has an effect.
pub fn keep_in(data_dir: &Path) {
    // A process uses one data folder. Only tests open several.
    let _ = DATA_DIR.set(data_dir.to_owned());
}

/// Writes a report of a panic in the current thread, if the data folder is known. Returns the path
/// of the report.
pub(crate) fn record(
    message: &str,
    backtrace: &Backtrace,
    redactor: &LogRedactor,
) -> Option<PathBuf> {
    let data_dir = DATA_DIR.get()?;
    if WRITTEN.fetch_add(1, Ordering::Relaxed) >= PROCESS_MAX {
        return None;
    }
    let text = redactor
        .redact(&text(data_dir, message, backtrace))
        .into_owned();
    // An error can't be reported anywhere, since this runs in the panic hook.
    write(data_dir, SystemTime::now(), &text).ok()
}

fn text(data_dir: &Path, message: &str, backtrace: &Backtrace) -> String {
    let time = humantime::format_rfc3339_seconds(SystemTime::now());
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(Path::file_stem);
    let program = program.unwrap_or_default().to_string_lossy();
    let version = env!("CARGO_PKG_VERSION");
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    let thread = std::thread::current();
    let thread = thread.name().unwrap_or("unnamed").to_owned();
    let message = &message[..message.floor_char_boundary(MESSAGE_MAX)];
    let mut backtrace = backtrace.to_string();
    backtrace.truncate(backtrace.floor_char_boundary(BACKTRACE_MAX));
    let log = MemberLogs::of(data_dir).own().end(LOG_MAX);
    let (log, _) = log.unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    format!(
        "{TITLE}\n\ntime: {time}\nprogram: {program}\nversion: {version}\nsystem: {system} \
         {processor}\nthread: {thread}\n\n{message}\n\nbacktrace:\n{backtrace}\n\nlast lines of \
         the log:\n{log}"
    )
}

fn write(data_dir: &Path, now: SystemTime, text: &str) -> io::Result<PathBuf> {
    let folder = data_dir.join(FOLDER);
    create_own_folder(&folder)?;
    let mut files = files(&folder)?;
    // The names contain the time, so the oldest reports come first.
    files.sort_by(|a, b| key(a).cmp(key(b)));
    let surplus = (files.len() + 1).saturating_sub(REPORTS_MAX);
    for file in files.iter().take(surplus) {
        fs::remove_file(folder.join(file))?;
    }
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (ms, process) = (since.as_millis(), std::process::id());
    let file = folder.join(format!("{NEW}{ms:014}-{process}{ENDING}"));
    create_own(&file)?.write_all(text.as_bytes())?;
    Ok(file)
}

/// Returns the new reports, newest first. Blocking.
///
/// # Errors
/// I/O errors.
pub fn list(data_dir: &Path) -> io::Result<Vec<CrashReport>> {
    let folder = data_dir.join(FOLDER);
    let mut names = files(&folder)?;
    names.retain(|name| name.starts_with(NEW));
    names.sort_by(|a, b| b.cmp(a));
    names.truncate(REPORTS_MAX);
    names
        .into_iter()
        .map(|name| read(&folder.join(&name), name))
        .collect()
}

/// Returns the files of all reports, including dismissed ones.
///
/// # Errors
/// I/O errors.
pub fn paths(data_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = data_dir.join(FOLDER);
    let names = files(&folder)?.into_iter().take(REPORTS_MAX);
    Ok(names.map(|name| folder.join(name)).collect())
}

/// Returns the file of a new report. `None` if no new report has this name.
pub fn path(data_dir: &Path, name: &str) -> Option<PathBuf> {
    let folder = data_dir.join(FOLDER);
    let names = files(&folder).ok()?;
    names
        .iter()
        .any(|known| known == name)
        .then(|| folder.join(name))
}

/// Marks all new reports as dismissed. Blocking.
///
/// # Errors
/// I/O errors.
pub fn dismiss(data_dir: &Path) -> io::Result<()> {
    let folder = data_dir.join(FOLDER);
    for name in files(&folder)? {
        if let Some(rest) = name.strip_prefix(NEW) {
            fs::rename(
                folder.join(&name),
                folder.join(format!("{DISMISSED}{rest}")),
            )?;
        }
    }
    Ok(())
}

/// Returns the names of all reports in a folder that may be missing.
fn files(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().into_string();
        names.extend(
            name.ok()
                .filter(|name| key(name) != name && name.ends_with(ENDING)),
        );
    }
    Ok(names)
}

/// Returns a report's name without its prefix. Reports are sorted by this.
fn key(name: &str) -> &str {
    let new = name.strip_prefix(NEW);
    new.or_else(|| name.strip_prefix(DISMISSED)).unwrap_or(name)
}

fn read(path: &Path, name: String) -> io::Result<CrashReport> {
    let file = File::open(path)?;
    let modified = file.metadata()?.modified()?;
    let at_ms = modified
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_millis();
    let mut bytes = Vec::new();
    file.take(HEAD_MAX).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut parts = text.split("\n\n").skip(1);
    let fields = parts.next().unwrap_or_default();
    let field = |name: &str| {
        let of_name = |line: &str| Some(line.strip_prefix(name)?.strip_prefix(": ")?.to_owned());
        fields.lines().find_map(of_name).unwrap_or_default()
    };
    Ok(CrashReport {
        name,
        at_ms: u64::try_from(at_ms).unwrap_or(u64::MAX),
        program: field("program"),
        version: field("version"),
        message: parts.next().unwrap_or_default().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use guild_api::wire::MASK;
    use guild_secrets::Redactor;

    use super::*;
    use crate::app::AppLog;

    /// The variable with the data folder of the child process that panics.
    const CHILD: &str = "GUILD_TEST_CRASH_IN";

    fn report(data_dir: &Path, at_s: u64) -> PathBuf {
        let fields = "program: guildhall\nversion: 9.9.9";
        let text = format!("{TITLE}\n\n{fields}\n\npanicked at {at_s}\n\nbacktrace:\n");
        let time = UNIX_EPOCH + Duration::from_secs(at_s);
        write(data_dir, time, &text).expect("written")
    }

    fn messages(data_dir: &Path) -> Vec<String> {
        let reports = list(data_dir).expect("listed").into_iter();
        reports.map(|report| report.message).collect()
    }

    /// The test's program is run again, since a panic hook affects the whole process.
    #[test]
    fn panic_leaves_a_report_without_secrets() {
        if let Some(folder) = std::env::var_os(CHILD) {
            let log = AppLog::begin("error");
            let redactor = Redactor::with_secret("planted-1");
            LogRedactor::of_process().follow(&redactor);
            log.keep_in(Path::new(&folder));
            tracing::info!("the last line before planted-1");
            log.finish();
            panic!("planted-1 is not a number");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let name = "crash_report::tests::panic_leaves_a_report_without_secrets";
        let child = Command::new(std::env::current_exe().expect("the test's program"))
            .args(["--exact", name])
            .env(CHILD, folder.path())
            .output()
            .expect("run");
        assert!(!child.status.success());
        let reports = list(folder.path()).expect("listed");
        let [report] = reports.as_slice() else {
            panic!("one report: {reports:?}");
        };
        let hidden = format!("{MASK} is not a number");
        assert!(report.message.contains(&hidden), "{report:?}");
        assert!(report.program.starts_with("guild_logs"), "{report:?}");
        assert_eq!(report.version, env!("CARGO_PKG_VERSION"));
        let path = path(folder.path(), &report.name).expect("the report's file");
        let text = fs::read_to_string(path).expect("read");
        assert!(!text.contains("planted-1"), "{text}");
        assert!(
            text.contains("panic_leaves_a_report_without_secrets"),
            "a backtrace: {text}"
        );
        assert!(
            text.contains(&format!("the last line before {MASK}")),
            "{text}"
        );
    }

    #[test]
    fn newest_reports_are_kept_and_listed_first() {
        let folder = tempfile::tempdir().expect("a folder");
        for at in 1..=15 {
            report(folder.path(), at);
        }
        let expected: Vec<_> = (6..=15)
            .rev()
            .map(|at| format!("panicked at {at}"))
            .collect();
        assert_eq!(messages(folder.path()), expected);
        let newest = &list(folder.path()).expect("listed")[0];
        assert_eq!(
            (newest.program.as_str(), newest.version.as_str()),
            ("guildhall", "9.9.9")
        );
    }

    #[test]
    fn dismissed_reports_are_kept_but_not_listed() {
        let folder = tempfile::tempdir().expect("a folder");
        dismiss(folder.path()).expect("nothing to dismiss");
        report(folder.path(), 1);
        dismiss(folder.path()).expect("dismissed");
        report(folder.path(), 2);
        assert_eq!(messages(folder.path()), ["panicked at 2"]);
        assert_eq!(paths(folder.path()).expect("listed").len(), 2);
    }

    #[test]
    fn foreign_files_are_not_reports() {
        let folder = tempfile::tempdir().expect("a folder");
        report(folder.path(), 1);
        let foreign = folder.path().join(FOLDER).join("notes.txt");
        fs::write(&foreign, "mine").expect("written");
        for at in 2..=15 {
            report(folder.path(), at);
        }
        assert!(foreign.is_file());
        assert_eq!(path(folder.path(), "notes.txt"), None);
        assert_eq!(path(folder.path(), "../settings.json"), None);
    }

    #[test]
    fn damaged_report_is_listed() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(report(folder.path(), 1), b"\xff\xfe").expect("written");
        assert_eq!(messages(folder.path()), [""]);
    }
}
