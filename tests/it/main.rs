//! Integration tests: real processes, ports and files, and the project's own rules.

mod house;
mod http_member;
mod invariants;
mod tool_cache;
