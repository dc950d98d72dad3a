//! From the bytes of `plugin.json` to a checked [`Manifest`], or to errors that say where.

use std::collections::BTreeMap;

use super::auth;
use super::container::container;
use super::develop;
use super::fields::{Fields, check_variables};
use super::tree::{FIELD_HINT, Findings, Node, Trees};
use super::variables;
use super::{
    Launch, Lifecycle, MANIFEST_BYTES_MAX, Manifest, Origin, ParsedManifest, Policy, RestartPolicy,
    Timeouts, ToolSettings, Transport,
};
use crate::error::{Code, Report};
use crate::id::{MemberName, ToolName};
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
            let message = format!("{file}:{line}:{column}: {}", fault.message);
            return ParsedManifest::refused(match fault.kind {
                FaultKind::Syntax => Report::new(
                    Code::ManifestNotJson,
                    message,
                    "A manifest is one JSON object, without comments or trailing commas.",
                ),
                FaultKind::Duplicate => {
                    Report::new(Code::ManifestField, message, "Take one of them out.")
                }
                FaultKind::Depth | FaultKind::Value => {
                    Report::new(Code::ManifestField, message, FIELD_HINT)
                }
            });
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
        let length = bytes.len();
        return Err(Report::new(
            Code::ManifestTooLarge,
            format!("{file} has {length} bytes; {MANIFEST_BYTES_MAX} are the most."),
            "Take out what does not belong in a manifest.",
        ));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = error.valid_up_to();
        let before = std::str::from_utf8(&bytes[..valid]).unwrap_or_default();
        let Place { line, column } = Place::of(before, valid);
        Report::new(
            Code::ManifestNotJson,
            format!("{file}:{line}:{column}: not UTF-8"),
            "Save the file as UTF-8.",
        )
    })?;
    if text.trim().is_empty() {
        return Err(Report::new(
            Code::ManifestNotJson,
            format!("{file}:1:1: the file is empty"),
            "Write at least name, transport and command.",
        ));
    }
    Ok(text)
}

