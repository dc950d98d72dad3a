//! The sources that a person named, and what is known of each: `registry.json` in the data folder.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use guild_core::listing::Unlisted;
use guild_core::note::{AddressWrong, InstallTrouble, RegistryTrouble, SourceWrong, Told as _};
use guild_core::wire::{REGISTRY_SOURCES_MAX, RegistrySource};
use guild_core::{Code, Report};
use guild_mcp::may_be_read;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::unread;
use crate::files::replacing::{Replaced, real, replace_mangled, replace_own_unchanged};
use crate::files::{read_bounded, write_atomically};

/// The largest `registry.json` that is read, in bytes.
const BYTES_MAX: u64 = 256 * 1024;
/// The longest name of a source, in bytes.
const SOURCE_MAX: usize = 4_096;
/// How often a file is read anew that somebody else writes at the same moment.
const TRIES: usize = 3;
/// What is said of a file that can't be understood.
const MANGLED: [ErrorKind; 3] = [
    ErrorKind::InvalidData,
    ErrorKind::UnexpectedEof,
    ErrorKind::FileTooLarge,
];

/// Where a listing comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// A file, by its whole path.
    File(PathBuf),
    /// An address.
    Url(String),
}

/// Tells one state of a listing from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// When a file was changed, or an address read; nothing is known of it where it is `None`.
    pub(crate) as_of: Option<SystemTime>,
    /// A file's length.
    pub(crate) bytes: u64,
}

/// What `registry.json` says of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Known {
    source: String,
    /// When an address was read, in milliseconds since 1970.
    #[serde(default)]
    read_at_ms: Option<u64>,
    /// What its server called the state that was read.
    #[serde(default)]
    pub(crate) etag: Option<String>,
    /// The newest change that the registry told of, as it wrote it.
    #[serde(default)]
    pub(crate) changed_at: Option<String>,
    /// How many servers it listed.
    #[serde(default)]
    servers: Option<usize>,
}

/// What is to be remembered of a reading.
#[derive(Debug, Default)]
pub(crate) struct News {
    pub(crate) etag: Option<String>,
    pub(crate) changed_at: Option<String>,
    pub(crate) servers: usize,
}

#[derive(Debug, Serialize, Deserialize)]
struct File {
    sources: Vec<Known>,
}

/// The sources that are remembered.
#[derive(Debug)]
pub(crate) struct Sources {
    file: PathBuf,
    /// The folder of what was read from addresses.
    folder: PathBuf,
    /// One change at a time.
    changing: Mutex<()>,
}

impl Place {
    /// Where a listing comes from, by what a person typed.
    ///
    /// # Errors
    /// Why it can't be read from there.
    fn parse(source: &str) -> Result<Self, SourceWrong> {
        if source.len() > SOURCE_MAX || source.contains(char::is_control) {
            return Err(SourceWrong::NoPlace);
        }
        let path = Path::new(source);
        if path.is_absolute() {
            return Ok(Self::File(path.to_owned()));
        }
        may_be_read(source).map_err(SourceWrong::Address)?;
        if source.contains('#') {
            return Err(SourceWrong::Address(AddressWrong::Fragment));
        }
        Ok(Self::Url(source.to_owned()))
    }

    /// The path or the address.
    pub(crate) fn text(&self) -> &str {
        match self {
            // It was a text when it was made.
            Self::File(path) => path.to_str().unwrap_or_default(),
            Self::Url(url) => url,
        }
    }
}

impl Known {
    fn shown(&self, stamp: Option<Stamp>) -> RegistrySource {
        let is_file = matches!(Place::parse(&self.source), Ok(Place::File(_)));
        let as_of = stamp.and_then(|stamp| stamp.as_of).and_then(millis);
        RegistrySource {
            source: self.source.clone(),
            is_file,
            as_of_ms: as_of,
            servers: if is_file { None } else { self.servers },
        }
    }
}

fn source_refused(source: &str, why: SourceWrong) -> Report {
    let trouble = RegistryTrouble::Refused(format!("{source:?}"), why);
    Report::told(Code::RegistrySourceRefused, &trouble)
}

