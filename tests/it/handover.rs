//! Apps that switch from their own servers to Guild Hall. Their files are shown, changed, and
//! restored.

mod command_line;

use std::fs;
use std::path::Path;

use guild_api::wire::{
    AdoptServer, AdoptServers, AdoptionEnd, ClientConfigPreview, ClientConfigRef, FoundFile,
    HandingOver, ScanFolderRef, UndoClientConfig, UndoneClientConfig, WriteClientConfig,
    WrittenClientConfig,
};
use guild_client_config::{ClientProgram, Format};
use guild_model::endpoint::Endpoint;
use guild_model::profile::{MountedMember, ToolChoice};
use guild_model::{Code, Report, ToolName};
use serde_json::json;

use crate::test_env::{Open, TestEnv, name};
use crate::user::{User, put};

/// The member's command. The program does not exist, since the member never starts.
const COMMAND: &str = "no-such-program";

/// A user with several apps, and a member `mine`.
fn with_member(test: &str) -> User {
    let user = User::new(test);
    has_member(&user.env, COMMAND);
    user
}

fn has_member(env: &TestEnv, command: &str) {
    let manifest = json!({
        "name": "mine", "version": "1", "description": "It is mine.",
        "transport": "stdio", "command": command, "args": ["-y", "server-mine"],
    });
    let file = env.members_dir().join("mine/plugin.json");
    put(&file, &manifest.to_string());
}

/// Returns an app's file with a server that is a member, another server, and much other text.
fn text_of(program: ClientProgram) -> String {
    let text = match program.format() {
        Format::Toml => {
            "# settings of mine\nmodel = 'o'\n\n[mcp_servers.other]\ncommand = 'other-server' # \
             keep\n\n# found\n[mcp_servers.mine]\ncommand = 'no-such-program'\nargs = ['-y', \
             'server-mine']\n\n[profiles.\"unknown one\"]\nmodel = 'p'\n"
                .to_owned()
        }
        _ => format!(
            "{{\n\t// settings of mine\n\t\"unknown one\": [1, 2,],\n\t\"{}\": {{\n\t\t\"other\": \
             {{\"command\": \"other-server\"}}, // keep\n\t\t/* found */ \"mine\": \
             {{\n\t\t\t\"command\": \"no-such-program\",\n\t\t\t\"args\": [\"-y\", \
             \"server-mine\"],\n\t\t}},\n\t}},\n\t\"last\": 1.50\n}}\n",
            program.list()
        ),
    };
    format!("\u{feff}{}", text.replace('\n', "\r\n"))
}

async fn preview(
    open: &Open,
    program: ClientProgram,
    path: Option<&Path>,
    endpoint: Endpoint,
) -> Result<ClientConfigPreview, Report> {
    let request = ClientConfigRef {
        client: program.as_str().into(),
        path: path.map(|path| path.display().to_string()),
        endpoint,
        hand_over: true,
        all_tools: false,
    };
    open.hall.preview_client_config(request).await
}

async fn write(
    open: &Open,
    program: ClientProgram,
    path: Option<&Path>,
    precondition: String,
) -> Result<WrittenClientConfig, Report> {
    let request = WriteClientConfig {
        client: program.as_str().into(),
        path: path.map(|path| path.display().to_string()),
        endpoint: Endpoint::All,
        hand_over: true,
        all_tools: false,
        precondition,
    };
    open.hall.write_client_config(request).await
}

async fn undo(
    open: &Open,
    program: ClientProgram,
    path: Option<&Path>,
) -> Result<UndoneClientConfig, Report> {
    let request = UndoClientConfig {
        client: program.as_str().into(),
        path: path.map(|path| path.display().to_string()),
    };
    open.hall.undo_client_config(request).await
}

async fn handing(open: &Open, path: &Path) -> HandingOver {
    let found = open.hall.found_servers().await.expect("looked");
    let is_it = |file: &&FoundFile| Path::new(&file.path) == path;
    let file = found.files.iter().find(is_it).expect("it is searched");
    file.handing.clone().expect("it can be written")
}

