//! Builds the text from which a tool's embedding is computed.

use super::Findable;
use super::words::among;
use crate::stub::description;

/// Maximum size of the text, in bytes.
const TEXT_MAX: usize = 600;
/// First words of lines that begin a section with parameters, results or examples.
const SECTIONS: &str = "## ### Args Arguments Example Examples Parameters Returns Usage";

/// Returns the text of a tool: its member, its title or the words of its name, and the prose of its
/// description, up to the limit.
pub fn meaning_text(tool: &Findable<'_>) -> String {
    let own = tool.change.and_then(|change| change.name.as_deref());
    let named = own.unwrap_or(tool.spec.name().as_str());
    let title = tool
        .spec
        .title()
        .map_or_else(|| spaced(named), str::to_owned);
    let mut text = format!("{}: {title}.", spaced(tool.member));
    let words = prose(description(tool.spec, tool.change)).flat_map(str::split_whitespace);
    for word in words {
        if text.len() >= TEXT_MAX {
            break;
        }
        text.push(' ');
        text.push_str(word);
    }
    text.truncate(text.floor_char_boundary(TEXT_MAX));
    text
}

/// Returns the lines of a description before its first section.
fn prose(description: &str) -> impl Iterator<Item = &str> {
    let begins_section = |line: &&str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        among(SECTIONS, word.trim_end_matches(':'))
    };
    let mut lines = description.trim_start().lines();
    let first = lines.next();
    let more = lines.take_while(move |line| !begins_section(line));
    first.into_iter().chain(more)
}

/// Splits a name into words: `get_issueState` becomes `get issue State`.
fn spaced(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for c in name.chars() {
        let c = if matches!(c, '_' | '-' | '.' | '/') {
            ' '
        } else {
            c
        };
        if c.is_uppercase() && (before.is_lowercase() || before.is_numeric()) {
            words.push(' ');
        }
        if c != ' ' || before != ' ' {
            words.push(c);
        }
        before = c;
    }
    words.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use guild_model::tool::ToolSpec;

    #[test]
    fn text_has_member_title_and_prose() {
        let spec = ToolSpec::from_raw(json!({
            "name": "issue_writeState",
            "description": "Changes the state of an issue.\nOpens it\n again, too.\n\n  Args:\n x: none",
            "inputSchema": {"properties": {"issueId": {}, "new_state": {}}},
        }))
        .expect("a tool");
        let mut tool = Findable {
            member: "git-forge",
            name: "git-forge__issue_writeState",
            spec: &spec,
            change: None,
        };
        assert_eq!(
            meaning_text(&tool),
            "git forge: issue write State. Changes the state of an issue. Opens it again, too."
        );
        let titled =
            ToolSpec::from_raw(json!({"name": "x", "title": "Close it", "inputSchema": {}}));
        let titled = titled.expect("a tool");
        tool.spec = &titled;
        assert_eq!(meaning_text(&tool), "git forge: Close it.");
        let long = json!({"name": "x", "description": "word ".repeat(500), "inputSchema": {}});
        let long = ToolSpec::from_raw(long).expect("a tool");
        tool.spec = &long;
        let text = meaning_text(&tool);
        assert_eq!(text.len(), TEXT_MAX, "{text}");
    }
}
