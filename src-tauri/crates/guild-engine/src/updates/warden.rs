//! Who watches over the first start of a new version: the old program, in a process of its own that
//! outlives its window. It waits until the data folder is free, starts the new version, and waits for
//! that to say that it is up. If that ends or says nothing, the old version is put back and started.

use std::ffi::OsString;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use guild_core::updates::{Change, Step, WHY_MAX};
use guild_process::apart::Apart;

use super::{Place, placing};
use crate::control;

/// The hidden subcommand.
const SUBCOMMAND: &str = "update-warden";
/// How long the program before may take to end.
const END_LIMIT: Duration = Duration::from_secs(30);
/// How often it is looked how things are.
const LOOK: Duration = Duration::from_millis(50);

/// Starts who watches over the change that is noted.
///
/// # Errors
/// Those of the system.
pub(super) fn begin(data_dir: &Path, place: &Place) -> io::Result<()> {
    let mut words: Vec<OsString> = vec![
        SUBCOMMAND.into(),
        data_dir.into(),
        place.patience.as_millis().to_string().into(),
    ];
    words.extend(place.arguments.iter().cloned());
    Apart::start(&place.running, words, &[], None).map(drop)
}

/// Watches over a change if the arguments ask for it. The program calls it first thing in `main`.
pub fn run_from_args(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args.into_iter().skip(1);
    if args.next()? != SUBCOMMAND {
        return None;
    }
    let (data_dir, patience) = (args.next()?, args.next()?);
    let patience = Duration::from_millis(patience.to_str()?.parse().ok()?);
    let watch = Watch {
        data_dir: data_dir.into(),
        patience,
        arguments: args.collect(),
    };
    Some(match watch.over() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// One watch over a first start.
#[derive(Debug)]
struct Watch {
    data_dir: PathBuf,
    patience: Duration,
    arguments: Vec<OsString>,
}

impl Watch {
    /// Watches; says whether the new version came up.
    fn over(&self) -> bool {
        let Some(change) = self.placed(None) else {
            return false;
        };
        let why = match self.first_start(&change) {
            Ok(()) => return true,
            Err(why) => why,
        };
        // Somebody else may have started it meanwhile, and it is up.
        let taken_back = match self.placed(Some(&change.token)) {
            Some(change) => placing::take_back(&self.data_dir, change, &why).is_ok(),
            None => false,
        };
        let up = !taken_back && self.placed(Some(&change.token)).is_none();
        // Whatever has the program's name now; one that runs already comes to the front.
        let started = Apart::start(&change.program, self.arguments.iter().cloned(), &[], None);
        up && started.is_ok()
    }

    /// The change that is noted, as long as it waits for the new version to come up.
    fn placed(&self, token: Option<&str>) -> Option<Change> {
        placing::read(&self.data_dir).filter(|change| {
            change.step == Step::Placed && token.is_none_or(|token| change.token == token)
        })
    }

    /// Starts the new version, and waits until it is up.
    fn first_start(&self, change: &Change) -> Result<(), String> {
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
            // What holds the folder now is ended, or is not of this start.
            self.free(change);
            format!("{why}\n{}", self.said()).trim().to_owned()
        })
    }

    fn start(&self, change: &Change) -> io::Result<Apart> {
        let said = std::fs::File::create(placing::said(&self.data_dir)).ok();
        let token = (placing::TOKEN, change.token.as_str());
        Apart::start(
            &change.program,
            self.arguments.iter().cloned(),
            &[token],
            said,
        )
    }

    /// Waits until the new version says that it is up.
    fn comes_up(&self, new: &mut Apart, change: &Change) -> Result<(), String> {
        let until = Instant::now() + self.patience;
        loop {
            // Looked at first: what it said before it ended counts.
            let ended = new.ended().map_err(|error| error.to_string())?;
            if self.placed(Some(&change.token)).is_none() {
                return Ok(());
            }
            // One that ends because another start of it was quicker has left its place to that.
            if let Some(status) = ended
                && !control::is_kept(&self.data_dir)
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

    /// Waits until no hall keeps the folder, or the new version is up; whether it is so.
    fn free(&self, change: &Change) -> bool {
        let until = Instant::now() + END_LIMIT;
        while control::is_kept(&self.data_dir) && self.placed(Some(&change.token)).is_some() {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(LOOK);
        }
        true
    }

    /// The end of what the new version has said.
    fn said(&self) -> String {
        let end = || {
            let mut file = std::fs::File::open(placing::said(&self.data_dir))?;
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
