//! Detects which of a member's files changed.
//!
//! Events of the system trigger a scan, and the comparison of two scans shows what changed. So
//! three cases need no special handling: an editor that saves by renaming, a folder that is moved
//! in, and lost events.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use crate::messages::{DevError, WatchProblem};
use guild_model::globs::SourceFilter;
use guild_model::manifest::Dev;
use guild_model::{Code, Report};
use notify::event::{CreateKind, ModifyKind};
use notify::{EventKind, RecursiveMode, Watcher};
use tokio::sync::Notify;

use guild_files::files::replacing::is_kept_beside;
use guild_files::files::waiting::Debounce;
use guild_files::files::waiting::watcher;
use guild_files::members_folder::MANIFEST_FILE;

/// Maximum number of watched folders of one member.
const FOLDERS_MAX: usize = 1_000;
/// Maximum number of source files of one member.
const FILES_MAX: usize = 20_000;
/// Maximum number of files and folders that one scan visits.
const ENTRIES_MAX: usize = 100_000;
/// Maximum depth of folders.
const DEPTH_MAX: usize = 32;
/// Maximum number of consecutive scans, each because the previous one found new folders.
const LOOKS_MAX: usize = 5;
/// Maximum wait for changes to stop: this number of quiet periods, or this duration if it is
/// longer.
const PATIENCE: (u32, Duration) = (10, Duration::from_secs(2));

/// Watches the source files of one member.
pub struct SourceWatch {
    watcher: notify::RecommendedWatcher,
    noticed: Arc<SourceChanges>,
    watched: HashSet<PathBuf>,
    place: SourceScope,
    seen: SourceSnapshot,
    debounce: Debounce,
    /// Error of the last scan.
    problem: Option<Report>,
}

#[derive(Debug, Default)]
struct SourceChanges {
    changed: Notify,
    /// Whether something changed since the last scan.
    pending: AtomicBool,
}

/// The member's folder, and the filter for its source files.
#[derive(Debug, Clone)]
struct SourceScope {
    folder: PathBuf,
    sources: Arc<SourceFilter>,
}

/// The source files at the time of a scan.
#[derive(Debug, Default)]
struct SourceSnapshot {
    /// The files, by their path relative to the member's folder, written with `/`.
    files: BTreeMap<String, SourceFingerprint>,
    folders: HashSet<PathBuf>,
    /// The reason why the scan is incomplete.
    cut: Option<WatchProblem>,
}

/// Values that change when a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SourceFingerprint {
    modified: Option<SystemTime>,
    length: u64,
    /// The inode and its change time in seconds and nanoseconds. Zero if the system has none.
    node: (u64, i64, i64),
}

impl SourceWatch {
    /// Begins to watch. Blocking.
    ///
    /// # Errors
    /// `dev-unwatched` if the system can't watch the folder.
    pub fn begin(folder: PathBuf, dev: &Dev) -> Result<Self, Report> {
        let place = SourceScope {
            folder,
            sources: Arc::new(SourceFilter::new(dev.watch.iter().map(String::as_str))),
        };
        let noticed = Arc::new(SourceChanges::default());
        let (notifier, concerned) = (Arc::clone(&noticed), place.clone());
        let watcher = watcher(move |event| {
            if concerned.is_concerned(event) {
                notifier.pending.store(true, Ordering::Release);
                notifier.changed.notify_one();
            }
        });
        let watcher = watcher.map_err(|error| refused(&place.folder, &error))?;
        let quiet = Duration::from_millis(dev.debounce_ms);
        let mut begun = Self {
            watcher,
            noticed,
            watched: HashSet::new(),
            place,
            seen: SourceSnapshot::default(),
            debounce: Debounce {
                quiet,
                max_wait: (quiet * PATIENCE.0).max(PATIENCE.1),
            },
            problem: None,
        };
        begun.look();
        Ok(begun)
    }

