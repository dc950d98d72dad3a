//! Why nobody could be signed in, in words.

use guild_core::note::{SignInTrouble, Trouble as _};
use guild_core::{Code, Report};
use rmcp::transport::auth::AuthError;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::text;

/// The longest text of a server that is repeated, in characters.
const TOLD_MAX: usize = 400;

/// Why nobody is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInError {
    /// The server says nowhere where to sign in, or what it says can't be used.
    Undiscovered(String),
    /// The authorization server can't be used safely.
    Unsafe(String),
    /// The secret of the manifest's client was shown to another authorization server before.
    Rebound {
        /// The one that it was shown to.
        first: String,
        /// The one that the server names.
        now: String,
    },
    /// The authorization server knows no client here, and takes none on.
    Unregistered(String),
    /// The loopback port can't be listened on.
    Deaf(String),
    /// The person, or the authorization server, said no.
    Refused(String),
    /// What came back does not belong to what was asked.
    Answer(String),
    /// The code was not exchanged for a token.
    Untokened(String),
    /// Nobody came back from the browser in time.
    TooLong(Duration),
}

impl SignInError {
    /// The error as it is shown.
    pub fn report(&self) -> Report {
        Report::told(Code::SignInFailed, &self.trouble())
    }

    fn trouble(&self) -> SignInTrouble {
        let (trouble, why): (fn(String) -> SignInTrouble, &String) = match self {
            Self::Undiscovered(why) => (SignInTrouble::Undiscovered, why),
            Self::Unsafe(why) => (SignInTrouble::Unsafe, why),
            Self::Rebound { first, now } => {
                return SignInTrouble::Rebound(first.clone(), now.clone());
            }
            Self::Unregistered(why) => (SignInTrouble::Unregistered, why),
            Self::Deaf(why) => (SignInTrouble::Deaf, why),
            Self::Refused(why) => (SignInTrouble::Refused, why),
            Self::Answer(why) => (SignInTrouble::Answer, why),
            Self::Untokened(why) => (SignInTrouble::Untokened, why),
            Self::TooLong(limit) => return SignInTrouble::TooLong(limit.as_secs() / 60),
        };
        trouble(why.clone())
    }
}

impl fmt::Display for SignInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.trouble().words().message)
    }
}

impl Error for SignInError {}

/// What rmcp says, cut to what is told. What a server wrote may be in it.
pub(super) fn told(error: &(dyn Error + 'static)) -> String {
    clean(&text::causes(error))
}

/// A text of a server on one line, without what moves a terminal, and short.
pub(super) fn clean(said: &str) -> String {
    let words: Vec<&str> = said
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    text::cut_chars(line.trim_end_matches('.'), TOLD_MAX)
}

/// What a failed discovery means.
pub(super) fn of_discovery(error: &AuthError) -> SignInError {
    match error {
        AuthError::AuthorizationServerMismatch { .. }
        | AuthError::AuthorizationServerMissingIssuer { .. }
        | AuthError::ProtectedResourceMetadataInvalid { .. }
        | AuthError::PkceUnsupported => SignInError::Unsafe(told(error)),
        other => SignInError::Undiscovered(told(other)),
    }
}

/// What a failed exchange means.
pub(super) fn of_exchange(error: &AuthError) -> SignInError {
    match error {
        AuthError::AuthorizationServerMismatch { .. }
        | AuthError::AuthorizationServerMissingIssuer { .. } => SignInError::Answer(told(error)),
        other => SignInError::Untokened(told(other)),
    }
}
