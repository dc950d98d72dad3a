//! Prompts, resources and templates in the form in which tools are reviewed.
//!
//! Each becomes an entry named `prompt:NAME`, `resource:URI` or `template:URI`, with everything that
//! its server says of it, so that it is compared, shown and accepted as a tool is. The entry is never
//! listed as a tool and never called.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::ToolName;
use crate::tool::ToolSpec;
use crate::wire::OfferList;

/// How many characters of a long name or address are kept.
const KEY_CHARS: usize = 40;
/// How many bytes of the digest tell a long name or address from another.
const KEY_DIGEST: usize = 16;

impl OfferList {
    /// The field of an entry by which something is asked for.
    pub fn key(self) -> &'static str {
        match self {
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
            Self::Prompts => "name",
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::Resources => "resource:",
            Self::Templates => "template:",
            Self::Prompts => "prompt:",
        }
    }
}

/// The name under which something of a list is reviewed. One that is too long or has control
/// characters is shortened, with its digest.
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
    // 40 characters are 160 bytes at most, so that this is a name.
    ToolName::parse(&format!("{prefix}{head}…#{digest}")).ok()
}

/// The template that a name under review stands for, if it is written out there.
pub fn template_of(name: &str) -> Option<&str> {
    name.strip_prefix(OfferList::Templates.prefix())
}

/// Which list a name under review is of; `None` for a tool's.
pub fn offer_list(name: &ToolName) -> Option<OfferList> {
    let lists = [
        OfferList::Resources,
        OfferList::Templates,
        OfferList::Prompts,
    ];
    let is_of = |list: &OfferList| name.as_str().starts_with(list.prefix());
    lists.into_iter().find(is_of)
}

/// Whether a name is that of a prompt, a resource or a template under review.
pub fn is_offer(name: &ToolName) -> bool {
    offer_list(name).is_some()
}

/// An entry of a list as it is reviewed; `None` where nothing can be asked for by it.
pub fn offer_spec(list: OfferList, entry: &Value) -> Option<ToolSpec> {
    let entry = entry.as_object()?;
    let key = entry.get(list.key())?.as_str()?;
    let mut raw = Map::new();
    raw.insert("name".into(), offer_name(list, key)?.as_str().into());
    raw.insert("inputSchema".into(), json!({}));
    for (field, value) in entry {
        let field = match field.as_str() {
            "name" if list == OfferList::Prompts => continue,
            // What a tool has in these fields is something else.
            "name" | "inputSchema" | "outputSchema" => format!("{field} "),
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
    use crate::wire::ToolDifference;

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
