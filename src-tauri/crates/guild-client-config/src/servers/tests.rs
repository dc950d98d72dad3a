use super::super::entry::ENTRY_MAX;
use super::super::{ClientConfigFolders, System};
use super::*;
use crate::ClientProgram::{
    ClaudeCode, ClaudeDesktop, Cline, Codex, Cursor, GeminiCli, OpenCode, VsCode, Windsurf, Zed,
};

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../tests/data/clients/",
            $name
        ))
    };
}

mod filters;
mod properties;

fn env(name: &str) -> Option<String> {
    matches!(name, "HOME" | "API_KEY").then(|| format!("<{name}>"))
}

fn env_file(path: &Path) -> Result<String, String> {
    match path.to_str() {
        Some("/srv/site/.env") => Ok("NOTES_TOKEN=t-1\nLEVEL=debug\n".to_owned()),
        _ => Err(FileProblem::NotWhole.to_string()),
    }
}

const SURROUNDINGS: ReferenceContext<'static> = ReferenceContext {
    home: "/home/me",
    env: &env,
    env_file: &env_file,
};

fn folders() -> ClientConfigFolders {
    ClientConfigFolders {
        system: System::Linux,
        home: "/home/me".into(),
        config: "/home/me/.config".into(),
        claude: None,
        codex: None,
    }
}

pub(super) fn of_user(program: ClientProgram) -> ServerFile {
    let mut sources = user_sources(&folders()).into_iter();
    sources
        .find(|source| source.owner == ConfigOwner::Program(program))
        .expect("known")
}

fn of_project(program: ClientProgram) -> ServerFile {
    let mut sources = project_sources("/srv/site".as_ref()).into_iter();
    sources
        .find(|source| source.owner == ConfigOwner::Program(program))
        .expect("known")
}

pub(super) fn read(source: &ServerFile, text: &str) -> ParsedServers {
    source.servers(text, &SURROUNDINGS).expect("read")
}

/// Returns everything that was read of a server, one line each.
fn description(server: &ConfiguredServer) -> String {
    let mut description = format!("{}:{} {}", server.line, server.name, server.scope.as_str());
    let mut add = |word: &str, text: String| {
        if !text.is_empty() {
            description.push_str(&format!("\n  {word} {text}"));
        }
    };
    match &server.run {
        Ok(run) => {
            add("runs", run.command_line());
            let (values, cwd) = match run {
                LaunchSpec::Command { env, cwd, .. } => (env, cwd.as_ref()),
                LaunchSpec::Url { headers, .. } => (headers, None),
            };
            let value =
                |(name, value): (&String, &TextTemplate)| format!("{name}={}", value.shown());
            add(
                "with",
                values.iter().map(value).collect::<Vec<_>>().join(" "),
            );
            add("in", cwd.map(TextTemplate::shown).unwrap_or_default());
        }
        Err(why) => add("unusable:", why.to_string()),
    }
    for input in &server.inputs {
        let ConfigInput {
            id,
            description,
            password,
            default,
            choices,
        } = input;
        let description = description.to_string();
        add(
            "asks",
            format!("{id} {description:?} {password} {default:?} {choices:?}"),
        );
    }
    add("approves", server.auto_approve.join(" "));
    add("denies", server.denied.join(" "));
    add("is", server.description.clone());
    let limits = [("start", server.start_ms), ("call", server.call_ms)];
    for (word, limit) in limits {
        add(
            word,
            limit.map(|limit| limit.to_string()).unwrap_or_default(),
        );
    }
    add(
        "off",
        if server.disabled {
            "yes".into()
        } else {
            String::new()
        },
    );
    server
        .notes
        .iter()
        .for_each(|note| add("note", note.to_string()));
    description
}

fn all_described(servers: &ParsedServers) -> String {
    let description: Vec<String> = servers.servers.iter().map(description).collect();
    description.join("\n")
}

#[track_caller]
fn check(source: &ServerFile, text: &str, expect: &str) {
    let plain = read(source, text);
    let expect: Vec<&str> = expect.trim().lines().map(str::trim_end).collect();
    assert_eq!(all_described(&plain), expect.join("\n"));
    // Line ends and a byte order mark do not matter.
    let unix = text.replace("\r\n", "\n");
    for other in [format!("\u{feff}{text}"), unix.replace('\n', "\r\n"), unix] {
        assert_eq!(all_described(&read(source, &other)), all_described(&plain));
    }
}

#[test]
fn claude_code_has_user_and_project_servers() {
    check(
        &of_user(ClaudeCode),
        fixture!("claude-code.json"),
        r#"
5:github user
  runs npx -y @modelcontextprotocol/server-github
  with GITHUB_PERSONAL_ACCESS_TOKEN=•••
11:sentry user
  runs https://mcp.sentry.example/mcp
12:old user
  runs https://mcp.example.test/sse
13:guild-hall user
  runs http://127.0.0.1:19999/mcp
  with Authorization=Bearer •••
19:db local
  runs uv run db-server
  in /home/me/site
20:files local
  runs npx -y @modelcontextprotocol/server-filesystem .
  in /home/me/site
  call 60000
21:web local
  runs npx -y web-server
  off yes
"#,
    );
}

