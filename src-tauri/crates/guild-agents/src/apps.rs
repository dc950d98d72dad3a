//! MCP Apps (SEP-1865): the tools that only apps may call, and the resources that render tools.
//!
//! A tool whose `visibility` lacks `model` is never offered to a model. Only clients that declare
//! the extension get such a tool: they hide it from their model, and the app that they show may
//! call it.
//!
//! The gateway forwards resource URIs unchanged. If several members of an endpoint have a resource
//! with the same URI, the first member's resource keeps it. For the other members, the name of the
//! member is appended to the URI, in lists and in tools that reference the resource.

use std::sync::Arc;

use guild_mcp_client::{Level, NotificationSink};
use guild_model::MemberName;
use serde_json::Value;
use serde_json::value::RawValue;

use super::skills;

/// Separator between a URI and its member's name.
const MARK: &str = "#member=";
/// The fields of `_meta` with the URI of a tool's resource: nested in `ui`, or flat in the older
/// form.
const UI: &str = "ui";
const UI_ADDRESS: &str = "resourceUri";
const UI_FLAT: &str = "ui/resourceUri";

/// Returns a tool's JSON with `address` as its resource URI.
pub(super) fn shown_at(tool: String, address: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(&tool) else {
        return tool;
    };
    let Some(meta) = value.get_mut("_meta") else {
        return tool;
    };
    if let Some(own) = meta.get_mut(UI).and_then(|ui| ui.get_mut(UI_ADDRESS)) {
        *own = address.into();
    }
    if let Some(own) = meta.get_mut(UI_FLAT) {
        *own = address.into();
    }
    value.to_string()
}

/// Returns a URI with the name of its member appended.
pub(super) fn distinct(uri: &str, member: &MemberName) -> String {
    format!("{uri}{MARK}{member}")
}

/// Splits a URI that [`distinct`] returned into the original URI and the member. Returns `None` for
/// other URIs.
pub(super) fn own(uri: &str) -> Option<(&str, MemberName)> {
    let (own, member) = uri.rsplit_once(MARK)?;
    Some((own, MemberName::parse(member).ok()?))
}

/// Passes on changes of a resource, under the URI that the client uses.
#[derive(Debug)]
pub(super) struct RenamedResource {
    pub(super) hearing: Arc<dyn NotificationSink>,
    pub(super) member: MemberName,
    /// The URI to which the client subscribed.
    pub(super) address: String,
    /// The member's URI for it.
    pub(super) own: String,
}

impl NotificationSink for RenamedResource {
    fn level(&self) -> Option<Level> {
        self.hearing.level()
    }

    fn log(&self, level: Level, params: &RawValue) {
        self.hearing.log(level, params);
    }

    fn updated(&self, uri: &str) {
        // A server may also report a resource below the one to which the client subscribed.
        let address = match uri == self.own {
            true => self.address.clone(),
            false if skills::own(&self.address).is_some() => skills::distinct(uri, &self.member),
            false => distinct(uri, &self.member),
        };
        self.hearing.updated(&address);
    }
}

#[cfg(test)]
mod tests {
    use guild_model::tool::ToolSpec;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_address_is_found_made_distinct_and_known_again() {
        for meta in [
            json!({"ui": {"resourceUri": "ui://chart/view", "visibility": ["app"]}, "x": 1}),
            json!({"ui/resourceUri": "ui://chart/view"}),
        ] {
            let raw = json!({"name": "chart", "inputSchema": {"type": "object"}, "_meta": meta});
            let spec = ToolSpec::from_raw(raw.clone()).expect("a tool");
            assert_eq!(spec.app_uri(), Some("ui://chart/view"));
            let member = MemberName::parse("forge").expect("a name");
            let address = distinct("ui://chart/view", &member);
            let shown: Value =
                serde_json::from_str(&shown_at(raw.to_string(), &address)).expect("JSON");
            let again = ToolSpec::from_raw(shown.clone()).expect("a tool");
            assert_eq!(again.app_uri(), Some(&*address));
            assert_eq!(shown["_meta"].get("x"), raw["_meta"].get("x"));
            assert_eq!(
                shown["_meta"]["ui"].get("visibility"),
                raw["_meta"]["ui"].get("visibility")
            );
            assert_eq!(own(&address), Some(("ui://chart/view", member)));
        }
        assert_eq!(own("ui://chart/view"), None);
        assert_eq!(own("ui://chart/view#member="), None);
    }

    #[test]
    fn visibility_without_model_is_for_apps_only() {
        for (meta, expected) in [
            (
                json!({"ui": {"resourceUri": "ui://a", "visibility": ["app"]}}),
                true,
            ),
            (json!({"ui": {"visibility": []}}), true),
            (json!({"ui": {"visibility": ["app", "model"]}}), false),
            (json!({"ui": {"resourceUri": "ui://a"}}), false),
            (json!({"ui": {"visibility": "app"}}), false),
            (json!({"ui/resourceUri": "ui://a"}), false),
            (json!({"ui": "app"}), false),
        ] {
            let raw = json!({"name": "chart", "inputSchema": {"type": "object"}, "_meta": meta});
            let spec = ToolSpec::from_raw(raw.clone()).expect("a tool");
            assert_eq!(spec.is_for_apps_only(), expected, "{raw}");
        }
    }

    #[test]
    fn mangled_app_addresses_round_trip() {
        let forge = MemberName::parse("forge").expect("a name");
        guild_tests::mangled::each("resource-addresses", |bytes| {
            let text = String::from_utf8_lossy(bytes);
            if let Some((address, member)) = own(&text) {
                assert_eq!(distinct(address, &member), text);
            }
            let address = distinct(&text, &forge);
            assert_eq!(own(&address), Some((&*text, forge.clone())));
            let tool = json!({
                "name": "chart",
                "inputSchema": {},
                "_meta": {"ui": {"resourceUri": text}},
            });
            let spec = ToolSpec::from_raw(tool.clone()).expect("a tool");
            assert_eq!(spec.app_uri(), Some(&*text));
            let shown = serde_json::from_str(&shown_at(tool.to_string(), &address));
            let shown = ToolSpec::from_raw(shown.expect("JSON")).expect("a tool");
            assert_eq!(shown.app_uri(), Some(&*address));
        });
    }
}
