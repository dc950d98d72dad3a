//! Checks a server's read-only claim against the tool's name and description.

use crate::search::words::{self, among};
use crate::stub::without_headings;
use guild_model::tool::{ToolHints, ToolSpec};
use guild_schema::schema::first_sentence;

/// Verbs that change something.
const CHANGING: &str = "\
    send create delete write update execute remove insert post publish upload overwrite drop \
    purge modify restart cancel add destroy edit erase move rename replace revoke terminate \
    truncate wipe";
/// Verbs that read and are seldom nouns. If the first verb of a name is one of them, the server's
/// read-only claim is accepted.
const READING: &str = "\
    get read search find show describe fetch lookup preview validate explain select inspect";
/// Verbs that read and are often nouns, as in `delete_todo_list` and `create_view`. They count as
/// verbs only as the first word of a name.
const READING_OR_NOUN: &str = "list view check count query";
/// Words that may precede the verb of a description: `This tool sends`, `Allows you to delete`.
const BEFORE_VERB: &str = "\
    a agent agents allow allows an be can clients enable enables for help helps is it let lets \
    me please that the this to tool use used user users which will you";
/// Verbs that end in `-ly` like an adverb.
const NO_ADVERBS: &str = "apply multiply reply supply";

/// Returns the hints for policy decisions: those of the server, except a read-only claim that the
/// tool's name or description contradicts.
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

fn doubts_read_only(tool: &ToolSpec) -> bool {
    if tool.hints().read_only != Some(true) {
        return false;
    }
    let name = tool.name().as_str();
    match verb_of_name(name) {
        Some(verb) => verb == Verb::Changes,
        None => description_changes(name, &tool.description_alone()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Changes,
    Reads,
}

/// Returns whether the verb of a name reads or changes something, if that is clear. The first verb
/// decides, unless a changing verb follows `and` or `or`.
fn verb_of_name(name: &str) -> Option<Verb> {
    let mut in_name: Vec<String> = Vec::new();
    words::of_name(name, |word| {
        // The tokenizer splits `getUser` into `get`, `user` and `getuser`.
        if !is_joined(&in_name, word) {
            in_name.push(word.to_owned());
        }
    });
    let reads = in_name.iter().any(|word| among(READING, word));
    let changes = |word: &str| among(CHANGING, word) && !(word == "post" && reads);
    let joins = |word: &str| matches!(word, "and" | "or");
    let mut pairs = in_name.windows(2);
    if pairs.any(|two| joins(&two[0]) && changes(&two[1])) {
        return Some(Verb::Changes);
    }
    let (first, rest) = in_name.split_first()?;
    if among(READING_OR_NOUN, first) {
        // For example, `list_create` creates a list.
        return match rest.last().is_some_and(|word| changes(word)) {
            true => Some(Verb::Changes),
            // A query may be a statement of any kind, so its description decides.
            false => (first != "query").then_some(Verb::Reads),
        };
    }
    in_name.iter().find_map(|word| match word.as_str() {
        word if changes(word) => Some(Verb::Changes),
        word if among(READING, word) => Some(Verb::Reads),
        _ => None,
    })
}

/// Checks whether a word is the concatenation of the last two or more words.
fn is_joined(before: &[String], word: &str) -> bool {
    let starts = 0..before.len().saturating_sub(1);
    starts.into_iter().any(|at| before[at..].concat() == word)
}

/// Whether the first verb of a description changes something.
fn description_changes(name: &str, description: &str) -> bool {
    let sentence = first_sentence(without_headings(name, description));
    let mut words = Vec::new();
    words::of_prose(&sentence, |word| words.push(word.to_owned()));
    let is_before_verb =
        |word: &str| among(BEFORE_VERB, word) || word.ends_with("ly") && !among(NO_ADVERBS, word);
    let verb = words.iter().find(|word| !is_before_verb(word));
    let Some(verb) = verb.and_then(|word| changing_verb(word)) else {
        return false;
    };
    let limits = ["read-only", "read only", "SELECT query", "SELECT statement"];
    let reads_only = limits.iter().any(|words| sentence.contains(words))
        && !["not read", "non-read", "non read"]
            .iter()
            .any(|words| sentence.contains(words))
        && !words
            .iter()
            .skip_while(|word| is_before_verb(word))
            .skip(1)
            .any(|word| changing_verb(word).is_some());
    verb != "execute" || !reads_only
}

/// Returns the changing verb if a word in a description is a form of it: `deletes`, `deleting`. A
/// participle (`updated`) does not count.
fn changing_verb(word: &str) -> Option<&'static str> {
    let is_form = |verb: &&str| {
        let ending = word.strip_prefix(*verb);
        matches!(ending, Some("" | "s" | "es"))
            || word.ends_with("ing") && words::stem(word) == words::stem(verb)
            || *verb == "modify" && word == "modifies"
    };
    CHANGING.split(' ').find(is_form)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use guild_model::policy::ToolClass;

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
            ("delete_todo_list", ""),
            ("delete-sharepoint-site-list-item", "Item of a list."),
            ("create_view", ""),
            ("update_list", ""),
            ("execute_query", "Execute a read-only query."),
            ("send_check", ""),
            ("bulk_delete_items", ""),
            ("todo_list_delete", ""),
            ("listCreate", ""),
            ("find_and_replace", "Finds words."),
            ("get_or_create_item", "Gets an item."),
            ("items", "Allows you to delete items."),
            ("mail", "This tool sends a message."),
            ("message", "Securely sends a message."),
            ("message", "[Mail] A tool that sends a message."),
            ("suggest_cleanup", "Deletes files that no one opens."),
            ("report_generate", "Writes a report to the disk."),
            ("recommend", "Updates the recommendations."),
            ("kusto_query", "Executes a query against a cluster."),
            (
                "postgres_database_query",
                "Executes a SQL query on a server to search for specific terms, or perform SELECT \
                 operations.",
            ),
            ("query", "Executes SELECT statements and DELETE statements."),
            ("query", "Deletes read-only files."),
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
            (
                "mysql_database_query",
                "Executes a safe, read-only SQL query.",
            ),
            ("deploy_plan_get", "Creates a plan."),
            ("firecrawl_check_crawl_status", "Check the status."),
            ("todo_list", "Lists what to do."),
            ("blog_post_get", "Gets a post."),
            ("recently_updated_items", "Updated items of a list."),
            ("executions", "Deletions and executions."),
            ("diagram_generate", "Generates a diagram."),
        ] {
            let tool = tool(name, description);
            assert!(!doubts_read_only(&tool), "{name}");
        }
        let silent =
            ToolSpec::from_raw(json!({"name": "send", "inputSchema": {}})).expect("a tool");
        assert!(!doubts_read_only(&silent), "nothing is claimed");
    }
}
