//! Imports of servers from other apps: found in their files without being started, then adopted.

mod command_line;

use std::path::Path;

use guild_api::event::HallEvent;
use guild_api::wire::{
    AdoptServer, AdoptServers, AdoptionEnd, FoundScope, FoundServer, FoundServers, FoundState,
    GivenInput, ScanFolderRef,
};
use guild_client_config::ClientProgram;
use guild_model::status::Status;
use guild_model::{Code, Report};
use guild_tests::{Nonce, fixture_bin, processes_of};
use serde_json::{Value, json};

use crate::test_env::{HallEvents, Open, name, text};
use crate::user::{User, put};

impl User {
    /// Returns the entry of a fixture server, with marked processes.
    fn fixture(&self, changes: Value) -> Value {
        fixture(&self.env.nonce, changes)
    }
}

pub(crate) fn fixture(nonce: &Nonce, changes: Value) -> Value {
    let mut entry = json!({
        "command": fixture_bin().display().to_string(),
        "args": ["--stdio"],
        "env": {Nonce::VARIABLE: nonce.as_str()},
    });
    for (key, value) in changes.as_object().expect("an object") {
        match (key.as_str(), value.as_object()) {
            ("env", Some(more)) => {
                let env = entry["env"].as_object_mut().expect("an object");
                env.extend(more.clone());
            }
            _ => entry[key] = value.clone(),
        }
    }
    entry
}

pub(crate) fn servers(entries: Value) -> Value {
    json!({ "mcpServers": entries })
}

async fn found(open: &Open) -> FoundServers {
    open.hall.found_servers().await.expect("looked")
}

fn server<'f>(found: &'f FoundServers, name: &str) -> &'f FoundServer {
    let mut all = found.servers.iter();
    all.find(|server| server.name == name)
        .unwrap_or_else(|| panic!("no {name} in {found:#?}"))
}

/// Requests the import of one server. Returns its outcome.
async fn adopt(
    open: &Open,
    server: &FoundServer,
    called: &str,
    inputs: &[(&str, &str)],
) -> AdoptionEnd {
    let inputs = inputs.iter().map(|(id, value)| GivenInput {
        id: (*id).to_owned(),
        value: (*value).to_owned(),
    });
    let wanted = AdoptServer {
        id: server.id.clone(),
        name: name(called),
        inputs: inputs.collect(),
        keep_command: false,
    };
    let request = AdoptServers {
        servers: vec![wanted],
    };
    let adopted = open.hall.adopt_servers(request).await.expect("an answer");
    let [one] = adopted.each.try_into().expect("one");
    one.end
}

#[track_caller]
fn refused(end: AdoptionEnd) -> Report {
    match end {
        AdoptionEnd::Refused { report } => report,
        AdoptionEnd::Member { member, .. } => panic!("{member} was adopted"),
    }
}

#[track_caller]
fn kept_secrets(end: AdoptionEnd) -> Vec<String> {
    match end {
        AdoptionEnd::Member { secrets, .. } => secrets,
        AdoptionEnd::Refused { report } => panic!("{report}"),
    }
}