impl Sources {
    pub(super) fn new(data_dir: &Path) -> Self {
        Self {
            file: data_dir.join("registry.json"),
            folder: data_dir.join("registry"),
            changing: Mutex::default(),
        }
    }

    /// All of them as they are shown, in the order in which they were named. Blocking.
    pub(crate) fn shown(&self) -> Vec<RegistrySource> {
        let known = self.all();
        let shown = known.iter().map(|known| {
            let place = Place::parse(&known.source);
            let stamp = place
                .ok()
                .and_then(|place| self.stamp_of(&place, known).ok());
            known.shown(stamp)
        });
        shown.collect()
    }

    /// Remembers one more. Blocking.
    ///
    /// # Errors
    /// `registry-source-refused` where nothing could be read there, or there are too many;
    /// `data-unwritable`.
    pub(crate) fn add(&self, source: &str) -> Result<(), Report> {
        let source = source.trim();
        let refused = |why: SourceWrong| source_refused(source, why);
        let place = Place::parse(source).map_err(refused)?;
        if let Place::File(path) = &place {
            match std::fs::metadata(path) {
                Ok(metadata) if metadata.is_file() => {}
                Ok(_) => return Err(refused(SourceWrong::NoFile)),
                Err(error) => return Err(refused(SourceWrong::Unseen(error.to_string()))),
            }
        }
        self.remember(source)
    }

