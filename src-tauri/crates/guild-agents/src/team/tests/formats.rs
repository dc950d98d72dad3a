//! Tests the formats in which other programs than Guild Hall run the members.

use ::cel::{Context, Program};

use super::*;

/// The access to a member: these tools, and all prompts and resources.
fn tools(tools: &[&str]) -> MemberAccess {
    MemberAccess {
        tools: Some(tools.iter().map(|tool| (*tool).to_owned()).collect()),
        has_offers: true,
        prompts: OfferAccess::ALL,
        resources: OfferAccess::ALL,
    }
}

fn unknown() -> MemberAccess {
    MemberAccess {
        tools: None,
        has_offers: false,
        prompts: OfferAccess::NONE,
        resources: OfferAccess::NONE,
    }
}

fn exported_for(
    manifests: &BTreeMap<&'static str, Manifest>,
    access: &BTreeMap<&str, MemberAccess>,
    target: TeamTarget,
) -> TeamExport {
    let access = access.iter().map(|(member, access)| (*member, access));
    exported_from(
        manifests,
        BTreeMap::new(),
        access.collect(),
        &request(target),
    )
    .expect("exported")
}

/// The members of the other tests, with tools that `time` allows and unknown ones of `issues`.
fn usual(target: TeamTarget) -> TeamExport {
    let access = BTreeMap::from([
        ("time", tools(&["now", "zones"])),
        ("issues", unknown()),
        ("search", tools(&[])),
        ("maps", tools(&["find"])),
        ("box", tools(&["open"])),
    ]);
    exported_for(&manifests(), &access, target)
}

/// Replaces variables as agentgateway does when it reads its file.
fn expand(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let text = text.replace("# yaml-language-server: $schema", "#");
    let (mut out, mut rest) = (String::new(), text.as_str());
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(after) = after.strip_prefix('$') {
            out.push('$');
            rest = after;
            continue;
        }
        let (name, after) = match after.strip_prefix('{') {
            Some(after) => after.split_once('}').expect("an end"),
            None => panic!("an unescaped $ before {after:?}"),
        };
        let (name, default) = name
            .split_once(":-")
            .map_or((name, None), |(n, d)| (n, Some(d)));
        let value = value(name).or_else(|| default.map(str::to_owned));
        out.push_str(&value.unwrap_or_else(|| panic!("{name} has no value")));
        rest = after;
    }
    out + rest
}

/// Reads agentgateway's file as agentgateway does.
fn configuration(exported: &TeamExport) -> Value {
    let text = text_of(exported, "agentgateway.yaml");
    let expanded = expand(text, |name| {
        let is_set = exported.to_set.iter().any(|one| one.name == name) || name == "PATH";
        (is_set && name != "OTLP_HOST").then(|| format!("value of {name}"))
    });
    read(&expanded).remove(0)
}

fn reasons(exported: &TeamExport) -> BTreeMap<&str, &str> {
    let left_out = exported.left_out.iter();
    left_out
        .map(|left| (left.member.as_str(), left.why.as_str()))
        .collect()
}

#[test]
fn agentgateway_file_fits_its_schema() {
    let exported = usual(TeamTarget::Agentgateway);
    let validator = validator("agentgateway.schema.json");
    fits(
        &validator,
        &read(text_of(&exported, "agentgateway.yaml"))[0],
    );
    let mut config = configuration(&exported);
    fits(&validator, &config);
    assert_eq!(exported.members, ["issues", "search", "time"]);
    assert_eq!(
        config["mcp"]["policies"]["apiKey"],
        json!({
            "keys": [{"key": "value of GUILD_HALL_TOKEN"}], "mode": "strict",
        })
    );
    assert_eq!(
        config["frontendPolicies"]["tracing"],
        json!({"host": "localhost:4317", "randomSampling": true})
    );
    let targets = &config["mcp"]["targets"];
    assert_eq!(
        targets[0],
        json!({"name": "issues", "stdio": {
            "cmd": "npx",
            "args": ["-y", "@example/issues", "--api-key", "value of GUILD_SECRET_ISSUES_API_KEY"],
            "env": {
                "PATH": "value of PATH", "HOME": "/tmp",
                "API_KEY": "value of GUILD_SECRET_ISSUES_API_KEY_2",
                "ISSUES_TOKEN": "value of GUILD_SECRET_ISSUES_TOKEN",
                "REGION": "value of REGION",
            },
            "clear_env": true,
        }})
    );
    assert_eq!(
        targets[1],
        json!({
            "name": "search",
            "mcp": {"host": "https://search.example.com:8443/mcp"},
            "policies": {"requestHeaderModifier": {"set": {
                "Authorization": "Bearer value of GUILD_SECRET_SEARCH",
            }}},
        })
    );
    let why = reasons(&exported);
    for (member, part) in [
        ("maps", "starts no containers"),
        ("sample", "part of Guild Hall"),
        ("files", "/home/ada"),
        ("off", "disabled"),
    ] {
        assert!(why[member].contains(part), "{member}: {}", why[member]);
    }
    config["mcp"]["targets"][0]["stdio"]["command"] = "npx".into();
    assert!(
        !validator.is_valid(&config),
        "the schema rejects unknown fields"
    );
}

