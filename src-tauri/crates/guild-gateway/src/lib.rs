//! The gateway: an MCP server at one address, through which every agent uses all members.
//!
//! The gateway implements the protocol and does not know the members. It accesses them through
//! [`GatewayBackend`], which the hall implements. Arguments and results are forwarded as their
//! original text.

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
    ResourceSubscription, ResponseChannels, TrafficExchange,
};
pub use listener::serve;
pub use options::ServeOptions;
