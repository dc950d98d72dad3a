//! Silent clients at a hall's socket. They are disconnected after a minute, and reconnect with
//! their next message.

use std::io::ErrorKind;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use guild_api::wire::{Nothing, RosterView};
use guild_engine::{GuildHallOptions, InstanceStatus, IpcClient, LockMode};
use guild_model::holder::HallRole;
use guild_tests::LIMIT;
use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;
use tokio::task::spawn_blocking;
use tokio::time::{advance, pause, resume, timeout};

use crate::test_env::TestEnv;

/// How long the socket waits for a message.
const SILENCE: Duration = Duration::from_secs(60);
const INSTANT: Duration = Duration::from_secs(1);

/// The paused time of this program. It advances only when a test requests it, on any machine.
struct HeldTime {
    /// Keeps a task waiting. Otherwise the runtime advances to the next timer when all tasks are
    /// idle.
    _held: Sender<()>,
}

impl HeldTime {
    fn begin() -> Self {
        pause();
        let (held, end) = channel::<()>();
        spawn_blocking(move || end.recv_timeout(LIMIT));
        Self { _held: held }
    }

    /// Advances the time of this program by this much.
    async fn pass(&self, time: Duration) {
        advance(time).await;
    }
}

impl Drop for HeldTime {
    fn drop(&mut self) {
        resume();
    }
}

#[tokio::test]
async fn silent_connection_reconnects_transparently() {
    let env = TestEnv::new("silent visitor");
    let options = GuildHallOptions {
        tenure: LockMode::Serve(HallRole::Serve),
        ..env.options()
    };
    let open = env.open_with(options).await;
    let InstanceStatus::Running(mut visit) = IpcClient::find(&env.data_dir()).await else {
        panic!("it can be asked");
    };
    visit.who().await.expect("it answers");
    let time = HeldTime::begin();
    // A second connection sends nothing, to show the time limit of the socket.
    let note = crate::test_env::json(&env.data_dir().join("hall.json"));
    let socket = note["place"].as_str().expect("a place").to_owned();
    let mut silent = UnixStream::connect(&socket).await.expect("let in");
    // When a later connection was served, the silent one has been accepted and its time is running.
    let InstanceStatus::Running(mut later) = IpcClient::find(&env.data_dir()).await else {
        panic!("it can be asked");
    };
    later.who().await.expect("it answers");

    time.pass(SILENCE / 2).await;
    // Two round trips, so that the socket would have handled the silent connection.
    for _ in 0..2 {
        later.who().await.expect("it answers");
    }
    let still = silent
        .try_read(&mut [0])
        .expect_err("nothing is said to it");
    assert_eq!(still.kind(), ErrorKind::WouldBlock, "it has its minute");
    time.pass(SILENCE / 2 + INSTANT).await;
    let shown_out = timeout(INSTANT, silent.read(&mut [0])).await;
    let shown_out = shown_out.expect("at once, as time is held");
    assert_eq!(shown_out.expect("read"), 0, "the socket was closed");

    // The client's own connection is as old, so it was closed too.
    let roster = visit.ask::<_, RosterView>("roster", &Nothing {}).await;
    assert!(roster.expect("it is let in again").members.is_empty());
    // This works repeatedly.
    time.pass(SILENCE * 3).await;
    let roster = visit.ask::<_, RosterView>("roster", &Nothing {}).await;
    roster.expect("it is let in again");
    drop(time);
    open.close().await;
    let ended = visit.ask::<_, RosterView>("roster", &Nothing {}).await;
    ended.expect_err("nobody is there any more");
}
