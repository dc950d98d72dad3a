//! Receives the browser's redirect, which is one request to a port of this machine.
//!
//! The port is open for one sign-in. Other requests to it get an error page. A redirect with
//! another `state` is ignored, and the sign-in continues to wait. If the browser runs on another
//! computer, a person pastes the address of the redirect, which is checked in the same way.

use std::io::ErrorKind;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use reqwest::Url;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::error::{SignInError, clean};

const PATH: &str = "/callback";
/// Limit of the head of a request, in bytes.
const HEAD_MAX: usize = 16 << 10;
/// Limit of the authorization code, in bytes.
const CODE_MAX: usize = 4 << 10;
/// Timeout for reading one request.
const LIMIT: Duration = Duration::from_secs(10);
/// Limit of the requests that are handled concurrently. Further requests wait.
const AT_ONCE: usize = 8;
/// Limit of the redirects with another `state`. If it is reached, the sign-in fails.
const STRAYS_MAX: u32 = 100;

/// Messages on the page that the browser shows after the redirect.
const RECEIVED: &str = "Guild Hall received the answer. You can close this page.";
const STRAY: &str = "This answer does not belong to the sign-in that Guild Hall waits for. Guild \
                     Hall ignored it.";

/// Limit of a pasted text, in bytes.
const PASTED_MAX: usize = 16 << 10;

/// The address of a redirect or its query, which a person pasted.
#[derive(Debug)]
pub struct PastedAnswer {
    /// The pasted text.
    pub text: String,
    /// Receives the result of the check. If the text can't be used, this is the reason, and the
    /// sign-in continues to wait.
    pub reply: oneshot::Sender<Result<(), SignInError>>,
}

/// The open port that receives the redirect.
#[derive(Debug)]
pub(super) struct Callback {
    listener: TcpListener,
    port: u16,
}

/// The answer of the authorization server, which the redirect contains.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct AuthorizationResponse {
    /// The code, or the server's error text.
    pub(super) outcome: Result<String, String>,
    pub(super) issuer: Option<String>,
}

#[derive(PartialEq, Eq)]
enum CallbackRequest {
    /// The redirect of this sign-in.
    Answer(Result<AuthorizationResponse, SignInError>),
    /// A redirect of another sign-in.
    Stray,
    /// Any other request.
    Nothing,
}

impl Callback {
    /// Opens `port`, or any free port, on the loopback address.
    pub(super) async fn open(port: Option<u16>) -> Result<Self, SignInError> {
        let deaf = |error: std::io::Error| SignInError::Deaf(error.to_string());
        let listener = TcpListener::bind(("127.0.0.1", port.unwrap_or(0))).await;
        let listener = listener.map_err(deaf)?;
        let port = listener.local_addr().map_err(deaf)?.port();
        Ok(Self { listener, port })
    }

