//! The supported programs: the paths of their files, and the format of their entries.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::messages::{ClientReloadStep, CopyNote};

/// The environment variable with the token for `guildhall connect`.
pub const TOKEN_VARIABLE: &str = "GUILD_HALL_TOKEN";

/// A program that runs agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClientProgram {
    /// `.claude.json`: <https://code.claude.com/docs/en/mcp>.
    ClaudeCode,
    /// `claude_desktop_config.json`, only for commands:
    /// <https://modelcontextprotocol.io/docs/develop/connect-local-servers>.
    ClaudeDesktop,
    /// `.cursor/mcp.json`: <https://cursor.com/docs/context/mcp>.
    Cursor,
    /// `mcp.json` of the user's profile:
    /// <https://code.visualstudio.com/docs/copilot/reference/mcp-configuration>.
    VsCode,
    /// `mcp_config.json`: <https://docs.windsurf.com/windsurf/cascade/mcp>.
    Windsurf,
    /// `cline_mcp_settings.json` of Cline's extension in VS Code:
    /// <https://docs.cline.bot/mcp/configuring-mcp-servers>.
    Cline,
    /// `context_servers` of Zed's settings: <https://zed.dev/docs/ai/mcp>.
    Zed,
    /// `config.toml`: <https://developers.openai.com/codex/mcp>.
    Codex,
    /// `.gemini/settings.json`:
    /// <https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md>.
    GeminiCli,
    /// `opencode.json` in opencode's configuration folder, version 1:
    /// <https://opencode.ai/docs/mcp-servers>.
    OpenCode,
}

/// An operating system. It determines the folders in which programs store their files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Linux and similar systems.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl System {
    /// The operating system of this build.
    pub const OWN: Self = if cfg!(target_os = "macos") {
        Self::MacOs
    } else if cfg!(windows) {
        Self::Windows
    } else {
        Self::Linux
    };
}

/// The folders that contain the programs' files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientConfigFolders {
    /// The operating system.
    pub system: System,
    /// The user's home folder.
    pub home: PathBuf,
    /// `~/.config` (or the folder in `XDG_CONFIG_HOME`), `~/Library/Application Support` or
    /// `%APPDATA%`.
    pub config: PathBuf,
    /// The folder from `CLAUDE_CONFIG_DIR`.
    pub claude: Option<PathBuf>,
    /// The folder from `CODEX_HOME`.
    pub codex: Option<PathBuf>,
}

/// The format of a configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON, with optional comments and trailing commas.
    Json,
    /// TOML.
    Toml,
}

/// The data with which a program connects to the gateway.
#[derive(Debug, Clone, Copy)]
pub struct Access<'a> {
    /// The address of the gateway's endpoint.
    pub url: &'a str,
    /// The token. `None` if the gateway requires none.
    pub token: Option<&'a str>,
    /// The path of the `guildhall` binary, for programs that can only start commands.
    pub guildhall: &'a str,
    /// The data folder, if it is not the default one.
    pub data_dir: Option<&'a str>,
}

impl ClientProgram {
    /// All supported programs.
    pub const ALL: [Self; 10] = [
        Self::ClaudeCode,
        Self::ClaudeDesktop,
        Self::Cursor,
        Self::VsCode,
        Self::Windsurf,
        Self::Cline,
        Self::Zed,
        Self::Codex,
        Self::GeminiCli,
        Self::OpenCode,
    ];

