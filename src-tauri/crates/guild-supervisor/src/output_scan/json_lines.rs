//! Finds `{"name": …, "description": …}`, one object per line.
//!
//! Log lines have this format too, some with a `name`. So a line counts only with a description or
//! a schema.

use serde_json::Value;

use super::entry;
use super::text::OutputText;
use guild_model::tool::TOOLS_MAX;

pub(super) fn entries(text: &OutputText) -> Vec<Value> {
    let objects = text.unspoken().lines().map(str::trim);
    let objects = objects.filter(|line| line.starts_with('{') && line.ends_with('}'));
    objects
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(entry::is_described)
        .filter_map(|object: Value| entry::tool(&object))
        .take(TOOLS_MAX)
        .collect()
}
