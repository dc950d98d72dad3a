//! Signing in to remote servers: the state of a member's sign-in, and a person's actions. These
//! types never contain a token.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use guild_model::error::Report;
use guild_model::id::MemberName;

/// How far a sign-in is, or how the last one ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum SignInStage {
    /// None is under way.
    Idle,
    /// Guild Hall is looking for the authorization server.
    Looking,
    /// A person is to sign in, in a browser that is not open yet.
    Waiting {
        /// The host of the address that is to be opened, with its port.
        host: String,
        /// The name that the authorization server gives itself.
        issuer: Option<String>,
        /// The requested scopes.
        scopes: Vec<String>,
        /// The time until which Guild Hall waits for the answer.
        until_ms: u64,
        /// How many answers came that were of another sign-in, and were not used.
        strays: u32,
    },
    /// The answer is there, and is being exchanged.
    Taking,
    /// It is done.
    Done,
    /// A person gave it up.
    Cancelled,
    /// It failed.
    Failed {
        /// Why, and what to do.
        report: Report,
    },
}

impl SignInStage {
    /// Whether a sign-in is under way.
    pub fn is_under_way(&self) -> bool {
        matches!(self, Self::Looking | Self::Waiting { .. } | Self::Taking)
    }
}

/// Where the id comes from under which Guild Hall is known at an authorization server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SignInClient {
    /// The manifest names it.
    Manifest,
    /// It is the address of a document that the manifest names.
    Document,
    /// The authorization server gave it at the sign-in.
    Registration,
}

/// The access that a member's server grants to Guild Hall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantView {
    /// The name that the authorization server gives itself.
    pub issuer: Option<String>,
    /// The granted scopes.
    pub scopes: Vec<String>,
    /// The time of the sign-in, or of the last renewal of the token.
    pub received_at_ms: u64,
    /// When the token ends; `None` where that was not said.
    pub expires_at_ms: Option<u64>,
    /// Whether it is renewed by itself.
    pub renews: bool,
    /// The client that the request names.
    pub client: SignInClient,
}

/// The sign-in of a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInView {
    /// The member.
    pub member: MemberName,
    /// Whether it is one that anybody can sign in to: it runs elsewhere, and its manifest has no
    /// header that proves who asks.
    pub possible: bool,
    /// Whether its server requires a sign-in, or more scopes.
    pub needed: bool,
    /// The scopes that it named when it refused.
    pub wanted: Vec<String>,
    /// How far a sign-in is.
    pub stage: SignInStage,
    /// The current stage.
    pub grant: Option<GrantView>,
}

/// A sign-in whose next step is a person's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInAddress {
    /// Where the person signs in; nothing has opened it.
    pub address: String,
    /// The stage.
    pub sign_in: SignInView,
}
