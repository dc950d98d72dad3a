use std::sync::atomic::{AtomicBool, Ordering};

use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::*;
use crate::challenge::{SignedIn, Want};

/// Supplies another token after the first one was rejected. `verdict` decides whether the request
/// is repeated.
#[derive(Debug)]
struct Tokens {
    verdict: AuthDecision,
    refused: AtomicBool,
}

impl SignedIn for Tokens {
    fn token(&self) -> BoxFuture<'_, Option<Arc<str>>> {
        let token: Arc<str> = match self.refused.load(Ordering::SeqCst) {
            true => Arc::from("second"),
            false => Arc::from("first"),
        };
        ready(Some(token)).boxed()
    }

    fn refused(&self, _want: Want, _sent: Option<Arc<str>>) -> BoxFuture<'_, AuthDecision> {
        self.refused.store(true, Ordering::SeqCst);
        ready(self.verdict.clone()).boxed()
    }
}

/// Accepts a connection, answers one request with `answer`, and returns the request in lower case.
async fn answered(listener: &TcpListener, answer: &str) -> String {
    let (mut stream, _) = listener.accept().await.expect("a request");
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let read = stream.read_buf(&mut request).await.expect("read");
        assert_ne!(read, 0, "it ends before its end");
    }
    let answer = format!("HTTP/1.1 {answer}\r\nConnection: close\r\n\r\n");
    stream.write_all(answer.as_bytes()).await.expect("written");
    String::from_utf8_lossy(&request).to_lowercase()
}

/// Opens the event stream of a session, at a server that answers with `answers` in order. Returns
/// the result and the received requests.
async fn opened(
    verdict: AuthDecision,
    answers: &[&str],
) -> (Result<(), HttpTransportError>, Vec<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("its address"));
    let tokens = Tokens {
        verdict,
        refused: AtomicBool::new(false),
    };
    let signed = Some(Arc::new(tokens) as Arc<dyn SignedIn>);
    let client = client(&url, None, false).await.expect("a client");
    let carrier = Carrier::new(client, None, signed);
    let serving = async {
        let mut asked = Vec::new();
        for answer in answers {
            asked.push(answered(&listener, answer).await);
        }
        asked
    };
    let opening = carrier.get(&url, Some("session"), None, Headers::new());
    let both = async { tokio::join!(opening, serving) };
    let both = timeout(Duration::from_secs(20), both).await;
    let (opened, asked) = both.expect("all of it was asked in time");
    (opened.map(drop), asked)
}

const REFUSED: &str = "401 Unauthorized\r\nContent-Length: 0";

#[tokio::test]
async fn a_stream_whose_token_is_refused_is_opened_with_the_next_one() {
    let stream = "200 OK\r\nContent-Type: text/event-stream";
    let (opened, asked) = opened(AuthDecision::Again, &[REFUSED, stream]).await;
    opened.expect("a stream");
    assert!(
        asked[0].contains("authorization: bearer first"),
        "{asked:?}"
    );
    assert!(
        asked[1].contains("authorization: bearer second"),
        "{asked:?}"
    );
}

#[tokio::test]
async fn a_refused_token_does_not_say_that_there_are_no_streams() {
    let later = AuthDecision::NotNow("nobody answers".to_owned());
    let (refused, _) = opened(later, &[REFUSED]).await;
    let is_unrenewed = matches!(
        &refused,
        Err(StreamableHttpError::Client(McpError::Unrenewed(_)))
    );
    assert!(is_unrenewed, "{refused:?}");
    let (refused, _) = opened(AuthDecision::Again, &[REFUSED, REFUSED]).await;
    let is_status = matches!(
        &refused,
        Err(StreamableHttpError::Client(McpError::HttpStatus {
            status: 401,
            ..
        }))
    );
    assert!(is_status, "{refused:?}");
    let none = "405 Method Not Allowed\r\nContent-Length: 0";
    let (refused, _) = opened(AuthDecision::SignIn, &[none]).await;
    let is_without = matches!(&refused, Err(StreamableHttpError::ServerDoesNotSupportSse));
    assert!(is_without, "{refused:?}");
}

/// The name of the proxy variable that [`proxies_apply_only_to_other_machines`] sets for the child
/// process.
const PROXY: &str = "HTTP_PROXY";

/// Runs in a child process that has a proxy in its environment. Sends one request to another
/// machine, and one to this machine.
#[tokio::test]
#[ignore = "proxies_apply_only_to_other_machines starts it"]
async fn post_with_a_proxy_in_the_environment() {
    let proxy = std::env::var(PROXY).expect("a proxy");
    for (url, proxies) in [
        ("http://member.example/mcp", true),
        (&*format!("{proxy}/mcp"), true),
        ("http://member.invalid/mcp", false),
    ] {
        let client = client(url, None, proxies).await.expect("a client");
        let sent = client.post(url).send().await;
        assert_eq!(sent.is_ok(), proxies, "{url}: {sent:?}");
    }
}

#[tokio::test]
async fn proxies_apply_only_to_other_machines() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let proxy = format!("http://{}", listener.local_addr().expect("its address"));
    let mut poster = std::process::Command::new(std::env::current_exe().expect("this program"));
    poster
        .args(["--ignored", "--exact"])
        .arg("http::tests::post_with_a_proxy_in_the_environment")
        .env(PROXY, &proxy)
        .env_remove("NO_PROXY")
        .env_remove("no_proxy");
    let posting = tokio::task::spawn_blocking(move || poster.status());
    let asked = async {
        let ok = "200 OK\r\nContent-Length: 0";
        [answered(&listener, ok).await, answered(&listener, ok).await]
    };
    let asked = timeout(Duration::from_secs(20), asked).await;
    let [elsewhere, here] = asked.expect("two requests");
    assert!(
        elsewhere.starts_with("post http://member.example/mcp "),
        "{elsewhere}"
    );
    assert!(here.starts_with("post /mcp "), "{here}");
    let ended = posting.await.expect("no panic").expect("its end");
    assert!(ended.success());
}

#[test]
fn redirect_leads_to_an_address_without_secrets() {
    let asked = reqwest::Url::parse("https://user:word@a.example/mcp?key=1").expect("an address");
    let leads_to = |status: u16, place: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(http::header::LOCATION, place.parse().expect("a value"));
        let status = StatusCode::from_u16(status).expect("a status");
        redirect::target(status, &headers, &asked).map(redirect::reported)
    };
    let moved = leads_to(308, "/v2/mcp?token=secret#part");
    assert_eq!(moved.as_deref(), Some("https://a.example/v2/mcp"));
    let other = leads_to(302, "https://me:secret@b.example/mcp/");
    assert_eq!(other.as_deref(), Some("https://b.example/mcp/"));
    assert_eq!(leads_to(200, "/v2"), None);
    let long = format!("/{}", "x".repeat(2_000));
    assert!(leads_to(301, &long).is_some_and(|told| told.len() < 400));
}
