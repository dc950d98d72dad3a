//! Sets apart what is a secret in a run, by its place and its look ([`crate::telling`]).

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;

use super::run::{Run, Spot};
use super::text::{Piece, Text};
use crate::telling::{Words, is_secret, may_be_secret, secretless};

/// What encloses a mark that stands where a secret was. No entry has it: control characters in a
/// text that tells of a secret make all of it one.
const MARK: char = '\u{1}';
/// What [`Words`] calls a script in one word: it can't be taken apart, and a person has to see it.
const SCRIPT: &str = "script";
/// Words before a token in a header's value.
const SCHEMES: [&str; 3] = ["Bearer ", "Basic ", "Token "];

/// The run with its secrets set apart, and whether it has a script with words that tell of one.
pub(super) fn set_apart(run: &Run<Text>) -> (Run<Text>, bool) {
    let mut words = Words::default();
    let mut script = false;
    let apart = run.try_map(|spot, text| {
        let written = text.written();
        let found = match spot {
            Spot::Command | Spot::Cwd => Vec::new(),
            Spot::Url => by_look(&written, &mut |value, put| secretless(value, put)),
            Spot::Env(name) | Spot::Header(name) => by_name(name, &written),
            Spot::Arg => {
                let found = by_look(&written, &mut |word, put| words.next(word, put));
                match found.iter().any(|(name, _)| name == SCRIPT) {
                    true => {
                        script = true;
                        Vec::new()
                    }
                    false => found,
                }
            }
        };
        Ok::<_, Infallible>(split(text, &found))
    });
    match apart {
        Ok(apart) => (apart, script),
        Err(never) => match never {},
    }
}

/// The value of a variable with its secrets set apart, beside those that are already.
pub(super) fn set_variable_apart(name: &str, value: &Text) -> Text {
    split(value, &by_name(name, &value.written()))
}

/// The secrets of a value that stands under a name.
fn by_name(name: &str, value: &str) -> Vec<(String, Range<usize>)> {
    let named = |range: Range<usize>| vec![(name.to_owned(), range)];
    let scheme = SCHEMES.iter().find(|scheme| {
        let head = value.get(..scheme.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    });
    if let (true, Some(scheme)) = (may_be_secret(name), scheme) {
        return named(scheme.len()..value.len());
    }
    if is_secret(name) || (may_be_secret(name) && !is_harmless(value)) {
        return named(0..value.len());
    }
    by_look(value, &mut |value, put| secretless(value, put))
        .into_iter()
        .map(|(_, range)| (name.to_owned(), range))
        .collect()
}

/// Whether a value is none that anybody keeps to themselves: `KEY_FILE=/home/me/key`.
fn is_harmless(value: &str) -> bool {
    let is_number = value.len() <= 6 && value.bytes().all(|byte| byte.is_ascii_digit());
    let is_switch = ["true", "false", "yes", "no", "on", "off"]
        .iter()
        .any(|switch| value.eq_ignore_ascii_case(switch));
    let is_path = value.starts_with(['/', '~', '.']) || value.get(1..3) == Some(":\\");
    let is_address = value.starts_with("http://") || value.starts_with("https://");
    let has_secret = || !by_look(value, &mut |value, put| secretless(value, put)).is_empty();
    is_number || is_switch || is_path || (is_address && !has_secret())
}

type Hide<'h> = &'h mut dyn for<'a> FnMut(&'a str, &mut dyn FnMut(&str) -> String) -> Cow<'a, str>;

/// The secrets that `hide` finds, with what it calls them.
fn by_look(value: &str, hide: Hide<'_>) -> Vec<(String, Range<usize>)> {
    let mut names: Vec<String> = Vec::new();
    let hidden = hide(value, &mut |name| {
        names.push(name.to_owned());
        MARK.to_string()
    });
    if names.is_empty() {
        return Vec::new();
    }
    let rest: Vec<&str> = hidden.split(MARK).collect();
    match between(value, &rest) {
        Some(ranges) if ranges.len() == names.len() => names.into_iter().zip(ranges).collect(),
        _ => vec![(names.swap_remove(0), 0..value.len())],
    }
}

