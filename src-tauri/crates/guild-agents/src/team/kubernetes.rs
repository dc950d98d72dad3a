//! Exports a profile as Kubernetes manifests. One pod runs the team's gateway, `guildhall serve`
//! and the containers of members. They share one loopback interface.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::yaml::documents;
use super::{
    DATA_DIR, MEMBERS_DIR, Sidecar, TOKEN_FILE, TeamExportContext, TeamFile, USER, converted,
};

/// The volume with the configuration.
const CONFIG: &str = "config";
/// The key of `gateway.json` in the ConfigMap.
const GATEWAY_KEY: &str = "gateway.json";

pub(super) fn files(parts: &TeamExportContext<'_>) -> Vec<TeamFile> {
    let all = [
        config_map(parts),
        deployment(parts),
        service(parts),
        network_policy(parts),
    ];
    vec![TeamFile {
        path: "kubernetes.yaml".to_owned(),
        text: documents(&all),
    }]
}

fn labels(parts: &TeamExportContext<'_>) -> Value {
    json!({"app.kubernetes.io/name": parts.name})
}

fn metadata(parts: &TeamExportContext<'_>) -> Value {
    json!({"name": parts.name, "labels": labels(parts)})
}

/// Returns the key of each member's manifest in the ConfigMap. The keys are numbered, because a
/// member's name may contain characters that a key must not contain.
fn keys<'p>(parts: &'p TeamExportContext<'_>) -> impl Iterator<Item = (String, &'p String)> {
    let members = parts.members.manifests.keys();
    members
        .enumerate()
        .map(|(index, member)| (format!("member-{index}.json"), member))
}

fn config_map(parts: &TeamExportContext<'_>) -> Value {
    let mut data = Map::new();
    data.insert(GATEWAY_KEY.to_owned(), parts.gateway.clone().into());
    for (key, member) in keys(parts) {
        if let Some(text) = parts.members.manifests.get(member) {
            data.insert(key, text.clone().into());
        }
    }
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata(parts), "data": data})
}

fn deployment(parts: &TeamExportContext<'_>) -> Value {
    let items: Vec<Value> = keys(parts)
        .map(|(key, member)| json!({"key": key, "path": format!("{member}/plugin.json")}))
        .collect();
    let mut containers = vec![gateway(parts), guild_hall(parts)];
    let sidecars = parts.members.sidecars.iter();
    containers.extend(sidecars.map(|sidecar| side(parts, sidecar)));
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata(parts),
        "spec": {
            // Only one program may own the members and their state, so there is only one replica.
            "replicas": 1,
            "strategy": {"type": "Recreate"},
            "selector": {"matchLabels": labels(parts)},
            "template": {
                "metadata": {"labels": labels(parts)},
                "spec": {
                    "automountServiceAccountToken": false,
                    "enableServiceLinks": false,
                    "securityContext": {
                        "runAsNonRoot": true,
                        "fsGroup": USER,
                        "seccompProfile": {"type": "RuntimeDefault"},
                    },
                    "containers": containers,
                    "volumes": [
                        {"name": CONFIG, "configMap": {"name": parts.name}},
                        {"name": "members", "configMap": {"name": parts.name, "items": items}},
                        {"name": "token", "secret": {
                            "secretName": parts.name,
                            "items": [{"key": "token", "path": "token"}],
                        }},
                        {"name": "data", "emptyDir": {"sizeLimit": "1Gi"}},
                        {"name": "tmp", "emptyDir": {"sizeLimit": "1Gi"}},
                    ],
                },
            },
        },
    })
}

/// Returns the container of the team's gateway. The team chooses the container's privileges, but
/// the container can't become root.
fn gateway(parts: &TeamExportContext<'_>) -> Value {
    json!({
        "name": "gateway",
        "image": parts.gateway_image(),
        "ports": [{"name": "mcp", "containerPort": parts.port}],
        "readinessProbe": {"tcpSocket": {"port": "mcp"}},
        "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}},
        "resources": {
            "requests": {"cpu": "50m", "memory": "64Mi"},
            "limits": {"memory": "256Mi"},
        },
    })
}

fn guild_hall(parts: &TeamExportContext<'_>) -> Value {
    let token_dir = TOKEN_FILE.trim_end_matches("/token");
    let mut env: Vec<Value> = parts
        .of_serve()
        .map(|name| from_secret(parts, name, name))
        .collect();
    env.push(json!({"name": "HOME", "value": format!("{DATA_DIR}/home")}));
    json!({
        "name": "guild-hall",
        "image": parts.image(),
        "command": ["guildhall"],
        "args": TeamExportContext::words(),
        "env": env,
        "securityContext": locked_down(USER, Some(USER)),
        "resources": {
            "requests": {"cpu": "250m", "memory": "256Mi"},
            "limits": {"memory": "2Gi"},
        },
        "volumeMounts": [
            {"name": "data", "mountPath": DATA_DIR},
            {"name": CONFIG, "mountPath": format!("{DATA_DIR}/{GATEWAY_KEY}"), "subPath": GATEWAY_KEY, "readOnly": true},
            {"name": "members", "mountPath": MEMBERS_DIR, "readOnly": true},
            {"name": "token", "mountPath": token_dir, "readOnly": true},
            {"name": "tmp", "mountPath": "/tmp"},
        ],
    })
}

