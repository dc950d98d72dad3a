//! One address for every agent: Guild Hall as an MCP server.
//!
//! The gateway implements the protocol and does not know the members. It uses the hall through
//! [`GatewayBackend`]. Arguments and results pass through in their original text.

mod adapt;
mod answer;
mod backend;
mod changes;
mod connection;
mod elicitation;
mod envelope;
mod in_flight;
mod legacy;
mod listener;
mod modern;
mod notification_queue;
mod options;
mod post;
mod request;
mod security;
mod server;
mod session;
mod session_id;
mod session_settings;
mod suspended;
#[cfg(test)]
mod tests;
mod traffic;
mod unread;

pub use backend::{
    AgentCall, EndpointInfo, FORWARDED_METHODS, ForwardedRequest, GatewayBackend, GatewayClient,
    GatewayError, GatewayRequestContext, GatewayResultFuture, GatewayToolList, ListChangeCounts,
    ResourceSubscription, TrafficExchange, WayBack,
};
pub use listener::serve;
pub use options::ServeOptions;
