//! Reading `auth`: how somebody signs in to a server that runs elsewhere.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Launch;
use super::fields::{Fields, check_variables, mismatch};
use super::tree::{Findings, Shape};
use super::variables;
use crate::note::{FieldWrong, Ungrouped, Wanted};

pub(super) const AUTH_FIELDS: &[&str] = &[
    "client_id",
    "client_secret",
    "client_metadata_url",
    "scopes",
    "redirect_port",
];
/// The most scopes that a manifest names, and the longest of them, in bytes.
pub(super) const SCOPES_MAX: usize = 100;
pub(super) const SCOPE_BYTES_MAX: usize = 256;
/// The longest id of a client, in bytes.
pub(super) const CLIENT_BYTES_MAX: usize = 2_048;
/// The lowest port that a browser may come back to: below, ports are the system's.
pub(super) const REDIRECT_PORT_MIN: u64 = 1_024;

/// How somebody signs in to a server that runs elsewhere. Without it, the server is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Auth {
    /// The client that was registered at the authorization server by hand.
    pub client_id: Option<String>,
    /// Its secret, as a variable.
    pub client_secret: Option<String>,
    /// The address of a document that says who the client is, for authorization servers that read
    /// such.
    pub client_metadata_url: Option<String>,
    /// What is asked for, instead of what the server names.
    pub scopes: Vec<String>,
    /// The port that the browser comes back to, where the client was registered for one.
    pub redirect_port: Option<u16>,
}

impl Auth {
    /// All of it as texts with names, for whoever shows or compares it.
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

pub(super) fn auth(
    fields: &Fields<'_>,
    launch: Option<&Launch>,
    findings: &mut Findings,
) -> Option<Auth> {
    let node = fields.get("auth")?;
    let auth = Fields::of(node, "auth", findings)?;
    auth.warn_unknown(AUTH_FIELDS, findings);
    match launch {
        Some(Launch::Url { headers, .. }) => {
            let signs = |name: &String| name.eq_ignore_ascii_case("authorization");
            if headers.keys().any(signs) {
                findings.warn(node.at, "auth", FieldWrong::AuthBesideHeader);
            }
        }
        Some(_) => {
            findings.warn(node.at, "auth", FieldWrong::AuthWithoutUrl);
        }
        None => {}
    }
    let client_id = text(&auth, "client_id", fits_client, Wanted::ClientId, findings);
    let client_secret = auth.text("client_secret", findings).map(str::to_owned);
    if let (Some(secret), Some(node)) = (&client_secret, auth.get("client_secret")) {
        let path = auth.path("client_secret");
        check_variables(findings, node.at, &path, secret);
        if variables::secrets_in(secret).next().is_none() {
            findings.error(node.at, &path, FieldWrong::OpenSecret);
        }
        if !auth.has("client_id") {
            findings.error(node.at, &path, FieldWrong::NoClientId);
        }
    }
    let document = text(
        &auth,
        "client_metadata_url",
        fits_document,
        Wanted::Document,
        findings,
    );
    Some(Auth {
        client_id,
        client_secret,
        client_metadata_url: document,
        scopes: scopes(&auth, findings),
        redirect_port: redirect_port(&auth, findings),
    })
}

fn text(
    auth: &Fields<'_>,
    key: &str,
    fits: fn(&str) -> bool,
    wanted: Wanted,
    findings: &mut Findings,
) -> Option<String> {
    let node = auth.get(key)?;
    let text = auth.text(key, findings)?;
    if !fits(text) {
        findings.error(node.at, &auth.path(key), FieldWrong::MustBe(wanted));
    }
    Some(text.to_owned())
}

fn fits_client(text: &str) -> bool {
    let printable = |byte: u8| (0x21..=0x7e).contains(&byte);
    !text.is_empty() && text.len() <= CLIENT_BYTES_MAX && text.bytes().all(printable)
}

fn fits_document(text: &str) -> bool {
    let rest = text.strip_prefix("https://").unwrap_or_default();
    let path = rest.split_once('/').filter(|(host, _)| !host.is_empty());
    fits_client(text) && path.is_some_and(|(_, path)| !path.is_empty())
}

/// As RFC 6749 has a scope.
fn fits_scope(text: &str) -> bool {
    let known = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    !text.is_empty() && text.len() <= SCOPE_BYTES_MAX && text.bytes().all(known)
}

fn scopes(auth: &Fields<'_>, findings: &mut Findings) -> Vec<String> {
    let Some(node) = auth.get("scopes") else {
        return Vec::new();
    };
    let path = auth.path("scopes");
    let scopes = auth.texts("scopes", false, findings);
    if scopes.len() > SCOPES_MAX {
        let wrong = FieldWrong::ManyScopes(scopes.len(), SCOPES_MAX);
        findings.error(node.at, &path, wrong);
    }
    if let Some(index) = scopes.iter().position(|scope| !fits_scope(scope)) {
        findings.error(node.at, &format!("{path}[{index}]"), FieldWrong::BadScope);
    }
    scopes
}

fn redirect_port(auth: &Fields<'_>, findings: &mut Findings) -> Option<u16> {
    let node = auth.get("redirect_port")?;
    let read = match &node.shape {
        Shape::Number(digits) => digits.parse::<u16>().ok(),
        _ => None,
    };
    let fits = read.filter(|port| u64::from(*port) >= REDIRECT_PORT_MIN);
    if fits.is_none() {
        let wanted = Wanted::Port(Ungrouped(REDIRECT_PORT_MIN), u16::MAX);
        mismatch(findings, node, &auth.path("redirect_port"), wanted);
    }
    fits
}
