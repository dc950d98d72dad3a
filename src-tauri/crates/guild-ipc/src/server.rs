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

/// Owns the data folder and handles requests. The owner may be dropped before its server.
pub trait IpcRequestHandler: Clone + Send + Sync + 'static {
    /// Determines whether a connected process belongs to a member.
    fn identify(&self, pid: Option<u32>) -> impl Future<Output = Lineage> + Send;

    /// Handles one command. `None` when the owner is gone. `from` is the process tree of the
    /// caller. `asker` is cancelled when the caller disconnects. `tell` sends events before the
    /// answer.
    fn serve<T>(
        &self,
        ask: &Ask<Box<RawValue>>,
        from: &Lineage,
        asker: &CancellationToken,
        tell: impl Fn(Arc<Envelope>) -> T + Send + Sync,
    ) -> impl Future<Output = Option<Result<Box<RawValue>, Report>>> + Send
    where
        T: Future<Output = ()> + Send;
}

/// Limit of concurrent connections. Further connections wait in the socket's queue.
const VISITORS_MAX: usize = 32;
/// Limit of pending requests per connection. Further requests are read later.
const ASKS_MAX: usize = 8;
/// Limit of lines that wait to be written, per connection.
const LINES_WAITING: usize = 16;
/// How long an idle connection may stay open.
const SILENCE_MAX: Duration = Duration::from_secs(60);
/// Timeout for writing each part of a line to a client that does not read.
const DEAF_MAX: Duration = Duration::from_secs(30);
/// Pause after the listener fails, for example because no file descriptor is free.
const REST: Duration = Duration::from_millis(200);

/// Opens the control socket of an owned data folder, and writes the note. Dropping the returned
/// handle closes the socket.
///
/// # Errors
/// I/O errors.
pub async fn open_door(
    keeper: impl IpcRequestHandler,
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
        listener, keeper,
    ))))
}

async fn receive(mut listener: IpcListener, keeper: impl IpcRequestHandler) {
    let room = Arc::new(Semaphore::new(VISITORS_MAX));
    let mut visitors = JoinSet::new();
    loop {
        while visitors.try_join_next().is_some() {}
        let Ok(place) = Arc::clone(&room).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((reader, writer, peer)) => {
                let keeper = keeper.clone();
                visitors.spawn(async move {
                    attend(reader, writer, peer, keeper).await;
                    drop(place);
                });
            }
            Err(error) => {
                let limit = guild_process::descriptors::limit();
                tracing::warn!(%error, limit, "no connection can be accepted");
                tokio::time::sleep(REST).await;
            }
        }
    }
}

/// Serves one connection until it closes or the owner is gone.
async fn attend(reader: IpcReader, writer: IpcWriter, peer: Peer, keeper: impl IpcRequestHandler) {
    // Done before the first read, since the process may lose its parent later.
    let from = Arc::new(keeper.identify(peer.pid).await);
    let (lines, waiting) = mpsc::channel(LINES_WAITING);
    let gone = CancellationToken::new();
    let writing = tokio::spawn(say(writer, waiting, gone.clone()));
    let mut frames = IpcLineReader::new(BufReader::new(reader), REQUEST_MAX);
    let mut asks = JoinSet::new();
    loop {
        let is_idle = asks.is_empty();
        let silence = async move {
            match is_idle {
                true => tokio::time::sleep(SILENCE_MAX).await,
                false => std::future::pending().await,
            }
        };
        tokio::select! {
            frame = frames.next(), if asks.len() < ASKS_MAX => {
                let Ok(Some(frame)) = frame else { break };
                let Ok(ask) = serde_json::from_slice(&frame) else { break };
                let answering = IpcRequestContext {
                    from: Arc::clone(&from),
                    lines: lines.clone(),
                    gone: gone.clone(),
                };
                asks.spawn(carry_out(keeper.clone(), ask, answering));
            }
            Some(_) = asks.join_next() => {}
            () = silence => break,
            () = gone.cancelled() => break,
        }
    }
    // The calls of a closed connection are cancelled, and awaited so that they are recorded.
    gone.cancel();
    while asks.join_next().await.is_some() {}
    drop(lines);
    // The writing task ends by itself.
    let _ = writing.await;
}

/// The connection of a request.
struct IpcRequestContext {
    from: Arc<Lineage>,
    lines: mpsc::Sender<Vec<u8>>,
    gone: CancellationToken,
}

async fn carry_out(
    keeper: impl IpcRequestHandler,
    ask: Ask<Box<RawValue>>,
    answering: IpcRequestContext,
) {
    let IpcRequestContext { from, lines, gone } = answering;
    let id = ask.id;
    let tell = |envelope: Arc<Envelope>| {
        let said = ControlResponse::<()> {
            id,
            what: ResponsePayload::Event(Box::new(Envelope::clone(&envelope))),
        };
        let lines = lines.clone();
        async move { tell_line(&lines, &said).await }
    };
    let mut serving = pin!(keeper.serve(&ask, &from, &gone, tell));
    let served = tokio::select! {
        // Polled first, so that the acknowledgment precedes the work and the answer.
        biased;
        never = acknowledge(id, &lines), if ask.acknowledge => match never {},
        served = &mut serving => served,
    };
    let what = match served {
        Some(Ok(answer)) => ResponsePayload::Answer(answer),
        Some(Err(report)) => ResponsePayload::Refusal(report),
        None => return gone.cancel(),
    };
    tell_line(&lines, &ControlResponse { id, what }).await;
}

