//! The install options of a server: its packages and its remote addresses.

use serde_json::Value;

use super::RegistryServerSummary;
use super::entry::{self, OPTIONS_MAX, PACKAGES, REGISTRY, REMOTES};
use super::fields::RegistryFields;
use super::inputs::InputCollector;
use super::ports::{port_inside, port_name};
use super::runner::{Runner, RunnerPackage, is_unpinned};
use crate::messages::{ListingNote, Uninstallable};
use guild_client_config::{TextSegment, TextTemplate};
use guild_import::install::{InstallInputs, LaunchTemplate};
use guild_model::manifest::Transport;
use guild_text::messages::short;

const BASE: &[&str] = &["registryBaseUrl", "registry_base_url"];
const IDENTIFIER: &[&str] = &["identifier", "name"];
const HINT: &[&str] = &["runtimeHint", "runtime_hint"];
const ENVIRONMENT: &[&str] = &["environmentVariables", "environment_variables"];
const FOR_RUNTIME: &[&str] = &["runtimeArguments", "runtime_arguments"];
const FOR_PACKAGE: &[&str] = &["packageArguments", "package_arguments"];
const TYPE: &[&str] = &["type", "transport_type"];

/// An install option.
#[derive(Debug, Clone)]
pub struct InstallOption {
    /// The kind of package, or `remote`.
    pub kind: String,
    /// The package's name, or the address.
    pub name: String,
    /// The package's version, if it has one.
    pub version: Option<String>,
    /// The address of the package registry.
    pub base_url: Option<String>,
    /// The install data, or the reason that the option can't be installed.
    pub installable: Result<Installable, Uninstallable>,
}

/// The data for installing a server.
#[derive(Debug, Clone)]
pub struct Installable {
    /// The launch, with placeholders for the inputs.
    pub plan: LaunchTemplate,
    /// The inputs that a person enters.
    pub inputs: InstallInputs,
    /// The member's transport.
    pub transport: Transport,
    /// Warnings and remarks.
    pub notes: Vec<ListingNote>,
}

/// Returns the install options of a server: packages first, in entry order.
pub fn install_options(server: &RegistryServerSummary) -> Vec<InstallOption> {
    let Ok(value) = serde_json::from_str::<Value>(server.text.get()) else {
        return Vec::new();
    };
    let Some(fields) = entry::server(&value) else {
        return Vec::new();
    };
    let list = |names| fields.list(names, OPTIONS_MAX).unwrap_or_default().iter();
    let packages = list(PACKAGES).map(package);
    packages.chain(list(REMOTES).map(remote)).collect()
}

fn odd(kind: &str) -> InstallOption {
    InstallOption {
        kind: kind.to_owned(),
        name: String::new(),
        version: None,
        base_url: None,
        installable: Err(Uninstallable::NoObject),
    }
}

fn package(value: &Value) -> InstallOption {
    let Some(fields) = RegistryFields::of(value) else {
        return odd("package");
    };
    let kind = fields
        .text(REGISTRY)
        .unwrap_or_default()
        .to_ascii_lowercase();
    let identifier = fields.text(IDENTIFIER).unwrap_or_default();
    let version = fields.text(&["version"]);
    let base_url = fields.text(BASE);
    let package = RunnerPackage {
        identifier: &identifier,
        version: version.as_deref(),
        base_url: base_url.as_deref(),
    };
    let installable = of_package(fields, &kind, &package);
    let named = |text: String, most: usize| text.chars().take(most).collect::<String>();
    InstallOption {
        kind: match kind.as_str() {
            "" => "package".to_owned(),
            _ => named(kind, 20),
        },
        version: version.map(|version| named(version, 255)),
        base_url: base_url.map(|url| named(url, 500)),
        name: named(identifier, 500),
        installable,
    }
}