fn read_tree(tree: &Node, findings: &mut Findings) -> ParsedManifest {
    // What `parse` puts in place of this when anything was found.
    let unfit = Report::new(Code::ManifestField, "The manifest has an error.", "");
    let mut parsed = ParsedManifest::refused(unfit);
    let Some(fields) = Fields::of(tree, "", findings) else {
        return parsed;
    };
    fields.warn_unknown(FIELDS, findings);
    fields.text("$schema", findings);

    let name = name(&fields, findings);
    parsed.name.clone_from(&name);
    parsed.version = owned(fields.text("version", findings));
    parsed.description = owned(fields.text("description", findings));
    parsed.transport = fields.choice("transport", TRANSPORTS, findings);
    if !fields.has("transport") {
        let message = "is missing; it must be \"http\" or \"stdio\"".to_owned();
        findings.error(fields.at, "transport", message, "");
    }
    let launch = launch(&fields, parsed.transport, findings);
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
        parsed.manifest = Ok(Manifest {
            name,
            version: parsed.version.clone(),
            description: parsed.description.clone(),
            transport,
            launch,
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

fn owned(text: Option<&str>) -> String {
    text.unwrap_or_default().to_owned()
}

fn name(fields: &Fields<'_>, findings: &mut Findings) -> Option<MemberName> {
    let Some(node) = fields.get("name") else {
        let message = "is missing; it is the member's unique name".to_owned();
        findings.error(fields.at, "name", message, "");
        return None;
    };
    let text = fields.text("name", findings)?;
    MemberName::parse(text)
        .map_err(|error| findings.error(node.at, "name", format!("is not usable: {error}"), ""))
        .ok()
}

fn launch(
    fields: &Fields<'_>,
    transport: Option<Transport>,
    findings: &mut Findings,
) -> Option<Launch> {
    let command = fields.text("command", findings);
    let args = fields.texts("args", true, findings);
    let env = fields.text_map("env", wrong_env_name, findings);
    let cwd = cwd(fields, findings);
    let url = fields.text("url", findings);
    let headers = fields.text_map("headers", wrong_header_name, findings);
    for (key, value) in &headers {
        if value.contains(['\r', '\n'])
            && let Some(node) = fields.get("headers")
        {
            let message = "has a line end, which no header may have".to_owned();
            findings.error(node.at, &format!("headers.{key}"), message, "");
        }
    }
    if let Some(node) = fields.get("container") {
        for other in ["command", "url"].into_iter().filter(|key| fields.has(key)) {
            let message = format!("stands beside `{other}`; a member has one or the other");
            findings.error(node.at, "container", message, "Take one of them out.");
        }
        warn_idle(
            fields,
            &["args", "cwd", "headers"],
            "a `container`",
            findings,
        );
        let container = container(node, env, transport, findings)?;
        return Some(Launch::Container(Box::new(container)));
    }
    match (fields.get("command"), fields.get("url")) {
        (None, None) => {
            let message = "is missing; it is the program that runs the server".to_owned();
            let hint =
                "Give a `command`, a `container`, or a `url` for a server that runs elsewhere.";
            findings.error(fields.at, "command", message, hint);
            None
        }
        (Some(_), Some(node)) => {
            let message = "stands beside `command`; a member has one or the other".to_owned();
            findings.error(node.at, "url", message, "Take one of them out.");
            None
        }
        (Some(node), None) => {
            let command = command?;
            if command.trim().is_empty() {
                let message = "must name a program; found an empty text".to_owned();
                findings.error(node.at, "command", message, "");
            }
            check_variables(findings, node.at, "command", command);
            warn_port(fields, transport, command, &args, &env, findings);
            warn_idle(fields, &["headers"], "a `command`", findings);
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
                let message = "needs the transport \"http\"; this member's is \"stdio\"".to_owned();
                findings.error(node.at, "url", message, "");
            }
            if let Err(wrong) = check_url(url) {
                findings.error(node.at, "url", wrong.to_owned(), "");
            }
            check_variables(findings, node.at, "url", url);
            if variables::uses_port(url) || headers.values().any(|v| variables::uses_port(v)) {
                let hint = "Write the port of the server that runs elsewhere.".to_owned();
                let message = "uses ${PORT}, which a member with a url is not given";
                findings.warn(node.at, "url", message, hint);
            }
            warn_idle(fields, &["args", "env", "cwd"], "a `url`", findings);
            let url = url.to_owned();
            Some(Launch::Url { url, headers })
        }
    }
}

fn cwd(fields: &Fields<'_>, findings: &mut Findings) -> Option<String> {
    let node = fields.get("cwd")?;
    let cwd = fields.text("cwd", findings)?;
    if cwd.trim().is_empty() {
        let message = "must name a folder; found an empty text".to_owned();
        let hint = "Without the field, the member runs in its own folder.";
        findings.error(node.at, "cwd", message, hint);
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
        Some(Transport::Http) if !used => findings.warn(
            fields.at,
            "args",
            "and `env` do not use ${PORT}; the server can't know the port it is given",
            "Pass it, e.g. \"args\": [\"--port\", \"${PORT}\"].".into(),
        ),
        Some(Transport::Stdio) if used => findings.warn(
            fields.at,
            "transport",
            "is \"stdio\", and ${PORT} is used, which has no value then",
            "Take ${PORT} out, or set the transport to \"http\".".into(),
        ),
        _ => {}
    }
}

fn warn_idle(fields: &Fields<'_>, idle: &[&str], beside: &str, findings: &mut Findings) {
    for key in idle {
        if let Some(node) = fields.get(key) {
            let hint = format!("Take `{key}` out.");
            let message = format!("has no effect beside {beside}");
            findings.warn(node.at, key, &message, hint);
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
            findings.error(entry.key_at, &path, format!("names no tool: {error}"), "");
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
        let message = "is missing; it says where the member comes from".to_owned();
        let hint = "Give one word, e.g. \"registry\".";
        findings.error(origin.at, "origin.from", message, hint);
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
        let message = "has no effect: the member comes from elsewhere, as `origin` says";
        let hint = "Take `origin` out once the code is your own.".to_owned();
        findings.warn(node.at, "dev", message, hint);
    } else if fields.has("url") {
        let message = "restarts nothing: a member with a url runs elsewhere";
        let hint = "Its tools are listed anew and its examples run.".to_owned();
        findings.warn(node.at, "dev", message, hint);
    }
}

fn protocol_version(fields: &Fields<'_>, findings: &mut Findings) -> Option<ProtocolVersion> {
    let mut choices = vec![("auto", None)];
    choices.extend(ProtocolVersion::ALL.map(|version| (version.as_str(), Some(version))));
    fields
        .choice("protocol_version", &choices, findings)
        .flatten()
}

fn wrong_env_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("has a variable with an empty name")
    } else if name.contains('=') {
        Some("has an '=' in its name, which no operating system allows")
    } else {
        None
    }
}

fn wrong_header_name(name: &str) -> Option<&'static str> {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let fits = !name.is_empty() && name.bytes().all(token);
    (!fits).then_some("is no name of an HTTP header")
}

/// Whether a `url` may be spoken to: `http:` or `https:`, a host, and no name or password in it.
///
/// A url with variables is to be checked again once they have their values.
///
/// # Errors
/// What is wrong, in words that follow the name of the field and repeat nothing of the url.
pub(crate) fn check_url(url: &str) -> Result<(), &'static str> {
    let lower = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    let rest = if lower.starts_with("http://") {
        &url[7..]
    } else if lower == "https://" {
        &url[8..]
    } else {
        return Err("must begin with http:// or https://");
    };
    if url
        .chars()
        .any(|c| c.is_whitespace() || c.is_control() || c == '\\')
    {
        return Err("has a space, a control character or a backslash");
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.contains('@') {
        return Err(
            "must have no user name or password; send them in `headers` as a ${secret:NAME}",
        );
    }
    if host.is_empty() || host.starts_with(':') {
        return Err("names no host");
    }
    Ok(())
}
