//! Policies from rules for kinds of tools, single settings, manifests and profiles. They apply to
//! lists and calls, at each endpoint, also through the menu tools.

mod commands;
mod offers;

use std::path::PathBuf;

use guild_api::event::HallEvent;
use guild_api::wire::{
    ArgumentCheck, CatalogRequest, DecideApproval, Decision, HoldChanges, PolicyRulesOf,
    SaveProfile, SetToolPolicies, ToolMark, ToolPolicy,
};
use guild_model::Code;
use guild_model::manifest::Policy;
use guild_model::policy::{PolicyDecision, PolicyReason, PolicyRules, ToolClass};
use guild_model::profile::{MountedMember, Profile, ProfileName, ToolChange, ToolChoice};
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::http_client::HttpClient;
use crate::test_env::{ANY_PORT, HallEvents, Open, TestEnv, name, text, tool};

const SAID: [Option<bool>; 3] = [None, Some(false), Some(true)];
/// A combination of the hints that a server can give about a tool.
#[derive(Clone, Copy)]
struct Hints {
    read_only: Option<bool>,
    destructive: Option<bool>,
    open_world: Option<bool>,
}

impl Hints {
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for read_only in SAID {
            for destructive in SAID {
                for open_world in SAID {
                    all.push(Self {
                        read_only,
                        destructive,
                        open_world,
                    });
                }
            }
        }
        all
    }

    /// Returns a tool name that contains the hints, such as `r1_d0_o_`.
    fn tool(self) -> String {
        let said = |said| match said {
            None => "_",
            Some(false) => "0",
            Some(true) => "1",
        };
        let [r, d, o] = [self.read_only, self.destructive, self.open_world].map(said);
        format!("r{r}_d{d}_o{o}")
    }

    fn definition(self) -> Value {
        let mut annotations = serde_json::Map::new();
        for (key, said) in [
            ("readOnlyHint", self.read_only),
            ("destructiveHint", self.destructive),
            ("openWorldHint", self.open_world),
        ] {
            if let Some(said) = said {
                annotations.insert(key.into(), said.into());
            }
        }
        json!({
            "name": self.tool(),
            "inputSchema": {"type": "object"},
            "annotations": annotations,
        })
    }

    /// Returns the policy by the rules, computed independently of the tested code.
    fn by(self, rules: &PolicyRules) -> Option<Policy> {
        let own = if self.destructive == Some(true) {
            rules.destructive
        } else if self.read_only == Some(true) {
            rules.read_only
        } else if self.destructive == Some(false) {
            rules.changing
        } else if self.read_only == Some(false) {
            rules.destructive
        } else {
            rules.unsaid
        };
        let open = rules.open_world.filter(|_| self.open_world == Some(true));
        own.max(open)
    }
}

fn profile_name() -> ProfileName {
    ProfileName::parse("desk").expect("a name")
}

/// Writes a file with a list for the fixture. Returns its path.
fn list(env: &TestEnv, name: &str, tools: &[Value]) -> PathBuf {
    std::fs::create_dir_all(env.data_dir()).expect("a folder");
    let file = env.data_dir().join(format!("{name}-tools.json"));
    std::fs::write(&file, json!(tools).to_string()).expect("written");
    file
}

/// Adds a member with one tool for each combination of hints.
fn matrix_member(env: &TestEnv, manifest: Value) {
    let tools: Vec<Value> = Hints::all().into_iter().map(Hints::definition).collect();
    let file = list(env, "forge", &tools);
    env.member("forge")
        .args(["--tools-json", &file.display().to_string()])
        .manifest(manifest)
        .write();
}

async fn gateway(open: &Open) -> (HttpClient, String) {
    let state = open.hall.open_gateway(ANY_PORT).await;
    let address = state.address.expect("it listens");
    (HttpClient::new(&address), address)
}

async fn rules(open: &Open, profile: Option<ProfileName>, rules: PolicyRules) -> PolicyRules {
    let saving = PolicyRulesOf { profile, rules };
    open.hall.save_policy_rules(saving).await.expect("saved")
}

