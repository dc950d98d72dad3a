//! Faults of the servers.

use clap::{Args, ValueEnum};

/// How a new client is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Registration {
    /// It gets an id.
    #[default]
    Public,
    /// It gets an id and a secret, and has to show both.
    Secret,
    /// It gets nothing.
    Refused,
    /// There is nowhere to ask.
    None,
}

/// The servers' deviations from the expected behavior.
#[derive(Debug, Clone, Default, Args)]
pub struct Switches {
    /// The authorization server says that it is another one.
    #[arg(long)]
    pub wrong_issuer: bool,
    /// It does not say that it checks who exchanges a code.
    #[arg(long)]
    pub no_pkce: bool,
    /// Its metadata are of three megabytes.
    #[arg(long)]
    pub huge_metadata: bool,
    /// Its metadata are said to be at this address.
    #[arg(long)]
    pub metadata_at: Option<String>,
    /// The server publishes its metadata at an unusual place, which its refusals name.
    #[arg(long)]
    pub described_elsewhere: bool,
    /// How many authorization servers it names that are none, before its own.
    #[arg(long, default_value_t = 0)]
    pub decoys: usize,
    /// The name that the server claims, instead of its address.
    #[arg(long)]
    pub resource: Option<String>,
    /// Where people sign in, instead of here.
    #[arg(long)]
    pub authorize_at: Option<String>,
    /// Where tokens are given out, instead of here.
    #[arg(long)]
    pub tokens_at: Option<String>,
    /// Never answer requests for paths with this text.
    #[arg(long)]
    pub slow: Option<String>,
    /// How new clients are met.
    #[arg(long, value_enum, default_value = "public")]
    pub registration: Registration,
    /// The browser brings another state back.
    #[arg(long)]
    pub wrong_state: bool,
    /// The browser says that another authorization server sent it.
    #[arg(long)]
    pub wrong_iss: bool,
    /// The person says no.
    #[arg(long)]
    pub denies: bool,
    /// For how many seconds the first token is good.
    #[arg(long)]
    pub first_lasts: Option<u64>,
    /// No token can be renewed.
    #[arg(long)]
    pub no_refresh: bool,
    /// A renewed token is renewed with the same one again.
    #[arg(long)]
    pub keeps_refresh: bool,
    /// Nothing but an error comes for a code, and it repeats what was sent.
    #[arg(long)]
    pub echoes_at_exchange: bool,
    /// How long the answer with tokens is on its way, in milliseconds, once they are given out.
    #[arg(long, default_value_t = 0)]
    pub tokens_after_ms: u64,
    /// Reject every token.
    #[arg(long)]
    pub takes_none: bool,
}
