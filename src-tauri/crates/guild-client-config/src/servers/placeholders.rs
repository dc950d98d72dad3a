//! Finds placeholders in examples: `<YOUR_TOKEN>`, `your-api-key`, `/path/to/folder`. Each becomes
//! an input that a person fills in, so that a server never starts with a placeholder.

use super::ConfigInput;
use super::text::{TextSegment, TextTemplate};
use crate::messages::InputNote;
use guild_text::secret_detection::is_secret;

/// Maximum length of a placeholder, in bytes.
const LENGTH_MAX: usize = 120;
/// Suffixes of placeholders, in lowercase and with `_` as the separator.
const ENDS: &[&str] = &["_here", "_goes_here"];
/// Complete words that are placeholders.
const WHOLE: &[&str] = &[
    "...",
    "…",
    "changeme",
    "change_me",
    "replace_me",
    "replaceme",
    "placeholder",
    "todo",
];
/// Prefixes of placeholders, in lowercase and with `_` as the separator.
const BEGINS: &[&str] = &["your_", "my_secret_", "replace_with_", "insert_your_"];
/// Words that follow `your` without a separator: `YourApiKey`, `yourdomain.com`.
const YOURS: &[&str] = &[
    "account", "api", "domain", "email", "host", "key", "name", "org", "pass", "project", "secret",
    "token", "url", "user",
];
/// Example folders at any position of a path.
const PATHS: &[&str] = &["path/to/", "path\\to\\"];
/// Example home folders.
const HOMES: &[&str] = &[
    "/users/username/",
    "/home/username/",
    "/users/yourname/",
    "\\users\\username\\",
    "/users/you/",
    "/home/user/path/",
];
/// Example user names and passwords in database addresses.
const USERS: &[&str] = &["user", "username", "usr", "login"];
const PASSWORDS: &[&str] = &["password", "pass", "passwd", "pwd", "secret"];
/// Characters that separate the words of a value.
const SEPARATORS: &[char] = &[
    ' ', '\t', '\n', '=', ',', ';', '"', '\'', '&', '?', '(', ')', '{', '}', '[', ']', '|', '@',
];

/// The required certainty that a word is a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Certainty {
    /// An example from a web page: every word that looks like a placeholder counts as a
    /// placeholder.
    Example,
    /// A file that a program already uses: only values that can't be real are placeholders.
    OwnFile,
}

#[derive(Debug)]
pub(super) struct Placeholders {
    certainty: Certainty,
    inputs: Vec<ConfigInput>,
}

impl Placeholders {
    pub(super) fn new(certainty: Certainty) -> Self {
        Self {
            certainty,
            inputs: Vec::new(),
        }
    }

    /// Replaces each placeholder in a string by an input. `name` is the key of the string.
    pub(super) fn extract(&mut self, text: TextTemplate, name: Option<&str>) -> TextTemplate {
        let mut filled = TextTemplate::default();
        let alone = text.segments().len() == 1;
        for segment in text.segments() {
            match segment {
                TextSegment::Plain(plain) => self.split(plain, name, alone, &mut filled),
                other => filled.push(other.clone()),
            }
        }
        filled
    }

    pub(super) fn into_inputs(self) -> Vec<ConfigInput> {
        self.inputs
    }

    fn split(&mut self, plain: &str, name: Option<&str>, alone: bool, filled: &mut TextTemplate) {
        let mut rest = plain;
        let mut found = false;
        while let Some((before, inside, after)) = enclosed(rest, self.certainty) {
            self.words(before, name, false, filled);
            filled.push(self.input(inside, name));
            rest = after;
            found = true;
        }
        if !found && alone && self.is_whole(rest, name) {
            filled.push(self.input(rest, name));
            return;
        }
        self.words(rest, name, alone && !found, filled);
    }

    /// Checks whether a whole string is one placeholder.
    fn is_whole(&self, text: &str, name: Option<&str>) -> bool {
        let is_word = |text: &str| {
            let is_sentence = text.contains(' ') && !text.to_lowercase().starts_with("your ");
            !is_sentence && !text.contains(['=', '"', '\'', '{', '}', '&', '?', '/', ','])
        };
        let is_path = || {
            let after_drive = text.get(2..).filter(|_| text.get(1..2) == Some(":"));
            !after_drive.unwrap_or(text).contains(['=', ',', ':', '"'])
                && begins_like_a_path(text)
                && self.is_path(text)
        };
        let is_own_name = || {
            let is_constant = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            self.certainty == Certainty::Example
                && name.is_some()
                && text.contains(|c: char| c.is_ascii_uppercase())
                && text.chars().all(is_constant)
                && is_secret(text)
        };
        (is_word(text) && is_replaced(text, self.certainty)) || is_path() || is_own_name()
    }

