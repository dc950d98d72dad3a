//! Bounds and repairs the JSON Schemas of servers, and checks values against them.

pub mod messages;
pub mod schema;
pub mod validate;
