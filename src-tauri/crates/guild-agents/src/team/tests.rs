mod formats;
mod rules;

use std::collections::BTreeMap;

use proptest::prelude::*;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value, json};

use super::yaml::{document, documents};
use super::*;
use guild_model::manifest::parse;

/// Parses YAML with the core schema.
fn read(text: &str) -> Vec<Value> {
    let events: Vec<Event<'_>> = Parser::new_from_str(text)
        .map(|event| event.unwrap_or_else(|error| panic!("{error}:\n{text}")).0)
        .collect();
    let mut values = Vec::new();
    let mut rest = events.into_iter();
    while let Some(event) = rest.next() {
        if !matches!(
            event,
            Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd
        ) {
            values.push(value(event, &mut rest));
        }
    }
    values
}

fn value<'t>(event: Event<'t>, rest: &mut impl Iterator<Item = Event<'t>>) -> Value {
    match event {
        Event::Scalar(text, ScalarStyle::Plain, ..) => match &*text {
            "null" | "~" | "" => Value::Null,
            "true" => true.into(),
            "false" => false.into(),
            other => serde_json::from_str(other).unwrap_or_else(|_| other.into()),
        },
        Event::Scalar(text, ..) => text.into_owned().into(),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            loop {
                match rest.next().expect("an end") {
                    Event::SequenceEnd => return items.into(),
                    event => items.push(value(event, rest)),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut map = Map::new();
            loop {
                let key = match rest.next().expect("an end") {
                    Event::MappingEnd => return map.into(),
                    event => match value(event, rest) {
                        Value::String(key) => key,
                        other => panic!("the key {other} is no text"),
                    },
                };
                let event = rest.next().expect("a value");
                map.insert(key, value(event, rest));
            }
        }
        other => panic!("{other:?}"),
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,20}",
        "(true|no|Null|0x1f|1e3|-|- a|a: b|# x|~|\\? x|\\| y|'|\"|\\$\\{A\\}|12:30:00|2001-01-01)",
        "( ?[a-z:#\\-]{0,6}\n){1,4}",
        "\\PC{0,12}",
        any::<String>(),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((any_text(), inner), 0..5)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn yaml_round_trips(values in prop::collection::vec(any_value(), 1..3)) {
        for value in &values {
            prop_assert_eq!(read(&document(value)), vec![value.clone()]);
        }
        prop_assert_eq!(read(&documents(&values)), values);
    }
}

fn manifests() -> BTreeMap<&'static str, Manifest> {
    let texts = [
        (
            "time",
            json!({"transport": "stdio", "command": "uvx", "args": ["mcp-server-time"]}),
        ),
        (
            "sample",
            json!({"transport": "http", "command": "${GUILDHALL}", "args": ["sample", "--port", "${PORT}"]}),
        ),
        (
            "issues",
            json!({
                "transport": "stdio", "command": "npx",
                "args": ["-y", "@example/issues", "--api-key", "sk-written-out-in-the-file-0123456789"],
                "env": {"ISSUES_TOKEN": "${secret:issues/TOKEN}", "API_KEY": "in-plain-text-9876", "REGION": "${env:REGION}"},
                "tools": {"delete": {"policy": "deny"}}, "lifecycle": "on-demand",
            }),
        ),
        (
            "search",
            json!({
                "transport": "http", "url": "https://search.example.com:8443/mcp",
                "headers": {"Authorization": "Bearer ${secret:search}"},
            }),
        ),
        (
            "maps",
            json!({
                "transport": "http", "env": {"MAPS_KEY": "${secret:maps}", "PRICE": "5$"},
                "container": {"image": "ghcr.io/example/maps:2", "port": 9000, "args": ["--port", "9000", "$HOME"], "memory": "256m", "user": "1000"},
            }),
        ),
        (
            "files",
            json!({"transport": "stdio", "command": "npx", "args": ["-y", "files", "/home/ada"]}),
        ),
        (
            "own",
            json!({"transport": "stdio", "command": "node", "args": ["${PLUGIN_DIR}/server.js"]}),
        ),
        (
            "near",
            json!({"transport": "http", "url": "http://localhost:3000/mcp"}),
        ),
        (
            "box",
            json!({"transport": "stdio", "container": {"image": "box"}}),
        ),
        (
            "same-port",
            json!({"transport": "http", "container": {"image": "box", "port": 9000}}),
        ),
        (
            "off",
            json!({"transport": "stdio", "command": "uvx", "args": ["x"], "enabled": false}),
        ),
    ];
    manifests_of(texts)
}