#[tokio::test]
async fn each_server_is_found_once_and_not_started() {
    let user = User::new("found");
    let github =
        json!({"command": "npx", "args": ["-y", "server-github"], "env": {"TOKEN": "t-1"}});
    let mine = user.fixture(json!({}));
    user.has(
        ClientProgram::Cursor,
        &servers(json!({"github": github, "mine": mine})),
    );
    let gateway = json!({"httpUrl": "http://127.0.0.1:19999/mcp"});
    user.has(
        ClientProgram::GeminiCli,
        &servers(json!({"gh": github, "guild-hall": gateway})),
    );
    let other = json!({"type": "stdio", "command": "npx", "args": ["-y", "another"]});
    let project = user.home.path().join("site");
    put(
        &project.join(".mcp.json"),
        &servers(json!({"files": {"command": "npx", "args": ["files", "."]}})).to_string(),
    );
    user.has(
        ClientProgram::ClaudeCode,
        &json!({
            "mcpServers": {"github": other, "bad": {"command": 7}},
            "projects": {project.display().to_string(): {"mcpServers": {"web": {"command": "web"}}}},
        }),
    );
    let broken = user.file(ClientProgram::Windsurf);
    put(&broken, "{\n  \"mcpServers\": {\n");

    let open = user.open().await;
    let found = found(&open).await;
    let names: Vec<&str> = found
        .servers
        .iter()
        .map(|server| server.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "bad",
            "files",
            "github",
            "github",
            "guild-hall",
            "mine",
            "web"
        ]
    );

    let twice = found.servers.iter().find(|server| server.places.len() == 2);
    let twice = twice.expect("one stands in two files");
    assert_eq!(twice.command_line, "npx -y server-github");
    let places: Vec<(&str, &str)> = twice
        .places
        .iter()
        .map(|place| (place.program.as_str(), place.name.as_str()))
        .collect();
    assert_eq!(places, [("cursor", "github"), ("gemini-cli", "gh")]);
    let other = found
        .servers
        .iter()
        .find(|server| server.command_line == "npx -y another");
    let other = other.expect("another of the same name");
    assert_eq!(twice.differs, std::slice::from_ref(&other.id));
    assert_eq!(other.differs, std::slice::from_ref(&twice.id));
    assert_ne!(twice.suggested, other.suggested);

    assert_eq!(server(&found, "guild-hall").state, FoundState::Gateway);
    let FoundState::Unusable { report } = &server(&found, "bad").state else {
        panic!("{found:#?}");
    };
    assert_eq!(report.code, Code::FoundServerUnusable);
    let web = &server(&found, "web").places[0];
    assert_eq!(web.scope, FoundScope::Local);
    assert_eq!(
        web.folder.as_deref(),
        Some(project.display().to_string().as_str())
    );
    assert_eq!(server(&found, "files").places[0].scope, FoundScope::Project);
    assert_eq!(found.new, 5);

    let unread = found
        .files
        .iter()
        .find(|file| file.error.is_some())
        .expect("one is broken");
    assert_eq!(unread.path, broken.display().to_string());
    let report = unread.error.as_ref().expect("an error");
    assert_eq!(report.code, Code::ClientConfigUnreadable);
    assert!(report.message.contains("line 2"), "{report}");
    // The result names the user's twelve files and the settings of VS Code, whether they exist or
    // not.
    let absent = found.files.iter().filter(|file| !file.exists).count();
    assert_eq!((found.files.len(), absent), (14, 9));

    assert_eq!(processes_of(&user.env.nonce), [] as [u32; 0]);
    assert_eq!(open.hall.roster().members, []);
    open.close().await;
}

#[tokio::test]
async fn imported_server_runs_with_stored_secrets() {
    let user = User::new("adopted");
    let work = user.home.path().join("work");
    std::fs::create_dir(&work).expect("made");
    let entry = user.fixture(json!({
        "cwd": work.display().to_string(),
        "env": {
            "API_TOKEN": "planted-in-the-file",
            "ASKED_KEY": "${input:key}",
            "LEVEL": "${input:level}",
            "PLAIN": "cost: $${5}",
        },
    }));
    let file = user.has(
        ClientProgram::VsCode,
        &json!({
            "inputs": [
                {"id": "key", "type": "promptString", "password": true, "description": "The key"},
                {"id": "level", "type": "promptString", "default": "info"},
            ],
            "servers": {"workbench": entry},
        }),
    );
    let mut open = user.open().await;
    open.hall.start_all().settled().await;
    let shown = found(&open).await;
    let workbench = server(&shown, "workbench");
    let asked: Vec<(&str, bool, bool)> = workbench
        .inputs
        .iter()
        .map(|input| (input.id.as_str(), input.secret, input.required))
        .collect();
    assert_eq!(asked, [("key", true, true), ("level", false, false)]);
    assert!(!format!("{shown:?}").contains("planted"), "{shown:#?}");

    let report = refused(adopt(&open, workbench, "workbench", &[]).await);
    assert_eq!(report.code, Code::AdoptionRefused);
    assert!(report.message.contains("The key"), "{report}");
    assert!(!user.env.members_dir().join("workbench").exists());

    let given = [("key", "planted-by-a-person")];
    let secrets = kept_secrets(adopt(&open, workbench, "workbench", &given).await);
    assert_eq!(secrets, ["workbench/API_TOKEN", "workbench/key"]);
    // The person has seen the launch, so it counts as accepted and starts at once.
    open.status("workbench", Status::Ready).await;
    let manifest = user.env.members_dir().join("workbench/plugin.json");
    let manifest = std::fs::read_to_string(manifest).expect("a manifest");
    assert!(!manifest.contains("planted"), "{manifest}");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["origin"]["from"], "vscode");
    assert_eq!(manifest["origin"]["path"], file.display().to_string());
    for (variable, value) in [
        ("API_TOKEN", "planted-in-the-file"),
        ("ASKED_KEY", "planted-by-a-person"),
        ("LEVEL", "info"),
        ("PLAIN", "cost: $${5}"),
    ] {
        let arguments = json!({"name": variable}).to_string();
        let result = open.result("workbench", "env", &arguments).await;
        assert_eq!(text(&result), value, "{variable}");
    }
    let result = open.result("workbench", "cwd", "{}").await;
    let work = work.canonicalize().expect("it is there");
    assert_eq!(text(&result), work.display().to_string());

    let shown = found(&open).await;
    let workbench = server(&shown, "workbench");
    let member = name("workbench");
    assert_eq!(workbench.state, FoundState::Adopted { member });
    assert_eq!(shown.new, 0);
    let again = refused(adopt(&open, workbench, "second", &given).await);
    assert_eq!(again.code, Code::AdoptionRefused);
    open.close().await;
}

