//! Finds secrets in values: by the value's name, by its shape, in addresses and in JSON.
//!
//! A random-looking value counts as a secret only after an option that may name one (`--key`,
//! `-s`). Elsewhere, such a rule would hide hashes and names as often as keys, and people could not
//! understand why a value is masked.

use std::borrow::Cow;
use std::ops::Range;

use jsonc_parser::ast;

use super::spans::{SecretSpan, merged, replaced};
use super::tokens::{tokens_in, whole_token};
use super::{is_secret, may_be_secret};
use crate::spanned;

/// Words before a token in a header's value.
const SCHEMES: [&str; 3] = ["Bearer ", "Basic ", "Token "];
/// Limits of text that is parsed as JSON: its length in bytes, and its nesting depth.
const JSON_MAX: usize = 64 * 1024;
const JSON_DEPTH_MAX: usize = 32;
/// Fields that name the value in the field `value` of the same object.
const NAMES_OF_VALUES: [&str; 4] = ["name", "key", "header", "variable"];
/// Last words of options that may name a secret.
const OPTION_ENDS: [&str; 5] = ["auth", "cred", "key", "pass", "pat"];
/// Minimum length of a value that looks like a key, after an option that may name a secret.
const OPAQUE_MIN: usize = 16;
/// Minimum length of a token with a digit that follows a scheme such as `Bearer`.
const WITH_DIGIT_MIN: usize = 8;
/// Number of characters in a UUID.
const UUID_LENGTH: usize = 36;
/// Minimum length of a secret that is searched for in other texts, in bytes.
const ALONE_MIN: usize = 6;

/// Replaces the secrets in a value whose name is not known. `put` returns the replacement for a
/// secret, given the secret's name. References (`${…}`) are not secrets.
pub fn secretless<'a>(value: &'a str, put: &mut dyn FnMut(&str) -> String) -> Cow<'a, str> {
    replaced(value, &spans_in(value), put)
}

/// Returns the secrets in a value whose name is not known.
pub fn spans_in(value: &str) -> Vec<SecretSpan> {
    let all = 0..value.len();
    if let Some(name) = whole_token(value) {
        return vec![SecretSpan::new(name, all)];
    }
    if let Some(secret) = behind_scheme(value) {
        let one_word = !secret.is_empty() && !value[secret.clone()].contains(char::is_whitespace);
        return match one_word && !is_reference(&value[secret.clone()]) {
            true => vec![SecretSpan::new("token", secret)],
            false => Vec::new(),
        };
    }
    if let Some(spans) = in_json(value) {
        return spans;
    }
    let mut spans = in_addresses(value);
    spans.extend(in_pairs(value));
    spans.extend(tokens_in(value));
    merged(spans)
}

/// Returns the secrets in a value with this name.
pub fn spans_under(name: &str, value: &str) -> Vec<SecretSpan> {
    let named = |range: Range<usize>| vec![SecretSpan::new(name, range)];
    if let (true, Some(secret)) = (may_be_secret(name), behind_scheme(value)) {
        return named(secret);
    }
    if is_secret(name) {
        return named(0..value.len());
    }
    let spans = spans_in(value);
    if may_be_secret(name) && !is_harmless(value) && (spans.is_empty() || !is_json(value)) {
        return named(0..value.len());
    }
    // If the value is JSON, its secrets have names of their own.
    if is_json(value) {
        return spans;
    }
    let named = |span: SecretSpan| SecretSpan::new(name, span.range);
    spans.into_iter().map(named).collect()
}

/// Masks tokens, keys, and the passwords in addresses, in a free-form line such as a log line.
pub fn without_tokens<'a>(line: &'a str, mask: &str) -> Cow<'a, str> {
    replaced(line, &known_by_shape(line), &mut |_| mask.to_owned())
}

/// Returns the positions of tokens, keys, passwords in addresses and, if the text is JSON, values
/// of fields that are named like secrets. The positions are byte ranges in ascending order.
pub fn secret_ranges(text: &str) -> Vec<Range<usize>> {
    let mut spans = in_json(text).unwrap_or_default();
    spans.retain(|span| is_secret(&span.name));
    spans.extend(known_by_shape(text));
    let merged = merged(spans).into_iter();
    merged.map(|span| span.range).collect()
}

/// Returns the tokens and keys in any text, and the passwords in its addresses.
fn known_by_shape(text: &str) -> Vec<SecretSpan> {
    if !may_be_known(text) {
        return vec![];
    }
    let mut spans = in_addresses(text);
    spans.extend(tokens_in(text));
    spans.extend(behind_schemes(text));
    merged(spans)
}

