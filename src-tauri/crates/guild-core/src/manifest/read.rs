//! From the bytes of `plugin.json` to a checked [`Manifest`], or to errors that say where.

use std::collections::BTreeMap;

use super::auth;
use super::container::container;
use super::develop;
use super::fields::{Fields, check_variables};
use super::tree::{Findings, Node, Trees};
use super::variables;
use super::{
    Launch, Lifecycle, MANIFEST_BYTES_MAX, Manifest, Origin, ParsedManifest, Policy, RestartPolicy,
    Timeouts, ToolSettings, Transport,
};
use crate::error::{Code, Report};
use crate::id::{MemberName, ToolName};
use crate::note::{FieldWrong, ManifestTrouble, UrlWrong};
use crate::protocol::ProtocolVersion;
use crate::spanned::{self, FaultKind, Place};

/// The deepest nesting of a manifest.
pub(super) const DEPTH_MAX: usize = 32;

const TRANSPORTS: &[(&str, Transport)] = &[("http", Transport::Http), ("stdio", Transport::Stdio)];
const LIFECYCLES: &[(&str, Lifecycle)] = &[
    ("eager", Lifecycle::Eager),
    ("on-demand", Lifecycle::OnDemand),
];
const RESTARTS: &[(&str, RestartPolicy)] = &[
    ("on-crash", RestartPolicy::OnCrash),
    ("never", RestartPolicy::Never),
];
const POLICIES: &[(&str, Policy)] = &[
    ("allow", Policy::Allow),
    ("ask", Policy::Ask),
    ("deny", Policy::Deny),
];

/// All fields of a manifest, in the order in which the documentation has them.
pub(super) const FIELDS: &[&str] = &[
    "$schema",
    "name",
    "version",
    "description",
    "transport",
    "command",
    "args",
    "env",
    "cwd",
    "container",
    "url",
    "headers",
    "auth",
    "lifecycle",
    "restart",
    "timeouts",
    "tools",
    "auto_approve",
    "protocol_version",
    "enabled",
    "origin",
    "dev",
    "examples",
];
pub(super) const TIMEOUT_FIELDS: &[&str] = &["start_ms", "handshake_ms", "call_ms", "discovery_ms"];
pub(super) const TOOL_FIELDS: &[&str] = &["policy", "timeout_ms"];
pub(super) const ORIGIN_FIELDS: &[&str] = &["from", "path", "url", "at", "server"];

/// Reads a manifest. `file` is the name that errors call it by.
pub fn parse(bytes: &[u8], file: &str) -> ParsedManifest {
    let text = match text_of(bytes, file) {
        Ok(text) => text,
        Err(report) => return ParsedManifest::refused(report),
    };
    let tree = match spanned::read(text, DEPTH_MAX, &Trees) {
        Ok(tree) => tree,
        Err(fault) => {
            let Place { line, column } = Place::of(text, fault.at);
            let place = format!("{file}:{line}:{column}");
            let (code, trouble) = match fault.kind {
                FaultKind::Syntax => (
                    Code::ManifestNotJson,
                    ManifestTrouble::NotJson(place, fault.wrong),
                ),
                FaultKind::Duplicate => (
                    Code::ManifestField,
                    ManifestTrouble::KeyTwice(place, fault.wrong),
                ),
                FaultKind::Depth | FaultKind::Value => (
                    Code::ManifestField,
                    ManifestTrouble::Nested(place, fault.wrong),
                ),
            };
            return ParsedManifest::refused(Report::told(code, &trouble));
        }
    };
    let mut findings = Findings::default();
    findings.bounds(&tree, "");
    let mut parsed = read_tree(&tree, &mut findings);
    if let Some(report) = findings.report(text, file) {
        parsed.manifest = Err(report);
    }
    parsed.warnings = findings.warnings(text, file);
    parsed
}

pub(super) fn text_of<'b>(bytes: &'b [u8], file: &str) -> Result<&'b str, Report> {
    if bytes.len() as u64 > MANIFEST_BYTES_MAX {
        let trouble = ManifestTrouble::TooLarge(file.to_owned(), bytes.len(), MANIFEST_BYTES_MAX);
        return Err(Report::told(Code::ManifestTooLarge, &trouble));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = error.valid_up_to();
        let before = std::str::from_utf8(&bytes[..valid]).unwrap_or_default();
        let Place { line, column } = Place::of(before, valid);
        let trouble = ManifestTrouble::NotUtf8(format!("{file}:{line}:{column}"));
        Report::told(Code::ManifestNotJson, &trouble)
    })?;
    if text.trim().is_empty() {
        let trouble = ManifestTrouble::Empty(file.to_owned());
        return Err(Report::told(Code::ManifestNotJson, &trouble));
    }
    Ok(text)
}

