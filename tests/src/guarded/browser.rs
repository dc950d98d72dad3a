//! The browser's part of a sign-in.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Maximum size of an answer, in bytes.
const ANSWER_MAX: u64 = 1024 * 1024;
/// Maximum number of redirects.
const HOPS_MAX: usize = 5;

/// Opens a local address and follows redirects. Returns the status and the text of the last page.
///
/// # Errors
/// When a server does not answer or breaks HTTP, or after too many redirects.
pub async fn browse(address: &str) -> io::Result<(u16, String)> {
    let mut address = address.to_owned();
    for _ in 0..HOPS_MAX {
        let answer = ask(&address).await?;
        let (head, page) = answer.split_once("\r\n\r\n").ok_or_else(malformed)?;
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        let status: u16 = status.ok_or_else(malformed)?;
        match location_in(head).filter(|_| (300..400).contains(&status)) {
            Some(next) => next.clone_into(&mut address),
            None => return Ok((status, page.to_owned())),
        }
    }
    Err(io::Error::other(format!("{address} leads on and on")))
}

/// Opens a local address like a browser on another computer, which can't follow the redirect to this
/// one. Returns the address of that redirect.
///
/// # Errors
/// When the server does not answer with a redirect.
pub async fn redirect_of(address: &str) -> io::Result<String> {
    let answer = ask(address).await?;
    location_in(&answer)
        .map(str::to_owned)
        .ok_or_else(malformed)
}

fn location_in(head: &str) -> Option<&str> {
    head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("location").then(|| value.trim())
    })
}

async fn ask(address: &str) -> io::Result<String> {
    let rest = address.strip_prefix("http://").ok_or_else(malformed)?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host).await?;
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    // No further request follows, so that servers with keep-alive close this connection too.
    stream.shutdown().await?;
    let mut answer = Vec::new();
    stream.take(ANSWER_MAX).read_to_end(&mut answer).await?;
    String::from_utf8(answer).map_err(io::Error::other)
}

fn malformed() -> io::Error {
    io::Error::other("it is no answer")
}
