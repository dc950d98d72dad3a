//! Integration tests: real processes, ports and files, and the project's own rules.

mod cli;
mod guildhall;
mod house;
mod http_member;
mod invariants;
mod lifecycle;
mod real_servers;
mod samples;
mod tool_cache;
