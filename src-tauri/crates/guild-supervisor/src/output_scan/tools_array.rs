//! Finds `{"tools": [{"name": …, "description": …}]}`, or such a list without the wrapper.
//!
//! This also covers responses of servers that return a missing or wrong id.

use serde_json::Value;

use super::entry::{self, some};
use super::text::OutputText;
use super::values::JsonValueScanner;

pub(super) fn entries(text: &OutputText) -> Vec<Value> {
    let listed = entry::listed(text.whole(), "tools");
    if !listed.is_empty() {
        return listed;
    }
    // Without the field `tools`, entries need more than a name to count as tools.
    let alone = |value: Value| {
        let list = value.as_array()?;
        let all = list.iter().all(entry::is_described);
        some(
            list.iter()
                .filter(|_| all)
                .filter_map(entry::tool)
                .collect(),
        )
    };
    JsonValueScanner::of(text.unspoken())
        .find_map(alone)
        .unwrap_or_default()
}
