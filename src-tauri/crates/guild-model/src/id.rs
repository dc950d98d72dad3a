//! Validated names and ids. A value of these types is always valid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::messages::NameProblem;

/// Maximum length of a member's name, in bytes.
pub const MEMBER_NAME_MAX: usize = 64;
/// Maximum length of an id, in bytes.
const ID_MAX: usize = 64;
/// Maximum length of a tool's name, in bytes. A tool with a longer name is reported and left out.
pub const TOOL_NAME_MAX: usize = 256;

/// The reason why a name is invalid, for the person who wrote the name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NameError(pub NameProblem);

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(std::sync::Arc<str>);

        impl $name {
            /// Returns the name as a string.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0.as_ref().to_owned()
            }
        }
    };
}
pub(crate) use name_type;

name_type! {
    /// A member's name: 1 to 64 of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit.
    MemberName
}
name_type! {
    /// A tool's name from its server: 1 to 256 bytes without control characters.
    ToolName
}
/// Defines ids: 1 to 64 bytes each.
macro_rules! id_type {
    ($($(#[$doc:meta])* $name:ident, $wrong:ident;)+) => {$(
        name_type! {
            $(#[$doc])*
            $name
        }

        impl TryFrom<String> for $name {
            type Error = NameError;
            fn try_from(text: String) -> Result<Self, NameError> {
                if text.is_empty() || text.len() > ID_MAX {
                    return Err(NameError(NameProblem::$wrong));
                }
                Ok(Self(text.into()))
            }
        }
    )+};
}

id_type! {
    /// Identifies one call from start to end. The caller chooses the id.
    CallId, Call;
    /// Identifies one question of a server to a person, until the question has ended.
    ElicitationId, Elicitation;
    /// Identifies one call of an agent that waits for a person's decision.
    ApprovalId, Approval;
    /// Identifies one client of the gateway, until its token is revoked.
    ClientId, Client;
    /// Identifies one server in other programs' configurations, by a hash of its whole launch.
    FoundId, Found;
}

impl MemberName {
    /// Parses a name written in a manifest.
    ///
    /// # Errors
    /// If the text is empty, too long, or contains a forbidden character.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        if text.is_empty() {
            return Err(NameError(NameProblem::Empty));
        }
        if text.len() > MEMBER_NAME_MAX {
            return Err(NameError(NameProblem::Long(MEMBER_NAME_MAX, text.len())));
        }
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if let Some(bad) = text.chars().find(|&c| !allowed(c)) {
            return Err(NameError(NameProblem::Character(format!("{bad:?}"))));
        }
        if !text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return Err(NameError(NameProblem::Beginning));
        }
        Ok(Self(text.into()))
    }

    /// Returns a name for a folder whose manifest has no usable name, so that the roster can show
    /// its error.
    ///
    /// Forbidden characters become `-`. `turn` distinguishes folders that would get the same name:
    /// with 1, the name has no suffix, and higher turns add `~2`, `~3`, …, which no manifest can
    /// use.
    pub fn for_folder(folder: &str, turn: u32) -> Self {
        let mut text: String = folder
            .chars()
            .take(MEMBER_NAME_MAX - 8)
            .map(|c| {
                if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') {
                    c
                } else {
                    '-'
                }
            })
            .collect();
        if !text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            text.insert(0, 'x');
        }
        if turn > 1 {
            text.push_str(&format!("~{turn}"));
        }
        Self(text.into())
    }
}

impl TryFrom<String> for MemberName {
    type Error = NameError;

    /// Parses a serialized name. Names from [`MemberName::for_folder`] are valid too.
    fn try_from(text: String) -> Result<Self, NameError> {
        let plain = match text.split_once('~') {
            Some((plain, turn)) if is_turn(turn) => plain,
            _ => &text,
        };
        Self::parse(plain)?;
        Ok(Self(text.into()))
    }
}

/// Checks whether a string is a number as [`MemberName::for_folder`] writes it.
fn is_turn(text: &str) -> bool {
    text.parse::<u32>()
        .is_ok_and(|turn| turn > 1 && turn.to_string() == text)
}

impl TryFrom<String> for ToolName {
    type Error = NameError;
    fn try_from(text: String) -> Result<Self, NameError> {
        Self::parse(&text)
    }
}

impl ApprovalId {
    /// Returns the id of the approval with this number.
    pub fn numbered(number: u64) -> Self {
        Self(format!("approval-{number}").into())
    }
}

impl FoundId {
    /// Returns the id of the server whose launch has this hash.
    pub fn of_hash(hash: &[u8]) -> Self {
        let hex = hash.iter().take(16).map(|byte| format!("{byte:02x}"));
        Self(hex.collect::<String>().into())
    }
}

impl ElicitationId {
    /// Returns the id of the elicitation with this number.
    pub fn numbered(number: u64) -> Self {
        Self(format!("elicitation-{number}").into())
    }
}

impl ToolName {
    /// Parses a tool's name from a server's list.
    ///
    /// # Errors
    /// If the name is empty, longer than [`TOOL_NAME_MAX`] bytes, or contains a control character.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        if text.is_empty() {
            return Err(NameError(NameProblem::NoTool));
        }
        if text.len() > TOOL_NAME_MAX {
            return Err(NameError(NameProblem::LongTool(TOOL_NAME_MAX, text.len())));
        }
        if text.chars().any(char::is_control) {
            return Err(NameError(NameProblem::ControlTool));
        }
        Ok(Self(text.into()))
    }
}

impl CallId {
    /// Returns the id of the call with this number by the caller `by`.
    pub fn numbered(by: &str, number: u64) -> Self {
        Self(format!("{by}-{number}").into())
    }

    /// Parses a call's id from its caller.
    ///
    /// # Errors
    /// If the id is empty or longer than 64 bytes.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        text.to_owned().try_into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_names_are_checked() {
        for good in ["a", "file-system", "A.b_c", "9lives"] {
            assert!(MemberName::parse(good).is_ok(), "{good} is a name");
        }
        for bad in [
            "",
            "-a",
            ".",
            "..",
            "a/b",
            "a b",
            "ä",
            &"x".repeat(65),
            "a~2",
        ] {
            assert!(MemberName::parse(bad).is_err(), "{bad:?} is not a name");
        }
    }

    #[test]
    fn a_folder_always_gets_a_name_that_no_manifest_can_take() {
        assert_eq!(MemberName::for_folder("my folder", 1).as_str(), "my-folder");
        assert_eq!(MemberName::for_folder("..", 1).as_str(), "x..");
        let second = MemberName::for_folder("a", 2);
        assert_eq!(second.as_str(), "a~2");
        assert!(MemberName::parse(second.as_str()).is_err());
    }

    #[test]
    fn names_are_checked_when_they_are_read() {
        assert!(serde_json::from_str::<ToolName>("\"read_file\"").is_ok());
        assert!(serde_json::from_str::<ToolName>(&format!("\"{}\"", "x".repeat(10_240))).is_err());
    }
}
