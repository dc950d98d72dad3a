//! Errors of a sign-in.

use miette::Diagnostic;
use thiserror::Error;

/// An error of signing in to a member, or signing out.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum SigningError {
    #[error(
        "The tokens were removed here, but the authorization server couldn't revoke them: {0}."
    )]
    #[diagnostic(help("Revoke the access on the server's web page that lists connected apps."))]
    NotRevoked(String),
    #[error(
        "This member doesn't need a sign-in: it runs on this machine, or uses a header in plugin.json."
    )]
    #[diagnostic(help(
        "Sign-in works for members with a \"url\" and without the header Authorization."
    ))]
    NotHere,
    #[error("A member that runs on this machine doesn't need a sign-in.")]
    RunsHere,
    #[error("No sign-in to this member is in progress.")]
    #[diagnostic(help("Start one on its page, or with `guildhall auth sign-in`."))]
    NoneUnderWay,
    #[error("The browser was not opened: {0}.")]
    #[diagnostic(help("Open the address by hand."))]
    NoBrowser(String),
    #[error("The tokens are too large to save.")]
    #[diagnostic(help("Request fewer scopes: \"auth\": {{\"scopes\": […]}} in plugin.json."))]
    TooLarge,
    #[error("The member's address or OAuth client has changed.")]
    #[diagnostic(help("Sign in again."))]
    Moved,
}
