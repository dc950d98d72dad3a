//! Tests of secrets in a manifest's texts: they are encoded in addresses, and cause warnings in
//! arguments.

use serde_json::json;

use super::{read, with};
use crate::manifest::{Lookup, Substitution};

struct OfUrls;

impl Lookup for OfUrls {
    fn env(&self, name: &str) -> Option<String> {
        (name == "BASE").then(|| "http://h:1/a b".to_owned())
    }
    fn secret(&self, name: &str) -> Option<String> {
        let value = match name {
            "key" => "a/b+c&d=e#f ?@",
            "who" => "me:p@s/s",
            "encoded" => "p%40ss",
            "host" => "h:8080",
            "whole" => "https://h/?a=b&c",
            _ => return None,
        };
        Some(value.to_owned())
    }
}

#[test]
fn secret_in_a_url_is_percent_encoded() {
    let substitution = Substitution {
        port: Some(20_000),
        plugin_dir: "",
        guildhall: "",
        lookup: &OfUrls,
    };
    for (text, expected) in [
        (
            "https://h/mcp?key=${secret:key}&x=1",
            "https://h/mcp?key=a%2Fb%2Bc%26d%3De%23f%20%3F%40&x=1",
        ),
        (
            "https://h/${secret:key}/mcp",
            "https://h/a/b%2Bc%26d%3De%23f%20%3F@/mcp",
        ),
        ("https://${secret:who}@h/", "https://me:p%40s%2Fs@h/"),
        ("https://me:${secret:encoded}@h/", "https://me:p%40ss@h/"),
        ("https://${secret:host}/mcp", "https://h:8080/mcp"),
        ("${secret:whole}", "https://h/?a=b&c"),
        (
            "${env:BASE}/${PORT}?k=${secret:encoded}",
            "http://h:1/a b/20000?k=p%40ss",
        ),
    ] {
        assert_eq!(
            substitution.substitute_url(text).as_deref(),
            Ok(expected),
            "{text}"
        );
    }
}

#[test]
fn secret_in_arguments_is_warned_of() {
    let args = json!([
        "--port=${PORT}",
        "--token",
        "x ${secret:forge/token}",
        "$${secret:plain}"
    ]);
    let parsed = read(&with(
        json!({"args": args, "env": {"TOKEN": "${secret:other}"}}),
    ));
    assert!(parsed.manifest.is_ok());
    let [warning] = parsed.warnings.as_slice() else {
        panic!("one warning: {:?}", parsed.warnings);
    };
    assert!(warning.message.contains("args[2]"), "{warning}");
    assert!(
        warning.message.contains("${secret:forge/token}"),
        "{warning}"
    );
}
