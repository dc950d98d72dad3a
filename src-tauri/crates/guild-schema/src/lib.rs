//! JSON Schemas of servers: bounded, repaired where they are unusable, and checks of values.

pub mod messages;
pub mod schema;
pub mod validate;
