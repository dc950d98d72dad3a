//! Signing in to a server that runs elsewhere: OAuth 2.1 as MCP's authorization wants it.
//!
//! rmcp finds the authorization server, checks what it says of itself, and makes and exchanges what
//! is sent; each request goes over [`net`], which says where to. Here it is decided what is asked for,
//! [`callback`] hears what the browser brings back, and a [`Grant`] is what is kept.
//!
//! [`begin`] looks for the authorization server and gives an address, which nobody opens from here;
//! [`Begun::finish`] waits for what comes of it. [`refreshed`] renews a grant, [`revoke`] gives it
//! back. Nothing is kept here, and nothing of it is logged.

mod begin;
mod callback;
mod error;
mod grant;
mod net;
mod renew;

pub use self::begin::{Begun, SignIn, begin};
pub use self::error::SignInError;
pub use self::grant::{Bond, Client, ClientFrom, Grant, now_secs};
pub use self::net::may_be_opened;
pub use self::renew::{Unrenewed, refreshed, revoke};
pub use crate::challenge::{Refusal, Signed, SignedIn, Verdict, Want};
