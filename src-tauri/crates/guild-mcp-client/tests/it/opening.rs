//! Tests of the requests that open a connection, and of the meaning of each failure.

use std::time::Duration;

use guild_mcp_client::{ConnectOptions, DiscoverFirst, Idle, McpError, ServerTransport, connect};
use guild_model::Code;
use guild_model::protocol::{Era, ProtocolVersion};
use serde_json::{Value, json};

use crate::pipe::{self, Pipe};
use crate::web::{Reply, Seen, Web, legacy};
use crate::{AMPLE, answer, discovered, initialized, options, refusal};

const MODERN: &str = "2026-07-28";

fn pinned(pin: ProtocolVersion) -> ConnectOptions {
    ConnectOptions {
        pin: Some(pin),
        ..options()
    }
}

fn remembered(era: Era) -> ConnectOptions {
    ConnectOptions {
        remembered: Some(era),
        ..options()
    }
}

/// Options for a server of unknown era, whose process is idle at each check.
pub(crate) fn unknown() -> ConnectOptions {
    let idle = Idle::new(|| Box::pin(std::future::ready(Some(true))));
    ConnectOptions {
        discover_first: Some(DiscoverFirst { idle: Some(idle) }),
        ..options()
    }
}

/// A server that only supports the modern version, and answers `initialize` with `refuse`.
fn modern_only(refuse: impl Fn(&Seen) -> Reply) -> impl Fn(&Seen) -> Reply {
    move |seen| match seen.method() {
        "initialize" => refuse(seen),
        "server/discover" => Reply::Json(answer(
            &seen.body,
            discovered(&[MODERN], json!({"tools": {}})),
        )),
        "tools/list" => legacy(seen),
        _ => Reply::Json(refusal(&seen.body, -32601, "unknown")),
    }
}

