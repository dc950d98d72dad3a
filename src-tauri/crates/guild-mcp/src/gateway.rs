//! One address for every agent: Guild Hall as an MCP server.
//!
//! The gateway speaks the protocol and knows nothing of members: what it needs of the hall is
//! [`Directory`]. Arguments and results go through it as the text that they came as.

mod directory;
mod listener;
mod options;

pub use directory::{
    AgentCall, Changes, Client, Directory, Face, Listed, PASSED_ON, PassedOn, Refusal, Seen, Visit,
    WayBack,
};
pub use listener::serve;
pub use options::ServeOptions;
