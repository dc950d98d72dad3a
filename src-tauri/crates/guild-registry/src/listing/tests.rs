mod containers;

use std::fmt::Write;

use serde_json::json;

use super::*;
use guild_client_config::LaunchSpec;
use guild_import::install::InstallInput;
use guild_model::manifest::Transport;

const ANSWER: &str = include_str!("../../../../../tests/data/corpus/registry-listing/answer.json");
const OLD: &str =
    include_str!("../../../../../tests/data/corpus/registry-listing/before-2025-09.json");
const SINGLE: &str = include_str!("../../../../../tests/data/corpus/registry-listing/server.json");
const LIST: &str = include_str!("../../../../../tests/data/corpus/registry-listing/list.json");

fn read(text: &str) -> RegistryListing {
    parse(text.as_bytes()).expect("it is read")
}

/// Renders the install options of a server as lines: the launch, the inputs and the notes.
fn description(server: &RegistryServerSummary) -> String {
    let mut description = String::new();
    for way in install_options(server) {
        let kind = &way.kind;
        match way.installable {
            Err(why) => writeln!(description, "{kind}: {why}"),
            Ok(installable) => {
                let run = installable.plan.open();
                let mut line = run.command_line();
                if let LaunchSpec::Url { headers, .. } = &run {
                    for (name, value) in headers {
                        write!(line, " {name}: {}", value.shown()).expect("written");
                    }
                }
                let http = match (installable.transport, &run) {
                    (Transport::Http, LaunchSpec::Command { .. }) => " over http",
                    _ => "",
                };
                writeln!(description, "{kind}{http}: {line}").expect("written");
                if let LaunchSpec::Command { env, .. } = &run {
                    for (name, value) in env {
                        writeln!(description, "  with {name}={}", value.shown()).expect("written");
                    }
                }
                for input in installable.inputs.iter() {
                    writeln!(description, "  asks {}", asked(input)).expect("written");
                }
                for note in installable.notes {
                    writeln!(description, "  notes {note}").expect("written");
                }
                Ok(())
            }
        }
        .expect("written");
    }
    description
}

fn asked(input: &InstallInput) -> String {
    let marks = [
        (input.required, "required"),
        (input.secret, "secret"),
        (input.several, "several"),
    ];
    let mut description = input.key.clone();
    for (is_so, mark) in marks {
        if is_so {
            write!(description, " {mark}").expect("written");
        }
    }
    write!(description, " {:?}", input.kind).expect("written");
    if let Some(default) = &input.default {
        write!(description, " = {default}").expect("written");
    }
    if !input.choices.is_empty() {
        write!(description, " of {}", input.choices.join(", ")).expect("written");
    }
    description
}

#[track_caller]
fn check(server: &RegistryServerSummary, expected: &str) {
    let expected: Vec<&str> = expected
        .lines()
        .map(|line| line.strip_prefix("        ").unwrap_or(line))
        .collect();
    assert_eq!(description(server).trim_end(), expected.join("\n").trim());
}

#[test]
fn api_answer_keeps_registry_metadata() {
    let listing = read(ANSWER);
    assert_eq!(listing.next.as_deref(), Some("com.example/ports:2.0.0"));
    assert_eq!(listing.left_out_count, 0);
    let notes = &listing.servers[0];
    assert_eq!(
        (
            notes.name.as_str(),
            notes.title.as_str(),
            notes.version.as_str()
        ),
        ("com.example/notes", "Notes", "1.4.0")
    );
    assert_eq!(notes.kinds, ["npm", "oci", "mcpb", "remote"]);
    assert_eq!(
        notes.repository.as_deref(),
        Some("https://code.example/notes")
    );
    let standings: Vec<_> = listing
        .servers
        .iter()
        .map(|server| server.standing)
        .collect();
    assert_eq!(
        standings,
        [
            RegistryStanding::Active,
            RegistryStanding::Deprecated,
            RegistryStanding::Deleted
        ]
    );
    assert_eq!(
        listing.servers[1].standing_message,
        "Use com.example/weather."
    );
}

