//! Tests of the request headers that a modern server receives.

use guild_mcp_client::ConnectOptions;
use guild_model::protocol::Era;
use serde_json::json;

use crate::web::{Reply, Web, legacy};
use crate::{AMPLE, answer, arguments, call_options, discovered, options, refusal, tool};

#[tokio::test]
async fn modern_server_gets_argument_headers() {
    let web = Web::start(|seen| match seen.method() {
        "server/discover" => Reply::Json(answer(
            &seen.body,
            discovered(&["2026-07-28"], json!({"tools": {}})),
        )),
        "tools/list" => Reply::Json(answer(
            &seen.body,
            json!({
                "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
                "tools": [
                    {"name": "strike", "inputSchema": {"type": "object", "properties": {
                        "metal": {"type": "string", "x-mcp-header": "Metal"},
                        "place": {"type": "string", "x-mcp-header": "Place"},
                        "blows": {"type": "integer", "x-mcp-header": "Blows"},
                        "note": {"type": "string", "x-mcp-header": "Note"},
                        "secret": {"type": "string"}
                    }}},
                    {"name": "broken", "inputSchema": {"type": "object", "x-mcp-header": "X"}}
                ]
            }),
        )),
        "tools/call" => Reply::Json(answer(
            &seen.body,
            json!({"resultType": "complete", "content": []}),
        )),
        _ => Reply::Json(refusal(&seen.body, -32601, "unknown")),
    })
    .await;
    let session = web
        .session(ConnectOptions {
            remembered: Some(Era::Modern),
            ..options()
        })
        .await;
    let list = session.list_tools(AMPLE).await.expect("a list");
    assert_eq!(list.tools.len(), 1, "the other breaks the rules");
    assert_eq!(list.problems[0].name.as_deref(), Some("broken"));

    let given = json!({"metal": "iron", "place": "Zürich", "blows": 3, "secret": "s"});
    session
        .call(&tool("strike"), arguments(given), call_options())
        .await
        .expect("a result");
    let call = web.until("tools/call").await;
    assert_eq!(call.header("mcp-method"), Some("tools/call"));
    assert_eq!(call.header("mcp-name"), Some("strike"));
    assert_eq!(call.header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(call.header("mcp-param-metal"), Some("iron"));
    assert_eq!(
        call.header("mcp-param-place"),
        Some("=?base64?WsO8cmljaA==?=")
    );
    assert_eq!(call.header("mcp-param-blows"), Some("3"));
    assert_eq!(call.header("mcp-param-note"), None, "it was not given");
    let list = web.until("tools/list").await;
    assert_eq!(list.header("mcp-method"), Some("tools/list"));
    assert_eq!(list.header("mcp-name"), None, "it names nothing");
}

#[tokio::test]
async fn a_legacy_server_sees_no_arguments_in_headers() {
    let web = Web::start(|seen| match seen.method() {
        "tools/list" => Reply::Json(answer(
            &seen.body,
            json!({"tools": [{"name": "strike", "inputSchema": {"properties": {
                "metal": {"type": "string", "x-mcp-header": "Metal"}
            }}}]}),
        )),
        "tools/call" => Reply::Json(answer(&seen.body, json!({"content": []}))),
        _ => legacy(seen),
    })
    .await;
    let session = web.session(options()).await;
    session.list_tools(AMPLE).await.expect("a list");
    session
        .call(
            &tool("strike"),
            arguments(json!({"metal": "iron"})),
            call_options(),
        )
        .await
        .expect("a result");
    let call = web.until("tools/call").await;
    for name in ["mcp-method", "mcp-name", "mcp-param-metal"] {
        assert_eq!(call.header(name), None, "{name}");
    }
}
