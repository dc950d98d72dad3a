//! Tests of probing a server that breaks the protocol, and of a session without a handshake.

use std::time::Duration;

use guild_mcp_client::{
    CapturedOutput, McpError, ProbeMode, Probed, ServerTransport, connect_bare, probe,
};
use serde_json::{Value, json};

use crate::options;
use crate::pipe::Pipe;

const LIMIT: Duration = Duration::from_secs(10);

/// Probes the server `serve` within a time limit, beginning with the form `first`. Returns the
/// result and the captured output.
async fn asked(
    first: ProbeMode,
    limit: Duration,
    serve: impl AsyncFnOnce(Pipe),
) -> (Result<Probed, McpError>, String) {
    let (pipe, link) = Pipe::new();
    let ServerTransport::Stdio { reader, writer } = link else {
        panic!("a pipe is no address");
    };
    let heard = CapturedOutput::default();
    let asking = probe(reader, writer, first, limit, heard.clone());
    let (probed, ()) = tokio::join!(asking, serve(pipe));
    let written = String::from_utf8(heard.bytes()).expect("UTF-8");
    (probed, written)
}

fn tools(names: &[&str]) -> Value {
    let tool = |name: &&str| json!({"name": name, "inputSchema": {"type": "object"}});
    json!(names.iter().map(tool).collect::<Vec<_>>())
}

fn answer(request: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": request["id"], "result": result})
}

fn refusal(request: &Value) -> Value {
    let error = json!({"code": -32601, "message": "what?"});
    json!({"jsonrpc": "2.0", "id": request["id"], "error": error})
}

fn listed(probed: Result<Probed, McpError>) -> (Vec<String>, ProbeMode) {
    let Probed { list, opening } = probed.expect("a list");
    let names = list.tools.iter().map(|tool| tool.name().to_string());
    (names.collect(), opening)
}

#[tokio::test]
async fn a_sound_server_is_asked_as_the_protocol_has_it_page_by_page() {
    let serve = async |mut pipe: Pipe| {
        pipe.write("starting\n").await;
        let request = pipe.expect("initialize").await;
        pipe.say(answer(&request, json!({"capabilities": {}})))
            .await;
        pipe.expect("notifications/initialized").await;
        let request = pipe.expect("tools/list").await;
        assert_eq!(request["params"], json!({}), "as the seed has it");
        let page = json!({"tools": tools(&["one", "two"]), "nextCursor": "more"});
        pipe.say(answer(&request, page)).await;
        let request = pipe.expect("tools/list").await;
        assert_eq!(request["params"]["cursor"], "more");
        pipe.say(answer(&request, json!({"tools": tools(&["three"])})))
            .await;
    };
    let (probed, written) = asked(ProbeMode::Handshake, LIMIT, serve).await;
    let (names, opening) = listed(probed);
    assert_eq!(names, ["one", "two", "three"]);
    assert_eq!(opening, ProbeMode::Handshake);
    assert!(
        written.starts_with("starting\n{"),
        "all of it is kept: {written}"
    );
}

#[tokio::test]
async fn refused_handshake_falls_back_both_ways() {
    let blunt = async |mut pipe: Pipe| {
        let request = pipe.expect("initialize").await;
        pipe.say(refusal(&request)).await;
        let request = pipe.expect("tools/list").await;
        pipe.say(answer(&request, json!({"tools": tools(&["a"])})))
            .await;
    };
    let (probed, _) = asked(ProbeMode::Handshake, LIMIT, blunt).await;
    assert_eq!(listed(probed), (vec!["a".to_owned()], ProbeMode::Bare));
    let polite = async |mut pipe: Pipe| {
        let request = pipe.expect("tools/list").await;
        pipe.say(refusal(&request)).await;
        let request = pipe.expect("initialize").await;
        pipe.say(answer(&request, json!({}))).await;
        pipe.expect("notifications/initialized").await;
        let request = pipe.expect("tools/list").await;
        pipe.say(answer(&request, json!({"tools": tools(&["b"])})))
            .await;
    };
    let (probed, _) = asked(ProbeMode::Bare, LIMIT, polite).await;
    assert_eq!(listed(probed), (vec!["b".to_owned()], ProbeMode::Handshake));
    let neither = async |mut pipe: Pipe| {
        for method in ["initialize", "tools/list"] {
            let request = pipe.expect(method).await;
            pipe.say(refusal(&request)).await;
        }
    };
    let (probed, _) = asked(ProbeMode::Handshake, LIMIT, neither).await;
    assert!(matches!(probed, Err(McpError::Rpc(_))), "{probed:?}");
}

