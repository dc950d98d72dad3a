//! The sample members: three small MCP servers within Guild Hall's own binaries.
//!
//! They need no network, no files and no other runtime, so that a first start has something to
//! show. Both binaries call [`run_from_args`] first thing in `main`; the hidden subcommand is
//! `sample-member NAME (--port N | --stdio)`. Schemas are written by hand as JSON, so that a form
//! shows its fields in the order meant.
//!
//! Deliberately absent: any access to the machine. A sample changes nothing but its own memory.

mod answer;
mod gallery;
mod lookout;
mod media;
mod server;
mod workshop;

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io;
use std::net::Ipv4Addr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::tower::StreamableHttpService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::server::{Sample, SampleServer};

/// The names of the samples.
pub const NAMES: [&str; 3] = ["workshop", "gallery", "lookout"];

/// The hidden subcommand of both binaries.
const SUBCOMMAND: &str = "sample-member";
/// How long open streams may take to end after a signal.
const FAREWELL: Duration = Duration::from_millis(500);
/// The largest request that a sample reads, in bytes.
const REQUEST_BYTES_MAX: usize = 4 << 20;

/// How a sample is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleTransport {
    /// On stdin and stdout; ends when stdin ends.
    Stdio,
    /// On 127.0.0.1 at `/mcp`, with Host and Origin checked.
    Http {
        /// The port.
        port: u16,
    },
}

/// Why a sample could not be served.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// There is no sample of that name.
    #[error("there is no sample member {0:?}; there are {NAMES:?}")]
    UnknownName(String),
    /// The arguments after `sample-member` make no sense.
    #[error("usage: {SUBCOMMAND} NAME (--port N | --stdio)")]
    Usage,
    /// The port could not be bound.
    #[error("port {port} on 127.0.0.1 can't be used: {source}")]
    Bind {
        /// The port.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// The runtime, a signal handler, or the listening socket failed.
    #[error("the sample member had to stop: {0}")]
    Io(#[from] io::Error),
    /// The client on stdin did not open the connection as the protocol says.
    #[error("the connection was not opened: {0}")]
    Opening(String),
}

/// Serves a sample when the program was started as one: `args` are all of the program's, its own
/// name first. `None`: it was started as something else.
///
/// Builds a runtime of its own, and returns when the sample has ended.
pub fn run_from_args(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args.into_iter().skip(1);
    if args.next()? != SUBCOMMAND {
        return None;
    }
    let words: Vec<_> = args
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let outcome = parse(&words).and_then(|(name, how)| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let outcome = runtime.block_on(serve(name, how));
        // A read of stdin that still waits must not keep the process.
        runtime.shutdown_background();
        outcome
    });
    Some(match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            match error {
                SampleError::Usage | SampleError::UnknownName(_) => ExitCode::from(2),
                _ => ExitCode::FAILURE,
            }
        }
    })
}

fn parse(args: &[String]) -> Result<(&str, SampleTransport), SampleError> {
    let words: Vec<_> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        [name, "--stdio"] => Ok((name, SampleTransport::Stdio)),
        [name, "--port", port] => {
            let port = port.parse().map_err(|_| SampleError::Usage)?;
            Ok((name, SampleTransport::Http { port }))
        }
        _ => Err(SampleError::Usage),
    }
}

/// Serves a sample until its client goes (stdio) or the process is told to end.
///
/// # Errors
/// An unknown name, a port that is taken, a client that does not speak the protocol.
pub async fn serve(name: &str, how: SampleTransport) -> Result<(), SampleError> {
    let sample = Sample::named(name).ok_or_else(|| SampleError::UnknownName(name.into()))?;
    let end = CancellationToken::new();
    let told = told_to_end()?;
    let serving = async {
        match how {
            SampleTransport::Stdio => {
                let (stdin, stdout) = rmcp::transport::stdio();
                serve_pipes(sample, stdin, stdout).await
            }
            SampleTransport::Http { port } => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
                    .await
                    .map_err(|source| SampleError::Bind { port, source })?;
                serve_http(sample, listener, end.clone()).await
            }
        }
    };
    tokio::pin!(serving);
    tokio::select! {
        outcome = &mut serving => outcome,
        () = told => {
            end.cancel();
            // What has not ended by then ends with the process; it was told to.
            tokio::time::timeout(FAREWELL, serving).await.unwrap_or(Ok(()))
        }
    }
}

/// Serves on a pair of pipes until the reading one ends.
async fn serve_pipes(
    sample: Sample,
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), SampleError> {
    let running = SampleServer::new(sample)
        .serve((reader, writer))
        .await
        .map_err(|error| SampleError::Opening(error.to_string()))?;
    running.waiting().await.map_err(io::Error::other)?;
    Ok(())
}

/// Serves on a listening socket until `end`.
async fn serve_http(
    sample: Sample,
    listener: TcpListener,
    end: CancellationToken,
) -> Result<(), SampleError> {
    // Plain answers for the workshop, sessions and streams for the others: between them the
    // samples show both ways.
    let plain = sample == Sample::Workshop;
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(end.clone())
        .with_legacy_session_mode(!plain)
        .with_json_response(plain)
        .with_max_request_body_bytes(REQUEST_BYTES_MAX)
        .enforce_origin_validation();
    let server = SampleServer::new(sample);
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::<LocalSessionManager>::default(),
        config,
    );
    let routes = axum::Router::new().nest_service("/mcp", service);
    axum::serve(listener, routes)
        .with_graceful_shutdown(end.cancelled_owned())
        .await?;
    Ok(())
}

/// Ends when the process is told to end: SIGTERM or SIGINT, Ctrl-C elsewhere. The handlers stand
/// once this has returned.
fn told_to_end() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut term = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        Ok(async move {
            tokio::select! {
                _ = term.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        // Without a handler the system ends the process itself.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