fn of_package(
    fields: RegistryFields<'_>,
    kind: &str,
    package: &RunnerPackage<'_>,
) -> Result<Installable, Uninstallable> {
    let runner = Runner::of(kind, fields.text(HINT).as_deref(), fields)?;
    let transport = fields.object(&["transport"]);
    let kind_of_transport = transport.and_then(|transport| transport.text(TYPE));
    let mut inside = None;
    let (transport, port) = match (kind_of_transport.as_deref(), transport) {
        (None | Some("stdio"), _) => (Transport::Stdio, None),
        // The MCP client detects by itself whether a server uses HTTP+SSE.
        (Some("streamable-http" | "sse"), Some(transport)) => {
            let url = transport.text(&["url"]).unwrap_or_default();
            let port = port_name(&url, fields)?;
            let headers = transport.list(&["headers"], usize::MAX);
            if headers?.is_empty() {
                inside = runner
                    .is_container()
                    .then(|| port_inside(&url, &port, fields));
                (Transport::Http, Some(port))
            } else {
                return Err(Uninstallable::OwnHeaders);
            }
        }
        (Some(other), _) => return Err(unsupported_transport(other)),
    };
    let has_port = port.is_some();
    let mut collector = InputCollector::with_port(port);
    let runtime = collector.arguments(fields, FOR_RUNTIME)?;
    let outward = runner.outward(&runtime);
    // If the runtime arguments publish the port or change the network, the port inside the
    // container can't be fixed.
    let is_elsewhere = |word: &String| word.starts_with("--net");
    if collector.has_port() || outward.iter().any(is_elsewhere) {
        inside = None;
    }
    let port_let_out = collector.has_port();
    if let Some(port) = inside {
        collector.is_inside(port);
    }
    let own = collector.arguments(fields, FOR_PACKAGE)?;
    let env = collector.values(fields, ENVIRONMENT)?;
    if has_port && !collector.has_port() {
        return Err(Uninstallable::PortUnset);
    }
    let mut notes = Vec::new();
    if !outward.is_empty() {
        let outward = outward.join(", ");
        notes.push(ListingNote::Outward(outward));
    }
    if is_unpinned(runner, package) {
        notes.push(ListingNote::Unpinned);
    }
    if let (Some(url), false) = (package.base_url, runner.is_container()) {
        let program = runner.program();
        notes.push(ListingNote::FetchedFrom(short(url, 200), program));
    }
    let names: Vec<&str> = env.keys().map(String::as_str).collect();
    let publishes = runner.is_container() && has_port && !port_let_out;
    let publishes = publishes.then(|| match inside {
        Some(port) => TextSegment::Plain(port.to_string()),
        None => TextSegment::Variable("PORT".to_owned()),
    });
    let args = runner.arguments(package, runtime, own, &names, publishes)?;
    Ok(Installable {
        plan: LaunchTemplate::Command {
            command: TextTemplate::plain(runner.program()),
            args,
            env,
            cwd: None,
        },
        inputs: InstallInputs::new(collector.into_inputs()),
        transport,
        notes,
    })
}

fn remote(value: &Value) -> InstallOption {
    let Some(fields) = RegistryFields::of(value) else {
        return odd("remote");
    };
    let url = fields.text(&["url"]).unwrap_or_default();
    InstallOption {
        kind: "remote".to_owned(),
        name: url.chars().take(500).collect(),
        version: None,
        base_url: None,
        installable: of_remote(fields, &url),
    }
}

fn of_remote(fields: RegistryFields<'_>, url: &str) -> Result<Installable, Uninstallable> {
    match fields.text(TYPE).as_deref() {
        // The MCP client detects by itself whether a server uses HTTP+SSE.
        Some("streamable-http" | "streamable" | "sse") => {}
        Some(other) => return Err(unsupported_transport(other)),
        None => return Err(Uninstallable::NoTransport),
    }
    if url.is_empty() {
        return Err(Uninstallable::NoAddress);
    }
    let mut collector = InputCollector::default();
    let template = collector.address(fields, url)?;
    let headers = collector.values(fields, &["headers"])?;
    Ok(Installable {
        plan: LaunchTemplate::Url {
            url: template,
            headers,
        },
        inputs: InstallInputs::new(collector.into_inputs()),
        transport: Transport::Http,
        notes: Vec::new(),
    })
}

fn unsupported_transport(transport: &str) -> Uninstallable {
    Uninstallable::UnsupportedTransport(format!("{:?}", short(transport, 40)))
}