    /// Returns the program's identifier, as used on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::ClaudeDesktop => "claude-desktop",
            Self::Cursor => "cursor",
            Self::VsCode => "vscode",
            Self::Windsurf => "windsurf",
            Self::Cline => "cline",
            Self::Zed => "zed",
            Self::Codex => "codex",
            Self::GeminiCli => "gemini-cli",
            Self::OpenCode => "opencode",
        }
    }

    /// Parses the identifier that [`as_str`](Self::as_str) returns. `None` for an unknown one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|program| program.as_str() == word)
    }

    /// Returns the program's display name.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::VsCode => "VS Code",
            Self::Windsurf => "Windsurf",
            Self::Cline => "Cline",
            Self::Zed => "Zed",
            Self::Codex => "Codex",
            Self::GeminiCli => "Gemini CLI",
            Self::OpenCode => "opencode",
        }
    }

    /// Returns the next step for a person after the file has changed.
    pub fn then(self) -> ClientReloadStep {
        match self {
            Self::ClaudeCode | Self::Codex => ClientReloadStep::NewSession,
            Self::ClaudeDesktop => ClientReloadStep::QuitAndStart(self.title()),
            Self::Cursor => ClientReloadStep::UnderMcp(self.title()),
            Self::VsCode => ClientReloadStep::PressStart,
            Self::Windsurf => ClientReloadStep::PressRefresh,
            Self::Cline => ClientReloadStep::InServerList(self.title()),
            Self::Zed => ClientReloadStep::InAgentSettings(self.title()),
            Self::GeminiCli | Self::OpenCode => ClientReloadStep::StartAgain,
        }
    }

    /// Returns the format of the program's file.
    pub fn format(self) -> Format {
        match self {
            Self::Codex => Format::Toml,
            _ => Format::Json,
        }
    }

    /// Returns the key of the servers' list in the program's file.
    pub fn list(self) -> &'static str {
        match self {
            Self::VsCode => "servers",
            Self::Zed => "context_servers",
            Self::Codex => "mcp_servers",
            Self::OpenCode => "mcp",
            _ => "mcpServers",
        }
    }

    /// Returns the file that the program reads for the user in every working folder.
    pub fn file(self, folders: &ClientConfigFolders) -> PathBuf {
        let ClientConfigFolders {
            system,
            home,
            config,
            claude,
            codex,
        } = folders;
        let code = |rest: &str| config.join("Code").join("User").join(rest);
        match self {
            Self::ClaudeCode => claude.as_ref().unwrap_or(home).join(".claude.json"),
            Self::ClaudeDesktop => config.join("Claude").join("claude_desktop_config.json"),
            Self::Cursor => home.join(".cursor").join("mcp.json"),
            Self::VsCode => code("mcp.json"),
            Self::Windsurf => home
                .join(".codeium")
                .join("windsurf")
                .join("mcp_config.json"),
            Self::Cline => code("globalStorage")
                .join("saoudrizwan.claude-dev")
                .join("settings")
                .join("cline_mcp_settings.json"),
            Self::Zed => match system {
                System::Linux => config.join("zed").join("settings.json"),
                System::MacOs => home.join(".config").join("zed").join("settings.json"),
                System::Windows => config.join("Zed").join("settings.json"),
            },
            Self::Codex => codex
                .as_deref()
                .map_or_else(|| home.join(".codex"), Path::to_path_buf)
                .join("config.toml"),
            Self::GeminiCli => home.join(".gemini").join("settings.json"),
            // opencode uses the Linux folder on all systems.
            Self::OpenCode => match system {
                System::Linux => config.join("opencode"),
                System::MacOs | System::Windows => home.join(".config").join("opencode"),
            }
            .join("opencode.json"),
        }
    }

    /// Returns the gateway's entry for the program's server list.
    pub fn entry(self, access: &Access<'_>) -> Value {
        let Access {
            url,
            token,
            guildhall,
            data_dir,
        } = *access;
        let Some((mut entry, headers)) = self.remote(url) else {
            let mut args = vec!["connect", "--url", url];
            args.extend(data_dir.into_iter().flat_map(|folder| ["--data", folder]));
            let mut entry = json!({"command": guildhall, "args": args});
            if let Some(token) = token {
                entry["env"] = json!({TOKEN_VARIABLE: token});
            }
            return entry;
        };
        if let Some(token) = token {
            let mut bearer = Map::new();
            bearer.insert("Authorization".into(), format!("Bearer {token}").into());
            entry[headers] = Value::Object(bearer);
        }
        entry
    }

    /// Returns the gateway's address in an entry from [`entry`](Self::entry).
    pub fn address_in(entry: &Value) -> Option<&str> {
        let keys = ["url", "httpUrl", "serverUrl"];
        if let Some(url) = keys.iter().find_map(|key| entry[*key].as_str()) {
            return Some(url);
        }
        let args = entry["args"].as_array()?;
        let option = args.iter().position(|arg| arg == "--url")?;
        args.get(option + 1)?.as_str()
    }

    /// Returns an entry for a remote server, and the key of its headers. `None` if the program can
    /// only start commands.
    fn remote(self, url: &str) -> Option<(Value, &'static str)> {
        Some(match self {
            Self::ClaudeCode | Self::VsCode => (json!({"type": "http", "url": url}), "headers"),
            Self::Cursor | Self::Zed => (json!({"url": url}), "headers"),
            Self::Windsurf => (json!({"serverUrl": url}), "headers"),
            Self::Cline => (json!({"type": "streamableHttp", "url": url}), "headers"),
            Self::Codex => (json!({"url": url}), "http_headers"),
            Self::GeminiCli => (json!({"httpUrl": url}), "headers"),
            Self::OpenCode => (
                json!({"type": "remote", "url": url, "enabled": true}),
                "headers",
            ),
            Self::ClaudeDesktop => return None,
        })
    }

    /// Converts an entry of `mcpServers` to this program's format, with a note about fields that
    /// the format lacks.
    ///
    /// # Errors
    /// If the program does not support such a server.
    pub fn entry_of(self, mut entry: Value) -> Result<(Value, Option<CopyNote>), CopyNote> {
        let title = self.title();
        if let Some(url) = entry["url"].as_str() {
            let (mut own, headers) = self.remote(url).ok_or(CopyNote::CommandsOnly(title))?;
            if let Some(values) = entry.get("headers") {
                own[headers] = values.clone();
            }
            return Ok((own, None));
        }
        let Some(fields) = entry.as_object_mut() else {
            return Ok((entry, None));
        };
        let note = match self {
            Self::VsCode | Self::Codex | Self::GeminiCli => None,
            _ => fields.shift_remove("cwd").map(|folder| {
                CopyNote::NoFolder(folder.as_str().unwrap_or_default().to_owned(), title)
            }),
        };
        if self == Self::OpenCode {
            return Ok((local_of_opencode(fields), note));
        }
        if matches!(self, Self::ClaudeCode | Self::VsCode) {
            fields.shift_insert(0, "type".to_owned(), "stdio".into());
        }
        Ok((entry, note))
    }
}

/// Converts a command to opencode's format: one list with the program and its arguments.
fn local_of_opencode(fields: &mut Map<String, Value>) -> Value {
    let mut words: Vec<Value> = fields.shift_remove("command").into_iter().collect();
    if let Some(Value::Array(args)) = fields.shift_remove("args") {
        words.extend(args);
    }
    let mut entry = json!({"type": "local", "command": words, "enabled": true});
    if let Some(env) = fields.shift_remove("env") {
        entry["environment"] = env;
    }
    entry
}
