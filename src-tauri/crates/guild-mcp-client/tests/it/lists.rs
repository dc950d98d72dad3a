//! Tests of tool lists: they are complete, in order, and always end.

use std::time::Duration;

use guild_mcp_client::messages::ListName;
use guild_mcp_client::{McpError, Session, ToolList};
use guild_model::Code;
use serde_json::{Value, json};

use crate::pipe::{self, Pipe};
use crate::{AMPLE, answer, refusal};

/// Lists the tools of a server. `page` returns the server's answer to each request for a page.
async fn listed(
    session: &Session,
    pipe: &mut Pipe,
    mut page: impl FnMut(usize, &Value) -> Value,
) -> Result<ToolList, McpError> {
    let serve = async {
        for number in 0.. {
            let request = pipe.expect("tools/list").await;
            let reply = page(number, &request);
            pipe.say(reply).await;
        }
    };
    tokio::select! {
        list = session.list_tools(AMPLE) => list,
        () = serve => unreachable!("the server serves for ever"),
    }
}

fn named(name: &str) -> Value {
    json!({"name": name, "inputSchema": {"type": "object"}})
}

#[tokio::test]
async fn req_mcp_http_26_36_all_pages_are_read() {
    let (session, mut pipe) = pipe::with_tools().await;
    let odd = r#"{"x-vendor":{"b":1,"a":2},"name":"odd","inputSchema":{"properties":{"z":{},"a":{}},"type":"object"},"execution":{"taskSupport":"optional"}}"#;
    let odd: Value = serde_json::from_str(odd).unwrap();
    let first = odd.clone();
    let list = listed(&session, &mut pipe, |number, request| match number {
        0 => {
            assert_eq!(request["params"].get("cursor"), None);
            answer(
                request,
                json!({"tools": [first], "nextCursor": "two", "ttlMs": 500}),
            )
        }
        1 => {
            assert_eq!(request["params"]["cursor"], "two");
            answer(
                request,
                json!({"tools": [named("b")], "nextCursor": "three", "ttlMs": 100}),
            )
        }
        _ => answer(request, json!({"tools": [named("a")], "nextCursor": ""})),
    })
    .await
    .expect("a list");
    let names: Vec<_> = list.tools.iter().map(|tool| tool.name().as_str()).collect();
    assert_eq!(names, ["odd", "b", "a"]);
    let raw = serde_json::to_string(list.tools[0].raw()).unwrap();
    assert_eq!(raw, odd.to_string());
    assert_eq!(list.ttl_ms, Some(100));
    assert_eq!(list.problems, []);
}

#[tokio::test]
async fn one_malformed_tool_is_reported_and_does_not_hide_the_rest() {
    let (session, mut pipe) = pipe::with_tools().await;
    let list = listed(&session, &mut pipe, |_, request| {
        let tools = json!([named("a"), {"name": "broken"}, named("b")]);
        answer(
            request,
            json!({"tools": tools, "cacheScope": "galaxy", "ttlMs": "soon"}),
        )
    })
    .await
    .expect("a list");
    assert_eq!(list.tools.len(), 2);
    assert_eq!(list.problems.len(), 1);
    assert_eq!(list.problems[0].name.as_deref(), Some("broken"));
}

#[tokio::test]
async fn a_cursor_that_repeats_ends_the_reading() {
    let (session, mut pipe) = pipe::with_tools().await;
    let error = listed(&session, &mut pipe, |number, request| {
        let cursor = ["a", "b"][number % 2];
        answer(request, json!({"tools": [], "nextCursor": cursor}))
    })
    .await
    .expect_err("no list");
    assert!(matches!(error, McpError::ListEndless { .. }), "{error}");
    assert_eq!(error.code(), Code::ListFailed);
}

#[tokio::test]
async fn a_list_has_at_most_a_thousand_pages() {
    let (session, mut pipe) = pipe::with_tools().await;
    let mut pages = 0;
    let error = listed(&session, &mut pipe, |number, request| {
        pages = number + 1;
        answer(
            request,
            json!({"tools": [], "nextCursor": number.to_string()}),
        )
    })
    .await
    .expect_err("no list");
    assert!(matches!(error, McpError::ListEndless { .. }), "{error}");
    assert_eq!(pages, 1_000);
}

#[tokio::test]
async fn a_list_has_at_most_ten_thousand_tools() {
    let (session, mut pipe) = pipe::with_tools().await;
    let list = listed(&session, &mut pipe, |number, request| {
        let tools: Vec<_> = (0..2_001)
            .map(|tool| named(&format!("{number}-{tool}")))
            .collect();
        answer(
            request,
            json!({"tools": tools, "nextCursor": number.to_string()}),
        )
    })
    .await
    .expect("a list");
    assert_eq!(list.tools.len(), 10_000);
    assert_eq!(list.problems.len(), 1);
}

#[tokio::test]
async fn a_server_that_never_spoke_of_tools_has_none() {
    let (session, mut pipe) = pipe::session(json!({"prompts": {}})).await;
    let list = listed(&session, &mut pipe, |_, request| {
        refusal(request, -32601, "unknown")
    })
    .await
    .expect("an empty list");
    assert_eq!(list.tools, []);

    let (session, mut pipe) = pipe::with_tools().await;
    let error = listed(&session, &mut pipe, |_, request| {
        refusal(request, -32601, "unknown")
    })
    .await
    .expect_err("one that said it had tools has to list them");
    assert_eq!(error.rpc().expect("the server's error").code, -32601);
}

#[tokio::test]
async fn a_page_that_is_no_list_is_malformed() {
    for result in [
        json!({}),
        json!({"tools": {}}),
        json!({"tools": [], "nextCursor": 5}),
    ] {
        let (session, mut pipe) = pipe::with_tools().await;
        let error = listed(&session, &mut pipe, |_, request| {
            answer(request, result.clone())
        })
        .await
        .expect_err("no list");
        assert_eq!(error.code(), Code::AnswerMalformed, "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_limit_holds_for_all_pages_together() {
    let (session, mut pipe) = pipe::with_tools().await;
    let limit = Duration::from_secs(10);
    let serve = async {
        for number in 0.. {
            let Some(request) = pipe.next().await else {
                break;
            };
            if request["method"] == "notifications/cancelled" {
                break;
            }
            tokio::time::sleep(Duration::from_secs(3)).await;
            let page = json!({"tools": [], "nextCursor": number.to_string()});
            pipe.say(answer(&request, page)).await;
        }
    };
    let (list, ()) = tokio::join!(session.list_tools(limit), serve);
    assert_eq!(
        list.expect_err("no list"),
        McpError::ListTimeout {
            list: ListName::Tools,
            limit
        }
    );
}
