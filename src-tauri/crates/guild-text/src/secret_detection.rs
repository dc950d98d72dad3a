//! Detects secrets by name and by shape.
//!
//! All code that records, shows or copies configurations uses these rules, so that it agrees on
//! which values are secrets.

mod spans;
mod tokens;
mod values;
mod words;

pub use self::spans::{SecretSpan, replaced};
pub use self::values::{inert, is_harmless, secretless, spans_in, spans_under};
pub use self::values::{inner_secrets, secret_ranges, without_tokens};
pub use self::words::ArgScanner;
pub use self::words::SCRIPT;

/// Words that mark a name as that of a secret, at any position in the name.
const WORDS: &[&str] = &[
    "password",
    "passwords",
    "passwd",
    "pwd",
    "passphrase",
    "passcode",
    "secret",
    "secrets",
    "token",
    "apikey",
    "authorization",
    "credential",
    "credentials",
    "bearer",
    "jwt",
    "otp",
    "cookie",
    "accesstoken",
    "authtoken",
    "refreshtoken",
    "clientsecret",
    "accesskey",
    "secretkey",
    "privatekey",
];
/// Pairs of adjacent words that mark a name as that of a secret.
const PAIRS: &[[&str; 2]] = &[
    ["account", "key"],
    ["admin", "key"],
    ["api", "key"],
    ["api", "keys"],
    ["app", "key"],
    ["auth", "key"],
    ["access", "key"],
    ["license", "key"],
    ["master", "key"],
    ["private", "key"],
    ["signing", "key"],
    ["encryption", "key"],
    ["service", "key"],
    ["shared", "key"],
    ["subscription", "key"],
];
/// Last words of names that describe a secret but are not the name of one: `token_count`.
const ABOUT: &[&str] = &[
    "budget", "count", "endpoint", "expiry", "kind", "length", "limit", "max", "min", "name",
    "ttl", "type", "uri", "url",
];
/// Words before `token` in the names of pagination tokens, which are not secrets.
const OF_PAGES: &[&str] = &["continuation", "cursor", "next", "page", "sync"];

/// If the name of a variable or a header contains one of these, its value counts as a secret when
/// it is copied or shown. Masking too much is better there than missing a secret.
const PARTS: &[&str] = &[
    "key",
    "token",
    "secret",
    "pass",
    "credential",
    "auth",
    "cookie",
    "session",
    "signature",
];

/// Checks whether values with this name are secrets.
pub fn is_secret(name: &str) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if words.len() > 1 && words.last().is_some_and(|last| ABOUT.contains(last)) {
        return false;
    }
    let pair = words
        .windows(2)
        .any(|pair| PAIRS.iter().any(|known| pair == known));
    let word = words.iter().enumerate().any(|(at, word)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let of_a_page = *word == "token" && before.is_some_and(|word| OF_PAGES.contains(word));
        WORDS.contains(word) && !of_a_page
    });
    pair || word
}

/// Checks whether the value of a variable or a header with this name may be a secret.
pub fn may_be_secret(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let ends = || words(name).last().is_some_and(|last| last == "pat");
    PARTS.iter().any(|part| lower.contains(part)) || is_secret(name) || ends()
}

/// Checks whether a text that can't be parsed contains the name of a secret.
pub fn any_in(text: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || "_-".contains(c)))
        .any(is_secret)
}

/// Splits a name into words in lower case. `clientSecret`, `client_secret` and `Client-Secret` have
/// two words.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() {
            before = ' ';
            continue;
        }
        let begins = before == ' ' || (before.is_lowercase() && c.is_uppercase());
        match words.last_mut() {
            Some(word) if !begins => word.extend(c.to_lowercase()),
            _ => words.push(c.to_lowercase().collect()),
        }
        before = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_tell_of_a_secret_in_every_way_of_writing() {
        for name in [
            "password",
            "PASSWORD",
            "userPassword",
            "db-password",
            "api_key",
            "apiKey",
            "apikey",
            "X-Api-Key",
            "OPENAI_API_KEY",
            "Authorization",
            "access_token",
            "clientSecret",
            "client.secret",
            "credentials",
            "token",
            "secret_id",
        ] {
            assert!(is_secret(name), "{name}");
        }
    }

    #[test]
    fn other_names_and_names_about_secrets_do_not() {
        for name in [
            "path",
            "tokens",
            "max_tokens",
            "tokenize",
            "secretary",
            "monkey",
            "key",
            "token_count",
            "tokenLimit",
            "page_token",
            "nextPageToken",
            "authorization_url",
            "secret_name",
            "",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }

    #[test]
    fn a_text_that_is_no_json_is_searched_word_by_word() {
        assert!(any_in(r#"{"password": "hunter2""#));
        assert!(any_in("Authorization: Bearer x"));
        assert!(!any_in(r#"{"path": "notes.txt""#));
    }
}
