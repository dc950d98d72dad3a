//! Exports a call as text for a shell, another client or a bug report.
//!
//! The text contains no secrets. References (`${secret:…}`, `${env:…}`) stay references. A value
//! that is a secret by its name or shape (`guild_text::secret_detection`) is replaced by a
//! placeholder, also in the arguments of commands and in addresses. A note lists the names of the
//! replaced values. The arguments of the call itself are copied unchanged, because the user has
//! typed them.

mod entry;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

pub(crate) use self::entry::client_config;
pub(crate) use self::entry::program_config;
use guild_api::wire::Copied;
use guild_client_config::messages::CopyNote;
use guild_model::id::{MemberName, ToolName};
use guild_model::manifest::quoted;
use guild_model::protocol::{Era, ProtocolVersion};
use guild_text::messages::to_strings;
use guild_text::secret_detection::{may_be_secret, secretless};

/// Maximum size of an argument of `curl`, in bytes. A longer body is passed through stdin. Systems
/// limit an argument to 128 KiB.
const WORD_MAX: usize = 100_000;

/// A call, with the data of its member that an export needs.
#[derive(Debug, Clone)]
pub(crate) struct Copyable<'a> {
    /// The member that has the tool.
    pub member: &'a MemberName,
    /// The called tool.
    pub tool: &'a ToolName,
    /// The arguments of the call.
    pub arguments: &'a Map<String, Value>,
    /// The protocol version of the member's session, or the version that a session would use.
    pub version: ProtocolVersion,
}

/// An exported text with notes, or an empty text with the reason in its notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CopiedText {
    /// The text. Empty if the call can't be exported.
    pub text: String,
    /// Notes for the user, or the reason for a missing text.
    pub notes: Vec<CopyNote>,
}

impl CopiedText {
    /// Returns an empty text with its reason.
    pub(crate) fn none(why: CopyNote) -> Self {
        Self {
            text: String::new(),
            notes: vec![why],
        }
    }

    /// Converts the text and its notes to a response for the window.
    pub(crate) fn into_copied(self) -> Copied {
        let notes = to_strings(&self.notes);
        Copied {
            text: self.text,
            note: (!notes.is_empty()).then(|| notes.join(" ")),
        }
    }
}

/// A server that is reached over HTTP.
#[derive(Debug, Clone)]
pub(crate) struct SnippetHttpTarget<'a> {
    /// The server's URL.
    pub url: &'a str,
    /// The headers in the manifest. References in them are not resolved.
    pub headers: &'a BTreeMap<String, String>,
    /// Arguments of this call that are also sent as headers.
    pub mirrored: &'a [(String, String)],
    /// Whether the header with the protocol version is also sent with `initialize`.
    pub pinned: bool,
}

