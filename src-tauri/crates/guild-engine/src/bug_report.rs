//! Collects the data that explains a failure, without secrets, in one file for a bug report.
//!
//! Everything is collected in memory, within limits. Before anything is listed or written,
//! [`Redaction`] removes all known secrets, including those in the keychain. If the secrets can't
//! be listed, free text of people and members is left out. The file never contains `secrets.json`,
//! the content of the history, tokens, or results of tools. Of the environment, it has at most
//! `PATH`, the names of variables, and the values of variables in a member's command.

mod archive;
mod redaction;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use futures::future::join_all;
use guild_api::wire::{Bundled, BundledFile, CallRef, MASK, RosterView, WriteBundle};
use guild_history::messages::HistoryError;
use guild_model::messages::io_message;
use guild_model::{CallId, Code, MemberName, Report};
use serde_json::{Value, json};

use self::archive::tar_gz;
use self::redaction::{Masked, Redaction};
use crate::hall::GuildHall;
use guild_files::blocking::blocking;
use guild_files::files::{read_bounded, write_atomically};
use guild_logs::files::Files;
use guild_logs::{MemberLogs, crash_report};
use guild_secrets::AllSecrets;
use guild_secrets::mask::SecretMatcher;

/// Maximum size of Guild Hall's own log in the report, in bytes. The end of the log is included.
const OWN_LOG_MAX: u64 = 1 << 20;
/// Maximum size of a member's log in the report, in bytes. The end of the log is included.
const LOG_MAX: u64 = 128 << 10;
/// Maximum size of one settings file, in bytes. A larger file is left out.
const SETTINGS_MAX: u64 = 256 << 10;
/// Maximum size of all files together, in bytes. Further files are left out.
const ALL_MAX: usize = 24 << 20;
/// Timeout for reading a member's manifest.
const PATIENCE: Duration = Duration::from_secs(2);
/// Timeout of the doctor's checks. The report contains the findings up to then.
const EXAMINATION: Duration = Duration::from_secs(10);

/// The settings files to include. `gateway-clients.json` is not included, because it has the
/// digests of the clients' tokens.
const SETTINGS: [(&str, &str); 4] = [
    ("settings.json", "settings"),
    ("gateway.json", "settings of the gateway, without tokens"),
    ("history.json", "settings of the history"),
    ("ports.json", "ports that members had"),
];

/// A file of the report, in memory.
struct BugReportFile {
    shown: BundledFile,
    bytes: Vec<u8>,
}

impl BugReportFile {
    fn new(name: String, what: &str, Masked { text, masked }: Masked) -> Self {
        Self {
            shown: BundledFile {
                name,
                what: what.to_owned(),
                bytes: text.len() as u64,
                masked,
            },
            bytes: text.into_bytes(),
        }
    }
}

/// The collected files, and the parts that were left out.
#[derive(Default)]
struct Bundle {
    files: Vec<BugReportFile>,
    left_out: Vec<String>,
    bytes: usize,
}

/// The state of the running hall, for the report.
struct BugReportData {
    about: Value,
    members: Value,
    doctor: Option<Value>,
    history: Value,
    gateway: Value,
    manifests: Vec<(MemberName, Option<String>)>,
    data_dir: PathBuf,
    secrets: AllSecrets,
}

impl GuildHall {
    /// Returns the content of a bug report; nothing is written.
    ///
    /// # Errors
    /// `shutting-down`.
    pub async fn preview_bundle(&self) -> Result<Bundled, Report> {
        Ok(self.bundle().await?.listing(None))
    }

    /// Writes the files for a bug report as a `.tar.gz`.
    ///
    /// # Errors
    /// `file-unwritable`.
    pub async fn write_bundle(&self, request: WriteBundle) -> Result<Bundled, Report> {
        let bundle = self.bundle().await?;
        let path = request.path;
        blocking(move || {
            // Only the user may read the file, because the logs may contain secrets that are not
            // known.
            let write =
                |file: &PathBuf| write_atomically(file, &tar_gz(&bundle.files, SystemTime::now())?);
            match write(&PathBuf::from(&path)) {
                Ok(()) => Ok(bundle.listing(Some(path))),
                Err(error) => {
                    let trouble = HistoryError::Unsaved(path, io_message(&error));
                    Err(Report::from_error(Code::FileUnwritable, &trouble))
                }
            }
        })
        .await?
    }

