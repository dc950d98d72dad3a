//! Guild Hall as a client of MCP servers.
//!
//! [`connect`] opens a [`Session`], which lists tools, calls them and reports the server's
//! notifications. This is the only crate that uses rmcp, and it exports none of rmcp's types. It
//! starts no processes: the owner of a process passes the pipes to this crate.
//!
//! Everything that a server sends is bounded. An answer has at most 64 MiB (16 MiB as a line or as
//! an event of a stream) and 126 levels. A list has at most 1,000 pages and 10,000 tools. Every
//! wait has a time limit.

mod bridge;
mod challenge;
mod connect;
mod decoder;
mod elicitation;
mod error;
mod events;
mod failure;
mod fault;
mod header_params;
mod http;
mod lines;
pub mod messages;
mod meta;
mod news;
mod notify;
mod pending_requests;
mod probe;
mod questions;
mod raw;
mod raw_requests;
mod session;
pub mod sign_in;
mod text;

pub use bridge::{BridgeError, BridgeLimits, BridgeOptions, GatewayVerifier, Relocation, bridge};
pub use connect::{
    ConnectFailure, ConnectOptions, DiscoverFirst, Idle, ServerTransport, connect, connect_bare,
};
pub use elicitation::{ElicitationHandler, ElicitationPrompt, ElicitationReply, RequestedInput};
pub use error::McpError;
pub use header_params::mirrored_headers;
pub use http::{
    Document, DocumentRequest, Documents, FetchError, PeerCheck, PostError, PostRequest,
    PostResponse, client, loopback_port, may_be_read, post,
};
pub use meta::RequestMeta;
pub use news::{Level, NotificationSink, SessionNotification, URI_MAX};
pub use notify::{Offer, SessionEvent};
pub use pending_requests::Label;
pub use probe::{CapturedOutput, ProbeMode, Probed, SharedReader, probe};
pub use session::{CallOptions, Offers, SentRequest, Session, ToolList, is_usable};
