//! `{"tools": [{"name": …, "description": …}]}`, or such a list alone.
//!
//! The answer of a server that gives no id, or another one, is found here too.

use serde_json::Value;

use super::entry::{self, some};
use super::text::Text;
use super::values::Values;

pub(super) fn entries(text: &Text) -> Vec<Value> {
    let listed = entry::listed(text.whole(), "tools");
    if !listed.is_empty() {
        return listed;
    }
    // Without the field's name it takes more than names to be a list of tools.
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
    Values::of(text.unspoken())
        .find_map(alone)
        .unwrap_or_default()
}
