//! An embeddings endpoint on the loopback that counts letters in pairs, so that similar words have
//! similar vectors.

use std::sync::atomic::{AtomicUsize, Ordering};

use guild_process::Environment;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

#[derive(Clone, Copy, PartialEq)]
enum Behavior {
    Vectors,
    Error,
    Nonsense,
    Silence,
}

struct Endpoint {
    settings: EmbeddingsSettings,
    texts: Arc<AtomicUsize>,
}

impl Endpoint {
    async fn open(behavior: Behavior) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let texts = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&texts);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let counted = Arc::clone(&counted);
                tokio::spawn(async move {
                    let body = request(&mut stream).await;
                    let input = body["input"].as_array().cloned().unwrap_or_default();
                    counted.fetch_add(input.len(), Ordering::SeqCst);
                    let (status, answer) = match behavior {
                        Behavior::Vectors => (200, vectors(&input)),
                        Behavior::Error => (500, "{}".into()),
                        Behavior::Nonsense => {
                            (200, r#"{"data":[{"index":7,"embedding":[]}]}"#.into())
                        }
                        Behavior::Silence => return std::future::pending().await,
                    };
                    let head = format!(
                        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                        answer.len()
                    );
                    let _ = stream.write_all(head.as_bytes()).await;
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        let written = json!({
            "url": format!("http://127.0.0.1:{port}/v1"), "model": "pairs", "timeoutMs": 1_000,
        });
        let mut settings: EmbeddingsSettings = serde_json::from_value(written).expect("settings");
        if behavior != Behavior::Silence {
            // A limit that is never reached, even on a busy machine.
            settings.0.timeout_ms = 300_000;
        }
        Self { settings, texts }
    }

    async fn closest(
        &self,
        embeddings: &Embeddings,
        task: &str,
    ) -> Result<SemanticRanking, &'static str> {
        let texts = [
            "send mail: Sends a message.",
            "draw chart: Draws a diagram.",
            "list pods: Lists pods.",
        ];
        let texts = move || texts.map(str::to_owned).to_vec();
        let values = SecretResolver::new("nowhere".into(), None, Environment::default());
        embeddings
            .closest(&self.settings, &values, texts, task)
            .await
    }
}

async fn request(stream: &mut tokio::net::TcpStream) -> Value {
    let mut text = Vec::new();
    loop {
        let mut part = [0; 4096];
        let read = stream.read(&mut part).await.unwrap_or(0);
        text.extend_from_slice(&part[..read]);
        let whole = String::from_utf8_lossy(&text);
        if let Some((_, body)) = whole.split_once("\r\n\r\n")
            && let Ok(body) = serde_json::from_str(body)
        {
            return body;
        }
        if read == 0 {
            return Value::Null;
        }
    }
}

fn vectors(input: &[Value]) -> String {
    let vector = |text: &Value| {
        let mut pairs = vec![0.0_f32; 32 * 32];
        for pair in text
            .as_str()
            .unwrap_or_default()
            .to_lowercase()
            .as_bytes()
            .windows(2)
        {
            pairs[usize::from(pair[0] % 32) * 32 + usize::from(pair[1] % 32)] += 1.0;
        }
        pairs
    };
    let data = input.iter().enumerate();
    let data: Vec<Value> = data
        .map(|(index, text)| json!({"index": index, "embedding": vector(text)}))
        .rev()
        .collect();
    json!({ "data": data }).to_string()
}

#[tokio::test]
async fn closest_texts_come_first_and_are_cached() {
    let folder = tempfile::tempdir().expect("a folder");
    let endpoint = Endpoint::open(Behavior::Vectors).await;
    let embeddings = Embeddings::new(folder.path(), TaskTracker::new());
    let close = endpoint.closest(&embeddings, "drawing of charts").await;
    assert_eq!(close.expect("ranked").tools[0].place, 1);
    let close = endpoint.closest(&embeddings, "emailing messages").await;
    assert_eq!(close.expect("ranked").tools[0].place, 0);
    assert_eq!(
        endpoint.texts.load(Ordering::SeqCst),
        5,
        "three tools once, two tasks"
    );
}

