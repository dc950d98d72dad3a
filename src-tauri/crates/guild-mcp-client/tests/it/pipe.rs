//! A server at the other end of two pipes, for tests.

use guild_mcp_client::{ConnectFailure, ConnectOptions, ServerTransport, Session, connect};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};

use crate::{answer, initialized, options};

/// The server's ends of the pipes.
pub(crate) struct Pipe {
    input: Lines<BufReader<DuplexStream>>,
    output: DuplexStream,
}

impl Pipe {
    /// Creates a server, and the transport to it.
    pub(crate) fn new() -> (Self, ServerTransport) {
        let (reader, output) = duplex(1 << 16);
        let (input, writer) = duplex(1 << 16);
        let link = ServerTransport::Stdio {
            reader: Box::new(reader),
            writer: Box::new(writer),
        };
        let input = BufReader::new(input).lines();
        (Self { input, output }, link)
    }

    /// Returns the client's next message. `None` once the client has closed its end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let line = self.next_line().await?;
        Some(serde_json::from_str(&line).expect("the client writes JSON"))
    }

    /// Returns the client's next message as it was written.
    pub(crate) async fn next_line(&mut self) -> Option<String> {
        self.input.next_line().await.expect("a pipe can be read")
    }

    /// Returns the client's next message, which must have this method.
    pub(crate) async fn expect(&mut self, method: &str) -> Value {
        let message = self.next().await.expect("a message");
        assert_eq!(message["method"], method, "{message}");
        message
    }

    pub(crate) async fn say(&mut self, message: Value) {
        self.write(&format!("{message}\n")).await;
    }

    pub(crate) async fn write(&mut self, text: &str) {
        // An error means that the client has closed its end.
        let _ = self.output.write_all(text.as_bytes()).await;
    }
}

/// Opens a session with a server that has these capabilities.
pub(crate) async fn session(capabilities: Value) -> (Session, Pipe) {
    let (mut pipe, link) = Pipe::new();
    let serve = async {
        let request = pipe.expect("initialize").await;
        pipe.say(answer(&request, initialized("2025-11-25", capabilities)))
            .await;
        pipe.expect("notifications/initialized").await;
    };
    let (session, ()) = tokio::join!(connect(link, options()), serve);
    (session.expect("the handshake succeeds"), pipe)
}

/// Opens a session with a server that has tools.
pub(crate) async fn with_tools() -> (Session, Pipe) {
    session(json!({"tools": {"listChanged": true}})).await
}

/// Connects to a server that answers only the first request, or closes its pipes without an answer.
pub(crate) async fn first_answer(
    options: ConnectOptions,
    reply: impl FnOnce(&Value) -> Option<Value>,
) -> (Value, Result<Session, ConnectFailure>) {
    let (mut pipe, link) = Pipe::new();
    let serve = async {
        let request = pipe.next().await.expect("a request");
        if let Some(reply) = reply(&request) {
            pipe.say(reply).await;
        }
        drop(pipe);
        request
    };
    let (result, request) = tokio::join!(connect(link, options), serve);
    (request, result)
}
