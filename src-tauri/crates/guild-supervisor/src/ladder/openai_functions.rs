//! `{"functions": [{"name": …, "description": …, "parameters": …}]}`

use serde_json::Value;

use super::entry;
use super::text::Text;

pub(super) fn entries(text: &Text) -> Vec<Value> {
    entry::listed(text.whole(), "functions")
}
