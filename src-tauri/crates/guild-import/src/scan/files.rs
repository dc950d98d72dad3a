//! Scans all configuration files.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::messages::FoundError;
use futures::stream::{self, StreamExt};
use guild_api::wire::FoundScope;
use guild_client_config::messages::{FileProblem, FoundNote};
use guild_client_config::{
    ClientConfigFolders, ConfigContainer, ENV_FILE_MAX, FILE_MAX, ParsedServers, ReferenceContext,
    ServerFile, project_sources, user_sources, workspace_source,
};
use guild_model::container::word::Word;
use guild_model::messages::io_message;
use guild_model::{Code, Report};
use guild_process::environment::ShellVariables;

use super::folders::is_workspace;
use super::merge::{MergedServer, ScannedFile, merged};
use super::{ScannerState, ServerScanner};
use guild_files::files::read_bounded;

/// Maximum number of files that are read at the same time.
const AT_ONCE: usize = 8;
/// Time limit for reading a file.
pub(super) const LIMIT: Duration = Duration::from_secs(3);
/// Maximum size of a project's file, in bytes. A user's file may be larger.
const PROJECT_FILE_MAX: usize = 4 << 20;

/// Maximum number of mount sources whose existence is checked. Others count as existing.
const SOURCES_MAX: usize = 256;

/// The result of a scan.
#[derive(Debug)]
pub struct ScanResult {
    /// The servers without duplicates.
    pub servers: Vec<MergedServer>,
    /// The scanned files, in scan order.
    pub files: Vec<ScannedFile>,
    /// The folders that a person added.
    pub folders: Vec<PathBuf>,
    /// The environment for resolving references.
    pub environment: Arc<ShellVariables>,
    /// The user's home folder, for resolving references.
    pub home: String,
    /// Mount sources of containers that do not exist.
    pub missing: BTreeSet<PathBuf>,
}

impl ScanResult {
    /// Returns a note about a container's missing mount sources.
    pub(super) fn missing_in(&self, contained: &ConfigContainer) -> Option<FoundNote> {
        let missing: Vec<String> = mounted(contained)
            .filter(|source| self.missing.contains(*source))
            .map(|source| source.display().to_string())
            .collect();
        match missing.as_slice() {
            [] => None,
            [source] => Some(FoundNote::SourceMissing(source.clone())),
            several => Some(FoundNote::SourcesMissing(several.join(", "))),
        }
    }

    /// Returns the paths of all scanned files, including missing ones, for a watcher.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files
            .iter()
            .map(|file| file.source.path.clone())
            .collect()
    }
}

impl ServerScanner {
    /// Scans all files in `programs`, or in the user's folders if `programs` is `None`.
    ///
    /// # Errors
    /// `data-unwritable` if the user has no home folder.
    pub async fn scan(
        &self,
        programs: Option<&ClientConfigFolders>,
        environment: Arc<ShellVariables>,
    ) -> Result<ScanResult, Report> {
        let programs = match programs {
            Some(programs) => programs,
            None => self.programs()?,
        };
        let inner = Arc::clone(&self.0);
        let remembered = tokio::task::spawn_blocking(move || inner.remembered.all()).await;
        let folders = remembered.unwrap_or_default();
        let named = folders
            .iter()
            .flat_map(|folder| match is_workspace(folder) {
                true => vec![workspace_source(folder)],
                false => project_sources(folder),
            });
        let sources: Vec<ServerFile> = user_sources(programs).into_iter().chain(named).collect();
        let home = programs.home.display().to_string();
        let mut seen = HashSet::new();
        let mut files = self
            .read_all(sources, true, &mut seen, &home, &environment)
            .await;
        // Project folders that the apps list in their files are scanned too. Missing files in these
        // folders are not reported.
        let known: Vec<PathBuf> = files
            .iter()
            .filter_map(|file| file.servers.as_ref().ok())
            .flat_map(|servers| servers.projects.clone())
            .collect();
        let sources = known
            .iter()
            .flat_map(|folder| project_sources(folder))
            .collect();
        files.extend(
            self.read_all(sources, false, &mut seen, &home, &environment)
                .await,
        );
        let servers = merged(&files);
        Ok(ScanResult {
            missing: self.missing(&servers).await,
            servers,
            files,
            folders,
            environment,
            home,
        })
    }