#[tokio::test(start_paused = true)]
async fn silence_tries_the_other_way_and_takes_late() {
    let late = async |mut pipe: Pipe| {
        let greeting = pipe.expect("initialize").await;
        let bare = pipe.expect("tools/list").await;
        pipe.say(answer(&greeting, json!({}))).await;
        pipe.expect("notifications/initialized").await;
        let request = pipe.expect("tools/list").await;
        // The request for this list was sent before the handshake, so its answer is discarded.
        pipe.say(answer(&bare, json!({"tools": tools(&["too", "early"])})))
            .await;
        pipe.say(answer(&request, json!({"tools": tools(&["late"])})))
            .await;
    };
    let (probed, _) = asked(ProbeMode::Handshake, LIMIT, late).await;
    assert_eq!(
        listed(probed),
        (vec!["late".to_owned()], ProbeMode::Handshake)
    );
    let silent = async |mut pipe: Pipe| {
        pipe.write("{\"functions\":[]}\nand no line's end").await;
        while pipe.next().await.is_some() {}
    };
    let (probed, written) = asked(ProbeMode::Handshake, LIMIT, silent).await;
    assert!(
        matches!(probed, Err(McpError::ListTimeout { .. })),
        "{probed:?}"
    );
    assert!(written.ends_with("and no line's end"), "{written}");
}

#[tokio::test]
async fn any_probe_output_is_bounded_in_time() {
    let ends = async |mut pipe: Pipe| {
        pipe.expect("initialize").await;
    };
    let (probed, _) = asked(ProbeMode::Handshake, LIMIT, ends).await;
    assert!(matches!(probed, Err(McpError::Closed { .. })), "{probed:?}");
    let endless = async |mut pipe: Pipe| {
        let mut page = 0;
        while let Some(request) = pipe.next().await {
            if request["method"] == "initialize" {
                pipe.say(refusal(&request)).await;
                continue;
            }
            page += 1;
            let next = json!({"tools": [], "nextCursor": page.to_string()});
            pipe.say(answer(&request, next)).await;
        }
    };
    let (probed, _) = asked(ProbeMode::Handshake, LIMIT, endless).await;
    assert!(
        matches!(probed, Err(McpError::ListEndless { .. })),
        "{probed:?}"
    );
    let floods = async |mut pipe: Pipe| {
        let line = "x".repeat(1 << 16) + "\n";
        for _ in 0..40 {
            pipe.write(&line).await;
        }
        for _ in ["initialize", "tools/list"] {
            let request = pipe.next().await.expect("a request");
            pipe.say(refusal(&request)).await;
        }
    };
    let (probed, written) = asked(ProbeMode::Handshake, LIMIT, floods).await;
    assert!(matches!(probed, Err(McpError::Rpc(_))), "{probed:?}");
    assert_eq!(written.len(), guild_model::discovery::WRITTEN_MAX);
}

#[tokio::test]
async fn oversized_page_is_read_in_bounded_memory() {
    let serve = async |mut pipe: Pipe| {
        let request = pipe.expect("tools/list").await;
        let tools = "0,".repeat(2_000_000) + "0";
        let id = &request["id"];
        let line =
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"tools\":[{tools}]}}}}\n");
        pipe.write(&line).await;
    };
    let (probed, _) = asked(ProbeMode::Bare, LIMIT, serve).await;
    let list = probed.expect("a list").list;
    assert_eq!(list.tools, []);
    assert!(!list.problems.is_empty(), "each of them is no tool");
}

#[tokio::test]
async fn a_session_without_a_handshake_begins_with_the_list() {
    let (mut pipe, link) = Pipe::new();
    let serve = async {
        for _ in 0..2 {
            let request = pipe.expect("tools/list").await;
            pipe.say(answer(&request, json!({"tools": tools(&["a"])})))
                .await;
        }
    };
    let connecting = async {
        let session = connect_bare(link, options()).await.expect("a session");
        assert_eq!(
            session.server().protocol_version,
            "",
            "none was agreed upon"
        );
        session.list_tools(LIMIT).await.expect("a list")
    };
    let (list, ()) = tokio::join!(connecting, serve);
    assert_eq!(list.tools.len(), 1);
}

#[tokio::test]
async fn refused_list_ends_a_handshakeless_session() {
    let (mut pipe, link) = Pipe::new();
    let serve = async {
        let request = pipe.expect("tools/list").await;
        pipe.say(refusal(&request)).await;
        while pipe.next().await.is_some() {}
    };
    let (failure, ()) = tokio::join!(connect_bare(link, options()), serve);
    let failure = failure.map(drop).expect_err("no session");
    assert!(
        matches!(failure.error, McpError::Handshake { .. }),
        "{failure}"
    );
}
