//! Adapts results for known clients that parse a text block as `structuredContent`, and that reject
//! the result if the parsed value is not an object.

use std::borrow::Cow;

use guild_catalog::known::KnownClient;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// Maximum size of a result that is inspected, in bytes. Larger results are forwarded unchanged.
const READ_MAX: usize = 1 << 20;

/// The fields of a result that decide whether it is adapted.
#[derive(Deserialize)]
struct StructuredResult<'a> {
    #[serde(borrow)]
    content: Vec<&'a RawValue>,
    #[serde(borrow, default, rename = "structuredContent")]
    structured: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct TextBlock<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// Adds an empty `structuredContent` if the client would otherwise read a text as a value that is
/// not an object. The client then passes only the text to its model.
pub(super) fn with_structure(result: Box<RawValue>, client: &str) -> Box<RawValue> {
    let known = KnownClient::by_name(client);
    let reads_text = known.is_some_and(|known| known.reads_text_as_structure);
    if !reads_text || result.get().len() > READ_MAX || !has_bare_text(result.get()) {
        return result;
    }
    let Some(fields) = result.get().trim_start().strip_prefix('{') else {
        return result;
    };
    let text = format!("{{\"structuredContent\":{{}},{fields}");
    RawValue::from_string(text).unwrap_or(result)
}

/// Checks whether a result has no structured content, and its first text is JSON but not an object.
fn has_bare_text(result: &str) -> bool {
    let Ok(outcome) = serde_json::from_str::<StructuredResult<'_>>(result) else {
        return false;
    };
    let first = outcome.content.first();
    let first = first.and_then(|block| serde_json::from_str::<TextBlock<'_>>(block.get()).ok());
    outcome.structured.is_none()
        && first.is_some_and(|TextBlock { kind, text }| {
            kind == "text"
                && !text.trim_start().starts_with('{')
                && serde_json::from_str::<IgnoredAny>(&text).is_ok()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GEMINI: &str = "gemini-cli-mcp-client";

    #[track_caller]
    fn check(result: &str, client: &str, expect: &str) {
        let result = RawValue::from_string(result.to_owned()).expect("JSON");
        assert_eq!(with_structure(result, client).get(), expect);
    }

    #[test]
    fn bare_text_gets_empty_structure() {
        for text in ["5", "[1,2]", "null", "true", r#" \"one\" "#] {
            let fields = format!(r#""content":[{{"type":"text","text":"{text}"}}]}}"#);
            let result = format!("{{{fields}");
            let changed = format!(r#"{{"structuredContent":{{}},{fields}"#);
            check(&result, GEMINI, &changed);
            check(&result, "another", &result);
        }
    }

    #[test]
    fn other_results_stay_unchanged() {
        for same in [
            r#"{"content":[{"type":"text","text":"5 apples"}]}"#,
            r#"{"content":[{"type":"text","text":"{\"a\":1.0}"}]}"#,
            r#"{"content":[{"type":"text","text":"5"}],"structuredContent":{"sum":5}}"#,
            r#"{"content":[{"type":"image","data":"","mimeType":"image/png"}]}"#,
            r#"{"content":[]}"#,
        ] {
            check(same, GEMINI, same);
        }
    }
}
