//! The members of a run, and the kinds of behavior that they can have.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Outcome;

pub(crate) struct Role {
    pub(crate) name: &'static str,
    /// Whether the run leaves the member alone. Such a member must work although other members
    /// fail.
    pub(crate) quiet: bool,
    /// Whether the member uses HTTP. Other members use stdio.
    pub(crate) http: bool,
    words: &'static str,
}

const fn quiet(name: &'static str, http: bool, words: &'static str) -> Role {
    Role {
        name,
        quiet: true,
        http,
        words,
    }
}

const fn troubled(name: &'static str, http: bool, words: &'static str) -> Role {
    Role {
        quiet: false,
        ..quiet(name, http, words)
    }
}

/// All members. They cover both transports, both protocol eras, and both kinds of answers.
pub(crate) const CAST: &[Role] = &[
    quiet("calm-http", true, ""),
    quiet("calm-stdio", false, ""),
    troubled("anvil", true, ""),
    troubled("barrel", false, ""),
    troubled("cart", true, "--answer sse"),
    troubled("drum", false, "--era modern"),
    troubled("easel", true, "--era modern"),
    troubled("forge", false, "--offers"),
    troubled("gate", true, "--sessions"),
    troubled("hammer", false, "--noise"),
    troubled("inn", true, "--era both --answer sse"),
    troubled("jug", false, "--tools 200 --page-size 50"),
    troubled("kiln", true, "--no-get"),
    troubled("loom", false, ""),
];

/// The behavior of a member from its next start on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mood {
    pub(crate) name: &'static str,
    words: &'static str,
}

const fn mood(name: &'static str, words: &'static str) -> Mood {
    Mood { name, words }
}

/// All kinds of behavior. The good one is listed several times, so that enough members work.
pub(crate) const MOODS: &[Mood] = &[
    mood("well", ""),
    mood("well", ""),
    mood("well", ""),
    mood("well", ""),
    mood("ends at once", "--exit-at-once 3"),
    mood("ends soon", "--crash-after-ms 40"),
    mood("ends later", "--crash-after-ms 900"),
    mood("ends as it is greeted", "--crash-on initialize"),
    mood("ends as it is discovered", "--crash-on server/discover"),
    mood("ends as it is listed", "--crash-on tools/list"),
    mood("ends as it is called", "--crash-on-call"),
    mood("starts slowly", "--boot-ms 2500"),
    mood("never listens", "--never-listen"),
    mood("never greets", "--listen-mute --on initialize"),
    mood("never lists", "--listen-mute --on tools/list"),
    mood("never answers", "--listen-mute --on tools/call"),
    mood("stays", "--ignore-term --ignore-eof"),
    mood("has children", "--grandchildren 3"),
    mood(
        "has children that stay",
        "--grandchildren 2 --grandchildren-ignore-term --ignore-term --ignore-eof",
    ),
    mood("child in a session of its own", "--runaway session"),
    mood(
        "child that forked twice",
        "--runaway daemon --grandchildren-ignore-term",
    ),
    mood("child without environment", "--runaway bare --ignore-term"),
    mood("breeds", "--breed 3"),
    mood("floods stderr", "--stderr-flood 20000000"),
    mood(
        "floods stderr without lines",
        "--stderr-flood-unbroken 20000000",
    ),
    mood("notifies without end", "--notes 1000000"),
    mood("writes no HTTP", "--garbage --on tools/call"),
    mood("breaks off its JSON", "--bad-json --on tools/call"),
    mood("shows a page", "--html --on tools/list"),
    mood("says 500", "--status 500 --on tools/call"),
    mood("never ends a body", "--endless-body --on tools/call"),
    mood("closes in the middle", "--cut --on tools/call"),
    mood("says more than it sends", "--say-more --on tools/call"),
    mood("sends more than it says", "--say-less --on tools/call"),
];

pub(crate) struct Stage {
    pub(crate) root: PathBuf,
    pub(crate) members: PathBuf,
    pub(crate) data: PathBuf,
    pub(crate) guildhall: PathBuf,
    pub(crate) fixture: PathBuf,
}

impl Stage {
    /// Links or copies the programs into a folder of this run. Processes of the run are recognized
    /// by the path of their program, even if their environment was cleared.
    pub(crate) fn set(root: &Path, guildhall: &Path, fixture: &Path) -> Outcome<Self> {
        let root = root.canonicalize()?;
        let programs = root.join("programs");
        for folder in ["programs", "moods", "tools", "starts", "away", "logs"] {
            fs::create_dir_all(root.join(folder))?;
        }
        let own = |program: &Path| -> Outcome<PathBuf> {
            let name = program.file_name().ok_or("a program without a name")?;
            let own = programs.join(name);
            match fs::hard_link(program, &own) {
                Err(error) if error.kind() == ErrorKind::CrossesDevices => {
                    fs::copy(program, &own)?;
                }
                linked => linked?,
            }
            Ok(own)
        };
        Ok(Self {
            members: root.join("members"),
            data: root.join("data"),
            guildhall: own(guildhall)?,
            fixture: own(fixture)?,
            root,
        })
    }

