//! Tests with examples from servers' pages, in all forms that occur there.

use super::super::System;
use super::super::servers::{LaunchSpec, TextTemplate};
use super::*;
use crate::messages::FileProblem;

fn env(name: &str) -> Option<String> {
    matches!(name, "HOME").then(|| "/home/me".to_owned())
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

/// Renders the servers that were read, a few lines each.
fn description(snippet: &Snippet) -> String {
    let mut description = String::new();
    for (source, servers) in &snippet.parts {
        for server in &servers.servers {
            description.push_str(&format!("{}:{}", server.line, server.name));
            if source.owner == ConfigOwner::File || source.owner == ConfigOwner::Pasted {
                description.push('\n');
            } else {
                description.push_str(&format!(" {}\n", source.owner.as_str()));
            }
            let mut add = |word: &str, text: String| {
                if !text.is_empty() {
                    description.push_str(&format!("  {word} {text}\n"));
                }
            };
            match &server.run {
                Ok(run) => {
                    add("runs", run.command_line());
                    let (values, cwd) = match run {
                        LaunchSpec::Command { env, cwd, .. } => (env, cwd.as_ref()),
                        LaunchSpec::Url { headers, .. } => (headers, None),
                    };
                    let value = |(name, value): (&String, &TextTemplate)| {
                        format!("{name}={}", value.shown())
                    };
                    let values: Vec<String> = values.iter().map(value).collect();
                    add("with", values.join(" "));
                    add("in", cwd.map(TextTemplate::shown).unwrap_or_default());
                }
                Err(why) => add("unusable:", why.to_string()),
            }
            for input in &server.inputs {
                add(
                    "asks",
                    format!("{} {:?}", input.id, input.description.to_string()),
                );
            }
            add(
                "call",
                server.call_ms.map(|ms| ms.to_string()).unwrap_or_default(),
            );
            server
                .notes
                .iter()
                .for_each(|note| add("note", note.to_string()));
            if server.disabled {
                add("off", "yes".to_owned());
            }
        }
    }
    for left_out in &snippet.left_out {
        description.push_str(&format!("{left_out}\n"));
    }
    description
}

#[track_caller]
fn check(text: &str, expect: &str) {
    let snippet = pasted(text, &SURROUNDINGS).unwrap_or_else(|wrong| panic!("{text}\n{wrong}"));
    assert_eq!(description(&snippet).trim(), expect.trim(), "{text}");
}

#[track_caller]
fn refused(text: &str, place: (Option<usize>, Option<usize>), message: &str) {
    let wrong = pasted(text, &SURROUNDINGS).expect_err(text);
    assert!(
        wrong.message.to_string().contains(message),
        "{text}\n{wrong}"
    );
    assert_eq!((wrong.line, wrong.column), place, "{text}\n{wrong}");
    assert!(!wrong.hint.to_string().is_empty());
}

#[test]
fn json_as_pages_show_it() {
    let expect = "\n2:files\n  runs npx -y @modelcontextprotocol/server-filesystem '${input:/path/to/dir}'\n  asks /path/to/dir \"Replaces the placeholder \\\"/path/to/dir\\\".\"";
    let entry = r#""files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/path/to/dir"]}"#;
    for text in [
        format!("{{\"mcpServers\": {{\n{entry}}}}}"),
        format!("{{\"mcpServers\": {{ // comment\n{entry},\n}},\n}}"),
        format!("\"mcpServers\": {{\n{entry}}}"),
        format!("\n{entry}"),
        format!("\n{entry},\n"),
        format!("{{\n{entry}}}"),
        format!("{{\"amp.mcpServers\": {{\n{entry}}}}}"),
        format!("```json\n{entry}\n```\n"),
        format!("> ```\n{entry}\n> ```"),
        format!("Put this into the file:\n{{{entry}}}\nand start again."),
        format!("{{\n{}}}", entry.replace('"', "\u{201c}")),
        format!("{{\r\n{entry}}}\r\n"),
        format!("\u{feff}{{\n{entry}}}"),
        "[\n{\"name\": \"files\", \"command\": \"npx -y @modelcontextprotocol/server-filesystem /path/to/dir\"}]".to_owned(),
        "{\"mcp\": {\n\"files\": {\"type\": \"local\", \"command\": [\"npx\", \"-y\", \"@modelcontextprotocol/server-filesystem\", \"/path/to/dir\"], \"enabled\": true}}}".to_owned(),
    ] {
        check(&text, expect);
    }
}

#[test]
fn a_server_by_itself_is_named_for_what_it_runs() {
    check(
        r#"{"command": "uvx", "args": ["mcp-server-fetch"], "env": {"TOKEN": "<YOUR_TOKEN>", "OTHER": "${OTHER}"}}"#,
        r#"
1:fetch
  runs uvx mcp-server-fetch
  with OTHER=${env:OTHER} TOKEN=${input:TOKEN}
  asks TOKEN "TOKEN: replaces the placeholder \"YOUR_TOKEN\"."
"#,
    );
    check(
        r#"{"type": "http", "url": "https://mcp.linear.app/mcp", "headers": {"Authorization": "Bearer abc123def456"}}"#,
        "1:linear\n  runs https://mcp.linear.app/mcp\n  with Authorization=Bearer •••",
    );
}

#[test]
fn vs_code_asks_what_its_inputs_say() {
    check(
        r#"{"inputs": [{"id": "key", "type": "promptString", "description": "The key", "password": true}],
"servers": {"gh": {"command": "docker", "args": ["run", "--rm", "-e", "KEY", "img"], "env": {"KEY": "${input:key}"}}}}"#,
        r#"
2:gh
  runs docker run --rm -e KEY img
  with KEY=${input:key}
  asks key "The key"
  note Without `-i` the container receives no requests.
"#,
    );
}

