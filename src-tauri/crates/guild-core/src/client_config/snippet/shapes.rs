//! The shapes that lists of servers have, brought to the one of `mcpServers`.

use serde_json::{Map, Value, json};

use super::super::program::Program;
use super::super::servers::{Dialect, Entry, Input, inputs_of};
use super::super::tree::{Kind, Member, Misread, Node};
use super::runners::starts_like_a_command;
use super::{Found, Inputs, WHAT_TO_BRING, command, name, shell};
use crate::note::FoundNote;

/// Keys by which an object is a server's.
const OF_A_SERVER: &[&str] = &["command", "url", "httpUrl", "serverUrl", "cmd", "uri"];
/// Keys of Goose that say nothing about what is run.
const SILENT: &[&str] = &["bundled", "display_name"];

/// A list of servers as it was brought.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) dialect: Dialect,
    pub(super) found: Vec<Found>,
    pub(super) inputs: Inputs,
}

impl Listed {
    pub(super) fn of_any(found: Vec<Found>) -> Self {
        Self {
            dialect: Dialect::Any,
            found,
            inputs: Vec::new(),
        }
    }
}

/// The list of servers of a text.
///
/// # Errors
/// When there is none, or it is empty.
pub(super) fn listed(root: &Node, is_toml: bool) -> Result<Listed, Misread> {
    let listed = known(root, is_toml).or_else(|| bare(root)).ok_or_else(|| {
        let message = "no list of servers stands in it";
        Misread::at_line(root.line, message, WHAT_TO_BRING)
    })?;
    match listed.found.is_empty() {
        true => {
            let message = "its list of servers is empty";
            Err(Misread::at_line(root.line, message, WHAT_TO_BRING))
        }
        false => Ok(listed),
    }
}

/// A list under a key that a program has.
fn known(root: &Node, is_toml: bool) -> Option<Listed> {
    for Member { key, node, .. } in root.members()? {
        // Settings of editors may name it with what it belongs to: `amp.mcpServers`.
        let dialect = match key.rsplit('.').next().unwrap_or_default() {
            "mcpServers" | "extensions" => Dialect::Any,
            "mcp_servers" if is_toml => Dialect::Of(Program::Codex),
            "mcp_servers" => Dialect::Any,
            "context_servers" => Dialect::Of(Program::Zed),
            "servers" if node.members().is_some() => Dialect::Of(Program::VsCode),
            "servers" => Dialect::Any,
            "mcp" | "settings" => match known(node, is_toml).or_else(|| bare(node)) {
                Some(inside) => return Some(inside),
                None => continue,
            },
            _ => continue,
        };
        let Some(found) = entries(node) else { continue };
        let inputs: Vec<Input> = match dialect {
            Dialect::Of(Program::VsCode) => inputs_of(root.get("inputs").map(Node::to_value)),
            _ => Vec::new(),
        };
        return Some(Listed {
            dialect,
            found,
            inputs,
        });
    }
    None
}

/// A list, a server, or servers by their names, without a key around them.
fn bare(root: &Node) -> Option<Listed> {
    if let Some(one) = single(root) {
        return Some(Listed::of_any(vec![one]));
    }
    let is_list = match &root.kind {
        Kind::List(items) => items.iter().all(is_server),
        Kind::Object(members) => members.iter().any(|member| is_server(&member.node)),
        Kind::Plain(_) => false,
    };
    let found = entries(root).filter(|found| is_list && !found.is_empty())?;
    Some(Listed::of_any(found))
}

fn is_server(node: &Node) -> bool {
    OF_A_SERVER.iter().any(|key| node.get(key).is_some())
}

/// A server by itself, named as it says or for what it runs.
pub(super) fn single(node: &Node) -> Option<Found> {
    is_server(node).then(|| found(None, node.line, node))
}

/// The servers of an object by their names, or of a list of those that name themselves.
pub(super) fn entries(node: &Node) -> Option<Vec<Found>> {
    match &node.kind {
        Kind::Object(members) => {
            let of_member = |member: &Member| found(Some(&member.key), member.line, &member.node);
            Some(members.iter().map(of_member).collect())
        }
        Kind::List(items) => {
            let of_item = |item: &Node| found(None, item.line, item);
            Some(items.iter().map(of_item).collect())
        }
        Kind::Plain(Value::Null) => Some(Vec::new()),
        Kind::Plain(_) => None,
    }
}

