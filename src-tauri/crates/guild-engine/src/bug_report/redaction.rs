//! Removes known and suspected secrets from strings.
//!
//! Known secrets are removed first, then values whose name or shape suggests a secret
//! ([`guild_text::secret_detection`]). In a bug report, it is better to remove too much than to
//! miss a secret.

use guild_api::wire::MASK;
use guild_text::secret_detection::{ArgScanner, is_secret, may_be_secret, without_tokens};
use serde_json::Value;

use guild_secrets::mask::SecretMatcher;

/// A string without secrets.
pub(super) struct Masked {
    pub(super) text: String,
    /// Number of masked occurrences.
    pub(super) masked: usize,
}

pub(super) struct Redaction {
    mask: SecretMatcher,
    /// The user's home folder, replaced by `~` because it identifies the user.
    home: Option<String>,
}

/// Characters that separate words.
const BETWEEN: [char; 13] = [
    '"', '\'', '`', ',', ';', '{', '}', '[', ']', '(', ')', '<', '>',
];
/// Words that precede a token.
const SCHEMES: [&str; 3] = ["bearer", "basic", "token"];
/// Minimum length of a token after one of [`SCHEMES`], in bytes.
const TOKEN_MIN: usize = 8;
/// Names after which the whole rest of the line is secret.
const WHOLE_LINE: [&str; 4] = [
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
];

impl Redaction {
    pub(super) fn new(mask: SecretMatcher) -> Self {
        let home = directories::BaseDirs::new();
        let home = home.map(|dirs| dirs.home_dir().to_string_lossy().into_owned());
        Self {
            mask,
            home: home.filter(|home| home.len() > 1),
        }
    }

    /// Redacts a JSON value.
    pub(super) fn json(&self, value: &Value) -> Masked {
        let mut value = value.clone();
        hide_values(&mut value, "");
        let text = serde_json::to_string_pretty(&value).unwrap_or_default();
        self.finish(&text, text.matches(MASK).count())
    }

    /// Redacts a JSON file. Other files are redacted line by line.
    pub(super) fn document(&self, text: &str) -> Masked {
        match serde_json::from_str(text) {
            Ok(value) => self.json(&value),
            Err(_) => self.lines(text),
        }
    }

    /// Redacts a log, line by line.
    pub(super) fn lines(&self, text: &str) -> Masked {
        let before = text.matches(MASK).count();
        let mut out = String::with_capacity(text.len());
        let mut in_key = false;
        for line in self.mask.hide(text).lines() {
            let begins = line.contains("-----BEGIN ") && line.contains("PRIVATE KEY");
            if in_key || begins {
                in_key = !line.contains("-----END ");
                out.push_str(MASK);
            } else {
                hide_in_line(line, &mut out);
            }
            out.push('\n');
        }
        let masked = out.matches(MASK).count().saturating_sub(before);
        self.finish(&out, masked)
    }

    fn finish(&self, text: &str, masked: usize) -> Masked {
        let hidden = self.mask.hide(text);
        // If a secret contains the mask itself, masking it may reduce the number of masks in the
        // text.
        let before = text.matches(MASK).count();
        let more = hidden.matches(MASK).count().saturating_sub(before);
        let text = match &self.home {
            Some(home) => hidden.replace(home, "~"),
            None => hidden.into_owned(),
        };
        Masked {
            text,
            masked: masked + more,
        }
    }
}