fn read_tree(tree: &Node, findings: &mut Findings) -> ParsedManifest {
    // What `parse` puts in place of this when anything was found.
    let unfit = Report::told(Code::ManifestField, &ManifestTrouble::Unfit);
    let mut parsed = ParsedManifest::refused(unfit);
    let Some(fields) = Fields::of(tree, "", findings) else {
        return parsed;
    };
    if let Some((key, node)) = client_config(&fields) {
        findings.error(node.at, key, FieldWrong::ClientConfig);
        return parsed;
    }
    fields.warn_unknown(FIELDS, findings);
    fields.text("$schema", findings);

    let name = name(&fields, findings);
    parsed.name.clone_from(&name);
    parsed.version = owned(fields.text("version", findings));
    parsed.description = owned(fields.text("description", findings));
    parsed.transport = fields.choice("transport", TRANSPORTS, findings);
    if !fields.has("transport") {
        findings.error(fields.at, "transport", FieldWrong::NoTransport);
    }
    let headers = headers(&fields, findings);
    let launch = launch(&fields, parsed.transport, &headers, findings);
    let auth = auth::auth(&fields, launch.as_ref(), findings);
    let lifecycle = fields.choice("lifecycle", LIFECYCLES, findings);
    parsed.lifecycle = lifecycle.unwrap_or_default();
    let restart = fields.choice("restart", RESTARTS, findings);
    let timeouts = timeouts(&fields, findings);
    let tools = tools(&fields, findings);
    let auto_approve = fields.texts("auto_approve", false, findings);
    let protocol_version = protocol_version(&fields, findings);
    let enabled = fields.flag("enabled", findings);
    let origin = origin(&fields, findings);
    let dev = develop::dev(&fields, findings);
    let examples = develop::examples(&fields, findings);
    warn_dev(&fields, dev.is_some(), origin.is_some(), findings);

    if let (Some(name), Some(transport), Some(launch)) = (name, parsed.transport, launch) {
        let headers = match (&launch, transport) {
            (Launch::Command { .. } | Launch::Container(_), Transport::Http) => headers,
            _ => BTreeMap::new(),
        };
        parsed.manifest = Ok(Manifest {
            name,
            version: parsed.version.clone(),
            description: parsed.description.clone(),
            transport,
            launch,
            headers,
            auth,
            lifecycle: parsed.lifecycle,
            restart: restart.unwrap_or_default(),
            timeouts,
            tools,
            auto_approve,
            protocol_version,
            enabled: enabled.unwrap_or(true),
            origin,
            dev,
            examples,
        });
    }
    parsed
}

/// The field by which a file is another program's list of servers.
fn client_config<'n>(fields: &Fields<'n>) -> Option<(&'static str, &'n Node)> {
    const LISTS: [&str; 4] = ["mcpServers", "mcp_servers", "context_servers", "servers"];
    if ["name", "transport", "command"]
        .iter()
        .any(|key| fields.has(key))
    {
        return None;
    }
    LISTS.iter().find_map(|key| Some((*key, fields.get(key)?)))
}

fn owned(text: Option<&str>) -> String {
    text.unwrap_or_default().to_owned()
}

fn name(fields: &Fields<'_>, findings: &mut Findings) -> Option<MemberName> {
    let Some(node) = fields.get("name") else {
        findings.error(fields.at, "name", FieldWrong::NoName);
        return None;
    };
    let text = fields.text("name", findings)?;
    MemberName::parse(text)
        .map_err(|error| findings.error(node.at, "name", FieldWrong::BadName(error.0)))
        .ok()
}

