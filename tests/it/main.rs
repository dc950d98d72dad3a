//! Integration tests: real processes, ports and files, and the project's own rules.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod agent;
mod agents;
mod bad_input;
mod cli;
mod copies;
mod descriptors;
mod elicitation;
mod folder;
mod guest;
mod guildhall;
mod history;
mod hostile;
mod house;
mod http_member;
mod invariants;
mod lifecycle;
mod matrix;
mod offers;
mod passing;
mod programs;
mod raw_calls;
mod real_servers;
mod samples;
mod tool_cache;