#[test]
fn zed_and_codex_and_yaml_are_read_as_their_programs_do() {
    check(
        r#"{"context_servers": {"a": {"command": {"path": "run", "args": ["${X}"]}, "settings": {}}}}"#,
        "1:a\n  runs run '${X}'",
    );
    check(
        "# ~/.codex/config.toml\n[mcp_servers.docs]\ncommand = \"npx\"\nargs = [\"-y\", \"docs\"]\ntool_timeout_sec = 5\n[mcp_servers.docs.env]\nKEY = \"<key>\"",
        "2:docs\n  runs npx -y docs\n  with KEY=${input:KEY}\n  asks KEY \"KEY: replaces the placeholder \\\"key\\\".\"\n  call 5000",
    );
    check(
        "mcpServers:\n  - name: Docs\n    type: streamable-http\n    url: https://docs.example.test/mcp\n    requestOptions:\n      headers:\n        Authorization: Bearer ${{ secrets.DOCS_KEY }}\n  - command: uvx\n    args: [mcp-server-git, --version, 1.10]\n",
        "
2:Docs
  runs https://docs.example.test/mcp
  with Authorization=Bearer ${input:DOCS_KEY}
  asks DOCS_KEY \"\"
8:git
  runs uvx mcp-server-git --version 1.10
",
    );
    check(
        "extensions:\n  gh:\n    name: GitHub\n    cmd: npx\n    args: [-y, gh]\n    enabled: true\n    envs: {A: 1}\n    env_keys: [GH_TOKEN]\n    timeout: 300\n    type: stdio\n    bundled: null\n  memory:\n    type: builtin\n    enabled: false\n",
        "
2:gh
  runs npx -y gh
  with A=1 GH_TOKEN=${env:GH_TOKEN}
  call 300000
12:memory
  unusable: its type \"builtin\" is unknown
  off yes
",
    );
}

#[test]
fn commands_that_start_a_server_are_servers() {
    for (text, expect) in [
        (
            "npx -y @scope/server-thing arg",
            "1:thing\n  runs npx -y @scope/server-thing arg",
        ),
        (
            "$ uvx --from pkg mcp-server-x",
            "1:x\n  runs uvx --from pkg mcp-server-x",
        ),
        ("`npx -y thing`", "1:thing\n  runs npx -y thing"),
        (
            "API_KEY=<key> npx -y thing",
            "1:thing\n  runs npx -y thing\n  with API_KEY=${input:API_KEY}\n  asks API_KEY \"API_KEY: replaces the placeholder \\\"key\\\".\"",
        ),
        (
            "docker run -i --rm \\\n  -e A=$HOME img/x",
            "1:x\n  runs docker run -i --rm -e 'A=${env:HOME}' img/x",
        ),
        (
            "cd /srv/x && uv run main.py",
            "1:main.py\n  runs uv run main.py\n  in /srv/x",
        ),
        (
            "my-mcp-server --stdio",
            "1:my\n  runs my-mcp-server --stdio",
        ),
        (
            "https://mcp.linear.app/mcp",
            "1:linear\n  runs https://mcp.linear.app/mcp",
        ),
        (
            "\n<https://mcp.linear.app/mcp>\n",
            "2:linear\n  runs https://mcp.linear.app/mcp",
        ),
    ] {
        check(text, expect);
    }
    check(
        "```bash\n# first\nnpm install -g thing\nnpx thing\n```",
        "4:thing\n  runs npx thing\nLeft out, line 3: `npm install` doesn't start a server.",
    );
}

