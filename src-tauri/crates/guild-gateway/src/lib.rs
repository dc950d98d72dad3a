//! One address for every agent: Guild Hall as an MCP server.
//!
//! The gateway implements the protocol and does not know the members. It uses the hall through
//! [`Directory`]. Arguments and results pass through in their original text.

mod answer;
mod changes;
mod directory;
mod door;
mod ear;
mod fit;
mod flight;
mod legacy;
mod line;
mod listener;
mod modern;
mod options;
mod outline;
mod parked;
mod post;
mod questions;
mod request;
mod security;
mod seen;
mod session;
mod session_id;
#[cfg(test)]
mod tests;
mod unread;
mod version;
mod watching;

pub use directory::{
    AgentCall, Directory, EndpointInfo, GatewayClient, GatewayError, GatewayRequestContext,
    GatewayResultFuture, GatewayToolList, ListChangeCounts, PASSED_ON, PassedOn,
    ResourceSubscription, TrafficExchange, WayBack,
};
pub use listener::serve;
pub use options::ServeOptions;
