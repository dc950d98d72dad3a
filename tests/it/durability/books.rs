//! Checks the data folder of a killed program, without using the program.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rusqlite::Connection;
use serde_json::Value;

use crate::test_env::{TestEnv, json};

/// The allowed entries of the data folder.
const KNOWN: &[&str] = &[
    "client-configs",
    "format.json",
    "gateway-clients.json",
    "gateway.json",
    "hall.lock",
    "history.db",
    "history.db-journal",
    "history.db-shm",
    "history.db-wal",
    "history.json",
    "logs",
    "ports.json",
    "running",
    "secrets.json",
    "secrets.lock",
];

/// Returns the path of the example `writer`.
pub(super) fn writer() -> PathBuf {
    let program = guild_tests::fixture_bin().with_file_name("examples/writer");
    assert!(
        program.is_file(),
        "it is not built: cargo build -p guild-tests --example writer"
    );
    program
}

/// A folder in which one writer after the other works.
pub(super) struct Books {
    pub(super) folder: PathBuf,
    ports: (u16, u16),
    /// The number of the next writer's first round.
    round: u64,
    /// All calls, saved calls and agents that any writer has promised.
    promised: BTreeSet<(String, String)>,
    pub(super) kills: usize,
}

/// The promises that a killed writer has printed.
pub(super) struct Promises(pub(super) Vec<(String, String)>);

impl Promises {
    pub(super) fn read(output: impl Read) -> Self {
        let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
        let promises = lines.filter_map(|line| {
            let line = String::from_utf8(line).expect("text");
            let (what, which) = line.split_once(' ')?;
            Some((what.to_owned(), which.to_owned()))
        });
        Self(promises.collect())
    }

    pub(super) fn last(&self, what: &str) -> Option<&str> {
        let mut found = self.0.iter().rev().filter(|(one, _)| one == what);
        found.next().map(|(_, which)| which.as_str())
    }

    fn last_number(&self, what: &str) -> Option<u64> {
        self.last(what)
            .map(|which| which.parse().expect("a number"))
    }
}

impl Books {
    pub(super) fn new(env: &TestEnv) -> Self {
        env.http("forge").write();
        let folder = env.members_dir().parent().expect("a folder").to_owned();
        let home = folder.join("home");
        fs::create_dir_all(home.join(".cursor")).expect("made");
        fs::create_dir_all(home.join(".config/zed")).expect("made");
        fs::create_dir_all(home.join(".codex")).expect("made");
        for (file, text) in [
            (
                ".cursor/mcp.json",
                r#"{"mcpServers": {"other": {"url": "x"}, "gone": {"url": "y"}}}"#,
            ),
            (
                ".config/zed/settings.json",
                "{\n  // kept\n  \"theme\": \"dark\",\n  \"context_servers\": {\"gone\": {}},\n}\n",
            ),
            (".codex/config.toml", "[mcp_servers.gone]\nurl = 'y'\n"),
        ] {
            fs::write(home.join(file), text).expect("written");
        }
        let ports = env.ports();
        Self {
            folder,
            ports: (*ports.start(), *ports.end()),
            round: 0,
            promised: BTreeSet::new(),
            kills: 0,
        }
    }

    pub(super) fn command(&self, mode: &str) -> Command {
        let mut command = Command::new(writer());
        self.arguments(&mut command, mode);
        command
    }

    /// Like [`Books::command`], with a limit for the size of files: this many blocks of 512 bytes.
    pub(super) fn command_within(&self, mode: &str, blocks: usize) -> Command {
        let mut command = Command::new("sh");
        let script = format!("ulimit -c 0; ulimit -f {blocks}; exec \"$@\"");
        command.args(["-c", &script, "sh"]).arg(writer());
        self.arguments(&mut command, mode);
        command
    }

