//! Secrets: which there are, where they are kept, and which members use them. A value goes in and
//! never comes out.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;
use guild_model::id::MemberName;

/// The longest name of a secret, in bytes.
pub const SECRET_NAME_MAX: usize = 256;
/// The longest value of a secret, in bytes. Windows keeps 2,560 bytes at most.
pub const SECRET_VALUE_MAX: usize = 64 * 1024;

/// Where a secret is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SecretPlace {
    /// The system's keychain.
    Keychain,
    /// `secrets.json` in the data folder, which only its user may read.
    File,
}

impl SecretPlace {
    /// The place in words.
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
    /// Its name, as in `${secret:NAME}`.
    pub name: String,
    /// Where it is kept, as far as that is known without asking the keychain for it; `None` where it
    /// has no value.
    pub kept: Option<SecretPlace>,
    /// The members whose manifest uses it.
    pub members: Vec<MemberName>,
}

/// The state of the keychain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KeychainState {
    /// It answers.
    Ready,
    /// No keychain exists, or it can't be reached.
    Absent,
    /// The keychain does not answer. It may be asking the user for a password.
    Unanswered,
}

/// All secrets that are known by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Secrets {
    /// The secrets, sorted by name.
    pub secrets: Vec<SecretView>,
    /// How the keychain fares.
    pub keychain: KeychainState,
    /// A warning about the place where they are stored: no keychain is available, or others may
    /// read the file.
    pub warning: Option<Report>,
}

/// A value for a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetSecret {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Where it is to be kept; where none is said, in the keychain, or in the file where there is no
    /// keychain.
    pub place: Option<SecretPlace>,
}

/// Says the name and never the value.
impl fmt::Debug for SetSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetSecret")
            .field("name", &self.name)
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

/// Where a secret went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptSecret {
    /// Its name.
    pub name: String,
    /// Where it is kept now.
    pub place: SecretPlace,
    /// A warning about that place.
    pub warning: Option<Report>,
}

/// A request about one secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfSecret {
    /// Its name.
    pub name: String,
}
