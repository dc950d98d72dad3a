//! `tools-cache.json`: a member's last known tool list (REQ-MCP-TOOL-1 to -3).
//!
//! It is in the member's folder, or in the data folder if the member's folder can't be written. It
//! is read before any server starts, and written atomically.

mod latest;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use crate::messages::CacheError;
use guild_model::discovery::FoundBy;
use guild_model::manifest::{Manifest, config_hash};
use guild_model::messages::io_message;
use guild_model::protocol::{Era, ServerInfo};
use guild_model::status::Freshness;
use guild_model::tool::{ListProblem, ToolSpec, salvage_texts};
use guild_model::{Code, MemberName, Report};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub(crate) use self::latest::Latest;
use guild_files::clock::millis_since_1970;
use guild_files::files::{read_bounded, write_atomically};
use guild_settings::paths::Paths;

/// Name of the cache file in a member's folder.
pub const CACHE_FILE: &str = "tools-cache.json";
/// Maximum size of a cache that is read, in bytes.
const CACHE_BYTES_MAX: u64 = 32 << 20;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CacheFile<T> {
    version: String,
    /// ISO 8601 in UTC, e.g. `2026-01-31T12:00:00.000Z`.
    cached_at: String,
    #[serde(default)]
    config_hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    era: Option<Era>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opens_with: Option<Era>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server: Option<ServerInfo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ttl_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<FoundBy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ListProblem>,
    tools: Vec<T>,
}

/// A tool list as its server last returned it.
#[derive(Debug, Clone, PartialEq)]
pub struct CachedList {
    /// The tools, each with the server's whole JSON.
    pub tools: Vec<ToolSpec>,
    /// Entries left out of the list, with reasons.
    pub problems: Vec<ListProblem>,
    /// When the server returned the list, in milliseconds since 1970.
    pub listed_at_ms: u64,
    /// The protocol era of the connection.
    pub era: Option<Era>,
    /// The protocol era for the next connection. `None` if it has to be detected.
    pub opens_with: Option<Era>,
    /// The server's description of itself.
    pub server: Option<ServerInfo>,
    /// How long the server allows the list to be cached, in milliseconds. It is displayed, but not
    /// applied, since servers return 0.
    pub ttl_ms: Option<u64>,
    /// The way in which the list was found. `None` if the server returned it as the protocol
    /// requires.
    pub found: Option<FoundBy>,
    /// How long the server took to start before it listed the tools, in milliseconds.
    pub start_ms: Option<u64>,
}

/// A cached list, and its freshness for the current manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct FromCache {
    /// The cached list.
    pub list: CachedList,
    /// `Cached`, or `Outdated` when version or configuration differ (REQ-MCP-TOOL-9, -10).
    pub freshness: Freshness,
}

/// The paths of a member's cache.
#[derive(Debug, Clone)]
pub struct ToolCache {
    member: MemberName,
    /// The path of the cache next to the manifest, or in the folder that is configured for all
    /// caches.
    own: PathBuf,
    /// The path of the cache in the data folder, which is used if the member's folder can't be
    /// written.
    fallback: PathBuf,
    /// The member's folder. Once it is removed, no list is saved.
    folder: PathBuf,
}

impl ToolCache {
    /// Returns the cache paths of a member in `folder`.
    pub fn of(member: &MemberName, folder: &Path, paths: &Paths) -> Self {
        let own = match &paths.cache_dir {
            Some(dir) => dir.join(member.as_str()).join(CACHE_FILE),
            None => folder.join(CACHE_FILE),
        };
        let fallback = paths
            .data_dir
            .join("tool-caches")
            .join(format!("{member}.json"));
        Self {
            member: member.clone(),
            own,
            fallback,
            folder: folder.to_owned(),
        }
    }

    /// Returns the path of the cache, existing or not.
    pub fn path(&self) -> &Path {
        if !self.own.exists() && self.fallback.exists() {
            &self.fallback
        } else {
            &self.own
        }
    }