/// Reports a request as pending, at once and then every [`ACKNOWLEDGED_EVERY`].
async fn acknowledge(id: u64, lines: &mpsc::Sender<Vec<u8>>) -> Infallible {
    loop {
        let pending = ControlResponse::<()> {
            id,
            what: ResponsePayload::Pending,
        };
        tell_line(lines, &pending).await;
        tokio::time::sleep(ACKNOWLEDGED_EVERY).await;
    }
}

async fn tell_line<R: serde::Serialize>(lines: &mpsc::Sender<Vec<u8>>, said: &ControlResponse<R>) {
    if let Ok(line) = serde_json::to_vec(said) {
        // Fails only if the connection is closed.
        let _ = lines.send(line).await;
    }
}

/// Writes lines to a connection while it accepts them.
async fn say(mut writer: IpcWriter, mut lines: mpsc::Receiver<Vec<u8>>, gone: CancellationToken) {
    while let Some(line) = lines.recv().await {
        if write(&mut writer, line, DEAF_MAX).await.is_err() {
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
            ask: &Ask<Box<RawValue>>,
            _from: &Lineage,
            _asker: &CancellationToken,
            _tell: impl Fn(Arc<Envelope>) -> T + Send + Sync,
        ) -> Option<Result<Box<RawValue>, Report>>
        where
            T: Future<Output = ()> + Send,
        {
            let is_there = !self.is_gone.load(Ordering::Relaxed);
            is_there.then(|| Ok(ask.request.clone()))
        }
    }

    #[tokio::test]
    async fn client_is_answered_until_the_server_ends() {
        let data = tempfile::tempdir().expect("a folder");
        let _claim = InstanceLock::take_now(data.path()).expect("it has locks");
        let keeper = EchoHandler::default();
        let role = HallRole::Serve;
        let _door = open_door(keeper.clone(), role, data.path(), data.path())
            .await
            .expect("it opens");
        let InstanceStatus::Running(mut visit) = IpcClient::find(data.path()).await else {
            panic!("somebody keeps the folder");
        };
        let said: Result<String, Report> = visit.ask("any", &"hello").await;
        assert_eq!(said.expect("an answer"), "hello");
        keeper.is_gone.store(true, Ordering::Relaxed);
        let said: Result<String, Report> = visit.ask("any", &"hello").await;
        let report = said.expect_err("nobody is there");
        assert_eq!(report.code, Code::HallUnreachable, "{report}");
    }

    /// Answers later than the time limit of a hall's first byte.
    #[derive(Clone)]
    struct SlowHandler;

    impl IpcRequestHandler for SlowHandler {
        async fn identify(&self, _pid: Option<u32>) -> Lineage {
            Lineage::Outside
        }

        async fn serve<T>(
            &self,
            ask: &Ask<Box<RawValue>>,
            _from: &Lineage,
            _asker: &CancellationToken,
            _tell: impl Fn(Arc<Envelope>) -> T + Send + Sync,
        ) -> Option<Result<Box<RawValue>, Report>>
        where
            T: Future<Output = ()> + Send,
        {
            tokio::time::sleep(Duration::from_secs(6)).await;
            Some(Ok(ask.request.clone()))
        }
    }

    #[tokio::test]
    async fn long_request_is_acknowledged_and_answered() {
        let data = tempfile::tempdir().expect("a folder");
        let _claim = InstanceLock::take_now(data.path()).expect("it has locks");
        let _door = open_door(SlowHandler, HallRole::Serve, data.path(), data.path())
            .await
            .expect("it opens");
        let InstanceStatus::Running(mut visit) = IpcClient::find(data.path()).await else {
            panic!("somebody keeps the folder");
        };
        let said: Result<String, Report> = visit.ask("any", &"hello").await;
        assert_eq!(said.expect("an answer"), "hello");
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
        let (said, ()) = tokio::join!(client.ask::<_, String>("any", &"hello"), answering);
        assert_eq!(said.expect("an answer"), large);
    }

    #[tokio::test(start_paused = true)]
    async fn hung_hall_is_given_up_after_5_s() {
        let data = tempfile::tempdir().expect("a folder");
        let _claim = InstanceLock::take_now(data.path()).expect("it has locks");
        // Connections wait in the socket's queue, and no task accepts them.
        let _listener = listening_in(data.path());
        let large = "x".repeat(8 << 20);
        for request in ["small", large.as_str()] {
            let InstanceStatus::Running(mut visit) = IpcClient::find(data.path()).await else {
                panic!("it listens");
            };
            let begun = tokio::time::Instant::now();
            let said: Result<String, Report> = visit.ask("any", &request).await;
            let report = said.expect_err("no one answers");
            assert_eq!(report.code, Code::HallUnreachable, "{report}");
            let took = begun.elapsed();
            assert!((5..6).contains(&took.as_secs()), "{took:?}");
        }
        let InstanceStatus::Running(mut visit) = IpcClient::find(data.path()).await else {
            panic!("it listens");
        };
        assert!(visit.answers().await.is_err());
    }
}
