//! Members that send answers to requests that they did not receive.

use std::time::Instant;

use guild_tests::LIMIT;
use serde_json::json;

use super::{Ground, Steady};
use crate::agent::Agent;
use crate::test_env::text;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_answers_with_other_ids_hurts_only_itself() {
    let ground = Ground::with("other ids", |cli| {
        for (name, http) in [("liar", false), ("web-liar", true)] {
            let member = if http {
                cli.env.http(name)
            } else {
                cli.env.member(name)
            };
            member
                .args(["--wrong-ids", "--on", "tools/call"])
                .manifest(json!({"timeouts": {"call_ms": 1_000}}))
                .write();
        }
    })
    .await;
    let steady = Steady::start(&ground).await;
    for liar in ["liar", "web-liar"] {
        let url = format!("{}/members/{liar}/mcp", ground.gateway.origin);
        let mut agent = Agent::open(url, "2025-11-25").await;
        for number in 0..3 {
            let began = Instant::now();
            let called = agent.call("echo", json!({"number": number})).await;
            let took = began.elapsed();
            assert!(called.answer.get("error").is_some(), "{called:#?}");
            assert!(took < LIMIT, "{took:?}");
            println!(
                "reliability: {liar}, which answers with other ids: an error after {took:.1?}"
            );
        }
    }
    // The well-behaved member's calls have ids from the same range. None got an answer of another
    // member.
    steady.stop("members that answer with other ids").await;
    let mut agent = Agent::open(ground.url(), "2026-07-28").await;
    let called = agent.call("add", json!({"a": 1, "b": 1})).await;
    assert_eq!(text(called.result()), "2");
    ground.end().await;
}
