//! Exports a profile as the configuration file of agentgateway, which starts the members that are
//! commands and connects to those with a URL.
//!
//! When agentgateway reads its file, it first replaces `$NAME` and `${NAME}` in the whole text by
//! environment variables, and `$$` by `$`. It does not start if a variable is missing.

use serde_json::{Map, Value, json};

use guild_model::manifest::Transport;

use super::cel;
use super::members::{TeamLaunch, TeamServer, authority};
use super::yaml::document;
use super::{TeamExportContext, TeamFile, converted};

/// The variable with the token that clients send.
pub(super) const TOKEN: &str = "GUILD_HALL_TOKEN";
/// The variable with the address of the OpenTelemetry collector.
pub(super) const COLLECTOR: &str = "OTLP_HOST";
/// The default address of the OpenTelemetry collector.
pub(super) const COLLECTOR_DEFAULT: &str = "localhost:4317";
/// The first line of the file, with which editors check it.
const SCHEMA: &str = "# yaml-language-server: $schema=https://agentgateway.dev/schema/config\n";

pub(super) fn files(parts: &TeamExportContext<'_>) -> Vec<TeamFile> {
    let config = document(&config(parts));
    vec![TeamFile {
        path: "agentgateway.yaml".to_owned(),
        text: format!("{SCHEMA}{config}"),
    }]
}

fn config(parts: &TeamExportContext<'_>) -> Value {
    let servers = parts.members.servers.iter();
    let targets: Vec<Value> = servers.map(|(name, server)| target(name, server)).collect();
    json!({
        "frontendPolicies": {"tracing": {
            "host": format!("${{{COLLECTOR}:-{COLLECTOR_DEFAULT}}}"),
            "randomSampling": true,
        }},
        "gateways": {"default": {"port": parts.port}},
        "mcp": {
            "gateways": "default",
            "failureMode": "failOpen",
            "targets": targets,
            "policies": {
                // By default, agentgateway also accepts requests without a token.
                "apiKey": {"keys": [{"key": wanted(TOKEN)}], "mode": "strict"},
                "mcpAuthorization": {"rules": cel::rules(parts.access())},
            },
        },
    })
}

fn target(name: &str, server: &TeamServer) -> Value {
    let mut target = json!({"name": name});
    match &server.launch {
        TeamLaunch::Command { command, args, env } => {
            // Without the variables of agentgateway, which are the secrets of all members.
            let mut own = Map::new();
            own.insert("PATH".into(), wanted("PATH").into());
            own.insert("HOME".into(), "${HOME:-/tmp}".into());
            own.extend(
                env.iter()
                    .map(|(name, text)| (name.clone(), expanded(text).into())),
            );
            let args: Vec<String> = args.iter().map(|arg| expanded(arg)).collect();
            target["stdio"] =
                json!({"cmd": plain(command), "args": args, "env": own, "clear_env": true});
        }
        TeamLaunch::Url { url, headers } => {
            let kind = match server.transport {
                Transport::Sse => "sse",
                Transport::Http | Transport::Stdio => "mcp",
            };
            let mut policies = Map::new();
            if !headers.is_empty() {
                let headers = headers.iter();
                let set: Map<String, Value> = headers
                    .map(|(name, text)| (name.clone(), expanded(text).into()))
                    .collect();
                policies.insert("requestHeaderModifier".into(), json!({ "set": set }));
            }
            target[kind] = match url.contains('?') {
                false => json!({"host": expanded(url)}),
                // agentgateway drops the query of an address, but keeps that of a path.
                true => {
                    if is_https(url) {
                        policies.insert("backendTLS".into(), json!({}));
                    }
                    parts_of(url)
                }
            };
            if !policies.is_empty() {
                target["policies"] = policies.into();
            }
        }
        TeamLaunch::Container(_) => {}
    }
    target
}

fn parts_of(url: &str) -> Value {
    let (host, port, path) = address(url);
    json!({"host": expanded(host), "port": port, "path": expanded(&path)})
}

/// Splits an address into host, port and path with query.
pub(super) fn address(url: &str) -> (&str, u16, String) {
    let (host, port) = authority(url);
    let port = port.unwrap_or(if is_https(url) { 443 } else { 80 });
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find(['/', '?']).map_or("", |at| &rest[at..]);
    let slash = if path.starts_with('/') { "" } else { "/" };
    (host, port, format!("{slash}{path}"))
}

pub(super) fn is_https(url: &str) -> bool {
    url.get(..6)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"))
}

/// Converts variables with `${env:NAME}` to those of agentgateway.
fn expanded(text: &str) -> String {
    converted(text, plain, wanted)
}

fn wanted(name: &str) -> String {
    format!("${{{name}}}")
}

/// Escapes a manifest's string, so that agentgateway does not replace `$` in it.
fn plain(text: &str) -> String {
    text.replace("$${", "${").replace('$', "$$")
}