/// Returns the container of a member.
pub(super) fn side(parts: &TeamExportContext<'_>, sidecar: &Sidecar) -> Value {
    let container = &sidecar.container;
    let (user, group) = sidecar.user();
    let mut side = json!({
        "name": sidecar.name,
        "image": container.image,
        "securityContext": locked_down(user, group),
        "volumeMounts": [{"name": "tmp", "mountPath": "/tmp"}],
        "resources": limits(container.memory.as_deref(), container.cpus.as_deref()),
    });
    if !container.args.is_empty() {
        // Escaped, because Kubernetes would replace `$(NAME)`.
        let args: Vec<String> = container.args.iter().map(|arg| plain(arg)).collect();
        side["args"] = json!(args);
    }
    if let Some(entrypoint) = &container.entrypoint {
        side["command"] = json!([plain(entrypoint)]);
    }
    let env = environment(parts, &sidecar.env);
    if !env.is_empty() {
        side["env"] = env.into();
    }
    side
}

pub(super) fn limits(memory: Option<&str>, cpus: Option<&str>) -> Value {
    let mut limits = Map::new();
    let memory = memory.map_or_else(|| "512Mi".to_owned(), quantity);
    limits.insert("memory".into(), memory.into());
    if let Some(cpus) = cpus {
        limits.insert("cpu".into(), cpus.into());
    }
    json!({ "limits": limits })
}

/// Converts an engine's memory amount to a Kubernetes quantity.
fn quantity(memory: &str) -> String {
    let digits = memory.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match memory.chars().last().map(|c| c.to_ascii_lowercase()) {
        Some('k') => "Ki",
        Some('m') => "Mi",
        Some('g') => "Gi",
        _ => "",
    };
    format!("{digits}{unit}")
}

/// Converts variables with `${env:NAME}` to references to the Secret.
fn environment(parts: &TeamExportContext<'_>, env: &BTreeMap<String, String>) -> Vec<Value> {
    let (mut named, mut values) = (BTreeMap::new(), Vec::new());
    for (name, text) in env {
        let value = converted(text, plain, |variable| {
            // The reference gets a separate name, since a variable of the server may have the
            // secret's name.
            let inside = format!("FROM_SECRET_{variable}");
            named.insert(inside.clone(), variable.to_owned());
            format!("$({inside})")
        });
        values.push(json!({"name": name, "value": value}));
    }
    let secrets = named
        .iter()
        .map(|(inside, key)| from_secret(parts, inside, key));
    // Kubernetes replaces only references to variables that are defined before.
    secrets.chain(values).collect()
}

fn from_secret(parts: &TeamExportContext<'_>, name: &str, key: &str) -> Value {
    json!({"name": name, "valueFrom": {"secretKeyRef": {"name": parts.name, "key": key}}})
}

/// Escapes a manifest's string, so that Kubernetes does not replace `$(…)` in it.
pub(super) fn plain(text: &str) -> String {
    text.replace("$${", "${").replace("$(", "$$(")
}

pub(super) fn locked_down(user: u32, group: Option<u32>) -> Value {
    let mut context = json!({
        "runAsNonRoot": true,
        "runAsUser": user,
        "readOnlyRootFilesystem": true,
        "allowPrivilegeEscalation": false,
        "capabilities": {"drop": ["ALL"]},
    });
    if let Some(group) = group {
        context["runAsGroup"] = group.into();
    }
    context
}

fn service(parts: &TeamExportContext<'_>) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata(parts),
        "spec": {
            "type": "ClusterIP",
            "selector": labels(parts),
            "ports": [{"name": "mcp", "port": parts.port, "targetPort": "mcp"}],
        },
    })
}

/// Returns a policy that lets labeled pods reach the gateway's port, and members reach their
/// servers.
fn network_policy(parts: &TeamExportContext<'_>) -> Value {
    let tcp = |port: u16| json!({"protocol": "TCP", "port": port});
    let mut out: Vec<Value> = vec![tcp(443)];
    out.extend(parts.members.ports.iter().map(|port| tcp(*port)));
    json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata(parts),
        "spec": {
            "podSelector": {"matchLabels": labels(parts)},
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [{
                "from": [{"podSelector": {"matchLabels": {"guild-hall-client": "true"}}}],
                "ports": [tcp(parts.port)],
            }],
            "egress": [
                {"ports": [{"protocol": "UDP", "port": 53}, tcp(53)]},
                {"ports": out},
            ],
        },
    })
}
