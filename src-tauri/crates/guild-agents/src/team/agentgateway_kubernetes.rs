//! Exports a profile as resources of the Gateway API and of agentgateway. agentgateway starts no
//! programs in a cluster, so containers get a Deployment and a Service, and it connects to them and
//! to members with a URL.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use guild_model::manifest::Transport;

use super::agentgateway::{address, is_https};
use super::cel;
use super::kubernetes::side;
use super::members::{Sidecar, TeamLaunch, TeamServer};
use super::yaml::documents;
use super::{TeamExportContext, TeamFile, USER};

/// Maximum number of rules in a resource of agentgateway.
pub(super) const RULES_MAX: usize = 256;
/// The assumed address of the OpenTelemetry collector in the namespace of the gateway.
pub(super) const COLLECTOR_NAME: &str = "otel-collector:4317";
/// The API group of Gateway and HTTPRoute.
const GATEWAY_GROUP: &str = "gateway.networking.k8s.io";
/// The API group of agentgateway's resources.
const GROUP: &str = "agentgateway.dev";

pub(super) fn files(parts: &TeamExportContext<'_>) -> Vec<TeamFile> {
    let mut all = vec![gateway(parts), route(parts), backend(parts), policy(parts)];
    let servers = parts.members.servers.iter();
    let containers = servers.filter_map(|(name, server)| Some((name, server, server.sidecar()?)));
    for (name, server, sidecar) in containers {
        let port = sidecar.container.port.unwrap_or_default();
        let transport = server.transport;
        all.extend(container(parts, name, sidecar, port, transport));
    }
    vec![TeamFile {
        path: "agentgateway-kubernetes.yaml".to_owned(),
        text: documents(&all),
    }]
}

/// Returns the name of the Secret with the token. All its values are tokens.
pub(super) fn token(parts: &TeamExportContext<'_>) -> String {
    format!("{}-token", parts.name)
}

