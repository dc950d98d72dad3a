//! The names of an archive's files, held against what may be written.

use std::collections::HashMap;

use crate::client_config::System;
use crate::note::EntryFault;
use crate::trust::is_hidden;

/// The longest path of a file in a bundle, in bytes.
pub(crate) const PATH_BYTES_MAX: usize = 512;
/// The longest name of a file or folder, in bytes.
const NAME_BYTES_MAX: usize = 255;
/// How deep folders may stand in each other.
const DEPTH_MAX: usize = 40;
/// What a name may not have on Windows.
const NOT_ON_WINDOWS: &str = "<>:\"|?*";
/// Names that are devices on Windows, whatever their ending.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"];

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// A path that leads into the folder that it is unpacked to, and nowhere else: names with `/`
/// between them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EntryPath(String);

impl EntryPath {
    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its names, the outermost first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }
}

/// All names of an archive so far. Two that differ in nothing but case are one and the same to some
/// systems, and are refused on all.
#[derive(Debug)]
pub struct Layout {
    system: System,
    /// As it is spelled, by what it is to a system that knows no difference of case.
    known: HashMap<String, (String, Kind)>,
}

impl Layout {
    /// Nothing yet, to be unpacked on a system.
    pub fn new(system: System) -> Self {
        Self {
            system,
            known: HashMap::new(),
        }
    }

    /// Takes a name as it stands in the archive; a folder's ends in `/`.
    ///
    /// # Errors
    /// Why it may not be unpacked.
    pub fn take(&mut self, raw: &[u8]) -> Result<(EntryPath, Kind), EntryFault> {
        let text = std::str::from_utf8(raw).map_err(|_| EntryFault::NotUtf8)?;
        if text.len() > PATH_BYTES_MAX {
            return Err(EntryFault::LongPath(PATH_BYTES_MAX));
        }
        if text.starts_with('/') {
            return Err(EntryFault::FromRoot);
        }
        let (path, kind) = match text.strip_suffix('/') {
            Some(path) => (path, Kind::Folder),
            None => (text, Kind::File),
        };
        let names: Vec<&str> = path.split('/').collect();
        if names.len() > DEPTH_MAX {
            return Err(EntryFault::TooDeep(DEPTH_MAX));
        }
        for name in &names {
            self.check(name)?;
        }
        for depth in 1..names.len() {
            self.note(&names[..depth].join("/"), Kind::Folder)?;
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

    fn note(&mut self, path: &str, kind: Kind) -> Result<(), EntryFault> {
        let folded = path.to_lowercase();
        match self.known.get(&folded) {
            None => {
                self.known.insert(folded, (path.to_owned(), kind));
                Ok(())
            }
            Some((spelled, _)) if spelled != path => {
                Err(EntryFault::SameAs(format!("{spelled:?}")))
            }
            // A folder may be named for itself and by what is in it.
            Some((_, Kind::Folder)) if kind == Kind::Folder => Ok(()),
            Some(_) => Err(EntryFault::Twice),
        }
    }

    /// Whether there is such a file.
    pub(crate) fn has_file(&self, path: &str) -> bool {
        let known = self.known.get(&path.to_lowercase());
        known.is_some_and(|(spelled, kind)| spelled == path && *kind == Kind::File)
    }
}
