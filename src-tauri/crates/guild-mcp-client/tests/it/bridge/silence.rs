//! Tests of gateways that move or fall silent while a session is open.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use guild_mcp_client::{BridgeError, BridgeLimits, GatewayVerifier, Relocation};
use serde_json::json;
use tokio::sync::mpsc;

use super::{Program, gateway, request};
use crate::AMPLE;
use crate::web::{Reply, Seen, Web};

#[tokio::test]
async fn open_session_follows_the_gateway() {
    let first = Web::start(gateway).await;
    let place = Arc::new(Mutex::new(first.url.clone()));
    let now = place.clone();
    let relocation = Relocation::by(move || {
        let url = now.lock().unwrap().clone();
        async move { Some(url) }
    });
    let mut program = Program::start_moving(&first.url, GatewayVerifier::anybody(), relocation);
    program.open().await;
    drop(first);
    let second = Web::start(gateway).await;
    place.lock().unwrap().clone_from(&second.url);
    // A kept connection may break once. The request after that reaches the new gateway.
    let mut id = 0;
    let answer = loop {
        id += 1;
        program.say(&request(id, "echo", json!({"a": id}))).await;
        let answer = program.hear().await;
        if answer["result"] == json!({"a": id}) || id == 3 {
            break answer;
        }
    };
    assert_eq!(answer["result"], json!({"a": id}), "{answer}");
    assert_eq!(program.end().await, Ok(()));
    assert!(second.story().contains(&"echo".to_owned()));
}

/// Short limits, so that a test ends soon.
const SHORT: BridgeLimits = BridgeLimits {
    opening: Duration::from_millis(100),
    silence: Duration::from_millis(100),
    check: Duration::from_millis(500),
};

#[tokio::test]
async fn silent_gateway_is_given_up() {
    let hangs = Arc::new(AtomicBool::new(false));
    let hung = hangs.clone();
    let web = Web::start(move |seen| match hung.load(Ordering::SeqCst) {
        true => Reply::Silence,
        false => gateway(seen),
    })
    .await;
    let mut program = Program::start_within(
        &web.url,
        GatewayVerifier::anybody(),
        Relocation::never(),
        SHORT,
    );
    program.open().await;
    web.until("notifications/initialized").await;
    hangs.store(true, Ordering::SeqCst);
    program.say(&request(1, "tools/list", json!({}))).await;
    let refused = program.hear().await;
    assert_eq!(refused["id"], 1);
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("does not answer"), "{refused}");
    web.until("HEAD").await;
    hangs.store(false, Ordering::SeqCst);
    program.say(&request(2, "echo", json!({"a": 1}))).await;
    assert_eq!(
        program.hear().await["result"],
        json!({"a": 1}),
        "it goes on"
    );
    assert_eq!(program.end().await, Ok(()));
}

#[tokio::test]
async fn silent_gateway_opens_no_session() {
    let web = Web::start(|_| Reply::Silence).await;
    let mut program = Program::start_within(
        &web.url,
        GatewayVerifier::anybody(),
        Relocation::never(),
        SHORT,
    );
    program
        .say(&request(
            0,
            "initialize",
            json!({"protocolVersion": "2025-06-18"}),
        ))
        .await;
    let refused = program.hear().await;
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("does not answer"), "{refused}");
    assert!(matches!(
        program.end().await,
        Err(BridgeError::Unreachable(_))
    ));
}

#[tokio::test]
async fn slow_answer_of_a_live_gateway_is_awaited() {
    let (slow, events) = mpsc::channel(4);
    let events = Mutex::new(Some(events));
    let web = Web::start(move |seen| match seen.method() {
        "slow" => Reply::Open(events.lock().unwrap().take().expect("asked once")),
        _ => gateway(seen),
    })
    .await;
    // The gateway has enough time to answer the check, even on a slow machine.
    let limits = BridgeLimits {
        check: AMPLE,
        ..SHORT
    };
    let mut program = Program::start_within(
        &web.url,
        GatewayVerifier::anybody(),
        Relocation::never(),
        limits,
    );
    program.open().await;
    program.say(&request(1, "slow", json!({}))).await;
    // The answer comes only after several checks.
    let checked = |seen: &[Seen]| seen.iter().filter(|seen| seen.verb == "HEAD").count();
    web.shown(|seen| (checked(seen) >= 3).then_some(())).await;
    let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
    slow.send(answer.clone()).await.unwrap();
    assert_eq!(program.hear().await, answer);
    program.end().await.expect("it was reached");
}