fn resource(version: &str, kind: &str, name: &str, spec: Value) -> Value {
    json!({"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec})
}

fn gateway(parts: &TeamExportContext<'_>) -> Value {
    let spec = json!({
        "gatewayClassName": "agentgateway",
        "listeners": [{
            "name": "http",
            "protocol": "HTTP",
            "port": parts.port,
            "allowedRoutes": {"namespaces": {"from": "Same"}},
        }],
    });
    resource(&format!("{GATEWAY_GROUP}/v1"), "Gateway", &parts.name, spec)
}

fn route(parts: &TeamExportContext<'_>) -> Value {
    let spec = json!({
        "parentRefs": [{"name": parts.name}],
        "rules": [{
            "matches": [{"path": {"type": "PathPrefix", "value": "/mcp"}}],
            "backendRefs": [{"group": GROUP, "kind": "AgentgatewayBackend", "name": parts.name}],
        }],
    });
    resource(
        &format!("{GATEWAY_GROUP}/v1"),
        "HTTPRoute",
        &parts.name,
        spec,
    )
}

fn backend(parts: &TeamExportContext<'_>) -> Value {
    let servers = parts.members.servers.iter();
    let targets =
        servers.map(|(name, server)| json!({"name": name, "static": target(parts, name, server)}));
    let spec = json!({
        "mcp": {"failureMode": "FailOpen", "targets": targets.collect::<Vec<Value>>()},
        "policies": {"mcp": {"authorization": {
            "action": "Allow",
            "policy": {"matchExpressions": cel::rules(parts.access())},
        }}},
    });
    let version = format!("{GROUP}/v1alpha1");
    resource(&version, "AgentgatewayBackend", &parts.name, spec)
}

fn target(parts: &TeamExportContext<'_>, name: &str, server: &TeamServer) -> Value {
    let protocol = match server.transport {
        Transport::Sse => "SSE",
        Transport::Http | Transport::Stdio => "StreamableHTTP",
    };
    match &server.launch {
        TeamLaunch::Url { url, headers } => {
            let (host, port, path) = address(url);
            let mut target =
                json!({"host": host, "port": port, "path": path, "protocol": protocol});
            if is_https(url) {
                target["policies"]["tls"] = json!({});
            }
            if !headers.is_empty() {
                target["policies"]["auth"] = json!({"credentials": credentials(parts, headers)});
            }
            target
        }
        TeamLaunch::Container(sidecar) => json!({
            "backendRef": {"name": name},
            "port": sidecar.container.port,
            "path": server.transport.path(),
            "protocol": protocol,
        }),
        TeamLaunch::Command { .. } => Value::Null,
    }
}

/// Returns the headers, whose values are variables.
fn credentials(parts: &TeamExportContext<'_>, headers: &BTreeMap<String, String>) -> Vec<Value> {
    let headers = headers.iter().filter_map(|(name, value)| {
        let key = value.strip_prefix("${env:")?.strip_suffix('}')?;
        Some(json!({
            "secretRef": {"name": parts.name, "key": key},
            "location": {"header": {"name": name}},
        }))
    });
    headers.collect()
}

fn policy(parts: &TeamExportContext<'_>) -> Value {
    let (collector, port) = COLLECTOR_NAME.split_once(':').unwrap_or_default();
    let port: Option<u16> = port.parse().ok();
    let spec = json!({
        "targetRefs": [{"group": GATEWAY_GROUP, "kind": "Gateway", "name": parts.name}],
        "traffic": {"apiKeyAuthentication": {
            "mode": "Strict",
            "secretRef": {"name": token(parts)},
        }},
        "frontend": {"tracing": {
            "backendRef": {"name": collector, "port": port},
            "randomSampling": "true",
        }},
    });
    resource(
        &format!("{GROUP}/v1alpha1"),
        "AgentgatewayPolicy",
        &parts.name,
        spec,
    )
}

/// Returns a container's Deployment, its Service, and the policy that lets only the gateway reach
/// it, because other pods could avoid the rules.
fn container(
    parts: &TeamExportContext<'_>,
    name: &str,
    sidecar: &Sidecar,
    port: u16,
    transport: Transport,
) -> [Value; 3] {
    let labels = json!({
        "app.kubernetes.io/name": name,
        "app.kubernetes.io/part-of": parts.name,
    });
    let mut container = side(parts, sidecar);
    container["ports"] = json!([{"name": "mcp", "containerPort": port}]);
    let deployment = json!({
        "replicas": 1,
        "selector": {"matchLabels": labels},
        "template": {
            "metadata": {"labels": labels},
            "spec": {
                "automountServiceAccountToken": false,
                "enableServiceLinks": false,
                "securityContext": {
                    "runAsNonRoot": true,
                    "fsGroup": USER,
                    "seccompProfile": {"type": "RuntimeDefault"},
                },
                "containers": [container],
                "volumes": [{"name": "tmp", "emptyDir": {"sizeLimit": "1Gi"}}],
            },
        },
    });
    let protocol = match transport {
        Transport::Sse => "agentgateway.dev/mcp-sse",
        Transport::Http | Transport::Stdio => "agentgateway.dev/mcp",
    };
    let service = json!({
        "selector": labels,
        "ports": [{"name": "mcp", "port": port, "targetPort": "mcp", "appProtocol": protocol}],
    });
    let gateway = format!("{GATEWAY_GROUP}/gateway-name");
    let network = json!({
        "podSelector": {"matchLabels": labels},
        "policyTypes": ["Ingress"],
        "ingress": [{
            "from": [{"podSelector": {"matchLabels": {gateway: parts.name}}}],
            "ports": [{"protocol": "TCP", "port": port}],
        }],
    });
    [
        resource("apps/v1", "Deployment", name, deployment),
        resource("v1", "Service", name, service),
        resource("networking.k8s.io/v1", "NetworkPolicy", name, network),
    ]
}
