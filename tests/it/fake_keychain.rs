//! A keychain in memory.

use std::collections::BTreeMap;
use std::sync::Mutex;

use guild_engine::{Keychain, KeychainError};

/// Stored secrets, by name.
#[derive(Debug, Default)]
pub(crate) struct FakeKeychain(Mutex<BTreeMap<String, String>>);

impl FakeKeychain {
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.lock().expect("whole").keys().cloned().collect()
    }
}

impl Keychain for FakeKeychain {
    fn reach(&self) -> Result<(), KeychainError> {
        Ok(())
    }
    fn get(&self, name: &str) -> Result<Option<String>, KeychainError> {
        Ok(self.0.lock().expect("whole").get(name).cloned())
    }
    fn set(&self, name: &str, value: &str) -> Result<(), KeychainError> {
        let mut kept = self.0.lock().expect("whole");
        kept.insert(name.to_owned(), value.to_owned());
        Ok(())
    }
    fn remove(&self, name: &str) -> Result<(), KeychainError> {
        self.0.lock().expect("whole").remove(name);
        Ok(())
    }
}
