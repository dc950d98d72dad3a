//! Rules of a manifest that its JSON Schema can't express, inside one field and between fields.
//!
//! These checks skip fields of a wrong type, because the schema already reports them.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use super::findings::Findings;
use super::variables;
use crate::arguments::parse_exact;
use crate::container::command::{is_decimal, is_of_this_machine};
use crate::container::{is_for_the_engine, sources};
use crate::globs::check_glob;
use crate::id::{NameError, ToolName};
use crate::messages::UrlProblem;
use guild_schema::schema::escaped;
use guild_text::number::grouped;

/// Maximum length of a string in a manifest, in bytes.
const TEXT_BYTES_MAX: usize = 32 * 1024;
/// Maximum number of entries in one list or object.
const ENTRIES_MAX: usize = 1_000;

/// Checks the limits that apply to every value, including those of unknown fields: the lengths of
/// strings and lists, and that strings contain no NUL character.
pub(super) fn bounds(value: &Value, pointer: &str, findings: &mut Findings<'_>) {
    let count = match value {
        Value::String(text) => {
            text_bounds(text, pointer, findings);
            0
        }
        Value::Array(items) => {
            for (index, item) in items.iter().take(ENTRIES_MAX).enumerate() {
                bounds(item, &format!("{pointer}/{index}"), findings);
            }
            items.len()
        }
        Value::Object(fields) => {
            for (key, value) in fields.iter().take(ENTRIES_MAX) {
                let pointer = format!("{pointer}/{}", escaped(key));
                text_bounds(key, &pointer, findings);
                bounds(value, &pointer, findings);
            }
            fields.len()
        }
        _ => 0,
    };
    if count > ENTRIES_MAX {
        let (count, most) = (grouped(count), grouped(ENTRIES_MAX));
        let message = format!("has {count} entries; the limit is {most}");
        findings.error(pointer, &message, "Remove what is not needed.");
    }
}

fn text_bounds(text: &str, pointer: &str, findings: &mut Findings<'_>) {
    if text.len() > TEXT_BYTES_MAX {
        let (length, most) = (grouped(text.len()), grouped(TEXT_BYTES_MAX));
        let message = format!("has {length} bytes; the limit is {most}");
        findings.error(
            pointer,
            &message,
            "Shorten it, or let the server read it from a file.",
        );
    }
    if text.contains('\0') {
        let message = "has a NUL character, which no operating system passes on";
        findings.error(pointer, message, "Remove the \\u0000.");
    }
}

/// Checks the rules. `root` must be an object.
pub(super) fn rules(root: &Value, findings: &mut Findings<'_>) {
    launch(root, findings);
    match &root["container"] {
        container @ Value::Object(_) => self::container(root, container, findings),
        _ if root["command"].is_string() => command(root, findings),
        _ => {}
    }
    if let Some(url) = root["url"].as_str() {
        self::url(root, url, findings);
    }
    auth(root, findings);
    for (name, _) in fields(&root["tools"]) {
        if let Err(NameError(wrong)) = ToolName::parse(name) {
            let message = format!("is not a tool's name: {wrong}");
            findings.error_of_key(&format!("/tools/{}", escaped(name)), &message, "");
        }
    }
    dev(root, findings);
    examples(root, findings);
}

fn launch(root: &Value, findings: &mut Findings<'_>) {
    let ways = ["container", "command", "url"];
    let mut given = ways.into_iter().filter(|way| root.get(way).is_some());
    match (given.next(), given.next()) {
        (None, _) => findings.error(
            "/command",
            "is missing; it is the program that runs the server",
            "Give a `command`, a `container`, or a `url` for a server that runs elsewhere.",
        ),
        (Some(first), Some(second)) => {
            let message = format!(
                "can't be combined with `{first}`; a member has one of {}",
                ways.join(", ")
            );
            findings.error(&format!("/{second}"), &message, "Remove one of them.");
        }
        (Some(way), None) => {
            let idle: &[&str] = match way {
                "container" => &["args", "cwd"],
                "url" => &["args", "env", "cwd"],
                _ => &[],
            };
            for field in idle.iter().filter(|field| root.get(field).is_some()) {
                let message = format!("has no effect together with `{way}`");
                findings.warn(
                    &format!("/{field}"),
                    &message,
                    &format!("Remove `{field}`."),
                );
            }
        }
    }
    if root.get("headers").is_some() && root.get("url").is_none() && is_stdio(root) {
        let hint = "Remove `headers`, or set the transport to \"http\".";
        findings.warn("/headers", "has no effect over stdio", hint);
    }
}

