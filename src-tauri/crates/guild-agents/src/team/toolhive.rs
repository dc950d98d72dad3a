//! Exports a profile as resources for ToolHive's operator. Each member is a server of one group,
//! and a virtual MCP server offers the group to clients.
//!
//! The policies apply twice: at the virtual server, and at the proxy of each container, which other
//! pods of the cluster can reach.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use guild_model::container::Network;
use guild_model::manifest::Transport;

use super::access::MemberAccess;
use super::cedar::policies;
use super::kubernetes::{limits, plain};
use super::members::{Sidecar, TeamLaunch, TeamServer};
use super::yaml::documents;
use super::{SECRET_KEY, TeamExportContext, TeamFile, converted};

/// The port of a virtual MCP server's Service.
pub(super) const PORT: u16 = 4_483;
/// The assumed address of the OpenTelemetry collector.
pub(super) const COLLECTOR: &str = "otel-collector.monitoring.svc.cluster.local:4318";
/// The name of the container with the server in a pod of ToolHive.
const CONTAINER: &str = "mcp";

pub(super) fn files(parts: &TeamExportContext<'_>) -> Vec<TeamFile> {
    let resources = Resources {
        parts,
        secrets: parts.secrets(),
    };
    let mut all = vec![resources.telemetry(), resources.group()];
    let servers = parts.members.servers.iter();
    all.extend(servers.map(|(name, server)| resources.server(name, server)));
    all.push(resources.virtual_server());
    vec![TeamFile {
        path: "toolhive.yaml".to_owned(),
        text: documents(&all),
    }]
}

struct Resources<'p> {
    parts: &'p TeamExportContext<'p>,
    /// The Secret with the value of each variable.
    secrets: BTreeMap<&'p str, String>,
}

