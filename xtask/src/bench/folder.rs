//! Folders of members to measure with, gone when they are dropped.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result};
use guild_core::manifest;
use serde_json::{Value, json};

use crate::program::Program;

/// A link to the form that stands on the screen while a window is measured: six fields of five kinds.
pub(crate) const FORM: &str = "guildhall://tool/member-000/tool_000_000";
/// How many tools a member has besides `echo` where a window is measured.
const BESIDES: usize = 15;

/// Members and data of their own, apart from the user's.
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Members whose tool lists are cached and in force.
    pub(crate) fn with_caches(fixture: &Path, members: usize, tools: usize) -> Result<Self> {
        let folder = Self::new()?;
        for number in 0..members {
            let words = [
                "--stdio".to_owned(),
                "--tools".to_owned(),
                tools.to_string(),
            ];
            let own = folder.add(fixture, number, "stdio", &words)?;
            own.write_cache(number, tools)?;
        }
        Ok(folder)
    }

    /// Members over HTTP that take a while before they listen.
    pub(crate) fn of_slow_members(fixture: &Path, members: usize, boot_ms: u64) -> Result<Self> {
        let folder = Self::new()?;
        for number in 0..members {
            let words = ["--port", "${PORT}", "--boot-ms"].map(str::to_owned);
            let words = [words.as_slice(), &[boot_ms.to_string()]].concat();
            folder.add(fixture, number, "http", &words)?;
        }
        Ok(folder)
    }

    /// Members with these fields in their manifests.
    pub(crate) fn of_servers(servers: &[Value]) -> Result<Self> {
        let folder = Self::new()?;
        for (number, fields) in servers.iter().enumerate() {
            let name = format!("member-{number:03}");
            let path = folder.root.join("members").join(&name);
            fs::create_dir_all(&path).with_context(|| format!("creating {}", path.display()))?;
            let mut manifest = fields.clone();
            manifest["name"] = name.into();
            manifest["version"] = "1.0.0".into();
            let member = Member {
                folder: path,
                manifest,
            };
            member.write("plugin.json", &member.manifest)?;
        }
        Ok(folder)
    }

    /// Members on pipes, each with how long it takes before it reads.
    pub(crate) fn of_booting_members(fixture: &Path, boots_ms: &[u64]) -> Result<Self> {
        let folder = Self::new()?;
        for (number, boot_ms) in boots_ms.iter().enumerate() {
            folder.add(fixture, number, "stdio", &booting(*boot_ms))?;
        }
        Ok(folder)
    }

    /// One member over HTTP that has so many tools of the usual size.
    pub(crate) fn of_one_with_tools(fixture: &Path, tools: usize) -> Result<Self> {
        let folder = Self::new()?;
        let words = ["--port", "${PORT}", "--tools-json", "tools.json"].map(str::to_owned);
        let own = folder.add(fixture, 0, "http", &words)?;
        own.write_tools(0, tools)?;
        Ok(folder)
    }

    /// Two members whose `echo` answers with its arguments: one over HTTP, one on pipes.
    pub(crate) fn of_echoes(fixture: &Path) -> Result<Self> {
        let folder = Self::new()?;
        let words = ["--port", "${PORT}"].map(str::to_owned);
        folder.add(fixture, 0, "http", &words)?;
        folder.add(fixture, 1, "stdio", &["--stdio".to_owned()])?;
        Ok(folder)
    }

    /// So many members whose `echo` answers with its arguments, by turns over HTTP and on pipes; each has
    /// tools of the usual size besides.
    pub(crate) fn of_both_kinds(fixture: &Path, members: usize) -> Result<Self> {
        let folder = Self::new()?;
        for number in 0..members {
            let (transport, words): (_, &[&str]) = match number % 2 {
                0 => ("http", &["--port", "${PORT}"]),
                _ => ("stdio", &["--stdio"]),
            };
            let words = [
                words,
                &["--tools-json", "tools.json"],
                // Longer than anybody measures; by itself it would end after minutes.
                &["--max-life-ms", "100000000"],
            ];
            let words: Vec<_> = words.concat().into_iter().map(str::to_owned).collect();
            let own = folder.add(fixture, number, transport, &words)?;
            let mut tools = tools_of(number, BESIDES);
            tools.push(echo());
            own.write("tools.json", &Value::Array(tools))?;
        }
        Ok(folder)
    }

    /// Members that have so many tools of the usual size each.
    pub(crate) fn with_tools(fixture: &Path, members: usize, tools: usize) -> Result<Self> {
        let folder = Self::new()?;
        for number in 0..members {
            let words = ["--stdio", "--tools-json", "tools.json"].map(str::to_owned);
            let own = folder.add(fixture, number, "stdio", &words)?;
            own.write_tools(number, tools)?;
        }
        Ok(folder)
    }

    /// The options that open these members.
    pub(crate) fn options(&self) -> [String; 4] {
        let path = |name: &str| self.root.join(name).display().to_string();
        [
            "--members".into(),
            path("members"),
            "--data".into(),
            path("data"),
        ]
    }

    /// A program, about to be started in a home of its own, in which nothing is: a user's shell starts
    /// what it likes, and agents' files stay as they are.
    pub(crate) fn at_home(&self, program: PathBuf) -> Program {
        Program::new(program).env("HOME", self.root.join("home"))
    }

    fn new() -> Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("guild-hall-bench-{}-{number}", std::process::id());
        let root = std::env::temp_dir().join(name);
        for name in ["members", "data", "home"] {
            let path = root.join(name);
            fs::create_dir_all(&path).with_context(|| format!("creating {}", path.display()))?;
        }
        Ok(Self { root })
    }

    fn add(
        &self,
        fixture: &Path,
        number: usize,
        transport: &str,
        args: &[String],
    ) -> Result<Member> {
        let name = format!("member-{number:03}");
        let folder = self.root.join("members").join(&name);
        fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
        let manifest = json!({
            "name": name,
            "version": "1.0.0",
            "description": format!("Member number {number} of the bench"),
            "transport": transport,
            "command": fixture.display().to_string(),
            "args": args,
        });
        let member = Member { folder, manifest };
        member.write("plugin.json", &member.manifest)?;
        Ok(member)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in the system's folder for such files is no harm.
        let _ = fs::remove_dir_all(&self.root);
    }
}