fn command(root: &Value, findings: &mut Findings<'_>) {
    let own = root["command"].as_str().into_iter();
    let given = fields(&root["env"]).map(|(_, value)| value);
    let given = given.filter_map(Value::as_str);
    let mut all = own
        .chain(texts(&root["args"]).map(|(_, arg)| arg))
        .chain(given);
    let uses_port = all.any(variables::uses_port);
    if is_http(root) && !uses_port {
        findings.warn(
            "/args",
            "and `env` do not use ${PORT}, so the server doesn't know its port",
            "Pass it, e.g. \"args\": [\"--port\", \"${PORT}\"].",
        );
    } else if is_stdio(root) && uses_port {
        findings.warn(
            "/transport",
            "is \"stdio\", so ${PORT} has no value, although the member uses it",
            "Remove ${PORT}, or set the transport to \"http\".",
        );
    }
    for (index, arg) in texts(&root["args"]) {
        if let Some(name) = variables::secrets_in(arg).next() {
            let message = format!(
                "has ${{secret:{name}}}, whose value every user of this machine can see while the \
                 server runs (`ps`)"
            );
            let hint = "Pass it in `env` if the server reads it from a variable.";
            findings.warn(&format!("/args/{index}"), &message, hint);
        }
    }
}

fn url(root: &Value, url: &str, findings: &mut Findings<'_>) {
    if let Err(wrong) = check_url(url) {
        findings.error("/url", &wrong.to_string(), "");
    }
    if is_stdio(root) {
        let message = "needs the transport \"http\"; this member's is \"stdio\"";
        findings.error("/url", message, "");
    }
    let headers = fields(&root["headers"]).filter_map(|(_, value)| value.as_str());
    if std::iter::once(url)
        .chain(headers)
        .any(variables::uses_port)
    {
        findings.warn(
            "/url",
            "uses ${PORT}, but a member with a url has no port",
            "Write the port of the server that runs elsewhere.",
        );
    }
}

fn auth(root: &Value, findings: &mut Findings<'_>) {
    let signs = |name: &str| name.eq_ignore_ascii_case("authorization");
    if root.get("auth").is_none() {
    } else if root.get("url").is_none() {
        findings.warn("/auth", "has no effect without a `url`", "Remove `auth`.");
    } else if fields(&root["headers"]).any(|(name, _)| signs(name)) {
        let message = "has no effect together with the header `Authorization`";
        findings.warn("/auth", message, "Remove one of them.");
    }
}

fn container(root: &Value, container: &Value, findings: &mut Findings<'_>) {
    let has_port = container.get("port").is_some();
    if is_http(root) && !has_port {
        findings.error(
            "/container/port",
            "is missing; it is where the server listens in the container",
            "Guild Hall publishes it on 127.0.0.1, at a port that it chooses.",
        );
    } else if is_stdio(root) && has_port {
        let hint = "Remove it, or set the transport to \"http\".";
        findings.warn(
            "/container/port",
            "has no effect: the transport is \"stdio\"",
            hint,
        );
    }
    if is_http(root) && container["network"] == "none" {
        let message = "is \"none\", which makes the server's port unreachable";
        findings.error("/container/network", message, "Use \"bridge\".");
    }
    for (name, value) in fields(&root["env"]) {
        let (pointer, value) = (
            format!("/env/{}", escaped(name)),
            value.as_str().unwrap_or(""),
        );
        if is_for_the_engine(name) && variables::secrets_in(value).next().is_some() {
            let message = "has a secret under a name that the container engine reads itself, so \
                           that the secret would be part of the engine's command";
            findings.error(
                &pointer,
                message,
                "Give the server its secret under another name.",
            );
        }
        if variables::uses_port(value) {
            let message = "uses ${PORT}, which is the port outside the container";
            findings.error(&pointer, message, "Write the number of `container.port`.");
        }
    }
    let mounts = container["mounts"].as_array().into_iter().flatten();
    for (index, mount) in mounts.enumerate() {
        let Some(source) = mount["source"].as_str() else {
            continue;
        };
        if mount["dangerous"] != true
            && is_of_this_machine(&source.to_owned())
            && let Some(why) = sources::danger(Path::new(source), &[])
        {
            let pointer = format!("/container/mounts/{index}/source");
            let message = format!("can't be mounted: {}", why);
            let hint = "Mount only the folder that the server needs, or add \"dangerous\": true.";
            findings.error(&pointer, &message, hint);
        }
    }
}

