//! The reasons that a sign-in failed.

use std::error::Error;
use std::time::Duration;

use guild_model::{Code, Report};
use guild_text::number::grouped;
use miette::Diagnostic;
use rmcp::transport::auth::AuthError;

use crate::text;

/// Limit of a server's text in an error, in characters.
const TEXT_MAX: usize = 400;

/// The reason that a sign-in failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnostic)]
#[expect(missing_docs, reason = "the messages document the variants")]
pub enum SignInError {
    #[error("Guild Hall can't find the sign-in page: {0}.")]
    #[diagnostic(help(
        "Check the \"url\" in plugin.json. If the server uses a fixed key, put it into \"headers\"."
    ))]
    Undiscovered(String),
    #[error("Guild Hall rejected the authorization server: {0}.")]
    #[diagnostic(help("Contact the server's operator."))]
    Unsafe(String),
    #[error(
        "The client_secret belongs to {first}, but the server now uses {now}. Guild Hall didn't send it there."
    )]
    #[diagnostic(help(
        "Ask the server's operator. If the change is right, forget the old authorization server with `guildhall auth sign-out MEMBER`, then sign in again."
    ))]
    Rebound { first: String, now: String },
    #[error("The authorization server does not register new clients: {0}.")]
    #[diagnostic(help(
        "Register a client there, and add it to plugin.json: \"auth\": {{\"client_id\": …}}."
    ))]
    Unregistered(String),
    #[error("Guild Hall can't wait for the browser's answer: {0}.")]
    #[diagnostic(help("Remove \"redirect_port\" from \"auth\", or use a free port."))]
    Deaf(String),
    #[error("The authorization server refused: {0}.")]
    #[diagnostic(help("Sign in again, and agree in the browser."))]
    Refused(String),
    #[error("The browser's answer is invalid: {0}.")]
    #[diagnostic(help("Sign in again."))]
    Answer(String),
    #[error("The server issued no token: {0}.")]
    #[diagnostic(help("Sign in again."))]
    Untokened(String),
    #[error("No one signed in within {minutes} minutes.", minutes = grouped(.0.as_secs() / 60))]
    #[diagnostic(help("Sign in again, and agree in the browser."))]
    TooLong(Duration),
}

impl SignInError {
    /// Converts the error to a report.
    pub fn report(&self) -> Report {
        Report::from_error(Code::SignInFailed, self)
    }
}

/// Returns the text of rmcp's error, shortened. It may contain text from a server.
pub(super) fn describe(error: &(dyn Error + 'static)) -> String {
    clean(&text::causes(error))
}

/// Returns text from a server on one line, shortened and without control characters.
pub(super) fn clean(raw: &str) -> String {
    let words: Vec<&str> = raw
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    text::cut_chars(line.trim_end_matches('.'), TEXT_MAX)
}

pub(super) fn of_discovery(error: &AuthError) -> SignInError {
    match error {
        AuthError::AuthorizationServerMismatch { .. }
        | AuthError::AuthorizationServerMissingIssuer { .. }
        | AuthError::ProtectedResourceMetadataInvalid { .. }
        | AuthError::PkceUnsupported => SignInError::Unsafe(describe(error)),
        other => SignInError::Undiscovered(describe(other)),
    }
}

pub(super) fn of_exchange(error: &AuthError) -> SignInError {
    match error {
        AuthError::AuthorizationServerMismatch { .. }
        | AuthError::AuthorizationServerMissingIssuer { .. } => {
            SignInError::Answer(describe(error))
        }
        other => SignInError::Untokened(describe(other)),
    }
}
