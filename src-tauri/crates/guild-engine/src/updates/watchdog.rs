//! The watchdog of a new version's first start. It is a separate process of the old version, which
//! continues after the old program has ended. It waits until the data folder is not locked, starts
//! the new version, and waits for its confirmation. If the new version ends or does not confirm its
//! start, the watchdog rolls back and starts the old version.

use std::ffi::OsString;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use guild_model::updates::{UpdateStep, VersionChange, WHY_MAX};
use guild_process::detached::DetachedProcess;

use super::{UpdateTarget, install};

/// The hidden subcommand that runs the watchdog.
const SUBCOMMAND: &str = "update-warden";
/// Timeout for the end of the old program.
const END_LIMIT: Duration = Duration::from_secs(30);
/// Interval at which files and processes are checked.
const LOOK: Duration = Duration::from_millis(50);

/// Starts the watchdog for the recorded update.
///
/// # Errors
/// I/O errors.
pub(super) fn begin(data_dir: &Path, place: &UpdateTarget) -> io::Result<()> {
    let mut words: Vec<OsString> = vec![
        SUBCOMMAND.into(),
        data_dir.into(),
        place.patience.as_millis().to_string().into(),
    ];
    words.extend(place.arguments.iter().cloned());
    DetachedProcess::start(&place.running, words, &[], None).map(drop)
}

/// Runs the watchdog if the arguments request it. A program must call this first in `main`.
pub fn run_from_args(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args.into_iter().skip(1);
    if args.next()? != SUBCOMMAND {
        return None;
    }
    let (data_dir, patience) = (args.next()?, args.next()?);
    let patience = Duration::from_millis(patience.to_str()?.parse().ok()?);
    let watch = UpdateWatchdog {
        data_dir: data_dir.into(),
        patience,
        arguments: args.collect(),
    };
    Some(match watch.over() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// The supervision of one first start.
#[derive(Debug)]
struct UpdateWatchdog {
    data_dir: PathBuf,
    patience: Duration,
    arguments: Vec<OsString>,
}

impl UpdateWatchdog {
    /// Supervises the start. Returns whether the new version started.
    fn over(&self) -> bool {
        let Some(change) = self.placed(None) else {
            return false;
        };
        let why = match self.first_start(&change) {
            Ok(()) => return true,
            Err(why) => why,
        };
        // Only this update is rolled back: if the record has another token, another process started
        // the new version, which may be running.
        let taken_back = match self.placed(Some(&change.token)) {
            Some(change) => install::take_back(&self.data_dir, change, &why).is_ok(),
            None => false,
        };
        let up = !taken_back && self.placed(Some(&change.token)).is_none();
        // Starts the installed version. If it is already running, its window comes to the front.
        let started =
            DetachedProcess::start(&change.program, self.arguments.iter().cloned(), &[], None);
        up && started.is_ok()
    }

    /// Returns the recorded update, if it still waits for confirmation.
    fn placed(&self, token: Option<&str>) -> Option<VersionChange> {
        install::read(&self.data_dir).filter(|change| {
            change.step == UpdateStep::Placed && token.is_none_or(|token| change.token == token)
        })
    }

    /// Starts the new version and waits for its confirmation.
    fn first_start(&self, change: &VersionChange) -> Result<(), String> {
        if !self.free(change) {
            return Err("the version before did not end".to_owned());
        }
        if self.placed(Some(&change.token)).is_none() {
            return Ok(());
        }
        let mut new = self
            .start(change)
            .map_err(|error| format!("it could not be started ({error})"))?;
        self.comes_up(&mut new, change).map_err(|why| {
            new.end();
            // Waits until the new version's hall has released the folder. Another start of the
            // program may keep it locked.
            self.free(change);
            format!("{why}\n{}", self.said()).trim().to_owned()
        })
    }

    fn start(&self, change: &VersionChange) -> io::Result<DetachedProcess> {
        let said = std::fs::File::create(install::said(&self.data_dir)).ok();
        let token = (install::TOKEN, change.token.as_str());
        DetachedProcess::start(
            &change.program,
            self.arguments.iter().cloned(),
            &[token],
            said,
        )
    }

    /// Waits for the new version's confirmation.
    fn comes_up(&self, new: &mut DetachedProcess, change: &VersionChange) -> Result<(), String> {
        let until = Instant::now() + self.patience;
        loop {
            // The exit status is read before the record, so that a confirmation just before the
            // exit still counts.
            let ended = new.ended().map_err(|error| error.to_string())?;
            if self.placed(Some(&change.token)).is_none() {
                return Ok(());
            }
            // A new process that finds a running instance passes its request on and ends. An exit
            // is therefore a failure only if the folder is not locked.
            if let Some(status) = ended
                && !guild_ipc::is_locked(&self.data_dir)
            {
                return Err(format!("it ended ({status})"));
            }
            if Instant::now() >= until {
                let seconds = self.patience.as_secs_f64();
                return Err(format!("its window was not there within {seconds} s"));
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until no hall locks the folder, or the new version has confirmed its start. Returns
    /// false after a timeout.
    fn free(&self, change: &VersionChange) -> bool {
        let until = Instant::now() + END_LIMIT;
        while guild_ipc::is_locked(&self.data_dir) && self.placed(Some(&change.token)).is_some() {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(LOOK);
        }
        true
    }

    /// Returns the end of the new version's output.
    fn said(&self) -> String {
        let end = || {
            let mut file = std::fs::File::open(install::said(&self.data_dir))?;
            let most = WHY_MAX as u64 / 2;
            let from = file.metadata()?.len().saturating_sub(most);
            file.seek(SeekFrom::Start(from))?;
            let mut bytes = Vec::new();
            file.take(most).read_to_end(&mut bytes)?;
            io::Result::Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        end().unwrap_or_default()
    }
}
