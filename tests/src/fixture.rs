//! An MCP server for tests: it behaves well unless its switches set faults.
//!
//! The protocol is implemented with only `serde_json` and raw sockets. So it is independent of the
//! client under test, and can misbehave at the level of bytes. It supports both eras (see
//! [`switches::Era`]), over stdio or Streamable HTTP at `/mcp`, and records all requests.
//!
//! Deliberately not supported: sampling, roots, TLS, and concurrent requests over one HTTP
//! connection. Every process ends itself after `--max-life-ms`, so that a failed test leaves no
//! process behind permanently.

mod call;
mod canned_output;
mod catalogue;
mod child_processes;
mod conformance;
mod elicitation;
mod faults;
mod http;
pub(crate) mod http_wire;
mod notifications;
mod offers;
mod protocol;
mod record;
mod skills;
mod stdio;
pub mod switches;
mod tools;

#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use tokio::net::TcpListener;

use protocol::Server;
use switches::Switches;

/// The exit code of a fixture whose port is in use. Most servers use this code.
const EXIT_PORT_TAKEN: u8 = 1;

/// Runs the program: parses the switches, and serves until the process is ended.
pub fn run() -> ExitCode {
    let switches = Switches::parse();
    match child_processes::settle(&switches) {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => eprintln!("fixture: {error}"),
    }
    faults::limit_life(switches.max_life_ms);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => {
            let code = runtime.block_on(live(switches));
            // A blocked read of stdin must not delay the end of the process.
            runtime.shutdown_background();
            code
        }
        Err(error) => {
            eprintln!("fixture: no runtime: {error}");
            ExitCode::from(70)
        }
    }
}

async fn live(switches: Switches) -> ExitCode {
    if switches.ignore_term {
        faults::ignore_term();
    }
    if switches.sleep {
        return std::future::pending().await;
    }
    let server = Arc::new(Server::new(switches));
    server.record().started();
    child_processes::start(server.switches());
    faults::write_stderr(server.switches());
    if canned_output::say(server.switches()) {
        return ExitCode::SUCCESS;
    }
    canned_output::flood(server.switches());
    if let Some(code) = faults::early_exit(server.switches()) {
        return ExitCode::from(code);
    }
    if let Some(file) = &server.switches().hold_until {
        faults::until_exists(file).await;
    }
    tokio::time::sleep(Duration::from_millis(server.switches().boot_ms)).await;
    if let Some(delay) = server.switches().crash_after_ms {
        tokio::spawn(faults::crash_after(delay));
    }
    if server.switches().stdio {
        stdio::serve(server, tokio::io::stdin(), tokio::io::stdout()).await;
        return ExitCode::SUCCESS;
    }
    serve_http(server).await
}

async fn serve_http(server: Arc<Server>) -> ExitCode {
    let switches = server.switches();
    if switches.never_listen {
        return std::future::pending().await;
    }
    let address = (switches.host.clone(), switches.port.unwrap_or(0));
    match TcpListener::bind((address.0.as_str(), address.1)).await {
        Ok(listener) => {
            announce(&listener);
            http::serve(server, listener).await;
            ExitCode::SUCCESS
        }
        Err(error) => {
            let (host, port) = address;
            eprintln!("Error: {host}:{port} can't be bound: {error}");
            ExitCode::from(EXIT_PORT_TAKEN)
        }
    }
}

/// Prints the address on stderr, like many servers. A test with `--port 0` reads the port from it.
fn announce(listener: &TcpListener) {
    if let Ok(address) = listener.local_addr() {
        eprintln!("listening on http://{address}/mcp");
    }
}
