//! Converts a server's entry from any program to the format of `mcpServers`.

pub(super) mod name;
pub(super) mod runners;
pub(super) mod shell;

use serde_json::{Map, Value, json};

use self::runners::{starts_like_a_command, stem};
use super::entry::ConfigEntry;
use crate::messages::FoundNote;
use guild_text::tree::{Node, NodeKind, TreeMember};

/// An object with one of these keys counts as a server's entry.
const OF_A_SERVER: &[&str] = &["command", "url", "httpUrl", "serverUrl", "cmd", "uri"];
/// Goose's keys that don't affect the launch.
const SILENT: &[&str] = &["bundled", "display_name"];

/// Checks whether a word is in a space-separated list.
pub(super) fn has_word(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// A server from a text, with its entry in the format of `mcpServers`.
#[derive(Debug)]
pub(super) struct NormalizedServer {
    pub(super) entry: ConfigEntry,
    pub(super) notes: Vec<FoundNote>,
}

/// Returns the entries in the list under a top-level key.
pub(super) fn of_list(root: &Node, key: &str) -> Vec<(ConfigEntry, Vec<FoundNote>)> {
    let servers = root.get(key).and_then(entries).unwrap_or_default();
    let pair = |one: NormalizedServer| (one.entry, one.notes);
    servers.into_iter().map(pair).collect()
}

pub(super) fn is_server(node: &Node) -> bool {
    OF_A_SERVER.iter().any(|key| node.get(key).is_some())
}

/// Returns the server that a node describes. Its name comes from the entry, or else from the
/// command. `None` if the node is not a server's entry.
pub(super) fn single(node: &Node) -> Option<NormalizedServer> {
    is_server(node).then(|| normalized_server(None, node.line, node))
}

/// Returns the servers of an object, whose keys are the servers' names, or of a list, whose items
/// contain the names.
pub(super) fn entries(node: &Node) -> Option<Vec<NormalizedServer>> {
    match &node.kind {
        NodeKind::Object(members) => {
            let of_member = |member: &TreeMember| {
                normalized_server(Some(&member.key), member.line, &member.node)
            };
            Some(members.iter().map(of_member).collect())
        }
        NodeKind::List(items) => {
            let of_item = |item: &Node| normalized_server(None, item.line, item);
            Some(items.iter().map(of_item).collect())
        }
        NodeKind::Plain(Value::Null) => Some(Vec::new()),
        NodeKind::Plain(_) => None,
    }
}

fn normalized_server(named: Option<&str>, line: usize, node: &Node) -> NormalizedServer {
    let mut notes = Vec::new();
    let value = match node.to_value() {
        Value::Object(fields) => Value::Object(normalized(fields, &mut notes)),
        other => other,
    };
    let name = named.or_else(|| value["name"].as_str());
    let name = name.map_or_else(|| name_of(&value), str::to_owned);
    NormalizedServer {
        entry: ConfigEntry {
            name,
            line,
            earlier: None,
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

/// Renames keys to the equivalent keys of `mcpServers`.
fn normalized(mut fields: Map<String, Value>, notes: &mut Vec<FoundNote>) -> Map<String, Value> {
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
    // `env_keys` lists variables whose values are in the keychain of Goose.
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
        notes.extend(notes_of(command, &args));
    }
    fields
}

/// Splits a command that includes its arguments, as a list or as a line that starts a known
/// program.
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

/// Returns a note if a container command lacks `-i`, because its server would receive no requests.
pub(super) fn notes_of(program: &str, args: &[String]) -> Vec<FoundNote> {
    let mut notes = Vec::new();
    let runs = args.first().is_some_and(|arg| arg == "run");
    if matches!(stem(program), "docker" | "podman") && runs {
        let listens = |arg: &String| {
            let short = arg.starts_with('-') && !arg.starts_with("--");
            arg == "--interactive" || (short && arg.contains('i') && !arg.contains('='))
        };
        if !args.iter().any(listens) {
            notes.push(FoundNote::NoStdin);
        }
    }
    notes
}
