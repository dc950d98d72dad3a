//! The fixture server. See `guild_tests::fixture`.

use std::process::ExitCode;

fn main() -> ExitCode {
    guild_tests::fixture::run()
}