#[test]
fn claude_code_project_file_is_read() {
    check(
        &of_project(ClaudeCode),
        fixture!("claude-code-project.json"),
        r#"
3:api project
  runs https://api.example.test/mcp
  with Authorization=Bearer ${env:API_KEY} X-Team=core
8:local project
  runs /srv/site/bin/server --cache /tmp/cache --price '5$' '${not a name}'
  in /srv/site
12:number project
  unusable: its entry is not an object
13:nothing project
  unusable: it has neither a `command` nor a `url`
14:list project
  unusable: its `args` are not a list of strings
"#,
    );
}

#[test]
fn claude_desktop_fills_in_nothing() {
    check(
        &of_user(ClaudeDesktop),
        fixture!("claude-desktop.json"),
        r#"
3:filesystem user
  runs npx -y @modelcontextprotocol/server-filesystem /Users/me/Desktop '${HOME}/Downloads'
12:postgres user
  runs docker run -i --rm mcp/postgres 'postgresql://•••@db.example.test/app'
"#,
    );
}

#[test]
fn cursor_s_variables_are_filled_in_or_asked_for() {
    check(
        &of_user(Cursor),
        fixture!("cursor.json"),
        r#"
5:github user
  runs npx -y @modelcontextprotocol/server-github
  with GITHUB_PERSONAL_ACCESS_TOKEN=${env:GITHUB_TOKEN}
10:notes user
  runs python '${input:workspaceFolder}/notes.py' --home /home/me
  asks workspaceFolder "The working directory." false None []
  off yes
  note Guild Hall can't read the server's environment file; only Cursor reads it. Put the variables that the server needs into the member's `env`.
16:remote user
  runs https://mcp.example.test/mcp?api_key=•••
17:of-the-editor user
  unusable: it uses ${file}, which only Cursor can fill in
"#,
    );
}

#[test]
fn in_a_project_the_folder_is_known() {
    check(
        &of_project(Cursor),
        fixture!("cursor.json"),
        r#"
5:github project
  runs npx -y @modelcontextprotocol/server-github
  with GITHUB_PERSONAL_ACCESS_TOKEN=${env:GITHUB_TOKEN}
10:notes project
  runs python /srv/site/notes.py --home /home/me
  with LEVEL=••• NOTES_TOKEN=•••
  in /srv/site
  off yes
  note The variables of /srv/site/.env are saved as secrets of the member (2). Later changes of the file have no effect.
16:remote project
  runs https://mcp.example.test/mcp?api_key=•••
17:of-the-editor project
  unusable: it uses ${file}, which only Cursor can fill in
"#,
    );
}

#[test]
fn vs_code_s_inputs_are_asked_for() {
    check(
        &of_user(VsCode),
        fixture!("vscode.json"),
        r#"
10:service user
  runs npx -y service-server '--region=${input:region}'
  with API_KEY=${input:api-key} LEVEL=${input:level} RETRIES=3
  asks region "" false Some("eu") ["eu", "us"]
  asks api-key "API key of the service" true None []
  asks level "How much is told" false Some("info") []
  note VS Code starts the server without the variable `PROXY`, but Guild Hall passes it to members.
16:docs user
  runs https://docs.example.test/mcp
  with X-Key=${input:api-key}
  asks api-key "API key of the service" true None []
17:made user
  runs node server.js
  in /home/me/made
  note Not supported by a member: `dev`.
18:asked user
  runs run '${input:picked}' '${input:workspaceFolder}'
  asks picked "" false None []
  asks workspaceFolder "The working directory." false None []
19:own user
  unusable: it uses ${config:own.setting}, which only VS Code can fill in
"#,
    );
}

#[test]
fn null_header_is_left_out_without_a_note() {
    check(
        &of_user(VsCode),
        r#"{"servers": {"docs": {"url": "https://a.test/mcp", "headers": {"X-Old": null, "X-New": "1"}}}}"#,
        r#"
1:docs user
  runs https://a.test/mcp
  with X-New=1
"#,
    );
}

#[test]
fn vs_code_s_settings_may_have_servers_too() {
    check(
        &settings(),
        fixture!("vscode-settings.json"),
        r#"
5:fetch user
  runs uvx mcp-server-fetch
"#,
    );
}

#[test]
fn a_workspace_has_servers_of_its_own() {
    check(
        &workspace_source("/srv/site.code-workspace".as_ref()),
        fixture!("site.code-workspace"),
        r#"
6:both workspace
  runs run --in '${input:workspaceFolder}'
  asks workspaceFolder "The working directory." false None []
"#,
    );
}

