//! `auth`: how users sign in to a remote server.

use schemars::JsonSchema;
use serde::Deserialize;

use super::forms::{
    ClientDocument, ClientIdText, ClientSecret, RedirectPort, Scope, SignInAddress, some_whole,
};

/// The sign-in to a remote server. Without it, the server provides the details.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(inline, extend("dependentRequired" = {
    "client_secret": ["client_id"],
    "authorization_endpoint": ["token_endpoint"],
    "token_endpoint": ["authorization_endpoint"],
    "registration_endpoint": ["token_endpoint"],
    "device_authorization_endpoint": ["token_endpoint"]
}))]
pub struct Auth {
    /// The id of the client, if it was manually registered at the authorization server.
    #[schemars(with = "Option<ClientIdText>")]
    pub client_id: Option<String>,
    /// The reference to the client's secret.
    #[schemars(with = "Option<ClientSecret>", extend("examples" = ["${secret:EXAMPLE_CLIENT}"]))]
    pub client_secret: Option<String>,
    /// The address of the client's metadata document (client ID metadata document), for
    /// authorization servers that support such documents.
    #[schemars(with = "Option<ClientDocument>")]
    pub client_metadata_url: Option<String>,
    /// The scopes to request, instead of the server's own.
    #[schemars(with = "Vec<Scope>", extend("maxItems" = 100))]
    pub scopes: Vec<String>,
    /// The address of the sign-in page, for an authorization server without metadata. It needs
    /// `token_endpoint` too.
    #[schemars(with = "Option<SignInAddress>")]
    pub authorization_endpoint: Option<String>,
    /// The address that issues tokens, for an authorization server without metadata.
    #[schemars(with = "Option<SignInAddress>")]
    pub token_endpoint: Option<String>,
    /// The address that registers clients, for an authorization server without metadata.
    #[schemars(with = "Option<SignInAddress>")]
    pub registration_endpoint: Option<String>,
    /// The address that issues codes for other devices, for an authorization server without
    /// metadata.
    #[schemars(with = "Option<SignInAddress>")]
    pub device_authorization_endpoint: Option<String>,
    /// The port of this machine that the browser returns to, if the client was registered with one.
    /// Default: any free port.
    #[serde(deserialize_with = "some_whole")]
    #[schemars(with = "Option<RedirectPort>")]
    pub redirect_port: Option<u16>,
}

impl Auth {
    /// Returns all fields as pairs of name and value, for display and comparison.
    pub fn parts(&self) -> Vec<(&'static str, String)> {
        let scopes = (!self.scopes.is_empty()).then(|| self.scopes.join(" "));
        [
            ("client_id", self.client_id.clone()),
            ("client_secret", self.client_secret.clone()),
            ("client_metadata_url", self.client_metadata_url.clone()),
            ("scopes", scopes),
            (
                "authorization_endpoint",
                self.authorization_endpoint.clone(),
            ),
            ("token_endpoint", self.token_endpoint.clone()),
            ("registration_endpoint", self.registration_endpoint.clone()),
            (
                "device_authorization_endpoint",
                self.device_authorization_endpoint.clone(),
            ),
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