    /// Returns the missing mount sources of these servers' containers.
    pub(super) async fn missing(&self, servers: &[MergedServer]) -> BTreeSet<PathBuf> {
        let runs = servers.iter().filter_map(|server| server.run.as_ref().ok());
        let containers = runs.filter_map(|run| run.read_contained()?.ok());
        let sources: BTreeSet<PathBuf> = containers
            .flat_map(|contained| mounted(&contained).map(Path::to_owned).collect::<Vec<_>>())
            .take(SOURCES_MAX)
            .collect();
        let looking = sources.into_iter().map(|source| async move {
            let begun = ScanReadGuard::unless_slow(&self.0, &source)?;
            let path = source.clone();
            let looking = tokio::task::spawn_blocking(move || {
                let _begun = begun;
                path.try_exists()
            });
            let scan = tokio::time::timeout(LIMIT, looking).await;
            // A source that can't be accessed is not reported as missing.
            matches!(scan, Ok(Ok(Ok(false)))).then_some(source)
        });
        let scan: Vec<Option<PathBuf>> = stream::iter(looking).buffered(AT_ONCE).collect().await;
        scan.into_iter().flatten().collect()
    }

    async fn read_all(
        &self,
        sources: Vec<ServerFile>,
        wanted: bool,
        seen: &mut HashSet<PathBuf>,
        home: &str,
        environment: &Arc<ShellVariables>,
    ) -> Vec<ScannedFile> {
        let new = sources
            .into_iter()
            .filter(|source| seen.insert(source.path.clone()));
        let new: Vec<ServerFile> = new.collect();
        let reading = new.into_iter().map(|source| {
            let (home, environment) = (home.to_owned(), Arc::clone(environment));
            async move {
                let (exists, servers) = self.read(source.clone(), home, environment).await;
                ScannedFile {
                    source,
                    exists,
                    servers,
                    wanted,
                }
            }
        });
        stream::iter(reading).buffered(AT_ONCE).collect().await
    }

    /// Returns whether a file exists, and its servers.
    async fn read(
        &self,
        source: ServerFile,
        home: String,
        environment: Arc<ShellVariables>,
    ) -> (bool, Result<ParsedServers, Report>) {
        let path = source.path.clone();
        let slow = |path: &Path| {
            let slow = FileProblem::Slow(LIMIT.as_secs());
            (true, Err(unreadable(path, &slow)))
        };
        let Some(begun) = ScanReadGuard::unless_slow(&self.0, &path) else {
            // An earlier read of the file hangs, so no second thread is used for it.
            return slow(&path);
        };
        let reading = tokio::task::spawn_blocking(move || {
            let _begun = begun;
            read(&source, &home, &environment)
        });
        match tokio::time::timeout(LIMIT, reading).await {
            Ok(Ok(read)) => read,
            Ok(Err(error)) => (true, Err(unreadable(&path, &error.to_string()))),
            Err(_) => slow(&path),
        }
    }
}

/// The reads of one file that have not ended.
#[derive(Debug)]
pub(super) struct FileReadState {
    readers: usize,
    /// The start of the first read.
    since: Instant,
}

/// A running read of a file. The read ends when the guard is dropped.
pub(super) struct ScanReadGuard {
    inner: Arc<ScannerState>,
    path: PathBuf,
}

