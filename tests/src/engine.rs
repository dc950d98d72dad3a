//! A container engine for tests with Docker's commands: a daemon that owns the containers, and a
//! client that may be killed without the daemon's notice.
//!
//! `fake-docker daemon DIR FIXTURE` is the daemon. The test starts it, so that its containers are
//! not descendants of the tested program. Every other command is a client, which reaches the daemon
//! by `DOCKER_HOST=unix://DIR/docker.sock` and writes its arguments to `DIR/calls.jsonl`. An image
//! is a name in `DIR/images`. Each image runs the fixture. `pull` adds the name, unless it begins
//! with `missing` (not found), `private` (access is denied) or `slow` (never ends).
//!
//! A container has neither a separate root folder nor a separate network. The port inside the
//! container is therefore replaced by a free port of this machine in the container's arguments.
//! Mounts are only visible in `DIR/calls.jsonl`.

mod client;
mod daemon;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The name of the daemon's socket in the folder.
const SOCKET: &str = "docker.sock";
/// Maximum size of one message, in bytes.
const FRAME_MAX: u32 = 16 * 1024 * 1024;

/// Messages between client and daemon, after one [`Request`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Request,
    /// Bytes for the container's stdin. An empty message is the end of stdin.
    Stdin,
    /// The client was asked to end, and passes the request to the container.
    Terminate,
    Stdout,
    Stderr,
    /// The last message, with the exit code in four bytes.
    Exit,
}

impl Kind {
    const ALL: [Self; 6] = [
        Self::Request,
        Self::Stdin,
        Self::Terminate,
        Self::Stdout,
        Self::Stderr,
        Self::Exit,
    ];
}

/// A request of a client: its arguments and variables.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Request {
    words: Vec<String>,
    /// The values of the variables that `--env NAME` lists.
    environment: BTreeMap<String, String>,
}

/// Runs the daemon or the client.
pub async fn main(words: Vec<String>) -> ExitCode {
    match words.as_slice() {
        [daemon, dir, fixture] if daemon == "daemon" => {
            match daemon::serve(Path::new(dir), Path::new(fixture)).await {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("the daemon ends: {error}");
                    ExitCode::FAILURE
                }
            }
        }
        _ => client::run(words).await,
    }
}

async fn send(to: &mut (impl AsyncWrite + Unpin), kind: Kind, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    let place = Kind::ALL.iter().position(|one| *one == kind);
    let mut frame = vec![
        place
            .and_then(|place| u8::try_from(place).ok())
            .unwrap_or_default(),
    ];
    frame.extend(length.to_be_bytes());
    frame.extend(bytes);
    to.write_all(&frame).await
}

async fn receive(from: &mut (impl AsyncRead + Unpin)) -> io::Result<(Kind, Vec<u8>)> {
    let mut head = [0; 5];
    from.read_exact(&mut head).await?;
    let kind = Kind::ALL.get(usize::from(head[0])).copied();
    let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]);
    let (Some(kind), true) = (kind, length <= FRAME_MAX) else {
        return Err(io::Error::other("no message of this engine"));
    };
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes).await?;
    Ok((kind, bytes))
}
