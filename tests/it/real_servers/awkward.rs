//! Real servers that fail to start: their errors, their discovered tools, and that no process
//! remains.
//!
//! None of them needs a network. Addresses of services that they require have no listener.

use guild_api::wire::{CatalogRequest, DiscoveryStatus, MemberView};
use guild_model::Code;
use guild_model::status::{Freshness, Status};
use guild_tests::{MemberFolder, processes_of};
use serde_json::json;

use super::{from_npm, from_pypi, listed};
use crate::test_env::{Open, TestEnv, name};

/// An address without a listener.
const NOBODY: &str = "127.0.0.1:1";

/// Sets `restart` to `never`, so that the first failure stays visible.
fn once(folder: MemberFolder) -> MemberFolder {
    folder.manifest(json!({"restart": "never"}))
}

/// Starts all members, requests their lists in every way, and waits until all requests are done.
async fn asked_in_every_way(env: &TestEnv, members: &[&str]) -> Open {
    let open = env.started().await;
    open.hall.at_rest().await;
    for member in members {
        let asked = open.hall.refresh_member(&name(member)).await;
        assert!(asked.is_err(), "{member} does not come up");
    }
    open.hall.at_rest().await;
    assert_eq!(processes_of(&env.nonce), [] as [u32; 0], "nothing is left");
    open
}

/// Checks that a member has an error and no tools, also none from its output.
async fn brought_nothing(open: &Open, member: &str) -> MemberView {
    let view = open.view(member);
    assert_eq!(
        (view.status, view.freshness, view.tools),
        (Status::Error, Freshness::Unknown, 0),
        "{view:#?}"
    );
    let catalog = open.hall.catalog(CatalogRequest::default()).await;
    let catalog = catalog.expect("the catalogue");
    let mut members = catalog.members.iter();
    let known = members.find(|known| known.member == name(member));
    let known = known.expect("in the catalogue");
    assert_eq!(known.discovery_status, DiscoveryStatus::Failed);
    let tools = open.hall.member_tools(&name(member)).expect("a member");
    assert_eq!((tools.found, tools.tools.len()), (None, 0), "{tools:#?}");
    view
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_wants_keys_says_which_and_comes_up_with_them() {
    let env = TestEnv::new("no keys");
    once(from_npm(&env, "slack", "server-slack", &[])).write();
    let open = asked_in_every_way(&env, &["slack"]).await;
    let view = brought_nothing(&open, "slack").await;
    let error = view.error.expect("why");
    assert_eq!(error.code, Code::MemberExited, "{error}");
    assert!(
        error.message.contains("SLACK_BOT_TOKEN and SLACK_TEAM_ID"),
        "{error}"
    );
    open.close().await;
    // This server checks its keys only when a tool is called.
    from_npm(&env, "slack", "server-slack", &[])
        .env("SLACK_BOT_TOKEN", "xoxb-none")
        .env("SLACK_TEAM_ID", "T0")
        .write();
    let open = env.started().await;
    let view = listed(
        &open,
        "slack",
        &["slack_list_channels", "slack_post_message"],
    );
    assert_eq!(view.protocol_version.as_deref(), Some("2024-11-05"));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_wants_an_argument_says_so_and_comes_up_with_it() {
    let env = TestEnv::new("no argument");
    once(from_npm(&env, "postgres", "server-postgres", &[])).write();
    let open = asked_in_every_way(&env, &["postgres"]).await;
    let error = brought_nothing(&open, "postgres").await.error.expect("why");
    assert_eq!(error.code, Code::MemberExited, "{error}");
    assert!(
        error
            .message
            .contains("Please provide a database URL as a command-line argument"),
        "{error}"
    );
    open.close().await;
    // Without its database it still lists its tools, and a call reports what is missing.
    let url = format!("postgresql://{NOBODY}/none");
    from_npm(&env, "postgres", "server-postgres", &[&url]).write();
    let open = env.started().await;
    listed(&open, "postgres", &["query"]);
    let failed = open
        .refusal("postgres", "query", r#"{"sql":"select 1"}"#)
        .await;
    assert_eq!(failed.code, Code::RpcError, "{failed}");
    assert!(failed.message.contains("ECONNREFUSED"), "{failed}");
    assert_eq!(open.view("postgres").status, Status::Ready);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_waits_for_a_service_is_ended_at_its_limit() {
    let env = TestEnv::new("no service");
    let url = format!("redis://{NOBODY}");
    once(from_npm(&env, "redis", "server-redis", &[&url]))
        .manifest(json!({"timeouts": {"start_ms": 2_000, "discovery_ms": 2_000}}))
        .write();
    let open = asked_in_every_way(&env, &["redis"]).await;
    let error = brought_nothing(&open, "redis").await.error.expect("why");
    assert_eq!(error.code, Code::StartTimeout, "{error}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn traceback_yields_no_tools() {
    let env = TestEnv::new("broken library");
    once(from_pypi(&env, "calculator", "mcp-server-calculator", &[])).write();
    let open = asked_in_every_way(&env, &["calculator"]).await;
    let error = brought_nothing(&open, "calculator")
        .await
        .error
        .expect("why");
    assert_eq!(error.code, Code::MemberExited, "{error}");
    assert!(error.message.contains("ModuleNotFoundError"), "{error}");
    open.close().await;
}
