//! Finds `"function": "…"` and `"name": "…"` in single or double quotes.

use serde_json::Value;

use super::ToolNameCollector;
use super::text::OutputText;

/// Maximum length of a tool name, in bytes.
const NAME_MAX: usize = 64;

pub(super) fn entries(text: &OutputText) -> Vec<Value> {
    let text = text.unspoken();
    let mut names = ToolNameCollector::default();
    let mut at = 0;
    while let Some(found) = text[at..].find(['"', '\'']) {
        let quoted = at + found;
        at = quoted + 1;
        let Some((name, end)) = declared(&text[quoted..]) else {
            continue;
        };
        at = quoted + end;
        if !names.take(name) {
            break;
        }
    }
    names.entries
}

/// Returns the declared name at the start of the text, and its end.
fn declared(text: &str) -> Option<(&str, usize)> {
    let quote = text.chars().next()?;
    let inner = &text[1..];
    let rest = ["function", "name"]
        .iter()
        .find_map(|key| inner.strip_prefix(key))?;
    let rest = rest.strip_prefix(quote)?;
    let rest = rest.trim_start_matches([' ', '\t']).strip_prefix(':')?;
    let rest = rest.trim_start_matches([' ', '\t']).strip_prefix(quote)?;
    let length = rest
        .bytes()
        .take(NAME_MAX + 1)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte))
        .count();
    let name = &rest[..length];
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let ends = rest[length..].starts_with(quote);
    let end = text.len() - rest.len() + length + 1;
    (begins && ends && length <= NAME_MAX).then_some((name, end))
}
