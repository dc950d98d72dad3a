//! Writes the engine's files repeatedly, and prints a line for each confirmed write. Tests kill
//! this program and check that no confirmed write is lost.
//!
//! `writer books|members FOLDER ROUND PORTS` waits for a line on stdin, then writes round after
//! round. For example, the line `call NAME` promises that the call is in the history, however this
//! program ends. `writer samples …` writes the sample members like a first start does, and ends.
#![expect(
    clippy::expect_used,
    reason = "a program of the tests fails by panicking"
)]

use std::io::Write;
use std::path::{Path, PathBuf};

use guild_api::wire::{
    AddAgentClient, AgentClientRef, CallEnd, CallOutcome, Caller, ExistingName, HistorySettings,
    KeepDraft, SaveCall, SecretPlace, SetSecret, SetToolPolicies, ToolPolicy,
};
use guild_client_config::{ClientConfigFolders, EntryAt, ListAt, System};
use guild_engine::{
    CachedList, ClientConfigChange, ClientConfigFiles, FinishedCall, FolderWatchMode,
    GatewayConnection, GuildHall, GuildHallOptions, Paths, ToolCache, WatchdogProgram,
};
use guild_model::endpoint::Endpoint;
use guild_model::manifest::{Policy, parse};
use guild_model::tool::ToolSpec;
use guild_model::{CallId, MemberName, ToolName};
use serde_json::json;

/// The program whose file is written in a round. Their formats are JSON, JSON with comments, and
/// TOML.
const PROGRAMS: [&str; 3] = ["cursor", "zed", "codex"];
/// The start of the first call, in Unix milliseconds.
const EPOCH_MS: u64 = 1_700_000_000_000;

fn main() -> std::process::ExitCode {
    if let Some(code) = guild_engine::watchdog(std::env::args_os()) {
        return code;
    }
    write();
    std::process::ExitCode::SUCCESS
}

fn write() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().expect("an argument more");
    let (mode, folder) = (next(), PathBuf::from(next()));
    let round: u64 = next().parse().expect("a number");
    let (first, last) = (next(), next());
    let ports = first.parse().expect("a port")..=last.parse().expect("a port");
    // Waits until a tracer is attached, which must follow this program from its first write.
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).expect("a line");
    if mode == "samples" {
        Paths::resolve(None, Some(folder.join("data"))).expect("the folders are found");
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let paths = Paths {
            members_dir: folder.join("members"),
            data_dir: folder.join("data"),
            cache_dir: None,
        };
        let own_binary = std::env::current_exe().expect("our own file");
        let options = GuildHallOptions {
            watchdog: match mode.as_str() {
                "books" => WatchdogProgram::None,
                _ => WatchdogProgram::Program(own_binary),
            },
            watch: FolderWatchMode::Once,
            ports: Some(ports),
            ..GuildHallOptions::default()
        };
        let hall = GuildHall::open(paths.clone(), options)
            .await
            .expect("the hall opens");
        let state = WriterState {
            configs: configs(&folder),
            hall,
            paths,
        };
        promise("open", "");
        for round in round.. {
            match mode.as_str() {
                "books" => state.books(round).await,
                _ => state.members().await,
            }
            promise("round", round);
        }
    });
}

/// Prints that something is written.
fn promise(what: &str, which: impl std::fmt::Display) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{what} {which}")
        .and_then(|()| out.flush())
        .expect("somebody listens");
}

fn configs(folder: &Path) -> ClientConfigFiles {
    let home = folder.join("home");
    let folders = ClientConfigFolders {
        system: System::Linux,
        config: home.join(".config"),
        home,
        claude: None,
        codex: None,
    };
    ClientConfigFiles::new(&folder.join("data"), folders, "guildhall".into())
}

fn member() -> MemberName {
    MemberName::parse("forge").expect("a name")
}

fn tool(name: &str) -> ToolName {
    ToolName::parse(name).expect("a name")
}

struct WriterState {
    hall: GuildHall,
    configs: ClientConfigFiles,
    paths: Paths,
}

impl WriterState {
    /// Writes once everything that needs no member's process.
    async fn books(&self, round: u64) {
        self.cache(round);
        promise("cache", round);
        self.call(round).await;
        promise("call", format_args!("call-{round}"));
        self.saved(round).await;
        promise("saved", round);
        self.draft(round).await;
        promise("draft", round);
        self.policy(round).await;
        promise("policy", round);
        self.client(round).await;
        promise("client", format_args!("agent {round}"));
        self.secret(round).await;
        promise("secret", round);
        self.config(round).await;
        promise("config", round);
        self.settings(round).await;
        promise("settings", round);
    }