#[test]
fn agentgateway_address_keeps_its_query() {
    let manifests = manifests_of([
        (
            "Wiki_1",
            json!({"transport": "http", "url": "https://wiki.example.com/mcp?api_key=AAA&lang=en"}),
        ),
        (
            "wiki-1",
            json!({"transport": "sse", "url": "http://wiki.example.com:81/sse"}),
        ),
        (
            "1st",
            json!({"transport": "stdio", "command": "uvx", "args": ["a$b", "$${x}", "a~", "a: \"b\""]}),
        ),
    ]);
    let exported = exported_for(&manifests, &BTreeMap::new(), TeamTarget::Agentgateway);
    let config = configuration(&exported);
    fits(&validator("agentgateway.schema.json"), &config);
    let targets = config["mcp"]["targets"].as_array().expect("targets");
    let of = |name: &str| {
        let mut targets = targets.iter();
        targets
            .find(|target| target["name"] == name)
            .expect("the target")
    };
    assert_eq!(
        of("wiki-1")["mcp"],
        json!({
            "host": "wiki.example.com", "port": 443,
            "path": "/mcp?api_key=value of GUILD_SECRET_WIKI_1_API_KEY&lang=en",
        })
    );
    assert_eq!(of("wiki-1")["policies"], json!({"backendTLS": {}}));
    assert_eq!(
        of("wiki-1-2")["sse"],
        json!({"host": "http://wiki.example.com:81/sse"})
    );
    assert_eq!(
        of("server-1st")["stdio"]["args"],
        json!(["a$b", "${x}", "a~", "a: \"b\""])
    );
    assert_eq!(
        config["mcp"]["policies"]["mcpAuthorization"],
        json!({"rules": ["false"]}),
        "without a rule agentgateway allows everything"
    );
    let note = exported
        .notes
        .iter()
        .find(|note| note.contains("unknown here"));
    assert!(
        note.is_some_and(|note| note.contains("1st, Wiki_1, wiki-1")),
        "{:?}",
        exported.notes
    );
}

/// Evaluates the rules as agentgateway does: one true rule allows, and an error is not true.
fn allows(rules: &[Value], kind: &str, target: &str, name: &str) -> bool {
    let mut context = Context::default();
    let item = BTreeMap::from([("target", target), ("name", name)]);
    let mcp = BTreeMap::from([(kind, item)]);
    context.add_variable("mcp", mcp).expect("a variable");
    rules.iter().any(|rule| {
        let program = Program::compile(rule.as_str().expect("a string")).expect("a valid rule");
        matches!(program.execute(&context), Ok(::cel::Value::Bool(true)))
    })
}

