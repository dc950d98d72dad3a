//! Publishes versions of the program: a key pair, and a server for a few documents.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::KeyPair;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Maximum size of a request, in bytes.
const REQUEST_MAX: u64 = 16 * 1024;

/// The published documents, by name.
type Documents = BTreeMap<String, Arc<[u8]>>;

/// A server with a key pair. It serves until it is dropped.
pub(super) struct Publisher {
    keys: KeyPair,
    port: u16,
    documents: Arc<Mutex<Documents>>,
    serving: JoinHandle<()>,
}

/// The document in which programs look for updates.
pub(super) const LATEST: &str = "latest.json";

impl Publisher {
    /// Starts a publisher with a new key pair and without published versions.
    pub(super) async fn open() -> Self {
        Self::at(0).await
    }

    /// Like [`Publisher::open`], at a port that is already in the programs' settings.
    pub(super) async fn at(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port))
            .await
            .expect("the port is free");
        let port = listener.local_addr().expect("its address").port();
        let documents = Arc::<Mutex<Documents>>::default();
        let served = Arc::clone(&documents);
        let serving = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.expect("a connection");
                // The client may close the connection before it has received everything.
                let _ = answer(stream, &served).await;
            }
        });
        Self {
            keys: KeyPair::generate_unencrypted_keypair().expect("a key"),
            port,
            documents,
            serving,
        }
    }

    pub(super) fn address(&self, document: &str) -> String {
        format!("http://127.0.0.1:{}/{document}", self.port)
    }

    /// Returns the public key in the format of the settings.
    pub(super) fn key(&self) -> String {
        let file = self.keys.pk.to_box().expect("a public key").into_string();
        STANDARD.encode(file)
    }

    /// Signs a program as a version, in the format of Tauri's tools.
    pub(super) fn signature(&self, program: &[u8], version: &str) -> String {
        let comment = format!("timestamp:0\tfile:program\tversion:{version}");
        let signed = minisign::sign(
            Some(&self.keys.pk),
            &self.keys.sk,
            Cursor::new(program),
            Some(&comment),
            None,
        );
        STANDARD.encode(signed.expect("a signature").into_string())
    }

    /// Publishes a program, with a valid or invalid signature.
    pub(super) fn publish(&self, version: &str, program: &str, signature: &str) {
        let platform = format!("linux-{}", std::env::consts::ARCH);
        let latest = json!({
            "version": version,
            "notes": "What there is to say.",
            "platforms": { platform: {
                "url": self.address("program"),
                "signature": signature,
            }},
        });
        self.serve(LATEST, latest.to_string());
        self.serve("program", program);
    }

    pub(super) fn serve(&self, name: &str, bytes: impl Into<Vec<u8>>) {
        let mut documents = self.documents.lock().expect("nobody panicked");
        documents.insert(name.to_owned(), bytes.into().into());
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(mut stream: TcpStream, documents: &Mutex<Documents>) -> std::io::Result<()> {
    let (reading, mut writing) = stream.split();
    let mut reading = reading.take(REQUEST_MAX);
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        if reading.read_buf(&mut request).await? == 0 {
            return Ok(());
        }
    }
    let request = String::from_utf8_lossy(&request);
    let path = request.split(' ').nth(1).unwrap_or_default();
    let name = path.trim_start_matches('/');
    let found = documents
        .lock()
        .expect("nobody panicked")
        .get(name)
        .cloned();
    let status = match found {
        Some(_) => "200 OK",
        None => "404 Not Found",
    };
    let body = found.unwrap_or_default();
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    writing.write_all(head.as_bytes()).await?;
    writing.write_all(&body).await?;
    writing.shutdown().await
}