#[tokio::test]
async fn switch_over_removes_only_members_and_reverts() {
    let user = with_member("handed-over");
    for program in ClientProgram::ALL {
        put(&user.file(program), &text_of(program));
    }
    let open = user.open().await;
    for program in ClientProgram::ALL {
        let (file, before) = (user.file(program), text_of(program));
        assert_eq!(handing(&open, &file).await.adopted, ["mine"], "{program:?}");
        let seen = preview(&open, program, None, Endpoint::All).await;
        let seen = seen.unwrap_or_else(|report| panic!("{program:?}: {report}"));
        assert_eq!(seen.taken_out, ["mine"]);
        assert_eq!(seen.project, None);
        assert_eq!(fs::read_to_string(&file).expect("read"), before);
        let written = write(&open, program, None, seen.precondition).await;
        let backup = written.expect("written").backup.expect("a backup");
        assert_eq!(fs::read_to_string(backup).expect("read"), before);
        let after = fs::read_to_string(&file).expect("read");
        assert!(!after.contains("server-mine"), "{after}");
        for stays in [
            "\u{feff}",
            "settings of mine\r\n",
            "unknown one",
            "other-server",
            "keep\r\n",
            "found",
        ] {
            assert!(after.contains(stays), "{stays} in {after}");
        }
        assert!(after.contains("guild-hall"), "{after}");
        let now = handing(&open, &file).await;
        assert!(
            now.connected && now.can_undo && now.adopted.is_empty(),
            "{now:?}"
        );
        undo(&open, program, None).await.expect("undone");
        assert_eq!(fs::read_to_string(&file).expect("read"), before);
        let now = handing(&open, &file).await;
        assert!(
            !now.connected && !now.can_undo && now.adopted == ["mine"],
            "{now:?}"
        );
    }
    open.close().await;
}

#[tokio::test]
async fn project_files_are_switched_over_separately() {
    let user = with_member("handed-over-deep");
    // A server from a package runner works in any folder, so its member can replace it in every
    // project.
    has_member(&user.env, "npx");
    let mine = json!({"command": "npx", "args": ["-y", "server-mine"]});
    let work = user.home.path().join("work");
    let workspace = work.join("all.code-workspace");
    let settings = user
        .file(ClientProgram::VsCode)
        .with_file_name("settings.json");
    let project = work.join(".mcp.json");
    let claude = user.file(ClientProgram::ClaudeCode);
    let files = [
        (
            ClientProgram::ClaudeCode,
            &claude,
            json!({"projects": {work.display().to_string(): {"mcpServers": {"mine": mine}, "n": 1}}}),
        ),
        (
            ClientProgram::ClaudeCode,
            &project,
            json!({"mcpServers": {"mine": mine, "other": {"command": "o"}}}),
        ),
        (
            ClientProgram::VsCode,
            &settings,
            json!({"a": 1, "mcp": {"servers": {"mine": mine}}}),
        ),
        (
            ClientProgram::VsCode,
            &workspace,
            json!({"folders": [], "settings": {"mcp": {"servers": {"mine": mine}}}}),
        ),
    ];
    for (_, file, content) in &files {
        put(file, &format!("{content:#}\n"));
    }
    let open = user.open().await;
    for folder in [&work, &workspace] {
        let folder = folder.display().to_string();
        let request = ScanFolderRef { folder };
        open.hall.look_for_servers(request).await.expect("looked");
    }
    let whole = |file: &Path| fs::read_to_string(file).expect("read");
    for (program, file, content) in &files {
        let seen = preview(&open, *program, Some(file), Endpoint::All).await;
        let seen = seen.unwrap_or_else(|report| panic!("{}: {report}", file.display()));
        assert_eq!(seen.taken_out, ["mine"], "{}", file.display());
        let is_shared = *file == &project || *file == &workspace;
        assert_eq!(seen.project.is_some(), is_shared, "{}", file.display());
        let written = write(&open, *program, Some(file), seen.precondition).await;
        written.expect("written");
        let after = whole(file);
        assert!(
            !after.contains("server-mine") && after.contains("guild-hall"),
            "{after}"
        );
        assert!(handing(&open, file).await.can_undo);
        // Rewrites the file like an app does.
        let anew: serde_json::Value = serde_json::from_str(&after).expect("JSON");
        put(file, &anew.to_string());
        undo(&open, *program, Some(file)).await.expect("undone");
        let back: serde_json::Value = serde_json::from_str(&whole(file)).expect("JSON");
        assert_eq!(&back, content, "{}", file.display());
    }
    open.close().await;
}

