//! The fixture server; see `guild_tests::fixture` for what it can do.

use std::process::ExitCode;

fn main() -> ExitCode {
    guild_tests::fixture::run()
}
