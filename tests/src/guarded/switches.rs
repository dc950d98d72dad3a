//! Switches for faults of the servers.

use clap::{Args, ValueEnum};

/// The reaction to the registration of a new client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Registration {
    /// The client gets an id.
    #[default]
    Public,
    /// The client gets an id and a secret, and must send both.
    Secret,
    /// The registration is refused.
    Refused,
    /// The server has no registration endpoint.
    None,
}

/// The servers' deviations from the expected behavior.
#[derive(Debug, Clone, Default, Args)]
pub struct Switches {
    /// The authorization server names another issuer.
    #[arg(long)]
    pub wrong_issuer: bool,
    /// The metadata don't mention PKCE.
    #[arg(long)]
    pub no_pkce: bool,
    /// The metadata have three megabytes.
    #[arg(long)]
    pub huge_metadata: bool,
    /// Requests for the metadata are redirected to this address.
    #[arg(long)]
    pub metadata_at: Option<String>,
    /// The server publishes its metadata at an unusual path, which is only named in its 401
    /// responses.
    #[arg(long)]
    pub described_elsewhere: bool,
    /// The number of invalid authorization servers that the server lists before the real one.
    #[arg(long, default_value_t = 0)]
    pub decoys: usize,
    /// The resource that the server claims to be, instead of its address.
    #[arg(long)]
    pub resource: Option<String>,
    /// The sign-in page, instead of the server's own.
    #[arg(long)]
    pub authorize_at: Option<String>,
    /// The token endpoint, instead of the server's own.
    #[arg(long)]
    pub tokens_at: Option<String>,
    /// Never answer requests for paths with this text.
    #[arg(long)]
    pub slow: Option<String>,
    /// The server publishes no metadata.
    #[arg(long)]
    pub no_metadata: bool,
    /// The server issues codes for other devices. It answers this number of token requests with
    /// `authorization_pending`, and the next one with `slow_down`.
    #[arg(long)]
    pub device_polls: Option<usize>,
    /// The reaction to the registration of new clients.
    #[arg(long, value_enum, default_value = "public")]
    pub registration: Registration,
    /// The browser returns another state.
    #[arg(long)]
    pub wrong_state: bool,
    /// The browser returns another issuer.
    #[arg(long)]
    pub wrong_iss: bool,
    /// The person denies access.
    #[arg(long)]
    pub denies: bool,
    /// The lifetime of the first token, in seconds.
    #[arg(long)]
    pub first_lasts: Option<u64>,
    /// The server issues no refresh tokens.
    #[arg(long)]
    pub no_refresh: bool,
    /// A refresh token stays valid after its use.
    #[arg(long)]
    pub keeps_refresh: bool,
    /// The exchange of a code fails, with an error that repeats the request.
    #[arg(long)]
    pub echoes_at_exchange: bool,
    /// The delay of the response with tokens after they were issued, in milliseconds.
    #[arg(long, default_value_t = 0)]
    pub tokens_after_ms: u64,
    /// Reject every token.
    #[arg(long)]
    pub takes_none: bool,
}
