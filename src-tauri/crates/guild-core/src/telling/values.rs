//! Secrets by their look: in addresses, in a command's words, by the way that tokens are made.
//!
//! Nothing here guesses by how random a text looks: a hash or a name would be hidden as often as a
//! key, and nobody could say why.

use std::borrow::Cow;

use super::{any_in, is_secret};

/// What tokens begin with that are known by it, with what they are called.
const KNOWN: &[(&str, &str)] = &[
    ("ghp_", "token"),
    ("gho_", "token"),
    ("ghs_", "token"),
    ("ghu_", "token"),
    ("ghr_", "token"),
    ("github_pat_", "token"),
    ("glpat-", "token"),
    ("gh_", "token"),
    ("xoxb-", "token"),
    ("xoxp-", "token"),
    ("xapp-", "token"),
    ("sk-", "key"),
    ("sk_live_", "key"),
    ("sk_test_", "key"),
    ("rk_live_", "key"),
    ("AKIA", "key"),
    ("AIza", "key"),
    ("npm_", "token"),
    ("pypi-", "token"),
    ("hf_", "token"),
    ("eyJ", "token"),
];
/// The shortest text that is a known token, in bytes: `sk-learn` is none.
const KNOWN_MIN: usize = 20;
/// Words before a token in a header's value.
const SCHEMES: [&str; 3] = ["Bearer ", "Basic ", "Token "];

/// A value without what is a secret in it, whatever it is called; `put` gives what stands in the
/// place of one, by a name for it. What is a reference (`${…}`) is none.
pub(crate) fn secretless<'a>(value: &'a str, put: &mut dyn FnMut(&str) -> String) -> Cow<'a, str> {
    if let Some(name) = known(value) {
        return put(name).into();
    }
    for scheme in SCHEMES {
        let head = value.get(..scheme.len());
        if head.is_some_and(|head| head.eq_ignore_ascii_case(scheme)) {
            let (head, secret) = value.split_at(scheme.len());
            let one_word = !secret.is_empty() && !secret.contains(char::is_whitespace);
            return match one_word && !is_reference(secret) {
                true => format!("{head}{}", put("token")).into(),
                false => value.into(),
            };
        }
    }
    addresses(value, put)
}

fn known(value: &str) -> Option<&'static str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    if value.len() < KNOWN_MIN || !value.chars().all(plain) {
        return None;
    }
    let mut known = KNOWN.iter();
    known
        .find(|(begin, _)| value.starts_with(begin))
        .map(|(_, name)| *name)
}

fn is_reference(value: &str) -> bool {
    value.starts_with("${") && value.ends_with('}')
}