    /// Runs the checks of `guildhall doctor` until [`EXAMINATION`] has passed. `None` if they can't
    /// run.
    async fn examined(&self) -> Option<Value> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let call = CallId::numbered("bundle", NEXT.fetch_add(1, Ordering::Relaxed));
        let examining = self.doctor(CallRef { call: call.clone() });
        let enough = async {
            tokio::time::sleep(EXAMINATION).await;
            self.cancel_call(&call);
            std::future::pending().await
        };
        tokio::select! {
            examined = examining => examined.ok().map(|examination| json!(examination)),
            () = enough => None,
        }
    }

    async fn bundle(&self) -> Result<Bundle, Report> {
        let info = self.info();
        let gateway = self.gateway().await;
        let used = self.secret_uses().into_keys().collect();
        let (doctor, mut secrets) = tokio::join!(self.examined(), self.values().all_secrets(used));
        // An earlier run may have logged the secrets of a member that has not been started in this
        // run.
        let snapshot = self.snapshot();
        let entries = snapshot.members.values();
        let manifests = entries.filter_map(|entry| entry.manifest.as_deref());
        secrets.values.extend(self.values().of_manifests(manifests));
        let history = self.history().state().await;
        let manifests = join_all(self.handles().into_iter().map(|member| async move {
            let inspected = tokio::time::timeout(PATIENCE, member.inspect()).await;
            let text = inspected.ok().and_then(Result::ok);
            (
                member.name,
                text.and_then(|inspection| inspection.found.text),
            )
        }));
        let manifests = manifests.await;
        let data_dir = self.paths().data_dir.clone();
        let mut roster = self.roster();
        if secrets.unknown.is_some() {
            without_words(&mut roster);
        }
        let members = json!(roster);
        blocking(move || {
            let known = BugReportData {
                about: json!({
                    "version": info.version,
                    "system": std::env::consts::OS,
                    "processor": std::env::consts::ARCH,
                    "membersDir": info.members_dir,
                    "dataDir": info.data_dir,
                    "writtenAt": humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
                }),
                members,
                doctor,
                history: json!({
                    "calls": history.calls,
                    "size": history.size,
                    "unrecorded": history.unrecorded,
                    "trouble": history.trouble,
                }),
                gateway: json!({
                    "running": gateway.address.is_some(),
                    "address": gateway.address,
                    "error": gateway.error,
                    "clients": gateway.clients.len(),
                }),
                manifests,
                data_dir,
                secrets,
            };
            known.bundle()
        })
        .await
    }
}