#[tokio::test]
async fn nothing_goes_that_no_member_of_the_endpoint_runs() {
    let user = with_member("handed-over-never");
    let entries = json!({
        "mine": {"command": COMMAND, "args": ["-y", "server-mine"]},
        "more": {"command": COMMAND, "args": ["-y", "server-mine", "--write"]},
        "with": {"command": COMMAND, "args": ["-y", "server-mine"], "env": {"LEVEL": "debug"}},
    });
    let file = user.file(ClientProgram::Cursor);
    put(&file, &json!({"mcpServers": entries}).to_string());
    let open = user.open().await;
    let gone = async |endpoint| {
        let seen = preview(&open, ClientProgram::Cursor, None, endpoint).await;
        seen.expect("a preview").taken_out
    };
    assert_eq!(gone(Endpoint::All).await, ["mine"]);
    let member = |member: &str| Endpoint::Member {
        member: name(member),
    };
    assert_eq!(gone(member("mine")).await, ["mine"]);
    assert_eq!(gone(member("another")).await, [""; 0]);
    // A preview is not written if the file has changed so that it would remove another server.
    let seen = preview(&open, ClientProgram::Cursor, None, Endpoint::All).await;
    let precondition = seen.expect("a preview").precondition;
    let mut changed = entries.clone();
    changed["mine"]["args"] = json!(["-y", "another"]);
    let changed = json!({"mcpServers": changed}).to_string();
    put(&file, &changed);
    let refused = write(&open, ClientProgram::Cursor, None, precondition).await;
    assert_eq!(
        refused.expect_err("changed").code,
        Code::ClientConfigChanged
    );
    assert_eq!(fs::read_to_string(&file).expect("read"), changed);
    let clients = open.hall.gateway().await.clients;
    assert!(clients.is_empty(), "no token is left: {clients:?}");
    assert_eq!(gone(Endpoint::All).await, [""; 0]);
    open.close().await;
}

#[tokio::test]
async fn a_file_that_is_not_searched_is_not_touched() {
    let user = with_member("handed-over-unknown");
    let file = user.home.path().join("elsewhere.json");
    let text = text_of(ClientProgram::Cursor);
    put(&file, &text);
    let open = user.open().await;
    for program in [ClientProgram::Cursor, ClientProgram::Zed] {
        let refused = preview(&open, program, Some(&file), Endpoint::All).await;
        assert_eq!(
            refused.expect_err("unknown").code,
            Code::ClientConfigRefused
        );
        let refused = undo(&open, program, Some(&file)).await;
        assert_eq!(
            refused.expect_err("unknown").code,
            Code::ClientConfigRefused
        );
    }
    let of_another = user.file(ClientProgram::Zed);
    let refused = preview(
        &open,
        ClientProgram::Cursor,
        Some(&of_another),
        Endpoint::All,
    )
    .await;
    assert_eq!(
        refused.expect_err("another's").code,
        Code::ClientConfigRefused
    );
    assert_eq!(fs::read_to_string(&file).expect("read"), text);
    open.close().await;
}

fn only(tools: &[&str]) -> ToolChoice {
    let tools = tools.iter().map(|tool| ToolName::parse(tool));
    ToolChoice::Only {
        tools: tools.map(|tool| tool.expect("a name")).collect(),
    }
}

#[tokio::test]
async fn tool_filters_become_a_profile() {
    let user = with_member("handed-over-tools");
    let manifest = json!({
        "name": "two", "version": "1", "description": "It is the second.",
        "transport": "stdio", "command": COMMAND, "args": ["two"],
    });
    let file = user.env.members_dir().join("two/plugin.json");
    put(&file, &manifest.to_string());
    let file = user.file(ClientProgram::Codex);
    let before = "[mcp_servers.mine]\ncommand = 'no-such-program'\n# said inside\nargs = ['-y', \
                  'server-mine'] # behind\nenabled_tools = ['see', 'find']\ndisabled_tools = \
                  ['find']\n";
    put(&file, before);
    let open = user.open().await;
    let seen = preview(&open, ClientProgram::Codex, None, Endpoint::All).await;
    let seen = seen.expect("a preview");
    let profile = seen.profile.clone().expect("a profile");
    assert_eq!(profile.as_str(), "codex");
    assert_eq!(seen.choices[0].tools, only(&["see"]));
    assert_eq!(seen.comments, 2);
    assert!(seen.after.contains("/profiles/codex/mcp"), "{}", seen.after);
    let chosen = async || {
        let profiles = open.hall.gateway().await.profiles;
        let chosen = profiles.into_iter().find(|known| known.name == profile);
        let members = chosen.into_iter().flat_map(|chosen| chosen.members);
        let pair = |mounted: MountedMember| (mounted.member.to_string(), mounted.tools);
        members.map(pair).collect::<Vec<_>>()
    };
    assert!(chosen().await.is_empty(), "a preview makes no profile");

    // A preview with all tools is a different change.
    let request = ClientConfigRef {
        client: "codex".into(),
        path: None,
        endpoint: Endpoint::All,
        hand_over: true,
        all_tools: true,
    };
    let wide = open.hall.preview_client_config(request).await;
    let wide = wide.expect("a preview");
    assert_eq!((wide.profile, wide.choices), (None, seen.choices.clone()));
    let refused = write(&open, ClientProgram::Codex, None, wide.precondition).await;
    let refused = refused.expect_err("another change").code;
    assert_eq!(refused, Code::ClientConfigChanged);
    assert!(
        chosen().await.is_empty(),
        "what was not written is taken back"
    );

    let written = write(&open, ClientProgram::Codex, None, seen.precondition).await;
    written.expect("written");
    let expect = [
        ("mine".to_owned(), only(&["see"])),
        ("two".to_owned(), ToolChoice::All),
    ];
    assert_eq!(chosen().await, expect);

    // Another server without a filter is switched later. The choice for the first one stays.
    let text = fs::read_to_string(&file).expect("read");
    let more = "\n[mcp_servers.two]\ncommand = 'no-such-program'\nargs = ['two']\n";
    put(&file, &format!("{text}{more}"));
    let seen = preview(&open, ClientProgram::Codex, None, Endpoint::All).await;
    let seen = seen.expect("a preview");
    assert_eq!(seen.profile.as_ref(), Some(&profile));
    assert_eq!(seen.taken_out, ["two"]);
    let written = write(&open, ClientProgram::Codex, None, seen.precondition).await;
    written.expect("written");
    assert_eq!(chosen().await, expect);

    let undone = undo(&open, ClientProgram::Codex, None)
        .await
        .expect("undone");
    assert_eq!(undone.clients.len(), 2, "{undone:?}");
    assert!(!undone.as_before, "an entry came since");
    let text = fs::read_to_string(&file).expect("read");
    for stays in ["# said inside", "enabled_tools", "args = ['two']"] {
        assert!(text.contains(stays), "{stays} in {text}");
    }
    open.close().await;
}

