//! A minimal HTTP client of the gateway. It sees all received bytes, also wrong ones.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::app::Open;

/// Time limit for an answer. It is longer than a start and a call of a member together.
pub(crate) const PATIENCE: Duration = Duration::from_secs(75);
/// Maximum size of an answer, in bytes.
const ANSWER_MAX: usize = 8 << 20;

pub(crate) enum Heard {
    Result(Value),
    /// The gateway's reason for an error.
    Refusal(String),
    /// The connection ended before the answer was complete.
    Broken,
    /// An answer that the gateway must never send.
    Wrong(String),
}

/// A connection to the gateway of one process of the program.
pub(crate) struct Gate {
    stream: TcpStream,
    buffer: Vec<u8>,
    asked: u64,
}

/// The reason for a missing answer.
enum Stop {
    Broken,
    Wrong(String),
}

impl From<std::io::Error> for Stop {
    fn from(_: std::io::Error) -> Self {
        Self::Broken
    }
}

fn wrong(what: impl Into<String>) -> Stop {
    Stop::Wrong(what.into())
}

/// A response: its status, whether it is a stream of events, and its body.
struct Response {
    status: u16,
    events: bool,
    body: Vec<u8>,
}

impl Gate {
    pub(crate) async fn open(open: &Open) -> Option<Self> {
        let stream = TcpStream::connect(&open.host).await.ok()?;
        stream.set_nodelay(true).ok()?;
        Some(Self {
            stream,
            buffer: Vec::new(),
            asked: 0,
        })
    }

    /// Calls a member's tool. The connection can be used again only after a result or a refusal.
    pub(crate) async fn call(
        &mut self,
        open: &Open,
        member: &str,
        tool: &str,
        arguments: &Value,
    ) -> Heard {
        self.asked += 1;
        let id = format!("{}-{}", open.generation, self.asked);
        match timeout(PATIENCE, self.ask(open, member, &id, tool, arguments)).await {
            Ok(Ok(response)) => understood(&response, &id),
            Ok(Err(Stop::Broken)) => Heard::Broken,
            Ok(Err(Stop::Wrong(what))) => Heard::Wrong(what),
            Err(_) => Heard::Wrong(format!("no answer of {member} within {PATIENCE:?}")),
        }
    }

    async fn ask(
        &mut self,
        open: &Open,
        member: &str,
        id: &str,
        tool: &str,
        arguments: &Value,
    ) -> Result<Response, Stop> {
        let mut early = [0; 64];
        match self.stream.try_read(&mut early) {
            Ok(0) => return Err(Stop::Broken),
            Ok(_) => return Err(wrong("bytes that nobody asked for, between two answers")),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.into()),
        }
        let params = json!({"name": tool, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        let message = message.to_string();
        let request = format!(
            "POST /members/{member}/mcp HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\naccept: application/json, text/event-stream\r\n\
             mcp-protocol-version: 2025-06-18\r\ncontent-length: {}\r\n\r\n{message}",
            open.host,
            open.token,
            message.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        let response = self.response().await?;
        if !self.buffer.is_empty() {
            return Err(wrong("bytes after the end of an answer"));
        }
        Ok(response)
    }

    async fn response(&mut self) -> Result<Response, Stop> {
        let head = self.until(b"\r\n\r\n").await?;
        let head = String::from_utf8(head).map_err(|_| wrong("a head that is no text"))?;
        let mut lines = head.lines();
        let status = lines
            .next()
            .and_then(|line| line.split(' ').nth(1)?.parse().ok())
            .ok_or_else(|| wrong("no status"))?;
        let (mut length, mut chunked, mut events) = (0, false, false);
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let value = value.trim().to_ascii_lowercase();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().map_err(|_| wrong("no length"))?,
                "transfer-encoding" => chunked = value == "chunked",
                "content-type" => events = value.starts_with("text/event-stream"),
                _ => {}
            }
        }
        let mut body = Vec::new();
        if !chunked {
            body = self.exactly(length).await?;
        } else {
            loop {
                let size = self.until(b"\r\n").await?;
                let size = std::str::from_utf8(&size).ok();
                let size = size.and_then(|size| usize::from_str_radix(size.trim(), 16).ok());
                let size = size.ok_or_else(|| wrong("a chunk without a size"))?;
                body.extend(self.exactly(size).await?);
                self.exactly(2).await?;
                if size == 0 {
                    break;
                }
            }
        }
        Ok(Response {
            status,
            events,
            body,
        })
    }

