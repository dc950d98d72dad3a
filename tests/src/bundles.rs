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

/// A regular file that may be read, in the upper half of an entry's attributes.
pub const FILE: u32 = 0o100_644;
/// A folder.
pub const FOLDER: u32 = 0o040_755;
/// An executable, with more mode bits than any user should get.
pub const PROGRAM: u32 = 0o104_777;
/// A link.
pub const LINK: u32 = 0o120_777;
/// A device.
pub const DEVICE: u32 = 0o060_644;

/// One entry of an archive.
#[derive(Debug, Clone)]
pub struct Entry {
    /// As the list has it.
    pub name: Vec<u8>,
    /// Its bytes, unpacked.
    pub content: Vec<u8>,
    /// As a file on Unix has it, with the kind of file.
    pub mode: u32,
    /// More flags than those that every entry has.
    pub flags: u16,
    /// Another name in the entry's own header than in the list.
    pub local_name: Option<Vec<u8>>,
    /// Another length than its content has.
    pub says: Option<u32>,
    /// Its packed bytes are those of the first entry.
    pub over_first: bool,
}

impl Entry {
    /// A plain file.
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

    /// The same with another mode.
    pub fn mode(mut self, mode: u32) -> Self {
        self.mode = mode;
        self
    }
}

/// A bundle in the making.
#[derive(Debug, Clone, Default)]
pub struct Packing {
    /// In the order of the archive.
    pub entries: Vec<Entry>,
    /// Bytes after the archive.
    pub behind: Vec<u8>,
    /// Bytes before the archive.
    pub before: Vec<u8>,
}

impl Packing {
    /// A bundle with that manifest and nothing else.
    pub fn new(manifest: &Value) -> Self {
        let manifest = Entry::new("manifest.json", manifest.to_string());
        Self {
            entries: vec![manifest],
            ..Self::default()
        }
    }

    /// The same with one more entry.
    pub fn with(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }

    /// The archive.
    ///
    /// # Panics
    /// Never, as long as memory can be written to.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.before.clone();
        let mut list = Vec::new();
        for (at, entry) in self.entries.iter().enumerate() {
            let packed = deflated(&entry.content);
            let says = entry.says.unwrap_or(entry.content.len() as u32);
            let mut crc = flate2::Crc::new();
            crc.update(&entry.content);
            // Signature and versions differ between the header and the list; the rest is shared.
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

    /// Writes it to a file.
    ///
    /// # Panics
    /// Where the file can't be written.
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

/// A server that speaks MCP on its pipes, and says what it was started with.
const SERVER: &str = include_str!("bundles/server.mjs");

/// The manifest of a bundle with that server.
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

/// The bundle of that server.
pub fn weather(version: &str) -> Packing {
    Packing::new(&manifest(version))
        .with(Entry::new("server/", "").mode(FOLDER))
        .with(Entry::new("server/index.mjs", SERVER))
        .with(Entry::new("server/run.sh", "#!/bin/sh\n").mode(PROGRAM))
}