/// Masks the strings in a JSON value whose name or shape suggests a secret.
fn hide_values(value: &mut Value, name: &str) {
    match value {
        Value::Object(fields) => {
            // Users choose the names of variables and headers, so the stricter rule applies to
            // these.
            let named_freely = matches!(name, "env" | "headers");
            for (key, value) in fields {
                let secret = is_secret(key) || (named_freely && may_be_secret(key));
                if secret {
                    hide_all(value);
                } else {
                    hide_values(value, key);
                }
            }
        }
        Value::Array(items) => {
            let mut words = ArgScanner::default();
            for item in items {
                match item {
                    Value::String(text) => {
                        *text = words.next(text, &mut |_| MASK.to_owned()).into_owned();
                    }
                    item => hide_values(item, name),
                }
            }
        }
        Value::String(text) => {
            let mut out = String::new();
            // A PEM key has several lines, so the whole text is searched before its lines.
            let whole = without_tokens(text, MASK).into_owned();
            for (at, line) in whole.split('\n').enumerate() {
                out.push_str(if at == 0 { "" } else { "\n" });
                hide_in_line(line, &mut out);
            }
            *text = out;
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Masks all strings in a value whose name suggests a secret, except references (`${…}`).
fn hide_all(value: &mut Value) {
    match value {
        Value::String(text) => hide_unless_reference(text),
        Value::Array(items) => items.iter_mut().for_each(hide_all),
        Value::Object(fields) => fields.values_mut().for_each(hide_all),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn hide_unless_reference(text: &mut String) {
    let bare = text.trim_start_matches("Bearer ");
    let reference = bare.starts_with("${") && bare.ends_with('}');
    if !text.is_empty() && !reference {
        MASK.clone_into(text);
    }
}

/// Masks the value that follows a secret's name in a line, and everything that looks like a token.
fn hide_in_line(line: &str, out: &mut String) {
    let mut words = ArgScanner::default();
    // The kind of word that is expected next.
    let mut awaited = Awaited::Nothing;
    let mut rest = line;
    while !rest.is_empty() {
        let between = |c: char| c.is_whitespace() || BETWEEN.contains(&c);
        let begin = rest.find(|c| !between(c)).unwrap_or(rest.len());
        out.push_str(&rest[..begin]);
        rest = &rest[begin..];
        let end = rest.find(between).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        if word.is_empty() {
            break;
        }
        let name = word.trim_end_matches([':', '=']);
        let scheme = SCHEMES
            .iter()
            .any(|scheme| scheme.eq_ignore_ascii_case(word));
        awaited = match awaited {
            Awaited::Secret if scheme => {
                out.push_str(word);
                Awaited::Secret
            }
            Awaited::Secret => {
                out.push_str(MASK);
                Awaited::Nothing
            }
            Awaited::Sign if name.is_empty() => {
                out.push_str(word);
                Awaited::Secret
            }
            Awaited::Token if word.len() >= TOKEN_MIN && !scheme => {
                out.push_str(MASK);
                Awaited::Nothing
            }
            _ if WHOLE_LINE
                .iter()
                .any(|whole| whole.eq_ignore_ascii_case(name)) =>
            {
                out.push_str(word);
                out.push_str(if rest.is_empty() { "" } else { " " });
                out.push_str(if rest.is_empty() { "" } else { MASK });
                return;
            }
            _ => {
                out.push_str(&words.next(word, &mut |_| MASK.to_owned()));
                match is_secret(name) {
                    true if name.len() < word.len() => Awaited::Secret,
                    true => Awaited::Sign,
                    false if scheme => Awaited::Token,
                    false => Awaited::Nothing,
                }
            }
        };
        if let Awaited::Sign = awaited
            && scheme
        {
            awaited = Awaited::Token;
        }
    }
}

/// The kind of word that is expected next.
enum Awaited {
    Nothing,
    /// `:` or `=` after a secret's name.
    Sign,
    /// The secret itself, after its name and `:` or `=`.
    Secret,
    /// The token after `Bearer`.
    Token,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(line: &str) -> String {
        let redaction = Redaction {
            mask: SecretMatcher::default(),
            home: Some("/home/me".into()),
        };
        let masked = redaction.lines(line);
        let text = masked.text.trim_end_matches('\n').to_owned();
        assert_eq!(masked.masked, text.matches(MASK).count(), "{line}");
        text.replace(MASK, "*")
    }

    #[test]
    fn lines_lose_what_their_names_tell_of() {
        for (line, expected) in [
            ("nothing of it, at /home/me/x", "nothing of it, at ~/x"),
            ("token=planted-1 rest", "token=* rest"),
            ("API_KEY: planted-1 rest", "API_KEY: * rest"),
            (r#"{"apiKey":"planted-1","a":1}"#, r#"{"apiKey":"*","a":1}"#),
            (r#"{"api_key" : "planted-1"}"#, r#"{"api_key" : "*"}"#),
            ("Authorization: Basic planted planted", "Authorization: *"),
            ("sent Bearer planted-12345 on", "sent Bearer * on"),
            ("run --token planted-1 --verbose", "run --token * --verbose"),
            ("postgres://me:planted@db/x", "postgres://*@db/x"),
            ("ghp_plantedplantedplantedplanted", "*"),
            ("the token was refused", "the token was refused"),
        ] {
            assert_eq!(hidden(line), expected, "{line}");
        }
    }

    #[test]
    fn a_private_key_goes_as_a_whole() {
        let text = "a\n-----BEGIN RSA PRIVATE KEY-----\nplanted\n-----END RSA PRIVATE KEY-----\nb";
        assert_eq!(hidden(text), "a\n*\n*\n*\nb");
    }

    #[test]
    fn a_manifest_keeps_its_references_and_loses_its_values() {
        let redaction = Redaction {
            mask: SecretMatcher::default(),
            home: None,
        };
        let manifest = r#"{"name":"forge","env":{"FORGE_KEY":"planted","API_TOKEN":"${secret:T}","LANG":"C"},
            "args":["--password","planted","-v"],"headers":{"Authorization":"Bearer planted"},
            "passwords":["planted",{"of":"planted"}]}"#;
        let masked = redaction.document(manifest);
        assert!(!masked.text.contains("planted"), "{}", masked.text);
        for kept in ["forge", "${secret:T}", "\"C\"", "--password", "-v"] {
            assert!(masked.text.contains(kept), "{kept} in {}", masked.text);
        }
        assert_eq!(masked.masked, 5);
    }
}
