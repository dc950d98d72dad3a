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
        "forget",
        "empty",
        "throw",
        "wipe",
        "trash",
        "scrap",
        "detach",
        "unlink",
        "kick",
        "eliminate",
    ],
    &[
        "create",
        "make",
        "add",
        "new",
        "insert",
        "build",
        "generate",
        "open",
        "raise",
        "declare",
        "register",
        "setup",
        "compose",
        "provision",
        "establish",
        "define",
        "book",
    ],
    &[
        "get", "show", "read", "list", "fetch", "view", "retrieve", "display", "see", "describe",
        "give", "inspect", "look", "print", "browse",
    ],
    &[
        "search", "find", "look", "lookup", "query", "locate", "discover", "seek",
    ],
    &[
        "update", "change", "edit", "modify", "set", "alter", "adjust", "patch", "put", "replace",
        "revise", "enlarge", "shrink", "increase", "decrease", "lower", "extend", "rewrite",
    ],
    &[
        "send",
        "post",
        "publish",
        "write",
        "tell",
        "notify",
        "announce",
        "inform",
        "broadcast",
        "deliver",
        "submit",
    ],
    &[
        "run", "execute", "start", "trigger", "launch", "invoke", "perform",
    ],
    &["retry", "again", "rerun", "repeat"],
    &[
        "stop",
        "cancel",
        "abort",
        "end",
        "halt",
        "terminate",
        "kill",
    ],
    &["unsubscribe", "stop", "leave"],
    &[
        "subscribe",
        "follow",
        "watch",
        "watcher",
        "follower",
        "subscriber",
    ],
    &["monitor", "watch", "observe", "track"],
    &["copy", "duplicate", "clone", "fork", "replicate", "backup"],
    &["move", "transfer", "relocate", "rename"],
    &["upload", "put", "attach", "attachment"],
    &["download", "export", "save", "get"],
    &["import", "load", "ingest", "bring"],
    &["insert", "append", "add", "put", "include", "attach"],
    &["backup", "snapshot", "restore", "copy"],
    &["stop", "pause", "suspend", "shut", "shutdown"],
    &["resume", "continue", "unpause"],
    &["wait", "hold", "until", "ready"],
    &["acknowledge", "ack", "confirm"],
    &["feedback", "rate", "rating", "review"],
    &[
        "relation",
        "relationship",
        "link",
        "connection",
        "edge",
        "know",
    ],
    &["think", "thought", "reason", "reasoning"],
    &["navigate", "visit", "browse", "open", "click"],
    &["analyze", "analysis", "profile", "examine"],
    &["reboot", "restart"],
    &["drain", "evict", "cordon"],
    &["encrypt", "encryption", "kms"],
    &["migrate", "migration", "move"],
    &["tokenize", "token", "split", "analyzer"],
    &["render", "screenshot", "picture", "preview"],
    &["summarize", "summary", "overview", "stats", "statistics"],
    &["write", "save", "store", "put", "record"],
    &["enable", "activate"],
    &["disable", "deactivate", "off"],
    &["check", "validate", "verify", "test"],
    &["fix", "repair", "mend", "autofix", "correct"],
    &["undo", "revert", "rollback", "restore", "reset", "back"],
    &["reply", "answer", "respond", "response"],
    &["count", "total", "many", "number"],
    &["compare", "diff", "difference", "differ"],
    &[
        "close", "resolve", "finish", "complete", "done", "tick", "mark",
    ],
    &["approve", "accept", "approval", "sign"],
    &["reject", "decline", "refuse", "deny"],
    &["allow", "permit", "grant", "permission"],
    &["forbid", "protect", "lock", "restrict", "restriction"],
    &["convert", "transform", "translate", "turn"],
    &["combine", "merge", "join"],
    &["assign", "hand", "delegate"],
    &["override", "swap", "substitute", "replace"],
    &["switch", "checkout", "select", "activate", "choose"],
    &["simulate", "would", "preview", "dry"],
    &[
        "diagnose",
        "why",
        "troubleshoot",
        "troubleshooting",
        "debug",
        "diagnostic",
        "explain",
    ],
    &["fail", "failure", "error", "crash", "broken", "wrong"],
    &["research", "report", "study", "investigate"],
    &["scrape", "crawl", "extract", "fetch"],
    &["rollout", "deploy", "release", "restart"],
    // What it is done to.
    &["bastion", "jump", "tunnel", "ssh"],
    &["visitor", "active", "realtime", "live"],
    &["purchase", "conversion", "sale", "order", "revenue"],
    &["mail", "mailbox", "inbox", "outlook"],
    &["vacation", "office", "absence", "oof", "away"],
    &["workflow", "automation", "flow", "pipeline"],
    &["build", "pipeline", "ci", "job"],
    &["container", "pod", "docker"],
    &["line", "row"],
    &["cell", "range", "worksheet", "sheet"],
    &["vector", "embedding"],
    &["sentence", "text", "document", "passage"],
    &["job", "operation", "execution"],
    &["fact", "observation", "insight", "memo"],
    &["today", "day", "date", "daily"],
    &["shift", "rotation", "oncall", "schedule", "duty"],
    &["alert", "incident", "alarm"],
    &["paged", "escalation", "escalate"],
    &["chart", "helm", "release"],
    &["log", "output", "trace", "stderr"],
    &["queue", "backlog"],
    &["bucket", "storage", "blob", "object", "s3"],
    &["file", "object", "blob"],
    &["manifest", "yaml"],
    &["domain", "zone", "dns"],
    &["index", "indices", "indexes"],
    &["map", "sitemap", "crawl", "structure"],
    &["3d", "mesh", "model", "asset"],
    &["colour", "color", "material", "texture"],
    &["telemetry", "usage", "tracking", "analytics"],
    &["account", "subscription", "tenant"],
    &[
        "best",
        "recommended",
        "recommendation",
        "guidance",
        "advice",
    ],
    &["quota", "limit"],
    &["certificate", "tls", "ssl", "cert"],
    &["group", "team"],
    &["thread", "conversation", "discussion"],
    &["chapter", "section", "heading"],
    &["employee", "staff", "user"],
    &["supervisor", "manager"],
    &["sum", "total", "plus", "addition"],
    &["kind", "type", "category", "class"],
    &["function", "lambda", "worker"],
    &["readonly", "lock", "immutable"],
    &["project", "workspace"],
    &["milestone", "goal", "deadline"],
    &["sprint", "iteration"],
    &["epic", "story"],
    &["wiki", "confluence"],
    &["subtask", "child"],
    &["reference", "usage", "caller"],
    &["timezone", "zone", "clock"],
    &["survey", "form", "questionnaire"],
    &["contact", "address"],
    &["audience", "segment"],
    &["dataset", "data", "table"],
    &["sql", "query", "select", "statement"],
    &["cluster", "node"],
    &["firewall", "rule", "security"],
    &["network", "vnet", "vpc", "subnet"],
    &["role", "permission", "privilege"],
    &["reminder", "notification", "alarm"],
    &["star", "favorite", "bookmark", "pin"],
    &["trash", "bin", "recycle", "deleted"],
    &["blocker", "block", "dependency"],
    &["estimate", "point"],
    &["deployment", "release", "rollout"],
    &["folder", "directory"],
    &["disk", "filesystem", "local"],
    &["repository", "repo"],
    &["pr", "pull", "merge"],
    &["ticket", "issue", "bug"],
    &["email", "mail", "message", "inbox"],
    &["picture", "image", "photo"],
    &["website", "site"],
    &["web", "internet", "url", "website", "webpage"],
    &["page", "webpage"],
    &["meeting", "event", "appointment", "calendar"],
    &["incident", "outage", "downtime"],
    &["database", "db"],
    &["kubernetes", "k8s", "kubectl"],
    &[
        "user",
        "person",
        "people",
        "member",
        "somebody",
        "someone",
        "colleague",
        "responder",
        "contact",
    ],
    &["manager", "boss"],
    &["todo", "task"],
    &["spreadsheet", "excel", "workbook"],
    &["document", "documentation", "doc", "text"],
    &["configuration", "config", "setting"],
    &["cost", "price", "pricing", "billing", "spend"],
    &["permission", "access", "right"],
    &["comment", "note", "remark"],
    &["tag", "label"],
    &["vm", "machine"],
    &["password", "secret", "credential"],
    &["history", "changelog", "revision", "version"],
    &["recent", "lately", "latest", "last", "newest", "past"],
    &["when", "time", "date", "schedule"],
    &["free", "available", "availability"],
    &["activity", "work"],
    &["hour", "worklog", "timesheet"],
    &["memory", "remember", "memorize", "recall"],
    &["reaction", "emoji", "thumb"],
    &["often", "statistic", "metric", "usage", "analytics"],
    &["similar", "related", "alike"],
    &["thorough", "comprehensive", "deep", "detailed"],
    &["status", "state", "transition", "column"],
    &["close", "transition"],
    &["field", "attribute", "column"],
    &["row", "record", "entry"],
    &["compress", "zip", "gzip", "archive"],
    &["organization", "company", "org"],
    &["login", "sign", "authenticate"],
    &["key", "token"],
    &["size", "scale", "resize"],
    &["server", "host", "instance"],
    &["health", "alive", "working"],
    &["invite", "add"],
    &["gpt", "openai", "llm"],
    &["ask", "chat", "completion", "prompt"],
    &["schema", "structure", "field"],
    &["setup", "configure", "install"],
    &["wait", "pending", "queued"],
    &["person", "contact", "profile"],
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
