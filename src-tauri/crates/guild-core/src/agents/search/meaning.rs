//! The text that stands for a tool where tools are compared by meaning.

use super::Findable;
use crate::agents::stub::description;
use crate::schema::first_sentence;

/// As many parameters as are named.
const PARAMETERS_MAX: usize = 12;
/// As much of the first sentence as is given, in bytes.
const SENTENCE_MAX: usize = 300;

/// The text of a tool: its member, its title or the words of its name, the first sentence of its
/// description, and the names of its parameters.
pub fn meaning_text(tool: &Findable<'_>) -> String {
    let own = tool.change.and_then(|change| change.name.as_deref());
    let named = own.unwrap_or(tool.spec.name().as_str());
    let title = tool
        .spec
        .title()
        .map_or_else(|| spaced(named), str::to_owned);
    let sentence = first_sentence(description(tool.spec, tool.change));
    let sentence = &sentence[..sentence.floor_char_boundary(SENTENCE_MAX)];
    let mut text = format!("{}: {title}.", spaced(tool.member));
    if !sentence.is_empty() {
        text.push(' ');
        text.push_str(sentence);
    }
    let properties = tool.spec.input_schema().get("properties");
    let properties = properties.and_then(|properties| properties.as_object());
    let names = properties
        .into_iter()
        .flat_map(|properties| properties.keys());
    let names: Vec<String> = names
        .take(PARAMETERS_MAX)
        .map(|name| spaced(name))
        .collect();
    if !names.is_empty() {
        text.push_str(" Parameters: ");
        text.push_str(&names.join(", "));
    }
    text
}

/// The words of a name: `get_issueState` as `get issue State`.
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
    use crate::tool::ToolSpec;

    #[test]
    fn text_has_member_title_sentence_and_parameters() {
        let spec = ToolSpec::from_raw(json!({
            "name": "issue_writeState",
            "description": "Changes the state of an issue. Needs a token.",
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
            "git forge: issue write State. Changes the state of an issue. \
             Parameters: issue Id, new state"
        );
        let titled =
            ToolSpec::from_raw(json!({"name": "x", "title": "Close it", "inputSchema": {}}));
        let titled = titled.expect("a tool");
        tool.spec = &titled;
        assert_eq!(meaning_text(&tool), "git forge: Close it.");
    }
}
