//! Adds servers from pasted text, a file, or a command. They are shown without being started, and
//! added exactly as they were shown.

use guild_api::wire::{
    AdoptBrought, AdoptServer, AdoptionEnd, Brought, BroughtServers, FoundState, GivenInput,
};
use guild_model::status::Status;
use guild_model::{Code, Report};
use guild_tests::{LIMIT, Nonce, fixture_bin, processes_of};
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::import::{fixture, servers};
use crate::test_env::{Open, name, text};
use crate::user::{AtHome, User, put};

/// Returns the instructions of a web page for the fixture server.
fn page(user: &User, changes: serde_json::Value) -> String {
    let entry = fixture(&user.env.nonce, changes);
    let list = servers(json!({"bench": entry}));
    format!("Put this into your settings:\n\n```json\n{list:#}\n```\n")
}

fn pasted(text: &str) -> Brought {
    Brought::Text {
        text: text.to_owned(),
    }
}

async fn read(open: &Open, brought: Brought) -> BroughtServers {
    open.hall.read_brought(brought).await.expect("read")
}

async fn unreadable(open: &Open, brought: Brought) -> Report {
    let report = open.hall.read_brought(brought).await;
    let report = report.expect_err("it can't be read");
    assert_eq!(report.code, Code::SnippetUnreadable, "{report}");
    report
}

/// Adds the first server as it was shown.
async fn adopt(
    open: &Open,
    brought: Brought,
    shown: &BroughtServers,
    called: &str,
    inputs: &[(&str, &str)],
) -> AdoptionEnd {
    let inputs = inputs.iter().map(|(id, value)| GivenInput {
        id: (*id).to_owned(),
        value: (*value).to_owned(),
    });
    let wanted = AdoptServer {
        id: shown.servers[0].id.clone(),
        name: name(called),
        inputs: inputs.collect(),
        keep_command: false,
    };
    let request = AdoptBrought {
        brought,
        servers: vec![wanted],
    };
    let adopted = open.hall.adopt_brought(request).await.expect("an answer");
    let [one] = adopted.each.try_into().expect("one");
    one.end
}

#[tokio::test]
async fn pasted_server_runs_with_stored_secrets() {
    let user = User::new("adding-pasted");
    let mut open = user.open().await;
    open.hall.start_all().settled().await;
    let page = page(
        &user,
        json!({"env": {"API_TOKEN": "planted-in-the-text", "ASKED": "<YOUR_ACCOUNT>"}}),
    );
    let shown = read(&open, pasted(&page)).await;
    let [server] = shown.servers.as_slice() else {
        panic!("{shown:#?}")
    };
    assert_eq!(
        (server.name.as_str(), &server.state),
        ("bench", &FoundState::New)
    );
    assert!(server.places[0].path.is_empty(), "{:?}", server.places);
    assert!(!format!("{shown:?}").contains("planted"), "{shown:#?}");
    let asked: Vec<_> = server
        .inputs
        .iter()
        .map(|input| input.id.as_str())
        .collect();
    assert_eq!(asked, ["ASKED"]);
    assert_eq!(
        processes_of(&user.env.nonce),
        [] as [u32; 0],
        "nothing is started by being shown"
    );

    let without = adopt(&open, pasted(&page), &shown, "bench", &[]).await;
    assert!(
        matches!(&without, AdoptionEnd::Refused { report } if report.code == Code::AdoptionRefused),
        "{without:?}"
    );
    let given = [("ASKED", "me")];
    let end = adopt(&open, pasted(&page), &shown, "bench", &given).await;
    let AdoptionEnd::Member {
        member,
        secrets,
        folder,
        ..
    } = end
    else {
        panic!("{end:?}")
    };
    assert_eq!(secrets, ["bench/API_TOKEN"]);
    let manifest = std::fs::read_to_string(format!("{folder}/plugin.json")).expect("a manifest");
    assert!(!manifest.contains("planted"), "{manifest}");
    assert!(manifest.contains("\"from\": \"pasted\""), "{manifest}");
    assert!(
        !manifest.contains("\"path\""),
        "it stands in no file: {manifest}"
    );
    // The person has seen the launch, so it counts as accepted and starts at once.
    open.status("bench", Status::Ready).await;
    for (variable, value) in [("API_TOKEN", "planted-in-the-text"), ("ASKED", "me")] {
        let asked = json!({"name": variable}).to_string();
        let called = open.result("bench", "env", &asked).await;
        assert_eq!(text(&called), value, "{variable}");
    }

    let again = read(&open, pasted(&page)).await;
    assert_eq!(again.servers[0].state, FoundState::Adopted { member });
    open.close().await;
}

