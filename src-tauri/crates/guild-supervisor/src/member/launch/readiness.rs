//! Waits until a server answers on its port.

use std::time::Duration;

use guild_model::manifest::Launch;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Interval between attempts to reach a port. The system sends no event when a port is opened.
const PROBE_PAUSE: Duration = Duration::from_millis(15);
/// Timeout of one attempt to reach a port.
const PROBE_LIMIT: Duration = Duration::from_millis(500);

/// The process that listens on a member's port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PortListener {
    /// A process of the member.
    Own,
    /// The engine of the member's container. It accepts connections before the server listens, so
    /// only an HTTP answer shows that the server is ready.
    Engine,
}

impl PortListener {
    pub(super) fn of(launch: &Launch) -> Self {
        match launch {
            Launch::Container(_) => Self::Engine,
            Launch::Command { .. } | Launch::Url { .. } => Self::Own,
        }
    }

    /// Whether another program on the port can be detected. For a container it can't: the engine's
    /// process is not a child of this process.
    pub(super) fn is_own(self) -> bool {
        self == Self::Own
    }

    /// Returns the host that answers, in the form that URLs use. `None` if no host answers.
    async fn answers(self, port: u16) -> Option<&'static str> {
        match self {
            Self::Own if takes_connections("127.0.0.1", port).await => Some("127.0.0.1"),
            Self::Own => takes_connections("::1", port).await.then_some("[::1]"),
            // The port is published only at this address.
            Self::Engine => answers_http(port).await.then_some("127.0.0.1"),
        }
    }
}

/// Waits until a server answers on a loopback address. Returns the host for URLs.
pub(super) async fn wait_until_ready(port: u16, listener: PortListener) -> &'static str {
    loop {
        if let Some(host) = listener.answers(port).await {
            return host;
        }
        tokio::time::sleep(PROBE_PAUSE).await;
    }
}

async fn takes_connections(host: &str, port: u16) -> bool {
    let opened = tokio::time::timeout(PROBE_LIMIT, TcpStream::connect((host, port))).await;
    matches!(opened, Ok(Ok(_)))
}

async fn answers_http(port: u16) -> bool {
    const ASKED: &[u8] = b"HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    let answering = async {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.write_all(ASKED).await?;
        let mut said = [0; 5];
        stream.read_exact(&mut said).await?;
        std::io::Result::Ok(said == *b"HTTP/")
    };
    let answered = tokio::time::timeout(PROBE_LIMIT, answering).await;
    matches!(answered, Ok(Ok(true)))
}