    /// Splits a string into words, and replaces each placeholder by an input.
    fn words(&mut self, text: &str, name: Option<&str>, alone: bool, filled: &mut TextTemplate) {
        if let Some((at, user, password)) = example_sign_in(text, self.certainty) {
            self.words(&text[..at], name, false, filled);
            let after = at + user.len() + 1 + password.len();
            // Without the key's name, each of the two inputs is named after its placeholder, which
            // shows which input is the secret.
            filled.push(self.input(user, None));
            filled.push(TextSegment::Plain(":".to_owned()));
            filled.push(self.input(password, None));
            self.words(&text[after..], name, false, filled);
            return;
        }
        let mut rest = text;
        loop {
            let end = rest.find(SEPARATORS).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            self.word(word, name, alone, filled);
            let Some(separator) = after.chars().next() else {
                return;
            };
            filled.push(TextSegment::Plain(separator.to_string()));
            rest = &after[separator.len_utf8()..];
        }
    }

    /// Replaces placeholders in a word: a whole path, or the parts between `:`, `/` and `\`.
    fn word(&mut self, word: &str, name: Option<&str>, alone: bool, filled: &mut TextTemplate) {
        let mut at = 0;
        if alone && self.is_path(word) {
            // A colon separates a mounted directory from its target, unless it follows a drive.
            let after_drive = if word.get(1..2) == Some(":") { 2 } else { 0 };
            let end = word[after_drive..].find(':');
            at = end.map_or(word.len(), |end| after_drive + end);
            match begins_like_a_path(word) && self.is_path(&word[..at]) {
                true => filled.push(self.input(&word[..at], name)),
                false => at = 0,
            }
        }
        let mut rest = &word[at..];
        let certainty = match rest.contains([':', '/', '\\']) {
            // In a word with separators, dots such as those in `./...` are a pattern, not a
            // placeholder.
            true => Certainty::OwnFile,
            false => self.certainty,
        };
        loop {
            let end = rest.find([':', '/', '\\']).unwrap_or(rest.len());
            let (part, after) = rest.split_at(end);
            match is_replaced(part, certainty) {
                true => filled.push(self.input(part, name)),
                false => filled.push(TextSegment::Plain(part.to_owned())),
            }
            let Some(separator) = after.get(..1) else {
                return;
            };
            filled.push(TextSegment::Plain(separator.to_owned()));
            rest = &after[1..];
        }
    }

    fn is_path(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        let closed = format!("{lower}/");
        let has = |path: &str| lower.contains(path) || closed.contains(path);
        let is_example = PATHS.iter().any(|path| {
            let within = ['/', '\\'].map(|separator| format!("{separator}{path}"));
            closed.starts_with(path) || within.iter().any(|path| has(path))
        });
        let is_home = HOMES.iter().any(|path| has(path));
        let is_certain = self.certainty == Certainty::OwnFile;
        word.len() <= LENGTH_MAX && (is_example || (is_home && !is_certain))
    }

    /// Returns the input for a placeholder, and creates it if necessary.
    fn input(&mut self, placeholder: &str, name: Option<&str>) -> TextSegment {
        let of_id = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        let plain: String = placeholder
            .chars()
            .map(|c| if of_id(c) { c } else { '_' })
            .collect();
        let id = match (name, plain.trim_matches('_')) {
            (Some(name), _) => name.to_owned(),
            (None, "") => "value".to_owned(),
            (None, plain) => plain.to_owned(),
        };
        let description = match name {
            Some(name) => InputNote::InPlaceOf(name.to_owned(), format!("{placeholder:?}")),
            None => InputNote::InPlace(format!("{placeholder:?}")),
        };
        // Inputs with the same name but different descriptions are separate.
        let same = |input: &&ConfigInput| input.description == description;
        if let Some(known) = self.inputs.iter().find(same) {
            return TextSegment::Input(known.id.clone());
        }
        let turns = (2..).map(|turn| format!("{id}-{turn}"));
        let mut ids = std::iter::once(id.clone()).chain(turns);
        let free = |id: &String| !self.inputs.iter().any(|input| input.id == *id);
        let id = ids.find(free).unwrap_or(id);
        self.inputs.push(ConfigInput {
            id: id.clone(),
            description,
            password: false,
            default: None,
            choices: Vec::new(),
        });
        TextSegment::Input(id)
    }
}

