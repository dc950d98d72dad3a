//! The `_meta` of a caller's request that is forwarded to the server.
//!
//! Fields that apply to one connection only are not forwarded, because each connection sets its
//! own.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::raw::is_nested_deeper;

/// Limit of a caller's `_meta`, in bytes.
const META_MAX: usize = 32 << 10;
/// Limit of the nesting depth of a caller's `_meta`.
const META_DEPTH_MAX: usize = 64;
/// The field with the token of progress notifications.
pub(crate) const TOKEN: &str = "progressToken";
/// The prefix of the fields that the protocol itself defines.
pub(crate) const RESERVED: &str = "io.modelcontextprotocol/";
/// The field with the caller's position in a trace (W3C Trace Context).
const TRACEPARENT: &str = "traceparent";
/// The field with additional data of tracing systems about `traceparent`.
const TRACESTATE: &str = "tracestate";

/// The fields of `_meta` that are forwarded to the server.
#[derive(Debug, Clone, Default)]
pub struct RequestMeta(BTreeMap<String, Box<RawValue>>);

impl RequestMeta {
    /// Reads a caller's `_meta`. Leaves out the progress token and the fields that the protocol
    /// itself defines.
    ///
    /// # Errors
    /// When `_meta` is not an object, is larger than 32 KiB, or is nested deeper than 64 levels.
    pub fn read(meta: Option<&RawValue>) -> Result<Self, &'static str> {
        let Some(meta) = meta.map(RawValue::get) else {
            return Ok(Self::default());
        };
        if meta.len() > META_MAX {
            return Err("_meta is larger than 32 KiB.");
        }
        if is_nested_deeper(meta, META_DEPTH_MAX) {
            return Err("_meta is nested deeper than 64 levels.");
        }
        let mut fields: BTreeMap<String, Box<RawValue>> =
            serde_json::from_str(meta).map_err(|_| "_meta is not an object.")?;
        fields.retain(|name, _| is_passed_on(name));
        Ok(Self(fields))
    }

    /// Returns the caller's position in a trace.
    pub fn traceparent(&self) -> Option<String> {
        let text = self.0.get(TRACEPARENT)?;
        serde_json::from_str(text.get()).ok()
    }

    /// Sets the position in a trace. Without `continues`, removes `tracestate`, the tracing
    /// systems' data about the caller's position.
    pub fn set_traceparent(&mut self, traceparent: String, continues: bool) {
        if !continues {
            self.0.remove(TRACESTATE);
        }
        // The conversion of a string never fails.
        if let Ok(text) = to_raw_value(&Value::String(traceparent)) {
            self.0.insert(TRACEPARENT.to_owned(), text);
        }
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), &**value))
    }
}

/// Whether a field of `_meta` is forwarded, because it does not apply to one connection only.
pub(crate) fn is_passed_on(name: &str) -> bool {
    name != TOKEN && !name.starts_with(RESERVED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, &'static str> {
        let raw = RawValue::from_string(text.to_owned()).expect("JSON");
        let meta = RequestMeta::read(Some(&raw))?;
        let fields = meta.fields().map(|(name, value)| format!("{name}={value}"));
        Ok(fields.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn fields_of_one_connection_are_left_out() {
        let meta = r#"{"progressToken": 7, "traceparent": "x", "com.example/k": [1.50],
            "io.modelcontextprotocol/clientInfo": {}, "baggage": "a=b"}"#;
        let passed = r#"baggage="a=b" com.example/k=[1.50] traceparent="x""#;
        assert_eq!(read(meta).as_deref(), Ok(passed));
        assert!(RequestMeta::read(None).expect("none").0.is_empty());
    }

    #[test]
    fn meta_beyond_a_limit_is_refused() {
        let large = format!(r#"{{"k": "{}"}}"#, "x".repeat(META_MAX));
        assert_eq!(read(&large), Err("_meta is larger than 32 KiB."));
        let deep = "[".repeat(META_DEPTH_MAX) + &"]".repeat(META_DEPTH_MAX);
        let deep = format!(r#"{{"k": {deep}}}"#);
        assert_eq!(read(&deep), Err("_meta is nested deeper than 64 levels."));
        assert_eq!(read("[]"), Err("_meta is not an object."));
    }

    #[test]
    fn new_trace_drops_the_old_state() {
        let raw = RawValue::from_string(r#"{"traceparent": 1, "tracestate": "a=b"}"#.to_owned());
        let mut meta = RequestMeta::read(Some(&raw.expect("JSON"))).expect("an object");
        assert_eq!(meta.traceparent(), None);
        meta.set_traceparent("00-new".to_owned(), true);
        assert_eq!(meta.fields().count(), 2);
        meta.set_traceparent("00-new".to_owned(), false);
        assert_eq!(meta.traceparent().as_deref(), Some("00-new"));
        assert_eq!(meta.fields().count(), 1);
    }
}
