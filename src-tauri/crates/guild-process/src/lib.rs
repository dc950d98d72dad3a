//! What Guild Hall knows of the operating system: ports and child processes.
//!
//! - [`port`] lends ports of the managed range, one per member;
//! - [`command`] finds the program that a manifest names;
//! - [`child`] starts it as the leader of a group of its own, sees it end, and ends the whole group;
//! - [`brief`] asks a command that answers and ends, within a time limit;
//! - [`environment`] finds out what variables the user's login shell would have;
//! - [`descriptors`] sees to it that enough files can be open at once;
//! - [`output`] keeps the last lines that it wrote;
//! - [`restart`] decides when a crashed member is tried again.
//!
//! Nothing above this crate starts a process or sends a signal. Deliberately absent: the protocol
//! that is spoken over the pipes, what a manifest looks like, and every decision about which member
//! should run. A guardian that ends the groups when this program itself is killed stands beside
//! [`child`], which can tell it each group's leader by [`child::Child::pid`].
//!
//! A process that leaves its group on purpose (`setsid`, a daemon) is out of reach on Unix; on
//! Windows the job object holds it as well.

pub mod brief;
pub mod child;
pub mod command;
pub mod descriptors;
pub mod environment;
pub mod error;
pub mod output;
pub mod port;
pub mod restart;

pub use child::{Child, Exit, StdioMode, StopLadder};
pub use command::CommandSpec;
pub use environment::Environment;
pub use error::ProcessError;
pub use output::{Output, Past, Redact};
pub use port::{PortBook, PortLease};
pub use restart::{Next, Restart};