#[test]
fn commands_that_add_a_server_to_a_program_are_that_server() {
    let stdio = "\n1:gh\n  runs npx -y pkg --x\n  with A=1 B=2";
    for text in [
        "claude mcp add gh -e A=1 -e B=2 -- npx -y pkg --x",
        "claude mcp add -s user gh --env A=1 B=2 -- npx -y pkg --x",
        "claude mcp add gh --env=A=1 -e B=2 -- npx -y pkg --x",
        "codex mcp add gh --env A=1 --env B=2 -- npx -y pkg --x",
        "gemini mcp add -e A=1 -e B=2 gh npx -y pkg --x",
        "droid mcp add gh \"npx -y pkg --x\" --env A=1 --env B=2",
        "code --add-mcp '{\"name\": \"gh\", \"command\": \"npx\", \"args\": [\"-y\", \"pkg\", \"--x\"], \"env\": {\"A\": \"1\", \"B\": \"2\"}}'",
        "code --add-mcp \"{\\\"name\\\":\\\"gh\\\",\\\"command\\\":\\\"npx\\\",\\\"args\\\":[\\\"-y\\\",\\\"pkg\\\",\\\"--x\\\"],\\\"env\\\":{\\\"A\\\":\\\"1\\\",\\\"B\\\":\\\"2\\\"}}\"",
        "claude mcp add-json -s user gh '{\"command\": \"npx\", \"args\": [\"-y\", \"pkg\", \"--x\"],\n\"env\": {\"A\": 1, \"B\": 2}}'",
    ] {
        check(text, stdio);
    }
    let remote = "\n1:n\n  runs https://n.example.test/mcp\n  with Authorization=Bearer ${env:KEY}";
    for text in [
        "claude mcp add --transport http n https://n.example.test/mcp --header \"Authorization: Bearer ${KEY}\"",
        "claude mcp add n -t http -H 'Authorization: Bearer ${KEY}' https://n.example.test/mcp",
        "codex mcp add n --url https://n.example.test/mcp --bearer-token-env-var KEY",
    ] {
        check(text, remote);
    }
}

#[test]
fn words_of_a_command_are_what_they_are() {
    let words = ["npx", "-y", "pkg", "<x>", "${HOME}"].map(str::to_owned);
    let snippet = of_words(&words, &SURROUNDINGS).expect("a server");
    assert_eq!(
        description(&snippet).trim(),
        "1:pkg command-line\n  runs npx -y pkg '<x>' '${HOME}'"
    );
    for (words, message) in [
        (
            vec!["npm".to_owned(), "install".to_owned()],
            "doesn't start a server",
        ),
        (vec![], "the command is missing"),
        (vec!["x".to_owned(); WORDS_MAX + 1], "longer"),
    ] {
        let wrong = of_words(&words, &SURROUNDINGS).expect_err("no server");
        assert!(wrong.message.to_string().contains(message), "{wrong}");
    }
}

#[test]
fn unreadable_snippet_names_place_and_fix() {
    let at = |line, column| (Some(line), Some(column));
    refused(
        "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"}\n  \"b\": {}}}",
        at(2, 24),
        "expected comma",
    );
    refused(
        "\"a\": {\"command\": \"x\" \"y\"}",
        at(1, 21),
        "expected comma",
    );
    refused("```json\n{\n```", at(2, 1), "the closing '}' is missing");
    refused("mcpServers:\n  a: [1\n  b: 2\n", at(3, 4), "");
    refused("[mcp_servers.a]\ncommand = npx", at(2, 11), "");
    refused("npx -y 'pkg", at(1, 8), "without an end");
    refused("npx pkg | tee x", at(1, 9), "only a shell");
    let line = |line| (Some(line), None);
    refused("{}", line(1), "no list of servers");
    refused("{\"mcpServers\": {}}", line(1), "empty");
    refused("mcpServers:\n", line(1), "empty");
    refused("Hello there, this is a page.", line(1), "neither");
    refused(
        "git clone https://a.test/b\ncd b\nnpm install",
        line(1),
        "doesn't start a server",
    );
    refused(
        "code --add-mcp '{\"name\": \"x\"}'",
        line(1),
        "neither a `command`",
    );
    refused("claude mcp add", line(1), "without a name");
    refused("", (None, None), "it is empty");
    refused(&"x".repeat(SNIPPET_MAX + 1), (None, None), "longer than");
}

