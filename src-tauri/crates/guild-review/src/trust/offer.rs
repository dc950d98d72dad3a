//! Converts prompts, resources, resource templates and skills to tool specs, so that they can be
//! reviewed like tools.
//!
//! Each entry gets a review name: `prompt:NAME`, `resource:URI`, `template:URI` or `skill:URI`. It has all
//! fields that its server sends. It is compared, shown and accepted like a tool, but never listed
//! or called as a tool.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use guild_api::wire::OfferList;
use guild_model::ToolName;
use guild_model::tool::ToolSpec;

/// Number of characters that a shortened review name keeps of a name or URI.
const KEY_CHARS: usize = 40;
/// Length of the digest that distinguishes long names or URIs, in bytes.
const KEY_DIGEST: usize = 16;

/// Returns the review name of an entry. A name that is too long or has control characters is
/// shortened, and gets a digest.
pub fn offer_name(list: OfferList, key: &str) -> Option<ToolName> {
    let prefix = list.prefix();
    if let Ok(name) = ToolName::parse(&format!("{prefix}{key}")) {
        return Some(name);
    }
    let head: String = key
        .chars()
        .filter(|c| !c.is_control())
        .take(KEY_CHARS)
        .collect();
    let digest = Sha256::digest(key.as_bytes());
    let digest: String = digest
        .iter()
        .take(KEY_DIGEST)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    // 40 characters have at most 160 bytes, so the result is a valid name.
    ToolName::parse(&format!("{prefix}{head}…#{digest}")).ok()
}

/// Returns the URI template that has the review name `name`. `None` for other review names and for
/// tool names.
pub fn template_of(name: &str) -> Option<&str> {
    name.strip_prefix(OfferList::Templates.prefix())
}

/// Returns the list that a review name belongs to. `None` for a tool's name.
pub fn offer_list(name: &ToolName) -> Option<OfferList> {
    let is_of = |list: &OfferList| name.as_str().starts_with(list.prefix());
    OfferList::ALL.into_iter().find(is_of)
}

/// Checks whether a name is the review name of a prompt, a resource, a template or a skill.
pub fn is_offer(name: &ToolName) -> bool {
    offer_list(name).is_some()
}

/// Converts a prompt, resource, resource template or skill to a tool spec, so that it can be
/// reviewed like a tool. A skill's spec has the description of its frontmatter. `None` if it has no usable name or URI.
pub fn offer_spec(list: OfferList, entry: &Value) -> Option<ToolSpec> {
    let entry = entry.as_object()?;
    let key = entry.get(list.key())?.as_str()?;
    let mut raw = Map::new();
    raw.insert("name".into(), offer_name(list, key)?.as_str().into());
    raw.insert("inputSchema".into(), json!({}));
    if list == OfferList::Skills
        && let Some(description) = entry
            .get("frontmatter")
            .and_then(|it| it.get("description"))
    {
        raw.insert("description".into(), description.clone());
    }
    for (field, value) in entry {
        let field = match field.as_str() {
            "name" if list == OfferList::Prompts => continue,
            // In a tool, these fields would have another meaning, so their names get a space at the
            // end.
            "name" | "inputSchema" | "outputSchema" => format!("{field} "),
            "description" if list == OfferList::Skills => format!("{field} "),
            "description" if !value.is_string() => format!("{field} "),
            _ => field.clone(),
        };
        raw.insert(field, value.clone());
    }
    ToolSpec::from_raw(Value::Object(raw)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trust::difference;
    use guild_api::wire::ToolDifference;

    #[test]
    fn changed_field_is_a_difference() {
        let old = json!({"name": "review", "description": "Reviews.", "arguments": []});
        let same = json!({"arguments": [], "name": "review", "description": "Reviews."});
        let new = json!({"name": "review", "description": "Sends.", "arguments": [{"name": "to"}]});
        let spec = |entry: &Value| offer_spec(OfferList::Prompts, entry).expect("a prompt");
        assert_eq!(spec(&old).name().as_str(), "prompt:review");
        assert_eq!(spec(&old).digest(), spec(&same).digest());
        let (difference, parts) = difference(Some(&spec(&old)), Some(&spec(&new)));
        assert_eq!(difference, ToolDifference::Changed);
        let parts: Vec<_> = parts.iter().map(|part| part.part.as_str()).collect();
        assert_eq!(parts, ["description", "arguments"]);
    }

    #[test]
    fn each_part_of_a_skill_counts() {
        let uri = "skill://refunds/SKILL.md";
        let skill = |description: &str, digest: &str| {
            let entry = json!({
                "uri": uri,
                "frontmatter": {"name": "refunds", "description": description, "license": "MIT"},
                "resources": [{"uri": uri, "digest": digest, "size": 3}],
            });
            offer_spec(OfferList::Skills, &entry).expect("a skill")
        };
        let old = skill("Pays back.", "sha256:1");
        assert_eq!(old.name().as_str(), "skill:skill://refunds/SKILL.md");
        assert_eq!(old.description(), "Pays back.");
        let parts = |new: &ToolSpec| {
            let (_, parts) = difference(Some(&old), Some(new));
            let parts = parts.iter().map(|part| part.part.clone());
            parts.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(parts(&skill("Pays back.", "sha256:2")), "resources");
        assert_eq!(
            parts(&skill("Pays all.", "sha256:1")),
            "description frontmatter"
        );
    }

    #[test]
    fn shown_name_of_a_resource_counts() {
        let entry = |name| json!({"uri": "file:///a", "name": name, "description": 7});
        let spec = |name| offer_spec(OfferList::Resources, &entry(name)).expect("a resource");
        assert_eq!(spec("one").name(), spec("two").name());
        assert_ne!(spec("one").digest(), spec("two").digest());
        assert_eq!(offer_spec(OfferList::Templates, &entry("one")), None);
    }

    #[test]
    fn long_and_odd_keys_have_names_of_their_own() {
        let long = |end| format!("file:///{}{end}", "ä".repeat(4_000));
        let names = [long("1"), long("2"), "a\nb".into(), "ab".into()];
        let names = names.map(|key| offer_name(OfferList::Resources, &key).expect("a name"));
        assert!(names.iter().all(is_offer));
        let all: std::collections::HashSet<_> = names.iter().collect();
        assert_eq!(all.len(), 4, "{names:?}");
        let tool = ToolName::parse("prompts").expect("a name");
        assert!(!is_offer(&tool));
    }
}