#[test]
fn windsurf_has_an_address_under_a_name_of_its_own() {
    check(
        &of_user(Windsurf),
        fixture!("windsurf.json"),
        r#"
3:remote user
  runs https://mcp.example.test/mcp
  with Authorization=Bearer ${env:AUTH_TOKEN}
  denies drop wipe
8:key user
  unusable: it uses ${file:/home/me/key}, which only Windsurf can fill in
9:plain user
  runs run '${HOME}'
"#,
    );
}

#[test]
fn cline_says_what_is_approved_and_what_is_off() {
    check(
        &of_user(Cline),
        fixture!("cline.json"),
        r#"
3:weather user
  runs node /opt/weather/index.js
  with KEYS=${env:WEATHER_KEYS}
  approves forecast alerts
  call 90000
  off yes
12:linear user
  runs https://mcp.linear.example/mcp
  approves list_issues
"#,
    );
}

#[test]
fn zed_has_two_shapes_of_a_command() {
    check(
        &of_user(Zed),
        fixture!("zed.json"),
        r#"
5:new-shape user
  runs uvx mcp-server-git
11:old-shape user
  runs /usr/local/bin/server --stdio
  with MODE=quiet
15:off user
  runs run
  off yes
16:remote user
  runs https://mcp.example.test/mcp
  with Authorization=Bearer •••
17:of-an-extension user
  unusable: it comes from an extension, which only Zed can start
18:of-an-older-one user
  unusable: it comes from an extension, which only Zed can start
"#,
    );
}

#[test]
fn codex_has_tables() {
    check(
        &of_user(Codex),
        fixture!("codex.toml"),
        r#"
4:docs user
  runs npx -y docs-server
  with DOCS_TOKEN=••• LEVEL=debug
  in /home/me/docs
  denies rebuild
  start 20000
  call 1500
  note Codex offers only some of the server's tools (`enabled_tools`); a member offers all of them.
18:figma user
  runs https://mcp.figma.example/mcp
  with Authorization=Bearer ${env:FIGMA_TOKEN} X-Region=eu X-Team=${env:FIGMA_TEAM}
  off yes
26:inline user
  runs run a
  note Not supported by a member: `required`.
"#,
    );
}

#[test]
fn gemini_cli_fills_in_as_a_shell_does() {
    check(
        &of_user(GeminiCli),
        fixture!("gemini.json"),
        r#"
4:python user
  runs python -m server --root '${env:HOME}/work'
  with API_KEY=${env:EXTERNAL_API_KEY} DATABASE_URL=${env:DB_CONNECTION_STRING} PRICE=5$
  in /home/me/tools
  denies unsafe
  is What it is for
  call 15000
  note Gemini CLI calls the server's tools without asking; for a member, your permissions decide.
  note Gemini CLI offers only some of the server's tools (`includeTools`); a member offers all of them.
15:http user
  runs https://mcp.example.test/mcp
  with Authorization=Bearer •••
16:maybe-sse user
  runs https://mcp.example.test/sse
17:off user
  runs run
  off yes
18:cloud user
  runs https://run.example.test/mcp
  note Not supported by a member: `authProviderType`.
"#,
    );
}

#[test]
fn opencode_has_commands_with_their_arguments() {
    let text = r#"{
  "mcp": {
    "kit": {
      "type": "local", "command": ["npx", "-y", "kit", "{env:HOME}/x", "{a}"], "enabled": false,
      "environment": {"LEVEL": "debug", "KIT_TOKEN": "t-0123456789"}
    },
    "far": {"type": "remote", "url": "https://mcp.example.test/mcp", "headers": {"X-Team": "{env:TEAM}"}},
    "read": {"type": "local", "command": ["run", "{file:~/secret}"]},
    "none": {"type": "local", "command": []}
  }
}"#;
    let servers = read(&of_user(OpenCode), text);
    let description = all_described(&servers);
    for part in [
        "3:kit user\n  runs npx -y kit '${env:HOME}/x' '{a}'\n  with KIT_TOKEN=••• LEVEL=debug\n  off yes",
        "7:far user\n  runs https://mcp.example.test/mcp\n  with X-Team=${env:TEAM}",
        "8:read user\n  unusable",
        "9:none user\n  unusable",
    ] {
        assert!(
            description.contains(part),
            "{part}\nis not in\n{description}"
        );
    }
}

/// Returns the source for VS Code's older location of servers.
fn settings() -> ServerFile {
    user_sources(&folders()).pop().expect("one")
}

#[test]
fn the_folders_of_projects_are_told() {
    let found = read(&of_user(ClaudeCode), fixture!("claude-code.json"));
    let expect = ["/home/me/site", "/home/me/empty", "/home/me/odd"];
    assert_eq!(found.projects, expect.map(PathBuf::from));
    assert_eq!(found.cut, None);
}

