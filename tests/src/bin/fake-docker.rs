//! A container engine for tests. See `guild_tests::engine`.

use std::process::ExitCode;

#[cfg(unix)]
#[tokio::main]
async fn main() -> ExitCode {
    guild_tests::engine::main(std::env::args().skip(1).collect()).await
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    ExitCode::FAILURE
}
