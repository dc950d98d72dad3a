//! Masks the secrets in a configuration file for display. Keeps all other bytes.
//!
//! Apps store keys of servers, and sometimes their own keys, next to Guild Hall's entry. A preview
//! may be seen, photographed and copied, so text that looks secret is masked. One parser handles
//! both JSON with comments and TOML. The parser only distinguishes names from values, and is not
//! used for the text that is written.

use std::borrow::Cow;

use guild_api::wire::MASK;
use guild_client_config::TOKEN_LEFT_OUT;
use guild_text::secret_detection::{ArgScanner, any_in, is_secret, may_be_secret};

/// Maximum number of enclosing scopes that are stored. All values in deeper scopes count as secret.
const DEPTH_MAX: usize = 128;
/// Names of tables of variables or headers. Any of their values may be a secret.
const OF_VARIABLES: [&str; 5] = [
    "env",
    "environment",
    "headers",
    "http_headers",
    "requestInit",
];

/// Masks the secrets in a text.
pub fn masked(text: &str) -> String {
    let mut reader = ConfigRedactor::new(text);
    while reader.at < text.len() {
        reader.step();
    }
    reader.shown
}

/// An enclosing object, list or table.
#[derive(Debug, Default)]
struct RedactionScope {
    /// The name of the next value. In a list, the name of the list.
    name: String,
    /// Whether all values in the scope are secret.
    secret: bool,
    /// Whether the names in the scope are variables or headers.
    of_variables: bool,
    /// For a list: the scanner that reads its strings as words of a command.
    words: Option<ArgScanner>,
}

struct ConfigRedactor<'t> {
    text: &'t str,
    at: usize,
    shown: String,
    /// The enclosing scopes, innermost last. The first one is the file or the TOML table.
    scopes: Vec<RedactionScope>,
    /// The number of open scopes beyond `DEPTH_MAX`. These scopes are counted, but not stored.
    deeper: usize,
}

