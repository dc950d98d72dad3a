//! Checks the file names of an archive before they are written.

use std::collections::HashMap;

use crate::messages::EntryFault;
use guild_client_config::System;
use guild_review::trust::is_hidden;

/// Maximum length of the path of a file in a bundle, in bytes.
pub(crate) const PATH_BYTES_MAX: usize = 512;
/// Maximum length of the name of a file or folder, in bytes.
const NAME_BYTES_MAX: usize = 255;
/// Maximum nesting depth of folders.
const DEPTH_MAX: usize = 40;
/// Characters that Windows does not allow in names.
const NOT_ON_WINDOWS: &str = "<>:\"|?*";
/// Device names on Windows, with any extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"];

/// The kind of an archive entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BundleEntryKind {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// A path that stays inside the target folder: names separated by `/`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EntryPath(String);

impl EntryPath {
    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the names of the path, outermost first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }
}

/// The names of an archive that were checked so far. Names that differ only in case are the same
/// file on some systems, so they are refused on all.
#[derive(Debug)]
pub struct Layout {
    system: System,
    /// The original spelling and the kind, by lowercase path.
    known: HashMap<String, (String, BundleEntryKind)>,
}

impl Layout {
    /// Returns an empty layout for a target system.
    pub fn new(system: System) -> Self {
        Self {
            system,
            known: HashMap::new(),
        }
    }

    /// Adds a name of the archive. A folder's name ends in `/`.
    ///
    /// # Errors
    /// When the entry must not be unpacked, with the reason.
    pub fn take(&mut self, raw: &[u8]) -> Result<(EntryPath, BundleEntryKind), EntryFault> {
        let text = std::str::from_utf8(raw).map_err(|_| EntryFault::NotUtf8)?;
        if text.len() > PATH_BYTES_MAX {
            return Err(EntryFault::LongPath(PATH_BYTES_MAX));
        }
        if text.starts_with('/') {
            return Err(EntryFault::FromRoot);
        }
        let (path, kind) = match text.strip_suffix('/') {
            Some(path) => (path, BundleEntryKind::Folder),
            None => (text, BundleEntryKind::File),
        };
        let names: Vec<&str> = path.split('/').collect();
        if names.len() > DEPTH_MAX {
            return Err(EntryFault::TooDeep(DEPTH_MAX));
        }
        for name in &names {
            self.check(name)?;
        }
        for depth in 1..names.len() {
            self.note(&names[..depth].join("/"), BundleEntryKind::Folder)?;
        }
        self.note(path, kind)?;
        Ok((EntryPath(path.to_owned()), kind))
    }

    fn check(&self, name: &str) -> Result<(), EntryFault> {
        let stem = name.split('.').next().unwrap_or_default().trim_end();
        let stem = stem.to_lowercase();
        let is_numbered = ["com", "lpt"].iter().any(|device| {
            let number = stem.strip_prefix(device);
            number.is_some_and(|number| {
                let mut chars = number.chars();
                let digit = chars.next().is_some_and(|c| "123456789¹²³".contains(c));
                digit && chars.next().is_none()
            })
        });
        let bytes = name.as_bytes();
        Err(match name {
            "" => EntryFault::NoName,
            "." | ".." => EntryFault::Elsewhere,
            _ if name.len() > NAME_BYTES_MAX => EntryFault::LongName(NAME_BYTES_MAX),
            _ if name.contains('\\') => EntryFault::Backslash,
            _ if bytes.len() > 1 && bytes[1] == b':' && bytes[0].is_ascii_alphabetic() => {
                EntryFault::Drive
            }
            _ if name.chars().any(|c| c.is_control() || is_hidden(c)) => EntryFault::Hidden,
            _ if name.ends_with(['.', ' ']) => EntryFault::EndsOddly,
            _ if is_numbered || DEVICES.contains(&stem.as_str()) => EntryFault::Device,
            _ if self.system == System::Windows
                && name.contains(|c| NOT_ON_WINDOWS.contains(c)) =>
            {
                EntryFault::NotOnWindows
            }
            _ => return Ok(()),
        })
    }

    fn note(&mut self, path: &str, kind: BundleEntryKind) -> Result<(), EntryFault> {
        let folded = path.to_lowercase();
        match self.known.get(&folded) {
            None => {
                self.known.insert(folded, (path.to_owned(), kind));
                Ok(())
            }
            Some((spelled, _)) if spelled != path => {
                Err(EntryFault::SameAs(format!("{spelled:?}")))
            }
            // A folder may have its own entry and also occur in the paths of its files.
            Some((_, BundleEntryKind::Folder)) if kind == BundleEntryKind::Folder => Ok(()),
            Some(_) => Err(EntryFault::Twice),
        }
    }

    /// Checks whether the archive has a file, with this exact spelling.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        let known = self.known.get(&path.to_lowercase());
        known.is_some_and(|(spelled, kind)| spelled == path && *kind == BundleEntryKind::File)
    }
}
