//! Remembers each member's last port, so that the member gets the same port again.

use std::collections::BTreeMap;
use std::path::PathBuf;

use guild_model::MemberName;
use parking_lot::Mutex;

use guild_files::files::{read_bounded, write_atomically};

/// Maximum size of the file, in bytes.
const BYTES_MAX: u64 = 1 << 20;

/// The members' last ports, stored in `ports.json` of the data folder.
#[derive(Debug)]
pub struct PortMemory {
    file: PathBuf,
    ports: Mutex<BTreeMap<MemberName, u16>>,
}

impl PortMemory {
    /// Reads the file. A missing or broken file counts as empty.
    pub fn read(file: PathBuf) -> Self {
        let ports = read_bounded(&file, BYTES_MAX)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        Self {
            file,
            ports: Mutex::new(ports),
        }
    }

    /// Returns a member's last port. `None` if it is unknown.
    pub fn last(&self, member: &MemberName) -> Option<u16> {
        self.ports.lock().get(member).copied()
    }

    /// Saves a member's port. If the file can't be written, the port is remembered for this run
    /// only.
    pub fn keep(&self, member: &MemberName, port: u16) {
        let mut ports = self.ports.lock();
        if ports.insert(member.clone(), port) == Some(port) {
            return;
        }
        // Written under the lock, so that an older state can't overwrite a newer one.
        let written = serde_json::to_vec_pretty(&*ports)
            .map_err(std::io::Error::other)
            .and_then(|text| {
                if let Some(folder) = self.file.parent() {
                    guild_files::files::create_own_folder(folder)?;
                }
                write_atomically(&self.file, &text)
            });
        if let Err(error) = written {
            tracing::warn!(file = %self.file.display(), %error, "ports can't be remembered");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_remembered_over_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("data/ports.json");
        let name = MemberName::parse("m").expect("a name");
        let memory = PortMemory::read(file.clone());
        assert_eq!(memory.last(&name), None);
        memory.keep(&name, 20_417);
        assert_eq!(PortMemory::read(file.clone()).last(&name), Some(20_417));
        std::fs::write(&file, "{").expect("written");
        assert_eq!(
            PortMemory::read(file).last(&name),
            None,
            "a broken file is as good as none"
        );
    }

    #[test]
    fn mangled_ports_are_as_good_as_none_and_are_written_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("ports.json");
        let name = MemberName::parse("m").expect("a name");
        guild_tests::mangled::each("ports", |bytes| {
            std::fs::write(&file, bytes).expect("written");
            let memory = PortMemory::read(file.clone());
            memory.keep(&name, 20_418);
            assert_eq!(PortMemory::read(file.clone()).last(&name), Some(20_418));
        });
    }
}