struct Member {
    folder: PathBuf,
    manifest: Value,
}

impl Member {
    /// Writes the cache as the engine does; `list` fails where it does not take it for one.
    fn write_cache(&self, number: usize, tools: usize) -> Result<()> {
        let parsed = manifest::parse(self.manifest.to_string().as_bytes(), "plugin.json");
        let manifest = parsed.manifest.context("the bench's manifest is refused")?;
        let tools = tools_of(number, tools);
        let cache = json!({
            "version": "1.0.0",
            "cachedAt": "2026-01-31T12:00:00.000Z",
            "configHash": manifest::config_hash(&manifest),
            "era": "legacy",
            "tools": tools,
        });
        self.write("tools-cache.json", &cache)
    }

    fn write_tools(&self, number: usize, tools: usize) -> Result<()> {
        self.write("tools.json", &Value::Array(tools_of(number, tools)))
    }

    fn write(&self, name: &str, content: &Value) -> Result<()> {
        let path = self.folder.join(name);
        fs::write(&path, content.to_string()).with_context(|| format!("writing {}", path.display()))
    }
}

/// The arguments of a fixture on pipes that takes a while before it reads.
pub(crate) fn booting(boot_ms: u64) -> [String; 3] {
    ["--stdio".into(), "--boot-ms".into(), boot_ms.to_string()]
}

/// What the fixture answers with its arguments, as a list from a file names it.
fn echo() -> Value {
    json!({"name": "echo", "description": "Answers with its arguments", "inputSchema": {"type": "object"}})
}

fn tools_of(member: usize, tools: usize) -> Vec<Value> {
    (0..tools).map(|number| tool(member, number)).collect()
}

/// A tool of the usual size: a description of two sentences, six arguments, hints.
fn tool(member: usize, tool: usize) -> Value {
    json!({
        "name": format!("tool_{member:03}_{tool:03}"),
        "title": format!("Tool {tool} of member {member}"),
        "description": "Finds the entries that fit and gives them back in pages. An entry fits \
                        when each word of the query occurs in it.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "The words that have to occur"},
                "path": {"type": "string", "description": "Where to begin", "default": "."},
                "limit": {"type": "integer", "minimum": 1, "maximum": 500, "default": 50},
                "recursive": {"type": "boolean", "default": true},
                "kind": {"type": "string", "enum": ["file", "folder", "link"]},
                "exclude": {"type": "array", "items": {"type": "string"}}
            },
            "required": ["query"]
        },
        "annotations": {"readOnlyHint": true, "openWorldHint": false}
    })
}