#[tokio::test]
async fn import_equals_preview_or_fails() {
    let user = User::new("adding-changed");
    let open = user.open().await;
    let file = user.home.path().join("servers.yaml");
    let brought = || Brought::File {
        path: file.display().to_string(),
    };
    put(&file, "mcpServers:\n  - name: one\n    command: first\n");
    let shown = read(&open, brought()).await;
    assert_eq!(shown.servers[0].command_line, "first");
    assert_eq!(shown.servers[0].places[0].line, 2);
    put(&file, "mcpServers:\n  - name: one\n    command: second\n");
    let end = adopt(&open, brought(), &shown, "one", &[]).await;
    assert!(
        matches!(&end, AdoptionEnd::Refused { report } if report.code == Code::FoundServerUnknown),
        "{end:?}"
    );
    assert!(!user.env.members_dir().join("one").exists());
    open.close().await;
}

#[tokio::test]
async fn a_server_is_shown_beside_the_member_of_its_name() {
    let user = User::new("adding-beside");
    let open = user.open().await;
    let first = Brought::Words {
        words: ["nowhere", "--token", "planted-in-the-words-1234"]
            .map(str::to_owned)
            .into(),
    };
    let shown = read(&open, first.clone()).await;
    let end = adopt(&open, first, &shown, "thing", &[]).await;
    assert!(matches!(end, AdoptionEnd::Member { .. }), "{end:?}");

    let other = read(&open, pasted("npx -y @scope/server-thing")).await;
    let [member] = other.members.as_slice() else {
        panic!("{other:#?}")
    };
    assert_eq!(other.servers[0].differs, std::slice::from_ref(&member.id));
    assert_eq!(other.servers[0].suggested, name("thing-2"));
    assert!(
        member.command_line.starts_with("nowhere --token"),
        "{member:?}"
    );
    assert!(!format!("{other:?}").contains("planted"), "{other:#?}");
    open.close().await;
}

#[tokio::test]
async fn unreadable_import_reports_its_place() {
    let user = User::new("adding-broken");
    let open = user.open().await;
    let broken = "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"}\n  \"b\": {}}}";
    let report = unreadable(&open, pasted(broken)).await;
    assert!(
        report.message.contains("line 2, column 24: expected comma"),
        "{report}"
    );
    assert!(!report.hint.is_empty());

    let home = user.home.path();
    let named = |path: &str| Brought::File {
        path: home.join(path).display().to_string(),
    };
    let absent = unreadable(&open, named("nowhere.json")).await;
    assert!(absent.message.contains("nowhere.json"), "{absent}");
    std::fs::write(home.join("x.json"), b"\xff\xfe{}").expect("written");
    let no_text = unreadable(&open, named("x.json")).await;
    assert!(no_text.message.contains("UTF-8"), "{no_text}");
    let relative = Brought::File {
        path: "servers.json".to_owned(),
    };
    assert!(
        unreadable(&open, relative)
            .await
            .message
            .contains("full path")
    );
    unreadable(&open, named(".")).await;
    open.close().await;
}

