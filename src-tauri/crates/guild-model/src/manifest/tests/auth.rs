//! Tests of the sign-in to remote servers.

use serde_json::{Value, json};

use super::super::{Auth, launch_hash, parse};
use super::{read, refused, with};

const AT: &str = "https://auth.example/endpoint";

fn elsewhere(auth: Value) -> Value {
    with(json!({
        "command": null, "args": null, "transport": "http",
        "url": "https://mcp.example/mcp", "auth": auth,
    }))
}

/// Manifests and whether they are accepted, as in the main table.
pub(super) fn table() -> Vec<(Value, bool)> {
    let of = elsewhere;
    vec![
        (of(json!({})), true),
        (of(json!(true)), false),
        (of(json!({"client_id": "me"})), true),
        (of(json!({"client_id": ""})), false),
        (of(json!({"client_id": "m e"})), false),
        (
            of(json!({"client_id": "me", "client_secret": "${secret:X}"})),
            true,
        ),
        (
            of(json!({"client_id": "me", "client_secret": "plain"})),
            false,
        ),
        (of(json!({"client_secret": "${secret:X}"})), false),
        (
            of(json!({"client_metadata_url": "https://me.example/client.json"})),
            true,
        ),
        (
            of(json!({"client_metadata_url": "https://me.example/"})),
            false,
        ),
        (
            of(json!({"client_metadata_url": "http://me.example/c"})),
            false,
        ),
        (of(json!({"scopes": ["a:b", "c"]})), true),
        (of(json!({"scopes": ["a b"]})), false),
        (of(json!({"scopes": [""]})), false),
        (of(json!({"scopes": "a"})), false),
        (of(json!({"token_endpoint": AT})), false),
        (of(json!({"authorization_endpoint": AT})), false),
        (of(json!({"device_authorization_endpoint": AT})), false),
        (
            of(json!({"authorization_endpoint": AT, "token_endpoint": AT})),
            true,
        ),
        (
            of(json!({"authorization_endpoint": AT, "token_endpoint": "http://127.0.0.1:1/t"})),
            true,
        ),
        (
            of(json!({"authorization_endpoint": AT, "token_endpoint": "http://auth.example/t"})),
            false,
        ),
        (
            of(
                json!({"authorization_endpoint": AT, "token_endpoint": "https://me:pw@auth.example/t"}),
            ),
            false,
        ),
        (of(json!({"redirect_port": 4_000})), true),
        (of(json!({"redirect_port": 80})), false),
        (of(json!({"redirect_port": 65_536})), false),
        (of(json!({"redirect_port": "4000"})), false),
    ]
}

#[test]
fn a_sign_in_is_read_and_is_part_of_what_was_accepted() {
    let auth = json!({
        "client_id": "me", "client_secret": "${secret:CLIENT}", "scopes": ["read", "write"],
        "redirect_port": 4_000,
    });
    let parsed = read(&elsewhere(auth));
    assert_eq!(parsed.warnings, []);
    let manifest = parsed.manifest.expect("a manifest");
    assert_eq!(
        manifest.auth,
        Some(Auth {
            client_id: Some("me".to_owned()),
            client_secret: Some("${secret:CLIENT}".to_owned()),
            scopes: vec!["read".to_owned(), "write".to_owned()],
            redirect_port: Some(4_000),
            ..Auth::default()
        })
    );
    let hash = |auth: Value| launch_hash(&read(&elsewhere(auth)).manifest.expect("a manifest"));
    let plain = hash(json!({}));
    for auth in [
        json!({"client_id": "me"}),
        json!({"scopes": ["all"]}),
        json!({"client_metadata_url": "https://me.example/client.json"}),
    ] {
        assert_ne!(hash(auth.clone()), plain, "{auth}");
    }
    let mut without = elsewhere(json!({}));
    without.as_object_mut().expect("an object").remove("auth");
    let without = launch_hash(&read(&without).manifest.expect("a manifest"));
    assert_eq!(without, plain, "it says nothing that is not so without it");
}

#[test]
fn a_secret_in_plain_text_is_refused_and_not_repeated() {
    let manifest = elsewhere(json!({"client_id": "me", "client_secret": "planted-value"}));
    let report = refused(&manifest.to_string());
    assert!(report.message.contains("auth.client_secret"), "{report}");
    assert!(!report.to_string().contains("planted-value"), "{report}");
}

#[test]
fn a_sign_in_that_has_no_effect_is_warned_of() {
    let mut beside = elsewhere(json!({}));
    beside["headers"] = json!({"authorization": "Bearer ${secret:KEY}"});
    let command = with(json!({"auth": {}}));
    for manifest in [beside, command] {
        let parsed = parse(manifest.to_string().as_bytes(), "plugin.json");
        assert!(parsed.manifest.is_ok());
        let warning = parsed.warnings.first().expect("a warning");
        assert!(
            warning.message.contains("`auth` has no effect"),
            "{warning}"
        );
    }
}