    /// Reads the newest cache. Returns `None` without a cache (REQ-MCP-TOOL-4, -11).
    ///
    /// # Errors
    /// `cache-unreadable` if a file exists and can't be used (REQ-MCP-TOOL-17). This is a warning,
    /// never a failure of the member.
    pub fn read(&self, manifest: &Manifest) -> Result<Option<FromCache>, Report> {
        let mut newest: Option<FromCache> = None;
        let mut problem = None;
        for path in [&self.own, &self.fallback] {
            match read_one(path, manifest) {
                Ok(Some(found)) => {
                    let newer = newest
                        .as_ref()
                        .is_none_or(|known| known.list.listed_at_ms < found.list.listed_at_ms);
                    if newer {
                        newest = Some(found);
                    }
                }
                Ok(None) => {}
                Err(reason) => {
                    let trouble = CacheError::CacheIgnored(path.to_owned(), reason);
                    problem = Some(Report::from_error(Code::CacheUnreadable, &trouble));
                }
            }
        }
        match (newest, problem) {
            (Some(found), _) => Ok(Some(found)),
            (None, Some(report)) => Err(report.of(&self.member)),
            (None, None) => Ok(None),
        }
    }

    /// Writes the cache, to the data folder if the member's own cache can't be written.
    ///
    /// # Errors
    /// `cache-unwritable` if neither file can be written (REQ-MCP-TOOL-18). This is a warning,
    /// never a failure of the member.
    pub fn write(&self, manifest: &Manifest, list: &CachedList) -> Result<(), Report> {
        let text = to_json(manifest, list)
            .map_err(|error| self.unwritable(&self.own, &io::Error::other(error)))?;
        if !self.folder.is_dir() {
            return Ok(());
        }
        let Err(first) = self.keep(&self.own, &text) else {
            self.forget_fallback();
            return Ok(());
        };
        tracing::debug!(member = %self.member, error = %first, "the cache is written to the data folder");
        self.keep(&self.fallback, &text)
            .map_err(|_| self.unwritable(&self.own, &first))
    }

    fn unwritable(&self, path: &Path, error: &io::Error) -> Report {
        let trouble = CacheError::CacheUnwritable(path.to_owned(), io_message(error));
        Report::from_error(Code::CacheUnwritable, &trouble).of(&self.member)
    }

    /// Removes the fallback cache, which was written when the member's folder was not writable.
    /// Otherwise the fallback would count as the newer cache if the clock was set back since then.
    fn forget_fallback(&self) {
        match std::fs::remove_file(&self.fallback) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::debug!(member = %self.member, %error, "an old cache can't be removed");
            }
            _ => {}
        }
    }

    /// Writes a cache file, and creates its folder if needed. A missing member's folder is not
    /// created, since the member may just have been removed.
    fn keep(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Some(folder) = path.parent().filter(|folder| *folder != self.folder) {
            std::fs::create_dir_all(folder)?;
        }
        write_atomically(path, bytes)
    }
}

fn read_one(path: &Path, manifest: &Manifest) -> Result<Option<FromCache>, String> {
    let bytes = match read_bounded(path, CACHE_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_message(&error)),
    };
    let file: CacheFile<&RawValue> =
        serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    let at = humantime::parse_rfc3339_weak(&file.cached_at)
        .map_err(|error| format!("cachedAt: {error}"))?;
    let in_force = file.version == manifest.version && file.config_hash == config_hash(manifest);
    let freshness = if in_force {
        Freshness::Cached
    } else {
        Freshness::Outdated
    };
    let (tools, mut problems) = salvage_texts(file.tools);
    problems.splice(0..0, file.problems);
    let list = CachedList {
        tools,
        problems,
        listed_at_ms: millis_since_1970(at),
        era: file.era,
        // Caches from older versions of this program contain the era of the connection, but not
        // whether a request for the newest version was sent. Only the modern era is certain.
        opens_with: file
            .opens_with
            .or(file.era.filter(|era| *era == Era::Modern)),
        server: file.server,
        ttl_ms: file.ttl_ms,
        found: file.found,
        start_ms: file.start_ms,
    };
    Ok(Some(FromCache { list, freshness }))
}