fn manifests_of<const N: usize>(
    texts: [(&'static str, Value); N],
) -> BTreeMap<&'static str, Manifest> {
    let read = |(name, mut text): (&'static str, Value)| {
        text["name"] = name.into();
        let parsed = parse(text.to_string().as_bytes(), "plugin.json");
        (
            name,
            parsed
                .manifest
                .unwrap_or_else(|report| panic!("{name}: {report}")),
        )
    };
    texts.into_iter().map(read).collect()
}

fn exported(target: TeamTarget) -> TeamExport {
    exported_of(&manifests(), target)
}

fn exported_of(manifests: &BTreeMap<&'static str, Manifest>, target: TeamTarget) -> TeamExport {
    exported_with(manifests, BTreeMap::new(), target)
}

fn exported_with(
    manifests: &BTreeMap<&'static str, Manifest>,
    held: BTreeMap<&str, Vec<&str>>,
    target: TeamTarget,
) -> TeamExport {
    exported_from(manifests, held, BTreeMap::new(), &request(target)).expect("exported")
}

fn exported_from(
    manifests: &BTreeMap<&'static str, Manifest>,
    held: BTreeMap<&str, Vec<&str>>,
    access: BTreeMap<&str, &MemberAccess>,
    request: &ExportTeam,
) -> Result<TeamExport, Report> {
    let members: Vec<Value> = manifests
        .keys()
        .map(|name| json!({"member": name}))
        .collect();
    let profile = json!({"name": "Writing.2", "members": members});
    let profile: Profile = serde_json::from_value(profile).expect("a profile");
    let team = Team {
        profile: &profile,
        manifests: manifests
            .iter()
            .map(|(name, manifest)| (*name, Ok(manifest)))
            .collect(),
        settings: json!({
            "enabled": true, "listing": "lazy", "policies": {"time": {"now": "ask", "zones": "allow"}},
        }),
        held,
        access,
    };
    export(&team, request)
}

fn request(target: TeamTarget) -> ExportTeam {
    ExportTeam {
        profile: "Writing.2".to_owned().try_into().expect("a name"),
        target,
        image: Some("registry.example.com/guild-hall:1.0".to_owned()),
        gateway_image: Some("registry.example.com/gateway:3".to_owned()),
        gateway_port: None,
        url: None,
    }
}

fn validator(schema: &str) -> jsonschema::Validator {
    validator_of(&schema_of(schema))
}

fn schema_of(schema: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/data/team");
    let text = std::fs::read_to_string(path.join(schema)).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

fn validator_of(schema: &Value) -> jsonschema::Validator {
    jsonschema::options().build(schema).expect("a schema")
}

fn fits(validator: &jsonschema::Validator, value: &Value) {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
}

#[test]
fn compose_file_fits_the_specification() {
    let exported = exported(TeamTarget::Compose);
    let compose = read(&exported.files[0].text).remove(0);
    let validator = validator("compose.schema.json");
    fits(&validator, &compose);
    let wrong = json!({"services": {"a": {"image": "b", "readonly": true}}});
    assert!(
        !validator.is_valid(&wrong),
        "the schema refuses what there is not"
    );
    let services = &compose["services"];
    for name in ["guild-hall", "server-maps"] {
        assert_eq!(services[name]["network_mode"], "service:gateway");
        assert_eq!(services[name]["read_only"], true);
        assert_eq!(services[name]["cap_drop"], json!(["ALL"]));
    }
    assert_eq!(services["gateway"]["ports"], json!(["127.0.0.1:8080:8080"]));
    assert_eq!(services["server-maps"]["environment"]["PRICE"], "5$$");
    assert_eq!(
        services["server-maps"]["command"],
        json!(["--port", "9000", "$$HOME"])
    );
    assert_eq!(
        services["server-maps"]["environment"]["MAPS_KEY"],
        "${GUILD_SECRET_MAPS:?has to be set}"
    );
    assert_eq!(
        services["guild-hall"]["tmpfs"],
        json!([
            "/tmp:exec",
            "/var/lib/guild-hall:uid=10001,gid=10001,exec,mode=0700"
        ]),
        "npx and uvx run what they have fetched from there"
    );
    assert_eq!(services["server-maps"]["tmpfs"], json!(["/tmp:exec"]));
    let serve = &services["guild-hall"]["environment"];
    assert!(serve.get("GUILD_SECRET_ISSUES_TOKEN").is_some(), "{serve}");
    assert_eq!(
        serve.get("GUILD_SECRET_MAPS"),
        None,
        "it is the container's"
    );
}

#[test]
fn the_clusters_manifests_fit_its_schemas_and_give_away_nothing() {
    let exported = exported(TeamTarget::Kubernetes);
    let all = read(&exported.files[0].text);
    let validator = validator("kubernetes.schema.json");
    let kinds: Vec<&Value> = all.iter().map(|one| &one["kind"]).collect();
    assert_eq!(
        kinds,
        ["ConfigMap", "Deployment", "Service", "NetworkPolicy"]
    );
    for one in &all {
        fits(&validator, one);
    }
    let mut wrong = all[1].clone();
    wrong["spec"]["template"]["spec"]["containers"][0]["ports"][0]["containerPort"] = "mcp".into();
    assert!(
        !validator.is_valid(&wrong),
        "the schema refuses what there is not"
    );
    let pod = &all[1]["spec"]["template"]["spec"];
    let names: Vec<&Value> = pod["containers"]
        .as_array()
        .expect("containers")
        .iter()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(names, ["gateway", "guild-hall", "server-maps"]);
    for container in &pod["containers"].as_array().expect("containers")[1..] {
        assert_eq!(container["securityContext"]["readOnlyRootFilesystem"], true);
        assert_eq!(container["securityContext"]["runAsNonRoot"], true);
    }
    let serve = pod["containers"][1]["env"].to_string();
    assert!(serve.contains("\"GUILD_SECRET_ISSUES_TOKEN\""), "{serve}");
    assert!(!serve.contains("GUILD_SECRET_MAPS"), "{serve}");
    assert_eq!(all[2]["spec"]["type"], "ClusterIP");
    assert_eq!(all[3]["spec"]["egress"][1]["ports"][1]["port"], 8443);
    assert_eq!(
        pod["containers"][2]["env"],
        json!([
            {"name": "FROM_SECRET_GUILD_SECRET_MAPS", "valueFrom": {"secretKeyRef": {
                "name": "guild-hall-writing-2", "key": "GUILD_SECRET_MAPS"}}},
            {"name": "MAPS_KEY", "value": "$(FROM_SECRET_GUILD_SECRET_MAPS)"},
            {"name": "PRICE", "value": "5$"},
        ])
    );
}

#[test]
fn no_secret_is_in_any_file_and_what_has_to_be_set_is_told() {
    for target in [TeamTarget::Compose, TeamTarget::Kubernetes] {
        let exported = exported(target);
        for file in &exported.files {
            for secret in ["sk-written-out", "in-plain-text"] {
                assert!(!file.text.contains(secret), "{}", file.path);
            }
            let refers = file.text.contains("${secret:");
            assert_eq!(refers, file.path == "connect/plugin.json", "{}", file.path);
        }
        let names: Vec<&str> = exported
            .to_set
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        for name in [
            "GUILD_SECRET_ISSUES_TOKEN",
            "GUILD_SECRET_ISSUES_API_KEY",
            "GUILD_SECRET_ISSUES_API_KEY_2",
            "GUILD_SECRET_SEARCH",
            "GUILD_SECRET_MAPS",
            "REGION",
        ] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
    }
}

/// Returns the text of an exported file.
fn text_of<'e>(exported: &'e TeamExport, path: &str) -> &'e str {
    let file = exported.files.iter().find(|file| file.path == path);
    &file.expect(path).text
}