#[test]
fn a_broken_file_is_one_error_that_names_its_line() {
    for (source, text, line, expect) in [
        (
            of_user(Cursor),
            fixture!("broken.json"),
            Some(3),
            "expected comma",
        ),
        (
            of_user(Codex),
            fixture!("broken.toml"),
            Some(4),
            "unclosed table",
        ),
        (
            of_user(Zed),
            "{\n\"context_servers\": []}",
            Some(2),
            "is not an object",
        ),
        (
            of_user(Codex),
            "\nmcp_servers = 1",
            Some(2),
            "is not an object",
        ),
        (of_user(Cline), "[]", Some(1), "not an object"),
    ] {
        let wrong = source.servers(text, &SURROUNDINGS).expect_err("broken");
        assert_eq!(wrong.line, line, "{wrong}");
        assert!(wrong.message.to_string().contains(expect), "{wrong}");
    }
    for source in user_sources(&folders()) {
        for nothing in ["", "\u{feff}", " \r\n"] {
            assert!(read(&source, nothing).servers.is_empty());
        }
    }
}

#[test]
fn more_than_anybody_has_is_cut_and_said() {
    let entries = |count: usize| {
        let entry = |at| format!("\"s{at}\": {{\"command\": \"x\"}}");
        let entries: Vec<String> = (0..count).map(entry).collect();
        format!("{{\"mcpServers\": {{{}}}}}", entries.join(","))
    };
    let cursor = of_user(Cursor);
    assert_eq!(read(&cursor, &entries(SERVERS_MAX)).cut, None);
    let many = read(&cursor, &entries(SERVERS_MAX + 1));
    assert_eq!(many.servers.len(), SERVERS_MAX);
    assert!(many.cut.is_some());
    let long = format!(
        "{{\"mcpServers\": {{\"long\": {{\"command\": \"{}\"}}, \"short\": {{\"command\": \"x\"}}}}}}",
        "x".repeat(ENTRY_MAX)
    );
    let long = read(&cursor, &long);
    assert!(
        long.servers[0]
            .run
            .as_ref()
            .expect_err("too long")
            .to_string()
            .contains("larger")
    );
    assert!(long.servers[1].run.is_ok());
}

#[test]
fn large_file_with_projects_is_read_once() {
    let history = "x".repeat(64 * 1024);
    let project = |at| {
        format!(
            "\"/srv/p{at}\": {{\"history\": [\"{history}\"],\n\"mcpServers\": {{\"s{at}\": {{\"command\": \"x{at}\"}}}}}}"
        )
    };
    let projects: Vec<String> = (0..=PROJECTS_MAX).map(project).collect();
    let text = format!("{{\"projects\": {{\n{}}}}}", projects.join(",\n"));
    let began = std::time::Instant::now();
    let found = read(&of_user(ClaudeCode), &text);
    let took = began.elapsed();
    assert_eq!(found.servers.len(), PROJECTS_MAX);
    assert!(found.cut.is_some());
    let last = found.servers.last().expect("one");
    assert_eq!(last.line, PROJECTS_MAX * 2 + 1);
    // Reading it once per project would take minutes.
    assert!(took < std::time::Duration::from_secs(20), "{took:?}");
}

#[test]
fn duplicate_name_is_the_last_entry() {
    let text = "{\"mcpServers\": {\n\"a\": {\"command\": \"x\"},\n\"b\": {\"command\": \
                \"z\"},\n\"a\": {\"command\": \"y\"}}}";
    for program in [Cursor, ClaudeCode, Cline] {
        let title = program.title();
        check(
            &of_user(program),
            text,
            &format!(
                "3:b user\n  runs z\n4:a user\n  runs y\n  note {title} runs the last entry of this \
                 name; the one on line 2 has no effect."
            ),
        );
    }
}

#[test]
fn the_same_launch_has_the_same_id_wherever_it_stands() {
    let id = |program: ClientProgram, text: &str| {
        let found = read(&of_user(program), text);
        found.servers[0].run.as_ref().expect("runs").id()
    };
    let cursor = id(
        Cursor,
        r#"{"mcpServers": {"a": {"command": "npx", "args": ["-y", "s"], "env": {"T": "${env:T}"}}}}"#,
    );
    let gemini = id(
        GeminiCli,
        r#"{"mcpServers": {"b": {"command": "npx", "args": ["-y", "s"], "env": {"T": "$T"}, "trust": false}}}"#,
    );
    let codex = id(
        Codex,
        "[mcp_servers.c]\ncommand = 'npx'\nargs = ['-y', 's']\nenv = { T = '$T' }",
    );
    assert_eq!(cursor, gemini);
    assert_ne!(cursor, codex, "Codex fills in nothing: it is another value");
}