fn rules_of(exported: &TeamExport) -> Vec<Value> {
    let config = configuration(exported);
    let rules = &config["mcp"]["policies"]["mcpAuthorization"]["rules"];
    rules.as_array().expect("rules").clone()
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]{1,2}",
        "(x\" \\|\\| true \\|\\| \"|\\\\\"|\\\\|\\$\\{HOME\\}|\\$HOME|\\$\\$|a\"\\]|'|\\\\u0061|# a|\\{\\{)",
        "[ -~]{1,12}",
        "\\PC{1,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn cel_rules_allow_exactly_the_tools(
        one in prop::collection::btree_set(any_name(), 0..6),
        other in prop::collection::btree_set(any_name(), 0..6),
        more in prop::collection::btree_set(any_name(), 0..6),
    ) {
        let server = json!({"transport": "stdio", "command": "uvx", "args": ["a"]});
        let manifests = manifests_of([("a", server.clone()), ("b", server)]);
        let of = |names: &std::collections::BTreeSet<String>| -> Vec<String> {
            names.iter().cloned().collect()
        };
        let access = BTreeMap::from([
            ("a", MemberAccess {
                tools: Some(of(&one)), has_offers: true,
                prompts: OfferAccess::Only(of(&other)),
                resources: OfferAccess::Except { names: of(&other), prefixes: vec![] },
            }),
            ("b", MemberAccess {
                tools: Some(of(&other)), has_offers: true,
                prompts: OfferAccess::NONE,
                resources: OfferAccess::Except { names: vec![], prefixes: of(&one) },
            }),
        ]);
        let rules = rules_of(&exported_for(&manifests, &access, TeamTarget::Agentgateway));
        for name in one.iter().chain(&other).chain(&more) {
            prop_assert_eq!(allows(&rules, "tool", "a", name), one.contains(name));
            prop_assert_eq!(allows(&rules, "tool", "b", name), other.contains(name));
            prop_assert!(!allows(&rules, "tool", "c", name));
            prop_assert_eq!(allows(&rules, "prompt", "a", name), other.contains(name));
            prop_assert!(!allows(&rules, "prompt", "b", name));
            prop_assert_eq!(allows(&rules, "resource", "a", name), !other.contains(name));
            let is_denied = one.iter().any(|prefix| name.starts_with(prefix));
            prop_assert_eq!(allows(&rules, "resource", "b", name), !is_denied);
            prop_assert!(!allows(&rules, "task", "a", name));
        }
    }
}

#[test]
fn many_tools_become_several_cel_rules() {
    let names: Vec<String> = (0..500)
        .map(|number| format!("{number}{}", "x".repeat(60)))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let server = json!({"transport": "stdio", "command": "uvx", "args": ["a"]});
    let manifests = manifests_of([("a", server)]);
    let access = BTreeMap::from([("a", tools(&names))]);
    let rules = rules_of(&exported_for(&manifests, &access, TeamTarget::Agentgateway));
    assert_eq!(
        rules.len(),
        7,
        "five of tools, one of prompts, one of resources"
    );
    assert!(names.iter().all(|name| allows(&rules, "tool", "a", name)));
    assert!(!allows(&rules, "tool", "a", "x"));
}

/// Checks resources against the schema of their kind.
fn fit_their_kinds(all: &[Value], schema: &Value) {
    let kubernetes = validator("kubernetes.schema.json");
    for one in all {
        let kind = one["kind"].as_str().expect("a kind");
        let own = schema.get(kind).map(validator_of);
        let validator = own.as_ref().unwrap_or(&kubernetes);
        fits(validator, one);
        let mut wrong = one.clone();
        wrong["spec"]["comand"] = "npx".into();
        assert!(
            !validator.is_valid(&wrong),
            "the schema of {kind} rejects unknown fields"
        );
    }
}

