//! Asking a keychain, which may block for as long as its user thinks about a password.
//!
//! One thread asks, one question after the other, so that its user never has two dialogs open; who
//! waits does so with a time limit, and a question that nobody waits for any more is not asked. The
//! thread of a keychain that never answers stays until the program ends.

use std::fmt;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use guild_core::note::SecretTrouble;
use guild_core::{Code, Report};
use tokio::sync::oneshot;

use super::system::SystemKeychain;

/// How long an answer is waited for: long enough to type a password.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(20);
/// How many questions may wait.
const WAITING_MAX: usize = 64;

/// A place that keeps secrets safely. Each function may block.
pub trait Keychain: fmt::Debug + Send + Sync + 'static {
    /// Whether it can be reached; asks nobody for a password.
    ///
    /// # Errors
    /// Why not.
    fn reach(&self) -> Result<(), KeychainError>;

    /// A secret's value, if it has one.
    ///
    /// # Errors
    /// When it can't be found out.
    fn get(&self, name: &str) -> Result<Option<String>, KeychainError>;

    /// Keeps a value, in the place of another.
    ///
    /// # Errors
    /// When it could not be kept.
    fn set(&self, name: &str, value: &str) -> Result<(), KeychainError>;

    /// Removes a value, if there is one.
    ///
    /// # Errors
    /// When it could not be removed.
    fn remove(&self, name: &str) -> Result<(), KeychainError>;
}

/// Why a keychain did not do what it was asked for. No variant has a secret's value in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeychainError {
    /// There is none, or it can't be reached.
    Absent(String),
    /// It refused: it is locked, or its user said no.
    Refused(String),
    /// The value can't be kept there.
    Unfit(String),
    /// It did not answer in time.
    Unanswered(Duration),
}

impl KeychainError {
    /// Why, in words that go on a sentence.
    pub(crate) fn why(&self) -> String {
        match self {
            Self::Absent(why) => format!("there is no keychain ({why})"),
            Self::Refused(why) | Self::Unfit(why) => format!("the keychain refused ({why})"),
            Self::Unanswered(limit) => format!(
                "the keychain did not answer within {} s",
                limit.as_secs_f32()
            ),
        }
    }

    /// What is told of it when it was asked about a secret.
    pub(crate) fn report(&self, name: &str) -> Report {
        let name = name.to_owned();
        let (code, trouble) = match self {
            Self::Absent(why) => (
                Code::KeychainUnanswered,
                SecretTrouble::NoKeychain(name, why.clone()),
            ),
            Self::Refused(why) => (
                Code::KeychainUnanswered,
                SecretTrouble::Refused(name, why.clone()),
            ),
            Self::Unfit(why) => (Code::SecretRefused, SecretTrouble::Unfit(name, why.clone())),
            Self::Unanswered(limit) => (
                Code::KeychainUnanswered,
                SecretTrouble::Unanswered(name, *limit),
            ),
        };
        Report::told(code, &trouble)
    }
}

/// Which keychain a hall asks.
#[derive(Debug, Clone, Default)]
pub enum KeychainOf {
    /// None: secrets stand in the file alone.
    #[default]
    Nobody,
    /// The system's.
    System,
    /// This one, and how long it may take to answer.
    This(Arc<dyn Keychain>, Duration),
}

impl KeychainOf {
    pub(crate) fn keeper(self) -> Option<Keeper> {
        match self {
            Self::Nobody => None,
            Self::System => Some(Keeper::new(Arc::new(SystemKeychain::default()), TIME_LIMIT)),
            Self::This(keychain, limit) => Some(Keeper::new(keychain, limit)),
        }
    }
}

type Question = Box<dyn FnOnce(&dyn Keychain) + Send>;

/// Asks a keychain, from the runtime. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Keeper {
    keychain: Arc<dyn Keychain>,
    limit: Duration,
    /// The thread that asks, once somebody wants to know something.
    questions: Arc<Mutex<Option<SyncSender<Question>>>>,
}

impl Keeper {
    fn new(keychain: Arc<dyn Keychain>, limit: Duration) -> Self {
        Self {
            keychain,
            limit,
            questions: Arc::default(),
        }
    }

    /// Whether it can be reached, found out within `limit` or its own limit.
    pub(crate) async fn reach(&self, limit: Duration) -> Result<(), KeychainError> {
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
            // Nobody is asked for a password in vain.
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

    fn send(&self, question: Question) -> Result<(), KeychainError> {
        let mut questions = self
            .questions
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let sender = match &*questions {
            Some(sender) => sender,
            None => questions.insert(self.begin()?),
        };
        match sender.try_send(question) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(KeychainError::Unanswered(self.limit)),
            // It panicked; the next question gets a new thread.
            Err(TrySendError::Disconnected(_)) => {
                *questions = None;
                Err(KeychainError::Refused("its thread has ended".to_owned()))
            }
        }
    }

    fn begin(&self) -> Result<SyncSender<Question>, KeychainError> {
        let (sender, questions) = sync_channel::<Question>(WAITING_MAX);
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
