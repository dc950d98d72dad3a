//! A local stand-in for an OpenAI-compatible endpoint.

use std::sync::{Arc, Mutex};

use guild_tests::LIMIT;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

/// The stand-in's answer to a request.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// 200 with this body.
    Says(String),
    /// 200 with a vector for each text, which counts the pairs of letters in the text.
    Embeds,
    /// Another status, with extra header lines.
    Status(u16, String, String),
    /// 200 with a body that has no end.
    Floods,
    /// Accepts the request and never answers.
    Hangs,
    /// Reads the request and closes the connection.
    Closes,
}

impl Answer {
    pub(crate) fn status(status: u16, headers: &str, body: &str) -> Self {
        Self::Status(status, headers.to_owned(), body.to_owned())
    }
}

/// Returns the answer of a model that predicts these tools.
pub(crate) fn tools(names: &[&str]) -> Answer {
    let tools: Vec<_> = names
        .iter()
        .map(|name| json!({"name": name, "description": format!("Does {name}.")}))
        .collect();
    let content = json!({"tools": tools}).to_string();
    Answer::Says(json!({"choices": [{"message": {"content": content}}]}).to_string())
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: String,
}

#[derive(Debug)]
struct Shared {
    answer: Mutex<Answer>,
    asked: Mutex<Vec<Asked>>,
    /// The number of requests, and of closed connections.
    counts: watch::Sender<(usize, usize)>,
}

/// The running stand-in. It ends when this value is dropped.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) url: String,
    shared: Arc<Shared>,
    seen: Mutex<usize>,
    task: AbortOnDropHandle<()>,
}

impl Model {
    pub(crate) async fn new(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("its address").port();
        let shared = Arc::new(Shared {
            answer: Mutex::new(answer),
            asked: Mutex::default(),
            counts: watch::Sender::new((0, 0)),
        });
        let serving = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let shared = Arc::clone(&serving);
                tokio::spawn(async move {
                    // The client may close the connection before it gets the answer.
                    let _ = serve(&shared, connection).await;
                    shared.counts.send_modify(|counts| counts.1 += 1);
                });
            }
        });
        Self {
            url: format!("http://localhost:{port}/v1"),
            shared,
            seen: Mutex::default(),
            task: AbortOnDropHandle::new(task),
        }
    }

    /// Sets the answer to all further requests.
    pub(crate) fn answers(&self, answer: Answer) {
        *self.shared.answer.lock().expect("whole") = answer;
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        let asked = self.shared.asked.lock().expect("whole").clone();
        *self.seen.lock().expect("whole") = asked.len();
        asked
    }

    /// Waits for a request that no earlier call has returned or waited for.
    pub(crate) async fn next_question(&self) {
        let seen = *self.seen.lock().expect("whole");
        let mut counts = self.shared.counts.subscribe();
        let came = counts.wait_for(|(asked, _)| *asked > seen);
        let came = tokio::time::timeout(LIMIT, came).await;
        *self.seen.lock().expect("whole") = came.expect("a question").expect("the model lives").0;
    }

    /// Waits until the clients of all received requests have closed their connections.
    pub(crate) async fn hung_up(&self) {
        let mut counts = self.shared.counts.subscribe();
        let gone = counts.wait_for(|(asked, over)| asked == over);
        let gone = tokio::time::timeout(LIMIT, gone).await;
        gone.expect("they go").expect("the model lives");
    }

    /// Ends the stand-in. Returns its address, which no longer has a listener.
    pub(crate) async fn gone(self) -> String {
        self.task.abort();
        let _ = self.task.await;
        self.url
    }
}

/// Returns the vectors of the texts in a request.
fn vectors(question: &str) -> String {
    let question: Value = serde_json::from_str(question).expect("JSON");
    let vector = |text: &Value| {
        let text = text.as_str().expect("a text").to_lowercase();
        let mut pairs = vec![0_u32; 32 * 32];
        for pair in text.as_bytes().windows(2) {
            pairs[usize::from(pair[0] % 32) * 32 + usize::from(pair[1] % 32)] += 1;
        }
        pairs
    };
    let texts = question["input"].as_array().expect("texts").iter();
    let data = texts.enumerate();
    let data: Vec<Value> = data
        .map(|(index, text)| json!({"index": index, "embedding": vector(text)}))
        .collect();
    json!({ "data": data }).to_string()
}

async fn serve(shared: &Shared, mut connection: TcpStream) -> std::io::Result<()> {
    let asked = question(&mut connection).await?;
    let answer = shared.answer.lock().expect("whole").clone();
    let answer = match answer {
        Answer::Embeds => Answer::Says(vectors(&asked.body)),
        answer => answer,
    };
    shared.asked.lock().expect("whole").push(asked);
    shared.counts.send_modify(|counts| counts.0 += 1);
    let (status, headers, body) = match answer {
        Answer::Says(body) => (200, String::new(), body),
        Answer::Status(status, headers, body) => (status, headers, body),
        Answer::Embeds => unreachable!("made a text above"),
        Answer::Closes => return Ok(()),
        Answer::Hangs => {
            // Waits until the client closes the connection.
            let mut rest = [0; 64];
            while connection.read(&mut rest).await? > 0 {}
            return Ok(());
        }
        Answer::Floods => {
            connection.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
            loop {
                connection.write_all(&[b' '; 16 * 1024]).await?;
            }
        }
    };
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status} Some\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    connection.write_all(text.as_bytes()).await?;
    connection.shutdown().await
}

/// Reads one complete request.
async fn question(connection: &mut TcpStream) -> std::io::Result<Asked> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if connection.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let length = head
        .lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, length)| length.trim().parse::<usize>().ok())
        .unwrap_or(0);
    while bytes.len() < head_end + length {
        if connection.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
    let body = String::from_utf8_lossy(&bytes[head_end..]).into_owned();
    Ok(Asked { head, body })
}