impl BugReportData {
    fn bundle(self) -> Bundle {
        let redaction = Redaction::new(SecretMatcher::new(self.secrets.values));
        let mut bundle = Bundle::default();
        let parts = [
            ("about.json", "version and system", &self.about),
            (
                "members.json",
                "all members and their states",
                &self.members,
            ),
            (
                "history.json",
                "how many calls are kept, none of them",
                &self.history,
            ),
            ("gateway.json", "whether the gateway runs", &self.gateway),
        ];
        for (name, what, value) in parts {
            bundle.add(format!("state/{name}"), what, redaction.json(value));
        }
        match &self.doctor {
            Some(found) => {
                let what = "what guildhall doctor finds on this machine";
                bundle.add("state/doctor.json".to_owned(), what, redaction.json(found));
            }
            None => bundle.leave_out("the checks of this machine".to_owned()),
        }
        for (name, what) in SETTINGS {
            let file = self.data_dir.join(name);
            match read_bounded(&file, SETTINGS_MAX) {
                Ok(bytes) => {
                    let text = String::from_utf8_lossy(&bytes);
                    bundle.add(format!("settings/{name}"), what, redaction.document(&text));
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => bundle.leave_out(format!("{name}: {error}")),
            }
        }
        if let Some(why) = &self.secrets.unknown {
            let why = redaction.lines(why).text;
            bundle.leave_out(format!(
                "logs, manifests and member output: they may contain a secret that could not be \
                 read: {}",
                why.trim_end()
            ));
            bundle.finish();
            return bundle;
        }
        for (member, text) in &self.manifests {
            match text {
                Some(text) => bundle.add(
                    format!("manifests/{member}.json"),
                    &format!("the manifest of {member}"),
                    redaction.document(text),
                ),
                None => bundle.leave_out(format!("the manifest of {member}: it can't be read")),
            }
        }
        let logs = MemberLogs::of(&self.data_dir);
        let what = "the end of Guild Hall's own log";
        bundle.add_log(&redaction, &logs.own(), what, OWN_LOG_MAX);
        for path in crash_report::paths(&self.data_dir).unwrap_or_default() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            match read_bounded(&path, LOG_MAX) {
                Ok(bytes) => {
                    let text = redaction.lines(&String::from_utf8_lossy(&bytes));
                    bundle.add(format!("crashes/{name}"), "a crash report", text);
                }
                Err(error) => bundle.leave_out(format!("{name}: {error}")),
            }
        }
        for (member, _) in &self.manifests {
            let what = format!("the end of what {member} wrote to stderr");
            bundle.add_log(&redaction, &logs.files(member), &what, LOG_MAX);
        }
        bundle.finish();
        bundle
    }
}

/// Removes all texts from a roster that may quote the output of a member.
fn without_words(roster: &mut RosterView) {
    for view in &mut roster.members {
        view.last_stderr = None;
        for report in view.error.iter_mut().chain(&mut view.warnings) {
            MASK.clone_into(&mut report.message);
        }
    }
}

impl Bundle {
    fn add(&mut self, name: String, what: &str, masked: Masked) {
        if self.bytes + masked.text.len() > ALL_MAX {
            self.leave_out(format!("{name}: the bundle has reached its size limit"));
            return;
        }
        self.bytes += masked.text.len();
        self.files.push(BugReportFile::new(name, what, masked));
    }

    fn add_log(&mut self, redaction: &Redaction, files: &Files, what: &str, max: u64) {
        match files.end(max) {
            Ok((bytes, _)) if bytes.is_empty() => {}
            Ok((bytes, is_cut)) => {
                // If the log was cut, its first line may be incomplete, and a secret in that line
                // could not be recognized.
                let whole = match bytes.iter().position(|&byte| byte == b'\n') {
                    Some(end) if is_cut => &bytes[end + 1..],
                    _ => &bytes[..],
                };
                let text = String::from_utf8_lossy(whole);
                let name = format!("logs/{}", files.name());
                self.add(name, what, redaction.lines(&text));
            }
            Err(error) => self.leave_out(format!("{}: {error}", files.name())),
        }
    }

    fn leave_out(&mut self, what: String) {
        self.left_out.push(what);
    }

    /// Inserts a list of all files as the first file.
    fn finish(&mut self) {
        let mut list = String::from("A bundle for a bug report on Guild Hall. In it:\n\n");
        for file in &self.files {
            let BundledFile {
                name, what, bytes, ..
            } = &file.shown;
            list.push_str(&format!("{name}  {what} ({bytes} bytes)\n"));
        }
        for left_out in &self.left_out {
            list.push_str(&format!("not in it: {left_out}\n"));
        }
        let list = Masked {
            text: list,
            masked: 0,
        };
        let list = BugReportFile::new("contents.txt".to_owned(), "this list", list);
        self.files.insert(0, list);
    }

    fn listing(&self, path: Option<String>) -> Bundled {
        let time = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let time: String = time.chars().filter(char::is_ascii_digit).take(12).collect();
        Bundled {
            path,
            suggested_name: format!("guild-hall-{time}.tar.gz"),
            files: self.files.iter().map(|file| file.shown.clone()).collect(),
            left_out: self.left_out.clone(),
        }
    }
}
