//! Newer versions of Guild Hall itself: the public key for their signatures, and the record of an
//! update in progress.
//!
//! An update is recorded in the data folder before any file is moved. If a process is killed during
//! the update, the watching process or the next start reads the role of each file from the record.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// Maximum size of the description of a newer version, in bytes.
pub const RELEASE_BYTES_MAX: usize = 256 * 1024;
/// Maximum size of a downloaded program, in bytes.
pub const PROGRAM_BYTES_MAX: u64 = 600 << 20;
/// Maximum length of the displayed release notes, in characters.
pub const NOTES_MAX: usize = 4_000;
/// Maximum length of a version number, in characters.
pub const VERSION_MAX: usize = 64;
/// Maximum size of the update record, in bytes.
pub const CHANGE_BYTES_MAX: u64 = 64 * 1024;
/// Maximum length of the reason why a version did not start, in characters.
pub const WHY_MAX: usize = 2_000;

/// Length of a key, in bytes: its kind, its number, and the key itself.
const KEY_BYTES: usize = 2 + 8 + 32;
/// The first bytes of a key, which identify the algorithm of the signatures.
const KEY_KIND: &[u8] = b"Ed";

/// Checks whether a string is a public key in the format of Tauri's updater: minisign's file of two
/// lines, in base64.
pub fn is_public_key(text: &str) -> bool {
    let file = STANDARD
        .decode(text)
        .ok()
        .and_then(|file| String::from_utf8(file).ok());
    let Some(file) = file else { return false };
    let mut lines = file.lines();
    let (comment, key) = (lines.next(), lines.next());
    let key = key.and_then(|key| STANDARD.decode(key).ok());
    comment.is_some_and(|comment| comment.starts_with("untrusted comment:"))
        && key.is_some_and(|key| key.len() == KEY_BYTES && key.starts_with(KEY_KIND))
}

/// The address of the release description and the public key of its signatures. Both are part of a
/// package and apply to all its users.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    /// The address of the release description.
    pub address: String,
    /// The public key.
    pub key: String,
}

impl Preset {
    /// The preset's file in the package, below `usr`.
    pub const FILE: &'static str = "share/guild-hall/updates.json";

    /// Parses the file. `None` if the bytes are not a valid preset.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let read: Self = serde_json::from_slice(bytes).ok()?;
        is_public_key(&read.key).then_some(read)
    }
}

/// The record of an update in progress, stored in the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionChange {
    /// The previous version number.
    pub from: String,
    /// The new version number.
    pub to: String,
    /// The path of the program.
    pub program: PathBuf,
    /// The path of the previous program, in the same folder.
    pub previous: PathBuf,
    /// A token that the new program receives when it is started. The program writes this token
    /// after a successful start.
    pub token: String,
    /// The progress of the update.
    pub step: UpdateStep,
    /// The time of this step, in milliseconds since 1970.
    pub at_ms: u64,
}

/// The progress of an update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum UpdateStep {
    /// The new program is replacing, or has replaced, the old one. It has not started successfully
    /// yet.
    Placed,
    /// The new program started successfully.
    Up,
    /// The new program did not start, so the previous one was restored.
    TakenBack {
        /// The reason, if known.
        why: String,
    },
}

impl VersionChange {
    /// The record's file in the data folder.
    pub const FILE: &'static str = "update.json";

    /// Parses the record. `None` if the bytes are not a valid record.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let read: Self = serde_json::from_slice(bytes).ok()?;
        let beside = read.program.parent() == read.previous.parent();
        let named = [&read.from, &read.to, &read.token]
            .iter()
            .all(|text| !text.is_empty() && text.chars().count() <= VERSION_MAX);
        (read.program.is_absolute() && read.program != read.previous && beside && named)
            .then_some(read)
    }

    /// Returns the record as JSON text.
    pub fn to_text(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        format!("{value:#}\n")
    }

    /// Returns the same update at another step.
    #[must_use]
    pub fn at(self, step: UpdateStep, at_ms: u64) -> Self {
        let step = match step {
            UpdateStep::TakenBack { why } => UpdateStep::TakenBack {
                why: why.chars().take(WHY_MAX).collect(),
            },
            other => other,
        };
        Self {
            step,
            at_ms,
            ..self
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A key that signs nothing.
    pub(crate) const KEY: &str = "dW50cnVzdGVkIGNvbW1lbnQ6IG1pbmlzaWduIHB1YmxpYyBrZXk6IDA3MDYwNTA0MDMwMjAxMDAKUldRQUFRSURCQVVHQndBQkFnTUVCUVlIQ0FrS0N3d05EZzhRRVJJVEZCVVdGeGdaR2hzY0hSNGYK";

    fn change() -> VersionChange {
        VersionChange {
            from: "0.1.0".into(),
            to: "0.2.0".into(),
            program: "/home/a/Guild_Hall.AppImage".into(),
            previous: "/home/a/.Guild_Hall.AppImage.previous".into(),
            token: "0123".into(),
            step: UpdateStep::Placed,
            at_ms: 1,
        }
    }

    #[test]
    fn a_key_is_one_only_as_a_whole() {
        assert!(is_public_key(KEY));
        for end in 0..KEY.len() {
            assert!(!is_public_key(&KEY[..end]), "{end}");
        }
        assert!(!is_public_key(
            &STANDARD.encode("untrusted comment: a\nRWQ=\n")
        ));
    }

    #[test]
    fn a_note_is_read_as_it_was_written() {
        let long = "x".repeat(WHY_MAX + 100);
        for step in [
            UpdateStep::Placed,
            UpdateStep::Up,
            UpdateStep::TakenBack {
                why: "it ended".into(),
            },
            UpdateStep::TakenBack { why: long },
        ] {
            let change = change().at(step, 2);
            let text = change.to_text();
            assert!(text.len() as u64 <= CHANGE_BYTES_MAX);
            assert_eq!(VersionChange::read(text.as_bytes()), Some(change));
        }
    }

    /// Tests that the previous version can read the record of a later version: it ignores unknown
    /// fields.
    #[test]
    fn a_note_of_a_version_that_says_more_is_read() {
        let text = change().at(UpdateStep::Up, 2).to_text();
        let more = text.replacen('{', "{\"more\": 1,", 1);
        let more = more.replacen("\"kind\"", "\"why\": \"x\", \"kind\"", 1);
        assert_ne!(more, text);
        assert_eq!(
            VersionChange::read(more.as_bytes()),
            Some(change().at(UpdateStep::Up, 2))
        );
    }

    #[test]
    fn a_note_that_would_move_files_elsewhere_is_none() {
        for bent in [
            VersionChange {
                previous: "/etc/passwd".into(),
                ..change()
            },
            VersionChange {
                previous: change().program,
                ..change()
            },
            VersionChange {
                program: "a".into(),
                previous: "b".into(),
                ..change()
            },
            VersionChange {
                token: String::new(),
                ..change()
            },
        ] {
            assert_eq!(
                VersionChange::read(bent.to_text().as_bytes()),
                None,
                "{bent:?}"
            );
        }
    }

    #[test]
    fn mangled_notes_and_presets_are_none_or_hold_to_their_rules() {
        guild_tests::mangled::each("update-notes", |bytes| {
            if let Some(change) = VersionChange::read(bytes) {
                assert_eq!(change.program.parent(), change.previous.parent());
            }
            if let Some(preset) = Preset::read(bytes) {
                assert!(is_public_key(&preset.key));
            }
        });
    }
}
