//! Finds `{"functions": [{"name": …, "description": …, "parameters": …}]}`.

use serde_json::Value;

use super::entry;
use super::text::OutputText;

pub(super) fn entries(text: &OutputText) -> Vec<Value> {
    entry::listed(text.whole(), "functions")
}