impl Resources<'_> {
    fn resource(kind: &str, name: &str, spec: Value) -> Value {
        json!({
            "apiVersion": "toolhive.stacklok.dev/v1beta1",
            "kind": kind,
            "metadata": {"name": name},
            "spec": spec,
        })
    }

    fn telemetry(&self) -> Value {
        let spec = json!({"openTelemetry": {
            "enabled": true,
            "endpoint": COLLECTOR,
            "insecure": true,
            "tracing": {"enabled": true, "samplingRate": "1.0"},
            "metrics": {"enabled": true},
        }});
        Self::resource("MCPTelemetryConfig", &self.parts.name, spec)
    }

    fn group(&self) -> Value {
        let description = format!("The profile {}", self.parts.request.profile);
        let spec = json!({"description": description});
        Self::resource("MCPGroup", &self.parts.name, spec)
    }

    /// Returns the reference to the telemetry of all resources.
    fn telemetry_of(&self, name: &str) -> Value {
        json!({"name": self.parts.name, "serviceName": name})
    }

    fn server(&self, name: &str, server: &TeamServer) -> Value {
        let mut spec = match &server.launch {
            TeamLaunch::Url { url, headers } => return self.entry(name, server, url, headers),
            TeamLaunch::Command { command, args, env } => {
                let mut env = env.clone();
                env.entry("HOME".to_owned())
                    .or_insert_with(|| "/tmp".to_owned());
                let mut spec = json!({"image": self.parts.image(), "args": escaped(args)});
                self.add_environment(&mut spec, &env);
                spec["podTemplateSpec"] = pod(json!({"command": [plain(command)]}));
                spec
            }
            TeamLaunch::Container(sidecar) => self.container(sidecar),
        };
        spec["groupRef"] = json!({"name": self.parts.name});
        spec["transport"] = transport(server.transport).into();
        spec["proxyPort"] = 8080.into();
        spec["telemetryConfigRef"] = self.telemetry_of(name);
        let access = self.parts.access_of(&server.member);
        spec["authzConfig"] = authorization(&[(String::new(), access)]);
        Self::resource("MCPServer", name, spec)
    }

    fn container(&self, sidecar: &Sidecar) -> Value {
        let container = &sidecar.container;
        let mut spec = json!({"image": container.image, "args": escaped(&container.args)});
        self.add_environment(&mut spec, &sidecar.env);
        if let Some(port) = container.port {
            spec["mcpPort"] = port.into();
        }
        let permissions = match container.network {
            Network::None => "none",
            _ => "network",
        };
        spec["permissionProfile"] = json!({"type": "builtin", "name": permissions});
        spec["resources"] = limits(container.memory.as_deref(), container.cpus.as_deref());
        let mut own = json!({});
        if let Some(entrypoint) = &container.entrypoint {
            own["command"] = json!([plain(entrypoint)]);
        }
        if container.user.is_some() {
            let (user, group) = sidecar.user();
            own["securityContext"] = json!({"runAsUser": user});
            if let Some(group) = group {
                own["securityContext"]["runAsGroup"] = group.into();
            }
        }
        spec["podTemplateSpec"] = pod(own);
        spec
    }

    /// Adds plain variables, and those with values in Secrets.
    fn add_environment(&self, spec: &mut Value, env: &BTreeMap<String, String>) {
        let (mut values, mut secrets) = (Vec::new(), Vec::new());
        for (name, text) in env {
            match self.secret(text) {
                Some(secret) => {
                    secrets.push(json!({"name": secret, "key": SECRET_KEY, "targetEnvName": name}));
                }
                None => values.push(json!({"name": name, "value": plain(text)})),
            }
        }
        spec["env"] = values.into();
        spec["secrets"] = secrets.into();
    }

    /// Returns the name of the Secret with a value. `None` if the value is not a variable.
    fn secret(&self, text: &str) -> Option<&str> {
        let name = text.strip_prefix("${env:")?.strip_suffix('}')?;
        self.secrets.get(name).map(String::as_str)
    }

    /// Returns a server that runs elsewhere.
    fn entry(
        &self,
        name: &str,
        server: &TeamServer,
        url: &str,
        headers: &BTreeMap<String, String>,
    ) -> Value {
        let (mut values, mut secrets) = (Map::new(), Vec::new());
        for (name, text) in headers {
            match self.secret(text) {
                Some(secret) => secrets.push(json!({
                    "headerName": name,
                    "valueSecretRef": {"name": secret, "key": SECRET_KEY},
                })),
                None => {
                    values.insert(name.clone(), unescaped(text).into());
                }
            }
        }
        let mut spec = json!({
            "groupRef": {"name": self.parts.name},
            "remoteUrl": unescaped(url),
            "transport": transport(server.transport),
        });
        if !headers.is_empty() {
            spec["headerForward"] =
                json!({"addPlaintextHeaders": values, "addHeadersFromSecret": secrets});
        }
        Self::resource("MCPServerEntry", name, spec)
    }

    fn virtual_server(&self) -> Value {
        let tools = self
            .parts
            .access()
            .map(|(name, access)| match access.tools.as_deref() {
                // An empty filter would offer all tools.
                None | Some([]) => json!({"workload": name, "excludeAll": true}),
                Some(tools) => json!({"workload": name, "filter": tools}),
            });
        let tools: Vec<Value> = tools.collect();
        let access = self.parts.access();
        let access: Vec<_> = access
            .map(|(name, access)| (format!("{name}_"), access))
            .collect();
        let spec = json!({
            "groupRef": {"name": self.parts.name},
            "config": {"aggregation": {
                "conflictResolution": "prefix",
                "conflictResolutionConfig": {"prefixFormat": "{workload}_"},
                "defaultToolVisibility": "deny",
                "tools": tools,
            }},
            "incomingAuth": {"type": "anonymous", "authzConfig": authorization(&access)},
            "outgoingAuth": {"source": "discovered"},
            "telemetryConfigRef": self.telemetry_of(&self.parts.name),
        });
        Self::resource("VirtualMCPServer", &self.parts.name, spec)
    }
}

fn authorization(members: &[(String, &MemberAccess)]) -> Value {
    json!({"type": "inline", "inline": {"policies": policies(members)}})
}

fn transport(transport: Transport) -> &'static str {
    match transport {
        Transport::Stdio => "stdio",
        Transport::Http => "streamable-http",
        Transport::Sse => "sse",
    }
}

/// Returns the template of a pod. ToolHive makes the file system of its container read-only.
fn pod(mut container: Value) -> Value {
    container["name"] = CONTAINER.into();
    container["volumeMounts"] = json!([{"name": "tmp", "mountPath": "/tmp"}]);
    let volumes = json!([{"name": "tmp", "emptyDir": {"sizeLimit": "1Gi"}}]);
    json!({"spec": {"containers": [container], "volumes": volumes}})
}

fn escaped(args: &[String]) -> Vec<String> {
    args.iter().map(|arg| plain(arg)).collect()
}

/// Converts a manifest's string without variables.
fn unescaped(text: &str) -> String {
    converted(text, |text| text.replace("$${", "${"), str::to_owned)
}