/// Whether a text may contain a secret that can be recognized by its shape. This is a quick check
/// of the lengths of words, since members write logs of any length.
fn may_be_known(text: &str) -> bool {
    let (mut length, mut has_digit) = (0, false);
    for byte in text.bytes() {
        if byte.is_ascii_whitespace() {
            (length, has_digit) = (0, false);
            continue;
        }
        length += 1;
        has_digit |= byte.is_ascii_digit();
        if length >= OPAQUE_MIN || (has_digit && length >= WITH_DIGIT_MIN) {
            return true;
        }
    }
    text.contains("://") || text.contains("-----BEGIN")
}

/// Returns the secrets inside a secret that is JSON, an address, a user name with a password or
/// similar. Other texts may contain such an inner secret without the rest of the secret.
pub fn inner_secrets(value: &str) -> Vec<String> {
    let mut inner = Vec::new();
    inner.extend(password(value));
    for span in spans_in(value) {
        let raw = &value[span.range];
        inner.push(raw.to_owned());
        inner.extend(password(raw));
        // The secret after its JSON escapes are resolved.
        let read = serde_json::from_str::<String>(&format!("\"{raw}\""));
        inner.extend(read.ok().filter(|read| read != raw));
    }
    inner.retain(|secret: &String| secret.len() >= ALONE_MIN && secret != value);
    inner
}

/// Returns the password in `user:password`.
fn password(value: &str) -> Option<String> {
    let (user, password) = value.split_once(':')?;
    let is_name = |c: char| c.is_alphanumeric() || "-_.@+%".contains(c);
    (user.chars().all(is_name) && !password.contains(char::is_whitespace))
        .then(|| password.to_owned())
        .filter(|password| !password.starts_with("//"))
}

/// Whether a value is clearly not a secret, such as the path in `KEY_FILE=/home/me/key`.
pub fn is_harmless(value: &str) -> bool {
    let is_number = value.len() <= 6 && value.bytes().all(|byte| byte.is_ascii_digit());
    let is_switch = ["true", "false", "yes", "no", "on", "off"]
        .iter()
        .any(|switch| value.eq_ignore_ascii_case(switch));
    let is_path = value.starts_with(['/', '~', '.']) || value.get(1..3) == Some(":\\");
    let is_address = value.starts_with("http://") || value.starts_with("https://");
    is_number || is_switch || is_path || (is_address && spans_in(value).is_empty())
}