/// Finds the first `<…>` or `{{…}}` that contains words. Returns the text before, inside and after
/// it.
fn enclosed(text: &str, certainty: Certainty) -> Option<(&str, &str, &str)> {
    let pairs = [("<", ">"), ("{{", "}}")];
    let found = pairs.iter().filter_map(|(open, close)| {
        let start = text.find(open)?;
        let inside = &text[start + open.len()..];
        let end = inside.find(close)?;
        let (inside, after) = (&inside[..end], &inside[end + close.len()..]);
        let is_name = !inside.is_empty()
            && inside.len() <= LENGTH_MAX
            && inside.starts_with(char::is_alphabetic)
            && !inside.contains(['<', '{', '\n', '=', '"']);
        let is_certain = certainty == Certainty::Example || is_secret(inside) || is_yours(inside);
        (is_name && is_certain).then(|| (&text[..start], inside, after))
    });
    found.min_by_key(|(before, ..)| before.len())
}

/// Finds the user name and password in an example address (`scheme://USER:PASSWORD@host`). Returns
/// their offset and both texts.
fn example_sign_in(text: &str, certainty: Certainty) -> Option<(usize, &str, &str)> {
    let at = text.find("://")? + 3;
    let rest = &text[at..];
    let host = rest.find(['/', '?', '#', ' ']).unwrap_or(rest.len());
    let (user, password) = rest[..host].rsplit_once('@')?.0.split_once(':')?;
    let is_one_of = |words: &[&str], word: &str| {
        let is_constant = !word.contains(char::is_lowercase);
        let is_example = certainty == Certainty::Example || is_constant;
        (is_example && words.contains(&word.to_lowercase().as_str()))
            || is_replaced(word, certainty)
    };
    (is_one_of(USERS, user) && is_one_of(PASSWORDS, password)).then_some((at, user, password))
}

fn begins_like_a_path(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.starts_with(['/', '\\', '.', '~'])
        || word.get(1..2) == Some(":")
        || PATHS.iter().any(|path| lower.starts_with(path))
        || matches!(lower.as_str(), "path/to" | "path\\to")
}

/// Checks whether a word means a value of the reader: `your-api-key`, `YourToken`.
fn is_yours(word: &str) -> bool {
    let lower = word.to_lowercase();
    let plain = lower.replace(['-', ' '], "_");
    let after = lower.strip_prefix("your").unwrap_or_default();
    plain.starts_with("your_")
        || plain.contains("_your_")
        || YOURS.iter().any(|yours| after.starts_with(yours))
}