    pub(super) fn redirect_uri(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Waits for the redirect with this `state`, then closes the port. `stray` receives the number
    /// of other redirects so far.
    pub(super) async fn answer(
        self,
        state: &str,
        stray: &(dyn Fn(u32) + Send + Sync),
        mut pasted: mpsc::Receiver<PastedAnswer>,
    ) -> Result<AuthorizationResponse, SignInError> {
        let mut serving = FuturesUnordered::new();
        let mut strays = 0;
        loop {
            let received = tokio::select! {
                biased;
                Some(received) = serving.next() => received,
                Some(PastedAnswer { text, reply }) = pasted.recv() => {
                    let read = pasted_answer(&text, state);
                    let (outcome, answer) = match read {
                        Ok(answer) => (Ok(()), Some(answer)),
                        Err(error) => (Err(error), None),
                    };
                    // The receiver may have stopped waiting.
                    let _ = reply.send(outcome);
                    match answer {
                        Some(answer) => return Ok(answer),
                        None => continue,
                    }
                }
                accepted = self.listener.accept(), if serving.len() < AT_ONCE => {
                    match accepted {
                        Ok((stream, _)) => serving.push(serve(stream, self.port, state)),
                        // The client closed the connection before it was accepted.
                        Err(error) if error.kind() == ErrorKind::ConnectionAborted => {}
                        Err(error) => return Err(SignInError::Deaf(error.to_string())),
                    }
                    continue;
                }
            };
            match received {
                CallbackRequest::Answer(answer) => return answer,
                CallbackRequest::Stray => {
                    strays += 1;
                    if strays >= STRAYS_MAX {
                        let why = "too many answers don't belong to a sign-in".to_owned();
                        return Err(SignInError::Answer(why));
                    }
                    stray(strays);
                }
                CallbackRequest::Nothing => {}
            }
        }
    }
}

async fn serve(mut stream: TcpStream, port: u16, state: &str) -> CallbackRequest {
    let exchange = async {
        let head = head_of(&mut stream).await?;
        let received = classify(&head, port, state);
        let (status, message) = match &received {
            CallbackRequest::Answer(Ok(AuthorizationResponse { outcome: Ok(_), .. })) => {
                ("200 OK", RECEIVED)
            }
            CallbackRequest::Answer(_) => {
                ("200 OK", "Sign-in failed. Guild Hall shows the reason.")
            }
            CallbackRequest::Stray => ("400 Bad Request", STRAY),
            CallbackRequest::Nothing => ("404 Not Found", "There is nothing here."),
        };
        // If the page can't be sent, the sign-in still succeeds.
        let _ = stream.write_all(page(status, message).as_bytes()).await;
        let _ = stream.shutdown().await;
        Some(received)
    };
    timeout(LIMIT, exchange)
        .await
        .ok()
        .flatten()
        .unwrap_or(CallbackRequest::Nothing)
}

/// Reads the head of a request. `None` if the head is incomplete or too large.
async fn head_of(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut head = Vec::with_capacity(2 << 10);
    let mut piece = [0; 2 << 10];
    loop {
        let read = stream.read(&mut piece).await.ok()?;
        if read == 0 || head.len() + read > HEAD_MAX {
            return None;
        }
        head.extend_from_slice(&piece[..read]);
        if memchr::memmem::find(&head, b"\r\n\r\n").is_some() {
            return Some(head);
        }
    }
}

/// Classifies a request by its head.
fn classify(head: &[u8], port: u16, state: &str) -> CallbackRequest {
    let Ok(head) = std::str::from_utf8(head) else {
        return CallbackRequest::Nothing;
    };
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some("GET"), Some(target), Some("HTTP/1.1")) = (words.next(), words.next(), words.next())
    else {
        return CallbackRequest::Nothing;
    };
    // If the request has another host name that leads to this machine, a foreign page in the
    // browser sent it (DNS rebinding).
    let host = header(head, "host");
    let ours = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if !host.is_some_and(|host| ours.iter().any(|own| own == host)) || !target.starts_with('/') {
        return CallbackRequest::Nothing;
    }
    let Ok(url) = Url::parse(&format!("http://127.0.0.1{target}")) else {
        return CallbackRequest::Nothing;
    };
    if url.path() != PATH {
        return CallbackRequest::Nothing;
    }
    response_in(&url, state)
}

/// Returns the authorization server's answer in a pasted text.
fn pasted_answer(text: &str, state: &str) -> Result<AuthorizationResponse, SignInError> {
    let wrong = |why: &str| Err(SignInError::Answer(why.to_owned()));
    let text = text.trim();
    if text.len() > PASTED_MAX {
        return wrong("the pasted text is too long");
    }
    let url = Url::parse(text).or_else(|_| {
        let query = text.trim_start_matches('?');
        Url::parse(&format!("http://127.0.0.1{PATH}?{query}"))
    });
    let Ok(url) = url else {
        return wrong("the pasted text is not an address");
    };
    match response_in(&url, state) {
        CallbackRequest::Answer(answer) => answer,
        _ => wrong(
            "the pasted text doesn't have the `state` of this sign-in: copy the whole address that the browser shows at the end",
        ),
    }
}

