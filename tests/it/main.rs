//! Integration tests: real processes, ports and files, and the project's own rules.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod adding;
mod agent;
mod agents;
mod authors;
mod bad_input;
mod beside;
mod bounds;
mod bug_report;
mod cli;
#[cfg(target_os = "linux")]
mod containers;
mod copies;
mod descriptors;
mod dev;
mod doctor;
mod durability;
mod elicitation;
mod environment;
mod fake_keychain;
mod folder;
mod forwarding;
mod gateway_cold;
mod gateway_file;
mod gateway_settings;
mod guildhall;
mod handover;
mod history;
mod hostile;
mod http_client;
mod http_member;
mod import;
mod invariants;
#[cfg(target_os = "linux")]
mod keychain;
mod known_clients;
mod ladder;
mod large_results;
mod lifecycle;
mod logs;
mod managing;
mod matrix;
mod mcpb;
mod meaning;
mod neighbours;
mod newest;
mod offers;
mod pictures;
mod policies;
mod prediction;
mod programs;
mod raw_calls;
mod real_servers;
mod recordings;
mod registry;
mod samples;
mod second;
mod secrets;
mod settings;
mod signing;
mod skills;
#[cfg(target_os = "linux")]
mod supervision;
mod team;
mod test_env;
mod tool_cache;
mod traces;
mod trust;
mod upgrade;
mod user;
mod visits;
mod wrong_usage;
