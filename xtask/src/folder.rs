//! Temporary folders of members that run the tests' fixture server or other programs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;
use guild_model::manifest;
use serde_json::{Value, json};

use crate::program::Program;

/// A link to the form that a measured window shows: six fields of five kinds.
pub(crate) const FORM: &str = "guildhall://tool/member-000/tool_000_000";
/// Number of tools besides `echo` of a member in a measured window.
const BESIDES: usize = 15;

/// A temporary folder with members and data, separate from the user's. Removed on drop.
pub(crate) struct Folder {
    root: tempfile::TempDir,
}

impl Folder {
    /// Creates a folder without members.
    pub(crate) fn new() -> Result<Self> {
        let root = tempfile::Builder::new()
            .prefix("guild-hall-xtask-")
            .tempdir()
            .context("a folder for members")?;
        for name in ["members", "data", "home"] {
            let path = root.path().join(name);
            fs::create_dir_all(&path)?;
        }
        Ok(Self { root })
    }

    /// Creates members with valid caches of their tool lists.
    pub(crate) fn with_caches(fixture: &Path, members: usize, tools: usize) -> Result<Self> {
        let folder = Self::new()?;
        let switches = ["--tools", &tools.to_string()];
        for number in 0..members {
            let member = folder.add_fixture(fixture, &numbered(number), "stdio", &switches)?;
            member.write_cache(number, tools)?;
        }
        Ok(folder)
    }

    /// Creates members with these fields in their manifests.
    pub(crate) fn of_servers(servers: &[Value]) -> Result<Self> {
        let folder = Self::new()?;
        for (number, fields) in servers.iter().enumerate() {
            folder.add(&numbered(number), fields.clone())?;
        }
        Ok(folder)
    }

    /// Creates one stdio member for each entry of `boots_ms`: the time that the member waits before
    /// it reads its first request, in milliseconds.
    pub(crate) fn of_booting_members(fixture: &Path, boots_ms: &[u64]) -> Result<Self> {
        let folder = Self::new()?;
        for (number, boot_ms) in boots_ms.iter().enumerate() {
            let switches = ["--boot-ms", &boot_ms.to_string()];
            folder.add_fixture(fixture, &numbered(number), "stdio", &switches)?;
        }
        Ok(folder)
    }

    /// Creates two members whose `echo` answers with its arguments: one over HTTP, one over stdio.
    pub(crate) fn of_echoes(fixture: &Path) -> Result<Self> {
        let folder = Self::new()?;
        for (number, transport) in ["http", "stdio"].into_iter().enumerate() {
            folder.add_fixture(fixture, &numbered(number), transport, &[])?;
        }
        Ok(folder)
    }

    /// Creates members whose `echo` answers with its arguments, alternately over HTTP and stdio.
    /// Each also has tools of the usual size.
    pub(crate) fn of_both_kinds(fixture: &Path, members: usize) -> Result<Self> {
        let switches = ["--tools-json", "tools.json"];
        let folder = Self::new()?;
        for number in 0..members {
            let transport = ["http", "stdio"][number % 2];
            let member = folder.add_fixture(fixture, &numbered(number), transport, &switches)?;
            let mut tools = tools_of(number, BESIDES);
            tools.push(echo());
            member.write("tools.json", &Value::Array(tools))?;
        }
        Ok(folder)
    }

    /// Creates members with this transport, each with this number of tools of the usual size.
    pub(crate) fn with_tools(
        fixture: &Path,
        transport: &str,
        members: usize,
        tools: usize,
    ) -> Result<Self> {
        let folder = Self::new()?;
        let switches = ["--tools-json", "tools.json"];
        for number in 0..members {
            let member = folder.add_fixture(fixture, &numbered(number), transport, &switches)?;
            member.write("tools.json", &Value::Array(tools_of(number, tools)))?;
        }
        Ok(folder)
    }

    /// Adds a member that runs the fixture with these switches.
    pub(crate) fn add_fixture(
        &self,
        fixture: &Path,
        name: &str,
        transport: &str,
        switches: &[&str],
    ) -> Result<FolderMember> {
        let way: &[&str] = match transport {
            "http" => &["--port", "${PORT}"],
            _ => &["--stdio"],
        };
        // Longer than any measurement. By default, the fixture ends after minutes.
        let life = ["--max-life-ms", "100000000"];
        let args = [way, &life, switches].concat();
        let fields = json!({ "transport": transport, "command": fixture, "args": args });
        self.add(name, fields)
    }

    fn add(&self, name: &str, mut manifest: Value) -> Result<FolderMember> {
        let folder = self.root.path().join("members").join(name);
        fs::create_dir_all(&folder)?;
        manifest["name"] = name.into();
        manifest["version"] = "1.0.0".into();
        manifest["description"] = format!("{name}, made by a task").into();
        let member = FolderMember { folder, manifest };
        member.write("plugin.json", &member.manifest)?;
        Ok(member)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.root.path().join("data")
    }

    /// Returns the options that open these members.
    pub(crate) fn options(&self) -> [PathBuf; 4] {
        let members = self.root.path().join("members");
        ["--members".into(), members, "--data".into(), self.data()]
    }

    /// Returns a program with an empty home folder, so that it does not start or change the user's
    /// shell and agents.
    pub(crate) fn at_home(&self, program: PathBuf) -> Program {
        Program::new(program).env("HOME", self.root.path().join("home"))
    }
}

pub(crate) struct FolderMember {
    folder: PathBuf,
    manifest: Value,
}

impl FolderMember {
    /// Writes the cache like the engine, which ignores a cache in another format.
    fn write_cache(&self, number: usize, tools: usize) -> Result<()> {
        let parsed = manifest::parse(self.manifest.to_string().as_bytes(), "plugin.json");
        let manifest = parsed.manifest.context("the manifest is refused")?;
        let cache = json!({
            "version": "1.0.0",
            "cachedAt": "2026-01-31T12:00:00.000Z",
            "configHash": manifest::config_hash(&manifest),
            "era": "legacy",
            "tools": tools_of(number, tools),
        });
        self.write("tools-cache.json", &cache)
    }

    fn write(&self, name: &str, content: &Value) -> Result<()> {
        let path = self.folder.join(name);
        fs::write(&path, content.to_string())?;
        Ok(())
    }
}

fn numbered(number: usize) -> String {
    format!("member-{number:03}")
}

/// Returns the definition of the fixture's tool that answers with its arguments.
fn echo() -> Value {
    json!({"name": "echo", "description": "Answers with its arguments", "inputSchema": {"type": "object"}})
}

fn tools_of(member: usize, tools: usize) -> Vec<Value> {
    (0..tools).map(|number| tool(member, number)).collect()
}

/// Returns a tool of the usual size: a description of two sentences, six arguments, hints.
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
