//! Detects the secrets in a launch by their position and form.

use std::collections::BTreeSet;

use super::run::{LaunchSpec, LaunchSpecField};
use super::text::{TextSegment, TextTemplate};
use crate::normalize::has_word;
use guild_model::manifest::{Launch, Lookup, Manifest, environment_in, with_values};
use guild_text::secret_detection::{
    ArgScanner, SCRIPT, SecretSpan, inert, inner_secrets, is_harmless, is_secret, spans_in,
    spans_under,
};

/// Minimum length of a value that counts as a secret because of its position, in bytes. Masking
/// shorter values would hide common words.
const VALUE_MIN: usize = 6;
/// Minimum length of an environment variable's value that counts as a secret although its name is
/// not suspicious, in bytes.
const UNNAMED_MIN: usize = 8;
/// Environment variables that every process has and that are never secret.
const ORDINARY: &str = "\
    APPDATA COMPUTERNAME DISPLAY EDITOR HOME HOSTNAME LANG LANGUAGE LOCALAPPDATA LOGNAME \
    NODE_ENV OLDPWD OS PATH PROGRAMDATA PROGRAMFILES PWD SHELL SYSTEMROOT TEMP TERM TMP TMPDIR \
    TZ USER USERDOMAIN USERNAME USERPROFILE WINDIR";

/// Returns the secret values of a launch after its variables are resolved. A value counts as secret
/// because of its position, its name or its form. The value of `${env:NAME}` counts as secret
/// unless it is clearly not one. The value of `${secret:NAME}` may be included too, alone or as a
/// part of a longer secret.
pub fn launch_secrets(launch: &Launch, lookup: &dyn Lookup) -> BTreeSet<String> {
    let filled = LaunchSpec::of_launch(launch)
        .map(|_, text| TextTemplate::plain(with_values(&text.written(), lookup)));
    let mut secrets = BTreeSet::new();
    add_secrets(&filled, &mut secrets);
    for name in launch.texts().flat_map(environment_in) {
        let Some(value) = lookup.env(name) else {
            continue;
        };
        let is_named = is_secret(name) && value.len() >= VALUE_MIN;
        let is_ordinary = has_word(ORDINARY, &name.to_ascii_uppercase())
            || name.starts_with("LC_")
            || name.starts_with("XDG_");
        let is_unnamed = value.len() >= UNNAMED_MIN && !is_ordinary && !is_harmless(&value);
        if is_named || is_unnamed {
            secrets.extend(inner_secrets(&value));
            secrets.insert(value);
        }
    }
    secrets
}

/// Returns the secret values that a manifest contains literally.
pub fn written_secrets(manifest: &Manifest) -> BTreeSet<String> {
    let mut secrets = BTreeSet::new();
    for launch in [&manifest.launch, &manifest.header_launch()] {
        add_written(launch, &mut secrets);
    }
    secrets
}

fn add_written(launch: &Launch, secrets: &mut BTreeSet<String>) {
    add_secrets(&LaunchSpec::of_launch(launch), secrets);
    secrets.retain(|secret| !secret.contains("${"));
}

fn add_secrets(run: &LaunchSpec, secrets: &mut BTreeSet<String>) {
    let marked = mark_secrets(run).0;
    let texts = marked.texts().into_iter();
    for segment in texts.flat_map(TextTemplate::segments) {
        if let TextSegment::Secret { name, value } = segment
            && value.len() >= VALUE_MIN
            && (is_secret(name) || !is_harmless(value))
        {
            secrets.extend(inner_secrets(value));
            secrets.insert(value.clone());
        }
    }
}

/// Turns the secrets in the strings of a launch into `TextSegment::Secret`. Also returns whether
/// the launch has a script that seems to contain a secret.
pub(super) fn mark_secrets(run: &LaunchSpec) -> (LaunchSpec, bool) {
    let mut words = ArgScanner::default();
    let mut script = false;
    let marked = run.map(|field, text| {
        let written = text.written();
        let found = match field {
            LaunchSpecField::Command | LaunchSpecField::Cwd | LaunchSpecField::Url => {
                spans_in(&written)
            }
            LaunchSpecField::Env(name) | LaunchSpecField::Header(name) => {
                spans_under(name, &written)
            }
            LaunchSpecField::Arg => {
                let found = words.spans(&written);
                match found.iter().any(|span| span.name == SCRIPT) {
                    // In a script, only secrets that are recognized by their form and can't contain
                    // code are marked.
                    true => {
                        script = true;
                        inert(&written, spans_in(&written))
                    }
                    false => found,
                }
            }
        };
        split(text, &found)
    });
    (marked, script)
}

