//! The authorization server: its metadata, clients, codes and tokens.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::switches::Registration;
use super::{Code, Known, Reply, Shared, Switches, encoded, fields, plain};
use crate::fixture::http_wire::Request;

pub(super) fn reply(
    shared: &Shared,
    switches: &Switches,
    request: &Request,
    path: &str,
    query: &str,
) -> Reply {
    let body = fields(&String::from_utf8_lossy(&request.body));
    let kind = body.get("grant_type").map_or("", String::as_str);
    let line = format!("{} {path} {kind}", request.method);
    shared.known().log.push(line.trim_end().to_owned());
    let origin = &shared.origin;
    match (request.method.as_str(), path) {
        ("GET", path) if switches.no_metadata && path.starts_with("/.well-known/") => {
            Reply::empty(404)
        }
        ("GET", path) if path == described_at(switches) => {
            let resource = switches.resource.clone();
            let resource = resource.unwrap_or_else(|| format!("{origin}/mcp"));
            let decoys = (0..switches.decoys).map(|number| format!("{origin}/decoy-{number}"));
            let servers: Vec<String> = decoys.chain([issuer(origin, switches)]).collect();
            Reply::json(
                200,
                &json!({
                    "resource": resource,
                    "authorization_servers": servers,
                    "scopes_supported": ["read"],
                }),
            )
        }
        ("GET", path) if path == metadata_at(switches) => metadata(origin, switches),
        ("POST", "/register") => register(&mut shared.known(), switches, &request.body),
        ("POST", "/device") => device(&mut shared.known(), origin, &body),
        ("GET", "/authorize") => authorize(shared, switches, &fields(query)),
        ("POST", "/token") => {
            let mut known = shared.known();
            if !is_client(&known, request, &body) {
                return refused(401, "invalid_client");
            }
            match kind {
                "authorization_code" if switches.echoes_at_exchange => {
                    let sent = String::from_utf8_lossy(&request.body).into_owned();
                    let error = json!({"error": "invalid_grant", "error_description": sent});
                    Reply::json(400, &error)
                }
                "authorization_code" => exchange(&mut known, switches, &body),
                "urn:ietf:params:oauth:grant-type:device_code" => {
                    device_tokens(&mut known, switches, &body)
                }
                "refresh_token" => refresh(&mut known, switches, &body),
                _ => refused(400, "unsupported_grant_type"),
            }
        }
        ("POST", "/revoke") => {
            let mut known = shared.known();
            let token = body.get("token").cloned().unwrap_or_default();
            known.access.remove(&token);
            known.refresh.remove(&token);
            Reply::empty(200)
        }
        _ => Reply::empty(404),
    }
}

/// Returns the path of the metadata that name the authorization server.
pub(super) fn described_at(switches: &Switches) -> &'static str {
    match switches.described_elsewhere {
        true => "/described",
        false => "/.well-known/oauth-protected-resource/mcp",
    }
}

/// Returns the issuer, and the address of its metadata.
fn issuer(origin: &str, switches: &Switches) -> String {
    match switches.described_elsewhere {
        true => format!("{origin}/sign-in"),
        false => origin.to_owned(),
    }
}

fn metadata_at(switches: &Switches) -> &'static str {
    match switches.described_elsewhere {
        true => "/.well-known/oauth-authorization-server/sign-in",
        false => "/.well-known/oauth-authorization-server",
    }
}

fn refused(status: u16, error: &str) -> Reply {
    Reply::json(status, &json!({"error": error}))
}

fn metadata(origin: &str, switches: &Switches) -> Reply {
    if let Some(elsewhere) = &switches.metadata_at {
        return Reply::empty(302).with("location", elsewhere.clone());
    }
    let issuer = match switches.wrong_issuer {
        true => "https://another.example".to_owned(),
        false => issuer(origin, switches),
    };
    let at = |named: &Option<String>, path: &str| {
        let named = named.clone();
        named.unwrap_or_else(|| format!("{origin}{path}"))
    };
    let mut metadata = json!({
        "issuer": issuer,
        "authorization_endpoint": at(&switches.authorize_at, "/authorize"),
        "token_endpoint": at(&switches.tokens_at, "/token"),
        "revocation_endpoint": format!("{origin}/revoke"),
        "response_types_supported": ["code"],
        "authorization_response_iss_parameter_supported": true,
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic"],
    });
    if !switches.no_pkce {
        metadata["code_challenge_methods_supported"] = json!(["S256"]);
    }
    if switches.device_polls.is_some() {
        metadata["device_authorization_endpoint"] = json!(format!("{origin}/device"));
    }
    if switches.registration != Registration::None {
        metadata["registration_endpoint"] = json!(format!("{origin}/register"));
    }
    if switches.huge_metadata {
        metadata["filling"] = json!("x".repeat(3 << 20));
    }
    Reply::json(200, &metadata)
}

fn register(known: &mut Known, switches: &Switches, body: &[u8]) -> Reply {
    let wanted: Value = serde_json::from_slice(body).unwrap_or_default();
    let secret = match switches.registration {
        Registration::Refused | Registration::None => {
            return refused(403, "invalid_client_metadata");
        }
        Registration::Secret => Some(known.new_text("client-secret")),
        Registration::Public => None,
    };
    known.next += 1;
    let id = format!("client-{}", known.next);
    known.clients.insert(id.clone(), secret.clone());
    let mut registered = json!({
        "client_id": id,
        "client_name": wanted["client_name"],
        "redirect_uris": wanted["redirect_uris"],
    });
    if let Some(secret) = secret {
        registered["client_secret"] = json!(secret);
    }
    Reply::json(201, &registered)
}