async fn set(open: &Open, profile: Option<ProfileName>, name: &str, policy: Option<Policy>) {
    let request = SetToolPolicies {
        profile,
        tools: vec![policy_of(name, policy)],
    };
    open.hall.set_tool_policies(request).await.expect("set");
}

fn policy_of(tool_name: &str, policy: Option<Policy>) -> ToolPolicy {
    ToolPolicy {
        member: name("forge"),
        tool: tool(tool_name),
        policy,
    }
}

fn desk_profile() -> Profile {
    Profile {
        name: profile_name(),
        listing: None,
        result_tokens: None,
        rules: PolicyRules::default(),
        members: vec![MountedMember {
            member: name("forge"),
            without_prefix: false,
            tools: ToolChoice::All,
            offers: guild_model::profile::ToolChoice::All,
            changes: Default::default(),
        }],
    }
}

async fn save_profile(open: &Open, profile: Profile) {
    let request = SaveProfile {
        profile,
        instead_of: None,
    };
    open.hall.save_profile(request).await.expect("saved");
}

/// Returns a tool's policy from an agent's view: from the list, from a call, and from a call with a
/// menu tool. Fails if the three differ.
async fn found_out(agent: &HttpClient, path: &str, called: &str, listed: &[Value]) -> Policy {
    let is_listed = listed.iter().any(|tool| tool["name"] == called);
    let mut ways = Vec::new();
    for (called, arguments) in [
        (called, json!({})),
        ("tools_call_write", json!({"name": called, "arguments": {}})),
    ] {
        let params = json!({"name": called, "arguments": arguments});
        let answer = agent.ask(path, "tools/call", params).await;
        let whole = answer.to_string();
        ways.push(
            if answer.get("error").is_none() && answer["result"]["isError"] != true {
                Policy::Allow
            } else if whole.contains("approval-missing") {
                Policy::Ask
            } else if whole.contains("permission is Deny") {
                Policy::Deny
            } else {
                panic!("{path} {called}: {whole}")
            },
        );
    }
    assert_eq!(ways[0], ways[1], "{path} {called}: through the menu alike");
    assert_eq!(
        is_listed,
        ways[0] != Policy::Deny,
        "{path} {called}: listed"
    );
    ways[0]
}

