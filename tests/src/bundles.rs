//! Bundles built byte by byte: valid ones, and dangerous ones.

#![expect(
    clippy::expect_used,
    reason = "a bundle that a test needs and that can't be written has to end the test"
)]

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};

/// The mode of a regular readable file, for the upper half of an entry's attributes.
pub const FILE: u32 = 0o100_644;
/// The mode of a folder.
pub const FOLDER: u32 = 0o040_755;
/// The mode of an executable, with more bits than an unpacked file should have.
pub const PROGRAM: u32 = 0o104_777;
/// The mode of a symbolic link.
pub const LINK: u32 = 0o120_777;
/// The mode of a device.
pub const DEVICE: u32 = 0o060_644;

/// One entry of an archive.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The name in the central directory.
    pub name: Vec<u8>,
    /// The unpacked content.
    pub content: Vec<u8>,
    /// The Unix mode, with the file type.
    pub mode: u32,
    /// Additional flags.
    pub flags: u16,
    /// The name in the entry's local header, if it differs.
    pub local_name: Option<Vec<u8>>,
    /// A wrong length of the content, which the archive declares instead of the real one.
    pub says: Option<u32>,
    /// Whether the entry points to the packed bytes of the first entry.
    pub over_first: bool,
}

impl Entry {
    /// Returns a regular file.
    pub fn new(name: impl Into<Vec<u8>>, content: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            content: content.into(),
            mode: FILE,
            flags: 0,
            local_name: None,
            says: None,
            over_first: false,
        }
    }

    /// Returns the entry with another mode.
    pub fn mode(mut self, mode: u32) -> Self {
        self.mode = mode;
        self
    }
}

/// A bundle that is being built.
#[derive(Debug, Clone, Default)]
pub struct Packing {
    /// The entries, in the order of the archive.
    pub entries: Vec<Entry>,
    /// Bytes after the archive.
    pub behind: Vec<u8>,
    /// Bytes before the archive.
    pub before: Vec<u8>,
}

impl Packing {
    /// Returns a bundle with only a manifest.
    pub fn new(manifest: &Value) -> Self {
        let manifest = Entry::new("manifest.json", manifest.to_string());
        Self {
            entries: vec![manifest],
            ..Self::default()
        }
    }

    /// Returns the bundle with one more entry.
    pub fn with(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }

    /// Returns the archive as bytes.
    ///
    /// # Panics
    /// Never, since writing to memory does not fail.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.before.clone();
        let mut list = Vec::new();
        for (at, entry) in self.entries.iter().enumerate() {
            let packed = deflated(&entry.content);
            let says = entry.says.unwrap_or(entry.content.len() as u32);
            let mut crc = flate2::Crc::new();
            crc.update(&entry.content);
            // The local header and the central directory differ in signature and versions, and
            // share the rest.
            let mut shared = Vec::new();
            shared.extend((entry.flags | 0x0800).to_le_bytes());
            shared.extend(8u16.to_le_bytes());
            shared.extend([0, 0, 0x21, 0x58]);
            shared.extend(crc.sum().to_le_bytes());
            shared.extend((packed.len() as u32).to_le_bytes());
            shared.extend(says.to_le_bytes());
            let mut offset = bytes.len() as u32;
            if entry.over_first && at > 0 {
                offset = self.before.len() as u32;
            } else {
                let name = entry.local_name.as_ref().unwrap_or(&entry.name);
                bytes.extend(b"PK\x03\x04\x14\x00");
                bytes.extend(&shared);
                bytes.extend((name.len() as u16).to_le_bytes());
                bytes.extend([0, 0]);
                bytes.extend(name);
                bytes.extend(&packed);
            }
            // Made on Unix, by version 3.0.
            list.extend(b"PK\x01\x02\x1e\x03\x14\x00");
            list.extend(&shared);
            list.extend((entry.name.len() as u16).to_le_bytes());
            list.extend([0; 8]);
            list.extend((entry.mode << 16).to_le_bytes());
            list.extend(offset.to_le_bytes());
            list.extend(&entry.name);
        }
        let count = (self.entries.len() as u16).to_le_bytes();
        let list_at = bytes.len() as u32;
        bytes.extend(&list);
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        bytes.extend(count);
        bytes.extend(count);
        bytes.extend((list.len() as u32).to_le_bytes());
        bytes.extend(list_at.to_le_bytes());
        bytes.extend([0, 0]);
        bytes.extend(&self.behind);
        bytes
    }

    /// Writes the archive to a file.
    ///
    /// # Panics
    /// When the file can't be written.
    pub fn write(&self, folder: &Path, name: &str) -> PathBuf {
        let path = folder.join(name);
        std::fs::write(&path, self.bytes()).expect("written");
        path
    }
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).expect("packed");
    encoder.finish().expect("packed")
}

/// An MCP server over stdio that reports its arguments and variables.
const SERVER: &str = include_str!("bundles/server.mjs");

/// Returns the manifest of a bundle with that server.
pub fn manifest(version: &str) -> Value {
    json!({
        "manifest_version": "0.3",
        "name": "weather",
        "display_name": "Weather Here",
        "version": version,
        "description": "Weather for a place",
        "author": {"name": "Weather Works"},
        "server": {
            "type": "node",
            "entry_point": "server/index.mjs",
            "mcp_config": {
                "command": "node",
                "args": ["${__dirname}/server/index.mjs", "--place", "${user_config.place}"],
                "env": {"WEATHER_KEY": "${user_config.api_key}", "VERSION": version}
            }
        },
        "tools": [{"name": "started_with", "description": "What it was started with"}],
        "user_config": {
            "place": {"type": "string", "title": "Place", "description": "Where", "default": "Oslo"},
            "api_key": {
                "type": "string", "title": "Key", "description": "Of your account",
                "sensitive": true, "required": true
            }
        }
    })
}

/// Returns the bundle with that server.
pub fn weather(version: &str) -> Packing {
    Packing::new(&manifest(version))
        .with(Entry::new("server/", "").mode(FOLDER))
        .with(Entry::new("server/index.mjs", SERVER))
        .with(Entry::new("server/run.sh", "#!/bin/sh\n").mode(PROGRAM))
}