#[test]
fn agentgateway_resources_fit_their_crds() {
    let exported = usual(TeamTarget::AgentgatewayKubernetes);
    let all = read(text_of(&exported, "agentgateway-kubernetes.yaml"));
    fit_their_kinds(&all, &schema_of("agentgateway-kubernetes.schema.json"));
    let kinds: Vec<&str> = all.iter().filter_map(|one| one["kind"].as_str()).collect();
    assert_eq!(
        kinds[..4],
        [
            "Gateway",
            "HTTPRoute",
            "AgentgatewayBackend",
            "AgentgatewayPolicy"
        ]
    );
    assert_eq!(kinds[4..7], ["Deployment", "Service", "NetworkPolicy"]);
    assert_eq!(exported.members, ["maps", "same-port", "search"]);
    let targets = &all[2]["spec"]["mcp"]["targets"];
    assert_eq!(
        targets[0],
        json!({"name": "maps", "static": {
            "backendRef": {"name": "maps"}, "port": 9000, "path": "/mcp", "protocol": "StreamableHTTP",
        }})
    );
    assert_eq!(
        targets[2],
        json!({"name": "search", "static": {
            "host": "search.example.com", "port": 8443, "path": "/mcp", "protocol": "StreamableHTTP",
            "policies": {"tls": {}, "auth": {"credentials": [{
                "secretRef": {
                    "name": "guild-hall-writing-2", "key": "GUILD_SECRET_SEARCH_AUTHORIZATION",
                },
                "location": {"header": {"name": "Authorization"}},
            }]}},
        }})
    );
    let rules = &all[2]["spec"]["policies"]["mcp"]["authorization"]["policy"]["matchExpressions"];
    let rules = rules.as_array().expect("rules");
    assert!(allows(rules, "tool", "maps", "find"));
    assert!(!allows(rules, "tool", "maps", "other"));
    assert!(!allows(rules, "tool", "same-port", "find"));
    assert_eq!(
        all[3]["spec"]["traffic"]["apiKeyAuthentication"],
        json!({"mode": "Strict", "secretRef": {"name": "guild-hall-writing-2-token"}})
    );
    let container = &all[4]["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(container["name"], "maps");
    assert_eq!(
        container["env"][0]["valueFrom"]["secretKeyRef"]["key"],
        "GUILD_SECRET_MAPS"
    );
    let why = reasons(&exported);
    for (member, part) in [
        ("time", "starts no programs"),
        ("box", "uses stdio"),
        ("sample", "part of Guild Hall"),
    ] {
        assert!(why[member].contains(part), "{member}: {}", why[member]);
    }
    let token = "secret generic guild-hall-writing-2-token --from-file=token=./token";
    assert!(
        exported.notes.iter().any(|note| note.contains(token)),
        "{:?}",
        exported.notes
    );
}

#[test]
fn toolhive_resources_fit_their_crds() {
    let exported = usual(TeamTarget::Toolhive);
    let all = read(text_of(&exported, "toolhive.yaml"));
    let kinds: Vec<&str> = all.iter().filter_map(|one| one["kind"].as_str()).collect();
    assert_eq!(
        kinds,
        [
            "MCPTelemetryConfig",
            "MCPGroup",
            "MCPServer",
            "MCPServer",
            "MCPServer",
            "MCPServerEntry",
            "MCPServer",
            "VirtualMCPServer",
        ]
    );
    let schema = schema_of("toolhive.schema.json");
    fit_their_kinds(&all, &schema);
    for one in &all {
        // The API server rejects two references to the same Secret.
        let secrets = one["spec"]["secrets"].as_array().into_iter().flatten();
        let names: Vec<String> = secrets.map(|secret| secret["name"].to_string()).collect();
        let unique: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
    }
    let named = |name: &str| {
        let mut all = all.iter();
        &all.find(|one| one["metadata"]["name"] == name)
            .expect("the resource")["spec"]
    };
    assert_eq!(named("maps")["image"], "ghcr.io/example/maps:2");
    assert_eq!(named("maps")["transport"], "streamable-http");
    assert_eq!(named("maps")["args"], json!(["--port", "9000", "$HOME"]));
    assert_eq!(
        named("maps")["secrets"],
        json!([{
            "name": "guild-hall-writing-2-guild-secret-maps", "key": "value", "targetEnvName": "MAPS_KEY",
        }])
    );
    assert_eq!(named("box")["transport"], "stdio");
    let template = &named("time")["podTemplateSpec"]["spec"]["containers"][0];
    assert_eq!(template["command"], json!(["uvx"]));
    assert_eq!(
        named("time")["image"],
        "registry.example.com/guild-hall:1.0"
    );
    assert_eq!(
        named("search")["headerForward"]["addHeadersFromSecret"],
        json!([{
            "headerName": "Authorization",
            "valueSecretRef": {
                "name": "guild-hall-writing-2-guild-secret-search-authorization", "key": "value",
            },
        }])
    );
    let why = reasons(&exported);
    assert!(why["issues"].contains("its arguments contain"), "{why:?}");
    let needed = exported
        .to_set
        .iter()
        .find(|one| one.name.ends_with("SEARCH_AUTHORIZATION"));
    let needed = needed.map(|one| one.what.as_str());
    assert_eq!(
        needed,
        Some("the value of Authorization in plugin.json of search")
    );
}

#[test]
fn toolhive_offers_only_allowed_tools() {
    let exported = usual(TeamTarget::Toolhive);
    let all = read(text_of(&exported, "toolhive.yaml"));
    let server = &all.last().expect("resources")["spec"];
    let aggregation = &server["config"]["aggregation"];
    assert_eq!(aggregation["defaultToolVisibility"], "deny");
    assert_eq!(
        aggregation["tools"],
        json!([
            {"workload": "box", "filter": ["open"]},
            {"workload": "maps", "filter": ["find"]},
            {"workload": "same-port", "excludeAll": true},
            {"workload": "search", "excludeAll": true},
            {"workload": "time", "filter": ["now", "zones"]},
        ])
    );
    let policies = &server["incomingAuth"]["authzConfig"]["inline"]["policies"];
    let policies: Vec<&str> = policies
        .as_array()
        .expect("policies")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let tools: Vec<&str> = policies
        .iter()
        .copied()
        .filter(|one| one.contains("call_tool"))
        .collect();
    assert_eq!(tools.len(), 4);
    assert!(tools[0].contains("Tool::\"box_open\""), "{tools:?}");
    let own = all
        .iter()
        .find(|one| one["metadata"]["name"] == "same-port");
    let own = &own.expect("the member")["spec"]["authzConfig"]["inline"]["policies"];
    assert_eq!(*own, json!(["forbid(principal, action, resource);"]));
}

#[test]
fn other_programs_files_contain_no_secret() {
    for target in [
        TeamTarget::Agentgateway,
        TeamTarget::AgentgatewayKubernetes,
        TeamTarget::Toolhive,
    ] {
        let exported = usual(target);
        for file in &exported.files {
            for secret in ["sk-written-out", "in-plain-text"] {
                assert!(!file.text.contains(secret), "{}", file.path);
            }
            let refers = file.text.contains("${secret:") || file.text.contains("${env:");
            let is_connection = file.path == "connect/plugin.json";
            assert!(is_connection || !refers, "{}", file.path);
        }
        assert!(
            exported
                .notes
                .iter()
                .any(|note| note.contains("permission Ask"))
        );
    }
}

#[test]
fn one_secret_twice_becomes_two_in_toolhive() {
    let manifests = manifests_of([(
        "a",
        json!({
            "transport": "stdio", "env": {"A": "${secret:t}", "B": "${secret:t}", "C": "key=${secret:t}"},
            "container": {"image": "box", "entrypoint": "/bin/serve", "user": "1000:2000", "network": "none"},
        }),
    )]);
    let exported = exported_for(&manifests, &BTreeMap::new(), TeamTarget::Toolhive);
    let server = read(text_of(&exported, "toolhive.yaml")).remove(2);
    let names: Vec<&Value> = server["spec"]["secrets"]
        .as_array()
        .expect("secrets")
        .iter()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(
        names,
        [
            "guild-hall-writing-2-guild-secret-t",
            "guild-hall-writing-2-guild-secret-a-b",
            "guild-hall-writing-2-guild-secret-a-c",
        ]
    );
    let template = &server["spec"]["podTemplateSpec"]["spec"]["containers"][0];
    assert_eq!(template["command"], json!(["/bin/serve"]));
    assert_eq!(
        template["securityContext"],
        json!({"runAsUser": 1000, "runAsGroup": 2000})
    );
    assert_eq!(server["spec"]["permissionProfile"]["name"], "none");
}

#[test]
fn toolhive_command_needs_an_image() {
    let manifests = manifests_of([
        (
            "a",
            json!({"transport": "stdio", "command": "uvx", "args": ["a"]}),
        ),
        (
            "b",
            json!({"transport": "http", "url": "https://b.example.com/mcp?key=${secret:b}"}),
        ),
        (
            "c",
            json!({"transport": "http", "url": "https://c.example.com/mcp"}),
        ),
    ]);
    let request = ExportTeam {
        image: None,
        gateway_image: None,
        ..request(TeamTarget::Toolhive)
    };
    let exported =
        exported_from(&manifests, BTreeMap::new(), BTreeMap::new(), &request).expect("exported");
    assert_eq!(exported.members, ["c"]);
    let why = reasons(&exported);
    assert!(why["a"].contains("no image"), "{why:?}");
    assert!(why["b"].contains("its address contains"), "{why:?}");
    let request = ExportTeam {
        target: TeamTarget::Compose,
        ..request
    };
    let refused = exported_from(&manifests, BTreeMap::new(), BTreeMap::new(), &request);
    assert_eq!(refused.expect_err("no image").code, Code::ProfileRefused);
}