#[test]
fn equal_secret_names_stay_separate() {
    let forge = json!({
        "transport": "http", "url": "https://forge.example.com/mcp?api_key=AAA",
        "headers": {"Authorization": "Bearer AAA"},
    });
    let wiki = json!({
        "transport": "http", "url": "https://wiki.example.com/mcp?api_key=BBB",
        "headers": {"Authorization": "Bearer BBB", "X-Token": "${secret:wiki/Authorization}"},
    });
    let mail = json!({
        "transport": "stdio", "command": "uvx", "args": ["mail", "--token", "CCC", "--token", "DDD"],
        "env": {"AUTHORIZATION": "${secret:wiki/Authorization}"},
    });
    let manifests = manifests_of([("forge", forge), ("wiki", wiki), ("mail", mail)]);
    let exported = exported_of(&manifests, TeamTarget::Compose);
    for (member, part) in [
        ("forge", "api_key=${env:GUILD_SECRET_FORGE_API_KEY}"),
        ("forge", "${env:GUILD_SECRET_FORGE_AUTHORIZATION}"),
        ("mail", "${env:GUILD_SECRET_MAIL_TOKEN}"),
        ("mail", "${env:GUILD_SECRET_MAIL_TOKEN_2}"),
        ("mail", "${env:GUILD_SECRET_WIKI_AUTHORIZATION}"),
        ("wiki", "api_key=${env:GUILD_SECRET_WIKI_API_KEY}"),
        ("wiki", "${env:GUILD_SECRET_WIKI_AUTHORIZATION_2}"),
        ("wiki", "${env:GUILD_SECRET_WIKI_AUTHORIZATION}"),
    ] {
        let text = text_of(&exported, &format!("config/members/{member}/plugin.json"));
        assert!(text.contains(part), "{part} in {text}");
    }
    let said: BTreeMap<&str, &str> = exported
        .to_set
        .iter()
        .map(|one| (one.name.as_str(), one.what.as_str()))
        .collect();
    assert_eq!(said.len(), 8, "the token, and each secret: {said:?}");
    assert_eq!(
        said["GUILD_SECRET_FORGE_AUTHORIZATION"],
        "the value of Authorization in plugin.json of forge"
    );
    assert_eq!(
        said["GUILD_SECRET_WIKI_AUTHORIZATION"],
        "the secret wiki/Authorization"
    );
}

