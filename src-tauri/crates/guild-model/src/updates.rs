//! Newer versions of the program: the key of their signatures, and the note of a running change.
//!
//! A change is noted in the data folder before anything is moved. So after a kill, the watching
//! process or the next start knows the role of each file.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// The largest description of a newer version that is read, in bytes.
pub const RELEASE_BYTES_MAX: usize = 256 * 1024;
/// The largest program that is fetched, in bytes.
pub const PROGRAM_BYTES_MAX: u64 = 600 << 20;
/// The most characters that are shown of what is new.
pub const NOTES_MAX: usize = 4_000;
/// The longest number of a version, in characters.
pub const VERSION_MAX: usize = 64;
/// The largest note of a change that is read, in bytes.
pub const CHANGE_BYTES_MAX: u64 = 64 * 1024;
/// The most characters of why a version did not come up.
pub const WHY_MAX: usize = 2_000;

/// Length of a key: its kind, its number, and itself.
const KEY_BYTES: usize = 2 + 8 + 32;
/// Prefix of a key for these signatures.
const KEY_KIND: &[u8] = b"Ed";

/// Whether a text is a public key as Tauri's updater has them: minisign's file of two lines, in
/// base64.
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

/// Address of the release description and key of the signatures, as a package sets them for all its
/// users.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    /// The address.
    pub address: String,
    /// The public key.
    pub key: String,
}

impl Preset {
    /// Its file in the package, below `usr`.
    pub const FILE: &'static str = "share/guild-hall/updates.json";

    /// Reads the file; `None` where it is none.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let read: Self = serde_json::from_slice(bytes).ok()?;
        is_public_key(&read.key).then_some(read)
    }
}

/// A change of version, as noted in the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionChange {
    /// The version before.
    pub from: String,
    /// The version that is to be.
    pub to: String,
    /// The program's file.
    pub program: PathBuf,
    /// The previous version, while it is kept beside it.
    pub previous: PathBuf,
    /// Token that the new program gets at its start, and writes when it is up.
    pub token: String,
    /// How far it is.
    pub step: UpdateStep,
    /// When it came so far, in milliseconds since 1970.
    pub at_ms: u64,
}

/// How far a change of version is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum UpdateStep {
    /// The new program takes its place, or has taken it, and did not come up yet.
    Placed,
    /// The new program came up.
    Up,
    /// The new program did not start, so the previous one was restored.
    TakenBack {
        /// The known reason.
        why: String,
    },
}

impl VersionChange {
    /// Its file in the data folder.
    pub const FILE: &'static str = "update.json";

    /// Reads the note. Returns `None` if the bytes are not a valid note.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let read: Self = serde_json::from_slice(bytes).ok()?;
        let beside = read.program.parent() == read.previous.parent();
        let named = [&read.from, &read.to, &read.token]
            .iter()
            .all(|text| !text.is_empty() && text.chars().count() <= VERSION_MAX);
        (read.program.is_absolute() && read.program != read.previous && beside && named)
            .then_some(read)
    }

    /// Returns the note's text.
    pub fn to_text(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        format!("{value:#}\n")
    }

    /// The same, so far.
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

    /// The previous version watches over a start, and the note may be from a later one.
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