/// Returns the position of the token after a value's scheme.
fn behind_scheme(value: &str) -> Option<Range<usize>> {
    let scheme = SCHEMES.iter().find(|scheme| {
        let head = value.get(..scheme.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    })?;
    Some(scheme.len()..value.len())
}

/// Returns the tokens after `Bearer` and `Basic` anywhere in a text.
fn behind_schemes(text: &str) -> Vec<SecretSpan> {
    let mut found = Vec::new();
    let mut before: &str = "";
    let mut at = 0;
    for word in text.split_inclusive(|c: char| c.is_whitespace()) {
        let bare = word.trim_end();
        let scheme = before.rsplit(|c: char| !c.is_alphabetic()).next();
        let scheme = scheme.unwrap_or_default();
        if scheme.eq_ignore_ascii_case("bearer") || scheme.eq_ignore_ascii_case("basic") {
            let other = |c: char| !(c.is_ascii_alphanumeric() || "-._~+/=".contains(c));
            let length = bare.find(other).unwrap_or(bare.len());
            let token = &bare[..length];
            if length >= OPAQUE_MIN
                || (length >= WITH_DIGIT_MIN && token.bytes().any(|b| b.is_ascii_digit()))
            {
                found.push(SecretSpan::new("token", at..at + length));
            }
        }
        before = bare;
        at += word.len();
    }
    found
}

pub(super) fn is_reference(value: &str) -> bool {
    value.starts_with("${") && value.ends_with('}')
}

fn is_json(value: &str) -> bool {
    value.len() <= JSON_MAX && value.trim_start().starts_with(['{', '['])
}

/// Returns the secrets in JSON. `None` if the text is not JSON.
pub(super) fn in_json(text: &str) -> Option<Vec<SecretSpan>> {
    if !is_json(text) {
        return None;
    }
    let tree = spanned::read(text, JSON_DEPTH_MAX).ok()?;
    let mut spans = Vec::new();
    of_node(text, &tree, None, &mut spans);
    Some(merged(spans))
}

/// Collects the secrets in a JSON value with this name.
fn of_node(text: &str, node: &ast::Value<'_>, name: Option<&str>, spans: &mut Vec<SecretSpan>) {
    match node {
        ast::Value::NullKeyword(_) | ast::Value::BooleanLit(_) | ast::Value::NumberLit(_) => {}
        ast::Value::StringLit(ast::StringLit { value, range }) => {
            let begin = range.start + 1;
            let raw = &text[begin..range.end - 1];
            let found = match name {
                _ if raw.is_empty() || has_reference_alone(value) => Vec::new(),
                // Inside a string with escapes, positions in the value and in the source text
                // differ. If such a string contains a secret, the whole string counts as one.
                Some(name) if raw == value => spans_under(name, raw),
                None if raw == value => spans_in(raw),
                name => {
                    let is_found = match name {
                        Some(name) => !spans_under(name, value).is_empty(),
                        None => !spans_in(value).is_empty(),
                    };
                    let whole = SecretSpan::new(name.unwrap_or("token"), 0..raw.len());
                    is_found.then_some(whole).into_iter().collect()
                }
            };
            spans.extend(found.into_iter().map(|span| span.moved(begin)));
        }
        ast::Value::Array(list) => {
            let each = list.elements.iter();
            each.for_each(|item| of_node(text, item, name, spans));
        }
        ast::Value::Object(object) => {
            // In `{"name": "Authorization", "value": …}`, the first field is the name of the
            // second.
            let named = NAMES_OF_VALUES
                .iter()
                .find_map(|key| object.get_string(key));
            let named = named.map(|text| &*text.value);
            for field in &object.properties {
                let key = field.name.as_str();
                let names_secret = |name: &&str| is_secret(name) || may_be_secret(name);
                let own = match named.filter(names_secret) {
                    Some(named) if key == "value" => named,
                    _ => key,
                };
                // A field inside the value of a secret is a secret, regardless of the field's name.
                let own = match name.filter(|name| is_secret(name)) {
                    Some(name) if !is_secret(own) => name,
                    _ => own,
                };
                of_node(text, &field.value, Some(own), spans);
            }
        }
    }
}

/// Returns the user info and the secret parameters of each address in a text.
fn in_addresses(text: &str) -> Vec<SecretSpan> {
    const BEGIN: &str = "://";
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find(BEGIN).map(|found| at + found + BEGIN.len()) {
        let end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`');
        let rest = &text[begin..];
        let address = &rest[..rest.find(end).unwrap_or(rest.len())];
        let host_end = address.find(['/', '?', '#']).unwrap_or(address.len());
        let (host, path) = address.split_at(host_end);
        // The last `@` ends the password, since a password may contain that character.
        if let Some((who, _)) = host.rsplit_once('@')
            && !who.is_empty()
        {
            let known = who
                .split(':')
                .all(|part| part.is_empty() || is_reference(part));
            if !known && !is_reference(who) {
                found.push(SecretSpan::new("credentials", begin..begin + who.len()));
            }
        }
        found.extend(in_path(path, host).map(|span| span.moved(begin + host_end)));
        at = begin + address.len();
    }
    found
}

/// Returns the secrets in an address after its host.
fn in_path<'p>(path: &'p str, host: &str) -> impl Iterator<Item = SecretSpan> + use<'p> {
    let hook = is_hook(host, path).then(|| SecretSpan::new("webhook", 1..path.len()));
    hook.into_iter().chain(parameters(path))
}

/// Checks whether an address is itself a secret, because anyone who knows it may post to it.
fn is_hook(host: &str, path: &str) -> bool {
    let slack = ["/services/", "/workflows/", "/triggers/"];
    (host == "hooks.slack.com" && slack.iter().any(|begin| path.starts_with(begin)))
        || (host.ends_with(".webhook.office.com") && path.starts_with("/webhookb2/"))
        || (matches!(host, "discord.com" | "discordapp.com") && path.starts_with("/api/webhooks/"))
}

fn parameters(path: &str) -> Vec<SecretSpan> {
    let separates = ['?', '&', '#', ';'];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = path[at..].find(separates).map(|found| at + found + 1) {
        let rest = &path[begin..];
        let pair = &rest[..rest.find(['&', '#', ';']).unwrap_or(rest.len())];
        if let Some((name, value)) = pair.split_once('=')
            && (is_secret(name)
                || (ends_option(name) && is_opaque(value, true))
                || whole_token(value).is_some())
            && !value.is_empty()
            && !is_reference(value)
        {
            let end = begin + pair.len();
            found.push(SecretSpan::new(name, end - value.len()..end));
        }
        at = begin + pair.len();
    }
    found
}

/// Returns the secrets in pairs `name=value` that are separated by semicolons or spaces, as in a
/// connection string of a database.
fn in_pairs(text: &str) -> Vec<SecretSpan> {
    let listed = text.contains(';');
    let separates = |c: char| if listed { c == ';' } else { c.is_whitespace() };
    let mut found = Vec::new();
    let mut at = 0;
    for piece in text.split_inclusive(separates) {
        let pair = piece.trim_end_matches(separates);
        if let Some((name, value)) = pair.split_once('=')
            && is_spoken(&name.replace(' ', ""))
            && is_secret(name)
            && !value.is_empty()
            && !has_reference_alone(value)
        {
            let end = at + pair.len();
            found.push(SecretSpan::new(name.trim(), end - value.len()..end));
        }
        at += piece.len();
    }
    found
}

/// Returns the spans that can't contain code. Where a person reviews a command that will be run,
/// only these are masked.
pub fn inert(text: &str, spans: Vec<SecretSpan>) -> Vec<SecretSpan> {
    let is_inert = |c: char| c.is_ascii_alphanumeric() || "_-.+=~:".contains(c);
    let spans = spans.into_iter();
    let inert = spans.filter(|span| text[span.range.clone()].chars().all(is_inert));
    inert.collect()
}

pub(super) fn is_spoken(name: &str) -> bool {
    name.chars()
        .all(|c| c.is_alphanumeric() || "_-.".contains(c))
}

/// Whether an option's last word may name a secret.
pub(super) fn ends_option(name: &str) -> bool {
    let words = super::words(name);
    words
        .last()
        .is_some_and(|last| OPTION_ENDS.contains(&last.as_str()))
}

/// Whether a value looks like a key. `parted` is whether the value may contain `_` and `-`.
pub(super) fn is_opaque(value: &str, parted: bool) -> bool {
    let is_uuid = value.len() == UUID_LENGTH
        && value
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let fits = |c: char| c.is_ascii_alphanumeric() || (parted && "_-".contains(c));
    let has = |of: fn(&u8) -> bool| value.as_bytes().iter().any(of);
    is_uuid
        || (value.len() >= OPAQUE_MIN
            && value.chars().all(fits)
            && has(u8::is_ascii_digit)
            && has(u8::is_ascii_alphabetic))
}

/// Whether a value is only a reference: `${secret:x}`, or `Bearer ${secret:x}`.
pub(super) fn has_reference_alone(value: &str) -> bool {
    let bare = SCHEMES.iter().find_map(|scheme| value.strip_prefix(scheme));
    is_reference(bare.unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(value: &str) -> String {
        secretless(value, &mut |name| format!("<{name}>")).into_owned()
    }

    #[test]
    fn an_address_tells_neither_who_comes_in_nor_a_key() {
        for (value, expect) in [
            (
                "postgres://me:pw@db.example:5432/x",
                "postgres://<credentials>@db.example:5432/x",
            ),
            (
                "https://p@ss@w@host/a?b=1&api_key=k&c=2#access_token=t",
                "https://<credentials>@host/a?b=1&api_key=<api_key>&c=2#access_token=<access_token>",
            ),
            (
                "see http://a:b@c and http://d/e?x=y",
                "see http://<credentials>@c and http://d/e?x=y",
            ),
            ("https://x@y", "https://<credentials>@y"),
            ("https://${secret:who}@host/", "https://${secret:who}@host/"),
            (
                "https://host/?token=${secret:t}&q=@",
                "https://host/?token=${secret:t}&q=@",
            ),
            ("http://127.0.0.1:19999/mcp", "http://127.0.0.1:19999/mcp"),
            ("file:///home/me/@scope", "file:///home/me/@scope"),
        ] {
            assert_eq!(hidden(value), expect);
        }
    }

    #[test]
    fn a_known_token_is_one_under_any_name() {
        assert_eq!(hidden("ghp_0123456789abcdefghij"), "<token>");
        assert_eq!(hidden("Bearer abc"), "Bearer <token>");
        assert_eq!(hidden("Bearer ${secret:t}"), "Bearer ${secret:t}");
        for plain in [
            "sk-learn",
            "eyJ",
            "npm_config",
            "Basic steps of it",
            "gh_ is a prefix of many",
        ] {
            assert_eq!(hidden(plain), plain);
        }
    }

    #[test]
    fn json_in_a_value_shows_all_but_its_secrets() {
        for (value, expect) in [
            (
                r#"{"Authorization": "Bearer ntn_x", "Notion-Version": "2022-06-28"}"#,
                r#"{"Authorization": "Bearer <Authorization>", "Notion-Version": "2022-06-28"}"#,
            ),
            (
                r#"[{"name":"X-Api-Key","value":"k\"1"},{"name":"a","value":"b"}]"#,
                r#"[{"name":"X-Api-Key","value":"<X-Api-Key>"},{"name":"a","value":"b"}]"#,
            ),
            (
                r#"{"db":{"password":["a","b"]},"url":"https://me:pw@h/","n":1}"#,
                r#"{"db":{"password":["<password>","<password>"]},"url":"https://<url>@h/","n":1}"#,
            ),
            (
                r#"{"inner":"{\"token\":\"abc\"}","plain":"{}"}"#,
                r#"{"inner":"<inner>","plain":"{}"}"#,
            ),
            (
                r#"{"token":"${secret:t}","Authorization":"Bearer ${secret:t}"}"#,
                r#"{"token":"${secret:t}","Authorization":"Bearer ${secret:t}"}"#,
            ),
            ("{not JSON", "{not JSON"),
        ] {
            assert_eq!(hidden(value), expect);
        }
    }

    #[test]
    fn how_a_database_is_reached_hides_its_password() {
        let value = "Server=db;User Id=sa;Password=p w;AccountKey=abc==;Database=x";
        let expect = "Server=db;User Id=sa;Password=<Password>;AccountKey=<AccountKey>;Database=x";
        assert_eq!(hidden(value), expect);
        assert_eq!(
            hidden("host=h password=pw dbname=x"),
            "host=h password=<password> dbname=x"
        );
        assert_eq!(hidden("password=${env:PW}"), "password=${env:PW}");
    }

    #[test]
    fn tokens_are_hidden_within_a_text_and_webhooks_as_a_whole() {
        let text = "use ntn_12345678901abcdefghijklmnopqrstuvwxyz012345abc, and no more";
        assert_eq!(hidden(text), "use <token>, and no more");
        assert_eq!(
            hidden("https://hooks.slack.com/services/T000/B000/abcdef"),
            "https://hooks.slack.com/<webhook>"
        );
    }

    #[test]
    fn a_line_of_a_log_has_no_token_and_no_password() {
        let hidden = |line: &str| without_tokens(line, "***").into_owned();
        assert_eq!(
            hidden("sent Authorization: Bearer abcdef0123456789, to postgres://me:pw@db/x"),
            "sent Authorization: Bearer ***, to postgres://***@db/x"
        );
        assert_eq!(hidden("\"Basic bWU6c2VjcmV0MTIz\""), "\"Basic ***\"");
        for plain in [
            "a bearer of bad news",
            "Basic steps of it",
            "the token=abc of a page",
        ] {
            assert_eq!(hidden(plain), plain);
        }
    }

    #[test]
    fn ranges_cover_shapes_and_telling_names_alone() {
        let ranges = |text: &str| -> Vec<String> {
            let ranges = secret_ranges(text).into_iter();
            ranges.map(|range| text[range].to_owned()).collect()
        };
        let token = "ghp_0123456789abcdefghij";
        assert_eq!(ranges(&format!("use {token}, once")), [token]);
        assert_eq!(ranges("postgres://me:pw@db/x"), ["me:pw"]);
        let json = format!(r#"{{"password":"a b","key":"PROJ-1","note":"{token}"}}"#);
        assert_eq!(ranges(&json), ["a b", token]);
        assert!(ranges("password=get() of the page").is_empty());
    }

    #[test]
    fn secrets_inside_of_a_secret_are_found_by_themselves() {
        let key = "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----";
        let value = serde_json::json!({"private_key": key, "type": "x"}).to_string();
        let inner = inner_secrets(&value);
        assert!(inner.iter().any(|secret| secret == key), "{inner:?}");
        assert_eq!(
            inner_secrets("postgres://me:password@db/x"),
            ["me:password", "password"]
        );
        assert!(inner_secrets("planted").is_empty());
    }
}