    /// Whether the path of a program is in the folder of this run.
    pub(crate) fn owns(&self, program: &Path) -> bool {
        program.starts_with(&self.root)
    }

    /// Writes the folders of all members, with good behavior.
    pub(crate) fn people(&self, life_ms: u64) -> Outcome<()> {
        for role in CAST {
            self.put(&self.mood_of(role.name), b"")?;
            self.offer(role.name, 0)?;
            let folder = self.members.join(role.name);
            fs::create_dir_all(&folder)?;
            let manifest = self.manifest(role, life_ms).to_string();
            self.put(&folder.join("plugin.json"), manifest.as_bytes())?;
        }
        Ok(())
    }

    fn manifest(&self, role: &Role, life_ms: u64) -> Value {
        let (transport, way) = match role.http {
            true => ("http", "--port \"$1\""),
            false => ("stdio", "--stdio"),
        };
        let tools = match role.words.contains("--tools") {
            true => String::new(),
            false => format!("--change-tools-file {}", self.tools_of(role.name).display()),
        };
        // Records each start, and reads the switches of the member's behavior from its file.
        let script = format!(
            "echo $$ >> {} && exec {} {way} --max-life-ms {life_ms} {} {tools} $(cat {})",
            self.starts_of(role.name).display(),
            self.fixture.display(),
            role.words,
            self.mood_of(role.name).display(),
        );
        let port = match role.http {
            true => "${PORT}",
            false => "",
        };
        let mut manifest = json!({
            "name": role.name,
            "version": "1.0.0",
            "description": "One of the cast",
            "transport": transport,
            "command": "/bin/sh",
            "args": ["-c", script, role.name, port],
        });
        if !role.quiet {
            // Short time limits end failures soon, so that the run has time for more of them.
            manifest["timeouts"] = json!({
                "start_ms": 6_000, "handshake_ms": 3_000, "call_ms": 4_000, "discovery_ms": 4_000,
            });
        }
        manifest
    }

    fn mood_of(&self, member: &str) -> PathBuf {
        self.root.join("moods").join(member)
    }

    fn tools_of(&self, member: &str) -> PathBuf {
        self.root.join("tools").join(member)
    }

    fn starts_of(&self, member: &str) -> PathBuf {
        self.root.join("starts").join(member)
    }

    /// Sets the behavior of a member from its next start on.
    pub(crate) fn give(&self, member: &str, mood: &Mood) -> Outcome<()> {
        self.put(&self.mood_of(member), mood.words.as_bytes())
    }

    /// Writes a member's tools: those that the run calls, and `count` others.
    pub(crate) fn offer(&self, member: &str, count: u64) -> Outcome<()> {
        let tool = |name: String| {
            json!({
                "name": name,
                "description": "A tool that comes and goes",
                "inputSchema": {"type": "object", "additionalProperties": true},
            })
        };
        let called = ["echo", "slow", "crash", "change_tools"].map(str::to_owned);
        let passing = (0..count).map(|number| format!("passing_{number}"));
        let tools: Vec<Value> = called.into_iter().chain(passing).map(tool).collect();
        self.put(
            &self.tools_of(member),
            Value::from(tools).to_string().as_bytes(),
        )
    }

    /// Moves a member's manifest out of its folder, or back.
    pub(crate) fn remove(&self, member: &str, away: bool) -> Outcome<()> {
        let here = self.members.join(member).join("plugin.json");
        let there = self.root.join("away").join(member);
        let (from, to) = if away { (here, there) } else { (there, here) };
        // The manifest may already be moved.
        match fs::rename(from, to) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Returns the number of processes that were started as members.
    pub(crate) fn starts(&self) -> usize {
        let count = |role: &Role| {
            let starts = fs::read_to_string(self.starts_of(role.name)).unwrap_or_default();
            starts.lines().count()
        };
        CAST.iter().map(count).sum()
    }

    /// Replaces the file in one step, so that no reader gets a partial file.
    fn put(&self, file: &Path, bytes: &[u8]) -> Outcome<()> {
        let draft = self.root.join("draft");
        fs::write(&draft, bytes)?;
        Ok(fs::rename(draft, file)?)
    }
}
