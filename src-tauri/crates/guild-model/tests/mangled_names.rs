//! Tests the parsers of names from outside with valid and with randomly damaged input.

use std::fmt::{Debug, Display};

use guild_model::id::{MEMBER_NAME_MAX, TOOL_NAME_MAX};
use guild_model::{ApprovalId, CallId, ClientId, ElicitationId, MemberName, ToolName};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Parses a name from JSON. Checks that an accepted name equals the input and is not too long.
fn read<T>(text: &str, max: usize) -> Option<T>
where
    T: TryFrom<String> + DeserializeOwned + Serialize + Display + PartialEq + Debug,
{
    let json = serde_json::Value::from(text).to_string();
    let name: T = serde_json::from_str(&json).ok()?;
    assert_eq!(name.to_string(), text);
    assert!(!text.is_empty() && text.len() <= max, "{text:?}");
    let written = serde_json::to_string(&name);
    assert_eq!(written.ok().as_deref(), Some(json.as_str()));
    Some(name)
}

#[test]
fn mangled_names_are_refused_or_bounded() {
    // A name that was derived from a folder's name may have this suffix, which makes the name
    // unique.
    let turn = "~4294967295".len();
    guild_tests::mangled::each("names", |bytes| {
        // Only a JSON string is a name.
        if let Ok(name) = serde_json::from_slice::<MemberName>(bytes) {
            assert!(bytes.trim_ascii().starts_with(b"\""), "{name}");
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return;
        };
        if let Some(name) = read::<MemberName>(text, MEMBER_NAME_MAX + turn) {
            // Files are named after the id, so it may have no other characters.
            let fits = |c: char| c.is_ascii_alphanumeric() || "._-~".contains(c);
            let begins = |c: char| c.is_ascii_alphanumeric();
            assert!(text.chars().all(fits) && text.starts_with(begins), "{name}");
        }
        assert_eq!(
            MemberName::parse(text).is_ok(),
            !text.contains('~') && read::<MemberName>(text, MEMBER_NAME_MAX).is_some(),
            "{text:?}"
        );
        if let Some(name) = read::<ToolName>(text, TOOL_NAME_MAX) {
            assert!(!name.as_str().contains(char::is_control), "{name:?}");
        }
        read::<CallId>(text, 64);
        read::<ElicitationId>(text, 64);
        read::<ApprovalId>(text, 64);
        read::<ClientId>(text, 64);
        for number in [1, 2, u32::MAX] {
            let of_folder = MemberName::for_folder(text, number);
            let again = read::<MemberName>(of_folder.as_str(), MEMBER_NAME_MAX + turn);
            assert_eq!(again.as_ref(), Some(&of_folder));
        }
    });
}
