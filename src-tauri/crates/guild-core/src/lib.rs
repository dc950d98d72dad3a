//! The words of Guild Hall, and the rules that need nothing but values.
//!
//! Every other crate speaks in these types. Deliberately absent: async code, files, sockets,
//! clocks, processes, and every type of the protocol library. Time comes in as an argument.

pub mod agents;
pub mod arguments;
pub mod client_config;
pub mod container;
pub mod copies;
pub mod dev;
pub mod diff;
pub mod error;
pub mod event;
pub mod holder;
pub mod id;
pub mod install;
pub mod ladder;
pub mod link;
pub mod listing;
pub mod manifest;
pub mod mcpb;
pub mod note;
pub mod number;
pub mod presence;
pub mod protocol;
pub mod schema;
pub mod settings;
pub mod status;
pub mod team;
pub mod telling;
pub mod text_edit;
pub mod tool;
pub mod trust;
pub mod updates;
pub mod validate;
pub mod wire;

#[cfg(test)]
#[path = "../../../../tests/mangled.rs"]
mod mangled;
mod spanned;

pub use error::{Code, Failure, Report};
pub use id::{ApprovalId, CallId, ClientId, ElicitationId, FoundId, MemberName, ToolName};