    /// Writes a list that is longer in one round and shorter in the next, like real lists.
    fn cache(&self, round: u64) {
        let folder = self.paths.members_dir.join("forge");
        let manifest = std::fs::read(folder.join("plugin.json")).expect("a manifest");
        let manifest = parse(&manifest, "plugin.json")
            .manifest
            .expect("a good one");
        let tools = (0..=round % 7 * 5).map(|index| {
            let description = "What it does. ".repeat(20);
            let raw =
                json!({"name": format!("t{index}"), "description": description, "inputSchema": {}});
            ToolSpec::from_raw(raw).expect("a tool")
        });
        let list = CachedList {
            tools: tools.collect(),
            problems: vec![],
            listed_at_ms: EPOCH_MS + round,
            era: None,
            opens_with: None,
            server: None,
            ttl_ms: None,
            found: None,
            start_ms: None,
        };
        ToolCache::of(&member(), &folder, &self.paths)
            .write(&manifest, &list)
            .expect("kept");
    }

    async fn call(&self, round: u64) {
        let outcome = CallOutcome {
            call: CallId::parse(&format!("call-{round}")).expect("an id"),
            member: member(),
            tool: tool("add"),
            started_at_ms: EPOCH_MS + round,
            duration_ms: 1,
            request: None,
            structured: None,
            end: CallEnd::Result {
                result: json!({"content": [{"type": "text", "text": "x".repeat(3_000)}]})
                    .to_string(),
                is_error: false,
            },
        };
        let arguments = json!({"round": round}).to_string();
        let history = self.hall.history();
        history.record(FinishedCall::new(
            &outcome,
            Caller::Window,
            &arguments,
            None,
        ));
        history.settled().await.expect("written");
        // A record that could not be written is not reported anywhere else.
        assert_eq!(history.state().await.unrecorded, 0);
    }

    async fn saved(&self, round: u64) {
        let call = SaveCall {
            member: member(),
            tool: tool("add"),
            name: format!("saved {round}"),
            arguments: json!({"round": round}).to_string(),
            existing: ExistingName::Replace,
        };
        self.hall.history().save_call(call).await.expect("kept");
    }

    async fn draft(&self, round: u64) {
        let draft = KeepDraft {
            member: member(),
            tool: tool("add"),
            draft: Some(json!({"round": round}).to_string()),
        };
        self.hall.history().keep_draft(draft).await.expect("kept");
    }

    async fn policy(&self, round: u64) {
        let request = SetToolPolicies {
            profile: None,
            tools: vec![ToolPolicy {
                member: member(),
                tool: tool(&format!("t{round}")),
                policy: Some(Policy::Deny),
            }],
        };
        self.hall.set_tool_policies(request).await.expect("kept");
    }

    async fn client(&self, round: u64) {
        let clients = self.hall.gateway().await.clients;
        if clients.len() > 20 {
            let of = AgentClientRef {
                client: clients[0].id.clone(),
            };
            self.hall.revoke_agent_client(of).await.expect("revoked");
        }
        let request = AddAgentClient {
            name: format!("agent {round}"),
            endpoints: None,
        };
        self.hall.add_agent_client(request).await.expect("added");
    }

    async fn secret(&self, round: u64) {
        let request = SetSecret {
            name: "ROUND".into(),
            value: format!("the secret of round {round}"),
            place: Some(SecretPlace::File),
        };
        self.hall.set_secret(request).await.expect("kept");
    }

    /// Does one of these steps in each round: writes a program's file, changes its port, or removes
    /// the entry of earlier rounds.
    async fn config(&self, round: u64) {
        let programs = PROGRAMS.len() as u64;
        let client = PROGRAMS[usize::try_from(round % programs).expect("small")].to_owned();
        let turn = round / programs % 3;
        let gateway = GatewayConnection {
            port: if turn == 0 { 19_999 } else { 19_998 },
            tokens_required: false,
            listing: None,
        };
        let subject = self.configs.target(None, &client).expect("it is known");
        if turn < 2 {
            let subject = subject.without(|file, text| {
                let list = ListAt {
                    holders: Vec::new(),
                    key: file.program.list().to_owned(),
                };
                let name = "gone".to_owned();
                let entry = EntryAt { list, name };
                let is_there = file.entry(text, &entry)?.is_some();
                Ok(is_there.then_some(entry).into_iter().collect())
            });
            let seen = self
                .configs
                .preview(subject.clone(), Endpoint::All, gateway);
            let change = ClientConfigChange {
                subject,
                endpoint: Endpoint::All,
                precondition: seen.await.expect("a preview").precondition,
            };
            let no_token = |_| async { unreachable!("none is required") };
            self.configs
                .write(change, gateway, no_token)
                .await
                .expect("written");
        } else {
            let listed = self
                .configs
                .list(None, Endpoint::All, gateway)
                .await
                .clients;
            let listed = listed.into_iter().find(|listed| listed.client == client);
            if listed.expect("it is known").can_undo {
                self.configs.undo(subject).await.expect("undone");
            }
        }
    }

    async fn settings(&self, round: u64) {
        let settings = HistorySettings {
            keep_calls: 100_000 + round,
            ..HistorySettings::default()
        };
        self.hall
            .history()
            .change_settings(settings)
            .await
            .expect("kept");
    }

    /// Writes once everything that needs a member's process: its run, its port, its list, and its
    /// log.
    async fn members(&self) {
        let up = self.hall.start_member(&member()).await.expect("it starts");
        promise("port", up.port.expect("a port"));
        self.hall.stop_member(&member()).await.expect("it stops");
        promise("stopped", "");
    }
}
