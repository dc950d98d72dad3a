//! Finds secrets in the arguments of a command.

use std::borrow::Cow;

use super::spans::{SecretSpan, replaced};
use super::values::{
    ends_option, has_reference_alone, in_json, is_opaque, is_reference, is_spoken, spans_in,
};
use super::{any_in, is_secret};

/// The name that [`ArgScanner`] gives to an argument that is a script with a secret. Such an
/// argument can't be split.
pub const SCRIPT: &str = "script";
/// Short options of known servers that take a secret: the package of the server, the option, and
/// the name of the secret.
const SHORT_OPTIONS: &[(&str, &str, &str)] = &[("@larksuiteoapi/lark-mcp", "s", "app-secret")];
/// Short options that many programs use for a key, a password, a secret or a token.
const SHORT_NAMES: [&str; 4] = ["k", "p", "s", "t"];
/// Scans the arguments of a command in order. After an option such as `--token`, the next argument
/// is a secret.
#[derive(Debug, Default)]
pub struct ArgScanner {
    /// The option whose value is expected as the next argument.
    expected_next: Option<Expected>,
    /// The server that the command runs, if the server is in [`SHORT_OPTIONS`].
    server: Option<&'static str>,
}

/// An option whose value may be a secret.
#[derive(Debug)]
struct Expected {
    name: String,
    /// Set if the value counts as a secret only if it looks like a key.
    if_opaque: Option<Opaque>,
}

#[derive(Debug, Clone, Copy)]
struct Opaque {
    parted: bool,
}

impl ArgScanner {
    /// Replaces the secrets in the next argument. `put` returns the replacement for a secret, given
    /// the secret's name.
    pub fn next<'a>(&mut self, word: &'a str, put: &mut dyn FnMut(&str) -> String) -> Cow<'a, str> {
        replaced(word, &self.spans(word), put)
    }

    /// Returns the secrets in the next argument. A script that contains the name of a secret is a
    /// secret as a whole, with the name [`SCRIPT`].
    pub fn spans(&mut self, word: &str) -> Vec<SecretSpan> {
        let option = option_name(word);
        if let Some(expected) = self.expected_next.take()
            // In `--token --verbose`, the first option has no value.
            && option.is_none()
            && !word.is_empty()
            && expected.is_met_by(word)
        {
            return match is_reference(word) {
                true => Vec::new(),
                false => vec![SecretSpan::new(expected.name, 0..word.len())],
            };
        }
        if let Some(name) = option
            && !word.contains('=')
        {
            self.expected_next = self.expected(name);
            return Vec::new();
        }
        if let Some(spans) = in_json(word) {
            return spans;
        }
        self.note_server(word);
        let at = word.find(['=', ':']);
        if let Some((name, value)) = at.map(|at| (&word[..at], &word[at + 1..])) {
            let is_option = name.starts_with('-');
            let name = name.trim_start_matches('-');
            let is_address = value.starts_with("//");
            if is_spoken(name) && !name.is_empty() && !is_address {
                let value = value.trim_start();
                let begin = word.len() - value.len();
                let may_name = is_option && ends_option(name) && is_opaque(value, true);
                if is_secret(name) || may_name {
                    let stays = value.is_empty() || has_reference_alone(value);
                    return match stays {
                        true => Vec::new(),
                        false => vec![SecretSpan::new(name, begin..word.len())],
                    };
                }
                // For example `--header=Authorization: …` or `--env=API_KEY=…`.
                let inner = Self::default().spans(value).into_iter();
                return inner.map(|span| span.moved(begin)).collect();
            }
        }
        // An argument that is a script can't be split into words.
        if word.contains(char::is_whitespace) && any_in(word) {
            return vec![SecretSpan::new(SCRIPT, 0..word.len())];
        }
        spans_in(word)
    }

    fn note_server(&mut self, word: &str) {
        let of = |package: &str| {
            let rest = word.strip_prefix(package);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
        };
        let mut known = SHORT_OPTIONS.iter();
        if let Some((package, ..)) = known.find(|(package, ..)| of(package)) {
            self.server = Some(*package);
        }
    }

    fn expected(&self, name: &str) -> Option<Expected> {
        let mut of_server = SHORT_OPTIONS.iter();
        let of_server =
            of_server.find(|(package, option, _)| self.server == Some(*package) && *option == name);
        let (name, if_opaque) = match of_server {
            Some((.., called)) => (*called, None),
            None if is_secret(name) => (name, None),
            None if SHORT_NAMES.contains(&name) => (name, Some(Opaque { parted: false })),
            None if ends_option(name) => (name, Some(Opaque { parted: true })),
            None => return None,
        };
        let name = name.to_owned();
        Some(Expected { name, if_opaque })
    }
}

impl Expected {
    fn is_met_by(&self, word: &str) -> bool {
        let opaque = self.if_opaque;
        opaque.is_none_or(|Opaque { parted }| is_opaque(word, parted))
    }
}

/// Returns the name of an option such as `--api-key` or `-token`, without its hyphens. `None` for
/// other arguments.
fn option_name(word: &str) -> Option<&str> {
    let name = word.strip_prefix('-')?.trim_start_matches('-');
    let first = name.chars().next()?;
    (first.is_alphabetic() && !name.contains(char::is_whitespace)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(all: &[&str]) -> Vec<String> {
        let mut words = ArgScanner::default();
        let hidden = |word: &&str| {
            let put = &mut |name: &str| format!("<{name}>");
            words.next(word, put).into_owned()
        };
        all.iter().map(hidden).collect()
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

    #[test]
    fn options_that_may_name_a_secret_hide_what_looks_like_one() {
        let secret = "9fK2xQ7bLm3NpR5tVw8YzA1cD4eF6gH0";
        let uuid = "550e8400-e29b-41d4-a716-446655440000";
        for (given, expect) in [
            (
                &[
                    "-y",
                    "@larksuiteoapi/lark-mcp",
                    "mcp",
                    "-a",
                    "cli_1",
                    "-s",
                    "any",
                ][..],
                &[
                    "-y",
                    "@larksuiteoapi/lark-mcp",
                    "mcp",
                    "-a",
                    "cli_1",
                    "-s",
                    "<app-secret>",
                ][..],
            ),
            (&["-s", secret], &["-s", "<s>"]),
            (&["-k", uuid], &["-k", "<k>"]),
            (&["--key", uuid], &["--key", "<key>"]),
            (&[&format!("--key={secret}")], &["--key=<key>"]),
            (
                &["-p", "8080", "-t", "stdio"],
                &["-p", "8080", "-t", "stdio"],
            ),
            (
                &["-p", "my-project-2024-main", "--sort-key", "created_at"],
                &["-p", "my-project-2024-main", "--sort-key", "created_at"],
            ),
            (
                &["-e", r#"HEADERS={"Authorization": "Bearer x"}"#],
                &[
                    "-e",
                    r#"HEADERS={"Authorization": "Bearer <Authorization>"}"#,
                ],
            ),
        ] {
            assert_eq!(words(given), expect);
        }
    }
}
