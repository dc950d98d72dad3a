//! Signs in to remote servers with OAuth 2.1, as MCP's authorization specification requires.
//!
//! rmcp discovers the authorization server, validates its metadata, and builds the requests.
//! [`net`] sends them and restricts their targets. This module selects the scopes. [`callback`]
//! receives the browser's redirect. The result that the caller stores is a [`Grant`].
//!
//! A person without a browser on this machine pastes the address of the redirect, or enters a code
//! on another device ([`device`]).
//!
//! [`begin`] discovers the authorization server and returns the sign-in address, but does not open
//! it. [`PendingSignIn::finish`] waits for the result. [`refreshed`] renews a grant, and [`revoke`]
//! revokes it. This module neither stores nor logs anything.

mod begin;
mod callback;
mod device;
mod error;
mod grant;
mod net;
mod renew;

pub use self::begin::{PendingSignIn, SignIn, SignInEndpoints, begin};
pub use self::callback::PastedAnswer;
pub use self::error::SignInError;
pub use self::grant::{Bond, ClientFrom, Grant, OAuthClient, now_secs};
pub use self::net::may_be_opened;
pub use self::renew::{Unrenewed, refreshed, revoke};
pub use crate::challenge::{AuthDecision, SignedIn, Want};
