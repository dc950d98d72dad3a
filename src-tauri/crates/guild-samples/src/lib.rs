//! The MCP servers inside Guild Hall's own programs: three sample members, and mocks that answer
//! from recorded calls.
//!
//! The `main` functions of the desktop app and of `guildhall` first call [`run_from_args`], which
//! handles the hidden subcommands `sample-member` and `mock-member`. The servers need neither a
//! network nor another runtime. `notes` accesses only files in its own folder, and a mock only its
//! recording.

mod clock;
pub mod mock;
mod notes;
mod playground;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService, stdio};
use rmcp::{ServerHandler, ServiceExt};
use tokio::net::TcpListener;

use self::clock::ClockServer;
use self::notes::Notes;
use self::playground::Playground;

/// The hidden subcommand of the desktop app and of `guildhall`.
const SUBCOMMAND: &str = "sample-member";
const USAGE: &str =
    "usage: sample-member (notes FOLDER | clock | playground) (--stdio | --port PORT)";
/// The hidden subcommand that serves a mock over stdio.
pub const MOCK_SUBCOMMAND: &str = "mock-member";
const MOCK_USAGE: &str = "usage: mock-member FILE";

#[derive(Debug, PartialEq, Eq)]
enum Sample {
    Notes { folder: PathBuf },
    Clock,
    Playground,
}

#[derive(Debug, PartialEq, Eq)]
enum SampleTransport {
    /// Stdin and stdout. The server ends when stdin ends.
    Stdio,
    /// Streamable HTTP at `http://127.0.0.1:{port}/mcp`.
    Http { port: u16 },
}

/// Serves a sample member or a mock if the program's arguments, including the program's name,
/// request one.
/// Returns `None` for all other arguments.
///
/// Creates its own runtime, and returns when the server has ended.
pub fn run_from_args(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args.into_iter().skip(1);
    let subcommand = args.next()?;
    let args: Vec<_> = args.collect();
    if subcommand == MOCK_SUBCOMMAND {
        return Some(match args.as_slice() {
            [file] => run(mock::serve(Path::new(file))),
            _ => wrong_usage(MOCK_USAGE),
        });
    }
    if subcommand != SUBCOMMAND {
        return None;
    }
    Some(match parse(&args) {
        Some((sample, transport)) => run(serve(sample, transport)),
        None => wrong_usage(USAGE),
    })
}

fn wrong_usage(usage: &str) -> ExitCode {
    eprintln!("{usage}");
    ExitCode::from(2)
}

/// Runs a server until it ends.
fn run(server: impl Future<Output = io::Result<()>>) -> ExitCode {
    let served = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .and_then(|runtime| {
            let served = runtime.block_on(server);
            // A pending read of stdin must not keep the process alive.
            runtime.shutdown_background();
            served
        });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(args: &[OsString]) -> Option<(Sample, SampleTransport)> {
    let (sample, rest) = args.split_first()?;
    let (sample, transport) = match sample.to_str()? {
        "notes" => {
            let (folder, transport) = rest.split_first()?;
            let folder = PathBuf::from(folder);
            (Sample::Notes { folder }, transport)
        }
        "clock" => (Sample::Clock, rest),
        "playground" => (Sample::Playground, rest),
        _ => return None,
    };
    let transport: Vec<_> = transport
        .iter()
        .map(|word| word.to_str())
        .collect::<Option<_>>()?;
    let transport = match transport.as_slice() {
        ["--stdio"] => SampleTransport::Stdio,
        ["--port", port] => SampleTransport::Http {
            port: port.parse().ok()?,
        },
        _ => return None,
    };
    Some((sample, transport))
}

async fn serve(sample: Sample, transport: SampleTransport) -> io::Result<()> {
    match sample {
        Sample::Notes { folder } => serve_on(Notes::new(folder), transport).await,
        Sample::Clock => serve_on(ClockServer, transport).await,
        Sample::Playground => serve_on(Playground, transport).await,
    }
}

async fn serve_on(
    server: impl ServerHandler + Clone,
    transport: SampleTransport,
) -> io::Result<()> {
    match transport {
        SampleTransport::Stdio => {
            let running = server.serve(stdio()).await.map_err(io::Error::other)?;
            running.waiting().await.map_err(io::Error::other)?;
            Ok(())
        }
        SampleTransport::Http { port } => {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
            serve_http(server, listener).await
        }
    }
}

async fn serve_http(server: impl ServerHandler + Clone, listener: TcpListener) -> io::Result<()> {
    // Reject requests whose Host or Origin is not this machine.
    let config = StreamableHttpServerConfig::default().enforce_origin_validation();
    let service: StreamableHttpService<_, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(server.clone()), Default::default(), config);
    let router = axum::Router::new().nest_service("/mcp", service);
    axum::serve(listener, router).await
}

/// Returns the text of an error. A tool returns this text as its result, so that the caller can
/// react.
fn as_text(error: impl ToString) -> String {
    error.to_string()
}