/// Where in a text the parts stand that were taken out, by what was left of it.
fn between(text: &str, left: &[&str]) -> Option<Vec<Range<usize>>> {
    let (first, others) = left.split_first()?;
    let mut at = first.len();
    if !text.starts_with(first) {
        return None;
    }
    let mut ranges = Vec::new();
    for (index, part) in others.iter().enumerate() {
        let last = index + 1 == others.len();
        let rest = text.get(at..)?;
        let length = match last {
            true => rest.strip_suffix(part)?.len(),
            false => rest.find(part)?,
        };
        ranges.push(at..at + length);
        at += length + part.len();
    }
    Some(ranges)
}

/// The text with what is plain in these ranges of it as secrets.
fn split(text: &Text, found: &[(String, Range<usize>)]) -> Text {
    let mut split = Text::default();
    let mut at = 0;
    for piece in text.pieces() {
        let length = Text(vec![piece.clone()]).written().len();
        let here = at..at + length;
        at = here.end;
        let (Piece::Plain(plain) | Piece::Given(plain)) = piece else {
            split.push(piece.clone());
            continue;
        };
        let mut done = 0;
        for (name, range) in found {
            let start = range.start.clamp(here.start, here.end) - here.start;
            let end = range.end.clamp(here.start, here.end) - here.start;
            if start >= end {
                continue;
            }
            split.push(Piece::Plain(plain[done..start].to_owned()));
            split.push(Piece::Secret {
                name: name.clone(),
                value: plain[start..end].to_owned(),
            });
            done = end;
        }
        split.push(Piece::Plain(plain[done..].to_owned()));
    }
    split
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn url(address: &str, headers: &[(&str, &str)]) -> Run<Text> {
        Run::Url {
            url: Text::plain(address),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), Text::plain(*value)))
                .collect(),
        }
    }

    #[test]
    fn a_secret_is_set_apart_where_its_place_or_its_look_tells_of_it() {
        let run = Run::Command {
            command: Text::plain("npx"),
            args: [
                "-y",
                "server",
                "--api-key",
                "k-1",
                "postgres://me:pw@db/x",
                "--level=3",
            ]
            .map(Text::plain)
            .into(),
            env: [
                ("API_KEY", "abc"),
                ("KEY_FILE", "/home/me/key"),
                ("LEVEL", "debug"),
                ("AUTH", "true"),
                ("OTHER", "ghp_0123456789abcdefghij"),
                ("SESSION_URL", "https://example.test/"),
            ]
            .map(|(name, value)| (name.to_owned(), Text::plain(value)))
            .into(),
            cwd: None,
        };
        let (apart, script) = set_apart(&run);
        assert!(!script);
        assert_eq!(
            apart.command_line(),
            "npx -y server --api-key '•••' 'postgres://•••@db/x' --level=3"
        );
        let Run::Command { env, .. } = &apart else {
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
            apart
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
        let mut token = Text::plain("Bearer pre-");
        token.push(Piece::Env("TOKEN".into()));
        let mut run = url("https://a.test/?token=t&x=1", &[("X-Trace", "on")]);
        let Run::Url { headers, .. } = &mut run else {
            panic!("a url");
        };
        headers.insert("Authorization".into(), token);
        let (apart, _) = set_apart(&run);
        let Run::Url { url, headers } = &apart else {
            panic!("a url");
        };
        assert_eq!(url.shown(), "https://a.test/?token=•••&x=1");
        assert_eq!(headers["Authorization"].shown(), "Bearer •••${env:TOKEN}");
        assert_eq!(headers["X-Trace"].shown(), "on");
    }

    #[test]
    fn a_script_stays_to_be_seen() {
        let run = Run::Command {
            command: Text::plain("sh"),
            args: ["-c", "exec ./run --token x"].map(Text::plain).into(),
            env: BTreeMap::new(),
            cwd: None,
        };
        let (apart, script) = set_apart(&run);
        assert!(script);
        assert_eq!(apart.command_line(), "sh -c 'exec ./run --token x'");
    }
}
