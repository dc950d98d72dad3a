//! Checks a server's claim that a tool only reads against the tool's own name and description.

use crate::agents::search::words;
use crate::schema::first_sentence;
use crate::tool::{ToolHints, ToolSpec};

/// Verbs that change something, by their stems' usual forms.
const CHANGING: &[&str] = &[
    "send",
    "create",
    "delete",
    "write",
    "update",
    "execute",
    "remove",
    "insert",
    "post",
    "publish",
    "upload",
    "overwrite",
    "drop",
    "purge",
    "modify",
    "restart",
    "cancel",
];
/// Verbs that read. A name that has one keeps its server's claim.
const READING: &[&str] = &[
    "get",
    "list",
    "read",
    "search",
    "find",
    "show",
    "describe",
    "query",
    "fetch",
    "check",
    "view",
    "count",
    "lookup",
    "preview",
    "validate",
    "explain",
    "select",
    "inspect",
    "suggest",
    "recommend",
    "generate",
];

/// The hints that a tool is judged by: those of its server, without a claim to only read that its
/// name or description contradicts.
pub fn judged_hints(tool: &ToolSpec) -> ToolHints {
    let hints = tool.hints();
    match doubts_read_only(tool) {
        true => ToolHints {
            read_only: Some(false),
            ..hints
        },
        false => hints,
    }
}

/// Whether a server claims that a tool only reads, and the tool's name or the first words of its
/// description contradict that.
fn doubts_read_only(tool: &ToolSpec) -> bool {
    if tool.hints().read_only != Some(true) {
        return false;
    }
    let mut in_name = Vec::new();
    words::of_name(tool.name().as_str(), |word| {
        in_name.push(words::stem(word).into_owned())
    });
    let any_of = |verbs: &[&str], words: &[String]| {
        let mut verbs = verbs.iter().map(|verb| words::stem(verb));
        verbs.any(|verb| words.iter().any(|word| *word == verb))
    };
    if any_of(READING, &in_name) {
        return false;
    }
    // A verb begins a name or ends it: `send_mail`, `email_send`.
    let ends: Vec<String> = in_name
        .first()
        .into_iter()
        .chain(in_name.last())
        .cloned()
        .collect();
    if any_of(CHANGING, &ends) {
        return true;
    }
    let sentence = first_sentence(&tool.description_alone());
    let mut begins = Vec::new();
    words::of_prose(&sentence, |word| {
        if begins.is_empty() {
            begins.push(words::stem(word).into_owned());
        }
    });
    let lower = sentence.to_lowercase();
    let says_it_reads = ["read-only", "read only", "select "]
        .iter()
        .any(|words| lower.contains(words));
    any_of(CHANGING, &begins) && !says_it_reads
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::agents::policy::ToolClass;

    fn tool(name: &str, description: &str) -> ToolSpec {
        ToolSpec::from_raw(json!({
            "name": name,
            "description": description,
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true, "destructiveHint": false},
        }))
        .expect("a tool")
    }

    #[test]
    fn changing_name_outweighs_read_only_hint() {
        for (name, description) in [
            ("communication_email_send", "Email communication."),
            ("sendMail", ""),
            ("records", "Deletes all records of a table."),
            ("sql", "Execute a statement."),
        ] {
            let tool = tool(name, description);
            assert!(doubts_read_only(&tool), "{name}");
            assert_eq!(
                ToolClass::of(judged_hints(&tool)),
                ToolClass::Changing,
                "{name}"
            );
        }
        for (name, description) in [
            ("list_deleted_items", "Lists what was deleted."),
            ("get_update_settings", "Update settings of the server."),
            ("query", "Execute a read-only query."),
            ("read_query", "Execute a SELECT query."),
            ("status", "Tells when the last update was."),
        ] {
            let tool = tool(name, description);
            assert!(!doubts_read_only(&tool), "{name}");
        }
        let silent =
            ToolSpec::from_raw(json!({"name": "send", "inputSchema": {}})).expect("a tool");
        assert!(!doubts_read_only(&silent), "nothing is claimed");
    }
}
