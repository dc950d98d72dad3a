//! Exports a profile as a compose file and configuration files.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::yaml::document;
use super::{
    DATA_DIR, MEMBERS_DIR, Sidecar, TOKEN_FILE, TeamExportContext, TeamFile, USER, converted,
};

/// The service of the team's gateway. The other services share its network.
const GATEWAY: &str = "gateway";

/// The folder of the files that the containers mount.
pub(super) const CONFIG: &str = "config/";

pub(super) fn files(parts: &TeamExportContext<'_>) -> Vec<TeamFile> {
    let mut files = vec![
        TeamFile {
            path: "compose.yaml".to_owned(),
            text: document(&compose(parts)),
        },
        TeamFile {
            path: format!("{CONFIG}gateway.json"),
            text: parts.gateway.clone(),
        },
    ];
    let manifests = parts.members.manifests.iter();
    files.extend(manifests.map(|(member, text)| TeamFile {
        path: format!("{CONFIG}members/{member}/plugin.json"),
        text: text.clone(),
    }));
    files
}

fn compose(parts: &TeamExportContext<'_>) -> Value {
    let port = parts.port;
    let mut services = Map::new();
    services.insert(
        GATEWAY.to_owned(),
        json!({
            "image": plain(parts.gateway_image()),
            "ports": [format!("127.0.0.1:{port}:{port}")],
            "restart": "unless-stopped",
        }),
    );
    let mut guild_hall = locked_down(parts.image());
    let environment = parts
        .of_serve()
        .map(|name| (name.clone(), wanted(name).into()));
    let mut environment: Map<String, Value> = environment.collect();
    environment.insert("HOME".into(), format!("{DATA_DIR}/home").into());
    let more = json!({
        "entrypoint": ["guildhall"],
        "command": TeamExportContext::words(),
        "user": format!("{USER}:{USER}"),
        "environment": environment,
        // Package runners execute files in these folders, which container engines forbid by
        // default.
        "tmpfs": ["/tmp:exec", format!("{DATA_DIR}:uid={USER},gid={USER},exec,mode=0700")],
        "volumes": [
            bind("./config/members", MEMBERS_DIR),
            bind("./config/gateway.json", &format!("{DATA_DIR}/gateway.json")),
        ],
        "secrets": [{"source": "token", "target": TOKEN_FILE}],
        "mem_limit": "2g",
        "pids_limit": 1024,
    });
    merge(&mut guild_hall, more);
    services.insert("guild-hall".to_owned(), guild_hall);
    for sidecar in &parts.members.sidecars {
        services.insert(sidecar.name.clone(), service(sidecar));
    }
    json!({
        "name": parts.name,
        "services": services,
        "secrets": {"token": {
            "file": "${GUILD_HALL_TOKEN_FILE:?the path of a file with the token that clients show}"
        }},
    })
}

/// Returns the options with minimal privileges that every service has, except the team's gateway.
fn locked_down(image: &str) -> Value {
    json!({
        "image": plain(image),
        "init": true,
        "read_only": true,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true"],
        "network_mode": format!("service:{GATEWAY}"),
        "restart": "unless-stopped",
    })
}

fn service(sidecar: &Sidecar) -> Value {
    let container = &sidecar.container;
    let mut service = locked_down(&container.image);
    let user = match sidecar.user() {
        (user, Some(group)) => format!("{user}:{group}"),
        (user, None) => user.to_string(),
    };
    let mut more = json!({"user": user, "tmpfs": ["/tmp:exec"]});
    let args: Vec<String> = container.args.iter().map(|arg| plain(arg)).collect();
    if !args.is_empty() {
        more["command"] = json!(args);
    }
    if let Some(entrypoint) = &container.entrypoint {
        more["entrypoint"] = json!([plain(entrypoint)]);
    }
    let environment = environment(&sidecar.env);
    if !environment.is_empty() {
        more["environment"] = environment.into();
    }
    if let Some(memory) = &container.memory {
        more["mem_limit"] = json!(memory);
    }
    if let Some(cpus) = container
        .cpus
        .as_deref()
        .and_then(|text| text.parse::<f64>().ok())
    {
        more["cpus"] = json!(cpus);
    }
    if let Some(most) = container.pids_limit {
        more["pids_limit"] = json!(most);
    }
    merge(&mut service, more);
    service
}

/// Converts variables with `${env:NAME}` to compose interpolation.
fn environment(env: &BTreeMap<String, String>) -> Map<String, Value> {
    let pairs = env.iter();
    pairs
        .map(|(name, text)| (name.clone(), converted(text, plain, wanted).into()))
        .collect()
}

/// Returns a reference to a variable that must be set when compose runs.
fn wanted(name: &str) -> String {
    format!("${{{name}:?has to be set}}")
}

/// Escapes a manifest's string, so that compose does not replace `$` in it.
fn plain(text: &str) -> String {
    text.replace("$${", "${").replace('$', "$$")
}

fn bind(source: &str, target: &str) -> Value {
    json!({"type": "bind", "source": source, "target": target, "read_only": true})
}

fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}