impl Copyable<'_> {
    /// Returns the JSON-RPC message of the call.
    pub(crate) fn json_rpc(&self) -> String {
        let mut params = json!({"name": self.tool.as_str(), "arguments": self.arguments});
        if self.version.era() == Era::Modern {
            params["_meta"] = self.meta();
        }
        message(Some(1), "tools/call", params)
    }

    /// Returns the command line of `guildhall call`.
    pub(crate) fn guildhall(&self, members_dir: &str, data_dir: &str) -> CopiedText {
        let arguments = quoted(&Value::Object(self.arguments.clone()).to_string());
        let (members, data) = (quoted(members_dir), quoted(data_dir));
        let (member, tool) = (quoted(self.member.as_str()), quoted(self.tool.as_str()));
        // Without `--`, a name that begins with a hyphen would be parsed as an option.
        let dashes = if tool.starts_with('-') { "-- " } else { "" };
        let call = match dashes {
            "" => format!("{member} {tool} --args {arguments}"),
            dashes => format!("--args {arguments} {dashes}{member} {tool}"),
        };
        let note = (arguments.len() > WORD_MAX).then_some(CopyNote::LongArguments);
        CopiedText {
            text: format!("guildhall --members {members} --data {data} call {call}"),
            notes: note.into_iter().collect(),
        }
    }

    /// Returns a shell script that makes the call with `curl`, including the handshake of the
    /// protocol version.
    pub(crate) fn curl(&self, endpoint: &SnippetHttpTarget<'_>) -> CopiedText {
        let modern = self.version.era() == Era::Modern;
        let mut own = String::new();
        let mut replaced = Vec::new();
        for (name, value) in endpoint.headers {
            let value = without_secret(name, value, &mut replaced);
            own.push_str(&header(name, &value));
        }
        let version = header("MCP-Protocol-Version", self.version.as_str());
        let url = secretless(endpoint.url, &mut |name| left_out(name, &mut replaced));
        let mut text = format!("url={}\n", quoted(&url));
        if modern {
            let mirrored: String = endpoint
                .mirrored
                .iter()
                .map(|(name, value)| header(name, value))
                .collect();
            let method = header("Mcp-Method", "tools/call");
            text.push_str(&post(
                "-N",
                &format!("{own}{version}{method}{mirrored}"),
                &self.json_rpc(),
            ));
            text.push('\n');
        } else {
            let on_opening = if endpoint.pinned {
                version.as_str()
            } else {
                ""
            };
            let opening = post(
                "-D - -o /dev/null",
                &format!("{own}{on_opening}"),
                &self.initialize(),
            );
            text.push_str(&format!(
                "session=$({opening} |\n  tr -d '\\r' | sed -n \
                 's/^[Mm][Cc][Pp]-[Ss]ession-[Ii][Dd]: *//p')\n"
            ));
            let session = " \\\n  ${session:+-H \"Mcp-Session-Id: $session\"}";
            let headers = format!("{own}{version}{session}");
            let initialized = message(None, "notifications/initialized", Value::Null);
            text.push_str(&post("-o /dev/null", &headers, &initialized));
            text.push('\n');
            text.push_str(&post("-N", &headers, &self.json_rpc()));
            text.push_str(&format!(
                "\n[ -z \"$session\" ] || curl -sS -o /dev/null -X DELETE \"$url\"{headers}\n"
            ));
        }
        let notes = secrets_note(&replaced).into_iter().collect();
        CopiedText { text, notes }
    }

    fn initialize(&self) -> String {
        let params = json!({
            "protocolVersion": self.version.as_str(),
            "capabilities": {},
            "clientInfo": {"name": "curl", "version": "1"},
        });
        message(Some(0), "initialize", params)
    }

    fn meta(&self) -> Value {
        json!({
            "io.modelcontextprotocol/protocolVersion": self.version.as_str(),
            "io.modelcontextprotocol/clientInfo": {"name": "curl", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        })
    }
}

/// Returns the reason why a stdio member has no `curl` command.
pub(crate) fn no_curl(member: &MemberName) -> CopiedText {
    CopiedText::none(CopyNote::OverPipes(member.to_string()))
}

/// Returns the value, or a placeholder if it may be a secret. Adds the name to `replaced` if the
/// value is replaced or contains a reference.
fn without_secret(name: &str, value: &str, replaced: &mut Vec<String>) -> String {
    let written = value.contains("${secret:") || value.contains("${env:");
    if written {
        replaced.push(name.to_owned());
        return value.to_owned();
    }
    if may_be_secret(name) {
        return left_out(name, replaced);
    }
    secretless(value, &mut |_| left_out(name, replaced)).into_owned()
}

/// Returns the placeholder of a secret, and adds its name to `replaced`.
fn left_out(name: &str, replaced: &mut Vec<String>) -> String {
    if !replaced.iter().any(|known| known == name) {
        replaced.push(name.to_owned());
    }
    format!("${{secret:{name}}}")
}

fn secrets_note(replaced: &[String]) -> Option<CopyNote> {
    (!replaced.is_empty()).then(|| CopyNote::SecretsLeftOut(replaced.join(", ")))
}

fn message(id: Option<u64>, method: &str, params: Value) -> String {
    let mut message = json!({"jsonrpc": "2.0"});
    if let Some(id) = id {
        message["id"] = id.into();
    }
    message["method"] = method.into();
    if !params.is_null() {
        message["params"] = params;
    }
    message.to_string()
}

fn header(name: &str, value: &str) -> String {
    format!(" \\\n  -H {}", quoted(&format!("{name}: {value}")))
}

fn post(options: &str, headers: &str, body: &str) -> String {
    let accept = header("Accept", "application/json, text/event-stream");
    let kind = header("Content-Type", "application/json");
    let start = format!("curl -sS {options} -X POST \"$url\"{accept}{kind}{headers} \\\n  ");
    if body.len() <= WORD_MAX {
        return format!("{start}--data-raw {}", quoted(body));
    }
    // The JSON text contains no newlines, so it can't contain the line that ends the heredoc.
    format!("{start}--data-binary @- <<'END-OF-MESSAGE'\n{body}\nEND-OF-MESSAGE")
}