#[test]
fn similar_member_names_keep_both_containers() {
    let on = |port: u16| json!({"transport": "http", "container": {"image": "box", "port": port}});
    let members = [
        ("Notes_A", on(9001)),
        ("notes-a", on(9002)),
        ("notes.a", on(9003)),
    ];
    let manifests = manifests_of(members);
    let compose = exported_of(&manifests, TeamTarget::Compose);
    let compose = read(&compose.files[0].text).remove(0);
    let cluster = exported_of(&manifests, TeamTarget::Kubernetes);
    let cluster = read(&cluster.files[0].text).remove(1);
    let containers = &cluster["spec"]["template"]["spec"]["containers"];
    for (at, name) in ["server-notes-a", "server-notes-a-2", "server-notes-a-3"]
        .into_iter()
        .enumerate()
    {
        assert_eq!(compose["services"][name]["image"], "box", "{name}");
        assert_eq!(containers[at + 2]["name"], name);
    }
}

#[test]
fn member_containers_run_as_numeric_user() {
    let as_user = |port: u16, user: Value| {
        let mut container = json!({"image": "box", "port": port});
        if !user.is_null() {
            container["user"] = user;
        }
        json!({"transport": "http", "container": container})
    };
    let manifests = manifests_of([
        ("a", as_user(9001, Value::Null)),
        ("b", as_user(9002, json!("node"))),
        ("c", as_user(9003, json!("0:0"))),
        ("d", as_user(9004, json!("1000"))),
        ("e", as_user(9005, json!("1000:2000"))),
    ]);
    let compose = exported_of(&manifests, TeamTarget::Compose);
    let compose = read(&compose.files[0].text).remove(0);
    let cluster = exported_of(&manifests, TeamTarget::Kubernetes);
    let cluster = read(&cluster.files[0].text).remove(1);
    let containers = &cluster["spec"]["template"]["spec"]["containers"];
    for (at, (name, user)) in [
        ("guild-hall", "10001:10001"),
        ("server-a", "10001:10001"),
        ("server-b", "10001:10001"),
        ("server-c", "10001:10001"),
        ("server-d", "1000"),
        ("server-e", "1000:2000"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(compose["services"][name]["user"], user, "{name}");
        let context = &containers[at + 1]["securityContext"];
        let group = context.get("runAsGroup");
        let group = group.map_or_else(String::new, |group| format!(":{group}"));
        assert_eq!(format!("{}{group}", context["runAsUser"]), user, "{name}");
    }
}

#[test]
fn each_team_member_has_manifest_or_reason() {
    let exported = exported(TeamTarget::Compose);
    assert_eq!(
        exported.members,
        ["issues", "maps", "sample", "search", "time"]
    );
    for file in exported
        .files
        .iter()
        .filter(|file| file.path.ends_with("plugin.json"))
    {
        let parsed = parse(file.text.as_bytes(), &file.path);
        assert!(
            parsed.manifest.is_ok() && parsed.warnings.is_empty(),
            "{}: {parsed:?}",
            file.path
        );
    }
    let why: BTreeMap<&str, &str> = exported
        .left_out
        .iter()
        .map(|left| (left.member.as_str(), left.why.as_str()))
        .collect();
    for (member, part) in [
        ("files", "/home/ada"),
        ("own", "its folder"),
        ("near", "this machine"),
        ("box", "uses stdio"),
        ("off", "disabled"),
        ("same-port", "9000"),
    ] {
        assert!(why[member].contains(part), "{member}: {}", why[member]);
    }
    let gateway = exported
        .files
        .iter()
        .find(|file| file.path == "config/gateway.json");
    let gateway: Value = serde_json::from_str(&gateway.expect("the settings").text).expect("JSON");
    let mounted = gateway["profiles"][0]["members"]
        .as_array()
        .expect("members");
    assert_eq!(mounted.len(), 5, "those that run there");
}

#[test]
fn image_like_an_option_is_refused() {
    let manifests = manifests();
    let profile: Profile =
        serde_json::from_value(json!({"name": "a", "members": [{"member": "own"}]}))
            .expect("a profile");
    let team = Team {
        profile: &profile,
        manifests: manifests
            .iter()
            .map(|(name, manifest)| (*name, Ok(manifest)))
            .collect(),
        settings: json!({}),
        held: BTreeMap::new(),
        access: BTreeMap::new(),
    };
    let refused = export(&team, &request(TeamTarget::Compose)).expect_err("nobody runs there");
    assert!(
        refused
            .message
            .contains("own: it needs the files of its folder"),
        "{refused}"
    );
    for image in ["", "--privileged", "a b"] {
        let request = ExportTeam {
            image: Some(image.to_owned()),
            ..request(TeamTarget::Compose)
        };
        assert_eq!(
            export(&team, &request).expect_err("no image").code,
            Code::ProfileRefused
        );
    }
}
