//! A local stand-in for a registry.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::AbortOnDropHandle;

#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// The path with the query.
    pub(super) path: String,
}

impl Asked {
    /// Returns an undecoded part of the query.
    pub(super) fn part(&self, name: &str) -> Option<&str> {
        let (_, query) = self.path.split_once('?')?;
        let parts = query.split('&').filter_map(|part| part.split_once('='));
        parts
            .into_iter()
            .find_map(|(key, value)| (key == name).then_some(value))
    }
}

/// The answer to a request.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// A status, header lines, and a body.
    Says(u16, String, String),
    /// 200 with a body that has no end.
    Floods,
    /// No answer.
    Hangs,
}

impl Reply {
    pub(super) fn json(body: &Value) -> Self {
        Self::Says(200, String::new(), body.to_string())
    }

    pub(super) fn status(status: u16) -> Self {
        Self::Says(status, String::new(), String::new())
    }
}

type Answers = dyn Fn(&Asked) -> Reply + Send + Sync;

/// The running stand-in. It ends when this value is dropped.
pub(super) struct StandIn {
    /// The address without a path.
    pub(super) url: String,
    answers: Arc<Mutex<Arc<Answers>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    _task: AbortOnDropHandle<()>,
}

impl StandIn {
    pub(super) async fn new(answers: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("its address").port();
        let answers: Arc<Mutex<Arc<Answers>>> = Arc::new(Mutex::new(Arc::new(answers)));
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let serving = (Arc::clone(&answers), Arc::clone(&asked));
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let (answers, asked) = (Arc::clone(&serving.0), Arc::clone(&serving.1));
                tokio::spawn(async move {
                    // The client may close the connection before it gets the answer.
                    let _ = serve(connection, &answers, &asked).await;
                });
            }
        });
        Self {
            url: format!("http://127.0.0.1:{port}"),
            answers,
            asked,
            _task: AbortOnDropHandle::new(task),
        }
    }

    /// Sets the answers to all further requests.
    pub(super) fn answers(&self, answers: impl Fn(&Asked) -> Reply + Send + Sync + 'static) {
        *self.answers.lock().expect("whole") = Arc::new(answers);
    }

    /// Returns the requests since the last call of this function.
    pub(super) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().expect("whole"))
    }
}

async fn serve(
    connection: TcpStream,
    answers: &Mutex<Arc<Answers>>,
    all: &Mutex<Vec<Asked>>,
) -> std::io::Result<()> {
    let mut connection = BufReader::new(connection);
    loop {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if (&mut connection).take(65_536).read_line(&mut line).await? == 0 {
                return Ok(());
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let first = lines.first().cloned().unwrap_or_default();
        let asked = Asked {
            path: first.split(' ').nth(1).unwrap_or_default().to_owned(),
        };
        all.lock().expect("whole").push(asked.clone());
        let answering = Arc::clone(&*answers.lock().expect("whole"));
        match answering(&asked) {
            Reply::Says(status, head, body) => {
                let length = body.len();
                let head = format!("HTTP/1.1 {status} -\r\ncontent-length: {length}\r\n{head}\r\n");
                connection.write_all(head.as_bytes()).await?;
                connection.write_all(body.as_bytes()).await?;
                connection.flush().await?;
            }
            Reply::Floods => {
                let head = "HTTP/1.1 200 -\r\nconnection: close\r\n\r\n{\"servers\": [";
                connection.write_all(head.as_bytes()).await?;
                loop {
                    connection.write_all(&[b' '; 65_536]).await?;
                }
            }
            Reply::Hangs => std::future::pending().await,
        }
    }
}

/// Returns an entry in the format of the registry's API.
pub(super) fn entry(name: &str, version: &str, fields: Value, official: Value) -> Value {
    let mut server = json!({
        "name": name, "version": version, "description": format!("What {name} is for."),
    });
    for (key, value) in fields.as_object().expect("an object") {
        server[key] = value.clone();
    }
    let mut words = json!({"status": "active", "isLatest": true});
    for (key, value) in official.as_object().expect("an object") {
        words[key] = value.clone();
    }
    json!({"server": server, "_meta": {"io.modelcontextprotocol.registry/official": words}})
}

/// Returns the API of a registry with `count` servers, named `com.example/server-0000` and so on,
/// each with one version. A request sets the size of its page.
pub(super) fn api(count: usize) -> impl Fn(&Asked) -> Reply + Send + Sync + 'static {
    move |asked| {
        let server = |at: usize| {
            let name = format!("com.example/server-{at:04}");
            entry(&name, "1.0.0", json!({}), json!({}))
        };
        let of_server = asked
            .path
            .strip_prefix("/v0.1/servers/com%2Eexample%2Fserver%2D");
        if let Some(at) = of_server.and_then(|rest| rest.strip_suffix("/versions")) {
            let at = at.parse().expect("a number");
            return Reply::json(&json!({"servers": [server(at)], "metadata": {"count": 1}}));
        }
        if !asked.path.starts_with("/v0.1/servers?") {
            return Reply::status(404);
        }
        let limit = asked.part("limit").and_then(|limit| limit.parse().ok());
        let limit: usize = limit.expect("a limit");
        let from = asked.part("cursor").map_or(0, |cursor| {
            let number = cursor
                .strip_prefix("after%3A")
                .expect("the cursor as it was");
            number.parse().expect("a number")
        });
        let to = (from + limit).min(count);
        let servers: Vec<Value> = (from..to).map(server).collect();
        let next = (to < count).then(|| format!("after:{to}"));
        Reply::json(&json!({"servers": servers, "metadata": {"nextCursor": next}}))
    }
}