    /// Waits for a change, then until changes stop.
    pub async fn changed(&self) {
        self.debounce.after(&self.noticed.changed).await;
    }

    /// Whether something may have changed since the last scan.
    pub fn is_pending(&self) -> bool {
        self.noticed.pending.load(Ordering::Acquire)
    }

    /// Scans the files. Returns the files that were added, changed or removed since the last scan.
    /// Blocking.
    pub fn look(&mut self) -> Vec<String> {
        self.noticed.pending.store(false, Ordering::Release);
        let mut now = self.place.walk();
        for _ in 0..LOOKS_MAX {
            // The next scan sees files that were written into a new folder before the folder was
            // watched.
            if !self.watch(&now.folders) {
                break;
            }
            now = self.place.walk();
        }
        if let Some(cut) = &now.cut {
            self.problem = Some(unwatched(&self.place.folder, cut.clone()));
        }
        let before = std::mem::replace(&mut self.seen, now);
        before.changes_to(&self.seen)
    }

    /// Returns the number of source files, and the number of watched folders.
    pub fn counts(&self) -> (usize, usize) {
        (self.seen.files.len(), self.watched.len())
    }

    /// Returns the reason why not everything is watched.
    pub fn problem(&self) -> Option<&Report> {
        self.problem.as_ref()
    }

    /// Watches exactly these folders. Returns whether one of them is new.
    fn watch(&mut self, folders: &HashSet<PathBuf>) -> bool {
        self.problem = None;
        let mut news = false;
        for gone in self.watched.difference(folders) {
            // An error is ignored: if the folder was removed, the system no longer watches it.
            let _ = self.watcher.unwatch(gone);
        }
        let mut watched = HashSet::with_capacity(folders.len());
        for folder in folders {
            // Watched folders are watched again: another folder may have the name now, and a watch
            // stays with its original folder.
            match self.watcher.watch(folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    news |= !self.watched.contains(folder);
                    watched.insert(folder.clone());
                }
                Err(error) if folder.is_dir() => {
                    self.problem = Some(refused(folder, &error));
                }
                // The folder was removed after the scan.
                Err(_) => {}
            }
        }
        self.watched = watched;
        news
    }
}

fn unwatched(folder: &Path, problem: WatchProblem) -> Report {
    let trouble = DevError::Unwatched(folder.to_owned(), problem);
    Report::from_error(Code::DevUnwatched, &trouble)
}

/// Returns the report about a folder that the system does not watch.
fn refused(folder: &Path, error: &notify::Error) -> Report {
    unwatched(folder, WatchProblem::Refused(error.to_string()))
}