#[tokio::test]
async fn the_command_line_shows_asks_and_adds() {
    let user = AtHome::new("adding-cli").await;
    let fixture_bin = fixture_bin().display().to_string();
    let words = [fixture_bin.as_str(), "--stdio"];
    let nonce = format!("{}={}", Nonce::VARIABLE, user.cli.env.nonce.as_str());
    // Arguments after `--` belong to the server.
    let add = |options: &[&str]| {
        let mut command = user.command(&[&["add"], options].concat());
        command.args(["--", nonce.as_str()]).args(words);
        command
    };
    let shown = user.cli.ended(add(&["--look", "--json"])).await.json(0);
    assert_eq!(
        shown["servers"][0]["launch"]["command"],
        fixture_bin.as_str()
    );
    assert_eq!(shown["servers"][0]["places"][0]["program"], "command-line");

    let unasked = user.cli.ended(add(&["--name", "bench"])).await;
    assert_eq!(unasked.code, Some(2), "{unasked:#?}");
    assert!(
        unasked.stderr.contains("--stdio"),
        "it is shown: {unasked:#?}"
    );
    assert!(unasked.stderr.contains("--yes"), "{unasked:#?}");
    assert!(!user.cli.env.members_dir().join("bench").exists());

    let added = user
        .cli
        .ended(add(&["--name", "bench", "--yes", "--json"]))
        .await
        .json(0);
    assert_eq!(added["each"][0]["end"]["member"], "bench");
    let asked = json!({"name": Nonce::VARIABLE}).to_string();
    let call = ["call", "bench", "env", "--args", &asked, "--json"];
    let called = user.cli.ended(user.command(&call)).await.json(0);
    assert_eq!(text(&called), user.cli.env.nonce.as_str());

    let again = user.cli.ended(add(&["--yes"])).await;
    assert_eq!(again.code, Some(2), "{again:#?}");
    let mut scripted = user.command(&["add", "--yes"]);
    scripted.args(["--", "npm", "install", "x"]);
    let scripted = user.cli.ended(scripted).await;
    assert_eq!(scripted.code, Some(2), "{scripted:#?}");
    assert!(
        scripted.stderr.contains("snippet-unreadable"),
        "{scripted:#?}"
    );
}

#[tokio::test]
async fn the_command_line_takes_a_text_on_standard_input_or_a_file() {
    let user = AtHome::new("adding-stdin").await;
    let page = "```json\n{\"mcpServers\": {\"one\": {\"command\": \"x\"}, \"two\": {\"command\": \"y\"}}}\n```";
    let mut command = user.command(&["add", "-", "--only", "two", "--yes", "--json"]);
    command.stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped());
    let mut adding = command.spawn().expect("guildhall runs");
    let mut stdin = adding.stdin.take().expect("its stdin");
    stdin.write_all(page.as_bytes()).await.expect("written");
    drop(stdin);
    let ended = tokio::time::timeout(LIMIT, adding.wait_with_output()).await;
    let ended = ended.expect("in time").expect("it ends");
    assert!(ended.status.success(), "{ended:?}");
    let added: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    assert_eq!(added["each"][0]["end"]["member"], "two");

    // The format of an install button on a page: the name, and the entry's JSON in base64.
    let link =
        "cursor://anysphere.cursor-deeplink/mcp/install?name=linked&config=eyJjb21tYW5kIjoieiJ9";
    let linked = user
        .cli
        .ended(user.command(&["add", link, "--look", "--json"]));
    let linked = linked.await.json(0);
    assert_eq!(linked["servers"][0]["suggested"], "linked");
    assert_eq!(linked["servers"][0]["commandLine"], "z");

    put(&user.home.path().join("page.md"), page);
    let mut look = user.command(&["add", "page.md", "--look", "--json"]);
    look.current_dir(user.home.path());
    let shown = user.cli.ended(look).await.json(0);
    assert_eq!(shown["servers"][0]["state"]["kind"], "new");
    assert_eq!(
        shown["servers"][1]["state"],
        json!({"kind": "adopted", "member": "two"})
    );
    user.cli.nothing_left();
}

#[tokio::test]
async fn other_programs_that_write_yaml_are_looked_at_too() {
    let user = User::new("adding-yaml");
    put(
        &user.home.path().join(".continue/config.yaml"),
        "name: mine\nmcpServers:\n  - name: docs\n    command: docs-server\n",
    );
    put(
        &user.home.path().join(".config/goose/config.yaml"),
        "extensions:\n  gh:\n    cmd: gh-server\n    args: [--stdio]\n    type: stdio\n    enabled: true\n    timeout: 5\n",
    );
    let open = user.open().await;
    let found = open.hall.found_servers().await.expect("looked");
    let lines: Vec<_> = found
        .servers
        .iter()
        .map(|server| {
            (
                server.command_line.as_str(),
                server.places[0].program.as_str(),
                server.places[0].line,
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            ("docs-server", "continue", 3),
            ("gh-server --stdio", "goose", 2)
        ]
    );
    open.close().await;
}