#[test]
fn a_page_has_several_forms_of_one_server() {
    let page = "# Thing\n\nInstall:\n\n```sh\nnpm install -g thing\n```\n\nClaude:\n\n```json\n{\"mcpServers\": {\"thing\": {\"command\": \"npx\", \"args\": [\"-y\", \"thing\"]}}}\n```\n\nCodex:\n\n```toml\n[mcp_servers.thing]\ncommand = \"npx\"\nargs = [\"-y\", \"thing\"]\n```\n";
    let snippet = pasted(page, &SURROUNDINGS).expect("servers");
    let ids: Vec<_> = snippet
        .parts
        .iter()
        .flat_map(|(_, servers)| &servers.servers)
        .map(|server| (server.line, server.run.as_ref().expect("runs").id()))
        .collect();
    assert_eq!(ids.len(), 2);
    assert_eq!((ids[0].0, ids[1].0), (12, 18));
    assert_eq!(ids[0].1, ids[1].1, "it is the same server");
    assert_eq!(snippet.left_out.len(), 1, "{:?}", snippet.left_out);
}

#[test]
fn a_file_is_read_as_the_program_whose_it_is() {
    let entry = r#"{"mcpServers": {"a": {"command": "${X}", "args": ["./y"]}}}"#;
    let folders = folders();
    for (path, expect) in [
        (
            "/srv/site/.mcp.json",
            "1:a claude-code\n  runs '${env:X}' ./y\n  in /srv/site",
        ),
        (
            "/srv/site/.cursor/mcp.json",
            "1:a cursor\n  runs '${X}' ./y\n  in /srv/site",
        ),
        (
            "/home/me/.gemini/settings.json",
            "1:a gemini-cli\n  runs '${env:X}' ./y",
        ),
        ("/tmp/claude_desktop_config.json", "1:a\n  runs '${X}' ./y"),
        ("/tmp/servers.json", "1:a\n  runs '${env:X}' ./y"),
        ("/tmp/README.md", "1:a\n  runs '${env:X}' ./y"),
    ] {
        let snippet = of_file(path.as_ref(), entry, Some(&folders), &SURROUNDINGS);
        assert_eq!(
            description(&snippet.expect("a server")).trim(),
            expect,
            "{path}"
        );
    }
    let broken = "{\"mcpServers\": {\n\"a\": {\"command\": \"x\" \"y\"}}}";
    let wrong = of_file(
        "/srv/.mcp.json".as_ref(),
        broken,
        Some(&folders),
        &SURROUNDINGS,
    );
    assert_eq!(
        wrong.expect_err("broken").to_string(),
        "line 2, column 21: expected comma"
    );
    let yaml = "mcpServers: {a: {command: x}}";
    assert!(of_file("/tmp/x.yml".as_ref(), yaml, None, &SURROUNDINGS).is_ok());
}

