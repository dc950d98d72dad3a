//! What an example has in the place of something of one's own: `<YOUR_TOKEN>`, `your-api-key`,
//! `/path/to/folder`. It is asked for like an input, and never run as it stands.

use super::Input;
use super::text::{Piece, Text};
use crate::note::InputNote;

/// The longest that is taken for one, in bytes.
const LENGTH_MAX: usize = 120;
/// Words that end before a value.
const BEFORE: [char; 3] = ['=', ' ', ':'];
/// How a word ends that is to be replaced, its marks taken for one.
const ENDS: &[&str] = &["_here", "_goes_here"];
/// What a word is that is to be replaced.
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
/// What a path to be replaced has in it.
const PATHS: &[&str] = &[
    "/path/to/",
    "\\path\\to\\",
    "/users/username/",
    "/home/username/",
    "/users/yourname/",
    "\\users\\username\\",
    "/users/you/",
    "/home/user/path/",
];

/// What is to be replaced in one entry.
#[derive(Debug, Default)]
pub(super) struct Placeholders(Vec<Input>);

impl Placeholders {
    /// The text with an input in each place of something to be replaced; `name` is what its value
    /// stands under.
    pub(super) fn taken_out_of(&mut self, text: Text, name: Option<&str>) -> Text {
        let mut filled = Text::default();
        let alone = text.pieces().len() == 1;
        for piece in text.pieces() {
            match piece {
                Piece::Plain(plain) => self.split(plain, name, alone, &mut filled),
                other => filled.push(other.clone()),
            }
        }
        filled
    }

    pub(super) fn into_inputs(self) -> Vec<Input> {
        self.0
    }

    fn split(&mut self, plain: &str, name: Option<&str>, alone: bool, filled: &mut Text) {
        let mut rest = plain;
        let mut found = false;
        while let Some((before, inside, after)) = enclosed(rest) {
            filled.push(Piece::Plain(before.to_owned()));
            filled.push(self.input(inside, name));
            rest = after;
            found = true;
        }
        if found || !alone {
            filled.push(Piece::Plain(rest.to_owned()));
            return;
        }
        // The last word may be one, and all of the text.
        let word = rest.rfind(BEFORE).map_or(0, |at| at + 1);
        let at = [0, word].into_iter().find(|&at| is_replaced(&rest[at..]));
        match at {
            Some(at) => {
                filled.push(Piece::Plain(rest[..at].to_owned()));
                filled.push(self.input(&rest[at..], name));
            }
            None => filled.push(Piece::Plain(rest.to_owned())),
        }
    }

    /// The input that stands for what the text has.
    fn input(&mut self, said: &str, name: Option<&str>) -> Piece {
        let of_id = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        let plain: String = said
            .chars()
            .map(|c| if of_id(c) { c } else { '_' })
            .collect();
        let id = match (name, plain.trim_matches('_')) {
            (Some(name), _) => name.to_owned(),
            (None, "") => "value".to_owned(),
            (None, plain) => plain.to_owned(),
        };
        let description = match name {
            Some(name) => InputNote::InPlaceOf(name.to_owned(), format!("{said:?}")),
            None => InputNote::InPlace(format!("{said:?}")),
        };
        // Another of the same name that says something else is another.
        let same = |input: &&Input| input.description == description;
        if let Some(known) = self.0.iter().find(same) {
            return Piece::Input(known.id.clone());
        }
        let turns = (2..).map(|turn| format!("{id}-{turn}"));
        let mut ids = std::iter::once(id.clone()).chain(turns);
        let free = |id: &String| !self.0.iter().any(|input| input.id == *id);
        let id = ids.find(free).unwrap_or(id);
        self.0.push(Input {
            id: id.clone(),
            description,
            password: false,
            default: None,
            choices: Vec::new(),
        });
        Piece::Input(id)
    }
}

/// The first `<…>` or `{{…}}` with words in it: what stands before, in and after it.
fn enclosed(text: &str) -> Option<(&str, &str, &str)> {
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
        is_name.then(|| (&text[..start], inside, after))
    });
    found.min_by_key(|(before, ..)| before.len())
}

/// Whether a word stands for one that is not there.
fn is_replaced(word: &str) -> bool {
    if word.is_empty() || word.len() > LENGTH_MAX {
        return false;
    }
    let lower = word.to_lowercase();
    let plain = lower.replace(['-', ' '], "_");
    let is_crossed_out = word.len() >= 3 && word.chars().all(|c| matches!(c, 'x' | 'X' | '*'));
    let before_dots = lower.strip_suffix("...").unwrap_or_default();
    let is_cut = ["xxxx", "****"].iter().any(|end| lower.ends_with(end))
        || (!before_dots.is_empty() && !before_dots.contains(['/', '.']));
    is_crossed_out
        || is_cut
        || WHOLE.contains(&lower.as_str())
        || plain.starts_with("your_")
        || plain.starts_with("my_secret_")
        || ENDS.iter().any(|end| plain.ends_with(end))
        || PATHS
            .iter()
            .any(|path| lower.contains(path) || format!("{lower}/").contains(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str, name: Option<&str>) -> (String, Vec<String>) {
        let mut placeholders = Placeholders::default();
        let filled = placeholders.taken_out_of(Text::plain(text), name);
        let ids = placeholders.into_inputs().into_iter().map(|input| input.id);
        (filled.shown(), ids.collect())
    }

    #[test]
    fn what_an_example_leaves_to_be_filled_in_is_asked_for() {
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
    fn what_can_be_run_as_it_stands_stays() {
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
    fn the_same_words_are_one_question_and_others_of_the_name_another() {
        let mut placeholders = Placeholders::default();
        let mut fill = |text: &str| placeholders.taken_out_of(Text::plain(text), None).shown();
        assert_eq!(fill("<dir>"), "${input:dir}");
        assert_eq!(fill("--in=<dir>"), "--in=${input:dir}");
        assert_eq!(fill("{{dir}}"), "${input:dir}");
        assert_eq!(fill("<dir!>"), "${input:dir-2}");
    }
}