/// Checks whether a word is a placeholder.
fn is_replaced(word: &str, certainty: Certainty) -> bool {
    // A word that begins with `-` is an option's name.
    if word.is_empty() || word.len() > LENGTH_MAX || word.starts_with('-') {
        return false;
    }
    let lower = word.to_lowercase();
    let plain = lower.replace(['-', ' '], "_");
    let is_crossed_out = |part: &str| {
        let crosses = part.chars().filter(|c| matches!(c, 'x' | '*')).count();
        crosses >= 3 && part.chars().all(|c| matches!(c, 'x' | '*' | '_'))
    };
    // A token with a placeholder instead of its end: `ghp_xxx`, `sk-...`.
    let last_part = plain.rsplit('_').next().unwrap_or_default();
    let before_dots = lower
        .strip_suffix("...")
        .or_else(|| lower.strip_suffix('…'));
    let before_dots = before_dots.unwrap_or_default();
    let is_cut = ["xxxx", "****"].iter().any(|end| lower.ends_with(end))
        || is_crossed_out(last_part)
        || (!before_dots.is_empty() && !before_dots.contains(['/', '.']));
    let is_named = WHOLE.contains(&lower.as_str())
        || ENDS.iter().any(|end| plain.ends_with(end))
        || BEGINS.iter().any(|begin| plain.starts_with(begin));
    is_crossed_out(&plain)
        || is_cut
        || is_yours(word)
        || (certainty == Certainty::Example && is_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str, name: Option<&str>) -> (String, Vec<String>) {
        let mut placeholders = Placeholders::new(Certainty::Example);
        let filled = placeholders.extract(TextTemplate::plain(text), name);
        let ids = placeholders.into_inputs().into_iter().map(|input| input.id);
        (filled.shown(), ids.collect())
    }

    #[test]
    fn example_placeholders_become_inputs() {
        for (text, name, expect) in [
            ("<YOUR_TOKEN>", Some("TOKEN"), "${input:TOKEN}"),
            (
                "Bearer <token>",
                Some("Authorization"),
                "Bearer ${input:Authorization}",
            ),
            (
                "Bearer YOUR_API_KEY",
                Some("Authorization"),
                "Bearer ${input:Authorization}",
            ),
            ("your-api-key-here", Some("KEY"), "${input:KEY}"),
            ("--key=YOUR_KEY", None, "--key=${input:YOUR_KEY}"),
            (
                "https://<host>/mcp?k=<key>",
                None,
                "https://${input:host}/mcp?k=${input:key}",
            ),
            (
                "/path/to/allowed/dir",
                None,
                "${input:/path/to/allowed/dir}",
            ),
            (
                "/Users/username/Desktop",
                None,
                "${input:/Users/username/Desktop}",
            ),
            ("{{API_KEY}}", None, "${input:API_KEY}"),
            ("ghp_xxxxxxxx", Some("T"), "${input:T}"),
            ("sk...", Some("T"), "${input:T}"),
            ("xxx", Some("T"), "${input:T}"),
        ] {
            assert_eq!(taken(text, name).0, expect, "{text}");
        }
    }

    #[test]
    fn runnable_values_stay_unchanged() {
        for text in [
            "",
            "-y",
            "@scope/server",
            "x",
            "a<b",
            "a < b > c",
            "./server.js",
            "..",
            "../x",
            "https://mcp.example.test/mcp",
            "localhost:3000",
            "here",
            "yours",
            "/srv/path",
            "$HOME/x",
            "--in=a=b",
            "*",
        ] {
            assert_eq!(
                taken(text, Some("NAME")),
                (text.to_owned(), vec![]),
                "{text}"
            );
        }
    }

    #[test]
    fn same_placeholder_asks_one_question() {
        let mut placeholders = Placeholders::new(Certainty::Example);
        let mut fill = |text: &str| {
            placeholders
                .extract(TextTemplate::plain(text), None)
                .shown()
        };
        assert_eq!(fill("<dir>"), "${input:dir}");
        assert_eq!(fill("--in=<dir>"), "--in=${input:dir}");
        assert_eq!(fill("{{dir}}"), "${input:dir}");
        assert_eq!(fill("<dir!>"), "${input:dir-2}");
    }

    #[test]
    fn placeholders_within_a_value_are_asked_for() {
        for (text, name, expect) in [
            ("ghp_xxx", Some("T"), "${input:T}"),
            ("sk-...", Some("T"), "${input:T}"),
            ("sk-your-key", Some("T"), "${input:T}"),
            ("YourApiKeyHere", Some("T"), "${input:T}"),
            ("GITHUB_TOKEN", Some("T"), "${input:T}"),
            ("xxxxxxxx-xxxx-xxxx", Some("T"), "${input:T}"),
            (
                "postgresql://USER:PASSWORD@localhost:5432/db",
                Some("DATABASE_URL"),
                "postgresql://${input:USER}:${input:PASSWORD}@localhost:5432/db",
            ),
            (
                "https://a.test/mcp?key=YOUR_KEY&profile=YOUR_PROFILE",
                None,
                "https://a.test/mcp?key=${input:YOUR_KEY}&profile=${input:YOUR_PROFILE}",
            ),
            (
                "https://your-domain.atlassian.net/x",
                None,
                "https://${input:your-domain.atlassian.net}/x",
            ),
            (
                "{\"Authorization\": \"Bearer YOUR_TOKEN\"}",
                Some("H"),
                "{\"Authorization\": \"Bearer ${input:H}\"}",
            ),
            ("path/to/server.js", None, "${input:path/to/server.js}"),
            (
                "/path/to/data:/data:ro",
                None,
                "${input:/path/to/data}:/data:ro",
            ),
            (
                "type=bind,src=/path/to/dir,dst=/projects",
                None,
                "type=bind,src=${input:/path/to/dir},dst=/projects",
            ),
            (
                "C:\\path\\to\\server.exe",
                None,
                "${input:C__path_to_server.exe}",
            ),
        ] {
            assert_eq!(taken(text, name).0, expect, "{text}");
        }
    }

    #[test]
    fn an_own_file_is_asked_only_for_certain_ones() {
        let taken = |text: &str| {
            let mut placeholders = Placeholders::new(Certainty::OwnFile);
            placeholders
                .extract(TextTemplate::plain(text), Some("NAME"))
                .shown()
        };
        for text in [
            "/home/username/site",
            "<x>",
            "todo",
            "placeholder",
            "GITHUB_TOKEN",
            "postgres://postgres:password@localhost/app",
            "yourself",
            "max",
        ] {
            assert_eq!(taken(text), text);
        }
        for text in [
            "YOUR_API_KEY",
            "<your-token>",
            "ghp_xxxx",
            "/path/to/server.js",
        ] {
            assert_eq!(taken(text), "${input:NAME}", "{text}");
        }
        assert_eq!(
            taken("postgresql://USER:PASSWORD@localhost:5432/db"),
            "postgresql://${input:USER}:${input:PASSWORD}@localhost:5432/db"
        );
    }
}
