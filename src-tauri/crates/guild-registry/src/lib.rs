//! Installable servers: the MCP registry, MCPB bundles, and the questions before an installation.

pub mod bundles;
pub mod listing;
pub mod listings;
pub mod mcpb;
pub mod messages;
