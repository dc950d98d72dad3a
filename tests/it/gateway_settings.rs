//! The settings of the gateway: its port and its listing mode.

use std::net::{TcpListener, TcpStream};

use guild_api::wire::{ChangeGateway, ChangeSettings, GatewayState, SettingsState};
use guild_engine::{GatewayOptions, Tokens, gateway_port};
use guild_model::Code;
use guild_model::endpoint::Listing;
use guild_model::settings::SettingChange;
use serde_json::{Value, json};

use crate::guildhall::CliHarness;
use crate::http_client::HttpClient;
use crate::test_env::{Open, TestEnv, json as json_of, put_in_place};

const AS_SET: GatewayOptions = GatewayOptions {
    port: None,
    tokens: Tokens::NotWanted,
};

/// Returns a free port and a listener that keeps it.
fn held_port() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    (listener, port)
}

fn free_port() -> u16 {
    held_port().1
}

fn write(env: &TestEnv, file: &str, content: &Value) {
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    put_in_place(&env.data_dir().join(file), &content.to_string());
}

fn set_file(env: &TestEnv, gateway: Value) {
    write(env, "settings.json", &json!({ "gateway": gateway }));
}

fn at(port: u16) -> Option<String> {
    Some(format!("http://127.0.0.1:{port}/mcp"))
}

async fn set(open: &Open, key: &str, value: Value) -> Result<SettingsState, guild_model::Report> {
    let changes = vec![SettingChange::new(key, value)];
    open.hall.change_settings(ChangeSettings { changes }).await
}