/// Turns the secrets in the value of the variable `name` into `TextSegment::Secret`.
pub(super) fn mark_secrets_of_variable(name: &str, value: &TextTemplate) -> TextTemplate {
    split(value, &spans_under(name, &value.written()))
}

/// Turns the plain text in these ranges into `TextSegment::Secret`.
fn split(text: &TextTemplate, found: &[SecretSpan]) -> TextTemplate {
    let mut split = TextTemplate::default();
    let mut at = 0;
    for segment in text.segments() {
        let length = TextTemplate(vec![segment.clone()]).written().len();
        let here = at..at + length;
        at = here.end;
        let (TextSegment::Plain(plain) | TextSegment::Given(plain)) = segment else {
            split.push(segment.clone());
            continue;
        };
        let mut done = 0;
        for SecretSpan { name, range } in found {
            let start = range.start.clamp(here.start, here.end) - here.start;
            let end = range.end.clamp(here.start, here.end) - here.start;
            if start >= end {
                continue;
            }
            split.push(TextSegment::Plain(plain[done..start].to_owned()));
            split.push(TextSegment::Secret {
                name: name.clone(),
                value: plain[start..end].to_owned(),
            });
            done = end;
        }
        split.push(TextSegment::Plain(plain[done..].to_owned()));
    }
    split
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn url(address: &str, headers: &[(&str, &str)]) -> LaunchSpec {
        LaunchSpec::Url {
            url: TextTemplate::plain(address),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), TextTemplate::plain(*value)))
                .collect(),
        }
    }

    #[test]
    fn secret_is_detected_by_name_or_shape() {
        let run = LaunchSpec::Command {
            command: TextTemplate::plain("npx"),
            args: [
                "-y",
                "server",
                "--api-key",
                "k-1",
                "postgres://me:pw@db/x",
                "--level=3",
            ]
            .map(TextTemplate::plain)
            .into(),
            env: [
                ("API_KEY", "abc"),
                ("KEY_FILE", "/home/me/key"),
                ("LEVEL", "debug"),
                ("AUTH", "true"),
                ("OTHER", "ghp_0123456789abcdefghij"),
                ("SESSION_URL", "https://example.test/"),
            ]
            .map(|(name, value)| (name.to_owned(), TextTemplate::plain(value)))
            .into(),
            cwd: None,
        };
        let (marked, script) = mark_secrets(&run);
        assert!(!script);
        assert_eq!(
            marked.command_line(),
            "npx -y server --api-key '•••' 'postgres://•••@db/x' --level=3"
        );
        let LaunchSpec::Command { env, .. } = &marked else {
            panic!("a command");
        };
        let shown: BTreeMap<&str, String> = env
            .iter()
            .map(|(name, value)| (name.as_str(), value.shown()))
            .collect();
        assert_eq!(
            shown.into_iter().collect::<Vec<_>>(),
            [
                ("API_KEY", "•••".into()),
                ("AUTH", "true".into()),
                ("KEY_FILE", "/home/me/key".into()),
                ("LEVEL", "debug".into()),
                ("OTHER", "•••".into()),
                ("SESSION_URL", "https://example.test/".to_owned()),
            ]
        );
        assert_eq!(
            marked
                .texts()
                .iter()
                .map(|text| text.written())
                .collect::<Vec<_>>(),
            run.texts()
                .iter()
                .map(|text| text.written())
                .collect::<Vec<_>>(),
            "nothing is lost"
        );
    }

    #[test]
    fn a_reference_is_no_secret_and_what_is_around_it_may_be_one() {
        let mut token = TextTemplate::plain("Bearer pre-");
        token.push(TextSegment::Env("TOKEN".into()));
        let mut run = url("https://a.test/?token=t&x=1", &[("X-Trace", "on")]);
        let LaunchSpec::Url { headers, .. } = &mut run else {
            panic!("a url");
        };
        headers.insert("Authorization".into(), token);
        let (marked, _) = mark_secrets(&run);
        let LaunchSpec::Url { url, headers } = &marked else {
            panic!("a url");
        };
        assert_eq!(url.shown(), "https://a.test/?token=•••&x=1");
        assert_eq!(headers["Authorization"].shown(), "Bearer •••${env:TOKEN}");
        assert_eq!(headers["X-Trace"].shown(), "on");
    }

    #[test]
    fn a_token_in_a_value_in_json_and_in_a_script_is_set_apart() {
        let token = "ntn_12345678901abcdefghijklmnopqrstuvwxyz012345abc";
        let headers = format!(r#"{{"Authorization": "Bearer {token}", "Notion-Version": "1"}}"#);
        let run = LaunchSpec::Command {
            command: TextTemplate::plain("sh"),
            args: ["-c".to_owned(), format!("exec ./run --token {token} $(id)")]
                .map(TextTemplate::plain)
                .into(),
            env: [
                ("NOTION", token.to_owned()),
                ("OPENAPI_MCP_HEADERS", headers),
            ]
            .map(|(name, value)| (name.to_owned(), TextTemplate::plain(value)))
            .into(),
            cwd: None,
        };
        let (marked, script) = mark_secrets(&run);
        assert!(script);
        assert_eq!(
            marked.command_line(),
            "sh -c 'exec ./run --token ••• $(id)'"
        );
        let LaunchSpec::Command { env, .. } = &marked else {
            panic!("a command");
        };
        assert_eq!(env["NOTION"].shown(), "•••");
        assert_eq!(
            env["OPENAPI_MCP_HEADERS"].shown(),
            r#"{"Authorization": "Bearer •••", "Notion-Version": "1"}"#
        );
        let secret = |text: &TextTemplate| {
            text.segments().iter().find_map(|segment| match segment {
                TextSegment::Secret { value, .. } => Some(value.clone()),
                _ => None,
            })
        };
        assert_eq!(secret(&env["OPENAPI_MCP_HEADERS"]).as_deref(), Some(token));
        assert_eq!(
            marked
                .texts()
                .iter()
                .map(|text| text.written())
                .collect::<Vec<_>>(),
            run.texts()
                .iter()
                .map(|text| text.written())
                .collect::<Vec<_>>(),
        );
    }

    struct SecretsTestLookup;

    impl Lookup for SecretsTestLookup {
        fn env(&self, name: &str) -> Option<String> {
            let value = match name {
                "PLAIN" => "planted-env-1",
                "FORGE_TOKEN" => "planted-env-2",
                "HOME" => "/home/somebody",
                "FOLDER" => "/srv/somewhere",
                "LEVEL" => "debug",
                _ => return None,
            };
            Some(value.to_owned())
        }

        fn secret(&self, name: &str) -> Option<String> {
            (name == "pw").then(|| "pa+sswd".to_owned())
        }
    }

    fn launch(env: &[(&str, &str)], args: &[&str]) -> Launch {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Launch::Command {
            command: "run".to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: env.iter().map(pair).collect(),
            cwd: None,
        }
    }

    #[test]
    fn secret_names_and_environment_are_secrets() {
        let launch = launch(
            &[
                ("API_KEY", "planted-1"),
                ("PASSWORD", "root"),
                ("AUTH", "true"),
                ("MODE", "production"),
                ("HEADERS", r#"{"Authorization": "Bearer planted-2"}"#),
                ("DB", "postgres://me:${secret:pw}@db/x"),
                ("A", "${env:PLAIN} ${env:HOME} ${env:FOLDER} ${env:LEVEL}"),
                ("B_TOKEN", "x-${env:FORGE_TOKEN}"),
            ],
            &["--token", "planted-3", "--name", "somebody"],
        );
        let secrets = launch_secrets(&launch, &SecretsTestLookup);
        let expect = [
            "me:pa+sswd",
            "pa+sswd",
            "planted-1",
            "planted-2",
            "planted-3",
            "planted-env-1",
            "planted-env-2",
            "x-planted-env-2",
        ];
        assert_eq!(secrets.iter().collect::<Vec<_>>(), expect);
        let mut written = BTreeSet::new();
        add_written(&launch, &mut written);
        assert_eq!(
            written.iter().collect::<Vec<_>>(),
            ["planted-1", "planted-2", "planted-3"]
        );
    }

    #[test]
    fn headers_beside_a_command_are_written_secrets() {
        let manifest = serde_json::json!({
            "name": "forge", "version": "1.0.0", "transport": "http", "command": "run",
            "headers": {"Authorization": "Bearer planted-4", "X-Trace": "on"},
        });
        let parsed = guild_model::manifest::parse(manifest.to_string().as_bytes(), "plugin.json");
        let written = written_secrets(&parsed.manifest.expect("a manifest"));
        assert_eq!(written.iter().collect::<Vec<_>>(), ["planted-4"]);
    }

    #[test]
    fn a_script_stays_to_be_seen() {
        let run = LaunchSpec::Command {
            command: TextTemplate::plain("sh"),
            args: ["-c", "exec ./run --token x"]
                .map(TextTemplate::plain)
                .into(),
            env: BTreeMap::new(),
            cwd: None,
        };
        let (marked, script) = mark_secrets(&run);
        assert!(script);
        assert_eq!(marked.command_line(), "sh -c 'exec ./run --token x'");
    }
}