#[cfg(test)]
mod tests {
    use super::*;
    use guild_client_config::ClientProgram;
    use guild_model::manifest::{Launch, Manifest, Transport};

    fn copyable<'a>(
        names: &'a (MemberName, ToolName),
        arguments: &'a Map<String, Value>,
        version: ProtocolVersion,
    ) -> Copyable<'a> {
        Copyable {
            member: &names.0,
            tool: &names.1,
            arguments,
            version,
        }
    }

    fn names(tool: &str) -> (MemberName, ToolName) {
        let member = MemberName::parse("forge").expect("a name");
        (member, ToolName::parse(tool).expect("a name"))
    }

    fn arguments(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            other => panic!("{other} is not an object"),
        }
    }

    #[test]
    fn a_tool_with_a_dash_in_front_is_no_option() {
        let (names, arguments) = (names("--help"), Map::new());
        let copied =
            copyable(&names, &arguments, ProtocolVersion::V2025_11_25).guildhall("/m", "/d");
        assert!(
            copied.text.ends_with("--args '{}' -- forge --help"),
            "{}",
            copied.text
        );
    }

    #[test]
    fn a_message_says_its_version_where_there_is_no_handshake() {
        let (names, arguments) = (names("smith"), arguments(json!({"b": 1, "a": 2})));
        let legacy = copyable(&names, &arguments, ProtocolVersion::V2025_06_18).json_rpc();
        assert_eq!(
            legacy,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"smith","arguments":{"b":1,"a":2}}}"#
        );
        let modern = copyable(&names, &arguments, ProtocolVersion::V2026_07_28).json_rpc();
        assert!(modern.contains(r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#));
    }

    fn manifest(launch: Launch, transport: Transport) -> Manifest {
        let text = json!({"name": "forge", "version": "1", "description": "", "command": "x",
            "transport": "stdio"});
        let parsed = guild_model::manifest::parse(text.to_string().as_bytes(), "plugin.json");
        Manifest {
            launch,
            transport,
            ..parsed.manifest.expect("a manifest")
        }
    }

    #[test]
    fn no_secret_is_copied_into_a_clients_config() {
        let env = [
            ("LEVEL", "debug"),
            ("GITHUB_TOKEN", "ghp_plain"),
            ("OTHER", "${secret:other}"),
        ];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let launch = Launch::Command {
            command: "${PLUGIN_DIR}/run".into(),
            args: [
                "--deep",
                "--api-key",
                "sk-plain",
                "https://me:pw@host/x",
                "-H=Cookie: a=b",
            ]
            .map(str::to_owned)
            .into(),
            env: env.into(),
            cwd: Some("work".into()),
        };
        let manifest = manifest(launch, Transport::Stdio);
        let fill = |text: &str| text.replace("${PLUGIN_DIR}", "/members/forge");
        let copied = client_config(&manifest, "/members/forge", None, fill);
        let read: Value = serde_json::from_str(&copied.text).expect("JSON");
        assert_eq!(
            read["mcpServers"]["forge"],
            json!({
                "command": "/members/forge/run",
                "args": [
                    "--deep",
                    "--api-key",
                    "${secret:api-key}",
                    "https://${secret:credentials}@host/x",
                    "-H=Cookie: ${secret:Cookie}",
                ],
                "env": {
                    "LEVEL": "debug",
                    "GITHUB_TOKEN": "${secret:GITHUB_TOKEN}",
                    "OTHER": "${secret:other}",
                },
                "cwd": "/members/forge/work",
            })
        );
        let note = copied.into_copied().note.expect("a note");
        for name in ["api-key", "credentials", "Cookie", "GITHUB_TOKEN, OTHER"] {
            assert!(note.contains(name), "{note}");
        }
    }

    #[test]
    fn a_started_http_member_is_copied_by_its_address_or_not_at_all() {
        let launch = Launch::Command {
            command: "x".into(),
            args: vec![],
            env: BTreeMap::new(),
            cwd: None,
        };
        let manifest = manifest(launch, Transport::Http);
        let down = client_config(&manifest, "/m", None, str::to_owned);
        assert_eq!(down.text, "");
        assert!(
            down.into_copied()
                .note
                .expect("a note")
                .contains("start it first")
        );
        let url = "http://127.0.0.1:20001/mcp";
        let up = client_config(&manifest, "/m", Some(url), str::to_owned);
        let read: Value = serde_json::from_str(&up.text).expect("JSON");
        assert_eq!(
            read["mcpServers"]["forge"],
            json!({"type": "http", "url": url})
        );
    }

    #[test]
    fn headers_in_a_script_hold_no_secret() {
        let (names, arguments) = (names("smith"), Map::new());
        let headers = [
            ("Authorization", "Bearer sk-plain"),
            ("X-Team", "it's ${env:TEAM}"),
            ("X-Trace", "on"),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let endpoint = SnippetHttpTarget {
            url: "https://me:pw@example.org/mcp?key=1&api_key=sk-plain",
            headers: &headers.into(),
            mirrored: &[],
            pinned: false,
        };
        let copied = copyable(&names, &arguments, ProtocolVersion::V2025_11_25).curl(&endpoint);
        assert!(!copied.text.contains("sk-plain"), "{}", copied.text);
        assert!(
            copied.text.contains(
                "url='https://${secret:credentials}@example.org/mcp?key=1&api_key=${secret:api_key}'"
            ),
            "{}",
            copied.text
        );
        assert!(copied.text.contains("${secret:Authorization}"));
        assert!(copied.text.contains(r"it'\''s ${env:TEAM}"));
        assert!(copied.text.contains("X-Trace: on"));
        assert!(
            copied
                .into_copied()
                .note
                .expect("a note")
                .contains("Authorization, X-Team")
        );
    }

    #[test]
    fn every_program_has_the_member_in_its_own_way_or_says_why_not() {
        let manifest = |text: &str| {
            guild_model::manifest::parse(text.as_bytes(), "plugin.json")
                .manifest
                .expect("good")
        };
        let process = manifest(
            r#"{"name": "forge.one", "version": "1", "description": "d", "transport": "stdio",
                "command": "npx", "args": ["-y", "forge"], "env": {"LEVEL": "debug"}}"#,
        );
        let remote = manifest(
            r#"{"name": "far", "version": "1", "description": "d", "transport": "http",
                "url": "https://forge.example.com/mcp", "headers": {"X-Level": "debug"}}"#,
        );
        for program in ClientProgram::ALL {
            let of = |manifest| program_config(program, manifest, "/m", None, str::to_owned);
            let copied = of(&process);
            let read = read_back(program, &copied.text);
            let (command, args, env) = match program {
                ClientProgram::OpenCode => {
                    (json!(["npx", "-y", "forge"]), Value::Null, "environment")
                }
                _ => (json!("npx"), json!(["-y", "forge"]), "env"),
            };
            assert_eq!(read["command"], command, "{}", copied.text);
            assert_eq!(read["args"], args, "{}", copied.text);
            assert_eq!(read[env], json!({"LEVEL": "debug"}), "{}", copied.text);
            let has_folder = read.get("cwd").is_some();
            assert_eq!(copied.notes.is_empty(), has_folder, "{copied:?}");
            let copied = of(&remote);
            if program == ClientProgram::ClaudeDesktop {
                assert_eq!(copied.text, "");
                assert!(
                    copied
                        .into_copied()
                        .note
                        .is_some_and(|note| note.contains("through Guild Hall"))
                );
                continue;
            }
            let read = read_back(program, &copied.text).to_string();
            assert!(read.contains("https://forge.example.com/mcp"), "{read}");
            assert!(read.contains("\"X-Level\":\"debug\""), "{read}");
        }
    }

    /// Returns the only entry of a program's file.
    fn read_back(program: ClientProgram, text: &str) -> Value {
        use guild_client_config::{ClientConfigFolders, ConfigFile, EntryAt, ListAt, System};
        let folders = ClientConfigFolders {
            system: System::Linux,
            home: "/h".into(),
            config: "/h/.config".into(),
            claude: None,
            codex: None,
        };
        let file = ConfigFile::of_user(program, &folders);
        let list = ListAt {
            holders: Vec::new(),
            key: program.list().to_owned(),
        };
        let mut names = ["forge.one", "far"].into_iter();
        let entry = names.find_map(|name| {
            let (list, name) = (list.clone(), name.to_owned());
            file.entry(text, &EntryAt { list, name }).expect(text)
        });
        entry.expect(text)
    }
}