#[tokio::test]
async fn req_mcp_http_13_24_25_pinned_version_is_sent() {
    let web = Web::start(|seen| match seen.verb.as_str() {
        "DELETE" => Reply::Status(200, vec![]),
        _ => Reply::In("s-1", Box::new(legacy(seen))),
    })
    .await;
    let session = web.session(pinned(ProtocolVersion::V2025_06_18)).await;
    session.list_tools(AMPLE).await.expect("a list");
    session.close(AMPLE).await;

    let story = web.story();
    assert_eq!(
        story,
        [
            "initialize",
            "notifications/initialized",
            "tools/list",
            "DELETE"
        ],
        "the handshake has three steps, and nothing listens"
    );
    let seen = web.seen();
    for request in &seen {
        assert_eq!(request.header("mcp-protocol-version"), Some("2025-06-18"));
        assert_eq!(request.header("x-key"), Some("secret"));
    }
    assert_eq!(seen[0].body["params"]["protocolVersion"], "2025-06-18");
    assert_eq!(seen[0].header("mcp-session-id"), None);
    assert_eq!(seen[1].header("mcp-session-id"), Some("s-1"));
    let accept = seen[0].header("accept").expect("an Accept header");
    assert!(accept.contains("application/json") && accept.contains("text/event-stream"));
    assert_eq!(seen[0].header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn initialize_offers_the_last_version_that_has_it() {
    let web = Web::start(legacy).await;
    let session = web.session(options()).await;
    assert_eq!(
        web.seen()[0].body["params"]["protocolVersion"],
        "2025-11-25"
    );
    let server = session.server();
    assert_eq!(server.name, "forge");
    assert_eq!(server.version, "1.2.3");
    assert_eq!(server.protocol_version, "2025-11-25");
    assert_eq!(server.era, Era::Legacy);
    assert_eq!(server.capabilities, json!({"tools": {}}));
    assert_eq!(
        server.instructions.as_deref(),
        Some("Strike while it is hot.")
    );
}

#[tokio::test]
async fn a_modern_refusal_of_initialize_leads_to_discover() {
    let refusals: [fn(&Seen) -> Reply; 5] = [
        |seen| Reply::Json(refusal(&seen.body, -32022, "unsupported version")),
        |seen| Reply::Json(refusal(&seen.body, -32601, "unknown method")),
        |seen| Reply::Json(refusal(&seen.body, -32602, "no _meta")),
        |_| Reply::Status(400, vec![]),
        |_| Reply::Status(404, vec![]),
    ];
    for refuse in refusals {
        let web = Web::start(modern_only(refuse)).await;
        let session = web.session(options()).await;
        assert_eq!(session.server().era, Era::Modern);
        assert_eq!(session.server().protocol_version, MODERN);
        assert_eq!(web.story()[..2], ["initialize", "server/discover"]);
        let list = session.list_tools(AMPLE).await.expect("a list");
        assert_eq!(list.tools.len(), 1);
    }
}

#[tokio::test]
async fn a_server_remembered_as_modern_is_asked_so_first() {
    let web = Web::start(modern_only(|_| Reply::Status(500, vec![]))).await;
    let session = web.session(remembered(Era::Modern)).await;
    assert_eq!(web.story()[0], "server/discover");
    assert_eq!(web.seen()[0].header("mcp-protocol-version"), Some(MODERN));
    assert_eq!(session.server().name, "forge");
}

#[tokio::test]
async fn a_server_that_is_modern_no_more_is_initialized() {
    let answers: [fn(&Value) -> Value; 3] = [
        |request| answer(request, discovered(&["2025-06-18"], json!({}))),
        |request| answer(request, json!({})),
        |request| refusal(request, -32601, "unknown"),
    ];
    for discover in answers {
        let web = Web::start(move |seen| match seen.method() {
            "server/discover" => Reply::Json(discover(&seen.body)),
            _ => legacy(seen),
        })
        .await;
        let session = web.session(remembered(Era::Modern)).await;
        assert_eq!(session.server().era, Era::Legacy);
        assert_eq!(web.story()[..2], ["server/discover", "initialize"]);
    }
}

#[tokio::test]
async fn other_refusals_are_reported_and_nothing_else_is_tried() {
    let web = Web::start(|_| Reply::Text(500, "text/plain", "the anvil broke".into())).await;
    let failure = connect(web.link(), options())
        .await
        .expect_err("no session");
    assert_eq!(web.story(), ["initialize"]);
    assert_eq!(failure.error.code(), Code::HandshakeFailed);
    let text = failure.error.to_string();
    assert!(
        text.contains("500") && text.contains("the anvil broke"),
        "{text}"
    );
    assert_eq!(failure.retry_with, None);
}

#[tokio::test]
async fn the_first_answer_is_reported_when_both_ways_fail() {
    let web = Web::start(|_| Reply::Status(404, vec![])).await;
    let failure = connect(web.link(), options())
        .await
        .expect_err("no session");
    // With two GET requests, the client checks for the transport of 2024-11-05: at the server's
    // address, and at the usual address beside it.
    let story = ["initialize", "server/discover", "GET", "GET"];
    assert_eq!(web.story(), story);
    assert!(failure.error.to_string().contains("404"));
    assert!(failure.error.report().hint.contains("path"));
}

#[tokio::test]
async fn req_mcp_http_42_a_web_page_is_no_mcp() {
    let web = Web::start(|_| Reply::Text(200, "text/html", "<h1>Welcome</h1>".into())).await;
    let failure = connect(web.link(), options())
        .await
        .expect_err("no session");
    assert_eq!(failure.error.code(), Code::HandshakeFailed);
    assert!(failure.error.to_string().contains("<h1>Welcome</h1>"));
}

#[tokio::test]
async fn req_mcp_http_41_a_closed_port_is_a_failed_connection() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    for era in [Era::Legacy, Era::Modern] {
        let link = ServerTransport::Http {
            url: url.clone(),
            headers: vec![],
        };
        let failure = connect(link, remembered(era))
            .await
            .expect_err("no session");
        assert!(
            matches!(failure.error, McpError::Connect { .. }),
            "{failure:?}"
        );
        assert_eq!(failure.error.code(), Code::ConnectionFailed);
    }
}

#[tokio::test]
async fn addresses_and_headers_that_are_not_valid_are_refused() {
    for (url, name) in [("no address", "a"), ("http://127.0.0.1:1/mcp", "a b")] {
        let link = ServerTransport::Http {
            url: url.into(),
            headers: vec![(name.into(), "x".into())],
        };
        let failure = connect(link, options()).await.expect_err("no session");
        assert_eq!(failure.error.code(), Code::ConnectionFailed, "{failure:?}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let other = Web::start(legacy).await;
    let target = other.url.clone();
    let web = Web::start(move |_| Reply::Status(307, vec![("location", target.clone())])).await;
    let failure = connect(web.link(), options())
        .await
        .expect_err("no session");
    assert!(failure.error.to_string().contains("307"));
    let hint = failure.error.report().hint;
    assert!(hint.contains("redirects"));
    assert!(hint.contains(&other.url), "{hint}");
    assert!(
        other.seen().is_empty(),
        "the header with the key went nowhere else"
    );
}

#[tokio::test]
async fn redirects_of_one_server_name_the_last() {
    let web = Web::start(|seen| match seen.path.as_str() {
        "/mcp" => Reply::Status(307, vec![("location", "/v1/mcp".into())]),
        "/v1/mcp" => Reply::Status(308, vec![("location", "/v2/mcp?key=word".into())]),
        _ => Reply::Status(405, vec![]),
    })
    .await;
    let failure = connect(web.link(), options())
        .await
        .expect_err("no session");
    let hint = failure.error.report().hint;
    let last = web.url.replace("/mcp", "/v2/mcp");
    assert!(hint.contains(&format!("{last}.")), "{hint}");
    for seen in web.seen() {
        let is_first = seen.path == "/mcp";
        assert_eq!(seen.header("x-key").is_some(), is_first, "{seen:?}");
    }
}

#[tokio::test]
async fn endless_redirects_come_to_an_end() {
    let web = Web::start(|seen| {
        let next = format!("{}x", seen.path);
        Reply::Status(302, vec![("location", next)])
    })
    .await;
    let failure = connect(web.link(), options())
        .await
        .expect_err("no session");
    assert!(failure.error.report().hint.contains("/mcpxxxxxx."));
}

#[tokio::test(start_paused = true)]
async fn req_mcp_http_20_a_silent_server_is_given_up_at_the_limit() {
    let limit = Duration::from_secs(5);
    let (_pipe, link) = Pipe::new();
    let options = ConnectOptions {
        handshake: limit,
        longest: limit,
        ..options()
    };
    let started = tokio::time::Instant::now();
    let failure = connect(link, options).await.expect_err("no session");
    assert_eq!(failure.error, McpError::HandshakeTimeout { limit });
    assert_eq!(failure.error.code(), Code::HandshakeTimeout);
    assert_eq!(started.elapsed(), limit);
}

#[tokio::test(start_paused = true)]
async fn a_server_silent_to_discover_leaves_time_for_initialize() {
    let (_pipe, link) = Pipe::new();
    let started = tokio::time::Instant::now();
    let failure = connect(link, remembered(Era::Modern))
        .await
        .expect_err("no session");
    assert_eq!(failure.retry_with, Some(Era::Legacy));
    assert_eq!(started.elapsed(), AMPLE / 2);
}

#[tokio::test]
async fn on_pipes_the_other_era_is_left_to_the_owner_of_the_process() {
    for code in [-32022, -32601, -32602] {
        let (request, result) =
            pipe::first_answer(options(), |request| Some(refusal(request, code, "no"))).await;
        assert_eq!(request["method"], "initialize");
        let failure = result.expect_err("no session");
        assert_eq!(failure.retry_with, Some(Era::Modern));
        assert_eq!(failure.error.rpc().expect("the server's error").code, code);
    }
    let (_, result) =
        pipe::first_answer(options(), |request| Some(refusal(request, -32603, "no"))).await;
    assert_eq!(result.expect_err("no session").retry_with, None);
}

#[tokio::test]
async fn a_server_that_dies_of_discover_is_tried_with_initialize() {
    let (request, result) = pipe::first_answer(remembered(Era::Modern), |_| None).await;
    assert_eq!(request["method"], "server/discover");
    assert_eq!(
        result.expect_err("no session").retry_with,
        Some(Era::Legacy)
    );

    let (_, result) = pipe::first_answer(options(), |_| None).await;
    let failure = result.expect_err("no session");
    assert_eq!(
        failure.retry_with, None,
        "one that dies of initialize is broken"
    );
    assert_eq!(failure.error.code(), Code::ConnectionFailed);
}

#[tokio::test]
async fn a_pin_is_the_only_version() {
    let (request, result) = pipe::first_answer(pinned(ProtocolVersion::V2026_07_28), |request| {
        Some(refusal(request, -32601, "no"))
    })
    .await;
    assert_eq!(request["method"], "server/discover");
    assert_eq!(result.expect_err("no session").retry_with, None);

    let (request, result) = pipe::first_answer(pinned(ProtocolVersion::V2025_03_26), |request| {
        Some(refusal(request, -32601, "no"))
    })
    .await;
    assert_eq!(request["params"]["protocolVersion"], "2025-03-26");
    assert_eq!(result.expect_err("no session").retry_with, None);
}

#[tokio::test]
async fn an_answer_of_another_shape_is_no_handshake() {
    let (_, result) = pipe::first_answer(options(), |request| {
        Some(answer(request, json!({"hello": 1})))
    })
    .await;
    let failure = result.expect_err("no session");
    assert_eq!(failure.error.code(), Code::HandshakeFailed);
    assert!(failure.error.to_string().contains("hello"));
}

#[tokio::test]
async fn the_servers_words_are_bounded() {
    let (mut pipe, link) = Pipe::new();
    let serve = async {
        let request = pipe.expect("initialize").await;
        let mut result = initialized("2025-11-25", json!({}));
        result["serverInfo"]["name"] = json!("ü".repeat(1_000));
        result["instructions"] = json!("x".repeat(100_000));
        pipe.say(answer(&request, result)).await;
        pipe.expect("notifications/initialized").await;
    };
    let (session, ()) = tokio::join!(connect(link, options()), serve);
    let session = session.expect("a session");
    assert_eq!(session.server().name.len(), 256);
    let instructions = session.server().instructions.as_ref();
    assert_eq!(instructions.map(String::len), Some(16 << 10));
}

#[tokio::test]
async fn https_to_a_server_without_tls_is_a_failed_connection() {
    let web = Web::start(legacy).await;
    let link = ServerTransport::Http {
        url: web.url.replace("http://", "https://"),
        headers: vec![],
    };
    let failure = connect(link, options()).await.expect_err("no session");
    assert_eq!(failure.error.code(), Code::ConnectionFailed, "{failure:?}");
    assert!(web.seen().is_empty(), "nothing was sent in the clear");
}

#[tokio::test]
async fn an_unknown_server_is_asked_on_the_same_pipes() {
    for answers in [true, false] {
        let (mut pipe, link) = Pipe::new();
        let serve = async {
            // A line before the handshake that is not an answer must not be lost.
            pipe.write("booting\n").await;
            let question = pipe.expect("server/discover").await;
            let meta = &question["params"]["_meta"];
            assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], MODERN);
            if answers {
                pipe.say(refusal(&question, -32601, "unknown")).await;
            }
            let opening = pipe.expect("initialize").await;
            if !answers {
                // This answer comes late, and no request waits for it any more.
                pipe.say(refusal(&question, -32601, "unknown")).await;
            }
            let result = initialized("2025-11-25", json!({"tools": {}}));
            pipe.say(answer(&opening, result)).await;
            pipe.expect("notifications/initialized").await;
        };
        let (session, ()) = tokio::join!(connect(link, unknown()), serve);
        let mut session = session.expect("a session");
        assert_eq!(session.server().era, Era::Legacy, "answers: {answers}");
        let mut events = session.take_events().expect("its events");
        let event = tokio::time::timeout(AMPLE, events.recv()).await;
        let event = format!("{:?}", event.expect("in time").expect("an event"));
        assert!(event.contains("booting"), "{event}");
    }
}

#[tokio::test]
async fn an_unknown_server_of_both_eras_is_modern() {
    let (mut pipe, link) = Pipe::new();
    let serve = async {
        for _ in 0..2 {
            let question = pipe.expect("server/discover").await;
            let versions = ["2025-11-25", MODERN];
            let result = discovered(&versions, json!({"tools": {}}));
            pipe.say(answer(&question, result)).await;
        }
        pipe
    };
    let (session, _pipe) = tokio::join!(connect(link, unknown()), serve);
    let session = session.expect("a session");
    assert_eq!(session.server().era, Era::Modern);
    assert_eq!(session.server().protocol_version, MODERN);
}

#[tokio::test]
async fn an_unknown_server_that_ends_is_started_again() {
    for says in [true, false] {
        let (request, result) = pipe::first_answer(unknown(), |request| {
            says.then(|| refusal(request, -32601, "unknown"))
        })
        .await;
        assert_eq!(request["method"], "server/discover");
        let failure = result.expect_err("no session");
        assert_eq!(failure.retry_with, Some(Era::Legacy), "says: {says}");
    }
}

#[tokio::test]
async fn an_unknown_server_over_http_is_asked_first() {
    let web = Web::start(legacy).await;
    let session = web.session(unknown()).await;
    assert_eq!(session.server().era, Era::Legacy);
    assert_eq!(web.story()[..2], ["server/discover", "initialize"]);

    let web = Web::start(|seen| match seen.method() {
        "server/discover" => {
            let versions = ["2025-11-25", MODERN];
            Reply::Json(answer(&seen.body, discovered(&versions, json!({}))))
        }
        _ => legacy(seen),
    })
    .await;
    let session = web.session(unknown()).await;
    assert_eq!(session.server().protocol_version, MODERN);
    assert!(!web.story().contains(&"initialize".to_owned()));

    let web = Web::start(|seen| match seen.method() {
        "server/discover" => Reply::Silence,
        _ => legacy(seen),
    })
    .await;
    let session = web.session(unknown()).await;
    assert_eq!(session.server().era, Era::Legacy);

    let web = Web::start(|_| Reply::Status(404, vec![])).await;
    let failure = connect(web.link(), unknown()).await;
    let failure = failure.expect_err("no session");
    assert!(failure.error.to_string().contains("404"));
    assert_eq!(web.story()[..2], ["server/discover", "initialize"]);
}