#[tokio::test]
async fn undo_says_whether_the_file_is_as_before() {
    let user = with_member("handed-over-as-before");
    let file = user.file(ClientProgram::Cursor);
    put(&file, &text_of(ClientProgram::Cursor));
    let open = user.open().await;
    for (more, as_before) in [("", true), ("\n", false)] {
        let seen = preview(&open, ClientProgram::Cursor, None, Endpoint::All).await;
        let precondition = seen.expect("a preview").precondition;
        let written = write(&open, ClientProgram::Cursor, None, precondition).await;
        written.expect("written");
        let text = fs::read_to_string(&file).expect("read");
        put(&file, &format!("{text}{more}"));
        let undone = undo(&open, ClientProgram::Cursor, None)
            .await
            .expect("undone");
        assert_eq!(undone.as_before, as_before);
        let [client] = &undone.clients[..] else {
            panic!("one client: {undone:?}");
        };
        assert_eq!(client.name, "Cursor");
    }
    open.close().await;
}

#[tokio::test]
async fn unread_env_file_keeps_its_entry() {
    let user = with_member("handed-over-env-file");
    let work = user.home.path().join("work");
    has_member(&user.env, "npx");
    let entry = json!({
        "command": "npx", "args": ["-y", "server-mine"], "envFile": "${workspaceFolder}/.env",
    });
    let file = work.join(".vscode/mcp.json");
    put(&file, &json!({"servers": {"mine": entry}}).to_string());
    let open = user.open().await;
    let folder = work.display().to_string();
    let request = ScanFolderRef { folder };
    open.hall.look_for_servers(request).await.expect("looked");
    let gone = async || {
        let seen = preview(&open, ClientProgram::VsCode, Some(&file), Endpoint::All).await;
        seen.expect("a preview").taken_out
    };
    // The file with the variables does not exist, so the member would lack them.
    assert_eq!(handing(&open, &file).await.adopted, [""; 0]);
    assert_eq!(gone().await, [""; 0]);
    put(&work.join(".env"), "API_TOKEN=planted-in-the-file\n");
    assert_eq!(gone().await, [""; 0]);

    let found = open.hall.found_servers().await.expect("looked");
    assert!(!format!("{found:?}").contains("planted"), "{found:#?}");
    let server = found.servers.iter().find(|server| server.name == "mine");
    let server = server.expect("it is found");
    let wanted = AdoptServer {
        id: server.id.clone(),
        name: name("with-variables"),
        inputs: Vec::new(),
        keep_command: false,
    };
    let request = AdoptServers {
        servers: vec![wanted],
    };
    let adopted = open.hall.adopt_servers(request).await.expect("an answer");
    let AdoptionEnd::Member { secrets, .. } = &adopted.each[0].end else {
        panic!("{adopted:?}");
    };
    assert_eq!(secrets[..], ["with-variables/API_TOKEN"]);
    assert_eq!(gone().await, ["mine"]);
    fs::remove_file(work.join(".env")).expect("removed");
    assert_eq!(gone().await, [""; 0]);
    open.close().await;
}