fn launch(
    fields: &Fields<'_>,
    transport: Option<Transport>,
    headers: &BTreeMap<String, String>,
    findings: &mut Findings,
) -> Option<Launch> {
    let command = fields.text("command", findings);
    let args = fields.texts("args", true, findings);
    let env = fields.text_map("env", wrong_env_name, findings);
    let cwd = cwd(fields, findings);
    let url = fields.text("url", findings);
    if let Some(node) = fields.get("container") {
        for other in ["command", "url"].into_iter().filter(|key| fields.has(key)) {
            findings.error(node.at, "container", FieldWrong::Beside(other));
        }
        warn_idle(fields, &["args", "cwd"], "container", findings);
        warn_headers(fields, transport, findings);
        let container = container(node, env, transport, findings)?;
        return Some(Launch::Container(Box::new(container)));
    }
    match (fields.get("command"), fields.get("url")) {
        (None, None) => {
            findings.error(fields.at, "command", FieldWrong::NoCommand);
            None
        }
        (Some(_), Some(node)) => {
            findings.error(node.at, "url", FieldWrong::Beside("command"));
            None
        }
        (Some(node), None) => {
            let command = command?;
            if command.trim().is_empty() {
                findings.error(node.at, "command", FieldWrong::EmptyCommand);
            }
            check_variables(findings, node.at, "command", command);
            warn_port(fields, transport, command, &args, &env, findings);
            warn_headers(fields, transport, findings);
            warn_secrets(fields, &args, findings);
            let command = command.to_owned();
            Some(Launch::Command {
                command,
                args,
                env,
                cwd,
            })
        }
        (None, Some(node)) => {
            let url = url?;
            if transport == Some(Transport::Stdio) {
                findings.error(node.at, "url", FieldWrong::UrlOverStdio);
            }
            if let Err(wrong) = check_url(url) {
                findings.error(node.at, "url", FieldWrong::BadUrl(wrong));
            }
            check_variables(findings, node.at, "url", url);
            if variables::uses_port(url) || headers.values().any(|v| variables::uses_port(v)) {
                findings.warn(node.at, "url", FieldWrong::UrlWithPort);
            }
            warn_idle(fields, &["args", "env", "cwd"], "url", findings);
            let (url, headers) = (url.to_owned(), headers.clone());
            Some(Launch::Url { url, headers })
        }
    }
}

fn headers(fields: &Fields<'_>, findings: &mut Findings) -> BTreeMap<String, String> {
    let headers = fields.text_map("headers", wrong_header_name, findings);
    for (key, value) in &headers {
        if value.contains(['\r', '\n'])
            && let Some(node) = fields.get("headers")
        {
            let path = format!("headers.{key}");
            findings.error(node.at, &path, FieldWrong::HeaderLine);
        }
    }
    headers
}

/// Warns of headers that no request has.
fn warn_headers(fields: &Fields<'_>, transport: Option<Transport>, findings: &mut Findings) {
    if let Some(node) = fields.get("headers")
        && transport == Some(Transport::Stdio)
    {
        findings.warn(node.at, "headers", FieldWrong::HeadersOverStdio);
    }
}

fn cwd(fields: &Fields<'_>, findings: &mut Findings) -> Option<String> {
    let node = fields.get("cwd")?;
    let cwd = fields.text("cwd", findings)?;
    if cwd.trim().is_empty() {
        findings.error(node.at, "cwd", FieldWrong::EmptyCwd);
    }
    check_variables(findings, node.at, "cwd", cwd);
    Some(cwd.to_owned())
}

fn warn_port(
    fields: &Fields<'_>,
    transport: Option<Transport>,
    command: &str,
    args: &[String],
    env: &BTreeMap<String, String>,
    findings: &mut Findings,
) {
    let mut texts = args.iter().chain(env.values()).map(String::as_str);
    let used = variables::uses_port(command) || texts.any(variables::uses_port);
    match transport {
        Some(Transport::Http) if !used => {
            findings.warn(fields.at, "args", FieldWrong::PortUnused);
        }
        Some(Transport::Stdio) if used => {
            findings.warn(fields.at, "transport", FieldWrong::PortOverStdio);
        }
        _ => {}
    }
}

/// Arguments are shown by the system to every user.
fn warn_secrets(fields: &Fields<'_>, args: &[String], findings: &mut Findings) {
    let at = fields.get("args").map_or(fields.at, |node| node.at);
    for (index, arg) in args.iter().enumerate() {
        if let Some(name) = variables::secrets_in(arg).next() {
            let wrong = FieldWrong::SecretInArgs(name.to_owned());
            findings.warn(at, &format!("args[{index}]"), wrong);
        }
    }
}

fn warn_idle(fields: &Fields<'_>, idle: &[&str], beside: &'static str, findings: &mut Findings) {
    for key in idle {
        if let Some(node) = fields.get(key) {
            let odd = FieldWrong::IdleBeside(beside, (*key).to_owned());
            findings.warn(node.at, key, odd);
        }
    }
}