/// Returns the number of tools in an agent's list at the endpoint of all members.
async fn listed(state: &GatewayState) -> usize {
    let address = state.address.as_deref().expect("it listens");
    HttpClient::new(address).tools("/mcp").await.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn set_port_and_mode_hold_at_once() {
    let env = TestEnv::new("a port that is set");
    env.member("forge").write();
    let (first, second) = (free_port(), free_port());
    set_file(&env, json!({"port": first, "listing": "full"}));
    let mut open = env.started().await;
    let state = open.hall.open_gateway(AS_SET).await;
    assert_eq!(
        (state.address.clone(), state.listing),
        (at(first), Listing::Full)
    );
    let whole = listed(&state).await;

    set(&open, "gateway.listing", json!("search"))
        .await
        .expect("set");
    let state = open
        .gateway_changed(|it| it.listing == Listing::Search)
        .await;
    assert_eq!(state.address, at(first), "it listens as before");
    assert_eq!(listed(&state).await, 5);

    set(&open, "gateway.port", json!(second))
        .await
        .expect("set");
    let state = open.gateway_changed(|it| it.address == at(second)).await;
    assert_eq!(listed(&state).await, 5);
    let former = TcpStream::connect(("127.0.0.1", first));
    assert!(former.is_err(), "nobody listens at the former port");
    assert_eq!(gateway_port(&env.data_dir()).expect("read"), second);

    set_file(&env, json!({"port": first, "listing": "full"}));
    let by_hand = |it: &GatewayState| it.address == at(first) && it.listing == Listing::Full;
    let state = open.gateway_changed(by_hand).await;
    assert_eq!(listed(&state).await, whole);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn taken_port_leaves_the_gateway_where_it_is() {
    let env = TestEnv::new("a taken port that is set");
    env.member("forge").write();
    let (first, second) = (free_port(), free_port());
    let (_other, taken) = held_port();
    set_file(&env, json!({ "port": first }));
    let mut open = env.started().await;
    open.hall.open_gateway(AS_SET).await;

    set(&open, "gateway.port", json!(taken)).await.expect("set");
    let state = open.gateway_changed(|it| it.error.is_some()).await;
    let report = state.error.clone().expect("an error");
    assert_eq!(report.code, Code::GatewayPortTaken);
    assert!(report.message.contains(&taken.to_string()), "{report}");
    assert!(report.hint.contains("gateway.port"), "{report}");
    assert_eq!(state.address, at(first));
    assert!(listed(&state).await > 5, "agents are served as before");

    set(&open, "gateway.port", json!(second))
        .await
        .expect("set");
    let state = open.gateway_changed(|it| it.address == at(second)).await;
    assert_eq!(state.error, None);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn port_of_a_run_comes_before_the_setting() {
    let env = TestEnv::new("a port for one run");
    let (set_port, chosen) = (free_port(), free_port());
    set_file(&env, json!({ "port": set_port }));
    let mut open = env.open().await;
    let options = GatewayOptions {
        port: Some(0),
        ..AS_SET
    };
    let state = open.hall.open_gateway(options).await;
    let own = state.address.expect("it listens");
    assert_ne!(Some(&own), at(set_port).as_ref());
    let other = free_port();
    set(&open, "gateway.port", json!(other)).await.expect("set");
    set(&open, "gateway.listing", json!("full"))
        .await
        .expect("set");
    let state = open.gateway_changed(|it| it.listing == Listing::Full).await;
    assert_eq!(state.address.as_ref(), Some(&own), "this run has its own");

    let wanted = ChangeGateway {
        port: Some(chosen),
        listing: Some(Listing::Search),
        ..ChangeGateway::default()
    };
    let state = open.hall.change_gateway(wanted).await.expect("changed");
    assert_eq!(
        (state.address, state.listing),
        (at(chosen), Listing::Search)
    );
    let file = json_of(&env.data_dir().join("settings.json"));
    assert_eq!(
        file["gateway"],
        json!({"port": chosen, "listing": "search"})
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ports_that_it_can_not_have_are_refused() {
    let env = TestEnv::new("refused ports");
    let open = env.open().await;
    for port in [0, 80, 20_000, 30_000] {
        let by_setting = set(&open, "gateway.port", json!(port)).await;
        let wanted = ChangeGateway {
            port: Some(port),
            ..ChangeGateway::default()
        };
        let on_the_page = open.hall.change_gateway(wanted).await;
        for refused in [by_setting.map(drop), on_the_page.map(drop)] {
            let report = refused.expect_err("refused");
            assert_eq!(report.code, Code::SettingRefused);
            assert!(report.message.contains("from 1024 to 19999"), "{report}");
        }
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn former_place_is_moved_from() {
    let env = TestEnv::new("from gateway.json");
    let former = free_port();
    let left = json!({"port": former, "listing": "full", "note": "mine", "enabled": true});
    write(&env, "gateway.json", &left);
    assert_eq!(gateway_port(&env.data_dir()).expect("read"), former);
    let open = env.open().await;
    let state = open.hall.open_gateway(AS_SET).await;
    assert_eq!((state.address, state.listing), (at(former), Listing::Full));
    open.close().await;
    let settings = json_of(&env.data_dir().join("settings.json"));
    assert_eq!(
        settings["gateway"],
        json!({"port": former, "listing": "full"})
    );
    let gateway = json_of(&env.data_dir().join("gateway.json"));
    assert_eq!(gateway["note"], "mine");
    let moved = ["port", "listing"].map(|key| gateway.get(key));
    assert_eq!(moved, [None, None], "{gateway}");

    // The setting overrides the value in `gateway.json`, where earlier versions stored it.
    write(
        &env,
        "gateway.json",
        &json!({"port": free_port(), "listing": "search"}),
    );
    let open = env.open().await;
    let state = open.hall.open_gateway(AS_SET).await;
    assert_eq!((state.address, state.listing), (at(former), Listing::Full));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unmovable_policies_stay_in_effect() {
    let env = TestEnv::new("settings that can't be read");
    let former = free_port();
    let left = json!({"port": former, "listing": "full"});
    write(&env, "gateway.json", &left);
    put_in_place(&env.data_dir().join("settings.json"), "{");
    let open = env.open().await;
    let state = open.hall.open_gateway(AS_SET).await;
    assert_eq!((state.address, state.listing), (at(former), Listing::Full));
    open.close().await;
    let file = json_of(&env.data_dir().join("gateway.json"));
    assert_eq!(
        json!({"port": file["port"], "listing": file["listing"]}),
        left
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn command_line_sets_the_port() {
    let cli = CliHarness::new("the port by command").await;
    let (_other, taken) = held_port();
    let refused = cli.run(&["settings", "set", "gateway.port", "20500"]).await;
    assert_ne!(refused.code, Some(0), "{refused:#?}");
    assert!(
        refused.stderr.contains("from 1024 to 19999"),
        "{refused:#?}"
    );
    let port = taken.to_string();
    let done = cli.run(&["settings", "set", "gateway.port", &port]).await;
    assert_eq!(done.code, Some(0), "{done:#?}");
    let mode = ["settings", "set", "gateway.listing", "search"];
    let done = cli.run(&mode).await;
    assert_eq!(done.code, Some(0), "{done:#?}");
    let failed = cli.run(&["serve", "--no-token"]).await;
    assert_ne!(failed.code, Some(0), "{failed:#?}");
    assert!(failed.stderr.contains("gateway.port"), "{failed:#?}");
}