#[tokio::test]
async fn nonsense_is_below_the_floor() {
    let folder = tempfile::tempdir().expect("a folder");
    let endpoint = Endpoint::open(Behavior::Vectors).await;
    let embeddings = Embeddings::new(folder.path(), TaskTracker::new());
    for (task, fits) in [("drawing of charts", true), ("zyx jkq", false)] {
        let close = endpoint.closest(&embeddings, task).await.expect("ranked");
        assert_eq!(close.tools[0].cosine >= close.floor, fits, "{close:?}");
    }
    let of = |numbers: &[f32]| -> Vector { numbers.into() };
    assert_eq!(floor(&[of(&[1.0])]), 0.0);
    let alike = vec![of(&[0.6, 0.8]); 1_000];
    assert!((floor(&alike) - 1.0).abs() < 1e-3, "{}", floor(&alike));
}

#[tokio::test]
async fn next_start_asks_for_the_task_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let endpoint = Endpoint::open(Behavior::Vectors).await;
    for (start, texts) in [(1, 4), (2, 5)] {
        let ending = TaskTracker::new();
        let embeddings = Embeddings::new(folder.path(), ending.clone());
        let close = endpoint.closest(&embeddings, "drawing of charts").await;
        assert_eq!(close.expect("ranked").tools[0].place, 1);
        // Waits for the write of the vectors, as the hall does when it closes.
        ending.close();
        ending.wait().await;
        assert_eq!(
            endpoint.texts.load(Ordering::SeqCst),
            texts,
            "start {start}"
        );
    }
}

#[tokio::test]
async fn test_gives_dimensions_or_the_reason() {
    let values = SecretResolver::new("nowhere".into(), None, Environment::default());
    let endpoint = Endpoint::open(Behavior::Vectors).await;
    let tested = endpoint.settings.test(&values).await.expect("it works");
    assert_eq!(tested.dimensions, 32 * 32);
    for (behavior, words) in [
        (Behavior::Error, "HTTP 500"),
        (Behavior::Nonsense, "1 vectors for 1 texts"),
        (Behavior::Silence, "within 1,000 ms"),
    ] {
        let endpoint = Endpoint::open(behavior).await;
        let report = endpoint
            .settings
            .test(&values)
            .await
            .expect_err("no vector");
        assert_eq!(report.code, Code::EmbeddingsFailed);
        assert!(report.message.contains(words), "{report}");
    }
    let mut unreachable = endpoint.settings.clone();
    unreachable.0.url = "http://127.0.0.1:9/v1".into();
    let report = unreachable.test(&values).await.expect_err("no listener");
    assert!(report.hint.contains("runs"), "{report}");
}

#[tokio::test]
async fn failing_endpoint_is_noted_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    for behavior in [Behavior::Error, Behavior::Nonsense] {
        let endpoint = Endpoint::open(behavior).await;
        let embeddings = Embeddings::new(folder.path(), TaskTracker::new());
        assert_eq!(endpoint.closest(&embeddings, "x").await, Err(FAILED));
        let asked = endpoint.texts.load(Ordering::SeqCst);
        assert_eq!(endpoint.closest(&embeddings, "x").await, Err(FAILED));
        assert_eq!(
            endpoint.texts.load(Ordering::SeqCst),
            asked,
            "not asked again"
        );
    }
}

#[tokio::test]
async fn slow_endpoint_is_waited_for_no_longer_than_its_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let endpoint = Endpoint::open(Behavior::Silence).await;
    let embeddings = Embeddings::new(folder.path(), TaskTracker::new());
    let note = endpoint.closest(&embeddings, "x").await;
    assert!(note.is_err_and(|note| note.ends_with("by words alone.")));
}

#[test]
fn settings_that_cannot_be_used_are_refused() {
    let read = |text: &str| serde_json::from_str::<EmbeddingsSettings>(text);
    assert!(read(r#"{"url": "http://localhost:11434/v1", "model": "all-minilm"}"#).is_ok());
    for wrong in [
        r#"{"url": "http://example.org/v1", "model": "m"}"#,
        r#"{"url": "http://localhost/v1", "model": ""}"#,
        r#"{"url": "http://localhost/v1", "model": "m", "key": "sk-123"}"#,
        r#"{"url": "http://localhost/v1", "model": "m", "timeoutMs": 1}"#,
        r#"{"url": "http://localhost/v1"}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn answers_are_bounded() {
    assert!(read(br#"{"data":[{"index":0,"embedding":[1,2]}]}"#, 1).is_ok());
    for wrong in [
        r#"{"data":[{"index":0,"embedding":[0,0]}]}"#.to_owned(),
        r#"{"data":[]}"#.into(),
        format!(
            r#"{{"data":[{{"index":0,"embedding":{:?}}}]}}"#,
            vec![1; DIMENSIONS_MAX + 1]
        ),
    ] {
        assert!(read(wrong.as_bytes(), 1).is_err());
    }
}
