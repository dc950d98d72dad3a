//! The server side of the control socket, with limits for connections, time and input. An
//! [`IpcRequestHandler`] handles the requests.

use std::convert::Infallible;
use std::io;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use guild_api::event::Envelope;
use guild_api::wire::control::{ACKNOWLEDGED_EVERY, Ask, ControlResponse, ResponsePayload};
use guild_model::Report;
use guild_model::holder::HallRole;
use guild_process::Lineage;
use serde_json::value::RawValue;
use tokio::io::BufReader;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::lines::{IpcLineReader, REQUEST_MAX, write};
use super::lock_info::LockInfo;
use super::socket::{IpcListener, IpcReader, IpcWriter, Peer};

/// Handles the requests to a hall that owns the data folder.
pub trait IpcRequestHandler: Clone + Send + Sync + 'static {
    /// Returns the member to which a connected process belongs, if any.
    fn identify(&self, pid: Option<u32>) -> impl Future<Output = Lineage> + Send;

    /// Handles one command. Returns `None` once the hall is gone. `from` identifies the member that
    /// the caller's process belongs to. `disconnected` is cancelled when the caller disconnects.
    /// `send_event` sends events before the answer.
    fn serve<T>(
        &self,
        request: &Ask<Box<RawValue>>,
        from: &Lineage,
        disconnected: &CancellationToken,
        send_event: impl Fn(Arc<Envelope>) -> T + Send + Sync,
    ) -> impl Future<Output = Option<Result<Box<RawValue>, Report>>> + Send
    where
        T: Future<Output = ()> + Send;
}

/// Maximum number of concurrent connections. Further connections wait in the socket's queue.
const CONNECTIONS_MAX: usize = 32;
/// Maximum number of pending requests per connection. The server reads no further request until one
/// of them is answered.
const REQUESTS_MAX: usize = 8;
/// Maximum number of lines that wait to be written, per connection.
const LINES_WAITING: usize = 16;
/// How long an idle connection may stay open.
const IDLE_MAX: Duration = Duration::from_secs(60);
/// Timeout for writing each part of a line to a client that does not read.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// Pause after the listener fails, for example because no file descriptor is free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Opens the control socket of an owned data folder, and writes the note. Dropping the returned
/// handle closes the socket.
///
/// # Errors
/// I/O errors.
pub async fn listen(
    handler: impl IpcRequestHandler,
    role: HallRole,
    data_dir: &Path,
    members_dir: &Path,
) -> io::Result<AbortOnDropHandle<()>> {
    let (data_dir, members_dir) = (data_dir.to_owned(), members_dir.to_owned());
    let runtime = tokio::runtime::Handle::current();
    let opening = tokio::task::spawn_blocking(move || {
        let _guard = runtime.enter();
        let listener = IpcListener::open(&data_dir)?;
        let note = LockInfo {
            pid: std::process::id(),
            role,
            members_dir,
            place: listener.place().to_owned(),
            acknowledges: true,
        };
        note.write(&data_dir)?;
        Ok(listener)
    });
    let listener = opening
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))?;
    Ok(AbortOnDropHandle::new(tokio::spawn(receive(
        listener, handler,
    ))))
}

