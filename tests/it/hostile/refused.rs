//! Single requests that are rejected.

use serde_json::json;

use super::{Ground, Raw, Steady};
use crate::agent::Gateway;
use crate::guildhall::CliHarness;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn foreign_or_misshapen_requests_are_refused() {
    let ground = Ground::open("refused requests").await;
    let address = ground.address().to_owned();
    let good = Raw::good(&address);
    assert_eq!(good.send(&address).await.status, 200, "a good one is not");
    let port = address.rsplit(':').next().expect("a port");
    let steady = Steady::start(&ground).await;
    let long = "x".repeat(1 << 20);
    let cases = [
        (
            "another Host",
            good.clone().header("host", "evil.example"),
            403,
        ),
        (
            "a name that was made to point here",
            good.clone().header("host", &format!("evil.example:{port}")),
            403,
        ),
        ("no Host", good.clone().without("host"), 400),
        (
            "a page's Origin",
            good.clone().header("origin", "https://evil.example"),
            403,
        ),
        (
            "a file's Origin",
            good.clone().header("origin", "null"),
            403,
        ),
        (
            "a page of another port",
            good.clone().header("origin", "http://localhost:1"),
            403,
        ),
        ("PUT", good.clone().method("PUT"), 405),
        ("PATCH", good.clone().method("PATCH"), 405),
        ("no method of HTTP", good.clone().method("SPLICE"), 405),
        (
            "a form",
            good.clone()
                .header("content-type", "application/x-www-form-urlencoded"),
            415,
        ),
        (
            "text, which a page may send unasked",
            good.clone().header("content-type", "text/plain"),
            415,
        ),
        ("no content type", good.clone().without("content-type"), 415),
        (
            "an answer nobody has",
            good.clone().header("accept", "text/html"),
            406,
        ),
        ("another path", good.clone().path("/"), 404),
        (
            "an unknown member",
            good.clone().path("/members/nobody/mcp"),
            404,
        ),
        (
            "a path that climbs",
            good.clone().path("/members/..%2f..%2fetc/mcp"),
            404,
        ),
        (
            "an unknown profile",
            good.clone().path("/profiles/none/mcp"),
            404,
        ),
        (
            "an unknown session",
            good.clone().header("mcp-session-id", "0123456789abcdef"),
            404,
        ),
        (
            "a version that does not exist",
            good.clone().header("mcp-protocol-version", "1999-01-01"),
            400,
        ),
        ("a head of 1 MiB", good.clone().header("x-long", &long), 431),
        (
            "a length that is none",
            good.clone().header("content-length", "many"),
            400,
        ),
        (
            "two lengths",
            {
                let mut two = good.clone();
                for length in ["5", "50"] {
                    two.headers.push(("content-length".into(), length.into()));
                }
                two
            },
            400,
        ),
    ];
    let mut rounds = 0;
    while rounds == 0 || !steady.has_called_enough() {
        for (what, request, expect) in &cases {
            let answer = request.send(&address).await;
            assert_eq!(answer.status, *expect, "{what}: {answer:?}");
            let secret = answer.body.contains("/tmp/") || answer.body.contains("panicked");
            assert!(!secret, "{what}: {answer:?}");
            if rounds == 0 {
                println!("reliability: refused: {what}: {}", answer.status);
            }
        }
        rounds += 1;
    }
    steady.stop("requests that are refused").await;
    ground.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_json_rpc_gets_an_error() {
    let ground = Ground::open("malformed messages").await;
    let address = ground.address().to_owned();
    let steady = Steady::start(&ground).await;
    let deep = "[".repeat(200_000);
    let deep_params = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{}{}}}}}"#,
        r#"{"a":"#.repeat(100_000),
        "}".repeat(100_000)
    );
    let bodies: [(&str, Vec<u8>); 12] = [
        ("nothing", b"".to_vec()),
        ("no JSON", b"hello".to_vec()),
        (
            "JSON that breaks off",
            br#"{"jsonrpc":"2.0","id":1,"#.to_vec(),
        ),
        (
            "no UTF-8",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}".to_vec(),
        ),
        ("a number", b"7".to_vec()),
        ("null", b"null".to_vec()),
        ("200,000 brackets", deep.into_bytes()),
        ("arguments 100,000 levels deep", deep_params.into_bytes()),
        (
            "an id that is a list",
            json!({"jsonrpc": "2.0", "id": [1], "method": "ping"})
                .to_string()
                .into_bytes(),
        ),
        (
            "a method that is a number",
            json!({"jsonrpc": "2.0", "id": 1, "method": 7})
                .to_string()
                .into_bytes(),
        ),
        (
            "a version that is another",
            json!({"jsonrpc": "1.0", "id": 1, "method": "ping"})
                .to_string()
                .into_bytes(),
        ),
        (
            "parameters that are a text",
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": "x"})
                .to_string()
                .into_bytes(),
        ),
    ];
    let mut rounds = 0;
    while rounds == 0 || !steady.has_called_enough() {
        for (what, body) in &bodies {
            let request = Raw::good(&address).body(body.clone());
            let answer = request.send(&address).await;
            let code = answer.code();
            let known = [-32_700, -32_600, -32_602, -32_603];
            assert!(
                code.is_some_and(|code| known.contains(&code)),
                "{what}: {answer:?}"
            );
            assert!([200, 400].contains(&answer.status), "{what}: {answer:?}");
            if rounds == 0 {
                let code = code.unwrap_or_default();
                println!("reliability: malformed: {what}: {} {code}", answer.status);
            }
        }
        rounds += 1;
    }
    steady.stop("messages that are no JSON-RPC").await;
    ground.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_comes_in_without_the_right_token() {
    let cli = CliHarness::new("tokens").await;
    cli.env.member("desk").write();
    let mut gateway = Gateway::start(&cli, &["serve", "--gateway-port", "0"]).await;
    let token = gateway.token.clone().expect("a token, where one is wanted");
    gateway.ready(&["desk".into()]).await;
    let address = gateway.origin.trim_start_matches("http://").to_owned();
    let with = |value: &str| Raw::good(&address).header("authorization", value);
    let mut nearly = token.clone();
    let last = nearly.pop().expect("a token is no empty text");
    nearly.push(if last == 'a' { 'b' } else { 'a' });
    let cases = [
        ("none", Raw::good(&address), 401),
        ("another", with("Bearer 0123456789"), 401),
        (
            "all but the last character",
            with(&format!("Bearer {nearly}")),
            401,
        ),
        ("no bearer", with(&format!("Basic {token}")), 401),
        (
            "in the address",
            Raw::good(&address).path(&format!("/mcp?token={token}")),
            401,
        ),
        ("the right one", with(&format!("Bearer {token}")), 200),
    ];
    for (what, request, expect) in cases {
        let answer = request.send(&address).await;
        assert_eq!(answer.status, expect, "{what}: {answer:?}");
        assert!(!answer.body.contains(&token), "{what}: {answer:?}");
        if expect == 401 {
            assert!(
                answer.head.contains("www-authenticate: bearer"),
                "{answer:?}"
            );
        }
        println!("reliability: token: {what}: {}", answer.status);
    }
    gateway.end(&cli).await;
}
