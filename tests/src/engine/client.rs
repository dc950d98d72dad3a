//! The client. Sends its arguments to the daemon, and forwards the container's streams.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::{Kind, Request, SOCKET, receive, send};

/// Maximum number of messages that wait to be sent to the daemon.
const WAITING: usize = 64;

pub(super) async fn run(words: Vec<String>) -> ExitCode {
    let host = std::env::var("DOCKER_HOST").unwrap_or_default();
    let socket = host.strip_prefix("unix://").map(PathBuf::from);
    let Some(socket) = socket.filter(|path| path.ends_with(SOCKET)) else {
        eprintln!("fake-docker wants DOCKER_HOST=unix://…/{SOCKET}");
        return ExitCode::from(1);
    };
    note(&socket, &words);
    if socket.with_file_name("denied").exists() {
        eprintln!(
            "permission denied while trying to connect to the Docker daemon socket at {host}: dial \
             unix: connect: permission denied"
        );
        return ExitCode::from(1);
    }
    let Ok(stream) = UnixStream::connect(&socket).await else {
        eprintln!("Cannot connect to the Docker daemon at {host}. Is the docker daemon running?");
        return ExitCode::from(1);
    };
    match converse(stream, words).await {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error during connect: {error}");
            ExitCode::from(1)
        }
    }
}

fn note(socket: &std::path::Path, words: &[String]) {
    let file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(socket.with_file_name("calls.jsonl"));
    let line = format!("{}\n", serde_json::json!(words));
    // Uses one write, so that lines of concurrent clients don't mix.
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        eprintln!("the call is not written down: {error}");
    }
}

async fn converse(stream: UnixStream, words: Vec<String>) -> std::io::Result<u8> {
    let (mut from, mut to) = stream.into_split();
    let named = words.windows(2).filter(|pair| pair[0] == "--env");
    let named = named.filter_map(|pair| Some((pair[1].clone(), std::env::var(&pair[1]).ok()?)));
    let request = Request {
        environment: named.collect(),
        words,
    };
    send(&mut to, Kind::Request, &serde_json::to_vec(&request)?).await?;
    let (sender, mut receiver) = mpsc::channel::<(Kind, Vec<u8>)>(WAITING);
    tokio::spawn(async move {
        while let Some((kind, bytes)) = receiver.recv().await {
            if send(&mut to, kind, &bytes).await.is_err() {
                return;
            }
        }
    });
    let mut asked = signal(SignalKind::terminate())?;
    let terminate = sender.clone();
    tokio::spawn(async move {
        while asked.recv().await.is_some() {
            let _ = terminate.send((Kind::Terminate, Vec::new())).await;
        }
    });
    if request
        .words
        .iter()
        .any(|word| word == "--interactive" || word == "-i")
    {
        tokio::spawn(async move {
            let mut stdin = tokio::io::stdin();
            let mut chunk = vec![0; 16 * 1024];
            loop {
                let length = stdin.read(&mut chunk).await.unwrap_or(0);
                let sent = sender.send((Kind::Stdin, chunk[..length].to_vec())).await;
                if length == 0 || sent.is_err() {
                    return;
                }
            }
        });
    }
    loop {
        let (kind, bytes) = receive(&mut from).await?;
        match kind {
            Kind::Stdout => {
                let mut out = std::io::stdout().lock();
                out.write_all(&bytes)?;
                out.flush()?;
            }
            Kind::Stderr => std::io::stderr().lock().write_all(&bytes)?,
            Kind::Exit => {
                let code = bytes.try_into().map_or(125, u32::from_be_bytes);
                // Ends the process, since stdin may still be open.
                std::process::exit(i32::try_from(code).unwrap_or(125));
            }
            Kind::Request | Kind::Stdin | Kind::Terminate => {}
        }
    }
}