    /// Does something while nobody here changes what is remembered. Blocking.
    pub(crate) fn alone<T>(&self, work: impl FnOnce() -> T) -> T {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    /// The text that the file has once those are remembered that come from another machine, where
    /// their files need not be there. Blocking.
    ///
    /// # Errors
    /// As [`Sources::add`].
    pub(crate) fn text_with(&self, sources: &[String]) -> Result<Vec<u8>, Report> {
        let mut all = self.all();
        join(&mut all, sources)?;
        text(all).map_err(|error| self.unwritable(&self.file, &error))
    }

    fn remember(&self, source: &str) -> Result<(), Report> {
        self.change(|all| known_too(all, source))
    }

    /// Forgets one, and what was read of it. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub(crate) fn remove(&self, source: &str) -> Result<(), Report> {
        self.change(|all| {
            all.retain(|known| known.source != source);
            Ok(())
        })?;
        match std::fs::remove_file(self.kept_at(source)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(self.unwritable(&self.kept_at(source), &error))
            }
            _ => Ok(()),
        }
    }

    /// Keeps what was read of an address: all of it or nothing. Blocking.
    ///
    /// # Errors
    /// `registry-unknown` where it was forgotten meanwhile; `data-unwritable`.
    pub(crate) fn keep(
        &self,
        source: &str,
        text: Option<&[u8]>,
        news: &News,
    ) -> Result<RegistrySource, Report> {
        let at = self.kept_at(source);
        let mut kept = None;
        self.change(|all| {
            let known = all.iter_mut().find(|known| known.source == source);
            let known = known.ok_or_else(|| unknown(source))?;
            if let Some(text) = text {
                std::fs::create_dir_all(&self.folder)
                    .and_then(|()| write_atomically(&at, text))
                    .map_err(|error| self.unwritable(&at, &error))?;
                known.etag = news.etag.clone();
                known.changed_at = news.changed_at.clone();
                known.servers = Some(news.servers);
            }
            let now = SystemTime::now();
            known.read_at_ms = millis(now);
            kept = Some(known.shown(Some(Stamp {
                as_of: Some(now),
                bytes: 0,
            })));
            Ok(())
        })?;
        kept.ok_or_else(|| unknown(source))
    }

    /// Where a source is that is remembered. Blocking.
    ///
    /// # Errors
    /// `registry-unknown`.
    pub(crate) fn place(&self, source: &str) -> Result<Place, Report> {
        let known = self.known(source)?;
        Place::parse(&known.source).map_err(|_| unknown(source))
    }

    /// What is known of one. Blocking.
    ///
    /// # Errors
    /// `registry-unknown`.
    pub(crate) fn known(&self, source: &str) -> Result<Known, Report> {
        let mut all = self.all().into_iter();
        let known = all.find(|known| known.source == source);
        known.ok_or_else(|| unknown(source))
    }

    /// The state that a listing has now. Blocking.
    ///
    /// # Errors
    /// `registry-unread` where its file can't be found; `registry-unknown`.
    pub(crate) fn stamp(&self, place: &Place) -> Result<Stamp, Report> {
        let known = self.known(place.text())?;
        self.stamp_of(place, &known)
            .map_err(|error| unread(place.text(), Unlisted::Unread(error.told())))
    }

    fn stamp_of(&self, place: &Place, known: &Known) -> io::Result<Stamp> {
        match place {
            Place::File(path) => {
                let metadata = std::fs::metadata(path)?;
                Ok(Stamp {
                    as_of: metadata.modified().ok(),
                    bytes: metadata.len(),
                })
            }
            Place::Url(_) => Ok(Stamp {
                as_of: known
                    .read_at_ms
                    .and_then(|at| SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(at))),
                bytes: 0,
            }),
        }
    }

    /// The file of what was read of an address.
    pub(super) fn kept_at(&self, source: &str) -> PathBuf {
        let mut name = String::with_capacity(32);
        for byte in Sha256::digest(source.as_bytes()).iter().take(16) {
            name.push_str(&format!("{byte:02x}"));
        }
        self.folder.join(format!("{name}.json"))
    }

    fn all(&self) -> Vec<Known> {
        let mut sources = match self.read() {
            Ok((sources, _)) => sources,
            Err(error) => {
                tracing::warn!(file = %self.file.display(), %error, "no sources are remembered");
                Vec::new()
            }
        };
        sources.retain(|known| Place::parse(&known.source).is_ok());
        sources.truncate(REGISTRY_SOURCES_MAX);
        sources
    }

    /// The sources of the file, and its bytes where there is one.
    fn read(&self) -> io::Result<(Vec<Known>, Option<Vec<u8>>)> {
        Self::read_at(&self.file)
    }

    fn read_at(file: &Path) -> io::Result<(Vec<Known>, Option<Vec<u8>>)> {
        let bytes = match read_bounded(file, BYTES_MAX) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), None)),
            read => read?,
        };
        if bytes.trim_ascii().is_empty() {
            return Ok((Vec::new(), Some(bytes)));
        }
        let file: File = serde_json::from_slice(&bytes)?;
        Ok((file.sources, Some(bytes)))
    }

    /// Changes the sources of the file. One that can't be understood is kept beside the new one.
    fn change(
        &self,
        mut change: impl FnMut(&mut Vec<Known>) -> Result<(), Report>,
    ) -> Result<(), Report> {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..TRIES {
            let (mut sources, before, is_mangled) = match self.read() {
                Ok((sources, before)) => (sources, before, false),
                Err(error) if MANGLED.contains(&error.kind()) => (Vec::new(), None, true),
                Err(error) => return Err(self.unwritable(&self.file, &error)),
            };
            change(&mut sources)?;
            let is_mangled_at = |file: &Path| {
                let read = Self::read_at(file);
                read.is_err_and(|error| MANGLED.contains(&error.kind()))
            };
            let written = || {
                let (text, real) = (text(sources)?, real(&self.file)?);
                match is_mangled {
                    true => replace_mangled(&real, &text, is_mangled_at),
                    false => replace_own_unchanged(&real, before.as_deref(), &text, BYTES_MAX),
                }
            };
            match written().map_err(|error| self.unwritable(&self.file, &error))? {
                Replaced::Changed => {}
                replaced => return replaced.checked(&self.file),
            }
        }
        Replaced::Changed.checked(&self.file)
    }

    fn unwritable(&self, file: &Path, error: &io::Error) -> Report {
        let trouble = InstallTrouble::ListUnwritable(file.to_owned(), error.told());
        Report::told(Code::DataUnwritable, &trouble)
    }
}

fn text(sources: Vec<Known>) -> io::Result<Vec<u8>> {
    serde_json::to_vec_pretty(&File { sources }).map_err(io::Error::other)
}

