//! Adapts members' results to the protocol version of the client.
//!
//! In 2026-07-28, every result has `resultType`, and lists have cache lifetimes. In earlier
//! versions, results have neither, and `structuredContent` must be an object, while 2026-07-28
//! allows any value (SEP-2106). A result is parsed only if a search of its bytes for these keys does
//! not suffice to adapt it.

use std::borrow::Cow;
use std::sync::LazyLock;

use bytes::Bytes;
use guild_model::arguments::raw_fields;
use memchr::memmem::Finder;

use super::answer::{Adapted, quoted};

/// Methods whose results clients may cache.
const CACHEABLE: [&str; 6] = [
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "skills/list",
    "skills/get",
];

const STRUCTURED: &str = "structuredContent";

static TYPE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"resultType\""));

static STRUCTURED_KEY: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new("\"structuredContent\""));

pub(super) fn adapt(result: Bytes, modern: bool, method: &str) -> Adapted {
    let cacheable = CACHEABLE.contains(&method);
    let typed = TYPE.find(&result).is_some();
    let hinted = cacheable
        && (memchr::memmem::find(&result, b"\"ttlMs\"").is_some()
            || memchr::memmem::find(&result, b"\"cacheScope\"").is_some());
    let wraps = !modern && method == "tools/call" && may_have_bare_value(&result);
    match (modern, typed || hinted) {
        (true, false) => return with_fields(result, true, cacheable, cacheable),
        (false, _) if !typed && !wraps => return result.into(),
        _ => {}
    }
    let Some(fields) = std::str::from_utf8(&result).ok().and_then(raw_fields) else {
        return result.into();
    };
    let has = |name: &str| fields.iter().any(|(field, _)| field == name);
    if modern {
        let (no_type, no_ttl) = (!has("resultType"), cacheable && !has("ttlMs"));
        let no_scope = cacheable && !has("cacheScope");
        return with_fields(result, no_type, no_ttl, no_scope);
    }
    let is_bare =
        |field: &str, value: &str| wraps && field == STRUCTURED && !value.starts_with('{');
    let is_changed = |field: &str, value: &str| field == "resultType" || is_bare(field, value);
    if !fields
        .iter()
        .any(|(field, value)| is_changed(field, value.get()))
    {
        return result.into();
    }
    let cacheable: Vec<String> = fields
        .iter()
        .filter(|(field, _)| field != "resultType")
        .map(|(field, value)| match (quoted(field), value.get()) {
            (name, value) if is_bare(field, value) => format!(r#"{name}:{{"result":{value}}}"#),
            (name, value) => format!("{name}:{value}"),
        })
        .collect();
    Bytes::from(format!("{{{}}}", cacheable.join(","))).into()
}

/// Whether a result may have a `structuredContent` that is not an object. Inspects only the byte
/// after each such key, at any depth.
fn may_have_bare_value(result: &[u8]) -> bool {
    STRUCTURED_KEY.find_iter(result).any(|at| {
        let after = result.get(at + STRUCTURED.len() + 2..).unwrap_or_default();
        let value = after.trim_ascii_start().strip_prefix(b":");
        value.is_some_and(|value| !value.trim_ascii_start().starts_with(b"{"))
    })
}

/// Inserts the missing fields among `resultType`, `ttlMs` and `cacheScope` at the start of a
/// result.
fn with_fields(result: Bytes, result_type: bool, ttl: bool, scope: bool) -> Adapted {
    let Some(inner) = result.strip_prefix(b"{") else {
        return result.into();
    };
    let empty = inner.trim_ascii_start().starts_with(b"}");
    let lead = match (result_type, ttl, scope, empty) {
        (false, false, false, _) => return result.into(),
        (true, false, false, false) => Cow::Borrowed(r#"{"resultType":"complete","#),
        _ => {
            let mut fields = Vec::with_capacity(3);
            fields.extend(result_type.then_some(r#""resultType":"complete""#));
            fields.extend(ttl.then_some(r#""ttlMs":0"#));
            fields.extend(scope.then_some(r#""cacheScope":"private""#));
            let comma = if empty { "" } else { "," };
            Cow::Owned(format!("{{{}{comma}", fields.join(",")))
        }
    };
    Adapted {
        lead,
        rest: result.slice(1..),
        tail: "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(result: &str, modern: bool, method: &str, expect: &str) {
        let adapted = adapt(Bytes::from(result.to_owned()), modern, method);
        let rest = std::str::from_utf8(&adapted.rest).expect("text");
        let text = format!("{}{rest}{}", adapted.lead, adapted.tail);
        assert_eq!(text, expect);
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
    }

    #[test]
    fn a_result_is_what_its_version_has() {
        let plain = r#"{ "content" : [] }"#;
        check(plain, false, "tools/call", plain);
        check(
            plain,
            true,
            "tools/call",
            r#"{"resultType":"complete", "content" : [] }"#,
        );
        let typed = r#"{"content":[],"resultType":"complete"}"#;
        check(typed, true, "tools/call", typed);
        check(typed, false, "tools/call", r#"{"content":[]}"#);
        check("{}", true, "tools/call", r#"{"resultType":"complete"}"#);
        check("{ }", true, "tools/call", r#"{"resultType":"complete" }"#);
    }

    #[test]
    fn a_word_inside_of_a_result_is_no_field_of_it() {
        let inside = r#"{"content":[{"resultType":1.0}]}"#;
        check(inside, false, "tools/call", inside);
        check(
            inside,
            true,
            "tools/call",
            r#"{"resultType":"complete","content":[{"resultType":1.0}]}"#,
        );
    }

    #[test]
    fn bare_value_is_wrapped_for_older_versions() {
        for value in ["[1.0, 2]", "5", "null", "\"text\""] {
            let fields = format!(r#""content":[],"structuredContent" : {value}"#);
            let bare = format!("{{{fields}}}");
            let wrapped = format!(r#"{{"content":[],"structuredContent":{{"result":{value}}}}}"#);
            check(&bare, false, "tools/call", &wrapped);
            check(&bare, false, "resources/read", &bare);
            let typed = format!(r#"{{"resultType":"complete",{fields}}}"#);
            check(&typed, false, "tools/call", &wrapped);
            check(&typed, true, "tools/call", &typed);
        }
    }

    #[test]
    fn object_or_inner_value_is_not_wrapped() {
        for same in [
            r#"{"structuredContent": {"a":[1.0]}}"#,
            r#"{"content":[{"structuredContent":5}],"structuredContent":{}}"#,
            r#"{"content":[{"type":"text","text":"\"structuredContent\":5"}]}"#,
        ] {
            check(same, false, "tools/call", same);
        }
    }

    #[test]
    fn a_list_says_how_long_it_may_be_kept() {
        check(
            r#"{"resources":[]}"#,
            true,
            "resources/list",
            r#"{"resultType":"complete","ttlMs":0,"cacheScope":"private","resources":[]}"#,
        );
        let hinted = r#"{"resources":[],"ttlMs":5}"#;
        check(
            hinted,
            true,
            "resources/list",
            r#"{"resultType":"complete","cacheScope":"private","resources":[],"ttlMs":5}"#,
        );
        check(hinted, false, "resources/list", hinted);
    }
}