fn timeouts(fields: &Fields<'_>, findings: &mut Findings) -> Timeouts {
    let mut timeouts = Timeouts::default();
    let Some(limits) = fields
        .get("timeouts")
        .and_then(|node| Fields::of(node, "timeouts", findings))
    else {
        return timeouts;
    };
    limits.warn_unknown(TIMEOUT_FIELDS, findings);
    for (key, limit) in [
        ("start_ms", &mut timeouts.start_ms),
        ("handshake_ms", &mut timeouts.handshake_ms),
        ("call_ms", &mut timeouts.call_ms),
        ("discovery_ms", &mut timeouts.discovery_ms),
    ] {
        *limit = limits.millis(key, findings);
    }
    timeouts
}

fn tools(fields: &Fields<'_>, findings: &mut Findings) -> BTreeMap<String, ToolSettings> {
    let Some(tools) = fields
        .get("tools")
        .and_then(|node| Fields::of(node, "tools", findings))
    else {
        return BTreeMap::new();
    };
    let mut read = BTreeMap::new();
    for entry in tools.entries() {
        let path = tools.path(&entry.key);
        if let Err(error) = ToolName::parse(&entry.key) {
            findings.error(entry.key_at, &path, FieldWrong::NoTool(error.0));
        }
        let Some(settings) = Fields::of(&entry.value, &path, findings) else {
            continue;
        };
        settings.warn_unknown(TOOL_FIELDS, findings);
        let policy = settings.choice("policy", POLICIES, findings);
        let timeout_ms = settings.millis("timeout_ms", findings);
        read.insert(entry.key.clone(), ToolSettings { policy, timeout_ms });
    }
    read
}

fn origin(fields: &Fields<'_>, findings: &mut Findings) -> Option<Origin> {
    let node = fields.get("origin")?;
    let origin = Fields::of(node, "origin", findings)?;
    origin.warn_unknown(ORIGIN_FIELDS, findings);
    let from = owned(origin.text("from", findings));
    if !origin.has("from") || from.trim().is_empty() {
        findings.error(origin.at, "origin.from", FieldWrong::NoOrigin);
    }
    let mut text = |key| origin.text(key, findings).map(str::to_owned);
    Some(Origin {
        from,
        path: text("path"),
        url: text("url"),
        at: text("at"),
        server: text("server"),
    })
}

/// What is built and run at each change is for those to say who write the member themselves.
fn warn_dev(fields: &Fields<'_>, dev: bool, foreign: bool, findings: &mut Findings) {
    let Some(node) = fields.get("dev").filter(|_| dev) else {
        return;
    };
    if foreign {
        findings.warn(node.at, "dev", FieldWrong::DevForeign);
    } else if fields.has("url") {
        findings.warn(node.at, "dev", FieldWrong::DevElsewhere);
    }
}

fn protocol_version(fields: &Fields<'_>, findings: &mut Findings) -> Option<ProtocolVersion> {
    let mut choices = vec![("auto", None)];
    choices.extend(ProtocolVersion::ALL.map(|version| (version.as_str(), Some(version))));
    fields
        .choice("protocol_version", &choices, findings)
        .flatten()
}

fn wrong_env_name(name: &str) -> Option<FieldWrong> {
    if name.is_empty() {
        Some(FieldWrong::VariableNameless)
    } else if name.contains('=') {
        Some(FieldWrong::VariableEquals)
    } else {
        None
    }
}

fn wrong_header_name(name: &str) -> Option<FieldWrong> {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let fits = !name.is_empty() && name.bytes().all(token);
    (!fits).then_some(FieldWrong::HeaderName)
}

/// Whether a `url` may be spoken to: `http:` or `https:`, a host, and no name or password in it.
///
/// A url with variables is to be checked again once they have their values.
///
/// # Errors
/// What is wrong, in words that follow the name of the field and repeat nothing of the url.
pub(crate) fn check_url(url: &str) -> Result<(), UrlWrong> {
    let lower = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    let rest = if lower.starts_with("http://") {
        &url[7..]
    } else if lower == "https://" {
        &url[8..]
    } else {
        return Err(UrlWrong::Beginning);
    };
    if url
        .chars()
        .any(|c| c.is_whitespace() || c.is_control() || c == '\\')
    {
        return Err(UrlWrong::Characters);
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.contains('@') {
        return Err(UrlWrong::Credentials);
    }
    if host.is_empty() || host.starts_with(':') {
        return Err(UrlWrong::NoHost);
    }
    Ok(())
}