/// Has sources that come from another machine among all others.
fn join(all: &mut Vec<Known>, sources: &[String]) -> Result<(), Report> {
    for source in sources {
        Place::parse(source).map_err(|why| source_refused(source, why))?;
        known_too(all, source)?;
    }
    Ok(())
}

/// Has one more among all others.
fn known_too(all: &mut Vec<Known>, source: &str) -> Result<(), Report> {
    if all.iter().any(|known| known.source == source) {
        return Ok(());
    }
    let can_be_read = |known: &&Known| Place::parse(&known.source).is_ok();
    if all.iter().filter(can_be_read).count() >= REGISTRY_SOURCES_MAX {
        let why = SourceWrong::TooMany(REGISTRY_SOURCES_MAX);
        return Err(source_refused(source, why));
    }
    all.push(Known {
        source: source.to_owned(),
        read_at_ms: None,
        etag: None,
        changed_at: None,
        servers: None,
    });
    Ok(())
}

/// Nobody named this source.
fn unknown(source: &str) -> Report {
    let shown: String = source.chars().take(200).collect();
    let trouble = InstallTrouble::NoSource(format!("{shown:?}"));
    Report::told(Code::RegistryUnknown, &trouble)
}

fn millis(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_sources_are_as_good_as_none_and_are_kept_beside_the_new_ones() {
        let data = tempfile::tempdir().expect("a folder");
        let sources = Sources::new(data.path());
        let named = "https://registry.example/v0.1";
        crate::mangled::each("registry-sources", |bytes| {
            std::fs::write(&sources.file, bytes).expect("written");
            let before = sources.shown();
            assert!(before.len() <= REGISTRY_SOURCES_MAX);
            for source in &before {
                assert!(Place::parse(&source.source).is_ok(), "{}", source.source);
            }
            let could_be_read = sources.read().is_ok();
            match sources.add(named) {
                Ok(()) => assert!(sources.place(named).is_ok()),
                Err(report) => assert_eq!(report.code, Code::RegistrySourceRefused),
            }
            let kept = sources.file.with_extension("json.kept-1");
            match std::fs::read(&kept) {
                Ok(kept) => assert_eq!(kept, bytes),
                Err(_) => assert!(could_be_read),
            }
            let _ = std::fs::remove_file(kept);
        });
    }

    #[test]
    fn a_source_is_a_file_that_is_there_or_an_address_that_may_be_read() {
        let data = tempfile::tempdir().expect("a folder");
        let sources = Sources::new(data.path());
        let file = data.path().join("list.json");
        std::fs::write(&file, "[]").expect("written");
        let file = file.display().to_string();
        for source in [
            file.as_str(),
            "https://registry.example",
            "http://127.0.0.1:1/v0",
        ] {
            sources.add(source).expect("a source");
            sources.add(source).expect("twice is once");
        }
        let shown = sources.shown();
        assert_eq!(shown.len(), 3);
        assert!(shown[0].is_file && shown[0].as_of_ms.is_some());
        assert!(!shown[1].is_file && shown[1].as_of_ms.is_none());
        let folder = data.path().display().to_string();
        for refused in [
            "",
            "list.json",
            "/no/such/file.json",
            folder.as_str(),
            "http://registry.example",
            "https://me:pw@registry.example",
            "https://registry.example/#part",
            "ftp://registry.example",
        ] {
            let report = sources.add(refused).expect_err(refused);
            assert_eq!(report.code, Code::RegistrySourceRefused, "{refused}");
        }
    }

    #[test]
    fn no_more_sources_are_remembered_than_there_may_be() {
        let data = tempfile::tempdir().expect("a folder");
        let sources = Sources::new(data.path());
        let source = |at: usize| format!("https://registry.example/{at}");
        for at in 0..=REGISTRY_SOURCES_MAX {
            let added = sources.add(&source(at));
            assert_eq!(added.is_ok(), at < REGISTRY_SOURCES_MAX, "{added:?}");
        }
        sources.remove(&source(0)).expect("removed");
        sources
            .add(&source(REGISTRY_SOURCES_MAX))
            .expect("there is room");
        assert!(sources.known(&source(0)).is_err());
    }
}