impl<'t> ConfigRedactor<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            shown: String::with_capacity(text.len()),
            scopes: vec![RedactionScope::default()],
            deeper: 0,
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Copies bytes unchanged.
    fn show(&mut self, bytes: usize) {
        self.shown.push_str(&self.rest()[..bytes]);
        self.at += bytes;
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(next) = rest.chars().next() else {
            return;
        };
        match next {
            '"' | '\'' => self.literal(next),
            '#' => self.comment(line(rest)),
            '/' if rest.starts_with("//") => self.comment(line(rest)),
            '/' if rest.starts_with("/*") => {
                let end = rest.find("*/").map_or(rest.len(), |at| at + 2);
                self.comment(end);
            }
            '[' if self.begins_line() && self.scopes.len() == 1 && self.head() => {}
            '{' | '[' => {
                self.enter(next == '[');
                self.show(1);
            }
            '}' | ']' => {
                if self.deeper > 0 {
                    self.deeper -= 1;
                } else if self.scopes.len() > 1 {
                    self.scopes.pop();
                }
                self.after_value();
                self.show(1);
            }
            ',' => {
                self.after_value();
                self.show(1);
            }
            '\n' => {
                if self.scopes.len() == 1 {
                    self.after_value();
                }
                self.show(1);
            }
            c if c.is_alphanumeric() || "_-+.".contains(c) => self.bare(),
            c => self.show(c.len_utf8()),
        }
    }

    /// Clears the name once its value was read.
    fn after_value(&mut self) {
        if let Some(scope) = self.scopes.last_mut()
            && scope.words.is_none()
        {
            scope.name.clear();
        }
    }

    fn begins_line(&self) -> bool {
        let before = self.text[..self.at].rsplit('\n').next();
        before.is_none_or(|before| before.trim_start_matches('\u{feff}').trim().is_empty())
    }

    /// Reads a table header such as `[mcp_servers.x.env]`.
    fn head(&mut self) -> bool {
        let rest = self.rest();
        let end = line(rest);
        let head = rest[..end].split('#').next().unwrap_or_default().trim();
        let bare = |c: char| c.is_alphanumeric() || "[]_-.\"' /@:\\".contains(c);
        let is_head = head.ends_with(']') && head.chars().all(bare) && head != "[]";
        if !is_head {
            return false;
        }
        let names = head.trim_matches(['[', ']']);
        let mut names = names
            .split('.')
            .map(|name| name.trim().trim_matches(['"', '\'']));
        self.scopes = vec![RedactionScope {
            of_variables: names.clone().any(|name| OF_VARIABLES.contains(&name)),
            secret: names.any(is_secret),
            ..RedactionScope::default()
        }];
        self.show(head.len());
        true
    }

    fn enter(&mut self, is_list: bool) {
        let full = self.scopes.len() >= DEPTH_MAX;
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        if full {
            scope.secret = true;
            self.deeper += 1;
            return;
        }
        let name = scope.name.clone();
        let of_variables = scope.of_variables || OF_VARIABLES.contains(&name.as_str());
        let inner = RedactionScope {
            secret: self.is_secret(),
            of_variables,
            words: is_list.then(ArgScanner::default),
            name: if is_list { name } else { String::new() },
        };
        self.scopes.push(inner);
    }

    /// Whether the next value is secret because of its name or its scope.
    fn is_secret(&self) -> bool {
        let Some(scope) = self.scopes.last() else {
            return true;
        };
        scope.secret
            || is_secret(&scope.name)
            || (scope.of_variables && !scope.name.is_empty() && may_be_secret(&scope.name))
    }

    /// Reads a quoted name or value.
    fn literal(&mut self, quote: char) {
        let rest = self.rest();
        let (marks, end) = literal_end(rest, quote);
        let behind = rest[end..].trim_start();
        let inner = rest
            .get(marks..end.saturating_sub(marks).max(marks))
            .unwrap_or_default();
        let is_name = behind.starts_with(':') || (behind.starts_with('=') && marks == 1);
        let in_list = self
            .scopes
            .last()
            .is_some_and(|scope| scope.words.is_some());
        if is_name && !in_list {
            if let Some(scope) = self.scopes.last_mut() {
                inner.clone_into(&mut scope.name);
            }
            return self.show(end);
        }
        let value = self.value(inner).into_owned();
        self.shown.push_str(&rest[..marks.min(rest.len())]);
        self.shown.push_str(&value);
        self.shown
            .push_str(&rest[(marks + inner.len()).min(end)..end]);
        self.at += end;
    }

    /// Returns a value for display, masked if it is secret.
    fn value<'v>(&mut self, value: &'v str) -> Cow<'v, str> {
        let left_out = value.strip_suffix(TOKEN_LEFT_OUT);
        if left_out.is_some_and(|head| head.is_empty() || head == "Bearer ") {
            return value.into();
        }
        let put = &mut |_: &str| MASK.to_owned();
        if self.is_secret() && !value.is_empty() {
            return match (is_reference(value), value.split_once(' ')) {
                (true, _) => value.into(),
                (_, Some(("Bearer", secret))) if is_reference(secret) => value.into(),
                (_, Some((scheme @ ("Bearer" | "Basic"), _))) => format!("{scheme} {MASK}").into(),
                _ => MASK.into(),
            };
        }
        let shown = match self
            .scopes
            .last_mut()
            .and_then(|scope| scope.words.as_mut())
        {
            Some(words) => words.next(value, put),
            // A single value may be a whole command line.
            None => ArgScanner::default().next(value, put),
        };
        match hides_escaped_secret(value) {
            true => MASK.into(),
            false => shown,
        }
    }

    /// Reads an unquoted name (TOML), a number or a word.
    fn bare(&mut self) {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "_-+.:".contains(c)));
        let end = end.unwrap_or(rest.len());
        let word = &rest[..end];
        if rest[end..].trim_start_matches([' ', '\t']).starts_with('=') {
            if let Some(scope) = self.scopes.last_mut() {
                // The last part of a dotted name is the name, but an earlier part may name a table
                // of variables.
                let of_variables = word.split('.').any(|part| OF_VARIABLES.contains(&part));
                scope.name = match (of_variables, word.rsplit_once('.')) {
                    (true, Some((_, last))) if may_be_secret(last) => "secret".to_owned(),
                    _ => word.to_owned(),
                };
            }
            return self.show(end);
        }
        let is_word = matches!(word, "true" | "false" | "null");
        if !is_word && self.is_secret() {
            self.shown.push_str(MASK);
            self.at += end;
            return;
        }
        self.show(end);
    }

    /// Copies a comment, or masks the whole comment if it may contain a secret, since a comment
    /// can't be parsed.
    fn comment(&mut self, bytes: usize) {
        let comment = &self.rest()[..bytes];
        let mut words = ArgScanner::default();
        let has_secret = any_in(comment)
            || comment
                .split([' ', '\t', '"', '\'', ',', '\n'])
                .any(|word| {
                    let word = words.next(word, &mut |_| MASK.to_owned());
                    matches!(word, Cow::Owned(_))
                });
        if !has_secret {
            return self.show(bytes);
        }
        let marks = comment.len() - comment.trim_start_matches(['/', '#', '*']).len();
        self.shown.push_str(&comment[..marks]);
        self.shown.push(' ');
        self.shown.push_str(MASK);
        if comment.starts_with("/*") && comment.ends_with("*/") {
            self.shown.push_str(" */");
        }
        self.at += bytes;
    }
}