#[test]
fn install_options_show_full_commands() {
    let listing = read(ANSWER);
    check(
        &listing.servers[0],
        r#"
        npm: npx -y @example/notes@1.4.0 '${input:folder}' --level '${input:--level}' '${input:--read-only}'
          with NOTES_LIMIT=${input:NOTES_LIMIT}
          with NOTES_TOKEN=${input:NOTES_TOKEN}
          asks folder required several File
          asks --level Text = "info" of debug, info, warn
          asks --read-only Text of --read-only
          asks NOTES_TOKEN required secret Text
          asks NOTES_LIMIT Number { min: None, max: None } = 100
        oci: docker run -i --rm -e NOTES_TOKEN --mount 'type=bind,src=${input:source},dst=${input:target}' images.example/notes:1.4.0 /notes
          with NOTES_TOKEN=${input:NOTES_TOKEN}
          asks source required several File
          asks target required several Text = ["/notes"]
          asks NOTES_TOKEN required secret Text
          notes Its container has more access than the default: --mount.
        mcpb: It is an .mcpb bundle. Download it, then add the file.
        remote: https://${input:tenant}.notes.example/mcp Authorization: Bearer ${input:key}
          asks tenant required Text
          asks key required secret Text
        remote: https://notes.example/sse
        "#,
    );
    check(
        &listing.servers[1],
        "pypi: uvx --from old-weather==0.9.5 old-weather",
    );
    check(
        &listing.servers[2],
        "npm over http: npx -y ports@2.0.0 --port '${PORT}'",
    );
}

#[test]
fn the_names_of_fields_before_september_2025_are_read_too() {
    let listing = read(OLD);
    assert_eq!(listing.next, None);
    let why: Vec<String> = listing
        .left_out
        .iter()
        .map(|entry| entry.why.to_string())
        .collect();
    let left_out: Vec<_> = listing
        .left_out
        .iter()
        .zip(&why)
        .map(|(entry, why)| (entry.at, entry.name.as_str(), why.as_str()))
        .collect();
    assert_eq!(
        left_out,
        [
            (
                2,
                "no slash",
                "its name doesn't have the form `com.example/name`"
            ),
            (3, "", "it is not an object"),
        ]
    );
    let database = &listing.servers[0];
    assert_eq!(
        (database.version.as_str(), database.latest),
        ("3.1.0", Some(true))
    );
    check(
        database,
        r#"
        oci: docker run -i --rm -e DB_PASSWORD --network host -e 'DB_TYPE=${input:db_type}' images.example/example/database:3.1.0 --host '${input:--host}' --port '${input:--port}' '${input:database}'
          with DB_PASSWORD=${input:DB_PASSWORD}
          asks db_type required several Text of postgres, mysql
          asks --host required Text = "localhost"
          asks --port Number { min: None, max: None }
          asks database required Text
          asks DB_PASSWORD required secret Text
          notes Its container has more access than the default: --network.
        npm: npx -y database-server@3.1.0
        nuget: dnx Example.Database@3.1.0-beta --yes -- mcp start
        remote: http://database.example/sse
        "#,
    );
}

#[test]
fn unusable_option_keeps_other_options() {
    let listing = read(SINGLE);
    check(
        &listing.servers[0],
        r#"
        nuget: dnx Clock@1.0.8 --yes
        pypi: uvx --from 'clock[zones]==1.0.8' clock
        cargo: Guild Hall can't run packages from "cargo".
        npm: It runs "jbang" with custom arguments, which Guild Hall doesn't support.
        npm: "--call=evil" is not a package name for npx.
        npm: "^1.0" is not a single version.
        "#,
    );
}

#[test]
fn a_list_has_its_versions_in_order_and_says_what_is_left_out() {
    let listing = read(LIST);
    let why: Vec<_> = listing
        .left_out
        .iter()
        .map(|entry| entry.why.to_string())
        .collect();
    assert_eq!(
        why,
        [
            "its `description` is not a string",
            "`packages` is not a list"
        ]
    );
    let index = RegistryIndex::of(listing);
    let versions: Vec<_> = index
        .versions("com.example/A")
        .iter()
        .map(|server| server.version.as_str())
        .collect();
    assert_eq!(versions, ["1.10.0", "1.9.0", "1.0.0"]);
    assert!(index.versions("com.example/b").is_empty());
    check(
        &index.versions("com.example/a")[2],
        "remote: ${input:baseUrl}/mcp\n  asks baseUrl required Text",
    );
}

fn package(fields: serde_json::Value) -> RegistryServerSummary {
    let server = json!({"name": "com.example/s", "version": "1", "packages": [fields]});
    read(&server.to_string()).servers.remove(0)
}

