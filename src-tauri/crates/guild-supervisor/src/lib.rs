//! Runs members: one actor per member owns its process and its MCP session.
//!
//! Also makes calls, caches tool lists, stores reviews, signs in to remote members, and finds tools
//! of servers that don't list them ([`output_scan`], [`prediction`]).

pub mod assertions;
pub mod cache;
pub mod calls;
pub mod context;
pub mod dev;
pub mod elicitation;
pub mod expectations;
pub mod member;
pub mod members;
pub mod messages;
pub mod notifications;
pub mod output_scan;
pub mod ports;
pub mod prediction;
pub mod reviews;
pub mod signing;
pub mod start_limiter;
#[cfg(any(test, feature = "test-util"))]
pub mod test_util;
#[cfg(test)]
mod tests;