/// Checks the client's authentication. The manually registered client is `by-hand` with the secret
/// `by-hand-secret`.
fn is_client(known: &Known, request: &Request, body: &BTreeMap<String, String>) -> bool {
    let proof = request.header("authorization").strip_prefix("Basic ");
    let shown = proof.and_then(|proof| {
        let pair = String::from_utf8(STANDARD.decode(proof).ok()?).ok()?;
        let (id, secret) = pair.split_once(':')?;
        Some((plain(id), Some(plain(secret))))
    });
    let (id, secret) = match shown {
        Some(shown) => shown,
        None => (body.get("client_id").cloned().unwrap_or_default(), None),
    };
    if id == "by-hand" {
        return secret.as_deref() == Some("by-hand-secret");
    }
    known.clients.get(&id) == Some(&secret)
}

fn authorize(shared: &Shared, switches: &Switches, asked: &BTreeMap<String, String>) -> Reply {
    let of = |name: &str| asked.get(name).cloned().unwrap_or_default();
    let whole = of("response_type") == "code"
        && of("code_challenge_method") == "S256"
        && of("resource") == format!("{}/mcp", shared.origin)
        && of("redirect_uri").starts_with("http://127.0.0.1:");
    if !whole {
        return refused(400, "invalid_request");
    }
    let state = match switches.wrong_state {
        true => "of-somebody-else".to_owned(),
        false => of("state"),
    };
    let issuer = match switches.wrong_iss {
        true => "https://another.example".to_owned(),
        false => issuer(&shared.origin, switches),
    };
    let back = format!(
        "{}?state={}&iss={}",
        of("redirect_uri"),
        encoded(&state),
        encoded(&issuer)
    );
    let back = if switches.denies {
        format!("{back}&error=access_denied&error_description=Not%20today")
    } else {
        let mut known = shared.known();
        let code = known.new_text("code");
        let kept = Code {
            client: of("client_id"),
            redirect: of("redirect_uri"),
            challenge: of("code_challenge"),
            scopes: of("scope").split_whitespace().map(str::to_owned).collect(),
        };
        known.codes.insert(code.clone(), kept);
        format!("{back}&code={code}")
    };
    Reply::empty(302).with("location", back)
}

fn exchange(known: &mut Known, switches: &Switches, body: &BTreeMap<String, String>) -> Reply {
    let of = |name: &str| body.get(name).cloned().unwrap_or_default();
    let Some(code) = known.codes.remove(&of("code")) else {
        return refused(400, "invalid_grant");
    };
    let proof = URL_SAFE_NO_PAD.encode(Sha256::digest(of("code_verifier").as_bytes()));
    let client = of("client_id");
    let same_client = client.is_empty() || client == code.client;
    if proof != code.challenge || of("redirect_uri") != code.redirect || !same_client {
        return refused(400, "invalid_grant");
    }
    tokens(known, switches, &code.scopes, switches.first_lasts)
}

/// Issues a code for a device.
fn device(known: &mut Known, origin: &str, body: &BTreeMap<String, String>) -> Reply {
    let of = |name: &str| body.get(name).cloned().unwrap_or_default();
    if of("resource") != format!("{origin}/mcp") {
        return refused(400, "invalid_target");
    }
    let code = known.new_text("device");
    let scopes = of("scope").split_whitespace().map(str::to_owned).collect();
    let waiting = (of("client_id"), scopes, 0);
    known.devices.insert(code.clone(), waiting);
    Reply::json(
        200,
        &json!({
            "device_code": code,
            "user_code": "WDJB-MJHT",
            "verification_uri": format!("{origin}/enter"),
            "expires_in": 600,
            "interval": 1,
        }),
    )
}

/// Answers a request for the tokens of a device. Consent is assumed, unless `denies` is set.
fn device_tokens(known: &mut Known, switches: &Switches, body: &BTreeMap<String, String>) -> Reply {
    let code = body.get("device_code").cloned().unwrap_or_default();
    let Some((client, scopes, polls)) = known.devices.get_mut(&code) else {
        return refused(400, "invalid_grant");
    };
    if switches.denies {
        return refused(400, "access_denied");
    }
    let waits = switches.device_polls.unwrap_or_default();
    *polls += 1;
    if *polls <= waits {
        return refused(400, "authorization_pending");
    }
    if *polls == waits + 1 {
        return refused(400, "slow_down");
    }
    if body.get("client_id") != Some(client) {
        return refused(400, "invalid_grant");
    }
    let scopes = scopes.clone();
    known.devices.remove(&code);
    tokens(known, switches, &scopes, None)
}

fn refresh(known: &mut Known, switches: &Switches, body: &BTreeMap<String, String>) -> Reply {
    let token = body.get("refresh_token").cloned().unwrap_or_default();
    let scopes = match switches.keeps_refresh {
        true => known.refresh.get(&token).cloned(),
        false => known.refresh.remove(&token),
    };
    match scopes {
        Some(scopes) => tokens(known, switches, &scopes, None),
        None => refused(400, "invalid_grant"),
    }
}

fn tokens(
    known: &mut Known,
    switches: &Switches,
    scopes: &BTreeSet<String>,
    lasts: Option<u64>,
) -> Reply {
    let access = known.new_text("access");
    known.access.insert(access.clone(), scopes.clone());
    let scope: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let mut tokens = json!({
        "access_token": access,
        "token_type": "Bearer",
        "expires_in": lasts.unwrap_or(3_600),
        "scope": scope.join(" "),
    });
    if !switches.no_refresh {
        let refresh = known.new_text("refresh");
        known.refresh.insert(refresh.clone(), scopes.clone());
        tokens["refresh_token"] = json!(refresh);
    }
    Reply::json(200, &tokens)
}
