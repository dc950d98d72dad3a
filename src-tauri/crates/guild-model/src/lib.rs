//! The words of Guild Hall, and the rules that need nothing but values.
//!
//! Every other crate speaks in these types. Deliberately absent: async code, files, sockets,
//! clocks, processes, and every type of the protocol library. Time comes in as an argument.

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
pub mod tool;
pub mod updates;

pub use error::{Code, Failure, Report};
pub use id::{ApprovalId, CallId, ClientId, ElicitationId, FoundId, MemberName, ToolName};
