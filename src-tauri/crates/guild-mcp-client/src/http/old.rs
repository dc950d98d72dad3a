//! Recognizes the transport of 2024-11-05, HTTP with SSE, only so that an error can name it.

use std::time::Duration;

use http::header::ACCEPT;
use tokio::time::timeout;

use super::{EVENTS, Headers, content_type};

/// How long a server may take to send the first event.
const LIMIT: Duration = Duration::from_secs(2);
/// Limit of the part of a stream that is read, in bytes.
const BYTES_MAX: usize = 4 << 10;
/// The statuses with which an old server rejects a POST to its stream or to another path.
const REFUSALS: [u16; 5] = [400, 404, 405, 406, 415];

/// Checks whether a server that rejected a POST with this status supports the old transport: at its
/// address, or at `/sse` if the address ends with `/mcp`.
pub(crate) async fn is_old_transport(
    client: &reqwest::Client,
    url: &str,
    headers: &Headers,
    status: Option<u16>,
) -> bool {
    if !status.is_some_and(|status| REFUSALS.contains(&status)) {
        return false;
    }
    let Ok(url) = reqwest::Url::parse(url) else {
        return false;
    };
    let beside = url.path().strip_suffix("/mcp").map(|path| {
        let mut beside = url.clone();
        beside.set_path(&format!("{path}/sse"));
        beside
    });
    for url in std::iter::once(url).chain(beside) {
        let asked = timeout(LIMIT, begins_with_endpoint(client, url, headers)).await;
        if asked == Ok(true) {
            return true;
        }
    }
    false
}

/// Checks whether a stream begins with the event that only the old transport has.
async fn begins_with_endpoint(
    client: &reqwest::Client,
    url: reqwest::Url,
    headers: &Headers,
) -> bool {
    let request = client
        .get(url)
        .headers(headers.clone().into_iter().collect())
        .header(ACCEPT, EVENTS);
    let Ok(mut response) = request.send().await else {
        return false;
    };
    if !response.status().is_success() || !content_type(response.headers()).starts_with(EVENTS) {
        return false;
    }
    let mut read = Vec::new();
    while read.len() < BYTES_MAX {
        let Ok(Some(chunk)) = response.chunk().await else {
            return false;
        };
        read.extend_from_slice(&chunk[..chunk.len().min(BYTES_MAX)]);
        let text = String::from_utf8_lossy(&read);
        let mut lines = text.lines().map(|line| line.strip_prefix("event:"));
        if lines.any(|event| event.is_some_and(|event| event.trim() == "endpoint")) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Starts a server that answers GET of one path with a stream, and all other requests with 404.
    /// Returns the server's address.
    async fn serving(path: &'static str, stream: &'static str) -> String {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let mut head = vec![0; 4_096];
                let length = socket.read(&mut head).await.unwrap_or(0);
                let head = String::from_utf8_lossy(&head[..length]).into_owned();
                let answer = match head.starts_with(&format!("GET {path} ")) {
                    true => format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n{stream}"
                    ),
                    false => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
                };
                let _ = socket.write_all(answer.as_bytes()).await;
            }
        });
        format!("http://127.0.0.1:{port}")
    }

    #[tokio::test]
    async fn old_transport_is_found_at_its_stream() {
        let old = "event: endpoint\ndata: /messages?session=1\n\n";
        let other = "event: message\ndata: {}\n\n";
        for (path, asked, stream, status, is_old) in [
            ("/sse", "/sse", old, Some(405), true),
            ("/sse", "/mcp", old, Some(404), true),
            ("/sse", "/api/mcp", old, Some(404), false),
            ("/sse", "/sse", old, Some(401), false),
            ("/sse", "/sse", old, None, false),
            ("/mcp", "/mcp", other, Some(405), false),
        ] {
            let base = serving(path, stream).await;
            let url = format!("{base}{asked}");
            let client = crate::http::client(&url, None, false)
                .await
                .expect("a client");
            let found = is_old_transport(&client, &url, &Headers::new(), status).await;
            assert_eq!(found, is_old, "{asked} {status:?}");
        }
    }
}
