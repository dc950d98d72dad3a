//! Sends requests to a keychain, which may block until the user enters a password.
//!
//! One thread sends one request at a time, so that the user never sees two password dialogs.
//! Callers wait with a timeout. A request is skipped if its caller has stopped waiting. If a
//! keychain never answers, the thread stays blocked until the program ends.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use guild_model::messages::SecretError;
use guild_model::{Code, Report};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::system::SystemKeychain;

/// Timeout of a request, long enough to type a password.
pub const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Maximum number of waiting requests.
const WAITING_MAX: usize = 64;

/// A secure store for secrets. All functions may block.
pub trait Keychain: fmt::Debug + Send + Sync + 'static {
    /// Checks that the keychain is reachable, without a password dialog.
    ///
    /// # Errors
    /// If the keychain is not reachable, with the reason.
    fn reach(&self) -> Result<(), KeychainError>;

    /// Returns a secret's value. `None` if the keychain has none.
    ///
    /// # Errors
    /// If the request fails.
    fn get(&self, name: &str) -> Result<Option<String>, KeychainError>;

    /// Stores or replaces a value.
    ///
    /// # Errors
    /// If the value could not be stored.
    fn set(&self, name: &str, value: &str) -> Result<(), KeychainError>;

    /// Removes a value, if there is one.
    ///
    /// # Errors
    /// If the value could not be removed.
    fn remove(&self, name: &str) -> Result<(), KeychainError>;
}

/// An error of a keychain. No variant contains a secret's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeychainError {
    /// The keychain is missing or unreachable.
    Absent(String),
    /// The keychain is locked, or the user declined to unlock it.
    Refused(String),
    /// The keychain can't store the value.
    Unfit(String),
    /// The keychain did not answer in time.
    Unanswered(Duration),
}

impl KeychainError {
    /// Returns the reason, as the end of a sentence.
    pub fn why(&self) -> String {
        match self {
            Self::Absent(why) => format!("no keychain is available ({why})"),
            Self::Refused(why) | Self::Unfit(why) => format!("the keychain refused ({why})"),
            Self::Unanswered(limit) => format!(
                "the keychain did not answer within {} s",
                limit.as_secs_f32()
            ),
        }
    }

    /// Returns the report for a failed request about the secret `name`.
    pub fn report(&self, name: &str) -> Report {
        let name = name.to_owned();
        let (code, trouble) = match self {
            Self::Absent(why) => (
                Code::KeychainUnanswered,
                SecretError::NoKeychain(name, why.clone()),
            ),
            Self::Refused(why) => (
                Code::KeychainUnanswered,
                SecretError::Refused(name, why.clone()),
            ),
            Self::Unfit(why) => (Code::SecretRefused, SecretError::Unfit(name, why.clone())),
            Self::Unanswered(limit) => (
                Code::KeychainUnanswered,
                SecretError::Unanswered(name, *limit),
            ),
        };
        Report::from_error(code, &trouble)
    }
}

/// The keychain that a hall uses.
#[derive(Debug, Clone, Default)]
pub enum KeychainChoice {
    /// No keychain. Secrets are stored only in the file.
    #[default]
    None,
    /// The system's keychain.
    System,
    /// The given keychain, with the timeout of each request.
    Custom(Arc<dyn Keychain>, Duration),
}

impl KeychainChoice {
    /// Returns the keychain's client. `None` if secrets are stored only in the file.
    pub fn client(self) -> Option<KeychainClient> {
        match self {
            Self::None => None,
            Self::System => Some(KeychainClient::new(
                Arc::new(SystemKeychain::default()),
                TIME_LIMIT,
            )),
            Self::Custom(keychain, limit) => Some(KeychainClient::new(keychain, limit)),
        }
    }
}

type KeychainJob = Box<dyn FnOnce(&dyn Keychain) + Send>;

/// An async client of a keychain. Cheap to clone.
#[derive(Debug, Clone)]
pub struct KeychainClient {
    keychain: Arc<dyn Keychain>,
    limit: Duration,
    /// The channel to the thread. The thread starts with the first request.
    questions: Arc<Mutex<Option<SyncSender<KeychainJob>>>>,
}

impl KeychainClient {
    fn new(keychain: Arc<dyn Keychain>, limit: Duration) -> Self {
        Self {
            keychain,
            limit,
            questions: Arc::default(),
        }
    }

    /// Checks that the keychain is reachable. Waits at most `limit`, and at most the keychain's own
    /// timeout.
    pub async fn reach(&self, limit: Duration) -> Result<(), KeychainError> {
        self.ask(limit.min(self.limit), |keychain| keychain.reach())
            .await
    }

    pub(crate) async fn get(&self, name: &str) -> Result<Option<String>, KeychainError> {
        let name = name.to_owned();
        self.ask(self.limit, move |keychain| keychain.get(&name))
            .await
    }

    pub(crate) async fn set(&self, name: &str, value: &str) -> Result<(), KeychainError> {
        let (name, value) = (name.to_owned(), value.to_owned());
        self.ask(self.limit, move |keychain| keychain.set(&name, &value))
            .await
    }

    pub(crate) async fn remove(&self, name: &str) -> Result<(), KeychainError> {
        let name = name.to_owned();
        self.ask(self.limit, move |keychain| keychain.remove(&name))
            .await
    }

    async fn ask<T: Send + 'static>(
        &self,
        limit: Duration,
        ask: impl FnOnce(&dyn Keychain) -> Result<T, KeychainError> + Send + 'static,
    ) -> Result<T, KeychainError> {
        let (reply, answer) = oneshot::channel();
        self.send(Box::new(move |keychain| {
            // A request whose caller has stopped waiting must not cause a password dialog.
            if !reply.is_closed() {
                let _ = reply.send(ask(keychain));
            }
        }))?;
        match tokio::time::timeout(limit, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(KeychainError::Refused("its thread has ended".to_owned())),
            Err(_) => Err(KeychainError::Unanswered(limit)),
        }
    }

    fn send(&self, question: KeychainJob) -> Result<(), KeychainError> {
        let mut questions = self.questions.lock();
        let sender = match &*questions {
            Some(sender) => sender,
            None => questions.insert(self.begin()?),
        };
        match sender.try_send(question) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(KeychainError::Unanswered(self.limit)),
            // The thread panicked. The next request starts a new one.
            Err(TrySendError::Disconnected(_)) => {
                *questions = None;
                Err(KeychainError::Refused("its thread has ended".to_owned()))
            }
        }
    }

    fn begin(&self) -> Result<SyncSender<KeychainJob>, KeychainError> {
        let (sender, questions) = sync_channel::<KeychainJob>(WAITING_MAX);
        let keychain = Arc::clone(&self.keychain);
        std::thread::Builder::new()
            .name("keychain".to_owned())
            .spawn(move || {
                for question in questions {
                    question(&*keychain);
                }
            })
            .map_err(|error| KeychainError::Refused(error.to_string()))?;
        Ok(sender)
    }
}
