//! The reasons that a sign-in failed.

use crate::messages::SignInTrouble;
use guild_model::{Code, Report};
use rmcp::transport::auth::AuthError;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::text;

/// Limit of a server's text in an error, in characters.
const TOLD_MAX: usize = 400;

/// The reason that a sign-in failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInError {
    /// The server names no authorization server, or an unusable one.
    Undiscovered(String),
    /// The authorization server is not safe to use.
    Unsafe(String),
    /// The manifest client's secret was sent to another authorization server before.
    Rebound {
        /// The first authorization server.
        first: String,
        /// The authorization server that the MCP server names now.
        now: String,
    },
    /// The authorization server has no matching client and does not register one.
    Unregistered(String),
    /// The loopback port can't be opened.
    Deaf(String),
    /// The person or the authorization server declined.
    Refused(String),
    /// The redirect does not belong to the request.
    Answer(String),
    /// The code was not exchanged for a token.
    Untokened(String),
    /// The redirect did not arrive in time.
    TooLong(Duration),
}

impl SignInError {
    /// Converts the error to a report.
    pub fn report(&self) -> Report {
        Report::from_error(Code::SignInFailed, &self.trouble())
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
        f.write_str(&self.trouble().to_string())
    }
}

impl Error for SignInError {}

/// Returns rmcp's error text, shortened. It may contain a server's text.
pub(super) fn told(error: &(dyn Error + 'static)) -> String {
    clean(&text::causes(error))
}

/// Returns a server's text on one line, shortened and without control characters.
pub(super) fn clean(said: &str) -> String {
    let words: Vec<&str> = said
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    text::cut_chars(line.trim_end_matches('.'), TOLD_MAX)
}

pub(super) fn of_discovery(error: &AuthError) -> SignInError {
    match error {
        AuthError::AuthorizationServerMismatch { .. }
        | AuthError::AuthorizationServerMissingIssuer { .. }
        | AuthError::ProtectedResourceMetadataInvalid { .. }
        | AuthError::PkceUnsupported => SignInError::Unsafe(told(error)),
        other => SignInError::Undiscovered(told(other)),
    }
}

pub(super) fn of_exchange(error: &AuthError) -> SignInError {
    match error {
        AuthError::AuthorizationServerMismatch { .. }
        | AuthError::AuthorizationServerMissingIssuer { .. } => SignInError::Answer(told(error)),
        other => SignInError::Untokened(told(other)),
    }
}