fn to_json(manifest: &Manifest, list: &CachedList) -> serde_json::Result<Vec<u8>> {
    let at = UNIX_EPOCH + Duration::from_millis(list.listed_at_ms);
    serde_json::to_vec(&CacheFile {
        version: manifest.version.clone(),
        cached_at: humantime::format_rfc3339_millis(at).to_string(),
        config_hash: config_hash(manifest),
        era: list.era,
        opens_with: list.opens_with,
        server: list.server.clone(),
        ttl_ms: list.ttl_ms,
        found: list.found,
        start_ms: list.start_ms,
        problems: list.problems.clone(),
        tools: list.tools.iter().map(ToolSpec::raw).collect(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn manifest(version: &str, argument: &str) -> Manifest {
        let text = json!({
            "name": "m", "version": version, "description": "", "transport": "stdio",
            "command": "server", "args": [argument],
        });
        guild_model::manifest::parse(text.to_string().as_bytes(), "plugin.json")
            .manifest
            .expect("a manifest")
    }

    fn list() -> CachedList {
        let tool =
            ToolSpec::from_raw(json!({"name": "t", "inputSchema": {"z": 1, "a": 2}, "x": 3}));
        CachedList {
            tools: vec![tool.expect("a tool")],
            problems: vec![],
            listed_at_ms: 1_700_000_000_123,
            era: Some(Era::Modern),
            opens_with: Some(Era::Modern),
            server: None,
            ttl_ms: Some(0),
            found: None,
            start_ms: Some(4_200),
        }
    }

    struct CacheTestEnv {
        folder: tempfile::TempDir,
        files: ToolCache,
    }

    fn place() -> CacheTestEnv {
        let folder = tempfile::tempdir().expect("a folder");
        let member = folder.path().join("members/m");
        std::fs::create_dir_all(&member).expect("made");
        let paths = Paths {
            members_dir: folder.path().join("members"),
            data_dir: folder.path().join("data"),
            cache_dir: None,
        };
        let files = ToolCache::of(&MemberName::parse("m").expect("a name"), &member, &paths);
        CacheTestEnv { folder, files }
    }

    #[test]
    fn req_mcp_tool_1_2_3_cache_file_has_all_fields() {
        let place = place();
        place
            .files
            .write(&manifest("1.0.0", "a"), &list())
            .expect("written");
        let path = place.folder.path().join("members/m/tools-cache.json");
        let file: Value =
            serde_json::from_slice(&std::fs::read(path).expect("read")).expect("JSON");
        assert_eq!(file["version"], "1.0.0");
        assert_eq!(file["cachedAt"], "2023-11-14T22:13:20.123Z");
        assert_eq!(file["tools"][0]["name"], "t");
        assert_eq!(file["tools"][0]["inputSchema"], json!({"z": 1, "a": 2}));
        assert_eq!(
            file["tools"][0]["x"], 3,
            "what else the server said is kept"
        );
        let read = place
            .files
            .read(&manifest("1.0.0", "a"))
            .expect("read")
            .expect("there");
        assert_eq!(
            read,
            FromCache {
                list: list(),
                freshness: Freshness::Cached
            }
        );
    }

    #[test]
    fn req_mcp_tool_9_10_other_version_is_outdated() {
        let place = place();
        place
            .files
            .write(&manifest("1.0.0", "a"), &list())
            .expect("written");
        for other in [manifest("1.0.1", "a"), manifest("1.0.0", "b")] {
            let found = place.files.read(&other).expect("read").expect("there");
            assert_eq!(found.freshness, Freshness::Outdated);
        }
    }

    #[test]
    fn req_mcp_tool_11_17_a_missing_or_broken_file_is_ignored() {
        let place = place();
        assert_eq!(place.files.read(&manifest("1", "a")), Ok(None));
        for broken in [
            "",
            "{",
            "[]",
            r#"{"version":"1","cachedAt":"yesterday","tools":[]}"#,
        ] {
            std::fs::write(place.files.path(), broken).expect("written");
            let report = place.files.read(&manifest("1", "a")).expect_err("broken");
            assert_eq!(report.code, Code::CacheUnreadable, "{broken:?}");
            assert_eq!(report.member.as_ref().map(MemberName::as_str), Some("m"));
        }
    }

    #[test]
    fn one_malformed_tool_in_a_cache_hides_nothing() {
        let place = place();
        let text = json!({"version": "1", "cachedAt": "2026-01-01T00:00:00Z", "tools": [
            {"name": "good", "inputSchema": {}}, 7,
        ]});
        std::fs::write(place.files.path(), text.to_string()).expect("written");
        let found = place
            .files
            .read(&manifest("1", "a"))
            .expect("read")
            .expect("there");
        assert_eq!(found.list.tools.len(), 1);
        assert_eq!(found.list.problems.len(), 1);
        assert_eq!(
            found.freshness,
            Freshness::Outdated,
            "without a hash, the list may be outdated"
        );
    }

    #[test]
    fn req_mcp_tool_18_unwritable_uses_data_folder() {
        let place = place();
        // A folder in the cache's place cannot be overwritten, not even by root.
        let own = place.folder.path().join("members/m/tools-cache.json");
        std::fs::create_dir_all(own.join("in the way")).expect("made");
        place
            .files
            .write(&manifest("1", "a"), &list())
            .expect("written elsewhere");
        let fallback = place.folder.path().join("data/tool-caches/m.json");
        assert!(fallback.is_file());
        let found = place
            .files
            .read(&manifest("1", "a"))
            .expect("read")
            .expect("there");
        assert_eq!(found.list, list());
        // If that fails too, the report is the only consequence.
        std::fs::remove_file(&fallback).expect("removed");
        std::fs::create_dir_all(fallback.join("in the way")).expect("made");
        let report = place
            .files
            .write(&manifest("1", "a"), &list())
            .expect_err("unwritable");
        assert_eq!(report.code, Code::CacheUnwritable);
    }

    #[test]
    fn earlier_list_never_replaces_a_later_one() {
        let place = place();
        let latest = Latest::default();
        let newer = CachedList {
            listed_at_ms: list().listed_at_ms + 1,
            ..list()
        };
        latest.put(manifest("1", "a"), list());
        latest.put(manifest("1", "a"), newer.clone());
        // Two writers for two lists: the first writer writes the newer list.
        latest.write(&place.files).expect("written");
        latest.write(&place.files).expect("nothing more to write");
        let read = place.files.read(&manifest("1", "a")).expect("read");
        assert_eq!(read.expect("there").list, newer);
    }

    #[test]
    fn mangled_cache_is_ignored_or_rereadable() {
        let place = place();
        let manifest = manifest("1.0.0", "a");
        guild_tests::mangled::each("tools-cache", |bytes| {
            std::fs::write(place.files.path(), bytes).expect("written");
            let Ok(Some(found)) = place.files.read(&manifest) else {
                return;
            };
            place.files.write(&manifest, &found.list).expect("written");
            let again = place.files.read(&manifest).expect("read").expect("a list");
            assert_eq!(again.list, found.list);
        });
    }

    #[test]
    fn last_written_list_wins_despite_the_clock() {
        let place = place();
        let manifest = manifest("1.0.0", "a");
        let of_time = |listed_at_ms| CachedList {
            listed_at_ms,
            ..list()
        };
        let read = || {
            let found = place.files.read(&manifest).expect("read");
            found.map(|found| found.list.listed_at_ms)
        };
        // The fallback's time is years ahead, from a time when the member's folder was not
        // writable.
        std::fs::create_dir_all(place.files.own.join("in the way")).expect("made");
        place
            .files
            .write(&manifest, &of_time(4_000_000_000_000))
            .expect("written aside");
        assert!(place.files.fallback.exists());
        std::fs::remove_dir_all(&place.files.own).expect("removed");
        assert_eq!(read(), Some(4_000_000_000_000));
        for now in [1_700_000_000_000, 0, 3_000_000_000_000, 5] {
            place
                .files
                .write(&manifest, &of_time(now))
                .expect("written");
            assert_eq!(read(), Some(now));
        }
    }
}