    /// Reads up to and including `end`.
    async fn until(&mut self, end: &[u8]) -> Result<Vec<u8>, Stop> {
        loop {
            let found = self.buffer.windows(end.len()).position(|part| part == end);
            if let Some(at) = found {
                return Ok(self.buffer.drain(..at + end.len()).collect());
            }
            self.more().await?;
        }
    }

    async fn exactly(&mut self, length: usize) -> Result<Vec<u8>, Stop> {
        while self.buffer.len() < length {
            self.more().await?;
        }
        Ok(self.buffer.drain(..length).collect())
    }

    async fn more(&mut self) -> Result<(), Stop> {
        if self.buffer.len() > ANSWER_MAX {
            return Err(wrong("an answer without an end"));
        }
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(Stop::Broken),
            _ => Ok(()),
        }
    }
}

/// Returns the only answer in a response.
fn understood(response: &Response, id: &str) -> Heard {
    let text = String::from_utf8_lossy(&response.body);
    let messages: Vec<&str> = match response.events {
        true => text
            .lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .map(str::trim)
            .filter(|data| !data.is_empty())
            .collect(),
        false => vec![&text],
    };
    let mut answers = Vec::new();
    for message in messages {
        let Ok(message) = serde_json::from_str::<Value>(message) else {
            return match response.status {
                200 => Heard::Wrong(format!("no JSON: {}", shortened(message))),
                status => Heard::Refusal(format!("status {status}")),
            };
        };
        if message.get("method").is_none() {
            answers.push(message);
        }
    }
    let [answer] = answers.as_slice() else {
        return Heard::Wrong(format!("{} answers to one call", answers.len()));
    };
    if response.status == 200 && answer["id"] != id {
        return Heard::Wrong(format!("an answer to {} in place of {id}", answer["id"]));
    }
    match (answer.get("result"), answer.get("error")) {
        (Some(result), None) if result["isError"] != true => Heard::Result(result.clone()),
        (Some(result), None) => {
            Heard::Refusal(shortened(&result["content"][0]["text"].to_string()))
        }
        (None, Some(error)) => Heard::Refusal(shortened(&error["message"].to_string())),
        _ => Heard::Wrong(format!("neither result nor error: {}", shortened(&text))),
    }
}

pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(events: bool, body: &str) -> Heard {
        let response = Response {
            status: 200,
            events,
            body: body.as_bytes().to_vec(),
        };
        understood(&response, "1-7")
    }

    #[test]
    fn one_answer_with_its_own_id_is_taken_and_nothing_else() {
        let answer = r#"{"jsonrpc":"2.0","id":"1-7","result":{"content":[]}}"#;
        assert!(matches!(heard(false, answer), Heard::Result(_)));
        let note = r#"data: {"jsonrpc":"2.0","method":"notifications/progress"}"#;
        let events = format!("{note}\n\ndata: {answer}\n\n");
        assert!(matches!(heard(true, &events), Heard::Result(_)));

        let of_another = answer.replace("1-7", "1-8");
        assert!(matches!(heard(false, &of_another), Heard::Wrong(_)));
        let twice = format!("data: {answer}\n\ndata: {answer}\n\n");
        assert!(matches!(heard(true, &twice), Heard::Wrong(_)));
        let error = r#"{"jsonrpc":"2.0","id":"1-7","error":{"code":-32603,"message":"no"}}"#;
        let after_an_error = format!("data: {error}\n\ndata: {answer}\n\n");
        assert!(matches!(heard(true, &after_an_error), Heard::Wrong(_)));
        assert!(matches!(heard(true, note), Heard::Wrong(_)));
        assert!(matches!(heard(false, &answer[1..]), Heard::Wrong(_)));
    }

    #[test]
    fn a_reason_is_a_refusal() {
        let error = r#"{"jsonrpc":"2.0","id":"1-7","error":{"code":-32603,"message":"no"}}"#;
        assert!(matches!(heard(false, error), Heard::Refusal(_)));
        let failed = r#"{"jsonrpc":"2.0","id":"1-7","result":{"isError":true,"content":[]}}"#;
        assert!(matches!(heard(false, failed), Heard::Refusal(_)));
    }
}
