//! Signing in to remote servers: the state of a member's sign-in, and the user's actions. These
//! types never contain a token.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;
use guild_model::id::MemberName;

/// The current step of a sign-in, or the outcome of the last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum SignInStage {
    /// No sign-in is running.
    Idle,
    /// Guild Hall is looking for the authorization server.
    Looking,
    /// Guild Hall waits for the user to sign in with a browser.
    Waiting {
        /// The host of the sign-in address, with its port.
        host: String,
        /// The issuer that the authorization server names.
        issuer: Option<String>,
        /// The requested scopes.
        scopes: Vec<String>,
        /// When Guild Hall stops waiting for the answer.
        until_ms: u64,
        /// The number of ignored answers, which belonged to other sign-ins.
        strays: u32,
        /// The code that the user enters at the address, on any device. `None` if the browser
        /// returns to this computer.
        code: Option<String>,
        /// Whether the authorization server supports such a code.
        offers_code: bool,
    },
    /// Guild Hall has received the answer and is exchanging it for a token.
    Taking,
    /// The sign-in succeeded.
    Done,
    /// The user cancelled the sign-in.
    Cancelled,
    /// The sign-in failed.
    Failed {
        /// The cause, and the fix.
        report: Report,
    },
}

impl SignInStage {
    /// Whether a sign-in is running.
    pub fn is_under_way(&self) -> bool {
        matches!(self, Self::Looking | Self::Waiting { .. } | Self::Taking)
    }
}

/// The source of Guild Hall's client id at an authorization server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SignInClient {
    /// The manifest contains the client id.
    Manifest,
    /// The client id is the URL of a document that the manifest names.
    Document,
    /// The authorization server assigned the client id during the sign-in.
    Registration,
}

/// The access that a member's server grants to Guild Hall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantView {
    /// The issuer that the authorization server names.
    pub issuer: Option<String>,
    /// The granted scopes.
    pub scopes: Vec<String>,
    /// The time of the sign-in, or of the last renewal of the token.
    pub received_at_ms: u64,
    /// When the token expires. `None` if the server did not say.
    pub expires_at_ms: Option<u64>,
    /// Whether Guild Hall renews the token automatically.
    pub renews: bool,
    /// The source of Guild Hall's client id.
    pub client: SignInClient,
}

/// The sign-in of a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInView {
    pub member: MemberName,
    /// Whether the user can sign in to the member: it is a remote server, and its manifest has no
    /// header with credentials.
    pub possible: bool,
    /// Whether the member's server requires a sign-in, or more scopes.
    pub needed: bool,
    /// The scopes that the server requires.
    pub wanted: Vec<String>,
    /// The current step of a sign-in, or the outcome of the last one.
    pub stage: SignInStage,
    /// The access that the server has granted. `None` if the user is not signed in.
    pub grant: Option<GrantView>,
}

/// The address of the browser's redirect, which the user pasted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasteSignIn {
    pub member: MemberName,
    /// The address, at most 16 KiB. Its query alone suffices.
    pub answer: String,
}

/// A sign-in that waits for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInAddress {
    /// The address where the user signs in. Guild Hall has not opened it.
    pub address: String,
    pub sign_in: SignInView,
}
