//! Installable servers: the MCP registry, MCPB bundles, and the inputs that a server needs before
//! its installation.

pub mod bundles;
pub mod listing;
pub mod listings;
pub mod mcpb;
pub mod messages;