fn is_reference(value: &str) -> bool {
    value.starts_with("${") && value.ends_with('}')
}

/// Whether a literal contains a secret after unescaping, for example in a JSON string inside a
/// variable.
fn hides_escaped_secret(literal: &str) -> bool {
    if !literal.contains('\\') {
        return false;
    }
    let read = serde_json::from_str::<String>(&format!("\"{literal}\""));
    read.is_ok_and(|text| {
        let shown = ArgScanner::default().next(&text, &mut |_| MASK.to_owned());
        matches!(shown, Cow::Owned(_))
    })
}

/// Returns the length of the first line without its line end.
fn line(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

/// Returns the number of quotes that begin a literal, and the literal's length including quotes. An
/// unclosed literal ends with its line, or with the text if it begins with three quotes.
fn literal_end(text: &str, quote: char) -> (usize, usize) {
    let three = if quote == '"' { "\"\"\"" } else { "'''" };
    if let Some(inner) = text.strip_prefix(three) {
        let end = inner.find(three).map_or(text.len(), |at| at + 6);
        return (3, end);
    }
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            '\n' => return (1, at),
            c if c == quote => return (1, at + 1),
            _ => {}
        }
    }
    (1, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, shown: &str) {
        assert_eq!(masked(given), shown);
    }

    #[test]
    fn json_is_shown_without_secrets_and_otherwise_to_the_byte() {
        check(
            "\u{feff}{\r\n  // mine\r\n  \"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": \
             [\"-y\", \"x\", \"--token\", \"t-1\", \"https://u:p@h/\"],\r\n \"env\": {\"LEVEL\": \
             \"debug\", \"GITHUB_TOKEN\": \"ghp_x\", \"SSH_KEY\": \"k\", \"T\": \
             \"${secret:t}\"}},}, \"primaryApiKey\": \"sk-1\", \"otp\": 123456, \"on\": true,\r\n \
             \"credentials\": {\"a\": {\"b\": [\"c\", 5, null]}}, \"plain\": \"say \\\"hi\\\"\"}\r\n",
            "\u{feff}{\r\n  // mine\r\n  \"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": \
             [\"-y\", \"x\", \"--token\", \"•••\", \"https://•••@h/\"],\r\n \"env\": {\"LEVEL\": \
             \"debug\", \"GITHUB_TOKEN\": \"•••\", \"SSH_KEY\": \"•••\", \"T\": \
             \"${secret:t}\"}},}, \"primaryApiKey\": \"•••\", \"otp\": •••, \"on\": true,\r\n \
             \"credentials\": {\"a\": {\"b\": [\"•••\", •••, null]}}, \"plain\": \"say \\\"hi\\\"\"}\r\n",
        );
    }

    #[test]
    fn toml_is_shown_without_secrets_and_otherwise_to_the_byte() {
        check(
            "model = \"o\" # best\napi_key = 'k'\n[mcp_servers.a]\ncommand = \"npx\"\nargs = [\n  \
             \"--api-key=k\", # why\n  \"x\",\n]\nbearer_token = \"\"\"\nlong\n\"\"\"\nenv = { \
             SSH_KEY = \"k\", A = \"b\" }\nenv.MY_KEY = \"k\"\n\n[mcp_servers.\"b.c\".env]\nA_KEY = \
             \"k\"\nB = \"plain\" \n[[list]]\nx = 1\npassword = 2\n",
            "model = \"o\" # best\napi_key = '•••'\n[mcp_servers.a]\ncommand = \"npx\"\nargs = [\n  \
             \"--api-key=•••\", # why\n  \"x\",\n]\nbearer_token = \"\"\"•••\"\"\"\nenv = { \
             SSH_KEY = \"•••\", A = \"b\" }\nenv.MY_KEY = \"•••\"\n\n[mcp_servers.\"b.c\".env]\nA_KEY = \
             \"•••\"\nB = \"plain\" \n[[list]]\nx = 1\npassword = •••\n",
        );
    }

    #[test]
    fn json_in_a_variable_is_masked_despite_escapes() {
        check(
            r#"{"env": {"HEADERS": "{\"x-api-key\":\"abcdef123\"}", "MODE": "{\"a\":\"b\"}"}}"#,
            r#"{"env": {"HEADERS": "•••", "MODE": "{\"a\":\"b\"}"}}"#,
        );
        check(
            "[a.env]\nHEADERS = \"{\\\"Authorization\\\": \\\"Bearer abc\\\"}\"\nDIR = 'C:\\a'\n",
            "[a.env]\nHEADERS = \"•••\"\nDIR = 'C:\\a'\n",
        );
        check(
            r#"{"args": ["-e", "H={\"token\":\"abc\"}", "C:\\Users\\me"]}"#,
            r#"{"args": ["-e", "•••", "C:\\Users\\me"]}"#,
        );
    }

    #[test]
    fn commented_secrets_are_redacted() {
        check(
            "{ // \"API_KEY\": \"k\"\n /* see https://a:b@c */ /* fine */ \"a\": 1 } # token x",
            "{ // •••\n /* ••• */ /* fine */ \"a\": 1 } # •••",
        );
    }

    #[test]
    fn excerpt_masks_a_token_but_not_its_placeholder() {
        check(
            r#"{"headers": {"Authorization": "Bearer <token>", "Cookie": "Bearer gh_1"}}"#,
            r#"{"headers": {"Authorization": "Bearer <token>", "Cookie": "Bearer •••"}}"#,
        );
    }

    #[test]
    fn masking_of_arbitrary_text_ends() {
        for text in [
            "\"",
            "'''",
            "{\"token",
            "]]}}",
            "[",
            "[a",
            "\\",
            "token = \"a\nb",
            "é\"é",
        ] {
            assert!(masked(text).chars().count() <= text.len() + 8, "{text}");
        }
        let deep = format!("{}\"x\"", "[".repeat(10_000));
        assert!(!masked(&deep).contains('x'), "what lies too deep is hidden");
    }

    #[test]
    fn scopes_beyond_the_limit_are_only_counted() {
        let (open, close) = ("[".repeat(1_000), "]".repeat(1_000));
        let text = format!("{{\"a\": {open}\"x\"{close}, \"b\": \"y\"}}");
        let mut reader = ConfigRedactor::new(&text);
        let mut most = 0;
        while reader.at < text.len() {
            reader.step();
            most = most.max(reader.scopes.len());
        }
        assert_eq!(most, DEPTH_MAX);
        assert_eq!((reader.scopes.len(), reader.deeper), (1, 0));
        assert_eq!(reader.shown, text.replace('x', MASK));
    }
}
