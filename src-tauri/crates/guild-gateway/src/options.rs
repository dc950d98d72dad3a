//! How much the gateway takes, from whom and for how long.

use std::net::SocketAddr;
use std::time::Duration;

/// The limits of a gateway; [`ServeOptions::default`] has those that the documents name.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The largest body of a request, in bytes.
    pub body_max: usize,
    /// The largest answer to several messages or names at once, in bytes. Each part that finds no
    /// room in it is an error, and the others are answered.
    pub together_max: usize,
    /// The largest head of a request, in bytes.
    pub head_max: usize,
    /// The most connections at once; one more is closed at once.
    pub connections_max: usize,
    /// How long a request's head may take from its first byte, and a connection's first head from
    /// its opening.
    pub head_limit: Duration,
    /// How long a request's body may take.
    pub body_limit: Duration,
    /// How long a connection may be idle between two requests.
    pub idle_limit: Duration,
    /// How long a client may read none of its answer.
    pub unread_limit: Duration,
    /// The most bytes of answers that clients have not read yet, over all connections.
    pub unread_max: usize,
    /// Finds the other user whose process opened a connection, from the connection's far and near
    /// address; `None` for this user's own and where the system doesn't report it.
    pub foreign_user: Option<fn(SocketAddr, SocketAddr) -> Option<u32>>,
    /// The most connections of one other user that have not shown a token, and those of all other
    /// users.
    pub foreign_max: (usize, usize),
    /// How often a stream without news is kept alive by a comment. A call that takes longer than
    /// this becomes a stream.
    pub keep_alive: Duration,
    /// Most sessions at once. A new one ends the least recently used. It ends one with a running
    /// request or stream only if all have one.
    pub sessions_max: usize,
    /// How long a session may be unused; while a request or a stream of it is under way, it is
    /// used.
    pub session_idle: Duration,
    /// The most calls that wait for a person's answer between two requests (2026-07-28).
    pub parked_max: usize,
    /// How many of them one client may have; where no token is wanted, all that call themselves
    /// the same.
    pub parked_of_client_max: usize,
    /// How long such a call waits, and how long an agent may take to answer a question.
    pub answer_limit: Duration,
    /// How many requests a second one client may send; as many may come at once.
    pub rate: u32,
    /// Origins that are let in besides those of this very address, such as
    /// `http://localhost:6274`.
    pub origins: Vec<String>,
    /// How long running work may take to end after the gateway is stopped.
    pub stop_limit: Duration,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self {
            body_max: 16 << 20,
            together_max: 64 << 20,
            head_max: 64 << 10,
            connections_max: 512,
            head_limit: Duration::from_secs(10),
            body_limit: Duration::from_secs(30),
            idle_limit: Duration::from_secs(120),
            unread_limit: Duration::from_secs(30),
            unread_max: 128 << 20,
            foreign_user: None,
            foreign_max: (16, 64),
            keep_alive: Duration::from_secs(15),
            sessions_max: 1_024,
            session_idle: Duration::from_secs(3_600),
            parked_max: 64,
            parked_of_client_max: 16,
            answer_limit: Duration::from_secs(600),
            rate: 50_000,
            origins: Vec::new(),
            stop_limit: Duration::from_secs(2),
        }
    }
}