impl SourceScope {
    /// Whether an event may be about a source file.
    fn is_concerned(&self, event: &notify::Event) -> bool {
        if event.kind.is_access() {
            return false;
        }
        // An event without a path means that the system dropped events.
        if event.paths.is_empty() {
            return true;
        }
        // The entry may be a folder with source files.
        let may_be_folder = !matches!(
            event.kind,
            EventKind::Create(CreateKind::File)
                | EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_))
        );
        event.paths.iter().any(|path| {
            let Ok(inner) = path.strip_prefix(&self.folder) else {
                return false;
            };
            let names = names_of(inner);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.has(&names)
                || (may_be_folder && !is_manifest(&names) && self.sources.may_have_below(&names))
        })
    }

    /// Whether a path is a source file. The manifest is not: the supervisor watches it, and
    /// restarts the member if needed.
    fn has(&self, names: &[&str]) -> bool {
        !is_manifest(names) && self.sources.has(names)
    }

    /// Returns all source files, and the folders that may have some. Links to folders are not
    /// followed, since they may lead out of the member's folder or form a cycle.
    fn walk(&self) -> SourceSnapshot {
        let mut seen = SourceSnapshot::default();
        let mut open = vec![(self.folder.clone(), Vec::<String>::new())];
        let mut entries_left = ENTRIES_MAX;
        while let Some((folder, names)) = open.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                continue;
            };
            seen.folders.insert(folder);
            for entry in entries.flatten() {
                if entries_left == 0 {
                    seen.cut = Some(WatchProblem::ManyEntries(ENTRIES_MAX));
                    return seen;
                }
                entries_left -= 1;
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                let mut names = names.clone();
                names.push(entry.file_name().to_string_lossy().into_owned());
                let all: Vec<&str> = names.iter().map(String::as_str).collect();
                if kind.is_dir() {
                    if !self.sources.may_have_below(&all) {
                        continue;
                    }
                    if names.len() > DEPTH_MAX || open.len() + seen.folders.len() >= FOLDERS_MAX {
                        seen.cut = Some(WatchProblem::ManyFolders(FOLDERS_MAX));
                        continue;
                    }
                    open.push((entry.path(), names));
                } else if self.has(&all) {
                    // A link to a file counts as the file.
                    let Ok(metadata) = std::fs::metadata(entry.path()) else {
                        continue;
                    };
                    if !metadata.is_file() {
                        continue;
                    }
                    if seen.files.len() >= FILES_MAX {
                        seen.cut = Some(WatchProblem::ManyFiles(FILES_MAX));
                        return seen;
                    }
                    seen.files
                        .insert(all.join("/"), SourceFingerprint::of(&metadata));
                }
            }
        }
        seen
    }
}

/// Whether a path is the manifest, or a temporary file or backup next to it.
fn is_manifest(names: &[&str]) -> bool {
    matches!(names, [name] if *name == MANIFEST_FILE || is_kept_beside(name, MANIFEST_FILE))
}

fn names_of(path: &Path) -> Vec<String> {
    let names = path.components();
    names
        .map(|name| name.as_os_str().to_string_lossy().into_owned())
        .collect()
}

impl SourceSnapshot {
    fn changes_to(&self, now: &Self) -> Vec<String> {
        let came_or_changed = now
            .files
            .iter()
            .filter(|(name, stamp)| self.files.get(*name) != Some(stamp));
        let went = self
            .files
            .keys()
            .filter(|name| !now.files.contains_key(*name));
        let mut changed: Vec<String> = came_or_changed
            .map(|(name, _)| name)
            .chain(went)
            .cloned()
            .collect();
        changed.sort();
        changed
    }
}