/// Hides who comes in, and parameters whose name tells of a secret, in each address of a text.
fn addresses<'a>(text: &'a str, put: &mut dyn FnMut(&str) -> String) -> Cow<'a, str> {
    const BEGIN: &str = "://";
    if !text.contains(BEGIN) {
        return text.into();
    }
    let mut hidden = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(BEGIN) {
        let (scheme, after) = rest.split_at(at + BEGIN.len());
        hidden.push_str(scheme);
        let end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`');
        let (address, behind) = after.split_at(after.find(end).unwrap_or(after.len()));
        let host_end = address.find(['/', '?', '#']).unwrap_or(address.len());
        let (host, path) = address.split_at(host_end);
        // A password may have the sign that ends it in it: the last one counts.
        match host.rsplit_once('@') {
            Some((who, host)) if !who.is_empty() => {
                let known = who
                    .split(':')
                    .all(|part| part.is_empty() || is_reference(part));
                match known || is_reference(who) {
                    true => hidden.push_str(who),
                    false => hidden.push_str(&put("credentials")),
                }
                hidden.push('@');
                hidden.push_str(host);
            }
            _ => hidden.push_str(host),
        }
        parameters(path, put, &mut hidden);
        rest = behind;
    }
    hidden.push_str(rest);
    hidden.into()
}

fn parameters(path: &str, put: &mut dyn FnMut(&str) -> String, hidden: &mut String) {
    let mut rest = path;
    while let Some(at) = rest.find(['?', '&', '#', ';']) {
        let (before, pair) = rest.split_at(at + 1);
        hidden.push_str(before);
        let end = pair.find(['&', '#', ';']).unwrap_or(pair.len());
        let (pair, behind) = pair.split_at(end);
        match pair.split_once('=') {
            Some((name, value))
                if (is_secret(name) || known(value).is_some())
                    && !value.is_empty()
                    && !is_reference(value) =>
            {
                hidden.push_str(name);
                hidden.push('=');
                hidden.push_str(&put(name));
            }
            _ => hidden.push_str(pair),
        }
        rest = behind;
    }
    hidden.push_str(rest);
}

/// The words of a command, one after the other: `--token` tells of the word behind it.
#[derive(Debug, Default)]
pub struct Words {
    /// The option whose value comes next.
    expected_next: Option<String>,
}

impl Words {
    /// The next word without what is a secret in it.
    pub fn next<'a>(&mut self, word: &'a str, put: &mut dyn FnMut(&str) -> String) -> Cow<'a, str> {
        let option = option_name(word);
        if let Some(name) = self.expected_next.take()
            // `--token --verbose`: the first is a switch.
            && option.is_none()
            && !word.is_empty()
        {
            return match is_reference(word) {
                true => word.into(),
                false => put(&name).into(),
            };
        }
        if let Some(name) = option
            && !word.contains('=')
        {
            self.expected_next = is_secret(name).then(|| name.to_owned());
            return word.into();
        }
        let at = word.find(['=', ':']);
        if let Some((name, value)) = at.map(|at| (&word[..at], &word[at + 1..])) {
            let name = name.trim_start_matches('-');
            let spoken = name
                .chars()
                .all(|c| c.is_alphanumeric() || "_-.".contains(c));
            let is_address = value.starts_with("//");
            if spoken && !name.is_empty() && !is_address {
                let head = &word[..word.len() - value.len()];
                let space = &value[..value.len() - value.trim_start().len()];
                let value = value.trim_start();
                if is_secret(name) {
                    let stays = value.is_empty() || has_reference_alone(value);
                    return match stays {
                        true => word.into(),
                        false => format!("{head}{space}{}", put(name)).into(),
                    };
                }
                // `--header=Authorization: …`, `--env=API_KEY=…`
                if let Cow::Owned(value) = Self::default().next(value, put) {
                    return format!("{head}{space}{value}").into();
                }
                return word.into();
            }
        }
        // A script in one word can't be taken apart.
        if word.contains(char::is_whitespace) && any_in(word) {
            return put("script").into();
        }
        secretless(word, put)
    }
}

/// `${secret:x}`, or `Bearer ${secret:x}`.
fn has_reference_alone(value: &str) -> bool {
    let bare = SCHEMES.iter().find_map(|scheme| value.strip_prefix(scheme));
    is_reference(bare.unwrap_or(value))
}

/// The name of an option: `--api-key`, `-token`, `/token` is none.
fn option_name(word: &str) -> Option<&str> {
    let name = word.strip_prefix('-')?.trim_start_matches('-');
    let first = name.chars().next()?;
    (first.is_alphabetic() && !name.contains(char::is_whitespace)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(value: &str) -> String {
        secretless(value, &mut |name| format!("<{name}>")).into_owned()
    }

    fn words(all: &[&str]) -> Vec<String> {
        let mut words = Words::default();
        let hidden = |word: &&str| {
            let put = &mut |name: &str| format!("<{name}>");
            words.next(word, put).into_owned()
        };
        all.iter().map(hidden).collect()
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
    fn a_command_s_words_hold_no_secret() {
        for (given, expect) in [
            (
                &["--token", "x", "run"][..],
                &["--token", "<token>", "run"][..],
            ),
            (&["--api-key=x"], &["--api-key=<api-key>"]),
            (&["--token", "--verbose"], &["--token", "--verbose"]),
            (&["--token", "${secret:t}"], &["--token", "${secret:t}"]),
            (
                &["--header", "Authorization: Bearer x"],
                &["--header", "Authorization: <Authorization>"],
            ),
            (
                &["-H=X-Api-Key:x", "-e", "API_KEY=x", "--env=API_KEY=x"],
                &[
                    "-H=X-Api-Key:<X-Api-Key>",
                    "-e",
                    "API_KEY=<API_KEY>",
                    "--env=API_KEY=<API_KEY>",
                ],
            ),
            (
                &["--url=https://a:b@c/", "https://a:b@c/"],
                &["--url=https://<credentials>@c/", "https://<credentials>@c/"],
            ),
            (
                &["--header", "Authorization: Bearer ${secret:t}"],
                &["--header", "Authorization: Bearer ${secret:t}"],
            ),
            (&["-c", "API_KEY=x ./run"], &["-c", "API_KEY=<API_KEY>"]),
            (&["-c", "exec ./run --token x"], &["-c", "<script>"]),
            (
                &[
                    "-y",
                    "@scope/server",
                    "--max-tokens",
                    "5",
                    "C:\\Users\\me",
                    "/a:/b",
                ],
                &[
                    "-y",
                    "@scope/server",
                    "--max-tokens",
                    "5",
                    "C:\\Users\\me",
                    "/a:/b",
                ],
            ),
        ] {
            assert_eq!(words(given), expect);
        }
    }
}
