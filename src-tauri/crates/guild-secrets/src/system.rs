//! The system's keychain: the Secret Service on Linux, Keychain Services on macOS, the Credential
//! Manager on Windows.

use std::sync::Arc;

use keyring_core::api::CredentialStoreApi;
use keyring_core::{Entry, Error};
use parking_lot::Mutex;

use super::keychain::{Keychain, KeychainError};

/// The service name of all entries. The user name is the secret's name.
const SERVICE: &str = "guild-hall";

type Store = Arc<dyn CredentialStoreApi + Send + Sync>;

/// The system's keychain. Connects on the first request, and again after a lost connection.
#[derive(Debug, Default)]
pub(super) struct SystemKeychain {
    store: Mutex<Option<Store>>,
}

impl SystemKeychain {
    fn store(&self) -> Result<Store, KeychainError> {
        let mut kept = self.store.lock();
        if let Some(store) = &*kept {
            return Ok(Arc::clone(store));
        }
        let store = connect()?;
        Ok(Arc::clone(kept.insert(store)))
    }

    fn entry(&self, name: &str) -> Result<Entry, KeychainError> {
        let entry = self.store()?.build(SERVICE, name, None);
        entry.map_err(|error| self.refused(&error))
    }

    /// Converts an error. Errors with a secret's value are converted without their text.
    fn refused(&self, error: &Error) -> KeychainError {
        match error {
            Error::TooLong(..) | Error::Invalid(..) => KeychainError::Unfit(error.to_string()),
            Error::BadEncoding(_) | Error::BadDataFormat(..) => {
                KeychainError::Refused("the saved value is not text".to_owned())
            }
            Error::PlatformFailure(_) => {
                // The connection may be lost, so the next request opens a new one.
                *self.store.lock() = None;
                KeychainError::Refused(error.to_string())
            }
            _ => KeychainError::Refused(error.to_string()),
        }
    }
}

impl Keychain for SystemKeychain {
    fn reach(&self) -> Result<(), KeychainError> {
        self.store().map(drop)
    }

    fn get(&self, name: &str) -> Result<Option<String>, KeychainError> {
        match self.entry(name)?.get_password() {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(self.refused(&error)),
        }
    }

    fn set(&self, name: &str, value: &str) -> Result<(), KeychainError> {
        let kept = self.entry(name)?.set_password(value);
        kept.map_err(|error| self.refused(&error))
    }

    fn remove(&self, name: &str) -> Result<(), KeychainError> {
        match self.entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(self.refused(&error)),
        }
    }
}

fn connect() -> Result<Store, KeychainError> {
    #[cfg(target_os = "macos")]
    let store = apple_native_keyring_store::keychain::Store::new();
    #[cfg(target_os = "windows")]
    let store = windows_native_keyring_store::Store::new();
    #[cfg(all(unix, not(target_os = "macos")))]
    let store = zbus_secret_service_keyring_store::Store::new();
    match store {
        Ok(store) => Ok(store),
        Err(error) => Err(KeychainError::Absent(error.to_string())),
    }
}
