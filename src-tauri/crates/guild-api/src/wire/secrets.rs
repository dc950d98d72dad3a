//! Secrets: their names, the places where they are stored, and the members that use them. No answer
//! contains a secret's value.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;
use guild_model::id::MemberName;

/// Maximum length of a secret's name, in bytes.
pub const SECRET_NAME_MAX: usize = 256;
/// Maximum length of a secret's value, in bytes. The Windows keychain stores at most 2,560 bytes.
pub const SECRET_VALUE_MAX: usize = 64 * 1024;

/// The place where a secret is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SecretPlace {
    /// The system's keychain.
    Keychain,
    /// `secrets.json` in the data folder, readable only by the user.
    File,
}

impl SecretPlace {
    /// Returns the place as one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Keychain => "keychain",
            Self::File => "file",
        }
    }
}

/// A secret's name and state, without its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretView {
    /// The secret's name, as in `${secret:NAME}`.
    pub name: String,
    /// Where the value is stored, as far as Guild Hall knows without querying the keychain. `None`
    /// without a value.
    pub kept: Option<SecretPlace>,
    /// The members whose manifests use the secret.
    pub members: Vec<MemberName>,
}

/// The state of the keychain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KeychainState {
    /// The keychain answers.
    Ready,
    /// No keychain exists, or it can't be reached.
    Absent,
    /// The keychain does not answer. It may be asking the user for a password.
    Unanswered,
}

/// All known secrets, by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Secrets {
    /// The secrets, sorted by name.
    pub secrets: Vec<SecretView>,
    pub keychain: KeychainState,
    /// A warning about the place where the secrets are stored: no keychain is available, or others
    /// may read the file.
    pub warning: Option<Report>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetSecret {
    pub name: String,
    pub value: String,
    /// Where to store the secret. By default in the keychain, or in the file if no keychain is
    /// available.
    pub place: Option<SecretPlace>,
}

/// Omits the value.
impl fmt::Debug for SetSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetSecret")
            .field("name", &self.name)
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

/// The result of setting a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptSecret {
    pub name: String,
    /// Where the secret is stored now.
    pub place: SecretPlace,
    /// A warning about the storage place.
    pub warning: Option<Report>,
}

/// A request about one secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecretRef {
    pub name: String,
}