/// Links in the form of servers' web pages.
#[test]
fn install_links_are_the_entry_that_they_carry() {
    let everything = "\n1:server-everything\n  runs npx -y @modelcontextprotocol/server-everything";
    let config = "eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyIteSIsIkBtb2RlbGNvbnRleHRwcm90b2NvbC9zZXJ2ZXItZXZlcnl0aGluZyJdfQ==";
    let encoded = "%7B%22command%22%3A%22npx%22%2C%22args%22%3A%5B%22-y%22%2C%22%40modelcontextprotocol%2Fserver-everything%22%5D%7D";
    let with_name = encoded.replacen("%7B", "%7B%22name%22%3A%22server-everything%22%2C", 1);
    let nested = "eyJzZXJ2ZXItZXZlcnl0aGluZyI6eyJjb21tYW5kIjoibnB4IiwiYXJncyI6WyIteSIsIkBtb2RlbGNvbnRleHRwcm90b2NvbC9zZXJ2ZXItZXZlcnl0aGluZyJdfX0=";
    let cursor = "cursor://anysphere.cursor-deeplink/mcp/install?name=server-everything&config=";
    for link in [
        format!("{cursor}{config}"),
        format!("{cursor}{}", config.trim_end_matches('=')),
        format!("{cursor}{}", config.replace('=', "%3D")),
        format!("{cursor}{nested}"),
        format!("https://cursor.com/install-mcp?name=server-everything&config={config}"),
        format!("https://cursor.com/en/install-mcp?config={config}&name=server-everything"),
        format!("vscode:mcp/install?{with_name}"),
        format!("vscode-insiders:mcp/install?{with_name}"),
        "vscode:mcp/install?{\"name\": \"server-everything\", \"command\": \"npx\", \"args\": [\"-y\", \"@modelcontextprotocol/server-everything\"]}".to_owned(),
        format!("https://vscode.dev/redirect/mcp/install?name=server-everything&config={encoded}"),
        format!("https://insiders.vscode.dev/redirect/mcp/install?name=server-everything&config={encoded}&quality=insiders"),
        format!("https://vscode.dev/redirect?url=vscode%3Amcp%2Finstall%3F{}", with_name.replace('%', "%25")),
        format!("lmstudio://add_mcp?name=server-everything&config={config}"),
        format!("kiro://kiro.mcp/add?name=server-everything&config={encoded}"),
        "goose://extension?cmd=npx&arg=-y&arg=%40modelcontextprotocol%2Fserver-everything&id=x&name=server-everything".to_owned(),
        format!("[![Install](https://img.shields.io/badge/VS_Code-x)](https://vscode.dev/redirect/mcp/install?name=server-everything&config={encoded}) or by hand."),
        format!("<a href=\"{cursor}{config}\">Add to Cursor</a>"),
    ] {
        check(&link, everything);
    }
    let word = [format!("{cursor}{config}")];
    let snippet = of_words(&word, &SURROUNDINGS).expect("a server");
    assert_eq!(snippet.parts[0].1.servers[0].name, "server-everything");
}

#[test]
fn install_links_ask_for_their_inputs() {
    check(
        "https://insiders.vscode.dev/redirect/mcp/install?name=github&config=%7B%22type%22%3A%20%22http%22%2C%22url%22%3A%20%22https%3A%2F%2Fapi.githubcopilot.com%2Fmcp%2F%22%2C%22headers%22%3A%7B%22Authorization%22%3A%22Bearer%20%24%7Binput%3Agithub_mcp_pat%7D%22%7D%7D&inputs=%5B%7B%22id%22%3A%22github_mcp_pat%22%2C%22type%22%3A%22promptString%22%2C%22description%22%3A%22GitHub%20Personal%20Access%20Token%22%2C%22password%22%3Atrue%7D%5D",
        "\n1:github\n  runs https://api.githubcopilot.com/mcp/\n  with Authorization=Bearer ${input:github_mcp_pat}\n  asks github_mcp_pat \"GitHub Personal Access Token\"",
    );
    check(
        "cursor://anysphere.cursor-deeplink/mcp/install?name=db&config=eyJjb21tYW5kIjoibnB4IiwiZW52Ijp7IkRBVEFCQVNFX1VSTCI6InBvc3RncmVzOi8vVVNFUjpQQVNTV09SREBsb2NhbGhvc3QvZGIifX0",
        "\n1:db\n  runs npx\n  with DATABASE_URL=postgres://${input:USER}:${input:PASSWORD}@localhost/db\n  asks USER \"Replaces the placeholder \\\"USER\\\".\"\n  asks PASSWORD \"Replaces the placeholder \\\"PASSWORD\\\".\"",
    );
}

#[test]
fn install_links_without_a_server_say_so() {
    let line = (Some(1), None);
    for (link, message) in [
        (
            "cursor://anysphere.cursor-deeplink/mcp/install?name=a",
            "has no server",
        ),
        (
            "cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=%%",
            "in the install link",
        ),
        (
            "cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=a!b",
            "base64",
        ),
        (
            "vscode:mcp/install?%7B%22name%22%3A%22a%22%7D",
            "in the install link",
        ),
        (
            "https://vscode.dev/redirect?url=https%3A%2F%2Fa.test",
            "has no server",
        ),
    ] {
        refused(link, line, message);
    }
    let long = format!("vscode:mcp/install?{{{}", "x".repeat(70_000));
    refused(&long, line, "longer than 64 KiB");
}
