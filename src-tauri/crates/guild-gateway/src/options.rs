//! Limits of the gateway: sizes, counts and times, and the allowed origins.

use std::net::SocketAddr;
use std::time::Duration;

/// The limits of a gateway. [`ServeOptions::default`] has the documented values.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// Limit of a request's body, in bytes.
    pub body_max: usize,
    /// Limit of the combined answers to a batch of messages or to `tools/describe_batch`, in bytes.
    /// A message or tool whose answer does not fit gets an error.
    pub together_max: usize,
    /// Limit of a request's head, in bytes.
    pub head_max: usize,
    /// Limit of the open connections. If it is reached, a new connection replaces the oldest one
    /// without an admitted request. Without such a connection, the new connection is closed.
    pub connections_max: usize,
    /// Timeout of a request's head: from its first byte, or on a new connection from the start of
    /// the connection.
    pub head_limit: Duration,
    /// Timeout of a request's body.
    pub body_limit: Duration,
    /// How long a connection may be idle between two requests.
    pub idle_limit: Duration,
    /// How long a client may stop reading its answer before its connection is closed.
    pub unread_limit: Duration,
    /// Limit of the bytes of answers that clients have not read yet, over all connections.
    pub unread_max: usize,
    /// Time without reading after which a client's connection may be closed to make room for
    /// another answer.
    pub unread_stall: Duration,
    /// Finds the id of the user whose process opened a connection, from the client's and the
    /// gateway's address. Returns `None` for the gateway's own user, and if the system doesn't
    /// report the user.
    pub foreign_user: Option<fn(SocketAddr, SocketAddr) -> Option<u32>>,
    /// Limits of the connections without a valid token from processes of other users: for each of
    /// these users, and for all of them together.
    pub foreign_max: (usize, usize),
    /// Interval of the comments that keep a silent stream alive. A call that takes longer than this
    /// is answered with an event stream.
    pub keep_alive: Duration,
    /// Limit of the sessions. If it is reached, a new session ends the least recently used session.
    /// A session with a running request or stream is ended only if all sessions have one.
    pub sessions_max: usize,
    /// How long a session may be unused. A session with a running request or stream counts as used.
    pub session_idle: Duration,
    /// Limit of the suspended calls that wait for a person's answer (2026-07-28).
    pub suspended_max: usize,
    /// Limit of one client's suspended calls. Clients without a token count as one client if they
    /// have the same name.
    pub suspended_of_client_max: usize,
    /// How long a suspended call waits for its continuation, and how long an agent may take to
    /// answer a question.
    pub answer_limit: Duration,
    /// Limit of one client's requests per second. It is also the limit of a burst.
    pub rate: u32,
    /// Allowed origins besides those of the gateway's own address, such as `http://localhost:6274`.
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
            unread_stall: Duration::from_secs(1),
            foreign_user: None,
            foreign_max: (16, 64),
            keep_alive: Duration::from_secs(15),
            sessions_max: 1_024,
            session_idle: Duration::from_secs(3_600),
            suspended_max: 64,
            suspended_of_client_max: 16,
            answer_limit: Duration::from_secs(600),
            rate: 50_000,
            origins: Vec::new(),
            stop_limit: Duration::from_secs(2),
        }
    }
}
