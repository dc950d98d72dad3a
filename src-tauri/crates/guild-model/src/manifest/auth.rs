//! `auth`: how users sign in to a remote server.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms::{ClientDocument, ClientIdText, ClientSecret, RedirectPort, Scope, some_whole};

/// The way to sign in to a server that runs elsewhere. Without it, the server is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(inline, extend("dependentRequired" = {"client_secret": ["client_id"]}))]
pub struct Auth {
    /// The client that was registered at the authorization server by hand.
    #[schemars(with = "Option<ClientIdText>")]
    pub client_id: Option<String>,
    /// Its secret, by name.
    #[schemars(with = "Option<ClientSecret>", extend("examples" = ["${secret:EXAMPLE_CLIENT}"]))]
    pub client_secret: Option<String>,
    /// The address of a document that says who the client is (a client ID metadata document), for
    /// authorization servers that read such.
    #[schemars(with = "Option<ClientDocument>")]
    pub client_metadata_url: Option<String>,
    /// The scopes to request, instead of those that the server names.
    #[schemars(with = "Vec<Scope>", extend("maxItems" = 100))]
    pub scopes: Vec<String>,
    /// The port of this machine that the browser comes back to, where the client was registered for
    /// one; else it is any that is free.
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<RedirectPort>")]
    pub redirect_port: Option<u16>,
}

impl Auth {
    /// Returns all fields as named texts, for display and comparison.
    pub fn parts(&self) -> Vec<(&'static str, String)> {
        let scopes = (!self.scopes.is_empty()).then(|| self.scopes.join(" "));
        [
            ("client_id", self.client_id.clone()),
            ("client_secret", self.client_secret.clone()),
            ("client_metadata_url", self.client_metadata_url.clone()),
            ("scopes", scopes),
            (
                "redirect_port",
                self.redirect_port.map(|port| port.to_string()),
            ),
        ]
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?)))
        .collect()
    }
}