/// Reads the parameters of a redirect from its address.
fn response_in(url: &Url, state: &str) -> CallbackRequest {
    let one = |name: &str| {
        let mut values = url.query_pairs().filter(|(key, _)| key == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Some(value.into_owned()),
            _ => None,
        }
    };
    if one("state").as_deref() != Some(state) {
        return CallbackRequest::Stray;
    }
    let wrong = |why: &str| CallbackRequest::Answer(Err(SignInError::Answer(why.to_owned())));
    let issuer = one("iss");
    if issuer.is_none() && url.query_pairs().any(|(key, _)| key == "iss") {
        return wrong("it names several issuers");
    }
    let answer = |outcome| CallbackRequest::Answer(Ok(AuthorizationResponse { outcome, issuer }));
    match (one("error"), one("code")) {
        (Some(error), None) => {
            let described = one("error_description").unwrap_or_default();
            let outcome = match clean(&described).as_str() {
                "" => clean(&error),
                described => format!("{} ({described})", clean(&error)),
            };
            answer(Err(outcome))
        }
        (None, Some(code)) if code.len() > CODE_MAX => wrong("its code is too long"),
        (None, Some(code)) if !code.is_empty() => answer(Ok(code)),
        _ => wrong("it has no code, or several"),
    }
}

/// Returns the value of a header. A header that occurs more than once counts as missing.
fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut values = head.split("\r\n").skip(1).filter_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then_some(value.trim())
    });
    values.next().filter(|_| values.next().is_none())
}