async fn receive(mut listener: IpcListener, handler: impl IpcRequestHandler) {
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let Ok(place) = Arc::clone(&room).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((reader, writer, peer)) => {
                let handler = handler.clone();
                connections.spawn(async move {
                    serve_connection(reader, writer, peer, handler).await;
                    drop(place);
                });
            }
            Err(error) => {
                let limit = guild_process::descriptors::limit();
                tracing::warn!(%error, limit, "no connection can be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Serves one connection until the peer closes it or the hall is gone.
async fn serve_connection(
    reader: IpcReader,
    writer: IpcWriter,
    peer: Peer,
    handler: impl IpcRequestHandler,
) {
    // The process is identified before the first read, since it may lose its parent process later.
    let from = Arc::new(handler.identify(peer.pid).await);
    let (lines, waiting) = mpsc::channel(LINES_WAITING);
    let gone = CancellationToken::new();
    let mut writing = tokio::spawn(write_lines(writer, waiting, gone.clone()));
    let mut frames = IpcLineReader::new(BufReader::new(reader), REQUEST_MAX);
    let mut requests = JoinSet::new();
    loop {
        let is_idle = requests.is_empty();
        let silence = async move {
            match is_idle {
                true => tokio::time::sleep(IDLE_MAX).await,
                false => std::future::pending().await,
            }
        };
        tokio::select! {
            frame = frames.next(), if requests.len() < REQUESTS_MAX => {
                let Ok(Some(frame)) = frame else { break };
                let Ok(request) = serde_json::from_slice(&frame) else { break };
                let (from, lines, gone) = (Arc::clone(&from), lines.clone(), gone.clone());
                requests.spawn(answer_request(handler.clone(), request, from, lines, gone));
            }
            Some(_) = requests.join_next() => {}
            () = silence => break,
            () = gone.cancelled() => break,
        }
    }
    // The calls of a closed connection are cancelled, and awaited so that they are recorded.
    gone.cancel();
    while requests.join_next().await.is_some() {}
    drop(lines);
    // The writing task ends once all lines are written, unless the other program reads too slowly.
    if tokio::time::timeout(WRITE_TIMEOUT, &mut writing)
        .await
        .is_err()
    {
        writing.abort();
    }
}

async fn answer_request(
    handler: impl IpcRequestHandler,
    request: Ask<Box<RawValue>>,
    from: Arc<Lineage>,
    lines: mpsc::Sender<Vec<u8>>,
    gone: CancellationToken,
) {
    let id = request.id;
    let send_event = |envelope: Arc<Envelope>| {
        let response = ControlResponse::<()> {
            id,
            what: ResponsePayload::Event(Box::new(Envelope::clone(&envelope))),
        };
        let lines = lines.clone();
        async move { send(&lines, &response).await }
    };
    let mut serving = pin!(handler.serve(&request, &from, &gone, send_event));
    let served = tokio::select! {
        // The acknowledgment is polled first, so that it is sent before the work begins.
        biased;
        never = acknowledge(id, &lines), if request.acknowledge => match never {},
        served = &mut serving => served,
    };
    let what = match served {
        Some(Ok(answer)) => ResponsePayload::Answer(answer),
        Some(Err(report)) => ResponsePayload::Refusal(report),
        None => return gone.cancel(),
    };
    send(&lines, &ControlResponse { id, what }).await;
}

/// Reports a request as pending, at once and then every [`ACKNOWLEDGED_EVERY`].
async fn acknowledge(id: u64, lines: &mpsc::Sender<Vec<u8>>) -> Infallible {
    loop {
        let pending = ControlResponse::<()> {
            id,
            what: ResponsePayload::Pending,
        };
        send(lines, &pending).await;
        tokio::time::sleep(ACKNOWLEDGED_EVERY).await;
    }
}

async fn send<R: serde::Serialize>(lines: &mpsc::Sender<Vec<u8>>, response: &ControlResponse<R>) {
    if let Ok(line) = serde_json::to_vec(response) {
        // Fails only if the connection is closed.
        let _ = lines.send(line).await;
    }
}

/// Writes lines to a connection while it accepts them.
async fn write_lines(
    mut writer: IpcWriter,
    mut lines: mpsc::Receiver<Vec<u8>>,
    gone: CancellationToken,
) {
    while let Some(line) = lines.recv().await {
        if write(&mut writer, line, WRITE_TIMEOUT).await.is_err() {
            gone.cancel();
            // Later lines are dropped with the channel.
            return;
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use guild_model::Code;

    use super::super::{InstanceLock, InstanceStatus, IpcClient};
    use super::*;

    /// Echoes its requests until it is dropped.
    #[derive(Clone, Default)]
    struct EchoHandler {
        is_gone: Arc<AtomicBool>,
    }

    impl IpcRequestHandler for EchoHandler {
        async fn identify(&self, pid: Option<u32>) -> Lineage {
            assert_eq!(pid, Some(std::process::id()), "it is this program");
            Lineage::Outside
        }

        async fn serve<T>(
            &self,
            request: &Ask<Box<RawValue>>,
            _from: &Lineage,
            _disconnected: &CancellationToken,
            _send_event: impl Fn(Arc<Envelope>) -> T + Send + Sync,
        ) -> Option<Result<Box<RawValue>, Report>>
        where
            T: Future<Output = ()> + Send,
        {
            let is_there = !self.is_gone.load(Ordering::Relaxed);
            is_there.then(|| Ok(request.request.clone()))
        }
    }

    #[tokio::test]
    async fn client_is_answered_until_the_server_ends() {
        let data = tempfile::tempdir().expect("a folder");
        let _claim = InstanceLock::take_now(data.path()).expect("it has locks");
        let handler = EchoHandler::default();
        let role = HallRole::Serve;
        let _server = listen(handler.clone(), role, data.path(), data.path())
            .await
            .expect("it opens");
        let InstanceStatus::Running(mut client) = IpcClient::find(data.path()).await else {
            panic!("the folder stays locked");
        };
        let response: Result<String, Report> = client.ask("any", &"hello").await;
        assert_eq!(response.expect("an answer"), "hello");
        handler.is_gone.store(true, Ordering::Relaxed);
        let response: Result<String, Report> = client.ask("any", &"hello").await;
        let report = response.expect_err("no hall is running");
        assert_eq!(report.code, Code::HallUnreachable, "{report}");
    }

    /// A handler whose answer takes longer than a client waits for the first byte of a response.
    #[derive(Clone)]
    struct SlowHandler;

    impl IpcRequestHandler for SlowHandler {
        async fn identify(&self, _pid: Option<u32>) -> Lineage {
            Lineage::Outside
        }

        async fn serve<T>(
            &self,
            request: &Ask<Box<RawValue>>,
            _from: &Lineage,
            _disconnected: &CancellationToken,
            _send_event: impl Fn(Arc<Envelope>) -> T + Send + Sync,
        ) -> Option<Result<Box<RawValue>, Report>>
        where
            T: Future<Output = ()> + Send,
        {
            tokio::time::sleep(Duration::from_secs(6)).await;
            Some(Ok(request.request.clone()))
        }
    }

    #[tokio::test]
    async fn long_request_is_acknowledged_and_answered() {
        let data = tempfile::tempdir().expect("a folder");
        let _claim = InstanceLock::take_now(data.path()).expect("it has locks");
        let _server = listen(SlowHandler, HallRole::Serve, data.path(), data.path())
            .await
            .expect("it opens");
        let InstanceStatus::Running(mut client) = IpcClient::find(data.path()).await else {
            panic!("the folder stays locked");
        };
        let response: Result<String, Report> = client.ask("any", &"hello").await;
        assert_eq!(response.expect("an answer"), "hello");
    }

    /// Listens like a hall, but accepts no connection.
    fn listening_in(data_dir: &Path) -> IpcListener {
        let listener = IpcListener::open(data_dir).expect("it listens");
        let note = LockInfo {
            pid: std::process::id(),
            role: HallRole::Serve,
            members_dir: data_dir.to_owned(),
            place: listener.place().to_owned(),
            acknowledges: true,
        };
        note.write(data_dir).expect("written");
        listener
    }

    #[tokio::test(start_paused = true)]
    async fn slow_large_answer_is_read_to_its_end() {
        let data = tempfile::tempdir().expect("a folder");
        let _claim = InstanceLock::take_now(data.path()).expect("it has locks");
        let mut listener = listening_in(data.path());
        let (found, accepted) = tokio::join!(IpcClient::find(data.path()), listener.accept());
        let InstanceStatus::Running(mut client) = found else {
            panic!("it listens");
        };
        let (_reader, mut writer, _) = accepted.expect("a connection");
        let large = "x".repeat(100_000);
        let answer = ResponsePayload::Answer(large.clone());
        let line = serde_json::to_vec(&ControlResponse {
            id: 1,
            what: answer,
        })
        .expect("JSON");
        let answering = async {
            for part in line.chunks(30_000).chain([b"\n".as_slice()]) {
                tokio::time::sleep(Duration::from_secs(4)).await;
                tokio::io::AsyncWriteExt::write_all(&mut writer, part)
                    .await
                    .expect("written");
            }
        };
        let (response, ()) = tokio::join!(client.ask::<_, String>("any", &"hello"), answering);
        assert_eq!(response.expect("an answer"), large);
    }

    #[tokio::test(start_paused = true)]
    async fn hung_hall_is_given_up_after_5_s() {
        let data = tempfile::tempdir().expect("a folder");
        let _claim = InstanceLock::take_now(data.path()).expect("it has locks");
        // Connections wait in the socket's queue, and no task accepts them.
        let _listener = listening_in(data.path());
        let large = "x".repeat(8 << 20);
        for request in ["small", large.as_str()] {
            let InstanceStatus::Running(mut client) = IpcClient::find(data.path()).await else {
                panic!("it listens");
            };
            let started = tokio::time::Instant::now();
            let response: Result<String, Report> = client.ask("any", &request).await;
            let report = response.expect_err("no one answers");
            assert_eq!(report.code, Code::HallUnreachable, "{report}");
            let took = started.elapsed();
            assert!((5..6).contains(&took.as_secs()), "{took:?}");
        }
        let InstanceStatus::Running(mut client) = IpcClient::find(data.path()).await else {
            panic!("it listens");
        };
        assert!(client.answers().await.is_err());
    }
}
