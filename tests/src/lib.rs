//! Helpers of the integration tests: the fixture server, folders of members that run it, and checks
//! that no process is left.
//!
//! This crate does not depend on the engine or its protocol client. Tests use those directly.

pub mod bundles;
#[cfg(unix)]
pub mod engine;
pub mod fixture;
pub mod guarded;
pub mod mangled;
pub mod messages;

#[doc(hidden)]
pub use insta;

mod member;
mod processes;
mod promise;
mod waiting;

pub use member::{MemberFolder, bin, fixture_bin};
pub use processes::{Nonce, Watchdog, is_alive, processes_of};
pub use promise::{PromiseClock, Took};
pub use waiting::{Events, LIMIT, RecordFile, eventually, wait_for};