#[test]
fn http_package_gets_a_port_or_a_reason() {
    let over_http = |url: &str, more: serde_json::Value| {
        let mut fields = json!({
            "registryType": "npm", "identifier": "s", "version": "1",
            "transport": {"type": "streamable-http", "url": url},
        });
        for (key, value) in more.as_object().expect("an object") {
            fields[key] = value.clone();
        }
        package(fields)
    };
    let by_name = json!({"environmentVariables": [{"name": "PORT", "default": "3000"}]});
    check(
        &over_http("http://localhost:3000/mcp", by_name.clone()),
        "npm over http: npx -y s@1\n  with PORT=${PORT}",
    );
    check(
        &over_http("http://127.0.0.1:{PORT}/mcp", by_name.clone()),
        "npm over http: npx -y s@1\n  with PORT=${PORT}",
    );
    check(
        &over_http("http://localhost:3000/mcp", json!({})),
        "npm: It always uses port 3000, but Guild Hall assigns each member a port.",
    );
    check(
        &over_http("http://localhost:3000/api", by_name.clone()),
        "npm: It uses the path `/api`, but Guild Hall uses `/mcp`.",
    );
    check(
        &over_http("https://elsewhere.example/mcp", by_name.clone()),
        "npm: Its address doesn't start with `http://`.",
    );
    let mut in_container = by_name;
    in_container["registryType"] = json!("oci");
    in_container["identifier"] = json!("images.example/s:1");
    check(
        &over_http("http://localhost:{PORT}/mcp", in_container),
        "oci over http: docker run -i --rm -p '127.0.0.1:${PORT}:3000' -e PORT images.example/s:1\n  with PORT=3000",
    );
}

#[test]
fn a_version_that_is_not_said_is_noted() {
    check(
        &package(json!({"registryType": "npm", "identifier": "s"})),
        "npm: npx -y s\n  notes No version is set, so the newest version runs.",
    );
    check(
        &package(json!({"registryType": "oci", "identifier": "example/s"})),
        "oci: docker run -i --rm example/s\n  notes No version is set, so the newest version runs.",
    );
    check(
        &package(json!({"registryType": "oci", "identifier": "example/s@sha256:00ff"})),
        "oci: docker run -i --rm example/s@sha256:00ff",
    );
}

#[test]
fn two_inputs_of_one_name_are_told_apart() {
    let server = package(json!({
        "registryType": "npm", "identifier": "s", "version": "1",
        "packageArguments": [
            {"type": "positional", "valueHint": "path"},
            {"type": "positional", "valueHint": "path", "value": "{path}/{other}/{path}", "variables": {"path": {}}},
        ],
    }));
    check(
        &server,
        "npm: npx -y s@1 '${input:path}' '${input:path-2}/{other}/${input:path-2}'\n  asks path Text\n  asks path-2 Text",
    );
}

#[test]
fn search_with_words_finds_servers_with_all() {
    let index = RegistryIndex::of(read(ANSWER));
    let names = |query: &str| -> Vec<&str> {
        let found = index.search(&words(query));
        found.iter().map(|server| server.name.as_str()).collect()
    };
    assert_eq!(names("NOTES"), ["com.example/notes"]);
    assert_eq!(names("weather yesterday"), ["com.example/old-weather"]);
    assert!(names("weather tomorrow").is_empty());
    assert_eq!(
        names(""),
        [
            "com.example/notes",
            "com.example/old-weather",
            "com.example/ports"
        ]
    );
}

#[test]
fn non_listing_is_identified() {
    let why = |text: &str| {
        let unlisted = parse(text.as_bytes()).expect_err("it lists nothing");
        unlisted.to_string()
    };
    assert_eq!(why("<!doctype html>"), "it is not JSON");
    assert_eq!(
        why("{}"),
        "it is neither a list of servers nor a server.json"
    );
    assert_eq!(why(r#"{"servers": {}}"#), "its `servers` are not a list");
    assert!(why(r#"{"servers": ["#).starts_with("it is not JSON ("));
    let large = format!(
        r#"[{{"name": "com.example/a", "x": "{}"}}]"#,
        "x".repeat(ENTRY_BYTES_MAX)
    );
    assert_eq!(
        read(&large).left_out[0].why.to_string(),
        "it is larger than 256 KiB"
    );
    let deep = format!(
        r#"[{{"name": "com.example/a", "x": {}1{}}}]"#,
        "[".repeat(1000),
        "]".repeat(1000)
    );
    assert!(
        read(&deep).left_out[0]
            .why
            .to_string()
            .starts_with("it can't be read (")
    );
}
