//! The types that all crates of Guild Hall share, and rules that depend only on their values.
//!
//! This crate contains no async code, files, sockets, clocks or processes, and no type of the
//! protocol library. Callers pass the time as an argument.

pub mod arguments;
pub mod container;
pub mod diff;
pub mod discovery;
pub mod endpoint;
pub mod error;
pub mod globs;
pub mod holder;
pub mod id;
pub mod link;
pub mod manifest;
pub mod messages;
pub mod policy;
pub mod profile;
pub mod protocol;
pub mod settings;
pub mod status;
pub mod suite;
pub mod tool;
pub mod updates;

pub use error::{Code, Failure, Report};
pub use id::{ApprovalId, CallId, ClientId, ElicitationId, FoundId, MemberName, ToolName};