fn page(status: &str, words: &str) -> String {
    let body = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Guild \
         Hall</title><meta name=\"color-scheme\" content=\"light dark\"><p>{words}</p></html>"
    );
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: \
         nosniff\r\nContent-Security-Policy: default-src 'none'\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use guild_tests::mangled;

    const STATE: &str = "the-state";

    fn received(target: &str) -> CallbackRequest {
        received_at(target, "127.0.0.1:4000")
    }

    fn received_at(target: &str, host: &str) -> CallbackRequest {
        let head = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        classify(head.as_bytes(), 4_000, STATE)
    }

    #[test]
    fn the_answer_of_the_sign_in_is_taken_and_no_other() {
        let CallbackRequest::Answer(Ok(answer)) =
            received("/callback?code=c%20d&state=the-state&iss=https%3A%2F%2Fa.example")
        else {
            panic!("an answer");
        };
        assert_eq!(answer.outcome.as_deref(), Ok("c d"));
        assert_eq!(answer.issuer.as_deref(), Some("https://a.example"));
        for stray in [
            "/callback?code=c&state=another",
            "/callback?code=c",
            "/callback",
            "/callback?code=c&state=the-state&state=the-state",
        ] {
            assert!(received(stray) == CallbackRequest::Stray, "{stray}");
        }
        for nothing in [
            "/",
            "/favicon.ico",
            "/callback/x?code=c&state=the-state",
            "*",
        ] {
            assert!(received(nothing) == CallbackRequest::Nothing, "{nothing}");
        }
        let whole = "/callback?code=c&state=the-state";
        for host in ["evil.example:4000", "127.0.0.1:4001", "127.0.0.1"] {
            assert!(
                received_at(whole, host) == CallbackRequest::Nothing,
                "{host}"
            );
        }
        let posted =
            b"POST /callback?code=c&state=the-state HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n\r\n";
        assert!(classify(posted, 4_000, STATE) == CallbackRequest::Nothing);
    }

    #[test]
    fn a_refusal_is_told_on_one_line_and_two_codes_are_none() {
        let target =
            "/callback?error=access_denied&error_description=No%0A%1b[31mway.&state=the-state";
        let CallbackRequest::Answer(Ok(AuthorizationResponse {
            outcome: Err(outcome),
            ..
        })) = received(target)
        else {
            panic!("a refusal");
        };
        assert_eq!(outcome, "access_denied (No [31mway)");
        for target in [
            "/callback?state=the-state",
            "/callback?code=&state=the-state",
            "/callback?code=a&code=b&state=the-state",
            "/callback?code=a&error=b&state=the-state",
            "/callback?code=a&state=the-state&iss=https%3A%2F%2Fa.example&iss=https%3A%2F%2Fb.example",
            &format!(
                "/callback?code={}&state=the-state",
                "c".repeat(CODE_MAX + 1)
            ),
        ] {
            let received = received(target);
            assert!(
                matches!(
                    received,
                    CallbackRequest::Answer(Err(SignInError::Answer(_)))
                ),
                "{target}"
            );
        }
    }

    #[test]
    fn any_browser_request_is_bounded() {
        mangled::each("sign-in-answer", |bytes| {
            let received = classify(bytes, 4_000, STATE);
            if let CallbackRequest::Answer(Ok(AuthorizationResponse {
                outcome: Ok(code), ..
            })) = received
            {
                assert!(!code.is_empty() && code.len() <= CODE_MAX);
            }
        });
    }

    #[tokio::test]
    async fn pasted_redirect_is_checked_like_a_received_one() {
        let callback = Callback::open(None).await.expect("a port");
        let (sender, pasted) = mpsc::channel(1);
        let pasting = async {
            let mut refused = Vec::new();
            for text in [
                "c",
                "http://127.0.0.1:1/callback?code=c&state=another",
                "http://127.0.0.1:1/callback?state=the-state",
                &"x".repeat(PASTED_MAX + 1),
                " http://127.0.0.1:1/callback?code=c&state=the-state&iss=https%3A%2F%2Fa.example\n",
            ] {
                let (reply, replied) = oneshot::channel();
                let text = text.to_owned();
                sender
                    .send(PastedAnswer { text, reply })
                    .await
                    .expect("it waits");
                refused.push(replied.await.expect("a reply").is_err());
            }
            refused
        };
        let (answer, refused) = tokio::join!(callback.answer(STATE, &|_| {}, pasted), pasting);
        let answer = answer.expect("the last one");
        assert_eq!(answer.issuer.as_deref(), Some("https://a.example"));
        assert_eq!(answer.outcome.as_deref(), Ok("c"));
        assert_eq!(refused, [true, true, true, true, false]);
        let query = pasted_answer("?code=c&state=the-state", STATE);
        assert!(query.is_ok_and(|answer| answer.outcome.as_deref() == Ok("c")));
    }

    #[tokio::test]
    async fn the_port_is_closed_once_the_answer_is_there() {
        let callback = Callback::open(None).await.expect("a port");
        let port = callback.port;
        let strays = std::sync::atomic::AtomicU32::new(0);
        let count = |number| strays.store(number, std::sync::atomic::Ordering::Relaxed);
        let asking = async {
            let mut pages = Vec::new();
            for target in [
                "/favicon.ico",
                "/callback?code=c&state=x",
                "/callback?code=c&state=the-state",
            ] {
                let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("open");
                let head = format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
                stream.write_all(head.as_bytes()).await.expect("sent");
                let mut page = String::new();
                stream.read_to_string(&mut page).await.expect("a page");
                pages.push(page);
            }
            pages
        };
        let (_sender, pasted) = mpsc::channel(1);
        let (answer, pages) = tokio::join!(callback.answer(STATE, &count, pasted), asking);
        assert!(answer.is_ok_and(|answer| answer.outcome.as_deref() == Ok("c")));
        assert_eq!(strays.into_inner(), 1);
        assert!(pages[0].starts_with("HTTP/1.1 404"), "{}", pages[0]);
        assert!(pages[1].starts_with("HTTP/1.1 400"), "{}", pages[1]);
        assert!(pages[2].contains(RECEIVED), "{}", pages[2]);
        assert!(TcpStream::connect(("127.0.0.1", port)).await.is_err());
    }
}