/// The endpoints that have the member's tools, each with the prefix of their names.
const PLACES: [(&str, &str); 3] = [
    ("/mcp", "forge__"),
    ("/members/forge/mcp", ""),
    ("/profiles/desk/mcp", "forge__"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tool_kinds_follow_their_rules_everywhere() {
    let env = TestEnv::new("kinds of tools");
    matrix_member(&env, json!({}));
    let open = env.started().await;
    save_profile(&open, desk_profile()).await;
    let (agent, _) = gateway(&open).await;
    let usual = PolicyRules {
        read_only: Some(Policy::Allow),
        destructive: Some(Policy::Ask),
        ..PolicyRules::default()
    };
    let strict = PolicyRules {
        read_only: Some(Policy::Ask),
        changing: Some(Policy::Ask),
        destructive: Some(Policy::Deny),
        unsaid: Some(Policy::Deny),
        open_world: Some(Policy::Allow),
    };
    let open_asks = PolicyRules {
        open_world: Some(Policy::Ask),
        ..usual
    };
    for (everywhere, of_profile) in [
        (PolicyRules::default(), PolicyRules::default()),
        (usual, strict),
        (strict, usual),
        (open_asks, PolicyRules::default()),
    ] {
        rules(&open, None, everywhere).await;
        rules(&open, Some(profile_name()), of_profile).await;
        for (path, prefix) in PLACES {
            let listed = agent.tools(path).await;
            for hints in Hints::all() {
                let global = hints.by(&everywhere).unwrap_or(Policy::Allow);
                let expected = match path.contains("profiles") {
                    true => global.max(hints.by(&of_profile).unwrap_or(Policy::Allow)),
                    false => global,
                };
                let called = format!("{prefix}{}", hints.tool());
                let found = found_out(&agent, path, &called, &listed).await;
                assert_eq!(found, expected, "{path} {called} by {everywhere:?}");
            }
        }
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn policy_order_is_tool_rule_manifest() {
    let env = TestEnv::new("precedence");
    // Four read-only tools that differ in their other settings.
    let [plain, manifest_asks, manifest_denies, by_hand] =
        ["r1_d__o_", "r1_d__o0", "r1_d__o1", "r1_d0_o_"];
    matrix_member(
        &env,
        json!({"tools": {
            manifest_asks: {"policy": "ask"},
            manifest_denies: {"policy": "deny"},
            by_hand: {"policy": "deny"},
        }}),
    );
    let open = env.started().await;
    let (agent, _) = gateway(&open).await;
    set(&open, None, by_hand, Some(Policy::Ask)).await;
    let allow = PolicyRules {
        read_only: Some(Policy::Allow),
        ..PolicyRules::default()
    };
    rules(&open, None, allow).await;
    let by_rule = PolicyReason::Rule {
        class: ToolClass::ReadOnly,
    };
    let catalog = open.hall.catalog(CatalogRequest::default()).await;
    let catalog = catalog.expect("a catalogue");
    let listed = agent.tools("/mcp").await;
    for (one, policy, reason) in [
        (plain, Policy::Allow, by_rule),
        (manifest_asks, Policy::Allow, by_rule),
        (manifest_denies, Policy::Deny, PolicyReason::Manifest),
        (by_hand, Policy::Ask, PolicyReason::Hand),
    ] {
        let line = catalog
            .tools
            .iter()
            .find(|line| *line.name == format!("forge/{one}"));
        let line = line.expect("a line");
        assert_eq!(
            (line.policy, line.policy_reason),
            (Some(policy), Some(reason)),
            "{one}"
        );
        let called = format!("forge__{one}");
        assert_eq!(found_out(&agent, "/mcp", &called, &listed).await, policy);
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bulk_policies_apply_all_or_nothing() {
    let env = TestEnv::new("many tools");
    matrix_member(&env, json!({}));
    let open = env.started().await;
    save_profile(&open, desk_profile()).await;
    let names: Vec<String> = Hints::all().into_iter().map(Hints::tool).collect();
    set(&open, None, &names[3], Some(Policy::Ask)).await;
    let all = |policy| names.iter().map(|name| policy_of(name, policy)).collect();
    let policies = async || {
        let catalog = open.hall.catalog(CatalogRequest::default()).await;
        let tools = catalog.expect("a catalogue").tools.into_iter();
        let tools = tools.filter(|tool| tool.policy.is_some());
        tools.map(|tool| tool.policy).collect::<Vec<_>>()
    };
    let before = policies().await;
    let request = |profile, tools| SetToolPolicies { profile, tools };
    let denied = open
        .hall
        .set_tool_policies(request(None, all(Some(Policy::Deny))))
        .await
        .expect("set");
    assert!(
        policies()
            .await
            .iter()
            .all(|one| *one == Some(Policy::Deny))
    );
    let undone = request(None, denied.before);
    open.hall.set_tool_policies(undone).await.expect("undone");
    assert_eq!(policies().await, before);

    // One of the policies can't be set, so none is set.
    let mut tools: Vec<ToolPolicy> = all(Some(Policy::Deny));
    tools.push(ToolPolicy {
        member: name("nobody"),
        ..policy_of("x", Some(Policy::Deny))
    });
    let refused = open
        .hall
        .set_tool_policies(request(Some(profile_name()), tools))
        .await;
    assert_eq!(refused.expect_err("no member").code, Code::ProfileRefused);
    let of = CatalogRequest {
        profile: Some(profile_name()),
    };
    let catalog = open.hall.catalog(of).await.expect("a catalogue");
    let hand = |reason| reason == Some(PolicyReason::ProfileHand);
    assert!(!catalog.tools.iter().any(|tool| hand(tool.policy_reason)));
    let unknown = CatalogRequest {
        profile: Some(ProfileName::parse("gone").expect("a name")),
    };
    let unknown = open.hall.catalog(unknown).await;
    assert_eq!(unknown.expect_err("no profile").code, Code::ProfileUnknown);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preview_says_what_rules_would_change_and_changes_nothing() {
    let env = TestEnv::new("a preview");
    matrix_member(&env, json!({}));
    let open = env.started().await;
    let (agent, _) = gateway(&open).await;
    let ask = PolicyRules {
        destructive: Some(Policy::Ask),
        ..PolicyRules::default()
    };
    let asking = |rules| PolicyRulesOf {
        profile: None,
        rules,
    };
    let preview = open.hall.preview_policy_rules(asking(ask)).await;
    let preview = preview.expect("a preview");
    let expected: Vec<String> = Hints::all()
        .into_iter()
        .filter(|hints| hints.by(&ask).is_some())
        .map(Hints::tool)
        .collect();
    let changed: Vec<&str> = preview
        .changes
        .iter()
        .map(|one| one.tool.as_str())
        .collect();
    assert_eq!(changed, expected);
    assert_eq!(preview.total, expected.len());
    let class = ToolClass::Destructive;
    assert!(preview.changes.iter().all(|change| {
        let reason = PolicyReason::Rule { class };
        let policy = Policy::Ask;
        change.after == PolicyDecision { policy, reason } && change.before.policy == Policy::Allow
    }));
    assert_eq!(
        preview.unheld,
        [name("forge")],
        "its changes pass as they come"
    );
    let listed = agent.tools("/mcp").await;
    let called = format!("forge__{}", expected[0]);
    let now = found_out(&agent, "/mcp", &called, &listed).await;
    assert_eq!(now, Policy::Allow, "nothing was saved");

    assert_eq!(rules(&open, None, ask).await, PolicyRules::default());
    let again = open.hall.preview_policy_rules(asking(ask)).await;
    assert_eq!(again.expect("a preview").total, 0);
    let held = HoldChanges {
        member: name("forge"),
        hold: true,
    };
    open.hall.hold_changes(held).await.expect("held");
    let again = open.hall.preview_policy_rules(asking(ask)).await;
    assert!(again.expect("a preview").unheld.is_empty());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rules_hold_at_once_for_whoever_listens() {
    let env = TestEnv::new("rules at once");
    matrix_member(&env, json!({}));
    let open = env.started().await;
    let (agent, address) = gateway(&open).await;
    let mut session = Agent::open(address, "2025-11-25").await;
    let mut overheard = session.listen(&[]).await;
    let deny = PolicyRules {
        destructive: Some(Policy::Deny),
        ..PolicyRules::default()
    };
    rules(&open, None, deny).await;
    let denied = "forge__r0_d1_o_";
    let listed = agent.tools("/mcp").await;
    let found = found_out(&agent, "/mcp", denied, &listed).await;
    assert_eq!(found, Policy::Deny, "without a wait");
    loop {
        let notification = overheard.next().await;
        if notification["method"] == "notifications/tools/list_changed" {
            break;
        }
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn always_allow_affects_one_tool_and_profile() {
    let env = TestEnv::new("always in a profile");
    matrix_member(&env, json!({}));
    let open = env.started().await;
    let mut profile = desk_profile();
    profile.rules.destructive = Some(Policy::Ask);
    save_profile(&open, profile).await;
    let (agent, _) = gateway(&open).await;
    let _window = open.hall.attend();
    let mut events = HallEvents::of(&open.hall);
    let (asked, other) = ("forge__r0_d1_o_", "forge__r0_d1_o0");
    let asking = tokio::spawn({
        let agent = agent.clone();
        async move { agent.call("/profiles/desk/mcp", asked, json!({})).await }
    });
    let approval = events.find("the question", |event| match event {
        HallEvent::ApprovalAsked { approval } => Some(approval.clone()),
        _ => None,
    });
    let decided = DecideApproval {
        id: approval.await.id,
        decision: Decision::Always,
        arguments: None,
        check: ArgumentCheck::Refuse,
    };
    open.hall.decide_approval(decided).await.expect("it waits");
    assert_ne!(asking.await.expect("no panic")["isError"], true);
    // If this call asked again, it would wait for a person and the test would hang.
    let unasked = agent.call("/profiles/desk/mcp", asked, json!({})).await;
    assert_ne!(unasked["isError"], true);
    let state = open.hall.gateway().await;
    let change = ToolChange {
        policy: Some(Policy::Allow),
        ..ToolChange::default()
    };
    let own = tool("r0_d1_o_");
    let changes = &state.profiles[0].members[0].changes;
    assert_eq!(changes.iter().collect::<Vec<_>>(), [(&own, &change)]);
    let of = CatalogRequest {
        profile: Some(profile_name()),
    };
    let catalog = open.hall.catalog(of).await.expect("a catalogue");
    let other = other.replace("__", "/");
    let other = catalog.tools.iter().find(|tool| *tool.name == other);
    assert_eq!(other.expect("a line").policy, Some(Policy::Ask));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_says_less_of_a_tool_gains_nothing_silently() {
    let env = TestEnv::new("another word");
    let said = |read_only: bool| {
        let mut melt = json!({"name": "melt", "inputSchema": {"type": "object"}});
        melt["annotations"] = match read_only {
            true => json!({"readOnlyHint": true}),
            false => json!({"destructiveHint": true}),
        };
        vec![melt]
    };
    let mut files = Vec::new();
    for member in ["held", "free"] {
        let file = list(&env, member, &said(false));
        let switch = ["--change-tools-file".to_owned(), file.display().to_string()];
        env.member(member).args(switch).write();
        files.push(file);
    }
    let mut open = env.started().await;
    let hold = HoldChanges {
        member: name("held"),
        hold: true,
    };
    open.hall.hold_changes(hold).await.expect("held");
    let (agent, _) = gateway(&open).await;
    let usual = PolicyRules {
        read_only: Some(Policy::Allow),
        destructive: Some(Policy::Ask),
        ..PolicyRules::default()
    };
    rules(&open, None, usual).await;
    let listed = agent.tools("/mcp").await;
    for called in ["held__melt", "free__melt"] {
        let found = found_out(&agent, "/mcp", called, &listed).await;
        assert_eq!(found, Policy::Ask);
    }

    let mut events = HallEvents::of(&open.hall);
    for (member, file) in ["held", "free"].into_iter().zip(&files) {
        std::fs::write(file, json!(said(true)).to_string()).expect("written");
        open.result(member, "change_tools", "{}").await;
    }
    // Changed tools are not withheld here, so the rule for read-only tools applies at once, with a
    // warning.
    let warning = events.find("the warning", |event| match event {
        HallEvent::Warning { report } if report.code == Code::HintsLoosened => Some(report.clone()),
        _ => None,
    });
    let warning = warning.await;
    assert_eq!(warning.member, Some(name("free")));
    assert!(warning.message.contains("melt"), "{warning}");
    let free = agent.call("/mcp", "free__melt", json!({})).await;
    assert_ne!(free["isError"], true, "{free}");

    // The review includes annotations. While a change is withheld, agents' calls of the tool are
    // rejected.
    open.shown("held", "its tool held", |view| view.trust.held == 1)
        .await;
    let catalog = open.hall.catalog(CatalogRequest::default()).await;
    let catalog = catalog.expect("a catalogue");
    let line = catalog.tools.iter().find(|tool| &*tool.name == "held/melt");
    assert_eq!(line.and_then(|line| line.mark), Some(ToolMark::Changed));
    let held = json!({"name": "held__melt", "arguments": {}});
    let held = agent.ask("/mcp", "tools/call", held).await;
    assert_eq!(held["error"]["data"]["code"], "tool-held", "{held}");
    assert!(!text(&free).is_empty(), "the server did answer");
    open.close().await;
}
