//! Words that mean the same to somebody who looks for a tool.

use std::collections::HashMap;

use super::words;

/// What people say and what tools are called. A word may stand in several groups; it finds the
/// others of each.
const GROUPS: &[&[&str]] = &[
    // What is done.
    &[
        "delete",
        "remove",
        "erase",
        "drop",
        "destroy",
        "purge",
        "clear",
        "discard",
        "uninstall",
        "rid",
    ],
    &[
        "create", "make", "add", "new", "insert", "build", "generate", "open",
    ],
    &[
        "get", "show", "read", "list", "fetch", "view", "retrieve", "display", "see", "describe",
        "give", "tell", "inspect",
    ],
    &[
        "search", "find", "look", "lookup", "query", "locate", "discover",
    ],
    &[
        "update", "change", "edit", "modify", "set", "alter", "adjust", "patch", "put",
    ],
    &["send", "post", "publish", "write"],
    &["run", "execute", "start", "trigger", "launch", "invoke"],
    &[
        "stop",
        "cancel",
        "abort",
        "end",
        "halt",
        "terminate",
        "kill",
    ],
    &["copy", "duplicate", "clone", "fork"],
    &["move", "transfer", "relocate", "rename"],
    &["upload", "put", "attach"],
    &["download", "export", "save"],
    &["write", "save", "store", "put", "record"],
    &["enable", "activate"],
    &["disable", "deactivate", "off"],
    &["check", "validate", "verify", "test"],
    &["undo", "revert", "rollback", "restore", "reset"],
    &["reply", "answer", "respond"],
    &["count", "total", "many"],
    &["compare", "diff", "difference"],
    &["close", "resolve", "finish", "complete", "done"],
    &["approve", "accept"],
    &["reject", "decline", "refuse"],
    &["convert", "transform", "translate"],
    &["subscribe", "follow", "watch"],
    &["combine", "merge", "join"],
    // What it is done to.
    &["folder", "directory"],
    &["repository", "repo"],
    &["pr", "pull", "merge"],
    &["ticket", "issue", "bug"],
    &["email", "mail", "message"],
    &["picture", "image", "photo"],
    &["website", "site", "web", "url", "webpage", "page"],
    &["meeting", "event", "appointment"],
    &["database", "db"],
    &["kubernetes", "k8s", "kubectl"],
    &["user", "person", "people", "member", "somebody", "someone"],
    &["todo", "task"],
    &["spreadsheet", "excel", "workbook"],
    &["document", "documentation", "doc"],
    &["configuration", "config", "setting"],
    &["cost", "price", "pricing"],
    &["permission", "access", "right"],
    &["comment", "note", "remark"],
    &["tag", "label"],
    &["vm", "machine"],
    &["password", "secret", "credential"],
    &["history", "changelog", "revision", "version"],
];

/// For each word, by its stem, those that mean the same.
#[derive(Debug)]
pub(super) struct Synonyms(HashMap<Box<str>, Vec<&'static str>>);

impl Synonyms {
    pub(super) fn new() -> Self {
        let mut of: HashMap<Box<str>, Vec<&'static str>> = HashMap::new();
        for group in GROUPS {
            for word in *group {
                let others = group.iter().filter(|other| *other != word);
                let known = of.entry(words::stem(word).into()).or_default();
                for other in others {
                    if !known.contains(other) {
                        known.push(other);
                    }
                }
            }
        }
        Self(of)
    }

    /// The words that mean the same as this one, without itself.
    pub(super) fn of(&self, word: &str) -> &[&'static str] {
        self.0
            .get(words::stem(word).as_ref())
            .map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_finds_those_of_all_its_groups_in_any_form() {
        let synonyms = Synonyms::new();
        assert!(synonyms.of("removing").contains(&"delete"));
        let put = synonyms.of("put");
        assert!(put.contains(&"update") && put.contains(&"upload"));
        assert!(!put.contains(&"put"));
        assert!(synonyms.of("weather").is_empty());
    }
}