impl ScanReadGuard {
    /// Begins a read. `None` if another read of the file has been running for at least [`LIMIT`].
    pub(super) fn unless_slow(inner: &Arc<ScannerState>, path: &Path) -> Option<Self> {
        let mut reading = inner.reading.lock();
        let now = Instant::now();
        let file = reading.entry(path.to_owned()).or_insert(FileReadState {
            readers: 0,
            since: now,
        });
        if now.duration_since(file.since) >= LIMIT {
            return None;
        }
        file.readers += 1;
        Some(Self {
            inner: Arc::clone(inner),
            path: path.to_owned(),
        })
    }
}

impl Drop for ScanReadGuard {
    fn drop(&mut self) {
        let mut reading = self.inner.reading.lock();
        if let Some(file) = reading.get_mut(&self.path) {
            file.readers -= 1;
            if file.readers == 0 {
                reading.remove(&self.path);
            }
        }
    }
}

fn read(
    source: &ServerFile,
    home: &str,
    environment: &ShellVariables,
) -> (bool, Result<ParsedServers, Report>) {
    let max = match source.scope {
        FoundScope::User | FoundScope::Local => FILE_MAX,
        FoundScope::Project | FoundScope::Workspace => PROJECT_FILE_MAX,
    };
    let bytes = match read_bounded(&source.path, max as u64) {
        Ok(bytes) => bytes,
        Err(error) if is_absent(&error) && !source.path.is_symlink() => {
            return (false, Ok(ParsedServers::default()));
        }
        Err(error) => return (true, Err(unreadable(&source.path, &io_message(&error)))),
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return (true, Err(unreadable(&source.path, &FileProblem::NotUtf8)));
    };
    let env = |name: &str| environment.get(name);
    let surroundings = ReferenceContext {
        home,
        env: &env,
        env_file: &env_file,
    };
    let servers = source.servers(&text, &surroundings);
    (
        true,
        servers.map_err(|wrong| unreadable(&source.path, &wrong)),
    )
}

/// Reads a file with environment variables. Blocking.
pub(super) fn env_file(path: &Path) -> Result<String, String> {
    let bytes = read_bounded(path, ENV_FILE_MAX as u64).map_err(|error| io_message(&error))?;
    String::from_utf8(bytes).map_err(|_| FileProblem::NotUtf8.to_string())
}

/// Returns the absolute mount sources of a container.
fn mounted(contained: &ConfigContainer) -> impl Iterator<Item = &Path> {
    let sources = contained.0.container.mounts.iter();
    sources
        .filter_map(|mount| mount.source.plain().map(Path::new))
        .filter(|source| source.is_absolute())
}

/// Whether an error means that the file does not exist. That is also the case if a folder in its
/// path is a file.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn unreadable(path: &Path, problem: &impl ToString) -> Report {
    let trouble = FoundError::Unreadable(path.to_owned(), problem.to_string());
    Report::from_error(Code::ClientConfigUnreadable, &trouble)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_looks_may_read_a_file_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let finds = ServerScanner::new(None, folder.path(), false);
        let path = folder.path().join("mcp.json");
        let first = ScanReadGuard::unless_slow(&finds.0, &path).expect("no one reads it");
        let second = ScanReadGuard::unless_slow(&finds.0, &path).expect("it is not slow yet");
        drop(first);
        assert_eq!(finds.0.reading.lock().len(), 1);
        drop(second);
        assert!(finds.0.reading.lock().is_empty());
    }

    #[test]
    fn a_file_that_does_not_answer_gets_no_second_thread() {
        let folder = tempfile::tempdir().expect("a folder");
        let finds = ServerScanner::new(None, folder.path(), false);
        let path = folder.path().join("mcp.json");
        let hanging = ScanReadGuard::unless_slow(&finds.0, &path).expect("no one reads it");
        let long_ago = Instant::now().checked_sub(LIMIT).expect("a running clock");
        finds
            .0
            .reading
            .lock()
            .get_mut(&path)
            .expect("it is being read")
            .since = long_ago;
        assert!(ScanReadGuard::unless_slow(&finds.0, &path).is_none());
        drop(hanging);
        assert!(ScanReadGuard::unless_slow(&finds.0, &path).is_some());
    }
}