    fn arguments(&self, command: &mut Command, mode: &str) {
        let (first, last) = self.ports;
        command
            .arg(mode)
            .arg(&self.folder)
            .args([self.round.to_string(), first.to_string(), last.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
    }

    /// Makes a waiting writer start to write.
    pub(super) fn begin(child: &mut Child) {
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(b"go\n").expect("it listens");
    }

    /// Checks the files after a writer has ended: all promised writes are there, and no file is
    /// damaged.
    pub(super) fn after_kill(&mut self, mut child: Child, how: &str) -> Promises {
        let output = child.stdout.take().expect("a pipe");
        self.after(child, output, how)
    }

    /// Like [`Books::after_kill`], if the caller has taken the writer's stdout.
    pub(super) fn after(&mut self, mut child: Child, output: impl Read, how: &str) -> Promises {
        let promises = Promises::read(output);
        let mut printed = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut printed).expect("text");
        let _ = child.wait();
        assert_eq!(printed, "", "{how}: a writer says nothing on its own");
        self.kills += 1;
        self.round = promises
            .last_number("round")
            .map_or(self.round, |round| round + 1)
            + 1;
        let lasting = |(what, _): &&(String, String)| matches!(what.as_str(), "call" | "saved");
        self.promised
            .extend(promises.0.iter().filter(lasting).cloned());
        self.check(&promises, how);
        promises
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn check(&self, promises: &Promises, how: &str) {
        let mut files = Vec::new();
        walk(&self.folder, &mut files);
        let of = |file: &Path| file.strip_prefix(&self.folder).expect("below").to_owned();
        for file in &files {
            if file
                .extension()
                .is_some_and(|extension| extension == "json")
                && !file.ends_with("zed/settings.json")
            {
                // Fails with the file's name if it is not JSON.
                json(file);
            }
        }
        let aside: Vec<_> = files
            .iter()
            .filter(|file| !self.is_known(&of(file)))
            .map(|file| of(file))
            .collect();
        // A kill may leave temporary files. The next program that writes to their folder removes
        // them.
        let mut folders: Vec<_> = aside.iter().filter_map(|file| file.parent()).collect();
        folders.sort();
        assert!(
            aside.iter().all(|file| is_temporary(file)) && folders.is_sorted_by(|a, b| a < b),
            "{how}: {aside:?} stand about"
        );
        self.check_small_files(promises, how);
        self.check_history(promises, how);
    }

    fn is_known(&self, file: &Path) -> bool {
        let mut parts = file
            .components()
            .map(|part| part.as_os_str().to_string_lossy());
        let (first, second) = (parts.next(), parts.next());
        match first.as_deref() {
            Some("data") => {
                second.is_some_and(|name| KNOWN.contains(&&*name)) && !is_temporary(file)
            }
            Some("members" | "home") => !is_temporary(file),
            _ => false,
        }
    }

    fn check_small_files(&self, promises: &Promises, how: &str) {
        let read = |name: &str| {
            let file = self.data().join(name);
            if file.exists() {
                json(&file)
            } else {
                Value::Null
            }
        };
        let forge = self.folder.join("members/forge");
        if let Some(round) = promises.last_number("cache") {
            let cache = json(&forge.join("tools-cache.json"));
            let at = cache["cachedAt"].as_str().expect("a time");
            assert!(
                !cache["tools"].as_array().expect("tools").is_empty(),
                "{how}"
            );
            assert!(
                at.starts_with("2023-11-14T"),
                "{how}: round {round} is kept"
            );
        }
        if let Some(round) = promises.last("policy") {
            let policy = &read("gateway.json")["policies"]["forge"][format!("t{round}")];
            assert_eq!(policy, "deny", "{how}");
        }
        if let Some(agent) = promises.last("client") {
            let clients = read("gateway-clients.json");
            let clients = clients["clients"].as_array().expect("clients");
            let kept = clients.iter().any(|client| client["name"] == agent);
            assert!(kept, "{how}: {agent} has no token");
        }
        if let Some(round) = promises.last_number("secret") {
            let value = read("secrets.json")["ROUND"]
                .as_str()
                .expect("a secret")
                .to_owned();
            let kept: u64 = value
                .rsplit(' ')
                .next()
                .expect("a word")
                .parse()
                .expect("a number");
            assert!(kept >= round, "{how}: {value} is older than {round}");
        }
        if let Some(round) = promises.last_number("settings") {
            let kept = read("history.json")["keepCalls"]
                .as_u64()
                .expect("a number");
            assert!(kept >= 100_000 + round, "{how}");
        }
        let cursor = json(&self.folder.join("home/.cursor/mcp.json"));
        assert_eq!(cursor["mcpServers"]["other"]["url"], "x", "{how}");
        let zed = fs::read_to_string(self.folder.join("home/.config/zed/settings.json"));
        let zed = zed.expect("text");
        // The backup contains the entries that were removed from the file.
        for (file, backup) in [
            ("home/.cursor/mcp.json", "cursor.before"),
            ("home/.config/zed/settings.json", "zed.before"),
            ("home/.codex/config.toml", "codex.before"),
        ] {
            let files = [
                self.folder.join(file),
                self.data().join("client-configs").join(backup),
            ];
            let mut texts = files
                .iter()
                .filter_map(|file| fs::read_to_string(file).ok());
            assert!(texts.any(|text| text.contains("gone")), "{how}: {file}");
        }
        assert!(
            zed.contains("// kept") && zed.ends_with("}\n"),
            "{how}: {zed}"
        );
    }

    /// Checks a copy of the history, so that the next writer finds the file and its log unchanged.
    fn check_history(&self, promises: &Promises, how: &str) {
        if !self.data().join("history.db").exists() {
            assert!(self.promised.is_empty(), "{how}: the history is gone");
            return;
        }
        let copy = tempfile::tempdir().expect("a folder");
        for name in ["history.db", "history.db-journal", "history.db-wal"] {
            if self.data().join(name).exists() {
                fs::copy(self.data().join(name), copy.path().join(name)).expect("copied");
            }
        }
        let connection = Connection::open(copy.path().join("history.db")).expect("opened");
        let one = |sql: &str| -> String {
            let value: rusqlite::types::Value = connection
                .query_row(sql, [], |row| row.get(0))
                .unwrap_or_else(|error| panic!("{how}: {sql}: {error}"));
            match value {
                rusqlite::types::Value::Text(text) => text,
                other => format!("{other:?}"),
            }
        };
        assert_eq!(one("PRAGMA integrity_check"), "ok", "{how}");
        if one("PRAGMA user_version") == "Integer(0)" {
            assert!(self.promised.is_empty(), "{how}: the tables are gone");
            return;
        }
        let strays = "SELECT count(*) FROM calls LEFT JOIN contents USING (id) WHERE contents.id IS NULL \
             OR (SELECT calls FROM totals) <> (SELECT count(*) FROM calls)";
        assert_eq!(one(strays), "Integer(0)", "{how}: half a call");
        let all = |sql: &str| -> BTreeSet<String> {
            let mut statement = connection.prepare(sql).expect("prepared");
            let rows = statement.query_map([], |row| row.get(0)).expect("asked");
            rows.map(|row| row.expect("a row")).collect()
        };
        let (calls, saved) = (
            all("SELECT call FROM calls"),
            all("SELECT name FROM saved_calls"),
        );
        for (what, which) in &self.promised {
            let kept = match what.as_str() {
                "call" => calls.contains(which),
                _ => saved.contains(&format!("saved {which}")),
            };
            assert!(kept, "{how}: {what} {which} is lost");
        }
        if let Some(round) = promises.last_number("draft") {
            let draft: Value =
                serde_json::from_str(&one("SELECT draft FROM drafts")).expect("JSON");
            assert!(
                draft["round"].as_u64().is_some_and(|kept| kept >= round),
                "{how}"
            );
        }
    }

    /// Returns the number of promises of this kind.
    pub(super) fn promised(&self, what: &str) -> usize {
        self.promised.iter().filter(|(one, _)| one == what).count()
    }
}

/// Whether a file is a temporary file that was about to be renamed.
fn is_temporary(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(".guild-hall-")
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&entry.path(), files),
            _ => files.push(entry.path()),
        }
    }
}
