//! Why nobody could be signed in, in words.

use std::error::Error;
use std::time::Duration;

use rmcp::transport::auth::AuthError;

use crate::text;

/// The longest text of a server that is repeated, in characters.
const TOLD_MAX: usize = 400;

/// Why nobody is signed in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    /// The server says nowhere where to sign in, or what it says can't be used.
    #[error("Where to sign in can't be found out: {0}.")]
    Undiscovered(String),
    /// The authorization server can't be used safely.
    #[error("The authorization server is not used: {0}.")]
    Unsafe(String),
    /// The authorization server knows no client here, and takes none on.
    #[error("The authorization server takes no new client: {0}.")]
    Unregistered(String),
    /// The loopback port can't be listened on.
    #[error("The answer of the browser can't be listened for: {0}.")]
    Deaf(String),
    /// The person, or the authorization server, said no.
    #[error("The authorization server refused: {0}.")]
    Refused(String),
    /// What came back does not belong to what was asked.
    #[error("The answer of the browser can't be used: {0}.")]
    Answer(String),
    /// The code was not exchanged for a token.
    #[error("There is no token: {0}.")]
    Untokened(String),
    /// Nobody came back from the browser in time.
    #[error("Nobody signed in within {} minutes.", .0.as_secs() / 60)]
    TooLong(Duration),
}

impl SignInError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Undiscovered(_) => {
                "Check the \"url\" in plugin.json. A server that wants a fixed key gets it in \
                 \"headers\"."
            }
            Self::Unsafe(_) => "Tell whoever runs the server; nothing was sent.",
            Self::Unregistered(_) => {
                "Have a client registered there, and put it into plugin.json: \"auth\": \
                 {\"client_id\": …}."
            }
            Self::Deaf(_) => "Take \"redirect_port\" out of \"auth\", or name a free port.",
            Self::Refused(_) | Self::TooLong(_) => "Sign in again, and agree in the browser.",
            Self::Answer(_) | Self::Untokened(_) => "Sign in again.",
        }
    }
}

/// What rmcp says, cut to what is told. What a server wrote may be in it.
pub(super) fn told(error: &dyn Error) -> String {
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