/// Checks the digits of `container.cpus`. Engines accept no exponent.
pub(super) fn cpus(digits: &str, findings: &mut Findings<'_>) {
    if !is_decimal(digits) {
        let message = "must be a number above zero with at most 16 digits, such as 1.5";
        findings.error("/container/cpus", message, "");
    }
}

fn dev(root: &Value, findings: &mut Findings<'_>) {
    for (index, pattern) in texts(&root["dev"]["watch"]) {
        if let Some(wrong) = check_glob(pattern) {
            let hint = "Patterns go from the member's folder, e.g. \"src/**/*.py\".";
            findings.error(&format!("/dev/watch/{index}"), &wrong.to_string(), hint);
        }
    }
    if !matches!(&root["dev"], Value::Object(_) | Value::Bool(true)) {
    } else if root.get("origin").is_some() {
        findings.warn(
            "/dev",
            "has no effect: the member comes from elsewhere, as `origin` says",
            "Remove `origin` once the code is your own.",
        );
    } else if root.get("url").is_some() {
        findings.warn(
            "/dev",
            "restarts nothing: a member with a url runs elsewhere",
            "Guild Hall only lists its tools again and runs its examples.",
        );
    }
}

fn examples(root: &Value, findings: &mut Findings<'_>) {
    let mut names = HashSet::new();
    let examples = root["examples"].as_array().into_iter().flatten();
    for (index, example) in examples.enumerate() {
        if let Some(name) = example["name"].as_str()
            && !names.insert(name)
        {
            let message = "has a name that another example has";
            findings.error(
                &format!("/examples/{index}"),
                message,
                "Use each name once.",
            );
        }
        if let Some(tool) = example["tool"].as_str()
            && let Err(NameError(wrong)) = ToolName::parse(tool)
        {
            let message = format!("is not a tool's name: {wrong}");
            findings.error(&format!("/examples/{index}/tool"), &message, "");
        }
    }
}

/// Checks that the arguments of an example can be sent as written.
pub(super) fn arguments(pointer: &str, text: &str, findings: &mut Findings<'_>) {
    if let Err(error) = parse_exact(text) {
        let message = format!("can't be sent unchanged: {}", error.wrong);
        findings.error(pointer, &message, "");
    }
}

/// Checks that a `url` has `http:` or `https:` and a host, and no user name or password.
///
/// A url with variables must be checked again after they are replaced.
///
/// # Errors
/// The problem, as words that follow the field's name. The words contain no part of the url.
pub fn check_url(url: &str) -> Result<(), UrlProblem> {
    let lower = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    let rest = if lower.starts_with("http://") {
        &url[7..]
    } else if lower == "https://" {
        &url[8..]
    } else {
        return Err(UrlProblem::Beginning);
    };
    if url
        .chars()
        .any(|c| c.is_whitespace() || c.is_control() || c == '\\')
    {
        return Err(UrlProblem::Characters);
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.contains('@') {
        return Err(UrlProblem::Credentials);
    }
    if host.is_empty() || host.starts_with(':') {
        return Err(UrlProblem::NoHost);
    }
    Ok(())
}

fn is_http(root: &Value) -> bool {
    root["transport"] == "http" || root["transport"] == "sse"
}

fn is_stdio(root: &Value) -> bool {
    root["transport"] == "stdio"
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn texts(value: &Value) -> impl Iterator<Item = (usize, &str)> {
    let items = value.as_array().into_iter().flatten().enumerate();
    items.filter_map(|(index, item)| Some((index, item.as_str()?)))
}