impl SourceFingerprint {
    fn of(metadata: &std::fs::Metadata) -> Self {
        #[cfg(unix)]
        let node = {
            use std::os::unix::fs::MetadataExt;
            (metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
        };
        #[cfg(not(unix))]
        let node = (0, 0, 0);
        Self {
            modified: metadata.modified().ok(),
            length: metadata.len(),
            node,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn put(folder: &Path, file: &str, text: &str) {
        let path = folder.join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("made");
        }
        fs::write(path, text).expect("written");
    }

    fn watch(folder: &Path, patterns: &[&str]) -> SourceWatch {
        let dev = Dev {
            watch: patterns.iter().map(ToString::to_string).collect(),
            debounce_ms: 1,
            ..Dev::default()
        };
        SourceWatch::begin(folder.to_owned(), &dev).expect("it can be watched")
    }

    /// Returns after the watch notices a change of the file.
    async fn noticed(mut watch: SourceWatch, file: &str) -> SourceWatch {
        let limit = Duration::from_secs(30);
        let looked = tokio::time::timeout(limit, async {
            loop {
                watch.changed().await;
                let changed = watch.look();
                if changed.iter().any(|name| name == file) {
                    return watch;
                }
            }
        });
        looked
            .await
            .unwrap_or_else(|_| panic!("{file} was not noticed"))
    }

    #[test]
    fn a_look_says_what_came_changed_and_went() {
        let dir = tempfile::tempdir().expect("a folder");
        put(dir.path(), "src/a.py", "1");
        put(dir.path(), "src/deep/b.py", "1");
        put(dir.path(), "plugin.json", "{}");
        put(dir.path(), "node_modules/x/index.js", "1");
        put(dir.path(), "server.log", "1");
        let mut watch = watch(dir.path(), &[]);
        assert_eq!(watch.counts(), (2, 3));
        assert!(watch.look().is_empty());
        put(dir.path(), "src/a.py", "22");
        fs::remove_file(dir.path().join("src/deep/b.py")).expect("removed");
        put(dir.path(), "lib/new/c.py", "1");
        for tools in [
            "plugin.json",
            "plugin.json.kept-1",
            "server.log",
            "node_modules/y.js",
            "tools-cache.json",
        ] {
            put(dir.path(), tools, "changed");
        }
        assert_eq!(watch.look(), ["lib/new/c.py", "src/a.py", "src/deep/b.py"]);
        assert_eq!(watch.counts(), (2, 5));
        // Editors save like this: they rename a new file of the same length to the old name.
        put(dir.path(), ".a.py.swp", "33");
        fs::rename(dir.path().join(".a.py.swp"), dir.path().join("src/a.py")).expect("renamed");
        assert_eq!(watch.look(), ["src/a.py"]);
    }

    #[tokio::test]
    async fn replaced_folder_is_watched() {
        let dir = tempfile::tempdir().expect("a folder");
        put(dir.path(), "src/a.py", "1");
        put(dir.path(), ".next/a.py", "2");
        let watched = watch(dir.path(), &["src/**/*.py"]);
        fs::rename(dir.path().join("src"), dir.path().join(".old")).expect("renamed");
        fs::rename(dir.path().join(".next"), dir.path().join("src")).expect("renamed");
        let watched = noticed(watched, "src/a.py").await;
        put(dir.path(), "src/sub/b.py", "1");
        let watched = noticed(watched, "src/sub/b.py").await;
        put(dir.path(), "src/sub/b.py", "22");
        noticed(watched, "src/sub/b.py").await;
    }

    #[test]
    fn ignored_files_cause_no_wake_up() {
        use notify::Event;
        use notify::event::{AccessKind, DataChange, RemoveKind, RenameMode};
        let place = SourceScope {
            folder: "/m/forge".into(),
            sources: Arc::new(SourceFilter::new(["src/**/*.py"])),
        };
        let written = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::To));
        for (kind, path, expect) in [
            (written, "src/a.py", true),
            (written, "src/a.txt", false),
            (written, "record.jsonl", false),
            (written, "plugin.json", false),
            (renamed, "plugin.json", false),
            (renamed, "src", true),
            (renamed, "docs", false),
            (EventKind::Create(CreateKind::Folder), "src/new", true),
            (EventKind::Create(CreateKind::File), "src/new.txt", false),
            (EventKind::Remove(RemoveKind::Any), "src/a.py", true),
            (EventKind::Access(AccessKind::Any), "src/a.py", false),
        ] {
            let event = Event::new(kind).add_path(Path::new("/m/forge").join(path));
            assert_eq!(place.is_concerned(&event), expect, "{event:?}");
        }
        assert!(place.is_concerned(&Event::new(EventKind::Other)));
        let elsewhere = Event::new(written).add_path("/m/other/src/a.py".into());
        assert!(!place.is_concerned(&elsewhere));
    }

    #[test]
    fn too_many_folders_are_told() {
        let dir = tempfile::tempdir().expect("a folder");
        for number in 0..=FOLDERS_MAX {
            fs::create_dir(dir.path().join(format!("f{number}"))).expect("made");
        }
        let watch = watch(dir.path(), &[]);
        let problem = watch.problem().expect("a problem");
        assert_eq!(problem.code, Code::DevUnwatched);
        assert!(problem.message.contains("1,000 folders"), "{problem}");
        assert!(watch.counts().1 <= FOLDERS_MAX);
    }
}