#[tokio::test]
async fn refused_import_leaves_no_folder_or_secret() {
    let user = User::new("refused");
    user.env.member("taken").write();
    let entry = user.fixture(json!({"env": {"API_TOKEN": "one"}}));
    user.has(
        ClientProgram::Cursor,
        &servers(json!({"server": entry, "bad": {}})),
    );
    let open = user.open().await;
    let shown = found(&open).await;

    let report = refused(adopt(&open, server(&shown, "server"), "Taken", &[]).await);
    assert_eq!(report.code, Code::AdoptionRefused, "{report}");
    let report = refused(adopt(&open, server(&shown, "bad"), "bad", &[]).await);
    assert_eq!(report.code, Code::FoundServerUnusable, "{report}");

    // The import takes exactly the shown server, or nothing.
    let entry = user.fixture(json!({"env": {"API_TOKEN": "two"}}));
    user.has(ClientProgram::Cursor, &servers(json!({"server": entry})));
    let report = refused(adopt(&open, server(&shown, "server"), "server", &[]).await);
    assert_eq!(report.code, Code::FoundServerUnknown, "{report}");

    let folders: Vec<_> = std::fs::read_dir(user.env.members_dir())
        .expect("listed")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(folders, ["taken"]);
    assert_eq!(open.hall.secrets().await.secrets, []);
    open.close().await;
}

#[tokio::test]
async fn a_project_is_searched_once_a_person_names_it_and_remembered() {
    let user = User::new("project");
    let site = user.home.path().join("site");
    put(
        &site.join(".vscode/mcp.json"),
        &json!({"servers": {"in-site": {"command": "run", "args": ["${workspaceFolder}"]}}})
            .to_string(),
    );
    let workspace = user.home.path().join("all.code-workspace");
    put(
        &workspace,
        &json!({"settings": {"mcp": {"servers": {"in-all": {"command": "run"}}}}}).to_string(),
    );
    let of = |folder: &Path| ScanFolderRef {
        folder: folder.display().to_string(),
    };
    let open = user.open().await;
    assert_eq!(found(&open).await.servers, []);
    let looked = open
        .hall
        .look_for_servers(of(&site))
        .await
        .expect("searched");
    let line = format!("run {}", site.display());
    assert_eq!(server(&looked, "in-site").command_line, line);
    open.hall
        .look_for_servers(of(&workspace))
        .await
        .expect("searched");
    for nothing in ["site", "/nowhere/at/all"] {
        let refused = open.hall.look_for_servers(of(Path::new(nothing))).await;
        assert_eq!(refused.expect_err("no folder").code, Code::ProjectUnknown);
    }
    open.close().await;

    let open = user.open().await;
    let later = found(&open).await;
    assert_eq!(
        later.folders,
        [site.display().to_string(), workspace.display().to_string()]
    );
    assert_eq!(
        server(&later, "in-all").places[0].scope,
        FoundScope::Workspace
    );
    let later = open
        .hall
        .forget_found_folder(of(&site))
        .await
        .expect("forgotten");
    assert_eq!(later.servers.len(), 1);
    open.close().await;
}

#[tokio::test]
async fn changed_file_in_a_new_folder_is_reported() {
    let user = User::new("watched");
    user.has(ClientProgram::Cursor, &servers(json!({})));
    let open = user.open().await;
    let mut events = HallEvents::of(&open.hall);
    assert_eq!(found(&open).await.new, 0);
    let first = servers(json!({"one": {"command": "run"}}));
    let second = servers(json!({"two": {"command": "walk"}}));
    for (program, content, expect) in [
        (ClientProgram::Cursor, first, 1),
        (ClientProgram::Windsurf, second, 2),
    ] {
        user.has(program, &content);
        events
            .find("the change is reported", |event| {
                let new = match event {
                    HallEvent::FoundChanged { new } => *new,
                    _ => return None,
                };
                (new == expect).then_some(())
            })
            .await;
    }
    open.close().await;
}