fn found(named: Option<&str>, line: usize, node: &Node) -> Found {
    let mut notes = Vec::new();
    let value = match node.to_value() {
        Value::Object(fields) => Value::Object(as_usual(fields, &mut notes)),
        other => other,
    };
    let said = named.or_else(|| value["name"].as_str());
    let name = said.map_or_else(|| name_of(&value), str::to_owned);
    Found {
        entry: Entry {
            name,
            line,
            value: Ok(value),
        },
        notes,
    }
}

fn name_of(value: &Value) -> String {
    let args = value["args"].as_array().into_iter().flatten();
    let args: Vec<String> = args.filter_map(Value::as_str).map(str::to_owned).collect();
    let urls = ["url", "httpUrl", "serverUrl"];
    match value["command"].as_str() {
        Some(command) => name::of_command(command, &args),
        None => {
            let url = urls.iter().find_map(|key| value[*key].as_str());
            url.map_or_else(|| "server".to_owned(), name::of_address)
        }
    }
}

/// An entry with the keys of `mcpServers` in the place of others that mean the same.
pub(in super::super) fn as_usual(
    mut fields: Map<String, Value>,
    notes: &mut Vec<FoundNote>,
) -> Map<String, Value> {
    let of_goose = ["cmd", "envs", "env_keys", "uri"]
        .iter()
        .any(|key| fields.contains_key(*key));
    if of_goose {
        if let Some(seconds) = fields.get("timeout").and_then(Value::as_f64) {
            fields.insert("timeout".into(), json!(seconds * 1_000.0));
        }
        SILENT.iter().for_each(|key| {
            fields.shift_remove(*key);
        });
    }
    let renamed = [
        ("cmd", "command"),
        ("envs", "env"),
        ("environment", "env"),
        ("uri", "url"),
    ];
    for (old, new) in renamed {
        if !fields.contains_key(new)
            && let Some(value) = fields.shift_remove(old)
        {
            fields.insert(new.to_owned(), value);
        }
    }
    // The names of variables whose values are in Goose's keychain.
    if let Some(Value::Array(keys)) = fields.shift_remove("env_keys") {
        let env = fields.entry("env").or_insert_with(|| json!({}));
        if let Value::Object(env) = env {
            for key in keys.iter().filter_map(Value::as_str) {
                let value = || format!("${{{key}}}").into();
                env.entry(key.to_owned()).or_insert_with(value);
            }
        }
    }
    for holder in ["requestOptions", "transport"] {
        if let Some(Value::Object(inside)) = fields.get(holder).cloned() {
            fields.shift_remove(holder);
            for (key, value) in inside {
                fields.entry(key).or_insert(value);
            }
        }
    }
    whole_command(&mut fields);
    let command = fields.get("command").and_then(Value::as_str);
    if let (Some(command), Some(Value::Array(args))) = (command, fields.get("args")) {
        let args: Vec<String> = args
            .iter()
            .filter_map(|arg| arg.as_str().map(str::to_owned))
            .collect();
        notes.extend(command::notes_of(command, &args));
    }
    fields
}

/// A command that has its arguments with it: as a list, or as a line of a known program.
fn whole_command(fields: &mut Map<String, Value>) {
    if fields.contains_key("args") {
        return;
    }
    let words: Vec<Value> = match fields.get("command") {
        Some(Value::Array(words)) => words.clone(),
        Some(Value::String(line)) if line.contains(' ') && starts_like_a_command(line) => {
            match shell::commands(line, "~").as_deref() {
                Ok([one]) => one.words.iter().map(|word| json!(word)).collect(),
                _ => return,
            }
        }
        _ => return,
    };
    if let [program, args @ ..] = words.as_slice() {
        fields.insert("command".into(), program.clone());
        fields.insert("args".into(), json!(args));
    }
}
