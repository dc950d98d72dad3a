//! Connections to an MCP server: Streamable HTTP, the older HTTP+SSE, and pipes.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// Timeout of a response.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection on which at most one request waits for its answer.
pub(crate) trait Wire {
    /// Sends a request and reads its answer.
    fn ask(&mut self, message: &str, body: &mut Vec<u8>) -> io::Result<()>;

    fn tell(&mut self, message: &str) -> io::Result<()>;
}

/// Streamable HTTP over one connection.
pub(crate) struct HttpWire {
    host: String,
    path: String,
    /// The header of the server's session, with its line end.
    session: String,
    answers: BufReader<TcpStream>,
    requests: TcpStream,
}

pub(crate) fn open_http(url: &str) -> io::Result<HttpWire> {
    let (host, path) = parts(url)?;
    let (answers, requests) = connect(&host)?;
    Ok(HttpWire {
        host,
        path,
        session: String::new(),
        answers,
        requests,
    })
}

impl HttpWire {
    fn post(&mut self, message: &str, body: &mut Vec<u8>) -> io::Result<()> {
        let (host, path, session) = (&self.host, &self.path, &self.session);
        let request = format!(
            "POST /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\n{session}content-length: {}\r\n\r\n\
             {message}",
            message.len()
        );
        self.requests.write_all(request.as_bytes())?;
        if let Some(id) = read_response(&mut self.answers, body)? {
            self.session = format!("mcp-session-id: {id}\r\n");
        }
        Ok(())
    }
}

impl Wire for HttpWire {
    fn ask(&mut self, message: &str, body: &mut Vec<u8>) -> io::Result<()> {
        self.post(message, body)
    }

    fn tell(&mut self, message: &str) -> io::Result<()> {
        self.post(message, &mut Vec::new())
    }
}

/// The HTTP+SSE transport of 2024-11-05: answers come as events of another connection.
pub(crate) struct LegacyWire {
    posts: HttpWire,
    events: BufReader<TcpStream>,
}

pub(crate) fn open_legacy(url: &str) -> io::Result<LegacyWire> {
    let (host, path) = parts(url)?;
    let (mut events, mut requests) = connect(&host)?;
    let request =
        format!("GET /{path} HTTP/1.1\r\nhost: {host}\r\naccept: text/event-stream\r\n\r\n");
    requests.write_all(request.as_bytes())?;
    // The first event has the address for requests, as a path or in full.
    let address = next_data(&mut events)?;
    let path = match address.strip_prefix("http://") {
        Some(rest) => rest.split_once('/').map_or("", |(_, path)| path),
        None => address.trim_start_matches('/'),
    };
    let posts = open_http(&format!("http://{host}/{path}"))?;
    Ok(LegacyWire { posts, events })
}

impl Wire for LegacyWire {
    fn ask(&mut self, message: &str, body: &mut Vec<u8>) -> io::Result<()> {
        self.tell(message)?;
        loop {
            let data = next_data(&mut self.events)?;
            // Notifications have no id.
            if data.contains("\"id\"") {
                body.clear();
                body.extend_from_slice(data.as_bytes());
                return Ok(());
            }
        }
    }

    fn tell(&mut self, message: &str) -> io::Result<()> {
        self.posts.post(message, &mut Vec::new())
    }
}

/// A server on pipes.
pub(crate) struct PipeWire {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

pub(crate) fn open_stdio(program: &str, arguments: &[String]) -> io::Result<PipeWire> {
    let mut command = Command::new(program);
    let command = command.args(arguments).stderr(Stdio::null());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (Some(requests), Some(output)) = (input, output) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    Ok(PipeWire {
        child,
        requests,
        answers: BufReader::new(output),
    })
}

impl Wire for PipeWire {
    fn ask(&mut self, message: &str, body: &mut Vec<u8>) -> io::Result<()> {
        self.tell(message)?;
        loop {
            body.clear();
            if self.answers.read_until(b'\n', body)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            // Requests from the server also have a method, and notifications have no id.
            let has = |words: &[u8]| body.windows(words.len()).any(|part| part == words);
            if has(b"\"id\"") && !has(b"\"method\"") {
                return Ok(());
            }
        }
    }

    fn tell(&mut self, message: &str) -> io::Result<()> {
        self.requests.write_all(format!("{message}\n").as_bytes())
    }
}

impl Drop for PipeWire {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn parts(url: &str) -> io::Result<(String, String)> {
    let wrong = |reason: &str| io::Error::new(io::ErrorKind::InvalidInput, reason.to_owned());
    let rest = url.strip_prefix("http://");
    let rest = rest.ok_or_else(|| wrong("no http address"))?;
    let (host, path) = rest.split_once('/').ok_or_else(|| wrong("no path"))?;
    Ok((host.to_owned(), path.to_owned()))
}

fn connect(host: &str) -> io::Result<(BufReader<TcpStream>, TcpStream)> {
    let stream = TcpStream::connect(host)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok((BufReader::new(stream.try_clone()?), stream))
}

/// Reads one response with a length, in chunks, or without a body. Returns the id of the session
/// that it opens.
fn read_response(answers: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<Option<String>> {
    let (mut length, mut chunked, mut session) = (0, false, None);
    let mut line = String::new();
    loop {
        line.clear();
        if answers.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let Some((name, value)) = line.trim_end().split_once(':') else {
            if line.trim_end().is_empty() {
                break;
            }
            continue;
        };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().map_err(io::Error::other)?,
            "transfer-encoding" => chunked = value.ends_with("chunked"),
            "mcp-session-id" => session = Some(value.to_owned()),
            _ => {}
        }
    }
    body.clear();
    if !chunked {
        body.resize(length, 0);
        answers.read_exact(body)?;
        return Ok(session);
    }
    loop {
        line.clear();
        answers.read_line(&mut line)?;
        let size = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        let begin = body.len();
        // A chunk and its line end.
        body.resize(begin + size + 2, 0);
        answers.read_exact(&mut body[begin..])?;
        body.truncate(begin + size);
        if size == 0 {
            return Ok(session);
        }
    }
}

/// Reads the data of the next event. Skips HTTP headers and the sizes of chunks.
fn next_data(events: &mut impl BufRead) -> io::Result<String> {
    loop {
        let mut line = String::new();
        if events.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some(data) = line.strip_prefix("data:") {
            return Ok(data.trim().to_owned());
        }
    }
}
